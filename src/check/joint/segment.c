/* SPDX-License-Identifier: MIT */
/* What a thread does between two visible actions. */
#include "check/joint/machine.h"
#include "check/notes/rules.h"

#include <string.h>

/* --- parts of edges --- */

void hd_joint_target(joint *j, thread *th, hd_edge_id edge, uint32_t i,
                     const val *v) {
  const hd_cedge *e = &j->code->edges.data[edge];
  if (i < e->n_targets)
    th->regs.data[top(th)->regs + hd_code_target(j->code, e, i)] = *v;
}

hd_type hd_joint_target_type(joint *j, thread *th, hd_edge_id edge,
                             uint32_t i) {
  const hd_cedge *e = &j->code->edges.data[edge];
  const hd_func *f = &j->code->funcs.data[top(th)->func];
  return j->code->regs.data[f->regs + hd_code_target(j->code, e, i)].type;
}

void hd_joint_return(joint *j, mach *m, uint32_t t, hd_edge_id edge,
                     const val *v) {
  thread *th = &m->threads.data[t];
  hd_joint_target(j, th, edge, 0, v);
  top(th)->loc = j->code->edges.data[edge].to;
}

val hd_joint_arg(joint *j, mach *m, uint32_t t, hd_edge_id edge, uint32_t i) {
  const hd_cedge *e = &j->code->edges.data[edge];
  if (i + 1 >= e->n_operands)
    return anything();
  return hd_joint_eval(j, m, t, hd_code_operand(j->code, e, 1 + i), edge);
}

/* The function that is called; HD_NO_ID: not known. */
hd_func_id hd_joint_callee(joint *j, mach *m, uint32_t t, hd_edge_id edge) {
  const hd_code *code = j->code;
  val f = hd_joint_eval(
      j, m, t, hd_code_operand(code, &code->edges.data[edge], 0), edge);
  if (f.kind != V_ADDRESS || f.a || f.base < code->globals.size ||
      f.base >= thread_base(code, 0))
    return HD_NO_ID;
  return (hd_func_id)(f.base - code->globals.size);
}

bool hd_joint_is_section(const hd_func *f) {
  return f->defined && hd_note_is_section(f->name);
}

bool hd_joint_ends_section(joint *j, mach *m, uint32_t t) {
  return m->section == t + 1 &&
         hd_joint_is_section(
             &j->code->funcs.data[top(&m->threads.data[t])->func]);
}

/* --- plain actions --- */

static void stop(joint *j, path p, hd_edge_id edge) {
  p.stop = edge;
  hd_joint_op_deeds(j, &p, j->t);
  hd_vec_push(&j->stops, p);
}

static void assign(joint *j, path *p, hd_edge_id edge) {
  const hd_cedge *e = &j->code->edges.data[edge];
  thread *th = &p->m.threads.data[j->t];
  val values[16];
  if (e->n_targets > 16)
    hd_joint_refuse(j, edge, "too many assignments at once");
  for (uint32_t i = 0; i < e->n_targets && !j->failed; i++)
    values[i] =
        hd_joint_eval(j, &p->m, j->t, hd_code_operand(j->code, e, i), edge);
  for (uint32_t i = 0; i < e->n_targets && !j->failed; i++)
    hd_joint_target(j, th, edge, i, &values[i]);
  top(th)->loc = e->to;
}

static void access_memory(joint *j, path *p, hd_edge_id edge) {
  const hd_cedge *e = &j->code->edges.data[edge];
  const hd_cexpr_id *args = &j->code->operands.data[e->operands];
  thread *th = &p->m.threads.data[j->t];
  bool write = e->act == HD_CODE_STORE;
  val at = hd_joint_eval(j, &p->m, j->t, args[0], edge);
  hd_type type = write ? j->code->exprs.data[args[1]].type
                       : hd_joint_target_type(j, th, edge, 0);
  uint32_t bytes = hd_type_bytes(type);
  uint64_t more = 0; /* bytes behind the first that it may begin at */
  if (at.kind == V_SPAN) {
    more = (uint64_t)at.b - at.a;
    at = address(at.base, at.a);
  }
  if (!hd_joint_there(j, &p->m, &at, bytes + more, write, edge))
    return;
  hd_joint_deed(j, p, at.base, at.a, at.a + bytes + more, write, false, edge);
  if (write && more) {
    hd_joint_fill(&p->m, &at, &(val){0}, bytes + more);
  } else if (write) {
    val v = hd_joint_eval(j, &p->m, j->t, args[1], edge);
    v = hd_joint_stored(type, &v);
    hd_joint_write(&p->m, at.base, at.a, bytes, &v);
  } else if (more) {
    hd_joint_target(j, th, edge, 0, &(val){0});
  } else {
    val v = hd_joint_read(j, &p->m, at.base, at.a, bytes);
    v = hd_joint_loaded(type, &v);
    hd_joint_target(j, th, edge, 0, &v);
  }
  top(th)->loc = e->to;
}

