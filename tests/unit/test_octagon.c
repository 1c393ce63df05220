/* SPDX-License-Identifier: MIT */
/* Octagons against sets of points: whatever is done to both, no point gets lost,
 * and bounds are those of the points where only octagons are asked for. */
#include "solve/octagon.h"

#include "random_util.h"

#include <fenv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { VARS = 3, LOW = -4, HIGH = 4, SIDE = HIGH - LOW + 1 };
enum { POINTS = SIDE * SIDE * SIDE };

static hd_octagons *lib;

/* Which points of the cube are in the set. */
typedef struct {
  bool in[POINTS];
} cloud;

static void coordinates(int number, int *x) {
  for (int i = 0; i < VARS; i++) {
    x[i] = number % SIDE + LOW;
    number /= SIDE;
  }
}

static int number_of(const int *x) {
  int number = 0;
  for (int i = VARS; i-- > 0;)
    number = number * SIDE + (x[i] - LOW);
  return number;
}

static int64_t apply(const hd_form *f, const int *x) {
  int64_t sum = 0;
  for (uint32_t i = 0; i < f->n; i++)
    sum += f->factors[i] * x[f->vars[i]];
  return sum;
}

static void limit(hd_octagon *o, uint32_t var) {
  hd_octagon_assume(o, &(hd_form){1, {var}, {1}, -HIGH, -HIGH});
  hd_octagon_assume(o, &(hd_form){1, {var}, {-1}, LOW, LOW});
}

static hd_octagon *cube(cloud *c) {
  hd_octagon *o = hd_octagon_new(lib, VARS);
  for (uint32_t i = 0; i < VARS; i++)
    limit(o, i);
  memset(c->in, 1, sizeof c->in);
  return o;
}

static hd_form some_form(rng *r, bool octagonal) {
  hd_form f = {0};
  uint32_t first = draw(r, VARS);
  f.n = 1 + draw(r, octagonal ? 2 : 3);
  for (uint32_t i = 0; i < f.n; i++) {
    f.vars[i] = (first + i) % VARS;
    f.factors[i] = draw(r, 2) ? 1 : -1;
    if (!octagonal && !draw(r, 3))
      f.factors[i] *= 2;
  }
  f.lo = (int64_t)draw(r, 9) - 4;
  f.hi = f.lo + (octagonal ? 0 : (int64_t)draw(r, 3));
  return f;
}

static void assume(hd_octagon *o, cloud *c, const hd_form *f) {
  hd_octagon_assume(o, f);
  for (int p = 0; p < POINTS; p++) {
    int x[VARS];
    coordinates(p, x);
    c->in[p] = c->in[p] && apply(f, x) + f->lo <= 0;
  }
}

/* What leaves the cube is cut off on both sides. */
static void assign(hd_octagon *o, cloud *c, uint32_t var, const hd_form *f) {
  hd_octagon_assign(o, var, f);
  limit(o, var);
  cloud next = {{false}};
  for (int p = 0; p < POINTS; p++) {
    int x[VARS], y[VARS];
    coordinates(p, x);
    memcpy(y, x, sizeof y);
    for (int64_t k = f->lo; k <= f->hi && c->in[p]; k++) {
      int64_t value = apply(f, x) + k;
      if (value < LOW || value > HIGH)
        continue;
      y[var] = (int)value;
      next.in[number_of(y)] = true;
    }
  }
  *c = next;
}

static void forget(hd_octagon *o, cloud *c, uint32_t var) {
  hd_octagon_forget(o, var);
  limit(o, var);
  cloud next = {{false}};
  for (int p = 0; p < POINTS; p++) {
    int x[VARS];
    coordinates(p, x);
    for (x[var] = LOW; x[var] <= HIGH && c->in[p]; x[var]++)
      next.in[number_of(x)] = true;
  }
  *c = next;
}

static bool is_empty(const cloud *c) {
  for (int p = 0; p < POINTS; p++)
    if (c->in[p])
      return false;
  return true;
}

/* Every point of the cloud is in the octagon: the octagon that is this point
 * lies within it. */
static void covers(const hd_octagon *o, const cloud *c) {
  for (int p = 0; p < POINTS; p += 1 + p % 7) {
    if (!c->in[p])
      continue;
    int x[VARS];
    coordinates(p, x);
    hd_octagon *point = hd_octagon_new(lib, VARS);
    for (uint32_t i = 0; i < VARS; i++)
      hd_octagon_assign(point, i, &(hd_form){.lo = x[i], .hi = x[i]});
    assert_true(hd_octagon_within(point, o));
    hd_octagon_delete(point);
  }
}

static void bounds(const hd_octagon *o, const cloud *c, rng *r, bool exact) {
  hd_form f = some_form(r, exact);
  int64_t most = INT64_MIN, max = 0;
  for (int p = 0; p < POINTS; p++) {
    int x[VARS];
    coordinates(p, x);
    if (c->in[p] && apply(&f, x) + f.hi > most)
      most = apply(&f, x) + f.hi;
  }
  if (most == INT64_MIN)
    return; /* no point: the octagon may not know */
  assert_true(hd_octagon_max(o, &f, &max));
  assert_true(max >= most);
  /* Half an integer may be lost for want of integer reasoning. */
  if (exact)
    assert_true(max <= most + 1);
}

