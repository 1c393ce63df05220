/* SPDX-License-Identifier: MIT */
/* Mutexes, spin locks, read-write locks, semaphores. A lock is a bit: somebody has
 * it, to write; a read-write lock also a number of those who read, a semaphore a
 * number alone. What a request does in which of these states says model/lock.h;
 * here the states become conditions. Who has a lock is not known. */
#include "engine/pairs/translate.h"
#include "model/lock.h"

#include <assert.h>

/* The number stands behind the bit, in the bytes of the lock. */
enum { READERS_AT = 8 };

/* Sets of states. A semaphore is HELD where the request meets its bound. */
enum { FREE = 1, READ = 2, HELD = 4 };

typedef struct {
  hd_lock_kind kind;
  pvar bit;
  pvar number;    /* RW: readers; SEM: how many there are */
  uint32_t index; /* RW: into system->rwlocks */
  uint32_t bound; /* SEM */
} plock;

/* In which states what may happen. */
typedef struct {
  unsigned done, fails, waits, wrong;
} pchances;

/* --- where it is --- */

bool hd_pairs_is_plain(const ptranslator *tr, pvalue address) {
  assert(address.object < tr->objects.size);
  const pobject *o = &tr->objects.data[address.object];
  uint64_t at = 0;
  if (o->sort != IS_GLOBAL ||
      !hd_pairs_term_is_const(tr->system->terms, address.bits, &at))
    return true;
  const hd_global *g = &tr->code->globals.data[o->id];
  for (uint64_t i = at; g->bytes && i < g->size && i < at + 24; i++)
    if (g->bytes[i])
      return false;
  return true;
}

static bool find_cell(ptranslator *tr, ppath *p, hd_edge_id edge,
                      pvalue address, uint8_t width, pvar *var) {
  const pcell *cell = hd_pairs_find_cell(tr, p, edge, address, width, true);
  if (!cell)
    return false;
  *var = (pvar){.owner = cell->shared ? OF_ALL : OF_FIRST, .index = cell->var};
  return true;
}

static uint32_t rwlock_number(psystem *s, prwlock lock) {
  assert(lock.writer != lock.readers);
  for (uint32_t i = 0; i < s->rwlocks.size; i++)
    if (s->rwlocks.data[i].writer == lock.writer)
      return i;
  hd_vec_push(&s->rwlocks, lock);
  return (uint32_t)s->rwlocks.size - 1;
}

static bool find_rwlock(ptranslator *tr, ppath *p, hd_edge_id edge,
                        pvalue address, plock *lock) {
  pterms *t = tr->system->terms;
  pvalue readers = address;
  readers.bits = hd_pairs_term_apply(
      t, HD_BV_ADD, address.bits,
      hd_pairs_term_const(t, tr->code->pointer_width, READERS_AT));
  if (!find_cell(tr, p, edge, address, 1, &lock->bit) ||
      !find_cell(tr, p, edge, readers, 32, &lock->number) || tr->refused ||
      p->ended)
    return false;
  if (lock->bit.owner != OF_ALL || lock->number.owner != OF_ALL) {
    hd_pairs_refuse(tr, edge, "a read-write lock of one thread");
    return false;
  }
  prwlock both = {.writer = lock->bit.index, .readers = lock->number.index};
  lock->index = rwlock_number(tr->system, both);
  return true;
}

/* The lock that argument `i` points to; false: after refusing, or the path has
 * ended. */
static bool find_lock(ptranslator *tr, ppath *p, hd_edge_id edge, uint32_t i,
                      hd_lock_kind kind, plock *lock) {
  pvalue address = hd_pairs_arg(tr, p, edge, i);
  *lock = (plock){.kind = kind};
  if (tr->refused)
    return false;
  if (kind == HD_LOCK_RW && address.object == HD_NO_ID) {
    hd_pairs_refuse(tr, edge, "a lock of a special kind");
    return false;
  }
  bool found =
      kind == HD_LOCK_RW
          ? find_rwlock(tr, p, edge, address, lock)
          : find_cell(tr, p, edge, address, kind == HD_LOCK_SEM ? 32 : 1,
                      kind == HD_LOCK_SEM ? &lock->number : &lock->bit);
  if (found && !hd_pairs_is_plain(tr, address))
    hd_pairs_refuse(tr, edge, "a lock of a special kind");
  return found;
}

