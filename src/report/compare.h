/* SPDX-License-Identifier: MIT */
/* What `heddle compare` says. */
#ifndef HD_REPORT_COMPARE_H
#define HD_REPORT_COMPARE_H

#include "engine/lise/lise.h"
#include "report/report.h"

typedef struct {
  const char *spec, *impl; /* files */
  uint32_t spec_procs, impl_procs;
  const hd_code *codes[2]; /* for positions in the finding */
  hd_verdict verdict;
  bool ideal;   /* … as far as numbers are ideal */
  bool bounded; /* … but only for `bound` rounds of loops */
  uint32_t bound;
  const char *reason; /* UNKNOWN */
  /* A difference: the inputs, and the first output that differs. */
  const char *const *inputs;
  size_t n_inputs;
  const char *output, *spec_value, *impl_value; /* output NULL = none */
  const hd_lise_finding *finding; /* NULL, or not found: nothing */
  const char *const *notes;
  size_t n_notes;
  hd_report figures; /* statistics, time, memory, quiet, color, exit_code */
} hd_compare_report;

/* The last line is `verdict: safe`, `unsafe`, or `unknown (REASON)`. */
void hd_report_compare_text(hd_str *out, const hd_compare_report *report);
void hd_report_compare_json(hd_str *out, const hd_compare_report *report);

#endif
