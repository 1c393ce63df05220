/* SPDX-License-Identifier: MIT */
/* What has to be known before the analysis: memory as it is in the beginning,
 * where paths meet, what belongs to loops, where widening stops. */
#include "base/bitset.h"
#include "engine/unfold/apart.h"
#include "engine/unfold/relate.h"
#include "engine/unfold/terms.h"
#include "model/reuse.h"

#include <stdlib.h>
#include <string.h>

/* --- the beginning --- */

/* The size of the smallest parts of a type: how its initial value is cut. */
static uint32_t grain(const hd_code *code, hd_ctype_id ctype, uint64_t size) {
  while (ctype != HD_NO_ID) {
    const hd_ctype *t = &code->ctypes.data[ctype];
    if (t->kind == HD_CTYPE_ARRAY) {
      ctype = t->base;
      continue;
    }
    if (t->kind == HD_CTYPE_STRUCT || t->kind == HD_CTYPE_UNION)
      return size % 4 == 0 ? 4 : 1;
    return t->size >= 1 && t->size <= 8 && size % t->size == 0
               ? (uint32_t)t->size
               : 1;
  }
  return size % 4 == 0 ? 4 : 1;
}

static void store_bytes(hd_memory **memory, hd_object_id object,
                        const hd_global *g, uint32_t step, hd_stamp stamp) {
  assert(step > 0 && step <= 8);
  assert(g->size % step == 0); /* no byte is left over */
  for (uint64_t at = 0; at + step <= g->size; at += step) {
    uint64_t bits = 0;
    for (uint32_t i = 0; i < step; i++)
      bits |= (uint64_t)g->bytes[at + i] << 8 * i;
    if (!bits)
      continue;
    hd_pointee t = {object, 0, (int64_t)at, (int64_t)at};
    hd_value v = hd_value_const((uint8_t)(8 * step), bits);
    hd_memory_store(memory, &t, step, &v, false, stamp);
  }
}

void hd_globals_create(analysis *a, hd_memory **memory, hd_global_id id,
                       thread_id thread, hd_stamp stamp) {
  assert(id < a->code->globals.size);
  const hd_code *code = a->code;
  const hd_global *g = &code->globals.data[id];
  object_key key = {g->thread_local ? OBJ_TLS : OBJ_GLOBAL,
                    g->thread_local ? thread : 0, id, 0};
  hd_object_id object = hd_analysis_object(a, key);
  hd_memory_create(memory, object, g->size,
                   g->external ? HD_FILL_ANY : HD_FILL_ZERO, stamp);
  if (g->bytes)
    store_bytes(memory, object, g, grain(code, g->ctype, g->size), stamp);
  local none = {NULL, *memory, NULL};
  for (uint32_t i = 0; i < g->n_relocs; i++) {
    const hd_reloc *r = &code->relocs.data[g->relocs + i];
    hd_mays mays = 0;
    hd_value v = hd_eval_expr(a, thread, &none, r->expr, &mays);
    hd_pointee t = {object, 0, (int64_t)r->offset, (int64_t)r->offset};
    hd_memory_store(memory, &t, code->pointer_width / 8, &v, false, stamp);
    none.memory = *memory;
  }
}

/* What main is given, as the machine makes it: null behind the last text. */
static hd_value make_args(analysis *a, hd_memory **memory) {
  const uint32_t word = a->code->pointer_width / 8u;
  const uint32_t n = (uint32_t)a->options->argc;
  hd_object_id argv = hd_analysis_object(a, (object_key){.kind = OBJ_ARGS});
  hd_memory_create(memory, argv, (uint64_t)(n + 1) * word, HD_FILL_ZERO, 0);
  for (uint32_t i = 0; i < n; i++) {
    const char *text = a->options->argv[i];
    object_key key = {.kind = OBJ_ARGS, .what = i + 1};
    hd_object_id object = hd_analysis_object(a, key);
    hd_memory_create(memory, object, strlen(text) + 1, HD_FILL_ZERO, 0);
    for (size_t k = 0; text[k]; k++) {
      hd_value byte = hd_value_const(8, (unsigned char)text[k]);
      hd_pointee t = {object, 0, (int64_t)k, (int64_t)k};
      hd_memory_store(memory, &t, 1, &byte, false, 0);
    }
    hd_value address = hd_value_address(object, 0, 0);
    hd_pointee t = {argv, 0, (int64_t)i * word, (int64_t)i * word};
    hd_memory_store(memory, &t, word, &address, false, 0);
  }
  return hd_value_address(argv, 0, 0);
}

