/* SPDX-License-Identifier: MIT */
/* The default choice for C programs. A few random runs find most bugs and cost
 * little where there are none; explore then begins in this process, for a moment
 * that decides what is small. What is left open is worked on side by side, by
 * turns: threads one by one (modular) are a quick proof, for any number of them;
 * unfold proves what its domains can prove; explore goes on where it was, unless
 * inputs are too wide for it to prove anything; the counter engines and pairs
 * decide what creates threads without end; and fuzz looks for more bugs, for a while also when
 * all others have given up. */
#include "api/answer.h"
#include "api/memory.h"
#include "api/code_job.h"
#include "engine/portfolio/crew.h"
#include "engine/weave/weave.h"
#include "model/calls.h"

#include <string.h>

static const double moment = 0.015; /* for explore, in this process */
/* explore's share where threads meet in atomic sections. */
static const double sections = 8;
/* What is left of explore's share when inputs are too wide for it. */
static const double doubtful = 0.1;
/* Where there may be as many threads as an input says: of explore, fuzz, pairs. */
static const double many = 0.5, lucky = 0.3, related = 4;
/* For fuzz, when all others have given up: as long as they took, or this. */
static const double rest = 3.0;
/* For what is open behind a violation: twice as long as that took, or this. */
static const double behind = 5.0;
static const uint64_t round_runs = 2000;

typedef enum {
  MODULAR,
  UNFOLD,
  EXPLORE,
  GRAPH,
  UNBOUNDED,
  PAIRS,
  WEAVE,
  FUZZ
} engine_kind;

static const struct {
  const char *name;
  hd_crew_member member;
  const char *why;
} engines[] = {
    [MODULAR] = {"modular",
                 {.weight = 2, .rate = 60000},
                 "threads one by one: proves what locks protect"},
    [UNFOLD] = {"unfold",
                {.weight = 2, .rate = 12000},
                "proves what intervals can prove"},
    [EXPLORE] = {"explore",
                 {.weight = 4, .rate = 9000},
                 "decides what has few interleavings"},
    [GRAPH] = {"graph",
               {.weight = 4, .head = 0.1, .rate = 650},
               "few orders of what is written for weak memory"},
    [UNBOUNDED] = {"unbounded",
                   {.weight = 0.5, .head = 0.1, .rate = 10000},
                   "threads are created in a loop: counter engines"},
    [PAIRS] = {"pairs",
               {.weight = 2, .head = 0.1, .rate = 8000},
               "threads are created in a loop: relations of any two"},
    [WEAVE] = {"weave",
               {.weight = 0.5, .head = 0.1, .rate = 8000},
               "few threads: bounds, equations, Horn clauses"},
    [FUZZ] = {"fuzz",
              {.weight = 1, .head = 0.1, .rate = 16000},
              "bugs that need many runs"},
};
enum { N_ENGINES = sizeof engines / sizeof *engines };

typedef struct {
  hd_job *job;
  engine_kind kinds[N_ENGINES]; /* of the members */
  hd_crew_member members[N_ENGINES];
  size_t size;
  bool ended[N_ENGINES]; /* by kind */
  double start;
  bool is_long;    /* a run has too many moves for explore to see all */
  bool hurried;    /* there is a violation, and an end */
  bool over;       /* to be begun again with other inputs */
  hd_str rejected; /* what did not replay */
  char *reasons[N_ENGINES][HD_PROPERTY_COUNT];
  hd_why whys[N_ENGINES][HD_PROPERTY_COUNT]; /* … as codes */
} race;

static void say(const race *r, size_t member, const char *what) {
  if (r->job->options->choice)
    hd_str_printf(r->job->options->choice, "%s: %s\n",
                  engines[r->kinds[member]].name, what);
}

/* --- in a member's process --- */

/* What is known so far. */
static void post(const hd_job *j, hd_crew_seat *seat) {
  hd_str text = {0};
  hd_answer_print_code(&text, j->code, j->result);
  hd_crew_post(seat, &text);
  hd_str_free(&text);
}

