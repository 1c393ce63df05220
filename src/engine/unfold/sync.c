/* SPDX-License-Identifier: MIT */
/* What visible actions work on, when they can happen and what they do.
 *
 * A resource's state is kept exactly, by the events that worked on it: which
 * thread owns a lock is never abstracted. So an address of a lock has to be known
 * exactly, and so has the thread that is joined; otherwise the analysis gives up.
 *
 * Clocks follow the C standard: unlocking, posting, ending and releasing stores
 * publish what the thread knows; locking, waiting, joining and acquiring loads
 * learn it. That two events are ordered in a history only because they worked on
 * the same resource does not count for races. */
#include "engine/unfold/sync.h"

#include <string.h>

const hd_cedge *hd_sync_edge(const structure *s, hd_edge_id edge) {
  assert(edge < s->a->code->edges.size);
  return &s->a->code->edges.data[edge];
}

hd_value hd_sync_operand(structure *s, thread_id thread, const local *l,
                         const hd_cedge *e, uint32_t i) {
  hd_mays mays = 0;
  return hd_eval_expr(s->a, thread, l, hd_code_operand(s->a->code, e, i),
                      &mays);
}

/* The library function that the edge calls. */
hd_library_fn hd_sync_function(structure *s, const local *l, thread_id thread,
                               const hd_cedge *e) {
  hd_value v = hd_sync_operand(s, thread, l, e, 0);
  hd_object_id object;
  int64_t offset;
  if (!hd_value_is_address(&v, &object, &offset))
    return HD_LIB_NONE;
  assert(object_of(s->a, object)->kind == OBJ_FUNC);
  return s->a->library[object_of(s->a, object)->what];
}

/* --- resources --- */

bool hd_sync_give_up(structure *s, hd_edge_id edge, const char *why) {
  hd_analysis_give_up(s->a, edge, "%s", why);
  return false;
}

static bool use(structure *s, waiting *w, resource_key key) {
  assert(w->n_resources < MAX_RESOURCES);
  w->resources[w->n_resources++] = hd_structure_resource(s, key);
  return true;
}

static bool use_lock(structure *s, waiting *w, hd_edge_id edge,
                     hd_library_kind kind, const hd_value *address) {
  assert(w->n_resources < MAX_RESOURCES);
  hd_object_id object;
  int64_t offset;
  if (!hd_value_is_address(address, &object, &offset))
    return hd_sync_give_up(s, edge, "which lock is meant is not known");
  hd_analysis_mark(s->a, &s->a->lock_bits, &s->a->lock_words, object);
  uint32_t bytes = hd_library_place_bytes(kind, s->a->code->pointer_width);
  resource_id id =
      hd_structure_resource(s, (resource_key){RES_SYNC, object, offset});
  assert(bytes > 0);
  if (s->uses.data[id].bytes < bytes)
    s->uses.data[id].bytes = bytes;
  w->resources[w->n_resources++] = id;
  return true;
}

static bool use_thread(structure *s, waiting *w, hd_edge_id edge,
                       const hd_value *handle) {
  uint64_t number;
  if (!hd_value_is_const(handle, &number) || number == 0 ||
      number > s->a->threads.size + 1)
    return hd_sync_give_up(s, edge, "which thread is joined is not known");
  return use(s, w, (resource_key){RES_LIFE, (thread_id)number - 1, 0});
}

static bool use_memory(structure *s, waiting *w, hd_edge_id edge,
                       const hd_value *address) {
  if (address->wild || address->n_targets != 1)
    return hd_sync_give_up(s, edge, "which object is accessed is not known");
  return use(s, w, (resource_key){RES_MEMORY, address->targets[0].object, 0});
}

/* The end of an atomic function, or of what pthread_once called. */
static bool use_guard(structure *s, waiting *w, thread_id thread,
                      const stop *at) {
  const frame *f = at->state.top;
  if (f->guard == GUARD_ATOMIC)
    return use(s, w, (resource_key){RES_ATOMIC, 0, 0});
  local caller = {f->below, at->state.memory, NULL};
  hd_value once =
      hd_sync_operand(s, thread, &caller, hd_sync_edge(s, f->call), 1);
  return use_lock(s, w, at->edge, HD_LIBRARY_ONCE, &once);
}

