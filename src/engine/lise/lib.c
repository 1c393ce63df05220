/* SPDX-License-Identifier: MIT */
/* Library functions other than MPI's. What is printed is not looked at;
 * mathematical functions without an exact meaning are uninterpreted. */
#include "engine/lise/step.h"

#include <stdlib.h>
#include <string.h>

static hd_going done(hd_lise *l, hd_term value) {
  hd_lise_call_done(l, &value, 1);
  return HD_GO_ON;
}

/* --- inputs --- */

/* How wide the register is that gets the result. */
static unsigned result_width(const hd_lise *l, const hd_cedge *edge) {
  const hd_code *code = hd_lise_code(l);
  const hd_func *f = &code->funcs.data[code->locs.data[edge->from].func];
  return edge->n_targets
             ? code->regs.data[f->regs + hd_code_target(code, edge, 0)]
                   .type.width
             : 64;
}

/* Is the input written to memory as well? That is not followed. */
static bool writes_input(hd_lise *l, hd_library_fn fn, const hd_term *args,
                         size_t n) {
  return hd_library_stores_input(fn) && n && args[0] != hd_lise_null(l);
}

/* All values of its type. */
static void learn_range(hd_lise *l, hd_term x, hd_input_type type,
                        unsigned width) {
  hd_terms *t = l->terms;
  bool with_sign = hd_input_signed(type);
  hd_i128 most = (hd_i128)1 << (with_sign ? width - 1 : width);
  hd_term top = hd_term_number(t, HD_OF_INT, (hd_ratio){most - 1, 1});
  hd_term low =
      hd_term_number(t, HD_OF_INT, (hd_ratio){with_sign ? -most : 0, 1});
  hd_lise_learn(l, hd_term_le(t, low, x));
  hd_lise_learn(l, hd_term_le(t, x, top));
}

static hd_going input(hd_lise *l, const hd_cedge *edge, hd_library_fn fn,
                      const hd_term *args, size_t n) {
  hd_terms *t = l->terms;
  const char *name = hd_library_name(fn);
  hd_input_type type = hd_library_input(fn);
  hd_term_sort sort = hd_input_real(type) ? HD_OF_REAL : HD_OF_INT;
  hd_edge_id id = (hd_edge_id)(edge - hd_lise_code(l)->edges.data);
  if (type == HD_INPUT_POINTER || type == HD_INPUT_ANY ||
      writes_input(l, fn, args, n))
    return hd_lise_refuse(l, "a call of '%s'", name);
  hd_term x = hd_lise_input_new(l, name, sort, l->proc, id);
  if (n == 2) {
    hd_lise_learn(l, hd_term_le(t, args[0], x));
    hd_lise_learn(l, hd_term_le(t, x, args[1]));
  } else if (sort == HD_OF_INT) {
    learn_range(l, x, type,
                hd_input_bits(type, hd_lise_code(l)->pointer_width,
                              result_width(l, edge)));
  }
  return done(l, x);
}

/* --- assumptions and assertions --- */

/* The text of a string constant, or NULL; the caller frees it. */
static char *text_at(hd_lise *l, hd_term pointer) {
  hd_terms *t = l->terms;
  if (hd_term_op_of(t, pointer) != HD_TERM_PTR)
    return NULL;
  uint32_t object = hd_term_args(t, pointer)[0];
  const hd_code *code = hd_lise_code(l);
  if (!object || object > code->globals.size)
    return NULL;
  const hd_global *g = &code->globals.data[object - 1];
  return g->bytes ? hd_strndup((const char *)g->bytes, g->size) : NULL;
}

static hd_going fail(hd_lise *l, hd_library_fn fn, const hd_term *args,
                     size_t n) {
  char *text = fn == HD_LIB___assert_fail && n ? text_at(l, args[0]) : NULL;
  hd_going g = text ? hd_lise_violate(l, HD_PROPERTY_ASSERT,
                                      "assertion '%s' fails", text)
                    : hd_lise_violate(l, HD_PROPERTY_ASSERT, "%s is called",
                                      hd_library_name(fn));
  hd_free(text);
  return g;
}

