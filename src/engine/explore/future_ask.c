/* SPDX-License-Identifier: MIT */
/* Which threads have to be explored, by what all may still do. The futures only
 * grow, so whether a sight clashes with a future is remembered together with how
 * much of the future has been looked at. */
#include "engine/explore/future_impl.h"

#include <string.h>

static bool owned_meet(const hd_future *f, uint32_t a, uint32_t b) {
  const hd_pool_item *set = &f->owned.items.data[a];
  for (size_t i = 0; i < set->size / sizeof(uint64_t); i++) {
    uint64_t mine;
    memcpy(&mine, set->bytes + i * sizeof mine, sizeof mine);
    if (hd_future_owns(f, b, mine))
      return true;
  }
  return false;
}

static hd_access access_of(const sight *s) {
  return (hd_access){.edge = HD_NO_ID,
                     .memory = s->memory,
                     .writes = s->writes,
                     .atomic = s->atomic,
                     .local = s->local,
                     .acquires = s->acquires,
                     .address = s->address,
                     .size = s->size,
                     .from = s->from,
                     .from_size = s->from_size,
                     .sync = s->sync};
}

/* Does it touch the stack of the thread from the address on? */
static bool in_stack(const sight *s, hd_tid thread, uint64_t from) {
  return (s->stack == thread && s->address + s->size > from) ||
         (s->from_stack == thread && s->from + s->from_size > from) ||
         (s->sync_stack == thread && s->sync >= from);
}

/* Can `b`, of another thread, come before `a` and does that make a difference?
 * It cannot while `owned` is owned by threads that have not moved. */
static bool clash(const hd_future *f, const sight *a, uint64_t reached,
                  uint32_t owned, const sight *b) {
  if (!f->broken && (owned_meet(f, owned, b->owned) ||
                     (b->kind == SIGHT_ACTION && b->acquires &&
                      hd_future_owns(f, owned, b->sync))))
    return false;
  switch ((sight_kind)b->kind) {
  case SIGHT_ALL:
    return true;
  case SIGHT_STACK:
    return in_stack(a, b->thread, b->address);
  case SIGHT_ACTION:
    break;
  }
  if (in_stack(b, a->thread, reached))
    return true;
  if (a->section || b->section)
    return false; /* their footprints tell */
  hd_access x = access_of(a), y = access_of(b);
  return hd_access_conflicts(&x, &y);
}

/* Does any sight of the future of control `c` clash with what is done in `pose`
 * while `owned` is owned? Without `later`: any that is seen at `c`. */
static bool clashes(hd_future *f, const hd_pose *pose, uint32_t owned,
                    uint32_t c, bool later) {
  question q = {.sight = pose->sight,
                .owned = owned,
                .control = c,
                .reached = f->at.data[pose->control].reached};
  if (f->at.data[pose->control].all ||
      (f->feet && hd_footprints_clash(f->feet, pose->control, c, later)))
    return true;
  const sight *a = sight_at(f, pose->sight);
  if (!later) {
    for (hd_vec_each(uint32_t, s, &f->at.data[c].own))
      if (clash(f, a, q.reached, owned, sight_at(f, *s)))
        return true;
    return false;
  }
  answer *known = answer_map_put(&f->answers, q, (answer){0}, NULL);
  const hd_u32s *sights = &f->at.data[c].sights;
  while (!known->clash && known->looked < sights->size) {
    const sight *b = sight_at(f, sights->data[known->looked++]);
    known->clash = clash(f, a, q.reached, owned, b);
  }
  return known->clash;
}

static bool has(hd_threads threads, size_t t) {
  return threads >> t & 1;
}

hd_threads hd_future_enabled(const hd_future *f, const hd_pose_id *poses,
                             size_t n) {
  assert(n <= HD_THREADS_MOST);
  hd_threads enabled = 0;
  for (size_t t = 0; t < n; t++)
    if (poses[t] != HD_NO_POSE && hd_future_look(f, poses[t])->enabled)
      enabled |= (hd_threads)1 << t;
  return enabled;
}

static uint32_t owned_by(hd_future *f, const hd_pose_id *poses, size_t n,
                         hd_threads threads) {
  hd_vec_clear(&f->addresses);
  for (size_t t = 0; t < n; t++) {
    if (!has(threads, t))
      continue;
    uint32_t owned = sight_at(f, hd_future_look(f, poses[t])->sight)->owned;
    const hd_pool_item *set = &f->owned.items.data[owned];
    for (size_t i = 0; i < set->size / sizeof(uint64_t); i++) {
      uint64_t address;
      memcpy(&address, set->bytes + i * sizeof address, sizeof address);
      hd_vec_push(&f->addresses, address);
    }
  }
  return hd_future_put_owned(f);
}

