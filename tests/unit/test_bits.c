/* SPDX-License-Identifier: MIT */
/* Bit vectors: what is computed here and what Z3 says are the same. */
#include "solve/bits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static uint64_t next(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state >> 20;
}

/* op(a, b) with constants, and with variables that must be a and b. */
static void compare(hd_bv *bv, hd_bv_op op, uint8_t width, uint64_t a,
                    uint64_t b) {
  hd_bv_term x = hd_bv_const(bv, width, a), y = hd_bv_const(bv, width, b);
  uint64_t here;
  hd_bv_term folded = hd_bv_apply(bv, op, x, y);
  assert_true(hd_bv_is_const(bv, folded, &here));
  hd_bv_term u = hd_bv_var(bv, width), v = hd_bv_var(bv, width);
  hd_bv_term made = hd_bv_apply(bv, op, u, v);
  assert_int_equal(hd_bv_width(bv, made), hd_bv_width(bv, folded));
  hd_bv_term all[2] = {hd_bv_apply(bv, HD_BV_EQ, u, x),
                       hd_bv_apply(bv, HD_BV_EQ, v, y)};
  assert_int_equal(hd_bv_solve(bv, all, 2, 10), HD_SMT_SAT);
  if (hd_bv_value(bv, made) != here)
    fail_msg("operation %d, width %u: %llx and %llx give %llx, not %llx", op,
             width, (unsigned long long)a, (unsigned long long)b,
             (unsigned long long)hd_bv_value(bv, made),
             (unsigned long long)here);
}

static void test_operations(void **state) {
  (void)state;
  static const uint8_t widths[] = {1, 8, 32, 64};
  uint64_t seed = 1;
  hd_bv *bv = hd_bv_new();
  for (int op = 0; op <= HD_BV_SLE; op++)
    for (size_t w = 0; w < 4; w++)
      for (int i = 0; i < 4; i++) {
        uint64_t a = next(&seed) * next(&seed), b = next(&seed) * next(&seed);
        if (i == 1)
          b %= 5;
        if (i == 2)
          a = (uint64_t)1 << (widths[w] - 1), b = UINT64_MAX;
        compare(bv, (hd_bv_op)op, widths[w], a, b);
      }
  hd_bv_delete(bv);
}

static void test_solve(void **state) {
  (void)state;
  hd_bv *bv = hd_bv_new();
  hd_bv_term x = hd_bv_var(bv, 32);
  hd_bv_term wide = hd_bv_resize(bv, x, 64, true);
  hd_bv_term terms[2] = {
      hd_bv_apply(bv, HD_BV_SLT, wide, hd_bv_const(bv, 64, 0)),
      hd_bv_apply(bv, HD_BV_EQ,
                  hd_bv_apply(bv, HD_BV_MUL, x, hd_bv_const(bv, 32, 3)),
                  hd_bv_const(bv, 32, 7))};
  assert_int_equal(hd_bv_solve(bv, terms, 2, 10), HD_SMT_SAT);
  assert_int_equal((uint32_t)(3 * hd_bv_value(bv, x)), 7);
  terms[0] = hd_bv_not(bv, terms[0]);
  assert_int_equal(hd_bv_solve(bv, terms, 2, 10), HD_SMT_UNSAT);
  hd_bv_term narrow = hd_bv_resize(bv, x, 8, false);
  terms[0] = hd_bv_choose(
      bv, terms[1], hd_bv_apply(bv, HD_BV_EQ, narrow, hd_bv_const(bv, 8, 1)),
      hd_bv_const(bv, 1, 1));
  assert_int_equal(hd_bv_solve(bv, terms, 2, 10), HD_SMT_UNSAT);
  hd_bv_delete(bv);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_operations),
      cmocka_unit_test(test_solve),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
