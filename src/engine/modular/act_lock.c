/* SPDX-License-Identifier: MIT */
/* Mutexes, spin locks, read-write locks. What a request does says model/lock.h,
 * asked about all that the lock may be: a thread knows which locks it certainly
 * has, of the others it does not know who has them. */
#include "engine/modular/act.h"
#include "model/lock.h"

#include <errno.h>

/* --- which lock --- */

/* The number of a lock that is exactly one; MAX_LOCKS: it may be another. */
static uint32_t lock_number(const action *c, const hd_value *address) {
  modular *m = c->m;
  hd_library_kind kind = hd_library_kind_of(c->fn);
  if (kind == HD_LIBRARY_COND)
    kind = HD_LIBRARY_MUTEX;
  lock_key key = {.bytes =
                      hd_library_place_bytes(kind, m->a.code->pointer_width)};
  assert(key.bytes > 0);
  if (!hd_value_is_address(address, &key.object, &key.offset) ||
      hd_class_is_many(m, key.object))
    return MAX_LOCKS;
  for (uint32_t i = 0; i < m->locks.size; i++)
    if (m->locks.data[i].object == key.object &&
        m->locks.data[i].offset == key.offset)
      return i;
  if (m->locks.size == MAX_LOCKS)
    return MAX_LOCKS;
  hd_vec_push(&m->locks, key);
  m->changes++; /* what may open it has to be looked at again */
  return (uint32_t)m->locks.size - 1;
}

static bool may_be(const modular *m, const hd_value *address, uint32_t lock) {
  assert(lock < m->locks.size);
  const lock_key *key = &m->locks.data[lock];
  for (int t = 0; t < address->n_targets; t++)
    if (address->targets[t].object == key->object &&
        address->targets[t].lo <= key->offset &&
        address->targets[t].hi >= key->offset)
      return true;
  return false;
}

/* The locks that an address may mean. */
static lock_set locks_at(const modular *m, const hd_value *address) {
  const lock_set all = UINT64_MAX & ~bit(ATOMIC); /* later ones, too */
  if (address->wild || address->undef || !address->n_targets)
    return all;
  lock_set out = 0;
  for (uint32_t i = 1; i < m->locks.size; i++)
    if (may_be(m, address, i))
      out |= bit(i);
  return out;
}

/* Threads may have these without knowing it. */
static void doubt(modular *m, lock_set which) {
  assert(!(which & bit(ATOMIC))); /* who is in a section knows it */
  if (which & ~m->unsure)
    m->changes++;
  m->unsure |= which;
}

/* --- what it may be --- */

/* Leaves of the addresses those at which the object has 4 bytes; false: none. */
static bool stay_inside(hd_pointee *t, uint64_t size) {
  int64_t last = (int64_t)size - 4, step = t->stride ? t->stride : 1;
  if (t->lo < 0)
    t->lo += (-t->lo + step - 1) / step * step;
  if (t->hi > last)
    t->hi -= (t->hi - last + step - 1) / step * step;
  if (t->lo == t->hi)
    t->stride = 0;
  assert(t->lo >= 0 && (t->lo > t->hi || (t->lo == t->hi) == !t->stride));
  return t->lo <= t->hi;
}

/* The number that stands there inside of the lock, wherever that is; none: it is
 * no lock. False: not known. */
static bool load_inside(const action *c, const hd_value *address,
                        int64_t inside, hd_value *out) {
  *out = hd_value_none();
  for (int i = 0; i < address->n_targets; i++) {
    hd_pointee t = address->targets[i];
    t.lo += inside;
    t.hi += inside;
    if (!stay_inside(&t, hd_memory_size(c->l.memory, t.object)))
      continue;
    hd_value v = hd_class_is_own(c->m, c->class, &c->k, t.object)
                     ? hd_memory_load(c->l.memory, &t, 4)
                     : hd_class_shared_load(c->m, &t, 4, &c->l);
    *out = hd_value_is_none(out) ? v : hd_value_join(32, out, &v);
  }
  return !address->wild && !address->undef;
}

/* May the mutex be an error-checking one? Initialisers say what kind it is, as
 * glibc lays it out. */
