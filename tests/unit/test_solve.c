/* SPDX-License-Identifier: MIT */
/* Linear programs, exact numbers, integer constraints. */
#include "solve/exact.h"
#include "solve/lp.h"
#include "solve/smt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* --- linear programs --- */

static bool near(double a, double b) {
  return fabs(a - b) < 1e-7;
}

/* minimise 2x + 3y, x + y >= 4, x <= 3 */
static hd_lp *small_program(void) {
  hd_lp *lp = hd_lp_new();
  uint32_t row = hd_lp_add_row(lp, 4, INFINITY);
  hd_lp_term one = {.index = row, .value = 1};
  hd_lp_add_col(lp, 0, 3, 2, &one, 1);
  hd_lp_add_col(lp, 0, INFINITY, 3, &one, 1);
  return lp;
}

static void lp_finds_the_optimum(void **state) {
  (void)state;
  hd_lp *lp = small_program();
  assert_int_equal(hd_lp_rows(lp), 1);
  assert_int_equal(hd_lp_cols(lp), 2);
  assert_int_equal(hd_lp_solve(lp, 0), HD_LP_OPTIMAL);
  assert_true(near(hd_lp_value(lp), 9));
  assert_true(near(hd_lp_col_value(lp, 0), 3));
  assert_true(near(hd_lp_col_value(lp, 1), 1));
  assert_true(near(hd_lp_row_value(lp, 0), 4));
  assert_true(near(hd_lp_row_dual(lp, 0), 3));
  hd_lp_delete(lp);
}

static void lp_solves_again_after_a_cut(void **state) {
  (void)state;
  hd_lp *lp = small_program();
  assert_int_equal(hd_lp_solve(lp, 0), HD_LP_OPTIMAL);
  hd_lp_term y = {.index = 1, .value = 1};
  assert_int_equal(hd_lp_add_cut(lp, 2, INFINITY, &y, 1), 1);
  assert_int_equal(hd_lp_solve(lp, 0), HD_LP_OPTIMAL);
  assert_true(near(hd_lp_value(lp), 10));
  assert_true(near(hd_lp_col_value(lp, 0), 2));
  hd_lp_delete(lp);
}

static void lp_follows_changed_bounds_and_costs(void **state) {
  (void)state;
  hd_lp *lp = small_program();
  assert_int_equal(hd_lp_solve(lp, 0), HD_LP_OPTIMAL);
  hd_lp_set_row(lp, 0, 6, INFINITY);
  hd_lp_set_col(lp, 0, 0, 0);
  assert_int_equal(hd_lp_solve(lp, 0), HD_LP_OPTIMAL);
  assert_true(near(hd_lp_value(lp), 18));
  hd_lp_set_cost(lp, 1, 1);
  assert_int_equal(hd_lp_solve(lp, 0), HD_LP_OPTIMAL);
  assert_true(near(hd_lp_value(lp), 6));
  hd_lp_delete(lp);
}

static void lp_counts_iterations(void **state) {
  (void)state;
  hd_lp *lp = small_program();
  assert_int_equal(hd_lp_iterations(lp), 0);
  assert_int_equal(hd_lp_solve(lp, 0), HD_LP_OPTIMAL);
  assert_true(hd_lp_iterations(lp) > 0);
  hd_lp_delete(lp);
}

/* x <= 3, y <= 2, 2x + y >= 9: infeasible by one. */
static hd_lp *infeasible_program(void) {
  hd_lp *lp = hd_lp_new();
  hd_lp_add_row(lp, 9, INFINITY);
  hd_lp_add_row(lp, -INFINITY, 3);
  hd_lp_add_row(lp, -INFINITY, 2);
  hd_lp_term x[] = {{0, 2}, {1, 1}}, y[] = {{0, 1}, {2, 1}};
  hd_lp_add_col(lp, 0, INFINITY, 1, x, 2);
  hd_lp_add_col(lp, 0, INFINITY, 1, y, 2);
  return lp;
}

