/* SPDX-License-Identifier: MIT */
/* Barriers: who comes to them, and with what it goes on. */
#include "engine/teams/query.h"
#include "engine/teams/state.h"

static bool same_locks(const hd_team_walk_state *a,
                       const hd_team_walk_state *b) {
  bool same = a->locks.size == b->locks.size && a->groups == b->groups;
  for (size_t i = 0; same && i < a->locks.size; i++)
    same = a->locks.data[i] == b->locks.data[i];
  return same;
}

/* Through the same calls. */
static bool same_place(const hd_team_walk_state *a,
                       const hd_team_walk_state *b) {
  if (a->frames.size != b->frames.size || a->objects != b->objects)
    return false;
  for (size_t i = 0; i < a->frames.size; i++)
    if (a->frames.data[i].loc != b->frames.data[i].loc ||
        a->frames.data[i].call != b->frames.data[i].call)
      return false;
  return true;
}

/* --- states of several paths --- */

typedef struct {
  hd_team_walker *k;
  size_t entry; /* SIZE_MAX: paths of one walk */
  bool uniform; /* what is the same for all threads on each is so on both */
  bool changed;
} join;

static hd_team_walk_joint *joint_of(const join *j,
                                    const hd_team_walk_joint *at) {
  for (hd_vec_each(hd_team_walk_joint, o, &j->k->joints))
    if (o->entry == at->entry && o->reg == at->reg &&
        o->address == at->address && o->size == at->size)
      return o;
  return NULL;
}

/* `at` says of what; 0: nothing is known. */
static hd_team_term joined(join *j, hd_team_walk_joint at, hd_team_term a,
                           hd_team_term b) {
  hd_team_terms *t = j->k->w->terms;
  if (a == b || !a)
    return a;
  bool uniform = j->uniform && b && hd_team_term_at(t, a)->uniform &&
                 hd_team_term_at(t, b)->uniform;
  hd_team_walk_joint *known = j->entry == SIZE_MAX ? NULL : joint_of(j, &at);
  /* What has become anything already stays so. */
  if (b && known && known->symbol == a &&
      hd_team_term_at(t, a)->uniform == uniform)
    return a;
  j->changed = true;
  if (!b)
    return 0;
  at.symbol = hd_team_term_symbol(t, uniform, 0);
  if (known)
    known->symbol = at.symbol;
  else if (j->entry != SIZE_MAX)
    hd_vec_push(&j->k->joints, at);
  return at.symbol;
}

static bool has_fact(const hd_team_list *facts, hd_team_term fact) {
  for (size_t i = 0; i < facts->size; i++)
    if (facts->data[i] == fact)
      return true;
  return false;
}

static hd_team_term value_at(const hd_team_walk_state *s,
                             const hd_team_walk_cell *c) {
  for (size_t i = 0; i < s->cells.size; i++)
    if (s->cells.data[i].address == c->address &&
        s->cells.data[i].size == c->size)
      return s->cells.data[i].value;
  return 0;
}

static void join_states(join *j, hd_team_walk_state *to,
                        const hd_team_walk_state *from) {
  for (size_t i = 0; i < to->regs.size; i++)
    to->regs.data[i] =
        joined(j, (hd_team_walk_joint){.entry = j->entry, .reg = i},
               to->regs.data[i], from->regs.data[i]);
  size_t kept = 0;
  for (size_t i = 0; i < to->cells.size; i++) {
    hd_team_walk_cell c = to->cells.data[i];
    hd_team_walk_joint at = {.entry = j->entry,
                             .reg = SIZE_MAX,
                             .address = c.address,
                             .size = c.size};
    c.value = joined(j, at, c.value, value_at(from, &c));
    if (c.value)
      to->cells.data[kept++] = c;
  }
  to->cells.size = kept;
  kept = 0;
  for (size_t i = 0; i < to->facts.size; i++)
    if (has_fact(&from->facts, to->facts.data[i]))
      to->facts.data[kept++] = to->facts.data[i];
  j->changed = j->changed || kept != to->facts.size;
  to->facts.size = kept;
  if (to->heap < from->heap)
    to->heap = from->heap;
}

