/* SPDX-License-Identifier: MIT */
/* What visible actions do: accesses to shared memory, locks, creation and join of
 * threads. Where it depends on others what happens, all of it does. */
#include "engine/modular/classes.h"

#include <errno.h>

enum { STAMP = 1 };

typedef struct {
  modular *m;
  thread_id class;
  hd_edge_id edge;
  const hd_cedge *e;
  hd_library_fn fn;
  local l;
  knowledge k;
  touches seen;
  afters *out;
} action;

static hd_value operand(const action *c, uint32_t i) {
  hd_mays mays = 0;
  analysis *a = &c->m->a;
  return eval_expr(a, c->class, &c->l,
                   a->code->operands.data[c->e->operands + i], &mays);
}

static void set_target(action *c, uint32_t i, const hd_value *v) {
  const hd_code *code = c->m->a.code;
  if (i >= c->e->n_targets)
    return;
  c->l.top = frame_own(c->l.top);
  frame_set(code, c->l.top, code->targets.data[c->e->targets + i], v);
}

static void refuse(action *c, const char *what) {
  analysis_give_up(&c->m->a, c->edge, "%s", what);
}

static void refuse_call(action *c) {
  analysis_give_up(&c->m->a, c->edge, "%s is not modelled by this engine",
                   hd_library_name(c->fn));
}

/* The thread goes on: behind the action, or (`stay`) where it is. */
static void go_on(action *c, bool stay) {
  analysis *a = &c->m->a;
  after x = {local_copy(&c->l), known_copy(&c->k)};
  if (!stay) {
    x.state.top = frame_own(x.state.top);
    frame_go(x.state.top, c->e->to, a->code, a->bodies, a->unroll);
  }
  hd_vec_push(c->out, x);
}

static void go_on_with(action *c, hd_value result) {
  set_target(c, 0, &result);
  go_on(c, false);
}

static void give(action *c, uint64_t result) {
  go_on_with(c, hd_value_const(32, result));
}

static void set_phase(action *c, phase next) {
  c->l.top = frame_own(c->l.top);
  c->l.top->phase = (uint8_t)next;
  go_on(c, true);
}

/* The thread may have to wait; others go on then, also when it is in an atomic
 * section. */
static void may_wait(action *c) {
  if (c->k.held & bit(ATOMIC))
    c->m->open |= bit(ATOMIC);
}

/* Waiting that no order of locks explains. */
static void blocks(action *c) {
  may_wait(c);
  if (c->m->blocked)
    return;
  c->m->blocked = "a thread may wait for ever";
  c->m->blocked_edge = c->edge;
}

/* --- memory --- */

static hd_value load(action *c, const hd_value *valid, uint32_t bytes) {
  hd_value out = hd_value_none();
  for (int i = 0; i < valid->n_targets; i++) {
    const hd_pointee *t = &valid->targets[i];
    hd_value v = is_own(c->m, c->class, &c->k, t->object)
                     ? hd_memory_load(c->l.memory, t, bytes)
                     : shared_load(c->m, t, bytes, &c->l);
    out = i ? hd_value_join((uint8_t)(8 * bytes), &out, &v) : v;
  }
  know_targets(c->m, c->class, &c->k, &c->l, &out);
  return out;
}

static void store(action *c, const hd_value *valid, uint32_t bytes,
                  const hd_value *value) {
  for (int i = 0; i < valid->n_targets; i++) {
    const hd_pointee *t = &valid->targets[i];
    bool weak = valid->n_targets > 1 ||
                !is_exact(c->m, c->class, &c->k, t->object) ||
                hd_memory_life(c->l.memory, t->object) == HD_LIFE_MAYBE;
    if (is_own(c->m, c->class, &c->k, t->object)) {
      store_at(&c->l.memory, t, bytes, value, weak);
      frame_written(&c->l.top, t->object, t->lo, t->hi + bytes);
      continue;
    }
    let_escape(c->m, c->class, &c->k, &c->l, value);
    shared_store(c->m, t, bytes, value, &c->l);
  }
}

/* Writes through a pointer that a library function is given; null: nowhere. */
static bool write_to(action *c, const hd_value *address, uint32_t bytes,
                     const hd_value *value) {
  uint64_t null;
  hd_value valid;
  if (hd_value_is_const(address, &null) && null == 0)
    return true;
  if (!access_targets(&c->m->a, &c->l, c->edge, address, bytes, &valid))
    return false;
  access_note(&c->seen, &valid, bytes, true, false, c->edge);
  access_check_write(&c->m->a, c->edge, &valid);
  store(c, &valid, bytes, value);
  return true;
}

