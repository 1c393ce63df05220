/* SPDX-License-Identifier: MIT */
/* One meaning of operators: what the engines compute (model/eval.h), what the judge
 * computes (check/notes/compute.h), what both say about intervals (domain/value.h,
 * check/notes/value.h) and the solver's constants (solve/bits.h). Every operation
 * on integers, all operands of 1 to 4 bits and corners of 8, 16, 32 and 64; all
 * intervals of 1 to 3 bits; conversions of floats at corners. */
#include "check/notes/compute.h"
#include "check/notes/value.h"
#include "domain/value.h"
#include "model/eval.h"
#include "solve/bits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

static bool one_bit(hd_code_op op) {
  return op >= HD_CODE_EQ && op <= HD_CODE_UMUL_OVERFLOWS;
}

static bool over_integers(hd_code_op op) {
  return (op >= HD_CODE_ADD && op <= HD_CODE_UMUL_OVERFLOWS) ||
         (op >= HD_CODE_SMIN && op <= HD_CODE_UMAX) || op == HD_CODE_CTPOP ||
         op == HD_CODE_CTLZ || op == HD_CODE_CTTZ || op == HD_CODE_ABS;
}

static hd_type integer(uint8_t width) {
  return (hd_type){HD_TYPE_INT, width};
}

/* A value, or none that a program may count on. */
static bool has_value(hd_evaluated e) {
  return !(e.flags & (HD_EVAL_ZERO | HD_EVAL_SHIFT | HD_EVAL_UNDEF));
}

static bool in_notes(const hd_note_value *v, uint8_t width, uint64_t bits) {
  hd_note_value one = hd_note_number(bits & hd_word_mask(width));
  return hd_note_within(width, &one, v);
}

static void disagree(const char *who, hd_code_op op, hd_type type, hd_type from,
                     uint64_t a, uint64_t b, uint64_t want) {
  fail_msg("%s: %s from %u to %u bits of %llx and %llx is not %llx", who,
           hd_code_op_name(op), from.width, type.width, (unsigned long long)a,
           (unsigned long long)b, (unsigned long long)want);
}

static bool solver_op(hd_code_op op, hd_bv_op *out) {
  static const struct {
    hd_code_op op;
    hd_bv_op bv;
  } same[] = {
      {HD_CODE_ADD, HD_BV_ADD},   {HD_CODE_SUB, HD_BV_SUB},
      {HD_CODE_MUL, HD_BV_MUL},   {HD_CODE_UDIV, HD_BV_UDIV},
      {HD_CODE_SDIV, HD_BV_SDIV}, {HD_CODE_UREM, HD_BV_UREM},
      {HD_CODE_SREM, HD_BV_SREM}, {HD_CODE_AND, HD_BV_AND},
      {HD_CODE_OR, HD_BV_OR},     {HD_CODE_XOR, HD_BV_XOR},
      {HD_CODE_SHL, HD_BV_SHL},   {HD_CODE_LSHR, HD_BV_LSHR},
      {HD_CODE_ASHR, HD_BV_ASHR}, {HD_CODE_EQ, HD_BV_EQ},
      {HD_CODE_ULT, HD_BV_ULT},   {HD_CODE_ULE, HD_BV_ULE},
      {HD_CODE_SLT, HD_BV_SLT},   {HD_CODE_SLE, HD_BV_SLE},
  };
  for (size_t i = 0; i < sizeof same / sizeof *same; i++)
    if (same[i].op == op) {
      *out = same[i].bv;
      return true;
    }
  return false;
}

/* All of them on two single numbers. */
static void compare(hd_code_op op, hd_type type, hd_type from, uint64_t a,
                    uint64_t b) {
  hd_evaluated want = hd_evaluate_op(op, 0, type, from, a, b);
  uint64_t bits = 0;
  hd_note_outcome judged = hd_note_compute(op, type, from, a, b, &bits);
  if (want.flags & HD_EVAL_ZERO) {
    assert_int_equal(judged, HD_NOTE_NOTHING);
  } else if (has_value(want)) {
    if (judged == HD_NOTE_NOTHING)
      fail_msg("judge: %s has no value", hd_code_op_name(op));
    if (judged == HD_NOTE_EXACT && bits != want.bits)
      disagree("judge", op, type, from, a, b, want.bits);
  } else {
    assert_true(judged != HD_NOTE_EXACT || bits <= hd_word_mask(type.width));
  }
  hd_mays mays = 0;
  hd_type types[2] = {from, from};
  hd_value args[2] = {hd_value_const(from.width, a),
                      hd_value_const(from.width, b)};
  hd_value out = hd_value_apply(op, 0, type, types, args, &mays);
  if (has_value(want) && !hd_value_contains(&out, type.width, want.bits))
    disagree("domain", op, type, from, a, b, want.bits);
  hd_bv_op bv;
  if (has_value(want) && solver_op(op, &bv) &&
      hd_bv_compute(bv, a, b, from.width) != want.bits)
    disagree("solver", op, type, from, a, b, want.bits);
}

