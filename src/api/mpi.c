/* SPDX-License-Identifier: MIT */
#include "api/mpi.h"

#include "api/inputs.h"
#include "api/mpi_play.h"
#include "api/mpi_side.h"
#include "check/mpi/mpi.h"
#include "engine/teams/teams.h"
#include "engine/uniform/uniform.h"

#include <stdlib.h>
#include <string.h>

enum { TRIES = 20 }; /* other orders of a run that does not replay at once */

bool hd_mpi_verifiable(const hd_code *code, const hd_notes *notes) {
  return hd_mpi_program(code) || (notes && notes->notes.size);
}

typedef struct {
  const hd_code *code;
  const hd_mpi_verify_options *options;
  hd_run *run;
  hd_code_result *result;
  uint64_t states, transitions, steps, matches, proofs, questions, all_states;
  uint64_t side_runs;
  uint64_t tried;       /* states of the concrete machine */
  bool by_machine;      /* … which decided */
  bool ideal;           /* numbers are not those of C */
  const char *unlooked; /* why not; static */
  bool looked;          /* … or has seen them all, too, for every number */
  bool any;             /* proved for any number */
  bool teams;           /* processes have threads: OpenMP */
  bool one_result; /* … and what they do does not depend on their order */
  bool locks;      /* … and whether they wait for each other is open */
  char *several;   /* why that is not known; or NULL */
  bool bounded;
} job;

/* --- replay --- */

/* Inputs of the pragmas as the machine takes them. */
static void set_inputs(const job *j, const hd_lise_finding *f,
                       hd_input_values *inputs) {
  if (!j->options->notes)
    return;
  hd_input_values_start(inputs, j->options->notes);
  for (size_t i = 0; i < f->inputs.size; i++)
    if (f->inputs.data[i].edge == HD_NO_ID &&
        !hd_input_values_set(inputs, f->inputs.data[i].name,
                             f->inputs.data[i].value))
      hd_remarks_say(&j->result->notes, "an input has no value in C");
}

static int64_t value_of(const hd_lise_finding *f, hd_proc proc,
                        uint32_t number) {
  for (size_t i = 0; i < f->inputs.size; i++)
    if (f->inputs.data[i].proc == proc && f->inputs.data[i].number == number &&
        f->inputs.data[i].edge != HD_NO_ID)
      return strtoll(f->inputs.data[i].value, NULL, 10);
  return 0;
}

static void collect_steps(const hd_lise_finding *f, hd_mpi_steps *out) {
  for (size_t i = 0; i < f->steps.size; i++) {
    const hd_lise_step *s = &f->steps.data[i];
    if (!s->operation && !s->input)
      continue;
    hd_mpi_step step = {.process = s->proc,
                        .edge = s->edge,
                        .source = s->source,
                        .input = s->input != 0};
    if (s->input)
      step.value = value_of(f, s->proc, s->input);
    hd_vec_push(out, step);
  }
}

/* The run of the engine itself: of what cannot be executed. */
static hd_code_trace *own_trace(const job *j, uint32_t procs,
                                const hd_lise_finding *f) {
  hd_code_trace *trace = hd_code_trace_new(j->code);
  trace->processes = true;
  trace->n_threads = procs;
  uint32_t move = 0;
  for (size_t i = 0; i < f->steps.size; i++) {
    const hd_lise_step *s = &f->steps.data[i];
    if (s->operation)
      move++;
    hd_event event = {.kind = HD_EVENT_STEP,
                      .thread = s->proc,
                      .other = HD_NO_ID,
                      .edge = s->edge};
    hd_code_trace_add(trace, &event, move + 1, s->operation);
    if (!s->text)
      continue;
    event.kind = HD_EVENT_SET;
    event.text = s->text;
    hd_code_trace_add(trace, &event, move + 1, s->operation);
  }
  return trace;
}

