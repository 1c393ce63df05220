/* SPDX-License-Identifier: MIT */
/* The program as threads: a graph each, with calls expanded. A place of a function
 * is there once for each value of those registers that addresses, ids and locks are
 * computed from (known.c): so loops that create threads are gone round here, and
 * pointers point to one thing. A register that has too many values there is like
 * any other in the next attempt. */
#include "engine/weave/expand.h"

#include <stdarg.h>
#include <stdio.h>

enum { DEPTH = 12, ATTEMPTS = 40, EDGES = 6000 };

void hd_weave_refuse(weave_program *p, hd_edge_id edge, const char *format,
                     ...) {
  if (p->failed)
    return;
  p->failed = true;
  char text[200];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (edge != HD_NO_ID) {
    hd_code_print_pos(p->why, p->code, p->code->edges.data[edge].pos);
    hd_str_puts(p->why, ": ");
  }
  hd_str_puts(p->why, text);
}
/* --- edges --- */

static void expand(weave_expander *x, weave_call *in, uint32_t entry,
                   weave_known *env);

static void call_function(weave_expander *x, weave_edge w, const hd_cedge *e,
                          hd_func_id callee) {
  weave_program *p = x->p;
  const hd_func *g = &p->code->funcs.data[callee];
  bool again = x->in->depth >= DEPTH;
  for (const weave_call *in = x->in; in; in = in->up)
    again = again || in->func == callee;
  if (again || g->variadic || e->n_operands != g->n_params + 1) {
    hd_weave_refuse(p, w.edge, "recursion, or deep or odd calls");
    return;
  }
  uint32_t inner = hd_weave_new_frame(p, callee);
  weave_known *env = hd_weave_copy_env(p, callee, NULL);
  w.to = hd_weave_new_node(x);
  w.opens = inner;
  w.kind = hd_func_is_section(g) ? WEAVE_ENTER : WEAVE_STEP;
  for (uint32_t i = 0; i < g->n_regs; i++) {
    uint32_t var = hd_weave_reg(p, inner, i);
    if (i >= g->n_params) {
      hd_weave_assign_any(p, &w, var);
      continue;
    }
    hd_weave_assign(p, &w, var,
                    hd_weave_valued(p, &w, hd_weave_operand(p, e, i + 1)));
    hd_weave_know(p, callee, env, i,
                  hd_weave_known_of(p, &w, hd_weave_operand(p, e, i + 1)));
  }
  hd_weave_add(x, w);
  weave_call made = {.up = x->in,
                     .func = callee,
                     .frame = inner,
                     .depth = x->in->depth + 1,
                     .call = e,
                     .env = w.env,
                     .section = w.kind == WEAVE_ENTER};
  expand(x, &made, w.to, env);
}

static void call(weave_expander *x, weave_edge w, const hd_cedge *e) {
  weave_program *p = x->p;
  weave_known to = hd_weave_known_of(p, &w, hd_weave_operand(p, e, 0));
  if (to.kind != WEAVE_FUNC) {
    hd_weave_refuse(p, w.edge, "a call through a pointer");
    return;
  }
  const hd_func *g = &p->code->funcs.data[to.object];
  if (g->defined) {
    if (hd_library_action(hd_library_find(g->name)) == HD_DO_FAIL)
      hd_weave_end_by(x, w, WEAVE_FAIL);
    else
      call_function(x, w, e, to.object);
    return;
  }
  hd_library_fn fn = hd_call_library(p->code, to.object);
  if (!hd_weave_treat(x, w, e, fn))
    hd_weave_refuse(p, w.edge, "%s is not treated",
                    fn == HD_LIB_NONE ? "a function that is not known"
                                      : hd_library_name(fn));
}

