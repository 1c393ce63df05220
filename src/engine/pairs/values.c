/* SPDX-License-Identifier: MIT */
/* Expressions, variables and memory of a path. */
#include "engine/pairs/translate.h"

#include "model/code_term.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void hd_pairs_refuse(ptranslator *tr, hd_edge_id edge, const char *format,
                     ...) {
  if (tr->refused)
    return;
  tr->refused = true;
  hd_vec_clear(tr->why);
  if (edge != HD_NO_ID) {
    hd_code_print_pos(tr->why, tr->code, tr->code->edges.data[edge].pos);
    hd_str_puts(tr->why, ": ");
  }
  char text[200];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  hd_str_puts(tr->why, text);
}

pterm hd_pairs_fresh_input(ptranslator *tr, uint8_t width) {
  pvar var = {.owner = OF_NOBODY, .index = tr->system->inputs++};
  return hd_pairs_term_var(tr->system->terms, var, width);
}

pvalue hd_pairs_number(pterm bits) {
  return (pvalue){.bits = bits, .object = HD_NO_ID};
}

pterm hd_pairs_truth(ptranslator *tr, pterm a) {
  pterms *t = tr->system->terms;
  pterm zero = hd_pairs_term_const(t, hd_pairs_node_of(t, a)->width, 0);
  return hd_pairs_term_not(t, hd_pairs_term_apply(t, HD_BV_EQ, a, zero));
}

void hd_pairs_add_guard(ptranslator *tr, ppath *p, pterm condition) {
  assert(hd_pairs_node_of(tr->system->terms, condition)->width == 1);
  uint64_t k;
  p->guard = hd_pairs_term_and(tr->system->terms, p->guard, condition);
  if (hd_pairs_term_is_const(tr->system->terms, p->guard, &k) && !k)
    p->ended = true;
}

void hd_pairs_demand(ptranslator *tr, ppath *p, hd_edge_id edge,
                     pterm condition, const char *what) {
  pterms *t = tr->system->terms;
  if (tr->peeking || p->ended)
    return;
  pterm wrong = hd_pairs_term_and(t, p->guard, hd_pairs_term_not(t, condition));
  hd_pairs_fail_step(tr, p, edge, wrong, what);
  hd_pairs_add_guard(tr, p, condition);
}

/* --- variables --- */

static psvar *var_at(ptranslator *tr, pvar var) {
  assert(var.owner == OF_ALL || var.owner == OF_FIRST);
  assert(var.index < (var.owner == OF_ALL ? tr->system->shared.size
                                          : tr->system->local.size));
  return var.owner == OF_ALL ? &tr->system->shared.data[var.index]
                             : &tr->system->local.data[var.index];
}

static pbinding *bound(const ppath *p, pvar var) {
  for (size_t i = p->store.size; i-- > 0;)
    if (p->store.data[i].var.owner == var.owner &&
        p->store.data[i].var.index == var.index)
      return &p->store.data[i];
  return NULL;
}

pvalue hd_pairs_read_var(ptranslator *tr, ppath *p, pvar var, bool pointer) {
  const pbinding *b = bound(p, var);
  if (b)
    return b->value;
  const psvar *v = var_at(tr, var);
  pterms *t = tr->system->terms;
  if (pointer && v->points == POINTS_TO)
    return (pvalue){
        .bits = hd_pairs_term_const(t, tr->code->pointer_width, v->offset),
        .object = v->object};
  if (pointer && v->points == POINTS_INTO)
    return (pvalue){.bits = hd_pairs_term_var(t, var, v->width),
                    .object = v->object};
  if (v->points == POINTS_TO || v->points == POINTS_INTO)
    return hd_pairs_number(hd_pairs_fresh_input(tr, v->width));
  if (var.owner == OF_ALL && !v->written && v->has_start)
    return hd_pairs_number(hd_pairs_term_const(t, v->width, v->start));
  return hd_pairs_number(hd_pairs_term_var(t, var, v->width));
}

pterm hd_pairs_stored(ptranslator *tr, pvar var, pvalue value, uint8_t width) {
  const psvar *v = var_at(tr, var);
  bool is_offset = v->points == POINTS_INTO && value.object == v->object;
  return value.object == HD_NO_ID || is_offset
             ? value.bits
             : hd_pairs_fresh_input(tr, width);
}

