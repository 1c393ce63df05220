/* SPDX-License-Identifier: MIT */
/* Linear constraints over integers, decided by an SMT solver (Z3). Exact, and
 * slower than solve/lp.h by one to three orders of magnitude: for what rational
 * numbers cannot say. */
#ifndef HD_SOLVE_SMT_H
#define HD_SOLVE_SMT_H

#include "base/vec.h"

typedef struct hd_smt hd_smt;

typedef struct {
  uint32_t index; /* of a variable */
  int64_t value;
} hd_smt_term;

typedef enum {
  HD_SMT_UNKNOWN = 0, /* time is up, or the solver gave up */
  HD_SMT_SAT,
  HD_SMT_UNSAT,
} hd_smt_status;

/* No bound on this side. */
#define HD_SMT_NO_LOWER INT64_MIN
#define HD_SMT_NO_UPPER INT64_MAX

hd_smt *hd_smt_new(void);
void hd_smt_delete(hd_smt *smt);

/* An integer variable that is at least `lower`. Returns its index: 0, 1, … */
uint32_t hd_smt_add_var(hd_smt *smt, int64_t lower);
/* lower <= sum of the terms <= upper; either may be missing. */
void hd_smt_add_row(hd_smt *smt, const hd_smt_term *terms, size_t n,
                    int64_t lower, int64_t upper);

/* `seconds` <= 0 means no limit. */
hd_smt_status hd_smt_solve(hd_smt *smt, double seconds);
/* After HD_SMT_SAT, before anything is added: false when the value does not fit
 * an int64_t. */
HD_MUST_USE bool hd_smt_value(const hd_smt *smt, uint32_t var, int64_t *value);

#endif
