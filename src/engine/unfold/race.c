/* SPDX-License-Identifier: MIT */
/* Races: two segments of different threads that may run side by side and touch
 * the same bytes, one of them writing, not both atomically.
 *
 * Segments are told by the events they begin with. Two run side by side in a
 * configuration in which both events are the last of their threads. So for each
 * event y and each other thread, its events from the one that y knows last on are
 * looked at, down the thread's tree until they conflict with y or know a later
 * event of y's thread. Pairs that are ordered by synchronisation are no races.
 *
 * A race of accesses that are further apart is one of adjacent ones in another
 * run, if events that depend on each other are always ordered by synchronisation.
 * Where some are not (past.c calls them loose) all pairs are compared; that finds
 * data that is handed over by a relaxed flag. */
#include "engine/unfold/event.h"

#include <stdlib.h>

static bool ordered(const structure *s, event_id x, event_id y) {
  assert(x < s->events.size);
  assert(y < s->events.size);
  const event *e = &s->events.data[x], *f = &s->events.data[y];
  return hd_clock_entry(f->clock, e->thread) > e->seq ||
         hd_clock_entry(e->clock, f->thread) > f->seq;
}

static bool clashes(const touch *x, const touch *y) {
  assert(x->lo <= x->hi && y->lo <= y->hi);
  return x->object == y->object && (x->write || y->write) &&
         !(x->atomic && y->atomic) && x->lo < y->hi && y->lo < x->hi &&
         (x->write || !x->dies) && (y->write || !y->dies);
}

/* One of them may find that there is no such memory any more. */
static bool outlives(const touch *x, const touch *y) {
  return x->object == y->object && (x->dies || y->dies) && x->lo < y->hi &&
         y->lo < x->hi;
}

typedef struct {
  structure *s;
  hd_u32s *objects; /* that are not shared yet */
  hd_u32s todo;
} search;

static void report(search *r, const touch *x, const touch *y) {
  assert(x->object == y->object);
  structure *s = r->s;
  hd_str name = {0};
  hd_analysis_print_object(s->a, &name, x->object,
                           x->lo > y->lo ? x->lo : y->lo, 1);
  hd_edge_id first = x->edge < y->edge ? x->edge : y->edge;
  hd_edge_id second = first == x->edge ? y->edge : x->edge;
  hd_analysis_alarm(s->a, HD_PROPERTY_RACE, first, second,
                    "%s may be accessed by two threads at once",
                    hd_str_text(&name));
  hd_str_free(&name);
  /* What a lock is used for is not in its bytes. */
  bool idle = (x->sync && x->atomic) || (y->sync && y->atomic);
  if (idle || hd_analysis_is_shared(s->a, x->object))
    return;
  for (hd_vec_each(const uint32_t, o, r->objects))
    if (*o == x->object)
      return;
  hd_vec_push(r->objects, x->object);
}

static void report_end(search *r, const touch *x, const touch *y) {
  assert(x->dies || y->dies);
  analysis *a = r->s->a;
  hd_str name = {0};
  hd_analysis_print_object(a, &name, x->object, x->lo > y->lo ? x->lo : y->lo,
                           1);
  hd_analysis_alarm(a, HD_PROPERTY_MEMORY, x->dies ? y->edge : x->edge,
                    HD_NO_ID, "%s may be gone by then", hd_str_text(&name));
  hd_str_free(&name);
}

static void check_pair(search *r, event_id x, event_id y) {
  assert(x < r->s->events.size);
  assert(y < r->s->events.size);
  const event *e = &r->s->events.data[x], *f = &r->s->events.data[y];
  for (hd_vec_each(const touch, t, &e->touches))
    for (hd_vec_each(const touch, u, &f->touches))
      if (clashes(t, u) || outlives(t, u)) {
        if (ordered(r->s, x, y))
          return;
        hd_structure_look_at(r->s, x, y);
        if (outlives(t, u))
          report_end(r, t, u);
        if (!clashes(t, u))
          continue;
        report(r, t, u);
      }
}

/* Does x know an event of y's thread that comes after y? */
static bool knows_more(const structure *s, event_id x, event_id y) {
  assert(y < s->events.size);
  const event *f = &s->events.data[y];
  event_id known = hd_structure_cut(s, x, f->thread);
  return known != HD_NO_ID && s->events.data[known].thread == f->thread &&
         s->events.data[known].seq > f->seq;
}

