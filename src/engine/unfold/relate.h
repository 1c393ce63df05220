/* SPDX-License-Identifier: MIT */
/* Private to this folder: relations between integers (domain/relation.h).
 *
 * A frame has a relation of its registers, the memory one of some cells. What
 * joins both are the frame's mirrors, which say that a register still has the
 * value of a cell. Machine integers are related as numbers in the signed view; an
 * expression takes part as far as intervals exclude that it wraps around.
 *
 * Without octagons (analysis.relate is NULL) all of this does nothing. */
#ifndef HD_ENGINE_UNFOLD_RELATE_H
#define HD_ENGINE_UNFOLD_RELATE_H

#include "engine/unfold/state.h"

struct relations {
  uint64_t *good; /* registers, numbers as in code->regs, a bitset */
  hd_related cells;
};

/* Which registers and cells of the program are worth it: those that are compared
 * with each other, and what they are computed from. NULL: PPL is missing. */
relations *hd_relate_new(analysis *a);
void hd_relate_free(relations *r);
/* Are there any? */
bool hd_relate_possible(const hd_code *code);
/* The memory to begin with. */
hd_memory *hd_relate_memory(const analysis *a);

/* Keeps what makes the comparison give `truth`; false: nothing does. */
HD_MUST_USE bool hd_relate_assume(analysis *a, thread_id thread, local *l,
                                  hd_code_op op, bool truth, hd_cexpr_id left,
                                  hd_cexpr_id right);
/* The register gets the value of an expression; sets it. */
void hd_relate_set(analysis *a, thread_id thread, local *l, hd_reg_id reg,
                   hd_cexpr_id expr, const hd_value *value, hd_loc_id to);
/* The register was loaded from its mirror. */
void hd_relate_loaded(analysis *a, local *l, hd_reg_id reg);

/* An upper bound of register x minus register y; false: none is known. */
HD_MUST_USE bool hd_relate_most(const analysis *a, const local *l, hd_reg_id x,
                                hd_reg_id y, int64_t *most);

/* A store to one address, in two steps: before and after it is done. */
typedef struct {
  bool useful;
  hd_relation *cells;
} relate_write;
relate_write hd_relate_before_store(analysis *a, thread_id thread,
                                    const local *l, const hd_value *valid,
                                    uint32_t bytes, hd_cexpr_id expr,
                                    const hd_value *value);
void hd_relate_after_store(local *l, relate_write *w);

/* Completes hd_frame_join. */
void hd_relate_join(const analysis *a, frame *out, const frame *x,
                    const frame *y, bool widen);
/* What holds between arguments holds between parameters. */
void hd_relate_enter(analysis *a, thread_id thread, const local *caller,
                     frame *callee, const hd_cexpr_id *args);
/* Gives up all relations. */
void hd_relate_nothing(local *l);

#endif
