/* SPDX-License-Identifier: MIT */
/* One action of one thread. */
#include "check/notes/rules.h"
#include "check/notes/state.h"

/* --- actions --- */

static void set_target(walk *w, state *s, const hd_cedge *e, uint32_t i,
                       const value *v) {
  assert(e->act != HD_CODE_RETURN); /* its call has targets */
  if (i < e->n_targets)
    top(s)->regs[hd_code_target(w->code, e, i)] = *v;
}

static hd_type target_type(const walk *w, const state *s, const hd_cedge *e) {
  const hd_func *f = &w->code->funcs.data[top(s)->func];
  return w->code->regs.data[f->regs + hd_code_target(w->code, e, 0)].type;
}

static void later(walk *w, state s) {
  hd_vec_push(&w->todo, s);
}

void hd_note_go_on(walk *w, state s, hd_edge_id edge, value result) {
  assert(edge < w->code->edges.size);
  const hd_cedge *e = &w->code->edges.data[edge];
  set_target(w, &s, e, 0, &result);
  top(&s)->loc = e->to;
  later(w, s);
}

static value combined(walk *w, const hd_cedge *e, hd_type type,
                      const value *old, const value *v) {
  assert(e->act == HD_CODE_RMW);
  hd_note_world world = hd_note_world_of(w);
  hd_cexpr x = {.op = (uint8_t)hd_note_update_op(e), .type = type};
  bool bad = false;
  if (e->rmw == HD_RMW_XCHG)
    return *v;
  return x.op == HD_CODE_UNDEF ? hd_note_full(type)
                               : hd_note_apply(&world, &x, type, old, v, &bad);
}

static void exchange(walk *w, state s, hd_edge_id edge, hd_type type,
                     const value *address, const value *old) {
  assert(edge < w->code->edges.size);
  const hd_cedge *e = &w->code->edges.data[edge];
  assert(e->act == HD_CODE_CMPXCHG);
  value expected = hd_note_eval(w, &s, hd_code_operand(w->code, e, 1));
  value new = hd_note_eval(w, &s, hd_code_operand(w->code, e, 2));
  value yes = hd_note_number(1), no = hd_note_number(0);
  hd_cexpr x = {.op = HD_CODE_EQ, .type = {HD_TYPE_INT, 1}};
  bool bad = false;
  hd_note_world world = hd_note_world_of(w);
  value equal = hd_note_apply(&world, &x, type, old, &expected, &bad);
  value bits_old = hd_note_stored(type, old);
  /* One that fails counts as a write, too, as it does for the machine. */
  state other = hd_note_state_copy(w->code, &s);
  hd_note_store(w, &other, address, hd_type_bytes(type), &bits_old, true, edge);
  set_target(w, &other, e, 1, &no);
  hd_note_go_on(w, other, edge, *old);
  if (!hd_note_may(&equal, 1)) {
    hd_note_state_free(&s);
    return;
  }
  value bits = hd_note_stored(type, &new);
  hd_note_store(w, &s, address, hd_type_bytes(type), &bits, true, edge);
  set_target(w, &s, e, 1, &yes);
  hd_note_go_on(w, s, edge, *old);
}

static void memory(walk *w, state s, hd_edge_id edge) {
  assert(edge < w->code->edges.size);
  const hd_cedge *e = &w->code->edges.data[edge];
  const hd_cexpr_id *args = &w->code->operands.data[e->operands];
  value address = hd_note_eval(w, &s, args[0]);
  bool atomic = e->order != HD_ORDER_NONE;
  w->weak = w->weak || (atomic && e->order != HD_ORDER_SEQ_CST) ||
            (e->act == HD_CODE_CMPXCHG && e->failure != HD_ORDER_SEQ_CST);
  hd_type type = e->act == HD_CODE_STORE ? w->code->exprs.data[args[1]].type
                                         : target_type(w, &s, e);
  uint32_t bytes = hd_type_bytes(type);
  if (e->act == HD_CODE_STORE) {
    value v = hd_note_eval(w, &s, args[1]);
    v = hd_note_stored(type, &v);
    if (!hd_note_empty(&v))
      hd_note_store(w, &s, &address, bytes, &v, atomic, edge);
    top(&s)->loc = e->to;
    later(w, s);
    return;
  }
  value old = hd_note_load(w, &s, &address, bytes, atomic, edge);
  old = hd_note_loaded(type, &old);
  if (e->act != HD_CODE_LOAD) {
    /* It writes as well, even if nothing changes. */
    value v = e->act == HD_CODE_RMW ? hd_note_eval(w, &s, args[1]) : old;
    if (e->act == HD_CODE_CMPXCHG) {
      exchange(w, s, edge, type, &address, &old);
      return;
    }
    v = combined(w, e, type, &old, &v);
    v = hd_note_stored(type, &v);
    if (!hd_note_empty(&v))
      hd_note_store(w, &s, &address, bytes, &v, true, edge);
  }
  if (hd_note_empty(&old)) {
    hd_note_state_free(
        &s); /* nothing was ever written there, as far as is known */
    return;
  }
  hd_note_go_on(w, s, edge, old);
}