static hd_going verify(hd_lise *l, hd_library_fn fn, const hd_term *args,
                       size_t n) {
  hd_terms *t = l->terms;
  bool assume = hd_library_action(fn) == HD_DO_ASSUME;
  if (!n)
    return fail(l, fn, args, n);
  if (hd_term_is_undef(t, args[0]))
    return hd_lise_violate(l, HD_PROPERTY_UNINIT,
                           "%s depends on a value that was never set",
                           assume ? "an assumption" : "an assertion");
  hd_term cond = hd_term_to_bool(t, args[0]);
  if (assume) {
    if (hd_lise_valid(l, hd_term_not(t, cond)) == HD_VALID)
      return HD_PRUNED;
    hd_lise_learn(l, cond);
  } else {
    hd_going g =
        hd_lise_check(l, cond, HD_PROPERTY_ASSERT, "an assertion fails");
    if (g != HD_GO_ON)
      return g;
  }
  hd_lise_call_done(l, NULL, 0);
  return HD_GO_ON;
}

/* --- allocation --- */

static hd_going allocate(hd_lise *l, const hd_cedge *edge, hd_term size,
                         bool zero, hd_term *pointer) {
  hd_terms *t = l->terms;
  if (hd_term_is_undef(t, size))
    return hd_lise_violate(l, HD_PROPERTY_UNINIT,
                           "the size of an allocation was never set");
  hd_going g =
      hd_lise_check(l, hd_term_le(t, hd_term_int(t, 0), size),
                    HD_PROPERTY_MEMORY, "an allocation of negative size");
  if (g != HD_GO_ON)
    return g;
  hd_edge_id id = (hd_edge_id)(edge - hd_lise_code(l)->edges.data);
  if (l->options->malloc_fails) /* which is a choice that replay cannot make */
    return hd_lise_refuse(l, "memory that may not be there (--malloc-fails)");
  uint32_t object = hd_lise_object_new(l, HD_LISE_HEAP, id, size);
  hd_lise_me(l)->objects.data[object]->zero = zero;
  *pointer = hd_term_ptr(t, object, hd_term_int(t, 0));
  return HD_GO_ON;
}

static hd_going release(hd_lise *l, hd_term pointer) {
  hd_terms *t = l->terms;
  if (hd_term_is_undef(t, pointer))
    return hd_lise_violate(l, HD_PROPERTY_UNINIT,
                           "free of a pointer that was never set");
  if (hd_term_op_of(t, pointer) != HD_TERM_PTR)
    return hd_lise_refuse(l, "free of a symbolic pointer");
  uint32_t object = hd_term_args(t, pointer)[0];
  int64_t offset;
  bool start =
      hd_term_is_int(t, hd_term_args(t, pointer)[1], &offset) && offset == 0;
  if (!object && start)
    return HD_GO_ON;
  const hd_lise_proc *me = hd_lise_seen(l);
  const hd_lise_object *o =
      object < me->objects.size ? me->objects.data[object] : NULL;
  if (!o || o->kind != HD_LISE_HEAP || !start)
    return hd_lise_violate(l, HD_PROPERTY_MEMORY,
                           "free of a pointer that malloc did not return");
  if (o->freed)
    return hd_lise_violate(l, HD_PROPERTY_MEMORY, "free of freed memory");
  hd_going g = hd_lise_let_go(l, object, "is freed");
  if (g != HD_GO_ON)
    return g;
  hd_lise_object *own = hd_lise_object_own(hd_lise_me(l), object);
  own->freed = true;
  own->array = 0;
  hd_vec_clear(&own->cells);
  return HD_GO_ON;
}

static hd_going reallocate(hd_lise *l, const hd_cedge *edge, hd_term old,
                           hd_term size) {
  hd_terms *t = l->terms;
  hd_term null = hd_lise_null(l), new;
  if (old == null) {
    hd_going g = allocate(l, edge, size, false, &new);
    return g == HD_GO_ON ? done(l, new) : g;
  }
  uint32_t object;
  hd_term offset;
  hd_going g = hd_lise_access(l, old, hd_term_int(t, 0), false, "realloc",
                              &object, &offset);
  if (g != HD_GO_ON)
    return g;
  hd_lise_object contents =
      *hd_lise_seen(l)->objects.data[object]; /* cells are still shared */
  int64_t from, to;
  if (contents.array || !hd_term_is_int(t, contents.size, &from) ||
      !hd_term_is_int(t, size, &to))
    return hd_lise_refuse(l, "realloc with a symbolic size");
  hd_lise_message *copy = hd_lise_message_new();
  g = hd_lise_read(l, old, from < to ? from : to, (hd_type){HD_TYPE_INT, 8},
                   "realloc", copy);
  if (g == HD_GO_ON)
    g = allocate(l, edge, size, false, &new);
  if (g == HD_GO_ON)
    g = hd_lise_write(l, new, from < to ? from : to, copy, "realloc");
  hd_lise_message_drop(copy);
  if (g == HD_GO_ON)
    g = release(l, old);
  return g == HD_GO_ON ? done(l, new) : g;
}

