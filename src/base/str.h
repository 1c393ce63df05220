/* SPDX-License-Identifier: MIT */
/* Growing text. `data` is always terminated once anything was appended;
 * hd_str_text () is safe on an empty one. */
#ifndef HD_BASE_STR_H
#define HD_BASE_STR_H

#include "base/vec.h"

typedef hd_vec(char) hd_str;

HD_PRINTF(2, 3) void hd_str_printf(hd_str *str, const char *format, ...);
void hd_str_append(hd_str *str, const char *text, size_t length);
void hd_str_puts(hd_str *str, const char *text);
const char *hd_str_text(const hd_str *str);
/* The text as a heap string owned by the caller; `str` is empty after. */
char *hd_str_take(hd_str *str);
void hd_str_free(hd_str *str);

#endif