/* The events of a thread that y may run side by side with. */
static void against(search *r, event_id y, thread_id thread,
                    const hd_u32s *starts) {
  assert(thread != r->s->events.data[y].thread);
  structure *s = r->s;
  event_id known = hd_structure_cut(s, y, thread);
  hd_vec_clear(&r->todo);
  if (known == HD_NO_ID)
    for (hd_vec_each(const uint32_t, x, starts))
      hd_vec_push(&r->todo, *x);
  else
    hd_vec_push(&r->todo, known);
  while (r->todo.size) {
    event_id x = hd_vec_pop(&r->todo);
    const event *e = &s->events.data[x];
    if (e->thread == thread) {
      if (hd_structure_conflict(s, x, y) || knows_more(s, x, y))
        continue;
      check_pair(r, x, y);
    }
    for (hd_vec_each(const uint32_t, c, &e->children))
      if (s->events.data[*c].thread == thread)
        hd_vec_push(&r->todo, *c);
  }
}

typedef struct {
  event_id event;
  const touch *what;
} use;

static int by_object(const void *a, const void *b) {
  const use *x = a, *y = b;
  if (x->what->object != y->what->object)
    return x->what->object < y->what->object ? -1 : 1;
  return x->event < y->event ? -1 : x->event > y->event;
}

/* The first race of accesses that may be far apart. */
static void find_distant(search *r) {
  structure *s = r->s;
  hd_vec(use) uses = {0};
  for (event_id e = 0; e < s->events.size; e++)
    for (hd_vec_each(const touch, t, &s->events.data[e].touches))
      hd_vec_push(&uses, ((use){e, t}));
  if (uses.size)
    qsort(uses.data, uses.size, sizeof *uses.data, by_object);
  bool found = false;
  for (size_t i = 0; i < uses.size && !found && hd_run_tick(s->a->run); i++)
    for (size_t k = i + 1; k < uses.size && !found; k++) {
      const use *x = &uses.data[i], *y = &uses.data[k];
      if (y->what->object != x->what->object)
        break;
      found =
          s->events.data[x->event].thread != s->events.data[y->event].thread &&
          clashes(x->what, y->what) && !ordered(s, x->event, y->event) &&
          !hd_structure_conflict(s, x->event, y->event);
      if (found) {
        hd_structure_look_at(s, x->event, y->event);
        report(r, x->what, y->what);
      }
    }
  hd_vec_free(&uses);
}

/* Writing over a lock makes it a new one, which is open, whoever holds it: that
 * is not followed. Before there are others it is how locks are set up. */
static void find_overwritten(structure *s, const event *e, const touch *t) {
  if (!t->write || t->dies || t->sync || (e->thread == 0 && e->creates == 0))
    return;
  for (resource_id r = 0; r < s->resources.size; r++) {
    const resource_key *key = &s->resources.items[r].key;
    if (key->kind == RES_SYNC && key->what == t->object &&
        t->lo < key->offset + s->uses.data[r].bytes && key->offset < t->hi)
      hd_analysis_give_up(s->a, t->edge,
                          "a lock is written over that others may use");
  }
}

/* A new thread may run before its id is stored, which is part of its creation
 * here: nobody else may look there. */
static void find_early(structure *s, const event *e, const touch *id) {
  assert(id->id && id->write);
  static const hd_property properties[] = {HD_PROPERTY_ASSERT,
                                           HD_PROPERTY_RACE};
  for (hd_vec_each(const event, f, &s->events))
    for (hd_vec_each(const touch, t, &f->touches))
      for (int i = 0; f->thread != e->thread && t->object == id->object &&
                      t->lo < id->hi && id->lo < t->hi && i < 2;
           i++)
        hd_analysis_alarm(s->a, properties[i], id->edge, HD_NO_ID,
                          "others may look for the id of a thread before it is "
                          "stored");
}

bool hd_structure_races(structure *s, hd_u32s *objects) {
  search r = {.s = s, .objects = objects};
  for (hd_vec_each(const event, e, &s->events))
    for (hd_vec_each(const touch, t, &e->touches)) {
      find_overwritten(s, e, t);
      if (t->id)
        find_early(s, e, t);
    }
  size_t n = s->a->threads.size + 1;
  hd_u32s *starts = hd_calloc(n, sizeof *starts);
  for (event_id e = 0; e < s->events.size; e++)
    if (s->events.data[e].kind == EV_START)
      hd_vec_push(&starts[s->events.data[e].thread], e);
  for (event_id y = 0; y < s->events.size && hd_run_tick(s->a->run); y++) {
    if (!s->events.data[y].touches.size)
      continue;
    for (thread_id t = 0; t < s->events.data[y].thread; t++)
      against(&r, y, t, &starts[t]);
  }
  for (size_t t = 0; t < n; t++)
    hd_vec_free(&starts[t]);
  hd_free(starts);
  hd_vec_free(&r.todo);
  bool more = objects->size > 0;
  /* Accesses that are never adjacent do not disturb each other's values: their
   * object does not have to be shared. */
  if (!more && s->a->loose) {
    find_distant(&r);
    hd_vec_clear(objects);
  }
  return more;
}
