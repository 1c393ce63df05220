/* SPDX-License-Identifier: MIT */
/* Bounds of variables, for witnesses of correctness.
 *
 * Every state a thread can be in at a location is within one of the abstract
 * states that are followed through it, or within the one that a cutoff was
 * compared with, which stands at the same locations, maybe under other names. So the join of the registers
 * over all states at a loop's head holds there, in every run and for every
 * thread.
 *
 * A thread's memory is what its history has seen; what others wrote meanwhile it
 * does not show. But every value that a global variable ever has was written by
 * somebody, or was there in the beginning, and is in the writer's memory in the
 * state behind the write. All states are looked at, so that the join of what a
 * variable is in all of them holds at any time, for whoever looks. The thread-
 * modular analysis keeps shared objects elsewhere: nothing is said about those.
 *
 * Nothing is forgotten between rounds: the last one alone would do, and more
 * states only make the bounds weaker. */
#include "engine/unfold/state.h"

enum { MAX_GLOBALS = 64 };

typedef struct {
  hd_global_id id;
  uint32_t bytes;
  hd_value value;
} watched;

struct findings {
  hd_value **loops; /* per loop: its function's registers; NULL: not reached */
  hd_vec(watched) globals;
};

void hd_facts_free(hd_facts *facts) {
  hd_vec_free(&facts->bounds);
}

static bool is_integer(const hd_code *code, hd_ctype_id type, uint64_t size) {
  if (type >= code->ctypes.size || code->ctypes.data[type].size != size)
    return false;
  hd_ctype_kind kind = code->ctypes.data[type].kind;
  return kind == HD_CTYPE_BOOL || kind == HD_CTYPE_SIGNED ||
         kind == HD_CTYPE_UNSIGNED || kind == HD_CTYPE_ENUM;
}

void hd_facts_start(analysis *a) {
  const hd_code *code = a->code;
  if (!a->options->facts)
    return;
  a->facts = hd_calloc(1, sizeof *a->facts);
  a->facts->loops = hd_calloc(code->loops.size + 1, sizeof *a->facts->loops);
  for (hd_global_id id = 0; id < code->globals.size; id++) {
    const hd_global *g = &code->globals.data[id];
    if (!g->cname || g->thread_local || g->external || g->size > 8 ||
        !is_integer(code, g->ctype, g->size) ||
        a->facts->globals.size == MAX_GLOBALS)
      continue;
    watched w = {
        .id = id, .bytes = (uint32_t)g->size, .value = hd_value_none()};
    hd_vec_push(&a->facts->globals, w);
  }
}

static void see_registers(analysis *a, const frame *f) {
  assert(f->loc < a->code->locs.size);
  assert(a->code->locs.data[f->loc].func == f->func);
  const hd_code *code = a->code;
  uint32_t loop = code->locs.data[f->loc].loop;
  if (loop == HD_NO_ID)
    return;
  hd_value **regs = &a->facts->loops[loop];
  if (!*regs) {
    *regs = hd_calloc(f->n_regs + 1, sizeof **regs);
    for (hd_reg_id r = 0; r < f->n_regs; r++)
      (*regs)[r] = hd_value_none();
  }
  const hd_reg *info = code->regs.data + code->funcs.data[f->func].regs;
  for (hd_reg_id r = 0; r < f->n_regs; r++)
    (*regs)[r] = hd_value_join(info[r].type.width, &(*regs)[r], &f->regs[r]);
}

void hd_facts_see(analysis *a, const local *l) {
  if (!a->facts)
    return;
  see_registers(a, l->top);
  for (hd_vec_each(watched, w, &a->facts->globals)) {
    object_key key = {OBJ_GLOBAL, 0, w->id, 0};
    hd_pointee at = {.object = hd_analysis_object(a, key)};
    hd_value now = hd_memory_load(l->memory, &at, w->bytes);
    w->value = hd_value_join((uint8_t)(8 * w->bytes), &w->value, &now);
  }
}

/* Is something known about it: an integer, but not any? */
static bool is_bound(const hd_value *v, uint8_t width) {
  hd_value any = hd_value_any(width);
  return hd_value_has_int(v) && !v->undef && !v->wild && !v->n_targets &&
         !(v->plo == any.plo && v->phi == any.phi && v->nlo == any.nlo &&
           v->nhi == any.nhi);
}

static void hand_over(analysis *a, uint32_t loop, uint32_t what, uint8_t width,
                      const hd_value *v) {
  assert(loop == HD_NO_ID || loop < a->code->loops.size);
  hd_bound bound = {loop, what, v->plo, v->phi, v->nlo, v->nhi};
  if (is_bound(v, width))
    hd_vec_push(&a->options->facts->bounds, bound);
}

void hd_facts_end(analysis *a) {
  const hd_code *code = a->code;
  findings *f = a->facts;
  if (!f)
    return;
  a->options->facts->complete = !a->gave_up;
  hd_vec_clear(&a->options->facts->bounds);
  for (hd_vec_each(const watched, w, &f->globals)) {
    object_key key = {OBJ_GLOBAL, 0, w->id, 0};
    if (!a->modular || !hd_analysis_is_shared(a, hd_analysis_object(a, key)))
      hand_over(a, HD_NO_ID, w->id, (uint8_t)(8 * w->bytes), &w->value);
  }
  for (uint32_t i = 0; i < code->loops.size; i++) {
    const hd_func *func =
        &code->funcs.data[code->locs.data[code->loops.data[i].head].func];
    for (hd_reg_id r = 0; f->loops[i] && r < func->n_regs; r++) {
      const hd_reg *reg = &code->regs.data[func->regs + r];
      if (reg->cname && reg->type.kind == HD_TYPE_INT)
        hand_over(a, i, r, reg->type.width, &f->loops[i][r]);
    }
    hd_free(f->loops[i]);
  }
  hd_free(f->loops);
  hd_vec_free(&f->globals);
  hd_free(f);
  a->facts = NULL;
}
