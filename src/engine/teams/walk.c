/* SPDX-License-Identifier: MIT */
/* Paths through the program, step by step. */
#include "engine/teams/state.h"

#include "check/interp/memory.h"
#include "engine/teams/bounds.h"

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
  COPY(met);
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
  hd_vec_free(&s->met);
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
  const hd_cexpr *callee = &code->exprs.data[hd_code_operand(code, e, 0)];
  return callee->op == HD_CODE_FUNC &&
         !strcmp(code->funcs.data[callee->value].name, "openmp_fork");
}

/* False: the region is at its end. */
static bool leave(hd_team_walker *k, hd_team_walk_state *s, hd_edge_id id) {
  const hd_code *code = k->w->code;
  const hd_cedge *e = &code->edges.data[id];
  hd_team_term value =
      e->n_operands ? hd_team_walk_eval(k, s, hd_code_operand(code, e, 0)) : 0;
  bool fork = is_fork(k, s);
  hd_team_walk_note_end(k, s);
  hd_team_walk_end_exposed(k, s, id, hd_vec_last(&s->frames).slots);
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
    s->regs.data[below->regs + hd_code_target(code, call, i)] =
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
    s->regs
        .data[hd_vec_last(&s->frames).regs + hd_code_target(k->w->code, e, i)] =
        value;
}

static hd_type target_type(const hd_team_walker *k, const hd_team_walk_state *s,
                           const hd_cedge *e) {
  const hd_code *code = k->w->code;
  const hd_func *f = &code->funcs.data[hd_vec_last(&s->frames).func];
  return code->regs.data[f->regs + hd_code_target(code, e, 0)].type;
}

static bool commutes(const hd_cedge *e, hd_type type) {
  return type.kind == HD_TYPE_INT && !e->n_targets && e->rmw != HD_RMW_XCHG &&
         e->rmw != HD_RMW_NAND;
}

/* Is it in a loop, and not in one that is shared out? */
static bool goes_round(const hd_team_walk_state *s) {
  return s->loops.size && s->parts.size <= hd_vec_last(&s->loops).parts;
}

