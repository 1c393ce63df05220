/* SPDX-License-Identifier: MIT */
/* What an engine has to say, as a text: how it comes from another process, and
 * how it is kept in the cache. Verdicts are claims until the evidence in them,
 * in the forms of docs/evidence.md, is judged again by who reads them.
 *
 *   heddle answer 1
 *   property NAME              (C programs; what follows is about it)
 *   verdict safe|unsafe|unknown
 *   engine NAME
 *   reason TEXT
 *   evidence SIZE              (so many bytes follow, and a line end)
 *   note TEXT
 *   stat NAME <tab> UNIT <tab> VALUE <tab> HELP
 *   end
 *
 * TEXT has its line ends, tabs and backslashes written as \n, \t and \\. A text
 * that lacks its end, or has anything else in it, is no answer. */
#ifndef HD_API_ANSWER_H
#define HD_API_ANSWER_H

#include "report/code.h"

void hd_answer_print(hd_str *out, const hd_net *net, const hd_result *result);
/* `result` must be all zero; it is to be freed in any case. False, with a
 * phrase in `why`, when the text is no answer about `net`. */
HD_MUST_USE bool hd_answer_parse(const char *text, size_t size,
                                 const hd_net *net, hd_result *result,
                                 hd_str *why);

/* The same for C programs: of what is asked, verdict, engine, reason and turns;
 * violation and trace are left out. */
void hd_answer_print_code(hd_str *out, const hd_code *code,
                          const hd_code_result *result);
HD_MUST_USE bool hd_answer_parse_code(const char *text, size_t size,
                                      const hd_code *code,
                                      hd_code_result *result, hd_str *why);

#endif
