/* SPDX-License-Identifier: MIT */
/* Paths through the region, and from barrier to barrier. */
#include "engine/teams/state.h"

#include "check/interp/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_STEPS = 4000000, MOST_DEPTH = 40 };

/* --- states --- */

#define COPY(list)                                                             \
  do {                                                                         \
    hd_vec_clear(&to->list);                                                   \
    for (size_t i = 0; i < from->list.size; i++)                               \
      hd_vec_push(&to->list, from->list.data[i]);                              \
  } while (0)

void hd_team_walk_copy(hd_team_walk_state *to, const hd_team_walk_state *from) {
  COPY(frames);
  COPY(regs);
  COPY(cells);
  COPY(versions);
  COPY(facts);
  COPY(locks);
  COPY(loops);
  COPY(parts);
  COPY(counters);
  COPY(depends);
  COPY(pending);
  to->task = from->task;
  to->record = from->record;
  to->groups = from->groups;
  to->at_head = from->at_head;
  to->team = from->team;
  to->version = from->version;
  to->objects = from->objects;
  to->heap = from->heap;
  to->share = from->share;
  to->around = from->around;
  to->serial = from->serial;
  to->reduces = from->reduces;
}

void hd_team_walk_drop(hd_team_walk_state *s) {
  hd_vec_free(&s->frames);
  hd_vec_free(&s->regs);
  hd_vec_free(&s->cells);
  hd_vec_free(&s->versions);
  hd_vec_free(&s->facts);
  hd_vec_free(&s->locks);
  hd_vec_free(&s->loops);
  hd_vec_free(&s->parts);
  hd_vec_free(&s->counters);
  hd_vec_free(&s->depends);
  hd_vec_free(&s->pending);
}

void hd_team_walk_refuse(hd_team_walker *k, hd_edge_id edge, const char *format,
                         ...) {
  hd_str *why = &k->w->why;
  if (why->size)
    return;
  if (edge != HD_NO_ID) {
    hd_code_print_pos(why, k->w->code, k->w->code->edges.data[edge].pos);
    hd_str_puts(why, ": ");
  }
  char text[300];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  hd_str_puts(why, text);
}

void hd_team_walk_enter(hd_team_walker *k, hd_team_walk_state *s,
                        hd_func_id func, hd_edge_id call,
                        const hd_team_term *args, size_t n) {
  const hd_func *f = &k->w->code->funcs.data[func];
  if (s->frames.size >= MOST_DEPTH) {
    hd_team_walk_refuse(k, call, "calls go too deep");
    return;
  }
  hd_team_walk_frame frame = {.func = func,
                              .loc = f->entry,
                              .call = call,
                              .regs = s->regs.size,
                              .slots = s->objects,
                              .heap = s->heap};
  for (uint32_t i = 0; i < f->n_regs; i++)
    hd_vec_push(&s->regs, i < n && i < f->n_params ? args[i] : 0);
  s->objects += f->n_slots;
  hd_vec_push(&s->frames, frame);
}

/* --- one step --- */

static bool is_fork(const hd_team_walker *k, const hd_team_walk_state *s) {
  const hd_team_walk_frame *f = &hd_vec_last(&s->frames);
  if (f->call == HD_NO_ID)
    return false;
  const hd_code *code = k->w->code;
  const hd_cedge *e = &code->edges.data[f->call];
  const hd_cexpr *callee = &code->exprs.data[code->operands.data[e->operands]];
  return callee->op == HD_CODE_FUNC &&
         !strcmp(code->funcs.data[callee->value].name, "openmp_fork");
}

