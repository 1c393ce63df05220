/* SPDX-License-Identifier: MIT */
/* The machine tells which edges its threads execute; the shadow executes them on
 * terms over bit vectors, in which the inputs are variables. Guards that depend on
 * them are what the inputs decided. Addresses are the shadow's own: the number of
 * an object, counted from 1, in the upper half and the offset in the lower one.
 * Memory is kept by address and size, as it was stored; everything else in it is
 * not known, and neither are floats, wide integers and what most library functions
 * give. Since all answers are tried out by the machine, that costs completeness
 * only. */
#include "engine/explore/shadow.h"

#include "base/hash.h"
#include "model/calls.h"
#include "model/code_term.h"

#include <string.h>

enum { MAX_TERMS = 400000 };

/* Of a register or of memory; 0: not known. */
typedef uint32_t value; /* a term, plus 1 */

typedef struct {
  value v;
  uint32_t bytes;
} cell;

#define HD_MAP cell_map
#define HD_KEY uint64_t
#define HD_VAL cell
#define HD_HASH(k) hd_hash_mix(k, 0)
#define HD_EQ(a, b) ((a) == (b))
#include "base/map_templ.h"

typedef struct {
  hd_func_id func;
  hd_edge_id call; /* in the frame below */
  uint64_t slots;  /* the number of its first object */
  hd_vec(value) regs;
} frame;

typedef struct {
  hd_vec(frame) frames;
} thread;

struct hd_shadow {
  const hd_code *code;
  hd_bv *bv;
  hd_vec(thread) threads;
  cell_map cells;
  hd_decisions decisions;
  hd_bv_terms inputs;
  uint64_t objects; /* globals come first */
  value passed;     /* to the thread that is created next … */
  hd_func_id entry; /* … and what it runs; HD_NO_ID: not known */
  size_t terms;
  bool lost; /* nothing is known any more */
};

/* --- values --- */

static value known(hd_bv_term t) {
  return t + 1;
}

static bool is_known(value v) {
  return v != 0;
}

static value constant(hd_shadow *s, uint8_t width, uint64_t bits) {
  if (width < 1 || width > 64)
    return 0;
  return known(hd_bv_const(s->bv, width, bits));
}

static bool const_of(const hd_shadow *s, value v, uint64_t *bits) {
  return is_known(v) && hd_bv_is_const(s->bv, v - 1, bits);
}

static value eval(hd_shadow *s, const frame *f, hd_cexpr_id id);

/* All operands, and the result. */
static value operate(hd_shadow *s, const frame *f, const hd_cexpr *e) {
  hd_bv_term args[3], out;
  for (int i = 0; i < hd_code_op_arity(e->op); i++) {
    value v = eval(s, f, e->args[i]);
    if (!is_known(v))
      return 0;
    args[i] = v - 1;
  }
  bool good =
      e->type.width <= 64 && hd_code_term(s->bv, (hd_code_op)e->op,
                                          (uint8_t)e->type.width, args, &out);
  return good ? known(out) : 0;
}

static value select(hd_shadow *s, const frame *f, const hd_cexpr *e) {
  value c = eval(s, f, e->args[0]);
  value yes = eval(s, f, e->args[1]), no = eval(s, f, e->args[2]);
  uint64_t bit;
  if (const_of(s, c, &bit))
    return bit ? yes : no;
  if (!is_known(c) || !is_known(yes) || !is_known(no) ||
      hd_bv_width(s->bv, yes - 1) != hd_bv_width(s->bv, no - 1))
    return 0;
  return known(hd_bv_choose(s->bv, c - 1, yes - 1, no - 1));
}

static value add_distance(hd_shadow *s, const frame *f, const hd_cexpr *e) {
  value base = eval(s, f, e->args[0]), by = eval(s, f, e->args[1]);
  if (!is_known(base) || !is_known(by))
    return 0;
  uint8_t width = hd_bv_width(s->bv, base - 1);
  hd_bv_term far = hd_bv_resize(s->bv, by - 1, width, true);
  return known(hd_bv_apply(s->bv, HD_BV_ADD, base - 1, far));
}

