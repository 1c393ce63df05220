/* SPDX-License-Identifier: MIT */
/* Formulas as terms: an annotation is evaluated over the states of processes,
 * their snapshots in a collective one.
 *
 * Values are those of symbolic execution. A formula always has a truth value,
 * however it is written, and that in a way which is safe to prove and safe to
 * assume afterwards:
 *   - what was never set, and elements outside of their array, have a value
 *     that nothing is known of: an uninterpreted function of the place;
 *   - a comparison that divides by something that may be 0 is false where it
 *     is. (A simplifier that cancels x/x must not meet x = 0.)
 * Ranges of at most MOST_WRITTEN_OUT numbers are written out, others become
 * quantified terms. `&&`, `||`, `=>` and `?:` look at their right side only when
 * the left one leaves it open. */
#include "engine/lise/lise.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WRITTEN_OUT = 64, MOST_CELLS = 1024 };

typedef struct {
  const hd_lise_view *view;
  hd_terms *t;
  hd_proc p;
  const hd_notes *notes;
  hd_str *why;
  hd_term *bound;        /* values of quantified variables */
  hd_term_list divisors; /* not 0 in the comparison that is evaluated */
  bool failed;
} context;

/* Where something is: in a register, or in memory. */
typedef struct {
  const hd_lise_proc *proc;
  const hd_code *code;
  size_t frame; /* of the variable at the root; SIZE_MAX = global */
  hd_term reg;  /* 0: in memory */
  uint32_t object;
  hd_term offset;
} place;

static hd_term value_of(context *c, hd_formula_id id);

HD_PRINTF(2, 3)
static hd_term fail(context *c, const char *format, ...) {
  if (!c->failed) {
    char line[500];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    c->why->size = 0;
    hd_str_puts(c->why, line);
  }
  c->failed = true;
  return 0;
}

static const hd_formula *node(const context *c, hd_formula_id id) {
  return &c->notes->formulas.data[id];
}

static hd_term number(context *c, int64_t n) {
  return hd_term_int(c->t, n);
}

/* --- processes --- */

static uint32_t own_program(const context *c) {
  return c->view->procs[c->p]->program;
}

/* The number of a program: its own, or the other one. */
static uint32_t program_of(const context *c, const hd_formula *f) {
  uint32_t own = own_program(c);
  return f->program ? 1 - own : own;
}

/* The process whose variable is meant, or NULL. */
static const hd_lise_proc *process_of(context *c, const hd_formula *f) {
  const hd_lise_view *v = c->view;
  if (f->op == HD_FORMULA_VAR)
    return v->procs[c->p];
  uint32_t program = program_of(c, f);
  assert(program < v->n_sources);
  int64_t rank = 0;
  if (f->args[0] != HD_NO_ID) {
    hd_term term = value_of(c, f->args[0]);
    if (c->failed)
      return NULL;
    if (!hd_term_is_int(c->t, term, &rank)) {
      hd_str text = {0};
      hd_term_print(&text, c->t, term);
      fail(c, "the rank in PROC[...] is %s, not a number", hd_str_text(&text));
      hd_str_free(&text);
      return NULL;
    }
  }
  uint32_t n = v->sources[program].n_procs;
  if (rank < 0 || rank >= (int64_t)n) {
    fail(c, "there is no process with rank %lld; the program has %u",
         (long long)rank, n);
    return NULL;
  }
  const hd_lise_proc *proc = v->procs[v->first[program] + (hd_proc)rank];
  if (!proc)
    fail(c, "process %lld has not come to this annotation", (long long)rank);
  return proc;
}

/* --- memory --- */

static hd_type scalar_type(const hd_code *code, hd_ctype_id id) {
  const hd_ctype *type = id < code->ctypes.size ? &code->ctypes.data[id] : NULL;
  hd_type out = {HD_TYPE_INT, 32};
  if (!type)
    return out;
  out.width = type->size && type->size <= 8 ? (uint8_t)(8 * type->size) : 32;
  if (type->kind == HD_CTYPE_FLOAT)
    out.kind = HD_TYPE_FLOAT;
  else if (type->kind == HD_CTYPE_POINTER)
    out.kind = HD_TYPE_PTR;
  return out;
}

