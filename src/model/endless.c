/* SPDX-License-Identifier: MIT */
#include "model/endless.h"

#include "base/bitset.h"
#include "model/calls.h"

#include <string.h>

typedef struct {
  const hd_code *code;
  uint64_t *gives;          /* functions that may signal or post, a bitset */
  uint64_t *body;           /* of the loop at hand: its locations */
  hd_vec(hd_edge_id) edges; /* … and the edges from them */
  hd_vec(hd_loc_id) work;
} finder;

/* --- who gives --- */

static bool gives(const finder *f, const hd_cedge *e) {
  if (e->act != HD_CODE_CALL)
    return false;
  hd_func_id callee = hd_call_callee(f->code, e);
  if (callee == HD_NO_ID)
    return true;
  if (f->code->funcs.data[callee].defined)
    return hd_bits_test(f->gives, callee);
  hd_library_fn fn = hd_call_of(f->code, e);
  hd_action action = hd_library_action(fn);
  return action == HD_DO_WAKE || action == HD_DO_MEET ||
         (action == HD_DO_RELEASE &&
          hd_library_kind_of(fn) == HD_LIBRARY_SEM) ||
         hd_library_does(fn, HD_ARG_CALL); /* somebody who does */
}

static void find_givers(finder *f) {
  for (bool changed = true; changed;) {
    changed = false;
    for (hd_vec_each(const hd_cedge, e, &f->code->edges)) {
      hd_func_id func = f->code->locs.data[e->from].func;
      if (!hd_bits_test(f->gives, func) && gives(f, e)) {
        hd_bits_set(f->gives, func);
        changed = true;
      }
    }
  }
}

/* --- one loop --- */

static bool in_body(const finder *f, hd_loc_id loc) {
  return hd_bits_test(f->body, loc);
}

/* The locations from which, and to which, one comes from the head: all cycles
 * through the head are in there. */
static void find_body(finder *f, hd_loc_id head) {
  const hd_code *code = f->code;
  size_t words = hd_bits_words(code->locs.size);
  uint64_t *after = hd_calloc(words + 1, sizeof *after);
  hd_vec_push(&f->work, head);
  hd_bits_set(after, head);
  while (f->work.size) {
    hd_loc_id loc = hd_vec_pop(&f->work);
    for (uint32_t i = code->out_start[loc]; i < code->out_start[loc + 1]; i++) {
      hd_loc_id to = code->edges.data[code->out[i]].to;
      if (!hd_bits_test(after, to)) {
        hd_bits_set(after, to);
        hd_vec_push(&f->work, to);
      }
    }
  }
  memset(f->body, 0, words * sizeof *f->body);
  hd_bits_set(f->body, head);
  const hd_func *func = &code->funcs.data[code->locs.data[head].func];
  uint32_t first = code->out_start[func->locs];
  uint32_t last = code->out_start[func->locs + func->n_locs];
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = last; i-- > first;) {
      const hd_cedge *e = &code->edges.data[code->out[i]];
      if (hd_bits_test(after, e->from) && in_body(f, e->to) &&
          !in_body(f, e->from)) {
        hd_bits_set(f->body, e->from);
        changed = true;
      }
    }
  }
  hd_vec_clear(&f->edges);
  for (uint32_t i = first; i < last; i++)
    if (in_body(f, code->edges.data[code->out[i]].from))
      hd_vec_push(&f->edges, code->out[i]);
  hd_free(after);
}

static bool is_waiting(hd_library_fn fn) {
  hd_action action = hd_library_action(fn);
  return hd_library_is(fn, HD_CALL_WAITS) &&
         !hd_library_is(fn, HD_CALL_TIMED) &&
         (action == HD_DO_PARK || (action == HD_DO_ACQUIRE &&
                                   hd_library_kind_of(fn) == HD_LIBRARY_SEM));
}

