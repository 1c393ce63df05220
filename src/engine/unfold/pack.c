/* SPDX-License-Identifier: MIT */
/* Which variables are related, by a look at the program: those that are compared
 * with each other somewhere, and whatever these are computed from by sums and
 * copies, through calls and through cells of global variables.
 *
 * A class of variables that flow into each other is good if a comparison has two
 * variables of it, or of two classes, which it makes one. The registers of good
 * classes are related when they meet in a frame, the cells of such a class if
 * there are at least two. */
#include "base/bitset.h"
#include "engine/unfold/relate.h"

typedef struct {
  hd_global_id global;
  uint32_t offset, bytes;
} place;

typedef struct {
  const hd_code *code;
  hd_func_id func; /* whose expressions are looked at */
  hd_u32s parents; /* registers first, then places: union and find */
  hd_vec(place) places;
  uint64_t *seeds; /* compared with another one */
} packer;

static uint32_t root(packer *p, uint32_t x) {
  assert(x < p->parents.size);
  while (p->parents.data[x] != x)
    x = p->parents.data[x] = p->parents.data[p->parents.data[x]];
  return x;
}

static void unite(packer *p, uint32_t x, uint32_t y) {
  p->parents.data[root(p, x)] = root(p, y);
}

static uint32_t reg_of(const packer *p, hd_func_id func, hd_reg_id reg) {
  assert(reg < p->code->funcs.data[func].n_regs);
  return p->code->funcs.data[func].regs + reg;
}

/* The registers that an integer is a sum of. */
static void leaves(const packer *p, hd_cexpr_id expr, hd_u32s *out) {
  assert(expr < p->code->exprs.size);
  const hd_cexpr *e = &p->code->exprs.data[expr];
  if (e->type.kind != HD_TYPE_INT || e->type.width < 8)
    return;
  switch ((hd_code_op)e->op) {
  case HD_CODE_REG:
    hd_vec_push(out, reg_of(p, p->func, (hd_reg_id)e->value));
    break;
  case HD_CODE_ADD:
  case HD_CODE_SUB:
    leaves(p, e->args[0], out);
    leaves(p, e->args[1], out);
    break;
  case HD_CODE_MUL:
  case HD_CODE_SHL:
  case HD_CODE_SEXT:
  case HD_CODE_ZEXT:
  case HD_CODE_TRUNC:
    leaves(p, e->args[0], out);
    break;
  default:
    break;
  }
}

/* All comparisons in an expression. */
static void find_comparisons(packer *p, hd_cexpr_id expr) {
  assert(expr < p->code->exprs.size);
  const hd_cexpr *e = &p->code->exprs.data[expr];
  for (int i = 0; i < hd_code_op_arity(e->op); i++)
    find_comparisons(p, e->args[i]);
  if (e->op < HD_CODE_EQ || e->op > HD_CODE_SGE)
    return;
  hd_u32s all = {0};
  leaves(p, e->args[0], &all);
  leaves(p, e->args[1], &all);
  for (size_t i = 1; i < all.size; i++)
    if (all.data[i] != all.data[0]) {
      unite(p, all.data[0], all.data[i]);
      hd_bits_set(p->seeds, all.data[0]);
      hd_bits_set(p->seeds, all.data[i]);
    }
  hd_vec_free(&all);
}

/* The number of the place that a pointer is the constant address of; HD_NO_ID. */
static uint32_t place_at(packer *p, hd_cexpr_id address, uint32_t bytes) {
  assert(address < p->code->exprs.size);
  const hd_cexpr *e = &p->code->exprs.data[address];
  uint64_t offset = 0;
  while (e->op == HD_CODE_PTRADD &&
         p->code->exprs.data[e->args[1]].op == HD_CODE_INT) {
    offset += p->code->exprs.data[e->args[1]].value;
    e = &p->code->exprs.data[e->args[0]];
  }
  if (e->op != HD_CODE_GLOBAL)
    return HD_NO_ID;
  const hd_global *g = &p->code->globals.data[e->value];
  if (g->thread_local || g->external || g->constant ||
      offset + bytes > g->size || offset + bytes > UINT32_MAX)
    return HD_NO_ID;
  uint32_t first = (uint32_t)p->code->regs.size;
  for (uint32_t i = 0; i < p->places.size; i++)
    if (p->places.data[i].global == e->value &&
        p->places.data[i].offset == offset)
      return p->places.data[i].bytes == bytes ? first + i : HD_NO_ID;
  place fresh = {(hd_global_id)e->value, (uint32_t)offset, bytes};
  hd_vec_push(&p->places, fresh);
  uint32_t self = (uint32_t)p->parents.size;
  hd_vec_push(&p->parents, self);
  assert(p->parents.size == p->code->regs.size + p->places.size);
  return first + (uint32_t)p->places.size - 1;
}

/* What flows from an expression into a variable. */
static void flow(packer *p, hd_cexpr_id from, uint32_t to) {
  hd_u32s all = {0};
  leaves(p, from, &all);
  for (hd_vec_each(const uint32_t, x, &all))
    unite(p, *x, to);
  hd_vec_free(&all);
}

static bool is_number(hd_type type) {
  return type.kind == HD_TYPE_INT && type.width >= 8 && type.width % 8 == 0;
}