/* False: the region is at its end. */
static bool leave(hd_team_walker *k, hd_team_walk_state *s, const hd_cedge *e) {
  const hd_code *code = k->w->code;
  hd_team_term value =
      e->n_operands ? hd_team_walk_eval(k, s, code->operands.data[e->operands])
                    : 0;
  bool fork = is_fork(k, s);
  hd_team_walk_note_end(k, s);
  hd_team_walk_frame f = hd_vec_pop(&s->frames);
  s->regs.size = f.regs;
  hd_team_walk_end_slots(s, f.slots);
  if (s->frames.size == (s->team ? s->team->depth : 0))
    return false;
  if (fork) {
    s->serial--;
    return true; /* it goes on where it was told to */
  }
  const hd_cedge *call = &code->edges.data[f.call];
  hd_team_walk_frame *below = &hd_vec_last(&s->frames);
  for (uint32_t i = 0; i < call->n_targets; i++)
    s->regs.data[below->regs + code->targets.data[call->targets + i]] =
        i == 0 && value ? value : hd_team_walk_any(k, s, 0);
  below->loc = call->to;
  return true;
}

static hd_type type_of(const hd_team_walker *k, hd_cexpr_id e) {
  return k->w->code->exprs.data[e].type;
}

static void set_target(hd_team_walker *k, hd_team_walk_state *s,
                       const hd_cedge *e, uint32_t i, hd_team_term value) {
  if (i < e->n_targets)
    s->regs.data[hd_vec_last(&s->frames).regs +
                 k->w->code->targets.data[e->targets + i]] = value;
}

static hd_type target_type(const hd_team_walker *k, const hd_team_walk_state *s,
                           const hd_cedge *e) {
  const hd_code *code = k->w->code;
  const hd_func *f = &code->funcs.data[hd_vec_last(&s->frames).func];
  return code->regs.data[f->regs + code->targets.data[e->targets]].type;
}

static bool commutes(const hd_cedge *e, hd_type type) {
  return type.kind == HD_TYPE_INT && !e->n_targets && e->rmw != HD_RMW_XCHG &&
         e->rmw != HD_RMW_NAND;
}

static void access_memory(hd_team_walker *k, hd_team_walk_state *s,
                          hd_edge_id id) {
  const hd_code *code = k->w->code;
  const hd_cedge *e = &code->edges.data[id];
  hd_cexpr_id first = code->operands.data[e->operands];
  hd_team_term address = hd_team_walk_eval(k, s, first);
  bool atomic = e->order != HD_ORDER_NONE;
  if (e->act == HD_CODE_LOAD && atomic && s->team)
    hd_team_walk_refuse(k, id,
                        "an atomic read, by which threads may wait for "
                        "each other");
  if (e->act == HD_CODE_LOAD) {
    hd_type type = target_type(k, s, e);
    set_target(k, s, e, 0,
               hd_team_walk_load(k, s, id, address, hd_type_bytes(type), type,
                                 atomic));
    return;
  }
  hd_cexpr_id second = code->operands.data[e->operands + 1];
  hd_type type = type_of(k, second);
  hd_team_term value = hd_team_walk_eval(k, s, second);
  if (e->act == HD_CODE_STORE) {
    hd_team_walk_store(k, s, id, address, hd_type_bytes(type), value, atomic,
                       s->reduces && type.kind == HD_TYPE_INT);
    return;
  }
  /* What was there, and what is there now, is anything. */
  hd_team_walk_store(k, s, id, address, hd_type_bytes(type), 0, true,
                     e->act == HD_CODE_RMW && commutes(e, type));
  for (uint32_t i = 0; i < e->n_targets; i++)
    set_target(k, s, e, i, hd_team_walk_any(k, s, i ? 1 : (uint8_t)type.width));
}