static const hd_func *caller_of(joint *j, mach *m) {
  return &j->code->funcs.data[top(&m->threads.data[j->t])->func];
}

static void call_defined(joint *j, path *p, hd_edge_id edge, hd_func_id func) {
  const hd_cedge *e = &j->code->edges.data[edge];
  const hd_func *f = &j->code->funcs.data[func];
  val args[32];
  if (f->n_params > 32 ||
      !hd_note_call_fits(j->code, caller_of(j, &p->m), e, f)) {
    hd_joint_refuse(j, edge, "a call that does not fit its function");
    return;
  }
  for (uint32_t i = 0; i < f->n_params; i++)
    args[i] = hd_joint_arg(j, &p->m, j->t, edge, i);
  hd_joint_push(j, &p->m, j->t, func, edge);
  thread *th = &p->m.threads.data[j->t];
  for (uint32_t i = 0; i < f->n_params; i++)
    th->regs.data[top(th)->regs + i] = args[i];
}

/* Room on the stack, for as long as its frame. */
static void make_room(joint *j, path *p, hd_edge_id edge) {
  enum { LARGEST = 1 << 20 };
  const hd_cedge *e = &j->code->edges.data[edge];
  thread *th = &p->m.threads.data[j->t];
  val n = hd_joint_eval(j, &p->m, j->t, hd_code_operand(j->code, e, 0), edge);
  if (n.kind != V_NUMBER || !n.a || n.a > LARGEST) {
    hd_joint_refuse(j, edge, "an array of a size that is not known");
    return;
  }
  made o = {
      .kind = O_ALLOCA, .index = hd_joint_stacked(&p->m, j->t), .size = n.a};
  val at = address(hd_joint_make(j, &p->m, j->t, o), 0);
  th = &p->m.threads.data[j->t];
  hd_joint_target(j, th, edge, 0, &at);
  top(th)->loc = e->to;
}

bool hd_joint_call_handler(joint *j, path *p, hd_edge_id edge) {
  mach *m = &p->m;
  thread *th = &m->threads.data[j->t];
  bool again = m->ending == j->t + 1 && m->ending_depth == th->frames.size;
  if (m->ending && !again)
    hd_joint_refuse(j, edge, "the program ends twice");
  if (!m->handlers.size || j->failed)
    return false;
  m->ending = j->t + 1;
  m->ending_depth = (uint32_t)th->frames.size;
  hd_func_id func = hd_vec_pop(&m->handlers);
  hd_joint_push(j, m, j->t, func, edge);
  return true;
}

/* Main's variables end before the handlers are called. */
static void end_main(joint *j, path *p, hd_edge_id edge) {
  hd_joint_unstack(j, p, 0, 0, edge);
  for (size_t i = 0; i < p->m.threads.data[0].slots.size; i++)
    hd_joint_end(j, p, 0, p->m.threads.data[0].slots.data[i], edge);
}

/* Main returns, and the program ends: nobody may be using its variables. */
static void leave_program(joint *j, path p, hd_edge_id edge) {
  hd_joint_unstack(j, &p, 0, 0, edge);
  for (size_t i = 0; i < p.m.threads.data[0].slots.size; i++) {
    uint32_t base = p.m.threads.data[0].slots.data[i];
    hd_joint_deed(j, &p, base, 0, hd_joint_size(j, &p.m, base), true, false,
                  edge);
  }
  p.left = true;
  stop(j, p, edge);
}

/* The last frame ends, and the thread with it. An int, as the result of a thread of
 * C11, may be asked for as a pointer: as such glibc keeps it. */
