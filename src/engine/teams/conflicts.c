/* SPDX-License-Identifier: MIT */
/* Can two threads of a team touch the same byte between two barriers, one of them
 * writing? Decided for each pair of accesses of one interval, by the solver. */
#include "engine/teams/query.h"
#include "engine/teams/walk.h"

#include <stdio.h>
#include <stdlib.h>

typedef hd_vec(hd_logic_expr) exprs;

static hd_logic_expr either(hd_logic *l, const exprs *any) {
  return any->size ? hd_logic_apply(l, HD_LOGIC_OR, any->data, any->size)
                   : hd_logic_bool(l, false);
}

/* a < b + safelen */
static void say_near(hd_team_walk *w, hd_team_query *q, hd_team_term a, int i,
                     hd_team_term b, int j) {
  hd_team_term end = hd_team_term_make(
      w->terms, HD_TEAM_ADD, b, hd_team_term_const(w->terms, w->safelen));
  hd_logic_expr args[] = {hd_team_query_number(q, a, i),
                          hd_team_query_number(q, end, j)};
  hd_team_query_say(q, hd_logic_apply(w->logic, HD_LOGIC_LT, args, 2));
}

/* In one encounter of the construct the two have different parts of it. */
static void say_parts(hd_team_walk *w, hd_team_query *q, const hd_part *p,
                      const hd_part *o, unsigned level) {
  if (p->edge != o->edge || p->site != o->site ||
      p->n_counters != o->n_counters || !p->part != !o->part ||
      p->level != level || o->level != level)
    return;
  exprs any = {0};
  for (size_t i = 0; i < p->n_counters; i++)
    hd_vec_push(&any, hd_team_query_differ(q, w->facts.data[p->counters + i], 0,
                                           w->facts.data[o->counters + i], 1));
  if (p->part)
    hd_vec_push(&any, hd_team_query_differ(q, p->part, 0, o->part, 1));
  if (p->part && w->safelen) {
    say_near(w, q, p->part, 0, o->part, 1);
    say_near(w, q, o->part, 1, p->part, 0);
  }
  hd_team_query_say(q, either(w->logic, &any));
  hd_vec_free(&any);
}

/* No lock of the one is a lock of the other; false: they have one in common. */
static bool say_locks(hd_team_walk *w, hd_team_query *q,
                      const hd_team_access *a, const hd_team_access *b) {
  for (size_t i = 0; i < a->n_locks; i++)
    for (size_t j = 0; j < b->n_locks; j++) {
      hd_team_term one = w->locks.data[a->locks + i],
                   other = w->locks.data[b->locks + j];
      if (one == other && hd_team_term_at(w->terms, one)->uniform)
        return false;
      hd_team_query_say(q, hd_team_query_differ(q, one, 0, other, 1));
    }
  return true;
}

/* a.address < b.address + b.size */
static void say_below(hd_team_walk *w, hd_team_query *q,
                      const hd_team_access *a, int i, const hd_team_access *b,
                      int j) {
  hd_team_term end =
      hd_team_term_make(w->terms, HD_TEAM_ADD, b->address, b->size);
  hd_logic_expr args[] = {hd_team_query_number(q, a->address, i),
                          hd_team_query_number(q, end, j)};
  hd_team_query_say(q, hd_logic_apply(w->logic, HD_LOGIC_LT, args, 2));
}

/* They have a byte in common; where all are elements of one size it is the same
 * element, which the solver finds easier. a is of thread 0, b of thread 1. */
static void say_overlap(hd_team_walk *w, hd_team_query *q,
                        const hd_team_access *a, const hd_team_access *b) {
  int64_t size;
  if (a->size == b->size && hd_team_term_is_const(w->terms, a->size, &size) &&
      size > 0 && hd_team_term_is_multiple(w->terms, a->address, size) &&
      hd_team_term_is_multiple(w->terms, b->address, size)) {
    hd_logic_expr args[] = {hd_team_query_number(q, a->address, 0),
                            hd_team_query_number(q, b->address, 1)};
    hd_team_query_say(q, hd_logic_apply(w->logic, HD_LOGIC_EQ, args, 2));
    return;
  }
  say_below(w, q, a, 0, b, 1);
  say_below(w, q, b, 1, a, 0);
}

