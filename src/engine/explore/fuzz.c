/* SPDX-License-Identifier: MIT */
/* Bugs by many runs.
 *
 * Each run follows one strategy (schedule.c) with inputs that are worth trying
 * (inputs.c). Where values were once refused by an assumption right behind the
 * input, others are tried at once: random ones seldom fulfil several assumptions
 * of one run. Races are found by vector clocks, so the two accesses need not
 * come right after each other. The first run is a plain one: each thread goes on
 * until it waits. Strategies and the number of changes take turns, so that none
 * can starve another. The first run that violates a property is kept, shrunk
 * (shrink.c) and replayed; then the search goes on for the other properties.
 * Where runs are long, most begin where one of them has been at some time: in the
 * same time there are more ends.
 * Where memory is weak, every second run chooses what it reads, too (weak.c).
 * The same seed gives the same runs; only a time limit can make a difference. */
#include "base/hash.h"
#include "engine/explore/common.h"
#include "engine/explore/inputs.h"
#include "engine/explore/schedule.h"
#include "engine/explore/shrink.h"
#include "engine/explore/weak.h"

#include <stdio.h>
#include <string.h>

/* Local actions of one move, in most runs. */
#define SHORT_LOCAL 50000
#define SHRINK_SECONDS 1.0
#define STRATEGIES 6 /* that take turns */

typedef struct {
  hd_violation violation;
  size_t turns;  /* up to it */
  uint64_t key;  /* of a harvest */
  uint64_t what; /* of a race: its variable */
} failure;

typedef struct {
  const hd_code *code;
  const hd_explore_options *options;
  hd_machine_options machine;
  hd_run *run;
  hd_explore_result *result;
  hd_scheduler *scheduler;
  hd_inputs inputs;
  hd_machine *fresh; /* before the first move, or behind these: */
  hd_turns first;    /* moves that all runs have in common (free_alone) */
  hd_turns turns;    /* of this run */
  hd_vec(failure) failures;
  uint64_t runs; /* with the plain one, also if it is left out */
  uint64_t moves, longest, cut, stuck, tries;
  hd_machine *base; /* where some runs begin, NULL: none does */
  hd_turns way;     /* … and how that was reached */
  uint64_t leave; /* the step of this run at which it becomes `base`; 0: none */
  unsigned left;  /* runs that will still begin there */
  unsigned wider; /* how often runs were allowed twice as many moves */
  bool ended;     /* a run has come to its end */
  bool open;      /* there was something to choose: runs can differ */
  hd_edge_id drawn; /* the last input of this run */
  hd_turn_choices classes;
  bool *picky;      /* by edge: an input of which some values are refused */
  hd_weak *weak;    /* NULL: all runs are interleavings */
  bool weak_run;    /* this one is of weak memory */
  uint64_t refused; /* of these, by the axioms */
} fuzzer;

static hd_strategy strategy_of(const fuzzer *f) {
  static const hd_strategy turn[STRATEGIES] = {
      HD_STRATEGY_PRIORITIES, HD_STRATEGY_RACES,  HD_STRATEGY_TURNS,
      HD_STRATEGY_WALK,       HD_STRATEGY_ROUNDS, HD_STRATEGY_SPEEDS,
  };
  if (!f->runs)
    return HD_STRATEGY_TURNS;
  if (f->options->strategy != HD_STRATEGY_MIX)
    return f->options->strategy;
  return turn[f->runs % STRATEGIES];
}

static uint32_t depth_of(const fuzzer *f) {
  uint32_t most = f->options->depth ? f->options->depth : 3;
  return f->runs ? (uint32_t)(f->runs / STRATEGIES % (most + 1)) : 0;
}

/* One of each property; with a harvest, each that is new. */
static bool seen(const fuzzer *f, const failure *new) {
  for (hd_vec_each(const failure, fail, &f->failures))
    if (fail->violation.property == new->violation.property &&
        (!f->result->harvest || fail->key == new->key))
      return true;
  return false;
}

/* --- races that say more --- */

enum { NEAR = 1000 }; /* moves */

static bool writes(const fuzzer *f, hd_edge_id edge) {
  return edge < f->code->edges.size &&
         f->code->edges.data[edge].act != HD_CODE_LOAD;
}

