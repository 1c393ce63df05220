/* SPDX-License-Identifier: MIT */
#include "model/flow.h"

#include "base/bitset.h"

#include <string.h>

void hd_flow_uses(const hd_program *program, hd_expr_id expr, uint64_t *uses,
                  uint64_t *nexts) {
  if (expr == HD_NO_ID)
    return;
  const hd_expr *e = &program->exprs.data[expr];
  if (e->op == HD_OP_VAR)
    hd_bits_set(uses, e->value);
  else if (e->op == HD_OP_NEXT)
    hd_bits_set(nexts, e->value);
  else if (e->op != HD_OP_CONST && e->op != HD_OP_CHOICE)
    for (int i = 0; i < 3; i++)
      hd_flow_uses(program, e->args[i], uses, nexts);
}

/* Keeps the variables in `expr`; those that are new go on the list. */
static void keep_uses(const hd_program *program, hd_expr_id expr,
                      uint64_t *kept, hd_u32s *fresh) {
  if (expr == HD_NO_ID)
    return;
  const hd_expr *e = &program->exprs.data[expr];
  if (e->op == HD_OP_VAR || e->op == HD_OP_NEXT) {
    if (!hd_bits_test(kept, e->value)) {
      hd_bits_set(kept, e->value);
      hd_vec_push(fresh, (uint32_t)e->value);
    }
  } else if (e->op != HD_OP_CONST && e->op != HD_OP_CHOICE) {
    for (int i = 0; i < 3; i++)
      keep_uses(program, e->args[i], kept, fresh);
  }
}

/* Lists of numbers 0 … n - 1 by key: those of key k are
 * ids[start[k]] … ids[start[k + 1] - 1]. */
typedef struct {
  uint32_t *start, *ids;
} buckets;

static buckets sort_keys(const uint32_t *keys, size_t n, size_t n_keys) {
  buckets b = {.start = hd_calloc(n_keys + 2, sizeof *b.start),
               .ids = hd_calloc(n + 1, sizeof *b.ids)};
  for (size_t i = 0; i < n; i++)
    b.start[keys[i] + 2]++;
  for (size_t k = 2; k < n_keys + 2; k++)
    b.start[k] += b.start[k - 1];
  for (size_t i = 0; i < n; i++)
    b.ids[b.start[keys[i] + 1]++] = (uint32_t)i;
  return b;
}

static void free_buckets(buckets *b) {
  hd_free(b->start);
  hd_free(b->ids);
}

void hd_flow_slice(const hd_program *program, uint64_t *kept) {
  hd_u32s fresh = {0};
  for (hd_vec_each(const hd_edge, e, &program->edges))
    keep_uses(program, e->guard, kept, &fresh);
  size_t n = program->assigns.size;
  uint32_t *vars = hd_calloc(n + 1, sizeof *vars);
  for (size_t i = 0; i < n; i++)
    vars[i] = program->assigns.data[i].var;
  buckets by_var = sort_keys(vars, n, program->vars.size);
  while (fresh.size) {
    uint32_t var = hd_vec_pop(&fresh);
    for (uint32_t i = by_var.start[var]; i < by_var.start[var + 1]; i++)
      keep_uses(program, program->assigns.data[by_var.ids[i]].value, kept,
                &fresh);
  }
  free_buckets(&by_var);
  hd_free(vars);
  hd_vec_free(&fresh);
}

/* What the edge reads: the current values in its guard, and what goes into the
 * variables that are kept and, if local, live afterwards, or whose next value
 * the guard compares. */
static void add_reads(const hd_program *program, const hd_edge *e,
                      const uint64_t *kept, const uint64_t *after,
                      uint64_t *reads) {
  size_t words = hd_bits_words(program->vars.size);
  uint64_t *nexts = hd_calloc(words, sizeof *nexts);
  hd_flow_uses(program, e->guard, reads, nexts);
  for (uint32_t i = 0; i < e->n_assigns; i++) {
    const hd_assign *a = &program->assigns.data[e->assigns + i];
    bool wanted =
        hd_bits_test(nexts, a->var) ||
        (hd_bits_test(kept, a->var) &&
         (program->vars.data[a->var].shared || hd_bits_test(after, a->var)));
    if (wanted)
      hd_flow_uses(program, a->value, reads, reads);
    hd_bits_clear(nexts, a->var);
  }
  /* The next value of what is not assigned is its current one. */
  hd_bits_union(reads, nexts, words);
  hd_free(nexts);
}

/* live (from) |= reads (e) | (live (to) - writes (e)) | live (other) */
static bool propagate(const hd_program *program, const hd_edge *e,
                      const uint64_t *kept, uint64_t *live, size_t words,
                      uint64_t *scratch) {
  memset(scratch, 0, words * sizeof *scratch);
  const uint64_t *after = live + e->to * words;
  if (e->act != HD_ACT_END)
    memcpy(scratch, after, words * sizeof *scratch);
  for (uint32_t i = 0; i < e->n_assigns; i++)
    hd_bits_clear(scratch, program->assigns.data[e->assigns + i].var);
  add_reads(program, e, kept, after, scratch);
  if (e->act == HD_ACT_SPAWN)
    hd_bits_union(scratch, live + e->other * words, words);
  for (size_t w = 0; w < words; w++)
    scratch[w] &= kept[w];
  return hd_bits_union(live + e->from * words, scratch, words);
}

/* The edges that read what is live at each location: those that lead there, and
 * the SPAWN edges whose new thread starts there. */
static buckets edges_into(const hd_program *program) {
  size_t n = program->edges.size;
  uint32_t *into = hd_calloc(2 * n + 1, sizeof *into);
  for (size_t i = 0; i < n; i++) {
    const hd_edge *e = &program->edges.data[i];
    into[2 * i] = e->to;
    into[2 * i + 1] = e->act == HD_ACT_SPAWN ? e->other : e->to;
  }
  buckets b = sort_keys(into, 2 * n, program->locs.size);
  hd_free(into);
  return b;
}

uint64_t *hd_flow_live(const hd_program *program, const uint64_t *kept) {
  size_t words = hd_bits_words(program->vars.size), n = program->edges.size;
  uint64_t *live = hd_calloc(program->locs.size * words, sizeof *live);
  uint64_t *scratch = hd_calloc(words, sizeof *scratch);
  buckets into = edges_into(program);
  /* A stack of edges to look at, each at most once; the last edge first, as
   * what is live flows backwards. */
  uint64_t *waiting = hd_calloc(hd_bits_words(n), sizeof *waiting);
  hd_u32s stack = {0};
  for (hd_edge_id e = 0; e < n; e++) {
    hd_vec_push(&stack, e);
    hd_bits_set(waiting, e);
  }
  while (stack.size) {
    hd_edge_id id = hd_vec_pop(&stack);
    hd_bits_clear(waiting, id);
    const hd_edge *e = &program->edges.data[id];
    if (!propagate(program, e, kept, live, words, scratch))
      continue;
    for (uint32_t i = into.start[e->from]; i < into.start[e->from + 1]; i++) {
      hd_edge_id before = into.ids[i] / 2;
      if (hd_bits_test(waiting, before))
        continue;
      hd_bits_set(waiting, before);
      hd_vec_push(&stack, before);
    }
  }
  hd_vec_free(&stack);
  hd_free(waiting);
  free_buckets(&into);
  hd_free(scratch);
  return live;
}