void hd_pairs_let_escape(ptranslator *tr, uint32_t object) {
  assert(object < tr->objects.size);
  pobject *o = &tr->objects.data[object];
  if (o->sort != IS_SLOT || o->escaped || o->kind != 0 ||
      tr->contexts.data[o->context].parent != HD_NO_ID)
    return;
  o->escaped = true;
  hd_vec_clear(&o->cells);
  tr->changed = true;
}

bool hd_pairs_is_public(const ptranslator *tr, uint32_t object) {
  assert(object < tr->objects.size);
  const pobject *o = &tr->objects.data[object];
  return o->sort == IS_GLOBAL || o->sort == IS_FUNC || o->sort == IS_BLOCK ||
         o->escaped;
}

/* What addresses the variable can have, in all steps. Addresses of a thread's
 * own variables do not go where others can see them. */
static void note_address(ptranslator *tr, pvar var, pvalue value) {
  psvar *v = var_at(tr, var);
  uint64_t offset = 0;
  bool known = value.object != HD_NO_ID &&
               (var.owner != OF_ALL || hd_pairs_is_public(tr, value.object));
  bool is_one =
      known && hd_pairs_term_is_const(tr->system->terms, value.bits, &offset);
  int points = !known ? POINTS_ANYWHERE : is_one ? POINTS_TO : POINTS_INTO;
  if (v->points == POINTS_NOT_YET) {
    v->object = value.object;
    v->offset = offset;
  } else if (points != POINTS_ANYWHERE && v->points != POINTS_ANYWHERE) {
    if (v->object != value.object)
      points = POINTS_ANYWHERE;
    else if (points == POINTS_TO && v->offset != offset)
      points = POINTS_INTO;
  }
  if (points > (int)v->points) {
    v->points = (uint8_t)points;
    tr->changed = true;
  }
}

static void bind(ptranslator *tr, ppath *p, pvar var, pvalue value) {
  psvar *v = var_at(tr, var);
  if (!v->written) {
    v->written = true;
    tr->changed = true;
  }
  pbinding *b = bound(p, var);
  if (b)
    b->value = value;
  else
    hd_vec_push(&p->store, ((pbinding){.var = var, .value = value}));
}

void hd_pairs_write_var(ptranslator *tr, ppath *p, pvar var, pvalue value) {
  if (var_at(tr, var)->width == tr->code->pointer_width)
    note_address(tr, var, value);
  bind(tr, p, var, value);
  psvar *v = var_at(tr, var);
  if (value.object == HD_NO_ID || var.owner != OF_ALL || !v->has_start)
    return;
  /* It was null at first. */
  if (!v->has_set) {
    psvar set = {.width = 1, .has_start = true, .kind = HD_NO_ID};
    v->has_set = true;
    v->set = (uint32_t)tr->system->shared.size;
    tr->changed = true;
    hd_vec_push(&tr->system->shared, set);
    v = var_at(tr, var);
  }
  bind(tr, p, (pvar){.owner = OF_ALL, .index = v->set},
       hd_pairs_number(hd_pairs_term_const(tr->system->terms, 1, 1)));
}

static pvar reg_var(const ptranslator *tr, uint32_t context, hd_reg_id reg) {
  assert(context < tr->contexts.size);
  assert(reg < tr->code->funcs.data[tr->contexts.data[context].func].n_regs);
  return (pvar){.owner = OF_FIRST,
                .index = tr->contexts.data[context].regs + reg};
}

void hd_pairs_set_reg(ptranslator *tr, ppath *p, uint32_t context,
                      hd_reg_id reg, pvalue value) {
  hd_pairs_write_var(tr, p, reg_var(tr, context, reg), value);
}

void hd_pairs_forget_object(ptranslator *tr, ppath *p, uint32_t object) {
  assert(object < tr->objects.size);
  for (size_t i = 0; i < tr->objects.data[object].cells.size; i++) {
    pcell cell = tr->objects.data[object].cells.data[i];
    pvar var = {.owner = cell.shared ? OF_ALL : OF_FIRST, .index = cell.var};
    bind(tr, p, var, hd_pairs_number(hd_pairs_fresh_input(tr, cell.width)));
  }
}

