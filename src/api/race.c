/* SPDX-License-Identifier: MIT */
#include "api/race.h"

#include "api/answer.h"
#include "engine/portfolio/choose.h"

#include <string.h>

typedef struct {
  hd_workshop *workshop;
  hd_choices choices;
  hd_result *result;
  hd_str *choice;                /* may be NULL */
  hd_str failed;                 /* "engine km was ended by …; engine …" */
  char *reasons[HD_CHOICE_MOST]; /* why a member did not decide */
  hd_why whys[HD_CHOICE_MOST];   /* … as a code */
  bool starved[HD_CHOICE_MOST];  /* … that is, for lack of memory */
} race;

/* --- in this process --- */

/* One after the other, with growing shares: for those who must not fork. */
static void run_inline(race *r, hd_run *run) {
  const double first_seconds = 0.5, growth = 4.0;
  const hd_choices *c = &r->choices;
  bool stopped[HD_CHOICE_MOST] = {false}; /* for a reason other than time */
  bool any = true;
  for (double share = first_seconds; any; share *= growth) {
    any = false;
    for (size_t i = 0; i < c->size; i++) {
      if (r->result->verdict != HD_UNKNOWN || !hd_run_check(run))
        return;
      if (stopped[i])
        continue;
      double until = hd_now() + share;
      hd_workshop_run(r->workshop, c->choices[i].engine, share, run, r->result);
      hd_workshop_judge(r->workshop, r->result);
      stopped[i] = hd_now() < until;
      any = any || !stopped[i];
    }
  }
}

/* --- in processes --- */

static void work(void *context, size_t member, hd_crew_seat *seat, hd_run *run,
                 hd_str *answer) {
  (void)seat;
  race *r = context;
  hd_result found = {0};
  hd_workshop_run(r->workshop, r->choices.choices[member].engine, 0, run,
                  &found);
  found.why = hd_why_stopped(run->stop);
  hd_answer_print(answer, r->workshop->input, &found);
}

static void note(race *r, size_t member, const char *what) {
  if (r->choice)
    hd_str_printf(r->choice, "%s: %s\n",
                  r->choices.choices[member].engine->name, what);
}

static void fail(race *r, size_t member, const hd_crew_end *end) {
  const char *name = r->choices.choices[member].engine->name;
  note(r, member, end->why);
  r->starved[member] = end->memory;
  if (!end->memory)
    hd_str_printf(&r->failed, "%sengine %s %s", r->failed.size ? "; " : "",
                  name, end->why);
}

/* The verdict of `found` becomes the result's, if its evidence holds; if there
 * is none, the reason is kept. */
static void adopt(race *r, size_t member, hd_result *found) {
  hd_result *result = r->result;
  if (found->verdict != HD_UNKNOWN)
    hd_workshop_judge(r->workshop, found);
  hd_result_add_stats(result, found);
  result->engine = found->engine ? found->engine : result->engine;
  if (found->verdict == HD_UNKNOWN) {
    r->reasons[member] = found->reason;
    r->whys[member] = found->why;
    found->reason = NULL;
    return;
  }
  hd_workshop_drop(result);
  result->verdict = found->verdict;
  result->reason = found->reason;
  result->witness = found->witness;
  result->cert = found->cert;
  found->reason = NULL;
  found->witness = NULL;
  found->cert = NULL;
}

static bool take(void *context, size_t member, const hd_crew_end *end) {
  race *r = context;
  if (!end->answer) {
    fail(r, member, end);
    return true;
  }
  hd_result found = {0};
  hd_str why = {0};
  if (hd_answer_parse(end->answer, end->size, r->workshop->input, &found,
                      &why)) {
    adopt(r, member, &found);
    note(r, member,
         r->result->verdict != HD_UNKNOWN ? hd_verdict_name(r->result->verdict)
         : r->reasons[member]             ? r->reasons[member]
                                          : "no verdict");
  } else {
    hd_str text = {0};
    hd_str_printf(&text, "sent an answer that cannot be read: %s",
                  hd_str_text(&why));
    hd_crew_end bad = {.why = hd_str_text(&text)};
    fail(r, member, &bad);
    hd_str_free(&text);
  }
  hd_str_free(&why);
  hd_result_free(&found);
  return r->result->verdict == HD_UNKNOWN;
}

