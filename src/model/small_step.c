/* SPDX-License-Identifier: MIT */
/* Execution: one thread, from one visible action to the next.
 *
 * `act` does the action the thread stands before. Asked for local ones only, it
 * changes nothing when the action is visible, cannot be done, or is anything
 * out of the ordinary: the thread then stands there, and whoever steps from
 * that state finds out what it is. So running a thread up to its next visible
 * action never has a result of its own.
 *
 * Choices: a step is executed again and again with a script of the choices made
 * so far; where the script ends the first alternative is taken and noted, and
 * the next execution takes the next one of the last that has any left. */
#include "model/small_impl.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
  MAX_LOCAL = 200000,  /* local actions in one step */
  MAX_OUTCOMES = 2048, /* of one step */
};

uint32_t hd_small_choose(hd_small *s, uint32_t n) {
  assert(n);
  if (s->choice == s->script.size) {
    hd_vec_push(&s->script, 0u);
    hd_vec_push(&s->options_at, n);
  }
  assert(s->options_at.data[s->choice] == n);
  return s->script.data[s->choice++];
}

/* The next script; false when all were taken. */
static bool next_script(hd_small *s) {
  while (s->script.size &&
         hd_vec_last(&s->script) + 1 == hd_vec_last(&s->options_at)) {
    s->script.size--;
    s->options_at.size--;
  }
  if (!s->script.size)
    return false;
  hd_vec_last(&s->script)++;
  return true;
}

hd_done hd_small_refuse(hd_small *s, hd_edge_id edge, const char *format, ...) {
  char what[400];
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  hd_str text = {0};
  hd_code_print_pos(&text, s->code, s->code->edges.data[edge].pos);
  hd_str_printf(&text, ": %s", what);
  s->out.edge = edge;
  for (s->out.reason = 0; s->out.reason < s->reasons.size; s->out.reason++)
    if (!strcmp(s->reasons.data[s->out.reason], hd_str_text(&text)))
      break;
  if (s->out.reason == s->reasons.size)
    hd_vec_push(&s->reasons, hd_str_take(&text));
  hd_str_free(&text);
  return HD_REFUSE;
}

hd_done hd_small_need(hd_small *s, hd_edge_id edge, hd_evaluated value) {
  if (value.flags & HD_EVAL_ZERO)
    return hd_small_refuse(s, edge, "undefined behaviour: division by zero");
  if (value.flags & (HD_EVAL_UNDEF | HD_EVAL_UNSET))
    return hd_small_refuse(s, edge, "a value that was never set is used");
  if (value.flags & HD_EVAL_ADDRESS)
    return hd_small_refuse(s, edge,
                           "the program depends on where variables lie in "
                           "memory");
  if (value.flags & (HD_EVAL_SAMPLE | HD_EVAL_VAGUE))
    return hd_small_refuse(s, edge,
                           "an input with too many values is used for more "
                           "than comparisons with constants; give it a range");
  return HD_DONE;
}

/* May the value go into a register as it is? Undefined ones may. */
static hd_done need_value(hd_small *s, hd_edge_id edge, hd_evaluated value) {
  value.flags &= (uint8_t) ~(HD_EVAL_UNDEF | HD_EVAL_UNSET | HD_EVAL_SAMPLE);
  return hd_small_need(s, edge, value);
}

static hd_cexpr_id operand(const hd_small *s, const hd_cedge *edge,
                           uint32_t i) {
  assert(i < edge->n_operands);
  return hd_code_operand(s->code, edge, i);
}

static hd_type operand_type(const hd_small *s, const hd_cedge *edge,
                            uint32_t i) {
  return s->code->exprs.data[operand(s, edge, i)].type;
}

static hd_type target_type(const hd_small *s, const hd_cedge *edge,
                           uint32_t i) {
  const hd_func *f = &s->code->funcs.data[s->code->locs.data[edge->from].func];
  return s->code->regs.data[f->regs + hd_code_target(s->code, edge, i)].type;
}

