/* SPDX-License-Identifier: MIT */
/* Mutexes, spin locks, read-write locks, semaphores: what the actions do. */
#include "engine/unfold/sync.h"

/* A static mutex says what kind it is, as glibc lays it out; spin locks have
 * none. */
static bool static_kind(action *c, uint8_t *mutex) {
  const resource_key *key =
      &c->s->resources.items[hd_sync_self(c)->resources[0]].key;
  int64_t inside = c->s->a->code->pointer_width == 64 ? 16 : 12;
  hd_pointee at = {key->what, 0, key->offset + inside, key->offset + inside};
  hd_library_fn fn = hd_sync_function(c->s, c->l, c->thread, c->e);
  *mutex = 0;
  if (hd_library_kind_of(fn) == HD_LIBRARY_SPIN)
    return true;
  hd_value v = hd_memory_load(c->l->memory, &at, 4);
  uint64_t kind;
  if (!v.undef && !hd_value_is_const(&v, &kind))
    return hd_sync_give_up(c->s, c->edge, "the kind of a mutex is not known");
  *mutex = v.undef ? 0 : (uint8_t)(kind & 3);
  return true;
}

/* The kind is what argument 2 says, or what is in the attributes there. */
static bool init_mutex(action *c, hd_library_fn fn) {
  uint64_t bits = 0, null;
  if (hd_library_kind_of(fn) == HD_LIBRARY_MUTEX && c->e->n_operands > 2) {
    hd_value v = hd_sync_operand(c->s, c->thread, c->l, c->e, 2), valid;
    bool attributes = hd_library_arg(fn, 1) & HD_ARG_READ;
    if (attributes && hd_value_is_const(&v, &null) && !null)
      return hd_sync_initialise(c, 0) && hd_sync_give(c, 0);
    if (attributes) {
      if (!hd_access_targets(c->s->a, c->l, c->edge, &v, 4, &valid))
        return false;
      v = hd_access_load(c->l, &valid, 4);
    }
    if (!hd_value_is_const(&v, &bits))
      return hd_sync_give_up(c->s, c->edge, "the kind of a mutex is not known");
    if (!attributes)
      bits &= 1; /* mtx_recursive */
  }
  return hd_sync_initialise(c, (uint8_t)(bits & 3)) && hd_sync_give(c, 0);
}

static bool fail(action *c, hd_library_fn fn, int error) {
  return hd_sync_give(c, hd_library_error(fn, error));
}

/* What the answer says about knowing of each other, and what is returned. */
static bool answered(action *c, hd_library_fn fn, const hd_lock_answer *a) {
  assert(a->outcome == HD_LOCK_DONE || a->outcome == HD_LOCK_FAILS);
  if (a->learns)
    hd_sync_learn_clock(c);
  if (a->publishes)
    hd_sync_publish(c);
  return a->outcome == HD_LOCK_DONE ? hd_sync_give(c, 0)
                                    : fail(c, fn, a->error);
}

static bool use_mutex(action *c, hd_library_fn fn) {
  bool untouched = !c->x.started && c->x.owner == HD_NO_ID;
  if (untouched && !static_kind(c, &c->x.mutex))
    return false;
  hd_lock_answer a =
      hd_lock_ask(hd_sync_lock_seen(&c->x, hd_library_kind_of(fn), c->thread),
                  hd_lock_request_of(fn));
  if (hd_library_is(fn, HD_CALL_TIMED) ||
      (hd_library_is(fn, HD_CALL_LOOSE) && a.outcome == HD_LOCK_DONE))
    return hd_sync_not_modelled(c, fn); /* two outcomes */
  if (a.outcome == HD_LOCK_WRONG)
    return hd_sync_misuse(c,
                          "a mutex is unlocked that the thread does not hold");
  if (a.outcome == HD_LOCK_DONE) {
    c->x.owner = a.after.owner == HD_OWNER_ME ? c->thread : HD_NO_ID;
    c->x.count = a.after.depth;
    /* Who has it has it at least once, and nobody else ever. */
    assert((c->x.owner == HD_NO_ID) == (c->x.count == 0));
  }
  if (c->x.owner == HD_NO_ID && !c->x.started)
    c->x.mutex = 0;
  return answered(c, fn, &a);
}

