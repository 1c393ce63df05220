/* SPDX-License-Identifier: MIT */
/* Loops: what they consist of, and the state of any time round.
 *
 * What a loop changes is found by going round it once, with a symbol for
 * everything that it may change: at first the registers that it sets, then what
 * was seen to change. What comes back as it was plus a constant is a multiple of
 * the loop's counter. */
#include "engine/teams/state.h"

#include "model/library.h"

#include <string.h>

/* --- shapes --- */

static bool has(const uint64_t *set, uint32_t i) {
  return set[i / 64] >> (i % 64) & 1;
}
static void put(uint64_t *set, uint32_t i) {
  set[i / 64] |= (uint64_t)1 << (i % 64);
}

/* Locations that are reached from the entry without going through `without`. */
static void reach_without(const hd_code *code, const hd_func *f,
                          hd_loc_id without, uint64_t *seen) {
  hd_vec(hd_loc_id) todo = {0};
  if (f->entry != without)
    hd_vec_push(&todo, f->entry);
  while (todo.size) {
    hd_loc_id l = hd_vec_pop(&todo);
    if (l == without || has(seen, l - f->locs))
      continue;
    put(seen, l - f->locs);
    for (uint32_t i = code->out_start[l]; i < code->out_start[l + 1]; i++)
      hd_vec_push(&todo, code->edges.data[code->out[i]].to);
  }
  hd_vec_free(&todo);
}

static bool meets_barrier(hd_team_walker *k, hd_func_id func);

static bool call_meets(hd_team_walker *k, const hd_cedge *e) {
  const hd_code *code = k->w->code;
  const hd_cexpr *callee = &code->exprs.data[hd_code_operand(code, e, 0)];
  return callee->op == HD_CODE_FUNC &&
         meets_barrier(k, (hd_func_id)callee->value);
}

static bool meets_barrier(hd_team_walker *k, hd_func_id func) {
  const hd_code *code = k->w->code;
  const hd_func *f = &code->funcs.data[func];
  if (k->graph->barriers[func])
    return k->graph->barriers[func] == 2;
  k->graph->barriers[func] = 1;
  static const char *const names[] = {"__kmpc_barrier", "__kmpc_end_reduce",
                                      "__kmpc_copyprivate",
                                      "__kmpc_cancel_barrier"};
  bool found = false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    found = found || !strcmp(f->name, names[i]);
  bool library =
      !strncmp(f->name, "__kmpc_", 7) || !strncmp(f->name, "omp_", 4);
  if (!library && f->defined)
    for (hd_loc_id l = f->locs; l < f->locs + f->n_locs && !found; l++)
      for (uint32_t i = code->out_start[l]; i < code->out_start[l + 1]; i++) {
        const hd_cedge *e = &code->edges.data[code->out[i]];
        found = found || (e->act == HD_CODE_CALL && call_meets(k, e));
      }
  k->graph->barriers[func] = found ? 2 : 1;
  return found;
}

static void find_body(const hd_code *code, const hd_func *f,
                      hd_team_walk_shape *shape) {
  size_t words = (f->n_locs + 63) / 64;
  uint64_t *before = hd_calloc(words, sizeof *before);
  reach_without(code, f, shape->head, before);
  put(shape->body, shape->head - f->locs);
  /* Back from the edges to the head out of what it dominates. */
  for (bool more = true; more;) {
    more = false;
    for (hd_loc_id l = f->locs; l < f->locs + f->n_locs; l++) {
      if (has(shape->body, l - f->locs) || has(before, l - f->locs))
        continue;
      for (uint32_t i = code->out_start[l]; i < code->out_start[l + 1]; i++) {
        const hd_cedge *e = &code->edges.data[code->out[i]];
        if (e->to != l && has(shape->body, e->to - f->locs)) {
          put(shape->body, l - f->locs);
          more = true;
          break;
        }
      }
    }
  }
  hd_free(before);
}