static value eval(hd_shadow *s, const frame *f, hd_cexpr_id id) {
  assert(id < s->code->exprs.size);
  const hd_cexpr *e = &s->code->exprs.data[id];
  uint8_t pointer = (uint8_t)s->code->pointer_width;
  if (s->lost || ++s->terms > MAX_TERMS || e->type.kind == HD_TYPE_FLOAT)
    return 0;
  switch ((hd_code_op)e->op) {
  case HD_CODE_INT:
    return constant(s, (uint8_t)e->type.width, e->value);
  case HD_CODE_NULL:
    return constant(s, pointer, 0);
  case HD_CODE_REG:
    return f ? f->regs.data[e->value] : 0;
  case HD_CODE_GLOBAL:
    return pointer == 64 ? constant(s, 64, (e->value + 1) << 32) : 0;
  case HD_CODE_SLOT:
    return f && pointer == 64 ? constant(s, 64, (f->slots + e->value) << 32)
                              : 0;
  case HD_CODE_PTRADD:
    return add_distance(s, f, e);
  case HD_CODE_SELECT:
    return select(s, f, e);
  default:
    return hd_code_op_arity(e->op) ? operate(s, f, e) : 0;
  }
}

static value operand(hd_shadow *s, const frame *f, const hd_cedge *e,
                     uint32_t i) {
  return i < e->n_operands ? eval(s, f, s->code->operands.data[e->operands + i])
                           : 0;
}

static void set(hd_shadow *s, frame *f, const hd_cedge *e, uint32_t i,
                value v) {
  if (i < e->n_targets)
    f->regs.data[s->code->targets.data[e->targets + i]] = v;
}

/* --- memory --- */

static void forget_memory(hd_shadow *s) {
  cell_map_free(&s->cells);
  s->cells = (cell_map){0};
  s->lost = true; /* what globals were in the beginning does not hold either */
}

static void store(hd_shadow *s, value address, uint32_t bytes, value v) {
  uint64_t at;
  if (!const_of(s, address, &at)) {
    forget_memory(s);
    return;
  }
  for (uint64_t near = at - 7; near != at + bytes; near++) {
    cell *old = cell_map_find(&s->cells, near);
    if (old && near + old->bytes > at)
      old->v = 0; /* kept: it is not what it was in the beginning */
  }
  *cell_map_put(&s->cells, at, (cell){0}, NULL) = (cell){v, bytes};
}

/* As it was in the beginning, where nobody has written. */
static value initial(hd_shadow *s, uint64_t at, uint32_t bytes) {
  uint64_t object = at >> 32, offset = at & UINT32_MAX, bits = 0;
  if (object < 1 || object > s->code->globals.size)
    return 0;
  const hd_global *g = &s->code->globals.data[object - 1];
  if (g->external || g->thread_local || g->n_relocs || offset + bytes > g->size)
    return 0;
  for (uint32_t i = 0; g->bytes && i < bytes; i++)
    bits |= (uint64_t)g->bytes[offset + i] << 8 * i;
  return constant(s, (uint8_t)(8 * bytes), bits);
}

static value load(hd_shadow *s, value address, uint32_t bytes) {
  uint64_t at;
  if (!const_of(s, address, &at) || bytes > 8)
    return 0;
  bool touched = false;
  for (uint64_t near = at - 7; near != at + bytes; near++) {
    const cell *c = cell_map_find(&s->cells, near);
    if (c && near == at && c->bytes == bytes)
      return c->v;
    touched = touched || (c && near + c->bytes > at);
  }
  return touched ? 0 : initial(s, at, bytes);
}

/* To or from the whole bytes that memory has. */
static value fit(hd_shadow *s, value v, uint32_t width) {
  return is_known(v) && width >= 1 && width <= 64
             ? known(hd_bv_resize(s->bv, v - 1, (uint8_t)width, false))
             : 0;
}

