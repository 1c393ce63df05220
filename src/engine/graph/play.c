/* SPDX-License-Identifier: MIT */
/* A machine that executes an execution graph. Events are atomic accesses, fences,
 * operations on what one can wait for, and choices; all else a thread does is
 * done as soon as it can be: plain accesses are ordered by what happens before
 * them, or race. Memory holds the newest value of every atomic variable, so
 * that plain reads find it; a plain write makes a new variable of the place. */
#include "base/hash.h"
#include "engine/graph/state.h"

#include <string.h>

/* --- making --- */

static void meet_threads(play *p) {
  while (p->threads.size < hd_machine_threads(p->machine)) {
    play_thread fresh = {0};
    hd_vec_push(&p->threads, fresh);
  }
}

void hd_play_start(play *p, const graph_search *s) {
  *p = (play){.search = s};
  p->machine = hd_machine_new(s->code, &s->options);
  meet_threads(p);
}

#define COPY(field)                                                            \
  do {                                                                         \
    to->field.data = NULL;                                                     \
    to->field.size = to->field.cap = 0;                                        \
    hd_vec_resize(&to->field, from->field.size);                               \
    if (from->field.size)                                                      \
      memcpy(to->field.data, from->field.data,                                 \
             from->field.size * sizeof *to->field.data);                       \
  } while (0)

static void copy_thread(play_thread *to, const play_thread *from) {
  *to = *from;
  COPY(depends);
  COPY(points);
  COPY(held);
}

void hd_play_copy(play *to, const play *from) {
  *to = *from;
  to->machine = hd_machine_copy(from->machine);
  COPY(threads);
  for (size_t i = 0; i < from->threads.size; i++)
    copy_thread(&to->threads.data[i], &from->threads.data[i]);
  COPY(places);
  COPY(users);
  COPY(turns);
  COPY(turn_of);
}
#undef COPY

void hd_graph_play_free(play *p) {
  hd_machine_delete(p->machine);
  for (hd_vec_each(play_thread, t, &p->threads)) {
    hd_vec_free(&t->depends);
    hd_vec_free(&t->points);
    hd_vec_free(&t->held);
  }
  hd_vec_free(&p->threads);
  hd_vec_free(&p->places);
  hd_vec_free(&p->users);
  hd_vec_free(&p->turns);
  hd_vec_free(&p->turn_of);
  *p = (play){0};
}

/* --- what threads depend on --- */

static void depend(play_thread *t, const uint64_t *counts, size_t n) {
  while (t->depends.size < n)
    hd_vec_push(&t->depends, 0);
  for (size_t i = 0; i < n; i++)
    if (counts[i] > t->depends.data[i])
      t->depends.data[i] = counts[i];
}

static void depend_on(play *p, hd_tid thread, hd_tid other) {
  const play_thread *o = &p->threads.data[other];
  depend(&p->threads.data[thread], o->depends.data, o->depends.size);
}

/* --- moves --- */

static void refuse(play *p, hd_tid thread, const char *why) {
  p->refused = why;
  p->refuser = thread;
  p->failed = true;
}

static void drop_places(play *p, uint64_t address, uint64_t size) {
  size_t kept = 0;
  for (hd_vec_each(play_place, x, &p->places))
    if (x->address >= address + size || x->address + x->size <= address)
      p->places.data[kept++] = *x;
  p->places.size = kept;
}

static bool overlaps(const play *p, uint64_t address, uint64_t size) {
  for (hd_vec_each(const play_place, x, &p->places))
    if (x->size && x->address < address + size &&
        address < x->address + x->size)
      return true;
  return false;
}

static bool in_own_stack(const play *p, hd_tid thread, uint64_t address) {
  return hd_machine_stack_of(p->machine, address) == thread;
}

static bool went_on(hd_machine_status status) {
  return status == HD_MACHINE_RUNNING || status == HD_MACHINE_DEADLOCK ||
         status == HD_MACHINE_EXITED;
}

