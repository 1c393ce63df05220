/* SPDX-License-Identifier: MIT */
/* Nodes and C's conversions: what is compared or added has one sort. */
#include "front/formula/reader.h"

#include <string.h>

const hd_formula *hd_formula_of(const formula_reader *r, hd_formula_id id) {
  assert(id < r->notes->formulas.size);
  return &r->notes->formulas.data[id];
}

hd_formula_id hd_formula_node(formula_reader *r, hd_formula f) {
  return hd_notes_add(r->notes, f);
}

static hd_formula node(hd_formula_op op, hd_sort sort, uint32_t at) {
  return (hd_formula){
      .op = (uint8_t)op,
      .sort = (uint8_t)sort,
      .type = HD_NO_ID,
      .args = {HD_NO_ID, HD_NO_ID, HD_NO_ID},
      .at = at,
  };
}

hd_formula_id hd_formula_int(formula_reader *r, int64_t value, uint32_t at) {
  hd_formula f = node(HD_FORMULA_INT, HD_SORT_INT, at);
  f.value = value;
  return hd_formula_node(r, f);
}

const hd_code *hd_formula_code(const formula_reader *r, uint8_t program) {
  return program ? r->notes->other : r->notes->code;
}

static const hd_ctype *ctype_of(const formula_reader *r, const hd_formula *f) {
  const hd_code *code = hd_formula_code(r, f->program);
  return f->type < code->ctypes.size ? &code->ctypes.data[f->type] : NULL;
}

static hd_sort sort_of(const hd_ctype *type) {
  if (!type)
    return HD_SORT_INT;
  switch (type->kind) {
  case HD_CTYPE_FLOAT:
    return HD_SORT_REAL;
  case HD_CTYPE_POINTER:
    return HD_SORT_POINTER;
  case HD_CTYPE_ARRAY:
  case HD_CTYPE_STRUCT:
  case HD_CTYPE_UNION:
  case HD_CTYPE_FUNCTION:
  case HD_CTYPE_VOID:
    return HD_SORT_OBJECT;
  default:
    return HD_SORT_INT;
  }
}

hd_formula_id hd_formula_place(formula_reader *r, hd_formula f,
                               hd_ctype_id type) {
  f.type = type;
  f.sort = (uint8_t)sort_of(ctype_of(r, &f));
  return hd_formula_node(r, f);
}

static const char *const sort_names[] = {"a truth value", "an integer",
                                         "a real number", "a pointer",
                                         "a whole array or struct"};

static hd_formula_id unary(formula_reader *r, hd_formula_op op, hd_sort sort,
                           hd_formula_id a, uint32_t at) {
  hd_formula f = node(op, sort, at);
  f.args[0] = a;
  return hd_formula_node(r, f);
}

static hd_formula_id some(formula_reader *r) {
  return hd_formula_int(r, 0, 0);
}

hd_formula_id hd_formula_bool(formula_reader *r, hd_formula_id id) {
  const hd_formula *f = hd_formula_of(r, id);
  if (f->sort == HD_SORT_BOOL)
    return id;
  if (f->sort == HD_SORT_OBJECT)
    hd_formula_error(r, f->at, 1, "a condition cannot be %s",
                     sort_names[f->sort]);
  return unary(r, HD_FORMULA_TO_BOOL, HD_SORT_BOOL, id, f->at);
}

/* An integer or a real number. */
hd_formula_id hd_formula_number(formula_reader *r, hd_formula_id id) {
  const hd_formula *f = hd_formula_of(r, id);
  if (f->sort == HD_SORT_BOOL)
    return unary(r, HD_FORMULA_TO_INT, HD_SORT_INT, id, f->at);
  if (f->sort != HD_SORT_INT && f->sort != HD_SORT_REAL)
    hd_formula_error(r, f->at, 1, "expected a number, found %s",
                     sort_names[f->sort]);
  return id;
}

hd_formula_id hd_formula_integer(formula_reader *r, hd_formula_id id,
                                 const char *what) {
  id = hd_formula_number(r, id);
  const hd_formula *f = hd_formula_of(r, id);
  if (f->sort == HD_SORT_REAL) {
    hd_formula_error(r, f->at, 1, "%s must be an integer, not a real number",
                     what);
    return some(r);
  }
  return id;
}

