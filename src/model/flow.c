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

void hd_flow_slice(const hd_program *program, uint64_t *kept) {
  for (hd_vec_each(const hd_edge, e, &program->edges))
    hd_flow_uses(program, e->guard, kept, kept);
  size_t words = hd_bits_words(program->vars.size);
  bool changed = true;
  uint64_t *before = hd_calloc(words, sizeof *before);
  while (changed) {
    memcpy(before, kept, words * sizeof *before);
    for (hd_vec_each(const hd_assign, a, &program->assigns))
      if (hd_bits_test(kept, a->var))
        hd_flow_uses(program, a->value, kept, kept);
    changed = memcmp(before, kept, words * sizeof *before) != 0;
  }
  hd_free(before);
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

uint64_t *hd_flow_live(const hd_program *program, const uint64_t *kept) {
  size_t words = hd_bits_words(program->vars.size);
  uint64_t *live = hd_calloc(program->locs.size * words, sizeof *live);
  uint64_t *scratch = hd_calloc(words, sizeof *scratch);
  bool changed = true;
  while (changed) {
    changed = false;
    for (size_t i = program->edges.size; i-- > 0;)
      changed |= propagate(program, &program->edges.data[i], kept, live, words,
                           scratch);
  }
  hd_free(scratch);
  return live;
}