static bool anyone_clashes(hd_future *f, const hd_pose_id *poses, size_t n,
                           hd_threads threads, uint32_t owned, uint32_t c,
                           bool later) {
  for (size_t t = 0; t < n; t++)
    if (has(threads, t) &&
        clashes(f, hd_future_look(f, poses[t]), owned, c, later))
      return true;
  return false;
}

/* Has a thread at `c` to wait until one of `threads` has moved, before it can
 * go on from there? */
static bool waits(hd_future *f, const hd_pose_id *poses, size_t n,
                  hd_threads threads, uint32_t c) {
  for (size_t t = 0; t < n; t++)
    if (has(threads, t) &&
        !hd_footprints_passed(f->feet, c, hd_future_look(f, poses[t])->control))
      return true;
  return false;
}

/* Threads that are not there yet but can be made without a move of `threads`:
 * does one of them clash? */
static bool unborn_clash(hd_future *f, const hd_pose_id *poses, size_t n,
                         hd_threads threads, uint32_t owned) {
  hd_threads makers = 0, before;
  for (size_t t = 0; t < n; t++)
    if (poses[t] != HD_NO_POSE && !has(threads, t))
      makers |= (hd_threads)1 << t;
  do {
    before = makers;
    for (hd_vec_each(birth, b, &f->births)) {
      if (b->child < n || !has(makers, b->parent))
        continue;
      makers |= (hd_threads)1 << b->child;
      if (anyone_clashes(f, poses, n, threads, owned, b->control, true))
        return true;
    }
  } while (makers != before);
  return false;
}

static bool outsider_clashes(hd_future *f, const hd_pose_id *poses, size_t n,
                             hd_threads threads, uint32_t owned, uint32_t c) {
  if (!anyone_clashes(f, poses, n, threads, owned, c, true))
    return false;
  return !f->feet || !waits(f, poses, n, threads, c) ||
         anyone_clashes(f, poses, n, threads, owned, c, false);
}

/* A thread outside that clashes, n when there is none. */
static size_t clashing_thread(hd_future *f, const hd_pose_id *poses, size_t n,
                              hd_threads threads, uint32_t owned) {
  for (size_t u = 0; u < n; u++)
    if (poses[u] != HD_NO_POSE && !has(threads, u) &&
        outsider_clashes(f, poses, n, threads, owned,
                         hd_future_look(f, poses[u])->control))
      return u;
  return n;
}

static bool any_spurious(const hd_future *f, const hd_pose_id *poses, size_t n,
                         hd_threads threads) {
  for (size_t t = 0; t < n; t++)
    if (has(threads, t) && hd_future_look(f, poses[t])->spurious)
      return true;
  return false;
}

hd_threads hd_future_close(hd_future *f, const hd_pose_id *poses, size_t n,
                           hd_threads threads) {
  hd_threads enabled = hd_future_enabled(f, poses, n);
  assert(threads && !(threads & ~enabled));
  while (threads != enabled) {
    uint32_t owned = owned_by(f, poses, n, threads);
    size_t u = clashing_thread(f, poses, n, threads, owned);
    if (u == n)
      break;
    if (!has(enabled, u))
      return enabled;
    threads |= (hd_threads)1 << u;
  }
  if (threads != enabled &&
      (any_spurious(f, poses, n, threads) ||
       unborn_clash(f, poses, n, threads, owned_by(f, poses, n, threads))))
    return enabled;
  return threads;
}

static int count(hd_threads threads) {
  return __builtin_popcountll(threads);
}

hd_threads hd_future_choose(hd_future *f, const hd_pose_id *poses, size_t n,
                            hd_tid last) {
  hd_threads enabled = hd_future_enabled(f, poses, n), best = enabled;
  for (size_t i = 0; i < n && count(best) > 1; i++) {
    /* `last` first: among equals the first one found is kept. */
    size_t t = last == HD_NO_ID || last >= n ? i : (i + last) % n;
    if (!has(enabled, t))
      continue;
    hd_threads set = hd_future_close(f, poses, n, (hd_threads)1 << t);
    if (count(set) < count(best))
      best = set;
  }
  return best;
}