static void find_call(packer *p, const hd_cedge *e) {
  const hd_code *code = p->code;
  const hd_cexpr *callee = &code->exprs.data[hd_code_operand(code, e, 0)];
  if (callee->op != HD_CODE_FUNC)
    return;
  const hd_func *f = &code->funcs.data[callee->value];
  for (uint32_t i = 0; f->defined && i < f->n_params && i + 1 < e->n_operands;
       i++)
    flow(p, hd_code_operand(code, e, 1 + i), f->regs + i);
}

static void find_flows(packer *p, const hd_cedge *e) {
  const hd_code *code = p->code;
  const hd_cexpr_id *operands = code->operands.data + e->operands;
  if (e->act == HD_CODE_STEP)
    for (uint32_t i = 0; i < e->n_targets; i++)
      flow(p, operands[i], reg_of(p, p->func, hd_code_target(code, e, i)));
  if (e->act == HD_CODE_LOAD) {
    uint32_t reg = reg_of(p, p->func, hd_code_target(code, e, 0));
    hd_type type = code->regs.data[reg].type;
    uint32_t at = is_number(type)
                      ? place_at(p, operands[0], hd_type_bytes(type))
                      : HD_NO_ID;
    if (at != HD_NO_ID)
      unite(p, reg, at);
  }
  if (e->act == HD_CODE_STORE) {
    hd_type type = code->exprs.data[operands[1]].type;
    uint32_t at = is_number(type)
                      ? place_at(p, operands[0], hd_type_bytes(type))
                      : HD_NO_ID;
    if (at != HD_NO_ID)
      flow(p, operands[1], at);
  }
  if (e->act == HD_CODE_CALL)
    find_call(p, e);
}

static void look(packer *p) {
  for (hd_vec_each(const hd_cedge, e, &p->code->edges)) {
    p->func = p->code->locs.data[e->from].func;
    if (e->guard != HD_NO_ID)
      find_comparisons(p, e->guard);
    for (uint32_t i = 0; i < e->n_operands; i++)
      find_comparisons(p, hd_code_operand(p->code, e, i));
    find_flows(p, e);
  }
}

/* The places of good classes with two or more of them, up to the bound. */
static void choose_cells(packer *p, const bool *good, analysis *a,
                         hd_related *out) {
  uint32_t first = (uint32_t)p->code->regs.size;
  for (uint32_t i = 0; i < p->places.size && out->n < HD_MAX_CELLS; i++) {
    uint32_t mine = root(p, first + i), others = 0;
    for (uint32_t k = 0; k < p->places.size; k++)
      others += k != i && root(p, first + k) == mine;
    if (!good[mine] || !others)
      continue;
    const place *x = &p->places.data[i];
    object_key key = {.kind = OBJ_GLOBAL, .what = x->global};
    out->cells[out->n].object = hd_analysis_object(a, key);
    out->cells[out->n].offset = x->offset;
    out->cells[out->n].bytes = x->bytes;
    out->n++;
  }
}

static bool *pack(packer *p, const hd_code *code) {
  size_t n = code->regs.size;
  *p = (packer){.code = code};
  p->seeds = hd_calloc(hd_bits_words(n + 1), sizeof *p->seeds);
  for (uint32_t i = 0; i < n; i++)
    hd_vec_push(&p->parents, i);
  look(p);
  bool *good = hd_calloc(p->parents.size + 1, sizeof *good);
  for (uint32_t i = 0; i < n; i++)
    if (hd_bits_test(p->seeds, i))
      good[root(p, i)] = true;
  return good;
}

static void unpack(packer *p, bool *good) {
  hd_free(good);
  hd_free(p->seeds);
  hd_vec_free(&p->parents);
  hd_vec_free(&p->places);
}

relations *hd_relate_new(analysis *a) {
  hd_octagons *lib = hd_octagons_open();
  if (!lib)
    return NULL;
  packer p;
  bool *good = pack(&p, a->code);
  size_t n = a->code->regs.size;
  relations *r = hd_calloc(1, sizeof *r);
  r->cells.lib = lib;
  r->good = hd_calloc(hd_bits_words(n + 1), sizeof *r->good);
  for (uint32_t i = 0; i < n; i++)
    if (good[root(&p, i)])
      hd_bits_set(r->good, i);
  choose_cells(&p, good, a, &r->cells);
  unpack(&p, good);
  return r;
}

/* Does the program write to elements of arrays, in loops (runs.h)? */
static bool has_arrays(const hd_code *code) {
  for (hd_vec_each(const hd_cedge, e, &code->edges)) {
    if (e->act != HD_CODE_STORE || !code->loops.size)
      continue;
    const hd_cexpr *x = &code->exprs.data[hd_code_operand(code, e, 0)];
    if (x->op == HD_CODE_PTRADD &&
        code->exprs.data[x->args[1]].op != HD_CODE_INT)
      return true;
  }
  return false;
}

bool hd_relate_possible(const hd_code *code) {
  packer p;
  bool *good = pack(&p, code), any = has_arrays(code);
  for (size_t i = 0; i < p.parents.size; i++)
    any = any || good[i];
  unpack(&p, good);
  return any;
}

void hd_relate_free(relations *r) {
  if (!r)
    return;
  hd_octagons_close(r->cells.lib);
  hd_free(r->good);
  hd_free(r);
}

hd_memory *hd_relate_memory(const analysis *a) {
  return a->relate ? hd_memory_new_related(&a->relate->cells) : hd_memory_new();
}
