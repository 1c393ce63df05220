/* SPDX-License-Identifier: MIT */
/* Tasks. The body of a task is followed where the task is created, as that of
 * another thread that sees what its creator had then. From there on until
 * something waits for it, it is pending: whatever its creator does, and the
 * tasks that are created, may happen at the same time. A place that creates tasks
 * is a site; what is pending are sites, with what is known about which of their
 * instances. */
#include "engine/teams/state.h"

#include "check/interp/memory.h"

#include <assert.h>
#include <string.h>

/* --- sites --- */

static bool same_stack(const hd_team_walk_site *site,
                       const hd_team_walk_state *s) {
  if (site->stack.size != s->frames.size)
    return false;
  for (size_t i = 0; i < s->frames.size; i++)
    if (site->stack.data[i] != s->frames.data[i].call)
      return false;
  return true;
}

uint32_t hd_team_walk_site_of(hd_team_walker *k, const hd_team_walk_state *s,
                              hd_edge_id edge) {
  hd_team_walk_sites *sites = &k->w->sites;
  for (size_t i = 0; i < sites->size; i++)
    if (sites->data[i].edge == edge && sites->data[i].parent == s->task &&
        same_stack(&sites->data[i], s))
      return (uint32_t)i + 1;
  hd_team_walk_site site = {.edge = edge, .parent = s->task};
  for (size_t i = 0; i < s->frames.size; i++)
    hd_vec_push(&site.stack, s->frames.data[i].call);
  hd_vec_push(sites, site);
  return (uint32_t)sites->size;
}

uint32_t hd_team_walk_meet(hd_team_walk_state *s, uint32_t site) {
  for (hd_vec_each(hd_team_walk_met, m, &s->met))
    if (m->site == site)
      return ++m->times;
  hd_vec_push(&s->met, ((hd_team_walk_met){site, 1}));
  return 1;
}

void hd_team_walk_push_part(hd_team_walker *k, hd_team_walk_state *s,
                            const hd_team_walk_share *share,
                            hd_team_term iteration, unsigned level) {
  hd_team_terms *t = k->w->terms;
  hd_part part = {.edge = share->edge,
                  .site = share->site,
                  .part = iteration,
                  .level = level,
                  .counters = s->counters.size,
                  .n_counters = 2 * share->loops + 1};
  hd_vec_push(&s->counters, hd_team_term_const(t, share->time));
  for (size_t i = 0; i < share->loops; i++) {
    hd_vec_push(&s->counters, s->loops.data[i].counter);
    hd_vec_push(&s->counters, hd_team_term_const(t, s->loops.data[i].visit));
  }
  hd_vec_push(&s->parts, part);
}

static bool is_below(const hd_team_walk *w, uint32_t site, uint32_t above) {
  for (; site; site = w->sites.data[site - 1].parent)
    if (site == above)
      return true;
  return false;
}

/* --- what is pending --- */

static bool same_pending(const hd_team_pending *a, const hd_team_pending *b) {
  return a->site == b->site && a->level == b->level &&
         a->earlier == b->earlier && a->mark == b->mark && a->rest == b->rest &&
         a->sibling == b->sibling && a->group == b->group &&
         a->waits == b->waits && a->n_waits == b->n_waits;
}

static void add_pending(hd_team_walk_state *s, hd_team_pending p) {
  for (size_t i = 0; i < s->pending.size; i++)
    if (same_pending(&s->pending.data[i], &p))
      return;
  hd_vec_push(&s->pending, p);
}

/* The end of a task or function in which `site` is the task: what it leaves. */
static void note_leftovers(hd_team_walker *k, const hd_team_walk_state *s,
                           uint32_t site) {
  hd_team_walk_site *at = &k->w->sites.data[site - 1];
  for (size_t i = 0; i < s->pending.size && !at->leaves; i++) {
    const hd_team_pending *p = &s->pending.data[i];
    at->leaves = p->site != site && is_below(k->w, p->site, site);
    k->w->grown += at->leaves;
  }
}

