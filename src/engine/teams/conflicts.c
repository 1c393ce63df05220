/* SPDX-License-Identifier: MIT */
/* Can two threads of a team touch the same byte between two barriers, one of them
 * writing? Decided for each pair of accesses of one interval, by the solver. */
#include "engine/teams/walk.h"

typedef hd_vec(hd_logic_expr) exprs;

static hd_logic_expr apply(hd_logic *l, hd_logic_op op, hd_logic_expr a,
                           hd_logic_expr b) {
  hd_logic_expr args[] = {a, b};
  return hd_logic_apply(l, op, args, 2);
}

static hd_logic_expr differ(hd_logic *l, hd_logic_expr a, hd_logic_expr b) {
  hd_logic_expr same = apply(l, HD_LOGIC_EQ, a, b);
  return hd_logic_apply(l, HD_LOGIC_NOT, &same, 1);
}

static bool common_lock(const hd_team_walk *w, const hd_team_access *a,
                        const hd_team_access *b) {
  for (size_t i = 0; i < a->n_locks; i++)
    for (size_t j = 0; j < b->n_locks; j++)
      if (w->locks.data[a->locks + i] == w->locks.data[b->locks + j])
        return true;
  return false;
}

/* In one encounter of the construct the two have different parts of it. */
static void say_parts(hd_team_walk *w, const hd_part *p, const hd_part *q,
                      exprs *out) {
  hd_logic *l = w->logic;
  if (p->edge != q->edge || p->n_counters != q->n_counters ||
      !p->part != !q->part)
    return;
  exprs any = {0};
  for (size_t i = 0; i < p->n_counters; i++)
    hd_vec_push(
        &any,
        differ(
            l, hd_team_term_say(w->terms, l, w->facts.data[p->counters + i], 0),
            hd_team_term_say(w->terms, l, w->facts.data[q->counters + i], 1)));
  if (p->part)
    hd_vec_push(&any, differ(l, hd_team_term_say(w->terms, l, p->part, 0),
                             hd_team_term_say(w->terms, l, q->part, 1)));
  hd_vec_push(out, any.size ? hd_logic_apply(l, HD_LOGIC_OR, any.data, any.size)
                            : hd_logic_bool(l, false));
  hd_vec_free(&any);
}

static void say_facts(hd_team_walk *w, const hd_team_access *a, int thread,
                      exprs *out) {
  for (size_t i = 0; i < a->n_facts; i++)
    hd_vec_push(out, hd_team_term_claim(w->terms, w->logic,
                                        w->facts.data[a->facts + i], thread));
}

/* a.address < b.address + b.size */
static hd_logic_expr below(hd_team_walk *w, const hd_team_access *a, int i,
                           const hd_team_access *b, int j) {
  hd_team_term end =
      hd_team_term_make(w->terms, HD_TEAM_ADD, b->address,
                        hd_team_term_const(w->terms, (int64_t)b->size));
  hd_logic_expr x = hd_team_term_say(w->terms, w->logic, a->address, i);
  return apply(w->logic, HD_LOGIC_LT, x,
               hd_team_term_say(w->terms, w->logic, end, j));
}

static bool may_meet(hd_team_walk *w, const hd_team_access *a,
                     const hd_team_access *b) {
  exprs all = {0};
  hd_vec_push(&all, below(w, a, 0, b, 1));
  hd_vec_push(&all, below(w, b, 1, a, 0));
  hd_vec_push(&all, differ(w->logic,
                           hd_team_term_say(w->terms, w->logic, w->number, 0),
                           hd_team_term_say(w->terms, w->logic, w->number, 1)));
  say_facts(w, a, 0, &all);
  say_facts(w, b, 1, &all);
  for (size_t i = 0; i < a->n_parts; i++)
    for (size_t j = 0; j < b->n_parts; j++)
      say_parts(w, &w->parts.data[a->parts + i], &w->parts.data[b->parts + j],
                &all);
  hd_smt_status status =
      hd_logic_check(w->logic, all.data, all.size, 1.0, w->run->deadline);
  hd_vec_free(&all);
  return status != HD_SMT_UNSAT;
}

static bool worth_asking(const hd_team_walk *w, const hd_team_access *a,
                         const hd_team_access *b) {
  return (a->write || b->write) && !(a->atomic && b->atomic) &&
         (!a->object || !b->object || a->object == b->object) &&
         !common_lock(w, a, b);
}

/* The same access on another path that knows less says as much. */
static bool repeats(const hd_team_walk *w, const hd_team_access *a,
                    const hd_team_access *b) {
  if (a->edge != b->edge || a->address != b->address ||
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
        if (!worth_asking(w, a, b))
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
