/* SPDX-License-Identifier: MIT */
#include "model/lock.h"

#include <errno.h>

hd_lock_request hd_lock_request_of(hd_library_fn fn) {
  return (hd_lock_request){.action = hd_library_action(fn),
                           .shared = hd_library_is(fn, HD_CALL_SHARED),
                           .tries = hd_library_is(fn, HD_CALL_TRIES),
                           .timed = hd_library_is(fn, HD_CALL_TIMED),
                           .strict = hd_library_gives(fn) == HD_GIVES_STATUS};
}

hd_lock_kind hd_lock_mutex_kind(uint64_t bits) {
  static const hd_lock_kind kinds[4] = {HD_LOCK_NORMAL, HD_LOCK_RECURSIVE,
                                        HD_LOCK_CHECKED, HD_LOCK_NORMAL};
  return kinds[bits & 3];
}

static hd_lock_answer done(hd_lock after) {
  return (hd_lock_answer){.outcome = HD_LOCK_DONE, .after = after};
}

static hd_lock_answer fails(hd_lock lock, int error) {
  return (hd_lock_answer){
      .outcome = HD_LOCK_FAILS, .error = error, .after = lock};
}

static hd_lock_answer wrong(hd_lock lock) {
  return (hd_lock_answer){.outcome = HD_LOCK_WRONG, .after = lock};
}

static hd_lock_answer taken(hd_lock after) {
  hd_lock_answer answer = done(after);
  answer.learns = true;
  return answer;
}

static hd_lock_answer given(hd_lock after) {
  hd_lock_answer answer = done(after);
  answer.publishes = true;
  return answer;
}

/* It cannot be had now; `mine`: because of this very thread alone. */
static hd_lock_answer busy(hd_lock lock, hd_lock_request r, int error,
                           bool mine) {
  if (r.tries)
    return fails(lock, error);
  return (hd_lock_answer){.outcome = r.timed ? HD_LOCK_LATE
                                     : mine  ? HD_LOCK_STUCK
                                             : HD_LOCK_WAITS,
                          .error = r.timed ? ETIMEDOUT : 0,
                          .after = lock};
}

/* --- mutexes and spin locks --- */

static hd_lock_answer lock_mutex(hd_lock lock, hd_lock_request r) {
  bool mine = lock.owner == HD_OWNER_ME;
  assert(mine == (lock.depth > 0));
  if (mine && lock.kind == HD_LOCK_CHECKED && !r.tries)
    return fails(lock, EDEADLK);
  if (lock.owner != HD_OWNER_NOBODY &&
      !(mine && lock.kind == HD_LOCK_RECURSIVE))
    return busy(lock, r, EBUSY, mine);
  lock.owner = HD_OWNER_ME;
  lock.depth++;
  return taken(lock);
}

static hd_lock_answer unlock_mutex(hd_lock lock, bool strict) {
  bool checked = lock.kind == HD_LOCK_CHECKED || lock.kind == HD_LOCK_RECURSIVE;
  if (lock.owner != HD_OWNER_ME)
    return checked && !strict ? fails(lock, EPERM) : wrong(lock);
  assert(lock.depth > 0);
  if (--lock.depth)
    return done(lock);
  lock.owner = HD_OWNER_NOBODY;
  return given(lock);
}

/* --- read-write locks --- */

static hd_lock_answer lock_rw(hd_lock lock, hd_lock_request r) {
  bool read = lock.depth || lock.others_read;
  assert(lock.owner == HD_OWNER_NOBODY || !read);
  if (lock.owner == HD_OWNER_ME)
    return fails(lock, r.tries ? EBUSY : EDEADLK);
  if (lock.owner == HD_OWNER_OTHER || (!r.shared && read))
    return busy(lock, r, EBUSY, lock.depth && !lock.others_read);
  if (r.shared)
    lock.depth++;
  else
    lock.owner = HD_OWNER_ME;
  return taken(lock);
}

static hd_lock_answer unlock_rw(hd_lock lock) {
  if (lock.owner == HD_OWNER_ME)
    lock.owner = HD_OWNER_NOBODY;
  else if (lock.depth)
    lock.depth--;
  else
    return wrong(lock);
  return given(lock);
}

/* --- semaphores --- */

static hd_lock_answer take_one(hd_lock lock, hd_lock_request r) {
  if (!lock.count)
    return busy(lock, r, EAGAIN, false);
  lock.count--;
  return taken(lock);
}