static void look_into(hd_team_walker *k, const hd_func *f,
                      hd_team_walk_shape *shape) {
  const hd_code *code = k->w->code;
  for (hd_loc_id l = f->locs; l < f->locs + f->n_locs; l++) {
    if (!has(shape->body, l - f->locs))
      continue;
    for (uint32_t i = code->out_start[l]; i < code->out_start[l + 1]; i++) {
      const hd_cedge *e = &code->edges.data[code->out[i]];
      if (e->act == HD_CODE_CALL)
        shape->barrier = shape->barrier || call_meets(k, e);
      for (uint32_t j = 0; j < e->n_targets; j++)
        hd_vec_push(&shape->sets, hd_code_target(code, e, j));
    }
  }
}

hd_team_walk_shape *hd_team_walk_shape_of(hd_team_walker *k, hd_loc_id head) {
  const hd_code *code = k->w->code;
  hd_team_walk_graph *g = k->graph;
  for (size_t i = 0; i < g->shapes.size; i++)
    if (g->shapes.data[i]->head == head)
      return g->shapes.data[i];
  const hd_func *f = &code->funcs.data[code->locs.data[head].func];
  hd_team_walk_shape *shape = hd_calloc(1, sizeof *shape);
  shape->head = head;
  shape->body = hd_calloc((f->n_locs + 63) / 64, sizeof *shape->body);
  find_body(code, f, shape);
  look_into(k, f, shape);
  hd_vec_push(&g->shapes, shape);
  return shape;
}

/* --- any time round --- */

typedef enum {
  ANYTHING,
  SAME_OBJECT, /* a pointer that stays in the object it points into */
  ONE_OF_SOME, /* a pointer that is one of several, which are known */
} variable_kind;

typedef struct {
  bool is_reg;
  size_t reg;           /* index into state.regs */
  hd_team_walk_cell at; /* else; value: at the beginning, 0 = not known */
  hd_team_term first;   /* its value when the loop begins; 0: not known */
  hd_team_term symbol;  /* any time round */
  uint8_t width;        /* of its type; 0: any */
  hd_team_term step;    /* it goes up by that each time round; 0: it does not */
  variable_kind kind;
} variable;
typedef hd_vec(variable) variables;

/* Values of the variables that are ONE_OF_SOME, one after the other. */
typedef hd_vec(hd_team_list) choices;
enum { MOST_CHOICES = 8 };

typedef struct {
  bool all;
  hd_vec(uint64_t) list;
} objects;

static hd_team_term *cell_of(hd_team_walk_state *s, uint64_t address,
                             uint64_t size) {
  for (size_t i = 0; i < s->cells.size; i++)
    if (s->cells.data[i].address == address && s->cells.data[i].size == size)
      return &s->cells.data[i].value;
  return NULL;
}

static void set_variable(hd_team_walk_state *s, const variable *v,
                         hd_team_term value) {
  if (v->is_reg) {
    s->regs.data[v->reg] = value;
    return;
  }
  hd_team_term *cell = cell_of(s, v->at.address, v->at.size);
  if (cell) {
    *cell = value;
  } else {
    hd_team_walk_cell c = {v->at.address, v->at.size, value};
    hd_vec_push(&s->cells, c);
  }
}

/* 0: not known. */
static hd_team_term get_variable(hd_team_walk_state *s, const variable *v) {
  if (v->is_reg)
    return s->regs.data[v->reg];
  hd_team_term *cell = cell_of(s, v->at.address, v->at.size);
  return cell ? *cell : 0;
}

static variable_kind first_kind(hd_team_terms *t, hd_team_term first) {
  return first && hd_team_walk_object(t, first) ? SAME_OBJECT : ANYTHING;
}

static void add_registers(hd_team_terms *t, const hd_code *code,
                          hd_team_walk_state *s,
                          const hd_team_walk_shape *shape, variables *vs) {
  size_t base = hd_vec_last(&s->frames).regs;
  const hd_func *f = &code->funcs.data[hd_vec_last(&s->frames).func];
  for (size_t i = 0; i < shape->sets.size; i++) {
    size_t reg = base + shape->sets.data[i];
    bool known = false;
    for (size_t j = 0; j < vs->size; j++)
      known = known || (vs->data[j].is_reg && vs->data[j].reg == reg);
    if (known)
      continue;
    hd_type type = code->regs.data[f->regs + shape->sets.data[i]].type;
    variable v = {.is_reg = true,
                  .reg = reg,
                  .first = s->regs.data[reg],
                  .width = type.kind == HD_TYPE_INT ? type.width : 0};
    v.kind = first_kind(t, v.first);
    hd_vec_push(vs, v);
  }
}

