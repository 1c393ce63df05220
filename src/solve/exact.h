/* SPDX-License-Identifier: MIT */
/* From floating point to exact numbers: the only bridge between an LP solver's
 * answer and something that may be called a proof. GMP is behind it. */
#ifndef HD_SOLVE_EXACT_H
#define HD_SOLVE_EXACT_H

#include "base/vec.h"

/* Numbers whose absolute value passes this are refused: sums of two still fit
 * an int64_t. */
#define HD_EXACT_MAX ((int64_t)1 << 62)

/* The simplest fraction num/den within `tolerance` of x (the first convergent
 * of its continued fraction that is close enough); den >= 1, no common divisor.
 * False when den would pass `max_den`, or x is not finite or too large. */
HD_MUST_USE bool hd_exact_fraction(double x, double tolerance, int64_t max_den,
                                   int64_t *num, int64_t *den);

/* Rounds y[0] … y[n-1] to fractions with small denominators and multiplies them
 * by their common denominator: integers in the same proportions, without a
 * common divisor. Entries below 1e-9 of the largest one count as zero. False
 * when there is no such vector with entries up to HD_EXACT_MAX, or all are
 * zero. The result is a guess: the caller checks what it wants of it. */
HD_MUST_USE bool hd_exact_round(const double *y, size_t n, int64_t *out);

/* A sparse square system of linear equations with integer coefficients, to be
 * solved in rational arithmetic. */
typedef struct hd_exact hd_exact;

hd_exact *hd_exact_new(uint32_t unknowns);
void hd_exact_delete(hd_exact *system);
/* Begins an equation whose right-hand side is `rhs`; its terms follow. */
void hd_exact_equation(hd_exact *system, int64_t rhs);
/* Adds `coefficient` * unknown[index] to the last equation. */
void hd_exact_term(hd_exact *system, uint32_t index, int64_t coefficient);
/* Solves; unknowns that nothing determines are zero. `out` gets integers in the
 * solution's proportions, without a common divisor. False when the equations
 * contradict each other or a number does not fit HD_EXACT_MAX. */
HD_MUST_USE bool hd_exact_solve(hd_exact *system, int64_t *out);

#endif
