/* SPDX-License-Identifier: MIT */
/* Reading whole files, and writing files that are either complete or absent. */
#ifndef HD_BASE_IO_H
#define HD_BASE_IO_H

#include "base/diag.h"
#include "base/str.h"

/* Reads `path` ("-" is standard input) into `*source`. A directory, an
 * unreadable file or one over 1 GiB is reported and false returned. */
HD_MUST_USE bool hd_source_read(const char *path, hd_source *source,
                                hd_diag *diag);

/* An output file. It is written beside its place under a temporary name and
 * renamed on hd_output_close; "-" is standard output, and devices and pipes are
 * written in place. */
typedef struct {
  FILE *file;
  char *path, *temporary; /* temporary is NULL when written in place */
} hd_output;

HD_MUST_USE bool hd_output_open(hd_output *output, const char *path,
                                hd_diag *diag);
/* Flushes, checks every write and renames; on any error reports it, removes the
 * temporary file and returns false. */
HD_MUST_USE bool hd_output_close(hd_output *output, hd_diag *diag);
/* Gives up: the target is left as it was. */
void hd_output_abandon(hd_output *output);

/* A stream that appends what is written to `str`; complete after fclose. */
FILE *hd_stream_to(hd_str *str);

#endif