/* Cells that are not what they were at the head become variables. */
static bool add_changed(hd_team_terms *t, hd_team_walk_state *head,
                        hd_team_walk_states *ends, variables *vs) {
  bool more = false;
  for (size_t i = 0; i < head->cells.size; i++) {
    const hd_team_walk_cell c = head->cells.data[i];
    bool known = false, changed = false;
    for (size_t j = 0; j < vs->size; j++)
      known = known ||
              (!vs->data[j].is_reg && vs->data[j].at.address == c.address &&
               vs->data[j].at.size == c.size);
    for (size_t j = 0; j < ends->size && !known; j++) {
      hd_team_term *now = cell_of(&ends->data[j], c.address, c.size);
      changed = changed || !now || *now != c.value;
    }
    if (!changed)
      continue;
    variable v = {.at = c, .first = c.value};
    v.width = c.size < 8 ? (uint8_t)(8 * c.size) : 0;
    v.kind = first_kind(t, c.value);
    hd_vec_push(vs, v);
    more = true;
  }
  return more;
}

/* They have a state of their own at each time round. */
static void open_objects(hd_team_walker *k, hd_team_walk_state *s,
                         const objects *open) {
  if (open->all) {
    s->versions.size = 0;
    s->version = ++k->graph->versions;
  }
  for (size_t i = 0; i < open->list.size; i++)
    hd_team_walk_renew(k, s, open->list.data[i]);
}

/* Anything that it may be at any time round, but for its step. */
static hd_team_term general_value(hd_team_walker *k,
                                  const hd_team_walk_state *s,
                                  const variable *v) {
  hd_team_terms *t = k->w->terms;
  hd_team_term any =
      hd_team_walk_any(k, s, v->kind == SAME_OBJECT ? 0 : v->width);
  if (v->kind != SAME_OBJECT)
    return any;
  uint64_t object = hd_team_walk_object(t, v->first);
  return hd_team_term_make(t, HD_TEAM_ADD,
                           hd_team_term_const(t, (int64_t)(object << 32)), any);
}

static void choose(hd_team_walk_state *s, const variables *vs,
                   const hd_team_list *choice) {
  size_t n = 0;
  for (size_t i = 0; i < vs->size; i++)
    if (vs->data[i].kind == ONE_OF_SOME)
      set_variable(s, &vs->data[i], choice->data[n++]);
}

static void free_choices(choices *list) {
  for (size_t i = 0; i < list->size; i++)
    hd_vec_free(&list->data[i]);
  hd_vec_clear(list);
}

/* The choice that is made at the beginning, alone. */
static void begin_choices(const variables *vs, choices *list) {
  free_choices(list);
  hd_team_list first = {0};
  for (size_t i = 0; i < vs->size; i++)
    if (vs->data[i].kind == ONE_OF_SOME)
      hd_vec_push(&first, vs->data[i].first);
  hd_vec_push(list, first);
}

static void probe(hd_team_walker *k, const hd_team_walk_state *head,
                  variables *vs, const objects *open, const choices *list,
                  hd_team_walk_states *ends) {
  for (hd_vec_each(variable, v, vs))
    v->symbol = general_value(k, head, v);
  for (size_t i = 0; i < list->size && !k->w->why.size; i++) {
    hd_team_walk_state s = {0};
    hd_team_walk_copy(&s, head);
    open_objects(k, &s, open);
    for (hd_vec_each(variable, v, vs))
      set_variable(&s, v, v->symbol);
    choose(&s, vs, &list->data[i]);
    k->probing++;
    hd_team_walk_follow(k, &s, ends);
    k->probing--;
  }
}

