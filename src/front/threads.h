/* SPDX-License-Identifier: MIT */
/* Thread systems as nets and back. A *thread system* is a net of format
 * HD_FORMAT_TTS, all of whose transitions are edges of .tts. Its *flat* form
 * has one shared state; the shared states have become its first places. */
#ifndef HD_FRONT_THREADS_H
#define HD_FRONT_THREADS_H

#include "base/diag.h"
#include "model/net.h"

typedef enum {
  HD_TTS_NONE,     /* not an edge of .tts */
  HD_TTS_PLAIN,    /* from -> to, with the transition's moves */
  HD_TTS_SPAWN,    /* from +> to */
  HD_TTS_TRANSFER, /* from ~> to, no thread takes part actively */
} hd_tts_edge_kind;

typedef struct {
  hd_tts_edge_kind kind;
  hd_place_id from, to;
} hd_tts_edge;

/* How .tts would write transition `t`. */
hd_tts_edge hd_tts_edge_of(const hd_net *net, hd_trans_id t);

/* True when the places differ only in what .tts can say: exactly so many
 * threads, or at least so many. */
bool hd_threads_init_fits(const hd_net *net);

/* The flat form of a thread system; place names are NULL exactly when those of
 * the shared and the local states both are. */
hd_net *hd_threads_unfold(const hd_net *net);

typedef struct {
  const hd_place_id *control; /* the places that are shared states, in order */
  size_t n_control;
  bool shared_numbered, local_numbered; /* numbers are their names */
} hd_fold;

/* The thread system whose flat form `flat` is. NULL, with a sentence in `why`,
 * when there is none: every transition must take one token from the control
 * places and give one back, and be an edge otherwise. */
hd_net *hd_threads_fold(const hd_net *flat, const hd_fold *fold, hd_str *why);

/* The same transition, names and lines aside. */
bool hd_trans_same(const hd_net *a, hd_trans_id t, const hd_net *b,
                   hd_trans_id u);

/* Takes a finished thread system and gives it back without duplicate edges,
 * after one warning for all of them. */
hd_net *hd_threads_unique(hd_net *net, const hd_source *source, hd_diag *diag);

#endif
