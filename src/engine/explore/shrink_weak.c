/* SPDX-License-Identifier: MIT */
/* Shrinking of runs of weak memory. Their turns name the turns that they read from
 * and write behind; so a changed run is the same turns, some left out or in another
 * order, with the names put right, and whether it is a run the judge says: memory must
 * allow it and it must come to the same violation.
 *
 * Who read from what is left out reads what that stood behind. What threads do last
 * that nobody needs is left out, and rounds of loops; then the stretches of a thread are
 * put side by side. A change is kept when there are fewer turns, or as many and fewer
 * changes of thread: so it ends. */
#include "engine/explore/shrink.h"

#include <string.h>

typedef struct {
  const hd_code *code;
  hd_machine_options machine;
  const hd_violation *violation;
  double end;
  hd_run *run;
  uint64_t tries;
  hd_turns *best;
  hd_u32s order; /* the next try: turns of the best, from 0 */
} shrinker;

static bool out_of_time(const shrinker *s) {
  return hd_now() > s->end || !hd_run_check(s->run);
}

static uint64_t switches(const hd_turns *turns) {
  uint64_t n = 0;
  for (size_t i = 1; i < turns->size; i++)
    n += turns->data[i].thread != turns->data[i - 1].thread;
  return n;
}

static bool cheaper(const hd_turns *a, const hd_turns *b) {
  return a->size != b->size ? a->size < b->size : switches(a) < switches(b);
}

/* --- trying --- */

/* The new number of a turn that writes; what is left out gives its place to what it
 * stood behind. */
static uint32_t rename(const hd_turns *turns, const uint32_t *numbers,
                       uint32_t name) {
  while (name && name != HD_TURN_INITIAL && !numbers[name]) {
    assert(name <= turns->size);
    name = turns->data[name - 1].after;
  }
  return !name || name == HD_TURN_INITIAL ? name : numbers[name];
}

static void make(const shrinker *s, hd_turns *out) {
  const hd_turns *best = s->best;
  uint32_t *numbers = hd_calloc(best->size + 1, sizeof *numbers);
  for (size_t i = 0; i < s->order.size; i++)
    numbers[s->order.data[i] + 1] = (uint32_t)i + 1;
  for (size_t i = 0; i < s->order.size; i++) {
    assert(s->order.data[i] < best->size);
    hd_turn turn = best->data[s->order.data[i]];
    turn.from = rename(best, numbers, turn.from);
    turn.after = rename(best, numbers, turn.after);
    hd_vec_push(out, turn);
  }
  hd_free(numbers);
}

static bool improve(shrinker *s) {
  hd_turns turns = {0};
  make(s, &turns);
  bool better = cheaper(&turns, s->best);
  if (better) {
    hd_replayed r = hd_replay_expecting(s->code, &s->machine, &turns,
                                        hd_property_bit(s->violation->property),
                                        s->violation);
    better = r.violated && !r.refused && r.turns == turns.size;
    hd_replayed_free(&r);
    s->tries++;
  }
  if (better) {
    hd_turns swap = *s->best;
    *s->best = turns;
    turns = swap;
  }
  hd_vec_free(&turns);
  return better;
}

/* --- changes --- */

/* Without `n` turns of the thread, from its number `first` on. */
static bool try_without(shrinker *s, hd_tid thread, size_t first, size_t n) {
  size_t number = 0;
  hd_vec_clear(&s->order);
  for (size_t i = 0; i < s->best->size; i++) {
    bool mine = s->best->data[i].thread == thread;
    if (!mine || number < first || number >= first + n)
      hd_vec_push(&s->order, (uint32_t)i);
    number += mine;
  }
  return improve(s);
}

static size_t turns_of(const hd_turns *turns, hd_tid thread) {
  size_t n = 0;
  for (hd_vec_each(const hd_turn, t, turns))
    n += t->thread == thread;
  return n;
}

static hd_tid last_thread(const hd_turns *turns) {
  hd_tid last = 0;
  for (hd_vec_each(const hd_turn, t, turns))
    last = t->thread > last ? t->thread : last;
  return last;
}

/* Leaves out the ends of threads. */
static bool shorten(shrinker *s) {
  bool better = false;
  for (hd_tid t = last_thread(s->best) + 1; t-- > 0;)
    for (size_t n = turns_of(s->best, t); n && !out_of_time(s);) {
      size_t all = turns_of(s->best, t);
      n = n < all ? n : all;
      if (n && try_without(s, t, all - n, n))
        better = true;
      else
        n /= 2;
    }
  return better;
}

/* Leaves out rounds of loops. */
static bool leave_out(shrinker *s) {
  enum { LONGEST = 16 };
  bool better = false;
  for (hd_tid t = 0; t <= last_thread(s->best); t++)
    for (size_t n = LONGEST; n && !out_of_time(s); n /= 2)
      for (size_t i = 0; i + n <= turns_of(s->best, t) && !out_of_time(s);)
        if (try_without(s, t, i, n))
          better = true;
        else
          i++;
  return better;
}

/* The stretch from `at` on comes before or behind those of others next to it, up to
 * the next of its thread. */
static bool try_moving(shrinker *s, size_t at, bool early) {
  const hd_turns *best = s->best;
  size_t end = at;
  while (end < best->size && best->data[end].thread == best->data[at].thread)
    end++;
  size_t other = early ? at : end;
  while (early ? other > 0 &&
                     best->data[other - 1].thread != best->data[at].thread
               : other < best->size &&
                     best->data[other].thread != best->data[at].thread)
    other = early ? other - 1 : other + 1;
  if (early ? !other : other == best->size)
    return false;
  hd_vec_clear(&s->order);
  for (size_t i = 0; i <= best->size; i++) {
    if (i == other)
      for (size_t k = at; k < end; k++)
        hd_vec_push(&s->order, (uint32_t)k);
    if (i < best->size && (i < at || i >= end))
      hd_vec_push(&s->order, (uint32_t)i);
  }
  return improve(s);
}

static bool group(shrinker *s) {
  bool better = false;
  for (size_t i = 0; i < s->best->size && !out_of_time(s); i++) {
    if (i && s->best->data[i].thread == s->best->data[i - 1].thread)
      continue;
    better |= try_moving(s, i, true) || try_moving(s, i, false);
  }
  return better;
}

uint64_t hd_shrink_weak(const hd_code *code, const hd_explore_options *options,
                        const hd_violation *violation, double seconds,
                        hd_run *run, hd_turns *turns) {
  shrinker s = {.code = code,
                .machine = hd_search_options(options, true),
                .violation = violation,
                .end = hd_now() + seconds,
                .run = run,
                .best = turns};
  while (!out_of_time(&s) && (shorten(&s) || leave_out(&s) || group(&s)))
    ;
  hd_vec_free(&s.order);
  return s.tries;
}