/* Is what it points to, now, what was assumed? Else something weaker is. */
static bool weaken(hd_team_walker *k, variables *vs,
                   hd_team_walk_states *ends) {
  hd_team_terms *t = k->w->terms;
  bool more = false;
  for (hd_vec_each(variable, v, vs))
    for (size_t i = 0; i < ends->size && v->kind != ANYTHING; i++) {
      hd_team_term now = get_variable(&ends->data[i], v);
      int64_t value;
      bool fixed = now && hd_team_term_is_const(t, now, &value) &&
                   hd_team_walk_object(t, now);
      int64_t at;
      bool begun = hd_team_term_is_const(t, v->first, &at);
      if (v->kind == SAME_OBJECT && now &&
          hd_team_walk_object(t, now) == hd_team_walk_object(t, v->first))
        continue;
      if (v->kind == ONE_OF_SOME && fixed)
        continue;
      v->kind =
          v->kind == SAME_OBJECT && fixed && begun ? ONE_OF_SOME : ANYTHING;
      more = true;
    }
  return more;
}

/* New choices that have been seen; too many: they are anything. */
static bool add_choices(variables *vs, hd_team_walk_states *ends,
                        choices *list) {
  bool more = false;
  for (size_t i = 0; i < ends->size; i++) {
    hd_team_list now = {0};
    for (hd_vec_each(variable, v, vs))
      if (v->kind == ONE_OF_SOME)
        hd_vec_push(&now, get_variable(&ends->data[i], v));
    bool known = false;
    for (size_t j = 0; j < list->size; j++)
      known =
          known || !now.size ||
          !memcmp(list->data[j].data, now.data, now.size * sizeof *now.data);
    if (known)
      hd_vec_free(&now);
    else
      hd_vec_push(list, now);
    more = more || !known;
  }
  if (list->size <= MOST_CHOICES)
    return more;
  for (hd_vec_each(variable, v, vs))
    v->kind = v->kind == ONE_OF_SOME ? ANYTHING : v->kind;
  begin_choices(vs, list);
  return true;
}

/* Has it one value in all times round? Symbols from `mark` on belong to one. */
static bool is_invariant(const hd_team_terms *t, hd_team_term term,
                         int64_t mark) {
  const hd_team_term_node *n = hd_team_term_at(t, term);
  if (n->op == HD_TEAM_SYMBOL)
    return n->value < mark;
  for (size_t i = 0; i < 3 && n->args[i]; i++)
    if (!is_invariant(t, n->args[i], mark))
      return false;
  return true;
}

/* What it goes up by; 0: that is not the same each time. */
static hd_team_term step_of(hd_team_terms *t, hd_team_term now,
                            hd_team_term before, int64_t mark) {
  hd_team_term by = hd_team_term_sub(t, now, before);
  return is_invariant(t, by, mark) ? by : 0;
}

static void find_step(hd_team_walker *k, variable *v, int64_t mark,
                      hd_team_walk_states *ends) {
  hd_team_terms *t = k->w->terms;
  bool steps = v->first && ends->size && v->kind != ONE_OF_SOME;
  v->step = 0;
  for (size_t i = 0; i < ends->size && steps; i++) {
    hd_team_term now = get_variable(&ends->data[i], v),
                 step = now ? step_of(t, now, v->symbol, mark) : 0;
    steps = step && (i == 0 || step == v->step);
    v->step = steps ? step : 0;
  }
}

/* Objects that are not what they were at the head, and not in cells only. */
static bool add_versions(const hd_team_walk_state *head,
                         hd_team_walk_states *ends, objects *open) {
  bool more = false;
  for (size_t i = 0; i < ends->size; i++) {
    const hd_team_walk_state *e = &ends->data[i];
    for (size_t j = 0; j < e->versions.size; j++) {
      uint64_t object = e->versions.data[j].object;
      bool known = false;
      for (size_t n = 0; n < open->list.size; n++)
        known = known || open->list.data[n] == object;
      if (known ||
          hd_team_walk_version(head, object) == e->versions.data[j].version)
        continue;
      hd_vec_push(&open->list, object);
      more = true;
    }
    if (e->version != head->version && !open->all)
      more = open->all = true;
  }
  return more;
}

static void free_states(hd_team_walk_states *states) {
  for (size_t i = 0; i < states->size; i++)
    hd_team_walk_drop(&states->data[i]);
  hd_vec_free(states);
}

static bool has_prefix(const char *text, const char *prefix) {
  return !strncmp(text, prefix, strlen(prefix));
}

