/* SPDX-License-Identifier: MIT */
/* Text inside of SVG, GraphML and HTML. */
#ifndef HD_REPORT_MARKUP_H
#define HD_REPORT_MARKUP_H

#include "base/str.h"

/* What is markup becomes text, control characters become spaces. */
void hd_markup_text(hd_str *out, const char *text);

#endif
