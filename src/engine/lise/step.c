/* SPDX-License-Identifier: MIT */
/* One process executes edges of the code graph, all of which only it can see,
 * until it stands before something that needs others, a condition that is not
 * decided, an annotated loop, or its end. */
#include "engine/lise/step.h"

#include <string.h>

/* --- registers and frames --- */

void hd_lise_set_reg(hd_lise *l, hd_reg_id reg, hd_term value) {
  hd_lise_proc *me = hd_lise_me(l);
  uint32_t frame = (uint32_t)me->frames.size - 1;
  me->regs.data[me->frames.data[frame].regs + reg] = value;
  hd_lise_wrote(l, (hd_lise_place){0, frame, reg});
}

/* A value as a register of that type holds it. */
static hd_term fitted(hd_lise *l, hd_type type, hd_term value) {
  hd_terms *t = l->terms;
  if (hd_term_is_undef(t, value))
    return value;
  hd_term_sort want = hd_lise_sort(type), have = hd_term_sort_of(t, value);
  if (want == have)
    return value;
  if (want == HD_OF_BOOL)
    return hd_term_to_bool(t, value);
  if (want == HD_OF_INT && have == HD_OF_BOOL)
    return hd_term_from_bool(t, value);
  if (want == HD_OF_REAL)
    return hd_term_toreal(t, value);
  if (want == HD_OF_PTR && have == HD_OF_INT)
    return hd_term_ptr(t, 0, value);
  return value;
}

static hd_type type_of_reg(const hd_lise *l, hd_reg_id reg) {
  const hd_lise_proc *me = hd_lise_seen(l);
  const hd_code *code = hd_lise_code(l);
  hd_func_id func = me->frames.data[me->frames.size - 1].func;
  return code->regs.data[code->funcs.data[func].regs + reg].type;
}

hd_going hd_lise_push(hd_lise *l, hd_func_id func, const hd_term *args,
                      size_t n) {
  const hd_code *code = hd_lise_code(l);
  const hd_func *f = &code->funcs.data[func];
  hd_lise_proc *me = hd_lise_me(l);
  if (me->frames.size > 200)
    return hd_lise_refuse(l, "recursion deeper than 200 calls");
  if (f->variadic)
    return hd_lise_refuse(l, "a call of the variadic function '%s'", f->name);
  hd_lise_frame frame = {.func = func,
                         .loc = f->entry,
                         .call = HD_NO_ID,
                         .regs = (uint32_t)me->regs.size,
                         .allocas = (uint32_t)me->stack.size};
  for (uint32_t i = 0; i < f->n_regs; i++) {
    hd_term value =
        i < f->n_params && i < n ? args[i] : hd_term_undef(l->terms);
    value = fitted(l, code->regs.data[f->regs + i].type, value);
    hd_vec_push(&me->regs, value);
  }
  hd_vec_push(&me->frames, frame);
  for (uint32_t i = 0; i < f->n_slots; i++) {
    const hd_slot *slot = &code->slots.data[f->slots + i];
    uint32_t object =
        hd_lise_object_new(l, HD_LISE_SLOT, f->slots + i,
                           hd_term_int(l->terms, (int64_t)slot->size));
    me = hd_lise_me(l);
    hd_vec_push(&me->stack, object);
  }
  return HD_GO_ON;
}

/* None of these objects may be the buffer of something. */
static hd_going leaves_objects(hd_lise *l, size_t from) {
  hd_going g = HD_GO_ON;
  for (size_t i = from; i < hd_lise_seen(l)->stack.size && g == HD_GO_ON; i++)
    g = hd_lise_let_go(l, hd_lise_seen(l)->stack.data[i],
                       "is a variable of a function that returns");
  return g;
}

static void drop_stack(hd_lise_proc *me, size_t to) {
  while (me->stack.size > to) {
    uint32_t object = hd_vec_pop(&me->stack);
    hd_lise_object_gone(me, object);
  }
}

void hd_lise_call_done(hd_lise *l, const hd_term *values, size_t n) {
  const hd_code *code = hd_lise_code(l);
  hd_lise_proc *me = hd_lise_me(l);
  hd_lise_frame *f = hd_lise_top(me);
  const hd_cedge *edge = &code->edges.data[f->call];
  f->call = HD_NO_ID;
  f->loc = edge->to;
  for (uint32_t i = 0; i < edge->n_targets; i++) {
    hd_reg_id reg = hd_code_target(code, edge, i);
    hd_term value = i < n ? values[i] : hd_term_undef(l->terms);
    hd_lise_set_reg(l, reg, fitted(l, type_of_reg(l, reg), value));
  }
}