/* At a choice: all ways but the first are appended to `todo`. */
static bool choose(hd_team_walker *k, hd_team_walk_state *s,
                   hd_team_walk_states *todo) {
  const hd_code *code = k->w->code;
  hd_loc_id at = hd_vec_last(&s->frames).loc;
  hd_team_terms *t = k->w->terms;
  bool found = false;
  hd_team_walk_state first = {0};
  for (uint32_t i = code->out_start[at]; i < code->out_start[at + 1]; i++) {
    const hd_cedge *e = &code->edges.data[code->out[i]];
    hd_team_term guard =
        e->guard == HD_NO_ID ? 0 : hd_team_walk_eval(k, s, e->guard);
    int64_t value;
    bool certain = !guard || hd_team_term_is_const(t, guard, &value);
    if (guard && certain && !value)
      continue;
    hd_team_walk_state next = {0};
    hd_team_walk_copy(&next, s);
    if (!certain)
      hd_vec_push(&next.facts, guard);
    if (!certain && s->locks.size && !hd_team_walk_possible(k, &next)) {
      hd_team_walk_drop(&next);
      continue;
    }
    hd_team_term values[64];
    for (uint32_t j = 0; j < e->n_operands && j < 64; j++)
      values[j] = hd_team_walk_eval(k, s, code->operands.data[e->operands + j]);
    for (uint32_t j = 0; j < e->n_targets && j < 64; j++)
      set_target(k, &next, e, j, values[j]);
    if (e->n_targets > 64)
      hd_team_walk_refuse(k, code->out[i], "too many values at once");
    hd_vec_last(&next.frames).loc = e->to;
    if (!found)
      first = next;
    else
      hd_vec_push(todo, next);
    found = true;
  }
  hd_team_walk_drop(s);
  *s = first;
  return found;
}

static bool called(hd_team_walker *k, hd_team_walk_state *s, hd_edge_id id,
                   hd_team_walk_states *todo, hd_team_walk_way *way) {
  const hd_code *code = k->w->code;
  const hd_cedge *e = &code->edges.data[id];
  const hd_cexpr *callee = &code->exprs.data[code->operands.data[e->operands]];
  hd_func_id f = (hd_func_id)callee->value;
  int64_t value;
  if (callee->op != HD_CODE_FUNC) {
    hd_team_term at = hd_team_walk_eval(k, s, code->operands.data[e->operands]);
    f = hd_team_term_is_const(k->w->terms, at, &value)
            ? hd_ram_func_at(k->w->machine, (uint64_t)value)
            : HD_NO_ID;
  }
  if (f == HD_NO_ID) {
    hd_team_walk_refuse(k, id, "which function is called is not known");
    return false;
  }
  if (hd_team_walk_call(k, s, f, id, way, todo))
    return true;
  if (code->funcs.data[f].variadic) {
    hd_team_walk_refuse(k, id, "a function with '...'");
    return false;
  }
  hd_team_term args[64];
  uint32_t n = e->n_operands - 1 < 64 ? e->n_operands - 1 : 64;
  for (uint32_t i = 0; i < n; i++)
    args[i] = hd_team_walk_eval(k, s, code->operands.data[e->operands + 1 + i]);
  if (hd_team_walk_recursion(k, s, f, id, args, n)) {
    if (!s->team)
      hd_team_walk_refuse(k, id, "a function that calls itself");
    for (uint32_t i = 0; i < e->n_targets; i++)
      set_target(k, s, e, i, hd_team_walk_any(k, s, 0));
    hd_vec_last(&s->frames).loc = e->to;
    return true;
  }
  hd_team_walk_enter(k, s, f, id, args, n);
  return true;
}

/* --- barriers --- */

static bool same_place(const hd_team_walk_state *a,
                       const hd_team_walk_state *b) {
  if (a->frames.size != b->frames.size || a->objects != b->objects ||
      a->locks.size != b->locks.size || a->groups != b->groups)
    return false;
  for (size_t i = 0; i < a->locks.size; i++)
    if (a->locks.data[i] != b->locks.data[i])
      return false;
  for (size_t i = 0; i < a->frames.size; i++)
    if (a->frames.data[i].loc != b->frames.data[i].loc ||
        a->frames.data[i].call != b->frames.data[i].call)
      return false;
  return true;
}