static void leave_thread(joint *j, path p, hd_edge_id edge, uint32_t operand) {
  const hd_cedge *e = &j->code->edges.data[edge];
  uint32_t t = j->t;
  val result = anything();
  if (operand < e->n_operands) {
    hd_cexpr_id x = j->code->operands.data[e->operands + operand];
    result = hd_joint_eval(j, &p.m, t, x, edge);
    if (result.kind == V_NUMBER)
      result.a =
          (uint64_t)hd_word_signed(result.a, j->code->exprs.data[x].type.width);
  }
  if (p.m.threads.data[t].once.base != HD_NO_ID || p.m.ending == t + 1)
    hd_joint_refuse(j, edge, "a thread ends in what is called once");
  p.m.threads.data[t].result = result;
  while (p.m.threads.data[t].frames.size)
    hd_joint_pop(j, &p, t, edge);
  for (uint32_t i = 0; i < p.m.threads.data[t].made.size; i++)
    if (p.m.threads.data[t].made.data[i].kind == O_LOCAL)
      hd_joint_end(j, &p, t, hd_joint_first_made(j->code) + t * OBJECTS + i,
                   edge);
  p.left = true;
  stop(j, p, edge);
}

/* Is the routine of the top frame called once, and has no other results? */
static bool calls_once(joint *j, path *p, hd_edge_id call) {
  thread *th = &p->m.threads.data[j->t];
  th->frames.size--;
  hd_func_id func = hd_joint_callee(j, &p->m, j->t, call);
  th->frames.size++;
  return func != HD_NO_ID && j->known[func].action == HD_NOTE_ONCE;
}

/* False: the path has been taken over. */
static bool give_back(joint *j, path *p, hd_edge_id edge) {
  const hd_cedge *e = &j->code->edges.data[edge];
  thread *th = &p->m.threads.data[j->t];
  val results[16];
  if (e->n_operands > 16) {
    hd_joint_refuse(j, edge, "too many results at once");
    return true;
  }
  for (uint32_t i = 0; i < e->n_operands; i++)
    results[i] =
        hd_joint_eval(j, &p->m, j->t, hd_code_operand(j->code, e, i), edge);
  if (th->frames.size == 1 && !j->t) {
    if (p->m.handlers.size && !p->m.ending)
      end_main(j, p, edge);
    if (hd_joint_call_handler(j, p, edge))
      return true;
    leave_program(j, *p, edge);
    return false;
  }
  if (p->m.ending == j->t + 1 &&
      p->m.ending_depth + 1 == th->frames.size) { /* of a handler */
    hd_joint_pop(j, p, j->t, edge);
    return true;
  }
  if (th->frames.size == 1) {
    leave_thread(j, *p, edge, 0);
    return false;
  }
  if (hd_joint_ends_section(j, &p->m, j->t)) {
    stop(j, *p, edge); /* comes here again behind it */
    return false;
  }
  hd_edge_id call = top(th)->call;
  bool once = calls_once(j, p, call);
  if (once && th->once.base != HD_NO_ID) {
    stop(j, *p, edge); /* likewise */
    return false;
  }
  if (once) {
    val zero = number(0);
    th->frames.size--;
    hd_joint_target(j, th, call, 0, &zero);
    th->frames.size++;
  }
  /* Where a result is an address of the frame it is dropped with the frame. */
  const hd_cedge *c = &j->code->edges.data[call];
  uint32_t below = th->frames.data[th->frames.size - 2].regs;
  for (uint32_t i = 0; !once && i < e->n_operands && i < c->n_targets; i++)
    th->regs.data[below + hd_code_target(j->code, c, i)] = results[i];
  hd_joint_pop(j, p, j->t, edge);
  top(&p->m.threads.data[j->t])->loc = c->to;
  return true;
}

/* False: the path has been taken over. */
static bool call(joint *j, path *p, hd_edge_id edge) {
  hd_func_id func = hd_joint_callee(j, &p->m, j->t, edge);
  if (func == HD_NO_ID) {
    hd_joint_refuse(j, edge, "which function is called is not known");
    return true;
  }
  const hd_cedge *e = &j->code->edges.data[edge];
  const hd_func *f = &j->code->funcs.data[func];
  hd_note_call known = j->known[func];
  if (f->defined && known.action != HD_NOTE_FAIL) {
    if (hd_joint_is_section(f) && p->m.section != j->t + 1 &&
        hd_note_call_fits(j->code, caller_of(j, &p->m), e, f)) {
      stop(j, *p, edge);
      return false;
    }
    if (hd_joint_is_section(f)) {
      hd_joint_refuse(j, edge,
                      "an atomic section in another one, or a call "
                      "that does not fit it");
      return true;
    }
    call_defined(j, p, edge, func);
    return true;
  }
  if (known.action == HD_NOTE_QUIT && hd_joint_call_handler(j, p, edge))
    return true;
  if (known.action == HD_NOTE_LEAVE) {
    leave_thread(j, *p, edge, 1);
    return false;
  }
  if (hd_joint_is_local(known.action))
    hd_joint_local(j, *p, edge, known, f->name);
  else
    stop(j, *p, edge);
  return false;
}