static pterm now(ptranslator *tr, ppath *p, pvar var) {
  return hd_pairs_read_var(tr, p, var, false).bits;
}

static void set(ptranslator *tr, ppath *p, pvar var, pterm value) {
  hd_pairs_write_var(tr, p, var, hd_pairs_number(value));
}

static void set_bit(ptranslator *tr, ppath *p, const plock *lock, bool held) {
  assert(lock->kind != HD_LOCK_SEM);
  set(tr, p, lock->bit, hd_pairs_term_const(tr->system->terms, 1, held));
}

/* --- its states, as conditions --- */

/* Of a read-write lock. */
static pterm when_rw(ptranslator *tr, ppath *p, const plock *lock,
                     unsigned states) {
  assert(lock->kind == HD_LOCK_RW && states);
  pterms *t = tr->system->terms;
  pterm writes = now(tr, p, lock->bit), readers = now(tr, p, lock->number);
  if (states == (READ | HELD))
    return hd_pairs_term_apply(t, HD_BV_OR, writes,
                               hd_pairs_truth(tr, readers));
  if (states == HELD)
    return writes;
  assert(!(states & HELD));
  pterm not_written = hd_pairs_term_not(t, writes);
  if (states == (FREE | READ))
    return not_written;
  pterm none =
      hd_pairs_term_apply(t, HD_BV_EQ, readers, hd_pairs_term_const(t, 32, 0));
  return hd_pairs_term_and(t, not_written,
                           states == FREE ? none : hd_pairs_term_not(t, none));
}

static pterm is_held(ptranslator *tr, ppath *p, const plock *lock) {
  pterms *t = tr->system->terms;
  if (lock->kind != HD_LOCK_SEM)
    return now(tr, p, lock->bit);
  pterm number = now(tr, p, lock->number);
  return lock->bound
             ? hd_pairs_term_apply(t, HD_BV_EQ, number,
                                   hd_pairs_term_const(t, 32, lock->bound))
             : hd_pairs_term_not(t, hd_pairs_truth(tr, number));
}

/* Is it in one of these states? */
static pterm when(ptranslator *tr, ppath *p, const plock *lock,
                  unsigned states) {
  pterms *t = tr->system->terms;
  unsigned all = lock->kind == HD_LOCK_RW ? FREE | READ | HELD : FREE | HELD;
  assert(!(states & ~all));
  if (!states || states == all)
    return hd_pairs_term_const(t, 1, states != 0);
  if (lock->kind == HD_LOCK_RW)
    return when_rw(tr, p, lock, states);
  pterm held = is_held(tr, p, lock);
  return states == HELD ? held : hd_pairs_term_not(t, held);
}

/* Who has a lock may be this thread or another; of a read-write lock that is
 * asked for it is another, which hd_pairs_check_rwlocks sees to. */
static hd_lock_view view_of(const plock *lock, unsigned state,
                            hd_lock_request r) {
  hd_lock_view view = {.kinds = 1u << lock->kind,
                       .owners = 1u << HD_OWNER_NOBODY,
                       .others_may_read = state == READ,
                       .count = state == HELD ? lock->bound : 1};
  bool asked = lock->kind == HD_LOCK_RW && r.action == HD_DO_ACQUIRE;
  if (state == HELD)
    view.owners = 1u << HD_OWNER_OTHER | (unsigned)!asked << HD_OWNER_ME;
  view.depth = state != FREE;
  return view;
}

