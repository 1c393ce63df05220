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
#include "engine/unfold/event.h"

#include <string.h>

enum { BUSY = 16, AGAIN = 11, DEADLOCK = 35 }; /* EBUSY, EAGAIN, EDEADLK */

static const hd_cedge *edge_of(const structure *s, hd_edge_id edge) {
  return &s->a->code->edges.data[edge];
}

static hd_value operand(structure *s, thread_id thread, const local *l,
                        const hd_cedge *e, uint32_t i) {
  hd_mays mays = 0;
  return eval_expr(s->a, thread, l, s->a->code->operands.data[e->operands + i],
                   &mays);
}

/* The library function that the edge calls. */
static hd_library_fn function_of(structure *s, const local *l, thread_id thread,
                                 const hd_cedge *e) {
  hd_value v = operand(s, thread, l, e, 0);
  hd_object object;
  int64_t offset;
  if (!hd_value_is_address(&v, &object, &offset))
    return HD_LIB_NONE;
  return s->a->library[s->a->objects.items[object].key.what];
}

/* --- resources --- */

static bool give_up(structure *s, hd_edge_id edge, const char *why) {
  analysis_give_up(s->a, edge, "%s", why);
  return false;
}

static bool use(structure *s, waiting *w, resource_key key) {
  w->resources[w->n_resources++] = structure_resource(s, key);
  return true;
}

static bool use_lock(structure *s, waiting *w, hd_edge_id edge,
                     const hd_value *address) {
  hd_object object;
  int64_t offset;
  if (!hd_value_is_address(address, &object, &offset))
    return give_up(s, edge, "which lock is meant is not known");
  return use(s, w, (resource_key){RES_SYNC, object, offset});
}

static bool use_thread(structure *s, waiting *w, hd_edge_id edge,
                       const hd_value *handle) {
  uint64_t number;
  if (!hd_value_is_const(handle, &number) || number == 0 ||
      number > s->a->threads.size + 1)
    return give_up(s, edge, "which thread is joined is not known");
  return use(s, w, (resource_key){RES_LIFE, (thread_id)number - 1, 0});
}

static bool use_memory(structure *s, waiting *w, hd_edge_id edge,
                       const hd_value *address) {
  if (address->wild || address->n_targets != 1)
    return give_up(s, edge, "which object is accessed is not known");
  return use(s, w, (resource_key){RES_MEMORY, address->targets[0].object, 0});
}

/* The end of an atomic function, or of what pthread_once called. */
static bool use_guard(structure *s, waiting *w, thread_id thread,
                      const stop *at) {
  const frame *f = at->state.top;
  if (f->guard == GUARD_ATOMIC)
    return use(s, w, (resource_key){RES_ATOMIC, 0, 0});
  local caller = {f->below, at->state.memory};
  hd_value once = operand(s, thread, &caller, edge_of(s, f->call), 1);
  return use_lock(s, w, at->edge, &once);
}

bool sync_resources(structure *s, event_id id, uint32_t stop_index,
                    waiting *out) {
  const event *ev = &s->events.data[id];
  const stop *at = &ev->stops.data[stop_index];
  if (at->edge == HD_NO_ID)
    return use(s, out, (resource_key){RES_LIFE, ev->thread, 0});
  const hd_cedge *e = edge_of(s, at->edge);
  if (e->act == HD_CODE_RETURN)
    return use_guard(s, out, ev->thread, at);
  if (e->act != HD_CODE_CALL) {
    hd_value address = operand(s, ev->thread, &at->state, e, 0);
    return use_memory(s, out, at->edge, &address);
  }
  hd_library_fn fn = function_of(s, &at->state, ev->thread, e);
  if (fn == HD_LIB_pthread_create || fn == HD_LIB_thrd_create)
    return true;
  if (fn == HD_LIB_NONE || hd_library_kind_of(fn) == HD_LIBRARY_ATOMIC)
    return use(s, out, (resource_key){RES_ATOMIC, 0, 0});
  hd_value first = operand(s, ev->thread, &at->state, e, 1);
  switch (hd_library_kind_of(fn)) {
  case HD_LIBRARY_COND: { /* its mutex */
    hd_value mutex = operand(s, ev->thread, &at->state, e, 2);
    return use_lock(s, out, at->edge, &mutex);
  }
  case HD_LIBRARY_THREAD:
    return use_thread(s, out, at->edge, &first);
  case HD_LIBRARY_MUTEX:
  case HD_LIBRARY_SPIN:
  case HD_LIBRARY_SEM:
  case HD_LIBRARY_RWLOCK:
  case HD_LIBRARY_ONCE:
  case HD_LIBRARY_BARRIER:
    return use_lock(s, out, at->edge, &first);
  default:
    analysis_give_up(s->a, at->edge, "%s is not modelled by this engine",
                     hd_library_name(fn));
    return false;
  }
}