/* The number of the later one of two iterations that meet; of all such pairs one
 * that is near the beginning. */
static int64_t later_one(hd_team_walk *w, hd_team_query *q, hd_logic_expr x,
                         hd_logic_expr y) {
  int64_t later = 0;
  for (int bits = 1; bits <= 31 && !later; bits += bits < 4 ? 1 : 5) {
    char text[24];
    snprintf(text, sizeof text, "%lld", 1LL << bits);
    hd_logic_expr most = hd_logic_number(w->logic, HD_LOGIC_INT, text);
    hd_logic_expr two[][2] = {{x, most}, {y, most}};
    size_t n = q->facts.size;
    for (size_t i = 0; i < 2; i++)
      hd_team_query_say(q, hd_logic_apply(w->logic, HD_LOGIC_LT, two[i], 2));
    hd_str values[2] = {{0}, {0}};
    if (hd_logic_check(w->logic, q->facts.data, q->facts.size, 0.1,
                       w->run->deadline) == HD_SMT_SAT &&
        hd_logic_value(w->logic, x, &values[0]) &&
        hd_logic_value(w->logic, y, &values[1]))
      for (size_t i = 0; i < 2; i++) {
        long long value = strtoll(hd_str_text(&values[i]), NULL, 10);
        later = value > later ? value : later;
      }
    hd_str_free(&values[0]);
    hd_str_free(&values[1]);
    q->facts.size = n;
  }
  return later;
}

static void find_hint(hd_team_walk *w, hd_team_query *q,
                      const hd_team_access *a, const hd_team_access *b) {
  for (size_t i = 0; i < a->n_parts; i++)
    for (size_t j = 0; j < b->n_parts && !w->hint; j++) {
      const hd_part *p = &w->parts.data[a->parts + i],
                    *o = &w->parts.data[b->parts + j];
      if (p->edge == o->edge && p->part && o->part)
        w->hint = later_one(w, q, hd_team_query_number(q, p->part, 0),
                            hd_team_query_number(q, o->part, 1));
    }
}

/* `locks`: those of one lock do not. */
static bool may_meet(hd_team_walk *w, const hd_team_access *a,
                     const hd_team_access *b, bool locks) {
  hd_team_query q = {.terms = w->terms,
                     .logic = w->logic,
                     .machine = w->machine,
                     .run = w->run,
                     .common = w->common};
  bool apart = locks && !say_locks(w, &q, a, b);
  if (!apart) {
    say_overlap(w, &q, a, b);
    hd_team_query_say(&q, hd_team_query_differ(&q, w->number, 0, w->number, 1));
    for (size_t i = 0; i < a->n_facts; i++)
      hd_team_query_claim(&q, w->facts.data[a->facts + i], 0);
    for (size_t i = 0; i < b->n_facts; i++)
      hd_team_query_claim(&q, w->facts.data[b->facts + i], 1);
    for (size_t i = 0; i < a->n_parts; i++)
      for (size_t j = 0; j < b->n_parts; j++)
        say_parts(w, &q, &w->parts.data[a->parts + i],
                  &w->parts.data[b->parts + j], w->level);
    hd_smt_status status = hd_team_query_ask(&q, 1.0);
    apart = status == HD_SMT_UNSAT;
    if (status == HD_SMT_SAT && locks)
      find_hint(w, &q, a, b);
  }
  hd_team_query_free(&q);
  return !apart;
}

/* --- tasks --- */

/* The task of that site that the access belongs to, into tasks from 1 on; 0: it
 * belongs to none. */
static uint32_t task_of(const hd_team_walk *w, const hd_team_access *a,
                        uint32_t site) {
  uint32_t t = a->task;
  while (t && w->tasks.data[t - 1].site != site)
    t = w->tasks.data[t - 1].parent;
  return t;
}