/* Makes the move, and notes what it means for places and for spinning. */
static void make_move(play *p, hd_tid thread, uint64_t choice, bool event) {
  hd_library_fn fn = hd_machine_calls(p->machine, thread);
  hd_library_kind kind =
      fn == HD_LIB_NONE ? HD_LIBRARY_MATH : hd_library_kind_of(fn);
  hd_turn turn = {.thread = thread, .choice = choice};
  hd_vec_push(&p->turns, turn);
  hd_machine_status status = hd_machine_move(p->machine, turn);
  meet_threads(p);
  play_thread *t = &p->threads.data[thread];
  size_t n;
  const hd_touch *touched = hd_machine_touched(p->machine, &n);
  for (size_t i = 0; i < n && !event; i++) {
    if (p->search->options.plain && kind != HD_LIBRARY_HEAP &&
        overlaps(p, touched[i].address, touched[i].size))
      refuse(p, thread, "what touches several places beside plain accesses");
    if (!touched[i].written)
      continue;
    t->wrote = t->done;
    drop_places(p, touched[i].address, touched[i].size);
    if (!in_own_stack(p, thread, touched[i].address))
      hd_play_forget(t);
  }
  uint64_t reached = hd_machine_reached(p->machine);
  if (reached) {
    size_t kept = 0;
    for (hd_vec_each(play_place, x, &p->places))
      if (x->address < reached || !in_own_stack(p, thread, x->address))
        p->places.data[kept++] = *x;
    p->places.size = kept;
  }
  if (hd_machine_violations(p->machine) || !went_on(status))
    p->failed = true;
}

/* --- where a thread is --- */

static bool is_wait(hd_library_kind kind) {
  return kind == HD_LIBRARY_MUTEX || kind == HD_LIBRARY_SPIN ||
         kind == HD_LIBRARY_RWLOCK || kind == HD_LIBRARY_SEM ||
         kind == HD_LIBRARY_BARRIER || kind == HD_LIBRARY_COND ||
         kind == HD_LIBRARY_ONCE || kind == HD_LIBRARY_KEY;
}

enum { ONE_WAIT = 1, KEYS = 2, CREATIONS = 3 };

static bool is_creation(hd_library_fn fn) {
  return fn == HD_LIB_pthread_create || fn == HD_LIB_thrd_create;
}

/* Stands it before an operation on something that one thread has at a time? */
static bool is_lock(const play *p, hd_tid thread) {
  hd_library_fn fn = hd_machine_calls(p->machine, thread);
  hd_library_kind kind = hd_library_kind_of(fn);
  return fn != HD_LIB_NONE &&
         (kind == HD_LIBRARY_MUTEX || kind == HD_LIBRARY_SPIN);
}

/* Does the thread stand before an operation on something to wait for? Then its
 * address. Who waits for a signal or at a barrier does not. */
static bool at_wait(const play *p, hd_tid thread, uint64_t *address) {
  const hd_machine *m = p->machine;
  bool waiting = hd_machine_waiting(m, thread);
  hd_library_fn fn = hd_machine_calls(m, thread);
  hd_library_kind kind = hd_library_kind_of(fn);
  if (!waiting && p->search->creations && is_creation(fn)) {
    *address = CREATIONS;
    return true;
  }
  if (!waiting && (fn == HD_LIB_NONE || !is_wait(kind)))
    return false;
  hd_access a = hd_machine_access(m, thread);
  if ((waiting && !a.acquires) || (a.arrives && !p->search->crowded))
    return false;
  if (p->search->one_wait &&
      (waiting || kind == HD_LIBRARY_MUTEX || kind == HD_LIBRARY_COND))
    *address = ONE_WAIT;
  else if (kind == HD_LIBRARY_KEY)
    *address = KEYS;
  else
    *address = a.sync ? a.sync : a.memory ? a.address : ONE_WAIT;
  return true;
}

static const hd_cedge *edge_of(const play *p, hd_tid thread) {
  hd_access a = hd_machine_access(p->machine, thread);
  return &p->search->code->edges.data[a.edge];
}

static thread_state at_access(play *p, hd_tid thread) {
  const hd_cedge *edge = edge_of(p, thread);
  if (edge->act == HD_CODE_FENCE)
    return THREAD_AT;
  hd_access a = hd_machine_access(p->machine, thread);
  if (!a.memory ||
      !hd_machine_readable(p->machine, a.address, (uint32_t)a.size))
    return THREAD_RUNS; /* the move says what is wrong with it */
  return edge->act != HD_CODE_STORE && hd_play_was_here(p, thread)
             ? THREAD_SPINS
             : THREAD_AT;
}