/* Does the edge count the register by a constant? */
static bool counts(const hd_code *code, const hd_cedge *e, hd_reg_id reg,
                   uint64_t *by) {
  if (e->act != HD_CODE_STEP)
    return false;
  for (uint32_t i = 0; i < e->n_targets; i++) {
    if (hd_code_target(code, e, i) != reg)
      continue;
    const hd_cexpr *x = &code->exprs.data[hd_code_operand(code, e, i)];
    if (x->op != HD_CODE_ADD && x->op != HD_CODE_SUB)
      return false;
    const hd_cexpr *a = &code->exprs.data[x->args[0]],
                   *b = &code->exprs.data[x->args[1]];
    if (a->op == HD_CODE_INT && x->op == HD_CODE_ADD) {
      const hd_cexpr *swap = a;
      a = b;
      b = swap;
    }
    if (a->op != HD_CODE_REG || a->value != reg || b->op != HD_CODE_INT ||
        !b->value)
      return false;
    *by = x->op == HD_CODE_ADD ? b->value : -b->value;
    return true;
  }
  return false;
}

static bool sets(const hd_code *code, const hd_cedge *e, hd_reg_id reg) {
  for (uint32_t i = 0; i < e->n_targets; i++)
    if (hd_code_target(code, e, i) == reg)
      return true;
  return false;
}

static bool ends(const hd_cedge *e) {
  return e->act == HD_CODE_RETURN || e->act == HD_CODE_UNREACHABLE ||
         e->act == HD_CODE_UNSUPPORTED;
}

/* Is the head on a cycle of the body without the edges that `passes` says? */
typedef bool (*edge_test)(const finder *f, const hd_cedge *e, hd_reg_id reg);

static bool has_round(finder *f, hd_loc_id head, edge_test passes,
                      hd_reg_id reg) {
  const hd_code *code = f->code;
  uint64_t *seen = hd_calloc(hd_bits_words(code->locs.size) + 1, sizeof *seen);
  bool round = false;
  hd_vec_push(&f->work, head);
  while (f->work.size) {
    hd_loc_id loc = hd_vec_pop(&f->work);
    for (uint32_t i = code->out_start[loc]; i < code->out_start[loc + 1]; i++) {
      const hd_cedge *e = &code->edges.data[code->out[i]];
      if (!in_body(f, e->to) || passes(f, e, reg) || ends(e))
        continue;
      round = round || e->to == head;
      if (!hd_bits_test(seen, e->to)) {
        hd_bits_set(seen, e->to);
        hd_vec_push(&f->work, e->to);
      }
    }
  }
  hd_free(seen);
  return round;
}

static bool is_wait(const finder *f, const hd_cedge *e, hd_reg_id reg) {
  (void)reg;
  return is_waiting(hd_call_of(f->code, e));
}

static bool is_count(const finder *f, const hd_cedge *e, hd_reg_id reg) {
  uint64_t by;
  return counts(f->code, e, reg, &by);
}

/* The register does not change in the body but by one and the same count. */
static bool only_counts(const finder *f, hd_reg_id reg, uint64_t *step) {
  *step = 0;
  for (hd_vec_each(const hd_edge_id, at, &f->edges)) {
    const hd_cedge *e = &f->code->edges.data[*at];
    uint64_t by;
    if (!in_body(f, e->to) || !sets(f->code, e, reg))
      continue;
    if (!counts(f->code, e, reg, &by) || (*step && *step != by))
      return false;
    *step = by;
  }
  return *step != 0;
}

static bool is_fixed(const finder *f, hd_cexpr_id expr) {
  const hd_cexpr *x = &f->code->exprs.data[expr];
  if (x->op == HD_CODE_INT)
    return true;
  if (x->op == HD_CODE_REG) {
    for (hd_vec_each(const hd_edge_id, at, &f->edges)) {
      const hd_cedge *e = &f->code->edges.data[*at];
      if (in_body(f, e->to) && sets(f->code, e, (hd_reg_id)x->value))
        return false;
    }
    return true;
  }
  if (!hd_code_op_arity(x->op))
    return false;
  for (int i = 0; i < hd_code_op_arity(x->op); i++)
    if (!is_fixed(f, x->args[i]))
      return false;
  return true;
}

static hd_cexpr_id plain(const hd_code *code, hd_cexpr_id expr) {
  const hd_cexpr *x = &code->exprs.data[expr];
  while (x->op == HD_CODE_ZEXT || x->op == HD_CODE_SEXT) {
    expr = x->args[0];
    x = &code->exprs.data[expr];
  }
  return expr;
}

