/* SPDX-License-Identifier: MIT */
/* The choice of engines where executions are more than interleavings. */
#include "api/code_job.h"

#include "api/answer.h"
#include "api/memory.h"
#include "engine/portfolio/crew.h"
#include "model/escape.h"

#include <string.h>

static const hd_code_answer *race_of(const hd_job *j) {
  return &j->result->answers[HD_PROPERTY_RACE];
}

bool hd_job_is_weak(const hd_job *j) {
  const hd_code_options *o = j->options;
  bool race = race_of(j)->asked;
  return hd_memmodel_differs(j->code, o->memory, race) ||
         (race ? hd_code_weak_order(j->code, o->explore.machine.sc) != HD_NO_ID
               : hd_memmodel_asks_races(j->code, o->memory));
}

/* Is something open that is worth the time? What weak orders let race has no other
 * verdict. */
static bool goes_on(const hd_job *j) {
  return hd_job_open(j->result) && hd_run_check(j->run) &&
         !(j->options->fail_fast && hd_job_violated(j)) &&
         !(race_of(j)->verdict == HD_UNSAFE &&
           hd_memmodel_differs(j->code, j->options->memory, true));
}

static void limit(hd_run *run, double share, double most) {
  double now = hd_now();
  double left = run->deadline > 0 ? share * (run->deadline - now) : most;
  run->deadline = now + (left < most ? left : most);
}

/* The engine for a share of the time that is left. What it leaves open for a reason
 * is open for the first such reason. What does not prove finds violations only. */
static bool try_for(hd_job *j, bool (*engine)(hd_job *), double share,
                    double most, bool proves) {
  const hd_properties asked = hd_job_open(j->result);
  hd_job_reasons reasons;
  hd_job_take_reasons(j, &reasons);
  hd_run run = *j->run, *whole = j->run;
  limit(&run, share, most);
  j->run = &run;
  bool good = engine(j);
  j->run = whole;
  for (int p = 0; p < HD_PROPERTY_COUNT; p++) {
    hd_code_answer *answer = &j->result->answers[p];
    if (asked >> p & 1 && answer->verdict == HD_SAFE && !proves)
      answer->verdict = HD_UNKNOWN;
  }
  hd_job_give_reasons(j, &reasons);
  return good;
}

/* Only what a race or the end of time has left open has no reason. */
static void explain(hd_job *j) {
  for (int p = 0; p < HD_PROPERTY_COUNT; p++) {
    hd_code_answer *answer = &j->result->answers[p];
    if (answer->asked && answer->verdict == HD_UNKNOWN && !answer->reason)
      answer->reason =
          hd_strdup(j->options->fail_fast && hd_job_violated(j)
                        ? "another property was violated first"
                    : race_of(j)->verdict == HD_UNSAFE
                        ? "there is a data race: all else has no meaning"
                        : "no interleaving does it, but executions are more");
  }
}

/* --- executions and states side by side --- */

static const hd_crew_member members[] = {
    {.name = "graph", .weight = 1, .rate = 650},
    {.name = "views", .weight = 1.5, .rate = 1000},
};
enum { GRAPH, VIEWS, N_MEMBERS };

typedef struct {
  hd_job *job;
  hd_run *run;
  double start;
  bool hurried;    /* there is a violation, and an end */
  hd_str rejected; /* what did not replay */
} pair;

static void work(void *context, size_t member, hd_crew_seat *seat, hd_run *run,
                 hd_str *answer) {
  const pair *p = context;
  (void)seat;
  hd_code_result result = {0};
  hd_str why = {0};
  hd_job mine = *p->job;
  for (int i = 0; i < HD_PROPERTY_COUNT; i++)
    result.answers[i].asked = hd_job_open(p->job->result) >> i & 1;
  mine.result = &result;
  mine.run = run;
  mine.why = &why;
  mine.claims = true;
  if (!(member == GRAPH ? hd_job_graph(&mine) : hd_job_views(&mine)))
    hd_bug("%s", hd_str_text(&why));
  hd_answer_print_code(answer, mine.code, &result);
  hd_code_result_free(&result);
  hd_str_free(&why);
}

/* What graph says about why something is open comes first. */
static void take_reason(size_t member, const hd_code_answer *claim,
                        hd_code_answer *answer) {
  if (!claim->reason || (answer->reason && member != GRAPH))
    return;
  hd_free(answer->reason);
  answer->reason = hd_strdup(claim->reason);
  answer->why = claim->why;
  answer->engine = claim->engine;
}

static void take_claim(pair *p, size_t member, int property,
                       const hd_code_answer *claim) {
  hd_job *j = p->job;
  hd_code_answer *answer = &j->result->answers[property];
  if (!claim->asked || answer->verdict != HD_UNKNOWN)
    return;
  if (claim->verdict == HD_UNKNOWN) {
    take_reason(member, claim, answer);
    return;
  }
  if (claim->verdict == HD_UNSAFE &&
      !hd_job_confirm(j, property, &claim->turns)) {
    hd_str_puts(&p->rejected, hd_str_text(j->why));
    hd_vec_clear(j->why);
    return;
  }
  answer->verdict = claim->verdict;
  answer->engine = claim->engine;
  hd_free(answer->reason);
  answer->reason = NULL;
}