/* Rounds, so that what one of them finds is known at once. */
static bool keep_fuzzing(hd_job *j, hd_crew_seat *seat) {
  const hd_explore_options *o = &j->options->explore;
  j->plain = !o->runs;
  for (uint64_t round = 1;; round++) {
    hd_properties before = hd_job_found(j->result);
    hd_vec_clear(&j->result->figures.stats);
    bool good =
        hd_job_fuzz_once(j, o->seed + round, o->runs ? o->runs : round_runs);
    if (round == 1 && !o->runs && good && hd_job_open(j->result))
      good = hd_job_steer(j);
    if (!good || !hd_job_open(j->result) || !hd_run_check(j->run) || o->runs)
      return good;
    if (hd_job_found(j->result) == before)
      continue;
    post(j, seat);
  }
}

/* The member's part of the work, with its answer. */
static void serve(race *r, engine_kind kind, hd_crew_seat *seat, hd_run *run,
                  hd_str *answer) {
  hd_code_result result = {0};
  hd_str why = {0};
  hd_job mine = *r->job;
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    result.answers[p].asked = hd_job_open(r->job->result) >> p & 1;
  mine.result = &result;
  mine.run = run;
  mine.why = &why;
  mine.claims = true;
  bool good = true;
  if (kind == EXPLORE) /* then it will not prove anything */
    hd_crew_doubt(seat, &mine.sampled, doubtful);
  switch (kind) {
  case MODULAR:
    good = hd_job_modular(&mine);
    break;
  case UNFOLD:
    good = hd_job_unfold(&mine);
    break;
  case EXPLORE:
    good = hd_job_explore(&mine);
    break;
  case GRAPH:
    good = hd_job_graph(&mine);
    break;
  case UNBOUNDED:
    good = hd_job_unbounded(&mine, 0, true) != HD_VERIFY_INTERNAL;
    break;
  case WEAVE:
    good = hd_job_weave(&mine);
    break;
  case PAIRS:
    good = hd_job_pairs(&mine);
    if (good && hd_job_open(&result) >> HD_PROPERTY_RACE & 1) {
      post(&mine, seat);
      hd_job_apart(&mine);
    }
    break;
  case FUZZ:
    good = keep_fuzzing(&mine, seat);
    break;
  }
  if (!good)
    hd_bug("%s", hd_str_text(&why));
  hd_answer_print_code(answer, mine.code, &result);
  hd_code_result_free(&result);
  hd_str_free(&why);
}

static void work(void *context, size_t member, hd_crew_seat *seat, hd_run *run,
                 hd_str *answer) {
  race *r = context;
  serve(r, r->kinds[member], seat, run, answer);
}

/* --- in this one --- */

/* A claim about one property. */
static void judge(race *r, size_t member, int property,
                  const hd_code_answer *claim) {
  hd_job *j = r->job;
  hd_code_answer *answer = &j->result->answers[property];
  if (!claim->asked || answer->verdict != HD_UNKNOWN)
    return;
  if (claim->verdict == HD_UNKNOWN) {
    char **reason = &r->reasons[r->kinds[member]][property];
    hd_free(*reason);
    *reason = claim->reason ? hd_strdup(claim->reason) : NULL;
    r->whys[r->kinds[member]][property] = claim->why;
    return;
  }
  hd_job_ask(j, property);
  if (claim->verdict == HD_UNSAFE &&
      !hd_job_confirm(j, property, &claim->turns)) {
    hd_str_puts(&r->rejected, r->rejected.size ? "; " : "");
    hd_str_puts(&r->rejected, hd_str_text(j->why));
    hd_vec_clear(j->why);
    return;
  }
  answer->verdict = claim->verdict;
  answer->engine = claim->engine;
  answer->proof = claim->proof;
  hd_free(answer->reason);
  answer->reason = claim->reason ? hd_strdup(claim->reason) : NULL;
}

/* Is there something to be found out? */
static bool is_open(const race *r) {
  const hd_code_result *result = r->job->result;
  for (int p = 0; p < HD_PROPERTY_COUNT && r->job->options->fail_fast; p++)
    if (result->answers[p].asked && result->answers[p].verdict == HD_UNSAFE)
      return false;
  return hd_job_open(result) != 0;
}

