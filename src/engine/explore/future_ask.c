/* SPDX-License-Identifier: MIT */
/* Which threads have to be explored, by what all may still do. The futures only
 * grow, so whether a sight clashes with a future is remembered together with how
 * much of the future has been looked at. */
#include "engine/explore/future_impl.h"

#include "base/bitset.h"
#include "model/updates.h"

#include <string.h>

static bool owned_meet(const hd_future *f, uint32_t a, uint32_t b) {
  assert(a < f->owned.items.size);
  const hd_pool_item *set = &f->owned.items.data[a];
  for (size_t i = 0; i < set->size / sizeof(uint64_t); i++) {
    uint64_t mine;
    memcpy(&mine, set->bytes + i * sizeof mine, sizeof mine);
    if (hd_future_owns(f, b, mine))
      return true;
  }
  return false;
}

/* The access; places in what the thread has made are as they are for thread 1, or
 * for 2 with `second` when they are its own. */
static hd_access access_of(const sight *s, bool second) {
  const uint64_t other = second ? (uint64_t)1 << 50 : 0;
  return (hd_access){.edge = HD_NO_ID,
                     .memory = s->memory,
                     .writes = s->writes,
                     .atomic = s->atomic,
                     .local = s->local,
                     .acquires = s->acquires,
                     .address = s->address + (s->owner == OWN ? other : 0),
                     .size = s->size,
                     .from = s->from + (s->from_owner == OWN ? other : 0),
                     .from_size = s->from_size,
                     .also = s->also + (s->also_owner == OWN ? other : 0),
                     .also_size = s->also_size,
                     .sync = s->sync + (s->sync_owner == OWN ? other : 0)};
}

/* The stack of `of`, another thread, as `s->stack` has it. */
static uint32_t stack_name(const hd_future *f, const sight *of) {
  return f->nameless && of->thread ? OTHER : of->thread;
}

/* Does it touch that stack from the address on? */
static bool in_stack(const sight *s, uint32_t stack, uint64_t from) {
  return (s->stack == stack && s->address + s->size > from) ||
         (s->from_stack == stack && s->from + s->from_size > from) ||
         (s->also_stack == stack && s->also + s->also_size > from) ||
         (s->sync_stack == stack && s->sync >= from);
}

static bool has_other(const sight *s) {
  return s->owner == OTHER || s->from_owner == OTHER ||
         s->also_owner == OTHER || s->sync_owner == OTHER;
}

/* Do they update one variable, so that the order makes no difference? As one action
 * each, or both under the lock. */
static bool commute(const hd_future *f, const sight *a, const sight *b,
                    uint64_t lock) {
  enum { SAME = HD_UPDATE_KIND | HD_UPDATE_ATOMIC };
  if (!f->updates || !(a->update & HD_UPDATE_KIND) ||
      ((a->update ^ b->update) & SAME) || a->address != b->address ||
      a->size != b->size || a->owner != NOBODYS || b->owner != NOBODYS)
    return false;
  return a->update & HD_UPDATE_ATOMIC ||
         (lock && hd_future_owns(f, b->owned, lock));
}

/* Does a plain section begin in `a`, and does one of the same lock begin or end in
 * `b`? What is in them is looked at by itself. */
static bool take_turns(const hd_future *f, const sight *a, const sight *b) {
  return a->sync == b->sync && hd_future_section(f, a) &&
         b->update & (HD_UPDATE_BEGINS | HD_UPDATE_ENDS);
}

/* Can `b`, of another thread, come before `a` and does that make a difference?
 * It cannot while `owned` is owned by threads that have not moved. `inside`: `a` is in
 * a section of this lock, which is still to begin. */
static bool clash(const hd_future *f, const sight *a, uint64_t reached,
                  uint32_t owned, uint64_t inside, const sight *b) {
  if (!f->broken && (owned_meet(f, owned, b->owned) ||
                     (b->kind == SIGHT_ACTION && b->acquires &&
                      hd_future_owns(f, owned, b->sync))))
    return false;
  switch ((sight_kind)b->kind) {
  case SIGHT_ALL:
    return true;
  case SIGHT_STACK:
    return in_stack(a, stack_name(f, b), b->address);
  case SIGHT_ACTION:
    break;
  }
  if (in_stack(b, stack_name(f, a), reached))
    return true;
  if (a->section || b->section)
    return false; /* their footprints tell */
  if (take_turns(f, a, b) || commute(f, a, b, inside))
    return false;
  /* What one thread made and what another made are different places. */
  hd_access x = access_of(a, false);
  hd_access y = access_of(b, !has_other(a) && !has_other(b));
  return hd_access_conflicts(&x, &y);
}