/* The task around the access whose creator is that of the site. */
static uint32_t sibling_of(const hd_team_walk *w, const hd_team_access *a,
                           uint32_t site) {
  uint32_t t = a->task, parent = w->sites.data[site - 1].parent;
  while (t && w->sites.data[w->tasks.data[t - 1].site - 1].parent != parent)
    t = w->tasks.data[t - 1].parent;
  return t;
}

enum { OUT = 2, MUTEX = 4 };

/* Do dependences of these kinds keep two tasks apart, on one address? What excludes
 * each other does so as long as it lasts: tasks that it `leaves` are not in it. */
static bool keep_apart(uint8_t a, uint8_t b, bool leaves) {
  return (a | b) & OUT || a != b || (a == MUTEX && !leaves);
}

/* Does the access belong to something that the task has left when it ended? */
static bool is_left(const hd_team_walk *w, const hd_team_access *a,
                    uint32_t task) {
  return a->task != task &&
         w->sites.data[w->tasks.data[task - 1].site - 1].leaves;
}

static void say_dependences(hd_team_walk *w, hd_team_query *q, uint32_t one,
                            uint32_t other, bool leaves) {
  const hd_team_task *t = &w->tasks.data[one - 1],
                     *u = &w->tasks.data[other - 1];
  for (size_t i = 0; i < t->n_depends; i++)
    for (size_t j = 0; j < u->n_depends; j++) {
      const hd_team_depend *a = &w->depends_on.data[t->depends + i],
                           *b = &w->depends_on.data[u->depends + j];
      if (keep_apart(a->flags, b->flags, leaves))
        hd_team_query_say(
            q, hd_team_query_differ(q, a->address, 0, b->address, 1));
    }
}

/* The task has none of the dependences that were waited for. */
static void say_waits(hd_team_walk *w, hd_team_query *q,
                      const hd_team_pending *p, const hd_team_task *t) {
  for (size_t i = 0; i < p->n_waits; i++)
    for (size_t j = 0; j < t->n_depends; j++) {
      const hd_team_depend *a = &w->depends_on.data[p->waits + i],
                           *b = &w->depends_on.data[t->depends + j];
      if ((a->flags | b->flags) & OUT || a->flags != b->flags)
        hd_team_query_say(
            q, hd_team_query_differ(q, a->address, 0, b->address, 1));
    }
}

/* a is made while the tasks of `p` are pending, b by one of them. */
static bool may_meet_task(hd_team_walk *w, const hd_team_access *a,
                          const hd_team_access *b, const hd_team_pending *p) {
  uint32_t task = task_of(w, b, p->site);
  if (!task || (p->rest && b->task == task))
    return false;
  const hd_team_task *t = &w->tasks.data[task - 1];
  hd_team_query q = {.terms = w->terms,
                     .logic = w->logic,
                     .machine = w->machine,
                     .run = w->run,
                     .common = p->mark};
  bool apart = !say_locks(w, &q, a, b);
  if (!apart) {
    say_overlap(w, &q, a, b);
    for (size_t i = 0; i < a->n_facts; i++)
      hd_team_query_claim(&q, w->facts.data[a->facts + i], 0);
    for (size_t i = 0; i < b->n_facts; i++)
      hd_team_query_claim(&q, w->facts.data[b->facts + i], 1);
    if (p->earlier && p->level < t->n_counters && p->level < a->n_counters) {
      hd_logic_expr args[] = {
          hd_team_query_number(&q, w->facts.data[t->counters + p->level], 1),
          hd_team_query_number(&q, w->facts.data[a->counters + p->level], 0)};
      hd_team_query_say(&q, hd_logic_apply(w->logic, HD_LOGIC_LT, args, 2));
    }
    uint32_t other = sibling_of(w, a, p->site);
    if (other && !is_left(w, b, task))
      say_dependences(w, &q, other, task, is_left(w, a, other));
    if (!is_left(w, b, task))
      say_waits(w, &q, p, t);
    hd_edge_id edge = w->sites.data[p->site - 1].edge;
    for (size_t i = 0; p->sibling && i < a->n_parts; i++)
      for (size_t j = 0; j < b->n_parts; j++)
        if (w->parts.data[a->parts + i].edge == edge)
          say_parts(w, &q, &w->parts.data[a->parts + i],
                    &w->parts.data[b->parts + j], HD_TEAM_OF_TASK);
    apart = hd_team_query_ask(&q, 1.0) == HD_SMT_UNSAT;
  }
  hd_team_query_free(&q);
  return !apart;
}