local hd_analysis_beginning(analysis *a) {
  assert(a->code->main < a->code->funcs.size);
  const hd_code *code = a->code;
  local l = {hd_frame_new(code, code->main, NULL, HD_NO_ID),
             hd_relate_memory(a), NULL};
  for (hd_global_id g = 0; g < code->globals.size; g++)
    hd_globals_create(a, &l.memory, g, 0, 0);
  const hd_func *f = &code->funcs.data[code->main];
  for (uint32_t i = 0; i < f->n_slots; i++) {
    object_key key = {OBJ_SLOT, 0, f->slots + i, 0};
    hd_memory_create(&l.memory, hd_analysis_object(a, key),
                     code->slots.data[f->slots + i].size, HD_FILL_UNDEFINED, 0);
  }
  for (uint32_t i = 0; i < f->n_params; i++) {
    const hd_reg *r = &code->regs.data[f->regs + i];
    l.top->regs[i] = hd_value_any(r->type.width);
    l.top->regs[i].wild = r->type.kind == HD_TYPE_PTR;
    if (i == 0 && a->options->argc > 0 && r->type.kind != HD_TYPE_PTR)
      l.top->regs[i] =
          hd_value_const(r->type.width, (uint64_t)a->options->argc);
    if (i == 1 && a->options->argc > 0 && r->type.kind == HD_TYPE_PTR)
      l.top->regs[i] = make_args(a, &l.memory);
  }
  return l;
}

void hd_analysis_enter_thread(analysis *a, hd_memory **memory, thread_id thread,
                              hd_func_id func, hd_stamp stamp) {
  const hd_code *code = a->code;
  for (hd_global_id g = 0; g < code->globals.size; g++)
    if (code->globals.data[g].thread_local)
      hd_globals_create(a, memory, g, thread, stamp);
  const hd_func *f = &code->funcs.data[func];
  for (uint32_t i = 0; i < f->n_slots; i++) {
    object_key key = {OBJ_SLOT, thread, f->slots + i, 0};
    hd_memory_create(memory, hd_analysis_object(a, key),
                     code->slots.data[f->slots + i].size, HD_FILL_UNDEFINED,
                     stamp);
  }
}

void hd_analysis_refuse_ids(analysis *a) {
  hd_edge_id ids = hd_code_compares_ids(a->code);
  if (ids != HD_NO_ID)
    hd_analysis_give_up(a, ids,
                        "ids of threads may be compared here, and come again");
}

/* Locations that more than one edge leads to, and heads of loops. */
static uint64_t *find_meets(const hd_code *code) {
  uint64_t *meets =
      hd_calloc(hd_bits_words(code->locs.size + 1), sizeof *meets);
  uint32_t *ways = hd_calloc(code->locs.size + 1, sizeof *ways);
  for (hd_vec_each(const hd_cedge, e, &code->edges))
    if (e->act != HD_CODE_RETURN && e->act != HD_CODE_UNREACHABLE &&
        e->act != HD_CODE_UNSUPPORTED)
      ways[e->to]++;
  for (hd_loc_id l = 0; l < code->locs.size; l++)
    if (ways[l] > 1 || code->locs.data[l].loop != HD_NO_ID)
      hd_bits_set(meets, l);
  hd_free(ways);
  return meets;
}

/* --- loops --- */

/* Marks what can be reached from `from` within its function without `avoid`,
 * along the edges or (`back`) against them. */
static void reach(const hd_code *code, hd_loc_id from, hd_loc_id avoid,
                  const hd_u32s *into, uint64_t *marks) {
  hd_u32s todo = {0};
  if (from != avoid)
    hd_vec_push(&todo, from);
  while (todo.size) {
    hd_loc_id at = hd_vec_pop(&todo);
    if (hd_bits_test(marks, at))
      continue;
    hd_bits_set(marks, at);
    size_t n =
        into ? into[at].size : code->out_start[at + 1] - code->out_start[at];
    for (size_t i = 0; i < n; i++) {
      hd_edge_id e =
          into ? into[at].data[i] : code->out[code->out_start[at] + i];
      hd_loc_id to = into ? code->edges.data[e].from : code->edges.data[e].to;
      if (to != avoid)
        hd_vec_push(&todo, to);
    }
  }
  hd_vec_free(&todo);
}

/* The body of a loop: what gets to one of its back edges without passing the
 * head; a back edge comes from where only the head leads to. */