static void assign(hd_small *s, hd_reg_id reg, hd_evaluated value) {
  const hd_small_frame *top = hd_small_top(s->w);
  const hd_func *f = &s->code->funcs.data[top->func];
  bool unset = value.flags & (HD_EVAL_UNDEF | HD_EVAL_UNSET);
  uint64_t mask = hd_word_mask(s->code->regs.data[f->regs + reg].type.width);
  s->w->regs.data[top->regs + reg] = unset ? 0 : value.bits & mask;
  s->w->states.data[top->regs + reg] = unset ? HD_REG_UNSET
                                       : value.flags & HD_EVAL_SAMPLE
                                           ? HD_REG_SAMPLE
                                           : HD_REG_EXACT;
}

void hd_small_finish(hd_small *s, const hd_cedge *edge,
                     const hd_evaluated *values, size_t n) {
  for (uint32_t i = 0; i < edge->n_targets; i++)
    assign(s, hd_code_target(s->code, edge, i),
           i < n ? values[i]
                 : (hd_evaluated){.bits = 0, .flags = HD_EVAL_UNSET});
  hd_small_top(s->w)->loc = edge->to;
}

void hd_small_note(hd_small *s, hd_edge_id edge, uint64_t choice) {
  hd_vec_push(&s->w->acts, ((hd_small_act){.edge = edge, .choice = choice}));
}

/* --- steps, calls and returns --- */

static hd_done do_step(hd_small *s, const hd_cedge *edge, hd_edge_id id) {
  hd_evaluated few[16], *values = few;
  if (edge->n_operands > 16)
    values = hd_calloc(edge->n_operands, sizeof *values);
  hd_done done = HD_DONE;
  for (uint32_t i = 0; done == HD_DONE && i < edge->n_operands; i++) {
    values[i] = hd_small_eval(s, operand(s, edge, i));
    done = need_value(s, id, values[i]);
  }
  if (done == HD_DONE)
    hd_small_finish(s, edge, values, edge->n_operands);
  if (values != few)
    hd_free(values);
  return done;
}

/* The edge whose guard holds. */
static hd_done choose_edge(hd_small *s, hd_loc_id loc, hd_edge_id *id) {
  const hd_code *code = s->code;
  for (uint32_t o = code->out_start[loc]; o < code->out_start[loc + 1]; o++) {
    *id = code->out[o];
    const hd_cedge *edge = &code->edges.data[*id];
    if (edge->act != HD_CODE_STEP || edge->guard == HD_NO_ID)
      return HD_DONE;
    hd_evaluated guard = hd_small_eval(s, edge->guard);
    hd_done done = hd_small_need(s, *id, guard);
    if (done != HD_DONE || guard.bits)
      return done;
  }
  return hd_small_refuse(s, *id, "no branch can be taken");
}

static hd_done enter(hd_small *s, const hd_cedge *edge, hd_edge_id id,
                     hd_func_id func, bool local) {
  const hd_func *f = &s->code->funcs.data[func];
  if (s->funcs[func].error)
    return HD_VIOLATES;
  if (s->funcs[func].atomic && local && !s->atomic)
    return HD_VISIBLE;
  if (s->w->frames.size >= HD_SMALL_DEPTH)
    return hd_small_refuse(s, id, "more than %d calls inside each other",
                           HD_SMALL_DEPTH);
  hd_evaluated args[16];
  uint32_t n = edge->n_operands - 1;
  if (n > 16)
    return hd_small_refuse(s, id, "a call with more than 16 arguments");
  for (uint32_t i = 0; i < n; i++) {
    args[i] = hd_small_eval(s, operand(s, edge, i + 1));
    if (args[i].flags & HD_EVAL_SAMPLE && !s->shared_cuts)
      args[i].flags |= HD_EVAL_VAGUE;
    hd_done done = need_value(s, id, args[i]);
    if (done != HD_DONE)
      return done;
  }
  if (s->funcs[func].atomic) {
    hd_small_note(s, id, 0);
    s->atomic++;
  }
  hd_small_push(s, s->w, func, HD_FRAME_KIND_CALL);
  for (uint32_t i = 0; i < n && i < f->n_params; i++)
    assign(s, i, args[i]);
  return HD_DONE;
}

