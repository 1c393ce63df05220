/* SPDX-License-Identifier: MIT */
#include "model/updates.h"

#include "base/mem.h"
#include "model/calls.h"

#include <string.h>

enum { KIND_ADD = 1, KIND_AND, KIND_OR, KIND_XOR };
enum { LONGEST = 64 }; /* edges of a section */

typedef struct {
  const hd_code *code;
  uint8_t *flags;
  uint32_t *reads;    /* of each register, in all expressions and edges */
  uint32_t *arrivals; /* edges to each location */
  hd_u32s edges;      /* of the section at hand */
} finder;

static hd_cexpr_id operand(const finder *f, const hd_cedge *e, uint32_t i) {
  return i < e->n_operands ? hd_code_operand(f->code, e, i) : HD_NO_ID;
}

static uint32_t reg_index(const finder *f, const hd_cedge *e, hd_reg_id reg) {
  hd_func_id func = f->code->locs.data[e->from].func;
  return f->code->funcs.data[func].regs + reg;
}

/* --- what is read --- */

static void count_reads(finder *f, const hd_cedge *edge, hd_cexpr_id id) {
  const hd_cexpr *e = &f->code->exprs.data[id];
  if (e->op == HD_CODE_REG)
    f->reads[reg_index(f, edge, (hd_reg_id)e->value)]++;
  for (int i = 0; i < hd_code_op_arity(e->op); i++)
    count_reads(f, edge, e->args[i]);
}

static void count_all(finder *f) {
  for (hd_vec_each(const hd_cedge, e, &f->code->edges)) {
    f->arrivals[e->to]++;
    if (e->guard != HD_NO_ID)
      count_reads(f, e, e->guard);
    for (uint32_t i = 0; i < e->n_operands; i++)
      count_reads(f, e, operand(f, e, i));
  }
}

static bool mentions(const finder *f, hd_cexpr_id id, hd_reg_id reg) {
  const hd_cexpr *e = &f->code->exprs.data[id];
  if (e->op == HD_CODE_REG && e->value == reg)
    return true;
  for (int i = 0; i < hd_code_op_arity(e->op); i++)
    if (mentions(f, e->args[i], reg))
      return true;
  return false;
}

/* --- updates --- */

static uint8_t kind_of_op(uint8_t op) {
  switch (op) {
  case HD_CODE_ADD:
  case HD_CODE_SUB:
    return KIND_ADD;
  case HD_CODE_AND:
    return KIND_AND;
  case HD_CODE_OR:
    return KIND_OR;
  case HD_CODE_XOR:
    return KIND_XOR;
  default:
    return 0;
  }
}

static uint8_t kind_of_rmw(uint8_t rmw) {
  switch ((hd_rmw)rmw) {
  case HD_RMW_ADD:
  case HD_RMW_SUB:
    return KIND_ADD;
  case HD_RMW_AND:
    return KIND_AND;
  case HD_RMW_OR:
    return KIND_OR;
  case HD_RMW_XOR:
    return KIND_XOR;
  default:
    return 0;
  }
}

/* How the value is made of the register, which nobody reads besides; 0 = in
 * another way. */
static uint8_t kind_of_value(const finder *f, const hd_cedge *store,
                             hd_reg_id reg) {
  const hd_cexpr *e = &f->code->exprs.data[operand(f, store, 1)];
  uint8_t kind = kind_of_op(e->op);
  if (!kind || e->type.kind != HD_TYPE_INT ||
      f->reads[reg_index(f, store, reg)] != 1)
    return 0;
  const hd_cexpr *left = &f->code->exprs.data[e->args[0]];
  const hd_cexpr *right = &f->code->exprs.data[e->args[1]];
  bool first = left->op == HD_CODE_REG && left->value == reg;
  bool second = right->op == HD_CODE_REG && right->value == reg;
  return first || (second && e->op != HD_CODE_SUB) ? kind : 0;
}

/* The only way on from a location, without a condition. */
static const hd_cedge *only_way(const finder *f, hd_loc_id loc) {
  const hd_code *code = f->code;
  if (code->out_start[loc + 1] != code->out_start[loc] + 1)
    return NULL;
  return &code->edges.data[code->out[code->out_start[loc]]];
}

/* `reg = *p` and then at once `*p = reg + …`. */
static void find_pair(finder *f, const hd_cedge *load) {
  if (load->act != HD_CODE_LOAD || load->order != HD_ORDER_NONE ||
      load->is_volatile || f->arrivals[load->to] != 1)
    return;
  hd_reg_id reg = hd_code_target(f->code, load, 0);
  const hd_cedge *store = only_way(f, load->to);
  if (!store || store->act != HD_CODE_STORE || store->is_volatile ||
      store->order != HD_ORDER_NONE ||
      operand(f, store, 0) != operand(f, load, 0) ||
      mentions(f, operand(f, load, 0), reg))
    return;
  uint8_t kind = kind_of_value(f, store, reg);
  hd_type value = f->code->exprs.data[operand(f, store, 1)].type;
  hd_type read = f->code->regs.data[reg_index(f, load, reg)].type;
  if (!kind || value.width != read.width || value.kind != read.kind)
    return;
  f->flags[load - f->code->edges.data] |= kind;
  f->flags[store - f->code->edges.data] |= kind;
}