static hd_term_sort term_sort(hd_type type) {
  return type.kind == HD_TYPE_FLOAT ? HD_OF_REAL
         : type.kind == HD_TYPE_PTR ? HD_OF_PTR
                                    : HD_OF_INT;
}

/* Something of which nothing is known, the same whenever it is asked for with
 * the same index. */
static hd_term unknown(context *c, const char *what, uint32_t object,
                       hd_term index, hd_term_sort sort) {
  char name[100];
  snprintf(name, sizeof name, "?%.60s:%u", what, object);
  if (!c->why->size)
    hd_str_printf(c->why, "%s is not set", what);
  return hd_term_fn(c->t, name, sort, &index, index ? 1 : 0);
}

/* The size in bytes of a type; of arrays of variable length by the variable
 * that has it, in the frame of the array. */
static hd_term size_of(context *c, const place *at, hd_ctype_id id) {
  const hd_code *code = at->code;
  if (id >= code->ctypes.size)
    return fail(c, "the size of a type is not known");
  const hd_ctype *type = &code->ctypes.data[id];
  if (type->kind != HD_CTYPE_ARRAY)
    return number(c, (int64_t)type->size);
  hd_term count = number(c, (int64_t)type->count);
  if (type->bound) {
    count = 0;
    hd_func_id func = at->frame == SIZE_MAX
                          ? HD_NO_ID
                          : at->proc->frames.data[at->frame].func;
    const hd_func *f = func == HD_NO_ID ? NULL : &code->funcs.data[func];
    for (uint32_t i = 0; f && i < f->n_regs; i++) {
      const char *name = code->regs.data[f->regs + i].cname;
      if (name && !strcmp(name, type->bound))
        count = hd_lise_reg(at->proc, at->frame, i);
    }
    if (!count || hd_term_is_undef(c->t, count))
      return fail(c, "the length of an array is not known");
  }
  hd_term each = size_of(c, at, type->base);
  return c->failed ? 0 : hd_term_mul(c->t, count, each);
}

/* A symbolic index into an object that consists of cells. */
static hd_term choose(context *c, const place *at, const hd_lise_object *o,
                      hd_type type) {
  hd_terms *t = c->t;
  int64_t w = hd_type_bytes(type), size;
  hd_term index = hd_term_exact_div(t, at->offset, w);
  if (!index || type.kind == HD_TYPE_PTR)
    return fail(c, "a symbolic index between the elements of an array");
  bool constants = o->zero && o->kind == HD_LISE_GLOBAL &&
                   at->code->globals.data[o->origin].bytes;
  hd_term value =
      o->zero && !constants
          ? (type.kind == HD_TYPE_FLOAT ? hd_term_toreal(t, number(c, 0))
                                        : number(c, 0))
          : unknown(c, "an element", at->object, index, term_sort(type));
  if (!hd_term_is_int(t, o->size, &size) || size / w > MOST_CELLS) {
    /* Only what was written can be told apart. */
    if (constants || o->cells.size > MOST_CELLS)
      return fail(c, "a symbolic index into a large array");
    for (size_t i = 0; i < o->cells.size; i++) {
      int64_t offset = o->cells.data[i].offset;
      hd_term v = hd_lise_peek(t, at->code, at->proc, at->object,
                               number(c, offset), type);
      if (!v || offset % w)
        return fail(c, "a symbolic index into something that is no array");
      if (!hd_term_is_undef(t, v))
        value = hd_term_ite(t, hd_term_eq(t, index, number(c, offset / w)), v,
                            value);
    }
    return value;
  }
  for (int64_t k = 0; k < size / w; k++) {
    hd_term v =
        hd_lise_peek(t, at->code, at->proc, at->object, number(c, k * w), type);
    if (!v)
      return fail(c, "a symbolic index into something that is no array");
    if (!hd_term_is_undef(t, v))
      value = hd_term_ite(t, hd_term_eq(t, index, number(c, k)), v, value);
  }
  return value;
}

static const char *object_name(const place *at, const hd_lise_object *o) {
  const char *name = NULL;
  if (o->kind == HD_LISE_GLOBAL)
    name = at->code->globals.data[o->origin].cname;
  else if (o->kind == HD_LISE_SLOT)
    name = at->code->slots.data[o->origin].cname;
  return name ? name : "memory";
}