static hd_done do_call(hd_small *s, const hd_cedge *edge, hd_edge_id id,
                       bool local) {
  hd_evaluated callee = hd_small_eval(s, operand(s, edge, 0));
  hd_done done = hd_small_need(s, id, callee);
  if (done != HD_DONE)
    return done;
  hd_func_id func = hd_small_func_at(s, callee.bits);
  if (func == HD_NO_ID)
    return hd_small_refuse(s, id,
                           "undefined behaviour: call of something that "
                           "is no function");
  if (s->code->funcs.data[func].defined)
    return enter(s, edge, id, func, local);
  return hd_small_call(s, edge, id, func, local);
}

static hd_done leave_once(hd_small *s, uint64_t control, hd_edge_id id) {
  hd_small_place p = hd_small_find(s, control, 4);
  if (!p.bytes)
    return hd_small_refuse(s, id,
                           "undefined behaviour: the control of "
                           "pthread_once is gone");
  p.bytes[0] = 2;
  return HD_DONE;
}

static hd_done do_return(hd_small *s, const hd_cedge *edge, hd_edge_id id,
                         bool local) {
  hd_small_frame frame = *hd_small_top(s->w);
  /* Others may still run before main's return ends the program. */
  if (frame.kind == HD_FRAME_KIND_MAIN)
    return local ? HD_VISIBLE : HD_BLOCKED;
  if (frame.kind == HD_FRAME_KIND_THREAD)
    return HD_OVER;
  if (frame.kind == HD_FRAME_KIND_ONCE && local && !s->atomic)
    return HD_VISIBLE;
  hd_evaluated values[16];
  if (edge->n_operands > 16)
    return hd_small_refuse(s, id, "more than 16 values are returned");
  for (uint32_t i = 0; i < edge->n_operands; i++) {
    values[i] = hd_small_eval(s, operand(s, edge, i));
    /* Constants of the caller are not those it was cut at. */
    if (values[i].flags & HD_EVAL_SAMPLE && !s->shared_cuts)
      values[i].flags |= HD_EVAL_VAGUE;
    hd_done done = need_value(s, id, values[i]);
    if (done != HD_DONE)
      return done;
  }
  hd_small_pop(s, s->w);
  hd_loc_id loc = hd_small_top(s->w)->loc;
  const hd_cedge *call =
      &s->code->edges.data[s->code->out[s->code->out_start[loc]]];
  if (frame.atomic)
    s->atomic--;
  if (frame.kind != HD_FRAME_KIND_ONCE) {
    hd_small_finish(s, call, values, edge->n_operands);
    return HD_DONE;
  }
  hd_evaluated zero = {0};
  hd_small_finish(s, call, &zero, 1);
  return leave_once(s, frame.data, id);
}

/* --- memory --- */

static hd_done find(hd_small *s, const hd_cedge *edge, hd_edge_id id,
                    uint32_t size, bool writes, bool local,
                    hd_small_place *out) {
  hd_evaluated address = hd_small_eval(s, operand(s, edge, 0));
  hd_done done = hd_small_need(s, id, address);
  if (done != HD_DONE)
    return done;
  *out = hd_small_find(s, address.bits, size);
  if (!out->bytes)
    return hd_small_refuse(s, id, "undefined behaviour: %s", out->trouble);
  if (writes && out->constant)
    return hd_small_refuse(s, id, "undefined behaviour: a constant is written");
  if (out->shared && local && !s->atomic)
    return HD_VISIBLE;
  /* Locks keep their state in their bytes: nobody may look at it. */
  if (out->shared && edge->act != HD_CODE_STORE)
    for (uint32_t i = 0; i < size; i++)
      s->role[out->at + i] |= 1;
  hd_small_note(s, id, 0);
  return HD_DONE;
}