void hd_pairs_forget_frame(ptranslator *tr, ppath *p, uint32_t context) {
  assert(context < tr->contexts.size);
  const pcontext c = tr->contexts.data[context];
  const hd_func *f = &tr->code->funcs.data[c.func];
  for (uint32_t r = f->n_params; r < f->n_regs; r++) {
    const hd_reg *reg = &tr->code->regs.data[f->regs + r];
    if (reg->cname && reg->type.kind != HD_TYPE_PTR)
      hd_pairs_set_reg(
          tr, p, context, r,
          hd_pairs_number(hd_pairs_fresh_input(tr, reg->type.width)));
  }
  for (uint32_t o = 0; o < tr->objects.size; o++)
    if (tr->objects.data[o].sort == IS_SLOT &&
        tr->objects.data[o].context == context)
      hd_pairs_forget_object(tr, p, o);
}

/* --- objects --- */

static uint32_t object_of(ptranslator *tr, const ppath *p, const hd_cexpr *e) {
  pobject want = {
      .id = (uint32_t)e->value, .context = HD_NO_ID, .kind = HD_NO_ID};
  uint32_t kind = tr->contexts.data[p->context].kind;
  const hd_code *code = tr->code;
  if (e->op == HD_CODE_FUNC) {
    want.sort = IS_FUNC;
  } else if (e->op == HD_CODE_GLOBAL) {
    const hd_global *g = &code->globals.data[e->value];
    want.sort = g->thread_local ? IS_OWN_GLOBAL : IS_GLOBAL;
    want.kind = g->thread_local ? kind : HD_NO_ID;
    want.size = g->size;
  } else {
    const hd_func *f = &code->funcs.data[tr->contexts.data[p->context].func];
    want.sort = IS_SLOT;
    want.context = p->context;
    want.kind = kind;
    want.size = code->slots.data[f->slots + e->value].size;
  }
  for (size_t i = 0; i < tr->objects.size; i++) {
    const pobject *o = &tr->objects.data[i];
    if (o->sort == want.sort && o->id == want.id && o->kind == want.kind &&
        o->context == want.context)
      return (uint32_t)i;
  }
  hd_vec_push(&tr->objects, want);
  return (uint32_t)tr->objects.size - 1;
}

/* The value that the bytes of a global variable have at first. */
static void set_start(ptranslator *tr, const hd_global *g, const pcell *cell,
                      psvar *v) {
  v->has_start = !g->external;
  for (uint32_t i = 0; i < g->n_relocs; i++) {
    uint64_t at = tr->code->relocs.data[g->relocs + i].offset;
    if (at < cell->offset + (cell->width + 7u) / 8 &&
        cell->offset < at + tr->code->pointer_width / 8u)
      v->has_start = false;
  }
  if (cell->lock || !v->has_start || !g->bytes)
    return;
  assert(cell->offset + (cell->width + 7u) / 8 <= g->size);
  for (uint32_t i = 0; i < (cell->width + 7u) / 8; i++)
    v->start |= (uint64_t)g->bytes[cell->offset + i] << 8 * i;
  v->start &= hd_word_mask(cell->width);
}

static void add_cell(ptranslator *tr, uint32_t object, pcell cell) {
  assert(object < tr->objects.size);
  pobject *o = &tr->objects.data[object];
  psvar v = {.width = cell.width, .kind = o->kind};
  cell.shared = o->sort == IS_GLOBAL || o->escaped;
  if (cell.shared)
    v.kind = HD_NO_ID;
  if (o->sort != IS_SLOT)
    set_start(tr, &tr->code->globals.data[o->id], &cell, &v);
  /* What it points to at first is not followed, but for null. */
  if (o->sort != IS_SLOT && cell.width == tr->code->pointer_width &&
      (!cell.shared || !v.has_start || v.start))
    v.points = POINTS_ANYWHERE;
  tr->changed = true;
  if (cell.shared) {
    cell.var = (uint32_t)tr->system->shared.size;
    hd_vec_push(&tr->system->shared, v);
  } else {
    cell.var = (uint32_t)tr->system->local.size;
    hd_vec_push(&tr->system->local, v);
  }
  hd_vec_push(&o->cells, cell);
}