/* What the thread may do next; RUNS: something that is no event. */
static thread_state state_of(play *p, hd_tid thread) {
  const hd_machine *m = p->machine;
  uint64_t address;
  if (hd_machine_in_section(m, thread) || hd_machine_at_section(m, thread)) {
    refuse(p, thread, "an atomic section beside weak accesses");
    return THREAD_WAITS;
  }
  if (hd_machine_at_atomic(m, thread))
    return at_access(p, thread);
  if (at_wait(p, thread, &address))
    return is_lock(p, thread) && hd_play_was_here(p, thread) ? THREAD_SPINS
                                                             : THREAD_AT;
  if (!hd_machine_enabled(m, thread))
    return THREAD_WAITS;
  if (edge_of(p, thread)->act == HD_CODE_UNSUPPORTED)
    return THREAD_CUT;
  hd_access a = hd_machine_access(m, thread);
  /* Who waits for a signal or at a barrier may go on waiting. Otherwise a.memory:
   * the id of a new thread is to be stored. */
  if (hd_machine_waiting(m, thread) && (a.open || (!a.local && !a.memory)))
    return p->search->states ? THREAD_AT : THREAD_WAITS;
  if (hd_machine_at_end(m, thread))
    return THREAD_ENDS;
  return hd_machine_choices(m, thread) > 1 ? THREAD_AT : THREAD_RUNS;
}

static bool refuses_call(play *p, hd_tid thread, hd_library_fn fn) {
  if (is_creation(fn) && thread)
    refuse(p, thread, "a thread other than main creates threads");
  else if (hd_library_kind_of(fn) == HD_LIBRARY_LIBATOMIC &&
           fn != HD_LIB___atomic_is_lock_free)
    refuse(p, thread, "an atomic access that the library makes");
  else if (fn == HD_LIB_atexit)
    refuse(p, thread, "atexit beside weak accesses");
  return p->failed;
}

/* Who comes to a barrier first does not matter as long as no more threads use it
 * than open it. Then it is no event; but when it opens, each of them depends on all
 * others. */
static void meet(play *p, hd_tid thread, uint64_t barrier, uint32_t many) {
  play_user user = {.address = barrier, .thread = thread};
  uint32_t users = 0;
  bool known = false;
  for (hd_vec_each(const play_user, u, &p->users)) {
    users += u->address == barrier;
    known = known || (u->address == barrier && u->thread == thread);
  }
  if (!known) {
    hd_vec_push(&p->users, user);
    users++;
  }
  if (users > many)
    p->crowded = p->failed = true;
  if (p->failed || (hd_machine_waiting(p->machine, thread) &&
                    !hd_machine_access(p->machine, thread).local))
    return;
  for (hd_vec_each(const play_user, u, &p->users))
    if (u->address == barrier)
      depend_on(p, thread, u->thread);
  for (hd_vec_each(const play_user, u, &p->users))
    if (u->address == barrier)
      depend_on(p, u->thread, thread);
}

/* One move that is no event. */
static void run(play *p, hd_tid thread) {
  hd_library_fn fn = hd_machine_calls(p->machine, thread);
  hd_library_kind kind =
      fn == HD_LIB_NONE ? HD_LIBRARY_MATH : hd_library_kind_of(fn);
  hd_tid joined = hd_machine_awaits(p->machine, thread);
  hd_access a = hd_machine_access(p->machine, thread);
  bool waiting = hd_machine_waiting(p->machine, thread);
  size_t before = p->threads.size;
  if (fn != HD_LIB_NONE && refuses_call(p, thread, fn))
    return;
  hd_machine *kept = kind == HD_LIBRARY_VERIFY || kind == HD_LIBRARY_INPUT
                         ? hd_machine_copy(p->machine)
                         : NULL;
  make_move(p, thread, 0, false);
  if (kept && hd_machine_status_of(p->machine) == HD_MACHINE_ASSUMED) {
    hd_machine *swap = p->machine;
    p->machine = kept;
    kept = swap;
    p->failed = false;
    p->turns.size--;
    p->threads.data[thread].state = THREAD_ASSUMES;
  }
  hd_machine_delete(kept);
  if (kind == HD_LIBRARY_HEAP || kind == HD_LIBRARY_THREAD || a.arrives)
    hd_play_forget(&p->threads.data[thread]);
  if (a.arrives && !waiting)
    meet(p, thread, a.sync, a.arrives);
  for (size_t i = before; i < p->threads.size; i++)
    depend_on(p, (hd_tid)i, thread);
  if (joined != HD_NO_ID)
    depend_on(p, thread, joined);
}