static hd_term read_memory(context *c, const place *at, hd_type type) {
  const hd_lise_proc *proc = at->proc;
  const hd_lise_object *o =
      at->object < proc->objects.size ? proc->objects.data[at->object] : NULL;
  if (!at->object)
    return fail(c, "a null pointer is followed");
  if (!o || o->freed)
    return fail(c, "memory is read that is not there any more");
  int64_t offset, size;
  bool constant = hd_term_is_int(c->t, at->offset, &offset);
  if (!o->array && !constant)
    return choose(c, at, o, type);
  bool inside = !constant || !hd_term_is_int(c->t, o->size, &size) ||
                (offset >= 0 && offset + hd_type_bytes(type) <= size);
  hd_term v =
      inside ? hd_lise_peek(c->t, at->code, proc, at->object, at->offset, type)
             : hd_term_undef(c->t);
  if (!v)
    return fail(c, "%s is read as another type than it was written",
                object_name(at, o));
  return hd_term_is_undef(c->t, v) ? unknown(c, object_name(at, o), at->object,
                                             at->offset, term_sort(type))
                                   : v;
}

/* --- places --- */

static bool follow(context *c, hd_term pointer, place *out) {
  out->reg = 0;
  if (c->failed)
    return false;
  if (hd_term_op_of(c->t, pointer) != HD_TERM_PTR) {
    fail(c, "a pointer is followed that has no definite value");
    return false;
  }
  const uint32_t *args = hd_term_args(c->t, pointer);
  out->object = args[0];
  out->offset = args[1];
  return true;
}

static bool variable(context *c, const hd_formula *f, place *out) {
  out->proc = process_of(c, f);
  if (!out->proc)
    return false;
  out->code = f->program ? c->notes->other : c->notes->code;
  out->frame = SIZE_MAX;
  if (f->var.kind == HD_CVAR_GLOBAL) {
    out->object = f->var.index + 1;
    out->offset = number(c, 0);
    return true;
  }
  const char *name = hd_cvar_name(out->code, f->var);
  out->frame = hd_lise_frame_of(out->proc, f->var.func);
  if (out->frame == SIZE_MAX) {
    fail(c, "process %d is not in function '%s', so '%s' is not there",
         out->proc->rank, out->code->funcs.data[f->var.func].cname, name);
    return false;
  }
  if (f->var.kind == HD_CVAR_SLOT) {
    out->object = hd_lise_slot(out->proc, out->frame, f->var.index);
    out->offset = number(c, 0);
    return true;
  }
  hd_term reg = hd_lise_reg(out->proc, out->frame, f->var.index);
  if (f->sort == HD_SORT_OBJECT) {
    if (!reg || hd_term_is_undef(c->t, reg)) {
      fail(c, "the array '%s' is not there yet", name);
      return false;
    }
    return follow(c, reg, out);
  }
  if (!reg || hd_term_is_undef(c->t, reg))
    reg = unknown(c, name, (uint32_t)out->proc->rank, 0,
                  term_sort(scalar_type(out->code, f->type)));
  out->reg = reg;
  return true;
}

static bool find(context *c, hd_formula_id id, place *out);

/* What a formula of pointer or array sort leads to, as the place of its first
 * element. */
static bool element(context *c, hd_formula_id id, place *out) {
  const hd_formula *f = node(c, id);
  if (f->sort == HD_SORT_OBJECT)
    return find(c, id, out);
  /* The memory is that of the process at the root of the pointer. */
  if (!find(c, id, out))
    return false;
  hd_term pointer =
      out->reg ? out->reg
               : read_memory(c, out,
                             (hd_type){HD_TYPE_PTR, out->code->pointer_width});
  return !c->failed && follow(c, pointer, out);
}

static bool find(context *c, hd_formula_id id, place *out) {
  const hd_formula *f = node(c, id);
  *out = (place){.frame = SIZE_MAX};
  switch (f->op) {
  case HD_FORMULA_VAR:
  case HD_FORMULA_REMOTE:
    return variable(c, f, out);
  case HD_FORMULA_DEREF:
    return element(c, f->args[0], out);
  case HD_FORMULA_INDEX: {
    if (!element(c, f->args[0], out))
      return false;
    hd_term size = size_of(c, out, f->type);
    hd_term index = c->failed ? 0 : value_of(c, f->args[1]);
    if (c->failed)
      return false;
    out->offset =
        hd_term_add(c->t, out->offset, hd_term_mul(c->t, index, size));
    return true;
  }
  case HD_FORMULA_FIELD: {
    if (!find(c, f->args[0], out))
      return false;
    const hd_cfield *field = &out->code->fields.data[f->value];
    if (field->offset % 8 || field->bits % 8) {
      fail(c, "'%s' is a bit field", field->name);
      return false;
    }
    out->offset =
        hd_term_add(c->t, out->offset, number(c, (int64_t)field->offset / 8));
    return true;
  }
  default:
    fail(c, "an address that is computed in an annotation");
    return false;
  }
}