/* One action where there is one edge. False: the path has been taken over. */
static bool act(joint *j, path *p, hd_edge_id edge) {
  const hd_cedge *e = &j->code->edges.data[edge];
  switch ((hd_code_act)e->act) {
  case HD_CODE_STEP:
    assign(j, p, edge);
    return true;
  case HD_CODE_LOAD:
  case HD_CODE_STORE:
    if (e->order == HD_ORDER_NONE) {
      access_memory(j, p, edge);
      return true;
    }
    stop(j, *p, edge);
    return false;
  case HD_CODE_RMW:
  case HD_CODE_CMPXCHG:
    stop(j, *p, edge);
    return false;
  case HD_CODE_FENCE:
    top(&p->m.threads.data[j->t])->loc = e->to;
    return true;
  case HD_CODE_CALL:
    return call(j, p, edge);
  case HD_CODE_RETURN:
    return give_back(j, p, edge);
  case HD_CODE_ALLOCA:
    make_room(j, p, edge);
    return true;
  case HD_CODE_UNREACHABLE:
  case HD_CODE_UNSUPPORTED:
    break;
  }
  hd_joint_refuse(j, edge, "an action that is not followed");
  return true;
}

static bool is_enabled(joint *j, path *p, hd_edge_id edge) {
  const hd_cedge *e = &j->code->edges.data[edge];
  if (e->act != HD_CODE_STEP || e->guard == HD_NO_ID)
    return true;
  val v = hd_joint_eval(j, &p->m, j->t, e->guard, edge);
  return hd_joint_may(&v, true);
}

static void take(joint *j, path *p, hd_edge_id edge) {
  const hd_cedge *e = &j->code->edges.data[edge];
  if (e->act == HD_CODE_STEP && e->guard != HD_NO_ID)
    hd_joint_refine(j, &p->m, j->t, e->guard, true, edge);
}

static path fork_path(const path *p) {
  path out = *p;
  out.m = hd_joint_copy(&p->m);
  memset(&out.deeds, 0, sizeof out.deeds);
  for (hd_vec_each(const deed, d, &p->deeds))
    hd_vec_push(&out.deeds, *d);
  return out;
}

/* Is it where it was some steps ago? What was there is noted less and less often. */
static bool goes_round(joint *j, const path *p, hd_loc_id at) {
  enum { FIRST = 256 };
  if (p->steps < FIRST)
    return false;
  bool note = !(p->steps & (p->steps - 1));
  if (note || at == j->round_at) {
    hd_bytes text = {0};
    hd_joint_encode(&text, &p->m);
    bool same = !note && text.size == j->round.size &&
                memcmp(text.data, j->round.data, text.size) == 0;
    if (note) {
      hd_vec_free(&j->round);
      j->round = text;
      j->round_at = at;
      return false;
    }
    hd_vec_free(&text);
    return same;
  }
  return false;
}

/* The edges that may be taken. */
static uint32_t find_enabled(joint *j, path *p, hd_loc_id at,
                             hd_edge_id *enabled, uint32_t most) {
  const hd_code *code = j->code;
  uint32_t n = 0;
  for (uint32_t i = code->out_start[at]; i < code->out_start[at + 1]; i++) {
    if (j->failed || !is_enabled(j, p, code->out[i]))
      continue;
    if (n == most)
      hd_joint_refuse(j, code->out[i], "too many ways at once");
    else
      enabled[n++] = code->out[i];
  }
  if (!n)
    hd_joint_refuse(j, code->out[code->out_start[at]], "there is no way on");
  return n;
}

/* --- values that have to be told apart --- */

/* A register in the expression that has few values; HD_NO_ID: none. */
static uint32_t few_in(joint *j, thread *th, hd_cexpr_id id) {
  enum { FEW = 256 };
  const hd_cexpr *e = &j->code->exprs.data[id];
  if (e->op == HD_CODE_REG) {
    const val *v = &th->regs.data[top(th)->regs + e->value];
    if (v->kind == V_RANGE && (uint64_t)v->b - v->a < FEW)
      return (uint32_t)e->value;
  }
  for (int i = 0; i < hd_code_op_arity((hd_code_op)e->op); i++) {
    uint32_t r = few_in(j, th, e->args[i]);
    if (r != HD_NO_ID)
      return r;
  }
  return HD_NO_ID;
}