static pchances ask(const plock *lock, hd_lock_request r) {
  pchances all = {0};
  for (unsigned state = FREE; state <= HELD; state *= 2) {
    if (state == READ && lock->kind != HD_LOCK_RW)
      continue;
    hd_lock_view view = view_of(lock, state, r);
    hd_lock_answers a = hd_lock_ask_any(&view, r);
    if (hd_lock_may(&a, HD_LOCK_DONE))
      all.done |= state;
    else if (hd_lock_may(&a, HD_LOCK_WRONG))
      all.wrong |= state;
    if (hd_lock_may(&a, HD_LOCK_FAILS) || hd_lock_may(&a, HD_LOCK_LATE))
      all.fails |= state;
    if (hd_lock_may(&a, HD_LOCK_WAITS) || hd_lock_may(&a, HD_LOCK_STUCK))
      all.waits |= state;
  }
  assert(all.done | all.fails | all.waits | all.wrong);
  assert(!(all.done & all.wrong)); /* what is not defined is not done */
  return all;
}

/* --- requests --- */

void hd_pairs_wait_until(ptranslator *tr, ppath *p, hd_edge_id edge,
                         pterm ready) {
  uint64_t k;
  if (p->atomic && !(hd_pairs_term_is_const(tr->system->terms, ready, &k) && k))
    hd_pairs_refuse(tr, edge, "a thread may wait in an atomic section");
  hd_pairs_add_guard(tr, p, ready);
}

static void add(ptranslator *tr, ppath *p, pvar number, bool less) {
  pterms *t = tr->system->terms;
  set(tr, p, number,
      hd_pairs_term_apply(t, less ? HD_BV_SUB : HD_BV_ADD, now(tr, p, number),
                          hd_pairs_term_const(t, 32, 1)));
}

/* The path goes on where it is done; those on which it fails are followed. */
static void choose(ptranslator *tr, ppath *p, hd_edge_id edge,
                   const plock *lock, pchances may, bool loose) {
  pterm ready = when(tr, p, lock, may.done);
  if (may.fails || loose)
    hd_pairs_fork_failure(tr, p, edge,
                          loose ? hd_pairs_term_const(tr->system->terms, 1, 1)
                                : when(tr, p, lock, may.fails));
  if (may.waits)
    hd_pairs_wait_until(tr, p, edge, ready);
  else
    hd_pairs_add_guard(tr, p, ready);
}

static void note_asked(ptranslator *tr, const ppath *p, hd_edge_id edge,
                       const plock *lock) {
  assert(lock->kind == HD_LOCK_RW);
  assert(lock->index < tr->system->rwlocks.size);
  passked x = {.place = p->from, .lock = lock->index, .edge = edge};
  hd_vec_push(&tr->asked, x);
}

static void acquire(ptranslator *tr, ppath *p, hd_edge_id edge, plock *lock,
                    hd_lock_request r, bool loose) {
  lock->bound = 0;
  choose(tr, p, edge, lock, ask(lock, r), loose);
  if (lock->kind == HD_LOCK_SEM) {
    add(tr, p, lock->number, true);
    return;
  }
  if (lock->kind == HD_LOCK_RW && !r.tries && !r.timed)
    note_asked(tr, p, edge, lock);
  if (!r.shared) {
    set_bit(tr, p, lock, true);
    return;
  }
  pterms *t = tr->system->terms;
  hd_pairs_add_guard(
      tr, p,
      hd_pairs_term_apply(t, HD_BV_ULT, now(tr, p, lock->number),
                          hd_pairs_term_const(t, 32, INT32_MAX)));
  add(tr, p, lock->number, false);
}

