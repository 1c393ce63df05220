/* SPDX-License-Identifier: MIT */
/* Loops with invariants: their bodies, where they are decided, and what of a
 * state matters there. */
#ifndef HD_ENGINE_LISE_LOOPS_H
#define HD_ENGINE_LISE_LOOPS_H

#include "engine/lise/engine.h"

typedef struct hd_lise_loops hd_lise_loops;

hd_lise_loops *hd_lise_loops_new(const hd_code *code, const hd_notes *notes);
/* Registers that annotations mention, its own and the other program's. */
void hd_lise_loops_mention(hd_lise_loops *loops, const hd_notes *others);
void hd_lise_loops_delete(hd_lise_loops *loops);
/* Why a loop with an invariant cannot be treated, or NULL. */
const char *hd_lise_loops_wrong(const hd_lise_loops *loops, uint32_t *loop);

/* Number of a collective's name. */
uint32_t hd_lise_name(hd_lise *l, const char *name);
uint32_t hd_lise_loop_id(hd_lise *l, uint32_t program, uint32_t loop);
bool hd_lise_loop_joint(const hd_lise *l, uint32_t program, uint32_t loop);
/* Of the running process's program: is a location in the loop? */
bool hd_lise_loop_contains(const hd_lise *l, uint32_t loop, hd_loc_id loc);
/* Has the loop a condition (or does it run for ever)? */
bool hd_lise_loop_decides(const hd_lise *l, uint32_t loop);
/* Is this the last edge of the condition, into the body? */
bool hd_lise_edge_decides(const hd_lise *l, uint32_t loop,
                          const hd_cedge *edge);
/* The condition is decided: the record of this arrival. */
hd_going hd_lise_resolve(hd_lise *l, bool truth);

/* May a register of the top frame be read again, at `loc`, by the program or by
 * an annotation? */
bool hd_lise_matters(const hd_lise *l, const hd_lise_proc *proc, hd_loc_id loc,
                     hd_reg_id reg);
/* Registers that do not matter lose their values. */
void hd_lise_forget_dead(hd_lise *l, hd_lise_proc *proc);

#endif