static hd_value combined(hd_rmw rmw, hd_type type, const hd_value *old,
                         const hd_value *v) {
  if (rmw == HD_RMW_XCHG)
    return *v;
  static const hd_code_op ops[] = {
      [HD_RMW_ADD] = HD_CODE_ADD,   [HD_RMW_SUB] = HD_CODE_SUB,
      [HD_RMW_AND] = HD_CODE_AND,   [HD_RMW_OR] = HD_CODE_OR,
      [HD_RMW_XOR] = HD_CODE_XOR,   [HD_RMW_MAX] = HD_CODE_SMAX,
      [HD_RMW_MIN] = HD_CODE_SMIN,  [HD_RMW_UMAX] = HD_CODE_UMAX,
      [HD_RMW_UMIN] = HD_CODE_UMIN, [HD_RMW_FADD] = HD_CODE_FADD,
      [HD_RMW_FSUB] = HD_CODE_FSUB};
  hd_type types[2] = {type, type};
  hd_value args[2] = {*old, *v};
  hd_mays mays = 0;
  if (rmw != HD_RMW_NAND)
    return hd_value_apply(ops[rmw], 0, type, types, args, &mays);
  hd_value any = hd_value_any(type.width);
  any.wild = old->wild || old->n_targets || v->wild || v->n_targets;
  return any;
}

static void exchange(action *c, hd_type type, const hd_value *valid,
                     const hd_value *old) {
  uint32_t bytes = hd_type_bytes(type);
  hd_value fresh = operand(c, 2);
  fresh = access_fit(type, &fresh, true);
  hd_value either = hd_value_any(1), no = hd_value_const(1, 0);
  hd_value expected = operand(c, 1);
  hd_type types[2] = {type, type};
  hd_value args[2] = {*old, expected};
  hd_mays mays = 0;
  eval_compared(&c->m->a, &c->l, &args[0], &args[1]);
  hd_value equal = hd_value_apply(HD_CODE_EQ, 0, (hd_type){HD_TYPE_INT, 1},
                                  types, args, &mays);
  bool can = equal.undef || hd_value_contains(&equal, 1, 1);
  if (can) {
    hd_value kept = access_fit(type, old, true);
    fresh = hd_value_join((uint8_t)(8 * bytes), &fresh, &kept);
    store(c, valid, bytes, &fresh);
  }
  set_target(c, 1, can ? &either : &no);
  go_on_with(c, *old);
}

static void memory(action *c) {
  const hd_code *code = c->m->a.code;
  uint8_t what = c->e->act;
  hd_type type;
  if (what == HD_CODE_STORE) {
    type = code->exprs.data[code->operands.data[c->e->operands + 1]].type;
  } else {
    const hd_func *f = &code->funcs.data[c->l.top->func];
    type = code->regs.data[f->regs + code->targets.data[c->e->targets]].type;
  }
  uint32_t bytes = hd_type_bytes(type);
  hd_value address = operand(c, 0), valid;
  if (!access_targets(&c->m->a, &c->l, c->edge, &address, bytes, &valid))
    return;
  access_note(&c->seen, &valid, bytes, what != HD_CODE_LOAD,
              c->e->order != HD_ORDER_NONE, c->edge);
  if (what != HD_CODE_LOAD)
    access_check_write(&c->m->a, c->edge, &valid);
  if (what == HD_CODE_STORE) {
    hd_value v = operand(c, 1);
    v = access_fit(type, &v, true);
    store(c, &valid, bytes, &v);
    if (valid.n_targets == 1 &&
        is_exact(c->m, c->class, &c->k, valid.targets[0].object))
      frame_deposit(code, &c->l, code->operands.data[c->e->operands + 1],
                    &valid);
    go_on(c, false);
    return;
  }
  hd_value old = load(c, &valid, bytes);
  old = access_loaded(code, type, &old);
  if (what == HD_CODE_CMPXCHG) {
    exchange(c, type, &valid, &old);
    return;
  }
  if (what == HD_CODE_RMW) {
    hd_value v = operand(c, 1);
    v = combined((hd_rmw)c->e->rmw, type, &old, &v);
    v = access_fit(type, &v, true);
    store(c, &valid, bytes, &v);
  }
  set_target(c, 0, &old);
  /* What is found out about one is true of the other. */
  if (what == HD_CODE_LOAD && valid.n_targets == 1 &&
      is_exact(c->m, c->class, &c->k, valid.targets[0].object))
    frame_mirror(&c->l, code->targets.data[c->e->targets], type, &valid);
  go_on(c, false);
}

/* --- locks --- */

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
      is_many(m, key.object))
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

/* It may be no use: goes on with the failure, too. */
static void fail(action *c, uint64_t failure) {
  hd_value no = hd_value_const(32, failure);
  action other = *c;
  other.l = local_copy(&c->l);
  other.k = known_copy(&c->k);
  set_target(&other, 0, &no);
  go_on(&other, false);
  local_free(&other.l);
  known_free(&other.k);
}

/* A read-write lock that the thread has already: who reads may read again, who
 * writes is told so, who wants to write as well waits for ever. */