/* --- can it happen? --- */

static resource_state untouched(void) {
  return (resource_state){.owner = HD_NO_ID, .result = hd_value_none()};
}

static resource_state state_after(const structure *s, event_id e,
                                  resource_id r) {
  if (e == HD_NO_ID)
    return untouched();
  const event *f = &s->events.data[e];
  return f->after[f->resources[0] == r ? 0 : 1];
}

bool sync_enabled(structure *s, const waiting *w, const event_id *before) {
  const event *ev = &s->events.data[w->event];
  const stop *at = &ev->stops.data[w->stop];
  if (at->edge == HD_NO_ID || w->n_resources == 0)
    return true;
  const hd_cedge *e = edge_of(s, at->edge);
  if (e->act != HD_CODE_CALL)
    return true;
  resource_state x = state_after(s, before[0], w->resources[0]);
  bool second = at->state.top->phase == PHASE_SECOND;
  switch (function_of(s, &at->state, ev->thread, e)) {
  case HD_LIB_NONE: /* an atomic function */
  case HD_LIB___VERIFIER_atomic_begin:
  case HD_LIB_heddle_atomic_begin:
    return x.owner == HD_NO_ID || x.owner == ev->thread;
  case HD_LIB_pthread_join:
  case HD_LIB_thrd_join:
    return x.exited;
  case HD_LIB_pthread_cond_wait:
  case HD_LIB_pthread_cond_timedwait:
  case HD_LIB_pthread_cond_clockwait:
  case HD_LIB_cnd_wait:
  case HD_LIB_cnd_timedwait:
    return !second || x.owner == HD_NO_ID;
  case HD_LIB_pthread_barrier_wait:
    return !second || x.generation > at->state.top->ticket;
  case HD_LIB_pthread_once:
  case HD_LIB_call_once:
    return x.owner == HD_NO_ID;
  case HD_LIB_pthread_mutex_lock:
  case HD_LIB_mtx_lock:
    return x.owner == HD_NO_ID || (x.owner == ev->thread && x.mutex != 0);
  case HD_LIB_pthread_spin_lock:
    return x.owner == HD_NO_ID;
  case HD_LIB_sem_wait:
    return x.count > 0;
  case HD_LIB_pthread_rwlock_rdlock:
    return !x.writer;
  case HD_LIB_pthread_rwlock_wrlock:
    return !x.writer && !x.readers;
  default:
    return true;
  }
}

int sync_blocks(structure *s, const waiting *w) {
  const event *ev = &s->events.data[w->event];
  const stop *at = &ev->stops.data[w->stop];
  if (at->edge == HD_NO_ID || edge_of(s, at->edge)->act != HD_CODE_CALL)
    return 0;
  bool second = at->state.top->phase == PHASE_SECOND;
  switch (function_of(s, &at->state, ev->thread, edge_of(s, at->edge))) {
  case HD_LIB_NONE:
  case HD_LIB___VERIFIER_atomic_begin:
  case HD_LIB_heddle_atomic_begin:
  case HD_LIB_pthread_join:
  case HD_LIB_thrd_join:
  case HD_LIB_pthread_mutex_lock:
  case HD_LIB_mtx_lock:
  case HD_LIB_pthread_spin_lock:
  case HD_LIB_pthread_rwlock_rdlock:
  case HD_LIB_pthread_rwlock_wrlock:
  case HD_LIB_pthread_once:
  case HD_LIB_call_once:
    return 1;
  case HD_LIB_sem_wait:
    return 2;
  case HD_LIB_pthread_barrier_wait:
  case HD_LIB_pthread_cond_wait:
  case HD_LIB_pthread_cond_timedwait:
  case HD_LIB_pthread_cond_clockwait:
  case HD_LIB_cnd_wait:
  case HD_LIB_cnd_timedwait:
    return second ? 2 : 0;
  default:
    return 0;
  }
}