/* Does any sight of the future of control `c` clash with this one while `owned` is
 * owned? Without `later`: any that is seen at `c`. */
static bool sight_clashes(hd_future *f, uint32_t what, uint64_t reached,
                          uint32_t owned, uint64_t inside, uint32_t c,
                          bool later) {
  assert(c < f->at.size);
  question q = {.sight = what,
                .owned = owned,
                .control = c,
                .reached = reached,
                .inside = inside};
  const sight *a = sight_at(f, what);
  if (!later) {
    for (hd_vec_each(uint32_t, s, &f->at.data[c].own))
      if (clash(f, a, q.reached, owned, inside, sight_at(f, *s)))
        return true;
    return false;
  }
  answer *known = answer_map_put(&f->answers, q, (answer){0}, NULL);
  const hd_u32s *sights = &f->at.data[c].sights;
  while (!known->clash && known->looked < sights->size) {
    const sight *b = sight_at(f, sights->data[known->looked++]);
    known->clash = clash(f, a, q.reached, owned, inside, b);
  }
  return known->clash;
}

/* Was it seen of a thread that stands at the control, from there on? */
static bool is_later(const hd_future *f, uint32_t at, uint32_t what) {
  assert(at < f->at.size);
  return pair_set_find(&f->members, (uint64_t)at << 32 | what) != NULL;
}

/* The same for what is done in `pose`, with the whole of a plain section that begins
 * there. */
static bool clashes(hd_future *f, const hd_pose *pose, uint32_t owned,
                    uint32_t c, bool later) {
  const control *at = &f->at.data[pose->control];
  if (at->all ||
      (f->feet && hd_footprints_clash(f->feet, pose->control, c, later)) ||
      sight_clashes(f, pose->sight, at->reached, owned, 0, c, later))
    return true;
  const section *plain = hd_future_section(f, sight_at(f, pose->sight));
  for (size_t i = 0; plain && i < plain->sights.size; i++)
    if (is_later(f, pose->control, plain->sights.data[i]) &&
        sight_clashes(f, plain->sights.data[i], UINT64_MAX, owned, plain->lock,
                      c, later))
      return true;
  return false;
}

/* --- sets of threads --- */

void hd_future_round(hd_future *f) {
  f->round++;
  while (f->rounds.size < f->poses.items.size)
    hd_vec_push(&f->rounds, 0);
}

bool hd_future_asked(hd_future *f, hd_pose_id pose) {
  assert(pose < f->rounds.size);
  bool was = f->rounds.data[pose] == f->round;
  f->rounds.data[pose] = f->round;
  return was;
}

void hd_future_enabled(const hd_future *f, const hd_pose_id *poses, size_t n,
                       uint64_t *out) {
  memset(out, 0, hd_bits_words(n) * sizeof *out);
  for (size_t t = 0; t < n; t++)
    if (poses[t] != HD_NO_POSE && hd_future_look(f, poses[t])->enabled)
      hd_bits_set(out, t);
}

static uint32_t owned_by(const choice *c) {
  hd_future *f = c->f;
  hd_vec_clear(&f->addresses);
  for (size_t t = 0; (t = hd_bits_next(c->threads, c->n, t)) < c->n; t++) {
    uint32_t owned = sight_at(f, pose_of(c, t)->sight)->owned;
    const hd_pool_item *set = &f->owned.items.data[owned];
    for (size_t i = 0; i < set->size / sizeof(uint64_t); i++) {
      uint64_t address;
      memcpy(&address, set->bytes + i * sizeof address, sizeof address);
      hd_vec_push(&f->addresses, address);
    }
  }
  return hd_future_put_owned(f);
}

static bool anyone_clashes(const choice *c, uint32_t at, bool later) {
  hd_pose_id last = HD_NO_POSE;
  for (size_t t = 0; (t = hd_bits_next(c->threads, c->n, t)) < c->n; t++) {
    if (c->poses[t] == last)
      continue;
    last = c->poses[t];
    if (clashes(c->f, pose_of(c, t), c->owned, at, later))
      return true;
  }
  return false;
}