static hd_lock_answer give_one(hd_lock lock) {
  if (lock.count == INT32_MAX)
    return fails(lock, EOVERFLOW);
  lock.count++;
  return given(lock);
}

/* --- all --- */

static hd_lock_answer acquire(hd_lock lock, hd_lock_request r) {
  return lock.kind == HD_LOCK_RW    ? lock_rw(lock, r)
         : lock.kind == HD_LOCK_SEM ? take_one(lock, r)
                                    : lock_mutex(lock, r);
}

static hd_lock_answer release(hd_lock lock, hd_lock_request r) {
  return lock.kind == HD_LOCK_RW    ? unlock_rw(lock)
         : lock.kind == HD_LOCK_SEM ? give_one(lock)
                                    : unlock_mutex(lock, r.strict);
}

hd_lock_answer hd_lock_ask(hd_lock lock, hd_lock_request request) {
  assert(lock.kind < HD_LOCK_KINDS);
  assert(!(request.tries && request.timed));
  if (request.action == HD_DO_ACQUIRE)
    return acquire(lock, request);
  if (request.action == HD_DO_RELEASE)
    return release(lock, request);
  assert(request.action == HD_DO_UNMAKE);
  bool held =
      lock.owner != HD_OWNER_NOBODY || lock.depth > 0 || lock.others_read;
  return held || lock.awaited ? wrong(lock) : done(lock);
}

/* --- where not all is known of a lock --- */

static void note_error(hd_lock_answers *all, int error) {
  uint32_t i = 0;
  while (i < HD_LOCK_ERRORS && all->errors[i] && all->errors[i] != error)
    i++;
  assert(i < HD_LOCK_ERRORS && error > 0);
  all->errors[i] = error;
}

static void add(hd_lock_answers *all, hd_lock lock, hd_lock_request request) {
  hd_lock_answer a = hd_lock_ask(lock, request);
  bool first = !hd_lock_may(all, HD_LOCK_DONE);
  all->outcomes |= 1u << a.outcome;
  if (a.outcome == HD_LOCK_FAILS || a.outcome == HD_LOCK_LATE)
    note_error(all, a.error);
  /* What is certain is that it is not held more often. */
  if (a.outcome == HD_LOCK_DONE && (first || a.after.depth < all->after.depth))
    all->after = a.after;
}

static void ask_mutex(hd_lock_answers *all, const hd_lock_view *view,
                      hd_lock_kind kind, hd_lock_request request) {
  for (hd_owner o = HD_OWNER_NOBODY; o <= HD_OWNER_OTHER; o++)
    if (view->owners >> o & 1)
      add(all,
          (hd_lock){.kind = kind,
                    .owner = o,
                    .depth = o == HD_OWNER_ME ? view->depth : 0},
          request);
}

static void ask_rw(hd_lock_answers *all, const hd_lock_view *view,
                   hd_lock_request request) {
  for (hd_owner o = HD_OWNER_ME; o <= HD_OWNER_OTHER; o++)
    if (view->owners >> o & 1)
      add(all, (hd_lock){.kind = HD_LOCK_RW, .owner = o}, request);
  if (!(view->owners >> HD_OWNER_NOBODY & 1))
    return;
  for (unsigned more = 0; more <= view->others_may_read; more++) {
    hd_lock lock = {.kind = HD_LOCK_RW, .others_read = more};
    if (view->perhaps)
      add(all, lock, request);
    lock.depth = view->depth;
    add(all, lock, request);
  }
}

hd_lock_answers hd_lock_ask_any(const hd_lock_view *view,
                                hd_lock_request request) {
  hd_lock_answers all = {0};
  assert(view->kinds && view->kinds < 1u << HD_LOCK_KINDS);
  assert(view->owners || view->kinds == 1u << HD_LOCK_SEM);
  for (hd_lock_kind kind = 0; kind < HD_LOCK_KINDS; kind++) {
    if (!(view->kinds >> kind & 1))
      continue;
    if (kind == HD_LOCK_RW)
      ask_rw(&all, view, request);
    else if (kind == HD_LOCK_SEM)
      add(&all, (hd_lock){.kind = kind, .count = view->count}, request);
    else
      ask_mutex(&all, view, kind, request);
  }
  assert(all.outcomes);
  return all;
}