hd_going hd_lise_exit(hd_lise *l, hd_term status) {
  hd_going g = hd_lise_finish(l);
  if (g != HD_GO_ON)
    return g;
  hd_lise_proc *me = hd_lise_me(l);
  me->ended = true;
  if (l->n_programs == 2) /* who else asks? */
    me->exit_status = status;
  return HD_STOPPED;
}

static hd_going do_return(hd_lise *l, const hd_cedge *edge) {
  const hd_code *code = hd_lise_code(l);
  hd_term values[8];
  uint32_t n = edge->n_operands < 8 ? edge->n_operands : 8;
  for (uint32_t i = 0; i < n; i++) {
    hd_going g = hd_lise_eval(l, hd_code_operand(code, edge, i), &values[i]);
    if (g != HD_GO_ON)
      return g;
  }
  hd_going g = hd_lise_leaves_frame(l);
  if (g != HD_GO_ON)
    return g;
  if (hd_lise_seen(l)->frames.size == 1)
    return hd_lise_exit(l, n ? values[0] : hd_term_int(l->terms, 0));
  g = leaves_objects(l, hd_lise_top(hd_lise_me(l))->allocas);
  if (g != HD_GO_ON)
    return g;
  hd_lise_proc *me = hd_lise_me(l);
  hd_lise_frame f = hd_vec_pop(&me->frames);
  me->regs.size = f.regs;
  drop_stack(me, f.allocas);
  hd_lise_call_done(l, values, n);
  return HD_GO_ON;
}

/* --- memory actions --- */

static hd_going do_load(hd_lise *l, const hd_cedge *edge) {
  const hd_code *code = hd_lise_code(l);
  hd_reg_id reg = hd_code_target(code, edge, 0);
  hd_term pointer, value;
  hd_going g = hd_lise_eval(l, hd_code_operand(code, edge, 0), &pointer);
  if (g == HD_GO_ON)
    g = hd_lise_load(l, pointer, type_of_reg(l, reg), &value);
  if (g == HD_GO_ON)
    hd_lise_set_reg(l, reg, fitted(l, type_of_reg(l, reg), value));
  return g;
}

static hd_going do_store(hd_lise *l, const hd_cedge *edge) {
  const hd_code *code = hd_lise_code(l);
  hd_cexpr_id to = hd_code_operand(code, edge, 0),
              from = hd_code_operand(code, edge, 1);
  hd_term pointer, value;
  hd_going g = hd_lise_eval(l, to, &pointer);
  if (g == HD_GO_ON)
    g = hd_lise_eval(l, from, &value);
  if (g == HD_GO_ON)
    g = hd_lise_store(l, pointer, code->exprs.data[from].type, value);
  return g;
}

/* No other thread looks: a load, an operation and a store. */
static hd_going do_rmw(hd_lise *l, const hd_cedge *edge) {
  const hd_code *code = hd_lise_code(l);
  hd_terms *t = l->terms;
  hd_cexpr_id to = hd_code_operand(code, edge, 0),
              with = hd_code_operand(code, edge, 1);
  hd_type type = code->exprs.data[with].type;
  hd_term pointer, value, old, new = 0;
  hd_going g = hd_lise_eval(l, to, &pointer);
  if (g == HD_GO_ON)
    g = hd_lise_eval(l, with, &value);
  if (g == HD_GO_ON)
    g = hd_lise_load(l, pointer, type, &old);
  if (g != HD_GO_ON)
    return g;
  switch (edge->rmw) {
  case HD_RMW_XCHG:
    new = value;
    break;
  case HD_RMW_ADD:
  case HD_RMW_FADD:
    new = hd_term_add(t, old, value);
    break;
  case HD_RMW_SUB:
  case HD_RMW_FSUB:
    new = hd_term_sub(t, old, value);
    break;
  case HD_RMW_MAX:
    new = hd_term_max(t, old, value);
    break;
  case HD_RMW_MIN:
    new = hd_term_min(t, old, value);
    break;
  default:
    return hd_lise_refuse(l, "this atomic operation");
  }
  g = hd_lise_store(l, pointer, type, new);
  if (g == HD_GO_ON && edge->n_targets)
    hd_lise_set_reg(l, hd_code_target(code, edge, 0), old);
  return g;
}

static hd_going do_cmpxchg(hd_lise *l, const hd_cedge *edge) {
  const hd_code *code = hd_lise_code(l);
  const hd_cexpr_id *ops = code->operands.data + edge->operands;
  hd_type type = code->exprs.data[ops[2]].type;
  hd_term pointer, expected, new, old;
  hd_going g = hd_lise_eval(l, ops[0], &pointer);
  if (g == HD_GO_ON)
    g = hd_lise_eval(l, ops[1], &expected);
  if (g == HD_GO_ON)
    g = hd_lise_eval(l, ops[2], &new);
  if (g == HD_GO_ON)
    g = hd_lise_load(l, pointer, type, &old);
  bool same;
  if (g == HD_GO_ON)
    g = hd_lise_decide(l, hd_term_eq(l->terms, old, expected), &same);
  if (g == HD_GO_ON && same)
    g = hd_lise_store(l, pointer, type, new);
  if (g != HD_GO_ON)
    return g;
  const hd_reg_id *regs = code->targets.data + edge->targets;
  hd_lise_set_reg(l, regs[0], old);
  hd_lise_set_reg(l, regs[1], hd_term_bool(l->terms, same));
  return HD_GO_ON;
}