/* Now and then: does the thread go round among plain accesses for ever, or has the
 * time run out? */
static bool goes_round(play *p, hd_tid thread, size_t moves) {
  enum { OFTEN = 64 };
  if (moves % OFTEN)
    return false;
  if (!hd_run_spend(p->search->run, OFTEN)) {
    refuse(p, thread, hd_run_why(p->search->run));
    return true;
  }
  if (hd_play_was_here(p, thread)) {
    p->threads.data[thread].state = THREAD_SPINS;
    return true;
  }
  hd_play_remember(p, thread);
  return false;
}

void hd_play_advance(play *p) {
  for (bool again = true; again && !p->failed;) {
    again = false;
    for (hd_tid i = 0; i < p->threads.size && !p->failed; i++) {
      size_t moves = 0;
      while (!p->failed && hd_machine_alive(p->machine, i) &&
             hd_machine_status_of(p->machine) != HD_MACHINE_EXITED) {
        play_thread *t = &p->threads.data[i];
        if (t->state != THREAD_RUNS && t->state != THREAD_WAITS)
          break;
        thread_state state = state_of(p, i);
        p->threads.data[i].state = (uint8_t)state;
        if (state != THREAD_RUNS || p->failed)
          break;
        if (goes_round(p, i, ++moves))
          break;
        run(p, i);
        again = true;
      }
      if (hd_machine_status_of(p->machine) == HD_MACHINE_EXITED)
        return;
    }
  }
}

/* --- events --- */

static uint32_t find_loc(play *p, graph *g, uint64_t address, uint32_t size,
                         hd_tid thread) {
  for (hd_vec_each(const play_place, x, &p->places)) {
    if (x->address == address && x->size == size)
      return x->loc;
    if (size && x->size && x->address < address + size &&
        address < x->address + x->size) {
      refuse(p, thread, "atomic accesses of different sizes that overlap");
      return HD_NO_ID;
    }
  }
  play_place place = {
      .address = address, .size = size, .loc = (uint32_t)g->locs.size};
  graph_loc loc = {.address = address, .size = size};
  if (size) { /* a plain write has published nothing */
    hd_machine_put(p->machine, address, size, NULL);
    loc.initial = hd_machine_message(p->machine, address, size);
  }
  hd_vec_push(&p->places, place);
  hd_vec_push(&g->locs, loc);
  return place.loc;
}

play_next hd_play_look(play *p, graph *g, hd_tid thread) {
  const hd_machine *m = p->machine;
  hd_access a = hd_machine_access(m, thread);
  play_next next = {.event = {.thread = thread,
                              .index = p->threads.data[thread].done,
                              .loc = HD_NO_ID,
                              .from = HD_NO_ID,
                              .edge = a.edge,
                              .kind = GRAPH_CHOICE},
                    .enabled = hd_machine_enabled(m, thread)};
  uint64_t address;
  next.choices = next.enabled ? hd_machine_choices(m, thread) : 1;
  if (hd_machine_at_atomic(m, thread)) {
    const hd_cedge *edge = &p->search->code->edges.data[a.edge];
    next.event.order = edge->order;
    next.event.kind = edge->act == HD_CODE_FENCE   ? GRAPH_FENCE
                      : edge->act == HD_CODE_LOAD  ? GRAPH_READ
                      : edge->act == HD_CODE_STORE ? GRAPH_WRITE
                                                   : GRAPH_UPDATE;
    next.event.locked = edge->act == HD_CODE_CMPXCHG;
    if (edge->act != HD_CODE_FENCE)
      next.event.loc = find_loc(p, g, a.address, (uint32_t)a.size, thread);
  } else if (at_wait(p, thread, &address)) {
    next.event.kind = GRAPH_UPDATE;
    next.event.loc = find_loc(p, g, address, 0, thread);
  }
  return next;
}

static bool is_executed(const play *p, const graph *g, graph_id id) {
  const graph_event *e = &g->events.data[id];
  return e->thread < p->threads.size &&
         e->index < p->threads.data[e->thread].done;
}

