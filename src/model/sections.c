/* SPDX-License-Identifier: MIT */
/* A location is *outside* when a thread may stand there outside of sections:
 * where functions start (those called __VERIFIER_atomic_… are sections
 * themselves), what is reached from there by anything but the beginning of a
 * section, and what is behind the end of one. A function that is called inside
 * counts as outside, too.
 *
 * That is right when every function that begins a section also ends it and ends
 * none that it has not begun: then calls do not change it. When a section may end
 * at a location that is outside, or when the two functions are used other than by
 * calling them, no global is said to be inner. */
#include "model/sections.h"

#include "base/bitset.h"
#include "model/calls.h"
#include "model/live_globals.h"

#include <string.h>

typedef struct {
  const hd_code *code;
  uint8_t *outside; /* by location */
  hd_u32s work;
  bool odd;
} search;

typedef enum { NEITHER, BEGINS, ENDS } kind;

static kind kind_of_func(const hd_code *code, hd_func_id f) {
  hd_action action = hd_library_action(hd_call_library(code, f));
  return action == HD_DO_ENTER   ? BEGINS
         : action == HD_DO_LEAVE ? ENDS
                                 : NEITHER;
}

static kind kind_of_expr(const hd_code *code, hd_cexpr_id id) {
  const hd_cexpr *e = &code->exprs.data[id];
  return e->op == HD_CODE_FUNC ? kind_of_func(code, (hd_func_id)e->value)
                               : NEITHER;
}

static kind kind_of(const hd_code *code, const hd_cedge *edge) {
  return edge->act == HD_CODE_CALL
             ? kind_of_expr(code, hd_code_operand(code, edge, 0))
             : NEITHER;
}

/* Is one of the two used other than by calling it? */
static bool is_taken(const hd_code *code) {
  for (hd_vec_each(const hd_cexpr, e, &code->exprs))
    for (int i = 0; i < hd_code_op_arity((hd_code_op)e->op); i++)
      if (kind_of_expr(code, e->args[i]) != NEITHER)
        return true;
  for (hd_vec_each(const hd_reloc, reloc, &code->relocs))
    if (kind_of_expr(code, reloc->expr) != NEITHER)
      return true;
  for (hd_vec_each(const hd_cedge, edge, &code->edges))
    for (uint32_t i = edge->act == HD_CODE_CALL; i < edge->n_operands; i++)
      if (kind_of_expr(code, hd_code_operand(code, edge, i)) != NEITHER)
        return true;
  return false;
}

static void reach(search *s, hd_loc_id loc) {
  if (!s->outside[loc])
    hd_vec_push(&s->work, loc);
  s->outside[loc] = 1;
}

static bool leads_on(const hd_cedge *edge) {
  return edge->act != HD_CODE_RETURN && edge->act != HD_CODE_UNREACHABLE &&
         edge->act != HD_CODE_UNSUPPORTED;
}

static void find_outside(search *s) {
  const hd_code *code = s->code;
  for (hd_vec_each(const hd_func, f, &code->funcs))
    if (f->defined && !hd_func_is_section(f))
      reach(s, f->entry);
  for (hd_vec_each(const hd_cedge, edge, &code->edges))
    if (kind_of(code, edge) == ENDS)
      reach(s, edge->to);
  while (s->work.size) {
    hd_loc_id loc = hd_vec_pop(&s->work);
    for (uint32_t i = code->out_start[loc]; i < code->out_start[loc + 1]; i++) {
      const hd_cedge *edge = &code->edges.data[code->out[i]];
      kind k = kind_of(code, edge);
      s->odd = s->odd || k == ENDS;
      if (k != BEGINS && leads_on(edge))
        reach(s, edge->to);
    }
  }
}

uint8_t *hd_code_inner_globals(const hd_code *code) {
  uint8_t *inner = hd_calloc(code->globals.size + 1, 1);
  search s = {.code = code, .outside = hd_calloc(code->locs.size + 1, 1)};
  hd_live_globals *live = hd_live_globals_new(code);
  uint64_t *set = hd_calloc(hd_live_globals_words(live) + 1, sizeof *set);
  find_outside(&s);
  s.odd = s.odd || is_taken(code);
  for (hd_loc_id loc = 0; loc < code->locs.size && !s.odd; loc++)
    if (s.outside[loc])
      hd_live_globals_at(live, loc, set);
  for (hd_global_id g = 0; g < code->globals.size && !s.odd; g++) {
    uint32_t bit;
    inner[g] = hd_live_globals_has(live, g, &bit) && !hd_bits_test(set, bit);
  }
  hd_live_globals_delete(live);
  hd_free(set);
  hd_free(s.outside);
  hd_vec_free(&s.work);
  return inner;
}