/* The guard leads out of the body when a counter passes its bound; the register. */
static bool bounds(const finder *f, hd_cexpr_id guard, hd_reg_id *reg) {
  const hd_cexpr *x = &f->code->exprs.data[guard];
  if (x->op < HD_CODE_EQ || x->op > HD_CODE_SGE)
    return false;
  for (int side = 0; side < 2; side++) {
    const hd_cexpr *counter =
        &f->code->exprs.data[plain(f->code, x->args[side])];
    uint64_t step;
    if (counter->op != HD_CODE_REG || !is_fixed(f, x->args[1 - side]) ||
        !only_counts(f, (hd_reg_id)counter->value, &step))
      continue;
    bool by_one =
        step == 1 || step + 1 == 0 || step == hd_word_mask(counter->type.width);
    if ((x->op == HD_CODE_EQ || x->op == HD_CODE_NE) && !by_one)
      continue;
    *reg = (hd_reg_id)counter->value;
    return true;
  }
  return false;
}

static bool is_at(const finder *f, const hd_cedge *e, hd_reg_id at) {
  (void)f;
  return e->from == at;
}

/* Every round comes by an exit that looks at a counter, and counts it. */
static bool is_counted(finder *f, hd_loc_id head) {
  for (hd_vec_each(const hd_edge_id, at, &f->edges)) {
    const hd_cedge *e = &f->code->edges.data[*at];
    hd_reg_id reg;
    if (!in_body(f, e->to) && e->guard != HD_NO_ID &&
        bounds(f, e->guard, &reg) && !has_round(f, head, is_count, reg) &&
        (e->from == head || !has_round(f, head, is_at, e->from)))
      return true;
  }
  return false;
}

/* Every round waits, and the loop gives nothing that somebody could wait for. */
static bool only_waits(finder *f, hd_loc_id head) {
  if (has_round(f, head, is_wait, 0))
    return false;
  for (hd_vec_each(const hd_edge_id, at, &f->edges))
    if (gives(f, &f->code->edges.data[*at]))
      return false;
  return true;
}

static bool is_step(const hd_cedge *e) {
  return e->act != HD_CODE_RETURN && e->act != HD_CODE_UNREACHABLE &&
         e->act != HD_CODE_UNSUPPORTED;
}

/* Every cycle has an edge that does not go up: so one of these is in each, also
 * where nobody has marked the heads of loops. */
static uint64_t *find_heads(const hd_code *code) {
  uint64_t *heads =
      hd_calloc(hd_bits_words(code->locs.size) + 1, sizeof *heads);
  for (hd_vec_each(const hd_cedge, e, &code->edges))
    if (is_step(e) && e->to <= e->from)
      hd_bits_set(heads, e->to);
  for (hd_loc_id l = 0; l < code->locs.size; l++)
    if (code->locs.data[l].loop != HD_NO_ID)
      hd_bits_set(heads, l);
  return heads;
}

/* Does a way lead back to it? */
static bool is_cycle(const finder *f, hd_loc_id head) {
  for (size_t i = 0; i < f->edges.size; i++) {
    const hd_cedge *e = &f->code->edges.data[f->edges.data[i]];
    if (is_step(e) && e->to == head)
      return true;
  }
  return false;
}

hd_loc_id hd_code_endless(const hd_code *code) {
  finder f = {.code = code};
  f.gives = hd_calloc(hd_bits_words(code->funcs.size) + 1, sizeof *f.gives);
  f.body = hd_calloc(hd_bits_words(code->locs.size) + 1, sizeof *f.body);
  uint64_t *heads = find_heads(code);
  find_givers(&f);
  hd_loc_id found = HD_NO_ID;
  for (hd_loc_id l = 0; l < code->locs.size && found == HD_NO_ID; l++) {
    if (!hd_bits_test(heads, l))
      continue;
    find_body(&f, l);
    if (is_cycle(&f, l) && !is_counted(&f, l) && !only_waits(&f, l))
      found = l;
  }
  hd_free(heads);
  hd_free(f.gives);
  hd_free(f.body);
  hd_vec_free(&f.edges);
  hd_vec_free(&f.work);
  return found;
}
