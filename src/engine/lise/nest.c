/* SPDX-License-Identifier: MIT */
/* Which loops with invariants a process is in (section 2.3 of the paper), and
 * what it writes there. */
#include "engine/lise/nest.h"

hd_lise_record *hd_lise_rung_record(const hd_lise_state *s, hd_lise_rung at) {
  return at.on_stack ? s->stack.data[at.index] : s->queue.data[at.index];
}

hd_lise_record *hd_lise_rung_own(hd_lise_state *s, hd_lise_rung at) {
  hd_lise_record **place =
      at.on_stack ? &s->stack.data[at.index] : &s->queue.data[at.index];
  if ((*place)->refs > 1) {
    hd_lise_record *new = hd_lise_record_copy(*place);
    hd_lise_record_drop(*place);
    *place = new;
  }
  return *place;
}

void hd_lise_nest_of(const hd_lise_state *s, hd_proc p, hd_lise_nest *out) {
  hd_vec_clear(out);
  size_t n = s->stack.size + s->queue.size;
  for (size_t i = 0; i < n; i++) {
    hd_lise_rung at = {i < s->stack.size,
                       i < s->stack.size ? i : i - s->stack.size, 0};
    const hd_lise_record *r = hd_lise_rung_record(s, at);
    if (!r->is_loop || !r->snapshots.data[p])
      continue;
    bool again =
        out->size && hd_lise_rung_record(s, hd_vec_last(out))->id == r->id;
    if (out->size)
      at.depth = hd_vec_last(out).depth + !again;
    while (again && !r->is_true && out->size &&
           hd_vec_last(out).depth == at.depth)
      out->size--;
    if (r->is_true)
      hd_vec_push(out, at);
  }
}

uint32_t hd_lise_ahead(const hd_lise_state *state, hd_proc p) {
  uint32_t n = 0;
  for (size_t i = 0; i < state->queue.size; i++)
    n += state->queue.data[i]->snapshots.data[p] != NULL;
  return n;
}

/* --- write sets --- */

static bool same_place(hd_lise_place a, hd_lise_place b) {
  return a.object == b.object && a.frame == b.frame && a.at == b.at;
}

static bool has_place(const hd_lise_places *list, hd_lise_place place) {
  for (size_t i = 0; i < list->size; i++)
    if (same_place(list->data[i], place))
      return true;
  return false;
}

void hd_lise_wrote(hd_lise *l, hd_lise_place place) {
  hd_lise_state *s = l->state;
  if (l->guest)
    l->guest->wrote(l, place);
  if (l->plain || (!s->queue.size && !s->stack.size))
    return;
  hd_lise_nest nest = {0};
  hd_lise_nest_of(s, l->proc, &nest);
  for (size_t i = 0; i < nest.size; i++)
    if (!has_place(&hd_lise_rung_record(s, nest.data[i])->writes.data[l->proc],
                   place)) {
      hd_lise_record *r = hd_lise_rung_own(s, nest.data[i]);
      hd_vec_push(&r->writes.data[l->proc], place);
    }
  hd_vec_free(&nest);
}

/* The process must still be in the loop whose record says so. */
hd_going hd_lise_still_inside(hd_lise *l) {
  const hd_lise_state *s = l->state;
  const hd_lise_proc *me = hd_lise_seen(l);
  if (me->in_guard || (!s->queue.size && !s->stack.size))
    return HD_GO_ON;
  hd_lise_nest nest = {0};
  hd_lise_nest_of(l->state, l->proc, &nest);
  bool left = false;
  if (nest.size) {
    const hd_lise_record *r = hd_lise_rung_record(s, hd_vec_last(&nest));
    left = r->snapshots.data[l->proc]->frames.size == me->frames.size &&
           !hd_lise_loop_contains(l, r->places.data[l->proc],
                                  me->frames.data[me->frames.size - 1].loc);
  }
  hd_vec_free(&nest);
  return left ? hd_lise_refuse(l, "leaving a loop with an invariant other "
                                  "than by its condition")
              : HD_GO_ON;
}

hd_going hd_lise_leaves_frame(hd_lise *l) {
  const hd_lise_proc *me = hd_lise_seen(l);
  bool left = me->in_guard && me->frames.size == me->head->frames.size;
  hd_lise_nest nest = {0};
  hd_lise_nest_of(l->state, l->proc, &nest);
  if (nest.size)
    left = left || hd_lise_rung_record(l->state, hd_vec_last(&nest))
                           ->snapshots.data[l->proc]
                           ->frames.size == me->frames.size;
  hd_vec_free(&nest);
  return left ? hd_lise_refuse(l, "a return out of a loop with an invariant")
              : HD_GO_ON;
}