static hd_evaluated load(const hd_small_place *p, uint32_t size) {
  hd_evaluated value = {0};
  for (uint32_t i = 0; i < size; i++) {
    value.bits |= (uint64_t)p->bytes[i] << 8 * i;
    if (p->unset && p->unset[i])
      value.flags = HD_EVAL_UNSET;
  }
  return value;
}

static hd_done store(hd_small *s, hd_edge_id id, const hd_small_place *p,
                     hd_type type, hd_evaluated value) {
  bool pointer = type.kind == HD_TYPE_PTR;
  uint32_t size = hd_type_bytes(type);
  bool unset = value.flags & (HD_EVAL_UNDEF | HD_EVAL_UNSET);
  if (p->shared && unset)
    return hd_small_refuse(s, id,
                           "a value that was never set is stored where others "
                           "can see it");
  if (p->shared && pointer && hd_small_is_private(s, value.bits))
    return hd_small_refuse(s, id,
                           "the address of a variable of one thread is stored "
                           "where others can see it");
  for (uint32_t i = 0; i < size; i++) {
    p->bytes[i] = (uint8_t)(value.bits >> 8 * i);
    if (p->unset)
      p->unset[i] = unset;
  }
  return HD_DONE;
}

static hd_done do_load(hd_small *s, const hd_cedge *edge, hd_edge_id id,
                       bool local) {
  hd_small_place p;
  hd_type type = target_type(s, edge, 0);
  /* stderr and the like: nobody looks into them. */
  const hd_cexpr *from = &s->code->exprs.data[operand(s, edge, 0)];
  if (from->op == HD_CODE_GLOBAL) {
    const hd_global *g = &s->code->globals.data[from->value];
    if (g->external &&
        (!strcmp(g->name, "stderr") || !strcmp(g->name, "stdout"))) {
      hd_small_note(s, id, 0);
      hd_small_finish(s, edge, NULL, 0);
      return HD_DONE;
    }
  }
  hd_done done = find(s, edge, id, hd_type_bytes(type), false, local, &p);
  if (done != HD_DONE)
    return done;
  hd_evaluated value = load(&p, hd_type_bytes(type));
  hd_small_finish(s, edge, &value, 1);
  return HD_DONE;
}

static hd_done do_store(hd_small *s, const hd_cedge *edge, hd_edge_id id,
                        bool local) {
  hd_small_place p;
  hd_evaluated value = hd_small_eval(s, operand(s, edge, 1));
  if (value.flags & HD_EVAL_SAMPLE)
    value.flags |= HD_EVAL_VAGUE;
  hd_done done = need_value(s, id, value);
  hd_type type = operand_type(s, edge, 1);
  uint32_t size = hd_type_bytes(type);
  if (done == HD_DONE)
    done = find(s, edge, id, size, true, local, &p);
  if (done == HD_DONE)
    done = store(s, id, &p, type, value);
  if (done == HD_DONE)
    hd_small_finish(s, edge, NULL, 0);
  return done;
}

static hd_done do_rmw(hd_small *s, const hd_cedge *edge, hd_edge_id id,
                      bool local) {
  hd_small_place p;
  hd_evaluated value = hd_small_eval(s, operand(s, edge, 1));
  hd_done done = hd_small_need(s, id, value);
  hd_type type = operand_type(s, edge, 1);
  uint32_t size = hd_type_bytes(type);
  if (done == HD_DONE)
    done = find(s, edge, id, size, true, local, &p);
  if (done != HD_DONE)
    return done;
  hd_evaluated old = load(&p, size);
  done = hd_small_need(s, id, old);
  if (done != HD_DONE)
    return done;
  old.bits &= hd_word_mask(type.width);
  value.bits = hd_evaluate_rmw((hd_rmw)edge->rmw, type, old.bits, value.bits);
  done = store(s, id, &p, type, value);
  if (done == HD_DONE)
    hd_small_finish(s, edge, &old, 1);
  return done;
}

