/* SPDX-License-Identifier: MIT */
/* Random runs of weak memory: an atomic read reads any write that coherence
 * leaves it, a write may go before newer ones. What seq_cst excludes is mostly
 * left out, but not always: who finds something has it judged (check/axioms). */
#ifndef HD_ENGINE_EXPLORE_WEAK_H
#define HD_ENGINE_EXPLORE_WEAK_H

#include "engine/explore/common.h"

typedef struct hd_weak hd_weak;

/* Does the program have executions that are no interleavings, and nothing that
 * these runs cannot do? */
bool hd_weak_wanted(const hd_code *code, const hd_machine_options *options);
/* Machines of these runs need `clocks` and `footprints`. */
hd_weak *hd_weak_new(const hd_code *code, hd_rng *rng);
void hd_weak_delete(hd_weak *weak);
/* A new run begins. */
void hd_weak_start(hd_weak *weak);
/* Makes the move, the `number`-th of the run, from 1; says in it what it reads. */
void hd_weak_move(hd_weak *weak, hd_machine *machine, hd_turn *turn,
                  uint32_t number);
/* Of the first `n` turns of the run: where writes are in their orders. */
void hd_weak_tell(const hd_weak *weak, hd_turns *turns, size_t n);

#endif
