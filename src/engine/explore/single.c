/* SPDX-License-Identifier: MIT */
#include "engine/explore/single.h"

#include "base/hash.h"
#include "check/interp/clock.h"
#include "engine/explore/common.h"
#include "model/updates.h"

#include <string.h>

enum { GRAIN = 8, MOST_NOTES = 1 << 22, MOST_GRAINS = 1 << 20 };

/* Properties that the actions of a run and their values decide. */
static const hd_properties decided =
    1u << HD_PROPERTY_ASSERT | 1u << HD_PROPERTY_RACE |
    1u << HD_PROPERTY_DEADLOCK | 1u << HD_PROPERTY_OVERFLOW |
    1u << HD_PROPERTY_ARITH | 1u << HD_PROPERTY_MEMORY |
    1u << HD_PROPERTY_UNINIT | 1u << HD_PROPERTY_SYNC |
    1u << HD_PROPERTY_UNREACHABLE;

/* How an action works on memory or on a lock. Of one way that is neither a
 * read nor a write they commute if they are of one lock. */
typedef struct {
  uint8_t kind; /* 0 reads, 1 writes, more: an update, a turn, an arrival */
  uint64_t lock;
} way;
enum { READS, WRITES, TURNS, ARRIVES, UPDATES };

/* The last such action of a thread, on some bytes of a grain. */
typedef struct {
  uint64_t time, lock;
  hd_tid thread;
  uint32_t next; /* of the grain; 0 = none */
  uint8_t bytes, kind;
} note;

typedef struct {
  uint64_t number;
  bool sync; /* of locks, not of memory */
} grain;

#define HD_MAP grains
#define HD_KEY grain
#define HD_VAL uint32_t /* the first note */
#define HD_HASH(k) hd_hash_mix((k).number, (k).sync)
#define HD_EQ(a, b) ((a).number == (b).number && (a).sync == (b).sync)
#include "base/map_templ.h"

/* A part of the stack, from `from` on, was made or taken away. */
typedef struct {
  uint64_t from, time;
} reach;

/* What others have touched there. */
typedef struct {
  uint64_t end, time;
  hd_tid thread;
} visit;

typedef struct {
  hd_clock clock;  /* what is forced to come before */
  hd_clock passes; /* … before it goes on from the barrier that it stands at */
  uint64_t barrier; /* that is open; 0 = it stands at none */
  uint64_t section; /* the lock of the plain section that it is in; 0 = none */
  hd_vec(reach) reached; /* both numbers increase */
  hd_vec(visit) visits;
  uint64_t visited; /* the highest end of them */
} thread;

typedef struct {
  uint64_t address;
  hd_clock round, last; /* arrivals of the present round, of the last one */
  hd_vec(hd_tid) waiting;
} barrier;

typedef struct {
  hd_machine *machine;
  hd_run *run;
  uint8_t *updates; /* of edges, or NULL */
  grains grains;
  hd_vec(note) notes;
  uint32_t free; /* notes that are not used */
  hd_vec(thread) threads;
  hd_vec(barrier) barriers;
  bool failed;
} single;

/* --- what comes first --- */

static bool comes_before(const single *s, hd_tid who, uint64_t time,
                         hd_tid now) {
  return who == now || time <= hd_clock_at(&s->threads.data[now].clock, who);
}

static uint64_t time_of(const single *s, hd_tid t) {
  return hd_clock_at(&s->threads.data[t].clock, t);
}

static void add_thread(single *s, hd_tid creator) {
  thread fresh = {0};
  hd_tid id = (hd_tid)s->threads.size;
  if (id) {
    thread *t = &s->threads.data[creator];
    fresh.clock = hd_clock_copy(&t->clock);
    hd_clock_tick(&t->clock, creator);
  }
  hd_clock_tick(&fresh.clock, id);
  hd_vec_push(&s->threads, fresh);
}

/* --- memory and locks --- */

static bool commute(const note *n, way w, uint8_t bytes) {
  if (n->kind == WRITES || n->kind != w.kind)
    return false;
  return n->kind == READS ||
         (n->lock == w.lock && (n->kind < UPDATES || n->bytes == bytes));
}

static uint32_t new_note(single *s) {
  uint32_t id = s->free;
  if (id) {
    s->free = s->notes.data[id].next;
    return id;
  }
  if (!s->notes.size)
    hd_vec_push(&s->notes, (note){0}); /* 0 is none */
  s->failed = s->failed || s->notes.size > MOST_NOTES;
  hd_vec_push(&s->notes, (note){0});
  return (uint32_t)s->notes.size - 1;
}