/* clang names what counts the iterations of a loop that is shared out. */
static bool counts_iterations(hd_team_walker *k, const hd_team_walk_state *s,
                              const variable *v) {
  const hd_code *code = k->w->code;
  const hd_team_walk_frame *f = &hd_vec_last(&s->frames);
  const hd_func *func = &code->funcs.data[f->func];
  const char *name;
  if (v->is_reg) {
    name = code->regs.data[func->regs + v->reg - f->regs].name;
  } else {
    uint64_t slot = (v->at.address >> 32) - HD_TEAM_WALK_PRIVATE - f->slots;
    if (slot >= func->n_slots)
      return false;
    name = code->slots.data[func->slots + slot].name;
  }
  return has_prefix(name, ".omp.iv") || has_prefix(name, ".omp.sections.iv");
}

/* The thread is in an iteration of its own. */
static void begin_part(hd_team_walker *k, hd_team_walk_state *s,
                       hd_team_term iteration) {
  hd_team_terms *t = k->w->terms;
  unsigned level = k->w->level;
  hd_team_walk_push_part(k, s, &s->share, iteration,
                         s->share.by_tasks ? HD_TEAM_OF_TASK : level);
  if (s->around.lower && level)
    hd_team_walk_push_part(k, s, &s->around, iteration, level - 1);
  hd_team_term low =
      hd_team_term_make(t, HD_TEAM_LE, s->share.lower, iteration);
  hd_vec_push(&s->facts, low);
  hd_team_term high =
      hd_team_term_make(t, HD_TEAM_LE, iteration, s->share.upper);
  hd_vec_push(&s->facts, high);
}

/* … of those that are shared out now. */
static bool is_iteration(hd_team_walker *k, const hd_team_walk_state *s,
                         const variable *v) {
  return s->share.lower && (!s->serial || s->share.distributed) &&
         counts_iterations(k, s, v);
}

/* Does each iteration set it, whatever the iterations before have left? */
static bool is_renewed(hd_team_walker *k, const hd_team_walk_state *s,
                       const variables *vs, const variable *v,
                       hd_team_walk_states *ends) {
  hd_team_terms *t = k->w->terms;
  bool good = ends->size > 0;
  for (size_t i = 0; i < vs->size; i++)
    if (vs->data[i].symbol && !is_iteration(k, s, &vs->data[i]))
      hd_team_term_touch(t, vs->data[i].symbol);
  for (size_t i = 0; i < ends->size && good; i++) {
    hd_team_term now = get_variable(&ends->data[i], v);
    good = now && !hd_team_term_touches(t, now);
  }
  hd_team_term_untouch(t);
  return good;
}

enum { MOST_ROUNDS = 20 };

/* It is likely to change what it changed before. */
static void recall(hd_team_terms *t, hd_team_walk_state *s,
                   const hd_team_walk_shape *shape, variables *vs,
                   objects *open) {
  for (size_t i = 0; i < shape->cells.size; i++) {
    const hd_team_walk_cell *c = &shape->cells.data[i];
    hd_team_term *value = cell_of(s, c->address, c->size);
    if (!value)
      continue;
    variable v = {.at = *c, .first = *value};
    v.at.value = *value;
    v.width = c->size < 8 ? (uint8_t)(8 * c->size) : 0;
    v.kind = first_kind(t, *value);
    int64_t at;
    if (v.kind == SAME_OBJECT && shape->chosen.data[i] &&
        hd_team_term_is_const(t, *value, &at))
      v.kind = ONE_OF_SOME;
    hd_vec_push(vs, v);
  }
  for (size_t i = 0; i < shape->objects.size; i++)
    hd_vec_push(&open->list, shape->objects.data[i]);
}

static void remember(hd_team_walk_shape *shape, const variables *vs,
                     const objects *open) {
  shape->cells.size = shape->chosen.size = shape->objects.size = 0;
  for (size_t i = 0; i < vs->size; i++)
    if (!vs->data[i].is_reg) {
      hd_vec_push(&shape->cells, vs->data[i].at);
      hd_vec_push(&shape->chosen, vs->data[i].kind == ONE_OF_SOME);
    }
  for (size_t i = 0; i < open->list.size; i++)
    hd_vec_push(&shape->objects, open->list.data[i]);
}

