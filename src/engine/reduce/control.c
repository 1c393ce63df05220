/* SPDX-License-Identifier: MIT */
/* Finding a control component of a Petri net: a set Q of places that holds one
 * token initially and from which every transition takes exactly one token and
 * gives exactly one back. Nets made from programs have one, the shared state;
 * with it thread-modular reasoning works as on the program itself.
 *
 * Each transition is two exactly-one constraints, over its pre- and its
 * post-places. The search is unit propagation with a few decisions, started
 * from each place that may hold the token initially; it gives up after a fixed
 * number of conflicts, because nets without such a component should not pay. */
#include "engine/reduce/reduce.h"

enum { MAX_CONFLICTS = 200, MAX_SEEDS = 16 };

typedef enum { UNDECIDED, INSIDE, OUTSIDE } side;

typedef struct {
  const hd_net *net;
  uint8_t *sides;      /* per place */
  hd_u32s trail;       /* places in the order they were decided */
  size_t propagated;   /* trail up to here was propagated */
  hd_u32s *neighbours; /* place -> transition * 2 + (0 pre, 1 post) */
  unsigned conflicts;
} search;

static hd_tokens vector_of(const search *s, uint32_t constraint) {
  return constraint % 2 ? hd_net_post(s->net, constraint / 2)
                        : hd_net_pre(s->net, constraint / 2);
}

static bool decide(search *s, hd_place_id p, side to) {
  if (s->sides[p] != UNDECIDED)
    return s->sides[p] == to;
  s->sides[p] = (uint8_t)to;
  hd_vec_push(&s->trail, p);
  return true;
}

/* Exactly one place of the vector is inside. */
static bool propagate_one(search *s, uint32_t constraint) {
  hd_tokens v = vector_of(s, constraint);
  size_t inside = 0, undecided = 0, open = 0;
  for (size_t i = 0; i < v.size; i++) {
    side at = s->sides[v.data[i].place];
    inside += at == INSIDE;
    if (at == UNDECIDED) {
      undecided++;
      open = i;
    }
  }
  if (inside > 1 || inside + undecided == 0)
    return false;
  if (inside == 0 && undecided == 1)
    return decide(s, v.data[open].place, INSIDE);
  if (inside == 1 && undecided)
    for (size_t i = 0; i < v.size; i++)
      if (s->sides[v.data[i].place] == UNDECIDED &&
          !decide(s, v.data[i].place, OUTSIDE))
        return false;
  return true;
}

static bool propagate(search *s) {
  while (s->propagated < s->trail.size) {
    hd_u32s *list = &s->neighbours[s->trail.data[s->propagated++]];
    for (size_t i = 0; i < list->size; i++)
      if (!propagate_one(s, list->data[i]))
        return false;
  }
  return true;
}

static void undo(search *s, size_t size) {
  while (s->trail.size > size)
    s->sides[hd_vec_pop(&s->trail)] = UNDECIDED;
  s->propagated = size;
}

/* An undecided place of a constraint that is not satisfied yet. */
static bool pick(const search *s, uint32_t *from, hd_place_id *place) {
  for (; *from < 2 * s->net->trans.size; ++*from) {
    hd_tokens v = vector_of(s, *from);
    bool inside = false;
    size_t open = v.size;
    for (size_t i = 0; i < v.size; i++) {
      inside = inside || s->sides[v.data[i].place] == INSIDE;
      if (s->sides[v.data[i].place] == UNDECIDED && open == v.size)
        open = i;
    }
    if (!inside && open < v.size) {
      *place = v.data[open].place;
      return true;
    }
  }
  return false;
}

/* Iterative search: a decision puts a place inside; its refutation outside. */
static bool solve(search *s) {
  hd_u32s marks = {0}; /* trail sizes before the decisions */
  uint32_t at = 0;
  bool ok = propagate(s);
  hd_place_id place;
  while (ok && pick(s, &at, &place)) {
    hd_vec_push(&marks, (uint32_t)s->trail.size);
    ok = decide(s, place, INSIDE) && propagate(s);
    while (!ok && marks.size && ++s->conflicts < MAX_CONFLICTS) {
      uint32_t mark = hd_vec_pop(&marks);
      hd_place_id refuted = s->trail.data[mark];
      undo(s, mark);
      at = 0;
      ok = decide(s, refuted, OUTSIDE) && propagate(s);
    }
  }
  hd_vec_free(&marks);
  return ok;
}

/* Places that no component can contain: weighted arcs, several initial tokens,
 * guards and moves. */
static bool excluded(const hd_net *net, uint8_t *out) {
  for (hd_trans_id t = 0; t < net->trans.size; t++) {
    hd_tokens pre = hd_net_pre(net, t), post = hd_net_post(net, t);
    if (!pre.size || !post.size || net->trans.data[t].moves.size ||
        net->trans.data[t].caps.size)
      return false;
    for (size_t i = 0; i < pre.size; i++)
      if (pre.data[i].count > 1)
        out[pre.data[i].place] = 1;
    for (size_t i = 0; i < post.size; i++)
      if (post.data[i].count > 1)
        out[post.data[i].place] = 1;
  }
  return true;
}

static bool try_seed(search *s, const uint8_t *out, hd_place_id seed) {
  undo(s, 0);
  s->conflicts = 0;
  if (!decide(s, seed, INSIDE))
    return false;
  for (hd_place_id p = 0; p < s->net->n_places; p++)
    if (p != seed && (out[p] || s->net->init[p].max) && !decide(s, p, OUTSIDE))
      return false;
  return solve(s);
}

static void link_places(search *s) {
  for (uint32_t c = 0; c < 2 * s->net->trans.size; c++) {
    hd_tokens v = vector_of(s, c);
    for (size_t i = 0; i < v.size; i++)
      hd_vec_push(&s->neighbours[v.data[i].place], c);
  }
}

static bool find_component(search *s, const uint8_t *out, hd_u32s *control) {
  const hd_net *net = s->net;
  unsigned seeds = 0;
  for (hd_place_id p = 0; p < net->n_places && seeds < MAX_SEEDS; p++) {
    if (net->init[p].min != 1 || net->init[p].max != 1 || out[p] ||
        !s->neighbours[p].size)
      continue;
    seeds++;
    if (!try_seed(s, out, p))
      continue;
    hd_vec_clear(control);
    for (hd_place_id q = 0; q < net->n_places; q++)
      if (s->sides[q] == INSIDE)
        hd_vec_push(control, q);
    if (control->size > 1)
      return true;
  }
  hd_vec_clear(control);
  return false;
}

bool hd_reduce_find_control(const hd_net *net, hd_u32s *control) {
  hd_vec_clear(control);
  if (net->n_shared != 1 || !net->trans.size ||
      (net->features & HD_HAS_TARGET_CAPS))
    return false;
  uint8_t *out = hd_calloc(net->n_places, 1);
  bool found = false;
  if (excluded(net, out)) {
    search s = {.net = net,
                .sides = hd_calloc(net->n_places, 1),
                .neighbours = hd_calloc(net->n_places, sizeof(hd_u32s))};
    link_places(&s);
    found = find_component(&s, out, control);
    for (hd_place_id p = 0; p < net->n_places; p++)
      hd_vec_free(&s.neighbours[p]);
    hd_free(s.neighbours);
    hd_free(s.sides);
    hd_vec_free(&s.trail);
  }
  hd_free(out);
  return found;
}