static hd_going allocation(hd_lise *l, const hd_cedge *edge, hd_library_fn fn,
                           const hd_term *args) {
  bool clears = hd_library_is(fn, HD_CALL_CLEARS);
  if (fn != HD_LIB_malloc && !clears)
    return hd_lise_refuse(l, "a call of '%s'", hd_library_name(fn));
  hd_term size = clears ? hd_term_mul(l->terms, args[0], args[1]) : args[0];
  hd_term pointer;
  hd_going g = allocate(l, edge, size, clears, &pointer);
  return g == HD_GO_ON ? done(l, pointer) : g;
}

static hd_going deallocation(hd_lise *l, hd_term pointer) {
  hd_going g = release(l, pointer);
  if (g == HD_GO_ON)
    hd_lise_call_done(l, NULL, 0);
  return g;
}

/* --- blocks of memory --- */

static hd_going copy_block(hd_lise *l, hd_library_fn fn, hd_term to,
                           hd_term from, hd_term size) {
  int64_t bytes;
  hd_going g = hd_lise_concrete(l, size, &bytes, "the size of a copy");
  if (g != HD_GO_ON)
    return g;
  g = hd_lise_one_buffer(l, &to);
  if (g == HD_GO_ON)
    g = hd_lise_one_buffer(l, &from);
  if (g == HD_GO_ON && fn == HD_LIB_memcpy && to != from)
    g = hd_lise_apart(l, fn, to, bytes, from, bytes);
  if (g != HD_GO_ON)
    return g;
  hd_lise_message *copy = hd_lise_message_new();
  g = hd_lise_read(l, from, bytes, (hd_type){HD_TYPE_INT, 8},
                   hd_library_name(fn), copy);
  if (g == HD_GO_ON)
    g = hd_lise_write(l, to, bytes, copy, hd_library_name(fn));
  hd_lise_message_drop(copy);
  return g == HD_GO_ON ? done(l, to) : g;
}

static hd_going fill_block(hd_lise *l, hd_library_fn fn, hd_term to,
                           hd_term value, hd_term size) {
  hd_terms *t = l->terms;
  int64_t bytes, byte;
  hd_going g = hd_lise_concrete(l, size, &bytes, "the size of memset");
  if (g == HD_GO_ON)
    g = hd_lise_concrete(l, value, &byte, "the value of memset");
  if (g != HD_GO_ON)
    return g;
  uint32_t object;
  hd_term offset;
  g = hd_lise_access(l, to, hd_term_int(t, bytes), true, hd_library_name(fn),
                     &object, &offset);
  int64_t at, all;
  if (g != HD_GO_ON)
    return g;
  const hd_lise_object *o = hd_lise_seen(l)->objects.data[object];
  if (!byte && !o->array && hd_term_is_int(t, offset, &at) && at == 0 &&
      hd_term_is_int(t, o->size, &all) && all == bytes &&
      o->kind != HD_LISE_GLOBAL) {
    hd_lise_object *own = hd_lise_object_own(hd_lise_me(l), object);
    hd_vec_clear(&own->cells);
    own->zero = true;
    return done(l, to);
  }
  hd_lise_message *copy = hd_lise_message_new();
  for (int64_t i = 0; i < bytes; i++)
    hd_vec_push(&copy->cells,
                ((hd_lise_cell){i, 1, hd_term_int(t, byte & 255)}));
  g = hd_lise_write(l, to, bytes, copy, hd_library_name(fn));
  hd_lise_message_drop(copy);
  return g == HD_GO_ON ? done(l, to) : g;
}