static bool may_check(const action *c, const hd_value *address) {
  enum { ERRORCHECK = 2 };
  hd_value kind;
  return c->m->strict ||
         !load_inside(c, address, c->m->a.code->pointer_width == 64 ? 16 : 12,
                      &kind) ||
         hd_value_contains(&kind, 32, ERRORCHECK);
}

/* May it be a read-write lock that prefers writers? */
static bool may_prefer_writers(const action *c, const hd_value *address) {
  hd_value usual = hd_value_unsigned(32, 0, 1), kind;
  if (!load_inside(c, address, c->m->a.code->pointer_width == 64 ? 48 : 24,
                   &kind))
    return true;
  return !hd_value_is_none(&kind) && !hd_value_within(&kind, &usual);
}

/* Of mutexes only the error-checking ones are looked for, and only where it
 * matters: where they are relocked. */
static unsigned kinds_of(const action *c, const hd_value *address, bool mine) {
  hd_library_kind kind = hd_library_kind_of(c->fn);
  if (kind == HD_LIBRARY_RWLOCK)
    return 1u << HD_LOCK_RW;
  if (kind == HD_LIBRARY_SPIN)
    return 1u << HD_LOCK_SPIN;
  assert(kind == HD_LIBRARY_MUTEX);
  bool posix = hd_library_gives(c->fn) == HD_GIVES_ERRNO;
  bool checks = posix && mine && may_check(c, address);
  return 1u << HD_LOCK_NORMAL | 1u << HD_LOCK_RECURSIVE |
         (unsigned)checks << HD_LOCK_CHECKED;
}

static hd_lock_view view_of(const action *c, const hd_value *address,
                            uint32_t lock) {
  hd_lock_view v = {.owners = 1u << HD_OWNER_NOBODY | 1u << HD_OWNER_OTHER,
                    .others_may_read = true};
  lock_set which = lock < MAX_LOCKS ? bit(lock) : 0;
  if (which & (c->k.held | c->k.reads)) {
    v.owners = 1u << (which & c->k.held ? HD_OWNER_ME : HD_OWNER_NOBODY);
    v.depth = which & c->k.twice ? 2 : 1;
  } else if (!which || which & c->m->unsure) {
    v.owners |= 1u << HD_OWNER_ME;
    v.depth = 1;
    v.perhaps = true;
  }
  v.kinds = kinds_of(c, address, v.owners >> HD_OWNER_ME & 1);
  assert(v.kinds && v.owners);
  return v;
}

static hd_lock_answers ask(const action *c, const hd_value *address,
                           uint32_t lock) {
  hd_lock_view view = view_of(c, address, lock);
  return hd_lock_ask_any(&view, hd_lock_request_of(c->fn));
}

/* --- taking --- */

/* The time that argument i points to is read. */
static bool read_time(action *c, uint32_t i) {
  hd_value time = hd_modular_operand(c, i + 1), valid;
  uint32_t bytes = c->m->a.code->pointer_width / 4u;
  if (!hd_access_targets(&c->m->a, &c->l, c->edge, &time, bytes, &valid))
    return false;
  hd_access_note(&c->seen, &valid, bytes, false, false, c->edge);
  hd_analysis_alarm(&c->m->a, HD_PROPERTY_UNINIT, c->edge, HD_NO_ID,
                    "what is waited for is not looked at");
  return true;
}

static void wait_for(action *c, uint32_t lock, const hd_lock_answers *a) {
  bool waits = hd_lock_may(a, HD_LOCK_WAITS) || hd_lock_may(a, HD_LOCK_STUCK);
  if (waits || hd_lock_may(a, HD_LOCK_LATE))
    hd_modular_may_wait(c);
  if (lock == MAX_LOCKS)
    hd_modular_blocks(c);
  else if (waits)
    hd_class_note_wait(c->m, c->class, &c->k, lock, c->edge);
}

/* What it may return instead. Who tries may always fail: POSIX lets readers do
 * so while writers wait, C11 for no reason. */
static void fail_to_take(action *c, const hd_lock_answers *a) {
  bool tries = hd_library_is(c->fn, HD_CALL_TRIES);
  if (tries)
    hd_modular_fail(c, hd_library_error(c->fn, EBUSY));
  for (uint32_t i = 0; i < HD_LOCK_ERRORS && a->errors[i]; i++)
    if (!tries || a->errors[i] != EBUSY)
      hd_modular_fail(c, hd_library_error(c->fn, a->errors[i]));
}