static hd_going do_alloca(hd_lise *l, hd_edge_id id) {
  const hd_code *code = hd_lise_code(l);
  const hd_cedge *edge = &code->edges.data[id];
  hd_term size;
  hd_going g = hd_lise_eval_set(l, hd_code_operand(code, edge, 0),
                                "the size of an array", &size);
  if (g == HD_GO_ON)
    g = hd_lise_check(l, hd_term_le(l->terms, hd_term_int(l->terms, 0), size),
                      HD_PROPERTY_MEMORY, "an array of negative size");
  if (g != HD_GO_ON)
    return g;
  uint32_t object = hd_lise_object_new(l, HD_LISE_ALLOCA, id, size);
  hd_lise_proc *me = hd_lise_me(l);
  hd_vec_push(&me->stack, object);
  hd_lise_input_alloca(l, id, object);
  hd_lise_set_reg(l, hd_code_target(code, edge, 0),
                  hd_term_ptr(l->terms, object, hd_term_int(l->terms, 0)));
  return HD_GO_ON;
}

hd_going hd_lise_restore_stack(hd_lise *l, size_t size) {
  if (size < hd_lise_top(hd_lise_me(l))->allocas)
    return HD_GO_ON;
  hd_going g = leaves_objects(l, size);
  if (g == HD_GO_ON)
    drop_stack(hd_lise_me(l), size);
  return g;
}

/* --- calls --- */

static hd_going do_call(hd_lise *l, hd_edge_id id) {
  const hd_code *code = hd_lise_code(l);
  const hd_cedge *edge = &code->edges.data[id];
  hd_term callee, args[32];
  hd_going g = hd_lise_eval(l, hd_code_operand(code, edge, 0), &callee);
  uint32_t n = edge->n_operands - 1u;
  if (n > 32)
    return hd_lise_refuse(l, "a call with more than 32 arguments");
  for (uint32_t i = 0; g == HD_GO_ON && i < n; i++)
    g = hd_lise_eval(l, hd_code_operand(code, edge, 1 + i), &args[i]);
  if (g != HD_GO_ON)
    return g;
  hd_terms *t = l->terms;
  while (hd_term_op_of(t, callee) == HD_TERM_ITE) {
    bool truth;
    g = hd_lise_decide(l, hd_term_args(t, callee)[0], &truth);
    if (g != HD_GO_ON)
      return g;
    callee = hd_term_args(t, callee)[truth ? 1 : 2];
  }
  if (hd_term_is_undef(t, callee))
    return hd_lise_violate(l, HD_PROPERTY_UNINIT,
                           "a call through a pointer that was never set");
  uint32_t object =
      hd_term_op_of(t, callee) == HD_TERM_PTR ? hd_term_args(t, callee)[0] : 0;
  if (object < HD_LISE_FUNCTION || object & HD_LISE_FOREIGN)
    return hd_lise_violate(l, HD_PROPERTY_MEMORY,
                           "a call through a pointer to no function");
  hd_func_id func = object - HD_LISE_FUNCTION;
  const hd_func *f = &code->funcs.data[func];
  if (f->defined) {
    hd_lise_top(hd_lise_me(l))->call = id;
    return hd_lise_push(l, func, args, n);
  }
  hd_library_fn fn = hd_lise_program_of(l)->library[func];
  if (fn == HD_LIB_NONE)
    return hd_lise_refuse(l, "a call of the unknown function '%s'",
                          f->cname ? f->cname : f->name);
  if (fn == HD_LIB_MPI_)
    return hd_lise_refuse(l, "a call of '%s'", f->cname ? f->cname : f->name);
  hd_lise_top(hd_lise_me(l))->call = id;
  g = hd_library_kind_of(fn) == HD_LIBRARY_MPI
          ? hd_lise_mpi(l, edge, fn, args, n)
          : hd_lise_library(l, edge, fn, args, n);
  if (g == HD_FORK && hd_lise_seen(l)->frames.size)
    hd_lise_top(hd_lise_me(l))->call = HD_NO_ID;
  return g;
}

/* --- one edge --- */