/* --- numbers --- */

static hd_going math(hd_lise *l, hd_library_fn fn, const hd_term *args,
                     size_t n) {
  hd_terms *t = l->terms;
  hd_term zero = hd_term_int(t, 0);
  hd_ratio two = {2, 1};
  for (size_t i = 0; i < n; i++)
    if (hd_term_is_undef(t, args[i]))
      return done(l, hd_term_undef(t));
  switch (fn) {
  case HD_LIB_fabs:
  case HD_LIB_fabsf:
  case HD_LIB_abs:
  case HD_LIB_labs:
  case HD_LIB_llabs:
    return done(l, hd_term_ite(t, hd_term_lt(t, args[0], zero),
                               hd_term_neg(t, args[0]), args[0]));
  case HD_LIB_fmin:
  case HD_LIB_fminf:
    return done(l, hd_term_min(t, args[0], args[1]));
  case HD_LIB_fmax:
  case HD_LIB_fmaxf:
    return done(l, hd_term_max(t, args[0], args[1]));
  case HD_LIB_pow:
    if (args[1] == hd_term_number(t, HD_OF_REAL, two))
      return done(l, hd_term_mul(t, args[0], args[0]));
    break;
  default:
    break;
  }
  bool whole = hd_library_kind_of(fn) == HD_LIBRARY_NUMBER ||
               fn == HD_LIB_lround || fn == HD_LIB_lrint;
  return done(l, hd_term_fn(t, hd_library_name(fn),
                            whole ? HD_OF_INT : HD_OF_REAL, args, n));
}

/* What a text says is an input, unless it is told where it ends. */
static hd_going parse(hd_lise *l, const hd_cedge *edge, hd_library_fn fn) {
  if (hd_library_does(fn, HD_ARG_WRITE))
    return hd_lise_refuse(l, "a call of '%s'", hd_library_name(fn));
  hd_edge_id id = (hd_edge_id)(edge - hd_lise_code(l)->edges.data);
  bool real = fn == HD_LIB_atof;
  hd_term x = hd_lise_input_new(l, hd_library_name(fn),
                                real ? HD_OF_REAL : HD_OF_INT, l->proc, id);
  hd_lise_typed(l, x,
                (hd_type){real ? HD_TYPE_FLOAT : HD_TYPE_INT,
                          fn == HD_LIB_atoi ? 32 : 64});
  return done(l, x);
}

/* --- all --- */

/* A variable of a block: it has no value when the block is entered, and must not
 * be used when it is left. */
static hd_going lifetime(hd_lise *l, hd_term pointer, bool starts) {
  hd_terms *t = l->terms;
  if (hd_term_op_of(t, pointer) == HD_TERM_PTR &&
      hd_term_args(t, pointer)[0] < hd_lise_seen(l)->objects.size &&
      hd_lise_seen(l)->objects.data[hd_term_args(t, pointer)[0]]) {
    hd_going g = hd_lise_let_go(l, hd_term_args(t, pointer)[0],
                                "is a variable of a block that is left");
    if (g != HD_GO_ON)
      return g;
    hd_lise_object *o =
        hd_lise_object_own(hd_lise_me(l), hd_term_args(t, pointer)[0]);
    o->freed = !starts;
    o->array = 0;
    o->zero = false;
    hd_vec_clear(&o->cells);
  }
  hd_lise_call_done(l, NULL, 0);
  return HD_GO_ON;
}

static hd_going stack(hd_lise *l, hd_library_fn fn, const hd_term *args) {
  hd_terms *t = l->terms;
  int64_t size;
  if (fn == HD_LIB_llvm_stacksave)
    return done(
        l, hd_term_ptr(t, 0,
                       hd_term_int(t, (int64_t)hd_lise_seen(l)->stack.size)));
  if (fn != HD_LIB_llvm_stackrestore)
    return hd_lise_refuse(l, "a call of '%s'", hd_library_name(fn));
  hd_going g = HD_GO_ON;
  if (hd_term_op_of(t, args[0]) == HD_TERM_PTR &&
      hd_term_is_int(t, hd_term_args(t, args[0])[1], &size))
    g = hd_lise_restore_stack(l, (size_t)size);
  if (g == HD_GO_ON)
    hd_lise_call_done(l, NULL, 0);
  return g;
}