static void fail(race *r, size_t member, const char *why, bool memory) {
  const char *name = engines[r->kinds[member]].name;
  say(r, member, why);
  hd_str text = {0};
  hd_str_printf(&text, memory ? "%s: %s" : "engine %s %s", name, why);
  hd_remarks_say(&r->job->result->notes, hd_str_text(&text));
  for (int p = 0; p < HD_PROPERTY_COUNT; p++) {
    hd_free(r->reasons[r->kinds[member]][p]);
    r->reasons[r->kinds[member]][p] =
        hd_strdup(memory ? "memory limit reached" : hd_str_text(&text));
    r->whys[r->kinds[member]][p] = memory ? HD_WHY_MEMORY : HD_WHY_OTHER;
  }
  hd_str_free(&text);
}

static void merge(race *r, size_t member, const hd_crew_end *end) {
  hd_code_result claims = {0};
  hd_str why = {0};
  if (!hd_answer_parse_code(end->answer, end->size, r->job->code, &claims,
                            &why)) {
    hd_str text = {0};
    hd_str_printf(&text, "sent an answer that cannot be read: %s",
                  hd_str_text(&why));
    fail(r, member, hd_str_text(&text), false);
    hd_str_free(&text);
  }
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    judge(r, member, p, &claims.answers[p]);
  hd_remarks_add_all(&r->job->result->notes, &claims.notes);
  if (!end->more)
    hd_result_add_stats(&r->job->result->figures, &claims.figures);
  hd_job_doubt(r->job);
  r->over = r->over || hd_job_wants_inputs(r->job, &claims);
  hd_str_free(&why);
  hd_code_result_free(&claims);
}

static void hurry(race *r, double least, double factor) {
  hd_run *run = r->job->run;
  double now = hd_now(), more = factor * (now - r->start);
  more = more > least ? more : least;
  if (run->deadline <= 0 || now + more < run->deadline)
    run->deadline = now + more;
}

/* Is only chance left? */
static bool is_lottery(const race *r) {
  bool fuzz = false;
  for (size_t i = 0; i < r->size; i++) {
    engine_kind kind = r->kinds[i];
    if (kind == FUZZ)
      fuzz = !r->ended[kind];
    else if (!r->ended[kind] &&
             !(kind == EXPLORE && r->is_long && !r->job->options->patient))
      return false;
  }
  return fuzz;
}

/* What is not waited for much longer. */
static void set_end(race *r) {
  if (!r->hurried && hd_job_violated(r->job)) {
    r->hurried = true;
    hurry(r, behind, 2);
  }
  if (is_lottery(r))
    hurry(r, rest, 1);
}

static bool take(void *context, size_t member, const hd_crew_end *end) {
  race *r = context;
  if (end->answer)
    merge(r, member, end);
  else
    fail(r, member, end->why, end->memory);
  bool open = is_open(r) && !r->over;
  if (end->more) {
    set_end(r);
    return open;
  }
  if (end->answer)
    say(r, member,
        r->over ? "done: what was never set becomes an input"
        : open  ? "done, something is open"
                : "done");
  r->ended[r->kinds[member]] = true;
  set_end(r);
  return open;
}

/* Who says best why something is not known. */
static void give_reasons(race *r) {
  static const engine_kind best[] = {EXPLORE, UNFOLD, MODULAR, UNBOUNDED,
                                     PAIRS,   WEAVE,  GRAPH,   FUZZ};
  const hd_run *run = r->job->run;
  for (int p = 0; p < HD_PROPERTY_COUNT; p++) {
    hd_code_answer *answer = &r->job->result->answers[p];
    if (!answer->asked || answer->verdict != HD_UNKNOWN)
      continue;
    if (!is_open(r)) { /* with --fail-fast */
      hd_free(answer->reason);
      answer->reason = hd_strdup("another property was violated first");
      answer->why = HD_WHY_OTHER;
    }
    for (size_t i = 0; i < N_ENGINES && !answer->reason; i++)
      if (r->reasons[best[i]][p]) {
        answer->reason = hd_strdup(r->reasons[best[i]][p]);
        answer->why = r->whys[best[i]][p];
        answer->engine = engines[best[i]].name;
      }
    if (answer->reason)
      continue;
    answer->why = hd_why_stopped(run->stop);
    answer->reason = hd_strdup(run->stop == HD_RUNNING ? "no engine decides"
                                                       : hd_run_why(run));
  }
}