/* Goes round until nothing new is seen to change. */
static void find_variables(hd_team_walker *k, hd_team_walk_state *s,
                           variables *vs, objects *open, choices *list,
                           hd_team_walk_states *ends) {
  hd_team_terms *t = k->w->terms;
  /* What is noticed on the way there is noticed again, if it can happen. */
  const hd_team_walk before = *k->w;
  begin_choices(vs, list);
  for (int round = 0; !k->w->why.size; round++) {
    free_states(ends);
    probe(k, s, vs, open, list, ends);
    bool more = add_changed(t, s, ends, vs);
    more = add_versions(s, ends, open) || more;
    if (weaken(k, vs, ends)) {
      more = true;
      begin_choices(vs, list);
    } else if (more) {
      begin_choices(vs, list);
    } else {
      more = add_choices(vs, ends, list);
    }
    if (!more)
      break;
    if (round > MOST_ROUNDS)
      hd_team_walk_refuse(k, HD_NO_ID, "a loop changes too much");
  }
  k->w->depends = before.depends;
  k->w->ordered_by_chance = before.ordered_by_chance;
  k->w->prints = before.prints;
  k->w->waits = before.waits;
  k->w->may_fail = before.may_fail;
}

void hd_team_walk_generalise(hd_team_walker *k, hd_team_walk_state *s,
                             hd_team_walk_shape *shape,
                             hd_team_walk_states *more) {
  hd_team_terms *t = k->w->terms;
  variables vs = {0};
  objects open = {0};
  choices list = {0};
  hd_team_walk_states ends = {0};
  int64_t mark = hd_team_term_symbols(t);
  const hd_code *code = k->w->code;
  uint32_t site =
      hd_team_walk_site_of(k, s, code->out[code->out_start[shape->head]]);
  hd_team_walk_loop loop = {.depth = s->frames.size,
                            .head = shape->head,
                            .counter = hd_team_walk_any(k, s, 0),
                            .parts = s->parts.size,
                            .mark = mark,
                            .visit = hd_team_walk_meet(s, site)};
  hd_vec_push(&s->loops, loop);
  add_registers(t, code, s, shape, &vs);
  recall(t, s, shape, &vs, &open);
  find_variables(k, s, &vs, &open, &list, &ends);
  remember(shape, &vs, &open);
  hd_team_term counter = loop.counter;
  hd_vec_push(&s->facts, hd_team_term_make(t, HD_TEAM_LE,
                                           hd_team_term_const(t, 0), counter));
  bool shared = false;
  for (hd_vec_each(variable, v, &vs))
    shared = shared || is_iteration(k, s, v);
  for (hd_vec_each(variable, v, &vs)) {
    find_step(k, v, mark, &ends);
    bool carried = shared && !is_iteration(k, s, v);
    hd_team_term value =
        v->step && !carried
            ? hd_team_term_make(
                  t, HD_TEAM_ADD, v->first,
                  hd_team_term_make(t, HD_TEAM_MUL, counter, v->step))
            : general_value(k, s, v);
    int64_t added;
    if (carried)
      hd_vec_push(&k->w->carried, hd_team_term_split(t, value, &added));
    if (carried && is_renewed(k, s, &vs, v, &ends))
      hd_vec_push(&k->w->renewed, ((hd_team_walk_renewed){value, s->share.edge,
                                                          s->loops.size}));
    set_variable(s, v, value);
    if (is_iteration(k, s, v))
      begin_part(k, s, value);
  }
  open_objects(k, s, &open);
  hd_team_walk_go_round(s, &ends, s->loops.size - 1, mark);
  for (size_t i = 0; i < list.size; i++) {
    if (i + 1 < list.size) {
      hd_team_walk_state other = {0};
      hd_team_walk_copy(&other, s);
      choose(&other, &vs, &list.data[i]);
      other.at_head = true;
      hd_vec_push(more, other);
    } else {
      choose(s, &vs, &list.data[i]);
    }
  }
  free_states(&ends);
  free_choices(&list);
  hd_vec_free(&list);
  hd_vec_free(&vs);
  hd_vec_free(&open.list);
}
