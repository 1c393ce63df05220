/* SPDX-License-Identifier: MIT */
/* Where a segment ends: the states at one place and object are joined. */
#include "engine/unfold/apart.h"
#include "engine/unfold/relate.h"
#include "engine/unfold/runs.h"
#include "engine/unfold/segment.h"
#include "engine/unfold/split.h"
#include "engine/unfold/terms.h"

bool hd_local_within(const hd_code *code, const local *x, const local *y) {
  return hd_frame_within(code, x->top, y->top) &&
         hd_memory_within(x->memory, y->memory);
}

local hd_local_join(const segment *s, const local *x, const local *y,
                    const hd_widening *widen) {
  local out = {hd_frame_join(s->a->code, x->top, y->top, widen),
               hd_memory_join(x->memory, y->memory, widen), NULL};
  hd_relate_join(s->a, out.top, x->top, y->top, widen != NULL);
  hd_runs_join(&out, x, y, widen);
  return out;
}

/* Joining two different locks would make one action on either. */
static bool mergeable(segment *s, const stop *x, const stop *y) {
  if (x->edge != y->edge)
    return false;
  if (hd_segment_exact(s))
    return hd_frame_same_control(x->state.top, y->state.top) &&
           hd_local_within(s->a->code, &x->state, &y->state) &&
           hd_local_within(s->a->code, &y->state, &x->state) &&
           hd_value_same(&x->result, &y->result);
  if (x->edge == HD_NO_ID)
    return hd_stop_returns(s->a->code, x) == hd_stop_returns(s->a->code, y);
  if (!hd_frame_same_control(x->state.top, y->state.top))
    return false;
  const hd_cedge *e = hd_segment_edge(s, x->edge);
  if (e->act == HD_CODE_RETURN)
    return true;
  uint32_t first = e->act == HD_CODE_CALL ? 1 : 0;
  for (uint32_t i = first; i < e->n_operands && i < first + 1; i++) {
    hd_mays mays = 0;
    hd_value v = hd_eval_expr(s->a, s->thread, &x->state,
                              hd_segment_operand(s, e, i), &mays);
    hd_value w = hd_eval_expr(s->a, s->thread, &y->state,
                              hd_segment_operand(s, e, i), &mays);
    if (!hd_value_same(&v, &w))
      return false;
  }
  return true;
}

/* Is it about an object that is not exactly known, one of a few? Then each of them
 * makes a stop of its own. */
static bool split_stop(segment *s, hd_edge_id edge, const local *l,
                       locals *parts) {
  if (edge == HD_NO_ID || hd_segment_edge(s, edge)->act != HD_CODE_CALL ||
      hd_segment_edge(s, edge)->n_operands < 2)
    return false;
  return hd_split_operand(s->a, s->thread, l,
                          hd_segment_operand(s, hd_segment_edge(s, edge), 1),
                          parts);
}

/* The stop to join this one with, and the path of both; NULL: it is another. */
static stop *find_stop(segment *s, const stop *fresh, trail **way) {
  stop *best = NULL;
  uint32_t least = UINT32_MAX, n = 0;
  for (hd_vec_each(stop, x, s->out)) {
    if (!mergeable(s, x, fresh) ||
        (s->a->terms && !hd_terms_merge(s->a, &x->state, &fresh->state, way)))
      continue;
    uint32_t d = hd_apart_difference(s->a, &x->state, &fresh->state);
    if (!d)
      return x;
    best = d < least ? x : best;
    least = d < least ? d : least;
    n++;
  }
  return n < MAX_APART_STOPS ? NULL : best;
}

/* Takes over what `fresh` owns, and the path. */
static void join_stop(segment *s, stop *x, stop *fresh, trail *way) {
  assert(x->edge == fresh->edge);
  local both = {hd_frame_keep(x->state.top), NULL, way};
  if (x->edge == HD_NO_ID) {
    both.memory = hd_memory_join(x->state.memory, fresh->state.memory, NULL);
    x->result = hd_value_join(64, &x->result, &fresh->result);
  } else {
    hd_frame_drop(both.top);
    both = hd_local_join(s, &x->state, &fresh->state, NULL);
    both.path = way;
  }
  hd_local_free(&x->state);
  hd_local_free(&fresh->state);
  x->state = both;
}

/* Takes over `l`. */
void hd_segment_stop(segment *s, hd_edge_id edge, local l, hd_value result) {
  assert(edge == HD_NO_ID || hd_segment_edge(s, edge)->from == l.top->loc);
  hd_runs_settle(&l);
  locals parts = {0};
  if (split_stop(s, edge, &l, &parts)) {
    hd_local_free(&l);
    for (hd_vec_each(local, part, &parts))
      hd_segment_stop(s, edge, *part, result);
    hd_vec_free(&parts);
    return;
  }
  if (s->widened)
    hd_memory_recall(&l.memory, s->before, s->stamp);
  stop fresh = {edge, l, result};
  trail *way = NULL;
  stop *old = find_stop(s, &fresh, &way);
  if (old)
    join_stop(s, old, &fresh, way);
  else
    hd_vec_push(s->out, fresh);
}
