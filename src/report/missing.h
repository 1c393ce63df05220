/* SPDX-License-Identifier: MIT */
/* What a C program calls and nobody defines or knows: as a list, and as C with
 * a stub for each. */
#ifndef HD_REPORT_MISSING_H
#define HD_REPORT_MISSING_H

#include "base/str.h"
#include "model/code.h"

/* Every function without a body or a meaning, with those who call it, and every
 * variable without a definition. */
void hd_report_missing(hd_str *out, const hd_code *code);
/* A C file with one definition for each, ready to be edited. */
/* How the file of stubs begins. */
#define HD_STUBS_BEGIN "/* A stub for each function that is missing:"

void hd_report_stubs(hd_str *out, const hd_code *code);

#endif