/* By who writes, if somebody does; else by a reader. */
static void release_rw(ptranslator *tr, ppath *p, hd_edge_id edge,
                       const plock *lock) {
  assert(lock->kind == HD_LOCK_RW);
  uint64_t zero = 0;
  ppath other;
  hd_pairs_path_copy(&other, p);
  hd_pairs_add_guard(tr, &other, when(tr, p, lock, HELD));
  if (!other.ended) {
    set_bit(tr, &other, lock, false);
    hd_pairs_go_on(tr, &other, edge, &zero);
    hd_pairs_follow(tr, &other);
  }
  hd_pairs_path_free(&other);
  hd_pairs_add_guard(tr, p, when(tr, p, lock, FREE | READ));
  if (!p->ended)
    add(tr, p, lock->number, true);
}

static void release(ptranslator *tr, ppath *p, hd_edge_id edge, plock *lock) {
  lock->bound = INT32_MAX;
  pchances may = ask(lock, (hd_lock_request){.action = HD_DO_RELEASE});
  if (may.wrong)
    hd_pairs_demand(tr, p, edge, when(tr, p, lock, may.done),
                    "a lock that nobody holds is released");
  if (may.fails)
    choose(tr, p, edge, lock, may, false);
  if (lock->kind == HD_LOCK_RW)
    release_rw(tr, p, edge, lock);
  else if (lock->kind == HD_LOCK_SEM)
    add(tr, p, lock->number, false);
  else
    set_bit(tr, p, lock, false);
}

/* Of a mutex that is held glibc says so. */
static void unmake(ptranslator *tr, ppath *p, hd_edge_id edge,
                   const plock *lock) {
  pchances may = ask(lock, (hd_lock_request){.action = HD_DO_UNMAKE});
  if (lock->kind != HD_LOCK_NORMAL)
    return;
  may.fails = may.wrong;
  choose(tr, p, edge, lock, may, false);
}

/* --- making --- */

static void set_up_semaphore(ptranslator *tr, ppath *p, hd_edge_id edge,
                             const plock *lock) {
  pterms *t = tr->system->terms;
  pvalue count = hd_pairs_arg(tr, p, edge, 2);
  if (count.object != HD_NO_ID)
    hd_pairs_refuse(tr, edge, "sem_init: an address as a number");
  pterm large = hd_pairs_term_apply(t, HD_BV_SLT, count.bits,
                                    hd_pairs_term_const(t, 32, 0));
  hd_pairs_fork_failure(tr, p, edge, large);
  hd_pairs_add_guard(tr, p, hd_pairs_term_not(t, large));
  hd_pairs_write_var(tr, p, lock->number, count);
}

static void set_up(ptranslator *tr, ppath *p, hd_edge_id edge,
                   const plock *lock, hd_library_fn fn) {
  uint64_t kind = 0;
  if (lock->kind == HD_LOCK_SEM) {
    set_up_semaphore(tr, p, edge, lock);
    return;
  }
  if (lock->kind != HD_LOCK_SPIN) {
    pvalue how = hd_pairs_arg(tr, p, edge, 1);
    if (how.object != HD_NO_ID ||
        !hd_pairs_term_is_const(tr->system->terms, how.bits, &kind) || kind)
      hd_pairs_refuse(tr, edge, "%s: a special kind of lock",
                      hd_library_name(fn));
  }
  set_bit(tr, p, lock, false);
  if (lock->kind == HD_LOCK_RW)
    set(tr, p, lock->number, hd_pairs_term_const(tr->system->terms, 32, 0));
}

/* --- all --- */

static hd_lock_kind kind_of(hd_library_fn fn) {
  hd_library_kind kind = hd_library_kind_of(fn);
  if (kind == HD_LIBRARY_SPIN)
    return HD_LOCK_SPIN;
  if (kind == HD_LIBRARY_RWLOCK)
    return HD_LOCK_RW;
  if (kind == HD_LIBRARY_SEM)
    return HD_LOCK_SEM;
  assert(kind == HD_LIBRARY_MUTEX);
  return HD_LOCK_NORMAL;
}