static void name_inputs(const hd_lise_finding *f, hd_code_result *result) {
  for (size_t i = 0; i < f->inputs.size; i++) {
    hd_str note = {0};
    hd_str_printf(&note, "input %s = %s", f->inputs.data[i].name,
                  f->inputs.data[i].value);
    if (f->inputs.data[i].proc != HD_NO_ID)
      hd_str_printf(&note, " (process %u)", f->inputs.data[i].proc);
    hd_remarks_say(&result->notes, hd_str_text(&note));
    hd_str_free(&note);
  }
}

static void keep_violation(const job *j, const hd_lise_finding *f) {
  hd_str message = {0};
  hd_str_puts(&message, f->message);
  if (f->pragma != HD_NO_ID) {
    hd_str_puts(&message, " (the annotation at ");
    hd_code_print_pos(&message, j->code, j->code->pragmas.data[f->pragma].pos);
    hd_str_puts(&message, ")");
  }
  j->result->answers[f->property].violation =
      (hd_violation){.property = f->property,
                     .thread = f->proc,
                     .other = HD_NO_ID,
                     .edge = f->edge,
                     .other_edge = HD_NO_ID,
                     .message = hd_str_take(&message)};
}

static hd_mpi_options machine_options(const job *j, uint32_t procs) {
  hd_properties race = (hd_properties)1 << HD_PROPERTY_RACE;
  return (hd_mpi_options){.procs = procs,
                          .checks =
                              j->options->lise.checks & ~(j->teams ? 0 : race),
                          .one_result = j->one_result,
                          .potential = j->options->lise.potential,
                          .malloc_fails = j->options->lise.malloc_fails,
                          .argc = j->options->argc,
                          .argv = j->options->argv};
}

/* A run that ends with a violation, as the answer. */
static void keep_run(const job *j, const hd_mpi_options *mpi,
                     const hd_mpi_run *run, hd_code_answer *answer) {
  answer->violation = run->violation;
  answer->violation.message =
      hd_strdup(run->violation.message ? run->violation.message : "");
  for (size_t i = 0; i < run->turns.size; i++)
    hd_vec_push(&answer->turns, run->turns.data[i]);
  answer->trace = hd_mpi_record(j->code, mpi, &run->turns);
  answer->start.processes = mpi->procs;
}

static void take_run(const job *j, const hd_mpi_options *mpi,
                     const hd_mpi_run *run, const char *engine) {
  hd_code_answer *answer = &j->result->answers[run->violation.property];
  keep_run(j, mpi, run, answer);
  answer->verdict = HD_UNSAFE;
  answer->engine = engine;
  hd_free(answer->reason);
  answer->reason = NULL;
}

static void note_inputs(const job *j, const hd_start *start) {
  for (hd_vec_each(const hd_setting, s, &start->inputs)) {
    hd_str note = {0};
    hd_str_printf(&note, "input %s = %s", s->name, s->value);
    hd_remarks_say(&j->result->notes, hd_str_text(&note));
    hd_str_free(&note);
  }
}

/* True: the violation is real. */
static bool confirm(job *j, uint32_t procs, const hd_lise_finding *f) {
  hd_code_answer *answer = &j->result->answers[f->property];
  if (f->pragma != HD_NO_ID || f->property == HD_PROPERTY_INVARIANT) {
    keep_violation(j, f);
    answer->trace = own_trace(j, procs, f);
    answer->not_executed = true;
    return true;
  }
  hd_properties of = (hd_properties)1 << f->property;
  hd_mpi_options mpi = machine_options(j, procs);
  hd_input_values inputs = {0};
  set_inputs(j, f, &inputs);
  mpi.given = inputs.given.data;
  mpi.n_given = inputs.given.size;
  hd_mpi_steps steps = {0};
  collect_steps(f, &steps);
  hd_mpi_run run = hd_mpi_confirm(j->code, &mpi, &steps, of, TRIES);
  bool real = run.violated;
  if (real) {
    keep_run(j, &mpi, &run, answer);
    if (j->options->notes)
      hd_input_values_save(&inputs, &answer->start);
  }
  hd_mpi_run_free(&run);
  hd_vec_free(&steps);
  if (j->options->notes)
    hd_input_values_drop(&inputs);
  return real;
}

