/* SPDX-License-Identifier: MIT */
/* Trace partitioning: apart.h says what is kept apart.
 *
 * The set grows with every level and is bounded by the program; the number of
 * states that are kept apart at one place is bounded, too: beyond it those that
 * differ least are joined, and widened as ever. So partitions change nothing about
 * soundness and termination, only about what is forgotten. */
#include "engine/unfold/apart.h"

#include "base/bitset.h"
#include "engine/unfold/relate.h"

typedef struct {
  const hd_code *code;
  apart *set;
  bool grown;
} grower;

static void add_bit(grower *g, uint64_t *bits, size_t i) {
  if (hd_bits_test(bits, i))
    return;
  hd_bits_set(bits, i);
  g->grown = true;
}

/* The registers in an expression of a function. */
static void add_regs(grower *g, hd_func_id func, hd_cexpr_id expr) {
  assert(func < g->code->funcs.size);
  assert(expr < g->code->exprs.size);
  const hd_cexpr *e = &g->code->exprs.data[expr];
  if (e->op == HD_CODE_REG)
    add_bit(g, g->set->regs, g->code->funcs.data[func].regs + e->value);
  for (int i = 0; i < hd_code_op_arity(e->op); i++)
    add_regs(g, func, e->args[i]);
}

static void add_operands(grower *g, hd_func_id func, const hd_cedge *e,
                         uint32_t from) {
  for (uint32_t i = from; i < e->n_operands; i++)
    add_regs(g, func, hd_code_operand(g->code, e, i));
}

/* The global variable that an address is in, at a constant place. */
static bool find_place(const hd_code *code, hd_cexpr_id address,
                       hd_global_id *global, uint64_t *offset) {
  assert(address < code->exprs.size);
  const hd_cexpr *e = &code->exprs.data[address];
  *offset = 0;
  while (e->op == HD_CODE_PTRADD &&
         code->exprs.data[e->args[1]].op == HD_CODE_INT) {
    *offset += code->exprs.data[e->args[1]].value;
    e = &code->exprs.data[e->args[0]];
  }
  if (e->op != HD_CODE_GLOBAL)
    return false;
  *global = (hd_global_id)e->value;
  const hd_global *g = &code->globals.data[e->value];
  return !g->thread_local && !g->external && !g->constant && *offset < g->size;
}

static bool has_cell(const apart *set, hd_global_id global, uint64_t offset) {
  for (uint32_t i = 0; i < set->n; i++)
    if (set->cells[i].global == global && set->cells[i].offset == offset)
      return true;
  return false;
}

static void add_cell(grower *g, const hd_cedge *e, hd_reg_id reg,
                     hd_func_id func) {
  assert(func < g->code->funcs.size);
  hd_type type = g->code->regs.data[g->code->funcs.data[func].regs + reg].type;
  uint32_t bytes = hd_type_bytes(type);
  hd_global_id global;
  uint64_t offset;
  if (type.kind == HD_TYPE_FLOAT || !bytes || bytes > 8 ||
      !find_place(g->code, hd_code_operand(g->code, e, 0), &global, &offset) ||
      offset + bytes > g->code->globals.data[global].size ||
      offset > UINT32_MAX || has_cell(g->set, global, offset) ||
      g->set->n == MAX_APART_CELLS)
    return;
  g->set->cells[g->set->n].global = global;
  g->set->cells[g->set->n].offset = (uint32_t)offset;
  g->set->cells[g->set->n].bytes = bytes;
  g->set->n++;
  assert(g->set->n <= MAX_APART_CELLS);
  g->grown = true;
}

static bool sets_wanted(const grower *g, const hd_cedge *e, hd_func_id func) {
  for (uint32_t i = 0; i < e->n_targets; i++)
    if (hd_bits_test(g->set->regs, g->code->funcs.data[func].regs +
                                       hd_code_target(g->code, e, i)))
      return true;
  return false;
}

static void add_call(grower *g, const hd_cedge *e, hd_func_id func) {
  const hd_code *code = g->code;
  const hd_cexpr *callee = &code->exprs.data[hd_code_operand(code, e, 0)];
  if (callee->op != HD_CODE_FUNC || !code->funcs.data[callee->value].defined)
    return;
  const hd_func *f = &code->funcs.data[callee->value];
  for (uint32_t i = 0; i < f->n_params && i + 1 < e->n_operands; i++)
    if (hd_bits_test(g->set->regs, f->regs + i))
      add_regs(g, func, hd_code_operand(code, e, 1 + i));
  if (!sets_wanted(g, e, func))
    return;
  for (hd_vec_each(const hd_cedge, r, &code->edges))
    if (r->act == HD_CODE_RETURN &&
        code->locs.data[r->from].func == (hd_func_id)callee->value)
      add_operands(g, (hd_func_id)callee->value, r, 0);
}

/* Where the values of registers come from, within threads. */
static void close_regs(grower *g) {
  const hd_code *code = g->code;
  for (bool again = true; again;) {
    bool before = g->grown;
    g->grown = false;
    for (hd_vec_each(const hd_cedge, e, &code->edges)) {
      hd_func_id func = code->locs.data[e->from].func;
      if (e->guard != HD_NO_ID && hd_bits_test(g->set->funcs, func))
        add_regs(g, func, e->guard);
      if (e->act == HD_CODE_CALL)
        add_call(g, e, func);
      if (!e->n_targets || !sets_wanted(g, e, func))
        continue;
      if (e->act == HD_CODE_STEP)
        add_operands(g, func, e, 0);
      if (e->act == HD_CODE_LOAD || e->act == HD_CODE_RMW ||
          e->act == HD_CODE_CMPXCHG)
        add_cell(g, e, hd_code_target(code, e, 0), func);
    }
    again = g->grown;
    g->grown = g->grown || before;
  }
}