/* Do both write? */
static bool is_best(const fuzzer *f, const failure *fail) {
  return fail->violation.property != HD_PROPERTY_RACE || !f->options->teams ||
         (writes(f, fail->violation.edge) &&
          writes(f, fail->violation.other_edge));
}

/* A race of two writes soon behind another one of the same variable: that one shows
 * why. */
static void prefer(fuzzer *f, const failure *new) {
  for (hd_vec_each(failure, fail, &f->failures))
    if (fail->violation.property == new->violation.property &&
        fail->what == new->what && !f->result->harvest && !is_best(f, fail) &&
        is_best(f, new)) {
      *fail = *new;
      fail->violation.message = NULL;
    }
}

/* Keeps the violations that the last move brought. */
static void collect(fuzzer *f, const hd_machine *machine, size_t known) {
  for (size_t i = known; i < hd_machine_violations(machine); i++) {
    failure fail = {.violation = *hd_machine_violation(machine, i),
                    .turns = f->turns.size};
    if (!hd_findings_takes(f->result, f->code, &fail.violation))
      continue;
    const char *message = fail.violation.message;
    fail.what = message ? hd_hash_bytes(message, strlen(message)) : 0;
    if (f->result->harvest)
      fail.key = hd_harvest_key(f->code, &fail.violation);
    else
      fail.violation.n_waits = 0; /* anybody who waits will do */
    if (seen(f, &fail)) {
      prefer(f, &fail);
      continue;
    }
    fail.violation.message = NULL; /* the machine's; replay makes a new one */
    hd_vec_push(&f->failures, fail);
  }
}

/* A move takes longer the more threads there are: who is next is asked of all of
 * them, if they are not many. And local actions are not for free. */
static bool tick(fuzzer *f, const hd_machine *machine) {
  if (hd_run_wants_progress(f->run)) {
    hd_progress progress = {.engine = "fuzz",
                            .names = {"runs", "moves", "longest", "cut"},
                            .values = {f->runs, f->moves, f->longest, f->cut}};
    hd_run_show(f->run, &progress);
  }
  uint64_t last = f->turns.size ? hd_machine_effort(machine) : 0;
  size_t asked = hd_machine_threads(machine);
  bool many = asked > HD_MANY_THREADS;
  asked = many ? HD_MANY_THREADS : asked;
  uint64_t steps = 1 + asked / 8 + last / HD_LOCAL_ACTIONS;
  if (many && f->run->steps && f->runs < 2)
    f->run->steps += steps; /* all have to come to something once */
  return hd_run_spend(f->run, steps);
}

/* --- inputs that are refused --- */

/* The thread moves on alone, as long as nobody notices. */
static bool is_refused(const hd_machine *machine, hd_turn turn) {
  enum { FAR = 24 };
  hd_machine *ahead = hd_machine_copy(machine);
  hd_machine_move(ahead, turn);
  for (int i = 0;
       i < FAR && hd_machine_status_of(ahead) == HD_MACHINE_RUNNING &&
       hd_machine_alive(ahead, turn.thread) &&
       hd_machine_enabled(ahead, turn.thread) &&
       hd_machine_access(ahead, turn.thread).local &&
       hd_machine_choices(ahead, turn.thread) == 1;
       i++)
    hd_machine_move(ahead, (hd_turn){.thread = turn.thread});
  bool refused = hd_machine_status_of(ahead) == HD_MACHINE_ASSUMED;
  hd_machine_delete(ahead);
  return refused;
}

/* Another value: one of those that comparisons tell apart, if there are few. */
static uint64_t redraw(fuzzer *f, const hd_machine *machine, hd_tid thread) {
  hd_rng *rng = hd_scheduler_rng(f->scheduler);
  if (!f->classes.size)
    return hd_inputs_draw(&f->inputs, rng, machine, thread);
  return f->classes.data[hd_rng_below(rng, f->classes.size)];
}

static uint64_t draw(fuzzer *f, const hd_machine *machine, hd_tid thread) {
  enum { TRIES = 24, FEW = 256 };
  hd_turn turn = {.thread = thread};
  turn.choice = hd_inputs_draw(&f->inputs, hd_scheduler_rng(f->scheduler),
                               machine, thread);
  if (!hd_machine_is_input(machine, thread))
    return turn.choice;
  f->drawn = hd_machine_access(machine, thread).edge;
  if (!f->picky[f->drawn] || !is_refused(machine, turn))
    return turn.choice;
  if (!hd_machine_input_classes(machine, thread, FEW, &f->classes))
    hd_vec_clear(&f->classes);
  for (int i = 0; i < TRIES && (!i || is_refused(machine, turn)); i++)
    turn.choice = redraw(f, machine, thread);
  return turn.choice;
}