static hd_team_term joined(hd_team_walker *k, hd_team_term a, hd_team_term b,
                           bool *changed) {
  if (a == b || !a)
    return a;
  /* What has become anything already stays so. */
  if (hd_team_term_at(k->w->terms, a)->op == HD_TEAM_SYMBOL &&
      hd_team_term_at(k->w->terms, a)->uniform ==
          (b && hd_team_term_at(k->w->terms, b)->uniform &&
           hd_team_term_at(k->w->terms, a)->uniform))
    return a;
  *changed = true;
  return b ? hd_team_term_symbol(k->w->terms,
                                 hd_team_term_at(k->w->terms, a)->uniform &&
                                     hd_team_term_at(k->w->terms, b)->uniform,
                                 0)
           : 0;
}

static bool has_fact(const hd_team_walk_state *s, hd_team_term fact) {
  for (size_t i = 0; i < s->facts.size; i++)
    if (s->facts.data[i] == fact)
      return true;
  return false;
}

static bool join_states(hd_team_walker *k, hd_team_walk_state *to,
                        const hd_team_walk_state *from) {
  bool changed = false;
  for (size_t i = 0; i < to->regs.size; i++)
    to->regs.data[i] =
        joined(k, to->regs.data[i], from->regs.data[i], &changed);
  size_t kept = 0;
  for (size_t i = 0; i < to->cells.size; i++) {
    hd_team_walk_cell c = to->cells.data[i];
    hd_team_term other = 0;
    for (size_t j = 0; j < from->cells.size; j++)
      if (from->cells.data[j].address == c.address &&
          from->cells.data[j].size == c.size)
        other = from->cells.data[j].value;
    c.value = joined(k, c.value, other, &changed);
    if (c.value)
      to->cells.data[kept++] = c;
  }
  to->cells.size = kept;
  kept = 0;
  for (size_t i = 0; i < to->facts.size; i++)
    if (has_fact(from, to->facts.data[i]))
      to->facts.data[kept++] = to->facts.data[i];
  changed = changed || kept != to->facts.size;
  to->facts.size = kept;
  return changed;
}

static void arrive(hd_team_walker *k, hd_team_walk_state *s, hd_edge_id edge) {
  const hd_code *code = k->w->code;
  if (k->probing || s->team->task) {
    hd_team_walk_refuse(k, edge,
                        s->team->task
                            ? "a barrier inside a task"
                            : "a barrier in a loop that can do without");
    return;
  }
  hd_vec_last(&s->frames).loc = code->edges.data[edge].to;
  s->parts.size = s->team->parts;
  s->counters.size = s->team->counters;
  s->loops.size = s->team->loops;
  s->pending.size = 0;
  s->share = (hd_team_walk_share){0};
  if (k->ends && k->end_at != edge)
    k->w->waits = true;
  k->ends++;
  k->end_at = edge;
  for (size_t i = 0; i < k->entries.size; i++) {
    hd_team_walk_entry *e = &k->entries.data[i];
    if (e->edge == edge && same_place(&e->state, s)) {
      e->fresh = join_states(k, &e->state, s) || e->fresh;
      return;
    }
  }
  hd_team_walk_entry entry = {.edge = edge, .fresh = true};
  hd_team_walk_copy(&entry.state, s);
  hd_vec_push(&k->entries, entry);
}

/* --- paths --- */

/* Loops that the state has left. */
static void leave_loops(hd_team_walker *k, hd_team_walk_state *s) {
  while (s->loops.size) {
    const hd_team_walk_loop *l = &hd_vec_last(&s->loops);
    hd_team_walk_shape *shape = hd_team_walk_shape_of(k, l->head);
    if (l->depth < s->frames.size ||
        (l->depth == s->frames.size &&
         hd_team_walk_inside(k, shape, hd_vec_last(&s->frames).loc)))
      return;
    if (s->parts.size > l->parts)
      s->parts.size = l->parts;
    hd_team_walk_leave_loop(s, s->loops.size - 1, l->mark);
    s->loops.size--;
  }
}