static void give_back(weave_expander *x, weave_edge w, const hd_cedge *e) {
  weave_program *p = x->p;
  const weave_call *in = x->in;
  w.kind = in->section ? WEAVE_LEAVE : WEAVE_STEP;
  if (!in->up) {
    hd_weave_end_thread(x, w, e, 0);
    return;
  }
  weave_known *env = hd_weave_copy_env(p, in->up->func, in->env);
  for (uint32_t i = 0; i < in->call->n_targets; i++) {
    uint32_t reg = hd_code_target(p->code, in->call, i);
    uint32_t var = hd_weave_reg(p, in->up->frame, reg);
    bool given = i < e->n_operands;
    if (given)
      hd_weave_assign(p, &w, var,
                      hd_weave_valued(p, &w, hd_weave_operand(p, e, i)));
    else
      hd_weave_assign_any(p, &w, var);
    hd_weave_know(p, in->up->func, env, reg,
                  given ? hd_weave_known_of(p, &w, hd_weave_operand(p, e, i))
                        : (weave_known){0});
  }
  w.to = hd_weave_node_of(x, in->up, in->call->to, env);
  hd_weave_add(x, w);
}

static void step(weave_expander *x, weave_edge w, const hd_cedge *e) {
  weave_program *p = x->p;
  if (e->guard != HD_NO_ID) {
    weave_known k = hd_weave_known_of(p, &w, e->guard);
    if (k.kind == WEAVE_NUMBER && !k.bits)
      return;
    if (k.kind != WEAVE_NUMBER)
      hd_weave_guard_by(&w,
                        (weave_guard){.kind = WEAVE_HOLDS, .expr = e->guard});
  }
  weave_known *env = hd_weave_copy_env(p, x->in->func, w.env);
  for (uint32_t i = 0; i < e->n_targets; i++) {
    uint32_t reg = hd_code_target(p->code, e, i);
    hd_weave_assign(p, &w, hd_weave_reg(p, w.frame, reg),
                    hd_weave_valued(p, &w, hd_weave_operand(p, e, i)));
    hd_weave_know(p, x->in->func, env, reg,
                  hd_weave_known_of(p, &w, hd_weave_operand(p, e, i)));
  }
  hd_weave_add_to(x, w, e, env);
}

static void one_edge(weave_expander *x, hd_edge_id id, const weave_spot *from) {
  const hd_cedge *e = &x->p->code->edges.data[id];
  weave_edge w = {.from = from->node,
                  .kind = WEAVE_STEP,
                  .edge = id,
                  .frame = x->in->frame,
                  .env = from->env,
                  .fresh = HD_NO_ID,
                  .sets = HD_NO_ID,
                  .needs = HD_NO_ID,
                  .opens = HD_NO_ID};
  switch ((hd_code_act)e->act) {
  case HD_CODE_STEP:
    step(x, w, e);
    return;
  case HD_CODE_LOAD:
  case HD_CODE_STORE:
  case HD_CODE_RMW:
  case HD_CODE_CMPXCHG:
    hd_weave_memory(x, w, e);
    return;
  case HD_CODE_FENCE:
    hd_weave_add_any(x, w, e);
    return;
  case HD_CODE_CALL:
    call(x, w, e);
    return;
  case HD_CODE_RETURN:
    give_back(x, w, e);
    return;
  case HD_CODE_UNREACHABLE: /* behind what does not return */
    hd_weave_end_by(x, w, WEAVE_FAIL);
    return;
  case HD_CODE_ALLOCA:
  case HD_CODE_UNSUPPORTED:
    hd_weave_refuse(x->p, id, "not treated");
    return;
  }
}

/* All places of the call, from its first. */
static void expand(weave_expander *x, weave_call *in, uint32_t entry,
                   weave_known *env) {
  weave_program *p = x->p;
  const hd_code *code = p->code;
  weave_call *outer = x->in;
  weave_spot first = {code->funcs.data[in->func].entry, entry, env};
  hd_vec_push(&in->places, first);
  x->in = in;
  for (size_t i = 0; i < in->places.size && !p->failed && !p->again; i++) {
    const weave_spot from = in->places.data[i];
    for (uint32_t k = code->out_start[from.loc];
         k < code->out_start[from.loc + 1] && !p->failed; k++)
      one_edge(x, code->out[k], &from);
  }
  x->in = outer;
  hd_vec_free(&in->places);
}

