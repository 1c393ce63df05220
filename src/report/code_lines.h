/* SPDX-License-Identifier: MIT */
/* The text of statements, from the source files a code graph was made from. */
#ifndef HD_REPORT_CODE_LINES_H
#define HD_REPORT_CODE_LINES_H

#include "base/str.h"
#include "model/code.h"

typedef struct hd_code_lines hd_code_lines;

/* Files are read when they are asked for. */
hd_code_lines *hd_code_lines_new(const hd_code *code);
void hd_code_lines_delete(hd_code_lines *lines);
/* Appends the statement at `pos`: its part of the line, without comments and
 * in single blanks. False, and nothing, when the file is not there or has no
 * such line. `start` becomes the column where it begins. */
bool hd_code_lines_statement(hd_code_lines *lines, hd_cpos pos, hd_str *out,
                             uint32_t *start);

/* The line as it is, of `*size` bytes; NULL when it is not there. */
const char *hd_code_lines_raw(hd_code_lines *lines, uint32_t file,
                              uint32_t line, size_t *size);

#endif
