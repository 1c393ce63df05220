/* SPDX-License-Identifier: MIT */
/* What one edge of the graph does to the state of a thread, as far as nobody else
 * sees it. */
#include "engine/unfold/relate.h"
#include "engine/unfold/runs.h"
#include "engine/unfold/segment.h"
#include "engine/unfold/split.h"
#include "engine/unfold/terms.h"

#include <string.h>

enum { MAX_DEPTH = 64 }; /* frames */

/* --- what may be undefined --- */

static void note_mays(segment *s, hd_edge_id edge, hd_mays mays) {
  if (mays & HD_MAY_OVERFLOW)
    hd_analysis_alarm(s->a, HD_PROPERTY_OVERFLOW, edge, HD_NO_ID,
                      "signed arithmetic may overflow");
  if (mays & HD_MAY_DIVIDE_BY_ZERO)
    hd_analysis_alarm(s->a, HD_PROPERTY_ARITH, edge, HD_NO_ID,
                      "the divisor may be zero");
  if (mays & HD_MAY_SHIFT_TOO_FAR)
    hd_analysis_alarm(s->a, HD_PROPERTY_ARITH, edge, HD_NO_ID,
                      "the shift may be by too much");
  if (mays & HD_MAY_LEAVE_ARRAY)
    hd_analysis_alarm(s->a, HD_PROPERTY_MEMORY, edge, HD_NO_ID,
                      "an index may be outside of its array");
  if (mays & HD_MAY_BE_UNDEFINED)
    hd_analysis_alarm(s->a, HD_PROPERTY_UNINIT, edge, HD_NO_ID,
                      "a value may be uninitialised");
}

/* A value that decides something by itself. */
static void note_undefined(segment *s, hd_edge_id edge, const hd_value *v) {
  if (v->undef)
    note_mays(s, edge, HD_MAY_BE_UNDEFINED);
}

static hd_value eval(segment *s, const local *l, hd_edge_id edge,
                     hd_cexpr_id expr) {
  hd_mays mays = 0;
  hd_value v = hd_eval_expr(s->a, s->thread, l, expr, &mays);
  note_mays(s, edge, mays);
  return v;
}

static void set_reg(segment *s, local *l, hd_reg_id reg,
                    const hd_value *value) {
  l->top = hd_frame_own(l->top);
  hd_frame_set(s->a->code, l->top, reg, value);
}

/* --- steps --- */

typedef enum { GO_ON, STOPPED } progress;

static progress dead(local *l) {
  hd_local_free(l);
  return STOPPED;
}

static void go_to(segment *s, local *l, hd_loc_id loc) {
  l->top = hd_frame_own(l->top);
  hd_frame_go(l->top, loc, s->a->code, s->a->bodies, s->a->unroll);
}

static progress take_step(segment *s, local *l, hd_edge_id edge) {
  const hd_cedge *e = hd_segment_edge(s, edge);
  if (e->guard != HD_NO_ID) {
    hd_value v = eval(s, l, edge, e->guard); /* for what may be undefined */
    note_undefined(s, edge, &v);
    if (!hd_eval_assume(s->a, s->thread, l, e->guard, true))
      return dead(l);
  }
  hd_value values[16], *many = values;
  if (e->n_operands > 16)
    many = hd_calloc(e->n_operands, sizeof *many);
  bool possible = true;
  for (uint32_t i = 0; i < e->n_operands; i++) {
    many[i] = eval(s, l, edge, hd_segment_operand(s, e, i));
    /* No value at all: every way to compute it was undefined. */
    possible = possible && !hd_value_is_none(&many[i]);
  }
  for (uint32_t i = 0; possible && i < e->n_targets; i++)
    if (e->n_targets == 1)
      hd_relate_set(s->a, s->thread, l, hd_code_target(s->a->code, e, 0),
                    hd_segment_operand(s, e, 0), &many[0], e->to);
    else
      set_reg(s, l, hd_code_target(s->a->code, e, i), &many[i]);
  if (many != values)
    hd_free(many);
  if (!possible)
    return dead(l);
  go_to(s, l, e->to);
  return GO_ON;
}

/* A register gets the truth of a condition (`ok = 0 <= n && n < 9`) that may be
 * either: a state for each, in which the condition holds or does not, so that a
 * later test of the register says something about what it came from. True: they
 * are on the worklist. */