static void lp_multipliers_show_infeasibility(void **state) {
  (void)state;
  hd_lp *lp = infeasible_program();
  double y[3];
  assert_int_equal(hd_lp_solve(lp, 0), HD_LP_INFEASIBLE);
  assert_true(hd_lp_farkas(lp, y));
  assert_true(y[0] > 0 && y[1] < 0 && y[2] < 0);
  assert_true(2 * y[0] + y[1] < 1e-7 && y[0] + y[2] < 1e-7);
  assert_true(9 * y[0] + 3 * y[1] + 2 * y[2] > 1e-7);
  hd_lp_delete(lp);
}

static void lp_exact_multipliers_are_integers(void **state) {
  (void)state;
  hd_lp *lp = infeasible_program();
  int64_t y[3];
  assert_int_equal(hd_lp_solve(lp, 0), HD_LP_INFEASIBLE);
  assert_true(hd_lp_farkas_exact(lp, y));
  assert_int_equal(y[0], 1);
  assert_int_equal(y[1], -2);
  assert_int_equal(y[2], -1);
  hd_lp_delete(lp);
}

static void lp_becomes_feasible_again(void **state) {
  (void)state;
  hd_lp *lp = infeasible_program();
  assert_int_equal(hd_lp_solve(lp, 0), HD_LP_INFEASIBLE);
  hd_lp_set_row(lp, 2, -INFINITY, 3);
  assert_int_equal(hd_lp_solve(lp, 0), HD_LP_OPTIMAL);
  assert_true(near(hd_lp_col_value(lp, 0), 3));
  hd_lp_set_row(lp, 2, -INFINITY, 2);
  assert_int_equal(hd_lp_solve(lp, 0), HD_LP_INFEASIBLE);
  hd_lp_delete(lp);
}

/* An empty column and a row that asks for more than nothing. */
static void lp_without_entries(void **state) {
  (void)state;
  hd_lp *lp = hd_lp_new();
  hd_lp_add_col(lp, 0, 0, 0, NULL, 0);
  assert_int_equal(hd_lp_solve(lp, 0), HD_LP_OPTIMAL);
  hd_lp_add_row(lp, 1, INFINITY);
  assert_int_equal(hd_lp_solve(lp, 0), HD_LP_INFEASIBLE);
  double y[1];
  assert_true(hd_lp_farkas(lp, y));
  assert_true(y[0] > 0);
  hd_lp_delete(lp);
}

/* Flow along 0 -> 1 -> 2, started from the tree of both arcs. */
static void lp_starts_from_a_given_basis(void **state) {
  (void)state;
  hd_lp *lp = hd_lp_new();
  hd_lp_add_row(lp, -1, -1);
  hd_lp_add_row(lp, 0, 0);
  hd_lp_add_row(lp, 1, 1);
  hd_lp_term a[] = {{0, -1}, {1, 1}}, b[] = {{1, -1}, {2, 1}};
  uint32_t first = hd_lp_add_col(lp, 0, INFINITY, 1, a, 2);
  uint32_t second = hd_lp_add_col(lp, 0, INFINITY, 1, b, 2);
  hd_lp_start_with(lp, first, 1);
  hd_lp_start_with(lp, second, 2);
  assert_int_equal(hd_lp_solve(lp, 0), HD_LP_OPTIMAL);
  assert_true(near(hd_lp_value(lp), 2));
  assert_int_equal(hd_lp_iterations(lp), 0);
  hd_lp_delete(lp);
}

/* A bad start costs time only: both columns in the basis for the same entry. */
static void lp_survives_a_singular_start(void **state) {
  (void)state;
  hd_lp *lp = hd_lp_new();
  hd_lp_add_row(lp, 1, INFINITY);
  hd_lp_add_row(lp, 2, INFINITY);
  hd_lp_term both[] = {{0, 1}, {1, 1}};
  hd_lp_add_col(lp, 0, INFINITY, 1, both, 2);
  hd_lp_add_col(lp, 0, INFINITY, 1, both, 2);
  hd_lp_start_with(lp, 0, 0);
  hd_lp_start_with(lp, 1, 1);
  assert_int_equal(hd_lp_solve(lp, 0), HD_LP_OPTIMAL);
  assert_true(near(hd_lp_value(lp), 2));
  hd_lp_delete(lp);
}

