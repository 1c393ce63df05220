/* SPDX-License-Identifier: MIT */
/* The program as threads: a graph each, with calls expanded. A place of a function
 * is there once for each value of those registers that addresses, ids and locks are
 * computed from (known.c): so loops that create threads are gone round here, and
 * pointers point to one thing. A register that has too many values there is like
 * any other in the next attempt. */
#include "engine/weave/weave_impl.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { DEPTH = 12, ATTEMPTS = 40, EDGES = 6000 };
static const uint32_t many = 0xfffffffe; /* threads whose id is stored there */

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

typedef struct {
  hd_loc_id loc;
  uint32_t node;
  weave_known *env;
} place;

/* A call that is expanded; the first function of a thread has no `up`. */
typedef struct instance {
  struct instance *up;
  hd_func_id func;
  uint32_t frame, depth;
  const hd_cedge *call;
  const weave_known *env; /* where the call is */
  bool section;           /* the function is an atomic one */
  hd_vec(place) places;
} instance;

typedef struct {
  weave_program *p;
  weave_thread *t;
  uint32_t index; /* of the thread */
  instance *in;
} expander;

static hd_cexpr_id operand(const weave_program *p, const hd_cedge *e,
                           uint32_t i) {
  assert(i < e->n_operands);
  return p->code->operands.data[e->operands + i];
}

static const hd_cexpr *expr_at(const weave_program *p, const hd_cedge *e,
                               uint32_t i) {
  return &p->code->exprs.data[operand(p, e, i)];
}

static weave_known fold(const weave_program *p, const weave_edge *w,
                        hd_cexpr_id id) {
  return hd_weave_fold(p, w->frame, w->env, id);
}

static weave_value constant(uint64_t bits) {
  return (weave_value){.kind = WEAVE_CONST, .bits = bits};
}

static weave_value anything(uint8_t width) {
  hd_i128 half = (hd_i128)1 << (width ? width - 1u : 0);
  return (weave_value){.kind = WEAVE_ANY, .least = -half, .most = half - 1};
}

/* What is known need not be said again; what it is as a number is not known of
 * pointers. */
static weave_value valued(const weave_program *p, const weave_edge *w,
                          hd_cexpr_id id) {
  weave_known k = fold(p, w, id);
  if (k.kind == WEAVE_NUMBER)
    return constant(k.bits);
  if (k.kind != WEAVE_UNKNOWN)
    return anything(p->code->exprs.data[id].type.width);
  return (weave_value){.kind = WEAVE_EXPR, .expr = id};
}

static void assign(weave_program *p, weave_edge *e, uint32_t var,
                   weave_value value) {
  weave_assign a = {var, value};
  if (!e->n_assigns)
    e->assigns = (uint32_t)p->assigns.size;
  assert(e->assigns + e->n_assigns == p->assigns.size);
  hd_vec_push(&p->assigns, a);
  e->n_assigns++;
}

static void assign_any(weave_program *p, weave_edge *e, uint32_t var) {
  assign(p, e, var, anything(p->vars.data[var].width));
}

static bool is_tracked(const weave_program *p, hd_func_id func, uint32_t reg) {
  return hd_bits_test(p->tracked, p->code->funcs.data[func].regs + reg);
}

static weave_known *copy_env(weave_program *p, hd_func_id func,
                             const weave_known *env) {
  uint32_t n = p->code->funcs.data[func].n_regs;
  weave_known *made = hd_arena_alloc(&p->arena, (n + 1) * sizeof *made);
  if (env)
    memcpy(made, env, n * sizeof *made);
  else
    memset(made, 0, (n + 1) * sizeof *made);
  return made;
}

static void know(const weave_program *p, hd_func_id func, weave_known *env,
                 uint32_t reg, weave_known value) {
  env[reg] = is_tracked(p, func, reg) ? value : (weave_known){0};
}

