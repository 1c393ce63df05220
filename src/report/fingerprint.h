/* SPDX-License-Identifier: MIT */
/* A name for a violation that stays the same when lines move: made of the
 * property, the functions and statements of its places (the text of the source, and
 * which one it is where a function has several), and the variable of a race, without
 * numbers. Places in heddle's models count as those of their calls, with the model's
 * name for the variable. The order of the places does not matter. */
#ifndef HD_REPORT_FINGERPRINT_H
#define HD_REPORT_FINGERPRINT_H

#include "report/code.h"
#include "report/code_lines.h"
#include "report/code_rows.h"

/* Never 0. `trace`: of the violation; may be NULL. */
uint64_t hd_code_fingerprint(hd_code_lines *lines, const hd_code *code,
                             const hd_code_trace *trace,
                             const hd_violation *violation);

/* The places of a violation: of a deadlock all at which threads wait. */
enum { HD_PLACES_MOST = HD_WAITS_MOST };
size_t hd_violation_places(const hd_code *code, const hd_code_trace *trace,
                           const hd_violation *violation,
                           hd_shown_edge places[HD_PLACES_MOST]);

#endif