static bool acquire_rwlock_again(action *c, uint32_t lock, bool waits,
                                 bool reading) {
  bool writes = c->k.held & bit(lock);
  if (waits && writes)
    fail(c, EDEADLK);
  else if (waits && !reading)
    note_wait(c->m, c->class, &c->k, lock, c->edge);
  return reading && !writes;
}

/* False: the thread does not get it. */
static bool acquire(action *c, const hd_value *address, bool waits,
                    bool reading) {
  uint32_t lock = lock_number(c, address);
  bool rwlock = hd_library_kind_of(c->fn) == HD_LIBRARY_RWLOCK;
  if (waits)
    may_wait(c);
  if (lock == MAX_LOCKS) {
    blocks(c);
    if (rwlock && waits) /* it may have it */
      fail(c, EDEADLK);
    return true;
  }
  bool again = (c->k.held | c->k.reads) & bit(lock);
  if (again && rwlock && !acquire_rwlock_again(c, lock, waits, reading))
    return false;
  if (waits && !(again && rwlock))
    note_wait(c->m, c->class, &c->k, lock, c->edge);
  if (again) {
    if (c->k.twice & bit(lock))
      refuse(c, "a lock is taken three times");
    c->k.twice |= bit(lock);
    return true;
  }
  if (reading) {
    c->k.reads |= bit(lock);
    return true;
  }
  c->k.held |= bit(lock);
  take_guarded(c->m, c->class, &c->k, &c->l, lock);
  return true;
}

static void let_go(action *c, uint32_t lock) {
  if (c->k.held & bit(lock))
    give_guarded(c->m, c->class, &c->k, &c->l, lock);
  c->k.held &= ~bit(lock);
  c->k.reads &= ~bit(lock);
  c->k.twice &= ~bit(lock);
}

