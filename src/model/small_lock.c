/* SPDX-License-Identifier: MIT */
/* Locks and whatever else threads wait for. What all can see is kept in the
 * object's own bytes: in the first byte 1 when a mutex or spin lock is held, 1
 * for readers and 2 for a writer of a rwlock, 1 while a once routine runs and 2
 * when it is done; in the first four bytes the value of a semaphore. Who holds a
 * lock, and how often, is part of that thread's local state. Condition variables
 * keep nothing: who waits is in a local state that says so. */
#include "model/small_impl.h"

#include "model/lock.h"

#include <errno.h>
#include <string.h>

/* A call that is executed. */
typedef struct {
  hd_small *s;
  const hd_cedge *edge;
  hd_edge_id id;
  hd_library_fn fn;
  uint64_t address; /* the first argument */
  hd_small_place at;
} call;

/* `code`: of errno.h, or 0. */
static hd_done returns(const call *c, int code) {
  return hd_small_return(c->s, c->edge, c->id,
                         code ? hd_library_error(c->fn, code) : 0);
}

static hd_done refuse(const call *c, const char *what) {
  return hd_small_refuse(c->s, c->id, "%s: %s", hd_library_name(c->fn), what);
}

/* The clock of a time: one of the two that can be waited by. */
static hd_done read_clock(const call *c, uint32_t i) {
  uint64_t clock;
  hd_done done = hd_small_arg(c->s, c->edge, c->id, i, &clock);
  return done != HD_DONE ? done
         : clock < 2     ? HD_DONE
                         : refuse(c, "a clock that is not known");
}

/* The time until which the call may wait: it is known only where nobody can
 * change it. Who names a clock does so before the time. */
static hd_done read_time(const call *c) {
  uint32_t word = c->s->code->pointer_width / 8u;
  uint64_t address, part = 0;
  int i = hd_library_arg_at(c->fn, HD_ARG_TIME);
  assert(i > 0);
  hd_done done = hd_small_arg(c->s, c->edge, c->id, (uint32_t)i, &address);
  if (done == HD_DONE && !hd_library_arg(c->fn, (uint32_t)i - 1))
    done = read_clock(c, (uint32_t)i - 1);
  if (done != HD_DONE)
    return done;
  hd_small_place p = hd_small_find(c->s, address, 2 * word);
  if (!p.bytes || !p.constant)
    return refuse(c, "whether the time is valid is not known");
  memcpy(&part, p.bytes + word, word);
  return part < 1000000000 ? HD_DONE : refuse(c, "the time is not valid");
}

static uint32_t size_of(const call *c, hd_library_kind k) {
  return hd_library_place_bytes(k, c->s->code->pointer_width);
}

/* The object the call is about. */
static hd_done find(call *c, uint64_t address, hd_library_kind k,
                    hd_small_place *out) {
  uint32_t size = size_of(c, k);
  *out = hd_small_find(c->s, address, size);
  if (!out->bytes)
    return refuse(c, out->trouble);
  if (out->constant)
    return refuse(c, "undefined behaviour: a constant object");
  for (uint32_t i = 0; out->shared && i < size; i++)
    c->s->role[out->at + i] |= 2;
  /* A local lock that was never initialised. */
  if (out->unset && out->unset[0])
    return refuse(c, "undefined behaviour: it was never initialised");
  return HD_DONE;
}

static hd_done init(call *c, uint32_t value) {
  hd_library_kind k = hd_library_kind_of(c->fn);
  uint32_t size = size_of(c, k);
  hd_small_place p = hd_small_find(c->s, c->address, size);
  if (p.unset)
    memset(p.unset, 0, size);
  hd_done done = find(c, c->address, k, &p);
  if (done != HD_DONE)
    return done;
  memset(p.bytes, 0, size);
  uint32_t at = k != HD_LIBRARY_MUTEX             ? 0
                : c->s->code->pointer_width == 64 ? 16
                                                  : 12;
  for (uint32_t i = 0; i < 4; i++)
    p.bytes[at + i] = (uint8_t)(value >> 8 * i);
  return returns(c, 0);
}

static hd_done destroy(call *c) {
  hd_library_kind k = hd_library_kind_of(c->fn);
  hd_done done = find(c, c->address, k, &c->at);
  if (done != HD_DONE)
    return done;
  if (k != HD_LIBRARY_SEM && c->at.bytes[0])
    return refuse(c, "undefined behaviour: it is held");
  return returns(c, 0);
}