/* What a call that others notice uses. Nothing else is visible: library.c. */
static const enum {
  USES_UNKNOWN,
  USES_NOTHING,
  USES_SECTION,
  USES_THREAD,
  USES_PLACE,
  USES_TWO /* a mutex and a condition variable */
} uses[HD_DO_COUNT] = {
    [HD_DO_SPAWN] = USES_NOTHING, [HD_DO_NONE] = USES_SECTION, /* atomic */
    [HD_DO_ENTER] = USES_SECTION, [HD_DO_LEAVE] = USES_SECTION,
    [HD_DO_JOIN] = USES_THREAD,   [HD_DO_DETACH] = USES_THREAD,
    [HD_DO_MAKE] = USES_PLACE,    [HD_DO_UNMAKE] = USES_PLACE,
    [HD_DO_ACQUIRE] = USES_PLACE, [HD_DO_RELEASE] = USES_PLACE,
    [HD_DO_MEND] = USES_PLACE,    [HD_DO_PEEK] = USES_PLACE,
    [HD_DO_WAKE] = USES_PLACE,    [HD_DO_MEET] = USES_PLACE,
    [HD_DO_ONCE] = USES_PLACE,    [HD_DO_PARK] = USES_TWO};

static bool find_resources(structure *s, event_id id, uint32_t stop_index,
                           waiting *out) {
  assert(id < s->events.size);
  const event *ev = &s->events.data[id];
  const stop *at = &ev->stops.data[stop_index];
  if (at->edge == HD_NO_ID)
    return use(s, out, (resource_key){RES_LIFE, ev->thread, 0});
  const hd_cedge *e = hd_sync_edge(s, at->edge);
  if (e->act == HD_CODE_RETURN)
    return use_guard(s, out, ev->thread, at);
  if (e->act != HD_CODE_CALL) {
    hd_value address = hd_sync_operand(s, ev->thread, &at->state, e, 0);
    return use_memory(s, out, at->edge, &address);
  }
  hd_library_fn fn = hd_sync_function(s, &at->state, ev->thread, e);
  hd_value first = e->n_operands > 1
                       ? hd_sync_operand(s, ev->thread, &at->state, e, 1)
                       : hd_value_none();
  switch (uses[hd_library_action(fn)]) {
  case USES_NOTHING:
    return true;
  case USES_SECTION:
    return use(s, out, (resource_key){RES_ATOMIC, 0, 0});
  case USES_THREAD:
    return use_thread(s, out, at->edge, &first);
  case USES_PLACE:
    return use_lock(s, out, at->edge, hd_library_kind_of(fn), &first);
  case USES_TWO: { /* its mutex first */
    hd_value mutex = hd_sync_operand(s, ev->thread, &at->state, e, 2);
    return use_lock(s, out, at->edge, HD_LIBRARY_MUTEX, &mutex) &&
           (!s->a->signals ||
            use_lock(s, out, at->edge, HD_LIBRARY_COND, &first));
  }
  case USES_UNKNOWN:
    break;
  }
  hd_analysis_give_up(s->a, at->edge, "%s is not modelled by this engine",
                      hd_library_name(fn));
  return false;
}

uint64_t hd_sync_bit(thread_id thread) {
  return (uint64_t)1 << (thread < 63 ? thread : 63);
}

/* --- can it happen? --- */

resource_state hd_sync_untouched(void) {
  return (resource_state){.owner = HD_NO_ID, .result = hd_value_none()};
}

static resource_state state_after(const structure *s, event_id e,
                                  resource_id r) {
  if (e == HD_NO_ID)
    return hd_sync_untouched();
  const event *f = &s->events.data[e];
  return f->after[event_slot(f, r)];
}

/* The library function before which the thread stands (HD_LIB_NONE may be an
 * atomic function); false: it is another kind of action. */
