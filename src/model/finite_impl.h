/* SPDX-License-Identifier: MIT */
/* Inside model/finite: what its files share. Not for others. */
#ifndef HD_MODEL_FINITE_IMPL_H
#define HD_MODEL_FINITE_IMPL_H

#include "base/bitset.h"
#include "base/hash.h"
#include "model/finite.h"
#include "model/intern.h"

/* A local state's first word: location, then the two flags. */
#define HD_FINITE_ATOMIC ((uint64_t)1 << 32)
#define HD_FINITE_WAITING ((uint64_t)1 << 33)

/* Per edge: which assignments show, and which choices decide them. */
typedef struct {
  hd_u32s shown;    /* assignments whose value the outcome keeps */
  hd_u32s loose;    /* likewise, but the value is left open until it is read */
  hd_u32s decisive; /* choices in the values of `shown` */
  bool distinct;    /* different decisions give different outcomes */
} hd_finite_plan;

#define HD_MAP hd_outcomes
#define HD_KEY uint64_t
#define HD_VAL uint8_t
#define HD_HASH(k) hd_hash_mix(0, k)
#define HD_EQ(a, b) ((a) == (b))
#include "base/map_templ.h"

struct hd_finite {
  const hd_program *original;
  const hd_program *program; /* after propagation; same numbers */
  hd_program *owned;         /* it, unless it is the original */
  hd_propagated propagated;
  hd_finite_options options;
  uint64_t *kept; /* variables */
  uint64_t *live; /* locations * var_words, NULL = all */
  size_t var_words;
  uint64_t *shared_label; /* locations whose label others have, too */
  uint32_t *bit;          /* variable -> bit in its state */
  uint32_t *open_bit;     /* … that says its value is open, or HD_NO_ID */
  hd_u32s openable;       /* the variables that have one */
  hd_loc_id *settle;      /* jump threading */
  hd_finite_plan *plans;  /* per edge */
  bool waits;             /* some edge is a WAIT */
  hd_intern shared, local;
  uint32_t atomic_bit, signal_bit;    /* of shared states */
  uint64_t *shared_now, *local_now;   /* the state a step starts from */
  uint64_t *shared_next, *local_next; /* the outcome under construction */
  bool some_open;                     /* in the state a step starts from */
  /* 0, 1 or HD_UNDECIDED, during a step: choices by their expression, and
   * variables whose value is open. */
  uint8_t *decided, *var_decided;
  hd_vec(uint8_t *) touched;  /* of these, what is decided and not undone */
  hd_assign const **assigned; /* per variable, during a step */
  hd_outcomes seen;
  /* of the step being enumerated */
  const hd_edge *edge;
  hd_edge_id edge_id;
  hd_finite_visit visit;
  void *context;
  hd_finite_stats stats;
  hd_run *run; /* may be NULL */
  bool stopped;
};

/* What is undecided and a value depends on, one of each kind; or NULL. */
typedef struct {
  uint8_t *var, *choice;
} hd_finite_leaves;

/* finite_eval.c: 0, 1, or HD_UNDECIDED. Then `leaves` (may be NULL), where it
 * has none yet, gets something to decide on. */
uint8_t hd_finite_eval(const hd_finite *f, hd_expr_id id,
                       hd_finite_leaves *leaves);

/* finite_make.c: is `var`'s value part of a state at `loc`? */
bool hd_finite_shows(const hd_finite *f, hd_loc_id loc, hd_var_id var);

static inline bool hd_finite_bit(const hd_finite *f, const uint64_t *shared,
                                 const uint64_t *local, hd_var_id var,
                                 uint32_t bit) {
  return f->program->vars.data[var].shared ? hd_bits_test(shared, bit)
                                           : hd_bits_test(local + 1, bit);
}

#endif