static uint32_t draw(uint64_t *seed, uint32_t n) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*seed >> 33) % n;
}

typedef struct {
  enum { ROWS = 6, COLS = 9 } size;
  int a[ROWS][COLS], lower[ROWS];
} program;

static hd_lp *random_program(program *p, uint64_t seed) {
  hd_lp *lp = hd_lp_new();
  for (int r = 0; r < ROWS; r++) {
    p->lower[r] = (int)draw(&seed, 5) - 2;
    hd_lp_add_row(lp, p->lower[r], INFINITY);
  }
  for (int c = 0; c < COLS; c++) {
    hd_lp_term terms[ROWS];
    size_t n = 0;
    for (uint32_t r = 0; r < ROWS; r++) {
      p->a[r][c] = draw(&seed, 3) ? 0 : (int)draw(&seed, 7) - 4;
      if (p->a[r][c])
        terms[n++] = (hd_lp_term){.index = r, .value = p->a[r][c]};
    }
    hd_lp_add_col(lp, 0, INFINITY, 1, terms, n);
  }
  return lp;
}

/* Is y >= 0, y A <= 0 and y lower > 0, in integers? */
static bool proves(const program *p, const int64_t *y) {
  int64_t gap = 0;
  for (int r = 0; r < ROWS; r++) {
    gap += y[r] * p->lower[r];
    if (y[r] < 0)
      return false;
  }
  for (int c = 0; c < COLS; c++) {
    int64_t sum = 0;
    for (int r = 0; r < ROWS; r++)
      sum += y[r] * p->a[r][c];
    if (sum > 0)
      return false;
  }
  return gap > 0;
}

static bool satisfied(const program *p, hd_lp *lp) {
  for (int r = 0; r < ROWS; r++) {
    double sum = 0;
    for (uint32_t c = 0; c < COLS; c++)
      sum += p->a[r][c] * hd_lp_col_value(lp, c);
    if (sum < p->lower[r] - 1e-6)
      return false;
  }
  return true;
}

/* Either a point that satisfies every row, or exact multipliers that refute
 * them, by rounding and by elimination. */
static void lp_random_programs_are_decided_exactly(void **state) {
  (void)state;
  unsigned infeasible = 0;
  for (uint64_t seed = 1; seed <= 2000; seed++) {
    program p;
    hd_lp *lp = random_program(&p, seed);
    hd_lp_status status = hd_lp_solve(lp, 0);
    if (status == HD_LP_OPTIMAL) {
      assert_true(satisfied(&p, lp));
    } else {
      double y[ROWS];
      int64_t rounded[ROWS], exact[ROWS];
      assert_int_equal(status, HD_LP_INFEASIBLE);
      assert_true(hd_lp_farkas(lp, y));
      assert_true(hd_exact_round(y, ROWS, rounded));
      assert_true(proves(&p, rounded));
      assert_true(hd_lp_farkas_exact(lp, exact));
      assert_true(proves(&p, exact));
      infeasible++;
    }
    hd_lp_delete(lp);
  }
  assert_true(infeasible > 200 && infeasible < 1800);
}

/* Ways through NODES states that give and take KINDS of tokens, as state
 * equations are: large enough that a first basis leaves columns out. */
enum { NODES = 40, KINDS = 30, WAYS = 1200 };

typedef struct {
  uint32_t from, to, takes, gives;
} way;