static void test_small_widths(void **state) {
  (void)state;
  int n = 0;
  for (int op = 0; op < HD_CODE_OP_COUNT; op++) {
    if (!over_integers((hd_code_op)op))
      continue;
    n++;
    for (uint8_t w = 1; w <= 4; w++)
      for (uint64_t a = 0; a <= hd_word_mask(w); a++)
        for (uint64_t b = 0; b <= hd_word_mask(w); b++)
          compare((hd_code_op)op, integer(one_bit((hd_code_op)op) ? 1 : w),
                  integer(w), a, b);
  }
  assert_true(n >= 35);
}

/* Around zero, the ends, powers of two and the width. */
static size_t corners(uint8_t w, uint64_t *out) {
  uint64_t m = hd_word_mask(w), top = (uint64_t)1 << (w - 1);
  uint64_t all[] = {
      0,     1,      2,        3,       5,         7,       w - 1u,
      w,     w + 1u, top - 2,  top - 1, top,       top + 1, top + 2,
      m - 2, m - 1,  m,        m / 3,   m / 3 * 2, top / 2, top + top / 2,
      10,    0x55,   m ^ 0x0f, 100};
  size_t n = 0;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    out[n++] = all[i] & m;
  return n;
}

static void test_corners(void **state) {
  (void)state;
  static const uint8_t widths[] = {8, 16, 32, 64, 7, 33, 63};
  for (size_t k = 0; k < sizeof widths; k++) {
    uint64_t v[32];
    uint8_t w = widths[k];
    size_t n = corners(w, v);
    for (int op = 0; op < HD_CODE_OP_COUNT; op++)
      if (over_integers((hd_code_op)op))
        for (size_t i = 0; i < n; i++)
          for (size_t j = 0; j < n; j++)
            compare((hd_code_op)op, integer(one_bit((hd_code_op)op) ? 1 : w),
                    integer(w), v[i], v[j]);
  }
}

static void test_conversions(void **state) {
  (void)state;
  static const uint8_t widths[] = {1, 2, 3, 4, 8, 16, 32, 64};
  for (size_t i = 0; i < sizeof widths; i++)
    for (size_t j = 0; j < sizeof widths; j++) {
      uint64_t v[32];
      size_t n = corners(widths[i], v);
      for (size_t k = 0; k < n; k++) {
        hd_type from = integer(widths[i]), to = integer(widths[j]);
        if (to.width < from.width)
          compare(HD_CODE_TRUNC, to, from, v[k], 0);
        if (to.width > from.width)
          compare(HD_CODE_ZEXT, to, from, v[k], 0);
        if (to.width > from.width)
          compare(HD_CODE_SEXT, to, from, v[k], 0);
      }
    }
}

/* The judge on floats gives what the engines give, or leaves it open. */
static void test_floats(void **state) {
  (void)state;
  static const double numbers[] = {0.0,
                                   -0.0,
                                   0.5,
                                   -0.5,
                                   0.999,
                                   1.0,
                                   -1.0,
                                   1.5,
                                   126.9,
                                   127.0,
                                   127.5,
                                   128.0,
                                   -128.0,
                                   -128.5,
                                   -129.0,
                                   255.0,
                                   255.9,
                                   256.0,
                                   32767.5,
                                   32768.0,
                                   -32769.,
                                   65535.5,
                                   65536.,
                                   1e9,
                                   2147483647.0,
                                   2147483648.0,
                                   -2147483648.0,
                                   -2147483649.0,
                                   4294967295.0,
                                   4294967296.0,
                                   9.2e18,
                                   9223372036854775808.0,
                                   -9223372036854775808.0,
                                   1.8e19,
                                   18446744073709551616.0,
                                   1e300,
                                   -1e300,
                                   INFINITY,
                                   -INFINITY,
                                   NAN,
                                   4.9e-324,
                                   16777217.0};
  static const hd_code_op ops[] = {HD_CODE_FPTOSI, HD_CODE_FPTOUI};
  static const uint8_t widths[] = {1, 2, 3, 4, 8, 16, 32, 64};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    for (int narrow = 0; narrow < 2; narrow++)
      for (size_t w = 0; w < sizeof widths; w++)
        for (int o = 0; o < 2; o++) {
          hd_type from = {HD_TYPE_FLOAT, narrow ? 32 : 64};
          float single = (float)numbers[i];
          uint64_t bits = 0;
          if (narrow)
            memcpy(&bits, &single, 4);
          else
            memcpy(&bits, &numbers[i], 8);
          hd_evaluated want =
              hd_evaluate_op(ops[o], 0, integer(widths[w]), from, bits, 0);
          double whole = trunc(narrow ? (double)single : numbers[i]);
          bool is_signed = ops[o] == HD_CODE_FPTOSI;
          double most = ldexp(1, widths[w] - (is_signed ? 1 : 0)),
                 least = is_signed ? -most : 0;
          bool fits = whole >= least && whole < most; /* not a NaN */
          assert_int_equal(has_value(want), fits);
          compare(ops[o], integer(widths[w]), from, bits, 0);
        }
  static const hd_code_op back[] = {HD_CODE_SITOFP, HD_CODE_UITOFP};
  for (size_t w = 0; w < sizeof widths; w++)
    for (int narrow = 0; narrow < 2; narrow++)
      for (int o = 0; o < 2; o++) {
        uint64_t v[32];
        size_t n = corners(widths[w], v);
        hd_type to = {HD_TYPE_FLOAT, narrow ? 32 : 64};
        for (size_t k = 0; k < n; k++)
          compare(back[o], to, integer(widths[w]), v[k], 0);
      }
}