static bool calls(structure *s, const waiting *w, hd_library_fn *fn) {
  const event *ev = &s->events.data[w->event];
  const stop *at = &ev->stops.data[w->stop];
  if (at->edge == HD_NO_ID || w->n_resources == 0 ||
      hd_sync_edge(s, at->edge)->act != HD_CODE_CALL)
    return false;
  *fn = hd_sync_function(s, &at->state, ev->thread, hd_sync_edge(s, at->edge));
  return true;
}

static bool is_second(const structure *s, const waiting *w) {
  assert(s->events.data[w->event].stops.data[w->stop].state.top);
  const stop *at = &s->events.data[w->event].stops.data[w->stop];
  return at->state.top->phase == PHASE_SECOND;
}

static bool in_set(uint64_t set, thread_id thread) {
  return thread < 64 && (set >> thread & 1) != 0;
}

/* Could only a wake-up for no reason end this wait? Which waits nobody has
 * signalled is known only when signals are events. */
static bool lacks_signal(structure *s, const waiting *w, hd_library_fn fn,
                         const event_id *before) {
  if (hd_library_is(fn, HD_CALL_TIMED) || !is_second(s, w))
    return false;
  assert(!s->a->signals || w->n_resources == 2);
  return !s->a->signals ||
         in_set(state_after(s, before[1], w->resources[1]).waiters,
                s->events.data[w->event].thread);
}

static hd_owner owner_of(const resource_state *x, thread_id me) {
  return x->owner == HD_NO_ID ? HD_OWNER_NOBODY
         : x->owner == me     ? HD_OWNER_ME
                              : HD_OWNER_OTHER;
}

hd_lock hd_sync_lock_seen(const resource_state *x, hd_library_kind kind,
                          thread_id me) {
  hd_lock lock = {.owner = owner_of(x, me)};
  if (kind == HD_LIBRARY_SEM)
    return (hd_lock){.kind = HD_LOCK_SEM, .count = x->count};
  if (kind == HD_LIBRARY_RWLOCK) {
    lock.kind = HD_LOCK_RW;
    lock.depth = in_set(x->readers, me);
    lock.others_read = (x->readers & ~(me < 64 ? hd_sync_bit(me) : 0)) != 0;
    return lock;
  }
  assert(kind == HD_LIBRARY_MUTEX || kind == HD_LIBRARY_SPIN);
  lock.kind =
      kind == HD_LIBRARY_SPIN ? HD_LOCK_SPIN : hd_lock_mutex_kind(x->mutex);
  lock.depth = lock.owner == HD_OWNER_ME ? x->count : 0;
  return lock;
}

/* What becomes of a call that takes a lock. */
static hd_lock_outcome outcome(const resource_state *x, hd_library_fn fn,
                               thread_id me) {
  assert(hd_library_action(fn) == HD_DO_ACQUIRE);
  return hd_lock_ask(hd_sync_lock_seen(x, hd_library_kind_of(fn), me),
                     hd_lock_request_of(fn))
      .outcome;
}

static bool has_to_wait(const resource_state *x, hd_library_fn fn,
                        thread_id me) {
  hd_lock_outcome o = outcome(x, fn, me);
  /* One that is not there is misused. */
  return (o == HD_LOCK_WAITS || o == HD_LOCK_STUCK) &&
         !(hd_library_kind_of(fn) == HD_LIBRARY_SEM &&
           (x->destroyed || !x->started));
}

bool hd_sync_enabled(structure *s, const waiting *w, const event_id *before) {
  hd_library_fn fn;
  if (!calls(s, w, &fn))
    return true;
  thread_id me = s->events.data[w->event].thread;
  resource_state x = state_after(s, before[0], w->resources[0]);
  hd_action does = hd_library_action(fn);
  if (does == HD_DO_NONE /* an atomic function */ || does == HD_DO_ENTER)
    return x.owner == HD_NO_ID || x.owner == me;
  if (does == HD_DO_JOIN)
    return x.exited || x.joined ||
           s->detached &
               hd_sync_bit(s->resources.items[w->resources[0]].key.what) ||
           s->resources.items[w->resources[0]].key.what == me;
  if (does == HD_DO_PARK)
    return !is_second(s, w) || (x.owner == HD_NO_ID &&
                                !(s->a->options->no_spurious && s->a->signals &&
                                  lacks_signal(s, w, fn, before)));
  if (does == HD_DO_MEET)
    return !is_second(s, w) || !in_set(x.waiters, me);
  if (does == HD_DO_ONCE)
    return x.owner == HD_NO_ID;
  if (does == HD_DO_ACQUIRE)
    return !has_to_wait(&x, fn, me);
  assert(!hd_library_is(fn, HD_CALL_WAITS));
  return true;
}

