/* SPDX-License-Identifier: MIT */
/* What is known of values where a place of a function is specialised: constants,
 * pointers to a known place, functions. */
#include "engine/weave/weave_impl.h"

#include "model/eval.h"

static const weave_known unknown = {.kind = WEAVE_UNKNOWN};

static weave_known number(uint64_t bits) {
  return (weave_known){.kind = WEAVE_NUMBER, .bits = bits};
}

weave_known hd_weave_value_in(const weave_program *p, const weave_tuple *t,
                              uint32_t var) {
  for (uint32_t i = 0; t && i < p->small.size; i++)
    if (p->small.data[i] == var && t->known >> i & 1)
      return number(t->value[i]);
  return unknown;
}

/* Where expressions are looked at. */
typedef struct {
  const weave_program *p;
  uint32_t frame;
  const weave_known *env;
  const weave_tuple *t; /* may be NULL */
} folder;

static weave_known leaf(const folder *c, const hd_cexpr *e) {
  const weave_program *p = c->p;
  uint32_t frame = c->frame;
  switch ((hd_code_op)e->op) {
  case HD_CODE_INT:
    return e->type.kind == HD_TYPE_INT ? number(e->value) : unknown;
  case HD_CODE_NULL:
    return number(0);
  case HD_CODE_REG:
    if (c->env && c->env[e->value].kind != WEAVE_UNKNOWN)
      return c->env[e->value];
    return hd_weave_value_in(p, c->t, hd_weave_reg(p, frame, e->value));
  case HD_CODE_GLOBAL:
    return (weave_known){.kind = WEAVE_POINTER, .object = (uint32_t)e->value};
  case HD_CODE_SLOT:
    return (weave_known){.kind = WEAVE_POINTER,
                         .object = p->frames.data[frame].objects +
                                   (uint32_t)e->value};
  case HD_CODE_FUNC:
    return (weave_known){.kind = WEAVE_FUNC, .object = (uint32_t)e->value};
  default:
    return unknown;
  }
}

static bool is_address(const weave_program *p, const weave_known *k) {
  return k->kind == WEAVE_FUNC || (k->kind == WEAVE_POINTER &&
                                   k->bits <= p->objects.data[k->object].size);
}

/* Pointers and null: are they the same? -1: who knows. */
static int same(const weave_program *p, const weave_known *a,
                const weave_known *b) {
  if (a->kind == WEAVE_POINTER && b->kind == WEAVE_POINTER &&
      a->object == b->object)
    return a->bits == b->bits;
  bool null = (a->kind == WEAVE_NUMBER && !a->bits && is_address(p, b)) ||
              (b->kind == WEAVE_NUMBER && !b->bits && is_address(p, a));
  return null ? 0 : -1;
}

static weave_known apply(const weave_program *p, const hd_cexpr *e,
                         const weave_known *a, const weave_known *b) {
  hd_code_op op = (hd_code_op)e->op;
  hd_type from = p->code->exprs.data[e->args[0]].type;
  bool binary = hd_code_op_arity(op) == 2;
  if (op == HD_CODE_PTRADD && a->kind == WEAVE_POINTER &&
      b->kind == WEAVE_NUMBER) {
    weave_known k = *a;
    k.bits += (uint64_t)hd_word_signed(
        b->bits, p->code->exprs.data[e->args[1]].type.width);
    return k;
  }
  bool keeps =
      op == HD_CODE_PTRTOINT || op == HD_CODE_INTTOPTR || op == HD_CODE_BITCAST;
  if (keeps && e->type.width == from.width && e->type.kind != HD_TYPE_FLOAT &&
      from.kind != HD_TYPE_FLOAT)
    return *a;
  if (op == HD_CODE_WITHIN)
    return a->kind == WEAVE_NUMBER && b->kind == WEAVE_NUMBER &&
                   a->bits < b->bits
               ? *a
               : unknown;
  if (binary && (op == HD_CODE_EQ || op == HD_CODE_NE) &&
      (a->kind != WEAVE_NUMBER || b->kind != WEAVE_NUMBER)) {
    int equal = same(p, a, b);
    return equal < 0 ? unknown : number((op == HD_CODE_EQ) == equal);
  }
  if (a->kind != WEAVE_NUMBER || (binary && b->kind != WEAVE_NUMBER) ||
      e->type.kind == HD_TYPE_FLOAT || from.kind == HD_TYPE_FLOAT)
    return unknown;
  hd_evaluated r =
      hd_evaluate_op(op, 0, e->type, from, a->bits, binary ? b->bits : 0);
  return r.flags ? unknown : number(r.bits);
}