static bool may_be(const modular *m, const hd_value *address, uint32_t lock) {
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

/* One of these locks is given back, which one is not known: those the thread
 * holds it does not certainly hold any more, and others that somebody holds may
 * be opened by this. Who unlocks a mutex of another may be told so. */
static void release_any(action *c, lock_set which) {
  lock_set mine = c->k.held | c->k.reads;
  blocks(c);
  c->m->open |= which & ~mine;
  for (uint32_t i = 1; i < c->m->locks.size; i++)
    if (which & mine & bit(i))
      let_go(c, i);
  go_on_with(c, hd_value_signed(32, 0, 1)); /* EPERM */
}

static void release(action *c, const hd_value *address) {
  uint32_t lock = lock_number(c, address);
  if (lock == MAX_LOCKS) {
    release_any(c, locks_at(c->m, address));
    return;
  }
  if (!((c->k.held | c->k.reads) & bit(lock))) {
    release_any(c, bit(lock));
    return;
  }
  if (c->k.twice & bit(lock))
    c->k.twice &= ~bit(lock);
  else
    let_go(c, lock);
  give(c, 0);
}

/* What kind of mutex is made, as its bytes say. */
static hd_value mutex_kind(action *c) {
  hd_value attr = operand(c, 2);
  uint64_t null;
  if (c->fn == HD_LIB_mtx_init)
    return hd_value_unsigned(32, 0, 1);
  if (hd_value_is_const(&attr, &null) && null == 0)
    return hd_value_const(32, 0);
  return hd_value_unsigned(32, 0, c->m->strict ? 3 : 1);
}

/* An init function writes to all of its object: zeros, but for the kind of a
 * mutex. Nothing but the call's result is left to do then. */
static bool make(action *c) {
  hd_library_kind kind;
  hd_place place = hd_library_place(c->fn, 0, &kind);
  uint8_t width = c->m->a.code->pointer_width;
  uint32_t bytes = hd_library_place_bytes(kind, width);
  hd_value address = operand(c, 1), valid;
  assert(place == HD_PLACE_MADE && bytes % 4 == 0);
  if (!access_targets(&c->m->a, &c->l, c->edge, &address, bytes, &valid))
    return false;
  access_check_write(&c->m->a, c->edge, &valid);
  for (uint32_t at = 0; at < bytes; at += 4) {
    bool says_kind =
        kind == HD_LIBRARY_MUTEX && at == (width == 64 ? 16u : 12u);
    hd_value v = says_kind ? mutex_kind(c) : hd_value_const(32, 0);
    hd_value part = valid;
    for (int i = 0; i < part.n_targets; i++) {
      part.targets[i].lo += at;
      part.targets[i].hi += at;
    }
    store(c, &part, 4, &v);
  }
  return true;
}

/* A lock that is made anew while others may use it is open, whoever holds it. */
static void renew(action *c, const hd_value *address) {
  lock_number(c, address);
  lock_set which = locks_at(c->m, address);
  for (uint32_t i = 1; i < c->m->locks.size; i++)
    if (is_private(c->m, c->class, &c->k, c->m->locks.data[i].object))
      which &= ~bit(i);
  c->m->open |= which;
  if (which)
    blocks(c); /* who waits for it may do so for ever */
  if (make(c))
    give(c, 0);
}

/* The time that argument i points to is read. */
static bool read_time(action *c, uint32_t i) {
  hd_value time = operand(c, i + 1), valid;
  uint32_t bytes = c->m->a.code->pointer_width / 4u;
  if (!access_targets(&c->m->a, &c->l, c->edge, &time, bytes, &valid))
    return false;
  access_note(&c->seen, &valid, bytes, false, false, c->edge);
  analysis_alarm(&c->m->a, HD_PROPERTY_UNINIT, c->edge, HD_NO_ID,
                 "what is waited for is not looked at");
  return true;
}

static void attempt(action *c, const hd_value *address, bool reading,
                    uint64_t failure) {
  fail(c, failure);
  if (acquire(c, address, false, reading))
    give(c, 0);
}

/* Leaves of the addresses those at which the object has 4 bytes; false: none. */
static bool stay_inside(hd_pointee *t, uint64_t size) {
  int64_t last = (int64_t)size - 4, step = t->stride ? t->stride : 1;
  if (t->lo < 0)
    t->lo += (-t->lo + step - 1) / step * step;
  if (t->hi > last)
    t->hi -= (t->hi - last + step - 1) / step * step;
  if (t->lo == t->hi)
    t->stride = 0;
  return t->lo <= t->hi;
}

/* May the mutex be an error-checking one that the thread holds? Initialisers say
 * what kind it is, as glibc lays it out. */
static bool may_refuse(action *c, const hd_value *address) {
  enum { ERRORCHECK = 2 };
  uint32_t lock = lock_number(c, address);
  if (lock < MAX_LOCKS && !(c->k.held & bit(lock)))
    return false;
  bool may = c->m->strict || address->wild || address->undef;
  int64_t inside = c->m->a.code->pointer_width == 64 ? 16 : 12;
  for (int i = 0; i < address->n_targets && !may; i++) {
    hd_pointee t = address->targets[i];
    t.lo += inside;
    t.hi += inside;
    if (!stay_inside(&t, hd_memory_size(c->l.memory, t.object)))
      continue; /* no mutex */
    hd_value kind = is_own(c->m, c->class, &c->k, t.object)
                        ? hd_memory_load(c->l.memory, &t, 4)
                        : shared_load(c->m, &t, 4, &c->l);
    may = hd_value_contains(&kind, 32, ERRORCHECK);
  }
  return may;
}

/* May it be a read-write lock that prefers writers? As glibc lays it out. */
static bool may_prefer_writers(action *c, const hd_value *address) {
  int64_t inside = c->m->a.code->pointer_width == 64 ? 48 : 24;
  hd_value usual = hd_value_unsigned(32, 0, 1);
  bool may = address->wild || address->undef;
  for (int i = 0; i < address->n_targets && !may; i++) {
    hd_pointee t = address->targets[i];
    t.lo += inside;
    t.hi += inside;
    if (!stay_inside(&t, hd_memory_size(c->l.memory, t.object)))
      continue; /* no lock */
    hd_value kind = is_own(c->m, c->class, &c->k, t.object)
                        ? hd_memory_load(c->l.memory, &t, 4)
                        : shared_load(c->m, &t, 4, &c->l);
    may = !hd_value_within(&kind, &usual);
  }
  return may;
}

/* Takes it at once, or not: `failure` is what is returned then. Of one with a
 * time it is not known whether that is valid. */
static void acquire_impatiently(action *c, const hd_value *address,
                                bool reading) {
  bool timed = hd_library_is(c->fn, HD_CALL_TIMED);
  bool mutex = hd_library_kind_of(c->fn) == HD_LIBRARY_MUTEX;
  if (timed) {
    if (!read_time(c, (uint32_t)hd_library_arg_at(c->fn, HD_ARG_TIME)))
      return;
    fail(c, hd_library_error(c->fn, EINVAL));
    if (mutex && may_refuse(c, address))
      fail(c, hd_library_error(c->fn, EDEADLK));
  }
  attempt(c, address, reading,
          hd_library_error(c->fn, timed ? ETIMEDOUT : EBUSY));
}

static void take(action *c, const hd_value *address) {
  bool reading = hd_library_is(c->fn, HD_CALL_SHARED);
  bool posix = hd_library_gives(c->fn) == HD_GIVES_ERRNO;
  bool mutex = hd_library_kind_of(c->fn) == HD_LIBRARY_MUTEX;
  if (hd_library_is(c->fn, HD_CALL_TIMED) && (!mutex || !posix)) {
    refuse_call(c);
    return;
  }
  if (hd_library_is(c->fn, HD_CALL_TRIES | HD_CALL_TIMED)) {
    acquire_impatiently(c, address, reading);
    return;
  }
  if (mutex && posix && may_refuse(c, address))
    fail(c, EDEADLK);
  if (acquire(c, address, true, reading))
    give(c, 0);
}

/* Who destroys a mutex that is held is told so, by glibc. */
static void unmake(action *c) {
  if (c->e->n_targets && hd_library_kind_of(c->fn) == HD_LIBRARY_MUTEX)
    fail(c, hd_library_error(c->fn, EBUSY));
  give(c, 0);
}

static void lock(action *c) {
  hd_value address = operand(c, 1);
  hd_action does = hd_library_action(c->fn);
  if (hd_library_kind_of(c->fn) == HD_LIBRARY_RWLOCK && does != HD_DO_MAKE &&
      may_prefer_writers(c, &address))
    refuse(c, "a read-write lock that may prefer writers");
  else if (does == HD_DO_ACQUIRE)
    take(c, &address);
  else if (does == HD_DO_RELEASE)
    release(c, &address);
  else if (does == HD_DO_MAKE)
    renew(c, &address);
  else if (does == HD_DO_UNMAKE)
    unmake(c);
  else
    refuse_call(c);
}

/* --- other synchronisation: nothing is known of its order --- */

/* The mutex is given back and taken again. */
static void condition(action *c) {
  blocks(c);
  hd_value mutex = operand(c, 2);
  uint32_t lock = lock_number(c, &mutex);
  lock_set which = lock < MAX_LOCKS ? bit(lock) : locks_at(c->m, &mutex);
  if (which & c->k.twice) {
    refuse(c, "waiting with a mutex held twice");
    return;
  }
  bool timed = hd_library_is(c->fn, HD_CALL_TIMED);
  if (timed && !read_time(c, (uint32_t)hd_library_arg_at(c->fn, HD_ARG_TIME)))
    return;
  c->m->open |= which & ~c->k.held;
  for (uint32_t i = 1; i < c->m->locks.size; i++)
    if (which & c->k.held & bit(i)) {
      give_guarded(c->m, c->class, &c->k, &c->l, i);
      take_guarded(c->m, c->class, &c->k, &c->l, i);
    }
  go_on_with(c, timed ? hd_value_any(32) : hd_value_const(32, 0));
}

/* Of a semaphore nothing is known. */
static void semaphore(action *c) {
  hd_value any = hd_value_signed(32, 0, INT32_MAX), perhaps = any, x;
  perhaps = hd_value_signed(32, -1, 0);
  switch (hd_library_action(c->fn)) {
  case HD_DO_PEEK:
    x = operand(c, 2);
    if (write_to(c, &x, 4, &any))
      give(c, 0);
    return;
  case HD_DO_ACQUIRE:
    if (hd_library_is(c->fn, HD_CALL_TIMED)) {
      refuse_call(c);
    } else if (hd_library_is(c->fn, HD_CALL_TRIES)) {
      go_on_with(c, perhaps);
    } else {
      blocks(c);
      give(c, 0);
    }
    return;
  case HD_DO_MAKE:
    x = operand(c, 3);
    if (make(c))
      go_on_with(c,
                 hd_value_within(&x, &any) ? hd_value_const(32, 0) : perhaps);
    return;
  case HD_DO_RELEASE: /* it may overflow */
    go_on_with(c, perhaps);
    return;
  case HD_DO_UNMAKE:
    give(c, 0);
    return;
  default:
    refuse_call(c);
  }
}

static void barrier(action *c) {
  hd_value count = operand(c, 3), usual = hd_value_signed(32, 1, INT32_MAX);
  if (count.undef || !hd_value_within(&count, &usual))
    fail(c, EINVAL);
  if (make(c))
    give(c, 0);
}

static void meet(action *c) {
  blocks(c);
  go_on_with(c, hd_value_signed(32, -1, 0));
}

/* It runs now, or has run. */
static void once(action *c) {
  blocks(c);
  action other = *c;
  other.l = local_copy(&c->l);
  other.k = known_copy(&c->k);
  give(&other, 0);
  local_free(&other.l);
  known_free(&other.k);
  set_phase(c, PHASE_ENTER);
}

/* --- threads --- */

/* May control come back to this place of the frame? */
static bool in_circle(const hd_code *code, hd_loc_id loc) {
  hd_u32s todo = {0}, seen = {0};
  bool back = false;
  hd_vec_push(&todo, loc);
  while (todo.size && !back) {
    hd_loc_id at = hd_vec_pop(&todo);
    for (uint32_t i = code->out_start[at]; i < code->out_start[at + 1]; i++) {
      hd_loc_id to = code->edges.data[code->out[i]].to;
      bool old = false;
      if (to == loc && code->edges.data[code->out[i]].act != HD_CODE_RETURN)
        back = true;
      for (hd_vec_each(const uint32_t, x, &seen))
        old = old || *x == to;
      if (!old) {
        hd_vec_push(&seen, to);
        hd_vec_push(&todo, to);
      }
    }
  }
  hd_vec_free(&todo);
  hd_vec_free(&seen);
  return back;
}

static bool happens_once(const action *c) {
  if (!c->m->classes.data[c->class].unique)
    return false;
  for (const frame *f = c->l.top; f; f = f->below)
    if (in_circle(c->m->a.code, f->loc))
      return false;
  return true;
}

static thread_id class_of(action *c, hd_func_id func) {
  modular *m = c->m;
  uint64_t control = frame_hash_control(c->l.top);
  for (thread_id i = 1; i < m->classes.size; i++) {
    const thread_class *x = &m->classes.data[i];
    if (x->parent == c->class && x->edge == c->edge && x->func == func &&
        x->control == control)
      return i;
  }
  /* Threads that create threads like themselves are of one class. */
  for (thread_id i = c->class; i; i = m->classes.data[i].parent) {
    thread_class *x = &m->classes.data[i];
    if (x->edge != c->edge || x->func != func)
      continue;
    m->again = m->again || x->unique;
    x->unique = false;
    return i;
  }
  if (m->classes.size == MAX_CLASSES)
    return MAX_CLASSES;
  thread_class fresh = {.parent = c->class,
                        .edge = c->edge,
                        .control = control,
                        .func = func,
                        .unique = happens_once(c),
                        .result = hd_value_none(),
                        .gone = UINT64_MAX,
                        .after = UINT64_MAX};
  hd_vec_push(&m->classes, fresh);
  return (thread_id)m->classes.size - 1;
}

/* One more way for threads of the class to start. */
static void start_class(action *c, thread_id id, const hd_value *argument) {
  modular *m = c->m;
  const hd_code *code = m->a.code;
  thread_class *x = &m->classes.data[id];
  local l = {frame_new(code, x->func, NULL, HD_NO_ID),
             hd_memory_keep(c->l.memory), NULL};
  analysis_enter_thread(&m->a, &l.memory, id, x->func, STAMP);
  if (l.top->n_regs && code->funcs.data[x->func].n_params)
    l.top->regs[0] = *argument;
  class_set gone = x->gone & c->k.gone;
  if (x->started && gone == x->gone &&
      frame_within(code, l.top, x->start.top) &&
      hd_memory_within(l.memory, x->start.memory)) {
    local_free(&l);
    return;
  }
  x->gone = gone;
  if (x->started) {
    const hd_widening *widen = ++x->joins > 4 ? &m->a.widening : NULL;
    local both = {frame_join(code, x->start.top, l.top, widen),
                  hd_memory_join(x->start.memory, l.memory, widen), NULL};
    local_free(&l);
    local_free(&x->start);
    l = both;
  }
  x->start = l;
  x->started = true;
  class_start(m, id);
}

static void create(action *c) {
  modular *m = c->m;
  uint32_t third = 1 + (uint32_t)hd_library_arg_at(c->fn, HD_ARG_CALL);
  hd_value entry = operand(c, third), argument = operand(c, third + 1);
  if (entry.wild || entry.undef || hd_value_has_int(&entry) ||
      !entry.n_targets) {
    refuse(c, "which function a thread runs is not known");
    return;
  }
  frame_forget_mirrors(&c->l.top); /* they may be of shared memory now */
  share_memory(m, c->class, &c->k, &c->l);
  let_escape(m, c->class, &c->k, &c->l, &argument);
  hd_value handle = hd_value_none();
  uint8_t width = m->a.code->pointer_width;
  class_set made = 0;
  for (int i = 0; i < entry.n_targets; i++) {
    const object_key *key = &m->a.objects.items[entry.targets[i].object].key;
    if (key->kind != OBJ_FUNC || !m->a.code->funcs.data[key->what].defined) {
      refuse(c, "a thread runs a function that is not here");
      return;
    }
    thread_id id = class_of(c, key->what);
    if (id == MAX_CLASSES) {
      refuse(c, "threads are created in too many places");
      return;
    }
    hd_value number = m->classes.data[id].unique && entry.n_targets == 1
                          ? hd_value_const(width, id + 1)
                          : hd_value_any(width);
    handle = i ? hd_value_join(width, &handle, &number) : number;
    made |= bit(id);
  }
  c->k.created |= made;
  for (thread_id id = 1; id < MAX_CLASSES; id++)
    if (made & bit(id))
      start_class(c, id, &argument);
  hd_value to = operand(c, 1);
  /* The new one may run before its id is stored. */
  touches before = c->seen;
  c->seen = (touches){0};
  bool stored = write_to(c, &to, width / 8, &handle);
  note_deeds(m, c->class, &c->k, &c->seen);
  hd_vec_free(&c->seen);
  c->seen = before;
  if (stored)
    give(c, 0);
}

static void join(action *c) {
  modular *m = c->m;
  hd_value handle = operand(c, 1), to = operand(c, 2);
  uint64_t number;
  hd_value result = hd_value_none();
  uint8_t width = m->a.code->pointer_width;
  may_wait(c);
  if (m->names_itself && !hd_value_is_const(&handle, &number)) {
    blocks(c); /* for its own end, perhaps */
    fail(c, hd_library_error(c->fn, EDEADLK));
  }
  bool known = hd_value_is_const(&handle, &number) && number > 1 &&
               number - 1 < m->classes.size &&
               m->classes.data[number - 1].unique;
  for (thread_id i = 1; i < m->classes.size; i++) {
    if (known && i != number - 1)
      continue;
    note_wait(m, c->class, &c->k, MAX_LOCKS + i, c->edge);
    const hd_value *r = &m->classes.data[i].result;
    result = hd_value_is_none(&result) ? *r
             : hd_value_is_none(r)     ? result
                                       : hd_value_join(width, &result, r);
  }
  if (known) {
    const thread_class *x = &m->classes.data[number - 1];
    if (hd_value_is_none(&x->result))
      return; /* it has not ended yet in any way: so far nothing comes behind */
    c->k.gone |= bit((uint32_t)number - 1) | x->after;
  } else if (hd_value_is_none(&result)) {
    result = hd_value_any(width);
  }
  know_targets(m, c->class, &c->k, &c->l, &result);
  uint32_t bytes = width / 8;
  if (c->fn == HD_LIB_thrd_join) {
    bytes = 4;
    if (result.wild || result.n_targets)
      result = hd_value_any(32);
  }
  if (write_to(c, &to, bytes, &result))
    give(c, 0);
}

static void finish(action *c, const node *n) {
  thread_class *x = &c->m->classes.data[c->class];
  let_escape(c->m, c->class, &c->k, &c->l, &n->result);
  hd_value both = hd_value_is_none(&x->result)
                      ? n->result
                      : hd_value_join(64, &x->result, &n->result);
  class_set gone = x->after & c->k.gone;
  if (!hd_value_same(&both, &x->result) || gone != x->after)
    c->m->changes++;
  x->result = both;
  x->after = gone;
  for (uint32_t i = 0; i < c->m->locks.size; i++)
    if (c->k.held & bit(i))
      give_guarded(c->m, c->class, &c->k, &c->l, i);
  if ((c->k.held | c->k.reads) && !c->m->blocked) {
    c->m->blocked = "a thread may end while it holds a lock";
    c->m->blocked_edge =
        n->state.top
            ? c->m->a.code->out[c->m->a.code->out_start[n->state.top->loc]]
            : 0;
  }
}

/* --- all --- */

/* Copying and filling of memory that is shared. */
static void block(action *c) {
  uint64_t bytes, byte;
  hd_value n = operand(c, 3), to = operand(c, 1), from = hd_value_none(), valid;
  bool set = hd_library_action(c->fn) == HD_DO_FILL;
  if (!hd_value_is_const(&n, &bytes)) {
    refuse(c, "the size of a copy is not known");
    return;
  }
  if (!access_targets(&c->m->a, &c->l, c->edge, &to, bytes, &valid))
    return;
  to = valid;
  access_note(&c->seen, &to, bytes, true, false, c->edge);
  access_check_write(&c->m->a, c->edge, &to);
  if (!set) {
    from = operand(c, 2);
    if (!access_targets(&c->m->a, &c->l, c->edge, &from, bytes, &valid))
      return;
    from = valid;
    access_note(&c->seen, &from, bytes, false, false, c->edge);
  }
  if (to.n_targets != 1 || to.targets[0].stride ||
      (!set && (from.n_targets != 1 || from.targets[0].stride))) {
    refuse(c, "what is copied is not known");
    return;
  }
  hd_value v = operand(c, 2), whole = operand(c, 1);
  bool zero = set && hd_value_is_const(&v, &byte) && (byte & 0xff) == 0;
  if (set)
    shared_fill(c->m, c->class, &c->k, &c->l, &to.targets[0], bytes,
                zero ? HD_FILL_ZERO : HD_FILL_ANY);
  else
    shared_copy(c->m, c->class, &c->k, &c->l, &to.targets[0], &from.targets[0],
                bytes);
  go_on_with(c, whole);
}

static void begin_atomic(action *c, bool enters) {
  note_wait(c->m, c->class, &c->k, ATOMIC, c->edge);
  if (!(c->k.held & bit(ATOMIC)))
    take_guarded(c->m, c->class, &c->k, &c->l, ATOMIC);
  c->k.held |= bit(ATOMIC);
  if (enters)
    set_phase(c, PHASE_ENTER);
  else
    go_on(c, false);
}

/* What a lock and the like is in has to be memory, all of it. */
static void check_place(const action *c) {
  for (uint32_t i = 1; c->fn != HD_LIB_NONE && i < c->e->n_operands; i++) {
    hd_library_kind kind;
    if (hd_library_place(c->fn, i - 1, &kind) == HD_PLACE_NONE)
      continue;
    uint32_t bytes = hd_library_place_bytes(kind, c->m->a.code->pointer_width);
    hd_value place = operand(c, i), valid;
    if (place.wild ||
        !access_targets(&c->m->a, &c->l, c->edge, &place, bytes, &valid))
      analysis_alarm(&c->m->a, HD_PROPERTY_MEMORY, c->edge, HD_NO_ID,
                     "what this is called with may be no memory");
  }
}

/* What is there is a lock, a semaphore …: made, ended, taken, given back. */
static void place(action *c) {
  hd_action does = hd_library_action(c->fn);
  switch (hd_library_kind_of(c->fn)) {
  case HD_LIBRARY_MUTEX:
  case HD_LIBRARY_SPIN:
  case HD_LIBRARY_RWLOCK:
    lock(c);
    return;
  case HD_LIBRARY_SEM:
    semaphore(c);
    return;
  case HD_LIBRARY_BARRIER:
    if (does == HD_DO_MAKE)
      barrier(c);
    else
      give(c, 0);
    return;
  default:
    assert(hd_library_kind_of(c->fn) == HD_LIBRARY_COND);
    if (does == HD_DO_MAKE && !make(c))
      return;
    give(c, 0);
  }
}

/* What library.c says is visible. */
static void call(action *c) {
  check_place(c);
  switch (hd_library_action(c->fn)) {
  case HD_DO_NONE: /* an atomic function */
    begin_atomic(c, true);
    return;
  case HD_DO_ENTER:
    begin_atomic(c, false);
    return;
  case HD_DO_LEAVE:
    let_go(c, ATOMIC);
    go_on(c, false);
    return;
  case HD_DO_COPY:
  case HD_DO_FILL:
    block(c);
    return;
  case HD_DO_SPAWN:
    create(c);
    return;
  case HD_DO_JOIN:
    join(c);
    return;
  case HD_DO_DETACH:
    give(c, 0);
    return;
  case HD_DO_MAKE:
  case HD_DO_UNMAKE:
  case HD_DO_ACQUIRE:
  case HD_DO_RELEASE:
  case HD_DO_PEEK:
    place(c);
    return;
  case HD_DO_PARK:
    condition(c);
    return;
  case HD_DO_MEET:
    meet(c);
    return;
  case HD_DO_ONCE:
    once(c);
    return;
  case HD_DO_WAKE: /* nobody notices */
  case HD_DO_REFUSED:
  case HD_DO_INPUT:
  case HD_DO_ASSUME:
  case HD_DO_ASSERT:
  case HD_DO_FAIL:
  case HD_DO_QUIT:
  case HD_DO_SELF:
  case HD_DO_SAME:
  case HD_DO_TUNE:
  case HD_DO_CANCEL:
  case HD_DO_MEND:
  case HD_DO_KEY:
  case HD_DO_CLEANUP:
  case HD_DO_ALLOC:
  case HD_DO_RESIZE:
  case HD_DO_FREE:
  case HD_DO_LOOK:
  case HD_DO_EDIT:
  case HD_DO_PARSE:
  case HD_DO_SORT:
  case HD_DO_COMPUTE:
  case HD_DO_PRINT:
  case HD_DO_WRITE:
  case HD_DO_ATOMIC:
  case HD_DO_ATTR_MAKE:
  case HD_DO_ATTR_END:
  case HD_DO_ATTR_SET:
  case HD_DO_ATTR_GET:
  case HD_DO_BIRTH:
  case HD_DO_DEATH:
  case HD_DO_STACK:
  case HD_DO_YIELD:
  case HD_DO_SLEEP:
  case HD_DO_CLOCK:
  case HD_DO_SEED:
  case HD_DO_HOST:
  case HD_DO_REGION:
  case HD_DO_END:
  case HD_DO_ABORT:
  case HD_DO_UNREACHABLE:
  case HD_DO_AT_END:
  case HD_DO_MPI:
    break;
  }
  refuse_call(c);
}

static hd_library_fn callee(const action *c) {
  hd_value v = operand(c, 0);
  hd_object object;
  int64_t offset;
  if (!hd_value_is_address(&v, &object, &offset))
    return HD_LIB_NONE;
  return c->m->a.library[c->m->a.objects.items[object].key.what];
}

void act(modular *m, const node *n, afters *out) {
  action c = {.m = m,
              .class = n->class,
              .edge = n->edge,
              .e = n->edge == HD_NO_ID ? NULL : &m->a.code->edges.data[n->edge],
              .l = local_copy(&n->state),
              .k = known_copy(&n->known),
              .out = out};
  if (!c.e) {
    finish(&c, n);
  } else if (c.e->act == HD_CODE_RETURN) {
    if (c.l.top->guard == GUARD_ATOMIC)
      let_go(&c, ATOMIC);
    set_phase(&c, PHASE_LEAVE);
  } else if (c.e->act == HD_CODE_CALL) {
    c.fn = callee(&c);
    call(&c);
  } else {
    memory(&c);
  }
  note_deeds(m, c.class, &n->known, &c.seen);
  hd_vec_free(&c.seen);
  local_free(&c.l);
  known_free(&c.k);
}