bool hd_sync_is_creation(const structure *s, const waiting *w) {
  return !w->n_resources &&
         s->events.data[w->event].stops.data[w->stop].edge != HD_NO_ID;
}

uint64_t hd_sync_wakes(structure *s, const waiting *w, const event_id *before) {
  hd_library_fn fn;
  if (!calls(s, w, &fn) || hd_library_action(fn) != HD_DO_WAKE ||
      hd_library_is(fn, HD_CALL_ALL))
    return 0;
  return state_after(s, before[0], w->resources[0]).waiters;
}

bool hd_sync_may_block(structure *s, const waiting *w) {
  hd_library_fn fn;
  if (!calls(s, w, &fn))
    return false;
  hd_action does = hd_library_action(fn);
  if (does == HD_DO_PARK || does == HD_DO_MEET)
    return is_second(s, w);
  return hd_library_is(fn, HD_CALL_WAITS) && !hd_library_is(fn, HD_CALL_TIMED);
}

bool hd_sync_is_stuck(structure *s, const waiting *w, const event_id *before) {
  hd_library_fn fn;
  if (!calls(s, w, &fn) || !hd_sync_may_block(s, w))
    return false;
  return !hd_sync_enabled(s, w, before) ||
         (hd_library_action(fn) == HD_DO_PARK &&
          lacks_signal(s, w, fn, before));
}

bool hd_sync_has_owner(structure *s, const waiting *w) {
  hd_library_fn fn;
  if (!calls(s, w, &fn))
    return false;
  hd_action does = hd_library_action(fn);
  return does != HD_DO_PARK && does != HD_DO_MEET &&
         !(does == HD_DO_ACQUIRE && hd_library_kind_of(fn) == HD_LIBRARY_SEM);
}

bool hd_sync_needs_signal(structure *s, const waiting *w) {
  hd_library_fn fn;
  return calls(s, w, &fn) && is_second(s, w) &&
         hd_library_action(fn) == HD_DO_PARK &&
         !hd_library_is(fn, HD_CALL_TIMED);
}

bool hd_sync_waits_for_itself(structure *s, const waiting *w) {
  hd_library_fn fn;
  if (!calls(s, w, &fn))
    return false;
  thread_id me = s->events.data[w->event].thread;
  if (hd_library_action(fn) == HD_DO_JOIN)
    return s->resources.items[w->resources[0]].key.what == me;
  if (hd_library_action(fn) != HD_DO_ACQUIRE)
    return false;
  event_id last = hd_structure_last(s, w->event, w->resources[0]);
  resource_state x = state_after(s, last, w->resources[0]);
  /* Of a lock that it reads perhaps not for itself alone. */
  return outcome(&x, fn, me) == HD_LOCK_STUCK ||
         (has_to_wait(&x, fn, me) && in_set(x.readers, me));
}

bool hd_sync_locks_again(structure *s, const waiting *w) {
  hd_library_fn fn;
  return calls(s, w, &fn) && hd_library_action(fn) == HD_DO_ACQUIRE &&
         hd_lock_request_of(fn).strict && hd_sync_waits_for_itself(s, w);
}

/* Inside an atomic section others move only while the thread has to wait; then
 * they may begin one as well, which is not modelled. So it is refused that one
 * thread waits inside of a section and another begins one. */
