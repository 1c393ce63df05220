/* SPDX-License-Identifier: MIT */
/* Races with the past of a cutoff.
 *
 * A cutoff e has the same state as a smaller history f, so what follows e is
 * looked at behind f only. For races that is not enough: what is touched behind
 * e may race with what was touched within e's history long ago, and f's history
 * may have touched other things, or may know more of it. As long as events that
 * depend on each other are ordered by synchronisation too, all of e's history is
 * over for whatever follows it. An event is *loose* when that is not so: reading
 * without acquiring, a trylock that fails. With loose events, e is a cutoff only
 * if whatever its history leaves unknown to a thread, or to those who acquire a
 * resource, f's history leaves unknown as well. What a thread or a resource does
 * not know of another thread is the last part of what that did, so sets of
 * accesses can be compared one thread at a time. */
#include "engine/unfold/event.h"

bool hd_structure_is_loose(const structure *s, event_id id) {
  assert(id < s->events.size);
  const event *e = &s->events.data[id];
  for (thread_id t = 0; t < e->cut.size; t++) {
    event_id last = e->cut.data[t];
    if (last != HD_NO_ID && s->events.data[last].thread == t &&
        hd_clock_entry(e->clock, t) < s->events.data[last].seq)
      return true;
  }
  return false;
}

/* The last event of thread u in a history, if it has one of its own there. */
static event_id last_of(const structure *s, event_id e, thread_id u) {
  event_id last = hd_structure_cut(s, e, u);
  return last != HD_NO_ID && s->events.data[last].thread == u ? last : HD_NO_ID;
}

static bool is_covered(const touch *x, const touch *y) {
  return x->object == y->object && y->lo <= x->lo && x->hi <= y->hi &&
         y->write >= x->write && y->atomic <= x->atomic && y->dies == x->dies &&
         y->sync == x->sync;
}

/* Is such an access of thread u in f's history, in a segment that is over but
 * not for those who know `known` events of u? */
static bool is_unknown(const structure *s, event_id f, thread_id u,
                       uint32_t known, const touch *x) {
  event_id last = last_of(s, f, u);
  if (last == HD_NO_ID)
    return false;
  for (const event *p = &s->events.data[last]; p->seq > 1;) {
    assert(p->prev < s->events.size); /* the first is number 1 */
    p = &s->events.data[p->prev];
    if (p->seq < known)
      return false;
    for (hd_vec_each(const touch, y, &p->touches))
      if (is_covered(x, y))
        return true;
  }
  return false;
}

static bool leaves_less(const structure *s, event_id e, event_id f, thread_id u,
                        const clock_vector *in_e, const clock_vector *in_f) {
  event_id last = last_of(s, e, u);
  if (last == HD_NO_ID)
    return true;
  for (const event *p = &s->events.data[last]; p->seq > 1;) {
    assert(p->prev < s->events.size); /* the first is number 1 */
    p = &s->events.data[p->prev];
    if (p->seq < hd_clock_entry(in_e, u))
      return true;
    for (hd_vec_each(const touch, x, &p->touches))
      if (!is_unknown(s, f, u, hd_clock_entry(in_f, u), x))
        return false;
  }
  return true;
}

static const clock_vector *clock_of(const structure *s, event_id e,
                                    thread_id t) {
  event_id last = hd_structure_cut(s, e, t);
  return last == HD_NO_ID ? NULL : s->events.data[last].clock;
}

static const clock_vector *sync_of(const structure *s, event_id e,
                                   resource_id r) {
  const resource_state *x = hd_structure_state(s, e, r);
  return x ? x->sync : NULL;
}

bool hd_structure_past_covered(const structure *s, event_id e, event_id f) {
  assert(e < s->events.size);
  assert(f < s->events.size);
  const event *x = &s->events.data[e], *y = &s->events.data[f];
  size_t n = x->last.size > y->last.size ? x->last.size : y->last.size;
  for (thread_id u = 0; u < x->cut.size; u++) {
    for (thread_id t = 0; t < x->cut.size; t++)
      if (t != u &&
          !leaves_less(s, e, f, u, clock_of(s, e, t), clock_of(s, f, t)))
        return false;
    for (resource_id r = 0; r < n; r++)
      if (!leaves_less(s, e, f, u, sync_of(s, e, r), sync_of(s, f, r)))
        return false;
  }
  return true;
}
