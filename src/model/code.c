/* SPDX-License-Identifier: MIT */
#include "model/code.h"

#include "base/hash.h"

#include <assert.h>
#include <string.h>

static uint64_t hash_expr(hd_cexpr e) {
  uint64_t h = hd_hash_mix((uint64_t)e.op << 24 | (uint64_t)e.flags << 16 |
                               (uint64_t)e.type.kind << 8 | e.type.width,
                           e.value);
  h = hd_hash_mix(h, (uint64_t)e.args[0] << 32 | e.args[1]);
  return hd_hash_mix(h, e.args[2]);
}

static bool same_type(hd_type a, hd_type b) {
  return a.kind == b.kind && a.width == b.width;
}

static bool same_expr(hd_cexpr a, hd_cexpr b) {
  return a.op == b.op && a.flags == b.flags && same_type(a.type, b.type) &&
         a.value == b.value && a.args[0] == b.args[0] &&
         a.args[1] == b.args[1] && a.args[2] == b.args[2];
}

#define HD_MAP cexpr_map
#define HD_KEY hd_cexpr
#define HD_VAL hd_cexpr_id
#define HD_HASH(k) hash_expr(k)
#define HD_EQ(a, b) same_expr(a, b)
#include "base/map_templ.h"

struct hd_cexpr_table {
  cexpr_map map;
};

hd_code *hd_code_new(void) {
  hd_code *code = hd_calloc(1, sizeof *code);
  code->pointer_width = 64;
  code->main = HD_NO_ID;
  hd_arena_init(&code->arena);
  code->table = hd_calloc(1, sizeof *code->table);
  return code;
}

void hd_code_delete(hd_code *code) {
  if (!code)
    return;
  hd_vec_free(&code->files);
  hd_vec_free(&code->ctypes);
  hd_vec_free(&code->fields);
  hd_vec_free(&code->scopes);
  hd_vec_free(&code->globals);
  hd_vec_free(&code->relocs);
  hd_vec_free(&code->funcs);
  hd_vec_free(&code->types);
  hd_vec_free(&code->regs);
  hd_vec_free(&code->slots);
  hd_vec_free(&code->locs);
  hd_vec_free(&code->loops);
  hd_vec_free(&code->edges);
  hd_vec_free(&code->exprs);
  hd_vec_free(&code->operands);
  hd_vec_free(&code->targets);
  hd_vec_free(&code->pragmas);
  hd_free(code->out_start);
  hd_free(code->out);
  cexpr_map_free(&code->table->map);
  hd_free(code->table);
  hd_arena_free(&code->arena);
  hd_free(code);
}

const char *hd_code_keep(hd_code *code, const char *text) {
  return text ? hd_arena_strndup(&code->arena, text, strlen(text)) : NULL;
}

hd_cexpr_id hd_code_expr(hd_code *code, hd_cexpr expr) {
  int arity = hd_code_op_arity(expr.op);
  for (int i = arity; i < 3; i++)
    expr.args[i] = HD_NO_ID;
  if (expr.op == HD_CODE_INT)
    expr.value &= hd_word_mask(expr.type.width);
  else if (arity)
    expr.value = 0;
  bool fresh;
  hd_cexpr_id id = *cexpr_map_put(&code->table->map, expr,
                                  (hd_cexpr_id)code->exprs.size, &fresh);
  if (fresh)
    hd_vec_push(&code->exprs, expr);
  return id;
}

hd_cexpr_id hd_code_int(hd_code *code, hd_type type, uint64_t value) {
  return hd_code_expr(
      code, (hd_cexpr){.op = HD_CODE_INT, .type = type, .value = value});
}

void hd_code_finish(hd_code *code) {
  size_t n = code->locs.size;
  hd_free(code->out_start);
  hd_free(code->out);
  code->out_start = hd_calloc(n + 1, sizeof *code->out_start);
  code->out = hd_calloc(code->edges.size + 1, sizeof *code->out);
  for (hd_vec_each(hd_cedge, e, &code->edges))
    code->out_start[e->from + 1]++;
  for (size_t l = 0; l < n; l++)
    code->out_start[l + 1] += code->out_start[l];
  uint32_t *next = hd_calloc(n + 1, sizeof *next);
  memcpy(next, code->out_start, (n + 1) * sizeof *next);
  for (hd_edge_id e = 0; e < code->edges.size; e++)
    code->out[next[code->edges.data[e].from]++] = e;
  hd_free(next);
  code->main = HD_NO_ID;
  for (hd_func_id f = 0; f < code->funcs.size; f++)
    if (code->funcs.data[f].defined &&
        strcmp(code->funcs.data[f].name, "main") == 0)
      code->main = f;
}