/* Of a time round that is over; what it waited for is forgotten. */
static void lower_mark(hd_team_pending *p, int64_t mark) {
  if (p->mark <= mark)
    return;
  p->mark = mark;
  p->waits = p->n_waits = 0;
}

void hd_team_walk_leave_loop(hd_team_walk_state *s, size_t level,
                             int64_t mark) {
  for (size_t i = 0; i < s->pending.size; i++) {
    hd_team_pending *p = &s->pending.data[i];
    if (p->level < level || (p->level == level && !p->earlier))
      continue;
    p->level = level;
    p->earlier = false;
    lower_mark(p, mark);
  }
}

void hd_team_walk_go_round(hd_team_walk_state *head,
                           const hd_team_walk_states *ends, size_t level,
                           int64_t mark) {
  for (size_t i = 0; i < ends->size; i++)
    for (size_t j = 0; j < ends->data[i].pending.size; j++) {
      hd_team_pending p = ends->data[i].pending.data[j];
      bool known = false;
      for (size_t n = 0; n < head->pending.size; n++)
        known = known || same_pending(&head->pending.data[n], &p);
      if (known)
        continue;
      p.level = level;
      p.earlier = true;
      lower_mark(&p, mark);
      add_pending(head, p);
    }
}

/* All that waits for children of the task. */
void hd_team_walk_taskwait(hd_team_walker *k, hd_team_walk_state *s) {
  size_t kept = 0;
  for (size_t i = 0; i < s->pending.size; i++) {
    hd_team_pending p = s->pending.data[i];
    const hd_team_walk_site *site = &k->w->sites.data[p.site - 1];
    if (site->parent == s->task && !p.rest) {
      if (!site->leaves)
        continue;
      p.rest = true;
    }
    s->pending.data[kept++] = p;
  }
  s->pending.size = kept;
}

/* The same list of dependences, at its first place. */
static size_t find_list(const hd_team_walk *w, size_t at, size_t n) {
  for (size_t i = 0; i < at; i++) {
    bool same = true;
    for (size_t j = 0; j < n && same; j++)
      same =
          w->depends_on.data[i + j].address ==
              w->depends_on.data[at + j].address &&
          w->depends_on.data[i + j].flags == w->depends_on.data[at + j].flags;
    if (same)
      return i;
  }
  return at;
}

void hd_team_walk_wait_depend(hd_team_walker *k, hd_team_walk_state *s) {
  hd_team_walk *w = k->w;
  for (hd_vec_each(hd_team_pending, p, &s->pending)) {
    if (w->sites.data[p->site - 1].parent != s->task || p->rest ||
        !s->depends.size)
      continue;
    size_t at = w->depends_on.size;
    for (size_t i = 0; i < p->n_waits; i++) {
      hd_team_depend before = w->depends_on.data[p->waits + i];
      hd_vec_push(&w->depends_on, before);
    }
    for (size_t i = 0; i < s->depends.size; i++)
      hd_vec_push(&w->depends_on, s->depends.data[i]);
    p->n_waits += s->depends.size;
    p->waits = find_list(w, at, p->n_waits);
  }
  s->depends.size = 0;
}

void hd_team_walk_end_group(hd_team_walk_state *s) {
  size_t kept = 0;
  for (size_t i = 0; i < s->pending.size; i++)
    if (s->pending.data[i].group < s->groups)
      s->pending.data[kept++] = s->pending.data[i];
  s->pending.size = kept;
  if (s->groups)
    s->groups--;
}

/* --- creation --- */

/* (place, thread, flags, size, size of shareds, function): as the compiler has
 * it, the address of the shareds and the function at its beginning. */
hd_team_term hd_team_walk_new_task(hd_team_walker *k, hd_team_walk_state *s,
                                   hd_edge_id edge, hd_team_term entry) {
  hd_team_terms *t = k->w->terms;
  hd_team_term task = hd_team_walk_task_object(k, s),
               shareds = hd_team_walk_task_object(k, s);
  hd_team_walk_store(k, s, edge, task, 8, shareds, false, false);
  hd_team_walk_store(
      k, s, edge,
      hd_team_term_make(t, HD_TEAM_ADD, task, hd_team_term_const(t, 8)), 8,
      entry, false, false);
  /* An untied task asks in which part it is. */
  hd_team_walk_store(
      k, s, edge,
      hd_team_term_make(t, HD_TEAM_ADD, task, hd_team_term_const(t, 16)), 4,
      hd_team_term_const(t, 0), false, false);
  return task;
}

