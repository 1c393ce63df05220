/* SPDX-License-Identifier: MIT */
/* A call of a library function, while it is executed: library.c, library_text.c. */
#ifndef HD_ENGINE_UNFOLD_CALLER_H
#define HD_ENGINE_UNFOLD_CALLER_H

#include "engine/unfold/state.h"

typedef struct {
  analysis *a;
  thread_id thread;
  local *l;
  hd_edge_id edge;
  const hd_cedge *call;
  hd_library_fn fn;
  hd_stamp stamp;
  touches *seen;
  bool large; /* an allocation may be of more than there is */
} caller;

static inline uint32_t n_args(const caller *c) {
  return c->call->n_operands - 1;
}

static inline hd_cexpr_id arg_expr(const caller *c, uint32_t i) {
  return hd_code_operand(c->a->code, c->call, 1 + i);
}

static inline uint8_t arg_width(const caller *c, uint32_t i) {
  return c->a->code->exprs.data[arg_expr(c, i)].type.width;
}

static inline hd_value arg(const caller *c, uint32_t i) {
  hd_mays mays = 0;
  return hd_eval_expr(c->a, c->thread, c->l, arg_expr(c, i), &mays);
}

static inline hd_type result_type(const caller *c) {
  if (!c->call->n_targets)
    return (hd_type){.kind = HD_TYPE_INT, .width = 64};
  const hd_func *f = &c->a->code->funcs.data[c->l->top->func];
  hd_reg_id reg = hd_code_target(c->a->code, c->call, 0);
  return c->a->code->regs.data[f->regs + reg].type;
}

static inline uint8_t result_width(const caller *c) {
  return (uint8_t)result_type(c).width;
}

static inline call_outcome give(caller *c, hd_value value) {
  if (c->call->n_targets == 1) {
    c->l->top = hd_frame_own(c->l->top);
    hd_frame_set(c->a->code, c->l->top, hd_code_target(c->a->code, c->call, 0),
                 &value);
  }
  return CALL_DONE;
}

static inline call_outcome give_const(caller *c, uint64_t value) {
  return give(c, hd_value_const(result_width(c), value));
}

static inline call_outcome give_any(caller *c) {
  return give(c, hd_value_any(result_width(c)));
}

static inline call_outcome refuse(caller *c, const char *why) {
  hd_analysis_give_up(c->a, c->edge, "%s is not modelled by this engine%s%s",
                      hd_library_name(c->fn), *why ? ": " : "", why);
  return CALL_REFUSED;
}

/* Something about memory or values that this engine does not see. */
static inline void unlooked(caller *c, const char *what) {
  hd_analysis_alarm(c->a, HD_PROPERTY_MEMORY, c->edge, HD_NO_ID, "%s", what);
  hd_analysis_alarm(c->a, HD_PROPERTY_UNINIT, c->edge, HD_NO_ID, "%s", what);
}

/* One place with `bytes` in bounds, which others do not see; else false. */
bool hd_caller_place(caller *c, uint32_t i, uint64_t bytes, bool write,
                     hd_object_id *object, int64_t *offset);
/* Nothing is certain about an object that may not be there: it may also be as it was
 * in `old`, which is taken over. */
void hd_caller_stay(caller *c, hd_object_id object, hd_memory *old);

/* library_text.c: text that is looked at, compared or read as a number; printing, by
 * a format or without; va_start and its like. */
call_outcome hd_caller_look(caller *c);
call_outcome hd_caller_print(caller *c);
call_outcome hd_caller_write(caller *c);
call_outcome hd_caller_arguments(caller *c);

#endif
