/* SPDX-License-Identifier: MIT */
/* Problem: several engines may decide an input, each much faster than the others
 * on some inputs, and nobody knows which. There are fewer cores than engines.
 *
 * Idea: weighted turns. A member has a clock of its own, which runs while it
 * works, 1/weight times as fast as time, and starts at `head`. Whenever a place
 * is free the member whose clock shows least has the next turn. So at any time
 * the members have had time in proportion to their weights (those that have
 * begun), and one with weight w of W in all ends after at most W/w times what it
 * takes alone, divided by the places it shares; nothing is ever started again.
 *
 * Turns grow with the time a member has had, so that long runs change hands
 * seldom. With `counted`, clocks run by the looks members take at their limits,
 * and a turn is a number of looks: then which member is next depends on nothing
 * but the members' own steps. A turn that takes longer than `longest` is cut
 * all the same.
 *
 * The memory limit is for all together. When they pass it, the one that holds
 * the most is given up, if it is not the last one: that one stops by itself.
 *
 * It ends: every member stops at the deadline, or is stopped; without a deadline
 * it ends when the members do. */
#include "engine/portfolio/crew.h"

#include "engine/portfolio/member.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/wait.h>

static const double shortest = 0.015, growth = 0.25, longest = 0.5;
static const double counted_longest = 2.0;
/* An opening is counted, too, so that it finds the same with one core and with
 * many; where looks take so many times as long as they should, time ends it. */
static const double opening_longest = 4.0;
/* After the deadline, for members to stop by themselves and say how far they
 * got. */
static const double grace = 0.25;

struct hd_crew {
  const hd_crew_plan *plan;
  hd_run *run;
  hd_member *members;
  hd_crew_seat *opening; /* of the member that began in this process */
  size_t opener;
  bool enough;
};
typedef hd_crew crew;

/* What a member has had, in seconds. Counted steps of some inputs take many times
 * as long as they should: then time counts, too. */
static double had(const crew *c, size_t i) {
  const double slow = 4;
  const hd_member *m = &c->members[i];
  double counted = (double)m->used.looks / c->plan->members[i].rate;
  if (!c->plan->counted)
    return m->used.cpu;
  return counted > m->used.cpu / slow ? counted : m->used.cpu / slow;
}

static double clock_of(const crew *c, size_t i) {
  const hd_crew_member *m = &c->plan->members[i];
  double share = c->members[i].used.share;
  return m->head + had(c, i) / (share > 0 ? share * m->weight : m->weight);
}

static hd_turn_length counted_turn(const crew *c, size_t i, double seconds,
                                   double most) {
  double looks = seconds * c->plan->members[i].rate;
  return (hd_turn_length){.looks = looks < 1 ? 1 : (uint64_t)looks,
                          .seconds = most};
}

static hd_turn_length turn_of(const crew *c, size_t i, double seconds) {
  return c->plan->counted ? counted_turn(c, i, seconds, counted_longest)
                          : (hd_turn_length){.seconds = seconds};
}

static hd_turn_length turn_for(const crew *c, size_t i) {
  double seconds = had(c, i) * growth;
  seconds = seconds < shortest ? shortest : seconds;
  return turn_of(c, i, seconds > longest ? longest : seconds);
}

static size_t count(const crew *c, hd_member_state state) {
  size_t n = 0;
  for (size_t i = 0; i < c->plan->size; i++)
    n += c->members[i].state == state;
  return n;
}

static bool over(const crew *c) {
  return c->enough || count(c, HD_ENDED) == c->plan->size;
}

/* --- ends --- */

