/* SPDX-License-Identifier: MIT */
/* Violations as a list: which are new, which are known or excused, and the list in
 * reports. */
#ifndef HD_REPORT_STANDING_H
#define HD_REPORT_STANDING_H

#include "base/diag.h"
#include "base/io.h"
#include "report/code.h"

/* --- comments in the source ---
 *
 *   // heddle: ignore race, memory (a reason)
 *
 * on the line of one of a violation's places, or in a comment that is alone on the
 * line above. */

/* Sets the standing of violations that such a comment is about. What looks like one
 * and is none becomes a note. */
void hd_standing_excuse(const hd_code *code, hd_code_result *result);

/* --- baselines: a fingerprint a line, and behind it what it is about --- */

typedef hd_vec(uint64_t) hd_baseline;

/* False, after a message, when it is none. */
HD_MUST_USE bool hd_baseline_parse(const hd_source *source, hd_diag *diag,
                                   hd_baseline *out);
/* Sets the standing of violations that are in it. */
void hd_baseline_apply(const hd_baseline *baseline, hd_code_result *result);
/* All violations that the source does not excuse. */
void hd_baseline_print(hd_str *out, const hd_code *code,
                       const hd_code_result *result);

/* --- reports --- */

/* In front of its property's violations comes one that is new, if there is. */
void hd_standing_sort(hd_code_result *result);
/* "new", "ignored", "baseline" */
const char *hd_standing_name(hd_standing standing);
/* 16 digits */
void hd_fingerprint_print(hd_str *out, uint64_t fingerprint);
/* "race on counter: worker (x.c:9), main (x.c:20)" */
void hd_standing_title(hd_str *out, const hd_code *code,
                       const hd_code_answer *answer);
/* The list as text, each with its number, what and where it is; nothing where there
 * is one violation and it is new. */
void hd_standing_list(hd_str *out, const hd_code *code,
                      const hd_code_result *result);
/* "no new findings, 2 suppressed"; nothing where none is suppressed. */
void hd_standing_words(hd_str *out, const hd_code_result *result);

#endif