static uint64_t **find_bodies(const hd_code *code) {
  size_t words = hd_bits_words(code->locs.size + 1);
  uint64_t **bodies = hd_calloc(code->loops.size + 1, sizeof *bodies);
  hd_u32s *into = hd_calloc(code->locs.size + 1, sizeof *into);
  for (hd_edge_id e = 0; e < code->edges.size; e++)
    hd_vec_push(&into[code->edges.data[e].to], e);
  for (size_t i = 0; i < code->loops.size; i++) {
    hd_loc_id head = code->loops.data[i].head;
    const hd_func *f = &code->funcs.data[code->locs.data[head].func];
    uint64_t *others = hd_calloc(words, sizeof *others);
    bodies[i] = hd_calloc(words, sizeof *bodies[i]);
    reach(code, f->entry, head, NULL, others);
    hd_bits_set(bodies[i], head);
    for (hd_vec_each(const uint32_t, e, &into[head])) {
      hd_loc_id from = code->edges.data[*e].from;
      if (!hd_bits_test(others, from))
        reach(code, from, head, into, bodies[i]);
    }
    hd_free(others);
  }
  for (size_t l = 0; l < code->locs.size; l++)
    hd_vec_free(&into[l]);
  hd_free(into);
  return bodies;
}

/* Numbers in reverse postorder, function by function. */
static uint32_t *find_order(const hd_code *code) {
  uint32_t *order = hd_calloc(code->locs.size + 1, sizeof *order);
  uint32_t *next = hd_calloc(code->locs.size + 1, sizeof *next);
  uint64_t *seen = hd_calloc(hd_bits_words(code->locs.size + 1), sizeof *seen);
  hd_u32s path = {0};
  uint32_t number = (uint32_t)code->locs.size;
  for (hd_vec_each(const hd_func, f, &code->funcs)) {
    if (!f->defined)
      continue;
    hd_vec_push(&path, f->entry);
    hd_bits_set(seen, f->entry);
    while (path.size) {
      hd_loc_id at = hd_vec_last(&path);
      uint32_t i = code->out_start[at] + next[at];
      if (i == code->out_start[at + 1]) {
        assert(number > 0);
        order[at] = --number;
        (void)hd_vec_pop(&path);
        continue;
      }
      next[at]++;
      hd_loc_id to = code->edges.data[code->out[i]].to;
      if (!hd_bits_test(seen, to)) {
        hd_bits_set(seen, to);
        hd_vec_push(&path, to);
      }
    }
  }
  hd_vec_free(&path);
  hd_free(next);
  hd_free(seen);
  return order;
}

static int by_value(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return x < y ? -1 : x > y;
}

/* Where loops stop: at the constants of the program, give or take one, and at
 * powers of two. */
static int64_t *find_bounds(const hd_code *code, size_t *n) {
  hd_vec(int64_t) all = {0};
  for (hd_vec_each(const hd_cexpr, e, &code->exprs)) {
    if (e->op != HD_CODE_INT || e->type.kind != HD_TYPE_INT ||
        e->type.width < 8)
      continue;
    uint64_t sign = (uint64_t)1 << (e->type.width - 1);
    int64_t x = (int64_t)((e->value ^ sign) - sign);
    for (int64_t near = x > INT64_MIN ? x - 1 : x;
         near <= (x < INT64_MAX ? x + 1 : x); near++) {
      hd_vec_push(&all, near);
      if (near == INT64_MAX)
        break;
    }
  }
  for (int bit = 3; bit < 33; bit++) {
    hd_vec_push(&all, ((int64_t)1 << bit) - 1);
    hd_vec_push(&all, -((int64_t)1 << bit));
  }
  qsort(all.data, all.size, sizeof *all.data, by_value);
  size_t kept = 0;
  for (size_t i = 0; i < all.size; i++)
    if (!kept || all.data[kept - 1] != all.data[i])
      all.data[kept++] = all.data[i];
  assert(kept > 0 && all.data[0] <= all.data[kept - 1]);
  *n = kept;
  return all.data;
}

/* --- all of it --- */

void hd_analysis_share(analysis *a, const hd_u32s *objects) {
  for (hd_vec_each(const uint32_t, o, objects))
    hd_analysis_mark(a, &a->shared_bits, &a->shared_words, *o);
}

void hd_alarm_free(hd_alarm *alarm) {
  hd_free(alarm->message);
  hd_vec_free(&alarm->events);
  hd_vec_free(&alarm->way);
}

void hd_analysis_forget_alarms(hd_unfold_result *result) {
  for (hd_vec_each(hd_alarm, x, &result->alarms))
    hd_alarm_free(x);
  hd_vec_clear(&result->alarms);
  for (hd_vec_each(hd_alarm, x, &result->unasked))
    hd_alarm_free(x);
  hd_vec_clear(&result->unasked);
}

/* Does it take or give the handle of a thread, or values by thread? Atomic
 * sections count as such, since sync.c counts who has one. */
