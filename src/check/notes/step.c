/* SPDX-License-Identifier: MIT */
/* One action of one thread. */
#include "check/notes/state.h"

#include "model/eval.h"

#include <string.h>

/* --- expressions --- */

static value leaf(walk *w, const state *s, const hd_cexpr *e) {
  switch ((hd_code_op)e->op) {
  case HD_CODE_INT:
    return hd_note_number(e->value);
  case HD_CODE_NULL:
    return hd_note_number(0);
  case HD_CODE_REG:
    return top(s)->regs[e->value];
  case HD_CODE_GLOBAL:
    if (w->code->globals.data[e->value].thread_local)
      return hd_note_any(); /* one name, many objects */
  /* fallthrough */
  case HD_CODE_FUNC:
    return hd_note_address(
        object_of(w->notes,
                  (object){e->op == HD_CODE_FUNC ? OBJ_FUNC : OBJ_GLOBAL,
                           (uint32_t)e->value, 0, 0}),
        0);
  case HD_CODE_SLOT:
    return hd_note_address(
        object_of(w->notes, (object){OBJ_SLOT, (uint32_t)e->value, s->thread,
                                     top(s)->stack}),
        0);
  default:
    return hd_note_any();
  }
}

/* Pointers that leave their object are not followed any further. */
static value stay(const walk *w, value v) {
  if (v.kind == HD_NOTE_SPAN &&
      (v.lo < 0 || (uint64_t)v.hi > object_size(w->notes, v.base)))
    return hd_note_any();
  for (int i = 0; v.kind == HD_NOTE_SET && i < v.n; i++)
    if (v.elems[i].base != HD_NO_ID &&
        v.elems[i].bits > object_size(w->notes, v.elems[i].base))
      return hd_note_any();
  return v;
}

value eval(walk *w, const state *s, hd_cexpr_id id) {
  const hd_cexpr *e = &w->code->exprs.data[id];
  if (hd_code_op_arity((hd_code_op)e->op) == 0)
    return leaf(w, s, e);
  value a = eval(w, s, e->args[0]);
  if (e->op == HD_CODE_SELECT) {
    value b = eval(w, s, e->args[1]), c = eval(w, s, e->args[2]);
    bool yes = hd_note_may(&a, 1), no = hd_note_may(&a, 0);
    return yes && no ? hd_note_join(e->type.width, &b, &c)
           : yes     ? b
           : no      ? c
                     : hd_note_none();
  }
  value b = hd_note_number(0);
  if (e->args[1] != HD_NO_ID)
    b = eval(w, s, e->args[1]);
  bool bad = false;
  value v =
      hd_note_apply(e, w->code->exprs.data[e->args[0]].type, &a, &b, &bad);
  if (bad)
    give_up(w, "an operation that may have no value, in %s",
            w->code->funcs.data[top(s)->func].name);
  return stay(w, v);
}

/* --- conditions --- */

static bool may_be(const value *v, bool truth) {
  if (v->kind == HD_NOTE_RANGE)
    return truth || (v->lo <= 0 && v->hi >= 0);
  if (v->kind == HD_NOTE_ANY)
    return true;
  if (v->kind == HD_NOTE_SPAN)
    return truth;
  for (int i = 0; i < v->n; i++)
    if ((v->elems[i].base != HD_NO_ID || v->elems[i].bits != 0) == truth)
      return true;
  return false;
}

static void registers_in(const hd_code *code, hd_cexpr_id id, hd_u32s *out) {
  const hd_cexpr *e = &code->exprs.data[id];
  if (e->op == HD_CODE_REG) {
    for (hd_vec_each(const uint32_t, r, out))
      if (*r == e->value)
        return;
    hd_vec_push(out, (uint32_t)e->value);
  }
  for (int i = 0; i < hd_code_op_arity((hd_code_op)e->op); i++)
    registers_in(code, e->args[i], out);
}