static void say_first(const race *r, const char *engine, double seconds) {
  hd_job *j = r->job;
  if (j->options->choice)
    hd_str_printf(
        j->options->choice, "%s, in this process: %s after %.0f ms\n", engine,
        hd_job_open(j->result) ? "something is open" : "everything is decided",
        seconds * 1000);
}

/* Written for weak memory, asked about interleavings. */
static bool is_for_weak(const hd_job *j) {
  return j->options->memory == HD_MEMORY_SC &&
         hd_code_weakness(j->code).robust == HD_ROBUST_NOT;
}

/* Who can help. Of one thread unfold knows as much as modular. */
static bool applies(const race *r, engine_kind kind) {
  if (kind == WEAVE)
    return hd_job_open(r->job->result) >> HD_PROPERTY_ASSERT & 1 &&
           hd_weave_applies(r->job->code);
  if (kind == UNBOUNDED || kind == PAIRS)
    return hd_job_unbounded_applies(r->job);
  if (kind == GRAPH)
    return is_for_weak(r->job);
  return kind != MODULAR || hd_code_may(r->job->code, HD_DO_SPAWN);
}

/* Threads in a loop, and an input: as many, or as often, as that says. */
static bool is_open_ended(const race *r) {
  return applies(r, PAIRS) && hd_code_may(r->job->code, HD_DO_INPUT);
}

static void choose(race *r) {
  hd_str *choice = r->job->options->choice;
  unsigned jobs = r->job->options->jobs;
  for (int k = 0; k < N_ENGINES; k++) {
    if (!applies(r, (engine_kind)k))
      continue;
    hd_crew_member *m = &r->members[r->size];
    *m = engines[k].member;
    m->name = engines[k].name;
    if (k == EXPLORE && hd_code_may(r->job->code, HD_DO_ENTER))
      m->weight = sections;
    if (is_open_ended(r))
      m->weight = k == EXPLORE ? many
                  : k == FUZZ  ? lucky
                  : k == PAIRS ? related
                               : m->weight;
    r->kinds[r->size++] = (engine_kind)k;
  }
  if (!choice)
    return;
  const hd_code *code = r->job->code;
  hd_str_printf(choice,
                "input: C program, %zu functions, %zu locations, %zu edges\n"
                "first: a few random runs; they find most bugs\n"
                "next: explore for %.0f ms in this process; decides what is "
                "small\n"
                "then: a process each, %u at once%s\n",
                code->funcs.size, code->locs.size, code->edges.size,
                moment * 1000, jobs,
                jobs == 1 ? ", turns counted in steps" : "");
  for (size_t i = 0; i < r->size; i++)
    hd_str_printf(choice, "  %-9s share %.2f%s  %s\n", r->members[i].name,
                  r->members[i].weight,
                  r->members[i].head > 0 ? ", a little later" : "",
                  engines[r->kinds[i]].why);
}

static bool try_first(race *r) {
  double start = hd_cpu();
  bool good = hd_job_first_runs(r->job);
  say_first(r, "fuzz", hd_cpu() - start);
  return good;
}

/* explore begins in this process. What is left of it after its moment goes on in
 * another one. */
static void try_explore(race *r, hd_crew *crew) {
  size_t me = 0;
  while (r->kinds[me] != EXPLORE)
    me++;
  double start = hd_cpu();
  hd_str answer = {0};
  hd_run mine = hd_crew_open(crew, me, moment);
  serve(r, EXPLORE, hd_crew_opening(crew), &mine, &answer);
  switch (hd_crew_opened(crew, &mine)) {
  case HD_OPENED_MEMBER:
    hd_crew_leave(crew, &answer);
  case HD_OPENED_SPLIT:
    break;
  case HD_OPENED_WHOLE:
    (void)take(
        r, me,
        &(hd_crew_end){.answer = hd_str_text(&answer), .size = answer.size});
  }
  hd_str_free(&answer);
  say_first(r, "explore", hd_cpu() - start);
}