static hd_type type_of_target(const hd_shadow *s, const frame *f,
                              const hd_cedge *e) {
  const hd_func *func = &s->code->funcs.data[f->func];
  return s->code->regs.data[func->regs + s->code->targets.data[e->targets]]
      .type;
}

static void take_load(hd_shadow *s, frame *f, const hd_cedge *e) {
  hd_type type = type_of_target(s, f, e);
  value v = load(s, operand(s, f, e, 0), hd_type_bytes(type));
  set(s, f, e, 0, type.kind == HD_TYPE_FLOAT ? 0 : fit(s, v, type.width));
}

static void take_store(hd_shadow *s, frame *f, const hd_cedge *e) {
  hd_type type =
      s->code->exprs.data[s->code->operands.data[e->operands + 1]].type;
  uint32_t bytes = hd_type_bytes(type);
  store(s, operand(s, f, e, 0), bytes, fit(s, operand(s, f, e, 1), 8 * bytes));
}

/* Additions and exchanges are followed, others are not. */
static void take_rmw(hd_shadow *s, frame *f, const hd_cedge *e) {
  hd_type type = type_of_target(s, f, e);
  uint32_t bytes = hd_type_bytes(type);
  value address = operand(s, f, e, 0), fresh = 0;
  value old = load(s, address, bytes), by = operand(s, f, e, 1);
  if (type.width != 8 * bytes || e->act != HD_CODE_RMW)
    old = 0;
  if (e->act == HD_CODE_RMW && e->rmw == HD_RMW_XCHG)
    fresh = by;
  else if (is_known(old) && is_known(by) && e->rmw == HD_RMW_ADD)
    fresh = known(hd_bv_apply(s->bv, HD_BV_ADD, old - 1, by - 1));
  else if (is_known(old) && is_known(by) && e->rmw == HD_RMW_SUB)
    fresh = known(hd_bv_apply(s->bv, HD_BV_SUB, old - 1, by - 1));
  store(s, address, bytes, fresh);
  set(s, f, e, 0, old);
  set(s, f, e, 1, 0);
}

/* --- calls --- */

static void push(hd_shadow *s, thread *t, hd_func_id func, hd_edge_id call) {
  assert(func < s->code->funcs.size);
  const hd_func *f = &s->code->funcs.data[func];
  frame fresh = {.func = func, .call = call, .slots = s->objects};
  s->objects += f->n_slots;
  for (uint32_t i = 0; i < f->n_regs; i++)
    hd_vec_push(&fresh.regs, (value)0);
  hd_vec_push(&t->frames, fresh);
}

static void pop(thread *t) {
  hd_vec_free(&hd_vec_last(&t->frames).regs);
  (void)hd_vec_pop(&t->frames);
}

static bool decides(const hd_shadow *s, value v) {
  uint64_t bits;
  return is_known(v) && !hd_bv_is_const(s->bv, v - 1, &bits);
}

static void decided(hd_shadow *s, value v, bool truth) {
  if (!decides(s, v))
    return;
  hd_bv_term t = v - 1;
  if (hd_bv_width(s->bv, t) != 1)
    t = hd_bv_not(s->bv,
                  hd_bv_apply(s->bv, HD_BV_EQ, t,
                              hd_bv_const(s->bv, hd_bv_width(s->bv, t), 0)));
  hd_decision d = {truth ? t : hd_bv_not(s->bv, t), s->inputs.size, false};
  hd_vec_push(&s->decisions, d);
}

/* Of an assertion or assumption: whether it holds is seen by how the run goes
 * on. */
static void open_decision(hd_shadow *s, value v) {
  size_t before = s->decisions.size;
  decided(s, v, true);
  if (s->decisions.size > before)
    hd_vec_last(&s->decisions).open = true;
}