/* Every interval of signed numbers: the results of all members are in. */
static void check_intervals(hd_code_op op, uint8_t w, const int64_t r[4]) {
  hd_type from = integer(w), type = integer(one_bit(op) ? 1 : w);
  hd_type types[2] = {from, from};
  hd_mays mays = 0;
  hd_value args[2] = {hd_value_signed(w, r[0], r[1]),
                      hd_value_signed(w, r[2], r[3])};
  hd_value out = hd_value_apply(op, 0, type, types, args, &mays);
  hd_note_value a = hd_note_range(w, r[0], r[1]),
                b = hd_note_range(w, r[2], r[3]);
  bool bad = false;
  hd_note_world world = {0};
  hd_cexpr e = {.op = (uint8_t)op, .type = type};
  hd_note_value judged = hd_note_apply(&world, &e, from, &a, &b, &bad);
  for (int64_t x = r[0]; x <= r[1]; x++)
    for (int64_t y = r[2]; y <= r[3]; y++) {
      uint64_t p = (uint64_t)x & hd_word_mask(w),
               q = (uint64_t)y & hd_word_mask(w);
      hd_evaluated want = hd_evaluate_op(op, 0, type, from, p, q);
      if (want.flags & HD_EVAL_ZERO) {
        assert_true(mays & (HD_MAY_DIVIDE_BY_ZERO | HD_MAY_OVERFLOW));
        assert_true(bad);
      } else if (!has_value(want)) {
        assert_true(mays & HD_MAY_SHIFT_TOO_FAR);
      } else {
        if (!hd_value_contains(&out, type.width, want.bits))
          disagree("domain", op, type, from, p, q, want.bits);
        if (!in_notes(&judged, type.width, want.bits))
          disagree("judge", op, type, from, p, q, want.bits);
      }
    }
}

static void test_intervals(void **state) {
  (void)state;
  for (int op = 0; op < HD_CODE_OP_COUNT; op++) {
    if (!over_integers((hd_code_op)op))
      continue;
    for (uint8_t w = 1; w <= 3; w++) {
      int64_t min = -((int64_t)1 << (w - 1)), max = -min - 1, r[4];
      for (r[0] = min; r[0] <= max; r[0]++)
        for (r[1] = r[0]; r[1] <= max; r[1]++)
          for (r[2] = min; r[2] <= max; r[2]++)
            for (r[3] = r[2]; r[3] <= max; r[3]++)
              check_intervals((hd_code_op)op, w, r);
    }
  }
}

/* Wider than what the judge holds one by one: bounds of intervals alone. */
static void test_wide_intervals(void **state) {
  (void)state;
  for (int op = 0; op < HD_CODE_OP_COUNT; op++) {
    if (!over_integers((hd_code_op)op))
      continue;
    for (int64_t a = -32; a <= 31; a += 9)
      for (int64_t b = a + 17; b <= 31; b += 7)
        for (int64_t c = -32; c <= 31; c += 5)
          for (int64_t d = c; d <= 31; d += 17) {
            int64_t r[4] = {a, b, c, d};
            check_intervals((hd_code_op)op, 6, r);
          }
  }
}

/* What a comparison leaves of an interval, by both. */
static void test_refine(void **state) {
  (void)state;
  const uint8_t w = 3;
  for (hd_code_op op = HD_CODE_EQ; op <= HD_CODE_SGE; op++)
    for (int64_t a = -4; a < 4; a++)
      for (int64_t b = a; b < 4; b++)
        for (int64_t c = -4; c < 4; c++)
          for (int64_t d = c; d < 4; d++) {
            hd_value x = hd_value_signed(w, a, b), y = hd_value_signed(w, c, d);
            hd_note_value v = hd_note_range(w, a, b);
            bool can = hd_value_refine(op, true, w, &x, &y);
            v = hd_note_narrowed(op, w, &v, c, d);
            for (int64_t i = a; i <= b; i++)
              for (int64_t j = c; j <= d; j++) {
                uint64_t p = (uint64_t)i & 7, q = (uint64_t)j & 7;
                if (!hd_evaluate_op(op, 0, integer(1), integer(w), p, q).bits)
                  continue;
                assert_true(can && hd_value_contains(&x, w, p) &&
                            hd_value_contains(&y, w, q));
                assert_true(in_notes(&v, w, p));
              }
          }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_small_widths),
      cmocka_unit_test(test_corners),
      cmocka_unit_test(test_conversions),
      cmocka_unit_test(test_floats),
      cmocka_unit_test(test_intervals),
      cmocka_unit_test(test_wide_intervals),
      cmocka_unit_test(test_refine),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