/* Where a pointer may be one of several, it is by a register with few values. */
static uint32_t undecided(joint *j, path *p, hd_edge_id edge) {
  const hd_cedge *e = &j->code->edges.data[edge];
  thread *th = &p->m.threads.data[j->t];
  for (uint32_t i = 0; i < e->n_operands; i++) {
    hd_cexpr_id x = hd_code_operand(j->code, e, i);
    const hd_cexpr *what = &j->code->exprs.data[x];
    if (what->type.kind != HD_TYPE_PTR || what->op == HD_CODE_REG ||
        hd_code_op_arity((hd_code_op)what->op) == 0)
      continue;
    uint32_t r = few_in(j, th, x);
    if (r != HD_NO_ID)
      return r;
  }
  return HD_NO_ID;
}

/* Goes on with each value of the register. */
static void split(joint *j, path p, uint32_t reg) {
  thread *th = &p.m.threads.data[j->t];
  const hd_func *f = &j->code->funcs.data[top(th)->func];
  uint32_t at = top(th)->regs + reg;
  val v = th->regs.data[at];
  uint64_t mask = hd_word_mask(j->code->regs.data[f->regs + reg].type.width);
  for (int64_t x = (int64_t)v.a; x <= v.b; x++) {
    path one = fork_path(&p);
    one.m.threads.data[j->t].regs.data[at] = number((uint64_t)x & mask);
    hd_vec_push(&j->todo, one);
  }
  hd_joint_path_free(&p);
}

/* Goes on until the next visible action. Who goes round for ever comes to none. */
static void follow(joint *j, path p) {
  enum { MOST = 64 };
  while (!j->failed) {
    hd_loc_id at = top(&p.m.threads.data[j->t])->loc;
    hd_edge_id enabled[MOST];
    j->seen[at] = 1;
    j->steps++;
    if (p.steps++ > SEGMENT)
      hd_joint_refuse(j, j->code->out[j->code->out_start[at]],
                      "a loop in which nothing visible happens");
    if (!hd_run_spend(j->run, 1))
      hd_joint_refuse(j, HD_NO_ID, hd_run_why(j->run));
    uint32_t n = find_enabled(j, &p, at, enabled, MOST);
    if (j->failed)
      break;
    if (n == 1 && goes_round(j, &p, at)) {
      p.over = p.endless = true;
      hd_vec_push(&j->stops, p);
      return;
    }
    uint32_t several = n == 1 ? undecided(j, &p, enabled[0]) : HD_NO_ID;
    if (several != HD_NO_ID) {
      split(j, p, several);
      return;
    }
    for (uint32_t i = 1; i < n; i++) {
      path other = fork_path(&p);
      take(j, &other, enabled[i]);
      if (act(j, &other, enabled[i]))
        hd_vec_push(&j->todo, other);
    }
    if (n > 1)
      take(j, &p, enabled[0]);
    if (!act(j, &p, enabled[0]))
      return;
  }
  hd_joint_path_free(&p);
}

/* What the last visible action has left to be written. */
static void write_late(joint *j, path *p) {
  thread *th = &p->m.threads.data[j->t];
  uint32_t bytes = th->late;
  if (!bytes)
    return;
  hd_edge_id edge = j->code->out[j->code->out_start[top(th)->loc]];
  val at = address(th->late_at.base, th->late_at.offset);
  th->late = 0;
  if (!hd_joint_there(j, &p->m, &at, bytes, true, edge))
    return;
  hd_joint_deed(j, p, at.base, at.a, at.a + bytes, true, false, edge);
  hd_joint_write(&p->m, at.base, at.a, bytes, &th->late_value);
  th->late_value = anything();
}

void hd_joint_segment(joint *j, const mach *m, uint32_t t) {
  path p = {.m = hd_joint_copy(m), .stop = HD_NO_ID};
  thread *th = &p.m.threads.data[t];
  j->t = t;
  if (th->status != T_RUN) { /* it waits: nothing before that */
    hd_joint_op_deeds(j, &p, t);
    hd_vec_push(&j->stops, p);
    return;
  }
  hd_vec_clear(&j->round);
  j->round_at = HD_NO_ID;
  write_late(j, &p);
  hd_vec_push(&j->todo, p);
  while (j->todo.size) {
    path next = hd_vec_pop(&j->todo);
    if (j->failed)
      hd_joint_path_free(&next);
    else
      follow(j, next);
  }
}