void hd_play_settle(play *p, const graph *g, uint32_t loc) {
  const graph_loc *l = &g->locs.data[loc];
  if (!l->size || p->failed)
    return;
  bool there = false;
  for (hd_vec_each(const play_place, x, &p->places))
    there = there || x->loc == loc;
  const hd_message *newest = l->initial;
  for (size_t i = l->order.size; i-- > 0;)
    if (is_executed(p, g, l->order.data[i])) {
      newest = g->events.data[l->order.data[i]].made->message;
      break;
    }
  if (there && newest && hd_machine_readable(p->machine, l->address, l->size))
    hd_machine_put(p->machine, l->address, l->size, newest);
}

static graph_made *make(const play *p, const graph_event *e, uint64_t time) {
  const play_thread *t = &p->threads.data[e->thread];
  uint32_t n = (uint32_t)p->threads.size;
  graph_made *made = hd_calloc(1, sizeof *made + 2 * n * sizeof *made->known);
  made->refs = 1;
  made->n = n;
  made->time = time;
  for (hd_tid i = 0; i < n; i++) {
    made->known[i] = hd_machine_knows(p->machine, e->thread, i);
    made->known[n + i] = i < t->depends.size ? t->depends.data[i] : 0;
  }
  return made;
}

static void set_made(graph_event *e, graph_made *made) {
  if (e->made && !--e->made->refs) {
    hd_message_drop(e->made->message);
    hd_free(e->made);
  }
  e->made = made;
}

/* The place of the event is the one it was when the graph was made. */
static bool takes_place(play *p, const graph *g, const graph_event *e) {
  const graph_loc *l = &g->locs.data[e->loc];
  for (hd_vec_each(play_place, x, &p->places))
    if (x->address == l->address && x->size == l->size) {
      x->loc = e->loc;
      return true;
    }
  play_place place = {.address = l->address, .size = l->size, .loc = e->loc};
  hd_vec_push(&p->places, place);
  return true;
}

const hd_message *hd_play_own_last(const graph *g, hd_tid thread, size_t end,
                                   uint32_t loc) {
  for (size_t i = end; i-- > 0;) {
    const graph_event *x = &g->events.data[g->threads.data[thread].data[i]];
    if (x->loc == loc && graph_writes(x) && x->order != HD_ORDER_NONE)
      return x->made->message;
  }
  return NULL;
}

static void put_source(play *p, const graph *g, graph_event *e) {
  const graph_loc *l = &g->locs.data[e->loc];
  if (e->kind == GRAPH_WRITE) {
    hd_machine_put(p->machine, l->address, l->size,
                   e->order == HD_ORDER_NONE
                       ? NULL
                       : hd_play_own_last(g, e->thread, e->index, e->loc));
    return;
  }
  hd_machine_put(p->machine, l->address, l->size,
                 e->from == HD_NO_ID ? l->initial
                                     : g->events.data[e->from].made->message);
  const hd_cedge *edge = &p->search->code->edges.data[e->edge];
  if (edge->act != HD_CODE_CMPXCHG)
    return;
  bool fails = hd_machine_access(p->machine, e->thread).fails || e->choice;
  e->kind = fails ? GRAPH_READ : GRAPH_UPDATE;
  e->order = fails ? edge->failure : edge->order;
}

/* Threads at a barrier that is open now depend on who opened it. */
static void tell_passed(play *p, hd_tid thread) {
  for (hd_tid i = 0; i < p->threads.size; i++)
    if (i != thread && hd_machine_waiting(p->machine, i) &&
        hd_machine_access(p->machine, i).local)
      depend_on(p, i, thread);
}

/* Is a barrier made or destroyed while others might use it? */
static bool ends_barrier(const play *p, hd_tid thread) {
  hd_library_fn fn = hd_machine_calls(p->machine, thread);
  size_t alive = 0;
  for (hd_tid i = 0; i < p->threads.size; i++)
    alive += hd_machine_alive(p->machine, i);
  return fn != HD_LIB_NONE && hd_library_kind_of(fn) == HD_LIBRARY_BARRIER &&
         alive > 1;
}

/* Interleavings: what is written comes behind all earlier accesses, what is read
 * behind the write. */
static void follow_others(play *p, const graph *g, graph_id id) {
  const graph_event *e = &g->events.data[id];
  for (hd_vec_each(const graph_event, x, &g->events))
    if (x->loc == e->loc && x->made && (graph_writes(e) || graph_writes(x)))
      depend(&p->threads.data[e->thread], x->made->known + x->made->n,
             x->made->n);
}

