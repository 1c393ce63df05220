/* SPDX-License-Identifier: MIT */
/* Races: two segments of different threads that may run side by side and touch
 * the same bytes, one of them writing, not both atomically.
 *
 * Segments are told by the events they begin with. The one behind x is over for
 * y when y knows, by synchronisation, a later event of x's thread. Only pairs
 * that touch the same object are looked at. */
#include "engine/unfold/event.h"

#include <stdlib.h>

typedef struct {
  event_id event;
  touch what;
} use;

static int by_object(const void *a, const void *b) {
  const use *x = a, *y = b;
  if (x->what.object != y->what.object)
    return x->what.object < y->what.object ? -1 : 1;
  return x->event < y->event ? -1 : x->event > y->event;
}

static bool ordered(const structure *s, event_id x, event_id y) {
  const event *e = &s->events.data[x], *f = &s->events.data[y];
  return clock_at(f->clock, e->thread) > e->seq ||
         clock_at(e->clock, f->thread) > f->seq;
}

static bool clashes(const use *x, const use *y) {
  return (x->what.write || y->what.write) &&
         !(x->what.atomic && y->what.atomic) && x->what.lo < y->what.hi &&
         y->what.lo < x->what.hi;
}

bool structure_races(structure *s, hd_u32s *objects) {
  hd_vec(use) uses = {0};
  for (event_id e = 0; e < s->events.size; e++)
    for (hd_vec_each(const touch, t, &s->events.data[e].touches))
      hd_vec_push(&uses, ((use){e, *t}));
  if (uses.size)
    qsort(uses.data, uses.size, sizeof *uses.data, by_object);
  bool more = false;
  for (size_t i = 0; i < uses.size && hd_run_tick(s->a->run); i++) {
    const use *x = &uses.data[i];
    for (size_t k = i + 1; k < uses.size; k++) {
      const use *y = &uses.data[k];
      if (y->what.object != x->what.object)
        break;
      if (!clashes(x, y) ||
          s->events.data[x->event].thread == s->events.data[y->event].thread ||
          structure_conflict(s, x->event, y->event) ||
          ordered(s, x->event, y->event))
        continue;
      hd_str name = {0};
      analysis_print_object(s->a, &name, x->what.object,
                            x->what.lo > y->what.lo ? x->what.lo : y->what.lo,
                            1);
      hd_edge_id first =
          x->what.edge < y->what.edge ? x->what.edge : y->what.edge;
      hd_edge_id second = first == x->what.edge ? y->what.edge : x->what.edge;
      analysis_alarm(s->a, HD_PROPERTY_RACE, first, second,
                     "%s may be accessed by two threads at once",
                     hd_str_text(&name));
      hd_str_free(&name);
      if (!analysis_is_shared(s->a, x->what.object)) {
        more = true;
        if (!objects->size || hd_vec_last(objects) != x->what.object)
          hd_vec_push(objects, x->what.object);
      }
    }
  }
  hd_vec_free(&uses);
  return more;
}