/* A write takes the place of whatever it covers: that comes before it. */
static bool replaces(const note *n, hd_tid t, way w, uint8_t bytes) {
  if (n->bytes & ~bytes)
    return false;
  return w.kind == WRITES ||
         (n->thread == t && n->kind == w.kind && n->lock == w.lock);
}

static bool is_mine(const note *n, hd_tid t, way w, uint8_t bytes) {
  return n->thread == t && n->kind == w.kind && n->lock == w.lock &&
         n->bytes == bytes;
}

static void touch_grain(single *s, hd_tid t, grain g, uint8_t bytes, way w) {
  bool fresh;
  uint32_t *first = grains_put(&s->grains, g, 0, &fresh);
  uint32_t before = 0;
  if (*first && is_mine(&s->notes.data[*first], t, w, bytes)) {
    s->notes.data[*first].time = time_of(s, t); /* nobody has come since */
    return;
  }
  for (uint32_t i = *first; i && !s->failed;) {
    note *n = &s->notes.data[i];
    uint32_t next = n->next;
    if (n->bytes & bytes && !commute(n, w, bytes) &&
        !comes_before(s, n->thread, n->time, t))
      s->failed = true;
    if (replaces(n, t, w, bytes) && !s->failed) {
      if (before)
        s->notes.data[before].next = next;
      else
        *first = next;
      n->next = s->free;
      s->free = i;
    } else {
      before = i;
    }
    i = next;
  }
  if (s->failed)
    return;
  uint32_t id = new_note(s);
  s->notes.data[id] = (note){.time = time_of(s, t),
                             .lock = w.lock,
                             .thread = t,
                             .next = *first,
                             .bytes = bytes,
                             .kind = w.kind};
  *first = id;
}

static void touch_stack(single *s, hd_tid t, uint64_t address, uint64_t size) {
  hd_tid owner = hd_machine_stack_of(s->machine, address);
  if (owner == HD_NO_ID || owner == t)
    return;
  thread *o = &s->threads.data[owner];
  size_t i = o->reached.size;
  while (i && o->reached.data[i - 1].from > address)
    i--;
  if (i && !comes_before(s, owner, o->reached.data[i - 1].time, t))
    s->failed = true;
  visit v = {address + size, time_of(s, t), t};
  for (hd_vec_each(visit, old, &o->visits))
    if (old->thread == t && old->end >= v.end) {
      old->time = v.time;
      return;
    }
  hd_vec_push(&o->visits, v);
  o->visited = v.end > o->visited ? v.end : o->visited;
}

static void touch(single *s, hd_tid t, uint64_t address, uint64_t size, way w) {
  if (!size || s->failed)
    return;
  if (size / GRAIN > MOST_GRAINS) {
    s->failed = true;
    return;
  }
  touch_stack(s, t, address, size);
  uint64_t end = address + size;
  for (uint64_t g = address / GRAIN; g * GRAIN < end && !s->failed; g++) {
    uint64_t from = g * GRAIN < address ? address - g * GRAIN : 0;
    uint64_t to = end - g * GRAIN < GRAIN ? end - g * GRAIN : GRAIN;
    uint8_t bytes = (uint8_t)(((1u << to) - 1) & ~((1u << from) - 1));
    bool whole = from == address % GRAIN && to - from == size;
    touch_grain(s, t, (grain){g, false}, bytes,
                w.kind < UPDATES || whole ? w : (way){WRITES, 0});
  }
}

/* Functions were entered or left. */
static void reach_stack(single *s, hd_tid t, uint64_t from) {
  thread *o = &s->threads.data[t];
  reach r = {from, time_of(s, t)};
  for (hd_vec_each(visit, v, &o->visits))
    if (v->end > from && from < o->visited &&
        !comes_before(s, v->thread, v->time, t))
      s->failed = true;
  while (o->reached.size && hd_vec_last(&o->reached).from >= from)
    o->reached.size--;
  hd_vec_push(&o->reached, r);
}

/* --- barriers --- */

static barrier *barrier_at(single *s, uint64_t address) {
  for (hd_vec_each(barrier, b, &s->barriers))
    if (b->address == address)
      return b;
  hd_vec_push(&s->barriers, (barrier){.address = address});
  return &hd_vec_last(&s->barriers);
}

