/* SPDX-License-Identifier: MIT */
/* Live registers by the usual backward analysis, function by function:
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
  uint64_t **in;   /* a table for each function; NULL = all are live */
  uint32_t *stamp; /* scratch: expressions looked at for this edge */
  uint32_t round;
  hd_u32s work;
};

static uint64_t *row(const hd_live *live, hd_loc_id loc) {
  hd_func_id f = live->code->locs.data[loc].func;
  const hd_func *func = &live->code->funcs.data[f];
  if (!live->in[f])
    return NULL;
  return live->in[f] + (loc - func->locs) * hd_bits_words(func->n_regs);
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
  size_t words = hd_bits_words(func->n_regs);
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

bool hd_live_after(const hd_live *live, hd_edge_id id, hd_reg_id reg) {
  const hd_cedge *edge = &live->code->edges.data[id];
  for (uint32_t i = 0; i < edge->n_targets; i++)
    if (live->code->targets.data[edge->targets + i] == reg)
      return false;
  return hd_live_at(live, edge->to, reg);
}