/* --- validity --- */

static bool is_int(hd_type t) {
  return t.kind == HD_TYPE_INT;
}
static bool is_float(hd_type t) {
  return t.kind == HD_TYPE_FLOAT;
}
static bool is_ptr(hd_type t) {
  return t.kind == HD_TYPE_PTR;
}
static bool is_bool(hd_type t) {
  return is_int(t) && t.width == 1;
}

static bool type_ok(const hd_code *code, hd_type t) {
  switch ((hd_type_kind)t.kind) {
  case HD_TYPE_INT:
    return t.width >= 1 && t.width <= 64;
  case HD_TYPE_PTR:
    return t.width == code->pointer_width;
  case HD_TYPE_FLOAT:
    return t.width == 32 || t.width == 64;
  }
  return false;
}

static bool cast_ok(hd_code_op op, hd_type to, hd_type from) {
  switch (op) {
  case HD_CODE_TRUNC:
    return is_int(to) && is_int(from) && to.width < from.width;
  case HD_CODE_ZEXT:
  case HD_CODE_SEXT:
    return is_int(to) && is_int(from) && to.width > from.width;
  case HD_CODE_FPTRUNC:
    return is_float(to) && is_float(from) && to.width < from.width;
  case HD_CODE_FPEXT:
    return is_float(to) && is_float(from) && to.width > from.width;
  case HD_CODE_FPTOSI:
  case HD_CODE_FPTOUI:
    return is_int(to) && is_float(from);
  case HD_CODE_SITOFP:
  case HD_CODE_UITOFP:
    return is_float(to) && is_int(from);
  case HD_CODE_PTRTOINT:
    return is_int(to) && is_ptr(from);
  case HD_CODE_INTTOPTR:
    return is_ptr(to) && is_int(from);
  default: /* HD_CODE_BITCAST */
    return to.width == from.width;
  }
}

/* Do the operands' types fit the operation and its type? */
static bool types_fit(const hd_code *code, const hd_cexpr *e) {
  hd_code_op op = e->op;
  hd_type a[3] = {{0, 0}};
  for (int i = 0; i < hd_code_op_arity(op); i++)
    a[i] = code->exprs.data[e->args[i]].type;
  hd_type t = e->type;
  if (op >= HD_CODE_ADD && op <= HD_CODE_XOR)
    return is_int(t) && same_type(t, a[0]) && same_type(t, a[1]);
  if (op >= HD_CODE_EQ && op <= HD_CODE_SGE)
    return is_bool(t) && same_type(a[0], a[1]) && !is_float(a[0]);
  if (op >= HD_CODE_SADD_OVERFLOWS && op <= HD_CODE_UMUL_OVERFLOWS)
    return is_bool(t) && same_type(a[0], a[1]) && is_int(a[0]);
  if (op >= HD_CODE_FADD && op <= HD_CODE_FREM)
    return is_float(t) && same_type(t, a[0]) && same_type(t, a[1]);
  if (op == HD_CODE_FNEG || op == HD_CODE_FABS)
    return is_float(t) && same_type(t, a[0]);
  if (op >= HD_CODE_FOEQ && op <= HD_CODE_FUNO)
    return is_bool(t) && same_type(a[0], a[1]) && is_float(a[0]);
  if (op >= HD_CODE_TRUNC && op <= HD_CODE_BITCAST)
    return cast_ok(op, t, a[0]);
  if (op == HD_CODE_PTRADD)
    return is_ptr(t) && is_ptr(a[0]) && is_int(a[1]) && a[1].width == t.width;
  if (op == HD_CODE_SELECT)
    return is_bool(a[0]) && same_type(t, a[1]) && same_type(t, a[2]);
  if (op >= HD_CODE_CTPOP && op <= HD_CODE_ABS)
    return is_int(t) && same_type(t, a[0]);
  if (op >= HD_CODE_SMIN && op <= HD_CODE_WITHIN)
    return is_int(t) && same_type(t, a[0]) && same_type(t, a[1]);
  return true;
}