static uint32_t new_frame(weave_program *p, hd_func_id func) {
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

static bool alike(const weave_known *a, const weave_known *b) {
  return a->kind == b->kind && a->object == b->object && a->bits == b->bits;
}

/* Too many copies: what makes them is not tracked from now on. */
static void give_up(expander *x, const instance *in, hd_loc_id loc,
                    const weave_known *env) {
  const hd_func *f = &x->p->code->funcs.data[in->func];
  for (hd_vec_each(const place, s, &in->places))
    for (uint32_t r = 0; s->loc == loc && r < f->n_regs; r++)
      if (!alike(&s->env[r], &env[r]))
        hd_bits_clear(x->p->tracked, f->regs + r);
  x->p->again = true;
}

static uint32_t new_node(expander *x) {
  if (x->t->n_nodes >= WEAVE_NODES)
    hd_weave_refuse(x->p, HD_NO_ID, "more than %d places in a thread",
                    WEAVE_NODES);
  return x->t->n_nodes++;
}

/* The node of a location with that known; new ones wait to be expanded. */
static uint32_t node_of(expander *x, instance *in, hd_loc_id loc,
                        weave_known *env) {
  const hd_func *f = &x->p->code->funcs.data[in->func];
  uint32_t copies = 0;
  for (hd_vec_each(const place, s, &in->places)) {
    bool equal = s->loc == loc;
    copies += equal;
    for (uint32_t r = 0; equal && r < f->n_regs; r++)
      equal = alike(&s->env[r], &env[r]);
    if (equal)
      return s->node;
  }
  if (copies >= WEAVE_SAME) {
    give_up(x, in, loc, env);
    return 0;
  }
  place fresh = {loc, new_node(x), env};
  hd_vec_push(&in->places, fresh);
  return fresh.node;
}

static void add(expander *x, weave_edge w) {
  hd_vec_push(&x->t->edges, w);
}

/* The edge, to where it goes with `env` behind it. */
static void add_to(expander *x, weave_edge w, const hd_cedge *e,
                   weave_known *env) {
  w.to = node_of(x, x->in, e->to, env);
  add(x, w);
}

/* Its targets are anything then, or this number. */
static weave_known *set_targets(expander *x, weave_edge *w, const hd_cedge *e,
                                weave_known value) {
  weave_program *p = x->p;
  weave_known *env = copy_env(p, x->in->func, w->env);
  for (uint32_t i = 0; i < e->n_targets; i++) {
    uint32_t reg = p->code->targets.data[e->targets + i];
    uint32_t var = hd_weave_reg(p, w->frame, reg);
    if (value.kind == WEAVE_NUMBER)
      assign(p, w, var, constant(value.bits));
    else
      assign_any(p, w, var);
    know(p, x->in->func, env, reg, value);
  }
  return env;
}

static void add_any(expander *x, weave_edge w, const hd_cedge *e) {
  weave_known *env = set_targets(x, &w, e, (weave_known){0});
  add_to(x, w, e, env);
}

static void add_number(expander *x, weave_edge w, const hd_cedge *e,
                       uint64_t bits) {
  weave_known *env =
      set_targets(x, &w, e, (weave_known){.kind = WEAVE_NUMBER, .bits = bits});
  add_to(x, w, e, env);
}

static void add_zero(expander *x, weave_edge w, const hd_cedge *e) {
  add_number(x, w, e, 0);
}

static void guard_by(weave_edge *w, weave_guard g) {
  assert(w->n_guards < 3);
  w->guards[w->n_guards++] = g;
}

/* --- memory --- */

static bool is_strong(const hd_cedge *e) {
  bool good = e->order == HD_ORDER_NONE || e->order == HD_ORDER_SEQ_CST;
  return good && (e->act != HD_CODE_CMPXCHG || e->failure == HD_ORDER_SEQ_CST ||
                  e->failure == HD_ORDER_NONE);
}

/* Is it there now, and the same for all? */
static bool is_alive(const expander *x, uint32_t object) {
  const weave_program *p = x->p;
  const weave_object *o = &p->objects.data[object];
  if (o->frame == HD_NO_ID) {
    const hd_global *g = &p->code->globals.data[o->index];
    return !g->thread_local && !g->external && !g->n_relocs;
  }
  bool found = o->frame == 0; /* main's: the run ends before */
  for (const instance *in = x->in; in && !found; in = in->up)
    found = in->frame == o->frame;
  return found;
}

static uint32_t cell_at(expander *x, uint32_t object, uint64_t offset,
                        uint8_t width, hd_edge_id id) {
  weave_program *p = x->p;
  for (uint32_t i = 0; i < p->cells.size; i++) {
    const weave_cell *c = &p->cells.data[i];
    if (c->object != object || c->offset != offset)
      continue;
    if (p->vars.data[c->var].width != width)
      hd_weave_refuse(p, id, "memory as values of several types");
    return i;
  }
  if (p->cells.size == WEAVE_CELLS) {
    hd_weave_refuse(p, id, "more than %d variables in memory", WEAVE_CELLS);
    return 0;
  }
  weave_cell c = {object, (uint32_t)p->vars.size, offset};
  weave_var v = {.width = width, .cell = true};
  hd_vec_push(&p->vars, v);
  hd_vec_push(&p->cells, c);
  return (uint32_t)p->cells.size - 1;
}

static uint32_t handle_at(const weave_program *p, uint32_t object,
                          uint64_t offset) {
  for (uint32_t i = 0; i < p->handles.size; i++)
    if (p->handles.data[i].object == object &&
        p->handles.data[i].offset == offset)
      return i;
  return HD_NO_ID;
}

static void exchange(expander *x, weave_edge w, const hd_cedge *e,
                     uint32_t var) {
  weave_program *p = x->p;
  weave_value old = {.kind = WEAVE_COPY, .var = var};
  for (int works = 0; works < 2; works++) {
    weave_edge one = w;
    weave_known *env = copy_env(p, x->in->func, w.env);
    if (works || !e->weak)
      guard_by(&one, (weave_guard){.kind = works ? WEAVE_EQUALS : WEAVE_DIFFERS,
                                   .expr = operand(p, e, 1),
                                   .var = var});
    if (works)
      assign(p, &one, var, valued(p, &w, operand(p, e, 2)));
    for (uint32_t i = 0; i < e->n_targets; i++) {
      uint32_t reg = p->code->targets.data[e->targets + i];
      assign(p, &one, hd_weave_reg(p, w.frame, reg),
             i ? constant((uint64_t)works) : old);
      know(p, x->in->func, env, reg, (weave_known){0});
    }
    add_to(x, one, e, env);
  }
}

/* The access to one cell. */
static void touch_cell(expander *x, weave_edge w, const hd_cedge *e,
                       uint32_t cell) {
  weave_program *p = x->p;
  uint32_t var = p->cells.data[cell].var;
  bool loads = e->act == HD_CODE_LOAD;
  weave_value old = {.kind = WEAVE_COPY, .var = var};
  w.touch.reads |= e->act != HD_CODE_STORE ? (uint64_t)1 << cell : 0;
  w.touch.writes |= loads ? 0 : (uint64_t)1 << cell;
  if (e->act == HD_CODE_CMPXCHG) {
    exchange(x, w, e, var);
    return;
  }
  if (!loads) {
    weave_value fresh = valued(p, &w, operand(p, e, 1));
    if (e->act == HD_CODE_RMW && e->rmw != HD_RMW_XCHG)
      fresh = (weave_value){.kind = WEAVE_MIXED,
                            .rmw = e->rmw,
                            .expr = operand(p, e, 1),
                            .var = var};
    assign(p, &w, var, fresh);
  }
  weave_known *env = copy_env(p, x->in->func, w.env);
  for (uint32_t i = 0; i < e->n_targets; i++) {
    uint32_t reg = p->code->targets.data[e->targets + i];
    assign(p, &w, hd_weave_reg(p, w.frame, reg), old);
    know(p, x->in->func, env, reg, (weave_known){0});
  }
  add_to(x, w, e, env);
}

/* The id of a thread is read. */
static void read_id(expander *x, weave_edge w, const hd_cedge *e,
                    uint32_t handle) {
  weave_program *p = x->p;
  if (e->act != HD_CODE_LOAD) {
    hd_weave_refuse(p, w.edge, "an id of a thread is written");
    return;
  }
  weave_known *env = set_targets(x, &w, e, (weave_known){0});
  know(p, x->in->func, env, p->code->targets.data[e->targets],
       (weave_known){.kind = WEAVE_HANDLE, .object = handle});
  w.kind = WEAVE_KNOWS;
  w.object = handle;
  p->handles.data[handle].readers |= 1u << x->index;
  add_to(x, w, e, env);
}

static void memory(expander *x, weave_edge w, const hd_cedge *e) {
  weave_program *p = x->p;
  const hd_func *f = &p->code->funcs.data[x->in->func];
  hd_type type =
      e->act == HD_CODE_LOAD
          ? p->code->regs.data[f->regs + p->code->targets.data[e->targets]].type
          : expr_at(p, e, 1)->type;
  weave_places at;
  if (type.kind == HD_TYPE_FLOAT || type.width % 8 ||
      !hd_weave_places(p, w.frame, w.env, operand(p, e, 0), type.width / 8u,
                       &at) ||
      !is_alive(x, at.object)) {
    hd_weave_refuse(p, w.edge, "memory other than integers that are known");
    return;
  }
  if (!is_strong(e)) {
    hd_weave_refuse(p, w.edge, "a weak access");
    return;
  }
  if (at.index == HD_NO_ID) {
    uint32_t handle = handle_at(p, at.object, at.base);
    if (handle != HD_NO_ID)
      read_id(x, w, e, handle);
    else
      touch_cell(x, w, e, cell_at(x, at.object, at.base, type.width, w.edge));
    return;
  }
  for (int64_t i = at.least; i <= at.most && !p->failed; i++) {
    weave_edge one = w;
    guard_by(&one,
             (weave_guard){.kind = WEAVE_IS, .expr = at.index, .number = i});
    touch_cell(x, one, e,
               cell_at(x, at.object, at.base + (uint64_t)(i * at.stride),
                       type.width, w.edge));
  }
  guard_by(&w, (weave_guard){.kind = WEAVE_OUTSIDE,
                             .expr = at.index,
                             .least = at.least,
                             .number = at.most});
  w.kind = WEAVE_FAIL;
  w.to = w.from;
  add(x, w);
}

/* --- the library --- */

static uint32_t lock_at(expander *x, const weave_edge *w, hd_cexpr_id id,
                        hd_library_kind kind) {
  weave_program *p = x->p;
  weave_known k = fold(p, w, id);
  uint64_t size = hd_library_place_bytes(kind, 64);
  bool plain = k.kind == WEAVE_POINTER && is_alive(x, k.object) && size &&
               size <= p->objects.data[k.object].size &&
               k.bits <= p->objects.data[k.object].size - size;
  if (plain && p->objects.data[k.object].frame == HD_NO_ID) {
    const uint8_t *bytes =
        p->code->globals.data[p->objects.data[k.object].index].bytes;
    for (uint64_t i = 0; bytes && i < size; i++)
      plain = plain && !bytes[k.bits + i];
  } else if (plain) {
    plain = p->objects.data[k.object].frame == 0;
  }
  if (!plain) {
    hd_weave_refuse(p, w->edge, "a lock that is none of a known place");
    return 0;
  }
  for (uint32_t i = 0; i < p->locks.size; i++)
    if (p->locks.data[i].object == k.object &&
        p->locks.data[i].offset == k.bits)
      return i;
  weave_lock made = {k.object, k.bits, size};
  if (p->locks.size == WEAVE_LOCKS)
    hd_weave_refuse(p, w->edge, "more than %d locks", WEAVE_LOCKS);
  else
    hd_vec_push(&p->locks, made);
  return (uint32_t)p->locks.size - 1;
}

static void lock_by(weave_edge *w, uint32_t lock, weave_kind kind) {
  w->kind = (uint8_t)kind;
  w->object = lock;
  w->touch.locks = (uint32_t)1 << lock;
}

static bool acquire(expander *x, weave_edge w, const hd_cedge *e,
                    hd_library_fn fn) {
  hd_library_kind kind = hd_library_kind_of(fn);
  if ((kind != HD_LIBRARY_MUTEX && kind != HD_LIBRARY_RWLOCK) ||
      e->n_operands < 2)
    return false;
  uint32_t lock = lock_at(x, &w, operand(x->p, e, 1), kind);
  bool shares = hd_library_is(fn, HD_CALL_SHARED);
  weave_edge fails = w;
  w.tries = hd_library_is(fn, HD_CALL_TRIES | HD_CALL_TIMED);
  lock_by(&w, lock, shares ? WEAVE_SHARE : WEAVE_LOCK);
  add_zero(x, w, e);
  if (!w.tries)
    return true;
  fails.touch.locks = (uint32_t)1 << lock;
  if (hd_library_is(fn, HD_CALL_TRIES))
    add_number(x, fails, e, hd_library_error(fn, EBUSY));
  else
    add_any(x, fails, e);
  return true;
}

static bool release(expander *x, weave_edge w, const hd_cedge *e,
                    hd_library_fn fn) {
  hd_library_kind kind = hd_library_kind_of(fn);
  if ((kind != HD_LIBRARY_MUTEX && kind != HD_LIBRARY_RWLOCK) ||
      e->n_operands < 2)
    return false;
  lock_by(&w, lock_at(x, &w, operand(x->p, e, 1), kind), WEAVE_UNLOCK);
  add_zero(x, w, e);
  return true;
}

/* Attributes other than the default: recursive, robust … */
static bool is_usual(expander *x, const weave_edge *w, const hd_cedge *e,
                     hd_library_fn fn) {
  if (e->n_operands < 3)
    return fn == HD_LIB_cnd_init;
  weave_known k = fold(x->p, w, operand(x->p, e, 2));
  return k.kind == WEAVE_NUMBER &&
         !(fn == HD_LIB_mtx_init ? k.bits & 1 : k.bits);
}

static bool make(expander *x, weave_edge w, const hd_cedge *e,
                 hd_library_fn fn) {
  hd_library_kind kind = hd_library_kind_of(fn);
  if (kind != HD_LIBRARY_MUTEX && kind != HD_LIBRARY_RWLOCK &&
      kind != HD_LIBRARY_COND)
    return false;
  bool makes = hd_library_action(fn) == HD_DO_MAKE;
  if (makes && !is_usual(x, &w, e, fn))
    return false;
  if (kind != HD_LIBRARY_COND)
    lock_by(&w, lock_at(x, &w, operand(x->p, e, 1), kind), WEAVE_MAKE);
  add_zero(x, w, e);
  return true;
}

/* The mutex is given away and taken again: who waits may wake up for no reason. */
static bool park(expander *x, weave_edge w, const hd_cedge *e) {
  if (e->n_operands < 3)
    return false;
  uint32_t lock = lock_at(x, &w, operand(x->p, e, 2), HD_LIBRARY_MUTEX);
  weave_edge takes = w;
  lock_by(&w, lock, WEAVE_UNLOCK);
  w.to = new_node(x);
  add(x, w);
  takes.from = w.to;
  lock_by(&takes, lock, WEAVE_LOCK);
  bool timed = hd_library_is(hd_call_of(x->p->code, e), HD_CALL_TIMED);
  if (timed)
    add_any(x, takes, e);
  else
    add_zero(x, takes, e);
  return true;
}

static bool input(expander *x, weave_edge w, const hd_cedge *e,
                  hd_library_fn fn) {
  weave_program *p = x->p;
  hd_input_type type = hd_library_input(fn);
  if (hd_library_stores_input(fn))
    return false;
  size_t first = p->assigns.size;
  weave_known *env = set_targets(x, &w, e, (weave_known){0});
  if (e->n_targets == 1) {
    weave_assign *a = &p->assigns.data[first];
    unsigned width = p->vars.data[a->var].width;
    unsigned bits = hd_input_bits(type, 64, width);
    bool sign = hd_input_signed(type);
    bits = bits && bits < width ? bits : width;
    a->value.least = sign ? -((hd_i128)1 << (bits - 1)) : 0;
    a->value.most = ((hd_i128)1 << (sign ? bits - 1 : bits)) - 1;
  }
  add_to(x, w, e, env);
  return true;
}

static uint32_t new_thread(weave_program *p, hd_func_id func,
                           uint32_t creator) {
  weave_thread *t = &p->threads[p->n_threads];
  weave_var result = {.width = 64, .cell = true};
  *t = (weave_thread){.func = func,
                      .creator = creator,
                      .result = (uint32_t)p->vars.size,
                      .end = 1,
                      .n_nodes = 2};
  hd_vec_push(&p->vars, result);
  t->frame = new_frame(p, func);
  t->arg = copy_env(p, func, NULL);
  return p->n_threads++;
}

/* Where the id goes: in memory that everyone sees, and nothing else does. */
static bool keep_id(expander *x, const weave_edge *w, hd_cexpr_id id,
                    uint32_t thread) {
  weave_program *p = x->p;
  weave_known k = fold(p, w, id);
  if (k.kind != WEAVE_POINTER || !is_alive(x, k.object) ||
      (p->objects.data[k.object].frame != HD_NO_ID &&
       p->objects.data[k.object].frame != 0) ||
      p->objects.data[k.object].size < 8 ||
      k.bits > p->objects.data[k.object].size - 8)
    return false;
  uint32_t known = handle_at(p, k.object, k.bits);
  weave_handle made = {k.object, k.bits, thread, 0};
  if (known == HD_NO_ID) {
    hd_vec_push(&p->handles, made);
    p->again = true;
    return true;
  }
  weave_handle *h = &p->handles.data[known];
  h->thread = h->thread == HD_NO_ID ? thread : many;
  return true;
}

static bool spawn(expander *x, weave_edge w, const hd_cedge *e,
                  hd_library_fn fn) {
  weave_program *p = x->p;
  bool posix = fn == HD_LIB_pthread_create;
  uint32_t at = posix ? 3 : 2;
  if ((!posix && fn != HD_LIB_thrd_create) || e->n_operands != at + 2)
    return false;
  weave_known start = fold(p, &w, operand(p, e, at));
  weave_known attr = fold(p, &w, operand(p, e, 2));
  if (start.kind != WEAVE_FUNC || !p->code->funcs.data[start.object].defined ||
      (posix && (attr.kind != WEAVE_NUMBER || attr.bits)))
    return false;
  if (p->n_threads == WEAVE_THREADS) {
    hd_weave_refuse(p, w.edge, "more than %d threads", WEAVE_THREADS - 1);
    return true;
  }
  const hd_func *g = &p->code->funcs.data[start.object];
  if (g->n_params > 1 || g->variadic)
    return false;
  w.kind = WEAVE_CREATE;
  w.object = new_thread(p, start.object, x->index);
  weave_thread *t = &p->threads[w.object];
  w.opens = t->frame;
  if (!keep_id(x, &w, operand(p, e, 1), w.object))
    return false;
  for (uint32_t i = 0; i < g->n_regs; i++) {
    uint32_t var = hd_weave_reg(p, t->frame, i);
    if (i < g->n_params)
      assign(p, &w, var, valued(p, &w, operand(p, e, at + 1)));
    else
      assign_any(p, &w, var);
  }
  if (g->n_params)
    know(p, start.object, t->arg, 0, fold(p, &w, operand(p, e, at + 1)));
  add_any(x, w, e);
  return true;
}

static bool join(expander *x, weave_edge w, const hd_cedge *e) {
  weave_program *p = x->p;
  if (e->n_operands < 2)
    return false;
  weave_known who = fold(p, &w, operand(p, e, 1));
  bool posix = hd_call_of(p->code, e) == HD_LIB_pthread_join;
  if (e->n_operands > 2) {
    weave_known into = fold(p, &w, operand(p, e, 2));
    bool null = into.kind == WEAVE_NUMBER && !into.bits;
    if (!null &&
        (!posix || into.kind != WEAVE_POINTER || !is_alive(x, into.object) ||
         into.bits > p->objects.data[into.object].size ||
         p->objects.data[into.object].size - into.bits < 8))
      return false;
    if (!null) {
      uint32_t cell = cell_at(x, into.object, into.bits, 64, w.edge);
      w.touch.writes |= (uint64_t)1 << cell;
      assign(p, &w, p->cells.data[cell].var,
             (weave_value){.kind = WEAVE_COPY, .var = HD_NO_ID}); /* whose? */
    }
  }
  if (who.kind != WEAVE_HANDLE) {
    if (!p->again)
      hd_weave_refuse(p, w.edge, "it is not known who is joined");
    return true;
  }
  w.kind = WEAVE_JOIN;
  w.object = who.object; /* the handle, until all are known */
  add_zero(x, w, e);
  return true;
}

/* Prints numbers, or texts. */
static bool prints(const expander *x, const hd_cedge *e, hd_library_fn fn) {
  bool good = !hd_library_does(fn, HD_ARG_WRITE | HD_ARG_FREE | HD_ARG_CALL);
  uint32_t pointers = 0;
  for (uint32_t i = 1; i < e->n_operands; i++)
    pointers += expr_at(x->p, e, i)->type.kind == HD_TYPE_PTR;
  return good && pointers <= 1;
}

/* A variable's life begins or ends: then it is anything. */
static bool begin_life(expander *x, weave_edge w, const hd_cedge *e) {
  for (uint32_t i = 1; i < e->n_operands; i++) {
    weave_known k = fold(x->p, &w, operand(x->p, e, i));
    if (k.kind != WEAVE_POINTER)
      continue;
    w.fresh = k.object;
    add_any(x, w, e);
    return true;
  }
  return false;
}

static bool check(expander *x, weave_edge w, const hd_cedge *e,
                  hd_action does) {
  if (e->n_operands < 2)
    return false;
  w.kind = does == HD_DO_ASSUME ? WEAVE_ASSUME : WEAVE_CHECK;
  guard_by(&w, (weave_guard){.kind = WEAVE_HOLDS, .expr = operand(x->p, e, 1)});
  add_any(x, w, e);
  return true;
}

static void end_by(expander *x, weave_edge w, weave_kind kind) {
  w.kind = (uint8_t)kind;
  w.to = w.from;
  add(x, w);
}

/* With its result, for who joins it. */
static void end_thread(expander *x, weave_edge w, const hd_cedge *e,
                       uint32_t i) {
  weave_program *p = x->p;
  bool given = i < e->n_operands &&
               p->code->exprs.data[operand(p, e, i)].type.width == 64;
  assign(p, &w, x->t->result,
         given ? valued(p, &w, operand(p, e, i)) : anything(64));
  w.to = x->t->end;
  add(x, w);
}

static bool treat(expander *x, weave_edge w, const hd_cedge *e,
                  hd_library_fn fn) {
  hd_action does = hd_library_action(fn);
  switch (does) {
  case HD_DO_INPUT:
    return input(x, w, e, fn);
  case HD_DO_ASSUME:
  case HD_DO_ASSERT:
    return check(x, w, e, does);
  case HD_DO_FAIL:
    end_by(x, w, WEAVE_FAIL);
    return true;
  case HD_DO_END:
  case HD_DO_ABORT:
    end_by(x, w, WEAVE_HALT);
    return true;
  case HD_DO_ENTER:
  case HD_DO_LEAVE:
    w.kind = does == HD_DO_ENTER ? WEAVE_ENTER : WEAVE_LEAVE;
    add_any(x, w, e);
    return true;
  case HD_DO_QUIT:
    if (!x->index)
      return false; /* others go on */
    end_thread(x, w, e, 1);
    return true;
  case HD_DO_SPAWN:
    return spawn(x, w, e, fn);
  case HD_DO_JOIN:
    return join(x, w, e);
  case HD_DO_ACQUIRE:
    return acquire(x, w, e, fn);
  case HD_DO_RELEASE:
    return release(x, w, e, fn);
  case HD_DO_MAKE:
  case HD_DO_UNMAKE:
    return make(x, w, e, fn);
  case HD_DO_PARK:
    return park(x, w, e);
  case HD_DO_WAKE:
  case HD_DO_YIELD:
    add_any(x, w, e);
    return true;
  case HD_DO_BIRTH:
  case HD_DO_DEATH:
    return begin_life(x, w, e);
  case HD_DO_PRINT:
    if (!prints(x, e, fn))
      return false;
    add_any(x, w, e);
    return true;
  case HD_DO_NONE:
  case HD_DO_REFUSED:
  case HD_DO_DETACH:
  case HD_DO_SELF:
  case HD_DO_SAME:
  case HD_DO_TUNE:
  case HD_DO_CANCEL:
  case HD_DO_MEND:
  case HD_DO_PEEK:
  case HD_DO_MEET:
  case HD_DO_ONCE:
  case HD_DO_KEY:
  case HD_DO_CLEANUP:
  case HD_DO_ALLOC:
  case HD_DO_RESIZE:
  case HD_DO_FREE:
  case HD_DO_COPY:
  case HD_DO_FILL:
  case HD_DO_LOOK:
  case HD_DO_EDIT:
  case HD_DO_PARSE:
  case HD_DO_SORT:
  case HD_DO_COMPUTE:
  case HD_DO_WRITE:
  case HD_DO_ATOMIC:
  case HD_DO_ATTR_MAKE:
  case HD_DO_ATTR_END:
  case HD_DO_ATTR_SET:
  case HD_DO_ATTR_GET:
  case HD_DO_STACK:
  case HD_DO_SLEEP:
  case HD_DO_CLOCK:
  case HD_DO_SEED:
  case HD_DO_HOST:
  case HD_DO_REGION:
  case HD_DO_UNREACHABLE:
  case HD_DO_AT_END:
  case HD_DO_JUMP:
  case HD_DO_MPI:
    break;
  }
  return false;
}

/* --- edges --- */

static void expand(expander *x, instance *in, uint32_t entry, weave_known *env);

static void call_function(expander *x, weave_edge w, const hd_cedge *e,
                          hd_func_id callee) {
  weave_program *p = x->p;
  const hd_func *g = &p->code->funcs.data[callee];
  bool again = x->in->depth >= DEPTH;
  for (const instance *in = x->in; in; in = in->up)
    again = again || in->func == callee;
  if (again || g->variadic || e->n_operands != g->n_params + 1) {
    hd_weave_refuse(p, w.edge, "recursion, or deep or odd calls");
    return;
  }
  uint32_t inner = new_frame(p, callee);
  weave_known *env = copy_env(p, callee, NULL);
  w.to = new_node(x);
  w.opens = inner;
  w.kind = hd_func_is_section(g) ? WEAVE_ENTER : WEAVE_STEP;
  for (uint32_t i = 0; i < g->n_regs; i++) {
    uint32_t var = hd_weave_reg(p, inner, i);
    if (i >= g->n_params) {
      assign_any(p, &w, var);
      continue;
    }
    assign(p, &w, var, valued(p, &w, operand(p, e, i + 1)));
    know(p, callee, env, i, fold(p, &w, operand(p, e, i + 1)));
  }
  add(x, w);
  instance made = {.up = x->in,
                   .func = callee,
                   .frame = inner,
                   .depth = x->in->depth + 1,
                   .call = e,
                   .env = w.env,
                   .section = w.kind == WEAVE_ENTER};
  expand(x, &made, w.to, env);
}

static void call(expander *x, weave_edge w, const hd_cedge *e) {
  weave_program *p = x->p;
  weave_known to = fold(p, &w, operand(p, e, 0));
  if (to.kind != WEAVE_FUNC) {
    hd_weave_refuse(p, w.edge, "a call through a pointer");
    return;
  }
  const hd_func *g = &p->code->funcs.data[to.object];
  if (g->defined) {
    if (hd_library_action(hd_library_find(g->name)) == HD_DO_FAIL)
      end_by(x, w, WEAVE_FAIL);
    else
      call_function(x, w, e, to.object);
    return;
  }
  hd_library_fn fn = hd_call_library(p->code, to.object);
  if (!treat(x, w, e, fn))
    hd_weave_refuse(p, w.edge, "%s is not treated",
                    fn == HD_LIB_NONE ? "a function that is not known"
                                      : hd_library_name(fn));
}

static void give_back(expander *x, weave_edge w, const hd_cedge *e) {
  weave_program *p = x->p;
  const instance *in = x->in;
  w.kind = in->section ? WEAVE_LEAVE : WEAVE_STEP;
  if (!in->up) {
    end_thread(x, w, e, 0);
    return;
  }
  weave_known *env = copy_env(p, in->up->func, in->env);
  for (uint32_t i = 0; i < in->call->n_targets; i++) {
    uint32_t reg = p->code->targets.data[in->call->targets + i];
    uint32_t var = hd_weave_reg(p, in->up->frame, reg);
    bool given = i < e->n_operands;
    if (given)
      assign(p, &w, var, valued(p, &w, operand(p, e, i)));
    else
      assign_any(p, &w, var);
    know(p, in->up->func, env, reg,
         given ? fold(p, &w, operand(p, e, i)) : (weave_known){0});
  }
  w.to = node_of(x, in->up, in->call->to, env);
  add(x, w);
}

static void step(expander *x, weave_edge w, const hd_cedge *e) {
  weave_program *p = x->p;
  if (e->guard != HD_NO_ID) {
    weave_known k = fold(p, &w, e->guard);
    if (k.kind == WEAVE_NUMBER && !k.bits)
      return;
    if (k.kind != WEAVE_NUMBER)
      guard_by(&w, (weave_guard){.kind = WEAVE_HOLDS, .expr = e->guard});
  }
  weave_known *env = copy_env(p, x->in->func, w.env);
  for (uint32_t i = 0; i < e->n_targets; i++) {
    uint32_t reg = p->code->targets.data[e->targets + i];
    assign(p, &w, hd_weave_reg(p, w.frame, reg),
           valued(p, &w, operand(p, e, i)));
    know(p, x->in->func, env, reg, fold(p, &w, operand(p, e, i)));
  }
  add_to(x, w, e, env);
}

static void one_edge(expander *x, hd_edge_id id, const place *from) {
  const hd_cedge *e = &x->p->code->edges.data[id];
  weave_edge w = {.from = from->node,
                  .kind = WEAVE_STEP,
                  .edge = id,
                  .frame = x->in->frame,
                  .env = from->env,
                  .fresh = HD_NO_ID,
                  .opens = HD_NO_ID};
  switch ((hd_code_act)e->act) {
  case HD_CODE_STEP:
    step(x, w, e);
    return;
  case HD_CODE_LOAD:
  case HD_CODE_STORE:
  case HD_CODE_RMW:
  case HD_CODE_CMPXCHG:
    memory(x, w, e);
    return;
  case HD_CODE_FENCE:
    add_any(x, w, e);
    return;
  case HD_CODE_CALL:
    call(x, w, e);
    return;
  case HD_CODE_RETURN:
    give_back(x, w, e);
    return;
  case HD_CODE_UNREACHABLE: /* behind what does not return */
    end_by(x, w, WEAVE_FAIL);
    return;
  case HD_CODE_ALLOCA:
  case HD_CODE_UNSUPPORTED:
    hd_weave_refuse(x->p, id, "not treated");
    return;
  }
}

/* All places of the call, from its first. */
static void expand(expander *x, instance *in, uint32_t entry,
                   weave_known *env) {
  weave_program *p = x->p;
  const hd_code *code = p->code;
  instance *outer = x->in;
  place first = {code->funcs.data[in->func].entry, entry, env};
  hd_vec_push(&in->places, first);
  x->in = in;
  for (size_t i = 0; i < in->places.size && !p->failed && !p->again; i++) {
    const place from = in->places.data[i];
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
    weave_assign a = {c->var, anything(p->vars.data[c->var].width)};
    hd_vec_push(&more, a);
    e->touch.writes |= (uint64_t)1 << i;
  }
  uint32_t first = e->assigns, n = more.size ? e->n_assigns : 0;
  if (more.size)
    e->n_assigns = 0;
  for (uint32_t i = 0; i < n; i++) {
    weave_assign a = p->assigns.data[first + i];
    assign(p, e, a.var, a.value);
  }
  for (hd_vec_each(const weave_assign, a, &more))
    assign(p, e, a->var, a->value);
  hd_vec_free(&more);
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
  p->again = p->failed = false;
  hd_vec_clear(p->why);
}

static void attempt(weave_program *p) {
  clear(p);
  for (uint32_t i = 0; i < p->code->globals.size; i++) {
    weave_object o = {HD_NO_ID, i, p->code->globals.data[i].size};
    hd_vec_push(&p->objects, o);
  }
  (void)new_thread(p, p->code->main, HD_NO_ID);
  for (uint32_t i = 0; i < p->n_threads && !p->failed && !p->again; i++) {
    weave_thread *t = &p->threads[i];
    expander x = {.p = p, .t = t, .index = i};
    instance in = {.func = t->func, .frame = t->frame};
    expand(&x, &in, t->entry, t->arg);
  }
}

static bool suits(const hd_code *code) {
  return code->main != HD_NO_ID && code->funcs.data[code->main].defined &&
         code->pointer_width == 64 && code->edges.size <= EDGES;
}

bool hd_weave_read(const hd_code *code, weave_program *p, hd_str *why) {
  *p = (weave_program){.code = code, .why = why};
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
  find_joined(p);
  for (uint32_t i = 0; i < p->n_threads; i++)
    for (hd_vec_each(weave_edge, e, &p->threads[i].edges))
      begin_lives(p, e);
  return !p->failed;
}