/* The format of a call. */
static const hd_global *format_of(const hd_lise *l, const hd_cedge *edge,
                                  int at) {
  const hd_code *code = hd_lise_code(l);
  hd_cexpr_id id = hd_code_operand(code, edge, 1 + (uint32_t)at);
  const hd_cexpr *x = &code->exprs.data[id];
  return x->op == HD_CODE_GLOBAL ? &code->globals.data[x->value] : NULL;
}

/* Is nothing written to memory? Formats that are literals tell. */
static bool only_prints(const hd_lise *l, const hd_cedge *edge,
                        hd_library_fn fn, size_t n) {
  int at = hd_library_format_at(fn);
  if (at < 0)
    return !hd_library_prints_format(fn);
  if ((size_t)at >= n)
    return false;
  const hd_global *g = format_of(l, edge, at);
  return g && g->constant && !g->external &&
         hd_library_format(g->bytes, g->size, n - (size_t)at - 1) !=
             HD_PRINTS_BACK;
}

/* Text that is read must be there, up to its end. */
static hd_going reads_text(hd_lise *l, hd_library_fn fn, hd_term pointer) {
  hd_terms *t = l->terms;
  hd_going g = hd_lise_one_buffer(l, &pointer);
  for (int64_t i = 0; g == HD_GO_ON; i++) {
    hd_term at = pointer, value;
    if (hd_term_op_of(t, pointer) == HD_TERM_PTR)
      at = hd_term_ptr(
          t, hd_term_args(t, pointer)[0],
          hd_term_add(t, hd_term_args(t, pointer)[1], hd_term_int(t, i)));
    g = hd_lise_load(l, at, (hd_type){HD_TYPE_INT, 8}, &value);
    int64_t byte = 0;
    if (g != HD_GO_ON)
      return g;
    if (!hd_term_is_int(t, value, &byte))
      return hd_lise_refuse(l, "text for '%s' that is not known",
                            hd_library_name(fn));
    if (!byte)
      return HD_GO_ON;
  }
  return g;
}

static hd_going reads_bytes(hd_lise *l, hd_library_fn fn, const hd_term *args) {
  hd_terms *t = l->terms;
  bool stream = fn == HD_LIB_fwrite;
  hd_term size = stream ? hd_term_mul(t, args[1], args[2]) : args[2];
  uint32_t object;
  hd_term offset;
  if (hd_term_is_undef(t, size))
    return hd_lise_refuse(l, "a size that was never set");
  return hd_lise_access(l, args[stream ? 0 : 1], size, false,
                        hd_library_name(fn), &object, &offset);
}

static hd_going reads_texts(hd_lise *l, const hd_cedge *edge, hd_library_fn fn,
                            const hd_term *args, size_t n) {
  int at = hd_library_format_at(fn);
  if (fn == HD_LIB_puts || fn == HD_LIB_fputs)
    return reads_text(l, fn, args[0]);
  if (fn == HD_LIB_fwrite || fn == HD_LIB_write)
    return reads_bytes(l, fn, args);
  const hd_global *format = at < 0 ? NULL : format_of(l, edge, at);
  if (!format || hd_library_format(format->bytes, format->size,
                                   n - (size_t)at - 1) != HD_PRINTS_TEXT)
    return HD_GO_ON;
  hd_going g = HD_GO_ON;
  for (size_t i = (size_t)at + 1; i < n && g == HD_GO_ON; i++)
    if (hd_term_sort_of(l->terms, args[i]) == HD_OF_PTR)
      g = reads_text(l, fn, args[i]);
  return g;
}

/* What was printed is not looked at, nor what is said about it. */
static hd_going output(hd_lise *l, const hd_cedge *edge, hd_library_fn fn,
                       const hd_term *args, size_t n) {
  if (!only_prints(l, edge, fn, n))
    return hd_lise_refuse(l, "a call of '%s' that may write to memory",
                          hd_library_name(fn));
  hd_going g = reads_texts(l, edge, fn, args, n);
  if (g != HD_GO_ON)
    return g;
  return done(l, edge->n_targets ? hd_lise_fresh(l, HD_OF_INT)
                                 : hd_term_int(l->terms, 0));
}