/* --- what it does --- */

typedef struct {
  structure *s;
  event_id id;
  thread_id thread;
  hd_edge_id edge;
  const hd_cedge *e;
  local *l;
  resource_state x; /* of the resource: before, then after */
  bool stay;        /* the thread does not leave its place */
} action;

static event *self(const action *c) {
  return &c->s->events.data[c->id];
}

static void set_target(action *c, uint32_t i, const hd_value *v) {
  const hd_code *code = c->s->a->code;
  if (i >= c->e->n_targets)
    return;
  c->l->top = frame_own(c->l->top);
  frame_set(code, c->l->top, code->targets.data[c->e->targets + i], v);
}

static bool give(action *c, uint64_t value) {
  hd_value v = hd_value_const(32, value);
  set_target(c, 0, &v);
  return true;
}

static void learn_clock(action *c) {
  event *e = self(c);
  clock_vector *both = clock_join(e->clock, c->x.sync);
  clock_drop(e->clock);
  e->clock = both;
}

static void set_sync(action *c, clock_vector *fresh) {
  clock_drop(c->x.sync);
  c->x.sync = fresh;
}

static void publish(action *c) {
  set_sync(c, clock_join(c->x.sync, self(c)->clock));
}

/* What happens then is not defined, so nothing is proved either. */
static bool misuse(action *c, const char *what) {
  return give_up(c->s, c->edge, what);
}

/* As new. That orders nothing: who uses it must know by other means. */
static void initialise(action *c) {
  set_sync(c, NULL);
  c->x = untouched();
  c->x.started = true;
}

/* A static mutex says what kind it is, as glibc lays it out. */
static uint8_t static_kind(action *c) {
  const resource_key *key = &c->s->resources.items[self(c)->resources[0]].key;
  hd_pointee at = {key->what, 0, key->offset + 16, key->offset + 16};
  if (hd_memory_size(c->l->memory, key->what) < (uint64_t)key->offset + 20)
    return 0;
  hd_value v = hd_memory_load(c->l->memory, &at, 4);
  uint64_t kind;
  return hd_value_is_const(&v, &kind) ? (uint8_t)(kind & 3) : 0;
}

static bool init_mutex(action *c) {
  uint8_t kind = 0;
  if (c->e->n_operands > 2) {
    hd_value attr = operand(c->s, c->thread, c->l, c->e, 2), valid;
    uint64_t null;
    if (!(hd_value_is_const(&attr, &null) && null == 0)) {
      uint64_t bits;
      if (!access_targets(c->s->a, c->l, c->edge, &attr, 4, &valid))
        return false;
      hd_value v = access_load(c->l, &valid, 4);
      if (!hd_value_is_const(&v, &bits))
        return give_up(c->s, c->edge, "the kind of a mutex is not known");
      kind = (uint8_t)(bits & 3);
    }
  }
  initialise(c);
  c->x.mutex = kind;
  return give(c, 0);
}

/* `busy` is what a failing trylock returns. */
static bool lock_mutex(action *c, uint64_t busy) {
  if (c->x.destroyed)
    return misuse(c, "a destroyed mutex is locked");
  if (!c->x.started && c->x.owner == HD_NO_ID)
    c->x.mutex = static_kind(c);
  if (c->x.owner == HD_NO_ID) {
    c->x.owner = c->thread;
    c->x.count = 1;
    learn_clock(c);
    return give(c, 0);
  }
  if (c->x.owner == c->thread && c->x.mutex == 1) {
    c->x.count++;
    return give(c, 0);
  }
  /* Only an error-checking one gets here by a lock. */
  return give(c, c->x.owner == c->thread && c->x.mutex == 2 ? DEADLOCK : busy);
}