static bool worth_asking(const hd_team_access *a, const hd_team_access *b) {
  return (a->write || b->write) && !(a->atomic && b->atomic) &&
         (!a->object || !b->object || a->object == b->object);
}

static bool has_fact(const hd_team_walk *w, const hd_team_access *a,
                     hd_team_term fact) {
  for (size_t i = 0; i < a->n_facts; i++)
    if (w->facts.data[a->facts + i] == fact)
      return true;
  return false;
}

static bool has_lock(const hd_team_walk *w, const hd_team_access *a,
                     hd_team_term lock) {
  for (size_t i = 0; i < a->n_locks; i++)
    if (w->locks.data[a->locks + i] == lock)
      return true;
  return false;
}

static bool has_part(const hd_team_walk *w, const hd_team_access *a,
                     const hd_part *part) {
  for (size_t i = 0; i < a->n_parts; i++) {
    const hd_part *p = &w->parts.data[a->parts + i];
    bool same = p->edge == part->edge && p->site == part->site &&
                p->part == part->part && p->level == part->level &&
                p->n_counters == part->n_counters;
    for (size_t k = 0; same && k < p->n_counters; k++)
      same =
          w->facts.data[p->counters + k] == w->facts.data[part->counters + k];
    if (same)
      return true;
  }
  return false;
}

/* Whatever meets `b` meets `a`, of which no more is known. */
static bool covers(const hd_team_walk *w, const hd_team_access *a,
                   const hd_team_access *b) {
  if (a->address != b->address || a->size != b->size || a->n_pending ||
      b->n_pending || a->task != b->task || a->mine != b->mine ||
      a->write < b->write || a->atomic > b->atomic || a->n_facts > b->n_facts ||
      a->n_locks > b->n_locks || a->n_parts > b->n_parts)
    return false;
  for (size_t i = 0; i < a->n_facts; i++)
    if (!has_fact(w, b, w->facts.data[a->facts + i]))
      return false;
  for (size_t i = 0; i < a->n_locks; i++)
    if (!has_lock(w, b, w->locks.data[a->locks + i]))
      return false;
  for (size_t i = 0; i < a->n_parts; i++)
    if (!has_part(w, b, &w->parts.data[a->parts + i]))
      return false;
  return true;
}

static bool is_covered(const hd_team_walk *w, const hd_interval *in, size_t i) {
  const hd_team_access *b = &w->accesses.data[in->first + i];
  for (size_t j = 0; j < in->n; j++) {
    const hd_team_access *a = &w->accesses.data[in->first + j];
    if (i != j && covers(w, a, b) && (j < i || !covers(w, b, a)))
      return true;
  }
  return false;
}

/* Two threads. */
static bool threads_meet(hd_team_walk *w, const hd_team_access *a,
                         const hd_team_access *b) {
  return !w->alone && !a->mine && !b->mine && worth_asking(a, b) &&
         may_meet(w, a, b, true);
}

/* One, and tasks that it has created. */
static bool tasks_meet(hd_team_walk *w, const hd_team_access *a,
                       const hd_team_access *b) {
  if (!worth_asking(a, b))
    return false;
  for (size_t i = 0; i < a->n_pending; i++)
    if (may_meet_task(w, a, b, &w->pending.data[a->pending + i]))
      return true;
  return false;
}