/* --- answers --- */

static const char *why_text(hd_lise_why why) {
  switch (why) {
  case HD_LISE_TOO_WEAK:
    return "possible violation (an invariant is too weak to exclude it)";
  case HD_LISE_ENTRY:
    return "possible invariant violation (does not hold on entry)";
  case HD_LISE_STEP_FAILS:
    return "possible invariant violation (not inductive)";
  case HD_LISE_UNPROVED:
    return "the prover gave up";
  default:
    return "violation";
  }
}

static char *reason_of(const job *j, uint32_t procs, const hd_lise_finding *f) {
  hd_str text = {0};
  hd_cpos pos = f->pragma != HD_NO_ID ? j->code->pragmas.data[f->pragma].pos
                : f->edge != HD_NO_ID ? j->code->edges.data[f->edge].pos
                                      : (hd_cpos){.file = HD_NO_ID};
  hd_code_print_pos(&text, j->code, pos);
  hd_str_printf(&text, ": %s, with %u process%s: %s", why_text(f->why), procs,
                procs == 1 ? "" : "es", f->message);
  return hd_str_take(&text);
}

static void answer_all(job *j, hd_verdict verdict, const char *reason) {
  for (int p = 0; p < HD_PROPERTY_COUNT; p++) {
    hd_code_answer *answer = &j->result->answers[p];
    answer->asked = j->options->lise.checks >> p & 1;
    if (!answer->asked || answer->verdict == HD_UNSAFE)
      continue;
    if (p == HD_PROPERTY_RACE && j->teams && answer->verdict == HD_SAFE)
      continue; /* for any team */
    answer->verdict = verdict;
    answer->engine = j->any ? "uniform" : j->by_machine ? "explore" : "lise";
    if (verdict == HD_SAFE && j->any) {
      hd_free(answer->unchecked);
      answer->unchecked = hd_strdup("it is about any number of processes");
    } else if (verdict == HD_SAFE && j->looked && !j->by_machine) {
      answer->proof = HD_PROOF_INTERLEAVINGS;
      answer->proof_size = j->tried;
    } else if (verdict == HD_SAFE && (j->by_machine || j->unlooked)) {
      hd_free(answer->unchecked);
      answer->unchecked = hd_strdup(
          j->by_machine ? "who executed all interleavings is the only "
                          "one that knows them"
                        : j->unlooked);
    }
    hd_free(answer->reason);
    answer->reason = reason ? hd_strdup(reason) : NULL;
    if (verdict == HD_SAFE && j->teams && j->locks &&
        p == HD_PROPERTY_DEADLOCK) {
      answer->verdict = HD_UNKNOWN;
      answer->reason = hd_strdup("the threads of a team may wait for each "
                                 "other, as far as teams can tell");
    }
    answer->why = hd_why_stopped(j->run->stop);
  }
}

/* --- what the engine does not know --- */

enum {
  MAX_STATES = 200000,
  LOOK_STATES = 10000,
  SOME_RUNS = 400,
  FEW_RUNS = 10
};
static const double LOOK_SECONDS = 2;

/* The run that the turns make ends with a violation. */
static void take_turns(job *j, const hd_mpi_options *mpi,
                       const hd_turns *turns) {
  hd_mpi_run run = hd_mpi_replay(j->code, mpi, turns);
  answer_all(j, HD_UNKNOWN, "the search ends at the first violation");
  if (run.violated)
    take_run(j, mpi, &run, "explore");
  hd_mpi_run_free(&run);
}

