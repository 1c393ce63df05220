/* SPDX-License-Identifier: MIT */
/* Live globals, for a program of any number of threads.
 *
 * The value of a global x is dead in a state when no thread can read x, from
 * where it stands, before it has itself written all of x: the first read of x
 * from there on, whoever makes it, then comes after a write. So it is enough to
 * look at each thread alone, by the usual backward analysis
 *
 *   in(l) = union over edges l -> l' of uses(edge) + (in(l') - writes(edge))
 *
 * and a global is live when it is for one of the threads, in one of its frames.
 *
 * Only globals that are always mentioned by name are looked at: x, or x and an
 * offset, as the address of an access. A write counts when it covers all of x.
 * A call of a function of the program adds what is live where that starts (what
 * it surely writes is not taken away). A function that is called, or started as
 * a thread, from elsewhere (a pointer; pthread_create; qsort; destructors at the
 * end of a thread) is one whose address is taken: whatever is live at the start
 * of any of those is added where that can happen; everywhere, when there may be
 * handlers that run at the end of a thread.
 *
 * The sets only grow, so the iteration ends. */
#include "model/live_globals.h"

#include "base/bitset.h"
#include "model/calls.h"

#include <string.h>

/* Bits of the whole table; with more nothing is found dead. */
#define BITS_MOST ((uint64_t)1 << 27)

struct hd_live_globals {
  const hd_code *code;
  uint32_t *bit; /* of each global; HD_NO_ID = always live */
  uint32_t n;    /* bits */
  size_t words;
  uint64_t *in;      /* a row for each location */
  uint64_t *started; /* live where a function starts whose address is taken */
  uint8_t *taken;    /* by function */
  bool handlers;     /* such functions may be called when a thread ends */
  uint32_t *stamp;   /* scratch: expressions looked at from this root */
  uint32_t round;
  hd_u32s work;
};

/* --- which globals --- */

/* All that an expression mentions gets away. */
static void escape(hd_live_globals *live, hd_cexpr_id root) {
  live->round++;
  hd_vec_push(&live->work, root);
  while (live->work.size) {
    hd_cexpr_id id = hd_vec_pop(&live->work);
    if (live->stamp[id] == live->round)
      continue;
    live->stamp[id] = live->round;
    const hd_cexpr *e = &live->code->exprs.data[id];
    if (e->op == HD_CODE_GLOBAL)
      live->bit[e->value] = HD_NO_ID;
    else if (e->op == HD_CODE_FUNC)
      live->taken[e->value] = 1;
    for (int i = 0; i < hd_code_op_arity((hd_code_op)e->op); i++)
      hd_vec_push(&live->work, e->args[i]);
  }
}

static bool is_access(const hd_cedge *edge) {
  return edge->act == HD_CODE_LOAD || edge->act == HD_CODE_STORE ||
         edge->act == HD_CODE_RMW || edge->act == HD_CODE_CMPXCHG;
}

/* The global that an access by name is in, or HD_NO_ID. */
static hd_global_id accessed(const hd_code *code, const hd_cedge *edge) {
  const hd_cexpr *e = &code->exprs.data[hd_code_operand(code, edge, 0)];
  while (e->op == HD_CODE_PTRADD)
    e = &code->exprs.data[e->args[0]];
  return e->op == HD_CODE_GLOBAL ? (hd_global_id)e->value : HD_NO_ID;
}

/* The offsets of an address by name get away, not what they are added to. */
static void escape_offsets(hd_live_globals *live, hd_cexpr_id address) {
  const hd_cexpr *e = &live->code->exprs.data[address];
  for (; e->op == HD_CODE_PTRADD; e = &live->code->exprs.data[e->args[0]])
    escape(live, e->args[1]);
}

static void escape_edge(hd_live_globals *live, const hd_cedge *edge) {
  const hd_code *code = live->code;
  uint32_t first = 0;
  if (edge->guard != HD_NO_ID)
    escape(live, edge->guard);
  if (is_access(edge) && accessed(code, edge) != HD_NO_ID) {
    escape_offsets(live, hd_code_operand(code, edge, 0));
    first = 1;
  } else if (edge->act == HD_CODE_CALL) {
    hd_cexpr_id callee = hd_code_operand(code, edge, 0);
    first = code->exprs.data[callee].op == HD_CODE_FUNC;
  }
  for (uint32_t i = first; i < edge->n_operands; i++)
    escape(live, hd_code_operand(code, edge, i));
}

static void choose(hd_live_globals *live) {
  const hd_code *code = live->code;
  for (uint32_t g = 0; g < code->globals.size; g++) {
    const hd_global *global = &code->globals.data[g];
    bool fit = !global->thread_local && !global->constant && !global->external;
    live->bit[g] = fit ? 0 : HD_NO_ID;
  }
  for (hd_vec_each(hd_reloc, reloc, &code->relocs))
    escape(live, reloc->expr);
  for (hd_vec_each(hd_cedge, edge, &code->edges))
    escape_edge(live, edge);
  for (uint32_t g = 0; g < code->globals.size; g++)
    if (live->bit[g] != HD_NO_ID)
      live->bit[g] = live->n++;
}

/* --- what edges do --- */

typedef enum { CALLS_NOTHING, CALLS_BACK, CALLS_AT_END } callback;