/* Numbers are kept with their sign; of an unsigned type they have none. */
static hd_term as_declared(context *c, const hd_code *code, hd_ctype_id id,
                           hd_term v) {
  const hd_ctype *type = id < code->ctypes.size ? &code->ctypes.data[id] : NULL;
  if (hd_term_sort_of(c->t, v) == HD_OF_BOOL)
    v = hd_term_from_bool(c->t, v);
  if (!type || type->kind != HD_CTYPE_UNSIGNED || type->size > 8)
    return v;
  hd_term negative = hd_term_lt(c->t, v, number(c, 0));
  if (hd_term_is_false(c->t, negative))
    return v;
  hd_term modulus = hd_term_number(c->t, HD_OF_INT,
                                   (hd_ratio){(hd_i128)1 << 8 * type->size, 1});
  return hd_term_ite(c->t, negative, hd_term_add(c->t, v, modulus), v);
}

static hd_term read_place(context *c, hd_formula_id id) {
  const hd_formula *f = node(c, id);
  place at;
  if (!find(c, id, &at))
    return 0;
  hd_term v =
      at.reg ? at.reg : read_memory(c, &at, scalar_type(at.code, f->type));
  return c->failed ? 0 : as_declared(c, at.code, f->type, v);
}

/* --- operators --- */

static hd_term divide(context *c, const hd_formula *f, hd_term a, hd_term b) {
  int64_t n;
  hd_term zero = number(c, 0);
  if (hd_term_is_true(c->t, hd_term_eq(c->t, b, zero)))
    return fail(c, "an annotation divides by 0");
  if (!hd_term_is_int(c->t, b, &n) && !hd_term_is_const(c->t, b))
    hd_vec_push(&c->divisors, hd_term_ne(c->t, b, zero));
  return f->op == HD_FORMULA_MOD  ? hd_term_trem(c->t, a, b)
         : f->sort == HD_SORT_INT ? hd_term_tdiv(c->t, a, b)
                                  : hd_term_rdiv(c->t, a, b);
}

static hd_term arithmetic(context *c, const hd_formula *f) {
  hd_term a = value_of(c, f->args[0]);
  hd_term b = c->failed || f->args[1] == HD_NO_ID ? 0 : value_of(c, f->args[1]);
  if (c->failed)
    return 0;
  switch (f->op) {
  case HD_FORMULA_NEG:
    return hd_term_neg(c->t, a);
  case HD_FORMULA_ADD:
    return hd_term_add(c->t, a, b);
  case HD_FORMULA_SUB:
    return hd_term_sub(c->t, a, b);
  case HD_FORMULA_MUL:
    return hd_term_mul(c->t, a, b);
  case HD_FORMULA_ABS:
    return hd_term_max(c->t, a, hd_term_neg(c->t, a));
  case HD_FORMULA_MIN:
    return hd_term_min(c->t, a, b);
  case HD_FORMULA_MAX:
    return hd_term_max(c->t, a, b);
  default:
    return divide(c, f, a, b);
  }
}

/* An atom: with what it divides by. */
static hd_term comparison(context *c, const hd_formula *f) {
  size_t before = c->divisors.size;
  hd_term a = value_of(c, f->args[0]);
  hd_term b = c->failed || f->args[1] == HD_NO_ID ? 0 : value_of(c, f->args[1]);
  if (c->failed)
    return 0;
  hd_term out;
  switch (f->op) {
  case HD_FORMULA_LT:
    out = hd_term_lt(c->t, a, b);
    break;
  case HD_FORMULA_LE:
    out = hd_term_le(c->t, a, b);
    break;
  case HD_FORMULA_EQ:
    out = hd_term_eq(c->t, a, b);
    break;
  case HD_FORMULA_NE:
    out = hd_term_ne(c->t, a, b);
    break;
  default:
    out = hd_term_to_bool(c->t, a);
  }
  while (c->divisors.size > before)
    out = hd_term_and(c->t, hd_vec_pop(&c->divisors), out);
  return out;
}