/* --- when all is there --- */

static bool overlap(uint64_t a, uint64_t a_size, uint64_t b, uint64_t b_size) {
  return a < b + b_size && b < a + a_size;
}

/* Cells, locks and ids each have memory of their own. */
static void check_places(weave_program *p) {
  hd_vec(weave_lock) all = {0};
  for (hd_vec_each(const weave_cell, c, &p->cells)) {
    weave_lock l = {c->object, c->offset, p->vars.data[c->var].width / 8u};
    hd_vec_push(&all, l);
  }
  for (hd_vec_each(const weave_lock, l, &p->locks))
    hd_vec_push(&all, *l);
  for (hd_vec_each(const weave_handle, h, &p->handles)) {
    weave_lock l = {h->object, h->offset, 8};
    hd_vec_push(&all, l);
  }
  for (size_t i = 0; i < all.size; i++)
    for (size_t k = 0; k < i; k++)
      if (all.data[i].object == all.data[k].object &&
          overlap(all.data[i].offset, all.data[i].size, all.data[k].offset,
                  all.data[k].size))
        hd_weave_refuse(p, HD_NO_ID, "memory that is used in two ways");
  hd_vec_free(&all);
}

static void find_joined(weave_program *p) {
  for (uint32_t i = 0; i < p->n_threads; i++)
    for (hd_vec_each(weave_edge, e, &p->threads[i].edges)) {
      if (e->kind != WEAVE_JOIN && e->kind != WEAVE_KNOWS)
        continue;
      const weave_handle *h = &p->handles.data[e->object];
      if (h->thread >= p->n_threads || p->threads[h->thread].creator != i)
        hd_weave_refuse(p, e->edge,
                        "an id of no thread, or of several, or of one that "
                        "another thread has created");
      e->object = h->thread < p->n_threads ? h->thread : 0;
      for (uint32_t k = 0; k < e->n_assigns; k++) {
        weave_value *v = &p->assigns.data[e->assigns + k].value;
        if (e->kind == WEAVE_JOIN && v->kind == WEAVE_COPY)
          v->var = p->threads[e->object].result;
      }
    }
}

/* What begins to live is anything. */
static void begin_lives(weave_program *p, weave_edge *e) {
  hd_vec(weave_assign) more = {0};
  for (uint32_t i = 0; i < p->cells.size; i++) {
    const weave_cell *c = &p->cells.data[i];
    uint32_t frame = p->objects.data[c->object].frame;
    if (c->object != e->fresh && (frame == HD_NO_ID || frame != e->opens))
      continue;
    bool zero = c->object == e->fresh && e->zeroed;
    weave_assign a = {c->var,
                      zero ? hd_weave_bits(0)
                           : hd_weave_anything(p->vars.data[c->var].width)};
    hd_vec_push(&more, a);
    e->touch.writes |= (uint64_t)1 << i;
  }
  for (uint32_t i = 0; i < p->pointers.size; i++) {
    const weave_pointer *q = &p->pointers.data[i];
    if (q->object == e->fresh ||
        (e->opens != HD_NO_ID && q->object < p->objects.size &&
         p->objects.data[q->object].frame == e->opens))
      e->drops |= (uint64_t)1 << i;
  }
  uint32_t first = e->assigns, n = more.size ? e->n_assigns : 0;
  if (more.size)
    e->n_assigns = 0;
  for (uint32_t i = 0; i < n; i++) {
    weave_assign a = p->assigns.data[first + i];
    hd_weave_assign(p, e, a.var, a.value);
  }
  for (hd_vec_each(const weave_assign, a, &more))
    hd_weave_assign(p, e, a->var, a->value);
  hd_vec_free(&more);
}

