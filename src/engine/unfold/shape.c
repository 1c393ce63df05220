/* SPDX-License-Identifier: MIT */
/* The event structure as others see it: for every event what it directly depends
 * on, and with which earlier ones it is in direct conflict: one excludes the
 * other, but neither excludes what the other depends on. */
#include "engine/unfold/event.h"

static void add_cause(const structure *s, hd_u32s *causes, event_id c) {
  if (c == HD_NO_ID)
    return;
  for (size_t i = 0; i < causes->size; i++)
    if (causes->data[i] == c || structure_before(s, c, causes->data[i]))
      return;
  size_t kept = 0;
  for (size_t i = 0; i < causes->size; i++)
    if (!structure_before(s, causes->data[i], c))
      causes->data[kept++] = causes->data[i];
  causes->size = kept;
  hd_vec_push(causes, c);
}

static bool excludes_one(const structure *s, event_id e,
                         const hd_u32s *causes) {
  for (hd_vec_each(const uint32_t, c, causes))
    if (structure_conflict(s, e, *c))
      return true;
  return false;
}

void structure_shape(const structure *s, hd_unfold_shape *shape) {
  hd_unfold_shape_clear(shape);
  for (event_id id = 0; id < s->events.size; id++) {
    const event *e = &s->events.data[id];
    hd_unfold_event out = {.thread = e->thread,
                           .edge = e->edge,
                           .ends = e->kind == EV_EXIT,
                           .cutoff = e->cutoff,
                           .func = HD_NO_ID};
    if (e->kind == EV_START && e->state.top)
      out.func = e->state.top->func;
    add_cause(s, &out.causes, e->prev);
    for (uint32_t i = 0; i < e->n_resources; i++)
      add_cause(s, &out.causes, e->before[i]);
    for (event_id other = 0; other < id; other++)
      if (structure_conflict(s, id, other) &&
          !excludes_one(s, other, &out.causes) &&
          !excludes_one(s, id, &shape->data[other].causes))
        hd_vec_push(&out.conflicts, other);
    hd_vec_push(shape, out);
  }
}

void hd_unfold_shape_clear(hd_unfold_shape *shape) {
  for (hd_vec_each(hd_unfold_event, e, shape)) {
    hd_vec_free(&e->causes);
    hd_vec_free(&e->conflicts);
  }
  hd_vec_clear(shape);
}