/* The moment's own reason, that its time was short, is none. */
static void forget_reasons(hd_code_result *result) {
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    if (result->answers[p].verdict == HD_UNKNOWN) {
      hd_free(result->answers[p].reason);
      result->answers[p].reason = NULL;
    }
}

static void say_shares(const race *r, const hd_crew *crew) {
  hd_str *choice = r->job->options->choice;
  for (size_t i = 0; i < r->size && choice; i++)
    hd_str_printf(choice, "%s%s %.0f ms",
                  i ? ", " : "CPU time: ", engines[r->kinds[i]].name,
                  hd_crew_had(crew, i) * 1000);
  if (choice)
    hd_str_puts(choice, "\n");
}

/* Where runs are long nobody is likely to come to an end. */
static void limit_patience(race *r) {
  hd_run *run = r->job->run;
  double most = hd_job_patience(r->job);
  r->is_long = hd_job_longest(r->job) > HD_LONG_RUN;
  if (!r->job->options->patient &&
      (run->deadline <= 0 || hd_now() + most < run->deadline))
    run->deadline = hd_now() + most;
}

bool hd_job_race(hd_job *j) {
  race r = {.job = j, .start = hd_now()};
  hd_run run = *j->run, *whole = j->run;
  unsigned jobs = j->options->jobs ? j->options->jobs : 1;
  choose(&r);
  if (!try_first(&r) || !hd_job_single(j))
    return false;
  forget_reasons(j->result);
  hd_crew_plan plan = {.members = r.members,
                       .size = r.size,
                       .jobs = jobs,
                       .counted = jobs == 1,
                       .context = &r,
                       .work = work,
                       .take = take};
  hd_crew *crew = hd_crew_new(&plan, &run);
  j->run = &run; /* `take` may give it an end */
  limit_patience(&r);
  set_end(&r);
  if (is_open(&r) && hd_run_check(&run))
    try_explore(&r, crew);
  if (is_open(&r) && !r.over && hd_run_check(&run)) {
    hd_crew_run(crew);
    say_shares(&r, crew);
  }
  hd_crew_delete(crew);
  give_reasons(&r);
  j->run = whole;
  bool good = !r.rejected.size || !hd_job_open(j->result);
  if (!good)
    hd_str_puts(j->why, hd_str_text(&r.rejected));
  else if (r.rejected.size)
    hd_remarks_say(&j->result->notes, hd_str_text(&r.rejected));
  hd_str_free(&r.rejected);
  for (int k = 0; k < N_ENGINES; k++)
    for (int p = 0; p < HD_PROPERTY_COUNT; p++)
      hd_free(r.reasons[k][p]);
  return good;
}

bool hd_recall_code(const hd_code *code, const hd_code_options *options,
                    const hd_str *answer, hd_code_result *result, hd_str *why) {
  hd_code_result claims = {0};
  hd_job j = {.code = code, .options = options, .result = result, .why = why};
  bool ok = hd_answer_parse_code(hd_str_text(answer), answer->size, code,
                                 &claims, why);
  for (int p = 0; p < HD_PROPERTY_COUNT && ok; p++) {
    const hd_code_answer *claim = &claims.answers[p];
    hd_code_answer *mine = &result->answers[p];
    mine->asked =
        options->explore.machine.checks >> p & 1 ||
        (options->wider && claim->asked && claim->verdict == HD_UNSAFE);
    if (!mine->asked)
      continue;
    if (!claim->asked || claim->verdict == HD_UNKNOWN) {
      hd_str_puts(why, "it does not decide what is asked");
      ok = false;
    } else if (claim->verdict == HD_UNSAFE) {
      ok = hd_job_confirm(&j, p, &claim->turns);
    }
    mine->verdict = claim->verdict;
    mine->engine = claim->engine;
    mine->proof = claim->proof;
    mine->reason = claim->reason ? hd_strdup(claim->reason) : NULL;
  }
  hd_remarks_add_all(&result->notes, &claims.notes);
  hd_code_result_free(&claims);
  hd_memmodel_doubt(code, options->memory, result);
  return ok;
}
