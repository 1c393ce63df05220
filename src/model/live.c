/* SPDX-License-Identifier: MIT */
/* Live registers, and variables in memory to which no pointer can lead, by the usual
 * backward analysis, function by function:
 *
 *   in(l) = union over edges l -> l' of uses(edge) + (in(l') - targets(edge))
 *
 * iterated to the least fixed point; in grows only, so it ends. RETURN,
 * UNREACHABLE and UNSUPPORTED lead nowhere. Functions that would need too much
 * room are left out: all their registers count as live. A slot is used by whatever
 * looks at a part of it, and assigned by what writes all of it; where its address is
 * used for anything else it counts as live everywhere. */
#include "model/live.h"

#include "base/bitset.h"
#include "model/calls.h"

#include <string.h>

/* Bits of one function's table. */
#define BITS_MOST ((uint64_t)1 << 27)

struct hd_live {
  const hd_code *code;
  uint64_t **in;   /* a table for each function; NULL = all are live */
  uint32_t *stamp; /* scratch: expressions looked at for this edge */
  uint32_t round;
  hd_u32s work;
};

/* Slots begin in a word of their own, so that the registers before them are a
 * set. */
static size_t slot_bit(const hd_func *func, uint64_t slot) {
  return hd_bits_words(func->n_regs) * 64 + slot;
}

static size_t width_of(const hd_func *func) {
  return slot_bit(func, func->n_slots);
}

static uint64_t *row(const hd_live *live, hd_loc_id loc) {
  hd_func_id f = live->code->locs.data[loc].func;
  const hd_func *func = &live->code->funcs.data[f];
  if (!live->in[f])
    return NULL;
  return live->in[f] + (loc - func->locs) * hd_bits_words(width_of(func));
}

/* Adds the registers and slots that an expression names. */
static void add_uses(hd_live *live, const hd_func *func, hd_cexpr_id expr,
                     uint64_t *bits) {
  const hd_code *code = live->code;
  hd_vec_push(&live->work, expr);
  while (live->work.size) {
    hd_cexpr_id id = hd_vec_pop(&live->work);
    if (live->stamp[id] == live->round)
      continue;
    live->stamp[id] = live->round;
    const hd_cexpr *e = &code->exprs.data[id];
    if (e->op == HD_CODE_REG)
      hd_bits_set(bits, e->value);
    if (e->op == HD_CODE_SLOT)
      hd_bits_set(bits, slot_bit(func, e->value));
    for (int i = 0; i < hd_code_op_arity((hd_code_op)e->op); i++)
      hd_vec_push(&live->work, e->args[i]);
  }
}

static bool leads_on(const hd_cedge *edge) {
  return edge->act != HD_CODE_RETURN && edge->act != HD_CODE_UNREACHABLE &&
         edge->act != HD_CODE_UNSUPPORTED;
}

static const hd_cexpr *operand(const hd_code *code, const hd_cedge *edge,
                               uint32_t i) {
  return &code->exprs.data[hd_code_operand(code, edge, i)];
}

static bool is_lifetime(const hd_code *code, const hd_cedge *edge) {
  hd_library_fn fn =
      edge->act == HD_CODE_CALL ? hd_call_of(code, edge) : HD_LIB_NONE;
  return fn == HD_LIB_llvm_lifetime_start || fn == HD_LIB_llvm_lifetime_end;
}

/* The slot of which the edge writes all bytes, or which begins or ends to exist;
 * HD_NO_ID = none. */
static uint32_t assigned_slot(const hd_code *code, const hd_func *func,
                              const hd_cedge *edge) {
  for (uint32_t i = 0; is_lifetime(code, edge) && i < edge->n_operands; i++)
    if (operand(code, edge, i)->op == HD_CODE_SLOT)
      return (uint32_t)operand(code, edge, i)->value;
  if (edge->act != HD_CODE_STORE || operand(code, edge, 0)->op != HD_CODE_SLOT)
    return HD_NO_ID;
  uint32_t slot = (uint32_t)operand(code, edge, 0)->value;
  uint64_t size = code->slots.data[func->slots + slot].size;
  return hd_type_bytes(operand(code, edge, 1)->type) == size ? slot : HD_NO_ID;
}

/* What is live before the edge, into `bits`. */
static void before_edge(hd_live *live, const hd_cedge *edge, uint64_t *bits,
                        size_t words) {
  const hd_code *code = live->code;
  const hd_func *func = &code->funcs.data[code->locs.data[edge->from].func];
  uint32_t slot = assigned_slot(code, func, edge);
  memset(bits, 0, words * sizeof *bits);
  if (leads_on(edge))
    memcpy(bits, row(live, edge->to), words * sizeof *bits);
  for (uint32_t i = 0; i < edge->n_targets; i++)
    hd_bits_clear(bits, hd_code_target(code, edge, i));
  if (slot != HD_NO_ID)
    hd_bits_clear(bits, slot_bit(func, slot));
  live->round++;
  if (edge->guard != HD_NO_ID)
    add_uses(live, func, edge->guard, bits);
  for (uint32_t i = 0; i < edge->n_operands; i++)
    if (slot == HD_NO_ID || operand(code, edge, i)->op != HD_CODE_SLOT ||
        operand(code, edge, i)->value != slot)
      add_uses(live, func, hd_code_operand(code, edge, i), bits);
}

