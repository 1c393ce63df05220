/* SPDX-License-Identifier: MIT */
/* Mutexes, spin locks, read-write locks, semaphores: what the actions do. */
#include "engine/unfold/sync.h"

/* An adaptive one is a normal one. */
static uint8_t mutex_kind(uint64_t bits) {
  return (bits & 3) == 3 ? 0 : (uint8_t)(bits & 3);
}

/* A static mutex says what kind it is, as glibc lays it out; spin locks have
 * none. */
static bool static_kind(action *c, uint8_t *mutex) {
  const resource_key *key =
      &c->s->resources.items[sync_self(c)->resources[0]].key;
  int64_t inside = c->s->a->code->pointer_width == 64 ? 16 : 12;
  hd_pointee at = {key->what, 0, key->offset + inside, key->offset + inside};
  hd_library_fn fn = sync_function(c->s, c->l, c->thread, c->e);
  *mutex = 0;
  if (hd_library_kind_of(fn) == HD_LIBRARY_SPIN)
    return true;
  hd_value v = hd_memory_load(c->l->memory, &at, 4);
  uint64_t kind;
  if (!v.undef && !hd_value_is_const(&v, &kind))
    return sync_give_up(c->s, c->edge, "the kind of a mutex is not known");
  *mutex = v.undef ? 0 : mutex_kind(kind);
  return true;
}

static bool init_mutex(action *c) {
  uint8_t kind = 0;
  if (c->e->n_operands > 2) {
    hd_value attr = sync_operand(c->s, c->thread, c->l, c->e, 2), valid;
    uint64_t null;
    if (!(hd_value_is_const(&attr, &null) && null == 0)) {
      uint64_t bits;
      if (!access_targets(c->s->a, c->l, c->edge, &attr, 4, &valid))
        return false;
      hd_value v = access_load(c->l, &valid, 4);
      if (!hd_value_is_const(&v, &bits))
        return sync_give_up(c->s, c->edge, "the kind of a mutex is not known");
      kind = mutex_kind(bits);
    }
  }
  return sync_initialise(c, kind) && sync_give(c, 0);
}

/* `busy` is what a failing trylock returns; 0: it is none. */
static bool lock_mutex(action *c, uint64_t busy) {
  if (!c->x.started && c->x.owner == HD_NO_ID && !static_kind(c, &c->x.mutex))
    return false;
  if (c->x.owner == HD_NO_ID) {
    c->x.owner = c->thread;
    c->x.count = 1;
    sync_learn_clock(c);
    return sync_give(c, 0);
  }
  if (c->x.owner == c->thread && c->x.mutex == 1) {
    c->x.count++;
    return sync_give(c, 0);
  }
  /* Only an error-checking one gets here by a lock. */
  assert(busy || (c->x.owner == c->thread && c->x.mutex == 2));
  return sync_give(c, busy ? busy : DEADLOCK);
}

static bool unlock_mutex(action *c) {
  if (c->x.owner != c->thread) {
    bool untouched = !c->x.started && c->x.owner == HD_NO_ID;
    uint8_t kind = c->x.mutex;
    if (untouched && !static_kind(c, &kind))
      return false;
    if (kind)
      return sync_give(c, 1); /* EPERM */
    return sync_misuse(c, "a mutex is unlocked that the thread does not hold");
  }
  if (--c->x.count == 0) {
    c->x.owner = HD_NO_ID;
    if (!c->x.started)
      c->x.mutex = 0;
    sync_publish(c);
  }
  return sync_give(c, 0);
}

bool sync_mutex(action *c, hd_library_fn fn) {
  switch (fn) {
  case HD_LIB_pthread_mutex_init:
    return init_mutex(c);
  case HD_LIB_mtx_init: { /* mtx_recursive is 1 */
    uint64_t type;
    hd_value v = sync_operand(c->s, c->thread, c->l, c->e, 2);
    if (!hd_value_is_const(&v, &type))
      return sync_give_up(c->s, c->edge, "the kind of a mutex is not known");
    return sync_initialise(c, (uint8_t)(type & 1)) && sync_give(c, 0);
  }
  case HD_LIB_pthread_spin_init:
    return sync_initialise(c, 0) && sync_give(c, 0);
  case HD_LIB_pthread_mutex_lock:
  case HD_LIB_mtx_lock:
  case HD_LIB_pthread_spin_lock:
    return lock_mutex(c, 0);
  case HD_LIB_pthread_mutex_trylock:
  case HD_LIB_pthread_spin_trylock:
    return lock_mutex(c, BUSY);
  case HD_LIB_mtx_trylock: /* may fail for no reason: two outcomes */
    if (c->x.owner == HD_NO_ID || (c->x.owner == c->thread && c->x.mutex == 1))
      return sync_not_modelled(c, fn);
    return lock_mutex(c, 1); /* thrd_busy */
  case HD_LIB_pthread_mutex_unlock:
  case HD_LIB_mtx_unlock:
  case HD_LIB_pthread_spin_unlock:
    return unlock_mutex(c);
  case HD_LIB_mtx_destroy:
  case HD_LIB_pthread_mutex_destroy:
  case HD_LIB_pthread_spin_destroy:
    return sync_destroy(c);
  default:
    return sync_not_modelled(c, fn);
  }
}