static bool tells_threads_apart(const analysis *a, hd_func_id f) {
  static const bool alike[HD_DO_COUNT] = {
      [HD_DO_NONE] = true,        [HD_DO_INPUT] = true,
      [HD_DO_ASSUME] = true,      [HD_DO_ASSERT] = true,
      [HD_DO_FAIL] = true,        [HD_DO_SPAWN] = true,
      [HD_DO_QUIT] = true,        [HD_DO_MAKE] = true,
      [HD_DO_UNMAKE] = true,      [HD_DO_ACQUIRE] = true,
      [HD_DO_RELEASE] = true,     [HD_DO_MEND] = true,
      [HD_DO_PEEK] = true,        [HD_DO_PARK] = true,
      [HD_DO_WAKE] = true,        [HD_DO_MEET] = true,
      [HD_DO_ONCE] = true,        [HD_DO_ALLOC] = true,
      [HD_DO_RESIZE] = true,      [HD_DO_FREE] = true,
      [HD_DO_COPY] = true,        [HD_DO_FILL] = true,
      [HD_DO_LOOK] = true,        [HD_DO_EDIT] = true,
      [HD_DO_PARSE] = true,       [HD_DO_SORT] = true,
      [HD_DO_COMPUTE] = true,     [HD_DO_PRINT] = true,
      [HD_DO_WRITE] = true,       [HD_DO_ATOMIC] = true,
      [HD_DO_ATTR_MAKE] = true,   [HD_DO_ATTR_END] = true,
      [HD_DO_ATTR_SET] = true,    [HD_DO_ATTR_GET] = true,
      [HD_DO_BIRTH] = true,       [HD_DO_DEATH] = true,
      [HD_DO_JUMP] = true,        [HD_DO_STACK] = true,
      [HD_DO_YIELD] = true,       [HD_DO_SLEEP] = true,
      [HD_DO_CLOCK] = true,       [HD_DO_SEED] = true,
      [HD_DO_HOST] = true,        [HD_DO_REGION] = true,
      [HD_DO_END] = true,         [HD_DO_ABORT] = true,
      [HD_DO_UNREACHABLE] = true, [HD_DO_AT_END] = true,
      [HD_DO_MPI] = true};
  return !alike[hd_library_action(a->library[f])] ||
         hd_func_is_section(&a->code->funcs.data[f]);
}

static bool is_anonymous(const analysis *a) {
  for (hd_vec_each(const hd_cexpr, e, &a->code->exprs))
    if (e->op == HD_CODE_FUNC && tells_threads_apart(a, (hd_func_id)e->value))
      return false;
  return true;
}

void hd_analysis_start(analysis *a) {
  const hd_code *code = a->code;
  const hd_unfold_options *options = a->options;
  a->widen = options->widen ? options->widen : 15;
  a->partition = options->partition ? options->partition : 6;
  if (options->apart && a->partition < MAX_APART_STATES)
    a->partition = MAX_APART_STATES;
  a->unroll = options->unroll ? options->unroll : 64;
  a->library = hd_calloc(code->funcs.size + 1, sizeof *a->library);
  for (hd_func_id f = 0; f < code->funcs.size; f++)
    a->library[f] = hd_library_find(code->funcs.data[f].name);
  a->asks_errno = HD_NO_ID;
  for (hd_edge_id e = (hd_edge_id)code->edges.size; e-- > 0;)
    if (hd_call_of(code, &code->edges.data[e]) == HD_LIB___errno_location)
      a->asks_errno = e;
  a->anonymous = options->domain != HD_DOMAIN_CONCRETE && is_anonymous(a);
  a->live = hd_live_new(code);
  a->meets = find_meets(code);
  a->bodies = find_bodies(code);
  a->frees = hd_code_frees(code);
  hd_analysis_refuse_ids(a);
  a->order = find_order(code);
  a->widening.bounds = find_bounds(code, &a->widening.n);
  if (options->domain == HD_DOMAIN_CONCRETE) {
    a->partition = a->unroll = UINT32_MAX;
    a->terms = hd_terms_create();
  }
  if (options->domain == HD_DOMAIN_OCTAGON) {
    a->relate = hd_relate_new(a);
    if (!a->relate)
      hd_analysis_give_up(
          a, HD_NO_ID,
          "octagons need PPL (in Debian the package libppl-c4), "
          "which is not installed");
  }
}

void hd_analysis_end(analysis *a) {
  object_map_free(&a->objects);
  thread_map_free(&a->threads);
  hd_free(a->library);
  hd_free(a->shared_bits);
  hd_free(a->lock_bits);
  hd_vec_free(&a->now);
  hd_free(a->passed_bits);
  hd_free(a->ended_bits);
  hd_live_delete(a->live);
  hd_relate_free(a->relate);
  hd_terms_free(a->terms);
  hd_free(a->meets);
  for (size_t i = 0; i < a->code->loops.size; i++)
    hd_free(a->bodies[i]);
  hd_free(a->bodies);
  hd_free(a->order);
  hd_free((int64_t *)(uintptr_t)a->widening.bounds);
}
