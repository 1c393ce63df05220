/* SPDX-License-Identifier: MIT */
/* A name for a violation that stays the same when lines move: made of the
 * property, the functions and statements of its places (the text of the source, and
 * which one it is where a function has several), and the variable of a race, without
 * numbers. The order of the places does not matter. */
#ifndef HD_REPORT_FINGERPRINT_H
#define HD_REPORT_FINGERPRINT_H

#include "report/code.h"
#include "report/code_lines.h"

/* Never 0. */
uint64_t hd_code_fingerprint(hd_code_lines *lines, const hd_code *code,
                             const hd_violation *violation);

/* The places of a violation: of a deadlock all at which threads wait. */
enum { HD_PLACES_MOST = HD_WAITS_MOST };
size_t hd_violation_places(const hd_violation *violation,
                           hd_edge_id places[HD_PLACES_MOST]);

#endif