static void blur(ptranslator *tr, uint32_t object, hd_edge_id edge) {
  assert(object < tr->objects.size);
  pobject *o = &tr->objects.data[object];
  for (size_t i = 0; i < o->cells.size; i++)
    if (o->cells.data[i].lock)
      hd_pairs_refuse(tr, edge, "locks in an array, or the bytes of a lock");
  if (!o->blurred)
    tr->changed = true;
  o->blurred = true;
}

static void demand_bounds(ptranslator *tr, ppath *p, hd_edge_id edge,
                          pvalue address, uint64_t bytes) {
  assert(address.object < tr->objects.size && bytes > 0);
  pterms *t = tr->system->terms;
  uint64_t size = tr->objects.data[address.object].size;
  pterm inside;
  if (tr->objects.data[address.object].sort == IS_BLOCK) {
    pterm length = hd_pairs_block_length(tr, p, address.object);
    uint8_t width = hd_pairs_node_of(t, length)->width;
    pterm need = hd_pairs_term_const(t, width, bytes);
    inside = hd_pairs_term_and(
        t, hd_pairs_term_apply(t, HD_BV_ULE, need, length),
        hd_pairs_term_apply(t, HD_BV_ULE, address.bits,
                            hd_pairs_term_apply(t, HD_BV_SUB, length, need)));
    hd_pairs_demand(tr, p, edge, hd_pairs_block_lives(tr, p, address.object),
                    "access to memory that was freed");
  } else if (size < bytes)
    inside = hd_pairs_term_const(t, 1, 0);
  else
    inside = hd_pairs_term_apply(
        t, HD_BV_ULE, address.bits,
        hd_pairs_term_const(t, hd_pairs_node_of(t, address.bits)->width,
                            size - bytes));
  hd_pairs_demand(tr, p, edge, inside, "access out of bounds");
}

const pcell *hd_pairs_find_cell(ptranslator *tr, ppath *p, hd_edge_id edge,
                                pvalue address, uint8_t width, bool lock) {
  if (address.object == HD_NO_ID) {
    hd_pairs_refuse(tr, edge, "a pointer whose target is not known");
    p->ended = true;
    return NULL;
  }
  pobject *o = &tr->objects.data[address.object];
  if (o->sort == IS_FUNC) {
    hd_pairs_refuse(tr, edge, "the bytes of a function");
    p->ended = true;
    return NULL;
  }
  uint64_t bytes = lock ? 1 : (width + 7u) / 8, at;
  demand_bounds(tr, p, edge, address, bytes);
  if (p->ended)
    return NULL;
  if (!hd_pairs_term_is_const(tr->system->terms, address.bits, &at))
    blur(tr, address.object, edge);
  o = &tr->objects.data[address.object];
  if (o->blurred) {
    if (lock)
      hd_pairs_refuse(tr, edge, "locks in an array");
    return NULL;
  }
  for (size_t i = 0; i < o->cells.size; i++) {
    const pcell *c = &o->cells.data[i];
    if (c->offset == at && c->width == width && c->lock == lock)
      return c;
    uint64_t size = (c->width + 7u) / 8;
    if (c->lock || lock ? at == c->offset
                        : c->offset < at + bytes && at < c->offset + size) {
      blur(tr, address.object, edge);
      return NULL;
    }
  }
  add_cell(tr, address.object,
           (pcell){.offset = at, .width = width, .lock = lock});
  return &hd_vec_last(&tr->objects.data[address.object].cells);
}

/* --- expressions --- */

/* Division and shifts are not defined for all operands. */
static void demand_defined(ptranslator *tr, ppath *p, hd_edge_id edge,
                           hd_code_op op, pterm a, pterm b) {
  pterms *t = tr->system->terms;
  uint8_t width = hd_pairs_node_of(t, a)->width;
  assert(width == hd_pairs_node_of(t, b)->width);
  pterm low = hd_pairs_term_const(t, width, (uint64_t)1 << (width - 1));
  switch (op) {
  case HD_CODE_SDIV:
  case HD_CODE_SREM:
    hd_pairs_demand(tr, p, edge,
                    hd_pairs_term_not(
                        t, hd_pairs_term_and(
                               t, hd_pairs_term_apply(t, HD_BV_EQ, a, low),
                               hd_pairs_term_apply(
                                   t, HD_BV_EQ, b,
                                   hd_pairs_term_const(t, width, UINT64_MAX)))),
                    "overflow of a division");
    hd_pairs_demand(tr, p, edge, hd_pairs_truth(tr, b), "division by zero");
    break;
  case HD_CODE_UDIV:
  case HD_CODE_UREM:
    hd_pairs_demand(tr, p, edge, hd_pairs_truth(tr, b), "division by zero");
    break;
  case HD_CODE_SHL:
  case HD_CODE_LSHR:
  case HD_CODE_ASHR:
    hd_pairs_demand(tr, p, edge,
                    hd_pairs_term_apply(t, HD_BV_ULT, b,
                                        hd_pairs_term_const(t, width, width)),
                    "shift by the width or more");
    break;
  case HD_CODE_WITHIN:
    hd_pairs_demand(tr, p, edge, hd_pairs_term_apply(t, HD_BV_ULT, a, b),
                    "index out of bounds");
    break;
  default:
    break;
  }
}