/* The state is at the head of a loop: false when the path ends here. */
static bool at_head(hd_team_walker *k, hd_team_walk_state *s, size_t loops,
                    hd_team_walk_states *ends, hd_team_walk_states *todo) {
  hd_loc_id at = hd_vec_last(&s->frames).loc;
  hd_team_walk_shape *shape = hd_team_walk_shape_of(k, at);
  if (s->loops.size && hd_vec_last(&s->loops).head == at &&
      hd_vec_last(&s->loops).depth == s->frames.size) {
    if (ends && s->loops.size == loops) {
      hd_team_walk_state end = {0};
      hd_team_walk_copy(&end, s);
      hd_vec_push(ends, end);
    }
    return false;
  }
  if (!shape->barrier || s->serial)
    hd_team_walk_generalise(k, s, shape, todo);
  return true;
}

static bool advance(hd_team_walker *k, hd_team_walk_state *s,
                    hd_team_walk_states *todo) {
  const hd_code *code = k->w->code;
  hd_loc_id at = hd_vec_last(&s->frames).loc;
  hd_edge_id id = code->out[code->out_start[at]];
  const hd_cedge *e = &code->edges.data[id];
  hd_team_walk_way way = HD_TEAM_WALK_ON;
  switch ((hd_code_act)e->act) {
  case HD_CODE_STEP:
    return choose(k, s, todo);
  case HD_CODE_LOAD:
  case HD_CODE_STORE:
  case HD_CODE_RMW:
  case HD_CODE_CMPXCHG:
    access_memory(k, s, id);
    break;
  case HD_CODE_FENCE:
    break;
  case HD_CODE_CALL:
    if (!called(k, s, id, todo, &way))
      return false;
    if (way == HD_TEAM_WALK_BARRIER)
      arrive(k, s, id);
    return way == HD_TEAM_WALK_ON;
  case HD_CODE_RETURN:
    if (leave(k, s, e))
      return true;
    if (s->team && s->team->task) {
      hd_team_walk_end_task(k, s);
      return false;
    }
    if (s->team && k->ends && k->end_at != HD_NO_ID)
      k->w->waits = true;
    k->ends++;
    k->end_at = HD_NO_ID;
    return false;
  case HD_CODE_ALLOCA:
    set_target(k, s, e, 0, hd_team_walk_allocate(k, s));
    break;
  case HD_CODE_UNREACHABLE:
    return false;
  case HD_CODE_UNSUPPORTED:
    hd_team_walk_refuse(k, id, "%s", e->text);
    return false;
  }
  hd_vec_last(&s->frames).loc = e->to;
  return true;
}

void hd_team_walk_follow(hd_team_walker *k, hd_team_walk_state *start,
                         hd_team_walk_states *ends) {
  const hd_code *code = k->w->code;
  hd_team_walk_states todo = {0};
  size_t loops = start->loops.size;
  bool first = true;
  hd_vec_push(&todo, *start);
  while (todo.size) {
    hd_team_walk_state s = hd_vec_pop(&todo);
    /* One of several states of a loop: it stands at its head. */
    bool fresh = s.at_head;
    s.at_head = false;
    for (bool on = true; on && !k->w->why.size; first = false) {
      if (++k->graph->steps > MOST_STEPS || !hd_run_tick(k->w->run)) {
        hd_team_walk_refuse(k, HD_NO_ID,
                            hd_run_check(k->w->run) ? "too many paths"
                                                    : "time limit reached");
        break;
      }
      leave_loops(k, &s);
      if (ends && s.loops.size < loops)
        break; /* out of the loop */
      hd_loc_id at = hd_vec_last(&s.frames).loc;
      if (!first && code->locs.data[at].loop != HD_NO_ID && !fresh &&
          !at_head(k, &s, loops, ends, &todo))
        break;
      fresh = false;
      on = advance(k, &s, &todo);
    }
    hd_team_walk_drop(&s);
  }
  hd_vec_free(&todo);
}