/* --- arrivals --- */

void hd_team_walk_arrive(hd_team_walker *k, hd_team_walk_state *s,
                         hd_edge_id edge) {
  if (k->probing || s->team->task) {
    hd_team_walk_refuse(k, edge,
                        s->team->task
                            ? "a barrier inside a task"
                            : "a barrier in a loop that can do without");
    return;
  }
  k->w->waits = k->w->waits || s->locks.size;
  hd_team_walk_entry arrival = {.edge = edge};
  hd_team_walk_copy(&arrival.state, s);
  hd_vec_push(&k->arrivals, arrival);
}

/* Where it goes on. */
static void pass(hd_team_walker *k, hd_team_walk_entry *a) {
  hd_team_walk_state *s = &a->state;
  hd_vec_last(&s->frames).loc = k->w->code->edges.data[a->edge].to;
  s->parts.size = s->team->parts;
  s->counters.size = s->team->counters;
  s->loops.size = s->team->loops;
  s->pending.size = s->met.size = 0;
  s->share = (hd_team_walk_share){0};
  hd_team_walk_forget_exclusive(k, s);
}

/* Can one thread go this way, and another one that? */
static bool may_part(hd_team_walker *k, const hd_team_list *a,
                     const hd_team_list *b) {
  hd_team_walk *w = k->w;
  if (w->alone)
    return false;
  hd_team_query q = {.terms = w->terms,
                     .logic = w->logic,
                     .machine = w->machine,
                     .run = w->run,
                     .common = w->common};
  hd_team_query_say(&q, hd_team_query_differ(&q, w->number, 0, w->number, 1));
  for (size_t i = 0; i < a->size; i++)
    hd_team_query_claim(&q, a->data[i], 0);
  for (size_t i = 0; i < b->size; i++)
    hd_team_query_claim(&q, b->data[i], 1);
  bool apart = hd_team_query_ask(&q, 1.0) == HD_SMT_UNSAT;
  hd_team_query_free(&q);
  return !apart;
}

static bool both_uniform(const hd_team_terms *t, hd_team_term a,
                         hd_team_term b) {
  return a && b && a != b && hd_team_term_at(t, a)->uniform &&
         hd_team_term_at(t, b)->uniform;
}

/* Is there something to be lost when threads may go both ways? */
static bool differ(const hd_team_terms *t, const hd_team_walk_state *a,
                   const hd_team_walk_state *b) {
  for (size_t i = 0; i < a->regs.size; i++)
    if (both_uniform(t, a->regs.data[i], b->regs.data[i]))
      return true;
  for (size_t i = 0; i < a->cells.size; i++)
    if (both_uniform(t, a->cells.data[i].value, value_at(b, &a->cells.data[i])))
      return true;
  return false;
}

/* Paths of one walk that come to one place go on as one. */
static void join_paths(hd_team_walker *k, size_t first, size_t of) {
  hd_team_walk_entry *to = &k->arrivals.data[first],
                     *from = &k->arrivals.data[of];
  join j = {.k = k, .entry = SIZE_MAX, .uniform = true};
  const hd_team_walk_end_of *ends =
      &k->ends.data[k->ends.size] - (ptrdiff_t)k->arrivals.size;
  if (differ(k->w->terms, &to->state, &from->state))
    for (size_t i = first; i < of && j.uniform; i++)
      if (k->arrivals.data[i].edge == to->edge)
        j.uniform = !may_part(k, &ends[i].facts, &ends[of].facts);
  join_states(&j, &to->state, &from->state);
}

/* `locks`: with the same locks. */
static size_t find_entry(const hd_team_walk_entry *list, size_t n,
                         const hd_team_walk_entry *a, bool locks) {
  for (size_t i = 0; i < n; i++)
    if (list[i].edge == a->edge && same_place(&list[i].state, &a->state) &&
        (!locks || same_locks(&list[i].state, &a->state)))
      return i;
  return SIZE_MAX;
}

