/* SPDX-License-Identifier: MIT */
/* Values of expressions, and what follows when a condition holds. */
#include "check/notes/compute.h"
#include "check/notes/state.h"

/* --- expressions --- */

static value leaf(walk *w, const state *s, const hd_cexpr *e) {
  assert(!hd_code_op_arity((hd_code_op)e->op));
  switch ((hd_code_op)e->op) {
  case HD_CODE_INT:
    return hd_note_number(e->value);
  case HD_CODE_NULL:
    return hd_note_number(0);
  case HD_CODE_REG:
    assert(e->value < w->code->funcs.data[top(s)->func].n_regs);
    return top(s)->regs[e->value];
  case HD_CODE_GLOBAL:
    if (w->code->globals.data[e->value].thread_local)
      return hd_note_any(); /* one name, many objects */
  /* fallthrough */
  case HD_CODE_FUNC:
    return hd_note_address(
        hd_note_object_of(
            w->notes, (object){e->op == HD_CODE_FUNC ? OBJ_FUNC : OBJ_GLOBAL,
                               (uint32_t)e->value, 0, 0, 0}),
        0);
  case HD_CODE_SLOT:
    return hd_note_address(
        hd_note_object_of(w->notes, (object){OBJ_SLOT, (uint32_t)e->value,
                                             s->thread, top(s)->stack, 0}),
        0);
  default:
    return hd_note_any();
  }
}

/* Pointers that leave their object are not followed any further. */
static value stay(const walk *w, value v) {
  if (v.kind == HD_NOTE_SPAN &&
      (v.lo < 0 || (uint64_t)v.hi > hd_note_object_size(w->notes, v.base)))
    return hd_note_any();
  for (int i = 0; v.kind == HD_NOTE_SET && i < v.n; i++)
    if (v.elems[i].base != HD_NO_ID &&
        v.elems[i].bits > hd_note_object_size(w->notes, v.elems[i].base))
      return hd_note_any();
  return v;
}

/* Constants may be kept in one another, and what is only declared need not be
 * there. */
static hd_note_facts facts_of(const void *context, uint32_t base) {
  const hd_annotation *n = context;
  const object *o = &n->objects.data[base];
  hd_note_facts f = {.size = hd_note_object_size(n, base)};
  switch (o->kind) {
  case OBJ_GLOBAL:
    f.nullable = n->code->globals.data[o->index].external;
    f.merged = n->code->globals.data[o->index].constant;
    f.align = f.nullable ? 0 : n->code->globals.data[o->index].align;
    break;
  case OBJ_FUNC:
    f.code = true;
    f.nullable = !n->code->funcs.data[o->index].defined;
    break;
  case OBJ_SLOT:
    f.merged = hd_note_is_literal(n, base);
    break;
  case OBJ_THREAD:
  case OBJ_OPAQUE:
    f.opaque = true;
    break;
  }
  return f;
}

hd_note_world hd_note_world_of(walk *w) {
  return (hd_note_world){facts_of, w->notes};
}

value hd_note_eval(walk *w, const state *s, hd_cexpr_id id) {
  assert(id < w->code->exprs.size);
  const hd_cexpr *e = &w->code->exprs.data[id];
  if (hd_code_op_arity((hd_code_op)e->op) == 0)
    return leaf(w, s, e);
  if (w->failed)
    return hd_note_any();
  if (!hd_run_tick(w->run))
    hd_note_refuse(w, "%s", hd_run_why(w->run));
  value a = hd_note_eval(w, s, e->args[0]);
  if (e->op == HD_CODE_SELECT) {
    value b = hd_note_eval(w, s, e->args[1]),
          c = hd_note_eval(w, s, e->args[2]);
    bool yes = hd_note_may(&a, 1), no = hd_note_may(&a, 0);
    return yes && no ? hd_note_join(e->type.width, &b, &c)
           : yes     ? b
           : no      ? c
                     : hd_note_none();
  }
  value b = hd_note_number(0);
  if (e->args[1] != HD_NO_ID)
    b = hd_note_eval(w, s, e->args[1]);
  bool bad = false;
  hd_note_world world = hd_note_world_of(w);
  value v = hd_note_apply(&world, e, w->code->exprs.data[e->args[0]].type, &a,
                          &b, &bad);
  if (bad)
    hd_note_refuse(w, "an operation that may have no value, in %s",
                   w->code->funcs.data[top(s)->func].name);
  return stay(w, v);
}

/* --- conditions --- */

typedef struct {
  walk *w;
  state *s;
} place_in;

static value eval_in(void *context, hd_cexpr_id id) {
  const place_in *p = context;
  return hd_note_eval(p->w, p->s, id);
}

static value get_in(void *context, const hd_cexpr *reg) {
  const place_in *p = context;
  return top(p->s)->regs[reg->value];
}

static void set_in(void *context, const hd_cexpr *reg, const value *v) {
  const place_in *p = context;
  top(p->s)->regs[reg->value] = *v;
}

void hd_note_refine(walk *w, state *s, hd_cexpr_id id, bool truth) {
  place_in at = {w, s};
  hd_note_frame registers = {w->code, &at, eval_in, get_in, set_in};
  hd_note_condition(&registers, id, truth);
}
