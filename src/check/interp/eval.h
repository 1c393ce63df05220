/* SPDX-License-Identifier: MIT */
/* Values of expressions, exact, with their undefined bits. */
#ifndef HD_CHECK_INTERP_EVAL_H
#define HD_CHECK_INTERP_EVAL_H

#include "check/interp/state.h"

/* Why there is no value. */
typedef struct {
  hd_property property;
  bool undefined; /* because of undefined bits */
  bool open;      /* what happens is one of many things: nobody can go on */
  char text[160];
} hd_trouble;

/* The value of `expr` in the thread's top frame. False when evaluating it is a
 * violation that is checked, or has no meaning (division by zero). */
/* What depends on inputs (symbols.h) is pinned, but by hd_eval_open. */
HD_MUST_USE bool hd_eval_open(const hd_machine *m, const hd_thread *t,
                              hd_cexpr_id expr, hd_machine_value *out,
                              hd_trouble *trouble);
HD_MUST_USE bool hd_eval(const hd_machine *m, const hd_thread *t,
                         hd_cexpr_id expr, hd_machine_value *out,
                         hd_trouble *trouble);

/* What it is: a violation, or the end of what can be followed. */
void hd_trouble_report(hd_machine *m, hd_thread *t, const hd_trouble *trouble);

/* As above, reporting the trouble; `decides`: undefined bits are trouble. */
HD_MUST_USE bool hd_eval_or_fail(hd_machine *m, hd_thread *t, hd_cexpr_id expr,
                                 bool decides, hd_machine_value *out);

/* How an RMW combines the old value and the operand. */
uint64_t hd_eval_rmw(hd_rmw rmw, uint8_t width, uint64_t old, uint64_t value);

#endif