/* Of a register with few values those stay with which the condition may hold. */
static void sift(walk *w, state *s, hd_cexpr_id id, bool truth, uint32_t reg) {
  value *slot = &top(s)->regs[reg], all = *slot, kept = hd_note_none();
  if (all.kind != HD_NOTE_SET || all.n < 2)
    return;
  for (int i = 0; i < all.n; i++) {
    *slot = hd_note_address(all.elems[i].base, all.elems[i].bits);
    value v = eval(w, s, id);
    if (may_be(&v, truth))
      kept.elems[kept.n++] = all.elems[i];
  }
  *slot = kept;
}

static hd_code_op opposite(hd_code_op op) {
  switch (op) {
  case HD_CODE_SLT:
    return HD_CODE_SGE;
  case HD_CODE_SGE:
    return HD_CODE_SLT;
  case HD_CODE_SGT:
    return HD_CODE_SLE;
  case HD_CODE_SLE:
    return HD_CODE_SGT;
  case HD_CODE_ULT:
    return HD_CODE_UGE;
  case HD_CODE_UGE:
    return HD_CODE_ULT;
  case HD_CODE_UGT:
    return HD_CODE_ULE;
  case HD_CODE_ULE:
    return HD_CODE_UGT;
  case HD_CODE_EQ:
    return HD_CODE_NE;
  default:
    return HD_CODE_EQ;
  }
}

static hd_code_op mirrored(hd_code_op op) {
  switch (op) {
  case HD_CODE_SLT:
    return HD_CODE_SGT;
  case HD_CODE_SGT:
    return HD_CODE_SLT;
  case HD_CODE_SLE:
    return HD_CODE_SGE;
  case HD_CODE_SGE:
    return HD_CODE_SLE;
  case HD_CODE_ULT:
    return HD_CODE_UGT;
  case HD_CODE_UGT:
    return HD_CODE_ULT;
  case HD_CODE_ULE:
    return HD_CODE_UGE;
  case HD_CODE_UGE:
    return HD_CODE_ULE;
  default:
    return op;
  }
}

/* reg OP x holds: what is left of an interval. Unsigned comparisons with a number
 * below 2^(width-1) are as signed ones, for what is not negative. */
static value narrowed(hd_code_op op, uint8_t width, const value *v, int64_t lo,
                      int64_t hi) {
  int64_t least, most, a, b;
  hd_note_limits(width, &least, &most);
  bool known = hd_note_bounds(width, v, &a, &b);
  bool plain = known && a >= 0 && lo >= 0;
  switch (op) {
  case HD_CODE_EQ:
    return hd_note_cut(width, v, lo, hi);
  case HD_CODE_NE:
    if (lo != hi || !known)
      return *v;
    return a == lo   ? hd_note_cut(width, v, lo == most ? most : lo + 1, most)
           : b == lo ? hd_note_cut(width, v, least, lo == least ? lo : lo - 1)
                     : *v;
  case HD_CODE_ULT:
    if (!plain)
      return lo >= 0 && known && hi > 0 ? hd_note_cut(width, v, 0, hi - 1) : *v;
    return hi > least ? hd_note_cut(width, v, least, hi - 1) : hd_note_none();
  case HD_CODE_SLT:
    return hi > least ? hd_note_cut(width, v, least, hi - 1) : hd_note_none();
  case HD_CODE_ULE:
    if (!plain)
      return lo >= 0 && known ? hd_note_cut(width, v, 0, hi) : *v;
    return hd_note_cut(width, v, least, hi);
  case HD_CODE_SLE:
    return hd_note_cut(width, v, least, hi);
  case HD_CODE_UGT:
    if (!plain)
      return *v;
    return lo < most ? hd_note_cut(width, v, lo + 1, most) : hd_note_none();
  case HD_CODE_SGT:
    return lo < most ? hd_note_cut(width, v, lo + 1, most) : hd_note_none();
  case HD_CODE_UGE:
    return plain ? hd_note_cut(width, v, lo, most) : *v;
  case HD_CODE_SGE:
    return hd_note_cut(width, v, lo, most);
  default:
    return *v;
  }
}