/* && || => with the left side first. */
static hd_term connect(context *c, const hd_formula *f) {
  hd_term a = value_of(c, f->args[0]);
  if (c->failed)
    return 0;
  if (f->op == HD_FORMULA_IMPLIES)
    a = hd_term_not(c->t, a);
  bool is_and = f->op == HD_FORMULA_AND;
  if (is_and ? hd_term_is_false(c->t, a) : hd_term_is_true(c->t, a))
    return a;
  hd_term b = value_of(c, f->args[1]);
  if (c->failed)
    return 0;
  return is_and ? hd_term_and(c->t, a, b) : hd_term_or(c->t, a, b);
}

static hd_term conditional(context *c, const hd_formula *f) {
  hd_term test = value_of(c, f->args[0]);
  if (c->failed)
    return 0;
  if (hd_term_is_true(c->t, test))
    return value_of(c, f->args[1]);
  if (hd_term_is_false(c->t, test))
    return value_of(c, f->args[2]);
  hd_term a = value_of(c, f->args[1]);
  hd_term b = c->failed ? 0 : value_of(c, f->args[2]);
  return c->failed ? 0 : hd_term_ite(c->t, test, a, b);
}

/* --- quantifiers --- */

static hd_term write_out(context *c, const hd_formula *f, int64_t from,
                         int64_t to) {
  bool all = f->op == HD_FORMULA_FORALL;
  hd_term out = hd_term_bool(c->t, all);
  for (int64_t i = from; i <= to; i++) {
    c->bound[f->value] = number(c, i);
    hd_term body = value_of(c, f->args[2]);
    if (c->failed)
      return 0;
    out = all ? hd_term_and(c->t, out, body) : hd_term_or(c->t, out, body);
    if (all ? hd_term_is_false(c->t, out) : hd_term_is_true(c->t, out))
      break;
  }
  return out;
}

static hd_term over_range(context *c, const hd_formula *f, hd_term from,
                          hd_term to) {
  hd_terms *t = c->t;
  bool all = f->op == HD_FORMULA_FORALL;
  int64_t first, last;
  if (from && to && hd_term_is_true(t, hd_term_lt(t, to, from)))
    return hd_term_bool(t, all);
  if (from && to && hd_term_is_int(t, from, &first) &&
      hd_term_is_int(t, to, &last) && last - first < MOST_WRITTEN_OUT)
    return write_out(c, f, first, last);
  hd_term v = hd_term_sym(t, HD_SYM_BOUND, (uint32_t)f->value, HD_OF_INT);
  c->bound[f->value] = v;
  hd_term range = hd_term_bool(t, true);
  if (from)
    range = hd_term_and(t, range, hd_term_le(t, from, v));
  if (to)
    range = hd_term_and(t, range, hd_term_le(t, v, to));
  hd_term body = value_of(c, f->args[2]);
  if (c->failed)
    return 0;
  return all ? hd_term_forall(t, v, hd_term_implies(t, range, body))
             : hd_term_exists(t, v, hd_term_and(t, range, body));
}

static hd_term quantified(context *c, const hd_formula *f) {
  size_t before = c->divisors.size;
  hd_term from = 0, to = 0;
  if (f->args[0] != HD_NO_ID)
    from = value_of(c, f->args[0]);
  if (!c->failed && f->args[1] != HD_NO_ID)
    to = value_of(c, f->args[1]);
  hd_term out = c->failed ? 0 : over_range(c, f, from, to);
  if (c->failed)
    return 0;
  while (c->divisors.size > before)
    out = hd_term_and(c->t, hd_vec_pop(&c->divisors), out);
  return out;
}

/* --- all --- */

/* As in C: the double that is nearest. */
static hd_term real_constant(context *c, const hd_formula *f) {
  char text[64];
  snprintf(text, sizeof text, "%llde-%d", (long long)f->value, (int)f->scale);
  return hd_term_double(c->t, strtod(text, NULL));
}