/* Runs by chance, with inputs by chance. True: one ends with a violation. */
static bool try_some(job *j, uint32_t procs, uint64_t runs) {
  const hd_notes *notes = j->options->notes;
  if (!hd_mpi_side_can(notes))
    return false;
  hd_mpi_options mpi = machine_options(j, procs);
  bool any =
      j->options->lise.c_numbers && !hd_notes_have(notes, HD_NOTE_INVARIANT);
  bool found = false, goes_on = true;
  hd_input_values inputs = {0};
  if (notes)
    hd_input_values_start(&inputs, notes);
  mpi.given = inputs.given.data;
  mpi.n_given = inputs.given.size;
  for (uint64_t i = 0; i < runs && goes_on && hd_run_check(j->run); i++) {
    if (mpi.n_given && !hd_input_values_choose(&inputs, i, any && i % 2))
      break;
    hd_run limits = {.deadline = hd_now() + 0.2, .memory = j->run->memory};
    hd_mpi_run run = hd_mpi_random(j->code, &mpi, i, NULL, 0, 0, &limits);
    found = run.violated;
    goes_on = !found && run.status != HD_MACHINE_UNSUPPORTED;
    j->side_runs++;
    if (found) {
      answer_all(j, HD_UNKNOWN, "the search ends at the first violation");
      take_run(j, &mpi, &run, "fuzz");
      hd_start *start = &j->result->answers[run.violation.property].start;
      if (mpi.n_given)
        hd_input_values_save(&inputs, start);
      note_inputs(j, start);
    }
    hd_mpi_run_free(&run);
  }
  if (notes)
    hd_input_values_drop(&inputs);
  return found;
}

/* The engine says SAFE. Its meaning of MPI and of numbers is its own: the machine
 * looks at what it can in a moment. False: it has found a violation. */
static bool second_look(job *j, uint32_t procs) {
  const hd_notes *notes = j->options->notes;
  if (notes && notes->notes.size) {
    j->looked = false;
    j->unlooked = "what annotations say cannot be executed";
    bool runs = j->options->lise.c_numbers && j->options->side_after >= 0;
    return !runs || !try_some(j, procs, FEW_RUNS);
  }
  bool brief = !j->options->confirm;
  hd_mpi_options mpi = machine_options(j, procs);
  hd_mpi_space space;
  hd_turns turns = {0};
  hd_run run = *j->run;
  double end = hd_now() + LOOK_SECONDS;
  if (brief && (run.deadline <= 0 || end < run.deadline))
    run.deadline = end;
  hd_mpi_decide(j->code, &mpi, &run, brief ? LOOK_STATES : MAX_STATES, &space,
                &turns);
  j->tried += space.states;
  j->looked = j->looked && space.complete;
  if (!space.complete && space.extent == HD_MPI_REFUSED)
    j->unlooked = "something in it cannot be executed";
  else if (!space.complete)
    j->unlooked = brief ? "its interleavings are not executed in a moment "
                          "(--confirm goes on)"
                        : "its interleavings are too many to be executed";
  if (space.found)
    take_turns(j, &mpi, &turns);
  bool fine = !space.found;
  hd_mpi_space_free(&space);
  hd_vec_free(&turns);
  return fine;
}

/* The engine cannot execute something. A program without annotations can be
 * tried on the concrete machine, all interleavings. True: it is safe. */