static void access_memory(hd_team_walker *k, hd_team_walk_state *s,
                          hd_edge_id id) {
  const hd_code *code = k->w->code;
  const hd_cedge *e = &code->edges.data[id];
  hd_cexpr_id first = hd_code_operand(code, e, 0);
  hd_team_term address = hd_team_walk_eval(k, s, first);
  bool atomic = e->order != HD_ORDER_NONE;
  if (e->act == HD_CODE_LOAD && atomic && s->team) {
    k->w->waits = k->w->ordered_by_chance = true;
    if (goes_round(s))
      hd_team_walk_refuse(k, id,
                          "an atomic read in a loop, by which threads may wait "
                          "for each other");
  }
  if (e->act == HD_CODE_LOAD) {
    hd_type type = target_type(k, s, e);
    set_target(k, s, e, 0,
               hd_team_walk_load(k, s, id, address, hd_type_bytes(type), type,
                                 atomic));
    return;
  }
  hd_cexpr_id second = hd_code_operand(code, e, 1);
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

/* --- a ? b : c --- */

typedef struct {
  hd_team_walk_state s;
  hd_loc_id end; /* where it is when it has done nothing but compute */
} side;

/* Computes on, as long as there is one way and nothing is touched. */
static void compute(hd_team_walker *k, side *one, const hd_cedge *e) {
  enum { FAR = 6 };
  const hd_code *code = k->w->code;
  one->end = e->to;
  for (int i = 0; i < FAR; i++) {
    hd_loc_id at = one->end;
    const hd_cedge *next = &code->edges.data[code->out[code->out_start[at]]];
    if (code->out_start[at + 1] - code->out_start[at] != 1 ||
        code->locs.data[at].loop != HD_NO_ID || next->act != HD_CODE_STEP ||
        next->guard != HD_NO_ID || next->n_targets != 1)
      return;
    hd_team_term value =
        hd_team_walk_eval(k, &one->s, hd_code_operand(code, next, 0));
    set_target(k, &one->s, next, 0, value);
    one->end = next->to;
  }
}

/* Both ways come together again after a few steps that only compute: then it is one
 * way, with values that depend on the condition. */
static bool fold(hd_team_walker *k, hd_team_walk_state *s) {
  const hd_code *code = k->w->code;
  hd_team_terms *t = k->w->terms;
  hd_loc_id at = hd_vec_last(&s->frames).loc;
  uint32_t first = code->out_start[at];
  if (code->out_start[at + 1] - first != 2)
    return false;
  const hd_cedge *e[2];
  for (uint32_t i = 0; i < 2; i++) {
    e[i] = &code->edges.data[code->out[first + i]];
    if (e[i]->guard == HD_NO_ID || e[i]->n_targets)
      return false;
  }
  hd_team_term condition = hd_team_walk_eval(k, s, e[0]->guard);
  if (hd_team_bounds_decide(t, &s->facts, condition) >= 0)
    return false;
  side sides[2] = {0};
  for (int i = 0; i < 2; i++) {
    hd_team_walk_copy(&sides[i].s, s);
    hd_team_term guard = hd_team_walk_eval(k, s, e[i]->guard);
    hd_vec_push(&sides[i].s.facts, guard);
    compute(k, &sides[i], e[i]);
  }
  /* One of them may have gone further than the other. */
  bool same = sides[0].end == sides[1].end;
  for (size_t i = 0; same && i < s->regs.size; i++) {
    hd_team_term a = sides[0].s.regs.data[i], b = sides[1].s.regs.data[i];
    if (a != b && a && b)
      s->regs.data[i] = hd_team_term_ite(t, condition, a, b);
    else
      s->regs.data[i] = a == b ? a : 0;
  }
  if (same)
    hd_vec_last(&s->frames).loc = sides[0].end;
  hd_team_walk_drop(&sides[0].s);
  hd_team_walk_drop(&sides[1].s);
  return same;
}

/* At a choice: all ways but the first are appended to `todo`. */
static bool choose(hd_team_walker *k, hd_team_walk_state *s,
                   hd_team_walk_states *todo) {
  const hd_code *code = k->w->code;
  hd_loc_id at = hd_vec_last(&s->frames).loc;
  hd_team_terms *t = k->w->terms;
  bool found = false;
  if (fold(k, s))
    return true;
  hd_team_walk_state first = {0};
  for (uint32_t i = code->out_start[at]; i < code->out_start[at + 1]; i++) {
    const hd_cedge *e = &code->edges.data[code->out[i]];
    hd_team_term guard =
        e->guard == HD_NO_ID ? 0 : hd_team_walk_eval(k, s, e->guard);
    int64_t value = guard ? hd_team_bounds_decide(t, &s->facts, guard) : 1;
    bool certain = value >= 0;
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
      values[j] = hd_team_walk_eval(k, s, hd_code_operand(code, e, j));
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
  const hd_cexpr *callee = &code->exprs.data[hd_code_operand(code, e, 0)];
  hd_func_id f = (hd_func_id)callee->value;
  int64_t value;
  if (callee->op != HD_CODE_FUNC) {
    hd_team_term at = hd_team_walk_eval(k, s, hd_code_operand(code, e, 0));
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
    args[i] = hd_team_walk_eval(k, s, hd_code_operand(code, e, 1 + i));
  if (hd_team_walk_recursion(k, s, f, id, args, n)) {
    k->w->waits = k->w->waits || s->locks.size;
    if (!s->team)
      hd_team_walk_refuse(k, id, "a function that calls itself");
    for (uint32_t i = 0; i < e->n_targets; i++)
      set_target(k, s, e, i, hd_team_walk_any(k, s, 0));
    hd_vec_last(&s->frames).loc = e->to;
    return true;
  }
  hd_team_walk_open_arguments(k, s, f, args, n);
  hd_team_walk_enter(k, s, f, id, args, n);
  return true;
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
      hd_team_walk_arrive(k, s, id);
    return way == HD_TEAM_WALK_ON;
  case HD_CODE_RETURN:
    if (leave(k, s, id))
      return true;
    if (s->team && s->locks.size)
      k->w->waits = true; /* who waits for them? */
    if (s->team && s->team->task)
      hd_team_walk_end_task(k, s);
    else if (s->team && !k->probing)
      hd_team_walk_arrive(k, s, HD_NO_ID);
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
