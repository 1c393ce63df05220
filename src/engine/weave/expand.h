/* SPDX-License-Identifier: MIT */
/* Private to this folder: how the edges of threads are made. */
#ifndef HD_ENGINE_WEAVE_EXPAND_H
#define HD_ENGINE_WEAVE_EXPAND_H

#include "engine/weave/weave_impl.h"

/* A location with what is known there, and its node. */
typedef struct {
  hd_loc_id loc;
  uint32_t node;
  weave_known *env;
} weave_spot;

/* A call that is expanded; the first function of a thread has no `up`. */
typedef struct weave_call {
  struct weave_call *up;
  hd_func_id func;
  uint32_t frame, depth;
  const hd_cedge *call;
  const weave_known *env; /* where the call is */
  bool section;           /* the function is an atomic one */
  hd_vec(weave_spot) places;
} weave_call;

typedef struct {
  weave_program *p;
  weave_thread *t;
  uint32_t index; /* of the thread */
  weave_call *in;
} weave_expander;

static inline hd_cexpr_id hd_weave_operand(const weave_program *p,
                                           const hd_cedge *e, uint32_t i) {
  assert(i < e->n_operands);
  return hd_code_operand(p->code, e, i);
}

static inline const hd_cexpr *hd_weave_expr_at(const weave_program *p,
                                               const hd_cedge *e, uint32_t i) {
  return &p->code->exprs.data[hd_weave_operand(p, e, i)];
}

static inline weave_known
hd_weave_known_of(const weave_program *p, const weave_edge *w, hd_cexpr_id id) {
  return hd_weave_fold(p, w->frame, w->env, id);
}

static inline weave_value hd_weave_bits(uint64_t bits) {
  return (weave_value){.kind = WEAVE_CONST, .bits = bits};
}

weave_value hd_weave_anything(uint8_t width);
/* What is known need not be said again; what it is as a number is not known of
 * pointers. */
weave_value hd_weave_valued(const weave_program *p, const weave_edge *w,
                            hd_cexpr_id id);

/* --- make.c: parts of an edge that is not in the thread yet --- */

void hd_weave_assign(weave_program *p, weave_edge *e, uint32_t var,
                     weave_value value);
void hd_weave_assign_any(weave_program *p, weave_edge *e, uint32_t var);
void hd_weave_guard_by(weave_edge *w, weave_guard g);
/* A copy, or all unknown. */
weave_known *hd_weave_copy_env(weave_program *p, hd_func_id func,
                               const weave_known *env);
/* … unless the register is not tracked. */
void hd_weave_know(const weave_program *p, hd_func_id func, weave_known *env,
                   uint32_t reg, weave_known value);
/* Its targets are anything then, or this number; what is known behind it. */
weave_known *hd_weave_set_targets(weave_expander *x, weave_edge *w,
                                  const hd_cedge *e, weave_known value);

/* --- and what is in it --- */

/* Variables and objects of a call. */
uint32_t hd_weave_new_frame(weave_program *p, hd_func_id func);
uint32_t hd_weave_new_thread(weave_program *p, hd_func_id func,
                             uint32_t creator);
uint32_t hd_weave_new_node(weave_expander *x);
/* The node of a location with that known; new ones wait to be expanded. */
uint32_t hd_weave_node_of(weave_expander *x, weave_call *in, hd_loc_id loc,
                          weave_known *env);
void hd_weave_add(weave_expander *x, weave_edge w);
/* … to where `e` goes, with `env` behind it, */
void hd_weave_add_to(weave_expander *x, weave_edge w, const hd_cedge *e,
                     weave_known *env);
/* with any value, or this one, for its targets, */
void hd_weave_add_any(weave_expander *x, weave_edge w, const hd_cedge *e);
void hd_weave_add_number(weave_expander *x, weave_edge w, const hd_cedge *e,
                         uint64_t bits);
/* or nowhere: the run ends there, or the thread with operand i. */
void hd_weave_end_by(weave_expander *x, weave_edge w, weave_kind kind);
void hd_weave_end_thread(weave_expander *x, weave_edge w, const hd_cedge *e,
                         uint32_t i);

/* --- actions.c --- */

/* A load, store or update. */
void hd_weave_memory(weave_expander *x, weave_edge w, const hd_cedge *e);
/* A call of the library; false: it is not treated. */
bool hd_weave_treat(weave_expander *x, weave_edge w, const hd_cedge *e,
                    hd_library_fn fn);

#endif