static bool split_truth(segment *s, const local *l, hd_edge_id edge) {
  const hd_cedge *e = hd_segment_edge(s, edge);
  if (hd_segment_exact(s) || e->guard != HD_NO_ID || e->n_targets != 1)
    return false;
  const hd_cexpr *x = &s->a->code->exprs.data[hd_segment_operand(s, e, 0)];
  hd_cexpr_id condition =
      x->op == HD_CODE_ZEXT ? x->args[0] : hd_segment_operand(s, e, 0);
  uint8_t width = (uint8_t)x->type.width;
  x = &s->a->code->exprs.data[condition];
  if (x->type.kind != HD_TYPE_INT || x->type.width != 1 ||
      x->op == HD_CODE_REG || hd_code_op_arity(x->op) != 2)
    return false;
  hd_value v = eval(s, l, edge, condition);
  if (v.undef || v.wild || v.n_targets || !hd_value_contains(&v, 1, 0) ||
      !hd_value_contains(&v, 1, 1))
    return false;
  for (uint64_t truth = 0; truth < 2; truth++) {
    local part = hd_local_copy(l);
    if (!hd_eval_assume(s->a, s->thread, &part, condition, truth)) {
      hd_local_free(&part);
      continue;
    }
    hd_value is = hd_value_const(width, truth);
    set_reg(s, &part, hd_code_target(s->a->code, e, 0), &is);
    go_to(s, &part, e->to);
    hd_vec_push(&s->work, part);
  }
  return true;
}

static bool any_shared(const segment *s, const hd_value *valid) {
  for (int i = 0; i < valid->n_targets; i++)
    if (hd_analysis_is_shared(s->a, valid->targets[i].object))
      return true;
  return false;
}

/* Where values are told apart: one state for each place that is accessed, if they
 * are few. True: they are on the worklist. */
static bool split_address(segment *s, const local *l, hd_edge_id edge) {
  locals parts = {0};
  if (!hd_segment_exact(s) ||
      !hd_split_operand(s->a, s->thread, l,
                        hd_segment_operand(s, hd_segment_edge(s, edge), 0),
                        &parts))
    return false;
  for (hd_vec_each(const local, part, &parts))
    hd_vec_push(&s->work, *part);
  hd_vec_free(&parts);
  return true;
}

static progress take_load(segment *s, local *l, hd_edge_id edge) {
  const hd_cedge *e = hd_segment_edge(s, edge);
  const hd_code *code = s->a->code;
  hd_reg_id reg = hd_code_target(code, e, 0);
  hd_type type =
      code->regs.data[code->funcs.data[l->top->func].regs + reg].type;
  uint32_t bytes = hd_type_bytes(type);
  if (split_address(s, l, edge))
    return dead(l);
  hd_value address = eval(s, l, edge, hd_segment_operand(s, e, 0)), valid;
  if (!hd_access_targets(s->a, l, edge, &address, bytes, &valid))
    return dead(l);
  if (e->order != HD_ORDER_NONE || any_shared(s, &valid)) {
    hd_segment_stop(s, edge, *l, hd_value_none());
    return STOPPED;
  }
  hd_access_note(s->seen, &valid, bytes, false, false, edge);
  hd_value v = hd_access_load(l, &valid, bytes);
  v = hd_runs_loaded(s->a, s->thread, l, hd_segment_operand(s, e, 0), &valid,
                     bytes, v);
  v = hd_access_loaded(code, type, &v);
  set_reg(s, l, reg, &v);
  hd_frame_mirror(l, reg, type, &valid);
  go_to(s, l, e->to);
  hd_relate_loaded(s->a, l, reg);
  return GO_ON;
}

