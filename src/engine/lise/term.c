/* SPDX-License-Identifier: MIT */
/* The pool of terms, and leaves. */
#include "base/hash.h"
#include "engine/lise/term_impl.h"

#include <math.h>
#include <string.h>

hd_terms *hd_terms_new(void) {
  hd_terms *terms = hd_calloc(1, sizeof *terms);
  hd_vec_push(&terms->nodes, (hd_term_node){0});
  terms->n_slots = 1024;
  terms->slots = hd_calloc(terms->n_slots, sizeof *terms->slots);
  terms->false_ = hd_term_number(terms, HD_OF_BOOL, (hd_ratio){0, 1});
  terms->true_ = hd_term_number(terms, HD_OF_BOOL, (hd_ratio){1, 1});
  terms->undef = hd_term_make(terms, HD_TERM_UNDEF, HD_OF_ANY, NULL, 0);
  terms->zero = hd_term_int(terms, 0);
  terms->one = hd_term_int(terms, 1);
  return terms;
}

void hd_terms_delete(hd_terms *terms) {
  if (!terms)
    return;
  for (size_t i = 0; i < terms->names.size; i++)
    hd_free(terms->names.data[i]);
  hd_vec_free(&terms->names);
  hd_vec_free(&terms->nodes);
  hd_vec_free(&terms->args);
  hd_vec_free(&terms->stamps);
  hd_vec_free(&terms->results);
  hd_vec_free(&terms->seen);
  hd_free(terms->slots);
  hd_free(terms);
}

static uint64_t hash_of(unsigned op, unsigned sort, const uint32_t *args,
                        size_t n) {
  uint64_t h = hd_hash_mix(op * 31u + sort, n);
  for (size_t i = 0; i < n; i++)
    h = hd_hash_mix(h, args[i]);
  return hd_hash_mix(h, h >> 32);
}

static void grow(hd_terms *terms) {
  terms->n_slots *= 2;
  hd_free(terms->slots);
  terms->slots = hd_calloc(terms->n_slots, sizeof *terms->slots);
  for (size_t t = 1; t < terms->nodes.size; t++) {
    const hd_term_node *node = &terms->nodes.data[t];
    size_t at = (size_t)hash_of(node->op, node->sort,
                                terms->args.data + node->first, node->n) &
                (terms->n_slots - 1);
    while (terms->slots[at])
      at = (at + 1) & (terms->n_slots - 1);
    terms->slots[at] = (uint32_t)t;
  }
}

/* Which arguments are terms: all from this one on. */
static size_t first_term(hd_term_op op) {
  switch (op) {
  case HD_TERM_CONST:
  case HD_TERM_SYM:
    return SIZE_MAX;
  case HD_TERM_PTR:
  case HD_TERM_FN:
    return 1;
  default:
    return 0;
  }
}

static uint64_t marks_of(const hd_terms *terms, hd_term_op op,
                         const uint32_t *args, size_t n) {
  if (op == HD_TERM_SYM)
    return (uint64_t)1 << args[0];
  /* A function without arguments is a constant: anything, unless it is a float
   * that is no number here. */
  bool known = op == HD_TERM_FN &&
               (n > 1 || strchr("-0123456789in", *terms->names.data[args[0]]));
  uint64_t marks = known ? HD_MARK_FN : 0;
  for (size_t i = first_term(op); i < n; i++)
    marks |= node_of(terms, args[i])->marks;
  return marks;
}

hd_term hd_term_make(hd_terms *terms, hd_term_op op, hd_term_sort sort,
                     const uint32_t *args, size_t n) {
  size_t at = (size_t)hash_of(op, sort, args, n) & (terms->n_slots - 1);
  for (; terms->slots[at]; at = (at + 1) & (terms->n_slots - 1)) {
    const hd_term_node *node = &terms->nodes.data[terms->slots[at]];
    if (node->op == op && node->sort == sort && node->n == n &&
        (!n || !memcmp(terms->args.data + node->first, args, n * sizeof *args)))
      return terms->slots[at];
  }
  hd_term_node node = {.op = (uint8_t)op,
                       .sort = (uint8_t)sort,
                       .n = (uint32_t)n,
                       .first = (uint32_t)terms->args.size,
                       .marks = marks_of(terms, op, args, n)};
  size_t old = terms->args.size;
  ptrdiff_t inside = terms->args.data && args >= terms->args.data &&
                             args < terms->args.data + old
                         ? args - terms->args.data
                         : -1;
  hd_vec_resize(&terms->args, old + n);
  if (n)
    memmove(terms->args.data + old,
            inside >= 0 ? terms->args.data + inside : args, n * sizeof *args);
  hd_term t = (hd_term)terms->nodes.size;
  hd_vec_push(&terms->nodes, node);
  terms->slots[at] = t;
  if (2 * terms->nodes.size > terms->n_slots)
    grow(terms);
  return t;
}

/* --- looking --- */

const hd_term_node *hd_term_node_of(const hd_terms *terms, hd_term term) {
  return node_of(terms, term);
}