static callback library_calls(hd_library_fn fn) {
  hd_action action = hd_library_action(fn);
  if (action == HD_DO_KEY || action == HD_DO_CLEANUP || action == HD_DO_AT_END)
    return CALLS_AT_END;
  bool ends = hd_library_gives(fn) == HD_GIVES_NEVER && action != HD_DO_FAIL;
  return ends || hd_library_kind_of(fn) == HD_LIBRARY_THREAD ||
                 hd_library_does(fn, HD_ARG_CALL)
             ? CALLS_BACK
             : CALLS_NOTHING;
}

static void add_call(const hd_live_globals *live, const hd_cedge *edge,
                     uint64_t *bits) {
  const hd_code *code = live->code;
  const hd_cexpr *callee = &code->exprs.data[hd_code_operand(code, edge, 0)];
  const uint64_t *from = live->started;
  if (callee->op == HD_CODE_FUNC) {
    const hd_func *func = &code->funcs.data[callee->value];
    if (func->defined)
      from = live->in + (size_t)func->entry * live->words;
    else if (library_calls(hd_library_find(func->name)) == CALLS_NOTHING)
      return;
  }
  hd_bits_union(bits, from, live->words);
}

static bool covers(const hd_code *code, const hd_cedge *edge,
                   const hd_global *global) {
  const hd_cexpr *address = &code->exprs.data[hd_code_operand(code, edge, 0)];
  hd_type type = code->exprs.data[hd_code_operand(code, edge, 1)].type;
  return address->op == HD_CODE_GLOBAL &&
         ((uint64_t)type.width + 7) / 8 == global->size;
}

static void before_edge(const hd_live_globals *live, const hd_cedge *edge,
                        uint64_t *bits) {
  const hd_code *code = live->code;
  memset(bits, 0, live->words * sizeof *bits);
  if (edge->act == HD_CODE_RETURN || edge->act == HD_CODE_UNREACHABLE ||
      edge->act == HD_CODE_UNSUPPORTED)
    return;
  hd_bits_union(bits, live->in + (size_t)edge->to * live->words, live->words);
  if (edge->act == HD_CODE_CALL)
    add_call(live, edge, bits);
  if (!is_access(edge))
    return;
  hd_global_id g = accessed(code, edge);
  if (g == HD_NO_ID || live->bit[g] == HD_NO_ID)
    return;
  if (edge->act != HD_CODE_STORE)
    hd_bits_set(bits, live->bit[g]);
  else if (covers(code, edge, &code->globals.data[g]))
    hd_bits_clear(bits, live->bit[g]);
}

static bool update(hd_live_globals *live, hd_loc_id loc, uint64_t *bits) {
  const hd_code *code = live->code;
  bool changed = false;
  for (uint32_t i = code->out_start[loc]; i < code->out_start[loc + 1]; i++) {
    before_edge(live, &code->edges.data[code->out[i]], bits);
    changed |=
        hd_bits_union(live->in + (size_t)loc * live->words, bits, live->words);
  }
  return changed;
}

static void iterate(hd_live_globals *live) {
  const hd_code *code = live->code;
  uint64_t *bits = hd_calloc(live->words + 1, sizeof *bits);
  bool changed = true;
  while (changed) {
    changed = false;
    for (uint32_t loc = (uint32_t)code->locs.size; loc--;)
      changed |= update(live, loc, bits);
    for (uint32_t f = 0; f < code->funcs.size; f++)
      if (live->taken[f] && code->funcs.data[f].defined)
        changed |= hd_bits_union(live->started,
                                 live->in + (size_t)code->funcs.data[f].entry *
                                                live->words,
                                 live->words);
  }
  hd_free(bits);
}

/* --- the interface --- */

hd_live_globals *hd_live_globals_new(const hd_code *code) {
  hd_live_globals *live = hd_calloc(1, sizeof *live);
  live->code = code;
  live->bit = hd_calloc(code->globals.size + 1, sizeof *live->bit);
  live->taken = hd_calloc(code->funcs.size + 1, sizeof *live->taken);
  live->stamp = hd_calloc(code->exprs.size + 1, sizeof *live->stamp);
  choose(live);
  live->words = hd_bits_words(live->n);
  if ((uint64_t)code->locs.size * live->words * 64 > BITS_MOST) {
    live->words = live->n = 0;
    for (uint32_t g = 0; g < code->globals.size; g++)
      live->bit[g] = HD_NO_ID;
  }
  for (hd_vec_each(hd_func, func, &code->funcs))
    live->handlers |=
        !func->defined &&
        library_calls(hd_library_find(func->name)) == CALLS_AT_END;
  live->in = hd_calloc(code->locs.size * live->words + 1, sizeof *live->in);
  live->started = hd_calloc(live->words + 1, sizeof *live->started);
  if (live->n)
    iterate(live);
  return live;
}

void hd_live_globals_delete(hd_live_globals *live) {
  if (!live)
    return;
  hd_free(live->bit);
  hd_free(live->taken);
  hd_free(live->stamp);
  hd_free(live->in);
  hd_free(live->started);
  hd_vec_free(&live->work);
  hd_free(live);
}

size_t hd_live_globals_words(const hd_live_globals *live) {
  return live->words;
}

bool hd_live_globals_has(const hd_live_globals *live, hd_global_id global,
                         uint32_t *bit) {
  *bit = live->bit[global];
  return *bit != HD_NO_ID;
}

void hd_live_globals_at(const hd_live_globals *live, hd_loc_id loc,
                        uint64_t *set) {
  hd_bits_union(set, live->in + (size_t)loc * live->words, live->words);
  if (live->handlers)
    hd_bits_union(set, live->started, live->words);
}
