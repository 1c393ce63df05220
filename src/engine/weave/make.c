/* SPDX-License-Identifier: MIT */
/* Edges and nodes of threads. */
#include "engine/weave/expand.h"

#include <string.h>

weave_value hd_weave_anything(uint8_t width) {
  hd_i128 half = (hd_i128)1 << (width ? width - 1u : 0);
  return (weave_value){.kind = WEAVE_ANY, .least = -half, .most = half - 1};
}

/* What is known need not be said again; what it is as a number is not known of
 * pointers. */
weave_value hd_weave_valued(const weave_program *p, const weave_edge *w,
                            hd_cexpr_id id) {
  weave_known k = hd_weave_known_of(p, w, id);
  if (k.kind == WEAVE_NUMBER)
    return hd_weave_bits(k.bits);
  if (k.kind != WEAVE_UNKNOWN)
    return hd_weave_anything(p->code->exprs.data[id].type.width);
  return (weave_value){.kind = WEAVE_EXPR, .expr = id};
}

void hd_weave_assign(weave_program *p, weave_edge *e, uint32_t var,
                     weave_value value) {
  weave_assign a = {var, value};
  if (!e->n_assigns)
    e->assigns = (uint32_t)p->assigns.size;
  assert(e->assigns + e->n_assigns == p->assigns.size);
  hd_vec_push(&p->assigns, a);
  e->n_assigns++;
}

void hd_weave_assign_any(weave_program *p, weave_edge *e, uint32_t var) {
  hd_weave_assign(p, e, var, hd_weave_anything(p->vars.data[var].width));
}

static bool is_tracked(const weave_program *p, hd_func_id func, uint32_t reg) {
  return hd_bits_test(p->tracked, p->code->funcs.data[func].regs + reg);
}

weave_known *hd_weave_copy_env(weave_program *p, hd_func_id func,
                               const weave_known *env) {
  uint32_t n = p->code->funcs.data[func].n_regs;
  weave_known *made = hd_arena_alloc(&p->arena, (n + 1) * sizeof *made);
  if (env)
    memcpy(made, env, n * sizeof *made);
  else
    memset(made, 0, (n + 1) * sizeof *made);
  return made;
}

void hd_weave_know(const weave_program *p, hd_func_id func, weave_known *env,
                   uint32_t reg, weave_known value) {
  env[reg] = is_tracked(p, func, reg) ? value : (weave_known){0};
}

uint32_t hd_weave_new_frame(weave_program *p, hd_func_id func) {
  weave_frame f = {func, (uint32_t)p->vars.size, (uint32_t)p->objects.size};
  const hd_func *g = &p->code->funcs.data[func];
  for (uint32_t i = 0; i < g->n_regs; i++) {
    weave_var v = {.width = p->code->regs.data[g->regs + i].type.width};
    hd_vec_push(&p->vars, v);
  }
  for (uint32_t i = 0; i < g->n_slots; i++) {
    weave_object o = {(uint32_t)p->frames.size, i,
                      p->code->slots.data[g->slots + i].size};
    hd_vec_push(&p->objects, o);
  }
  hd_vec_push(&p->frames, f);
  return (uint32_t)p->frames.size - 1;
}

/* --- places --- */

/* Too many copies: what makes them is not tracked from now on. */
static void give_up(weave_expander *x, const weave_call *in, hd_loc_id loc,
                    const weave_known *env) {
  const hd_func *f = &x->p->code->funcs.data[in->func];
  for (hd_vec_each(const weave_spot, s, &in->places))
    for (uint32_t r = 0; s->loc == loc && r < f->n_regs; r++)
      if (!hd_weave_alike(&s->env[r], &env[r]))
        hd_bits_clear(x->p->tracked, f->regs + r);
  x->p->again = true;
}

uint32_t hd_weave_new_node(weave_expander *x) {
  if (x->t->n_nodes >= WEAVE_NODES)
    hd_weave_refuse(x->p, HD_NO_ID, "more than %d places in a thread",
                    WEAVE_NODES);
  return x->t->n_nodes++;
}