/* Can the thread come from one node to the other? */
static bool leads_to(const weave_thread *t, uint32_t from, uint32_t to) {
  uint8_t *seen = hd_calloc(t->n_nodes, 1);
  seen[from] = 1;
  for (bool changed = true; changed;) {
    changed = false;
    for (hd_vec_each(const weave_edge, e, &t->edges)) {
      changed = changed || (seen[e->from] && !seen[e->to]);
      seen[e->to] |= seen[e->from];
    }
  }
  bool found = seen[to];
  hd_free(seen);
  return found;
}

/* A block stands for one allocation. */
static void check_once(weave_program *p) {
  for (uint32_t i = 0; i < p->n_threads; i++)
    for (hd_vec_each(const weave_edge, e, &p->threads[i].edges))
      if (e->once && leads_to(&p->threads[i], e->to, e->from))
        hd_weave_refuse(p, e->edge,
                        "memory may be allocated here several times");
}

/* --- from the beginning --- */

static void clear(weave_program *p) {
  for (uint32_t i = 0; i < p->n_threads; i++)
    hd_vec_free(&p->threads[i].edges);
  hd_arena_free(&p->arena);
  hd_arena_init(&p->arena);
  p->n_threads = 0;
  hd_vec_clear(&p->vars);
  hd_vec_clear(&p->frames);
  hd_vec_clear(&p->objects);
  hd_vec_clear(&p->assigns);
  hd_vec_clear(&p->cells);
  hd_vec_clear(&p->locks);
  for (hd_vec_each(weave_handle, h, &p->handles)) {
    h->thread = HD_NO_ID;
    h->readers = 0;
  }
  for (hd_vec_each(weave_pointer, q, &p->pointers)) {
    q->value = q->now;
    q->now = (weave_known){0};
  }
  p->again = p->failed = false;
  hd_vec_clear(p->why);
}

static void attempt(weave_program *p) {
  clear(p);
  for (uint32_t i = 0; i < p->code->globals.size; i++) {
    weave_object o = {HD_NO_ID, i, p->code->globals.data[i].size};
    hd_vec_push(&p->objects, o);
  }
  (void)hd_weave_new_thread(p, p->code->main, HD_NO_ID);
  for (uint32_t i = 0; i < p->n_threads && !p->failed && !p->again; i++) {
    weave_thread *t = &p->threads[i];
    weave_expander x = {.p = p, .t = t, .index = i};
    weave_call in = {.func = t->func, .frame = t->frame};
    expand(&x, &in, t->entry, t->arg);
  }
  for (hd_vec_each(const weave_pointer, q, &p->pointers))
    p->again = p->again || (!p->failed && !hd_weave_alike(&q->now, &q->value));
}

static bool suits(const hd_code *code) {
  return code->main != HD_NO_ID && code->funcs.data[code->main].defined &&
         code->pointer_width == 64 && code->edges.size <= EDGES;
}

bool hd_weave_read(const hd_code *code, bool malloc_fails, weave_program *p,
                   hd_str *why) {
  *p = (weave_program){.code = code, .why = why, .malloc_fails = malloc_fails};
  hd_arena_init(&p->arena);
  if (!suits(code) || !hd_code_may(code, HD_DO_SPAWN)) {
    hd_weave_refuse(p, HD_NO_ID,
                    "no main, no threads, 32 bits, or a large program");
    return false;
  }
  p->tracked = hd_weave_track(code);
  p->again = true;
  for (int i = 0; i < ATTEMPTS && p->again; i++)
    attempt(p);
  if (p->again)
    hd_weave_refuse(p, HD_NO_ID, "too many places of the program");
  if (!p->failed && p->n_threads < 2)
    hd_weave_refuse(p, HD_NO_ID, "one thread only");
  if (p->failed)
    return false;
  check_places(p);
  check_once(p);
  find_joined(p);
  for (uint32_t i = 0; i < p->n_threads; i++)
    for (hd_vec_each(weave_edge, e, &p->threads[i].edges))
      begin_lives(p, e);
  return !p->failed;
}
