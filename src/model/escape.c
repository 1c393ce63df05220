/* SPDX-License-Identifier: MIT */
#include "model/escape.h"

#include "base/bitset.h"
#include "model/library.h"

#include <string.h>

/* Marks the slots of the function that the expression has the address of. */
static void mark(const hd_code *code, const hd_func *f, hd_cexpr_id expr,
                 uint64_t *escaped) {
  const hd_cexpr *e = &code->exprs.data[expr];
  if (e->op == HD_CODE_SLOT)
    hd_bits_set(escaped, f->slots + (size_t)e->value);
  for (int i = 0; i < hd_code_op_arity(e->op); i++)
    mark(code, f, e->args[i], escaped);
}

/* Does the function forget its arguments when it returns? */
static bool forgets(const hd_code *code, hd_cexpr_id callee) {
  const hd_cexpr *e = &code->exprs.data[callee];
  if (e->op != HD_CODE_FUNC || code->funcs.data[e->value].defined)
    return false;
  hd_library_fn fn = hd_library_find(code->funcs.data[e->value].name);
  if (fn == HD_LIB_llvm_lifetime_start || fn == HD_LIB_llvm_lifetime_end)
    return true;
  switch (hd_library_kind_of(fn)) {
  case HD_LIBRARY_VERIFY:
  case HD_LIBRARY_THREAD: /* but for the argument of a new one */
  case HD_LIBRARY_MUTEX:
  case HD_LIBRARY_RWLOCK:
  case HD_LIBRARY_SPIN:
  case HD_LIBRARY_COND:
  case HD_LIBRARY_BARRIER:
  case HD_LIBRARY_SEM:
  case HD_LIBRARY_ATTR:
  case HD_LIBRARY_SLEEP:
  case HD_LIBRARY_LIBATOMIC:
  case HD_LIBRARY_OUTPUT:
    return true;
  default: /* memcpy and others return what they are given */
    return false;
  }
}

static void mark_call(const hd_code *code, const hd_func *f, const hd_cedge *e,
                      uint64_t *escaped) {
  const hd_cexpr_id *args = code->operands.data + e->operands;
  bool kept = !forgets(code, args[0]);
  for (uint32_t i = 1; i < e->n_operands; i++)
    /* pthread_create's and thrd_create's last one goes to the thread. */
    if (kept || (i >= 3 && i == e->n_operands - 1))
      mark(code, f, args[i], escaped);
}

static void mark_edge(const hd_code *code, const hd_cedge *e,
                      uint64_t *escaped) {
  const hd_func *f = &code->funcs.data[code->locs.data[e->from].func];
  uint32_t first = 0;
  if (e->act == HD_CODE_CALL) {
    mark_call(code, f, e, escaped);
    return;
  }
  if (e->act == HD_CODE_LOAD || e->act == HD_CODE_STORE ||
      e->act == HD_CODE_RMW || e->act == HD_CODE_CMPXCHG)
    first = 1; /* where, not what */
  for (uint32_t i = first; i < e->n_operands; i++)
    mark(code, f, code->operands.data[e->operands + i], escaped);
}

const hd_slot *hd_code_ends_early(const hd_code *code) {
  size_t words = hd_bits_words(code->slots.size + 1);
  uint64_t *escaped = hd_calloc(words, sizeof *escaped);
  for (hd_vec_each(const hd_cedge, e, &code->edges))
    mark_edge(code, e, escaped);
  const hd_slot *found = NULL;
  for (size_t i = 0; i < code->slots.size && !found; i++) {
    const hd_slot *s = &code->slots.data[i];
    if (s->cname && s->scope != HD_NO_ID && hd_bits_test(escaped, i) &&
        code->scopes.data[s->scope].parent != HD_NO_ID)
      found = s;
  }
  hd_free(escaped);
  return found;
}

static bool is_trylock(const hd_code *code, const hd_cedge *e) {
  const hd_cexpr *callee = &code->exprs.data[code->operands.data[e->operands]];
  return callee->op == HD_CODE_FUNC &&
         strstr(code->funcs.data[callee->value].name, "_try") != NULL;
}

hd_edge_id hd_code_weak_order(const hd_code *code) {
  for (hd_edge_id i = 0; i < code->edges.size; i++) {
    const hd_cedge *e = &code->edges.data[i];
    bool full = e->order == HD_ORDER_SEQ_CST || e->order == HD_ORDER_ACQ_REL;
    bool weak = false;
    if (e->act == HD_CODE_LOAD)
      weak = e->order != HD_ORDER_NONE && e->order < HD_ORDER_ACQUIRE;
    else if (e->act == HD_CODE_STORE)
      weak = e->order != HD_ORDER_NONE && e->order < HD_ORDER_RELEASE;
    else if (e->act == HD_CODE_RMW || e->act == HD_CODE_CMPXCHG)
      weak = !full;
    else if (e->act == HD_CODE_CALL)
      weak = is_trylock(code, e);
    if (weak)
      return i;
  }
  return HD_NO_ID;
}
