/* SPDX-License-Identifier: MIT */
/* The program as threads: a graph each, with calls expanded. */
#include "engine/weave/weave_impl.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { DEPTH = 12 };

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

/* One expansion of a function: calls are in `stack`. */
typedef struct {
  weave_program *p;
  weave_thread *t;
  hd_func_id stack[DEPTH];
  uint32_t depth;
} expander;

/* Where a call comes back to. */
typedef struct {
  uint32_t node, frame;
  const hd_cedge *call; /* NULL: the thread ends */
  bool section;         /* the function is an atomic one */
} comeback;

static const hd_cexpr *expr_at(const weave_program *p, const hd_cedge *e,
                               uint32_t i) {
  return &p->code->exprs.data[p->code->operands.data[e->operands + i]];
}

static weave_value of_operand(const weave_program *p, const hd_cedge *e,
                              uint32_t i, uint32_t frame) {
  return (weave_value){.kind = WEAVE_EXPR,
                       .expr = p->code->operands.data[e->operands + i],
                       .frame = frame};
}

static uint32_t target_of(const weave_program *p, const hd_cedge *e, uint32_t i,
                          uint32_t frame) {
  return hd_weave_reg(p, frame, p->code->targets.data[e->targets + i]);
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

static void set_any(weave_program *p, weave_edge *w, const hd_cedge *e,
                    uint32_t frame) {
  for (uint32_t i = 0; i < e->n_targets; i++)
    assign(p, w, target_of(p, e, i, frame), (weave_value){.kind = WEAVE_ANY});
}

static uint32_t new_frame(weave_program *p, hd_func_id func) {
  weave_frame f = {func, (uint32_t)p->vars.size};
  const hd_func *g = &p->code->funcs.data[func];
  for (uint32_t i = 0; i < g->n_regs; i++) {
    weave_var v = {.width = p->code->regs.data[g->regs + i].type.width};
    hd_vec_push(&p->vars, v);
  }
  hd_vec_push(&p->frames, f);
  return (uint32_t)p->frames.size - 1;
}

/* --- shared variables --- */

static bool is_strong(const hd_cedge *e) {
  bool good = e->order == HD_ORDER_NONE || e->order == HD_ORDER_SEQ_CST;
  return good && (e->act != HD_CODE_CMPXCHG || e->failure == HD_ORDER_SEQ_CST ||
                  e->failure == HD_ORDER_NONE);
}

/* The cell that an access of this type is to, or HD_NO_ID. */
static uint32_t cell_of(expander *x, const hd_cedge *e, hd_edge_id id,
                        hd_type type) {
  weave_program *p = x->p;
  const hd_cexpr *address = expr_at(p, e, 0);
  if (address->op != HD_CODE_GLOBAL || type.kind != HD_TYPE_INT) {
    hd_weave_refuse(p, id, "memory other than global integers");
    return HD_NO_ID;
  }
  const hd_global *g = &p->code->globals.data[address->value];
  if (g->thread_local || g->external || g->n_relocs ||
      type.width != 8 * g->size || !is_strong(e)) {
    hd_weave_refuse(p, id, "a part of a variable, or a weak access");
    return HD_NO_ID;
  }
  for (uint32_t i = 0; i < p->cells.size; i++)
    if (p->cells.data[i] == address->value)
      return i;
  hd_bug("a cell that was not found");
}

static void find_cells(weave_program *p) {
  for (hd_vec_each(const hd_cedge, e, &p->code->edges)) {
    if (e->act != HD_CODE_LOAD && e->act != HD_CODE_STORE &&
        e->act != HD_CODE_RMW && e->act != HD_CODE_CMPXCHG)
      continue;
    const hd_cexpr *address = expr_at(p, e, 0);
    if (address->op != HD_CODE_GLOBAL)
      continue;
    bool known = false;
    for (hd_vec_each(const hd_global_id, c, &p->cells))
      known = known || *c == address->value;
    uint64_t size = p->code->globals.data[address->value].size;
    if (known || size > 8 || !size)
      continue;
    hd_vec_push(&p->cells, (hd_global_id)address->value);
    weave_var v = {.width = (uint8_t)(8 * size), .cell = true};
    hd_vec_push(&p->vars, v);
  }
  if (p->cells.size > WEAVE_CELLS)
    hd_weave_refuse(p, HD_NO_ID, "more than %d global variables", WEAVE_CELLS);
}

static uint32_t lock_of(expander *x, const hd_cedge *e, hd_edge_id id) {
  weave_program *p = x->p;
  const hd_cexpr *address = expr_at(p, e, 1);
  const hd_global *g = address->op == HD_CODE_GLOBAL
                           ? &p->code->globals.data[address->value]
                           : NULL;
  bool plain = g && !g->thread_local && !g->external && !g->n_relocs;
  for (uint64_t i = 0; plain && g->bytes && i < g->size; i++)
    plain = !g->bytes[i];
  for (uint32_t i = 0; plain && i < p->cells.size; i++)
    plain = p->cells.data[i] != address->value;
  if (!plain) {
    hd_weave_refuse(p, id, "a lock that is no plain global mutex");
    return 0;
  }
  for (uint32_t i = 0; i < p->locks.size; i++)
    if (p->locks.data[i] == address->value)
      return i;
  if (p->locks.size == WEAVE_LOCKS)
    hd_weave_refuse(p, id, "more than %d locks", WEAVE_LOCKS);
  else
    hd_vec_push(&p->locks, (hd_global_id)address->value);
  return (uint32_t)p->locks.size - 1;
}

/* --- edges --- */

static void add(expander *x, weave_edge w) {
  hd_vec_push(&x->t->edges, w);
}

static void expand(expander *x, hd_func_id func, uint32_t frame, uint32_t entry,
                   comeback back);

static uint32_t new_node(expander *x) {
  if (x->t->n_nodes >= WEAVE_NODES)
    hd_weave_refuse(x->p, HD_NO_ID, "more than %d places in a thread",
                    WEAVE_NODES);
  return x->t->n_nodes++;
}

static void memory(expander *x, weave_edge w, const hd_cedge *e,
                   uint32_t frame) {
  weave_program *p = x->p;
  const hd_func *f = &p->code->funcs.data[p->frames.data[frame].func];
  bool loads = e->act == HD_CODE_LOAD;
  for (hd_vec_each(const hd_cexpr_id, handle, &p->handles))
    if (*handle == p->code->operands.data[e->operands]) {
      if (!loads)
        hd_weave_refuse(p, w.edge, "an id of a thread is written");
      set_any(p, &w, e, frame); /* only joins know it */
      add(x, w);
      return;
    }
  hd_type type =
      loads
          ? p->code->regs.data[f->regs + p->code->targets.data[e->targets]].type
          : expr_at(p, e, 1)->type;
  uint32_t cell = cell_of(x, e, w.edge, type);
  if (cell == HD_NO_ID)
    return;
  weave_value old = {.kind = WEAVE_COPY, .var = cell};
  w.touch.reads |= loads || e->act != HD_CODE_STORE ? (uint64_t)1 << cell : 0;
  w.touch.writes |= loads ? 0 : (uint64_t)1 << cell;
  if (loads) {
    assign(p, &w, target_of(p, e, 0, frame), old);
  } else if (e->act == HD_CODE_STORE) {
    assign(p, &w, cell, of_operand(p, e, 1, frame));
  } else if (e->act == HD_CODE_RMW) {
    weave_value fresh = of_operand(p, e, 1, frame);
    if (e->rmw != HD_RMW_XCHG) {
      fresh.kind = WEAVE_MIXED;
      fresh.rmw = e->rmw;
      fresh.var = cell;
    }
    assign(p, &w, cell, fresh);
    if (e->n_targets)
      assign(p, &w, target_of(p, e, 0, frame), old);
  } else {
    hd_weave_refuse(p, w.edge, "compare-and-exchange");
    return;
  }
  add(x, w);
}

static uint32_t thread_of(weave_program *p, const hd_cedge *join,
                          uint32_t frame, hd_edge_id id) {
  const hd_cexpr *e = expr_at(p, join, 1);
  hd_func_id main = p->code->main;
  uint32_t found = HD_NO_ID;
  if (p->frames.data[frame].func == main && e->op == HD_CODE_REG)
    for (hd_vec_each(const hd_cedge, load, &p->code->edges)) {
      if (p->code->locs.data[load->from].func != main || !load->n_targets ||
          p->code->targets.data[load->targets] != e->value)
        continue;
      uint32_t which = HD_NO_ID;
      for (uint32_t i = 0; load->act == HD_CODE_LOAD && i < p->handles.size;
           i++)
        if (p->handles.data[i] == p->code->operands.data[load->operands])
          which = i + 1;
      if (which == HD_NO_ID || (found != HD_NO_ID && found != which)) {
        found = HD_NO_ID;
        break;
      }
      found = which;
    }
  if (found == HD_NO_ID)
    hd_weave_refuse(p, id, "it is not known who is joined");
  return found;
}

static void call_library(expander *x, weave_edge w, const hd_cedge *e,
                         uint32_t frame, hd_library_fn fn) {
  weave_program *p = x->p;
  uint64_t zero_targets = 0;
  switch (hd_library_action(fn)) {
  case HD_DO_INPUT:
    if (hd_library_stores_input(fn))
      break;
    set_any(p, &w, e, frame);
    add(x, w);
    return;
  case HD_DO_ASSUME:
  case HD_DO_ASSERT:
    w.kind = hd_library_action(fn) == HD_DO_ASSUME ? WEAVE_ASSUME : WEAVE_CHECK;
    w.guarded = true;
    w.guard = of_operand(p, e, 1, frame);
    set_any(p, &w, e, frame);
    add(x, w);
    return;
  case HD_DO_FAIL:
    w.kind = WEAVE_FAIL;
    add(x, w);
    return;
  case HD_DO_ENTER:
  case HD_DO_LEAVE:
    w.kind = hd_library_action(fn) == HD_DO_ENTER ? WEAVE_ENTER : WEAVE_LEAVE;
    add(x, w);
    return;
  case HD_DO_END:
  case HD_DO_ABORT:
    w.kind = WEAVE_HALT;
    add(x, w);
    return;
  case HD_DO_SPAWN: {
    const hd_cexpr *start = expr_at(p, e, 3);
    if (fn != HD_LIB_pthread_create || e->n_operands != 5 ||
        start->op != HD_CODE_FUNC ||
        p->frames.data[frame].func != p->code->main ||
        expr_at(p, e, 2)->op != HD_CODE_NULL ||
        !p->code->funcs.data[start->value].defined)
      break;
    w.kind = WEAVE_CREATE;
    for (uint32_t i = 1; i < p->n_threads; i++)
      if (p->handles.data[i - 1] == p->code->operands.data[e->operands + 1])
        w.object = i;
    weave_thread *t = &p->threads[w.object];
    const hd_func *g = &p->code->funcs.data[t->func];
    for (uint32_t i = 0; i < g->n_regs; i++) {
      bool argument =
          i == 0 && g->n_params && expr_at(p, e, 4)->op != HD_CODE_NULL;
      assign(p, &w, hd_weave_reg(p, t->frame, i),
             argument ? of_operand(p, e, 4, frame)
                      : (weave_value){.kind = WEAVE_ANY});
    }
    zero_targets = 1;
    break;
  }
  case HD_DO_JOIN:
    if (e->n_operands < 2 ||
        (e->n_operands > 2 && expr_at(p, e, 2)->op != HD_CODE_NULL))
      break;
    w.kind = WEAVE_JOIN;
    w.object = thread_of(p, e, frame, w.edge);
    zero_targets = 1;
    break;
  case HD_DO_ACQUIRE:
  case HD_DO_RELEASE:
    if (hd_library_kind_of(fn) != HD_LIBRARY_MUTEX ||
        hd_library_is(fn, HD_CALL_TRIES) || hd_library_is(fn, HD_CALL_TIMED))
      break;
    w.kind = hd_library_action(fn) == HD_DO_ACQUIRE ? WEAVE_LOCK : WEAVE_UNLOCK;
    w.object = lock_of(x, e, w.edge);
    w.touch.locks = (uint32_t)1 << w.object;
    zero_targets = 1;
    break;
  case HD_DO_YIELD:
  case HD_DO_BIRTH:
  case HD_DO_DEATH:
    set_any(p, &w, e, frame);
    add(x, w);
    return;
  case HD_DO_NONE:
  case HD_DO_REFUSED:
  case HD_DO_QUIT:
  case HD_DO_DETACH:
  case HD_DO_SELF:
  case HD_DO_SAME:
  case HD_DO_TUNE:
  case HD_DO_CANCEL:
  case HD_DO_MAKE:
  case HD_DO_UNMAKE:
  case HD_DO_MEND:
  case HD_DO_PEEK:
  case HD_DO_PARK:
  case HD_DO_WAKE:
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
  case HD_DO_PRINT:
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
  case HD_DO_MPI:
    break;
  }
  if (!zero_targets) {
    hd_weave_refuse(p, w.edge, "%s is not treated",
                    fn == HD_LIB_NONE ? "a function that is not known"
                                      : hd_library_name(fn));
    return;
  }
  for (uint32_t i = 0; i < e->n_targets; i++)
    assign(p, &w, target_of(p, e, i, frame),
           (weave_value){.kind = WEAVE_ANY}); /* 0, in fact */
  add(x, w);
}

static void call(expander *x, weave_edge w, const hd_cedge *e, uint32_t frame) {
  weave_program *p = x->p;
  hd_func_id callee = hd_call_callee(p->code, e);
  if (callee == HD_NO_ID) {
    hd_weave_refuse(p, w.edge, "a call through a pointer");
    return;
  }
  const hd_func *g = &p->code->funcs.data[callee];
  if (!g->defined) {
    call_library(x, w, e, frame, hd_call_library(p->code, callee));
    return;
  }
  if (hd_library_action(hd_library_find(g->name)) == HD_DO_FAIL) {
    w.kind = WEAVE_FAIL;
    add(x, w);
    return;
  }
  bool again = x->depth >= DEPTH;
  for (uint32_t i = 0; i < x->depth; i++)
    again = again || x->stack[i] == callee;
  if (again || g->variadic || e->n_operands != g->n_params + 1) {
    hd_weave_refuse(p, w.edge, "recursion, or deep or odd calls");
    return;
  }
  uint32_t inner = new_frame(p, callee), to = w.to;
  w.to = new_node(x);
  w.kind = hd_func_is_section(g) ? WEAVE_ENTER : WEAVE_STEP;
  for (uint32_t i = 0; i < g->n_regs; i++)
    assign(p, &w, hd_weave_reg(p, inner, i),
           i < g->n_params ? of_operand(p, e, i + 1, frame)
                           : (weave_value){.kind = WEAVE_ANY});
  add(x, w);
  expand(x, callee, inner, w.to,
         (comeback){to, frame, e, w.kind == WEAVE_ENTER});
}

static void give_back(expander *x, weave_edge w, const hd_cedge *e,
                      uint32_t frame, const comeback *back) {
  w.to = back->node;
  w.kind = back->section ? WEAVE_LEAVE : WEAVE_STEP;
  for (uint32_t i = 0; back->call && i < back->call->n_targets; i++)
    assign(x->p, &w, target_of(x->p, back->call, i, back->frame),
           i < e->n_operands ? of_operand(x->p, e, i, frame)
                             : (weave_value){.kind = WEAVE_ANY});
  add(x, w);
}

static void one_edge(expander *x, hd_edge_id id, uint32_t frame, uint32_t from,
                     uint32_t to, const comeback *back) {
  weave_program *p = x->p;
  const hd_cedge *e = &p->code->edges.data[id];
  weave_edge w = {.from = from, .to = to, .kind = WEAVE_STEP, .edge = id};
  switch ((hd_code_act)e->act) {
  case HD_CODE_STEP:
    if (e->guard != HD_NO_ID) {
      w.guarded = true;
      w.guard =
          (weave_value){.kind = WEAVE_EXPR, .expr = e->guard, .frame = frame};
    }
    for (uint32_t i = 0; i < e->n_targets; i++)
      assign(p, &w, target_of(p, e, i, frame), of_operand(p, e, i, frame));
    add(x, w);
    return;
  case HD_CODE_LOAD:
  case HD_CODE_STORE:
  case HD_CODE_RMW:
  case HD_CODE_CMPXCHG:
    memory(x, w, e, frame);
    return;
  case HD_CODE_FENCE:
    add(x, w);
    return;
  case HD_CODE_CALL:
    call(x, w, e, frame);
    return;
  case HD_CODE_RETURN:
    give_back(x, w, e, frame, back);
    return;
  case HD_CODE_UNREACHABLE: /* behind what does not return */
    w.kind = WEAVE_FAIL;
    add(x, w);
    return;
  case HD_CODE_ALLOCA:
  case HD_CODE_UNSUPPORTED:
    hd_weave_refuse(p, id, "not treated");
    return;
  }
}

/* The function's places behind `entry`, which is its first. */
static void expand(expander *x, hd_func_id func, uint32_t frame, uint32_t entry,
                   comeback back) {
  weave_program *p = x->p;
  const hd_code *code = p->code;
  const hd_func *g = &code->funcs.data[func];
  uint32_t n = g->n_locs, *node = hd_calloc(n + 1, sizeof *node);
  x->stack[x->depth++] = func;
  for (uint32_t i = 0; i < n; i++)
    node[i] = g->locs + i == g->entry ? entry : new_node(x);
  for (uint32_t i = 0; i < n && !p->failed; i++) {
    hd_loc_id loc = g->locs + i;
    for (uint32_t k = code->out_start[loc];
         k < code->out_start[loc + 1] && !p->failed; k++) {
      hd_edge_id id = code->out[k];
      one_edge(x, id, frame, node[i], node[code->edges.data[id].to - g->locs],
               &back);
    }
  }
  x->depth--;
  hd_free(node);
}

static void find_threads(weave_program *p) {
  const hd_code *code = p->code;
  p->threads[0].func = code->main;
  p->n_threads = 1;
  for (hd_vec_each(const hd_cedge, e, &code->edges)) {
    if (e->act != HD_CODE_CALL || hd_call_callee(code, e) == HD_NO_ID ||
        hd_library_action(hd_call_of(code, e)) != HD_DO_SPAWN)
      continue;
    hd_edge_id id = (hd_edge_id)(e - code->edges.data);
    if (p->n_threads == WEAVE_THREADS || e->n_operands != 5 ||
        expr_at(p, e, 3)->op != HD_CODE_FUNC ||
        !code->funcs.data[expr_at(p, e, 3)->value].defined) {
      hd_weave_refuse(p, id, "more than %d threads, or not known which",
                      WEAVE_THREADS - 1);
      return;
    }
    hd_cexpr_id place = code->operands.data[e->operands + 1];
    for (hd_vec_each(const hd_cexpr_id, other, &p->handles))
      if (*other == place)
        hd_weave_refuse(p, id, "two threads whose ids are stored in one place");
    hd_vec_push(&p->handles, place);
    p->threads[p->n_threads++].func = (hd_func_id)expr_at(p, e, 3)->value;
  }
}

bool hd_weave_read(const hd_code *code, weave_program *p, hd_str *why) {
  *p = (weave_program){.code = code, .why = why};
  if (code->main == HD_NO_ID || !code->funcs.data[code->main].defined ||
      code->pointer_width != 64) {
    hd_weave_refuse(p, HD_NO_ID, "no main, or 32 bits");
    return false;
  }
  find_cells(p);
  find_threads(p);
  for (uint32_t i = 0; i < p->n_threads && !p->failed; i++) {
    p->threads[i].frame = new_frame(p, p->threads[i].func);
    p->threads[i].entry = 0;
    p->threads[i].end = 1;
    p->threads[i].n_nodes = 2;
  }
  for (uint32_t i = 0; i < p->n_threads && !p->failed; i++) {
    expander x = {.p = p, .t = &p->threads[i]};
    expand(&x, p->threads[i].func, p->threads[i].frame, 0,
           (comeback){.node = 1});
  }
  if (!p->failed && p->n_threads < 2)
    hd_weave_refuse(p, HD_NO_ID, "one thread only");
  return !p->failed;
}