/* What it finds there is of other times that the team came to the barrier. */
static void join_entry(hd_team_walker *k, hd_team_walk_entry *a) {
  size_t n = k->entries.size, at = find_entry(k->entries.data, n, a, true),
         place = find_entry(k->entries.data, n, a, false);
  if (at == SIZE_MAX) {
    hd_team_walk_entry entry = {
        .edge = a->edge, .place = place == SIZE_MAX ? n : place, .fresh = true};
    hd_team_walk_copy(&entry.state, &a->state);
    hd_vec_push(&k->entries, entry);
    k->w->grown += place != SIZE_MAX && !k->w->mixed;
    k->w->mixed = k->w->mixed || place != SIZE_MAX;
    return;
  }
  join j = {.k = k, .entry = at, .uniform = !k->w->mixed};
  join_states(&j, &k->entries.data[at].state, &a->state);
  k->entries.data[at].fresh = k->entries.data[at].fresh || j.changed;
}

static void note_ends(hd_team_walker *k, size_t entry) {
  size_t kept = 0;
  for (size_t i = 0; i < k->ends.size;
       i++) /* it was walked before, with less */
    if (k->ends.data[i].entry == entry)
      hd_vec_free(&k->ends.data[i].facts);
    else
      k->ends.data[kept++] = k->ends.data[i];
  k->ends.size = kept;
  for (hd_vec_each(const hd_team_walk_entry, a, &k->arrivals)) {
    hd_team_walk_end_of end = {
        .entry = entry,
        .from = entry == SIZE_MAX ? entry : k->entries.data[entry].place};
    for (size_t i = 0; i < a->state.facts.size; i++)
      hd_vec_push(&end.facts, a->state.facts.data[i]);
    hd_vec_push(&k->ends, end);
  }
}

void hd_team_walk_settle(hd_team_walker *k, size_t entry) {
  note_ends(k, entry);
  size_t n = k->arrivals.size, ends = k->ends.size - n;
  hd_vec(size_t) firsts = {0};
  for (size_t i = 0; i < n; i++) {
    hd_team_walk_entry *a = &k->arrivals.data[i];
    if (a->edge != HD_NO_ID)
      pass(k, a);
    size_t first = a->edge == HD_NO_ID
                       ? SIZE_MAX
                       : find_entry(k->arrivals.data, i, a, true);
    hd_vec_push(&firsts, first);
    if (first != SIZE_MAX && !k->w->why.size)
      join_paths(k, first, i);
  }
  for (size_t i = 0; i < n; i++) {
    hd_team_walk_entry *a = &k->arrivals.data[i];
    if (a->edge != HD_NO_ID && firsts.data[i] == SIZE_MAX)
      join_entry(k, a);
    k->ends.data[ends + i].to =
        a->edge == HD_NO_ID
            ? SIZE_MAX
            : find_entry(k->entries.data, k->entries.size, a, false);
  }
  hd_vec_free(&firsts);
  for (size_t i = 0; i < n; i++)
    hd_team_walk_drop(&k->arrivals.data[i].state);
  k->arrivals.size = 0;
}

void hd_team_walk_align(hd_team_walker *k) {
  for (size_t i = 0; i < k->ends.size; i++)
    for (size_t j = 0; j < i && !k->w->why.size; j++) {
      const hd_team_walk_end_of *a = &k->ends.data[i], *b = &k->ends.data[j];
      if (a->from != b->from || a->to == b->to ||
          !may_part(k, &a->facts, &b->facts))
        continue;
      size_t one = a->to == SIZE_MAX ? b->to : a->to;
      hd_team_walk_refuse(
          k, k->entries.data[one].edge,
          "a barrier that some threads of the team may come to while others "
          "come to another one, or to their end");
    }
}

void hd_team_walk_forget_arrivals(hd_team_walker *k) {
  for (size_t i = 0; i < k->ends.size; i++)
    hd_vec_free(&k->ends.data[i].facts);
  k->ends.size = k->joints.size = 0;
}