/* Of addresses: only whether they are the same, where that is known. */
static bool compare_addresses(ptranslator *tr, hd_code_op op, pvalue a,
                              pvalue b, pterm *out) {
  pterms *t = tr->system->terms;
  uint64_t k;
  bool same;
  if (op != HD_CODE_EQ && op != HD_CODE_NE)
    return false;
  if (a.object == b.object) {
    pterm eq = hd_pairs_term_apply(t, HD_BV_EQ, a.bits, b.bits);
    *out = op == HD_CODE_EQ ? eq : hd_pairs_term_not(t, eq);
    return true;
  }
  if (a.object == HD_NO_ID)
    same = !(hd_pairs_term_is_const(t, a.bits, &k) && !k);
  else if (b.object == HD_NO_ID)
    same = !(hd_pairs_term_is_const(t, b.bits, &k) && !k);
  else
    return false;
  if (same)
    return false;
  *out = hd_pairs_term_const(t, 1, op == HD_CODE_NE); /* not null */
  return true;
}

static pvalue eval_two(ptranslator *tr, ppath *p, hd_edge_id edge,
                       const hd_cexpr *e) {
  pterms *t = tr->system->terms;
  pvalue a = hd_pairs_eval(tr, p, edge, e->args[0]),
         b = hd_pairs_eval(tr, p, edge, e->args[1]);
  pterm out;
  if (e->op == HD_CODE_PTRADD && b.object == HD_NO_ID)
    return (pvalue){.bits = hd_pairs_term_apply(t, HD_BV_ADD, a.bits, b.bits),
                    .object = a.object};
  if (a.object != HD_NO_ID || b.object != HD_NO_ID) {
    if (compare_addresses(tr, e->op, a, b, &out))
      return hd_pairs_number(out);
    return hd_pairs_number(hd_pairs_fresh_input(tr, e->type.width));
  }
  demand_defined(tr, p, edge, e->op, a.bits, b.bits);
  if (e->op == HD_CODE_WITHIN)
    return a;
  hd_code_meaning m = hd_code_meaning_of(e->op);
  if (!m.known)
    return hd_pairs_number(hd_pairs_fresh_input(tr, e->type.width));
  out = hd_pairs_term_apply(t, (hd_bv_op)m.op, m.swap ? b.bits : a.bits,
                            m.swap ? a.bits : b.bits);
  return hd_pairs_number(m.negate ? hd_pairs_term_not(t, out) : out);
}

static pvalue eval_other(ptranslator *tr, ppath *p, hd_edge_id edge,
                         const hd_cexpr *e) {
  pterms *t = tr->system->terms;
  pvalue a = hd_pairs_eval(tr, p, edge, e->args[0]);
  switch (e->op) {
  case HD_CODE_TRUNC:
  case HD_CODE_ZEXT:
  case HD_CODE_SEXT:
    if (a.object != HD_NO_ID)
      break;
    return hd_pairs_number(
        hd_pairs_term_resize(t, a.bits, e->type.width, e->op == HD_CODE_SEXT));
  case HD_CODE_PTRTOINT:
  case HD_CODE_INTTOPTR:
  case HD_CODE_BITCAST:
    if (hd_pairs_node_of(t, a.bits)->width != e->type.width)
      break;
    return a;
  case HD_CODE_SELECT: {
    for (uint32_t i = 0; i < p->n_chosen; i++)
      if (p->chosen[i].expr == (hd_cexpr_id)(e - tr->code->exprs.data))
        return hd_pairs_eval(tr, p, edge, e->args[1 + p->chosen[i].arm]);
    pvalue yes = hd_pairs_eval(tr, p, edge, e->args[1]);
    pvalue no = hd_pairs_eval(tr, p, edge, e->args[2]);
    if (yes.object != no.object)
      break;
    return (pvalue){.bits = hd_pairs_term_ite(t, a.bits, yes.bits, no.bits),
                    .object = yes.object};
  }
  default:
    break;
  }
  return hd_pairs_number(hd_pairs_fresh_input(tr, e->type.width));
}