void hd_play_event(play *p, graph *g, graph_id id) {
  graph_event *e = &g->events.data[id];
  hd_tid thread = e->thread;
  play_thread *t = &p->threads.data[thread];
  const graph_loc *l = e->loc == HD_NO_ID ? NULL : &g->locs.data[e->loc];
  bool memory = l && l->size;
  uint64_t time = hd_machine_knows(p->machine, thread, thread);
  assert(t->state == THREAD_AT && t->done == e->index);
  if (l && !takes_place(p, g, e))
    return;
  const bool lock = l && !memory && is_lock(p, thread);
  if (l && !memory && !p->search->crowded && ends_barrier(p, thread))
    p->crowded = p->failed = true;
  if ((memory && graph_reads(e)) || lock)
    hd_play_remember(p, thread);
  if (memory)
    put_source(p, g, e);
  const bool repeats = memory && e->kind == GRAPH_READ && !e->choice &&
                       hd_play_repeats(p, thread, e->order);
  if (e->from != HD_NO_ID) {
    const graph_made *from = g->events.data[e->from].made;
    depend(t, from->known + from->n, from->n);
  }
  while (t->depends.size <= thread)
    hd_vec_push(&t->depends, 0);
  t->depends.data[thread] = e->index + 1;
  t->done++;
  while (p->turn_of.size <= id)
    hd_vec_push(&p->turn_of, 0);
  e->blocked = l && !memory && !hd_machine_enabled(p->machine, thread);
  if (e->blocked) {
    e->kind = GRAPH_READ;
    t->state = THREAD_BLOCKED;
    set_made(e, make(p, e, time));
    return;
  }
  if (l && p->search->robust)
    follow_others(p, g, id);
  if (repeats) {
    t->state = THREAD_SPINS;
    set_made(e, make(p, e, time));
    return;
  }
  if (l && !memory)
    e->kind = GRAPH_UPDATE;
  uint64_t old = memory && e->from != HD_NO_ID
                     ? hd_message_value(g->events.data[e->from].made->message)
                 : memory ? hd_message_value(l->initial)
                          : 0;
  size_t before = p->threads.size;
  hd_addresses owned = {0};
  const bool tries = lock && hd_library_is(hd_machine_calls(p->machine, thread),
                                           HD_CALL_TRIES | HD_CALL_TIMED);
  if (lock)
    hd_play_owned(p, thread, &owned);
  make_move(p, thread, e->choice, true);
  for (size_t i = before; i < p->threads.size; i++)
    depend_on(p, (hd_tid)i, thread);
  t = &p->threads.data[thread];
  t->state = THREAD_RUNS;
  p->turn_of.data[id] = (uint32_t)p->turns.size;
  set_made(e, make(p, e, time));
  if (lock && !p->failed)
    hd_play_locked(p, thread, &owned, tries);
  hd_vec_free(&owned);
  if (p->failed)
    return;
  if (memory && graph_writes(e) &&
      hd_machine_readable(p->machine, l->address, l->size))
    e->made->message = hd_machine_message(p->machine, l->address, l->size);
  else if (memory && graph_writes(e))
    e->made->message = hd_message_keep(l->initial); /* it is gone already */
  if ((l && !memory && !lock) || e->kind == GRAPH_WRITE ||
      (memory && e->kind == GRAPH_UPDATE &&
       hd_message_value(e->made->message) != old))
    hd_play_forget(t);
  if (l && !memory)
    tell_passed(p, thread);
}

void hd_play_all(play *p, graph *g, graph_id except, graph_id other) {
  for (bool again = true; again && !p->failed;) {
    again = false;
    hd_play_advance(p);
    for (hd_tid i = 0; i < p->threads.size && !p->failed; i++) {
      const play_thread *t = &p->threads.data[i];
      if (t->state != THREAD_AT || i >= g->threads.size ||
          t->done >= g->threads.data[i].size)
        continue;
      graph_id id = g->threads.data[i].data[t->done];
      const graph_event *e = &g->events.data[id];
      if (id == except || id == other ||
          (e->from != HD_NO_ID && !is_executed(p, g, e->from)))
        continue;
      uint32_t loc = e->loc;
      hd_play_event(p, g, id);
      if (loc != HD_NO_ID)
        hd_play_settle(p, g, loc);
      again = true;
    }
  }
}