static void narrow(walk *w, state *s, const hd_cexpr *e, hd_code_op op,
                   int side) {
  const hd_cexpr *r = &w->code->exprs.data[e->args[side]];
  int64_t lo, hi;
  if (r->op != HD_CODE_REG || r->type.kind != HD_TYPE_INT ||
      top(s)->regs[r->value].kind != HD_NOTE_RANGE)
    return;
  value other = eval(w, s, e->args[1 - side]);
  if (!hd_note_bounds(r->type.width, &other, &lo, &hi))
    return;
  top(s)->regs[r->value] = narrowed(side ? mirrored(op) : op, r->type.width,
                                    &top(s)->regs[r->value], lo, hi);
}

void refine(walk *w, state *s, hd_cexpr_id id, bool truth) {
  const hd_cexpr *e = &w->code->exprs.data[id];
  hd_u32s regs = {0};
  registers_in(w->code, id, &regs);
  for (hd_vec_each(const uint32_t, r, &regs))
    sift(w, s, id, truth, *r);
  hd_vec_free(&regs);
  if (e->op == HD_CODE_ZEXT || e->op == HD_CODE_SEXT) {
    refine(w, s, e->args[0], truth);
  } else if (e->op == HD_CODE_XOR && e->type.width == 1) {
    const hd_cexpr *b = &w->code->exprs.data[e->args[1]];
    if (b->op == HD_CODE_INT)
      refine(w, s, e->args[0], truth != (b->value & 1));
  } else if (e->type.width == 1 && ((e->op == HD_CODE_AND && truth) ||
                                    (e->op == HD_CODE_OR && !truth))) {
    refine(w, s, e->args[0], truth);
    refine(w, s, e->args[1], truth);
  } else if (hd_code_compares((hd_code_op)e->op)) {
    hd_code_op op = (hd_code_op)e->op;
    const hd_cexpr *b = &w->code->exprs.data[e->args[1]];
    if ((op == HD_CODE_NE || op == HD_CODE_EQ) && b->op == HD_CODE_INT &&
        !b->value && w->code->exprs.data[e->args[0]].op == HD_CODE_ZEXT)
      refine(w, s, e->args[0], truth == (op == HD_CODE_NE));
    op = truth ? op : opposite(op);
    narrow(w, s, e, op, 0);
    narrow(w, s, e, op, 1);
  }
}

/* --- actions --- */

static void set_target(walk *w, state *s, const hd_cedge *e, uint32_t i,
                       const value *v) {
  if (i < e->n_targets)
    top(s)->regs[w->code->targets.data[e->targets + i]] = *v;
}

static hd_type target_type(const walk *w, const state *s, const hd_cedge *e) {
  const hd_func *f = &w->code->funcs.data[top(s)->func];
  return w->code->regs.data[f->regs + w->code->targets.data[e->targets]].type;
}

static void later(walk *w, state s) {
  hd_vec_push(&w->todo, s);
}

void go_on(walk *w, state s, hd_edge_id edge, value result) {
  const hd_cedge *e = &w->code->edges.data[edge];
  set_target(w, &s, e, 0, &result);
  top(&s)->loc = e->to;
  later(w, s);
}

/* The bits of a cell as a value of the type. */
static value loaded(hd_type type, const value *v) {
  value out = *v;
  if (type.width == 8 * hd_type_bytes(type) || v->kind == HD_NOTE_ANY)
    return out;
  if (v->kind == HD_NOTE_SPAN)
    return hd_note_any();
  if (v->kind == HD_NOTE_RANGE)
    return hd_note_full(type);
  out = hd_note_none();
  for (int i = 0; i < v->n; i++) {
    hd_note_elem x = v->elems[i];
    value one = x.base == HD_NO_ID
                    ? hd_note_number(x.bits & hd_word_mask(type.width))
                    : hd_note_any();
    out = hd_note_join(type.width, &out, &one);
  }
  return out;
}

/* … and the other way round: higher bits of the last byte are zero. */
static value stored(hd_type type, const value *v) {
  if (v->kind != HD_NOTE_SET && type.width != 8 * hd_type_bytes(type))
    return hd_note_any();
  return *v;
}

