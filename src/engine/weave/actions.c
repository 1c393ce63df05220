/* SPDX-License-Identifier: MIT */
/* What memory and the library do, as edges. */
#include "engine/weave/expand.h"

#include <errno.h>

static const uint32_t many = 0xfffffffe; /* threads whose id is stored there */

/* --- memory --- */

static void add_zero(weave_expander *x, weave_edge w, const hd_cedge *e) {
  hd_weave_add_number(x, w, e, 0);
}

static bool is_strong(const hd_cedge *e) {
  bool good = e->order == HD_ORDER_NONE || e->order == HD_ORDER_SEQ_CST;
  return good && (e->act != HD_CODE_CMPXCHG || e->failure == HD_ORDER_SEQ_CST ||
                  e->failure == HD_ORDER_NONE);
}

/* Is it there now, and the same for all? */
static bool is_alive(const weave_expander *x, uint32_t object) {
  const weave_program *p = x->p;
  const weave_object *o = &p->objects.data[object];
  if (o->frame == WEAVE_HEAP)
    return true;
  if (o->frame == HD_NO_ID) {
    const hd_global *g = &p->code->globals.data[o->index];
    return !g->thread_local && !g->external && !g->n_relocs;
  }
  bool found = o->frame == 0; /* main's: the run ends before */
  for (const weave_call *in = x->in; in && !found; in = in->up)
    found = in->frame == o->frame;
  return found;
}