/* With a large number as an input a loop can take very long: but for the first
 * and every eighth, runs are given up early there. */
static bool is_short(const fuzzer *f) {
  return f->runs % 8 && !f->options->machine.max_local;
}

/* Each thread has to come to something. */
static uint64_t most_moves(const fuzzer *f, const hd_machine *machine) {
  enum { MOST = 20000, EACH = 50 };
  uint64_t most = f->options->max_moves
                      ? f->options->max_moves
                      : MOST + EACH * (uint64_t)hd_machine_threads(machine);
  return most << f->wider;
}

/* Where nobody has seen the end, later runs may go further. */
static void cut_off(fuzzer *f) {
  enum { MOST_WIDER = 5 };
  f->cut++;
  if (!f->ended && f->wider < MOST_WIDER && !f->options->max_moves)
    f->wider++;
}

/* --- beginning in the middle --- */

enum { LONG_RUN = 4000, BRANCHES = 24 };

static void drop_base(fuzzer *f) {
  hd_machine_delete(f->base);
  f->base = NULL;
  f->left = 0;
}

/* A machine to begin with: of every group of runs the first begins with the program
 * and is kept as it is somewhere on its way. */
static hd_machine *begin(fuzzer *f) {
  hd_vec_clear(&f->turns);
  f->leave = 0;
  if (f->weak_run) /* what was written before is looked at, too */
    return hd_machine_copy(f->fresh);
  if (f->base && f->left) {
    f->left--;
    for (hd_vec_each(const hd_turn, turn, &f->way))
      hd_vec_push(&f->turns, *turn);
    return hd_machine_copy(f->base);
  }
  drop_base(f);
  if (f->longest > LONG_RUN) { /* rather late: all threads should be there */
    hd_rng *rng = hd_scheduler_rng(f->scheduler);
    uint64_t a = hd_rng_below(rng, f->longest),
             b = hd_rng_below(rng, f->longest);
    f->leave = 1 + (a > b ? a : b);
  }
  for (hd_vec_each(const hd_turn, turn, &f->first))
    hd_vec_push(&f->turns, *turn);
  return hd_machine_copy(f->fresh);
}

static void leave(fuzzer *f, const hd_machine *machine) {
  f->base = hd_machine_copy(machine);
  f->left = BRANCHES;
  f->leave = 0;
  hd_vec_clear(&f->way);
  for (hd_vec_each(const hd_turn, turn, &f->turns))
    hd_vec_push(&f->way, *turn);
}

/* Is there no more that the run could show? */
static bool has_all(const fuzzer *f) {
  hd_properties found = 0;
  for (hd_vec_each(const failure, fail, &f->failures))
    if (is_best(f, fail) || f->turns.size >= fail->turns + NEAR)
      found |= (hd_properties)1 << fail->violation.property;
  return !f->result->harvest &&
         !(f->machine.checks & ~f->options->also & ~found);
}

/* One run, until it ends or is cut. */
static void go(fuzzer *f, hd_machine *machine) {
  size_t alone = 0;
  collect(f, machine, 0);
  while (hd_machine_status_of(machine) == HD_MACHINE_RUNNING && !has_all(f)) {
    if (f->leave && f->turns.size == f->leave)
      leave(f, machine);
    if (f->options->free_alone && hd_machine_threads(machine) == 1)
      alone = f->turns.size;
    if (f->turns.size - alone >= most_moves(f, machine)) {
      cut_off(f);
      return;
    }
    hd_tid thread = hd_scheduler_pick(f->scheduler, machine);
    if (thread == HD_NO_ID || !tick(f, machine))
      return;
    f->open = f->open || hd_machine_threads(machine) > 1 ||
              hd_machine_choices(machine, thread) > 1;
    hd_turn turn = {.thread = thread};
    turn.choice = f->runs ? draw(f, machine, thread)
                          : hd_inputs_plain(f->inputs.hint, machine, thread);
    size_t known = hd_machine_violations(machine);
    if (f->weak_run)
      hd_weak_move(f->weak, machine, &turn, (uint32_t)f->turns.size + 1);
    else
      hd_machine_move(machine, turn);
    hd_vec_push(&f->turns, turn);
    collect(f, machine, known);
  }
  f->ended = true;
  f->stuck += hd_machine_status_of(machine) == HD_MACHINE_UNSUPPORTED;
  if (hd_machine_status_of(machine) == HD_MACHINE_ASSUMED &&
      f->drawn != HD_NO_ID)
    f->picky[f->drawn] = true;
  if (hd_machine_status_of(machine) != HD_MACHINE_DIVERGED || !is_short(f))
    hd_findings_note_end(f->result, machine);
}