static value combined(walk *w, const hd_cedge *e, hd_type type,
                      const value *old, const value *v) {
  static const hd_code_op ops[] = {
      [HD_RMW_ADD] = HD_CODE_ADD,   [HD_RMW_SUB] = HD_CODE_SUB,
      [HD_RMW_AND] = HD_CODE_AND,   [HD_RMW_OR] = HD_CODE_OR,
      [HD_RMW_XOR] = HD_CODE_XOR,   [HD_RMW_MAX] = HD_CODE_SMAX,
      [HD_RMW_MIN] = HD_CODE_SMIN,  [HD_RMW_UMAX] = HD_CODE_UMAX,
      [HD_RMW_UMIN] = HD_CODE_UMIN, [HD_RMW_FADD] = HD_CODE_FADD,
      [HD_RMW_FSUB] = HD_CODE_FSUB};
  (void)w;
  if (e->rmw == HD_RMW_XCHG)
    return *v;
  if (e->rmw == HD_RMW_NAND)
    return hd_note_full(type);
  hd_cexpr x = {.op = (uint8_t)ops[e->rmw], .type = type};
  bool bad = false;
  return hd_note_apply(&x, type, old, v, &bad);
}

static void exchange(walk *w, state s, hd_edge_id edge, hd_type type,
                     const value *address, const value *old) {
  const hd_cedge *e = &w->code->edges.data[edge];
  value expected = eval(w, &s, w->code->operands.data[e->operands + 1]);
  value new = eval(w, &s, w->code->operands.data[e->operands + 2]);
  value yes = hd_note_number(1), no = hd_note_number(0);
  hd_cexpr x = {.op = HD_CODE_EQ, .type = {HD_TYPE_INT, 1}};
  bool bad = false;
  value equal = hd_note_apply(&x, type, old, &expected, &bad);
  value bits_old = stored(type, old);
  /* One that fails counts as a write, too, as it does for the machine. */
  state other = state_copy(w->code, &s);
  store(w, &other, address, hd_type_bytes(type), &bits_old, true, edge);
  set_target(w, &other, e, 1, &no);
  go_on(w, other, edge, *old);
  if (!hd_note_may(&equal, 1)) {
    state_free(&s);
    return;
  }
  value bits = stored(type, &new);
  store(w, &s, address, hd_type_bytes(type), &bits, true, edge);
  set_target(w, &s, e, 1, &yes);
  go_on(w, s, edge, *old);
}

static void memory(walk *w, state s, hd_edge_id edge) {
  const hd_cedge *e = &w->code->edges.data[edge];
  const hd_cexpr_id *args = &w->code->operands.data[e->operands];
  value address = eval(w, &s, args[0]);
  bool atomic = e->order != HD_ORDER_NONE;
  hd_type type = e->act == HD_CODE_STORE ? w->code->exprs.data[args[1]].type
                                         : target_type(w, &s, e);
  uint32_t bytes = hd_type_bytes(type);
  if (e->act == HD_CODE_STORE) {
    value v = eval(w, &s, args[1]);
    v = stored(type, &v);
    if (!hd_note_empty(&v))
      store(w, &s, &address, bytes, &v, atomic, edge);
    top(&s)->loc = e->to;
    later(w, s);
    return;
  }
  value old = load(w, &s, &address, bytes, atomic, edge);
  old = loaded(type, &old);
  if (e->act != HD_CODE_LOAD) {
    /* It writes as well, even if nothing changes. */
    value v = e->act == HD_CODE_RMW ? eval(w, &s, args[1]) : old;
    if (e->act == HD_CODE_CMPXCHG) {
      exchange(w, s, edge, type, &address, &old);
      return;
    }
    v = combined(w, e, type, &old, &v);
    v = stored(type, &v);
    if (!hd_note_empty(&v))
      store(w, &s, &address, bytes, &v, true, edge);
  }
  if (hd_note_empty(&old)) {
    state_free(&s); /* nothing was ever written there, as far as is known */
    return;
  }
  go_on(w, s, edge, old);
}

