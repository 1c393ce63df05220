/* SPDX-License-Identifier: MIT */
/* Sentences about runs of C programs that the reports share. */
#ifndef HD_REPORT_CODE_WORDS_H
#define HD_REPORT_CODE_WORDS_H

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
/* The figures as the other reports print them. */
hd_report hd_code_figures(const hd_code_report *report);
void hd_code_statistics_text(hd_str *out, const hd_code_report *report);

#endif