/* Has a thread at `at` to wait until one of the set has moved, before it can
 * go on from there? */
static bool waits(const choice *c, uint32_t at) {
  assert(c->f->feet);
  for (size_t t = 0; (t = hd_bits_next(c->threads, c->n, t)) < c->n; t++)
    if (!hd_footprints_passed(c->f->feet, at, pose_of(c, t)->control))
      return true;
  return false;
}

/* Threads that are not there yet but can be made without a move of the set: does
 * one of them clash? Who can make them: those outside, and so on. */
static bool unborn_clash(const choice *c) {
  hd_future *f = c->f;
  bool awaited = hd_future_awaited(c);
  size_t most = c->n;
  for (hd_vec_each(birth, b, &f->births))
    most = b->child >= most ? (size_t)b->child + 1 : most;
  uint64_t *makers = hd_calloc(hd_bits_words(most) + 1, sizeof *makers);
  for (size_t t = 0; t < c->n; t++)
    if (c->poses[t] != HD_NO_POSE && !hd_bits_test(c->threads, t) &&
        !hd_future_blocked(c, t, awaited))
      hd_bits_set(makers, t);
  bool found = false, more = true;
  while (more && !found) {
    more = false;
    for (hd_vec_each(birth, b, &f->births)) {
      if (b->child < c->n || !hd_bits_test(makers, b->parent))
        continue;
      more = more || !hd_bits_test(makers, b->child);
      hd_bits_set(makers, b->child);
      if ((found = anyone_clashes(c, b->control, true)))
        break;
    }
  }
  hd_free(makers);
  return found;
}

/* Two that come to a barrier which others cannot open come in any order. */
static bool any_clashes(const choice *c, uint32_t what, uint64_t reached,
                        uint64_t inside, const hd_u32s *sights) {
  const hd_future *f = c->f;
  const sight *a = sight_at(f, what);
  for (hd_vec_each(const uint32_t, s, sights)) {
    const sight *b = sight_at(f, *s);
    bool both = a->arrives && b->arrives && a->sync == b->sync &&
                hd_future_owns(f, c->held, a->sync);
    if (!both && clash(f, a, reached, c->owned, inside, b))
      return true;
  }
  return false;
}

static bool part_clashes(const choice *c, const hd_pose *pose,
                         const hd_u32s *sights) {
  const hd_future *f = c->f;
  const control *at = &f->at.data[pose->control];
  if (at->all || any_clashes(c, pose->sight, at->reached, 0, sights))
    return true;
  const section *plain = hd_future_section(f, sight_at(f, pose->sight));
  for (size_t i = 0; plain && i < plain->sights.size; i++)
    if (is_later(f, pose->control, plain->sights.data[i]) &&
        any_clashes(c, plain->sights.data[i], UINT64_MAX, plain->lock, sights))
      return true;
  return false;
}

static bool held_clashes(const choice *c, const hd_pose *outsider) {
  const hd_u32s *sights = hd_future_part(c->f, outsider, c->held);
  hd_pose_id last = HD_NO_POSE;
  for (size_t t = 0; (t = hd_bits_next(c->threads, c->n, t)) < c->n; t++) {
    if (c->poses[t] == last)
      continue;
    last = c->poses[t];
    if (part_clashes(c, pose_of(c, t), sights))
      return true;
  }
  return false;
}

static bool outsider_clashes(const choice *c, const hd_pose *outsider) {
  assert(outsider->control < c->f->at.size);
  uint32_t at = outsider->control;
  if (c->held != hd_future_none(c->f))
    return held_clashes(c, outsider);
  if (!anyone_clashes(c, at, true))
    return false;
  return !c->f->feet || !waits(c, at) || anyone_clashes(c, at, false);
}

bool hd_future_awaited(const choice *c) {
  for (size_t t = 0; (t = hd_bits_next(c->threads, c->n, t)) < c->n; t++)
    if (pose_of(c, t)->awaited)
      return true;
  return false;
}