static bool try_all(job *j, uint32_t procs, const char *reason) {
  const hd_notes *notes = j->options->notes;
  bool alone = j->options->side_after < 0;
  if (alone || (notes && notes->notes.size)) {
    if (alone || !try_some(j, procs, SOME_RUNS))
      answer_all(j, HD_UNKNOWN, reason);
    return false;
  }
  hd_mpi_options mpi = machine_options(j, procs);
  hd_mpi_space space;
  hd_turns turns = {0};
  hd_mpi_decide(j->code, &mpi, j->run, MAX_STATES, &space, &turns);
  j->tried += space.states;
  bool safe = space.complete && !space.found;
  if (space.found) {
    take_turns(j, &mpi, &turns);
  } else if (!safe && !try_some(j, procs, SOME_RUNS)) {
    hd_str text = {0};
    if (space.extent == HD_MPI_REFUSED)
      hd_str_puts(&text, space.why);
    else
      hd_str_printf(&text, "%s; all interleavings: %s", reason, space.why);
    answer_all(j, HD_UNKNOWN, hd_str_text(&text));
    hd_str_free(&text);
  }
  j->by_machine = j->by_machine || safe;
  hd_mpi_space_free(&space);
  hd_vec_free(&turns);
  return safe;
}

/* What a run by chance has found. */
static void take_side(job *j, const hd_mpi_side *side) {
  hd_code_answer *answer = &j->result->answers[side->found.violation.property];
  answer_all(j, HD_UNKNOWN, "the search ends at the first violation");
  keep_run(j, &side->options, &side->found, answer);
  hd_mpi_side_save(side, &answer->start);
  answer->verdict = HD_UNSAFE;
  answer->engine = "fuzz";
  hd_free(answer->reason);
  answer->reason = NULL;
  note_inputs(j, &answer->start);
}

/* The search, with runs by chance beside it when it takes long. True: these
 * have found something. */
static bool search(job *j, const hd_lise_source *source, bool c_numbers,
                   hd_lise_result *found) {
  hd_mpi_options mpi = machine_options(j, source->n_procs);
  hd_mpi_side side;
  hd_run run;
  hd_mpi_side_start(&side, j->code, &mpi, source->notes, j->options->side_after,
                    j->run, &run);
  hd_lise_options options = j->options->lise;
  options.c_numbers = c_numbers;
  hd_lise_run(source, 1, &options, &run, found);
  hd_mpi_side_stop(&side, &run);
  j->side_runs += side.runs;
  /* Numbers of the machine are not ideal: then it is right, and not SAFE. */
  bool first = side.found.violated && found->verdict != HD_UNSAFE;
  if (first)
    take_side(j, &side);
  hd_mpi_side_free(&side);
  return first;
}

/* What C's numbers leave open is looked at once more with ideal ones, which is
 * what invariants are mostly about. False: it was not. */
static bool search_again(job *j, const hd_lise_source *source,
                         hd_lise_result *found, bool *decided) {
  if (!j->options->lise.c_numbers ||
      !hd_notes_have(source->notes, HD_NOTE_INVARIANT) || !hd_run_check(j->run))
    return false;
  hd_lise_result ideal = {0};
  *decided = search(j, source, false, &ideal);
  hd_lise_result_free(found);
  *found = ideal;
  found->ideal = true;
  return true;
}

/* --- OpenMP in the processes --- */

/* Races, and whether the order of threads matters at all, are engine/teams' to say:
 * for each process, whatever the others send. */
static void look_at_teams(job *j) {
  hd_teams_result found = {.asks_one = true};
  hd_machine_options machine = {.checks = j->options->lise.checks,
                                .argc = j->options->argc,
                                .argv = j->options->argv};
  hd_run run = *j->run;
  double now = hd_now();
  if (run.deadline > 0)
    run.deadline = now + (run.deadline - now) * 0.5;
  hd_teams_prove(j->code, &machine, &run, &found);
  hd_code_answer *race = &j->result->answers[HD_PROPERTY_RACE];
  j->one_result = found.one;
  j->locks = !(found.safe >> HD_PROPERTY_DEADLOCK & 1);
  if (found.safe >> HD_PROPERTY_RACE & 1) {
    race->verdict = HD_SAFE;
    race->engine = "teams";
    hd_remarks_say(
        &j->result->notes,
        "in no team is there a call of MPI that the level of threads "
        "forbids");
  }
  j->several = found.reason ? found.reason
                            : hd_strdup("what the threads of a team do depends "
                                        "on their number or their order");
}

