/* SPDX-License-Identifier: MIT */
/* Octagons: sets of integer points given by constraints ±x ± y ≤ c, through the
 * Parma Polyhedra Library. Variables are the numbers 0 … n - 1. Arithmetic is
 * exact and unbounded: that machine integers do not wrap around is the caller's
 * business.
 *
 * PPL is loaded when it is first asked for (like Z3); nobody else includes its
 * header. */
#ifndef HD_SOLVE_OCTAGON_H
#define HD_SOLVE_OCTAGON_H

#include "base/common.h"

typedef struct hd_octagons hd_octagons; /* the library */
typedef struct hd_octagon hd_octagon;

/* NULL: PPL is not installed. Octagons are deleted before this. */
hd_octagons *hd_octagons_open(void);
void hd_octagons_close(hd_octagons *lib); /* NULL is fine */

enum { HD_MAX_TERMS = 4 };

/* factors · variables + something between lo and hi */
typedef struct {
  uint32_t n;
  uint32_t vars[HD_MAX_TERMS]; /* different ones */
  int64_t factors[HD_MAX_TERMS];
  int64_t lo, hi;
} hd_form;

hd_octagon *hd_octagon_new(hd_octagons *lib, uint32_t n); /* all points */
hd_octagon *hd_octagon_copy(const hd_octagon *o);
void hd_octagon_delete(hd_octagon *o);
hd_octagons *hd_octagon_library(const hd_octagon *o);

/* Keeps the points with form ≤ 0 for some value of its constant; where that is
 * no octagon, at least those. */
void hd_octagon_assume(hd_octagon *o, const hd_form *form);
/* The variable gets a value that the form may have. */
void hd_octagon_assign(hd_octagon *o, uint32_t var, const hd_form *form);
void hd_octagon_forget(hd_octagon *o, uint32_t var);

bool hd_octagon_is_empty(const hd_octagon *o);
/* Of the same number of variables. */
bool hd_octagon_within(const hd_octagon *a, const hd_octagon *b);
void hd_octagon_join(hd_octagon *o, const hd_octagon *with);
void hd_octagon_meet(hd_octagon *o, const hd_octagon *with);
/* `o` contains `older`; a chain of these ends. */
void hd_octagon_widen(hd_octagon *o, const hd_octagon *older);
/* An upper bound of the form; false: there is none that fits, or no point. */
HD_MUST_USE bool hd_octagon_max(const hd_octagon *o, const hd_form *form,
                                int64_t *max);

/* n further variables, about which nothing is known, behind the others. */
void hd_octagon_extend(hd_octagon *o, uint32_t n);
/* Variable v becomes to[v]; UINT32_MAX: it goes. The new numbers have no gaps. */
void hd_octagon_rename(hd_octagon *o, const uint32_t *to);
/* The variables of `with` behind those of `o`. */
void hd_octagon_append(hd_octagon *o, const hd_octagon *with);

#endif
