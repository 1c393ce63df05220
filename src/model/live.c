/* SPDX-License-Identifier: MIT */
/* Live registers, and slots that are only loaded and stored as a whole, by the usual
 * backward analysis, function by function:
 *
 *   in(l) = union over edges l -> l' of uses(edge) + (in(l') - targets(edge))
 *
 * iterated to the least fixed point; in grows only, so it ends. RETURN,
 * UNREACHABLE and UNSUPPORTED lead nowhere. Functions that would need too much
 * room are left out: all their registers count as live. */
#include "model/live.h"

#include "base/bitset.h"

#include <string.h>

/* Bits of one function's table. */
#define BITS_MOST ((uint64_t)1 << 27)

struct hd_live {
  const hd_code *code;
  uint64_t **in;   /* a table for each function, registers, then slots; NULL =
                      all are live */
  bool *kept;      /* by slot: its address is used otherwise */
  uint32_t *stamp; /* scratch: expressions looked at for this edge */
  uint32_t round;
  hd_u32s work;
};

/* Slots begin in a word of their own, so that the registers before it are a set. */
static size_t words_of(const hd_func *func) {
  return hd_bits_words(func->n_regs) + hd_bits_words(func->n_slots);
}

static size_t slot_bit(const hd_func *func, uint32_t slot) {
  return hd_bits_words(func->n_regs) * 64 + slot;
}

static uint64_t *row(const hd_live *live, hd_loc_id loc) {
  hd_func_id f = live->code->locs.data[loc].func;
  const hd_func *func = &live->code->funcs.data[f];
  if (!live->in[f])
    return NULL;
  return live->in[f] + (loc - func->locs) * words_of(func);
}

/* --- slots --- */

/* The slot that a LOAD or STORE is of, all of it; HD_NO_ID: none. */
static uint32_t slot_of(const hd_code *code, const hd_cedge *edge) {
  if (edge->act != HD_CODE_LOAD && edge->act != HD_CODE_STORE)
    return HD_NO_ID;
  const hd_func *func = &code->funcs.data[code->locs.data[edge->from].func];
  const hd_cexpr_id *operands = code->operands.data + edge->operands;
  const hd_cexpr *address = &code->exprs.data[operands[0]];
  if (address->op != HD_CODE_SLOT)
    return HD_NO_ID;
  hd_type type =
      edge->act == HD_CODE_STORE
          ? code->exprs.data[operands[1]].type
          : code->regs.data[func->regs + code->targets.data[edge->targets]]
                .type;
  return hd_type_bytes(type) ==
                 code->slots.data[func->slots + address->value].size
             ? (uint32_t)address->value
             : HD_NO_ID;
}

/* The slots whose addresses an expression has. */
static void keep(hd_live *live, const hd_func *func, hd_cexpr_id expr) {
  hd_vec_push(&live->work, expr);
  while (live->work.size) {
    hd_cexpr_id id = hd_vec_pop(&live->work);
    if (live->stamp[id] == live->round)
      continue;
    live->stamp[id] = live->round;
    const hd_cexpr *e = &live->code->exprs.data[id];
    if (e->op == HD_CODE_SLOT)
      live->kept[func->slots + e->value] = true;
    for (int i = 0; i < hd_code_op_arity((hd_code_op)e->op); i++)
      hd_vec_push(&live->work, e->args[i]);
  }
}

static void find_kept(hd_live *live) {
  const hd_code *code = live->code;
  for (hd_vec_each(const hd_cedge, edge, &code->edges)) {
    const hd_func *func = &code->funcs.data[code->locs.data[edge->from].func];
    bool whole = slot_of(code, edge) != HD_NO_ID;
    live->round++;
    if (edge->guard != HD_NO_ID)
      keep(live, func, edge->guard);
    for (uint32_t i = whole; i < edge->n_operands; i++)
      keep(live, func, code->operands.data[edge->operands + i]);
  }
}

/* Adds the registers that an expression reads. */
static void add_uses(hd_live *live, hd_cexpr_id expr, uint64_t *bits) {
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
    for (int i = 0; i < hd_code_op_arity((hd_code_op)e->op); i++)
      hd_vec_push(&live->work, e->args[i]);
  }
}

static bool leads_on(const hd_cedge *edge) {
  return edge->act != HD_CODE_RETURN && edge->act != HD_CODE_UNREACHABLE &&
         edge->act != HD_CODE_UNSUPPORTED;
}

/* What is live before the edge, into `bits`. */
static void before_edge(hd_live *live, const hd_cedge *edge, uint64_t *bits,
                        size_t words) {
  const hd_code *code = live->code;
  memset(bits, 0, words * sizeof *bits);
  if (leads_on(edge))
    memcpy(bits, row(live, edge->to), words * sizeof *bits);
  for (uint32_t i = 0; i < edge->n_targets; i++)
    hd_bits_clear(bits, code->targets.data[edge->targets + i]);
  uint32_t slot = slot_of(code, edge);
  const hd_func *func = &code->funcs.data[code->locs.data[edge->from].func];
  if (slot != HD_NO_ID && edge->act == HD_CODE_STORE)
    hd_bits_clear(bits, slot_bit(func, slot));
  else if (slot != HD_NO_ID)
    hd_bits_set(bits, slot_bit(func, slot));
  live->round++;
  if (edge->guard != HD_NO_ID)
    add_uses(live, edge->guard, bits);
  for (uint32_t i = 0; i < edge->n_operands; i++)
    add_uses(live, code->operands.data[edge->operands + i], bits);
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

static void analyse(hd_live *live, const hd_func *func, hd_func_id f) {
  size_t words = words_of(func);
  if (!func->defined || (uint64_t)func->n_locs * words * 64 > BITS_MOST)
    return;
  live->in[f] = hd_calloc((size_t)func->n_locs * words + 1, sizeof **live->in);
  uint64_t *bits = hd_calloc(words + 1, sizeof *bits);
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
  live->kept = hd_calloc(code->slots.size + 1, sizeof *live->kept);
  find_kept(live);
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
  hd_free(live->kept);
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
  const hd_func *func =
      &live->code->funcs.data[live->code->locs.data[loc].func];
  const uint64_t *bits = row(live, loc);
  return !bits || live->kept[func->slots + slot] ||
         hd_bits_test(bits, slot_bit(func, slot));
}

bool hd_live_after(const hd_live *live, hd_edge_id id, hd_reg_id reg) {
  const hd_cedge *edge = &live->code->edges.data[id];
  for (uint32_t i = 0; i < edge->n_targets; i++)
    if (live->code->targets.data[edge->targets + i] == reg)
      return false;
  return hd_live_at(live, edge->to, reg);
}