hd_func_id hd_team_walk_entry_of(hd_team_walker *k, const hd_team_walk_state *s,
                                 hd_team_term task) {
  hd_team_terms *t = k->w->terms;
  hd_team_term at =
      hd_team_term_make(t, HD_TEAM_ADD, task, hd_team_term_const(t, 8));
  int64_t value;
  hd_team_term entry = hd_team_walk_peek(k, s, at, 8);
  return entry && hd_team_term_is_const(t, entry, &value)
             ? hd_ram_func_at(k->w->machine, (uint64_t)value)
             : HD_NO_ID;
}

/* The dependences, as far as they are known: none that is not there. */
static void read_dependences(hd_team_walker *k, hd_team_walk_state *s,
                             hd_team_term list, int64_t n) {
  hd_team_terms *t = k->w->terms;
  for (int64_t i = 0; i < n && i < 64; i++) {
    hd_team_term at =
        hd_team_term_make(t, HD_TEAM_ADD, list, hd_team_term_const(t, 24 * i));
    hd_team_term how =
        hd_team_term_make(t, HD_TEAM_ADD, at, hd_team_term_const(t, 16));
    hd_team_depend d = {.address = hd_team_walk_peek(k, s, at, 8)};
    hd_team_term flags = hd_team_walk_peek(k, s, how, 1);
    int64_t value;
    if (!d.address || !flags || !hd_team_term_is_const(t, flags, &value))
      continue;
    d.flags = (uint8_t)value;
    hd_vec_push(&s->depends, d);
  }
}

static uint32_t record(hd_team_walker *k, const hd_team_walk_state *s,
                       uint32_t site) {
  hd_team_walk *w = k->w;
  hd_team_task task = {.site = site,
                       .parent = s->record,
                       .counters = w->facts.size,
                       .n_counters = s->loops.size,
                       .depends = w->depends_on.size,
                       .n_depends = s->depends.size};
  for (size_t i = 0; i < s->loops.size; i++)
    hd_vec_push(&w->facts, s->loops.data[i].counter);
  for (size_t i = 0; i < s->depends.size; i++)
    hd_vec_push(&w->depends_on, s->depends.data[i]);
  hd_vec_push(&w->tasks, task);
  return (uint32_t)w->tasks.size;
}

static hd_team_pending entry_for(hd_team_walker *k, const hd_team_walk_state *s,
                                 uint32_t site) {
  return (hd_team_pending){.site = site,
                           .level = s->loops.size,
                           .mark = hd_team_term_symbols(k->w->terms),
                           .group = s->groups};
}

/* Follows the body, from what its creator has. */
static void follow_body(hd_team_walker *k, const hd_team_walk_state *s,
                        hd_func_id entry, hd_team_term task, hd_edge_id edge,
                        const hd_team_walk_part_of *loop, uint32_t site) {
  hd_team_terms *t = k->w->terms;
  hd_team_walk_state body = {0};
  hd_team_walk_copy(&body, s);
  int64_t at = 0;
  (void)hd_team_term_is_const(t, task, &at);
  hd_team_walk_team team = *s->team;
  team.slots = s->objects;
  team.heap = hd_team_walk_task_index((uint64_t)at >> 32);
  team.depth = s->frames.size;
  team.loops = s->loops.size;
  team.task = true;
  team.self = task;
  body.team = &team;
  body.record = record(k, s, site);
  body.task = site;
  body.depends.size = 0;
  body.locks.size = 0;
  body.share = (hd_team_walk_share){0};
  if (loop) {
    hd_team_walk_store(k, &body, edge, loop->at_lower, 8, loop->lower, false,
                       false);
    hd_team_walk_store(k, &body, edge, loop->at_upper, 8, loop->upper, false,
                       false);
    hd_team_term facts[] = {
        hd_team_term_make(t, HD_TEAM_LE, loop->from, loop->lower),
        hd_team_term_make(t, HD_TEAM_LE, loop->upper, loop->to)};
    hd_vec_push(&body.facts, facts[0]);
    hd_vec_push(&body.facts, facts[1]);
    body.share = (hd_team_walk_share){.edge = edge,
                                      .lower = loop->from,
                                      .upper = loop->to,
                                      .loops = body.loops.size,
                                      .by_tasks = true};
    hd_team_pending sibling = entry_for(k, s, site);
    sibling.sibling = true;
    add_pending(&body, sibling);
  }
  hd_team_term args[] = {hd_team_walk_any(k, &body, 32), task};
  hd_team_walk_enter(k, &body, entry, edge, args, 2);
  hd_team_walk_follow(k, &body, NULL);
}

