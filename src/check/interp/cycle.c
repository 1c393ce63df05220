/* SPDX-License-Identifier: MIT */
/* Threads that wait for each other while others go on: each waits for a lock or
 * for the end of a thread, and who would have to give it waits, too, or has ended
 * with the lock. What nobody in particular has to give (a semaphore, a signal)
 * is another matter: check/interp/stuck.h. */
#include "check/interp/lib.h"

#include "check/interp/sync.h"

typedef struct {
  const hd_machine *m;
  uint8_t *colors; /* 0 new, 1 on the way, 2 goes on */
  hd_vec(hd_tid) way;
  hd_tid closed; /* the one the way comes back to; HD_NO_ID = it does not */
} walk;

static bool waits_for_ever(walk *w, hd_tid tid);

static bool is_given_by(walk *w, hd_tid owner) {
  return owner != HD_NO_ID && waits_for_ever(w, owner);
}

static bool lock_is_kept(walk *w, uint64_t address, hd_sync_kind kind) {
  return is_given_by(w, hd_sync_peek(w->m, address, kind).owner);
}

/* For writing: one reader that never leaves is enough. */
static bool is_read_for_ever(walk *w, hd_tid tid, uint64_t address) {
  for (hd_vec_each(const hd_lock_reader, r, &w->m->syncs->readers))
    if (r->address == address && r->thread != tid && is_given_by(w, r->thread))
      return true;
  return false;
}

/* For reading: a writer that goes first and never gets there. */
static bool is_awaited_for_ever(walk *w, uint64_t address) {
  for (hd_tid i = 0; i < w->m->threads.size; i++) {
    const hd_thread *t = hd_thread_of(w->m, i);
    if (t->wait == HD_WAIT_WRITER && t->object == address &&
        waits_for_ever(w, i))
      return true;
  }
  return false;
}

/* The call that the thread stands before, and cannot make. */
static bool call_waits(walk *w, const hd_thread *t) {
  uint64_t address;
  hd_library_fn fn = hd_thread_callee(w->m, t, NULL);
  if (fn == HD_LIB_NONE || hd_lib_ready(w->m, t) ||
      !hd_lib_arg(w->m, t, 0, &address))
    return false;
  switch (fn) {
  case HD_LIB_pthread_mutex_lock:
  case HD_LIB_mtx_lock:
    return lock_is_kept(w, address, HD_SYNC_MUTEX);
  case HD_LIB_pthread_spin_lock:
    return lock_is_kept(w, address, HD_SYNC_SPIN);
  case HD_LIB_pthread_rwlock_rdlock:
    return lock_is_kept(w, address, HD_SYNC_RWLOCK) ||
           is_awaited_for_ever(w, address);
  case HD_LIB_pthread_rwlock_wrlock:
    return lock_is_kept(w, address, HD_SYNC_RWLOCK) ||
           is_read_for_ever(w, t->id, address);
  case HD_LIB_pthread_once:
  case HD_LIB_call_once:
    return lock_is_kept(w, address, HD_SYNC_ONCE);
  case HD_LIB_pthread_join:
  case HD_LIB_thrd_join:
    return is_given_by(w, hd_lib_thread_of(w->m, address));
  default:
    return false;
  }
}

/* Of a thread that somebody waits for: one that has ended gives nothing more. */
static bool waits_for_ever(walk *w, hd_tid tid) {
  const hd_thread *t = hd_thread_of(w->m, tid);
  if (t->ended || w->colors[tid] == 1) {
    w->closed = t->ended ? HD_NO_ID : tid;
    return true;
  }
  if (w->colors[tid])
    return false;
  w->colors[tid] = 1;
  hd_vec_push(&w->way, tid);
  bool ever = t->wait == HD_WAIT_RELOCK
                  ? lock_is_kept(w, t->mutex, HD_SYNC_MUTEX)
              : t->wait == HD_WAIT_WRITER
                  ? !t->timed && (lock_is_kept(w, t->object, HD_SYNC_RWLOCK) ||
                                  is_read_for_ever(w, tid, t->object))
                  : t->wait == HD_WAIT_NONE && call_waits(w, t);
  if (!ever) {
    w->colors[tid] = 2;
    w->way.size--;
  }
  return ever;
}

