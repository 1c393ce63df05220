/* SPDX-License-Identifier: MIT */
/* Reports of heddle cutoff. */
#ifndef HD_REPORT_CUTOFF_H
#define HD_REPORT_CUTOFF_H

#include "base/str.h"
#include "engine/cutoff/cutoff.h"

/* A table of n and R_n, the cutoffs, and how many thread states need how many
 * threads; the last line is `cutoff: N` or `cutoff: unknown (REASON)`. */
void hd_report_cutoff_text(hd_str *out, const hd_net *net,
                           const hd_cutoff *cutoff, bool quiet);
/* The same, and every thread state with its least number of threads. */
void hd_report_cutoff_json(hd_str *out, const hd_net *net,
                           const hd_cutoff *cutoff, int exit_code);
/* The numbers of thread states over n as a drawing. */
void hd_report_cutoff_svg(hd_str *out, const hd_net *net,
                          const hd_cutoff *cutoff);

#endif