bool sync_sem(action *c, hd_library_fn fn) {
  uint64_t value;
  hd_value v;
  switch (fn) {
  case HD_LIB_sem_init:
    v = sync_operand(c->s, c->thread, c->l, c->e, 3);
    if (!hd_value_is_const(&v, &value) || value > UINT32_MAX / 2)
      return sync_give_up(c->s, c->edge, "the semaphore's value is not known");
    if (!sync_initialise(c, 0))
      return false;
    c->x.count = (uint32_t)value;
    return sync_give(c, 0);
  case HD_LIB_sem_post:
    if (c->x.count == INT32_MAX)
      return sync_give_up(c->s, c->edge, "the semaphore overflows");
    c->x.count++;
    sync_publish(c);
    return sync_give(c, 0);
  case HD_LIB_sem_wait:
  case HD_LIB_sem_trywait:
    if (!c->x.count) {
      v = hd_value_const(32, UINT32_MAX);
      sync_set_target(c, 0, &v);
      return true;
    }
    c->x.count--;
    sync_learn_clock(c);
    return sync_give(c, 0);
  case HD_LIB_sem_destroy:
    return sync_destroy(c);
  default:
    return sync_not_modelled(c, fn);
  }
}

/* As glibc lays it out. */
static bool may_prefer_writers(action *c) {
  const resource_key *key =
      &c->s->resources.items[sync_self(c)->resources[0]].key;
  int64_t inside = c->s->a->code->pointer_width == 64 ? 48 : 24;
  hd_pointee at = {key->what, 0, key->offset + inside, key->offset + inside};
  if (hd_memory_size(c->l->memory, key->what) < (uint64_t)at.lo + 4)
    return true;
  hd_value v = hd_memory_load(c->l->memory, &at, 4);
  uint64_t kind;
  return !hd_value_is_const(&v, &kind) || kind > 1;
}

bool sync_rwlock(action *c, hd_library_fn fn) {
  uint64_t me = c->thread < 64 ? (uint64_t)1 << c->thread : 0;
  bool read = fn == HD_LIB_pthread_rwlock_rdlock ||
              fn == HD_LIB_pthread_rwlock_tryrdlock;
  if (!me)
    return sync_give_up(c->s, c->edge,
                        "too many threads for a read-write lock");
  if (fn != HD_LIB_pthread_rwlock_init && may_prefer_writers(c))
    return sync_give_up(c->s, c->edge,
                        "a read-write lock that may prefer writers");
  switch (fn) {
  case HD_LIB_pthread_rwlock_init:
    return sync_initialise(c, 0) && sync_give(c, 0);
  case HD_LIB_pthread_rwlock_rdlock:
  case HD_LIB_pthread_rwlock_wrlock:
  case HD_LIB_pthread_rwlock_tryrdlock:
  case HD_LIB_pthread_rwlock_trywrlock:
    if (c->x.writer || (!read && c->x.readers))
      return sync_give(c, fn == HD_LIB_pthread_rwlock_rdlock ||
                                  fn == HD_LIB_pthread_rwlock_wrlock
                              ? DEADLOCK /* its own */
                              : BUSY);
    if (read && (c->x.readers & me))
      return sync_give_up(c->s, c->edge, "a read lock is taken twice");
    if (read)
      c->x.readers |= me;
    else
      c->x.writer = true;
    c->x.owner = read ? HD_NO_ID : c->thread;
    sync_learn_clock(c);
    return sync_give(c, 0);
  case HD_LIB_pthread_rwlock_unlock:
    if (c->x.owner == c->thread) {
      c->x.owner = HD_NO_ID;
      c->x.writer = false;
    } else if (c->x.readers & me) {
      c->x.readers &= ~me;
    } else {
      return sync_misuse(c, "a lock is released that the thread does not hold");
    }
    sync_publish(c);
    return sync_give(c, 0);
  case HD_LIB_pthread_rwlock_destroy:
    return sync_destroy(c);
  default:
    return sync_not_modelled(c, fn);
  }
}