/* Of a harvest also when the steps are used up: nobody comes here again. */
static uint64_t shrink(fuzzer *f, const hd_violation *violation,
                       hd_turns *turns) {
  hd_run run = *f->run;
  if (f->result->harvest && run.stop == HD_STOP_STEPS)
    run.stop = HD_RUNNING;
  run.steps = f->result->harvest ? 0 : run.steps;
  return hd_shrink(f->code, f->options, violation, SHRINK_SECONDS,
                   f->result->harvest ? &run : f->run, turns);
}

/* Runs of weak memory are drawn from more than there are. */
static bool is_allowed(fuzzer *f, const failure *fail, const hd_turns *turns) {
  assert(f->weak_run);
  hd_machine_options machine = hd_search_options(f->options, true);
  hd_replayed r = hd_replay_expecting(f->code, &machine, turns,
                                      hd_property_bit(fail->violation.property),
                                      &fail->violation);
  bool refused = r.refused;
  hd_replayed_free(&r);
  f->refused += refused;
  return !refused;
}

static void report(fuzzer *f, const failure *fail) {
  assert(fail->turns <= f->turns.size);
  hd_turns turns = {0};
  for (size_t i = 0; i < fail->turns; i++)
    hd_vec_push(&turns, f->turns.data[i]);
  if (f->weak_run) {
    hd_weak_tell(f->weak, &turns, turns.size);
    if (is_allowed(f, fail, &turns) &&
        hd_findings_takes(f->result, f->code, &fail->violation)) {
      if (!f->options->no_shrink)
        f->tries += hd_shrink_weak(f->code, f->options, &fail->violation,
                                   SHRINK_SECONDS, f->run, &turns);
      hd_findings_add(f->result, f->code, f->options, &fail->violation, &turns);
    }
    hd_vec_free(&turns);
    return;
  }
  if (!f->options->no_shrink && !f->machine.reuse)
    f->tries += shrink(f, &fail->violation, &turns);
  if (f->result->harvest) /* the shrunk run may call it something else */
    hd_vec_push(&f->result->harvest->known, fail->key);
  hd_findings_add(f->result, f->code, f->options, &fail->violation, &turns);
  hd_vec_free(&turns);
}

/* False when no more runs are wanted. */
static bool one_run(fuzzer *f) {
  f->weak_run = f->weak && f->runs % 2 && !f->machine.reuse && !f->first.size;
  if (f->weak_run)
    hd_weak_start(f->weak);
  f->machine.max_local =
      is_short(f) ? SHORT_LOCAL : f->options->machine.max_local;
  hd_vec_clear(&f->failures);
  f->drawn = HD_NO_ID;
  hd_scheduler_start(f->scheduler, strategy_of(f), depth_of(f));
  hd_inputs_begin(&f->inputs, hd_scheduler_rng(f->scheduler));
  hd_machine *machine = begin(f);
  size_t way = f->turns.size;
  go(f, machine);
  hd_scheduler_end(f->scheduler);
  hd_machine_delete(machine);
  f->runs++;
  f->moves += f->turns.size - way;
  if (f->turns.size > f->longest)
    f->longest = f->turns.size;
  for (hd_vec_each(failure, fail, &f->failures))
    report(f, fail);
  if (!f->machine.reuse && hd_machine_told(f->fresh)) {
    f->machine.reuse = f->open = true;
    drop_base(f);
    hd_machine_delete(f->fresh);
    f->fresh = hd_machine_new(f->code, &f->machine);
    hd_vec_clear(&f->first);
  }
  return f->open && !(f->failures.size && f->options->first_only) &&
         hd_findings_open(f->result) && hd_run_check(f->run);
}