/* With a tree of the first ways into each state as first basis, or without. */
static hd_lp *make_ways(const way *ways, bool tree) {
  hd_lp *lp = hd_lp_new();
  for (uint32_t r = 0; r < NODES; r++)
    hd_lp_add_row(lp, r ? 0 : -1, r ? 0 : -1);
  for (uint32_t r = 0; r < KINDS; r++)
    hd_lp_add_row(lp, r ? 0 : -2, INFINITY);
  for (int i = 0; i < WAYS; i++) {
    way w = ways[i];
    hd_lp_term terms[4] = {
        {w.from, -1}, {w.to, 1}, {NODES + w.takes, -1}, {NODES + w.gives, 1}};
    hd_lp_add_col(lp, 0, INFINITY, 1, terms, w.takes == w.gives ? 2 : 4);
  }
  uint32_t queue[NODES] = {0}, size = 1;
  bool seen[NODES] = {true};
  for (uint32_t head = 0; tree && head < size; head++)
    for (uint32_t i = 0; i < WAYS; i++)
      if (ways[i].from == queue[head] && !seen[ways[i].to]) {
        seen[ways[i].to] = true;
        hd_lp_start_with(lp, i, ways[i].to);
        queue[size++] = ways[i].to;
      }
  return lp;
}

/* Tokens are mostly given in small steps upwards, so that some targets are far
 * and some impossible. */
static void draw_ways(way *ways, uint64_t *seed) {
  for (int i = 0; i < WAYS; i++) {
    way w = {draw(seed, NODES), draw(seed, NODES), draw(seed, KINDS), 0};
    w.to = w.to == w.from ? (w.to + 1) % NODES : w.to;
    w.gives =
        draw(seed, 14) ? draw(seed, w.takes + 1) : (w.takes + 1) % (KINDS - 2);
    ways[i] = w;
  }
}

static bool refutes(const way *ways, uint32_t node, uint32_t kind,
                    const int64_t *y) {
  int64_t gap = y[node] + y[NODES + kind] - y[0] - 2 * y[NODES];
  for (int r = 0; r < KINDS; r++)
    if (y[NODES + r] < 0)
      return false;
  for (int i = 0; i < WAYS; i++)
    if (y[ways[i].to] - y[ways[i].from] + y[NODES + ways[i].gives] -
            y[NODES + ways[i].takes] >
        0)
      return false;
  return gap > 0;
}

/* The same answers whether columns are left out at first or not, for a sequence
 * of targets and with cuts and closed columns in between. */
static void lp_leaves_out_only_what_does_not_matter(void **state) {
  (void)state;
  unsigned possible = 0, impossible = 0;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    uint64_t dice = seed;
    way ways[WAYS];
    draw_ways(ways, &dice);
    hd_lp *sifted = make_ways(ways, true), *plain = make_ways(ways, false);
    for (int turn = 0; turn < 12; turn++) {
      uint32_t node = 1 + draw(&dice, NODES - 1), kind = draw(&dice, KINDS);
      hd_lp *both[] = {sifted, plain};
      hd_lp_status status[2];
      for (int k = 0; k < 2; k++) {
        hd_lp_set_row(both[k], node, 1, 1);
        hd_lp_set_row(both[k], NODES + kind, kind ? 1 : -1, INFINITY);
        status[k] = hd_lp_solve(both[k], 0);
        if (status[k] == HD_LP_INFEASIBLE && turn < 6) {
          double y[NODES + KINDS];
          int64_t z[NODES + KINDS];
          assert_true(hd_lp_farkas(both[k], y));
          assert_true(hd_exact_round(y, NODES + KINDS, z));
          assert_true(refutes(ways, node, kind, z));
        }
        hd_lp_set_row(both[k], node, 0, 0);
        hd_lp_set_row(both[k], NODES + kind, kind ? 0 : -2, INFINITY);
      }
      assert_int_equal(status[0], status[1]);
      possible += status[0] == HD_LP_OPTIMAL;
      impossible += status[0] == HD_LP_INFEASIBLE;
      if (status[0] == HD_LP_OPTIMAL)
        assert_true(near(hd_lp_value(sifted), hd_lp_value(plain)));
      uint32_t col = draw(&dice, WAYS), other = draw(&dice, WAYS);
      hd_lp_term cut = {.index = col, .value = -1};
      for (int k = 0; k < 2 && turn >= 5; k++) {
        hd_lp_add_cut(both[k], -0.5, INFINITY, &cut, 1);
        hd_lp_set_col(both[k], other, 0, 0);
      }
    }
    hd_lp_delete(sifted);
    hd_lp_delete(plain);
  }
  print_message("  %u possible, %u impossible\n", possible, impossible);
  assert_true(possible > 60 && impossible > 60);
}

