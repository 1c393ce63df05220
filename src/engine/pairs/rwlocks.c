/* SPDX-License-Identifier: MIT */
/* Read-write locks: a bit for who writes, a number of those who read. */
#include "engine/pairs/translate.h"

#include <assert.h>

/* The number stands behind the bit, in the bytes of the lock. */
enum { READERS_AT = 8 };

static bool find_one(ptranslator *tr, ppath *p, hd_edge_id edge, pvalue address,
                     uint8_t width, uint32_t *index) {
  const pcell *cell = hd_pairs_find_cell(tr, p, edge, address, width, true);
  if (!cell || tr->refused || p->ended)
    return false;
  if (!cell->shared) {
    hd_pairs_refuse(tr, edge, "a read-write lock of one thread");
    return false;
  }
  *index = cell->var;
  return true;
}

static bool find(ptranslator *tr, ppath *p, hd_edge_id edge, prwlock *lock) {
  pterms *t = tr->system->terms;
  pvalue writer = hd_pairs_arg(tr, p, edge, 0), readers = writer;
  if (tr->refused || writer.object == HD_NO_ID ||
      !hd_pairs_is_plain(tr, writer)) {
    hd_pairs_refuse(tr, edge, "a lock of a special kind");
    return false;
  }
  readers.bits = hd_pairs_term_apply(
      t, HD_BV_ADD, writer.bits,
      hd_pairs_term_const(t, tr->code->pointer_width, READERS_AT));
  if (!find_one(tr, p, edge, writer, 1, &lock->writer) ||
      !find_one(tr, p, edge, readers, 32, &lock->readers))
    return false;
  for (hd_vec_each(const prwlock, l, &tr->system->rwlocks))
    if (l->writer == lock->writer)
      return true;
  hd_vec_push(&tr->system->rwlocks, *lock);
  return true;
}

static pvar var(uint32_t index) {
  return (pvar){.owner = OF_ALL, .index = index};
}

static pterm now(ptranslator *tr, ppath *p, uint32_t index) {
  return hd_pairs_read_var(tr, p, var(index), false).bits;
}

static void set(ptranslator *tr, ppath *p, uint32_t index, pterm value) {
  hd_pairs_write_var(tr, p, var(index), hd_pairs_number(value));
}

static pterm one_more(ptranslator *tr, pterm readers, bool less) {
  pterms *t = tr->system->terms;
  return hd_pairs_term_apply(t, less ? HD_BV_SUB : HD_BV_ADD, readers,
                             hd_pairs_term_const(t, 32, 1));
}

static void acquire(ptranslator *tr, ppath *p, hd_edge_id edge,
                    hd_library_fn fn, prwlock lock) {
  pterms *t = tr->system->terms;
  bool shared = hd_library_is(fn, HD_CALL_SHARED);
  pterm readers = now(tr, p, lock.readers),
        none = hd_pairs_term_const(t, 32, 0);
  pterm ready = hd_pairs_term_not(t, now(tr, p, lock.writer));
  pterm most = hd_pairs_term_const(t, 32, INT32_MAX);
  ready = hd_pairs_term_and(
      t, ready,
      shared ? hd_pairs_term_apply(t, HD_BV_ULT, readers, most)
             : hd_pairs_term_apply(t, HD_BV_EQ, readers, none));
  if (hd_library_is(fn, HD_CALL_TIMED | HD_CALL_TRIES)) {
    /* A reader may also fail because a writer waits. */
    hd_pairs_fork_failure(tr, p, edge, hd_pairs_term_const(t, 1, 1));
    hd_pairs_add_guard(tr, p, ready);
  } else {
    hd_pairs_wait_until(tr, p, edge, ready);
  }
  if (shared)
    set(tr, p, lock.readers, one_more(tr, readers, false));
  else
    set(tr, p, lock.writer, hd_pairs_term_const(t, 1, 1));
}

/* By who writes, if somebody does; else by a reader. */
static void release(ptranslator *tr, ppath *p, hd_edge_id edge, prwlock lock) {
  pterms *t = tr->system->terms;
  uint64_t zero = 0;
  pterm writes = now(tr, p, lock.writer), readers = now(tr, p, lock.readers);
  hd_pairs_demand(
      tr, p, edge,
      hd_pairs_term_apply(t, HD_BV_OR, writes, hd_pairs_truth(tr, readers)),
      "a lock that nobody holds is released");
  ppath other;
  hd_pairs_path_copy(&other, p);
  hd_pairs_add_guard(tr, &other, writes);
  if (!other.ended) {
    set(tr, &other, lock.writer, hd_pairs_term_const(t, 1, 0));
    hd_pairs_go_on(tr, &other, edge, &zero);
    hd_pairs_follow(tr, &other);
  }
  hd_pairs_path_free(&other);
  hd_pairs_add_guard(tr, p, hd_pairs_term_not(t, writes));
  if (!p->ended)
    set(tr, p, lock.readers, one_more(tr, readers, true));
}

void hd_pairs_rwlock(ptranslator *tr, ppath *p, hd_edge_id edge,
                     hd_library_fn fn) {
  prwlock lock;
  uint64_t zero = 0, k;
  if (!find(tr, p, edge, &lock))
    return;
  hd_action action = hd_library_action(fn);
  if (action == HD_DO_ACQUIRE) {
    acquire(tr, p, edge, fn, lock);
  } else if (action == HD_DO_RELEASE) {
    release(tr, p, edge, lock);
  } else if (action == HD_DO_MAKE) {
    pvalue how = hd_pairs_arg(tr, p, edge, 1);
    if (how.object != HD_NO_ID ||
        !hd_pairs_term_is_const(tr->system->terms, how.bits, &k) || k)
      hd_pairs_refuse(tr, edge, "a special kind of lock");
    set(tr, p, lock.writer, hd_pairs_term_const(tr->system->terms, 1, 0));
    set(tr, p, lock.readers, hd_pairs_term_const(tr->system->terms, 32, 0));
  } else {
    assert(action == HD_DO_UNMAKE);
  }
  if (!p->ended)
    hd_pairs_go_on(tr, p, edge, &zero);
}