static hd_formula_id real(formula_reader *r, hd_formula_id id) {
  const hd_formula *f = hd_formula_of(r, id);
  return f->sort == HD_SORT_REAL
             ? id
             : unary(r, HD_FORMULA_TO_REAL, HD_SORT_REAL, id, f->at);
}

/* Both integers or both real. */
static hd_sort balance(formula_reader *r, hd_formula_id *a, hd_formula_id *b) {
  *a = hd_formula_number(r, *a);
  *b = hd_formula_number(r, *b);
  if (hd_formula_of(r, *a)->sort != HD_SORT_REAL &&
      hd_formula_of(r, *b)->sort != HD_SORT_REAL)
    return HD_SORT_INT;
  *a = real(r, *a);
  *b = real(r, *b);
  return HD_SORT_REAL;
}

hd_formula_id hd_formula_unary(formula_reader *r, hd_formula_op op,
                               hd_formula_id a, uint32_t at) {
  if (op == HD_FORMULA_NOT)
    return unary(r, op, HD_SORT_BOOL, hd_formula_bool(r, a), at);
  if (op == HD_FORMULA_ADDRESS) {
    const hd_formula *f = hd_formula_of(r, a);
    bool place = f->op == HD_FORMULA_VAR || f->op == HD_FORMULA_REMOTE ||
                 f->op == HD_FORMULA_INDEX || f->op == HD_FORMULA_FIELD ||
                 f->op == HD_FORMULA_DEREF;
    if (!place)
      hd_formula_error(r, at, 1,
                       "only a variable or a part of one has an address");
    return unary(r, op, HD_SORT_POINTER, a, at);
  }
  a = hd_formula_number(r, a);
  return unary(r, op, (hd_sort)hd_formula_of(r, a)->sort, a, at);
}

static bool is_zero(const hd_formula *f) {
  return f->op == HD_FORMULA_INT && !f->value;
}

/* Pointers can be compared for equality, with one another and with 0. */
static bool pointers(formula_reader *r, hd_formula_op op, hd_formula_id a,
                     hd_formula_id b, uint32_t at) {
  const hd_formula *f = hd_formula_of(r, a), *g = hd_formula_of(r, b);
  if (f->sort != HD_SORT_POINTER && g->sort != HD_SORT_POINTER)
    return false;
  bool fits = (f->sort == HD_SORT_POINTER || is_zero(f)) &&
              (g->sort == HD_SORT_POINTER || is_zero(g));
  if (!fits)
    hd_formula_error(
        r, at, 1, "a pointer is compared with %s",
        sort_names[f->sort == HD_SORT_POINTER ? g->sort : f->sort]);
  else if (op != HD_FORMULA_EQ && op != HD_FORMULA_NE)
    hd_formula_error(r, at, 1, "pointers are compared by '==' and '!=' only");
  return true;
}

static hd_formula_id null_for(formula_reader *r, hd_formula_id id) {
  const hd_formula *f = hd_formula_of(r, id);
  return is_zero(f)
             ? hd_formula_node(r, node(HD_FORMULA_NULL, HD_SORT_POINTER, f->at))
             : id;
}

hd_formula_id hd_formula_binary(formula_reader *r, hd_formula_op op,
                                hd_formula_id a, hd_formula_id b, uint32_t at) {
  hd_sort sort = HD_SORT_BOOL;
  switch (op) {
  case HD_FORMULA_AND:
  case HD_FORMULA_OR:
  case HD_FORMULA_IMPLIES:
    a = hd_formula_bool(r, a);
    b = hd_formula_bool(r, b);
    break;
  case HD_FORMULA_EQ:
  case HD_FORMULA_NE:
  case HD_FORMULA_LT:
  case HD_FORMULA_LE:
    if (hd_formula_of(r, a)->sort == HD_SORT_BOOL &&
        hd_formula_of(r, b)->sort == HD_SORT_BOOL && op != HD_FORMULA_LT &&
        op != HD_FORMULA_LE) {
      /* equivalence: the truth values themselves */
    } else if (pointers(r, op, a, b, at)) {
      a = null_for(r, a);
      b = null_for(r, b);
    } else {
      balance(r, &a, &b);
    }
    break;
  case HD_FORMULA_MOD:
    a = hd_formula_integer(r, a, "an operand of '%'");
    b = hd_formula_integer(r, b, "an operand of '%'");
    sort = HD_SORT_INT;
    break;
  default:
    sort = balance(r, &a, &b);
  }
  hd_formula f = node(op, sort, at);
  f.args[0] = a;
  f.args[1] = b;
  return hd_formula_node(r, f);
}