static bool is_fine_inside(structure *s, const waiting *w) {
  const event *ev = &s->events.data[w->event];
  hd_edge_id edge = ev->stops.data[w->stop].edge;
  resource_id r = hd_structure_resource(s, (resource_key){RES_ATOMIC, 0, 0});
  resource_state x = state_after(s, hd_structure_last(s, w->event, r), r);
  uint64_t me = hd_sync_bit(ev->thread);
  if (w->n_resources && w->resources[0] == r) {
    s->begin |= me;
  } else if (x.owner == ev->thread && edge == HD_NO_ID) {
    return hd_sync_give_up(s, HD_NO_ID, "a thread ends in an atomic section");
  } else if (x.owner == ev->thread && hd_sync_may_block(s, w)) {
    s->wait_inside |= me;
    s->inside = edge;
  }
  /* Another one, or (63) perhaps another one. */
  uint64_t both = s->begin | s->wait_inside, last = (uint64_t)1 << 63;
  bool others = s->begin && s->wait_inside &&
                ((both & (both - 1)) != 0 || (both & last) != 0);
  return !others || hd_sync_give_up(s, s->inside,
                                    "a thread may wait in an atomic section");
}

bool hd_sync_resources(structure *s, event_id id, uint32_t stop_index,
                       waiting *out) {
  return find_resources(s, id, stop_index, out) && is_fine_inside(s, out);
}

/* --- what it does --- */

event *hd_sync_self(const action *c) {
  return &c->s->events.data[c->id];
}

void hd_sync_set_target(action *c, uint32_t i, const hd_value *v) {
  const hd_code *code = c->s->a->code;
  if (i >= c->e->n_targets)
    return;
  c->l->top = hd_frame_own(c->l->top);
  hd_frame_set(code, c->l->top, hd_code_target(code, c->e, i), v);
}

bool hd_sync_give(action *c, uint64_t value) {
  assert(c->e->act == HD_CODE_CALL);
  hd_value v = hd_value_const(32, value);
  hd_sync_set_target(c, 0, &v);
  return true;
}

void hd_sync_learn_clock(action *c) {
  event *e = hd_sync_self(c);
  clock_vector *both = hd_clock_max(e->clock, c->x.sync);
  hd_clock_drop(e->clock);
  e->clock = both;
}

void hd_sync_set_clock(action *c, clock_vector *fresh) {
  hd_clock_drop(c->x.sync);
  c->x.sync = fresh;
}

void hd_sync_publish(action *c) {
  hd_sync_set_clock(c, hd_clock_max(c->x.sync, hd_sync_self(c)->clock));
}

/* What happens then is not defined, so nothing is proved either. */
bool hd_sync_misuse(action *c, const char *what) {
  hd_analysis_alarm(c->s->a, HD_PROPERTY_SYNC, c->edge, HD_NO_ID, "%s", what);
  return hd_sync_give_up(c->s, c->edge, what);
}

/* Its bytes become zero, but for the kind of a mutex, as glibc has them. */
static bool set_bytes(action *c, uint8_t mutex) {
  hd_library_fn fn = hd_sync_function(c->s, c->l, c->thread, c->e);
  uint8_t width = c->s->a->code->pointer_width;
  uint32_t bytes = hd_library_place_bytes(hd_library_kind_of(fn), width);
  const resource_key *key =
      &c->s->resources.items[hd_sync_self(c)->resources[0]].key;
  assert(key->kind == RES_SYNC && bytes > 0);
  bool alone = c->thread == 0 && hd_sync_self(c)->creates == 0;
  if (!alone && hd_analysis_is_shared(c->s->a, key->what))
    return hd_sync_give_up(c->s, c->edge,
                           "something is initialised that others look into");
  hd_stamp stamp = stamp_of_action(c->id);
  hd_memory_fill(&c->l->memory, key->what, (uint64_t)key->offset, bytes,
                 HD_FILL_ZERO, stamp);
  hd_frame_written(&c->l->top, key->what, key->offset, key->offset + bytes);
  if (mutex) {
    int64_t at = key->offset + (width == 64 ? 16 : 12);
    hd_value kind = hd_value_const(32, mutex);
    hd_memory_store(&c->l->memory, &(hd_pointee){key->what, 0, at, at}, 4,
                    &kind, false, stamp);
  }
  return true;
}