bool hd_sync_mutex(action *c, hd_library_fn fn) {
  hd_action does = hd_library_action(fn);
  return does == HD_DO_MAKE     ? init_mutex(c, fn)
         : does == HD_DO_UNMAKE ? hd_sync_destroy(c)
         : does == HD_DO_ACQUIRE || does == HD_DO_RELEASE
             ? use_mutex(c, fn)
             : hd_sync_not_modelled(c, fn);
}

static bool init_sem(action *c) {
  uint64_t value;
  hd_value v = hd_sync_operand(c->s, c->thread, c->l, c->e, 3);
  if (!hd_value_is_const(&v, &value) || value > UINT32_MAX / 2)
    return hd_sync_give_up(c->s, c->edge, "the semaphore's value is not known");
  if (!hd_sync_initialise(c, 0))
    return false;
  c->x.count = (uint32_t)value;
  return hd_sync_give(c, 0);
}

static bool use_sem(action *c, hd_library_fn fn) {
  assert(c->x.owner == HD_NO_ID); /* nobody owns one */
  hd_lock_answer a =
      hd_lock_ask(hd_sync_lock_seen(&c->x, HD_LIBRARY_SEM, c->thread),
                  hd_lock_request_of(fn));
  if (hd_library_is(fn, HD_CALL_TIMED))
    return hd_sync_not_modelled(c, fn); /* two outcomes */
  c->x.count = a.after.count;
  return answered(c, fn, &a);
}

bool hd_sync_sem(action *c, hd_library_fn fn) {
  hd_action does = hd_library_action(fn);
  return does == HD_DO_MAKE     ? init_sem(c)
         : does == HD_DO_UNMAKE ? hd_sync_destroy(c)
         : does == HD_DO_ACQUIRE || does == HD_DO_RELEASE
             ? use_sem(c, fn)
             : hd_sync_not_modelled(c, fn);
}

/* As glibc lays it out. */
static bool may_prefer_writers(action *c) {
  const resource_key *key =
      &c->s->resources.items[hd_sync_self(c)->resources[0]].key;
  int64_t inside = c->s->a->code->pointer_width == 64 ? 48 : 24;
  hd_pointee at = {key->what, 0, key->offset + inside, key->offset + inside};
  if (hd_memory_size(c->l->memory, key->what) < (uint64_t)at.lo + 4)
    return true;
  hd_value v = hd_memory_load(c->l->memory, &at, 4);
  uint64_t kind;
  return !hd_value_is_const(&v, &kind) || kind > 1;
}

static bool use_rwlock(action *c, hd_library_fn fn) {
  uint64_t me = c->thread < 64 ? (uint64_t)1 << c->thread : 0;
  if (!me)
    return hd_sync_give_up(c->s, c->edge,
                           "too many threads for a read-write lock");
  hd_lock_answer a =
      hd_lock_ask(hd_sync_lock_seen(&c->x, HD_LIBRARY_RWLOCK, c->thread),
                  hd_lock_request_of(fn));
  if (hd_library_is(fn, HD_CALL_TIMED))
    return hd_sync_not_modelled(c, fn); /* two outcomes */
  if (a.outcome == HD_LOCK_WRONG)
    return hd_sync_misuse(c,
                          "a lock is released that the thread does not hold");
  if (a.after.depth > 1)
    return hd_sync_give_up(c->s, c->edge, "a read lock is taken twice");
  if (a.outcome == HD_LOCK_DONE) {
    c->x.writer = a.after.owner == HD_OWNER_ME;
    c->x.owner = c->x.writer ? c->thread : HD_NO_ID;
    c->x.readers = a.after.depth ? c->x.readers | me : c->x.readers & ~me;
    assert(!c->x.writer || !c->x.readers);
  }
  return answered(c, fn, &a);
}

bool hd_sync_rwlock(action *c, hd_library_fn fn) {
  hd_action does = hd_library_action(fn);
  if (does == HD_DO_MAKE)
    return hd_sync_initialise(c, 0) && hd_sync_give(c, 0);
  if (may_prefer_writers(c))
    return hd_sync_give_up(c->s, c->edge,
                           "a read-write lock that may prefer writers");
  return does == HD_DO_UNMAKE ? hd_sync_destroy(c)
         : does == HD_DO_ACQUIRE || does == HD_DO_RELEASE
             ? use_rwlock(c, fn)
             : hd_sync_not_modelled(c, fn);
}