static hd_done do_cmpxchg(hd_small *s, const hd_cedge *edge, hd_edge_id id,
                          bool local) {
  hd_small_place p;
  hd_evaluated expected = hd_small_eval(s, operand(s, edge, 1));
  hd_evaluated fresh = hd_small_eval(s, operand(s, edge, 2));
  hd_type type = operand_type(s, edge, 1);
  uint32_t size = hd_type_bytes(type);
  hd_done done = hd_small_need(s, id, expected);
  if (done == HD_DONE)
    done = hd_small_need(s, id, fresh);
  if (done == HD_DONE && local && edge->weak && !s->atomic)
    return HD_VISIBLE; /* it may fail */
  if (done == HD_DONE)
    done = find(s, edge, id, size, true, local, &p);
  if (done != HD_DONE)
    return done;
  hd_evaluated results[2] = {load(&p, size)};
  done = hd_small_need(s, id, results[0]);
  results[0].bits &= hd_word_mask(type.width);
  if (done != HD_DONE)
    return done;
  bool equal = results[0].bits == expected.bits;
  if (equal && edge->weak && hd_small_choose(s, 2)) {
    hd_vec_last(&s->w->acts).choice = 1;
    equal = false;
  }
  results[1].bits = equal;
  if (equal)
    done = store(s, id, &p, type, fresh);
  if (done == HD_DONE)
    hd_small_finish(s, edge, results, 2);
  return done;
}

/* --- one action --- */

static hd_done act(hd_small *s, bool local) {
  hd_edge_id id = HD_NO_ID;
  hd_done done = choose_edge(s, hd_small_top(s->w)->loc, &id);
  if (done != HD_DONE)
    return done;
  const hd_cedge *edge = &s->code->edges.data[id];
  if (!local && s->out.edge == HD_NO_ID)
    s->out.edge = id;
  if (s->w->parked)
    return local ? HD_VISIBLE : hd_small_relock(s, edge, id);
  switch ((hd_code_act)edge->act) {
  case HD_CODE_STEP:
    return do_step(s, edge, id);
  case HD_CODE_LOAD:
    return do_load(s, edge, id, local);
  case HD_CODE_STORE:
    return do_store(s, edge, id, local);
  case HD_CODE_RMW:
    return do_rmw(s, edge, id, local);
  case HD_CODE_CMPXCHG:
    return do_cmpxchg(s, edge, id, local);
  case HD_CODE_FENCE:
    hd_small_note(s, id, 0);
    hd_small_finish(s, edge, NULL, 0);
    return HD_DONE;
  case HD_CODE_CALL:
    done = do_call(s, edge, id, local);
    if (done == HD_VIOLATES && !local) {
      s->out.edge = id;
      hd_small_note(s, id, 0);
    }
    return done;
  case HD_CODE_RETURN:
    return do_return(s, edge, id, local);
  case HD_CODE_ALLOCA:
    return hd_small_refuse(s, id,
                           "alloca and arrays of variable length are "
                           "not part of a state");
  case HD_CODE_UNREACHABLE:
    return hd_small_refuse(s, id,
                           "undefined behaviour: control gets where it "
                           "must not");
  case HD_CODE_UNSUPPORTED:
    return hd_small_refuse(s, id, "%s",
                           edge->text ? edge->text : "not supported");
  }
  hd_bug("an edge without an action");
}

/* Local actions until there is none; everything but HD_DONE stops it. A thread
 * that only runs in circles is found by comparing it with an earlier self
 * (Brent) and stays where it is. Long runs are cut: the thread can go on from
 * anywhere. */
