/* SPDX-License-Identifier: MIT */
/* Shrinking.
 *
 * A run is seen as *stretches* (a thread and how many moves it makes) and, for
 * each thread, the list of the choices it makes. A changed list of stretches is
 * tried as well as it goes: a thread that cannot move loses the rest of its
 * stretch, choices that are missing are the plainest. What counts is whether the
 * same violation comes, and then the turns that were really made, up to it.
 *
 * Four kinds of changes are tried over and over until none helps: leaving out
 * stretches, many at once first (delta debugging); putting the stretches of each
 * thread in a window side by side; shortening a stretch; plainer choices. A
 * change is kept when the cost goes down: (changes of thread, moves, how far
 * choices are from the plainest), in that order of importance. The cost is
 * well-founded, so it ends. */
#include "engine/explore/shrink.h"

#include "engine/explore/inputs.h"

#include <string.h>

typedef struct {
  hd_tid thread;
  uint32_t count;
} stretch;

/* A choice that was open: which was taken, and which is the plainest. */
typedef struct {
  uint64_t taken, plain;
} choice;

typedef hd_vec(stretch) stretches;
typedef hd_vec(choice) choices;
typedef hd_vec(choices) choice_lists;

typedef struct {
  const hd_code *code;
  hd_machine_options machine;
  const hd_violation *violation;
  hd_machine *fresh; /* before the first move */
  double end;
  hd_run *run;
  uint64_t tries;
  hd_turns *best;
  uint64_t best_cost[3];
  size_t longest;       /* tries that take more moves are given up */
  stretches parts;      /* of the best */
  choice_lists choices; /* … */
  /* the last try */
  hd_turns turns;
  uint64_t odd; /* how far its choices are from the plainest, all in all */
} shrinker;

static bool out_of_time(shrinker *s) {
  return hd_now() > s->end || !hd_run_check(s->run);
}

/* --- costs --- */

static uint64_t switches(const hd_turns *turns) {
  uint64_t n = 0;
  for (size_t i = 1; i < turns->size; i++)
    n += turns->data[i].thread != turns->data[i - 1].thread;
  return n;
}

static bool cheaper(const uint64_t a[3], const uint64_t b[3]) {
  for (int i = 0; i < 3; i++)
    if (a[i] != b[i])
      return a[i] < b[i];
  return false;
}

/* --- trying --- */

/* Has the violation come, among those from number `known` on? */
static bool violated(const shrinker *s, const hd_machine *machine,
                     size_t known) {
  for (size_t i = known; i < hd_machine_violations(machine); i++)
    if (hd_violation_same(hd_machine_violation(machine, i), s->violation))
      return true;
  return false;
}

static uint64_t distance(choice c) {
  return c.taken < c.plain ? c.plain - c.taken : c.taken - c.plain;
}

static uint64_t choose(shrinker *s, const hd_machine *machine, hd_tid thread,
                       const choice_lists *lists, hd_u32s *used) {
  uint64_t n = hd_machine_choices(machine, thread);
  if (n == 1)
    return 0;
  while (used->size <= thread)
    hd_vec_push(used, 0);
  uint64_t plain = hd_inputs_plain(0, machine, thread);
  choice c = {.taken = plain, .plain = plain};
  uint32_t i = used->data[thread]++;
  if (thread < lists->size && i < lists->data[thread].size)
    c.taken = lists->data[thread].data[i].taken;
  if (n != UINT64_MAX && c.taken >= n)
    c.taken = plain;
  uint64_t far = distance(c);
  s->odd = s->odd > UINT64_MAX - far ? UINT64_MAX : s->odd + far;
  return c.taken;
}

static bool can_move(const hd_machine *machine, hd_tid thread) {
  return hd_machine_status_of(machine) == HD_MACHINE_RUNNING &&
         thread < hd_machine_threads(machine) &&
         hd_machine_alive(machine, thread) &&
         hd_machine_enabled(machine, thread);
}

/* Runs the stretches; true when the violation came. s->turns is what was done. */
static bool attempt(shrinker *s, const stretches *parts,
                    const choice_lists *lists) {
  hd_machine *machine = hd_machine_copy(s->fresh);
  hd_u32s used = {0};
  bool found = violated(s, machine, 0);
  s->tries++;
  s->odd = 0;
  hd_vec_clear(&s->turns);
  for (size_t i = 0; i < parts->size && !found; i++) {
    stretch part = parts->data[i];
    while (part.count-- && !found && s->turns.size < s->longest &&
           can_move(machine, part.thread)) {
      hd_turn turn = {.thread = part.thread,
                      .choice = choose(s, machine, part.thread, lists, &used)};
      size_t known = hd_machine_violations(machine);
      hd_machine_move(machine, turn);
      hd_vec_push(&s->turns, turn);
      found = violated(s, machine, known);
    }
  }
  hd_vec_free(&used);
  hd_machine_delete(machine);
  return found;
}