static bool interval_conflict(hd_team_walk *w, const hd_u32s *list,
                              hd_edge_id *one, hd_edge_id *other) {
  for (size_t i = 0; i < list->size; i++)
    for (size_t j = 0; j < list->size; j++) {
      const hd_team_access *a = &w->accesses.data[list->data[i]],
                           *b = &w->accesses.data[list->data[j]];
      if (!hd_run_check(w->run)) {
        hd_str_puts(&w->why, hd_run_why(w->run));
        return false;
      }
      if (!(j <= i && threads_meet(w, a, b)) && !tasks_meet(w, a, b))
        continue;
      *one = a->edge;
      *other = b->edge;
      return true;
    }
  return false;
}

bool hd_teams_conflict(hd_team_walk *w, hd_edge_id *one, hd_edge_id *other) {
  bool found = false;
  for (size_t i = 0; i < w->intervals.size && !found && !w->why.size; i++) {
    hd_u32s list = {0};
    size_t place = w->intervals.data[i].place;
    bool done = false;
    for (size_t j = 0; j < i; j++)
      done = done || w->intervals.data[j].place == place;
    if (done)
      continue;
    /* Who leaves the barrier with other locks is there, too. */
    for (size_t j = i; j < w->intervals.size; j++) {
      const hd_interval *in = &w->intervals.data[j];
      for (size_t k = 0; in->place == place && k < in->n; k++)
        if (!is_covered(w, in, k))
          hd_vec_push(&list, (uint32_t)(in->first + k));
    }
    found = interval_conflict(w, &list, one, other);
    hd_vec_free(&list);
  }
  return found;
}

/* Do no two threads touch the object between two barriers, one of them writing? */
static bool is_exclusive(hd_team_walk *w, uint64_t object) {
  enum { MOST = 24 };
  hd_u32s list = {0};
  bool good = true;
  hd_vec(size_t) places = {0};
  for (size_t i = 0; i < w->intervals.size && good; i++) {
    const hd_interval *in = &w->intervals.data[i];
    for (size_t k = 0; k < in->n && good; k++) {
      const hd_team_access *a = &w->accesses.data[in->first + k];
      int64_t at;
      if (a->object && a->object != object)
        continue;
      good = a->object && !a->task && !a->atomic && list.size < MOST &&
             hd_team_term_is_const(w->terms, a->address, &at);
      hd_vec_push(&list, (uint32_t)(in->first + k));
      hd_vec_push(&places, in->place);
    }
  }
  for (size_t i = 0; i < list.size; i++)
    for (size_t j = 0; j <= i && good; j++) {
      const hd_team_access *a = &w->accesses.data[list.data[i]],
                           *b = &w->accesses.data[list.data[j]];
      if (places.data[i] == places.data[j] && (a->write || b->write))
        good = hd_run_check(w->run) && !may_meet(w, a, b, false);
    }
  hd_vec_free(&list);
  hd_vec_free(&places);
  return good;
}

bool hd_teams_find_exclusive(hd_team_walk *w) {
  size_t before = w->exclusive.size;
  for (size_t i = 0; i < w->written.size && !w->alone; i++) {
    bool known = hd_team_walk_is_thread_local(w->written.data[i]);
    for (size_t j = 0; j < w->exclusive.size; j++)
      known = known || w->exclusive.data[j] == w->written.data[i];
    if (!known && is_exclusive(w, w->written.data[i]))
      hd_vec_push(&w->exclusive, w->written.data[i]);
  }
  return w->exclusive.size > before;
}

void hd_teams_tell_conflict(hd_team_walk *w, hd_edge_id one, hd_edge_id other) {
  if (w->why.size)
    return;
  hd_code_print_pos(&w->why, w->code, w->code->edges.data[one].pos);
  hd_str_puts(&w->why, " and ");
  hd_code_print_pos(&w->why, w->code, w->code->edges.data[other].pos);
  hd_str_puts(&w->why,
              " may touch the same memory in two threads of a team, as "
              "far as teams can tell");
}