/* Does the thread stand before a call? */
static bool is_call(const fuzzer *f, const hd_machine *m) {
  hd_edge_id edge = hd_machine_access(m, 0).edge;
  return edge < f->code->edges.size &&
         f->code->edges.data[edge].act == HD_CODE_CALL;
}

/* As long as there is one thread that computes. */
static void begin_all(fuzzer *f) {
  hd_machine *m = f->fresh;
  while (hd_machine_status_of(m) == HD_MACHINE_RUNNING &&
         hd_machine_threads(m) == 1 && hd_machine_enabled(m, 0) &&
         !is_call(f, m) && hd_machine_choices(m, 0) == 1 &&
         hd_run_spend(f->run, 1 + hd_machine_effort(m) / HD_LOCAL_ACTIONS)) {
    hd_turn turn = {0};
    hd_machine_move(m, turn);
    hd_vec_push(&f->first, turn);
  }
  if (hd_machine_status_of(m) == HD_MACHINE_RUNNING &&
      !hd_machine_violations(m))
    return;
  hd_machine_delete(m);
  f->fresh = hd_machine_new(f->code, &f->machine);
  hd_vec_clear(&f->first);
}

static uint64_t runs_made(const fuzzer *f) {
  return f->runs - f->options->again;
}

static void put_stats(fuzzer *f) {
  hd_explore_result *r = f->result;
  hd_findings_stat(r, "fuzz.runs", "", (double)runs_made(f), "schedules tried");
  hd_findings_stat(r, "fuzz.moves", "", (double)f->moves, "moves made");
  hd_findings_stat(r, "fuzz.longest", "", (double)f->longest,
                   "moves of the longest run");
  hd_findings_stat(r, "fuzz.cut", "", (double)f->cut,
                   "runs that were longer than the limit");
  hd_findings_stat(r, "fuzz.refused", "", (double)f->stuck,
                   "runs that met what is not known");
  hd_findings_stat(r, "fuzz.shrinking", "", (double)f->tries,
                   "runs tried to shrink the failing ones");
}

static void conclude(fuzzer *f) {
  char reason[160];
  if (!hd_run_check(f->run))
    snprintf(reason, sizeof reason, "%s; no violation in %llu runs",
             hd_run_why(f->run), (unsigned long long)runs_made(f));
  else if (!f->open)
    snprintf(reason, sizeof reason, "%s",
             f->cut ? "the only run was cut off"
                    : "the only run there is shows no violation");
  else
    snprintf(reason, sizeof reason, "no violation in %llu runs",
             (unsigned long long)runs_made(f));
  hd_findings_rest(f->result, HD_UNKNOWN, HD_WHY_OTHER, reason);
}

void hd_fuzz(const hd_code *code, const hd_explore_options *options,
             hd_run *run, hd_explore_result *result) {
  fuzzer f = {.code = code,
              .options = options,
              .machine = hd_search_options(options, true),
              .run = run,
              .runs = options->again,
              .result = result,
              .scheduler = hd_scheduler_new(code, options->seed)};
  uint64_t most = options->runs ? options->runs : 10000;
  most += most < UINT64_MAX - options->again ? options->again : 0;
  hd_findings_start(result, options);
  hd_inputs_init(&f.inputs, code);
  f.inputs.hint = options->hint;
  if (hd_weak_wanted(code, &f.machine)) {
    f.machine.clocks = f.machine.footprints = true;
    f.weak = hd_weak_new(code, hd_scheduler_rng(f.scheduler));
  }
  f.picky = hd_calloc(code->edges.size + 1, sizeof *f.picky);
  f.fresh = hd_machine_new(code, &f.machine);
  if (options->free_alone)
    begin_all(&f);
  while (f.runs < most && one_run(&f)) {
  }
  conclude(&f);
  put_stats(&f);
  drop_base(&f);
  hd_vec_free(&f.way);
  hd_machine_delete(f.fresh);
  hd_weak_delete(f.weak);
  hd_free(f.picky);
  hd_vec_free(&f.classes);
  hd_scheduler_delete(f.scheduler);
  hd_inputs_free(&f.inputs);
  hd_vec_free(&f.first);
  hd_vec_free(&f.turns);
  hd_vec_free(&f.failures);
}