const uint32_t *hd_term_args(const hd_terms *terms, hd_term term) {
  return args_of(terms, term);
}

hd_term_sort hd_term_sort_of(const hd_terms *terms, hd_term term) {
  return (hd_term_sort)node_of(terms, term)->sort;
}

hd_term_op hd_term_op_of(const hd_terms *terms, hd_term term) {
  return (hd_term_op)node_of(terms, term)->op;
}

size_t hd_terms_count(const hd_terms *terms) {
  return terms->nodes.size;
}

bool hd_term_is_const(const hd_terms *terms, hd_term term) {
  return node_of(terms, term)->op == HD_TERM_CONST;
}

hd_ratio hd_term_ratio_of(const hd_terms *terms, hd_term term) {
  assert(hd_term_is_const(terms, term));
  hd_ratio value;
  const uint32_t *args = args_of(terms, term);
  memcpy(&value.num, args, sizeof value.num);
  memcpy(&value.den, args + 4, sizeof value.den);
  return value;
}

bool hd_term_is_int(const hd_terms *terms, hd_term term, int64_t *value) {
  const hd_term_node *node = node_of(terms, term);
  if (node->op != HD_TERM_CONST || node->sort != HD_OF_INT)
    return false;
  hd_ratio r = hd_term_ratio_of(terms, term);
  if (r.num > INT64_MAX || r.num < INT64_MIN)
    return false;
  *value = (int64_t)r.num;
  return true;
}

bool hd_term_is_true(const hd_terms *terms, hd_term term) {
  return term == terms->true_;
}

bool hd_term_is_false(const hd_terms *terms, hd_term term) {
  return term == terms->false_;
}

bool hd_term_is_undef(const hd_terms *terms, hd_term term) {
  return term == terms->undef;
}

/* --- leaves --- */

hd_term hd_term_number(hd_terms *terms, hd_term_sort sort, hd_ratio value) {
  assert(value.den > 0 && (sort == HD_OF_REAL || value.den == 1));
  uint32_t args[8];
  memcpy(args, &value.num, sizeof value.num);
  memcpy(args + 4, &value.den, sizeof value.den);
  return hd_term_make(terms, HD_TERM_CONST, sort, args, 8);
}

hd_term hd_term_int(hd_terms *terms, int64_t value) {
  return hd_term_number(terms, HD_OF_INT, (hd_ratio){value, 1});
}

hd_term hd_term_bool(hd_terms *terms, bool value) {
  return value ? terms->true_ : terms->false_;
}

hd_term hd_term_undef(hd_terms *terms) {
  return terms->undef;
}

hd_term hd_term_double(hd_terms *terms, double value) {
  int exponent = 0;
  double mantissa = isfinite(value) ? frexp(value, &exponent) : 0;
  int64_t digits = (int64_t)ldexp(mantissa, 53);
  exponent -= 53;
  while (digits && digits % 2 == 0)
    digits /= 2, exponent++;
  if (!isfinite(value) || exponent > 60 || exponent < -120) {
    if (digits || !isfinite(value)) {
      hd_str name = {0};
      hd_str_printf(&name, "%a", value);
      hd_term t = hd_term_fn(terms, hd_str_text(&name), HD_OF_REAL, NULL, 0);
      hd_str_free(&name);
      return t;
    }
    exponent = 0;
  }
  hd_ratio r = {digits, 1};
  if (exponent > 0)
    r.num *= (hd_i128)1 << exponent;
  else
    r.den <<= -exponent;
  return hd_term_number(terms, HD_OF_REAL, r);
}

hd_term hd_term_sym(hd_terms *terms, hd_sym_kind kind, uint32_t index,
                    hd_term_sort sort) {
  return hd_term_make(terms, HD_TERM_SYM, sort,
                      (uint32_t[]){(uint32_t)kind, index}, 2);
}

hd_term hd_term_ptr(hd_terms *terms, uint32_t object, hd_term offset) {
  assert(hd_term_sort_of(terms, offset) == HD_OF_INT);
  return hd_term_make(terms, HD_TERM_PTR, HD_OF_PTR,
                      (uint32_t[]){object, offset}, 2);
}

hd_term hd_term_fn(hd_terms *terms, const char *name, hd_term_sort sort,
                   const hd_term *args, size_t n) {
  uint32_t number = 0;
  while (number < terms->names.size && strcmp(terms->names.data[number], name))
    number++;
  if (number == terms->names.size)
    hd_vec_push(&terms->names, hd_strdup(name));
  hd_u32s all = {0};
  hd_vec_push(&all, number);
  for (size_t i = 0; i < n; i++) {
    if (args[i] == terms->undef) {
      hd_vec_free(&all);
      return terms->undef;
    }
    hd_vec_push(&all, args[i]);
  }
  hd_term t = hd_term_make(terms, HD_TERM_FN, sort, all.data, all.size);
  hd_vec_free(&all);
  return t;
}

const char *hd_term_fn_name(const hd_terms *terms, hd_term term) {
  assert(node_of(terms, term)->op == HD_TERM_FN);
  return terms->names.data[args_of(terms, term)[0]];
}