/* The thread's parameter is the fourth operand, or the third of thrd_create. */
static void note_creation(hd_shadow *s, frame *f, const hd_cedge *e,
                          hd_library_fn fn) {
  uint32_t at = 1 + (uint32_t)hd_library_arg_at(fn, HD_ARG_CALL);
  const hd_cexpr *entry =
      &s->code->exprs.data[s->code->operands.data[e->operands + at]];
  s->entry = entry->op == HD_CODE_FUNC ? (hd_func_id)entry->value : HD_NO_ID;
  s->passed = operand(s, f, e, at + 1);
  store(s, operand(s, f, e, 1), s->code->pointer_width / 8, 0);
  set(s, f, e, 0, constant(s, 32, 0));
}

static void note_input(hd_shadow *s, frame *f, const hd_cedge *e,
                       hd_library_fn fn) {
  if (hd_library_stores_input(fn))
    forget_memory(s);
  if (!e->n_targets)
    return;
  hd_type type = type_of_target(s, f, e);
  bool good = type.kind == HD_TYPE_INT && type.width <= 64;
  hd_bv_term t = hd_bv_var(s->bv, good ? (uint8_t)type.width : 64);
  hd_vec_push(&s->inputs, t);
  set(s, f, e, 0, good ? known(t) : 0);
}

/* The result of the thread, of which nothing is known, goes where it should. */
static void note_join(hd_shadow *s, frame *f, const hd_cedge *e) {
  uint64_t null;
  value to = e->n_operands > 2 ? operand(s, f, e, 2) : 0;
  if (e->n_operands > 2 && (!const_of(s, to, &null) || null))
    store(s, to, s->code->pointer_width / 8, 0);
  set(s, f, e, 0, constant(s, 32, 0));
}

/* Something that the program can look into? Who prints says in a format that it
 * writes, which few do. */
static bool may_write(hd_library_fn fn) {
  if (hd_library_format_at(fn) >= 0)
    return false;
  for (uint32_t i = 0; i < strlen(hd_library_args(fn)); i++) {
    unsigned effects = hd_library_arg(fn, i);
    if (effects & HD_ARG_WRITE && !(effects & HD_ARG_PLACE))
      return true;
  }
  return hd_library_does(fn, HD_ARG_CALL);
}

static void call_library(hd_shadow *s, frame *f, const hd_cedge *e,
                         hd_library_fn fn) {
  hd_action action = hd_library_action(fn);
  if (action == HD_DO_INPUT) {
    note_input(s, f, e, fn);
  } else if (action == HD_DO_SPAWN) {
    note_creation(s, f, e, fn);
  } else if (action == HD_DO_JOIN) {
    note_join(s, f, e);
  } else if ((action == HD_DO_ASSUME || action == HD_DO_ASSERT) &&
             e->n_operands > 1) {
    open_decision(s, operand(s, f, e, 1));
  } else if (hd_library_gives(fn) == HD_GIVES_FRESH) {
    set(s, f, e, 0,
        s->code->pointer_width == 64 ? constant(s, 64, s->objects++ << 32) : 0);
  } else {
    if (may_write(fn))
      forget_memory(s);
    set(s, f, e, 0, 0);
  }
}

static void take_call(hd_shadow *s, thread *t, hd_edge_id id) {
  assert(id < s->code->edges.size);
  const hd_cedge *e = &s->code->edges.data[id];
  frame *f = &hd_vec_last(&t->frames);
  const hd_cexpr *callee =
      &s->code->exprs.data[s->code->operands.data[e->operands]];
  if (callee->op != HD_CODE_FUNC) {
    s->lost = true;
    return;
  }
  hd_func_id func = (hd_func_id)callee->value;
  const hd_func *g = &s->code->funcs.data[func];
  if (!g->defined) {
    call_library(s, f, e, hd_library_find(g->name));
    return;
  }
  value args[16];
  uint32_t n = g->n_params < 16 ? g->n_params : 16;
  for (uint32_t i = 0; i < n; i++)
    args[i] = operand(s, f, e, 1 + i);
  push(s, t, func, id);
  for (uint32_t i = 0; i < n; i++)
    hd_vec_last(&t->frames).regs.data[i] = args[i];
}

