/* SPDX-License-Identifier: MIT */
/* C programs by execution: `fuzz` looks for bugs on many random schedules,
 * `explore` decides small programs by all of their interleavings. Both run the
 * machine of check/interp, which is what gives programs their meaning, so what
 * they find is real; whatever is reported UNSAFE has been replayed on a fresh
 * machine, with the same property violated at the same place.
 *
 * SAFE means: no run at all violates the property, for this main, these
 * arguments and every input, however long the runs are (docs/engines/explore.md
 * says what a run is). fuzz never says SAFE. */
#ifndef HD_ENGINE_EXPLORE_EXPLORE_H
#define HD_ENGINE_EXPLORE_EXPLORE_H

#include "base/run.h"
#include "check/interp/interp.h"
#include "model/result.h" /* hd_verdict, hd_stat */
#include "model/weak.h"

/* How fuzz chooses who moves. */
#define HD_STRATEGIES(X)                                                       \
  X(MIX, "mix", "all of them in turn")                                         \
  X(PRIORITIES, "priorities",                                                  \
    "the thread with the highest priority; some change it (PCT)")              \
  X(WALK, "walk", "any thread, at every move")                                 \
  X(TURNS, "turns", "one thread until it waits; some are interrupted")         \
  X(RACES, "races", "hold a thread before an access that conflicts")           \
  X(ROUNDS, "rounds", "each thread in its turn, for a few moves or writes")    \
  X(SPEEDS, "speeds", "any thread, but some are far slower for a while")

typedef enum {
#define X(name, text, what) HD_STRATEGY_##name,
  HD_STRATEGIES(X)
#undef X
      HD_STRATEGY_COUNT
} hd_strategy;

/* "mix" …; HD_STRATEGY_COUNT when there is no such name. */
const char *hd_strategy_name(hd_strategy strategy);
hd_strategy hd_strategy_find(const char *name);

/* All zero is fine but for machine.checks; 0 means what is said behind it. */

typedef struct {
  /* The program's surroundings and the properties that are asked for
   * (`checks`). `clocks`, `observe` and `context` are not used. */
  hd_machine_options machine;
  /* Of `checks`: what is reported where a run shows it, and not looked for. */
  hd_properties also;
  hd_memory_model memory; /* graph: which executions there are */
  /* fuzz */
  hd_strategy strategy;
  uint64_t seed;
  uint64_t runs;      /* most runs; 0 = 10,000 */
  uint64_t max_moves; /* of one run; 0 = 20,000 */
  uint32_t depth;     /* d: most changes of priority, or interruptions, in a
                          run; 0 = 3, fewer in some runs */
  bool first_only;    /* stop at the first violation of any property */
  bool again;         /* the plain run, the first one, has been made before */
  bool no_shrink;     /* report failing schedules as they were found */
  bool teams;         /* OpenMP: of races those of two writes are shown */
  bool free_alone; /* what one thread does before there is another one does not
                       count as moves */
  /* A value that is likely to show something, for inputs of any number; 0: none. */
  int64_t hint;
  /* explore */
  uint64_t max_states; /* 0 = only what `run` allows */
  uint64_t max_inputs; /* values of an input that are all tried; 0 = 4,096 */
  bool no_reduction;   /* every interleaving: for tests and measurements */
  bool names;          /* threads are told apart by their numbers: likewise */
  /* Set as soon as values of an input are left out, so that nothing will be SAFE;
   * may be NULL. */
  bool *sampled;
  void (*at_end)(void *context,
                 const hd_machine *machine); /* sees each run that
                          has ended; may be NULL */
  void *context;
} hd_explore_options;

/* What is known about one property. */
typedef struct {
  bool asked;
  bool also; /* asked, and not looked for: options->also */
  hd_verdict verdict;
  char *reason; /* HD_UNKNOWN: why; else NULL */
  hd_why why;   /* HD_UNKNOWN: the same as a code */
  /* HD_UNSAFE. The message belongs to the finding; `turns` is a run that ends
   * with the violation: replaying them all shows it. A race's last two turns
   * are the two accesses, where both can be made. */
  hd_violation violation;
  hd_turns turns;
} hd_finding;