/* Characters and the like are refused, but not mathematics. */
static hd_going compute(hd_lise *l, hd_library_fn fn, const hd_term *args,
                        size_t n) {
  bool is_abs = fn == HD_LIB_abs || fn == HD_LIB_labs || fn == HD_LIB_llabs;
  return is_abs || hd_library_kind_of(fn) == HD_LIBRARY_MATH
             ? math(l, fn, args, n)
             : hd_lise_refuse(l, "a call of '%s'", hd_library_name(fn));
}

static hd_going abort_process(hd_lise *l) {
  if (hd_lise_seen(l)->mpi == 1)
    return hd_lise_violate(l, HD_PROPERTY_MPI,
                           "the process ends without MPI_Finalize");
  hd_lise_me(l)->ended = true;
  return HD_STOPPED;
}

hd_going hd_lise_library(hd_lise *l, const hd_cedge *edge, hd_library_fn fn,
                         const hd_term *args, size_t n) {
  hd_action does = hd_library_action(fn);
  switch (does) {
  case HD_DO_INPUT:
    return input(l, edge, fn, args, n);
  case HD_DO_ASSUME:
  case HD_DO_ASSERT:
    return verify(l, fn, args, n);
  case HD_DO_FAIL:
    return fail(l, fn, args, n);
  case HD_DO_ENTER:
  case HD_DO_LEAVE:
    hd_lise_call_done(l, NULL, 0);
    return HD_GO_ON;
  case HD_DO_ALLOC:
    return allocation(l, edge, fn, args);
  case HD_DO_RESIZE:
    if (fn != HD_LIB_realloc)
      break;
    return reallocate(l, edge, args[0], args[1]);
  case HD_DO_FREE:
    return deallocation(l, args[0]);
  case HD_DO_COPY:
    return copy_block(l, fn, args[0], args[1], args[2]);
  case HD_DO_FILL:
    return fill_block(l, fn, args[0], args[1], args[2]);
  case HD_DO_COMPUTE:
    return compute(l, fn, args, n);
  case HD_DO_PARSE:
    return parse(l, edge, fn);
  case HD_DO_BIRTH:
  case HD_DO_DEATH:
    return lifetime(l, args[0], does == HD_DO_BIRTH);
  case HD_DO_STACK:
    return stack(l, fn, args);
  case HD_DO_PRINT:
  case HD_DO_WRITE:
    return output(l, edge, fn, args, n);
  case HD_DO_YIELD:
  case HD_DO_SLEEP:
  case HD_DO_SEED:
  case HD_DO_REGION:
    return done(l, hd_term_int(l->terms, 0));
  case HD_DO_ABORT:
    if (fn != HD_LIB_abort)
      break;
    return abort_process(l);
  case HD_DO_END:
    return hd_lise_exit(l, n ? args[0] : hd_term_int(l->terms, 0));
  case HD_DO_NONE:
  case HD_DO_REFUSED:
  case HD_DO_SPAWN:
  case HD_DO_JOIN:
  case HD_DO_QUIT:
  case HD_DO_DETACH:
  case HD_DO_SELF:
  case HD_DO_SAME:
  case HD_DO_CANCEL:
  case HD_DO_MAKE:
  case HD_DO_UNMAKE:
  case HD_DO_ACQUIRE:
  case HD_DO_RELEASE:
  case HD_DO_MEND:
  case HD_DO_PEEK:
  case HD_DO_PARK:
  case HD_DO_WAKE:
  case HD_DO_MEET:
  case HD_DO_ONCE:
  case HD_DO_KEY:
  case HD_DO_CLEANUP:
  case HD_DO_LOOK:
  case HD_DO_EDIT:
  case HD_DO_SORT:
  case HD_DO_ATOMIC:
  case HD_DO_ATTR_MAKE:
  case HD_DO_ATTR_END:
  case HD_DO_ATTR_SET:
  case HD_DO_ATTR_GET:
  case HD_DO_CLOCK:
  case HD_DO_HOST:
  case HD_DO_UNREACHABLE:
  case HD_DO_JUMP:
  case HD_DO_AT_END:
  case HD_DO_MPI:
    break;
  }
  return hd_lise_refuse(l, "a call of '%s'", hd_library_name(fn));
}