/* --- the best so far --- */

static void free_lists(choice_lists *lists) {
  for (size_t i = 0; i < lists->size; i++)
    hd_vec_free(&lists->data[i]);
  hd_vec_free(lists);
}

static void add_choice(choice_lists *lists, hd_tid thread, choice c) {
  while (lists->size <= thread)
    hd_vec_push(lists, (choices){0});
  hd_vec_push(&lists->data[thread], c);
}

/* Stretches and choices of s->best. Which turns made a choice only the machine
 * knows. */
static void read_best(shrinker *s) {
  hd_machine *machine = hd_machine_copy(s->fresh);
  hd_vec_clear(&s->parts);
  free_lists(&s->choices);
  for (hd_vec_each(hd_turn, turn, s->best)) {
    if (s->parts.size && hd_vec_last(&s->parts).thread == turn->thread)
      hd_vec_last(&s->parts).count++;
    else
      hd_vec_push(&s->parts, ((stretch){.thread = turn->thread, .count = 1}));
    if (hd_machine_choices(machine, turn->thread) != 1)
      add_choice(&s->choices, turn->thread,
                 (choice){.taken = turn->choice,
                          .plain = hd_inputs_plain(0, machine, turn->thread)});
    hd_machine_move(machine, *turn);
  }
  hd_machine_delete(machine);
}

/* Tries it and keeps it when it is better. */
static bool improve(shrinker *s, const stretches *parts,
                    const choice_lists *lists) {
  if (!attempt(s, parts, lists))
    return false;
  uint64_t cost[3] = {switches(&s->turns), s->turns.size, s->odd};
  if (!cheaper(cost, s->best_cost))
    return false;
  assert(s->turns.size <= s->longest);
  memcpy(s->best_cost, cost, sizeof cost);
  s->longest = s->turns.size + s->turns.size / 2 + 20;
  hd_vec_clear(s->best);
  for (hd_vec_each(hd_turn, turn, &s->turns))
    hd_vec_push(s->best, *turn);
  read_best(s);
  return true;
}

/* --- changes --- */

/* `parts` becomes the best without those from `at` on, `n` of them. */
static void without(const shrinker *s, size_t at, size_t n, stretches *parts) {
  hd_vec_clear(parts);
  for (size_t i = 0; i < s->parts.size; i++)
    if (i < at || i >= at + n)
      hd_vec_push(parts, s->parts.data[i]);
}

/* … with the window's stretches grouped by thread, in the order in which the
 * threads first appear there, or (`late`) last. */
static void group(const shrinker *s, size_t at, size_t n, bool late,
                  stretches *parts) {
  assert(at <= s->parts.size);
  const stretch *all = s->parts.data;
  size_t end = at + n < s->parts.size ? at + n : s->parts.size;
  hd_vec_clear(parts);
  for (size_t i = 0; i < at; i++)
    hd_vec_push(parts, all[i]);
  for (size_t i = at; i < end; i++) {
    bool here = true;
    for (size_t k = late ? i + 1 : at; k < (late ? end : i); k++)
      here = here && all[k].thread != all[i].thread;
    for (size_t k = at; k < end && here; k++)
      if (all[k].thread == all[i].thread)
        hd_vec_push(parts, all[k]);
  }
  for (size_t i = end; i < s->parts.size; i++)
    hd_vec_push(parts, all[i]);
}

static void early(const shrinker *s, size_t at, size_t n, stretches *parts) {
  group(s, at, n, false, parts);
}

static void late(const shrinker *s, size_t at, size_t n, stretches *parts) {
  group(s, at, n, true, parts);
}

typedef void change(const shrinker *s, size_t at, size_t n, stretches *parts);

/* The change with windows of all sizes, from half of everything on. */
static bool try_windows(shrinker *s, change *make, size_t smallest) {
  stretches parts = {0};
  bool better = false;
  for (size_t n = s->parts.size; n >= smallest && !out_of_time(s); n /= 2)
    for (size_t at = 0; at < s->parts.size && !out_of_time(s);) {
      make(s, at, n, &parts);
      if (improve(s, &parts, &s->choices))
        better = true; /* what is at `at` now is something else */
      else
        at += n > 1 ? n / 2 : 1;
    }
  hd_vec_free(&parts);
  return better;
}

