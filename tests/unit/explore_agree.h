/* SPDX-License-Identifier: MIT */
/* Searching a program, and comparing the search of all states with the reduced
 * one: the same ends of runs, the same verdicts. */
#ifndef HD_TESTS_EXPLORE_AGREE_H
#define HD_TESTS_EXPLORE_AGREE_H

#include "engine/explore/explore.h"
#include "explore_util.h"

#include <stdlib.h>

#define BIT(name) ((hd_properties)1 << HD_PROPERTY_##name)
#define USUAL (BIT(ASSERT) | BIT(RACE) | BIT(DEADLOCK))

typedef struct {
  hd_code *code;
  hd_explore_options options;
  hd_run run;
  hd_explore_result result;
} job;

static inline job job_of(hd_str text, hd_properties checks) {
  job j = {.code = read_code(hd_str_text(&text))};
  hd_str_free(&text);
  j.options.machine.checks = checks;
  j.options.seed = 1;
  return j;
}

static inline void free_job(job *j) {
  hd_explore_result_free(&j->result);
  hd_code_delete(j->code);
}

static inline double stat_of(const job *j, const char *name) {
  for (size_t i = 0; i < j->result.stats.size; i++)
    if (!strcmp(j->result.stats.data[i].name, name))
      return j->result.stats.data[i].value;
  fail_msg("no statistic %s", name);
  return 0;
}

static inline const hd_finding *of(const job *j, hd_property property) {
  return &j->result.findings[property];
}

/* --- reduced and full search --- */

typedef struct {
  hd_machine_status status;
  int exit_code;
  hd_property property;
  hd_tid thread;
  hd_edge_id edge;
} outcome;

/* The text of a program, to be freed. */
typedef hd_str generator(uint64_t seed);

typedef struct {
  outcome seen[512];
  size_t size;
  bool nameless; /* all threads but main are alike */
  bool awake;    /* nobody waits for a signal for long: no deadlocks */
} outcomes;

static inline void collect(void *context, const hd_machine *machine) {
  outcomes *all = context;
  outcome o;
  memset(&o, 0, sizeof o);
  o.status = hd_machine_status_of(machine);
  if (all->awake && o.status == HD_MACHINE_DEADLOCK)
    return;
  size_t n = hd_machine_violations(machine);
  if (o.status == HD_MACHINE_EXITED)
    o.exit_code = hd_machine_exit_code(machine);
  /* A race does not end the run, and the two searches find others first. */
  while (n &&
         hd_machine_violation(machine, n - 1)->property == HD_PROPERTY_RACE)
    n--;
  if (o.status == HD_MACHINE_FAILED && n) {
    const hd_violation *v = hd_machine_violation(machine, n - 1);
    o.property = v->property;
    o.thread = all->nameless && v->thread ? 1 : v->thread;
    o.edge = v->edge;
  }
  for (size_t i = 0; i < all->size; i++)
    if (!memcmp(&all->seen[i], &o, sizeof o))
      return;
  assert_true(all->size < 512);
  all->seen[all->size++] = o;
}

static inline int by_bytes(const void *a, const void *b) {
  return memcmp(a, b, sizeof(outcome));
}

static inline void show_difference(generator *make, uint64_t seed,
                                   const outcomes *a, const outcomes *b) {
  hd_str text = make(seed);
  print_error("program %llu: %zu outcomes reduced, %zu in full\n",
              (unsigned long long)seed, a->size, b->size);
  fputs(hd_str_text(&text) + sizeof declarations - 1, stderr); /* it is long */
  for (int k = 0; k < 2; k++)
    for (size_t i = 0; i < (k ? b : a)->size; i++) {
      const outcome *o = &(k ? b : a)->seen[i];
      print_error("%s: status %d exit %d property %d thread %u edge %u\n",
                  k ? "full" : "reduced", (int)o->status, o->exit_code,
                  (int)o->property, o->thread, o->edge);
    }
  hd_str_free(&text);
}

typedef struct {
  uint64_t programs, skipped, unsafe, deadlocks, races, wild;
  double reduced, full;
  bool lenient; /* behind a use of freed memory anything may come */
} totals;

static inline void compare(generator *make, uint64_t seed, hd_properties checks,
                           bool spurious, totals *t) {
  job jobs[2];
  outcomes *ends = calloc(2, sizeof *ends);
  for (int full = 0; full < 2; full++) {
    job *j = &jobs[full];
    *j = job_of(make(seed), checks);
    j->options.no_reduction = full;
    j->options.machine.spurious = spurious;
    j->options.max_states = 60000;
    j->options.at_end = collect;
    j->options.context = &ends[full];
    ends[full].awake =
        spurious && !(checks & (BIT(DEADLOCK) | BIT(RACE) | BIT(SYNC)));
    ends[full].nameless = spurious && !(checks & BIT(LEAK));
    hd_explore(j->code, &j->options, &j->run, &j->result);
    qsort(ends[full].seen, ends[full].size, sizeof(outcome), by_bytes);
  }
  bool cut = stat_of(&jobs[1], "explore.states") > 60000;
  t->programs += !cut;
  t->skipped += cut;
  if (!cut) {
    t->reduced += stat_of(&jobs[0], "explore.states");
    t->full += stat_of(&jobs[1], "explore.states");
    t->unsafe += of(&jobs[1], HD_PROPERTY_ASSERT)->verdict == HD_UNSAFE;
    t->races += of(&jobs[1], HD_PROPERTY_RACE)->verdict == HD_UNSAFE;
    t->deadlocks += of(&jobs[1], HD_PROPERTY_DEADLOCK)->verdict == HD_UNSAFE;
  }
  bool same = cut || (ends[0].size == ends[1].size &&
                      !memcmp(ends[0].seen, ends[1].seen,
                              ends[0].size * sizeof(outcome)));
  bool wild = t->lenient &&
              of(&jobs[0], HD_PROPERTY_MEMORY)->verdict == HD_UNSAFE &&
              of(&jobs[1], HD_PROPERTY_MEMORY)->verdict == HD_UNSAFE;
  t->wild += wild;
  for (unsigned p = 0; p < HD_PROPERTY_COUNT && !cut; p++)
    same = same && of(&jobs[0], (hd_property)p)->verdict ==
                       of(&jobs[1], (hd_property)p)->verdict;
  if (!same && !wild)
    show_difference(make, seed, &ends[0], &ends[1]);
  assert_true(same || wild);
  for (int full = 0; full < 2; full++)
    free_job(&jobs[full]);
  free(ends);
}

/* HEDDLE_EXPLORE_PROGRAMS=N: so many programs; HEDDLE_EXPLORE_SEED=N: from there. */
static inline uint64_t first_seed(void) {
  const char *seed = getenv("HEDDLE_EXPLORE_SEED");
  return seed ? strtoull(seed, NULL, 10) : 1;
}

static inline uint64_t programs(uint64_t usual) {
  const char *more = getenv("HEDDLE_EXPLORE_PROGRAMS");
  return more ? strtoull(more, NULL, 10) : usual;
}

#endif
