/* SPDX-License-Identifier: MIT */
#include "model/weak.h"

#include "base/bitset.h"
#include "model/calls.h"

#include <string.h>

static const char *const names[] = {[HD_MEMORY_C11] = "c11",
                                    [HD_MEMORY_RC11] = "rc11",
                                    [HD_MEMORY_SC] = "sc",
                                    [HD_MEMORY_TSO] = "tso"};

const char *hd_memmodel_name(hd_memory_model model) {
  return names[model];
}

bool hd_memmodel_find(const char *name, hd_memory_model *model) {
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(name, names[i])) {
      *model = (hd_memory_model)i;
      return true;
    }
  return false;
}

/* --- which functions may be called --- */

typedef struct {
  const hd_code *code;
  uint64_t *called;
  hd_vec(hd_func_id) open;
} walk;

static void call(walk *w, hd_func_id func) {
  if (hd_bits_test(w->called, func))
    return;
  hd_bits_set(w->called, func);
  hd_vec_push(&w->open, func);
}

/* A function whose address is used may be called. */
static void look_at(walk *w, hd_cexpr_id id) {
  const hd_cexpr *e = &w->code->exprs.data[id];
  if (e->op == HD_CODE_FUNC)
    call(w, (hd_func_id)e->value);
  for (int i = 0; i < 3; i++)
    if (e->args[i] != HD_NO_ID)
      look_at(w, e->args[i]);
}

static void look_into(walk *w, hd_func_id func) {
  const hd_code *code = w->code;
  const hd_func *f = &code->funcs.data[func];
  if (!f->defined)
    return;
  for (uint32_t at = code->out_start[f->locs];
       at < code->out_start[f->locs + f->n_locs]; at++) {
    const hd_cedge *e = &code->edges.data[code->out[at]];
    for (uint32_t i = 0; i < e->n_operands; i++)
      look_at(w, hd_code_operand(code, e, i));
    if (e->guard != HD_NO_ID)
      look_at(w, e->guard);
  }
}

static uint64_t *find_called(const hd_code *code) {
  walk w = {.code = code,
            .called = hd_calloc(hd_bits_words(code->funcs.size + 1),
                                sizeof *w.called)};
  if (code->main != HD_NO_ID)
    call(&w, code->main);
  for (hd_vec_each(const hd_reloc, r, &code->relocs))
    look_at(&w, r->expr);
  while (w.open.size)
    look_into(&w, hd_vec_pop(&w.open));
  hd_vec_free(&w.open);
  return w.called;
}

/* --- what they do --- */

/* Does it start threads; can it fail to get what another thread has, so that
 * one knows of the other without being ordered behind it? */
static void look_at_library(hd_library_fn fn, bool *threads, bool *tries) {
  if (hd_library_action(fn) == HD_DO_SPAWN)
    *threads = true;
  if (hd_library_is(fn, HD_CALL_TRIES | HD_CALL_TIMED) ||
      hd_library_kind_of(fn) == HD_LIBRARY_SEM)
    *tries = true;
}

static bool is_access(const hd_cedge *e) {
  return e->act == HD_CODE_LOAD || e->act == HD_CODE_STORE ||
         e->act == HD_CODE_RMW || e->act == HD_CODE_CMPXCHG;
}

/* Is it the same place in every execution? Equal expressions are shared. */
static bool is_fixed(const hd_code *code, hd_cexpr_id id) {
  const hd_cexpr *e = &code->exprs.data[id];
  return (e->op == HD_CODE_GLOBAL &&
          !code->globals.data[e->value].thread_local) ||
         (e->op == HD_CODE_PTRADD && is_fixed(code, e->args[0]) &&
          code->exprs.data[e->args[1]].op == HD_CODE_INT);
}

static uint64_t width_of(const hd_code *code, const hd_cedge *e) {
  const hd_func *f = &code->funcs.data[code->locs.data[e->from].func];
  return hd_type_bytes(
      e->act == HD_CODE_LOAD
          ? code->regs.data[f->regs + hd_code_target(code, e, 0)].type
          : code->exprs.data[hd_code_operand(code, e, 1)].type);
}