void hd_pairs_lock(ptranslator *tr, ppath *p, hd_edge_id edge,
                   hd_library_fn fn) {
  plock lock;
  uint64_t zero = 0;
  hd_action does = hd_library_action(fn);
  if (!find_lock(tr, p, edge, 0, kind_of(fn), &lock))
    return;
  /* A reader may also fail because a writer waits. */
  bool loose = hd_library_is(fn, HD_CALL_TIMED | HD_CALL_LOOSE) ||
               (lock.kind == HD_LOCK_RW && hd_library_is(fn, HD_CALL_TRIES));
  if (does == HD_DO_ACQUIRE)
    acquire(tr, p, edge, &lock, hd_lock_request_of(fn), loose);
  else if (does == HD_DO_RELEASE)
    release(tr, p, edge, &lock);
  else if (does == HD_DO_MAKE)
    set_up(tr, p, edge, &lock, fn);
  else
    unmake(tr, p, edge, &lock);
  if (!p->ended)
    hd_pairs_go_on(tr, p, edge, &zero);
}

void hd_pairs_wait(ptranslator *tr, ppath *p, hd_edge_id edge,
                   hd_library_fn fn) {
  plock lock;
  uint64_t zero = 0;
  if (p->atomic) {
    hd_pairs_refuse(tr, edge, "%s in an atomic section", hd_library_name(fn));
    return;
  }
  if (!find_lock(tr, p, edge, 1, HD_LOCK_NORMAL, &lock))
    return;
  if (p->phase == 0) {
    release(tr, p, edge, &lock);
    p->phase = 1;
    if (!p->ended)
      hd_pairs_finish(tr, p);
    p->ended = true;
    return;
  }
  acquire(tr, p, edge, &lock, (hd_lock_request){.action = HD_DO_ACQUIRE},
          false);
  hd_pairs_go_on(tr, p, edge, hd_library_is(fn, HD_CALL_TIMED) ? NULL : &zero);
}

/* --- who asks for what it has --- */

/* Does the step set it to this? */
static bool sets(const psystem *s, const pstep *step, uint32_t var,
                 uint64_t value) {
  uint64_t k;
  for (hd_vec_each(const passign, a, &step->sets))
    if (a->var.owner == OF_ALL && a->var.index == var)
      return hd_pairs_term_is_const(s->terms, a->term, &k) && k == value;
  return false;
}

static bool touches(const pstep *step, uint32_t var) {
  for (hd_vec_each(const passign, a, &step->sets))
    if (a->var.owner == OF_ALL && a->var.index == var)
      return true;
  return false;
}

/* May a thread have it to write, behind the step? */
static bool has_behind(const psystem *s, const pstep *step, prwlock lock,
                       const uint8_t *has) {
  assert(step->from < s->places.size);
  if (sets(s, step, lock.writer, 1))
    return true;
  return has[step->from] && !sets(s, step, lock.writer, 0) &&
         !touches(step, lock.readers); /* where somebody reads, nobody writes */
}

/* The places at which a thread may have the lock to write. */
static uint8_t *who_writes(const psystem *s, prwlock lock) {
  uint8_t *has = hd_calloc(s->places.size, 1);
  for (bool changed = true; changed;) {
    changed = false;
    for (hd_vec_each(const pstep, step, &s->steps))
      if (!step->fails && step->to != UNBORN && !has[step->to] &&
          has_behind(s, step, lock, has))
        has[step->to] = changed = true;
  }
  return has;
}

void hd_pairs_check_rwlocks(ptranslator *tr) {
  const psystem *s = tr->system;
  for (uint32_t i = 0; i < s->rwlocks.size; i++) {
    uint8_t *has = who_writes(s, s->rwlocks.data[i]);
    assert(!has[UNBORN]); /* who is not there has nothing */
    for (hd_vec_each(const passked, x, &tr->asked))
      if (x->lock == i && has[x->place])
        hd_pairs_refuse(tr, x->edge,
                        "a read-write lock is asked for by who may write");
    hd_free(has);
  }
}