/* --- waits of two halves, guarded calls --- */

static bool destroy(action *c) {
  if (c->x.owner != HD_NO_ID || c->x.readers)
    misuse(c, "a lock is destroyed that is held");
  c->x.destroyed = true;
  c->x.started = true;
  return give(c, 0);
}

static void set_phase(action *c, phase next, bool stay) {
  c->l->top = frame_own(c->l->top);
  c->l->top->phase = next;
  c->stay = stay;
}

static bool wait_condition(action *c) {
  if (c->l->top->phase != PHASE_SECOND) {
    if (c->x.owner != c->thread)
      return misuse(c, "waiting without holding the mutex");
    if (c->x.count != 1)
      return give_up(c->s, c->edge, "waiting with a mutex held twice");
    c->x.owner = HD_NO_ID;
    c->x.count = 0;
    publish(c);
    set_phase(c, PHASE_SECOND, true);
    return true;
  }
  c->x.owner = c->thread;
  c->x.count = 1;
  learn_clock(c);
  set_phase(c, PHASE_NONE, false);
  if (c->e->n_operands <= 3)
    return give(c, 0);
  hd_value either = hd_value_any(32); /* 0, or that it timed out */
  set_target(c, 0, &either);
  return true;
}

static bool barrier_action(action *c, hd_library_fn fn) {
  uint64_t n;
  hd_value v;
  switch (fn) {
  case HD_LIB_pthread_barrier_init:
    v = operand(c->s, c->thread, c->l, c->e, 3);
    if (!hd_value_is_const(&v, &n) || n == 0 || n > UINT32_MAX)
      return give_up(c->s, c->edge, "the size of a barrier is not known");
    initialise(c);
    c->x.needed = (uint32_t)n;
    return give(c, 0);
  case HD_LIB_pthread_barrier_wait:
    if (!c->x.started)
      return misuse(c, "a barrier is used that was not initialised");
    if (c->l->top->phase != PHASE_SECOND) {
      publish(c);
      set_phase(c, PHASE_SECOND, true);
      c->l->top->ticket = c->x.generation;
      if (++c->x.count == c->x.needed) {
        c->x.count = 0;
        c->x.generation++;
      }
      return true;
    }
    learn_clock(c);
    set_phase(c, PHASE_NONE, false);
    c->l->top->ticket = 0;
    v = hd_value_signed(32, -1, 0); /* one of them is told so */
    set_target(c, 0, &v);
    return true;
  case HD_LIB_pthread_barrier_destroy:
    return destroy(c);
  default:
    return give_up(c->s, c->edge, "this is not modelled");
  }
}

static bool begin_atomic(action *c, bool enters) {
  c->x.owner = c->thread;
  c->x.count++;
  learn_clock(c);
  if (enters)
    set_phase(c, PHASE_ENTER, true);
  return true;
}

static bool end_atomic(action *c) {
  if (c->x.owner != c->thread)
    return misuse(c, "an atomic section ends that was not begun");
  if (--c->x.count == 0) {
    c->x.owner = HD_NO_ID;
    publish(c);
  }
  return true;
}

static bool begin_once(action *c) {
  if (c->x.done) {
    learn_clock(c);
    return give(c, 0);
  }
  c->x.owner = c->thread;
  set_phase(c, PHASE_ENTER, true);
  return true;
}

static bool return_action(action *c) {
  set_phase(c, PHASE_LEAVE, true);
  if (c->l->top->guard == GUARD_ATOMIC)
    return end_atomic(c);
  c->x.owner = HD_NO_ID;
  c->x.done = true;
  publish(c);
  return true;
}

static bool unlock_mutex(action *c) {
  if (c->x.owner != c->thread) {
    if (c->x.mutex)
      return give(c, 1); /* EPERM */
    return misuse(c, "a mutex is unlocked that the thread does not hold");
  }
  if (--c->x.count == 0) {
    c->x.owner = HD_NO_ID;
    if (!c->x.started)
      c->x.mutex = 0;
    publish(c);
  }
  return give(c, 0);
}