static progress take_store(segment *s, local *l, hd_edge_id edge) {
  const hd_cedge *e = hd_segment_edge(s, edge);
  hd_type type = s->a->code->exprs.data[hd_segment_operand(s, e, 1)].type;
  uint32_t bytes = hd_type_bytes(type);
  if (split_address(s, l, edge))
    return dead(l);
  hd_value address = eval(s, l, edge, hd_segment_operand(s, e, 0)), valid;
  hd_value v = eval(s, l, edge, hd_segment_operand(s, e, 1));
  if (!hd_access_targets(s->a, l, edge, &address, bytes, &valid))
    return dead(l);
  if (e->order != HD_ORDER_NONE || any_shared(s, &valid)) {
    hd_segment_stop(s, edge, *l, hd_value_none());
    return STOPPED;
  }
  hd_access_note(s->seen, &valid, bytes, true, false, edge);
  hd_access_check_write(s->a, edge, &valid);
  hd_access_pass(s->a, &v);
  relate_write w = hd_relate_before_store(s->a, s->thread, l, &valid, bytes,
                                          hd_segment_operand(s, e, 1), &v);
  v = hd_access_fit(type, &v, true);
  hd_access_store(l, &valid, bytes, &v, s->stamp);
  hd_relate_after_store(l, &w);
  hd_frame_deposit(s->a->code, l, hd_segment_operand(s, e, 1), &valid);
  hd_runs_stored(s->a, s->thread, l, hd_segment_operand(s, e, 0), &valid, bytes,
                 &v);
  go_to(s, l, e->to);
  return GO_ON;
}

/* --- calls --- */

/* An old slot is to be used anew, and a pointer to the old one may be left. */
static bool may_dangle(const segment *s, const local *l, hd_object_id object) {
  const analysis *a = s->a;
  if (hd_memory_life(l->memory, object) == HD_LIFE_NONE)
    return false;
  if (object / 64 < a->passed_words && hd_bits_test(a->passed_bits, object))
    return true;
  for (const frame *f = l->top; f; f = f->below)
    for (uint32_t i = 0; i < f->n_regs; i++)
      for (int k = 0; k < f->regs[i].n_targets; k++)
        if (f->regs[i].targets[k].object == object)
          return true;
  return false;
}

static void create_slots(segment *s, local *l) {
  const hd_func *f = &s->a->code->funcs.data[l->top->func];
  for (uint32_t i = 0; i < f->n_slots; i++) {
    object_key key = {OBJ_SLOT, s->thread, f->slots + i, l->top->depth};
    if (may_dangle(s, l, hd_analysis_object(s->a, key)))
      hd_analysis_alarm(
          s->a, HD_PROPERTY_MEMORY, l->top->call, HD_NO_ID,
          "a pointer to a variable of an earlier call may be left");
    hd_memory_create(&l->memory, hd_analysis_object(s->a, key),
                     s->a->code->slots.data[f->slots + i].size,
                     HD_FILL_UNDEFINED, s->stamp);
  }
}

static void end_object(segment *s, local *l, hd_object_id object,
                       hd_edge_id edge) {
  assert(edge < s->a->code->edges.size);
  if (s->a->options->checks >> HD_PROPERTY_MEMORY & 1 ||
      hd_analysis_has_locks(s->a, object)) {
    touch dies = {.object = object,
                  .hi = (int64_t)hd_memory_size(l->memory, object),
                  .dies = true,
                  .edge = edge};
    hd_vec_push(s->seen, dies);
  }
  hd_memory_kill(&l->memory, object, s->stamp);
  hd_frame_written(&l->top, object, 0, INT64_MAX);
}

/* The variables of a frame, with what alloca gave. */
static void kill_frame(segment *s, local *l, hd_func_id func, uint32_t depth,
                       hd_edge_id edge) {
  for (hd_object_id o = 0; s->a->has_alloca && o < s->a->objects.size; o++) {
    const object_key *key = object_of(s->a, o);
    if (key->kind == OBJ_ALLOCA && key->thread == s->thread &&
        key->depth == depth && hd_memory_life(l->memory, o) != HD_LIFE_NONE)
      end_object(s, l, o, edge);
  }
  const hd_func *f = &s->a->code->funcs.data[func];
  for (uint32_t i = 0; i < f->n_slots; i++) {
    object_key key = {OBJ_SLOT, s->thread, f->slots + i, depth};
    end_object(s, l, hd_analysis_object(s->a, key), edge);
  }
}

static void kill_slots(segment *s, local *l, hd_edge_id edge) {
  kill_frame(s, l, l->top->func, l->top->depth, edge);
}