/* Has views seen that there are only interleavings? */
static bool interleaves(const hd_code_result *claims) {
  for (hd_vec_each(const hd_stat, s, &claims->figures.stats))
    if (!strcmp(s->name, "views.interleavings") && s->value == 1)
      return true;
  return false;
}

/* What is open behind a violation is not waited for longer than that took. */
static void hurry(pair *p) {
  const double least = 1;
  double now = hd_now(), more = now - p->start;
  more = more > least ? more : least;
  if (p->hurried || !hd_job_violated(p->job))
    return;
  p->hurried = true;
  if (p->run->deadline <= 0 || now + more < p->run->deadline)
    p->run->deadline = now + more;
}

/* A member that comes to no answer leaves open what is open. */
static bool take(void *context, size_t member, const hd_crew_end *end) {
  pair *p = context;
  hd_job *j = p->job;
  hd_code_result claims = {0};
  hd_str why = {0};
  if (!end->answer)
    hd_str_printf(&why, "engine %s %s", members[member].name, end->why);
  else if (hd_answer_parse_code(end->answer, end->size, j->code, &claims, &why))
    for (int i = 0; i < HD_PROPERTY_COUNT; i++)
      take_claim(p, member, i, &claims.answers[i]);
  if (why.size)
    hd_remarks_say(&j->result->notes, hd_str_text(&why));
  hd_remarks_add_all(&j->result->notes, &claims.notes);
  j->result->interleaves = j->result->interleaves || interleaves(&claims);
  hd_result_add_stats(&j->result->figures, &claims.figures);
  hd_str_free(&why);
  hd_code_result_free(&claims);
  hurry(p);
  /* What is left open by the fact that there are only interleavings others do. */
  return goes_on(j) && !j->result->interleaves;
}

/* graph begins in this process; what it has not done in a moment goes on in another
 * one. False: that was enough. */
static bool begin(pair *p, hd_crew *crew) {
  const double moment = 1;
  hd_str answer = {0};
  bool more = true;
  hd_run mine = hd_crew_open(crew, GRAPH, moment);
  work(p, GRAPH, hd_crew_opening(crew), &mine, &answer);
  switch (hd_crew_opened(crew, &mine)) {
  case HD_OPENED_MEMBER:
    hd_crew_leave(crew, &answer);
  case HD_OPENED_SPLIT:
    break;
  case HD_OPENED_WHOLE:
    more = take(
        p, GRAPH,
        &(hd_crew_end){.answer = hd_str_text(&answer), .size = answer.size});
  }
  hd_str_free(&answer);
  return more;
}

/* For a share of the time that is left. */
static bool side_by_side(hd_job *j, double share, double most) {
  hd_run run = *j->run;
  pair p = {.job = j, .run = &run, .start = hd_now()};
  const unsigned jobs = j->options->jobs ? j->options->jobs : 1;
  limit(&run, share, most);
  hd_crew_plan plan = {.members = members,
                       .size = N_MEMBERS,
                       .jobs = jobs,
                       .counted = jobs == 1,
                       .context = &p,
                       .work = work,
                       .take = take};
  hd_crew *crew = hd_crew_new(&plan, &run);
  if (begin(&p, crew) && hd_run_check(&run))
    hd_crew_run(crew);
  hd_crew_delete(crew);
  for (int i = 0; i < HD_PROPERTY_COUNT; i++) {
    hd_code_answer *answer = &j->result->answers[i];
    if (!answer->asked || answer->verdict != HD_UNKNOWN || answer->reason ||
        run.stop == HD_RUNNING)
      continue;
    answer->why = hd_why_stopped(run.stop);
    answer->reason = hd_strdup(hd_run_why(&run));
  }
  bool good = !p.rejected.size || !hd_job_open(j->result);
  if (!good)
    hd_str_puts(j->why, hd_str_text(&p.rejected));
  hd_str_free(&p.rejected);
  return good;
}

/* A few random runs, then executions, and states beside them when those are not all
 * seen in a moment. What knows interleavings only looks for bugs for as long
 * as that took. */
static bool choose(hd_job *j) {
  const double endless = 1e9, rest = 2, behind = 5;
  const bool differs =
      hd_memmodel_differs(j->code, j->options->memory, race_of(j)->asked);
  double start = hd_now();
  bool good = hd_job_first_runs(j) && hd_job_single(j);
  for (int p = 0; p < HD_PROPERTY_COUNT; p++) {
    hd_free(j->result->answers[p].reason);
    j->result->answers[p].reason = NULL;
  }
  if (hd_job_violated(j))
    limit(j->run, 1, behind);
  const bool patient = j->options->patient;
  double most = patient ? endless : hd_job_patience(j);
  if (good && goes_on(j))
    good = side_by_side(j, differs ? 0.85 : 0.7, 2 * most);
  if (!good || !goes_on(j))
    return good;
  const bool all = !differs || j->result->interleaves;
  double took = hd_now() - start;
  most = all ? endless : patient && took > rest ? took : rest;
  return try_for(j, hd_job_race, 1, most, all);
}

bool hd_job_weak(hd_job *j) {
  hd_run run = *j->run, *given = j->run;
  j->run = &run;
  bool good = choose(j);
  j->run = given;
  explain(j);
  return good;
}