static void assign(walk *w, state s, const hd_cedge *e) {
  value values[16];
  if (e->n_targets > 16) {
    hd_note_refuse(w, "too many assignments at once");
    hd_note_state_free(&s);
    return;
  }
  if (e->guard != HD_NO_ID) {
    value holds = hd_note_eval(w, &s, e->guard);
    if (!hd_note_may(&holds, 1)) {
      hd_note_state_free(&s);
      return;
    }
    hd_note_refine(w, &s, e->guard, true);
  }
  bool empty = false;
  for (uint32_t i = 0; i < e->n_targets; i++) {
    values[i] = hd_note_eval(w, &s, hd_code_operand(w->code, e, i));
    empty = empty || hd_note_empty(&values[i]);
  }
  if (empty) {
    hd_note_state_free(&s);
    return;
  }
  for (uint32_t i = 0; i < e->n_targets; i++)
    set_target(w, &s, e, i, &values[i]);
  top(&s)->loc = e->to;
  later(w, s);
}

static void call_defined(walk *w, state s, hd_edge_id edge, hd_func_id func) {
  assert(edge < w->code->edges.size);
  assert(func < w->code->funcs.size);
  const hd_cedge *e = &w->code->edges.data[edge];
  const hd_func *f = &w->code->funcs.data[func];
  assert(f->defined);
  bool again = s.frames.size >= DEPTH;
  for (hd_vec_each(const frame, x, &s.frames))
    again = again || x->func == func;
  if (again || f->variadic ||
      !hd_note_call_fits(w->code, &w->code->funcs.data[top(&s)->func], e, f)) {
    hd_note_refuse_at(w, edge, "a call that is not followed");
    hd_note_state_free(&s);
    return;
  }
  value *args = hd_calloc(f->n_params + 1, sizeof *args);
  for (uint32_t i = 0; i < f->n_params; i++)
    args[i] = hd_note_eval(w, &s, hd_code_operand(w->code, e, 1 + i));
  hd_note_frame_push(w->notes, &s, func, edge);
  for (uint32_t i = 0; i < f->n_params; i++)
    top(&s)->regs[i] = args[i];
  hd_free(args);
  if (hd_note_is_section(f->name))
    hd_note_take(w, &s, ATOMIC, false, edge);
  later(w, s);
}

static void call(walk *w, state s, hd_edge_id edge) {
  assert(edge < w->code->edges.size);
  const hd_cedge *e = &w->code->edges.data[edge];
  value callee = hd_note_eval(w, &s, hd_code_operand(w->code, e, 0));
  hd_note_elem one;
  if (!hd_note_single(&callee, &one) || one.base == HD_NO_ID || one.bits ||
      w->notes->objects.data[one.base].kind != OBJ_FUNC) {
    hd_note_refuse_at(w, edge, "a call of one of several functions");
    hd_note_state_free(&s);
    return;
  }
  hd_func_id func = w->notes->objects.data[one.base].index;
  const hd_func *f = &w->code->funcs.data[func];
  if (f->defined && hd_note_find(f->name).action != HD_NOTE_FAIL)
    call_defined(w, s, edge, func);
  else
    hd_note_call_library(w, s, edge, f->name);
}

static void leave(walk *w, state s, const hd_cedge *e, hd_edge_id edge) {
  value results[16];
  uint32_t n = e->n_operands;
  if (n > 16) {
    hd_note_refuse_at(w, edge, "too many results at once");
    hd_note_state_free(&s);
    return;
  }
  for (uint32_t i = 0; i < n; i++)
    results[i] = hd_note_eval(w, &s, hd_code_operand(w->code, e, i));
  if (s.frames.size == 1) {
    if (s.thread)
      hd_note_finish(w, &s, edge);
    else /* its return ends the program, but its variables before that */
      w->main_leaves = w->main_leaves || s.live;
    hd_note_state_free(&s);
    return;
  }
  hd_edge_id back = top(&s)->call;
  if (hd_note_is_section(w->code->funcs.data[top(&s)->func].name))
    hd_note_give(w, &s, ATOMIC);
  hd_note_frame_pop(w->notes, &s, results, n);
  const hd_cedge *c = &w->code->edges.data[back];
  assert(c->act == HD_CODE_CALL && c->from == top(&s)->loc);
  for (uint32_t i = 0; i < n; i++)
    set_target(w, &s, c, i, &results[i]);
  top(&s)->loc = c->to;
  later(w, s);
}

static void act(walk *w, state s, hd_edge_id edge) {
  assert(edge < w->code->edges.size);
  const hd_cedge *e = &w->code->edges.data[edge];
  assert(e->from == top(&s)->loc);
  switch ((hd_code_act)e->act) {
  case HD_CODE_STEP:
    assign(w, s, e);
    return;
  case HD_CODE_LOAD:
  case HD_CODE_STORE:
  case HD_CODE_RMW:
  case HD_CODE_CMPXCHG:
    memory(w, s, edge);
    return;
  case HD_CODE_FENCE:
    top(&s)->loc = e->to;
    later(w, s);
    return;
  case HD_CODE_CALL:
    call(w, s, edge);
    return;
  case HD_CODE_RETURN:
    leave(w, s, e, edge);
    return;
  case HD_CODE_ALLOCA:
  case HD_CODE_UNREACHABLE:
  case HD_CODE_UNSUPPORTED:
    break;
  }
  hd_note_refuse_at(w, edge, "an action that annotations do not speak of");
  hd_note_state_free(&s);
}

void hd_note_step(walk *w, state s) {
  hd_loc_id at = top(&s)->loc;
  uint32_t i = w->code->out_start[at], end = w->code->out_start[at + 1];
  w->seen[at] = 1;
  w->steps_made++;
  for (; i + 1 < end && !w->failed; i++)
    act(w, hd_note_state_copy(w->code, &s), w->code->out[i]);
  if (i < end && !w->failed)
    act(w, s, w->code->out[i]);
  else
    hd_note_state_free(&s);
}