/* As new. That orders nothing: who uses it must know by other means. */
bool hd_sync_initialise(action *c, uint8_t mutex) {
  bool asked = c->s->a->options->checks >> HD_PROPERTY_SYNC & 1;
  if (c->x.waiters ||
      (asked && !c->x.destroyed && (c->x.owner != HD_NO_ID || c->x.readers)))
    return hd_sync_misuse(c, "initialised while it is held or waited for");
  bool waits = c->s->a->options->checks >> HD_PROPERTY_DEADLOCK & 1;
  if ((asked || waits) && hd_sync_self(c)->before[0] != HD_NO_ID &&
      !c->x.destroyed)
    return hd_sync_misuse(c, "initialised again before it was destroyed");
  hd_sync_set_clock(c, NULL);
  c->x = hd_sync_untouched();
  c->x.started = true;
  c->x.mutex = mutex;
  return set_bytes(c, mutex);
}

bool hd_sync_not_modelled(action *c, hd_library_fn fn) {
  hd_analysis_give_up(c->s->a, c->edge, "%s is not modelled by this engine",
                      hd_library_name(fn));
  return false;
}

bool hd_sync_destroy(action *c) {
  if (c->x.owner != HD_NO_ID || c->x.readers || c->x.waiters)
    return hd_sync_misuse(c, "destroyed while it is held or waited for");
  c->x.destroyed = true;
  c->x.started = true;
  return hd_sync_give(c, 0);
}

/* Is the memory as a static initialiser leaves it: 0, but for the type? */
static bool is_initialised(const action *c, hd_library_kind kind,
                           hd_object_id object, int64_t offset) {
  bool asked = c->s->a->options->checks >> HD_PROPERTY_SYNC & 1;
  uint8_t width = c->s->a->code->pointer_width;
  uint32_t size = hd_library_place_bytes(kind, width), type = size;
  if (kind == HD_LIBRARY_MUTEX)
    type = width == 64 ? 16 : 12;
  else if (kind == HD_LIBRARY_RWLOCK)
    type = width == 64 ? 48 : 24;
  for (uint32_t at = 0; at < size; at += 4) {
    hd_pointee t = {object, 0, offset + at, offset + at};
    hd_value v = hd_memory_load(c->l->memory, &t, 4);
    uint64_t bits;
    bool known = hd_value_is_const(&v, &bits);
    if (v.undef || (known ? bits > (at == type ? 3u : 0u) : asked))
      return false;
  }
  return true;
}

/* May the object that operand i points to be used? `x` is its state. */
static bool is_usable(action *c, uint32_t i, hd_library_kind kind, bool init,
                      const resource_state *x) {
  hd_value address = hd_sync_operand(c->s, c->thread, c->l, c->e, i), valid;
  uint32_t size = hd_library_place_bytes(kind, c->s->a->code->pointer_width);
  assert(size > 0);
  if (!hd_access_targets(c->s->a, c->l, c->edge, &address, size, &valid))
    return false;
  hd_object_id object;
  int64_t offset;
  if (init || !x || !hd_value_is_address(&valid, &object, &offset))
    return true;
  if (x->destroyed)
    return hd_sync_misuse(c, "something is used that was destroyed");
  if (!x->started &&
      !(hd_library_has_initialiser(hd_call_of(c->s->a->code, c->e)) &&
        is_initialised(c, kind, object, offset)))
    return hd_sync_misuse(c, "something is used that was never initialised");
  return true;
}

/* The attributes with which something is made, where there are any. */
static bool has_attributes(action *c, hd_library_fn fn) {
  const unsigned optional = HD_ARG_READ | HD_ARG_NULL;
  if (hd_library_action(fn) != HD_DO_MAKE ||
      (hd_library_arg(fn, 1) & optional) != optional)
    return true;
  hd_value attr = hd_sync_operand(c->s, c->thread, c->l, c->e, 2), valid;
  uint64_t null;
  if (hd_value_is_const(&attr, &null) && null == 0)
    return true;
  if (!hd_access_targets(c->s->a, c->l, c->edge, &attr, 4, &valid))
    return false;
  return !hd_access_load(c->l, &valid, 4).undef ||
         hd_sync_misuse(c, "attributes are used that are not initialised");
}