static void walk_from(hd_team_walker *k, size_t entry, hd_edge_id from,
                      const hd_team_walk_state *state) {
  hd_team_walk *w = k->w;
  hd_team_walk_state s = {0};
  hd_team_walk_copy(&s, state);
  for (size_t i = 0; i < w->intervals.size; i++)
    if (w->intervals.data[i].entry == entry)
      w->intervals.data[i].n = 0; /* it was walked before, with less */
  hd_interval interval = {
      .first = w->accesses.size, .entry = entry, .from = from};
  k->ends = 0;
  /* A loop may begin right here. */
  hd_team_walk_states others = {0};
  hd_loc_id at = hd_vec_last(&s.frames).loc;
  if (w->code->locs.data[at].loop != HD_NO_ID) {
    hd_team_walk_shape *shape = hd_team_walk_shape_of(k, at);
    if (!shape->barrier || s.serial)
      hd_team_walk_generalise(k, &s, shape, &others);
  }
  hd_team_walk_follow(k, &s, NULL);
  for (size_t i = 0; i < others.size; i++)
    hd_team_walk_follow(k, &others.data[i], NULL);
  hd_vec_free(&others);
  interval.n = w->accesses.size - interval.first;
  hd_vec_push(&w->intervals, interval);
}

/* Calls the region's function. */
static void begin(hd_team_walker *k, hd_team_walk_state *s, hd_func_id body,
                  hd_team_term argument, hd_edge_id edge) {
  hd_team_walk *w = k->w;
  hd_team_terms *t = w->terms;
  hd_team_term at = hd_team_walk_allocate(k, s);
  hd_team_walk_store(k, s, HD_NO_ID, at, 4, w->number, false, false);
  hd_team_term zero = hd_team_term_const(t, 0);
  hd_vec_push(&s->facts, hd_team_term_make(t, HD_TEAM_LE, zero, w->number));
  hd_vec_push(&s->facts, hd_team_term_lt(t, w->number, w->size));
  int64_t most = w->most;
  w->alone = most == 1;
  if (most > 0)
    hd_vec_push(&s->facts, hd_team_term_make(t, HD_TEAM_LE, w->size,
                                             hd_team_term_const(t, most)));
  hd_team_term args[] = {at, at, argument};
  hd_team_walk_enter(k, s, body, edge, args, 3);
}

/* With the objects in `written` as those that the region writes. */
static void walk_once(hd_team_walker *k, const hd_team_walk_state *start) {
  walk_from(k, SIZE_MAX, HD_NO_ID, start);
  for (bool more = true; more && !k->w->why.size;) {
    more = false;
    for (size_t i = 0; i < k->entries.size && !k->w->why.size; i++) {
      if (!k->entries.data[i].fresh)
        continue;
      k->entries.data[i].fresh = false;
      hd_team_walk_state s = {0};
      hd_team_walk_copy(&s, &k->entries.data[i].state);
      walk_from(k, i, k->entries.data[i].edge, &s);
      hd_team_walk_drop(&s);
      more = true;
    }
  }
}

static void forget_all(hd_team_walk *w) {
  hd_vec_clear(&w->accesses);
  hd_vec_clear(&w->intervals);
  hd_vec_clear(&w->facts);
  hd_vec_clear(&w->locks);
  hd_vec_clear(&w->parts);
  hd_vec_clear(&w->tasks);
  hd_vec_clear(&w->depends_on);
  hd_vec_clear(&w->pending);
  w->depends = w->ordered_by_chance = w->waits = w->may_fail = false;
}