/* --- who holds what --- */

static hd_small_own *owned(const call *c, uint64_t address) {
  for (hd_vec_each(hd_small_own, own, &c->s->w->owned))
    if (own->address == address)
      return own;
  return NULL;
}

static void own(const call *c, uint64_t address, hd_own_kind k) {
  hd_small_work *w = c->s->w;
  size_t at = w->owned.size;
  hd_small_own fresh = {.address = address, .kind = (uint8_t)k, .depth = 1};
  hd_vec_push(&w->owned, fresh);
  for (; at && w->owned.data[at - 1].address > address; at--)
    w->owned.data[at] = w->owned.data[at - 1];
  w->owned.data[at] = fresh;
}

static void disown(const call *c, uint64_t address) {
  hd_small_work *w = c->s->w;
  size_t to = 0;
  for (size_t i = 0; i < w->owned.size; i++)
    if (w->owned.data[i].address != address)
      w->owned.data[to++] = w->owned.data[i];
  assert(to + 1 == w->owned.size);
  w->owned.size = to;
}

static hd_done deeper(const call *c, hd_small_own *held) {
  if (held->depth == UINT8_MAX)
    return refuse(c, "it is locked more than 255 times by one thread");
  held->depth++;
  return returns(c, 0);
}

/* --- what a lock is for the thread --- */

enum { FREE = 0, READERS = 1, WRITER = 2 }; /* of a read-write lock */

static hd_lock_kind mutex_kind(const call *c, const hd_small_place *p) {
  return hd_lock_mutex_kind(
      p->bytes[c->s->code->pointer_width == 64 ? 16 : 12]);
}

/* In pairs of states that do not occur it may be held by this thread and free,
 * or by this and another one: what this thread has counts. */
static hd_lock seen_mutex(const call *c) {
  const hd_small_own *held = owned(c, c->address);
  bool spin = hd_library_kind_of(c->fn) == HD_LIBRARY_SPIN;
  return (hd_lock){.kind = spin ? HD_LOCK_SPIN : mutex_kind(c, &c->at),
                   .owner = held             ? HD_OWNER_ME
                            : c->at.bytes[0] ? HD_OWNER_OTHER
                                             : HD_OWNER_NOBODY,
                   .depth = held ? held->depth : 0};
}

static hd_lock seen_rwlock(const call *c) {
  const hd_small_own *held = owned(c, c->address);
  hd_lock lock = {.kind = HD_LOCK_RW};
  if (held && held->kind == HD_OWN_WRITE)
    lock.owner = HD_OWNER_ME;
  else if (c->at.bytes[0] == WRITER)
    lock.owner = HD_OWNER_OTHER;
  else if (held)
    lock.depth = held->depth;
  else
    lock.others_read = c->at.bytes[0] == READERS;
  return lock;
}

/* True: it is done, `*a` says how; else `*result` is what the call comes to. One
 * with a time may as well have waited. */
static bool ask(const call *c, hd_lock lock, hd_lock_answer *a,
                hd_done *result) {
  *a = hd_lock_ask(lock, hd_lock_request_of(c->fn));
  switch (a->outcome) {
  case HD_LOCK_DONE:
    return true;
  case HD_LOCK_FAILS:
  case HD_LOCK_LATE:
    *result = returns(c, a->error);
    return false;
  case HD_LOCK_WAITS:
  case HD_LOCK_STUCK:
    *result = HD_WAITS;
    return false;
  case HD_LOCK_WRONG:
    break;
  }
  *result = refuse(c, "undefined behaviour: the thread does not hold it");
  return false;
}

/* --- mutexes and spin locks --- */

/* For no reason, which is the run's second choice there. */
static hd_done fails_loosely(const call *c, int error) {
  hd_small_note(c->s, c->id, 1);
  hd_evaluated result = {.bits = hd_library_error(c->fn, error)};
  hd_small_finish(c->s, c->edge, &result, 1);
  return HD_DONE;
}

