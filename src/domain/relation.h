/* SPDX-License-Identifier: MIT */
/* Relations: octagons over variables that have names, for states that share what
 * they know.
 *
 * A relation is counted and never changed; NULL is the one that says nothing. It
 * is about few variables, and about integers as they are in mathematics: whoever
 * makes one sees to it that nothing wraps around. What is known about a variable
 * alone, its range, is kept elsewhere; where it matters the caller tells.
 *
 * Changes are made on a sketch, from which relations are taken at the end. */
#ifndef HD_DOMAIN_RELATION_H
#define HD_DOMAIN_RELATION_H

#include "base/vec.h"
#include "solve/octagon.h"

typedef uint64_t hd_name;
typedef struct hd_relation hd_relation;

/* At most this many variables; others are left out. */
enum { HD_MAX_RELATED = 12 };

typedef struct {
  int64_t lo, hi;
} hd_span;

/* What is known about a variable alone; false: it is no integer, or may not have
 * a value. */
typedef bool (*hd_span_of)(const void *context, hd_name name, hd_span *range);

/* A side of a comparison of relations: the relation and the ranges beside it. */
typedef struct {
  const hd_relation *relation;
  hd_span_of range_of;
  const void *context;
} hd_relation_side;

/* factors · variables + something between lo and hi */
typedef struct {
  uint32_t n;
  hd_name names[HD_MAX_TERMS]; /* different ones */
  int64_t factors[HD_MAX_TERMS];
  int64_t lo, hi;
} hd_named_form;

/* Adds `times` · b to a; false: too many variables, or numbers get too large. */
HD_MUST_USE bool hd_named_form_add(hd_named_form *a, const hd_named_form *b,
                                   int64_t times);

hd_relation *hd_relation_keep(hd_relation *r); /* NULL is fine */
void hd_relation_drop(hd_relation *r);         /* likewise */
uint32_t hd_relation_size(const hd_relation *r);
hd_name hd_relation_name(const hd_relation *r, uint32_t i); /* ascending */
bool hd_relation_has(const hd_relation *r, hd_name name);

/* Without the variables from `first` to `last`. Takes over `r`. */
hd_relation *hd_relation_forget(hd_relation *r, hd_name first, hd_name last);
/* All names less `by`; takes over `r`, which is nobody else's. */
hd_relation *hd_relation_renumber(hd_relation *r, hd_name by);
/* Both together. */
hd_relation *hd_relation_meet(hd_relation *a, hd_relation *b);
/* It contradicts itself. */
bool hd_relation_is_empty(const hd_relation *r);
/* The bounds of one variable: narrows `range`. */
void hd_relation_range(const hd_relation *r, hd_name name, hd_span *range);
/* All that `b` says holds in `a`. */
bool hd_relation_within(hd_relation_side a, hd_relation_side b);
/* Of the variables of either and those of `also`. `widen`: `a` is the older one,
 * and a chain of these ends if the ranges stay. */
hd_relation *hd_relation_join(hd_octagons *lib, hd_relation_side a,
                              hd_relation_side b, const hd_name *also,
                              size_t n_also, bool widen);

/* --- sketches --- */

enum { HD_MAX_SKETCH = 40 };

typedef struct {
  uint32_t n;
  hd_name names[HD_MAX_SKETCH];
  hd_octagon *octagon;
} hd_sketch;

/* A sketch that says the same as `r`. */
void hd_sketch_init(hd_sketch *s, hd_octagons *lib, const hd_relation *r);
void hd_sketch_free(hd_sketch *s);
bool hd_sketch_has(const hd_sketch *s, hd_name name);
/* The variable is there, and in the range. False: no room. */
bool hd_sketch_add(hd_sketch *s, hd_name name, hd_span range);
/* All of another relation; variables that are in both are the same. */
void hd_sketch_meet(hd_sketch *s, const hd_relation *r);
/* The variables of a form must be there. */
void hd_sketch_assume(hd_sketch *s, const hd_named_form *form); /* ≤ 0 */
void hd_sketch_assign(hd_sketch *s, hd_name name, const hd_named_form *form);
HD_MUST_USE bool hd_sketch_max(const hd_sketch *s, const hd_named_form *form,
                               int64_t *max);
/* The bounds of one variable: narrows `range`. */
void hd_sketch_range(const hd_sketch *s, hd_name name, hd_span *range);
bool hd_sketch_is_empty(const hd_sketch *s);
/* What is known about the variables that `wanted` likes and that are related to
 * others of them. */
hd_relation *hd_sketch_take(const hd_sketch *s,
                            bool (*wanted)(const void *, hd_name),
                            const void *context);

#endif