static bool mutex_action(action *c, hd_library_fn fn) {
  switch (fn) {
  case HD_LIB_pthread_mutex_init:
    return init_mutex(c);
  case HD_LIB_mtx_init: { /* mtx_recursive is 1 */
    uint64_t type;
    hd_value v = operand(c->s, c->thread, c->l, c->e, 2);
    if (!hd_value_is_const(&v, &type))
      return give_up(c->s, c->edge, "the kind of a mutex is not known");
    initialise(c);
    c->x.mutex = (uint8_t)(type & 1);
    return give(c, 0);
  }
  case HD_LIB_pthread_spin_init:
    initialise(c);
    return give(c, 0);
  case HD_LIB_pthread_mutex_lock:
  case HD_LIB_mtx_lock:
  case HD_LIB_pthread_spin_lock:
    return lock_mutex(c, BUSY);
  case HD_LIB_pthread_mutex_trylock:
  case HD_LIB_pthread_spin_trylock:
    return lock_mutex(c, BUSY);
  case HD_LIB_mtx_trylock:
    return lock_mutex(c, 1); /* thrd_busy */
  case HD_LIB_pthread_mutex_unlock:
  case HD_LIB_mtx_unlock:
  case HD_LIB_pthread_spin_unlock:
    return unlock_mutex(c);
  case HD_LIB_mtx_destroy:
  case HD_LIB_pthread_mutex_destroy:
  case HD_LIB_pthread_spin_destroy:
    return destroy(c);
  default:
    analysis_give_up(c->s->a, c->edge, "%s is not modelled by this engine",
                     hd_library_name(fn));
    return false;
  }
}

static bool sem_action(action *c, hd_library_fn fn) {
  uint64_t value;
  hd_value v;
  switch (fn) {
  case HD_LIB_sem_init:
    v = operand(c->s, c->thread, c->l, c->e, 3);
    if (!hd_value_is_const(&v, &value) || value > UINT32_MAX / 2)
      return give_up(c->s, c->edge, "the semaphore's value is not known");
    initialise(c);
    c->x.count = (uint32_t)value;
    return give(c, 0);
  case HD_LIB_sem_post:
    c->x.count++;
    c->x.started = true;
    publish(c);
    return give(c, 0);
  case HD_LIB_sem_wait:
  case HD_LIB_sem_trywait:
    if (!c->x.count) {
      v = hd_value_const(32, UINT32_MAX);
      set_target(c, 0, &v);
      return true;
    }
    c->x.count--;
    learn_clock(c);
    return give(c, 0);
  case HD_LIB_sem_destroy:
    c->x.destroyed = true;
    return give(c, 0);
  default:
    analysis_give_up(c->s->a, c->edge, "%s is not modelled by this engine",
                     hd_library_name(fn));
    return false;
  }
}

static bool rwlock_action(action *c, hd_library_fn fn) {
  uint64_t me = c->thread < 64 ? (uint64_t)1 << c->thread : 0;
  bool read = fn == HD_LIB_pthread_rwlock_rdlock ||
              fn == HD_LIB_pthread_rwlock_tryrdlock;
  if (!me)
    return give_up(c->s, c->edge, "too many threads for a read-write lock");
  switch (fn) {
  case HD_LIB_pthread_rwlock_init:
    initialise(c);
    return give(c, 0);
  case HD_LIB_pthread_rwlock_rdlock:
  case HD_LIB_pthread_rwlock_wrlock:
  case HD_LIB_pthread_rwlock_tryrdlock:
  case HD_LIB_pthread_rwlock_trywrlock:
    if (c->x.writer || (!read && c->x.readers))
      return give(c, BUSY);
    if (read && (c->x.readers & me))
      return give_up(c->s, c->edge, "a read lock is taken twice");
    if (read)
      c->x.readers |= me;
    else
      c->x.writer = true;
    c->x.owner = read ? HD_NO_ID : c->thread;
    learn_clock(c);
    return give(c, 0);
  case HD_LIB_pthread_rwlock_unlock:
    if (c->x.owner == c->thread) {
      c->x.owner = HD_NO_ID;
      c->x.writer = false;
    } else if (c->x.readers & me) {
      c->x.readers &= ~me;
    } else {
      return misuse(c, "a lock is released that the thread does not hold");
    }
    publish(c);
    return give(c, 0);
  case HD_LIB_pthread_rwlock_destroy:
    return destroy(c);
  default:
    analysis_give_up(c->s->a, c->edge, "%s is not modelled by this engine",
                     hd_library_name(fn));
    return false;
  }
}