/* A thread's own variables end with it; of main's, when the program does. */
static void kill_thread_locals(segment *s, local *l, hd_edge_id edge) {
  const hd_code *code = s->a->code;
  for (hd_global_id g = 0; g < code->globals.size; g++)
    if (code->globals.data[g].thread_local) {
      object_key key = {OBJ_TLS, s->thread, g, 0};
      end_object(s, l, hd_analysis_object(s->a, key), edge);
    }
}

/* The thread ends, and with it all of its frames. */
static void kill_stack(segment *s, local *l, hd_edge_id edge) {
  for (uint32_t depth = l->top->depth + 1; depth--;) {
    const frame *f = l->top;
    while (f->depth > depth)
      f = f->below;
    assert(f->depth == depth);
    kill_frame(s, l, f->func, depth, edge);
  }
}

/* Which function is called; false: it is not exactly one. */
static bool find_callee(segment *s, local *l, hd_edge_id edge,
                        hd_func_id *func) {
  const hd_cedge *e = hd_segment_edge(s, edge);
  hd_value v = eval(s, l, edge, hd_segment_operand(s, e, 0));
  hd_object_id object;
  int64_t offset;
  if (!hd_value_is_address(&v, &object, &offset) || offset != 0 ||
      object_of(s->a, object)->kind != OBJ_FUNC)
    return false;
  *func = object_of(s->a, object)->what;
  return true;
}

static progress enter(segment *s, local *l, hd_edge_id edge,
                      hd_func_id callee) {
  assert(callee < s->a->code->funcs.size);
  hd_runs_settle(l);
  const hd_cedge *e = hd_segment_edge(s, edge);
  const hd_func *f = &s->a->code->funcs.data[callee];
  if (l->top->depth + 1 >= MAX_DEPTH || e->n_operands - 1 < f->n_params) {
    hd_analysis_give_up(s->a, edge,
                        e->n_operands - 1 < f->n_params
                            ? "a call with too few arguments"
                            : "recursion deeper than 64 calls");
    return dead(l);
  }
  frame *inner = hd_frame_new(s->a->code, callee, NULL, edge);
  for (uint32_t i = 0; i < f->n_params; i++)
    inner->regs[i] = eval(s, l, edge, hd_segment_operand(s, e, 1 + i));
  hd_relate_enter(s->a, s->thread, l, inner,
                  s->a->code->operands.data + e->operands + 1);
  inner->below = l->top;
  inner->depth = l->top->depth + 1;
  l->top = inner;
  create_slots(s, l);
  return GO_ON;
}

/* An atomic function, or what pthread_once runs, which has no arguments. */
static progress enter_guarded(segment *s, local *l, hd_edge_id edge,
                              hd_func_id callee) {
  bool once = !s->a->code->funcs.data[callee].defined;
  if (once) {
    const hd_cedge *e = hd_segment_edge(s, edge);
    hd_value v = eval(s, l, edge, hd_segment_operand(s, e, 2));
    hd_object_id object;
    int64_t offset;
    if (!hd_value_is_address(&v, &object, &offset) ||
        object_of(s->a, object)->kind != OBJ_FUNC ||
        !s->a->code->funcs.data[object_of(s->a, object)->what].defined ||
        s->a->code->funcs.data[object_of(s->a, object)->what].n_params) {
      hd_analysis_give_up(s->a, edge, "which function is called is not known");
      return dead(l);
    }
    callee = object_of(s->a, object)->what;
  }
  assert(l->top->phase == PHASE_NONE);
  progress p = enter(s, l, edge, callee);
  if (p == GO_ON)
    l->top->guard = once ? GUARD_ONCE : GUARD_ATOMIC;
  return p;
}

static bool is_error_function(const hd_func *f) {
  return strcmp(f->name, "reach_error") == 0 ||
         strcmp(f->name, "__VERIFIER_error") == 0;
}