static void arrive(single *s, hd_tid t, uint64_t address) {
  barrier *b = barrier_at(s, address);
  thread *me = &s->threads.data[t];
  if (!hd_clock_covers(&me->clock, &b->last, (uint32_t)s->threads.size))
    s->failed = true; /* it might have come a round earlier */
  hd_clock_learn(&b->round, &me->clock);
  hd_clock_tick(&me->clock, t);
  hd_vec_push(&b->waiting, t);
}

/* Who has come last goes on, and so do the others. */
static void open_barrier(single *s, uint64_t address) {
  barrier *b = barrier_at(s, address);
  for (hd_vec_each(const hd_tid, t, &b->waiting))
    hd_clock_learn(&s->threads.data[*t].passes, &b->round),
        s->threads.data[*t].barrier = address;
  hd_clock_clear(&b->last);
  b->last = b->round;
  b->round = (hd_clock){0};
  hd_vec_clear(&b->waiting);
}

/* It goes on from there, and whoever destroys the barrier has to come behind. */
static void pass(single *s, hd_tid t) {
  thread *me = &s->threads.data[t];
  hd_clock_learn(&me->clock, &me->passes);
  hd_clock_clear(&me->passes);
  touch_grain(s, t, (grain){me->barrier, true}, 1, (way){ARRIVES, me->barrier});
  me->barrier = 0;
}

/* --- moves --- */

static way way_of(const single *s, hd_tid t, const hd_access *a,
                  uint8_t flags) {
  uint8_t kind = flags & HD_UPDATE_KIND;
  if (kind && flags & HD_UPDATE_ATOMIC)
    return (way){(uint8_t)(UPDATES + kind), 0};
  if (kind && flags & HD_UPDATE_INSIDE && s->threads.data[t].section)
    return (way){(uint8_t)(UPDATES + HD_UPDATE_KIND + kind),
                 s->threads.data[t].section};
  return (way){a->writes ? WRITES : READS, 0};
}

/* The thread that it waits for, and that has ended and not been joined yet. */
static hd_tid joins(const single *s, hd_tid t) {
  hd_tid joined = hd_machine_awaits(s->machine, t);
  bool good = joined != HD_NO_ID && !hd_machine_alive(s->machine, joined) &&
              !hd_machine_joined(s->machine, joined);
  return good ? joined : HD_NO_ID;
}

static way sync_way(const single *s, hd_tid t, const hd_access *a,
                    uint8_t flags) {
  if (a->arrives)
    return (way){ARRIVES, a->sync};
  if (joins(s, t) != HD_NO_ID)
    return (way){READS, 0};
  return flags & (HD_UPDATE_BEGINS | HD_UPDATE_ENDS) ? (way){TURNS, a->sync}
                                                     : (way){WRITES, 0};
}

static void touch_sync(single *s, hd_tid t, const hd_access *a, uint8_t flags) {
  touch_stack(s, t, a->sync, 1);
  touch_grain(s, t, (grain){a->sync, true}, 1, sync_way(s, t, a, flags));
  if (flags & (HD_UPDATE_BEGINS | HD_UPDATE_ENDS))
    s->threads.data[t].section = flags & HD_UPDATE_BEGINS ? a->sync : 0;
}

/* What the move of the thread touches, before it is made. */
static void look(single *s, hd_tid t, const hd_access *a) {
  uint8_t flags = s->updates && a->edge != HD_NO_ID ? s->updates[a->edge] : 0;
  if (a->spurious || (!a->local && !a->memory && !a->sync)) {
    s->failed = true;
    return;
  }
  if (a->local)
    return;
  bool lock = a->sync && a->address == a->sync; /* its own bytes */
  if (a->memory)
    touch(s, t, a->address, a->size,
          lock ? sync_way(s, t, a, flags) : way_of(s, t, a, flags));
  touch(s, t, a->from, a->from_size, (way){READS, 0});
  touch(s, t, a->also, a->also_size, (way){READS, 0});
  if (a->sync && !s->failed)
    touch_sync(s, t, a, flags);
}

static bool is_fine(const hd_machine *m) {
  hd_machine_status status = hd_machine_status_of(m);
  return (status == HD_MACHINE_RUNNING || status == HD_MACHINE_EXITED) &&
         !hd_machine_violations(m) && !hd_machine_hidden(m);
}