/* Lets a stretch end early, or swallow what its thread does later. */
static bool try_lengths(shrinker *s) {
  stretches parts = {0};
  bool better = false;
  for (size_t i = 0; i < s->parts.size && !out_of_time(s); i++) {
    uint32_t count = s->parts.data[i].count;
    const uint32_t lengths[] = {count / 2, count - 1, count + 1, 2 * count,
                                1000000};
    assert(count > 0);
    for (size_t k = 0; k < 5 && i < s->parts.size; k++) {
      without(s, s->parts.size, 0, &parts);
      parts.data[i].count = lengths[k];
      better |= improve(s, &parts, &s->choices);
    }
  }
  hd_vec_free(&parts);
  return better;
}

/* Another value for choice `i` of a thread, which must be nearer to the
 * plainest to be kept. */
static bool try_choice(shrinker *s, hd_tid thread, size_t i, uint64_t value) {
  if (thread >= s->choices.size || i >= s->choices.data[thread].size)
    return false;
  choice *c = &s->choices.data[thread].data[i];
  choice before = *c;
  c->taken = value;
  stretches parts = {0};
  without(s, s->parts.size, 0, &parts);
  bool better =
      distance(*c) < distance(before) && improve(s, &parts, &s->choices);
  if (!better) /* else the lists are new ones */
    s->choices.data[thread].data[i] = before;
  hd_vec_free(&parts);
  return better;
}

/* The plainest, a few beside it, then ever nearer. */
static bool try_nearer(shrinker *s, hd_tid thread, size_t i) {
  assert(distance(s->choices.data[thread].data[i]) > 0);
  choice c = s->choices.data[thread].data[i];
  for (uint64_t step = 0; step < 4; step++)
    if (try_choice(s, thread, i, c.plain + step) ||
        try_choice(s, thread, i, c.plain - step))
      return true;
  bool better = false;
  while (!out_of_time(s) && thread < s->choices.size &&
         i < s->choices.data[thread].size) {
    c = s->choices.data[thread].data[i];
    uint64_t half = distance(c) / 2;
    uint64_t near = c.taken < c.plain ? c.taken + half : c.taken - half;
    uint64_t next = c.taken < c.plain ? c.taken + 1 : c.taken - 1;
    if (!try_choice(s, thread, i, near) && !try_choice(s, thread, i, next))
      break;
    better = true;
  }
  return better;
}

static bool try_choices(shrinker *s) {
  bool better = false;
  for (hd_tid t = 0; t < s->choices.size; t++)
    for (size_t i = 0; t < s->choices.size && i < s->choices.data[t].size; i++)
      if (distance(s->choices.data[t].data[i]) && !out_of_time(s))
        better |= try_nearer(s, t, i);
  return better;
}

/* Main and the threads that the violation names may be enough. */
static void try_involved(shrinker *s) {
  stretches parts = {0};
  for (hd_vec_each(const stretch, part, &s->parts))
    if (!part->thread || part->thread == s->violation->thread ||
        part->thread == s->violation->other)
      hd_vec_push(&parts, *part);
  improve(s, &parts, &s->choices);
  hd_vec_free(&parts);
}

static void shrink(shrinker *s) {
  bool better = true;
  try_involved(s);
  while (better && !out_of_time(s)) {
    better = try_windows(s, early, 2);
    better |= try_windows(s, late, 2);
    better |= try_windows(s, without, 1);
    better |= try_lengths(s);
    better |= try_choices(s);
  }
}

uint64_t hd_shrink(const hd_code *code, const hd_explore_options *options,
                   const hd_violation *violation, double seconds, hd_run *run,
                   hd_turns *turns) {
  shrinker s = {.code = code,
                .machine = hd_search_options(options, violation->property ==
                                                          HD_PROPERTY_RACE),
                .violation = violation,
                .end = hd_now() + seconds,
                .run = run,
                .best = turns};
  s.fresh = hd_machine_new(code, &s.machine);
  read_best(&s);
  s.best_cost[0] = UINT64_MAX;
  s.longest = SIZE_MAX;
  stretches parts = {0};
  without(&s, s.parts.size, 0, &parts);
  if (improve(&s, &parts, &s.choices))
    shrink(&s);
  hd_vec_free(&parts);
  hd_vec_free(&s.parts);
  free_lists(&s.choices);
  hd_vec_free(&s.turns);
  hd_machine_delete(s.fresh);
  return s.tries;
}