static bool leaf_ok(const hd_code *code, const hd_func *f, const hd_cexpr *e) {
  switch ((hd_code_op)e->op) {
  case HD_CODE_INT:
    return !is_ptr(e->type);
  case HD_CODE_NULL:
    return is_ptr(e->type);
  case HD_CODE_REG:
    return f && e->value < f->n_regs &&
           same_type(e->type, code->regs.data[f->regs + e->value].type);
  case HD_CODE_SLOT:
    return f && e->value < f->n_slots && is_ptr(e->type);
  case HD_CODE_GLOBAL:
    return e->value < code->globals.size && is_ptr(e->type);
  case HD_CODE_FUNC:
    return e->value < code->funcs.size && is_ptr(e->type);
  default:
    return true;
  }
}

/* Arguments come before what is made of them, so there are no cycles. */
static bool node_ok(const hd_code *code, hd_cexpr_id id) {
  const hd_cexpr *e = &code->exprs.data[id];
  if (e->op >= HD_CODE_OP_COUNT || !type_ok(code, e->type))
    return false;
  for (int i = 0; i < hd_code_op_arity(e->op); i++)
    if (e->args[i] >= id)
      return false;
  return types_fit(code, e);
}

/* The leaves of an expression in function `f` (NULL: in none) exist there.
 * `seen` has the last function that each expression was found good for. */
static bool expr_ok(const hd_code *code, const hd_func *f, hd_cexpr_id id,
                    const hd_func **seen) {
  if (id >= code->exprs.size)
    return false;
  if (f && seen[id] == f)
    return true;
  const hd_cexpr *e = &code->exprs.data[id];
  if (!leaf_ok(code, f, e))
    return false;
  for (int i = 0; i < hd_code_op_arity(e->op); i++)
    if (!expr_ok(code, f, e->args[i], seen))
      return false;
  if (f)
    seen[id] = f;
  return true;
}

static hd_type operand_type(const hd_code *code, const hd_cedge *e,
                            uint32_t i) {
  return code->exprs.data[hd_code_operand(code, e, i)].type;
}

static hd_type target_type(const hd_code *code, const hd_func *f,
                           const hd_cedge *e, uint32_t i) {
  return code->regs.data[f->regs + hd_code_target(code, e, i)].type;
}

/* Numbers of operands and targets, and their types. */
static bool shape_ok(const hd_code *code, const hd_func *f, const hd_cedge *e) {
  uint32_t n = e->n_operands, m = e->n_targets;
#define OP(i) operand_type(code, e, i)
#define TO(i) target_type(code, f, e, i)
  switch ((hd_code_act)e->act) {
  case HD_CODE_STEP:
    if (n != m)
      return false;
    for (uint32_t i = 0; i < n; i++)
      if (!same_type(OP(i), TO(i)))
        return false;
    return e->guard == HD_NO_ID || is_bool(code->exprs.data[e->guard].type);
  case HD_CODE_LOAD:
    return n == 1 && m == 1 && is_ptr(OP(0));
  case HD_CODE_STORE:
    return n == 2 && m == 0 && is_ptr(OP(0));
  case HD_CODE_RMW:
    return n == 2 && m == 1 && is_ptr(OP(0)) && same_type(OP(1), TO(0)) &&
           e->order != HD_ORDER_NONE;
  case HD_CODE_CMPXCHG:
    return n == 3 && m == 2 && is_ptr(OP(0)) && same_type(OP(1), OP(2)) &&
           same_type(OP(1), TO(0)) && is_bool(TO(1)) &&
           e->order != HD_ORDER_NONE;
  case HD_CODE_FENCE:
    return n == 0 && m == 0;
  case HD_CODE_CALL:
    return n >= 1 && is_ptr(OP(0));
  case HD_CODE_RETURN:
    if (n != f->n_results || m)
      return false;
    for (uint32_t i = 0; i < n; i++)
      if (!same_type(OP(i), code->types.data[f->results + i]))
        return false;
    return true;
  case HD_CODE_ALLOCA:
    return n == 1 && m == 1 && is_int(OP(0)) && is_ptr(TO(0));
  case HD_CODE_UNREACHABLE:
    return n == 0 && m == 0;
  case HD_CODE_UNSUPPORTED:
    return n == 0 && m == 0 && e->text;
  }
  return false;
#undef OP
#undef TO
}