static hd_done use_mutex(call *c) {
  hd_library_kind k = hd_library_kind_of(c->fn);
  hd_done done = find(c, c->address, k, &c->at);
  if (done == HD_DONE && hd_library_is(c->fn, HD_CALL_TIMED))
    done = read_time(c);
  if (done != HD_DONE)
    return done;
  hd_lock_answer a;
  if (!ask(c, seen_mutex(c), &a, &done))
    return done;
  if (hd_library_is(c->fn, HD_CALL_LOOSE) && hd_small_choose(c->s, 2))
    return fails_loosely(c, EBUSY);
  hd_small_own *held = owned(c, c->address);
  c->at.bytes[0] = a.after.depth > 0;
  if (held && a.after.depth > held->depth)
    return deeper(c, held);
  if (!held)
    own(c, c->address, k == HD_LIBRARY_SPIN ? HD_OWN_SPIN : HD_OWN_MUTEX);
  else if (a.after.depth)
    held->depth--;
  else
    disown(c, c->address);
  return returns(c, 0);
}

/* Its type is the argument, or in the attributes there. */
static hd_done mutex_init(call *c) {
  uint64_t arg;
  hd_done done = hd_small_arg(c->s, c->edge, c->id, 1, &arg);
  if (done != HD_DONE)
    return done;
  if (hd_library_kind_of(c->fn) == HD_LIBRARY_SPIN)
    return init(c, 0);
  if (!(hd_library_arg(c->fn, 1) & HD_ARG_READ))
    return init(c, (uint32_t)arg & 1);
  if (!arg)
    return init(c, 0);
  hd_small_place attr = hd_small_find(c->s, arg, 4);
  if (!attr.bytes || (attr.unset && attr.unset[0]))
    return refuse(c, "its attributes are not initialised");
  return init(c, attr.bytes[0] & 3);
}

static hd_done mutex(call *c) {
  hd_action does = hd_library_action(c->fn);
  if (does == HD_DO_MAKE)
    return mutex_init(c);
  if (does == HD_DO_UNMAKE)
    return destroy(c);
  if (does == HD_DO_ACQUIRE || does == HD_DO_RELEASE)
    return use_mutex(c);
  return refuse(c, "not supported");
}

/* --- read-write locks --- */

uint32_t hd_small_label_of(hd_small *s, uint64_t address, bool wakes) {
  for (uint32_t i = 0; i < s->labels.size; i++)
    if (s->labels.data[i].address == address &&
        s->labels.data[i].wakes == wakes)
      return i + 1;
  hd_vec_push(&s->labels,
              ((hd_small_label){.address = address, .wakes = wakes}));
  return (uint32_t)s->labels.size;
}

/* Does something that changes other threads; one thing a step. */
static hd_done affect(const call *c, bool wakes, bool one) {
  if (c->s->out.label)
    return refuse(c, "a second change of other threads in one atomic section");
  if (hd_small_is_private(c->s, c->address))
    return HD_DONE;
  c->s->out.label = hd_small_label_of(c->s, c->address, wakes);
  c->s->out.one = one;
  return HD_DONE;
}

static hd_done take_rwlock(call *c, const hd_lock *after) {
  hd_small_own *held = owned(c, c->address);
  bool writes = after->owner == HD_OWNER_ME;
  assert(writes ? !held : after->depth > 0);
  c->at.bytes[0] = writes ? WRITER : READERS;
  if (held)
    return deeper(c, held);
  own(c, c->address, writes ? HD_OWN_WRITE : HD_OWN_READ);
  return returns(c, 0);
}

/* Whether others still read is not known. */
static hd_done give_rwlock(call *c) {
  hd_small_own *held = owned(c, c->address);
  if (--held->depth)
    return returns(c, 0);
  bool last = held->kind == HD_OWN_WRITE || hd_small_choose(c->s, 2);
  bool others = last && held->kind == HD_OWN_READ;
  disown(c, c->address);
  if (last)
    c->at.bytes[0] = FREE;
  hd_done done = others ? affect(c, false, false) : HD_DONE;
  return done == HD_DONE ? returns(c, 0) : done;
}

static hd_done use_rwlock(call *c) {
  hd_lock_answer a;
  hd_done done;
  if (hd_library_is(c->fn, HD_CALL_TIMED))
    return refuse(c, "not supported");
  if (!ask(c, seen_rwlock(c), &a, &done))
    return done;
  return a.learns ? take_rwlock(c, &a.after) : give_rwlock(c);
}

static hd_done rwlock_init(call *c) {
  uint64_t attributes;
  hd_done known = hd_small_arg(c->s, c->edge, c->id, 1, &attributes);
  if (known != HD_DONE || attributes)
    return known != HD_DONE ? known : refuse(c, "attributes");
  return init(c, 0);
}

