/* SPDX-License-Identifier: MIT */
/* The algebra of summary.h.
 *
 * Why maxima of linear terms are enough: with f (n) = max (n + d, b) and
 * kappa = 1 + k rounds, theorem 3 says
 *
 *     f^kappa (n) = max (max (n + d, b) + k d, b),
 *
 * so a term t of n becomes t + d + k d, and there are two new terms,
 * b + k d and b. The last is below the second when d >= 0. At the end every
 * term is compared with a constant from above, and a maximum is at most c iff
 * every term is: the whole condition is a conjunction of linear inequalities,
 * without the case distinctions of the paper's equation (2). */
#include "engine/concolic/summary.h"

#include <string.h>

static int64_t max2(int64_t a, int64_t b) {
  return a > b ? a : b;
}

int64_t hd_effect_apply(hd_effect effect, int64_t n) {
  assert(n >= 0);
  return max2(n + effect.delta, effect.floor);
}

hd_effect hd_effect_compose(hd_effect outer, hd_effect inner) {
  hd_effect e = {.delta = inner.delta + outer.delta,
                 .floor = max2(inner.floor + outer.delta, outer.floor)};
  assert(e.floor >= 0 && e.floor >= e.delta);
  return e;
}

int64_t hd_effect_repeat(hd_effect effect, int64_t n, int64_t times) {
  assert(times >= 0);
  if (!times)
    return n;
  return max2(hd_effect_apply(effect, n) + (times - 1) * effect.delta,
              effect.floor);
}

hd_effect hd_effect_of(const hd_view_edge *edge, hd_place_id local) {
  hd_effect e = HD_EFFECT_NONE;
  if (edge->give == local)
    e = (hd_effect){-1, 0};
  if (edge->take == local) {
    hd_effect taken =
        edge->kind == HD_EDGE_SPAWN ? (hd_effect){0, 1} : (hd_effect){1, 1};
    e = hd_effect_compose(taken, e);
  }
  return e;
}

static hd_effect *segment_find(const hd_segment *segment, hd_place_id local) {
  for (size_t i = 0; i < segment->size; i++)
    if (segment->data[i].local == local)
      return &segment->data[i].effect;
  return NULL;
}

static void touch(hd_segment *segment, const hd_view_edge *edge,
                  hd_place_id local) {
  hd_effect *e = segment_find(segment, local);
  if (e)
    *e = hd_effect_compose(hd_effect_of(edge, local), *e);
  else
    hd_vec_push(segment,
                ((hd_local_effect){.local = local,
                                   .effect = hd_effect_of(edge, local)}));
}

void hd_segment_add(hd_segment *segment, const hd_view_edge *edge) {
  touch(segment, edge, edge->give);
  if (edge->take != edge->give)
    touch(segment, edge, edge->take);
}

hd_effect hd_segment_at(const hd_segment *segment, hd_place_id local) {
  hd_effect *e = segment_find(segment, local);
  return e ? *e : HD_EFFECT_NONE;
}

/* ---- summaries ---- */

void hd_summary_free(hd_summary *summary) {
  hd_vec_free(&summary->terms);
  summary->n_loops = 0;
}

void hd_summary_copy(hd_summary *into, const hd_summary *from) {
  hd_vec_resize(&into->terms, from->terms.size);
  if (from->terms.size)
    memcpy(into->terms.data, from->terms.data,
           from->terms.size * sizeof *from->terms.data);
  into->n_loops = from->n_loops;
}

void hd_summary_start(hd_summary *summary, hd_tokens need,
                      const hd_count *available) {
  hd_vec_clear(&summary->terms);
  summary->n_loops = 0;
  for (size_t i = 0; i < need.size; i++) {
    if (available[need.data[i].place] == HD_OMEGA)
      continue;
    hd_summary_term term = {.local = need.data[i].place,
                            .c = {need.data[i].count}};
    hd_vec_push(&summary->terms, term);
  }
}