/* --- exact numbers --- */

static void assert_fraction(double x, int64_t num, int64_t den) {
  int64_t n, d;
  assert_true(hd_exact_fraction(x, 1e-9, 1000000, &n, &d));
  assert_int_equal(n, num);
  assert_int_equal(d, den);
}

static void fractions_are_the_simplest(void **state) {
  (void)state;
  assert_fraction(0, 0, 1);
  assert_fraction(1, 1, 1);
  assert_fraction(-2.5, -5, 2);
  assert_fraction(1.0 / 3, 1, 3);
  assert_fraction(0.142857142857142857, 1, 7);
  assert_fraction(-355.0 / 113, -355, 113);
  assert_fraction(3 + 1e-12, 3, 1);
  assert_fraction(1e9, 1000000000, 1);
}

static void fractions_refuse_what_has_none(void **state) {
  (void)state;
  int64_t n, d;
  assert_false(hd_exact_fraction(3.14159265358979, 1e-12, 1000, &n, &d));
  assert_false(hd_exact_fraction(NAN, 1e-9, 1000, &n, &d));
  assert_false(hd_exact_fraction(INFINITY, 1e-9, 1000, &n, &d));
  assert_false(hd_exact_fraction(1e300, 1e-9, 1000, &n, &d));
}

static void rounding_keeps_proportions(void **state) {
  (void)state;
  const double y[] = {0.5, 1.0 / 3, -0.25, 0, 1e-13};
  int64_t out[5];
  assert_true(hd_exact_round(y, 5, out));
  const int64_t expected[] = {6, 4, -3, 0, 0};
  assert_memory_equal(out, expected, sizeof expected);
}

static void rounding_removes_the_common_divisor(void **state) {
  (void)state;
  const double y[] = {4, 6, -10};
  int64_t out[3];
  assert_true(hd_exact_round(y, 3, out));
  const int64_t expected[] = {2, 3, -5};
  assert_memory_equal(out, expected, sizeof expected);
}

static void rounding_refuses_nothing_and_nonsense(void **state) {
  (void)state;
  const double zero[] = {0, 0}, nan[] = {1, NAN};
  const double primes[] = {31415.0 / 99991, 27182.0 / 99989, 14142.0 / 99971,
                           17320.0 / 99961, 22360.0 / 99929, 26457.0 / 99923};
  int64_t out[6];
  assert_false(hd_exact_round(zero, 2, out));
  assert_false(hd_exact_round(nan, 2, out));
  assert_false(hd_exact_round(primes, 6, out));
}

/* x + y = 3, x - y = 1 */
static void elimination_solves_two_equations(void **state) {
  (void)state;
  hd_exact *system = hd_exact_new(2);
  hd_exact_equation(system, 3);
  hd_exact_term(system, 0, 1);
  hd_exact_term(system, 1, 1);
  hd_exact_equation(system, 1);
  hd_exact_term(system, 0, 1);
  hd_exact_term(system, 1, -1);
  int64_t out[2];
  assert_true(hd_exact_solve(system, out));
  assert_int_equal(out[0], 2);
  assert_int_equal(out[1], 1);
  hd_exact_delete(system);
}