/* All violations instead of one of each property. Two are one when they have the
 * same property and are at the same lines, and, of races, about variables whose
 * names differ by numbers only. */
typedef struct {
  hd_violation violation; /* with its message */
  hd_turns turns;
} hd_harvested;

typedef struct {
  hd_vec(hd_harvested) list;
  hd_vec(uint64_t) known; /* not wanted (any more) */
  size_t most;            /* in the list; 0 = no bound */
} hd_harvest;

/* What tells violations apart. */
uint64_t hd_harvest_key(const hd_code *code, const hd_violation *violation);
/* This one is known. */
void hd_harvest_skip(hd_harvest *harvest, const hd_code *code,
                     const hd_violation *violation);
void hd_harvest_free(hd_harvest *harvest);

typedef struct {
  /* Set before the search: gets what is violated; findings then are UNKNOWN. */
  hd_harvest *harvest;
  hd_finding findings[HD_PROPERTY_COUNT];
  /* One line each, no full stop: what was reached that heddle cannot do, inputs
   * that are too wide, undefined behaviour that was not asked for but ended
   * runs. Each once. */
  hd_remarks notes;
  bool interleaves; /* hd_views: there are no executions but interleavings */
  bool ordered; /* hd_single: … and whatever conflicts is ordered by them */
  bool meet;    /* hd_single: actions whose order is open were met */
  /* fuzz.runs, explore.states …, in a fixed order. */
  hd_vec(hd_stat) stats;
} hd_explore_result;

/* All zero is a fresh result. Frees what it owns, not the struct. */
void hd_explore_result_free(hd_explore_result *result);

/* Many runs. Stops when every property that is asked for is violated, after
 * `runs` runs, or when `run` says so; a failing schedule is then shrunk (fewer
 * changes of thread, fewer moves, smaller inputs), within the limits of `run`
 * and a few seconds. Findings are UNSAFE or UNKNOWN. */
void hd_fuzz(const hd_code *code, const hd_explore_options *options,
             hd_run *run, hd_explore_result *result);

/* All runs. Goes on after a violation until the other properties are decided
 * too; of each property the first one that is found is reported. */
void hd_explore(const hd_code *code, const hd_explore_options *options,
                hd_run *run, hd_explore_result *result);

/* --- alarms --- */

/* Looks for runs that come by the waypoints of one of `n` ways (0: anywhere) and violate a
 * property that is asked for; inputs are found by solving for what they decide on
 * the way (Z3). Findings are UNSAFE or UNKNOWN. */
void hd_steer(const hd_code *code, const hd_explore_options *options,
              const hd_waypoints *const *ways, size_t n, hd_run *run,
              hd_explore_result *result);

/* --- replay --- */

typedef struct {
  size_t turns; /* that were made: fewer than given when one was not possible
                   or the run ended before */
  hd_machine_status status;
  bool violated; /* the run shows a violation of the property asked about … */
  hd_violation violation; /* … the last one; the message is owned */
  char *why; /* the turn that was not possible, or hd_machine_why; or NULL */
  bool
      refused; /* of weak memory: the axioms do not allow it; `why` says which */
  bool reuse;  /* they were made on a machine with that option */
} hd_replayed;

/* Makes the turns on a fresh machine with `options` as they are (observer and
 * all; what turns of weak memory make must be allowed by the axioms of
 * options->memory, which check/axioms judges; `clocks` is set when races are checked; when they violate nothing they are
 * tried with `reuse`, too). Violations of the properties in
 * `of` count; a race also counts when two threads stand before it at the end.
 * The same program, options and turns give the same answer. */
hd_replayed hd_replay(const hd_code *code, const hd_machine_options *options,
                      const hd_turns *turns, hd_properties of);
void hd_replayed_free(hd_replayed *replayed);

#endif