pvalue hd_pairs_eval(ptranslator *tr, ppath *p, hd_edge_id edge,
                     hd_cexpr_id expr) {
  assert(expr < tr->code->exprs.size);
  const hd_cexpr *e = &tr->code->exprs.data[expr];
  pterms *t = tr->system->terms;
  switch (e->op) {
  case HD_CODE_INT:
    return hd_pairs_number(hd_pairs_term_const(t, e->type.width, e->value));
  case HD_CODE_NULL:
    return hd_pairs_number(hd_pairs_term_const(t, e->type.width, 0));
  case HD_CODE_UNDEF:
    return hd_pairs_number(hd_pairs_fresh_input(tr, e->type.width));
  case HD_CODE_REG:
    return hd_pairs_read_var(tr, p,
                             reg_var(tr, p->context, (hd_reg_id)e->value),
                             e->type.kind == HD_TYPE_PTR);
  case HD_CODE_GLOBAL:
  case HD_CODE_FUNC:
  case HD_CODE_SLOT:
    return (pvalue){.bits = hd_pairs_term_const(t, tr->code->pointer_width, 0),
                    .object = object_of(tr, p, e)};
  default:
    return hd_code_op_arity(e->op) == 2 ? eval_two(tr, p, edge, e)
                                        : eval_other(tr, p, edge, e);
  }
}

pvalue hd_pairs_eval_operand(ptranslator *tr, ppath *p, hd_edge_id edge,
                             uint32_t i) {
  const hd_cedge *e = &tr->code->edges.data[edge];
  assert(i < e->n_operands);
  return hd_pairs_eval(tr, p, edge, hd_code_operand(tr->code, e, i));
}

/* --- memory --- */

static uint8_t width_of(const ptranslator *tr, hd_cexpr_id expr) {
  return tr->code->exprs.data[expr].type.width;
}

uint8_t hd_pairs_access_width(const ptranslator *tr, const hd_cedge *e) {
  if (e->act == HD_CODE_LOAD) {
    const hd_func *f = &tr->code->funcs.data[tr->code->locs.data[e->from].func];
    hd_reg_id r = hd_code_target(tr->code, e, 0);
    return tr->code->regs.data[f->regs + r].type.width;
  }
  return width_of(tr, hd_code_operand(tr->code, e, 1));
}

bool hd_pairs_is_noticed(ptranslator *tr, ppath *p, hd_edge_id edge,
                         bool writes) {
  assert(edge < tr->code->edges.size);
  const hd_cedge *e = &tr->code->edges.data[edge];
  tr->peeking = true;
  pvalue address = hd_pairs_eval_operand(tr, p, edge, 0);
  const pcell *cell = hd_pairs_find_cell(tr, p, edge, address,
                                         hd_pairs_access_width(tr, e), false);
  tr->peeking = false;
  return cell && cell->shared &&
         (writes || tr->system->shared.data[cell->var].written);
}

static pterm combine(ptranslator *tr, hd_rmw rmw, pterm old, pterm value) {
  pterms *t = tr->system->terms;
  switch (rmw) {
  case HD_RMW_XCHG:
    return value;
  case HD_RMW_ADD:
    return hd_pairs_term_apply(t, HD_BV_ADD, old, value);
  case HD_RMW_SUB:
    return hd_pairs_term_apply(t, HD_BV_SUB, old, value);
  case HD_RMW_AND:
    return hd_pairs_term_apply(t, HD_BV_AND, old, value);
  case HD_RMW_OR:
    return hd_pairs_term_apply(t, HD_BV_OR, old, value);
  case HD_RMW_XOR:
    return hd_pairs_term_apply(t, HD_BV_XOR, old, value);
  default:
    return hd_pairs_fresh_input(tr, hd_pairs_node_of(t, old)->width);
  }
}