static hd_going do_step(hd_lise *l, const hd_cedge *edge) {
  const hd_code *code = hd_lise_code(l);
  hd_term values[64];
  if (edge->n_operands > 64)
    return hd_lise_refuse(l, "an assignment of more than 64 values at once");
  for (uint32_t i = 0; i < edge->n_operands; i++) {
    hd_going g = hd_lise_eval(l, hd_code_operand(code, edge, i), &values[i]);
    if (g != HD_GO_ON)
      return g;
  }
  for (uint32_t i = 0; i < edge->n_targets; i++) {
    hd_reg_id reg = hd_code_target(code, edge, i);
    hd_lise_set_reg(l, reg, fitted(l, type_of_reg(l, reg), values[i]));
  }
  return HD_GO_ON;
}

/* Guards have been decided before. */
hd_going hd_lise_execute(hd_lise *l, hd_edge_id id) {
  const hd_code *code = hd_lise_code(l);
  const hd_cedge *edge = &code->edges.data[id];
  hd_going g = hd_lise_passes(l);
  if (g != HD_GO_ON)
    return g;
  switch (edge->act) {
  case HD_CODE_STEP:
    g = hd_lise_annotated(l, id);
    if (g == HD_GO_ON)
      g = do_step(l, edge);
    break;
  case HD_CODE_LOAD:
    g = do_load(l, edge);
    break;
  case HD_CODE_STORE:
    g = do_store(l, edge);
    break;
  case HD_CODE_RMW:
    g = do_rmw(l, edge);
    break;
  case HD_CODE_CMPXCHG:
    g = do_cmpxchg(l, edge);
    break;
  case HD_CODE_FENCE:
    break;
  case HD_CODE_CALL:
    return do_call(l, id);
  case HD_CODE_RETURN:
    return do_return(l, edge);
  case HD_CODE_ALLOCA:
    g = do_alloca(l, id);
    break;
  case HD_CODE_UNREACHABLE:
    return hd_lise_violate(l, HD_PROPERTY_UNREACHABLE,
                           "what the compiler assumes cannot be reached");
  default:
    return hd_lise_refuse(l, "%s", edge->text ? edge->text : "this statement");
  }
  if (g != HD_GO_ON)
    return g;
  hd_lise_top(hd_lise_me(l))->loc = edge->to;
  return hd_lise_passed(l, edge);
}

/* --- running --- */

/* The edge to take at a location with conditions. */
static hd_going choose(hd_lise *l, hd_loc_id loc, hd_edge_id *out) {
  const hd_code *code = hd_lise_code(l);
  for (uint32_t i = code->out_start[loc]; i < code->out_start[loc + 1]; i++) {
    const hd_cedge *edge = &code->edges.data[code->out[i]];
    *out = code->out[i];
    if (edge->act != HD_CODE_STEP || edge->guard == HD_NO_ID)
      return HD_GO_ON;
    hd_term guard;
    hd_going g = hd_lise_eval_set(l, edge->guard, "a branch", &guard);
    if (g != HD_GO_ON)
      return g;
    guard = hd_term_to_bool(l->terms, guard);
    bool truth;
    g = hd_lise_decide(l, guard, &truth);
    if (g != HD_GO_ON)
      return g;
    if (truth) {
      hd_lise_learn_implied(l, guard);
      return HD_GO_ON;
    }
  }
  return HD_PRUNED; /* all guards are false: cannot be */
}

hd_going hd_lise_advance(hd_lise *l) {
  for (;;) {
    const hd_lise_proc *me = hd_lise_seen(l);
    if (me->ended || me->op.kind != HD_LISE_OP_NONE)
      return HD_STOPPED;
    if (!l->budget) /* it goes on in a state of its own */
      return HD_STOPPED;
    l->budget--;
    hd_loc_id loc = me->frames.data[me->frames.size - 1].loc;
    if (l->guest && l->guest->pauses(l, loc))
      return HD_STOPPED;
    uint32_t loop;
    if (!me->in_guard && hd_lise_loop_at(l, loc, &loop)) {
      hd_lise_proc *own = hd_lise_me(l);
      own->op.kind = HD_LISE_OP_LOOP;
      own->loop = loop;
      return HD_STOPPED;
    }
    hd_edge_id edge = HD_NO_ID;
    hd_going g = hd_lise_still_inside(l);
    if (g == HD_GO_ON)
      g = choose(l, loc, &edge);
    if (g == HD_GO_ON) {
      g = hd_lise_tick(l, edge);
      l->asked = 0;
      if (g == HD_GO_ON)
        g = hd_lise_execute(l, edge);
      if (g == HD_FORK)
        hd_lise_watch_undo(l);
    }
    if (g == HD_FORK) {
      hd_lise_proc *own = hd_lise_me(l);
      own->op.kind = HD_LISE_OP_BRANCH;
      own->op.flag = l->fork;
      return HD_STOPPED;
    }
    if (g != HD_GO_ON)
      return g;
  }
}