/* --- threads --- */

/* The memory a new thread has of its own. */
static void create_own(structure *s, local *l, thread_id thread,
                       hd_func_id func, hd_stamp stamp) {
  const hd_code *code = s->a->code;
  for (hd_global_id g = 0; g < code->globals.size; g++)
    if (code->globals.data[g].thread_local)
      globals_create(s->a, &l->memory, g, thread, stamp);
  const hd_func *f = &code->funcs.data[func];
  for (uint32_t i = 0; i < f->n_slots; i++) {
    object_key key = {OBJ_SLOT, thread, f->slots + i, 0};
    hd_memory_create(&l->memory, analysis_object(s->a, key),
                     code->slots.data[f->slots + i].size, HD_FILL_UNDEFINED,
                     stamp);
  }
}

static bool create(action *c) {
  structure *s = c->s;
  const hd_code *code = s->a->code;
  /* thrd_create has no attributes. */
  uint32_t third = c->e->n_operands > 4 ? 3 : 2;
  hd_value entry = operand(s, c->thread, c->l, c->e, third);
  hd_value argument = operand(s, c->thread, c->l, c->e, third + 1);
  hd_value handle = operand(s, c->thread, c->l, c->e, 1), valid;
  hd_object object;
  int64_t offset;
  if (!hd_value_is_address(&entry, &object, &offset) ||
      s->a->objects.items[object].key.kind != OBJ_FUNC)
    return give_up(s, c->edge, "which function a thread runs is not known");
  hd_func_id func = s->a->objects.items[object].key.what;
  if (!code->funcs.data[func].defined)
    return give_up(s, c->edge, "a thread runs a function that is not here");
  uint32_t limit = s->a->options->max_threads;
  bool fresh;
  event *e = self(c);
  thread_key key = {c->thread, e->creates};
  thread_id child = *thread_map_put(&s->a->threads, key,
                                    (thread_id)s->a->threads.size + 1, &fresh);
  if (s->a->threads.size > (limit ? limit : 64))
    return give_up(s, c->edge, "the program creates too many threads");
  uint32_t bytes = code->pointer_width / 8;
  if (!access_targets(s->a, c->l, c->edge, &handle, bytes, &valid))
    return false;
  access_note(&e->touches, &valid, bytes, true, false, c->edge);
  hd_value number = hd_value_const(code->pointer_width, (uint64_t)child + 1);
  access_store(c->l, &valid, bytes, &number, stamp_of_action(c->id));
  create_own(s, c->l, child, func, stamp_of_action(c->id));
  e = self(c);
  e->created = child;
  e->creates++;
  e->child = frame_new(code, func, NULL, HD_NO_ID);
  if (e->child->n_regs && code->funcs.data[func].n_params)
    e->child->regs[0] = argument;
  return give(c, 0);
}

static bool join(action *c) {
  if (c->x.joined)
    return misuse(c, "a thread is joined twice");
  c->x.joined = true;
  learn_clock(c);
  hd_value to = operand(c->s, c->thread, c->l, c->e, 2), valid;
  uint64_t null;
  if (!(hd_value_is_const(&to, &null) && null == 0)) {
    uint32_t bytes = c->s->a->code->pointer_width / 8;
    if (!access_targets(c->s->a, c->l, c->edge, &to, bytes, &valid))
      return false;
    if (function_of(c->s, c->l, c->thread, c->e) == HD_LIB_thrd_join)
      bytes = 4; /* an int */
    access_note(&self(c)->touches, &valid, bytes, true, false, c->edge);
    hd_value result = c->x.result;
    if (bytes == 4 && (result.wild || result.n_targets))
      result = hd_value_any(32);
    access_store(c->l, &valid, bytes, &result, stamp_of_action(c->id));
  }
  return give(c, 0);
}