static void set_target(ptranslator *tr, ppath *p, const hd_cedge *e, uint32_t i,
                       pvalue value) {
  if (i < e->n_targets)
    hd_pairs_set_reg(tr, p, p->context, hd_code_target(tr->code, e, i), value);
}

/* The path on which a compare-and-exchange does not exchange. */
static void fork_failed(ptranslator *tr, const ppath *p, hd_edge_id edge,
                        pterm differs, pvalue old) {
  assert(edge < tr->code->edges.size);
  const hd_cedge *e = &tr->code->edges.data[edge];
  ppath other;
  hd_pairs_path_copy(&other, p);
  if (!e->weak)
    hd_pairs_add_guard(tr, &other, differs);
  set_target(tr, &other, e, 0, old);
  set_target(tr, &other, e, 1,
             hd_pairs_number(hd_pairs_term_const(tr->system->terms, 1, 0)));
  other.loc = e->to;
  if (!other.ended)
    hd_pairs_follow(tr, &other);
  hd_pairs_path_free(&other);
}

void hd_pairs_access_memory(ptranslator *tr, ppath *p, hd_edge_id edge) {
  assert(edge < tr->code->edges.size);
  const hd_cedge *e = &tr->code->edges.data[edge];
  pterms *t = tr->system->terms;
  uint8_t width = hd_pairs_access_width(tr, e);
  pvalue address = hd_pairs_eval_operand(tr, p, edge, 0);
  const pcell *found = hd_pairs_find_cell(tr, p, edge, address, width, false);
  pcell cell = found ? *found : (pcell){0};
  if (p->ended || tr->refused)
    return;
  if (e->act != HD_CODE_LOAD)
    hd_pairs_handle_written(tr, p, edge, address);
  if (p->ended)
    return;
  pvar var = {.owner = cell.shared ? OF_ALL : OF_FIRST, .index = cell.var};
  bool reads = e->act != HD_CODE_STORE, pointer = false;
  if (e->act == HD_CODE_LOAD) {
    const hd_func *f = &tr->code->funcs.data[tr->code->locs.data[e->from].func];
    hd_reg_id r = hd_code_target(tr->code, e, 0);
    pointer = tr->code->regs.data[f->regs + r].type.kind == HD_TYPE_PTR;
  }
  pvalue old = hd_pairs_number(0), new = old;
  if (reads)
    old = found ? hd_pairs_read_var(tr, p, var, pointer)
                : hd_pairs_number(hd_pairs_fresh_input(tr, width));
  if (old.object != HD_NO_ID && var.owner == OF_ALL &&
      tr->system->shared.data[var.index].has_set) {
    pvar set = {.owner = OF_ALL,
                .index = tr->system->shared.data[var.index].set};
    hd_pairs_demand(tr, p, edge, hd_pairs_read_var(tr, p, set, false).bits,
                    "a pointer that may be null still");
  }
  if (e->act == HD_CODE_STORE)
    new = hd_pairs_eval_operand(tr, p, edge, 1);
  if (e->act == HD_CODE_RMW || e->act == HD_CODE_CMPXCHG) {
    pvalue value = hd_pairs_eval_operand(tr, p, edge, 1);
    if (old.object != HD_NO_ID || value.object != HD_NO_ID) {
      hd_pairs_refuse(tr, edge, "an atomic exchange of addresses");
      return;
    }
    if (e->act == HD_CODE_CMPXCHG) {
      pterm same = hd_pairs_term_apply(t, HD_BV_EQ, old.bits, value.bits);
      fork_failed(tr, p, edge, hd_pairs_term_not(t, same), old);
      hd_pairs_add_guard(tr, p, same);
      new = hd_pairs_eval_operand(tr, p, edge, 2);
      set_target(tr, p, e, 1, hd_pairs_number(hd_pairs_term_const(t, 1, 1)));
    } else {
      new = hd_pairs_number(combine(tr, e->rmw, old.bits, value.bits));
    }
  }
  if (e->act != HD_CODE_LOAD && found)
    hd_pairs_write_var(tr, p, var, new);
  if (reads)
    set_target(tr, p, e, 0, old);
}