static void find_atomic(finder *f, const hd_cedge *e) {
  uint8_t kind = e->act == HD_CODE_RMW ? kind_of_rmw(e->rmw) : 0;
  bool read = e->n_targets &&
              f->reads[reg_index(f, e, hd_code_target(f->code, e, 0))] != 0;
  if (kind && !read)
    f->flags[e - f->code->edges.data] |= kind | HD_UPDATE_ATOMIC;
}

/* --- sections --- */

static hd_library_fn called(const finder *f, const hd_cedge *e) {
  return e->act == HD_CODE_CALL ? hd_call_of(f->code, e) : HD_LIB_NONE;
}

/* Waits for a lock that one thread has. */
static bool locks(hd_library_fn fn) {
  hd_library_kind kind = hd_library_kind_of(fn);
  return (kind == HD_LIBRARY_MUTEX || kind == HD_LIBRARY_SPIN) &&
         hd_library_action(fn) == HD_DO_ACQUIRE &&
         !hd_library_is(fn, HD_CALL_TRIES) && !hd_library_is(fn, HD_CALL_TIMED);
}

static bool opens(hd_library_fn fn, hd_library_kind kind) {
  return hd_library_kind_of(fn) == kind &&
         hd_library_action(fn) == HD_DO_RELEASE;
}

/* Does the section set a register that the address of its lock is made of? */
static bool keeps(const finder *f, hd_cexpr_id lock) {
  for (hd_vec_each(const uint32_t, i, &f->edges)) {
    const hd_cedge *e = &f->code->edges.data[*i];
    for (uint32_t k = 0; k < e->n_targets; k++)
      if (mentions(f, lock, hd_code_target(f->code, e, k)))
        return false;
  }
  return true;
}

/* Follows all ways from the location to where the lock is opened. `depth` bounds
 * what has no loop. */
static bool follow(finder *f, hd_loc_id loc, hd_library_kind kind,
                   hd_cexpr_id lock, int depth) {
  const hd_code *code = f->code;
  if (!depth || code->locs.data[loc].loop != HD_NO_ID)
    return false;
  for (uint32_t i = code->out_start[loc]; i < code->out_start[loc + 1]; i++) {
    hd_edge_id id = code->out[i];
    const hd_cedge *e = &code->edges.data[id];
    hd_vec_push(&f->edges, id);
    if (f->edges.size > LONGEST)
      return false;
    if (opens(called(f, e), kind) && operand(f, e, 1) == lock)
      continue;
    bool plain = e->act == HD_CODE_STEP || e->act == HD_CODE_LOAD ||
                 e->act == HD_CODE_STORE;
    if (!plain || !follow(f, e->to, kind, lock, depth - 1))
      return false;
  }
  return true;
}

static void find_section(finder *f, hd_edge_id id) {
  const hd_cedge *e = &f->code->edges.data[id];
  if (!locks(called(f, e)))
    return;
  hd_library_kind kind = hd_library_kind_of(called(f, e));
  hd_cexpr_id lock = operand(f, e, 1);
  hd_vec_clear(&f->edges);
  if (!follow(f, e->to, kind, lock, LONGEST) || !keeps(f, lock))
    return;
  f->flags[id] |= HD_UPDATE_BEGINS;
  for (hd_vec_each(const uint32_t, i, &f->edges))
    f->flags[*i] |= f->code->edges.data[*i].act == HD_CODE_CALL
                        ? HD_UPDATE_ENDS
                        : HD_UPDATE_INSIDE;
}

/* Whose owner may die: who comes next is told. */
static bool has_robust(const hd_code *code) {
  for (hd_func_id f = 0; f < code->funcs.size; f++)
    if (hd_call_library(code, f) == HD_LIB_pthread_mutexattr_setrobust)
      return true;
  return false;
}

uint8_t *hd_code_updates(const hd_code *code) {
  finder f = {.code = code,
              .flags = hd_calloc(code->edges.size + 1, 1),
              .reads = hd_calloc(code->regs.size + 1, sizeof *f.reads),
              .arrivals = hd_calloc(code->locs.size + 1, sizeof *f.arrivals)};
  for (hd_vec_each(const hd_func, func, &code->funcs))
    if (func->defined)
      f.arrivals[func->entry]++;
  count_all(&f);
  for (hd_vec_each(const hd_cedge, e, &code->edges)) {
    find_pair(&f, e);
    find_atomic(&f, e);
  }
  bool robust = has_robust(code);
  for (hd_edge_id i = 0; i < code->edges.size && !robust; i++)
    find_section(&f, i);
  hd_vec_free(&f.edges);
  hd_free(f.reads);
  hd_free(f.arrivals);
  return f.flags;
}