static hd_term address(context *c, const hd_formula *f) {
  place at;
  if (!find(c, f->args[0], &at))
    return 0;
  return at.reg ? fail(c, "the address of a variable that is in a register")
                : hd_term_ptr(c->t, at.object, at.offset);
}

static hd_term converted(context *c, const hd_formula *f) {
  hd_term a = value_of(c, f->args[0]);
  if (c->failed)
    return 0;
  if (f->op == HD_FORMULA_TO_REAL)
    return hd_term_toreal(c->t, a);
  return hd_term_sort_of(c->t, a) == HD_OF_BOOL   ? hd_term_from_bool(c->t, a)
         : hd_term_sort_of(c->t, a) == HD_OF_REAL ? hd_term_toint(c->t, a)
                                                  : a;
}

/* Messages that the process has sent to, or received from, a rank. */
static hd_term counted(context *c, const hd_formula *f) {
  hd_term term = value_of(c, f->args[0]);
  int64_t rank;
  if (c->failed)
    return 0;
  uint32_t n = c->view->sources[own_program(c)].n_procs;
  if (!hd_term_is_int(c->t, term, &rank))
    return fail(c, "the rank in sent() or received() is not a number");
  if (rank < 0 || rank >= (int64_t)n)
    return fail(c, "there is no process with rank %lld; the program has %u",
                (long long)rank, n);
  const hd_lise_proc *proc = c->view->procs[c->p];
  size_t at = 2 * (size_t)rank + (f->op == HD_FORMULA_RECEIVED);
  return at < proc->counts.size ? proc->counts.data[at] : number(c, 0);
}

static hd_term value_of(context *c, hd_formula_id id) {
  const hd_formula *f = node(c, id);
  switch ((hd_formula_op)f->op) {
  case HD_FORMULA_INT:
    return number(c, f->value);
  case HD_FORMULA_REAL:
    return real_constant(c, f);
  case HD_FORMULA_BOUND:
    assert(c->bound[f->value]);
    return c->bound[f->value];
  case HD_FORMULA_RANK:
    return number(c, c->view->procs[c->p]->rank);
  case HD_FORMULA_NPROCS:
    return number(c, c->view->sources[own_program(c)].n_procs);
  case HD_FORMULA_NULL:
    return hd_term_ptr(c->t, 0, number(c, 0));
  case HD_FORMULA_VAR:
  case HD_FORMULA_REMOTE:
  case HD_FORMULA_INDEX:
  case HD_FORMULA_FIELD:
  case HD_FORMULA_DEREF:
    return read_place(c, id);
  case HD_FORMULA_ADDRESS:
    return address(c, f);
  case HD_FORMULA_LT:
  case HD_FORMULA_LE:
  case HD_FORMULA_EQ:
  case HD_FORMULA_NE:
  case HD_FORMULA_TO_BOOL:
    return comparison(c, f);
  case HD_FORMULA_NOT: {
    hd_term a = value_of(c, f->args[0]);
    return c->failed ? 0 : hd_term_not(c->t, a);
  }
  case HD_FORMULA_AND:
  case HD_FORMULA_OR:
  case HD_FORMULA_IMPLIES:
    return connect(c, f);
  case HD_FORMULA_COND:
    return conditional(c, f);
  case HD_FORMULA_TO_REAL:
  case HD_FORMULA_TO_INT:
    return converted(c, f);
  case HD_FORMULA_FORALL:
  case HD_FORMULA_EXISTS:
    return quantified(c, f);
  case HD_FORMULA_SENT:
  case HD_FORMULA_RECEIVED:
    return counted(c, f);
  default:
    return arithmetic(c, f);
  }
}

hd_term hd_lise_formula(const hd_lise_view *view, hd_proc p,
                        const hd_notes *notes, hd_formula_id formula,
                        hd_str *why) {
  assert(p < view->n_procs && view->procs[p]);
  if (formula == HD_NO_ID)
    return hd_term_bool(view->terms, true);
  context c = {.view = view,
               .t = view->terms,
               .p = p,
               .notes = notes,
               .why = why,
               .bound = hd_calloc(notes->n_bound + 1, sizeof(hd_term))};
  why->size = 0;
  hd_term out = value_of(&c, formula);
  hd_free(c.bound);
  hd_vec_free(&c.divisors);
  return c.failed ? 0 : out;
}