/* Who writes to the cells, and what. */
static void add_writers(grower *g) {
  const hd_code *code = g->code;
  for (hd_vec_each(const hd_cedge, e, &code->edges)) {
    hd_func_id func = code->locs.data[e->from].func;
    hd_global_id global;
    uint64_t offset;
    if ((e->act != HD_CODE_STORE && e->act != HD_CODE_RMW &&
         e->act != HD_CODE_CMPXCHG) ||
        !find_place(code, hd_code_operand(code, e, 0), &global, &offset) ||
        !has_cell(g->set, global, offset))
      continue;
    add_operands(g, func, e, 1);
    add_bit(g, g->set->funcs, func);
  }
}

bool hd_apart_grow(apart *set, const hd_code *code,
                   const hd_unfold_result *result, hd_properties properties) {
  grower g = {code, set, false};
  if (!set->regs) {
    set->regs =
        hd_calloc(hd_bits_words(code->regs.size + 1), sizeof *set->regs);
    set->funcs =
        hd_calloc(hd_bits_words(code->funcs.size + 1), sizeof *set->funcs);
  }
  if (!result)
    return false;
  for (hd_vec_each(const hd_alarm, x, &result->alarms)) {
    if (!(properties >> x->property & 1))
      continue;
    assert(x->edge < code->edges.size);
    add_bit(&g, set->funcs,
            code->locs.data[code->edges.data[x->edge].from].func);
    if (x->other != HD_NO_ID)
      add_bit(&g, set->funcs,
              code->locs.data[code->edges.data[x->other].from].func);
  }
  if (!g.grown)
    add_writers(&g);
  close_regs(&g);
  return g.grown;
}

void hd_apart_free(apart *set) {
  hd_free(set->regs);
  hd_free(set->funcs);
}

static uint32_t frames_differ(const analysis *a, const frame *x,
                              const frame *y) {
  const apart *set = a->options->apart;
  uint32_t n = 0;
  uint64_t p, q;
  for (; x && y && x != y; x = x->below, y = y->below)
    for (uint32_t i = 0; i < x->n_regs && i < y->n_regs; i++)
      n += hd_bits_test(set->regs, a->code->funcs.data[x->func].regs + i) &&
           hd_value_is_const(&x->regs[i], &p) &&
           hd_value_is_const(&y->regs[i], &q) && p != q;
  return n;
}

/* Registers that are kept apart have the values they had. */
static void recall_regs(const analysis *a, frame *out, const frame *from) {
  const apart *set = a->options->apart;
  for (; out && from && out != from; out = out->below, from = from->below) {
    assert(out->func == from->func && out->refs == 1);
    for (uint32_t i = 0; i < out->n_regs; i++)
      if (hd_bits_test(set->regs, a->code->funcs.data[out->func].regs + i))
        out->regs[i] = from->regs[i];
  }
}

static void recall_cells(analysis *a, hd_memory **memory,
                         const hd_memory *from) {
  const apart *set = a->options->apart;
  for (uint32_t i = 0; i < set->n; i++) {
    object_key key = {.kind = OBJ_GLOBAL, .what = set->cells[i].global};
    hd_pointee at = {hd_analysis_object(a, key), 0, set->cells[i].offset,
                     set->cells[i].offset};
    if (hd_memory_life(from, at.object) != HD_LIFE_ALIVE)
      continue;
    hd_value v = hd_memory_load(from, &at, set->cells[i].bytes);
    hd_memory_refine(memory, &at, set->cells[i].bytes, &v);
  }
}

void hd_apart_widen(analysis *a, stop *at, const local *old, hd_stamp stamp,
                    bool all) {
  /* It stands where it has stood before. */
  assert(hd_frame_same_control(old->top, at->state.top));
  local *l = &at->state;
  /* What does not matter goes to the end of its type at once. */
  const hd_widening far = {NULL, 0}, *how = all ? &a->widening : &far;
  frame *top = hd_frame_join(a->code, old->top, l->top, how);
  hd_relate_join(a, top, old->top, l->top, true);
  if (!all)
    recall_regs(a, top, l->top);
  hd_frame_drop(l->top);
  l->top = top;
  hd_memory *before = hd_memory_keep(l->memory);
  hd_memory_widen(&l->memory, old->memory, stamp, how);
  if (!all)
    recall_cells(a, &l->memory, before);
  hd_memory_drop(before);
}

uint32_t hd_apart_difference(analysis *a, const local *x, const local *y) {
  const apart *set = a->options->apart;
  if (!set)
    return 0;
  uint32_t n = frames_differ(a, x->top, y->top);
  for (uint32_t i = 0; i < set->n; i++) {
    object_key key = {.kind = OBJ_GLOBAL, .what = set->cells[i].global};
    hd_object_id object = hd_analysis_object(a, key);
    hd_pointee at = {object, 0, set->cells[i].offset, set->cells[i].offset};
    if (hd_memory_life(x->memory, object) != HD_LIFE_ALIVE ||
        hd_memory_life(y->memory, object) != HD_LIFE_ALIVE)
      continue;
    hd_value v = hd_memory_load(x->memory, &at, set->cells[i].bytes);
    hd_value w = hd_memory_load(y->memory, &at, set->cells[i].bytes);
    hd_value both = hd_value_meet((uint8_t)(8 * set->cells[i].bytes), &v, &w);
    n += hd_value_is_none(&both);
  }
  return n;
}