/* The first term of `local`, or where it would be. */
static size_t first_term(const hd_summary *s, hd_place_id local) {
  size_t low = 0, high = s->terms.size;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (s->terms.data[middle].local < local)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static size_t end_of(const hd_summary *s, size_t first, hd_place_id local) {
  while (first < s->terms.size && s->terms.data[first].local == local)
    first++;
  return first;
}

/* a <= b for all k >= 0 */
static bool term_below(const hd_summary_term *a, const hd_summary_term *b,
                       uint32_t loops) {
  for (uint32_t i = 0; i <= loops; i++)
    if (a->c[i] > b->c[i])
      return false;
  return true;
}

static bool fits(const hd_summary_term *t, uint32_t loops) {
  for (uint32_t i = 0; i <= loops; i++)
    if (t->c[i] > (int64_t)HD_COUNT_MAX || t->c[i] < -(int64_t)HD_COUNT_MAX)
      return false;
  return true;
}

/* Drops from [first, end) what is below 0 or below another term. */
static void drop_dominated(hd_summary *s, size_t first, size_t end) {
  static const hd_summary_term zero = {0};
  hd_summary_term *t = s->terms.data;
  size_t kept = first;
  for (size_t i = first; i < end; i++) {
    bool below = term_below(&t[i], &zero, s->n_loops);
    for (size_t k = first; k < kept && !below; k++)
      below = term_below(&t[i], &t[k], s->n_loops);
    for (size_t k = i + 1; k < end && !below; k++)
      below = term_below(&t[i], &t[k], s->n_loops);
    if (!below)
      t[kept++] = t[i];
  }
  if (s->terms.size > end)
    memmove(t + kept, t + end, (s->terms.size - end) * sizeof *t);
  s->terms.size -= end - kept;
}

static void insert_constant(hd_summary *s, size_t at, hd_place_id local,
                            int64_t value) {
  hd_summary_term term = {.local = local, .c = {value}};
  hd_vec_push(&s->terms, term);
  hd_summary_term *t = s->terms.data;
  memmove(t + at + 1, t + at, (s->terms.size - 1 - at) * sizeof *t);
  t[at] = term;
}

/* Applies `e` to `local`; a term's coefficient of loop `loop` (0: none) changes
 * by delta as well, for the rounds after the first. */
static bool apply(hd_summary *s, hd_place_id local, hd_effect e,
                  uint32_t loop) {
  size_t first = first_term(s, local), end = end_of(s, first, local);
  if (e.floor > 0)
    insert_constant(s, end++, local, e.floor - e.delta);
  bool ok = true;
  for (size_t i = first; i < end; i++) {
    hd_summary_term *t = &s->terms.data[i];
    t->c[0] += e.delta;
    if (loop)
      t->c[loop] += e.delta;
    ok = ok && fits(t, s->n_loops);
  }
  if (loop && e.delta < 0 && e.floor > 0)
    insert_constant(s, end++, local, e.floor);
  drop_dominated(s, first, end);
  return ok;
}

bool hd_summary_edge(hd_summary *summary, const hd_view_edge *edge,
                     const hd_count *available) {
  bool ok = true;
  if (available[edge->give] != HD_OMEGA)
    ok = apply(summary, edge->give, hd_effect_of(edge, edge->give), 0);
  if (edge->take != edge->give && available[edge->take] != HD_OMEGA)
    ok = apply(summary, edge->take, hd_effect_of(edge, edge->take), 0) && ok;
  return ok;
}

bool hd_summary_loop(hd_summary *summary, const hd_segment *round,
                     const hd_count *available) {
  assert(summary->n_loops < HD_MAX_LOOPS);
  bool ok = true;
  uint32_t loop = ++summary->n_loops;
  for (size_t i = 0; i < round->size; i++)
    if (available[round->data[i].local] != HD_OMEGA)
      ok = apply(summary, round->data[i].local, round->data[i].effect, loop) &&
           ok;
  return ok;
}

bool hd_summary_loop_helps(const hd_summary *summary, const hd_segment *round,
                           const hd_count *available) {
  for (size_t i = 0; i < round->size; i++) {
    const hd_local_effect *e = &round->data[i];
    if (e->effect.delta >= 0 || available[e->local] == HD_OMEGA)
      continue;
    size_t first = first_term(summary, e->local);
    size_t end = end_of(summary, first, e->local);
    hd_summary_term floor = {.c = {e->effect.floor}};
    for (size_t k = first; k < end; k++)
      if (!term_below(&summary->terms.data[k], &floor, summary->n_loops))
        return true;
  }
  return false;
}

bool hd_summary_covers(const hd_summary *large, const hd_summary *small) {
  if (small->n_loops > large->n_loops)
    return false;
  size_t j = 0;
  for (size_t i = 0; i < small->terms.size; i++) {
    const hd_summary_term *t = &small->terms.data[i];
    while (j < large->terms.size && large->terms.data[j].local < t->local)
      j++;
    bool below = false;
    for (size_t k = j; k < large->terms.size && !below &&
                       large->terms.data[k].local == t->local;
         k++)
      below = term_below(t, &large->terms.data[k], large->n_loops);
    if (!below)
      return false;
  }
  return true;
}

int64_t hd_summary_value(const hd_summary *summary, hd_place_id local,
                         const int64_t *k) {
  int64_t value = 0;
  size_t first = first_term(summary, local);
  for (size_t i = first; i < end_of(summary, first, local); i++) {
    const hd_summary_term *t = &summary->terms.data[i];
    int64_t sum = t->c[0];
    for (uint32_t v = 1; v <= summary->n_loops; v++)
      sum += t->c[v] * k[v - 1];
    value = max2(value, sum);
  }
  return value;
}