static bool calls(const hd_code *code, const char *name) {
  for (hd_vec_each(const hd_func, f, &code->funcs))
    if (!strcmp(f->name, name))
      return true;
  return false;
}

/* What an answer about threads relies on. */
static void say_assumptions(const job *j) {
  if (calls(j->code, "MPI_Init_thread"))
    hd_remarks_say(&j->result->notes, "assumed: MPI provides the level of "
                                      "threads that it is asked for");
}

/* Is there anything that is not answered? */
static bool asks_more(const job *j) {
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    if (j->result->answers[p].asked &&
        j->result->answers[p].verdict == HD_UNKNOWN)
      return true;
  return false;
}

/* Threads in their orders, with messages by chance and all of them. True: safe. */
static bool verify_teams(job *j, uint32_t procs) {
  if (try_some(j, procs, FEW_RUNS))
    return false;
  if (j->one_result)
    return try_all(j, procs, "");
  if (!try_some(j, procs, SOME_RUNS))
    answer_all(j, HD_UNKNOWN, j->several);
  return false;
}

/* One number of processes. False: stop here. */
static bool verify_one(job *j, uint32_t procs) {
  if (j->teams)
    return verify_teams(j, procs);
  hd_lise_source source = {
      .code = j->code, .notes = j->options->notes, .n_procs = procs};
  hd_lise_result found = {0};
  bool c_numbers = j->options->lise.c_numbers;
  bool decided = search(j, &source, c_numbers, &found);
  bool real = !decided && found.verdict == HD_UNSAFE &&
              confirm(j, procs, &found.finding);
  if (!decided && !real && found.verdict != HD_SAFE &&
      search_again(j, &source, &found, &decided) && !decided)
    real = found.verdict == HD_UNSAFE && confirm(j, procs, &found.finding);
  j->states += found.states;
  j->transitions += found.transitions;
  j->steps += found.steps;
  j->matches += found.matches;
  j->proofs += found.proofs;
  j->questions += found.questions;
  j->bounded = j->bounded || found.bounded;
  for (size_t i = 0; i < found.notes.size; i++)
    hd_remarks_say(&j->result->notes, found.notes.data[i]);
  bool go_on = false;
  if (decided) {
    /* nothing is left to be done */
  } else if (found.verdict == HD_UNSAFE) {
    hd_property p = found.finding.property;
    if (real) {
      answer_all(j, HD_UNKNOWN, "the search ends at the first violation");
      j->result->answers[p].verdict = HD_UNSAFE;
      j->result->answers[p].engine = "lise";
      hd_free(j->result->answers[p].reason);
      j->result->answers[p].reason = NULL;
      name_inputs(&found.finding, j->result);
    } else {
      hd_str text = {0};
      char *reason = reason_of(j, procs, &found.finding);
      hd_str_printf(&text,
                    "%s; but executing it does not show that (numbers there "
                    "are not ideal)",
                    reason);
      go_on = try_all(j, procs, hd_str_text(&text));
      hd_free(reason);
      hd_str_free(&text);
    }
  } else if (found.verdict == HD_UNKNOWN) {
    if (found.finding.found) {
      char *reason = reason_of(j, procs, &found.finding);
      go_on = try_all(j, procs, reason);
      hd_free(reason);
    } else {
      go_on = try_all(j, procs, found.reason);
    }
    if (!go_on && found.finding.found && found.finding.state)
      hd_remarks_say(&j->result->notes, found.finding.state);
  } else {
    bool looked = j->looked;
    j->looked = true;
    go_on = second_look(j, procs);
    bool ideal = (found.ideal || !c_numbers) && !j->looked;
    j->looked = j->looked && looked;
    if (go_on && ideal && c_numbers &&
        !hd_notes_have(source.notes, HD_NOTE_INVARIANT)) {
      answer_all(j, HD_UNKNOWN,
                 "floating-point numbers that depend on inputs were taken for "
                 "real numbers (--numbers=ideal accepts that)");
      go_on = false;
    }
    j->ideal = j->ideal || ideal;
  }
  hd_lise_result_free(&found);
  return go_on;
}