static weave_known fold(const folder *c, hd_cexpr_id id) {
  const hd_cexpr *e = &c->p->code->exprs.data[id];
  int arity = hd_code_op_arity((hd_code_op)e->op);
  if (!arity)
    return leaf(c, e);
  weave_known a = fold(c, e->args[0]);
  if (e->op == HD_CODE_SELECT)
    return a.kind != WEAVE_NUMBER ? unknown
                                  : fold(c, e->args[a.bits & 1 ? 1 : 2]);
  weave_known b = arity > 1 ? fold(c, e->args[1]) : unknown;
  return arity > 2 ? unknown : apply(c->p, e, &a, &b);
}

weave_known hd_weave_fold(const weave_program *p, uint32_t frame,
                          const weave_known *env, hd_cexpr_id id) {
  const folder c = {p, frame, env, NULL};
  return fold(&c, id);
}

weave_known hd_weave_fold_in(const weave_program *p, const weave_edge *e,
                             const weave_tuple *t, hd_cexpr_id id) {
  const folder c = {p, e->frame, e->env, t};
  return fold(&c, id);
}

/* --- addresses --- */

/* `index * stride` of an offset that is not known. */
static bool scaled(const weave_program *p, uint32_t frame,
                   const weave_known *env, hd_cexpr_id offset,
                   weave_places *out) {
  const hd_cexpr *e = &p->code->exprs.data[offset];
  out->index = offset;
  out->stride = 1;
  if (e->type.width != 64)
    return false;
  if (e->op == HD_CODE_MUL || e->op == HD_CODE_SHL) {
    weave_known by = hd_weave_fold(p, frame, env, e->args[1]);
    if (by.kind != WEAVE_NUMBER || !by.bits ||
        by.bits > (e->op == HD_CODE_SHL ? 16u : 1u << 16))
      return false;
    out->stride =
        e->op == HD_CODE_SHL ? (int64_t)1 << by.bits : (int64_t)by.bits;
    out->index = e->args[0];
  }
  return true;
}

bool hd_weave_places(const weave_program *p, uint32_t frame,
                     const weave_known *env, hd_cexpr_id address,
                     uint64_t bytes, weave_places *out) {
  *out = (weave_places){.index = HD_NO_ID};
  uint64_t offset = 0;
  weave_known at;
  for (;;) {
    at = hd_weave_fold(p, frame, env, address);
    const hd_cexpr *e = &p->code->exprs.data[address];
    if (at.kind == WEAVE_POINTER)
      break;
    if (at.kind != WEAVE_UNKNOWN || e->op != HD_CODE_PTRADD)
      return false;
    weave_known by = hd_weave_fold(p, frame, env, e->args[1]);
    if (by.kind == WEAVE_NUMBER)
      offset += (uint64_t)hd_word_signed(
          by.bits, p->code->exprs.data[e->args[1]].type.width);
    else if (out->index != HD_NO_ID || !scaled(p, frame, env, e->args[1], out))
      return false;
    address = e->args[0];
  }
  uint64_t size = p->objects.data[at.object].size;
  out->object = at.object;
  out->base = at.bits + offset;
  if (size < bytes || out->base > size - bytes || size > 1u << 20)
    return false;
  if (out->index == HD_NO_ID)
    return true;
  out->least = -((int64_t)out->base / out->stride);
  out->most = (int64_t)(size - bytes - out->base) / out->stride;
  const hd_cexpr *e = &p->code->exprs.data[out->index];
  if (e->op == HD_CODE_WITHIN) {
    weave_known count = hd_weave_fold(p, frame, env, e->args[1]);
    if (count.kind == WEAVE_NUMBER && count.bits &&
        count.bits - 1 < (uint64_t)out->most)
      out->most = (int64_t)count.bits - 1;
    out->least = 0;
    out->index = e->args[0];
  }
  return out->most - out->least < WEAVE_ELEMENTS;
}

/* --- what is worth knowing --- */

static bool mark_expr(const hd_code *code, const hd_func *f, hd_cexpr_id id,
                      uint64_t *set) {
  const hd_cexpr *e = &code->exprs.data[id];
  bool grown = false;
  if (e->op == HD_CODE_REG && !hd_bits_test(set, f->regs + e->value)) {
    hd_bits_set(set, f->regs + e->value);
    grown = true;
  }
  for (int i = 0; i < hd_code_op_arity((hd_code_op)e->op); i++)
    grown |= mark_expr(code, f, e->args[i], set);
  return grown;
}