/* The thread has it, once more. */
static void taken(action *c, uint32_t lock, uint32_t depth) {
  assert(lock < c->m->locks.size);
  if (depth > 2)
    hd_modular_refuse(c, "a lock is taken three times");
  if (depth > 1) {
    c->k.twice |= bit(lock);
  } else if (hd_library_is(c->fn, HD_CALL_SHARED)) {
    c->k.reads |= bit(lock);
  } else {
    c->k.held |= bit(lock);
    hd_class_take_guarded(c->m, c->class, &c->k, &c->l, lock);
  }
  assert(is_consistent(&c->k));
}

static void take(action *c, const hd_value *address) {
  if (hd_library_is(c->fn, HD_CALL_TIMED)) {
    if (hd_library_kind_of(c->fn) != HD_LIBRARY_MUTEX ||
        hd_library_gives(c->fn) != HD_GIVES_ERRNO) {
      hd_modular_refuse_call(c);
      return;
    }
    if (!read_time(c, (uint32_t)hd_library_arg_at(c->fn, HD_ARG_TIME)))
      return;
    hd_modular_fail(c, EINVAL); /* it is not known whether it is valid */
  }
  uint32_t lock = lock_number(c, address);
  hd_lock_answers a = ask(c, address, lock);
  wait_for(c, lock, &a);
  fail_to_take(c, &a);
  if (!hd_lock_may(&a, HD_LOCK_DONE))
    return;
  if (lock < MAX_LOCKS)
    taken(c, lock, a.after.depth);
  else
    doubt(c->m, locks_at(c->m, address));
  hd_modular_give(c, 0);
}

/* --- giving back --- */

void hd_modular_let_go(action *c, uint32_t lock) {
  assert(lock < c->m->locks.size);
  if (c->k.held & bit(lock))
    hd_class_give_guarded(c->m, c->class, &c->k, &c->l, lock);
  c->k.held &= ~bit(lock);
  c->k.reads &= ~bit(lock);
  c->k.twice &= ~bit(lock);
}

/* One of these locks is given back, which one is not known: those the thread
 * holds it does not certainly hold any more, and others that somebody holds may
 * be opened by this. Who unlocks a mutex of another may be told so. */
static void release_any(action *c, lock_set which, const hd_lock_answers *a) {
  lock_set mine = c->k.held | c->k.reads;
  hd_value result = hd_value_signed(32, 0, 1); /* EPERM */
  hd_modular_blocks(c);
  c->m->open |= which & ~mine;
  doubt(c->m, which & mine);
  for (uint32_t i = 1; i < c->m->locks.size; i++)
    if (which & mine & bit(i))
      hd_modular_let_go(c, i);
  if (hd_lock_may(a, HD_LOCK_FAILS)) {
    hd_value e = hd_value_const(32, hd_library_error(c->fn, a->errors[0]));
    result = hd_value_join(32, &result, &e);
  }
  if (hd_lock_may(a, HD_LOCK_WRONG)) { /* what C leaves open, glibc refuses */
    hd_value e = hd_value_const(32, hd_library_error(c->fn, EPERM));
    result = hd_value_join(32, &result, &e);
  }
  hd_modular_go_on_with(c, result);
}

static void release(action *c, const hd_value *address) {
  uint32_t lock = lock_number(c, address);
  hd_lock_answers a = ask(c, address, lock);
  if (a.outcomes != 1u << HD_LOCK_DONE) {
    release_any(c, lock < MAX_LOCKS ? bit(lock) : locks_at(c->m, address), &a);
    return;
  }
  assert(lock < MAX_LOCKS);
  if (a.after.depth)
    c->k.twice &= ~bit(lock);
  else
    hd_modular_let_go(c, lock);
  hd_modular_give(c, 0);
}

/* --- making --- */

