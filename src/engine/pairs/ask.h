/* SPDX-License-Identifier: MIT */
/* Questions to the solver about a few threads among many: private to ask.c and
 * tally.c. What is known about the rest are the sums; how many threads are at a
 * spot, and the sums of their variables, are numbers that a question leaves
 * open. */
#ifndef HD_ENGINE_PAIRS_ASK_H
#define HD_ENGINE_PAIRS_ASK_H

#include "engine/pairs/sums.h"
#include "engine/pairs/tally.h"

typedef struct {
  const psystem *s;
  psums sums;
  pconditions *sure;  /* a spot each: what was found in earlier rounds */
  pconditions *facts; /* likewise: what may hold besides */
  pconditions *seen;  /* the same, of OF_SECOND, while runs are watched */
  pconditions *equal; /* a step each: equations that hold before it */
  uint32_t *versions; /* a spot each: how often facts were given up */
  uint32_t
      *held; /* a rule each (step, and whose facts): its age when it held */
  hd_bv *bv;
  hd_run *run;
  ptally *tally;
  pmeetings *meetings; /* that are asked about, or NULL */
  uint32_t fresh;      /* inputs that questions have of their own */
  pconditions question, some;
  hd_u32s given;        /* of a term: the question that it is part of */
  uint32_t turn;        /* number of the question … */
  hd_smt_status status; /* … and its answer */
  hd_vec(hd_bv_term) asked, asked_some;
} pteller;

/* Threads that a question is about; the others are counted. */
typedef struct {
  uint32_t spots[2]; /* of OF_FIRST and OF_SECOND; UNBORN = none */
} pcast;

pterm hd_pairs_ask_constant(pteller *k, uint8_t width, uint64_t value);
pterm hd_pairs_ask_either(pteller *k, pterm a, pterm b);
/* A variable of a thread, a shared one. */
pterm hd_pairs_ask_own(const pteller *k, powner owner, uint32_t x);
pterm hd_pairs_ask_shared(const pteller *k, uint32_t v);
/* Condition `i` of a thread at the spot. */
pterm hd_pairs_ask_known(const pteller *k, uint32_t spot, size_t i);

/* Begins a question; adds to it; is that part of it already? */
void hd_pairs_ask_new(pteller *k);
void hd_pairs_ask_demand(pteller *k, pterm condition);
bool hd_pairs_ask_has(const pteller *k, pterm condition);
/* Adds the facts of the first or second thread. */
void hd_pairs_ask_thread(pteller *k, const pcast *c, int which);
/* Adds all that is known where the threads of `c` are; the first is about to make
 * `step`. Without `all`: of the sums only those that hold without wrapping
 * around. */
void hd_pairs_ask_given(pteller *k, const pcast *c, const pstep *step,
                        bool all);
/* Can all of the question hold, and one of k->some, unless that is empty? */
hd_smt_status hd_pairs_ask(pteller *k);

#endif