static hd_done rwlock(call *c) {
  hd_action action = hd_library_action(c->fn);
  if (action == HD_DO_MAKE)
    return rwlock_init(c);
  if (action == HD_DO_UNMAKE)
    return destroy(c);
  hd_done done = find(c, c->address, HD_LIBRARY_RWLOCK, &c->at);
  if (done != HD_DONE)
    return done;
  if (c->at.bytes[c->s->code->pointer_width == 64 ? 48 : 24])
    return refuse(c, "a lock that prefers writers");
  return action == HD_DO_ACQUIRE || action == HD_DO_RELEASE
             ? use_rwlock(c)
             : refuse(c, "not supported");
}

/* --- condition variables --- */

static hd_done cond_wait(call *c, bool timed) {
  uint64_t mutex_at;
  hd_small_place condition, held_at;
  hd_done done = hd_small_arg(c->s, c->edge, c->id, 1, &mutex_at);
  if (done == HD_DONE && timed)
    done = read_time(c);
  if (done == HD_DONE)
    done = find(c, c->address, HD_LIBRARY_COND, &condition);
  if (done == HD_DONE)
    done = find(c, mutex_at, HD_LIBRARY_MUTEX, &held_at);
  if (done != HD_DONE)
    return done;
  hd_small_own *held = owned(c, mutex_at);
  if (!held && mutex_kind(c, &held_at) == HD_LOCK_CHECKED)
    return returns(c, EPERM);
  if (!held || held->depth > 1)
    return refuse(c, "undefined behaviour: the thread does not hold the mutex "
                     "exactly once");
  if (c->s->atomic)
    return refuse(c, "a wait in an atomic section");
  disown(c, mutex_at);
  held_at.bytes[0] = 0;
  hd_small_work *w = c->s->w;
  w->parked = HD_PARKED_WAITS;
  w->cond = c->address;
  w->mutex = mutex_at;
  w->timed = timed;
  w->code = 0;
  hd_small_note(c->s, c->id, 0);
  return HD_DONE;
}

hd_done hd_small_relock(hd_small *s, const hd_cedge *edge, hd_edge_id id) {
  hd_small_work *w = s->w;
  hd_evaluated callee = hd_small_eval(s, hd_code_operand(s->code, edge, 0));
  hd_func_id func = hd_small_func_at(s, callee.bits);
  call c = {.s = s, .edge = edge, .id = id, .fn = s->funcs[func].library};
  if (w->parked == HD_PARKED_WAITS) {
    if (!w->timed && !s->options->spurious)
      return HD_WAITS;
    w->code = w->timed ? ETIMEDOUT : 0;
    w->parked = HD_PARKED_RELOCK;
    hd_small_note(s, id, 0);
    hd_vec_last(&w->acts).wakes = true;
    return HD_DONE;
  }
  hd_small_place p;
  hd_done done = find(&c, w->mutex, HD_LIBRARY_MUTEX, &p);
  if (done != HD_DONE)
    return done;
  if (p.bytes[0])
    return HD_WAITS;
  p.bytes[0] = 1;
  own(&c, w->mutex, HD_OWN_MUTEX);
  int code = w->code;
  w->parked = HD_PARKED_NOT;
  w->cond = w->mutex = 0;
  w->timed = false;
  w->code = 0;
  return returns(&c, code);
}

/* What its attributes say does not matter, but that they are there. */
static hd_done cond_init(call *c) {
  uint64_t address = 0;
  hd_done done = HD_DONE;
  if (hd_library_arg(c->fn, 1) & HD_ARG_READ)
    done = hd_small_arg(c->s, c->edge, c->id, 1, &address);
  if (done != HD_DONE)
    return done;
  hd_small_place attr = hd_small_find(c->s, address, 4);
  if (address && (!attr.bytes || (attr.unset && attr.unset[0])))
    return refuse(c, "its attributes are not initialised");
  return init(c, 0);
}

static hd_done cond_wake(call *c, bool one) {
  hd_done done = find(c, c->address, HD_LIBRARY_COND, &c->at);
  /* Where threads wake up by themselves nobody needs to be woken, unless it can
   * tell a signal from the end of its time. */
  if (done == HD_DONE && c->s->options->spurious && !c->s->timed_waits)
    return returns(c, 0);
  /* A signal is lost when nobody waits; whether that is so is not known. */
  if (done == HD_DONE && (!one || hd_small_choose(c->s, 2)))
    done = affect(c, true, one);
  return done == HD_DONE ? returns(c, 0) : done;
}