void hd_team_walk_create(hd_team_walker *k, hd_team_walk_state *s,
                         hd_team_term task, hd_edge_id edge,
                         const hd_team_walk_part_of *loop) {
  hd_func_id entry = hd_team_walk_entry_of(k, s, task);
  int64_t at;
  if (entry == HD_NO_ID || !hd_team_term_is_const(k->w->terms, task, &at)) {
    hd_team_walk_refuse(k, edge, "which task is created is not known");
    return;
  }
  uint32_t site = hd_team_walk_site_of(k, s, edge);
  hd_team_pending pending = entry_for(k, s, site);
  follow_body(k, s, entry, task, edge, loop, site);
  s->depends.size = 0;
  add_pending(s, pending);
}

void hd_team_walk_next_part(hd_team_walker *k, hd_team_walk_state *s,
                            hd_edge_id edge) {
  hd_team_term task = s->team->self;
  hd_func_id entry = hd_team_walk_entry_of(k, s, task);
  assert(s->team->task && s->frames.size > s->team->depth);
  if (entry == HD_NO_ID) {
    hd_team_walk_refuse(k, edge, "which task is created is not known");
    return;
  }
  hd_edge_id call = s->frames.data[s->team->depth].call;
  while (s->frames.size > s->team->depth) {
    hd_team_walk_frame f = hd_vec_pop(&s->frames);
    s->regs.size = f.regs;
    hd_team_walk_end_slots(s, f.slots);
  }
  hd_team_term args[] = {hd_team_walk_any(k, s, 32), task};
  hd_team_walk_enter(k, s, entry, call, args, 2);
}

void hd_team_walk_depend(hd_team_walker *k, hd_team_walk_state *s,
                         hd_team_term list, hd_team_term n) {
  int64_t count, at;
  if (hd_team_term_is_const(k->w->terms, n, &count) &&
      hd_team_term_is_const(k->w->terms, list, &at))
    read_dependences(k, s, list, count);
}

/* A task that its creator executes itself, at once. */
void hd_team_walk_begin_task(hd_team_walker *k, hd_team_walk_state *s,
                             hd_edge_id edge) {
  uint32_t site = hd_team_walk_site_of(k, s, edge);
  s->record = record(k, s, site);
  s->task = site;
}

void hd_team_walk_end_task(hd_team_walker *k, hd_team_walk_state *s) {
  if (!s->task)
    return;
  uint32_t site = s->task;
  note_leftovers(k, s, site);
  s->task = k->w->sites.data[site - 1].parent;
  s->record = s->record ? k->w->tasks.data[s->record - 1].parent : 0;
}

hd_team_pending hd_team_walk_begin_rest(hd_team_walker *k,
                                        hd_team_walk_state *s,
                                        hd_edge_id call) {
  uint32_t site = hd_team_walk_site_of(k, s, call);
  hd_team_pending pending = entry_for(k, s, site);
  s->record = record(k, s, site);
  s->task = site;
  return pending;
}

void hd_team_walk_end_rest(hd_team_walker *k, hd_team_walk_state *s,
                           hd_team_pending rest) {
  s->task = k->w->sites.data[rest.site - 1].parent;
  s->record = k->w->tasks.data[s->record - 1].parent;
  add_pending(s, rest);
}