/* The states that every interleaving has, for comparison. */
static void count_all(job *j, uint32_t procs) {
  hd_lise_source source = {
      .code = j->code, .notes = j->options->notes, .n_procs = procs};
  hd_lise_options options = j->options->lise;
  options.no_reduction = true;
  hd_lise_result found = {0};
  hd_lise_run(&source, 1, &options, j->run, &found);
  j->all_states += found.states;
  hd_lise_result_free(&found);
}

static void add_figures(const job *j) {
  hd_result *figures = &j->result->figures;
  const struct {
    const char *name;
    uint64_t value;
    const char *help;
  } stats[] = {
      {"lise.states", j->states, "symbolic states"},
      {"lise.transitions", j->transitions, "transitions"},
      {"lise.steps", j->steps, "edges of the program that were executed"},
      {"lise.matches", j->matches, "states that were seen before"},
      {"lise.proofs", j->proofs, "questions that the prover was asked"},
      {"lise.questions", j->questions, "questions in all"},
  };
  for (size_t i = 0; i < sizeof stats / sizeof *stats; i++)
    hd_result_stat(figures, stats[i].name, "", (double)stats[i].value,
                   stats[i].help);
  if (j->tried)
    hd_result_stat(figures, "explore.states", "", (double)j->tried,
                   "states of the concrete machine");
  if (j->side_runs)
    hd_result_stat(figures, "fuzz.runs", "", (double)j->side_runs, "runs");
  if (j->options->count_all)
    hd_result_stat(figures, "lise.unreduced", "", (double)j->all_states,
                   "symbolic states without reduction");
}

/* --- any number of processes --- */

enum { FEW = 3, SOME = 8 }; /* numbers that are searched before and after */

/* Searches one number, with a part of the time. True: there is a violation. */
static bool refutes(job *j, uint32_t procs, double part) {
  hd_run *whole = j->run, run = *j->run;
  double now = hd_now();
  if (whole->deadline > 0)
    run.deadline = now + (whole->deadline - now) * part;
  j->run = &run;
  bool safe = verify_one(j, procs), found = false;
  j->run = whole;
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    found = found || j->result->answers[p].verdict == HD_UNSAFE;
  if (found) {
    hd_str note = {0};
    hd_str_printf(&note,
                  "with %u processes, and with no smaller number that was "
                  "searched",
                  procs);
    hd_remarks_say(&j->result->notes, hd_str_text(&note));
    hd_str_free(&note);
  }
  (void)safe;
  return found;
}

static void say_any(job *j, const hd_uniform_result *proof) {
  hd_str text = {0};
  uint32_t least = j->options->least;
  if (proof->most >= INT32_MAX)
    hd_str_printf(&text, "every N from %u on", least);
  else
    hd_str_printf(&text, "every N from %u to %u", least, proof->most);
  hd_free(j->result->remark);
  j->result->remark = hd_strdup(hd_str_text(&text));
  hd_str note = {0};
  hd_str_printf(&note, "proved for %s processes", hd_str_text(&text));
  hd_remarks_say(&j->result->notes, hd_str_text(&note));
  if (proof->most < INT32_MAX)
    hd_remarks_say(&j->result->notes,
                   "with more processes, numbers may leave their types");
  hd_str_free(&note);
  hd_str_free(&text);
}

/* Proofs get a part of the time, so that a search can follow. */
static void prove_any(const job *j, hd_uniform_result *proof) {
  hd_run run = *j->run;
  double now = hd_now();
  if (run.deadline > 0)
    run.deadline = now + (run.deadline - now) * 0.7;
  hd_uniform_run(j->code, &j->options->lise, j->options->least, &run, proof);
}