static bool finish(action *c) {
  const event *e = self(c);
  c->x.exited = true;
  c->x.started = true;
  c->x.result = c->s->events.data[e->prev].stops.data[e->stop].result;
  publish(c);
  frame_drop(c->l->top);
  c->l->top = NULL;
  return true;
}

/* --- memory --- */

static bool releases(uint8_t order) {
  return order == HD_ORDER_RELEASE || order == HD_ORDER_ACQ_REL ||
         order == HD_ORDER_SEQ_CST;
}

static bool acquires(uint8_t order) {
  return order == HD_ORDER_ACQUIRE || order == HD_ORDER_ACQ_REL ||
         order == HD_ORDER_SEQ_CST;
}

static hd_value combine(hd_rmw rmw, hd_type type, const hd_value *old,
                        const hd_value *v) {
  static const struct {
    hd_rmw rmw;
    hd_code_op op;
  } ops[] = {{HD_RMW_ADD, HD_CODE_ADD},   {HD_RMW_SUB, HD_CODE_SUB},
             {HD_RMW_AND, HD_CODE_AND},   {HD_RMW_OR, HD_CODE_OR},
             {HD_RMW_XOR, HD_CODE_XOR},   {HD_RMW_MAX, HD_CODE_SMAX},
             {HD_RMW_MIN, HD_CODE_SMIN},  {HD_RMW_UMAX, HD_CODE_UMAX},
             {HD_RMW_UMIN, HD_CODE_UMIN}, {HD_RMW_FADD, HD_CODE_FADD},
             {HD_RMW_FSUB, HD_CODE_FSUB}};
  if (rmw == HD_RMW_XCHG)
    return *v;
  hd_type types[2] = {type, type};
  hd_value args[2] = {*old, *v};
  hd_mays mays = 0;
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
    if (ops[i].rmw == rmw)
      return hd_value_apply(ops[i].op, 0, type, types, args, &mays);
  hd_value any = hd_value_any(type.width); /* NAND */
  any.wild = old->wild || old->n_targets || v->wild || v->n_targets;
  return any;
}

/* Compares and maybe exchanges; both outcomes are kept in one event. */
static void exchange(action *c, hd_type type, const hd_value *valid,
                     uint32_t bytes, const hd_value *old) {
  hd_type types[2] = {type, type};
  hd_value args[2] = {*old, operand(c->s, c->thread, c->l, c->e, 1)};
  hd_value fresh = operand(c->s, c->thread, c->l, c->e, 2);
  hd_mays mays = 0;
  hd_value equal = hd_value_apply(HD_CODE_EQ, 0, (hd_type){HD_TYPE_INT, 1},
                                  types, args, &mays);
  bool can = equal.undef || hd_value_contains(&equal, 1, 1);
  bool cannot = equal.undef || hd_value_contains(&equal, 1, 0);
  if (can) {
    hd_value written = access_fit(type, &fresh, true);
    hd_value kept = access_fit(type, old, true);
    if (cannot || c->e->weak)
      written = hd_value_join((uint8_t)(8 * bytes), &written, &kept);
    access_store(c->l, valid, bytes, &written, stamp_of_action(c->id));
  }
  if (c->e->weak && can) {
    hd_value either = hd_value_any(1);
    set_target(c, 1, &either);
  } else {
    set_target(c, 1, &equal);
  }
  set_target(c, 0, old);
}