/* An atomic access of any size, by a call: is it one; is it seq_cst? */
static bool is_library_access(const hd_code *code, const hd_cedge *e,
                              bool *strong) {
  enum { SEQ_CST = 5 }; /* __ATOMIC_SEQ_CST */
  if (e->act != HD_CODE_CALL)
    return false;
  const hd_cexpr_id *operands = code->operands.data + e->operands;
  const hd_cexpr *callee = &code->exprs.data[operands[0]];
  hd_library_fn fn = callee->op == HD_CODE_FUNC
                         ? hd_library_find(code->funcs.data[callee->value].name)
                         : HD_LIB_NONE;
  if (fn == HD_LIB_NONE || fn == HD_LIB___atomic_is_lock_free ||
      hd_library_kind_of(fn) != HD_LIBRARY_LIBATOMIC)
    return false;
  *strong = true;
  uint32_t orders = fn == HD_LIB___atomic_compare_exchange ? 2 : 1;
  for (uint32_t i = 1; i <= orders && i < e->n_operands; i++) {
    const hd_cexpr *order = &code->exprs.data[operands[e->n_operands - i]];
    *strong = *strong && order->op == HD_CODE_INT && order->value == SEQ_CST;
  }
  return true;
}

/* May it fail by what somebody else has or had, which orders nothing? */
static bool may_miss(const hd_code *code, const hd_cedge *e) {
  hd_library_fn fn = hd_call_of(code, e);
  return fn != HD_LIB_NONE && hd_library_action(fn) == HD_DO_ACQUIRE &&
         hd_library_is(fn, HD_CALL_TRIES | HD_CALL_TIMED);
}

hd_weakness hd_code_weakness(const hd_code *code) {
  hd_weakness found = {.edge = HD_NO_ID};
  hd_edge_id miss = HD_NO_ID;
  uint64_t *called = find_called(code);
  bool threads = false, tries = false, one = true;
  hd_cexpr_id place = HD_NO_ID;
  uint64_t width = 0;
  for (hd_func_id f = 0; f < code->funcs.size; f++)
    if (hd_bits_test(called, f))
      look_at_library(hd_call_library(code, f), &threads, &tries);
  for (hd_edge_id i = 0; i < code->edges.size; i++) {
    const hd_cedge *e = &code->edges.data[i];
    bool strong;
    if (!hd_bits_test(called, code->locs.data[e->from].func))
      continue;
    if (miss == HD_NO_ID && may_miss(code, e))
      miss = i;
    if (is_library_access(code, e, &strong)) {
      found.atomics = true;
      found.edge = found.edge == HD_NO_ID && !strong ? i : found.edge;
      one = false;
    }
    if (!is_access(e) || e->order == HD_ORDER_NONE)
      continue;
    hd_cexpr_id address = hd_code_operand(code, e, 0);
    found.atomics = true;
    if (found.edge == HD_NO_ID &&
        (e->order != HD_ORDER_SEQ_CST ||
         (e->act == HD_CODE_CMPXCHG && e->failure != HD_ORDER_SEQ_CST)))
      found.edge = i;
    one =
        one && is_fixed(code, address) &&
        (place == HD_NO_ID || (place == address && width == width_of(code, e)));
    place = address;
    width = width_of(code, e);
  }
  hd_free(called);
  if (found.atomics && found.edge == HD_NO_ID)
    found.edge = miss;
  found.robust = !threads                 ? HD_ROBUST_ALONE
                 : found.edge == HD_NO_ID ? HD_ROBUST_ORDERS
                 : one && !tries          ? HD_ROBUST_SINGLE
                                          : HD_ROBUST_NOT;
  return found;
}

bool hd_code_relax_volatile(hd_code *code) {
  bool any = false;
  for (hd_vec_each(hd_cedge, e, &code->edges))
    if ((e->act == HD_CODE_LOAD || e->act == HD_CODE_STORE) && e->is_volatile &&
        e->order == HD_ORDER_NONE) {
      e->order = HD_ORDER_RELAXED;
      any = true;
    }
  return any;
}

/* Loads that acquire, and stores that release, stay where they are. */
hd_edge_id hd_code_buffers_loads(const hd_code *code) {
  hd_edge_id load = HD_NO_ID;
  bool store = false;
  for (hd_edge_id i = 0; i < code->edges.size; i++) {
    const hd_cedge *e = &code->edges.data[i];
    if (!is_access(e) || e->order == HD_ORDER_NONE || !e->pos.line)
      continue; /* without a line: heddle's own, of a library */
    if (load == HD_NO_ID && e->act != HD_CODE_STORE &&
        (e->order == HD_ORDER_RELAXED || e->order == HD_ORDER_RELEASE ||
         (e->act == HD_CODE_CMPXCHG && e->failure == HD_ORDER_RELAXED)))
      load = i;
    store = store || (e->act != HD_CODE_LOAD && (e->order == HD_ORDER_RELAXED ||
                                                 e->order == HD_ORDER_ACQUIRE));
  }
  return store ? load : HD_NO_ID;
}