static hd_done cond(call *c) {
  hd_action does = hd_library_action(c->fn);
  if (does == HD_DO_MAKE)
    return cond_init(c);
  if (does == HD_DO_UNMAKE)
    return returns(c, 0);
  if (does == HD_DO_PARK)
    return cond_wait(c, hd_library_is(c->fn, HD_CALL_TIMED));
  if (does == HD_DO_WAKE)
    return cond_wake(c, !hd_library_is(c->fn, HD_CALL_ALL));
  return refuse(c, "not supported");
}

/* --- semaphores and once --- */

static uint32_t get32(const uint8_t *at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
         (uint32_t)at[3] << 24;
}

static void put32(uint8_t *at, uint32_t value) {
  for (int i = 0; i < 4; i++)
    at[i] = (uint8_t)(value >> 8 * i);
}

static hd_done sem_init_value(call *c) {
  uint64_t value;
  hd_done done = hd_small_arg(c->s, c->edge, c->id, 2, &value);
  if (done == HD_DONE && (uint32_t)value > INT32_MAX)
    return refuse(c, "the semaphore overflows");
  return done == HD_DONE ? init(c, (uint32_t)value) : done;
}

static hd_done use_sem(call *c) {
  hd_lock lock = {.kind = HD_LOCK_SEM, .count = get32(c->at.bytes)};
  hd_done done = hd_library_is(c->fn, HD_CALL_TIMED) ? read_time(c) : HD_DONE;
  hd_lock_answer a;
  if (done != HD_DONE || !ask(c, lock, &a, &done))
    return done;
  put32(c->at.bytes, a.after.count);
  return returns(c, 0);
}

static hd_done sem(call *c) {
  hd_action action = hd_library_action(c->fn);
  if (action == HD_DO_MAKE)
    return sem_init_value(c);
  if (action == HD_DO_UNMAKE)
    return destroy(c);
  hd_done done = find(c, c->address, HD_LIBRARY_SEM, &c->at);
  if (done != HD_DONE)
    return done;
  return action == HD_DO_ACQUIRE || action == HD_DO_RELEASE
             ? use_sem(c)
             : refuse(c, "not supported");
}

static hd_done once(call *c) {
  uint64_t routine;
  hd_done done = hd_small_arg(c->s, c->edge, c->id, 1, &routine);
  if (done == HD_DONE)
    done = find(c, c->address, HD_LIBRARY_ONCE, &c->at);
  if (done != HD_DONE)
    return done;
  if (c->at.bytes[0] == 1)
    return HD_WAITS;
  if (c->at.bytes[0])
    return returns(c, 0);
  hd_func_id func = hd_small_func_at(c->s, routine);
  if (func == HD_NO_ID || !c->s->code->funcs.data[func].defined)
    return refuse(c, "its routine is not defined");
  if (c->s->w->frames.size >= HD_SMALL_DEPTH)
    return refuse(c, "too many calls inside each other");
  c->at.bytes[0] = 1;
  hd_small_note(c->s, c->id, 0);
  hd_small_push(c->s, c->s->w, func, HD_FRAME_KIND_ONCE);
  hd_small_top(c->s->w)->data = c->address;
  return HD_DONE;
}

hd_done hd_small_lock(hd_small *s, const hd_cedge *edge, hd_edge_id id,
                      hd_library_fn fn) {
  call c = {.s = s, .edge = edge, .id = id, .fn = fn};
  hd_done done = hd_small_arg(s, edge, id, 0, &c.address);
  if (done != HD_DONE)
    return done;
  hd_library_kind kind = hd_library_kind_of(fn);
  if (kind == HD_LIBRARY_MUTEX || kind == HD_LIBRARY_SPIN)
    return mutex(&c);
  if (kind == HD_LIBRARY_RWLOCK)
    return rwlock(&c);
  if (kind == HD_LIBRARY_COND)
    return cond(&c);
  if (kind == HD_LIBRARY_SEM)
    return sem(&c);
  if (kind == HD_LIBRARY_ONCE)
    return once(&c);
  return refuse(&c, "not supported");
}
