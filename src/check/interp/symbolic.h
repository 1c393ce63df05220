/* SPDX-License-Identifier: MIT */
/* Private to this folder: values that depend on inputs (symbols.h), as the machine
 * computes with them. Those that were never set have no terms and stay what they
 * are. */
#ifndef HD_CHECK_INTERP_SYMBOLIC_H
#define HD_CHECK_INTERP_SYMBOLIC_H

#include "check/interp/state.h"
#include "check/interp/symbols.h"

/* Are there inputs as variables at all, and may the value depend on one? */
static inline bool hd_symbolic(const hd_machine *m, hd_machine_value v) {
  return v.undef && m->plan->options->symbols;
}

/* The value of the input the thread stands before. False: it is no variable. */
bool hd_symbolic_input(hd_machine *m, hd_thread *t, const hd_cedge *edge,
                       uint64_t choice, hd_machine_value *out);
/* An operation one of whose operands may depend on inputs: the result, or false
 * with operands that do not (any more). */
bool hd_symbolic_operate(const hd_machine *m, const hd_cexpr *e,
                         hd_machine_value *a, hd_machine_value *b,
                         hd_machine_value *out);
/* Two values of this width; false likewise. */
bool hd_symbolic_binary(const hd_machine *m, hd_code_op op, uint8_t width,
                        hd_machine_value *a, hd_machine_value *b,
                        hd_machine_value *out);
/* Undefined bits of what was never set: those of whole bytes, with symbols. */
uint64_t hd_symbolic_round(const hd_machine *m, uint8_t width, uint64_t undef);
/* The value itself is needed, and kept as what was decided. */
void hd_symbolic_pin(const hd_machine *m, uint8_t width, hd_machine_value *v);
/* Only whether it is 0 is needed: it becomes 0 or 1. */
void hd_symbolic_decide(const hd_machine *m, uint8_t width,
                        hd_machine_value *v);
/* Only its sign: it becomes -1, 0 or 1. */
void hd_symbolic_sign(const hd_machine *m, uint8_t width, hd_machine_value *v);
/* Which of two bytes is less; false: one was never set. */
HD_MUST_USE bool hd_symbolic_order(const hd_machine *m, hd_machine_value a,
                                   hd_machine_value b, int *order);
/* The value at hand, which must not decide anything. */
void hd_symbolic_show(const hd_machine *m, uint8_t width, hd_machine_value *v);
/* Cut off or filled up with zeros. */
hd_machine_value hd_symbolic_fit(const hd_machine *m, uint8_t from,
                                 uint8_t width, hd_machine_value v);
/* The bytes there are needed: memory that can be accessed. */
void hd_symbolic_pin_bytes(hd_machine *m, uint64_t address, uint64_t size);
/* … up to the first that is 0. */
void hd_symbolic_pin_string(hd_machine *m, uint64_t address, uint64_t most);

#endif