static bool mark_operand(const hd_code *code, const hd_cedge *e, uint32_t i,
                         uint64_t *set) {
  const hd_func *f = &code->funcs.data[code->locs.data[e->from].func];
  return i < e->n_operands &&
         mark_expr(code, f, hd_code_operand(code, e, i), set);
}

/* Addresses, ids, functions and what goes to threads. */
static void mark_sources(const hd_code *code, uint64_t *set) {
  for (hd_vec_each(const hd_cedge, e, &code->edges)) {
    bool memory = e->act == HD_CODE_LOAD || e->act == HD_CODE_STORE ||
                  e->act == HD_CODE_RMW || e->act == HD_CODE_CMPXCHG;
    if (memory || e->act == HD_CODE_CALL)
      (void)mark_operand(code, e, 0, set);
    if (e->act == HD_CODE_STORE &&
        code->exprs.data[code->operands.data[e->operands + 1]].type.kind ==
            HD_TYPE_PTR)
      (void)mark_operand(code, e, 1, set);
    if (e->act != HD_CODE_CALL)
      continue;
    hd_library_fn fn = hd_call_of(code, e);
    hd_action does = hd_library_action(fn);
    const hd_func *f = &code->funcs.data[code->locs.data[e->from].func];
    if (does == HD_DO_ACQUIRE && hd_library_is(fn, HD_CALL_TRIES))
      for (uint32_t i = 0; i < e->n_targets; i++) /* has it the lock? */
        hd_bits_set(set, f->regs + hd_code_target(code, e, i));
    bool handles = does == HD_DO_SPAWN || does == HD_DO_JOIN ||
                   does == HD_DO_ACQUIRE || does == HD_DO_RELEASE ||
                   does == HD_DO_MAKE || does == HD_DO_PARK ||
                   does == HD_DO_ALLOC || does == HD_DO_FREE;
    for (uint32_t i = 1; handles && i < e->n_operands; i++)
      if (does != HD_DO_SPAWN || i < 4)
        (void)mark_operand(code, e, i, set);
  }
}

/* Is register `i` of the function wanted? */
static bool wants(const hd_code *code, hd_func_id func, uint32_t i,
                  const uint64_t *set) {
  const hd_func *f = &code->funcs.data[func];
  return i < f->n_regs && hd_bits_test(set, f->regs + i);
}

static bool mark_call(const hd_code *code, const hd_cedge *e, uint64_t *set) {
  bool grown = false;
  hd_func_id callee = hd_call_callee(code, e);
  if (callee == HD_NO_ID)
    return false;
  for (uint32_t i = 1; i < e->n_operands; i++)
    if (code->funcs.data[callee].defined && wants(code, callee, i - 1, set))
      grown |= mark_operand(code, e, i, set);
  if (hd_library_action(hd_call_of(code, e)) == HD_DO_SPAWN &&
      e->n_operands > 3)
    for (uint32_t i = 1; i < e->n_operands; i++) {
      const hd_cexpr *x = &code->exprs.data[hd_code_operand(code, e, i)];
      if (x->op == HD_CODE_FUNC && wants(code, (hd_func_id)x->value, 0, set))
        grown |= mark_operand(code, e, e->n_operands - 1, set);
    }
  return grown;
}

/* What a function gives back where a call's result is wanted. */
static bool mark_results(const hd_code *code, const hd_cedge *call,
                         uint64_t *set) {
  bool grown = false;
  hd_func_id callee = hd_call_callee(code, call),
             caller = code->locs.data[call->from].func;
  for (uint32_t t = 0; callee != HD_NO_ID && t < call->n_targets; t++) {
    if (!wants(code, caller, hd_code_target(code, call, t), set))
      continue;
    for (hd_vec_each(const hd_cedge, e, &code->edges))
      if (e->act == HD_CODE_RETURN && code->locs.data[e->from].func == callee)
        grown |= mark_operand(code, e, t, set);
  }
  return grown;
}

uint64_t *hd_weave_track(const hd_code *code) {
  uint64_t *set = hd_calloc(hd_bits_words(code->regs.size) + 1, sizeof *set);
  mark_sources(code, set);
  for (bool grown = true; grown;) {
    grown = false;
    for (hd_vec_each(const hd_cedge, e, &code->edges)) {
      hd_func_id func = code->locs.data[e->from].func;
      for (uint32_t i = 0; e->act == HD_CODE_STEP && i < e->n_targets; i++)
        if (wants(code, func, hd_code_target(code, e, i), set))
          grown |= mark_operand(code, e, i, set);
      if (e->act == HD_CODE_CALL) {
        grown |= mark_call(code, e, set);
        grown |= mark_results(code, e, set);
      }
    }
  }
  return set;
}