bool hd_future_blocked(const choice *c, size_t thread, bool awaited) {
  assert(thread < c->n && !hd_bits_test(c->threads, thread));
  if (awaited && pose_of(c, thread)->joins)
    return true;
  if (c->f->broken)
    return false;
  /* Who waits for one that waits for one of the set waits, too. */
  for (size_t i = 0; i < c->n && c->poses[thread] != HD_NO_POSE; i++) {
    uint32_t needs = pose_of(c, thread)->needs;
    if (!needs || needs > c->n)
      return false;
    thread = needs - 1;
    if (hd_bits_test(c->threads, thread))
      return true;
  }
  return false;
}

/* A thread outside that clashes, n when there is none. */
static size_t clashing_thread(const choice *c) {
  bool awaited = hd_future_awaited(c);
  hd_future_round(c->f);
  for (size_t u = 0; u < c->n; u++)
    if (c->poses[u] != HD_NO_POSE && !hd_bits_test(c->threads, u) &&
        !hd_future_asked(c->f, c->poses[u]) &&
        !hd_future_blocked(c, u, awaited) && outsider_clashes(c, pose_of(c, u)))
      return u;
  return c->n;
}

static bool any_spurious(const choice *c) {
  for (size_t t = 0; (t = hd_bits_next(c->threads, c->n, t)) < c->n; t++)
    if (pose_of(c, t)->spurious)
      return true;
  return false;
}

static bool same(const uint64_t *a, const uint64_t *b, size_t n) {
  return !memcmp(a, b, hd_bits_words(n) * sizeof *a);
}

/* Threads in the same pose clash with the same. */
static void add_like(const choice *c, size_t u, uint64_t *threads) {
  assert(c->poses[u] != HD_NO_POSE && hd_bits_test(c->threads, u) == 0);
  for (size_t t = 0; t < c->n; t++)
    if (c->poses[t] == c->poses[u])
      hd_bits_set(threads, t);
}

static void close_set(hd_future *f, const hd_pose_id *poses, size_t n,
                      const uint64_t *enabled, uint64_t *threads) {
  choice c = {.f = f, .poses = poses, .n = n, .threads = threads};
  size_t words = hd_bits_words(n);
  assert(hd_bits_count(threads, words) &&
         hd_bits_subset(threads, enabled, words));
  bool all = false;
  while (!all && !same(threads, enabled, n)) {
    c.owned = owned_by(&c);
    c.held = hd_future_held(&c);
    size_t u = clashing_thread(&c);
    if (u == n)
      break;
    all = !hd_bits_test(enabled, u);
    if (!all)
      add_like(&c, u, threads);
  }
  if (!all && !same(threads, enabled, n)) {
    c.owned = owned_by(&c);
    all = any_spurious(&c) || unborn_clash(&c);
  }
  if (all)
    memcpy(threads, enabled, words * sizeof *threads);
}

void hd_future_close(hd_future *f, const hd_pose_id *poses, size_t n,
                     uint64_t *threads) {
  assert(n > 0);
  hd_vec_resize(&f->enabled, hd_bits_words(n));
  hd_future_enabled(f, poses, n, f->enabled.data);
  close_set(f, poses, n, f->enabled.data, threads);
}

void hd_future_choose(hd_future *f, const hd_pose_id *poses, size_t n,
                      hd_tid last, uint64_t *best) {
  size_t words = hd_bits_words(n);
  hd_vec_resize(&f->enabled, words);
  hd_vec_resize(&f->trial, words);
  uint64_t *enabled = f->enabled.data, *trial = f->trial.data;
  hd_future_enabled(f, poses, n, enabled);
  memcpy(best, enabled, words * sizeof *best);
  hd_vec_clear(&f->tried);
  for (size_t i = 0; i < n && hd_bits_count(best, words) > 1; i++) {
    /* `last` first: among equals the first one found is kept. */
    size_t t = last == HD_NO_ID || last >= n ? i : (i + last) % n;
    bool tried = !hd_bits_test(enabled, t);
    for (size_t k = 0; k < f->tried.size && !tried; k++)
      tried = f->tried.data[k] == poses[t];
    if (tried)
      continue;
    hd_vec_push(&f->tried, poses[t]);
    memset(trial, 0, words * sizeof *trial);
    hd_bits_set(trial, t);
    close_set(f, poses, n, enabled, trial);
    if (hd_bits_count(trial, words) < hd_bits_count(best, words))
      memcpy(best, trial, words * sizeof *best);
  }
}