static void assign(walk *w, state s, const hd_cedge *e) {
  value values[16];
  if (e->n_targets > 16) {
    give_up(w, "too many assignments at once");
    state_free(&s);
    return;
  }
  if (e->guard != HD_NO_ID) {
    value holds = eval(w, &s, e->guard);
    if (!hd_note_may(&holds, 1)) {
      state_free(&s);
      return;
    }
    refine(w, &s, e->guard, true);
  }
  bool empty = false;
  for (uint32_t i = 0; i < e->n_targets; i++) {
    values[i] = eval(w, &s, w->code->operands.data[e->operands + i]);
    empty = empty || hd_note_empty(&values[i]);
  }
  if (empty) {
    state_free(&s);
    return;
  }
  for (uint32_t i = 0; i < e->n_targets; i++)
    set_target(w, &s, e, i, &values[i]);
  top(&s)->loc = e->to;
  later(w, s);
}

/* A function that is an atomic section. */
static bool is_section(const hd_func *f) {
  return strncmp(f->name, "__VERIFIER_atomic_", 18) == 0;
}

static void call_defined(walk *w, state s, hd_edge_id edge, hd_func_id func) {
  const hd_cedge *e = &w->code->edges.data[edge];
  const hd_func *f = &w->code->funcs.data[func];
  bool again = s.frames.size >= DEPTH;
  for (hd_vec_each(const frame, x, &s.frames))
    again = again || x->func == func;
  if (again || f->variadic || e->n_operands - 1 != f->n_params) {
    give_up_at(w, edge, "a call that is not followed");
    state_free(&s);
    return;
  }
  value *args = hd_calloc(f->n_params + 1, sizeof *args);
  for (uint32_t i = 0; i < f->n_params; i++)
    args[i] = eval(w, &s, w->code->operands.data[e->operands + 1 + i]);
  frame_push(w->notes, &s, func, edge);
  for (uint32_t i = 0; i < f->n_params; i++)
    top(&s)->regs[i] = args[i];
  hd_free(args);
  if (is_section(f))
    take(w, &s, ATOMIC, false, edge);
  later(w, s);
}

static void call(walk *w, state s, hd_edge_id edge) {
  const hd_cedge *e = &w->code->edges.data[edge];
  value callee = eval(w, &s, w->code->operands.data[e->operands]);
  hd_note_elem one;
  if (!hd_note_single(&callee, &one) || one.base == HD_NO_ID || one.bits ||
      w->notes->objects.data[one.base].kind != OBJ_FUNC) {
    give_up_at(w, edge, "a call of one of several functions");
    state_free(&s);
    return;
  }
  hd_func_id func = w->notes->objects.data[one.base].index;
  const hd_func *f = &w->code->funcs.data[func];
  hd_library_fn fn = hd_library_find(f->name);
  if (fn == HD_LIB_reach_error || fn == HD_LIB___VERIFIER_error || !f->defined)
    call_library(w, s, edge, fn, f->name);
  else
    call_defined(w, s, edge, func);
}

static void leave(walk *w, state s, const hd_cedge *e, hd_edge_id edge) {
  value results[16];
  uint32_t n = e->n_operands < 16 ? e->n_operands : 16;
  for (uint32_t i = 0; i < n; i++)
    results[i] = eval(w, &s, w->code->operands.data[e->operands + i]);
  if (s.frames.size == 1) {
    if (s.thread) /* main's return ends the program */
      finish(w, &s, edge);
    state_free(&s);
    return;
  }
  hd_edge_id back = top(&s)->call;
  if (is_section(&w->code->funcs.data[top(&s)->func]))
    give(w, &s, ATOMIC);
  frame_pop(w->notes, &s);
  const hd_cedge *c = &w->code->edges.data[back];
  for (uint32_t i = 0; i < n; i++)
    set_target(w, &s, c, i, &results[i]);
  top(&s)->loc = c->to;
  later(w, s);
}

static void act(walk *w, state s, hd_edge_id edge) {
  const hd_cedge *e = &w->code->edges.data[edge];
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
  give_up_at(w, edge, "an action that annotations do not speak of");
  state_free(&s);
}

void step(walk *w, state s) {
  hd_loc_id at = top(&s)->loc;
  for (uint32_t i = w->code->out_start[at]; i < w->code->out_start[at + 1]; i++)
    if (!w->failed)
      act(w, state_copy(w->code, &s), w->code->out[i]);
  state_free(&s);
}