/* 3x = 1, 2y = x: x = 1/3, y = 1/6, written as 2 : 1. */
static void elimination_runs_singletons(void **state) {
  (void)state;
  hd_exact *system = hd_exact_new(2);
  hd_exact_equation(system, 0);
  hd_exact_term(system, 1, 2);
  hd_exact_term(system, 0, -1);
  hd_exact_equation(system, 1);
  hd_exact_term(system, 0, 3);
  int64_t out[2];
  assert_true(hd_exact_solve(system, out));
  assert_int_equal(out[0], 2);
  assert_int_equal(out[1], 1);
  hd_exact_delete(system);
}

static void elimination_sees_contradictions(void **state) {
  (void)state;
  hd_exact *system = hd_exact_new(2);
  for (int64_t rhs = 1; rhs <= 2; rhs++) {
    hd_exact_equation(system, rhs);
    hd_exact_term(system, 0, 1);
    hd_exact_term(system, 1, 1);
  }
  int64_t out[2];
  assert_false(hd_exact_solve(system, out));
  hd_exact_delete(system);
}

static void elimination_adds_repeated_terms(void **state) {
  (void)state;
  hd_exact *system = hd_exact_new(2);
  hd_exact_equation(system, 5);
  hd_exact_term(system, 0, 2);
  hd_exact_term(system, 1, 1);
  hd_exact_term(system, 0, -2);
  hd_exact_equation(system, 7);
  hd_exact_term(system, 0, 1);
  int64_t out[2];
  assert_true(hd_exact_solve(system, out));
  assert_int_equal(out[0], 7);
  assert_int_equal(out[1], 5);
  hd_exact_delete(system);
}

static void elimination_leaves_free_unknowns_zero(void **state) {
  (void)state;
  hd_exact *system = hd_exact_new(3);
  hd_exact_equation(system, 4);
  hd_exact_term(system, 1, 2);
  int64_t out[3];
  assert_true(hd_exact_solve(system, out));
  assert_int_equal(out[0], 0);
  assert_int_equal(out[1], 1);
  assert_int_equal(out[2], 0);
  hd_exact_delete(system);
}

/* Random invertible systems with a known solution. */
static void elimination_finds_random_solutions(void **state) {
  (void)state;
  enum { N = 12 };
  for (uint64_t seed = 1; seed <= 300; seed++) {
    uint64_t s = seed;
    int64_t x[N], out[N];
    for (int i = 0; i < N; i++)
      x[i] = (int64_t)draw(&s, 19) - 9;
    x[0] = 1; /* so that there is no common divisor */
    hd_exact *system = hd_exact_new(N);
    for (int e = 0; e < 2 * N; e++) {
      int64_t a[N], rhs = 0;
      for (int i = 0; i < N; i++) {
        a[i] = e < N && e == i ? 1 : draw(&s, 4) ? 0 : (int64_t)draw(&s, 9) - 4;
        if (e < N && i > e)
          a[i] = draw(&s, 3) ? 0 : (int64_t)draw(&s, 5) - 2;
        else if (e < N && i < e)
          a[i] = 0;
        rhs += a[i] * x[i];
      }
      hd_exact_equation(system, rhs);
      for (uint32_t i = 0; i < N; i++)
        hd_exact_term(system, i, a[i]);
    }
    assert_true(hd_exact_solve(system, out));
    assert_memory_equal(out, x, sizeof x);
    hd_exact_delete(system);
  }
}

/* --- integers --- */

static void smt_tells_integers_from_rationals(void **state) {
  (void)state;
  hd_smt *smt = hd_smt_new();
  hd_smt_term x = {.index = hd_smt_add_var(smt, 0), .value = 2};
  hd_smt_add_row(smt, &x, 1, 1, 1);
  assert_int_equal(hd_smt_solve(smt, 0), HD_SMT_UNSAT);
  hd_smt_delete(smt);
}