/* What the call gave is one value in every state, or a variable. */
static progress tell_apart(segment *s, local *l, hd_edge_id edge) {
  const hd_cedge *e = hd_segment_edge(s, edge);
  hd_reg_id reg = hd_code_target(s->a->code, e, 0);
  locals parts = {0};
  if (hd_split_is_exact(&l->top->regs[reg]))
    return GO_ON;
  uint32_t most = s->a->options->split ? s->a->options->split : MAX_SPLIT;
  if (most > 1 && hd_split_reg(s->a, l, reg, &parts) && parts.size <= most) {
    for (hd_vec_each(const local, part, &parts))
      hd_vec_push(&s->work, *part);
    hd_vec_free(&parts);
    return dead(l);
  }
  for (hd_vec_each(local, part, &parts))
    hd_local_free(part);
  hd_vec_free(&parts);
  hd_type type =
      s->a->code->regs.data[s->a->code->funcs.data[l->top->func].regs + reg]
          .type;
  if (type.kind == HD_TYPE_INT)
    hd_terms_name(s->a, s->thread, l, reg, (uint8_t)type.width);
  return GO_ON;
}

static progress take_call(segment *s, local *l, hd_edge_id edge) {
  const hd_cedge *e = hd_segment_edge(s, edge);
  hd_func_id callee;
  if (!find_callee(s, l, edge, &callee)) {
    hd_analysis_give_up(s->a, edge, "which function is called is not known");
    return dead(l);
  }
  const hd_func *f = &s->a->code->funcs.data[callee];
  for (uint32_t i = 1; i < e->n_operands; i++) {
    hd_value v =
        eval(s, l, edge, hd_segment_operand(s, e, i)); /* may be undefined */
    if (!f->defined)
      note_undefined(s, edge, &v);
  }
  if (is_error_function(f)) {
    hd_analysis_alarm(s->a, HD_PROPERTY_ASSERT, edge, HD_NO_ID,
                      "%s may be reached", f->name);
    /* For the other properties it is a function like others; of a body that
     * is not there it is known that it does not return. */
    if (!f->defined)
      return dead(l);
  }
  uint8_t now = l->top->phase;
  if (now == PHASE_SECOND ||
      (f->defined && hd_func_is_section(f) && now != PHASE_ENTER)) {
    if (now == PHASE_SECOND)
      hd_access_note_places(s->a, s->thread, l, edge, s->a->library[callee],
                            true, s->seen);
    hd_segment_stop(s, edge, *l, hd_value_none());
    return STOPPED;
  }
  if (now == PHASE_ENTER) {
    l->top = hd_frame_own(l->top);
    l->top->phase = PHASE_NONE;
    return enter_guarded(s, l, edge, callee);
  }
  if (f->defined)
    return enter(s, l, edge, callee);
  hd_action does = hd_library_action(s->a->library[callee]);
  if (does != HD_DO_INPUT)
    hd_runs_settle(l); /* it may write somewhere */
  switch (
      hd_library_call(s->a, s->thread, l, edge, callee, s->stamp, s->seen)) {
  case CALL_DONE:
    go_to(s, l, e->to);
    return hd_segment_exact(s) && e->n_targets ? tell_apart(s, l, edge) : GO_ON;
  case CALL_VISIBLE:
    if (does == HD_DO_QUIT) {
      hd_value result = eval(s, l, edge, hd_segment_operand(s, e, 1));
      kill_stack(s, l, edge);
      kill_thread_locals(s, l, edge);
      hd_segment_stop(s, HD_NO_ID, *l, result);
    } else {
      hd_segment_stop(s, edge, *l, hd_value_none());
    }
    return STOPPED;
  default:
    return dead(l);
  }
}

static progress take_return(segment *s, local *l, hd_edge_id edge) {
  const hd_cedge *e = hd_segment_edge(s, edge);
  const hd_code *code = s->a->code;
  hd_value values[8];
  if (l->top->guard && l->top->phase != PHASE_LEAVE) {
    hd_segment_stop(s, edge, *l, hd_value_none());
    return STOPPED;
  }
  bool once = l->top->guard == GUARD_ONCE;
  if (e->n_operands > 8) {
    hd_analysis_give_up(s->a, edge, "a function with too many results");
    return dead(l);
  }
  for (uint32_t i = 0; i < e->n_operands; i++)
    values[i] = eval(s, l, edge, hd_segment_operand(s, e, i));
  kill_slots(s, l, edge);
  frame *below = l->top->below;
  hd_edge_id call = l->top->call;
  if (!below) {
    if (s->thread == 0 && e->n_operands)
      note_undefined(s, edge, &values[0]);
    if (s->thread != 0)
      kill_thread_locals(s, l, edge);
    hd_segment_stop(s, HD_NO_ID, *l,
                    e->n_operands ? values[0] : hd_value_undefined());
    return STOPPED;
  }
  assert(hd_segment_edge(s, call)->act == HD_CODE_CALL);
  assert(hd_segment_edge(s, call)->from == below->loc);
  hd_frame_keep(below);
  hd_frame_drop(l->top);
  l->top = hd_frame_own(below);
  const hd_cedge *c = hd_segment_edge(s, call);
  for (uint32_t i = 0; i < c->n_targets; i++) {
    hd_value v = once                ? hd_value_const(32, 0)
                 : i < e->n_operands ? values[i]
                                     : hd_value_undefined();
    hd_frame_set(code, l->top, hd_code_target(code, c, i), &v);
  }
  go_to(s, l, c->to);
  return GO_ON;
}