static uint32_t cell_at(weave_expander *x, uint32_t object, uint64_t offset,
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

/* --- pointers in memory --- */

static weave_pointer *pointer_at(weave_program *p, uint32_t object,
                                 uint64_t offset) {
  for (hd_vec_each(weave_pointer, q, &p->pointers))
    if (q->object == object && q->offset == offset)
      return q;
  return NULL;
}

/* Something is stored there. */
static void note_store(weave_expander *x, uint32_t object, uint64_t offset,
                       weave_known value, weave_edge *w) {
  weave_program *p = x->p;
  weave_pointer *q = pointer_at(p, object, offset);
  bool points = value.kind == WEAVE_POINTER;
  if (!q && points && p->pointers.size < WEAVE_POINTERS) {
    weave_pointer made = {.object = object, .offset = offset, .now = value};
    hd_vec_push(&p->pointers, made);
    p->again = true;
    return;
  }
  if (!q || q->several)
    return;
  if (q->now.kind == WEAVE_UNKNOWN)
    q->now = value;
  if (!points || !hd_weave_alike(&q->now, &value)) {
    q->several = true;
    p->again = true;
  }
  w->sets = (uint32_t)(q - p->pointers.data);
}

/* What is loaded from there, if that is known. */
static weave_known loaded(weave_expander *x, uint32_t object, uint64_t offset,
                          weave_edge *w) {
  weave_pointer *q = pointer_at(x->p, object, offset);
  if (!q || q->several || q->value.kind == WEAVE_UNKNOWN)
    return (weave_known){0};
  w->needs = (uint32_t)(q - x->p->pointers.data);
  return q->value;
}

static void exchange(weave_expander *x, weave_edge w, const hd_cedge *e,
                     uint32_t var) {
  weave_program *p = x->p;
  weave_value old = {.kind = WEAVE_COPY, .var = var};
  for (int works = 0; works < 2; works++) {
    weave_edge one = w;
    weave_known *env = hd_weave_copy_env(p, x->in->func, w.env);
    if (works || !e->weak)
      hd_weave_guard_by(
          &one, (weave_guard){.kind = works ? WEAVE_EQUALS : WEAVE_DIFFERS,
                              .expr = hd_weave_operand(p, e, 1),
                              .var = var});
    if (works)
      hd_weave_assign(p, &one, var,
                      hd_weave_valued(p, &w, hd_weave_operand(p, e, 2)));
    for (uint32_t i = 0; i < e->n_targets; i++) {
      uint32_t reg = hd_code_target(p->code, e, i);
      hd_weave_assign(p, &one, hd_weave_reg(p, w.frame, reg),
                      i ? hd_weave_bits((uint64_t)works) : old);
      hd_weave_know(p, x->in->func, env, reg, (weave_known){0});
    }
    hd_weave_add_to(x, one, e, env);
  }
}

/* The access to one cell. */
static void touch_cell(weave_expander *x, weave_edge w, const hd_cedge *e,
                       uint32_t cell) {
  weave_program *p = x->p;
  const weave_cell at = p->cells.data[cell];
  uint32_t var = at.var;
  bool loads = e->act == HD_CODE_LOAD;
  weave_known found = {0}, stored = {0};
  if (e->act == HD_CODE_STORE)
    stored = hd_weave_known_of(p, &w, hd_weave_operand(p, e, 1));
  if (!loads)
    note_store(x, at.object, at.offset, stored, &w);
  else if (p->vars.data[var].width == 64)
    found = loaded(x, at.object, at.offset, &w);
  weave_value old = {.kind = WEAVE_COPY, .var = var};
  w.touch.reads |= e->act != HD_CODE_STORE ? (uint64_t)1 << cell : 0;
  w.touch.writes |= loads ? 0 : (uint64_t)1 << cell;
  if (e->act == HD_CODE_CMPXCHG) {
    exchange(x, w, e, var);
    return;
  }
  if (!loads) {
    weave_value fresh = hd_weave_valued(p, &w, hd_weave_operand(p, e, 1));
    if (e->act == HD_CODE_RMW && e->rmw != HD_RMW_XCHG)
      fresh = (weave_value){.kind = WEAVE_MIXED,
                            .rmw = e->rmw,
                            .expr = hd_weave_operand(p, e, 1),
                            .var = var};
    hd_weave_assign(p, &w, var, fresh);
  }
  weave_known *env = hd_weave_copy_env(p, x->in->func, w.env);
  for (uint32_t i = 0; i < e->n_targets; i++) {
    uint32_t reg = hd_code_target(p->code, e, i);
    hd_weave_assign(p, &w, hd_weave_reg(p, w.frame, reg), old);
    hd_weave_know(p, x->in->func, env, reg, found);
  }
  hd_weave_add_to(x, w, e, env);
}

/* The id of a thread is read. */
static void read_id(weave_expander *x, weave_edge w, const hd_cedge *e,
                    uint32_t handle) {
  weave_program *p = x->p;
  if (e->act != HD_CODE_LOAD) {
    hd_weave_refuse(p, w.edge, "an id of a thread is written");
    return;
  }
  weave_known *env = hd_weave_set_targets(x, &w, e, (weave_known){0});
  hd_weave_know(p, x->in->func, env, hd_code_target(p->code, e, 0),
                (weave_known){.kind = WEAVE_HANDLE, .object = handle});
  w.kind = WEAVE_KNOWS;
  w.object = handle;
  p->handles.data[handle].readers |= 1u << x->index;
  hd_weave_add_to(x, w, e, env);
}

void hd_weave_memory(weave_expander *x, weave_edge w, const hd_cedge *e) {
  weave_program *p = x->p;
  const hd_func *f = &p->code->funcs.data[x->in->func];
  hd_type type =
      e->act == HD_CODE_LOAD
          ? p->code->regs.data[f->regs + hd_code_target(p->code, e, 0)].type
          : hd_weave_expr_at(p, e, 1)->type;
  weave_places at;
  if (type.kind == HD_TYPE_FLOAT || type.width % 8 ||
      !hd_weave_places(p, w.frame, w.env, hd_weave_operand(p, e, 0),
                       type.width / 8u, &at) ||
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
    hd_weave_guard_by(
        &one, (weave_guard){.kind = WEAVE_IS, .expr = at.index, .number = i});
    touch_cell(x, one, e,
               cell_at(x, at.object, at.base + (uint64_t)(i * at.stride),
                       type.width, w.edge));
  }
  hd_weave_guard_by(&w, (weave_guard){.kind = WEAVE_OUTSIDE,
                                      .expr = at.index,
                                      .least = at.least,
                                      .number = at.most});
  w.kind = WEAVE_FAIL;
  w.to = w.from;
  hd_weave_add(x, w);
}

/* --- the library --- */

static uint32_t lock_at(weave_expander *x, const weave_edge *w, hd_cexpr_id id,
                        hd_library_kind kind) {
  weave_program *p = x->p;
  weave_known k = hd_weave_known_of(p, w, id);
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
    plain = p->objects.data[k.object].frame == 0 ||
            p->objects.data[k.object].frame == WEAVE_HEAP;
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

static bool acquire(weave_expander *x, weave_edge w, const hd_cedge *e,
                    hd_library_fn fn) {
  hd_library_kind kind = hd_library_kind_of(fn);
  if ((kind != HD_LIBRARY_MUTEX && kind != HD_LIBRARY_RWLOCK) ||
      e->n_operands < 2)
    return false;
  uint32_t lock = lock_at(x, &w, hd_weave_operand(x->p, e, 1), kind);
  bool shares = hd_library_is(fn, HD_CALL_SHARED);
  weave_edge fails = w;
  w.tries = hd_library_is(fn, HD_CALL_TRIES | HD_CALL_TIMED);
  lock_by(&w, lock, shares ? WEAVE_SHARE : WEAVE_LOCK);
  add_zero(x, w, e);
  if (!w.tries)
    return true;
  fails.touch.locks = (uint32_t)1 << lock;
  if (hd_library_is(fn, HD_CALL_TRIES))
    hd_weave_add_number(x, fails, e, hd_library_error(fn, EBUSY));
  else
    hd_weave_add_any(x, fails, e);
  return true;
}

static bool release(weave_expander *x, weave_edge w, const hd_cedge *e,
                    hd_library_fn fn) {
  hd_library_kind kind = hd_library_kind_of(fn);
  if ((kind != HD_LIBRARY_MUTEX && kind != HD_LIBRARY_RWLOCK) ||
      e->n_operands < 2)
    return false;
  lock_by(&w, lock_at(x, &w, hd_weave_operand(x->p, e, 1), kind), WEAVE_UNLOCK);
  add_zero(x, w, e);
  return true;
}

/* Attributes other than the default: recursive, robust … */
static bool is_usual(weave_expander *x, const weave_edge *w, const hd_cedge *e,
                     hd_library_fn fn) {
  if (e->n_operands < 3)
    return fn == HD_LIB_cnd_init;
  weave_known k = hd_weave_known_of(x->p, w, hd_weave_operand(x->p, e, 2));
  return k.kind == WEAVE_NUMBER &&
         !(fn == HD_LIB_mtx_init ? k.bits & 1 : k.bits);
}

static bool make(weave_expander *x, weave_edge w, const hd_cedge *e,
                 hd_library_fn fn) {
  hd_library_kind kind = hd_library_kind_of(fn);
  if (kind != HD_LIBRARY_MUTEX && kind != HD_LIBRARY_RWLOCK &&
      kind != HD_LIBRARY_COND)
    return false;
  bool makes = hd_library_action(fn) == HD_DO_MAKE;
  if (makes && !is_usual(x, &w, e, fn))
    return false;
  if (kind != HD_LIBRARY_COND)
    lock_by(&w, lock_at(x, &w, hd_weave_operand(x->p, e, 1), kind), WEAVE_MAKE);
  add_zero(x, w, e);
  return true;
}

/* The mutex is given away and taken again: who waits may wake up for no reason. */
static bool park(weave_expander *x, weave_edge w, const hd_cedge *e) {
  if (e->n_operands < 3)
    return false;
  uint32_t lock =
      lock_at(x, &w, hd_weave_operand(x->p, e, 2), HD_LIBRARY_MUTEX);
  weave_edge takes = w;
  lock_by(&w, lock, WEAVE_UNLOCK);
  w.to = hd_weave_new_node(x);
  hd_weave_add(x, w);
  takes.from = w.to;
  lock_by(&takes, lock, WEAVE_LOCK);
  bool timed = hd_library_is(hd_call_of(x->p->code, e), HD_CALL_TIMED);
  if (timed)
    hd_weave_add_any(x, takes, e);
  else
    add_zero(x, takes, e);
  return true;
}

static bool input(weave_expander *x, weave_edge w, const hd_cedge *e,
                  hd_library_fn fn) {
  weave_program *p = x->p;
  hd_input_type type = hd_library_input(fn);
  if (hd_library_stores_input(fn))
    return false;
  size_t first = p->assigns.size;
  weave_known *env = hd_weave_set_targets(x, &w, e, (weave_known){0});
  if (e->n_targets == 1) {
    weave_assign *a = &p->assigns.data[first];
    unsigned width = p->vars.data[a->var].width;
    unsigned bits = hd_input_bits(type, 64, width);
    bool sign = hd_input_signed(type);
    bits = bits && bits < width ? bits : width;
    a->value.least = sign ? -((hd_i128)1 << (bits - 1)) : 0;
    a->value.most = ((hd_i128)1 << (sign ? bits - 1 : bits)) - 1;
  }
  hd_weave_add_to(x, w, e, env);
  return true;
}

/* Where the id goes: in memory that everyone sees, and nothing else does. */
static bool keep_id(weave_expander *x, const weave_edge *w, hd_cexpr_id id,
                    uint32_t thread) {
  weave_program *p = x->p;
  weave_known k = hd_weave_known_of(p, w, id);
  if (k.kind != WEAVE_POINTER || !is_alive(x, k.object) ||
      (p->objects.data[k.object].frame != HD_NO_ID &&
       p->objects.data[k.object].frame != WEAVE_HEAP &&
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

static bool spawn(weave_expander *x, weave_edge w, const hd_cedge *e,
                  hd_library_fn fn) {
  weave_program *p = x->p;
  bool posix = fn == HD_LIB_pthread_create;
  uint32_t at = posix ? 3 : 2;
  if ((!posix && fn != HD_LIB_thrd_create) || e->n_operands != at + 2)
    return false;
  weave_known start = hd_weave_known_of(p, &w, hd_weave_operand(p, e, at));
  weave_known attr = hd_weave_known_of(p, &w, hd_weave_operand(p, e, 2));
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
  w.object = hd_weave_new_thread(p, start.object, x->index);
  weave_thread *t = &p->threads[w.object];
  w.opens = t->frame;
  if (!keep_id(x, &w, hd_weave_operand(p, e, 1), w.object))
    return false;
  for (uint32_t i = 0; i < g->n_regs; i++) {
    uint32_t var = hd_weave_reg(p, t->frame, i);
    if (i < g->n_params)
      hd_weave_assign(p, &w, var,
                      hd_weave_valued(p, &w, hd_weave_operand(p, e, at + 1)));
    else
      hd_weave_assign_any(p, &w, var);
  }
  if (g->n_params)
    hd_weave_know(p, start.object, t->arg, 0,
                  hd_weave_known_of(p, &w, hd_weave_operand(p, e, at + 1)));
  hd_weave_add_any(x, w, e);
  return true;
}

static bool join(weave_expander *x, weave_edge w, const hd_cedge *e) {
  weave_program *p = x->p;
  if (e->n_operands < 2)
    return false;
  weave_known who = hd_weave_known_of(p, &w, hd_weave_operand(p, e, 1));
  bool posix = hd_call_of(p->code, e) == HD_LIB_pthread_join;
  if (e->n_operands > 2) {
    weave_known into = hd_weave_known_of(p, &w, hd_weave_operand(p, e, 2));
    bool null = into.kind == WEAVE_NUMBER && !into.bits;
    if (!null &&
        (!posix || into.kind != WEAVE_POINTER || !is_alive(x, into.object) ||
         into.bits > p->objects.data[into.object].size ||
         p->objects.data[into.object].size - into.bits < 8))
      return false;
    if (!null) {
      uint32_t cell = cell_at(x, into.object, into.bits, 64, w.edge);
      note_store(x, into.object, into.bits, (weave_known){0}, &w);
      w.touch.writes |= (uint64_t)1 << cell;
      hd_weave_assign(
          p, &w, p->cells.data[cell].var,
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

/* A block of a known size, which is there once. */
static bool allocate(weave_expander *x, weave_edge w, const hd_cedge *e,
                     hd_library_fn fn) {
  weave_program *p = x->p;
  const uint64_t most = 1u << 20;
  uint64_t size = 1;
  if ((fn != HD_LIB_malloc && fn != HD_LIB_calloc) || p->malloc_fails)
    return false;
  for (uint32_t i = 1; i < e->n_operands; i++) {
    weave_known k = hd_weave_known_of(p, &w, hd_weave_operand(p, e, i));
    if (k.kind != WEAVE_NUMBER || !k.bits || k.bits > most)
      return false;
    size *= k.bits;
  }
  if (size > most || e->n_targets != 1)
    return false;
  weave_object o = {WEAVE_HEAP, 0, size};
  hd_vec_push(&p->objects, o);
  w.fresh = (uint32_t)p->objects.size - 1;
  w.zeroed = hd_library_is(fn, HD_CALL_CLEARS);
  w.once = true;
  weave_known *env = hd_weave_set_targets(x, &w, e, (weave_known){0});
  hd_weave_know(p, x->in->func, env, p->code->targets.data[e->targets],
                (weave_known){.kind = WEAVE_POINTER, .object = w.fresh});
  hd_weave_add_to(x, w, e, env);
  return true;
}

/* What was there is anything from then on. */
static bool give_up_block(weave_expander *x, weave_edge w, const hd_cedge *e) {
  weave_program *p = x->p;
  weave_known k = {0};
  if (e->n_operands == 2)
    k = hd_weave_known_of(p, &w, hd_weave_operand(p, e, 1));
  bool null = k.kind == WEAVE_NUMBER && !k.bits;
  if (!null && (k.kind != WEAVE_POINTER || k.bits ||
                p->objects.data[k.object].frame != WEAVE_HEAP))
    return false;
  if (!null)
    w.fresh = k.object;
  hd_weave_add_any(x, w, e);
  return true;
}

/* Prints numbers, or texts. */
static bool prints(const weave_expander *x, const hd_cedge *e,
                   hd_library_fn fn) {
  bool good = !hd_library_does(fn, HD_ARG_WRITE | HD_ARG_FREE | HD_ARG_CALL);
  uint32_t pointers = 0;
  for (uint32_t i = 1; i < e->n_operands; i++)
    pointers += hd_weave_expr_at(x->p, e, i)->type.kind == HD_TYPE_PTR;
  return good && pointers <= 1;
}

/* A variable's life begins or ends: then it is anything. */
static bool begin_life(weave_expander *x, weave_edge w, const hd_cedge *e) {
  for (uint32_t i = 1; i < e->n_operands; i++) {
    weave_known k = hd_weave_known_of(x->p, &w, hd_weave_operand(x->p, e, i));
    if (k.kind != WEAVE_POINTER)
      continue;
    w.fresh = k.object;
    hd_weave_add_any(x, w, e);
    return true;
  }
  return false;
}

static bool check(weave_expander *x, weave_edge w, const hd_cedge *e,
                  hd_action does) {
  if (e->n_operands < 2)
    return false;
  w.kind = does == HD_DO_ASSUME ? WEAVE_ASSUME : WEAVE_CHECK;
  hd_weave_guard_by(&w, (weave_guard){.kind = WEAVE_HOLDS,
                                      .expr = hd_weave_operand(x->p, e, 1)});
  hd_weave_add_any(x, w, e);
  return true;
}

bool hd_weave_treat(weave_expander *x, weave_edge w, const hd_cedge *e,
                    hd_library_fn fn) {
  hd_action does = hd_library_action(fn);
  switch (does) {
  case HD_DO_INPUT:
    return input(x, w, e, fn);
  case HD_DO_ASSUME:
  case HD_DO_ASSERT:
    return check(x, w, e, does);
  case HD_DO_FAIL:
    hd_weave_end_by(x, w, WEAVE_FAIL);
    return true;
  case HD_DO_END:
  case HD_DO_ABORT:
    hd_weave_end_by(x, w, WEAVE_HALT);
    return true;
  case HD_DO_ENTER:
  case HD_DO_LEAVE:
    w.kind = does == HD_DO_ENTER ? WEAVE_ENTER : WEAVE_LEAVE;
    hd_weave_add_any(x, w, e);
    return true;
  case HD_DO_QUIT:
    if (!x->index)
      return false; /* others go on */
    hd_weave_end_thread(x, w, e, 1);
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
    hd_weave_add_any(x, w, e);
    return true;
  case HD_DO_ALLOC:
    return allocate(x, w, e, fn);
  case HD_DO_FREE:
    return give_up_block(x, w, e);
  case HD_DO_BIRTH:
  case HD_DO_DEATH:
    return begin_life(x, w, e);
  case HD_DO_PRINT:
    if (!prints(x, e, fn))
      return false;
    hd_weave_add_any(x, w, e);
    return true;
  case HD_DO_NONE:
  case HD_DO_REFUSED:
  case HD_DO_DETACH:
  case HD_DO_SELF:
  case HD_DO_SAME:
  case HD_DO_CANCEL:
  case HD_DO_MEND:
  case HD_DO_PEEK:
  case HD_DO_MEET:
  case HD_DO_ONCE:
  case HD_DO_KEY:
  case HD_DO_CLEANUP:
  case HD_DO_RESIZE:
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
