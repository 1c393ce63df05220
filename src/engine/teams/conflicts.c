/* SPDX-License-Identifier: MIT */
/* Can two threads of a team touch the same byte between two barriers, one of them
 * writing? Decided for each pair of accesses of one interval, by the solver. */
#include "engine/teams/query.h"
#include "engine/teams/walk.h"

typedef hd_vec(hd_logic_expr) exprs;

static hd_logic_expr either(hd_logic *l, const exprs *any) {
  return any->size ? hd_logic_apply(l, HD_LOGIC_OR, any->data, any->size)
                   : hd_logic_bool(l, false);
}

/* In one encounter of the construct the two have different parts of it. */
static void say_parts(hd_team_walk *w, hd_team_query *q, const hd_part *p,
                      const hd_part *o) {
  if (p->edge != o->edge || p->n_counters != o->n_counters ||
      !p->part != !o->part)
    return;
  exprs any = {0};
  for (size_t i = 0; i < p->n_counters; i++)
    hd_vec_push(&any, hd_team_query_differ(q, w->facts.data[p->counters + i], 0,
                                           w->facts.data[o->counters + i], 1));
  if (p->part)
    hd_vec_push(&any, hd_team_query_differ(q, p->part, 0, o->part, 1));
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

static bool may_meet(hd_team_walk *w, const hd_team_access *a,
                     const hd_team_access *b) {
  hd_team_query q = {.terms = w->terms,
                     .logic = w->logic,
                     .machine = w->machine,
                     .run = w->run,
                     .common = w->common};
  bool apart = !say_locks(w, &q, a, b);
  if (!apart) {
    say_below(w, &q, a, 0, b, 1);
    say_below(w, &q, b, 1, a, 0);
    hd_team_query_say(&q, hd_team_query_differ(&q, w->number, 0, w->number, 1));
    for (size_t i = 0; i < a->n_facts; i++)
      hd_team_query_claim(&q, w->facts.data[a->facts + i], 0);
    for (size_t i = 0; i < b->n_facts; i++)
      hd_team_query_claim(&q, w->facts.data[b->facts + i], 1);
    for (size_t i = 0; i < a->n_parts; i++)
      for (size_t j = 0; j < b->n_parts; j++)
        say_parts(w, &q, &w->parts.data[a->parts + i],
                  &w->parts.data[b->parts + j]);
    apart = hd_team_query_ask(&q, 1.0) == HD_SMT_UNSAT;
  }
  hd_team_query_free(&q);
  return !apart;
}

static bool worth_asking(const hd_team_access *a, const hd_team_access *b) {
  return (a->write || b->write) && !(a->atomic && b->atomic) &&
         (!a->object || !b->object || a->object == b->object);
}

/* The same access on another path that knows less says as much. */
static bool repeats(const hd_team_walk *w, const hd_team_access *a,
                    const hd_team_access *b) {
  if (a->edge != b->edge || a->address != b->address || a->size != b->size ||
      a->n_facts != b->n_facts || a->n_parts != b->n_parts ||
      a->n_locks != b->n_locks)
    return false;
  for (size_t i = 0; i < a->n_facts; i++)
    if (w->facts.data[a->facts + i] != w->facts.data[b->facts + i])
      return false;
  for (size_t i = 0; i < a->n_locks; i++)
    if (w->locks.data[a->locks + i] != w->locks.data[b->locks + i])
      return false;
  for (size_t i = 0; i < a->n_parts; i++)
    if (w->parts.data[a->parts + i].edge != w->parts.data[b->parts + i].edge ||
        w->parts.data[a->parts + i].part != w->parts.data[b->parts + i].part)
      return false;
  return true;
}

static bool is_repeated(const hd_team_walk *w, const hd_interval *in,
                        size_t i) {
  for (size_t j = 0; j < i; j++)
    if (repeats(w, &w->accesses.data[in->first + i],
                &w->accesses.data[in->first + j]))
      return true;
  return false;
}

bool hd_teams_conflict(hd_team_walk *w, hd_edge_id *one, hd_edge_id *other) {
  for (hd_vec_each(const hd_interval, in, &w->intervals)) {
    hd_u32s list = {0};
    for (size_t i = 0; i < in->n; i++)
      if (!is_repeated(w, in, i))
        hd_vec_push(&list, (uint32_t)(in->first + i));
    for (size_t i = 0; i < list.size; i++)
      for (size_t j = 0; j <= i; j++) {
        const hd_team_access *a = &w->accesses.data[list.data[i]],
                             *b = &w->accesses.data[list.data[j]];
        if (!worth_asking(a, b))
          continue;
        if (hd_run_check(w->run) && !may_meet(w, a, b))
          continue;
        *one = a->edge;
        *other = b->edge;
        hd_vec_free(&list);
        return true;
      }
    hd_vec_free(&list);
  }
  return false;
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