static bool update(hd_live *live, hd_loc_id loc, uint64_t *bits, size_t words) {
  const hd_code *code = live->code;
  bool changed = false;
  for (uint32_t i = code->out_start[loc]; i < code->out_start[loc + 1]; i++) {
    before_edge(live, &code->edges.data[code->out[i]], bits, words);
    changed |= hd_bits_union(row(live, loc), bits, words);
  }
  return changed;
}

static bool is_access(const hd_cedge *edge) {
  return edge->act == HD_CODE_LOAD || edge->act == HD_CODE_STORE ||
         edge->act == HD_CODE_RMW || edge->act == HD_CODE_CMPXCHG;
}

/* Slots whose address serves for more than accesses to them. */
static void find_escaping(hd_live *live, const hd_func *func, uint64_t *bits) {
  const hd_code *code = live->code;
  live->round++; /* what an access looks at is looked at again elsewhere */
  for (uint32_t l = func->locs; l < func->locs + func->n_locs; l++)
    for (uint32_t k = code->out_start[l]; k < code->out_start[l + 1]; k++) {
      const hd_cedge *edge = &code->edges.data[code->out[k]];
      if (edge->guard != HD_NO_ID)
        add_uses(live, func, edge->guard, bits);
      for (uint32_t i = 0; i < edge->n_operands; i++)
        if (!(is_access(edge) && i == 0) &&
            !(is_lifetime(code, edge) &&
              operand(code, edge, i)->op == HD_CODE_SLOT))
          add_uses(live, func, hd_code_operand(code, edge, i), bits);
    }
}

static void analyse(hd_live *live, const hd_func *func, hd_func_id f) {
  size_t words = hd_bits_words(width_of(func));
  if (!func->defined || (uint64_t)func->n_locs * words * 64 > BITS_MOST)
    return;
  live->in[f] = hd_calloc((size_t)func->n_locs * words + 1, sizeof **live->in);
  uint64_t *bits = hd_calloc(words + 1, sizeof *bits);
  find_escaping(live, func, bits);
  for (hd_reg_id r = 0; r < func->n_regs; r++)
    hd_bits_clear(bits, r);
  for (uint32_t i = 0; i < func->n_locs; i++)
    hd_bits_union(row(live, func->locs + i), bits, words);
  bool changed = true;
  while (changed) { /* backwards: most edges lead forward */
    changed = false;
    for (uint32_t i = func->n_locs; i--;)
      changed |= update(live, func->locs + i, bits, words);
  }
  hd_free(bits);
}

hd_live *hd_live_new(const hd_code *code) {
  hd_live *live = hd_calloc(1, sizeof *live);
  live->code = code;
  live->in = hd_calloc(code->funcs.size + 1, sizeof *live->in);
  live->stamp = hd_calloc(code->exprs.size + 1, sizeof *live->stamp);
  for (hd_func_id f = 0; f < code->funcs.size; f++)
    analyse(live, &code->funcs.data[f], f);
  return live;
}

void hd_live_delete(hd_live *live) {
  if (!live)
    return;
  for (size_t f = 0; f < live->code->funcs.size; f++)
    hd_free(live->in[f]);
  hd_free(live->in);
  hd_free(live->stamp);
  hd_vec_free(&live->work);
  hd_free(live);
}

const uint64_t *hd_live_set(const hd_live *live, hd_loc_id loc) {
  return row(live, loc);
}

bool hd_live_at(const hd_live *live, hd_loc_id loc, hd_reg_id reg) {
  const uint64_t *bits = row(live, loc);
  return !bits || hd_bits_test(bits, reg);
}

bool hd_live_slot(const hd_live *live, hd_loc_id loc, uint32_t slot) {
  const hd_code *code = live->code;
  const hd_func *func = &code->funcs.data[code->locs.data[loc].func];
  const uint64_t *bits = row(live, loc);
  return !bits || hd_bits_test(bits, slot_bit(func, slot));
}

bool hd_live_after(const hd_live *live, hd_edge_id id, hd_reg_id reg) {
  const hd_cedge *edge = &live->code->edges.data[id];
  for (uint32_t i = 0; i < edge->n_targets; i++)
    if (hd_code_target(live->code, edge, i) == reg)
      return false;
  return hd_live_at(live, edge->to, reg);
}