static progress take_alloca(segment *s, local *l, hd_edge_id edge) {
  const hd_cedge *e = hd_segment_edge(s, edge);
  hd_value n = eval(s, l, edge, hd_segment_operand(s, e, 0));
  uint64_t size;
  if (!hd_value_is_const(&n, &size) || size > (uint64_t)1 << 24) {
    hd_analysis_give_up(s->a, edge, "the size of an array is not known");
    return dead(l);
  }
  object_key key = {OBJ_ALLOCA, s->thread, edge, l->top->depth};
  hd_object_id object = hd_analysis_object(s->a, key);
  hd_runs_settle(l); /* the object may have been another one */
  hd_life life = hd_memory_life(l->memory, object);
  if (life == HD_LIFE_ALIVE || life == HD_LIFE_MAYBE) {
    hd_analysis_give_up(s->a, edge, "alloca in a loop");
    return dead(l);
  }
  s->a->has_alloca = true;
  if (life == HD_LIFE_DEAD)
    hd_analysis_alarm(s->a, HD_PROPERTY_MEMORY, edge, HD_NO_ID,
                      "a pointer to memory of an earlier call may be left");
  hd_memory_create(&l->memory, object, size, HD_FILL_UNDEFINED, s->stamp);
  hd_frame_written(&l->top, object, 0, INT64_MAX);
  hd_value p = hd_value_address(object, 0, 0);
  set_reg(s, l, hd_code_target(s->a->code, e, 0), &p);
  go_to(s, l, e->to);
  return GO_ON;
}

static progress take(segment *s, local *l, hd_edge_id edge) {
  const hd_cedge *e = hd_segment_edge(s, edge);
  switch ((hd_code_act)e->act) {
  case HD_CODE_STEP:
    return split_truth(s, l, edge) ? dead(l) : take_step(s, l, edge);
  case HD_CODE_LOAD:
    return take_load(s, l, edge);
  case HD_CODE_STORE:
    return take_store(s, l, edge);
  case HD_CODE_RMW:
  case HD_CODE_CMPXCHG:
    for (uint32_t i = 0; i < e->n_operands; i++) {
      hd_value v = eval(s, l, edge, hd_segment_operand(s, e, i));
      if (e->act == HD_CODE_CMPXCHG)
        note_undefined(s, edge, &v);
    }
    hd_segment_stop(s, edge, *l, hd_value_none());
    return STOPPED;
  case HD_CODE_FENCE:
    go_to(s, l, e->to);
    return GO_ON;
  case HD_CODE_CALL:
    return take_call(s, l, edge);
  case HD_CODE_RETURN:
    return take_return(s, l, edge);
  case HD_CODE_ALLOCA:
    return take_alloca(s, l, edge);
  case HD_CODE_UNREACHABLE:
    hd_analysis_alarm(s->a, HD_PROPERTY_UNREACHABLE, edge, HD_NO_ID,
                      "control may get here");
    return dead(l);
  case HD_CODE_UNSUPPORTED:
    hd_analysis_give_up(s->a, edge, "%s is not supported", e->text);
    return dead(l);
  }
  return dead(l);
}

bool hd_segment_take(segment *s, local *l, hd_edge_id edge) {
  assert(hd_segment_edge(s, edge)->from == l->top->loc);
  return take(s, l, edge) == GO_ON;
}