/* The node of a location with that known; new ones wait to be expanded. */
uint32_t hd_weave_node_of(weave_expander *x, weave_call *in, hd_loc_id loc,
                          weave_known *env) {
  const hd_func *f = &x->p->code->funcs.data[in->func];
  uint32_t copies = 0;
  for (hd_vec_each(const weave_spot, s, &in->places)) {
    bool equal = s->loc == loc;
    copies += equal;
    for (uint32_t r = 0; equal && r < f->n_regs; r++)
      equal = hd_weave_alike(&s->env[r], &env[r]);
    if (equal)
      return s->node;
  }
  if (copies >= WEAVE_SAME) {
    give_up(x, in, loc, env);
    return 0;
  }
  weave_spot fresh = {loc, hd_weave_new_node(x), env};
  hd_vec_push(&in->places, fresh);
  return fresh.node;
}

void hd_weave_add(weave_expander *x, weave_edge w) {
  hd_vec_push(&x->t->edges, w);
}

/* The edge, to where it goes with `env` behind it. */
void hd_weave_add_to(weave_expander *x, weave_edge w, const hd_cedge *e,
                     weave_known *env) {
  w.to = hd_weave_node_of(x, x->in, e->to, env);
  hd_weave_add(x, w);
}

/* Its targets are anything then, or this number. */
weave_known *hd_weave_set_targets(weave_expander *x, weave_edge *w,
                                  const hd_cedge *e, weave_known value) {
  weave_program *p = x->p;
  weave_known *env = hd_weave_copy_env(p, x->in->func, w->env);
  for (uint32_t i = 0; i < e->n_targets; i++) {
    uint32_t reg = hd_code_target(p->code, e, i);
    uint32_t var = hd_weave_reg(p, w->frame, reg);
    if (value.kind == WEAVE_NUMBER)
      hd_weave_assign(p, w, var, hd_weave_bits(value.bits));
    else
      hd_weave_assign_any(p, w, var);
    hd_weave_know(p, x->in->func, env, reg, value);
  }
  return env;
}

void hd_weave_add_any(weave_expander *x, weave_edge w, const hd_cedge *e) {
  weave_known *env = hd_weave_set_targets(x, &w, e, (weave_known){0});
  hd_weave_add_to(x, w, e, env);
}

void hd_weave_add_number(weave_expander *x, weave_edge w, const hd_cedge *e,
                         uint64_t bits) {
  weave_known *env = hd_weave_set_targets(
      x, &w, e, (weave_known){.kind = WEAVE_NUMBER, .bits = bits});
  hd_weave_add_to(x, w, e, env);
}

void hd_weave_guard_by(weave_edge *w, weave_guard g) {
  assert(w->n_guards < 3);
  w->guards[w->n_guards++] = g;
}
uint32_t hd_weave_new_thread(weave_program *p, hd_func_id func,
                             uint32_t creator) {
  weave_thread *t = &p->threads[p->n_threads];
  weave_var result = {.width = 64, .cell = true};
  *t = (weave_thread){.func = func,
                      .creator = creator,
                      .result = (uint32_t)p->vars.size,
                      .end = 1,
                      .n_nodes = 2};
  hd_vec_push(&p->vars, result);
  t->frame = hd_weave_new_frame(p, func);
  t->arg = hd_weave_copy_env(p, func, NULL);
  return p->n_threads++;
}

void hd_weave_end_by(weave_expander *x, weave_edge w, weave_kind kind) {
  w.kind = (uint8_t)kind;
  w.to = w.from;
  hd_weave_add(x, w);
}

/* With its result, for who joins it. */
void hd_weave_end_thread(weave_expander *x, weave_edge w, const hd_cedge *e,
                         uint32_t i) {
  weave_program *p = x->p;
  bool given = i < e->n_operands &&
               p->code->exprs.data[hd_weave_operand(p, e, i)].type.width == 64;
  hd_weave_assign(p, &w, x->t->result,
                  given ? hd_weave_valued(p, &w, hd_weave_operand(p, e, i))
                        : hd_weave_anything(64));
  w.to = x->t->end;
  hd_weave_add(x, w);
}