/* The region with `s` as the state of the thread that comes to it. */
static void walk_region(hd_team_walker *k, const hd_team_walk_state *s,
                        hd_func_id body, hd_team_term argument,
                        hd_edge_id edge) {
  hd_team_walk *w = k->w;
  w->common = hd_team_term_symbols(w->terms);
  w->number = hd_team_term_symbol(w->terms, false, 32);
  w->size = hd_team_term_symbol(w->terms, !s->team, 32);
  hd_team_walk_team team = {
      .slots = s->objects,
      .heap = s->heap,
      .first_slots = s->team ? s->team->first_slots : s->objects,
      .first_heap = s->team ? s->team->first_heap : s->heap,
      .region_slots = s->objects,
      .region_heap = s->heap,
      .depth = s->frames.size,
      .loops = s->loops.size,
      .parts = s->parts.size,
      .counters = s->counters.size};
  size_t before;
  do {
    before = w->written.size + w->grown;
    forget_all(w);
    hd_team_walk_state start = {0};
    hd_team_walk_copy(&start, s);
    start.team = &team;
    start.serial = w->league ? 1 : 0;
    start.around = s->share.distributed ? s->share : (hd_team_walk_share){0};
    start.locks.size = 0;
    start.pending.size = 0;
    start.task = start.record = 0;
    start.share = (hd_team_walk_share){0};
    begin(k, &start, body, argument, edge);
    walk_once(k, &start);
    hd_team_walk_drop(&start);
    for (hd_vec_each(hd_team_walk_entry, e, &k->entries))
      hd_team_walk_drop(&e->state);
    hd_vec_clear(&k->entries);
  } while (before != w->written.size + w->grown && !w->why.size);
  hd_vec_free(&k->entries);
}

/* What the region has done to the memory of who came to it. */
static void take_over(hd_team_walker *k, hd_team_walk_state *s,
                      const hd_team_walk *inner) {
  hd_team_walk *w = k->w;
  for (size_t i = 0; i < inner->written.size; i++) {
    uint64_t object = inner->written.data[i];
    hd_team_walk_havoc(k, s, object);
    if (s->team && !hd_team_walk_is_own(s, object))
      hd_team_walk_write(w, object);
  }
  w->waits = w->waits || inner->waits;
  if (inner->may_fail && !w->may_fail)
    w->failing = inner->failing;
  w->may_fail = w->may_fail || inner->may_fail;
}

/* For who is outside: its accesses are those of the thread that came here. */
static void hand_on(hd_team_walk *w, const hd_team_walk_state *s,
                    const hd_team_walk *inner) {
  for (size_t i = 0; i < inner->accesses.size; i++) {
    hd_team_access a = inner->accesses.data[i];
    bool mine = hd_team_walk_is_newer(a.object, s->team->region_slots,
                                      s->team->region_heap);
    if ((mine && !s->pending.size && !s->record) ||
        hd_team_walk_is_newer(a.object, s->objects, s->heap))
      continue;
    size_t facts = w->facts.size, locks = w->locks.size, parts = w->parts.size;
    for (size_t j = 0; j < a.n_facts; j++)
      hd_vec_push(&w->facts, inner->facts.data[a.facts + j]);
    for (size_t j = 0; j < a.n_locks; j++)
      hd_vec_push(&w->locks, inner->locks.data[a.locks + j]);
    for (size_t j = 0; j < a.n_parts; j++) {
      hd_part p = inner->parts.data[a.parts + j];
      size_t from = p.counters;
      p.counters = w->facts.size;
      for (size_t n = 0; n < p.n_counters; n++)
        hd_vec_push(&w->facts, inner->facts.data[from + n]);
      hd_vec_push(&w->parts, p);
    }
    a.facts = facts;
    a.locks = locks;
    a.parts = parts;
    a.mine = mine;
    a.task = s->record;
    for (size_t j = 0; j < s->locks.size; j++)
      hd_vec_push(&w->locks, s->locks.data[j]);
    a.n_locks += s->locks.size;
    a.pending = w->pending.size;
    a.n_pending = s->pending.size;
    for (size_t j = 0; j < s->pending.size; j++)
      hd_vec_push(&w->pending, s->pending.data[j]);
    a.counters = w->facts.size;
    a.n_counters = s->pending.size ? s->loops.size : 0;
    for (size_t j = 0; j < a.n_counters; j++)
      hd_vec_push(&w->facts, s->loops.data[j].counter);
    hd_vec_push(&w->accesses, a);
  }
}