/* Those that wait for each other; who only waits for them does not matter. */
static void add_circle(const walk *w, hd_violation *violation) {
  size_t i = 0;
  while (w->closed != HD_NO_ID && w->way.data[i] != w->closed)
    i++;
  for (; i < w->way.size; i++)
    hd_machine_add_wait(w->m, violation, w->way.data[i]);
}

void hd_machine_add_waits(const hd_machine *m, hd_violation *violation) {
  walk w = {.m = m, .colors = hd_calloc(m->threads.size, 1)};
  hd_tid n = (hd_tid)m->threads.size;
  for (hd_tid t = 0; t < n && !violation->n_waits; t++)
    if (!hd_thread_of(m, t)->ended && waits_for_ever(&w, t))
      add_circle(&w, violation);
  bool circle = violation->n_waits;
  for (hd_tid t = 0; t < n && !circle; t++)
    if (!hd_thread_of(m, t)->ended)
      hd_machine_add_wait(m, violation, t);
  hd_free(w.colors);
  hd_vec_free(&w.way);
}

static void report(hd_machine *m, const walk *w) {
  hd_str text = {0};
  for (hd_vec_each(const hd_tid, t, &w->way)) {
    hd_str_printf(&text, "%sthread %u waits at ", text.size ? ", " : "", *t);
    hd_edge_id edge = hd_thread_edge(hd_thread_of(m, *t));
    hd_code_print_pos(&text, m->plan->code,
                      m->plan->code->edges.data[edge].pos);
  }
  hd_str_puts(&text, ", while others go on");
  hd_violation violation = {.property = HD_PROPERTY_DEADLOCK,
                            .thread = w->way.data[0],
                            .other = HD_NO_ID,
                            .edge =
                                hd_thread_edge(hd_thread_of(m, w->way.data[0])),
                            .other_edge = HD_NO_ID,
                            .message = hd_str_take(&text)};
  add_circle(w, &violation);
  hd_machine_add_violation(m, violation);
}

/* Does the thread have a lock? */
static bool owns_any(const hd_machine *m, hd_tid tid) {
  for (hd_vec_each(const hd_sync, sync, &m->syncs->items))
    if (sync->owner == tid)
      return true;
  for (hd_vec_each(const hd_lock_reader, reader, &m->syncs->readers))
    if (reader->thread == tid)
      return true;
  return false;
}

/* Is there a thread that moves of others made wait for a lock? */
static bool anyone_made_wait(const hd_machine *m) {
  for (hd_tid t = 0; t < m->threads.size; t++) {
    uint8_t wait = hd_thread_of(m, t)->wait;
    if (wait == HD_WAIT_RELOCK || wait == HD_WAIT_WRITER)
      return true;
  }
  return false;
}

void hd_machine_find_cycle(hd_machine *m, hd_tid mover) {
  if (!hd_machine_runs(m) || !hd_plan_checks(m->plan, HD_PROPERTY_DEADLOCK))
    return;
  hd_tid n = (hd_tid)m->threads.size;
  /* A thread that waits now, or all that may wait for one that has ended: for a
   * lock that it has kept (who joins it can go on). */
  bool ended = hd_thread_of(m, mover)->ended;
  if (ended && !owns_any(m, mover) && !anyone_made_wait(m))
    return;
  walk w = {.m = m, .colors = hd_calloc(n, 1)};
  for (hd_tid t = ended ? 0 : mover; t < (ended ? n : mover + 1); t++)
    if (!hd_thread_of(m, t)->ended && waits_for_ever(&w, t)) {
      report(m, &w);
      break;
    }
  hd_free(w.colors);
  hd_vec_free(&w.way);
}
