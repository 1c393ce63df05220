/* SPDX-License-Identifier: MIT */
/* Symbolic expressions: hash-consed, simplified when they are made. Equal
 * numbers mean equal terms, and most equal values have equal terms: sums and
 * products are kept as polynomials, comparisons as polynomial against 0.
 *
 * Integers are mathematical, floats are real numbers. A *symbol* is a symbolic
 * constant: an input (X), a value that stands for any iteration of a loop (Y),
 * or a quantified variable. A pointer is an object of a process and a byte
 * offset. UNDEF is a value that was never set; arithmetic with it is UNDEF. */
#ifndef HD_ENGINE_LISE_TERM_H
#define HD_ENGINE_LISE_TERM_H

#include "base/str.h"
#include "base/vec.h"

typedef uint32_t hd_term; /* 0 = none */

typedef enum {
  HD_OF_BOOL,
  HD_OF_INT,
  HD_OF_REAL,
  HD_OF_PTR,
  HD_OF_INTS,  /* array from integers to integers */
  HD_OF_REALS, /* … to reals */
  HD_OF_ANY,   /* UNDEF */
} hd_term_sort;

typedef enum {
  HD_TERM_CONST, /* number; BOOL: 0 or 1 */
  HD_TERM_SYM,   /* args: hd_sym_kind, index */
  HD_TERM_UNDEF,
  HD_TERM_PTR,  /* args: object (a number), offset (INT); object 0 = null */
  HD_TERM_SUM,  /* args: constant, then pairs coefficient, product */
  HD_TERM_PROD, /* args: two or more factors, by number */
  HD_TERM_INV,  /* 1 / a, real; a is not constant */
  HD_TERM_TDIV, /* a / b, towards zero */
  HD_TERM_TREM, /* a - b * (a / b) */
  HD_TERM_EMOD, /* a mod b, 0 <= result < |b| */
  HD_TERM_TOREAL,
  HD_TERM_TOINT, /* towards zero */
  HD_TERM_ITE,
  HD_TERM_FN,     /* uninterpreted: args: number of the name, arguments */
  HD_TERM_SELECT, /* array, index */
  HD_TERM_STORE,  /* array, index, value */
  HD_TERM_FILL,   /* array: the same value everywhere */
  /* of BOOL */
  HD_TERM_EQ0,  /* a = 0 */
  HD_TERM_LE0,  /* a <= 0 */
  HD_TERM_LT0,  /* a < 0, of reals only */
  HD_TERM_SAME, /* of two arrays */
  HD_TERM_NOT,  /* of EQ0, SYM, SAME, FN */
  HD_TERM_AND,  /* two or more, by number */
  HD_TERM_OR,
  HD_TERM_FORALL, /* args: bound symbol, body */
  HD_TERM_EXISTS,
  HD_TERM_RAW_ADD, /* numbers too large to be added up here */
  HD_TERM_RAW_MUL,
} hd_term_op;

typedef enum {
  HD_SYM_X, /* input */
  HD_SYM_Y, /* renamed at will */
  HD_SYM_BOUND,
} hd_sym_kind;

typedef struct {
  uint8_t op, sort;
  uint32_t n; /* arguments */
  uint32_t first;
  uint64_t marks; /* kinds of symbols in it: 1 << hd_sym_kind; HD_MARK_FN */
} hd_term_node;

/* There is an uninterpreted function in it: values that satisfy a formula with
 * one need not exist. */
#define HD_MARK_FN ((uint64_t)1 << 8)

typedef struct {
  hd_i128 num, den; /* den > 0, no common factor */
} hd_ratio;

typedef struct hd_terms hd_terms;

hd_terms *hd_terms_new(void);
void hd_terms_delete(hd_terms *terms);

/* --- looking at one --- */

const hd_term_node *hd_term_node_of(const hd_terms *terms, hd_term term);
const uint32_t *hd_term_args(const hd_terms *terms, hd_term term);
hd_term_sort hd_term_sort_of(const hd_terms *terms, hd_term term);
hd_term_op hd_term_op_of(const hd_terms *terms, hd_term term);
/* A constant integer that fits; else false. */
bool hd_term_is_int(const hd_terms *terms, hd_term term, int64_t *value);
bool hd_term_is_const(const hd_terms *terms, hd_term term);
hd_ratio hd_term_ratio_of(const hd_terms *terms, hd_term term);
size_t hd_terms_count(const hd_terms *terms);

/* --- leaves --- */

hd_term hd_term_int(hd_terms *terms, int64_t value);
hd_term hd_term_number(hd_terms *terms, hd_term_sort sort, hd_ratio value);
/* The exact value of a double as a real; infinities, NaN and what is too large
 * or small for exact arithmetic are symbols of their own (FN). */