static bool edge_ok(const hd_code *code, const hd_cedge *e,
                    const hd_func **seen) {
  if (e->from >= code->locs.size || e->to >= code->locs.size ||
      code->locs.data[e->from].func != code->locs.data[e->to].func)
    return false;
  const hd_func *f = &code->funcs.data[code->locs.data[e->from].func];
  for (uint32_t i = 0; i < e->n_operands; i++)
    if (!expr_ok(code, f, hd_code_operand(code, e, i), seen))
      return false;
  for (uint32_t i = 0; i < e->n_targets; i++)
    if (hd_code_target(code, e, i) >= f->n_regs)
      return false;
  if (e->guard != HD_NO_ID &&
      (e->act != HD_CODE_STEP || !expr_ok(code, f, e->guard, seen)))
    return false;
  return shape_ok(code, f, e);
}

static bool global_ok(const hd_code *code, const hd_global *g) {
  uint64_t bytes = code->pointer_width / 8;
  for (uint32_t i = 0; i < g->n_relocs; i++) {
    const hd_reloc *r = &code->relocs.data[g->relocs + i];
    if (g->size < bytes || r->offset > g->size - bytes ||
        !expr_ok(code, NULL, r->expr, NULL))
      return false;
  }
  return true;
}

static bool edges_valid(const hd_code *code, hd_str *why) {
  const hd_func **seen = hd_calloc(code->exprs.size + 1, sizeof *seen);
  bool good = true;
  for (hd_edge_id e = 0; good && e < code->edges.size; e++) {
    const hd_cedge *edge = &code->edges.data[e];
    if (edge_ok(code, edge, seen))
      continue;
    const hd_func *f = &code->funcs.data[code->locs.data[edge->from].func];
    hd_str_printf(why,
                  "in function @%s, an edge of location %u does not fit "
                  "together: numbers or types of its operands",
                  f->name, edge->from - f->locs);
    good = false;
  }
  hd_free(seen);
  return good;
}

bool hd_code_valid(const hd_code *code, hd_str *why) {
  for (hd_cexpr_id i = 0; i < code->exprs.size; i++)
    if (!node_ok(code, i)) {
      hd_str_printf(why, "the types do not fit the operation %s",
                    code->exprs.data[i].op < HD_CODE_OP_COUNT
                        ? hd_code_op_name(code->exprs.data[i].op)
                        : "?");
      return false;
    }
  for (hd_vec_each(const hd_global, g, &code->globals))
    if (!global_ok(code, g)) {
      hd_str_printf(why, "the initial value of @%s has a wrong address",
                    g->name);
      return false;
    }
  for (hd_vec_each(const hd_func, f, &code->funcs))
    if (f->defined && (f->n_params > f->n_regs || f->n_locs == 0)) {
      hd_str_printf(why, "function @%s has no location or lacks a parameter",
                    f->name);
      return false;
    }
  if (!edges_valid(code, why))
    return false;
  for (hd_loc_id l = 0; l < code->locs.size; l++)
    if (code->out_start[l] == code->out_start[l + 1]) {
      const hd_func *f = &code->funcs.data[code->locs.data[l].func];
      hd_str_printf(why, "in function @%s, location %u has no way out", f->name,
                    l - f->locs);
      return false;
    }
  return true;
}

/* --- literals --- */

bool hd_code_is_literal(const hd_code *code, hd_global_id global) {
  const hd_global *g = &code->globals.data[global];
  return g->constant && !g->cname && !g->external;
}

bool hd_code_is_literal_slot(const hd_code *code, size_t slot) {
  static const char name[] = ".compoundliteral";
  assert(slot < code->slots.size);
  const hd_slot *s = &code->slots.data[slot];
  return !s->cname && strncmp(s->name, name, sizeof name - 1) == 0;
}

static uint8_t byte_of(const hd_global *g, int64_t at) {
  return g->bytes ? g->bytes[at] : 0;
}

bool hd_code_may_share(const hd_code *code, hd_global_id a, int64_t at_a,
                       hd_global_id b, int64_t at_b) {
  if (a == b || !hd_code_is_literal(code, a) || !hd_code_is_literal(code, b))
    return false;
  const hd_global *x = &code->globals.data[a], *y = &code->globals.data[b];
  int64_t shift = at_b - at_a;
  bool common = false;
  for (int64_t i = 0; i < (int64_t)x->size; i++) {
    if (i + shift < 0 || i + shift >= (int64_t)y->size)
      continue;
    common = true;
    if (x->n_relocs || y->n_relocs) /* addresses, of which nobody knows */
      return true;
    if (byte_of(x, i) != byte_of(y, i + shift))
      return false;
  }
  return common;
}