static hd_done run_local(hd_small *s, uint32_t budget) {
  hd_bytes before = {0}, now = {0};
  hd_small_outcome out = s->out;
  uint32_t steps = 0, mark = 64;
  hd_done done = HD_DONE;
  for (; budget; budget--) {
    size_t acts = s->w->acts.size;
    done = act(s, true);
    if (done != HD_DONE) {
      s->w->acts.size = acts; /* of what was not done after all */
      break;
    }
    if (++steps < mark)
      continue;
    hd_vec_clear(&now);
    hd_small_serialise(s, s->w, &now);
    if (now.size == before.size && !memcmp(now.data, before.data, now.size))
      break;
    if (steps >= 2 * mark) {
      mark = steps;
      hd_bytes swap = before;
      before = now;
      now = swap;
    }
  }
  hd_vec_free(&before);
  hd_vec_free(&now);
  /* What stopped it is found again by the step from there. */
  s->out = out;
  return done;
}

bool hd_small_settle(hd_small *s) {
  assert(!s->atomic);
  return run_local(s, MAX_LOCAL) != HD_OVER;
}

/* One execution of a step by the script. HD_DONE: the thread stands before its
 * next visible action. */
static hd_done execute(hd_small *s) {
  uint32_t budget = MAX_LOCAL;
  hd_done done = act(s, false);
  /* In an atomic section everything is part of the step. */
  while (done == HD_DONE && s->atomic && budget--)
    done = act(s, false);
  if (s->atomic && (done == HD_DONE || done == HD_WAITS))
    return hd_small_refuse(s, s->out.edge,
                           done == HD_DONE
                               ? "an atomic section does not end"
                               : "a thread waits in an atomic section");
  if (done == HD_DONE && run_local(s, MAX_LOCAL) == HD_OVER)
    return HD_OVER;
  return done;
}

static void finish_step(hd_small *s, hd_done done, hd_small_visit visit,
                        void *context) {
  if (done == HD_BLOCKED || done == HD_WAITS)
    return;
  hd_small_outcome *out = &s->out;
  out->kind = done == HD_VIOLATES ? HD_SMALL_VIOLATES
              : done == HD_REFUSE ? HD_SMALL_REFUSED
                                  : HD_SMALL_GOES;
  out->shared = hd_small_table_put(&s->shared, s->now.data, s->now.size);
  out->local = done == HD_OVER ? HD_NO_ID : hd_small_encode(s, &s->thread);
  if (out->kind != HD_SMALL_GOES)
    out->shared = out->local = out->spawned = HD_NO_ID;
  out->acts = s->thread.acts.data;
  out->n_acts = s->thread.acts.size;
  out->spawned_acts = s->created.acts.data;
  out->n_spawned_acts = out->spawned == HD_NO_ID ? 0 : s->created.acts.size;
  visit(context, out);
}

void hd_small_steps(hd_small *s, hd_modular_state shared,
                    hd_modular_state local, hd_small_visit visit,
                    void *context) {
  hd_vec_clear(&s->script);
  hd_vec_clear(&s->options_at);
  s->w = &s->thread;
  size_t executions = 0;
  do {
    size_t size;
    const uint8_t *bytes = hd_small_table_at(&s->shared, shared, &size);
    hd_vec_resize(&s->now, size);
    if (size)
      memcpy(s->now.data, bytes, size);
    hd_small_decode(s, local, &s->thread);
    s->choice = 0;
    s->atomic = 0;
    s->out = (hd_small_outcome){
        .local = HD_NO_ID, .spawned = HD_NO_ID, .edge = HD_NO_ID};
    if (!s->thread.frames.size)
      return;
    hd_done done = execute(s);
    if (++executions > MAX_OUTCOMES) {
      hd_vec_clear(&s->script);
      done = hd_small_refuse(s, s->out.edge == HD_NO_ID ? 0 : s->out.edge,
                             "too many combinations of inputs in one atomic "
                             "section");
    }
    finish_step(s, done, visit, context);
  } while (next_script(s));
}