hd_term hd_term_double(hd_terms *terms, double value);
hd_term hd_term_bool(hd_terms *terms, bool value);
hd_term hd_term_sym(hd_terms *terms, hd_sym_kind kind, uint32_t index,
                    hd_term_sort sort);
hd_term hd_term_undef(hd_terms *terms);
hd_term hd_term_ptr(hd_terms *terms, uint32_t object, hd_term offset);
hd_term hd_term_fn(hd_terms *terms, const char *name, hd_term_sort sort,
                   const hd_term *args, size_t n);
const char *hd_term_fn_name(const hd_terms *terms, hd_term term);

/* --- numbers; an integer next to a real is made one --- */

hd_term hd_term_add(hd_terms *terms, hd_term a, hd_term b);
hd_term hd_term_sub(hd_terms *terms, hd_term a, hd_term b);
hd_term hd_term_neg(hd_terms *terms, hd_term a);
hd_term hd_term_mul(hd_terms *terms, hd_term a, hd_term b);
/* Of reals a / b; b must not be 0: who divides has checked that. */
hd_term hd_term_rdiv(hd_terms *terms, hd_term a, hd_term b);
/* Of integers as in C. */
hd_term hd_term_tdiv(hd_terms *terms, hd_term a, hd_term b);
hd_term hd_term_trem(hd_terms *terms, hd_term a, hd_term b);
hd_term hd_term_emod(hd_terms *terms, hd_term a, hd_term b);
hd_term hd_term_toreal(hd_terms *terms, hd_term a);
hd_term hd_term_toint(hd_terms *terms, hd_term a);
hd_term hd_term_min(hd_terms *terms, hd_term a, hd_term b);
hd_term hd_term_max(hd_terms *terms, hd_term a, hd_term b);
/* a / divisor when every coefficient is a multiple, else 0. */
hd_term hd_term_exact_div(hd_terms *terms, hd_term a, int64_t divisor);

/* --- truth --- */

hd_term hd_term_eq(hd_terms *terms, hd_term a, hd_term b); /* any sort */
hd_term hd_term_ne(hd_terms *terms, hd_term a, hd_term b);
hd_term hd_term_lt(hd_terms *terms, hd_term a, hd_term b);
hd_term hd_term_le(hd_terms *terms, hd_term a, hd_term b);
hd_term hd_term_not(hd_terms *terms, hd_term a);
hd_term hd_term_and(hd_terms *terms, hd_term a, hd_term b);
hd_term hd_term_or(hd_terms *terms, hd_term a, hd_term b);
hd_term hd_term_implies(hd_terms *terms, hd_term a, hd_term b);
hd_term hd_term_ite(hd_terms *terms, hd_term c, hd_term a, hd_term b);
/* 0 or 1 of a truth value; not 0, of a number or pointer. */
hd_term hd_term_from_bool(hd_terms *terms, hd_term a);
hd_term hd_term_to_bool(hd_terms *terms, hd_term a);
/* `bound` is a symbol of kind BOUND. */
hd_term hd_term_forall(hd_terms *terms, hd_term bound, hd_term body);
hd_term hd_term_exists(hd_terms *terms, hd_term bound, hd_term body);
bool hd_term_is_true(const hd_terms *terms, hd_term term);
bool hd_term_is_false(const hd_terms *terms, hd_term term);
bool hd_term_is_undef(const hd_terms *terms, hd_term term);

/* --- arrays --- */

hd_term hd_term_select(hd_terms *terms, hd_term array, hd_term index);
hd_term hd_term_store(hd_terms *terms, hd_term array, hd_term index,
                      hd_term value);
hd_term hd_term_fill(hd_terms *terms, hd_term_sort sort, hd_term value);

/* --- whole terms --- */

/* Replaces symbols: `map` gives the new term for a symbol, 0 = itself. */
typedef struct {
  hd_term from, to;
} hd_term_pair;
hd_term hd_term_subst(hd_terms *terms, hd_term term, const hd_term_pair *map,
                      size_t n);
/* Many terms with one map: begin, then each, then end. */
void hd_term_subst_begin(hd_terms *terms, const hd_term_pair *map, size_t n);
hd_term hd_term_subst_next(hd_terms *terms, hd_term term);
void hd_term_subst_end(hd_terms *terms);

typedef hd_vec(hd_term) hd_term_list;
/* Appends the symbols in `term` that are not yet in `list` since the last
 * hd_term_visit_begin, in order of appearance. */
void hd_term_visit_begin(hd_terms *terms);
void hd_term_visit(hd_terms *terms, hd_term term, hd_term_list *list);

void hd_term_print(hd_str *out, const hd_terms *terms, hd_term term);

#endif