static void random_operations(void **state) {
  (void)state;
  size_t empty = 0;
  for (uint64_t seed = 0; seed < 150; seed++) {
    rng r = rng_of(seed);
    cloud c, d;
    hd_octagon *o = cube(&c);
    bool octagonal = true; /* the points are all integer points of one */
    for (int step = 0; step < 6; step++) {
      uint32_t kind = draw(&r, 6);
      uint32_t var = draw(&r, VARS);
      hd_form f = some_form(&r, kind < 2);
      if (kind < 3) {
        assume(o, &c, &f);
        octagonal = octagonal && kind < 2;
      } else if (kind == 3) {
        assign(o, &c, var, &f);
        octagonal = false;
      } else if (kind == 4) {
        forget(o, &c, var);
        octagonal = false;
      } else {
        hd_octagon *other = cube(&d);
        assume(other, &d, &f);
        hd_octagon *joined = hd_octagon_copy(o);
        hd_octagon_join(joined, other);
        assert_true(hd_octagon_within(o, joined));
        assert_true(hd_octagon_within(other, joined));
        covers(joined, &c);
        if (draw(&r, 2)) {
          hd_octagon_widen(joined, o);
          covers(joined, &c);
          covers(joined, &d);
        }
        hd_octagon_delete(joined);
        hd_octagon_meet(o, other);
        hd_octagon_delete(other);
        for (int p = 0; p < POINTS; p++)
          c.in[p] = c.in[p] && d.in[p];
        octagonal = false;
      }
      if (hd_octagon_is_empty(o))
        assert_true(is_empty(&c));
      covers(o, &c);
      bounds(o, &c, &r, octagonal);
    }
    empty += hd_octagon_is_empty(o);
    hd_octagon_delete(o);
  }
  assert_true(empty > 8 && empty < 142);
}

/* x ≤ y, y ≤ z: x ≤ z without y, and whatever the numbers are. */
static void relations_are_chained(void **state) {
  (void)state;
  hd_octagon *o = hd_octagon_new(lib, 2);
  hd_octagon_assume(o, &(hd_form){2, {0, 1}, {1, -1}, 0, 0});
  hd_octagon_extend(o, 1);
  hd_octagon_assume(o, &(hd_form){2, {1, 2}, {1, -1}, 3, 3});
  hd_octagon_rename(o, (uint32_t[]){1, UINT32_MAX, 0});
  int64_t max;
  assert_true(hd_octagon_max(o, &(hd_form){2, {1, 0}, {1, -1}, 0, 0}, &max));
  assert_int_equal(max, -3);
  assert_false(hd_octagon_max(o, &(hd_form){1, {0}, {1}, 0, 0}, &max));
  hd_octagon *two = hd_octagon_copy(o);
  hd_octagon_append(o, two);
  assert_true(hd_octagon_max(o, &(hd_form){2, {3, 2}, {1, -1}, 0, 0}, &max));
  assert_int_equal(max, -3);
  assert_false(hd_octagon_max(o, &(hd_form){2, {3, 0}, {1, -1}, 0, 0}, &max));
  hd_octagon_delete(two);
  hd_octagon_delete(o);
}

/* What is at the end of the type does not overflow on the way. */
static void numbers_are_unbounded(void **state) {
  (void)state;
  hd_octagon *o = hd_octagon_new(lib, 2);
  hd_form top = {.lo = INT64_MAX, .hi = INT64_MAX};
  hd_octagon_assign(o, 0, &top);
  hd_octagon_assign(o, 1, &(hd_form){1, {0}, {1}, INT64_MAX, INT64_MAX});
  int64_t max;
  assert_false(hd_octagon_max(o, &(hd_form){1, {1}, {1}, 0, 0}, &max));
  assert_true(hd_octagon_max(
      o, &(hd_form){2, {1, 0}, {1, -1}, -INT64_MAX, -INT64_MAX}, &max));
  assert_int_equal(max, 0);
  assert_true(hd_octagon_max(o, &(hd_form){1, {0}, {-1}, 0, 0}, &max));
  assert_int_equal(max, -INT64_MAX);
  hd_octagon_delete(o);
}

static void rounding_is_left_alone(void **state) {
  (void)state;
  assert_int_equal(fegetround(), FE_TONEAREST);
  hd_octagons *again = hd_octagons_open();
  assert_non_null(again);
  assert_int_equal(fegetround(), FE_TONEAREST);
  hd_octagons_close(again);
}

int main(void) {
  lib = hd_octagons_open();
  if (!lib) {
    puts("1..0 # SKIP PPL is not installed");
    return 77;
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_operations),
      cmocka_unit_test(relations_are_chained),
      cmocka_unit_test(numbers_are_unbounded),
      cmocka_unit_test(rounding_is_left_alone),
  };
  int failed = cmocka_run_group_tests_name("octagon", tests, NULL, NULL);
  hd_octagons_close(lib);
  return failed;
}
