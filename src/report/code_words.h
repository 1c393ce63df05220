/* SPDX-License-Identifier: MIT */
/* Sentences about runs of C programs that the reports share. */
#ifndef HD_REPORT_CODE_WORDS_H
#define HD_REPORT_CODE_WORDS_H

#include "report/code_teams.h"
#include "report/code.h"
#include "report/report.h"

/* A sentence without full stop; `trace` (may be NULL) names the threads. */
void hd_code_violation_words(hd_str *out, const hd_code *code,
                             const hd_code_trace *trace,
                             const hd_violation *violation);
/* "run: exited with 0", "run: deadlock" … */
void hd_code_status_words(hd_str *out, const hd_code_run *run);
/* One word for JSON: "exited", "deadlock" … */
const char *hd_code_status_name(hd_machine_status status);
/* Are both safe, by the same engine and the same kind of check? */
bool hd_code_same_proof(const hd_code_answer *a, const hd_code_answer *b);
/* "The proof was not checked.": of a safe one. */
void hd_code_proof_words(hd_str *out, const hd_code_answer *answer);
/* One word for JSON; NULL: nobody judged it again. */
const char *hd_code_proof_name(hd_proof_kind kind);
/* "iterations i = 4 and i = 5 both touch a[5]", where both are in one. */
void hd_code_iteration_words(hd_str *out, const char *what,
                             const hd_team_place *at,
                             const hd_team_place *other);

/* The figures as the other reports print them. */
hd_report hd_code_figures(const hd_code_report *report);
void hd_code_statistics_text(hd_str *out, const hd_code_report *report);

#endif
