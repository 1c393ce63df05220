/* SPDX-License-Identifier: MIT */
/* printf. */
#ifndef HD_CHECK_INTERP_FORMAT_H
#define HD_CHECK_INTERP_FORMAT_H

#include "check/interp/lib.h"

/* What was read for a %s. */
typedef struct {
  uint64_t at, size;
} hd_text;
typedef hd_vec(hd_text) hd_texts;

/* Appends what printf prints for the format at argument `format` and the
 * arguments behind it, or those of the va_list behind it when `list` is set. `texts`, unless it
 * is NULL, gets what is read for it. False after a violation or an unsupported
 * conversion. */
HD_MUST_USE bool hd_format(hd_call *c, size_t format, bool list, hd_str *out,
                           hd_texts *texts);

#endif
