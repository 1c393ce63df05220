/* SPDX-License-Identifier: MIT */
/* Horn clauses over integers, decided by Z3's Spacer. */
#ifndef HD_SOLVE_HORN_H
#define HD_SOLVE_HORN_H

#include "solve/smt.h" /* hd_smt_status */

/* `text` declares relations and asserts clauses, as SMT-LIB 2. SAT: there are
 * relations that fulfil all of them, so that `false` does not follow. */
hd_smt_status hd_horn_solve(const char *text, double seconds);

/* Can these assertions about integers be fulfilled, without quantifiers? */
hd_smt_status hd_horn_linear(const char *text, double seconds);

#endif