/* The smallest numbers are searched; then all are proved at once. */
static void verify_any(job *j) {
  uint32_t n = j->options->least, searched = n;
  for (; n < j->options->least + FEW; n++) {
    searched = n;
    if (refutes(j, n, 0.15))
      return;
  }
  hd_uniform_result proof = {0};
  const hd_notes *notes = j->options->notes;
  if (notes && notes->notes.size)
    proof.reason = hd_strdup("annotations with any number of processes");
  else if (j->teams)
    proof.reason = hd_strdup("any number of processes with several threads");
  else
    prove_any(j, &proof);
  bool safe = proof.verdict == HD_SAFE;
  for (; !safe && n <= SOME && hd_run_check(j->run); n++) {
    searched = n;
    if (refutes(j, n, 0.5)) {
      hd_uniform_result_free(&proof);
      return;
    }
  }
  if (!safe && proof.suspect > searched && hd_run_check(j->run) &&
      refutes(j, proof.suspect, 0.7)) {
    hd_uniform_result_free(&proof);
    return;
  }
  hd_str reason = {0};
  hd_str_printf(&reason, "%s; searched up to %u processes",
                proof.reason ? proof.reason : "no proof", searched);
  j->any = true;
  j->by_machine = false;
  j->ideal = safe && proof.ideal;
  if (safe && j->ideal && j->options->lise.c_numbers) {
    safe = false;
    answer_all(j, HD_UNKNOWN,
               "floating-point numbers were taken for real numbers "
               "(--numbers=ideal accepts that)");
  } else {
    answer_all(j, proof.verdict, safe ? NULL : hd_str_text(&reason));
  }
  if (safe)
    say_any(j, &proof);
  j->result->ideal = j->ideal && safe;
  j->proofs += proof.proofs;
  hd_str_free(&reason);
  hd_uniform_result_free(&proof);
}

hd_verify_status hd_verify_mpi(const hd_code *code,
                               const hd_mpi_verify_options *options,
                               hd_run *run, hd_code_result *result,
                               hd_str *why) {
  if (code->main == HD_NO_ID) {
    hd_str_puts(why, "there is no function 'main'");
    return HD_VERIFY_REFUSED;
  }
  job j = {.code = code,
           .options = options,
           .run = run,
           .result = result,
           .looked = true,
           .teams = hd_teams_used(code)};
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    result->answers[p].asked = options->lise.checks >> p & 1;
  if (j.teams)
    look_at_teams(&j);
  if (j.teams && !asks_more(&j)) {
    hd_free(j.several);
    return HD_VERIFY_DONE;
  }
  if (options->most == HD_PROCS_ANY) {
    verify_any(&j);
    add_figures(&j);
    hd_free(j.several);
    return HD_VERIFY_DONE;
  }
  bool safe = true;
  for (uint32_t n = options->least; safe && n <= options->most; n++) {
    safe = verify_one(&j, n);
    if (options->count_all)
      count_all(&j, n);
  }
  if (safe && j.bounded && !options->accept_bounded)
    answer_all(&j, HD_UNKNOWN,
               "nothing found within the bounds of --unwind "
               "(--accept-bounded takes that for safe)");
  else if (safe)
    answer_all(&j, HD_SAFE, NULL);
  if (safe && j.teams)
    say_assumptions(&j);
  if (safe && j.bounded)
    hd_remarks_say(&result->notes, "safe within the bounds of --unwind only");
  if (j.by_machine)
    hd_remarks_say(&result->notes, "decided by executing all interleavings");
  else if (safe ? j.ideal : !options->lise.c_numbers)
    hd_remarks_say(&result->notes,
                   "integers are mathematical, floating-point numbers real");
  result->ideal = safe && j.ideal;
  add_figures(&j);
  hd_free(j.several);
  return HD_VERIFY_DONE;
}