static void take_return(hd_shadow *s, thread *t, const hd_cedge *e) {
  value v = operand(s, &hd_vec_last(&t->frames), e, 0);
  hd_edge_id call = hd_vec_last(&t->frames).call;
  if (t->frames.size == 1)
    return;
  pop(t);
  const hd_cedge *c = &s->code->edges.data[call];
  for (uint32_t i = 0; i < c->n_targets; i++)
    set(s, &hd_vec_last(&t->frames), c, i, i ? 0 : v);
}

/* --- steps --- */

static void step(hd_shadow *s, thread *t, hd_edge_id id) {
  assert(id < s->code->edges.size);
  const hd_cedge *e = &s->code->edges.data[id];
  frame *f = &hd_vec_last(&t->frames);
  if (s->code->locs.data[e->from].func != f->func) {
    s->lost = true; /* called by the library */
    return;
  }
  switch ((hd_code_act)e->act) {
  case HD_CODE_STEP: {
    if (e->guard != HD_NO_ID)
      decided(s, eval(s, f, e->guard), true);
    value values[16];
    uint32_t n = e->n_operands < 16 ? e->n_operands : 16;
    for (uint32_t i = 0; i < n; i++)
      values[i] = operand(s, f, e, i);
    for (uint32_t i = 0; i < e->n_targets; i++)
      set(s, f, e, i, i < n ? values[i] : 0);
    break;
  }
  case HD_CODE_LOAD:
    take_load(s, f, e);
    break;
  case HD_CODE_STORE:
    take_store(s, f, e);
    break;
  case HD_CODE_RMW:
  case HD_CODE_CMPXCHG:
    take_rmw(s, f, e);
    break;
  case HD_CODE_CALL:
    take_call(s, t, id);
    break;
  case HD_CODE_RETURN:
    take_return(s, t, e);
    break;
  case HD_CODE_ALLOCA:
    set(s, f, e, 0,
        s->code->pointer_width == 64 ? constant(s, 64, s->objects++ << 32) : 0);
    break;
  default:
    break;
  }
}

static void start_thread(hd_shadow *s, hd_tid id, hd_func_id func,
                         value argument) {
  while (s->threads.size <= id) {
    thread none = {0};
    hd_vec_push(&s->threads, none);
  }
  if (func == HD_NO_ID || !s->code->funcs.data[func].defined) {
    s->lost = true;
    return;
  }
  push(s, &s->threads.data[id], func, HD_NO_ID);
  if (s->code->funcs.data[func].n_params)
    hd_vec_last(&s->threads.data[id].frames).regs.data[0] = argument;
}

void hd_shadow_observe(void *context, const hd_event *event) {
  hd_shadow *s = context;
  if (s->lost)
    return;
  if (event->kind == HD_EVENT_CREATE)
    start_thread(s, event->other, s->entry, s->passed);
  else if (event->kind == HD_EVENT_STEP && event->thread < s->threads.size &&
           s->threads.data[event->thread].frames.size)
    step(s, &s->threads.data[event->thread], event->edge);
}

hd_shadow *hd_shadow_new(const hd_code *code, hd_bv *bv) {
  hd_shadow *s = hd_calloc(1, sizeof *s);
  s->code = code;
  s->bv = bv;
  s->objects = code->globals.size + 1;
  start_thread(s, 0, code->main, 0);
  return s;
}

void hd_shadow_delete(hd_shadow *s) {
  for (hd_vec_each(thread, t, &s->threads)) {
    while (t->frames.size)
      pop(t);
    hd_vec_free(&t->frames);
  }
  hd_vec_free(&s->threads);
  cell_map_free(&s->cells);
  hd_vec_free(&s->decisions);
  hd_vec_free(&s->inputs);
  hd_free(s);
}

const hd_decisions *hd_shadow_decisions(const hd_shadow *s) {
  return &s->decisions;
}

const hd_bv_terms *hd_shadow_inputs(const hd_shadow *s) {
  return &s->inputs;
}
