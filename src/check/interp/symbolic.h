/* SPDX-License-Identifier: MIT */
/* Values that depend on inputs: what the machine asks whoever has made inputs
 * variables (hd_machine_options.symbols; engine/explore/symbols.h). Such values have
 * undefined bits, and what they mean is known there. Values that were never set
 * stay what they are: nothing here changes them. */
#ifndef HD_CHECK_INTERP_SYMBOLIC_H
#define HD_CHECK_INTERP_SYMBOLIC_H

#include "check/interp/state.h"

/* What is needed of a value that decides something: it becomes a plain one. */
typedef enum {
  HD_NEED_VALUE,   /* itself */
  HD_NEED_TRUTH,   /* whether it is 0: 0 or 1 */
  HD_NEED_SIGN,    /* -1, 0 or 1 */
  HD_NEED_NOTHING, /* it is only shown */
} hd_symbol_need;

/* The first member of hd_symbols. */
typedef struct hd_symbol_hooks {
  /* The value of the input the thread stands before. False: it is no variable. */
  bool (*input)(hd_machine *m, hd_thread *t, uint64_t choice,
                hd_machine_value *out);
  /* An operation one of whose operands may depend on inputs: the result, or false
   * with operands that do not (any more). */
  bool (*operate)(const hd_machine *m, const hd_cexpr *e, hd_machine_value *a,
                  hd_machine_value *b, hd_machine_value *out);
  /* Two values of this width; false likewise. */
  bool (*binary)(const hd_machine *m, hd_code_op op, uint8_t width,
                 hd_machine_value *a, hd_machine_value *b,
                 hd_machine_value *out);
  void (*need)(hd_symbols *s, hd_symbol_need what, uint8_t width,
               hd_machine_value *v);
  /* Which of two bytes is less; false: one was never set. */
  bool (*order)(hd_symbols *s, hd_machine_value a, hd_machine_value b,
                int *order);
  /* Cut off or filled up with zeros. */
  hd_machine_value (*fit)(hd_symbols *s, uint8_t from, uint8_t width,
                          hd_machine_value v);
} hd_symbol_hooks;

static inline const hd_symbol_hooks *hd_symbolic_hooks(const hd_machine *m) {
  return (const hd_symbol_hooks *)(const void *)m->plan->options->symbols;
}

/* Are there inputs as variables at all, and may the value depend on one? */
static inline bool hd_symbolic(const hd_machine *m, hd_machine_value v) {
  return v.undef && m->plan->options->symbols;
}

static inline void hd_symbolic_need(const hd_machine *m, hd_symbol_need what,
                                    uint8_t width, hd_machine_value *v) {
  hd_symbolic_hooks(m)->need(m->plan->options->symbols, what, width, v);
}

/* Undefined bits of what was never set: those of whole bytes, with symbols. */
uint64_t hd_symbolic_round(const hd_machine *m, uint8_t width, uint64_t undef);
/* The bytes there are needed: memory that can be accessed. */
void hd_symbolic_pin_bytes(hd_machine *m, uint64_t address, uint64_t size);
/* … up to the first that is 0. */
void hd_symbolic_pin_string(hd_machine *m, uint64_t address, uint64_t most);

#endif