void hd_team_walk_fork(hd_team_walker *k, hd_team_walk_state *s,
                       hd_func_id body, hd_team_term argument, hd_edge_id edge,
                       bool league) {
  hd_team_walk *w = k->w;
  hd_team_walk inner = {.outer = w,
                        .machine = w->machine,
                        .code = w->code,
                        .run = w->run,
                        .logic = w->logic,
                        .terms = w->terms,
                        .league = league,
                        .level = s->team ? w->level + 1 : 0};
  int64_t lanes = k->graph->threads - HD_TEAM_WALK_LANES;
  inner.lanes = lanes >= 0 && !league;
  inner.safelen = inner.lanes ? lanes : 0;
  inner.most = league ? k->graph->teams : inner.lanes ? 0 : k->graph->threads;
  k->graph->threads = k->graph->teams = 0;
  hd_team_walker ik = {.w = &inner, .graph = k->graph};
  walk_region(&ik, s, body, argument, edge);
  hd_edge_id one, other;
  w->regions++;
  if (!inner.why.size && !k->probing && hd_teams_conflict(&inner, &one, &other))
    hd_teams_tell_conflict(&inner, one, other);
  if (inner.why.size)
    hd_team_walk_refuse(k, HD_NO_ID, "%s", hd_str_text(&inner.why));
  take_over(k, s, &inner);
  if (s->team && !k->probing)
    hand_on(w, s, &inner);
  hd_team_walk_free(&inner);
}

static void graph_free(hd_team_walk_graph *g) {
  for (size_t i = 0; i < g->shapes.size; i++) {
    hd_free(g->shapes.data[i]->body);
    hd_vec_free(&g->shapes.data[i]->sets);
    hd_vec_free(&g->shapes.data[i]->cells);
    hd_vec_free(&g->shapes.data[i]->objects);
    hd_free(g->shapes.data[i]);
  }
  hd_vec_free(&g->shapes);
  hd_free(g->barriers);
}

bool hd_team_walk_region(hd_team_walk *w, uint64_t body, uint64_t argument) {
  hd_team_walk_graph graph = {0};
  hd_team_walker k = {.w = w, .graph = &graph};
  hd_team_walk_state none = {0};
  hd_func_id f = hd_ram_func_at(w->machine, body);
  graph.barriers = hd_calloc(w->code->funcs.size, 1);
  if (f == HD_NO_ID)
    hd_team_walk_refuse(&k, HD_NO_ID, "which region is executed is not known");
  else
    walk_region(&k, &none, f, hd_team_term_const(w->terms, (int64_t)argument),
                HD_NO_ID);
  graph_free(&graph);
  return !w->why.size;
}

bool hd_team_walk_program(hd_team_walk *w) {
  hd_team_walk_graph graph = {0};
  hd_team_walker k = {.w = w, .graph = &graph};
  hd_team_walk_state s = {.serial = 1};
  hd_team_terms *t = w->terms;
  graph.barriers = hd_calloc(w->code->funcs.size, 1);
  hd_team_term args[] = {hd_team_term_symbol(t, true, 32),
                         hd_team_walk_allocate(&k, &s),
                         hd_team_walk_allocate(&k, &s)};
  hd_vec_push(&s.facts, hd_team_term_make(t, HD_TEAM_LE,
                                          hd_team_term_const(t, 0), args[0]));
  hd_team_walk_enter(&k, &s, w->code->main, HD_NO_ID, args, 3);
  hd_team_walk_follow(&k, &s, NULL);
  graph_free(&graph);
  return !w->why.size;
}

void hd_team_walk_free(hd_team_walk *w) {
  hd_vec_free(&w->accesses);
  hd_vec_free(&w->intervals);
  hd_vec_free(&w->facts);
  hd_vec_free(&w->locks);
  hd_vec_free(&w->parts);
  for (size_t i = 0; i < w->sites.size; i++)
    hd_vec_free(&w->sites.data[i].stack);
  hd_vec_free(&w->sites);
  hd_vec_free(&w->tasks);
  hd_vec_free(&w->depends_on);
  hd_vec_free(&w->pending);
  hd_vec_free(&w->written);
  hd_vec_free(&w->captured);
  hd_team_walk_free_habits(w);
  hd_str_free(&w->why);
}