static void say_why(const hd_member *m, int status, hd_str *why, bool *memory) {
  const char *said = hd_str_text(&m->said);
  size_t line = strcspn(said, "\n");
  *memory = strstr(said, "out of memory") != NULL;
  if (*memory)
    hd_str_puts(why, "ran out of memory");
  else if (status != -1 && WIFSIGNALED(status))
    hd_str_printf(why, "was ended by signal %d (%s)", WTERMSIG(status),
                  strsignal(WTERMSIG(status)));
  else if (line)
    hd_str_printf(why, "failed: %.*s", (int)line, said);
  else
    hd_str_printf(why, "ended without an answer (status %d)",
                  status != -1 && WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

/* While an answer is judged, which is often the last one, nobody works. */
static void hold(const crew *c, int signal) {
  for (size_t i = 0; i < c->plan->size; i++)
    if (c->members[i].state == HD_WORKING && c->members[i].settled)
      kill(c->members[i].pid, signal);
}

/* `why` NULL: it ended by itself. */
static void conclude(crew *c, size_t i, const char *why, bool memory) {
  hd_member *m = &c->members[i];
  int status = hd_member_end(m);
  hd_str text = {0};
  hd_crew_end end = {.why = why, .memory = memory};
  if (m->answered) {
    end.answer = hd_str_text(&m->answer);
    end.size = m->answer.size;
    end.why = NULL;
  } else if (!why) {
    say_why(m, status, &text, &end.memory);
    end.why = hd_str_text(&text);
  }
  hold(c, SIGSTOP);
  if (!c->enough && !c->plan->take(c->plan->context, i, &end))
    c->enough = true;
  if (!c->enough)
    hold(c, SIGCONT);
  hd_str_free(&text);
}

static void hear(crew *c, size_t i) {
  hd_member *m = &c->members[i];
  hd_crew_end now = {
      .answer = hd_str_text(&m->answer), .size = m->answer.size, .more = true};
  m->posted = false;
  c->enough = !c->plan->take(c->plan->context, i, &now) || c->enough;
}

static void stop_all(crew *c) {
  for (size_t i = 0; i < c->plan->size; i++)
    (void)hd_member_end(&c->members[i]);
}

/* --- memory --- */

static void share_memory(crew *c) {
  size_t sum = 0, most = 0, n = 0, who = 0;
  for (size_t i = 0; i < c->plan->size; i++) {
    const hd_member *m = &c->members[i];
    if (m->state != HD_WORKING && m->state != HD_RESTING)
      continue;
    n++;
    sum += m->used.memory;
    if (m->used.memory > most) {
      most = m->used.memory;
      who = i;
    }
  }
  if (c->run->memory && n > 1 && sum > c->run->memory)
    conclude(c, who, "memory limit reached", true);
}

/* --- turns --- */

static void begin(crew *c, size_t i) {
  hd_member *m = &c->members[i];
  if (m->state == HD_RESTING) {
    hd_member_resume(m, turn_for(c, i));
  } else if (!hd_member_start(c->members, i, c->plan, c->run, turn_for(c, i))) {
    hd_str why = {0};
    hd_str_printf(&why, "could not be started: %s", strerror(errno));
    m->state = HD_ENDED;
    hd_crew_end end = {.why = hd_str_text(&why)};
    c->enough = !c->plan->take(c->plan->context, i, &end) || c->enough;
    hd_str_free(&why);
  }
}

/* Gives free places to those who have had least. */
static void fill(crew *c) {
  while (!c->enough && count(c, HD_WORKING) < c->plan->jobs) {
    size_t next = c->plan->size;
    for (size_t i = 0; i < c->plan->size; i++) {
      hd_member_state state = c->members[i].state;
      if ((state == HD_WAITING || state == HD_RESTING) &&
          (next == c->plan->size || clock_of(c, i) < clock_of(c, next)))
        next = i;
    }
    if (next == c->plan->size)
      return;
    begin(c, next);
  }
}

/* Under the member's name: what works for it may have another one. */
static void pass_on(crew *c, hd_member *m) {
  hd_progress p = {.engine = c->plan->members[m - c->members].name,
                   .memory = m->used.memory};
  for (int i = 0; i < 4 && m->names[i + 1][0]; i++) {
    p.names[i] = m->names[i + 1];
    p.values[i] = m->values[i];
  }
  m->news = false;
  hd_run_show(c->run, &p);
}

/* Waits until somebody has something to say. */
static void listen_all(crew *c, int milliseconds) {
  struct pollfd fds[64];
  size_t who[64], n = 0;
  for (size_t i = 0; i < c->plan->size; i++) {
    const hd_member *m = &c->members[i];
    if (m->state != HD_WORKING && m->state != HD_RESTING)
      continue;
    fds[n] = (struct pollfd){.fd = m->from, .events = POLLIN};
    who[n++] = i;
  }
  if (poll(fds, n, milliseconds) <= 0)
    return;
  for (size_t k = 0; k < n && !c->enough; k++) {
    hd_member *m = &c->members[who[k]];
    if (!fds[k].revents)
      continue;
    bool more = hd_member_listen(m);
    if (m->news)
      pass_on(c, m);
    if (!more || m->answered)
      conclude(c, who[k], NULL, false);
    else if (m->posted)
      hear(c, who[k]);
  }
}

static int until(double moment) {
  double left = (moment - hd_now()) * 1000;
  return left < 0 ? 0 : left > 200 ? 200 : (int)left + 1;
}

hd_crew *hd_crew_new(const hd_crew_plan *plan, hd_run *run) {
  assert(plan->size <= 64 && plan->jobs > 0);
  crew *c = hd_calloc(1, sizeof *c);
  *c = (crew){.plan = plan,
              .run = run,
              .members = hd_calloc(plan->size, sizeof *c->members)};
  for (size_t i = 0; i < plan->size; i++)
    c->members[i].from = c->members[i].to = c->members[i].errors = -1;
  return c;
}

void hd_crew_delete(hd_crew *c) {
  stop_all(c);
  for (size_t i = 0; i < c->plan->size; i++)
    hd_member_free(&c->members[i]);
  hd_free(c->members);
  hd_free(c);
}

hd_run hd_crew_open(hd_crew *c, size_t member, double seconds) {
  assert(!c->opening && c->members[member].state == HD_WAITING);
  c->opener = member;
  double most = c->plan->counted ? counted_longest : seconds * opening_longest;
  c->opening = hd_seat_new(c->members, member, c->plan, c->run,
                           counted_turn(c, member, seconds, most));
  return hd_seat_run(c->opening);
}

hd_crew_seat *hd_crew_opening(hd_crew *c) {
  assert(c->opening);
  return c->opening;
}

hd_opened hd_crew_opened(hd_crew *c, const hd_run *used) {
  assert(c->opening);
  if (hd_seat_taken(c->opening))
    return HD_OPENED_MEMBER;
  bool split = hd_seat_split(c->opening);
  hd_seat_delete(c->opening);
  c->opening = NULL;
  c->run->next_show = used->next_show;
  if (split)
    return HD_OPENED_SPLIT;
  /* Memory that it took is free again. */
  if (used->stop != HD_STOP_MEMORY)
    c->run->stop = used->stop;
  c->members[c->opener].state = HD_ENDED;
  return HD_OPENED_WHOLE;
}

HD_NORETURN void hd_crew_leave(hd_crew *c, const hd_str *answer) {
  hd_seat_leave(c->opening, answer);
}

double hd_crew_had(const hd_crew *c, size_t member) {
  return c->members[member].used.cpu;
}

void hd_crew_run(hd_crew *c) {
  hd_run *run = c->run;
  while (!over(c) && hd_run_check(run)) {
    fill(c);
    if (over(c))
      break;
    listen_all(c, run->deadline > 0 ? until(run->deadline) : 200);
    share_memory(c);
  }
  double last = run->deadline + grace;
  while (run->stop == HD_STOP_TIME && !c->enough && count(c, HD_WORKING) &&
         hd_now() < last)
    listen_all(c, until(last));
  stop_all(c);
}