static bool memory_action(action *c) {
  const hd_code *code = c->s->a->code;
  const hd_cedge *e = c->e;
  uint8_t act = e->act;
  hd_type type;
  if (act == HD_CODE_LOAD || act == HD_CODE_RMW || act == HD_CODE_CMPXCHG) {
    const hd_func *f = &code->funcs.data[c->l->top->func];
    type = code->regs.data[f->regs + code->targets.data[e->targets]].type;
  } else {
    type = code->exprs.data[code->operands.data[e->operands + 1]].type;
  }
  uint32_t bytes = hd_type_bytes(type);
  hd_value address = operand(c->s, c->thread, c->l, e, 0), valid;
  if (!access_targets(c->s->a, c->l, c->edge, &address, bytes, &valid))
    return false;
  bool atomic = e->order != HD_ORDER_NONE, writes = act != HD_CODE_LOAD;
  access_note(&self(c)->touches, &valid, bytes, writes, atomic, c->edge);
  hd_value raw = access_load(c->l, &valid, bytes);
  hd_value old = access_fit(type, &raw, false);
  if (act != HD_CODE_STORE && acquires(e->order))
    learn_clock(c);
  if (act == HD_CODE_LOAD) {
    set_target(c, 0, &old);
  } else if (act == HD_CODE_STORE) {
    hd_value v = operand(c->s, c->thread, c->l, e, 1);
    v = access_fit(type, &v, true);
    access_store(c->l, &valid, bytes, &v, stamp_of_action(c->id));
    /* A store ends what was published before it. */
    set_sync(c, releases(e->order) ? clock_keep(self(c)->clock) : NULL);
  } else if (act == HD_CODE_RMW) {
    hd_value v = operand(c->s, c->thread, c->l, e, 1);
    v = combine((hd_rmw)e->rmw, type, &old, &v);
    v = access_fit(type, &v, true);
    access_store(c->l, &valid, bytes, &v, stamp_of_action(c->id));
    set_target(c, 0, &old);
  } else {
    exchange(c, type, &valid, bytes, &old);
  }
  if ((act == HD_CODE_RMW || act == HD_CODE_CMPXCHG) && releases(e->order))
    publish(c);
  return true;
}

static bool call_action(action *c) {
  hd_library_fn fn = function_of(c->s, c->l, c->thread, c->e);
  if (fn == HD_LIB_NONE)
    return begin_atomic(c, true);
  switch (hd_library_kind_of(fn)) {
  case HD_LIBRARY_THREAD:
    return fn == HD_LIB_pthread_create || fn == HD_LIB_thrd_create ? create(c)
                                                                   : join(c);
  case HD_LIBRARY_ATOMIC:
    return fn == HD_LIB___VERIFIER_atomic_begin ||
                   fn == HD_LIB_heddle_atomic_begin
               ? begin_atomic(c, false)
               : end_atomic(c);
  case HD_LIBRARY_COND:
    return wait_condition(c);
  case HD_LIBRARY_BARRIER:
    return barrier_action(c, fn);
  case HD_LIBRARY_ONCE:
    return begin_once(c);
  case HD_LIBRARY_SEM:
    return sem_action(c, fn);
  case HD_LIBRARY_RWLOCK:
    return rwlock_action(c, fn);
  default:
    return mutex_action(c, fn);
  }
}

bool sync_apply(structure *s, event_id id) {
  event *e = &s->events.data[id];
  local l = e->state;
  action c = {.s = s, .id = id, .thread = e->thread, .edge = e->edge, .l = &l};
  if (e->n_resources) {
    c.x = state_after(s, e->before[0], e->resources[0]);
    clock_keep(c.x.sync);
  }
  bool ok;
  if (e->kind == EV_EXIT) {
    ok = finish(&c);
  } else {
    c.e = edge_of(s, e->edge);
    /* Others may have written meanwhile. */
    frame_forget_mirrors(&l.top);
    ok = c.e->act == HD_CODE_CALL     ? call_action(&c)
         : c.e->act == HD_CODE_RETURN ? return_action(&c)
                                      : memory_action(&c);
    if (ok && !c.stay) {
      l.top = frame_own(l.top);
      l.top->loc = c.e->to;
    }
  }
  if (ok && l.top)
    frame_forget_dead(s->a->code, s->a->live, &l.top);
  e = &s->events.data[id];
  e->state = l;
  e->after[0] = c.x;
  if (!e->n_resources)
    clock_drop(c.x.sync);
  return ok;
}