/* Nobody decided: the reason of the one most was hoped of. */
static void say_unknown(race *r, const hd_run *run) {
  const char *reason = run->stop != HD_RUNNING ? hd_run_why(run) : NULL;
  bool starved = false;
  for (size_t i = 0; i < r->choices.size; i++) {
    bool memory = r->reasons[i] && r->whys[i] == HD_WHY_MEMORY;
    starved = starved || memory || r->starved[i];
    if (!reason && r->reasons[i] && !memory)
      reason = r->reasons[i];
  }
  if (starved && run->stop == HD_RUNNING)
    reason = "memory limit reached";
  if (!reason)
    reason = r->failed.size ? "no engine is left" : "no engine decides";
  hd_result_unknown(r->result, "%s", reason);
}

/* The first engine begins in this process; if it is not done in a moment it goes
 * on in another one. */
static void begin_here(race *r, hd_crew *crew) {
  const hd_engine *engine = r->choices.choices[0].engine;
  double before = hd_cpu();
  hd_result found = {0};
  hd_str answer = {0};
  const char *what = "not yet decided";
  hd_run mine = hd_crew_open(crew, 0, r->choices.first);
  hd_workshop_run(r->workshop, engine, 0, &mine, &found);
  found.why = hd_why_stopped(mine.stop);
  switch (hd_crew_opened(crew, &mine)) {
  case HD_OPENED_MEMBER:
    hd_answer_print(&answer, r->workshop->input, &found);
    hd_crew_leave(crew, &answer);
  case HD_OPENED_SPLIT:
    break;
  case HD_OPENED_WHOLE:
    adopt(r, 0, &found);
    what = r->result->verdict != HD_UNKNOWN ? "decided" : "gave up";
  }
  if (r->choice)
    hd_str_printf(r->choice, "%s, in this process: %s after %.0f ms\n",
                  engine->name, what, (hd_cpu() - before) * 1000);
  hd_result_free(&found);
}

static void say_shares(const race *r, const hd_crew *crew) {
  const hd_choices *c = &r->choices;
  for (size_t i = 0; i < c->size && r->choice; i++)
    hd_str_printf(r->choice, "%s%s %.0f ms",
                  i ? ", " : "CPU time: ", c->choices[i].engine->name,
                  hd_crew_had(crew, i) * 1000);
  if (r->choice)
    hd_str_puts(r->choice, "\n");
}

static void run_crew(race *r, unsigned jobs, hd_run *run) {
  hd_crew_member members[HD_CHOICE_MOST];
  const hd_choices *c = &r->choices;
  for (size_t i = 0; i < c->size; i++)
    members[i] = (hd_crew_member){.name = c->choices[i].engine->name,
                                  .weight = c->choices[i].weight,
                                  .head = c->choices[i].head,
                                  .rate = c->choices[i].rate};
  hd_crew_plan plan = {.members = members,
                       .size = c->size,
                       .jobs = jobs,
                       .counted = jobs == 1,
                       .context = r,
                       .work = work,
                       .take = take};
  hd_crew *crew = hd_crew_new(&plan, run);
  if (c->first > 0)
    begin_here(r, crew);
  if (r->result->verdict == HD_UNKNOWN && hd_run_check(run)) {
    for (size_t i = 0; i < c->size; i++)
      hd_workshop_prepare(r->workshop, c->choices[i].engine);
    hd_crew_run(crew);
    say_shares(r, crew);
  }
  hd_crew_delete(crew);
  if (!r->result->engine) /* interrupted before there was an answer */
    r->result->engine = c->choices[0].engine->name;
  if (r->result->verdict == HD_UNKNOWN)
    say_unknown(r, run);
}

void hd_race_remark(char **reason, const char *remarks, bool decided) {
  hd_str text = {0};
  if (*reason)
    hd_str_printf(&text, "%s; ", *reason);
  hd_str_puts(&text, remarks);
  if (decided)
    hd_str_puts(&text, "; the verdict is another engine's");
  hd_free(*reason);
  *reason = hd_str_take(&text);
}

void hd_race(hd_workshop *w, unsigned jobs, hd_run *run, hd_result *result,
             hd_str *choice) {
  const hd_net *reduced = w->sliced ? w->sliced->net : NULL;
  race r = {.workshop = w,
            .choices = hd_choose(w->input, reduced),
            .result = result,
            .choice = choice};
  if (choice)
    hd_choices_print(choice, &r.choices, w->input, reduced, jobs);
  if (r.choices.size && jobs)
    run_crew(&r, jobs, run);
  else if (r.choices.size)
    run_inline(&r, run);
  if (r.failed.size)
    w->failed = hd_str_take(&r.failed);
  hd_str_free(&r.failed);
  for (size_t i = 0; i < HD_CHOICE_MOST; i++)
    hd_free(r.reasons[i]);
}