/* What all functions on locks and their like ask for. */
static bool are_usable(action *c, hd_library_fn fn) {
  hd_library_kind kind = hd_library_kind_of(fn);
  if (kind == HD_LIBRARY_THREAD || kind == HD_LIBRARY_ATOMIC ||
      c->l->top->phase == PHASE_SECOND)
    return true;
  hd_library_kind made;
  bool init = hd_library_place(fn, 0, &made) == HD_PLACE_MADE;
  if (!has_attributes(c, fn))
    return false;
  if (hd_library_action(fn) != HD_DO_PARK)
    return is_usable(c, 1, kind, init, &c->x);
  return is_usable(c, 2, HD_LIBRARY_MUTEX, false, &c->x) &&
         is_usable(c, 1, HD_LIBRARY_COND, false,
                   c->s->a->signals ? &c->y : NULL);
}

static bool place_action(action *c, hd_library_fn fn) {
  hd_library_kind kind = hd_library_kind_of(fn);
  if (kind == HD_LIBRARY_COND)
    return hd_sync_condition(c, fn);
  if (kind == HD_LIBRARY_BARRIER)
    return hd_sync_barrier(c, fn);
  if (kind == HD_LIBRARY_SEM)
    return hd_sync_sem(c, fn);
  if (kind == HD_LIBRARY_RWLOCK)
    return hd_sync_rwlock(c, fn);
  if (kind == HD_LIBRARY_MUTEX || kind == HD_LIBRARY_SPIN)
    return hd_sync_mutex(c, fn);
  return hd_sync_not_modelled(c, fn);
}

static bool call_action(action *c) {
  hd_library_fn fn = hd_sync_function(c->s, c->l, c->thread, c->e);
  if (fn != HD_LIB_NONE && !are_usable(c, fn))
    return false;
  hd_action does = hd_library_action(fn);
  if (does == HD_DO_NONE || does == HD_DO_ENTER)
    return hd_sync_begin_atomic(c, does == HD_DO_NONE);
  if (does == HD_DO_LEAVE)
    return hd_sync_end_atomic(c);
  if (does == HD_DO_SPAWN)
    return hd_sync_create(c);
  if (does == HD_DO_JOIN)
    return hd_sync_join(c);
  if (does == HD_DO_DETACH)
    return hd_sync_detach(c);
  if (does == HD_DO_ONCE)
    return hd_sync_once(c);
  return place_action(c, fn);
}

bool hd_sync_apply(structure *s, event_id id) {
  event *e = &s->events.data[id];
  local l = e->state;
  action c = {.s = s, .id = id, .thread = e->thread, .edge = e->edge, .l = &l};
  if (e->n_resources) {
    c.x = state_after(s, e->before[0], e->resources[0]);
    hd_clock_keep(c.x.sync);
  }
  if (e->n_resources > 1)
    c.y = state_after(s, e->before[1], e->resources[1]);
  assert(!c.y.sync);
  bool ok;
  if (e->kind == EV_EXIT) {
    ok = hd_sync_finish(&c);
  } else {
    c.e = hd_sync_edge(s, e->edge);
    /* Others may have written meanwhile. */
    hd_frame_forget_mirrors(&l.top);
    ok = c.e->act == HD_CODE_CALL     ? call_action(&c)
         : c.e->act == HD_CODE_RETURN ? hd_sync_return(&c)
                                      : hd_sync_memory(&c);
    if (ok && !c.stay) {
      l.top = hd_frame_own(l.top);
      l.top->loc = c.e->to;
    }
  }
  if (ok && l.top)
    hd_frame_forget_dead(s->a->code, s->a->live, &l.top);
  e = &s->events.data[id];
  e->state = l;
  e->after[0] = c.x;
  e->after[1] = c.y;
  if (!e->n_resources)
    hd_clock_drop(c.x.sync);
  return ok;
}