static void move(single *s, hd_tid t) {
  hd_machine *m = s->machine;
  hd_access a = hd_machine_access(m, t);
  hd_tid joined = joins(s, t);
  if (s->threads.data[t].barrier)
    pass(s, t);
  else
    look(s, t, &a);
  if (a.arrives && !s->failed)
    arrive(s, t, a.sync);
  if (s->failed || hd_machine_choices(m, t) != 1) {
    s->failed = true;
    return;
  }
  hd_machine_move(m, (hd_turn){.thread = t});
  if (!is_fine(m)) {
    s->failed = true;
    return;
  }
  if (joined != HD_NO_ID && hd_machine_joined(m, joined))
    hd_clock_learn(&s->threads.data[t].clock, &s->threads.data[joined].clock);
  while (s->threads.size < hd_machine_threads(m))
    add_thread(s, t);
  if (hd_machine_reached(m))
    reach_stack(s, t, hd_machine_reached(m));
  /* who comes last can go on at once */
  if (a.arrives && (!hd_machine_waiting(m, t) || hd_machine_enabled(m, t))) {
    open_barrier(s, a.sync);
    if (!hd_machine_waiting(m, t))
      pass(s, t);
  }
}

/* Threads that were created last come first, so that nobody is left when main
 * ends. */
static hd_tid next(const single *s, hd_tid last) {
  const hd_machine *m = s->machine;
  if (last != HD_NO_ID && last && hd_machine_alive(m, last) &&
      hd_machine_enabled(m, last))
    return last;
  for (hd_tid t = (hd_tid)hd_machine_threads(m); t--;)
    if (hd_machine_alive(m, t) && hd_machine_enabled(m, t))
      return t;
  return HD_NO_ID;
}

/* Has everybody come to its end? */
static bool is_whole(const hd_machine *m) {
  if (hd_machine_status_of(m) != HD_MACHINE_EXITED || hd_machine_told(m) ||
      hd_machine_vague(m) || hd_machine_suspect(m))
    return false;
  for (hd_tid t = 1; t < hd_machine_threads(m); t++)
    if (hd_machine_alive(m, t))
      return false;
  return true;
}

static void clear(single *s) {
  for (hd_vec_each(thread, t, &s->threads)) {
    hd_clock_clear(&t->clock);
    hd_clock_clear(&t->passes);
    hd_vec_free(&t->reached);
    hd_vec_free(&t->visits);
  }
  for (hd_vec_each(barrier, b, &s->barriers)) {
    hd_clock_clear(&b->round);
    hd_clock_clear(&b->last);
    hd_vec_free(&b->waiting);
  }
  hd_vec_free(&s->threads);
  hd_vec_free(&s->barriers);
  hd_vec_free(&s->notes);
  grains_free(&s->grains);
  hd_free(s->updates);
  hd_machine_delete(s->machine);
}

static bool stands_for_all(const hd_code *code,
                           const hd_explore_options *options, hd_run *run,
                           uint64_t *moves) {
  const hd_properties minds = hd_property_bit(HD_PROPERTY_OVERFLOW) |
                              hd_property_bit(HD_PROPERTY_UNINIT);
  hd_machine_options machine = hd_search_options(options, false);
  machine.checks &= ~options->also;
  if (machine.checks & ~decided || machine.max_threads) /* alive at a time */
    return false;
  machine.exact = true;
  machine.reuse = false;
  single s = {.run = run, .machine = hd_machine_new(code, &machine)};
  if (!(machine.checks & minds))
    s.updates = hd_code_updates(code);
  add_thread(&s, HD_NO_ID);
  s.failed = !is_fine(s.machine);
  for (hd_tid t = HD_NO_ID;
       !s.failed && hd_machine_status_of(s.machine) == HD_MACHINE_RUNNING;
       ++*moves) {
    uint64_t effort = hd_machine_effort(s.machine) / HD_LOCAL_ACTIONS;
    t = next(&s, t);
    s.failed = t == HD_NO_ID || !hd_run_spend(run, 2 + effort);
    if (!s.failed)
      move(&s, t);
  }
  bool whole = !s.failed && is_whole(s.machine);
  clear(&s);
  return whole;
}

void hd_single(const hd_code *code, const hd_explore_options *options,
               hd_run *run, hd_explore_result *result) {
  uint64_t moves = 0;
  hd_findings_start(result, options);
  bool all = stands_for_all(code, options, run, &moves);
  hd_findings_rest(result, all ? HD_SAFE : HD_UNKNOWN, HD_WHY_OTHER,
                   all ? NULL : "threads meet in an order that is open");
  result->interleaves = result->ordered = all;
  result->meet = !all && run->stop == HD_RUNNING;
  if (all)
    hd_findings_stat(result, "explore.single", "", (double)moves,
                     "moves of one run that stands for all of them");
}
