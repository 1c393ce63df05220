/* SPDX-License-Identifier: MIT */
/* Reading and writing models: the one entry to all input formats.
 *
 * A reader reports every problem through a hd_diag and returns NULL (or false)
 * when there was an error; it never crashes, whatever the bytes. docs/formats.md
 * is the exact reference. */
#ifndef HD_FRONT_FRONT_H
#define HD_FRONT_FRONT_H

#include "base/io.h"
#include "model/net.h"

/* "tts", "spec", "pnml" and their aliases; false for any other text. */
HD_MUST_USE bool hd_format_find(const char *name, hd_format *format);
/* The format by a path's extension (.tts .ttd / .spec / .pnml .xml). */
HD_MUST_USE bool hd_format_of_path(const char *path, hd_format *format);
const char *hd_format_name(hd_format format);

/* Reads a model from a text in memory. The net is finished; a thread system has
 * the parametric initial state 0/0; targets are those written in the text. */
hd_net *hd_front_parse(const hd_source *source, hd_format format,
                       hd_diag *diag);
/* Reads a file ("-" is standard input, format NULL = by extension, by content
 * when the extension says nothing). For x.tts without a target of its own,
 * x.prop beside it is read too, if it exists and `with_prop`. */
hd_net *hd_front_read(const char *path, const hd_format *format, bool with_prop,
                      hd_diag *diag);

/* Replaces the targets. `text` as in --target: `s|l1,l2` for thread systems
 * (names or numbers), `p>=1,q>=2` or `p,q,q` for nets; `;` separates disjuncts.
 * Diagnostics call the text `what`, e.g. "--target". */
HD_MUST_USE bool hd_front_set_target(hd_net *net, const char *text,
                                     const char *what, hd_diag *diag);
/* Replaces the targets by those of a .prop file. */
HD_MUST_USE bool hd_front_read_prop(hd_net *net, const char *path,
                                    hd_diag *diag);
/* --init: bfc's `s|b1,b2/u1,u2` for thread systems; for nets `p=1,q>=2`
 * (everything else becomes 0). */
HD_MUST_USE bool hd_front_set_init(hd_net *net, const char *text,
                                   const char *what, hd_diag *diag);
/* --threads: "parametric", "dynamic" or a number; thread systems only. */
HD_MUST_USE bool hd_front_set_threads(hd_net *net, const char *text,
                                      const char *what, hd_diag *diag);

/* Writes `net` in `format`. What the format cannot say in itself goes into
 * structured comments (tts, spec) or toolspecific elements (pnml) that heddle's
 * reader understands, so that reading it back gives the same net. False, with
 * diagnostics, when the net cannot be expressed at all. */
HD_MUST_USE bool hd_front_write(const hd_net *net, hd_format format, FILE *out,
                                hd_diag *diag);

#endif