/* What kind of mutex is made, as its bytes say. */
static hd_value mutex_kind(action *c) {
  hd_value attr = hd_modular_operand(c, 2);
  uint64_t null;
  if (c->fn == HD_LIB_mtx_init)
    return hd_value_unsigned(32, 0, 1);
  if (hd_value_is_const(&attr, &null) && null == 0)
    return hd_value_const(32, 0);
  return hd_value_unsigned(32, 0, c->m->strict ? 3 : 1);
}

/* Zeros, but for the kind of a mutex. */
bool hd_modular_make(action *c) {
  hd_library_kind kind;
  hd_place place = hd_library_place(c->fn, 0, &kind);
  uint8_t width = c->m->a.code->pointer_width;
  uint32_t bytes = hd_library_place_bytes(kind, width);
  hd_value address = hd_modular_operand(c, 1), valid;
  assert(place == HD_PLACE_MADE && bytes % 4 == 0);
  if (!hd_access_targets(&c->m->a, &c->l, c->edge, &address, bytes, &valid))
    return false;
  hd_access_check_write(&c->m->a, c->edge, &valid);
  for (uint32_t at = 0; at < bytes; at += 4) {
    bool says_kind =
        kind == HD_LIBRARY_MUTEX && at == (width == 64 ? 16u : 12u);
    hd_value v = says_kind ? mutex_kind(c) : hd_value_const(32, 0);
    hd_value part = valid;
    for (int i = 0; i < part.n_targets; i++) {
      part.targets[i].lo += at;
      part.targets[i].hi += at;
    }
    hd_modular_store(c, &part, 4, &v);
  }
  return true;
}

/* A lock that is made anew while others may use it is open, whoever holds it. */
static void renew(action *c, const hd_value *address) {
  lock_number(c, address);
  lock_set which = locks_at(c->m, address);
  for (uint32_t i = 1; i < c->m->locks.size; i++)
    if (hd_class_is_private(c->m, c->class, &c->k, c->m->locks.data[i].object))
      which &= ~bit(i);
  c->m->open |= which;
  if (which)
    hd_modular_blocks(c); /* who waits for it may do so for ever */
  if (hd_modular_make(c))
    hd_modular_give(c, 0);
}

/* Who destroys a mutex that is held is told so, by glibc. */
static void unmake(action *c) {
  if (c->e->n_targets && hd_library_kind_of(c->fn) == HD_LIBRARY_MUTEX)
    hd_modular_fail(c, hd_library_error(c->fn, EBUSY));
  hd_modular_give(c, 0);
}

void hd_modular_lock(action *c) {
  hd_value address = hd_modular_operand(c, 1);
  hd_action does = hd_library_action(c->fn);
  if (hd_library_kind_of(c->fn) == HD_LIBRARY_RWLOCK && does != HD_DO_MAKE &&
      may_prefer_writers(c, &address))
    hd_modular_refuse(c, "a read-write lock that may prefer writers");
  else if (does == HD_DO_ACQUIRE)
    take(c, &address);
  else if (does == HD_DO_RELEASE)
    release(c, &address);
  else if (does == HD_DO_MAKE)
    renew(c, &address);
  else if (does == HD_DO_UNMAKE)
    unmake(c);
  else
    hd_modular_refuse_call(c);
}

/* The mutex is given back and taken again. */
void hd_modular_condition(action *c) {
  hd_modular_blocks(c);
  hd_value mutex = hd_modular_operand(c, 2);
  uint32_t lock = lock_number(c, &mutex);
  lock_set which = lock < MAX_LOCKS ? bit(lock) : locks_at(c->m, &mutex);
  if (which & c->k.twice) {
    hd_modular_refuse(c, "waiting with a mutex held twice");
    return;
  }
  bool timed = hd_library_is(c->fn, HD_CALL_TIMED);
  if (timed && !read_time(c, (uint32_t)hd_library_arg_at(c->fn, HD_ARG_TIME)))
    return;
  c->m->open |= which & ~c->k.held;
  for (uint32_t i = 1; i < c->m->locks.size; i++)
    if (which & c->k.held & bit(i)) {
      hd_class_give_guarded(c->m, c->class, &c->k, &c->l, i);
      hd_class_take_guarded(c->m, c->class, &c->k, &c->l, i);
    }
  hd_modular_go_on_with(c, timed ? hd_value_any(32) : hd_value_const(32, 0));
}