static void smt_gives_values(void **state) {
  (void)state;
  hd_smt *smt = hd_smt_new();
  uint32_t x = hd_smt_add_var(smt, 0), y = hd_smt_add_var(smt, -5);
  hd_smt_term sum[] = {{x, 1}, {y, 3}};
  hd_smt_term only = {y, 1};
  hd_smt_add_row(smt, sum, 2, 7, 7);
  hd_smt_add_row(smt, &only, 1, HD_SMT_NO_LOWER, -4);
  assert_int_equal(hd_smt_solve(smt, 0), HD_SMT_SAT);
  int64_t a, b;
  assert_true(hd_smt_value(smt, x, &a));
  assert_true(hd_smt_value(smt, y, &b));
  assert_int_equal(a + 3 * b, 7);
  assert_true(b <= -4 && b >= -5);
  hd_smt_delete(smt);
}

static void smt_goes_on_after_an_answer(void **state) {
  (void)state;
  hd_smt *smt = hd_smt_new();
  hd_smt_term x = {.index = hd_smt_add_var(smt, 3), .value = 1};
  assert_int_equal(hd_smt_solve(smt, 0), HD_SMT_SAT);
  hd_smt_add_row(smt, &x, 1, HD_SMT_NO_LOWER, 3);
  int64_t value;
  assert_int_equal(hd_smt_solve(smt, 0), HD_SMT_SAT);
  assert_true(hd_smt_value(smt, 0, &value));
  assert_int_equal(value, 3);
  hd_smt_add_row(smt, &x, 1, HD_SMT_NO_LOWER, 2);
  assert_int_equal(hd_smt_solve(smt, 0), HD_SMT_UNSAT);
  hd_smt_delete(smt);
}

static void smt_treats_empty_rows(void **state) {
  (void)state;
  hd_smt *smt = hd_smt_new();
  hd_smt_add_row(smt, NULL, 0, 0, HD_SMT_NO_UPPER);
  assert_int_equal(hd_smt_solve(smt, 0), HD_SMT_SAT);
  hd_smt_add_row(smt, NULL, 0, 1, HD_SMT_NO_UPPER);
  assert_int_equal(hd_smt_solve(smt, 0), HD_SMT_UNSAT);
  hd_smt_delete(smt);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lp_finds_the_optimum),
      cmocka_unit_test(lp_solves_again_after_a_cut),
      cmocka_unit_test(lp_follows_changed_bounds_and_costs),
      cmocka_unit_test(lp_counts_iterations),
      cmocka_unit_test(lp_multipliers_show_infeasibility),
      cmocka_unit_test(lp_exact_multipliers_are_integers),
      cmocka_unit_test(lp_becomes_feasible_again),
      cmocka_unit_test(lp_without_entries),
      cmocka_unit_test(lp_starts_from_a_given_basis),
      cmocka_unit_test(lp_survives_a_singular_start),
      cmocka_unit_test(lp_random_programs_are_decided_exactly),
      cmocka_unit_test(lp_leaves_out_only_what_does_not_matter),
      cmocka_unit_test(fractions_are_the_simplest),
      cmocka_unit_test(fractions_refuse_what_has_none),
      cmocka_unit_test(rounding_keeps_proportions),
      cmocka_unit_test(rounding_removes_the_common_divisor),
      cmocka_unit_test(rounding_refuses_nothing_and_nonsense),
      cmocka_unit_test(elimination_solves_two_equations),
      cmocka_unit_test(elimination_runs_singletons),
      cmocka_unit_test(elimination_sees_contradictions),
      cmocka_unit_test(elimination_adds_repeated_terms),
      cmocka_unit_test(elimination_leaves_free_unknowns_zero),
      cmocka_unit_test(elimination_finds_random_solutions),
      cmocka_unit_test(smt_tells_integers_from_rationals),
      cmocka_unit_test(smt_gives_values),
      cmocka_unit_test(smt_goes_on_after_an_answer),
      cmocka_unit_test(smt_treats_empty_rows),
  };
  return cmocka_run_group_tests_name("solve", tests, NULL, NULL);
}