/* The type behind a pointer or of an array's elements; NULL after a message. */
static const hd_ctype *base_of(formula_reader *r, const hd_formula *f,
                               const char *what, uint32_t at) {
  const hd_ctype *type = f->sort == HD_SORT_POINTER || f->sort == HD_SORT_OBJECT
                             ? ctype_of(r, f)
                             : NULL;
  if (!type ||
      (type->kind != HD_CTYPE_POINTER && type->kind != HD_CTYPE_ARRAY)) {
    hd_formula_error(r, at, 1,
                     "%s needs an array or a pointer before it, not %s", what,
                     sort_names[f->sort]);
    return NULL;
  }
  const hd_code *code = hd_formula_code(r, f->program);
  const hd_ctype *base =
      type->base < code->ctypes.size ? &code->ctypes.data[type->base] : NULL;
  if (!base || base->kind == HD_CTYPE_VOID || base->kind == HD_CTYPE_FUNCTION) {
    hd_formula_error(r, at, 1, "what this points to has no known type");
    return NULL;
  }
  return type;
}

hd_formula_id hd_formula_index(formula_reader *r, hd_formula_id a,
                               hd_formula_id i, uint32_t at) {
  i = hd_formula_integer(r, i, "an index");
  const hd_formula *base = hd_formula_of(r, a);
  const hd_ctype *type = base_of(r, base, "'['", at);
  if (!type)
    return some(r);
  hd_formula f = node(HD_FORMULA_INDEX, HD_SORT_INT, base->at);
  f.program = base->program;
  f.args[0] = a;
  f.args[1] = i;
  return hd_formula_place(r, f, type->base);
}

hd_formula_id hd_formula_deref(formula_reader *r, hd_formula_id a,
                               uint32_t at) {
  const hd_formula *base = hd_formula_of(r, a);
  if (base->op == HD_FORMULA_ADDRESS)
    return base->args[0];
  const hd_ctype *type = base_of(r, base, "'*'", at);
  if (!type)
    return some(r);
  hd_formula f = node(HD_FORMULA_DEREF, HD_SORT_INT, at);
  f.program = base->program;
  f.args[0] = a;
  return hd_formula_place(r, f, type->base);
}

hd_formula_id hd_formula_field(formula_reader *r, hd_formula_id a, hd_word name,
                               uint32_t at) {
  const hd_formula *base = hd_formula_of(r, a);
  const hd_ctype *type =
      base->sort == HD_SORT_OBJECT ? ctype_of(r, base) : NULL;
  if (!type ||
      (type->kind != HD_CTYPE_STRUCT && type->kind != HD_CTYPE_UNION)) {
    hd_formula_error(
        r, at, name.size,
        "'%s' is looked for in something that is no struct or union",
        hd_quote(name).text);
    return some(r);
  }
  const hd_code *code = hd_formula_code(r, base->program);
  for (uint32_t i = type->fields; i < type->fields + type->n_fields; i++) {
    const char *text = code->fields.data[i].name;
    if (!text || !hd_word_is(name, text))
      continue;
    hd_formula f = node(HD_FORMULA_FIELD, HD_SORT_INT, base->at);
    f.program = base->program;
    f.args[0] = a;
    f.value = i;
    return hd_formula_place(r, f, code->fields.data[i].type);
  }
  hd_formula_error(r, at, name.size, "%s%s has no field '%s'",
                   type->kind == HD_CTYPE_UNION ? "union " : "struct ",
                   type->name ? type->name : "", hd_quote(name).text);
  return some(r);
}
