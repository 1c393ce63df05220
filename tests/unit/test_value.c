/* SPDX-License-Identifier: MIT */
/* Abstract values against all their members, at small widths: nothing that can
 * happen is missed, and what is exact stays exact. */
#include "domain/value.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <string.h>

static const int64_t bounds[] = {-9, -1, 0, 1, 2, 7, 30, 255};
static const hd_widening steps = {bounds, 8};

static uint64_t seed = 88172645463325252u;

static uint64_t rnd(uint64_t below) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return seed % below;
}

static int64_t sign(uint8_t width, uint64_t x) {
  uint64_t s = (uint64_t)1 << (width - 1);
  return (int64_t)(((x & (2 * s - 1)) ^ s) - s);
}

/* What the machine does; false: undefined. `flags` may make it so. */
static bool concrete(hd_code_op op, uint8_t flags, uint8_t w, uint64_t x,
                     uint64_t y, uint64_t *z, bool *overflow) {
  int64_t a = sign(w, x), b = sign(w, y), s = 0;
  int64_t u = 0, min = -((int64_t)1 << (w - 1)), max = -min - 1;
  bool arithmetic = true;
  switch (op) {
  case HD_CODE_ADD:
    s = a + b, u = (int64_t)(x + y);
    break;
  case HD_CODE_SUB:
    s = a - b, u = (int64_t)x - (int64_t)y;
    break;
  case HD_CODE_MUL:
    s = a * b, u = (int64_t)(x * y);
    break;
  case HD_CODE_SHL:
    if (y >= w)
      return false;
    s = a * ((int64_t)1 << y), u = (int64_t)(x << y);
    break;
  default:
    arithmetic = false;
  }
  if (arithmetic) {
    *z = (uint64_t)s & hd_word_mask(w);
    *overflow =
        ((flags & HD_CODE_NSW) && (s < min || s > max)) ||
        ((flags & HD_CODE_NUW) && (u < 0 || u > (int64_t)hd_word_mask(w)));
    return true;
  }
  *overflow = false;
  switch (op) {
  case HD_CODE_UDIV:
  case HD_CODE_UREM:
    if (!y)
      return false;
    *z = op == HD_CODE_UDIV ? x / y : x % y;
    break;
  case HD_CODE_SDIV:
  case HD_CODE_SREM:
    if (!b)
      return false;
    *overflow = op == HD_CODE_SDIV && a / b > max;
    *z = (uint64_t)(op == HD_CODE_SDIV ? a / b : a % b);
    break;
  case HD_CODE_LSHR:
    if (y >= w)
      return false;
    *z = x >> y;
    break;
  case HD_CODE_ASHR:
    if (y >= w)
      return false;
    *z = (uint64_t)(a >> y);
    break;
  case HD_CODE_AND:
    *z = x & y;
    break;
  case HD_CODE_OR:
    *z = x | y;
    break;
  case HD_CODE_XOR:
    *z = x ^ y;
    break;
  case HD_CODE_EQ:
    *z = x == y;
    break;
  case HD_CODE_NE:
    *z = x != y;
    break;
  case HD_CODE_ULT:
    *z = x < y;
    break;
  case HD_CODE_ULE:
    *z = x <= y;
    break;
  case HD_CODE_UGT:
    *z = x > y;
    break;
  case HD_CODE_UGE:
    *z = x >= y;
    break;
  case HD_CODE_SLT:
    *z = a < b;
    break;
  case HD_CODE_SLE:
    *z = a <= b;
    break;
  case HD_CODE_SGT:
    *z = a > b;
    break;
  case HD_CODE_SGE:
    *z = a >= b;
    break;
  case HD_CODE_SADD_OVERFLOWS:
    *z = a + b < min || a + b > max;
    break;
  case HD_CODE_UADD_OVERFLOWS:
    *z = x + y > hd_word_mask(w);
    break;
  case HD_CODE_SSUB_OVERFLOWS:
    *z = a - b < min || a - b > max;
    break;
  case HD_CODE_USUB_OVERFLOWS:
    *z = x < y;
    break;
  case HD_CODE_SMUL_OVERFLOWS:
    *z = a * b < min || a * b > max;
    break;
  case HD_CODE_UMUL_OVERFLOWS:
    *z = x * y > hd_word_mask(w);
    break;
  case HD_CODE_SMIN:
    *z = (uint64_t)(a < b ? a : b);
    break;
  case HD_CODE_SMAX:
    *z = (uint64_t)(a > b ? a : b);
    break;
  case HD_CODE_UMIN:
    *z = x < y ? x : y;
    break;
  case HD_CODE_UMAX:
    *z = x > y ? x : y;
    break;
  default:
    abort();
  }
  return true;
}

static bool is_flagged(hd_code_op op, hd_mays mays, uint8_t w, uint64_t y) {
  if (op >= HD_CODE_UDIV && op <= HD_CODE_SREM)
    return (mays & HD_MAY_DIVIDE_BY_ZERO) != 0 && y == 0;
  return (mays & HD_MAY_SHIFT_TOO_FAR) != 0 && y >= w;
}

static hd_value random_value(uint8_t w) {
  uint64_t n = (uint64_t)1 << w, x = rnd(n), y = rnd(n);
  switch (rnd(4)) {
  case 0:
    return hd_value_const(w, x);
  case 1:
    return hd_value_unsigned(w, x < y ? x : y, x < y ? y : x);
  case 2: {
    int64_t a = sign(w, x), b = sign(w, y);
    return hd_value_signed(w, a < b ? a : b, a < b ? b : a);
  }
  default: {
    hd_value a = hd_value_const(w, x), b = hd_value_const(w, y);
    return hd_value_join(w, &a, &b);
  }
  }
}

static bool compares(hd_code_op op) {
  return op >= HD_CODE_EQ && op <= HD_CODE_UMUL_OVERFLOWS;
}

static void check_binary(hd_code_op op, uint8_t flags, uint8_t w,
                         const hd_value args[2]) {
  hd_type type = {HD_TYPE_INT, compares(op) ? 1 : w};
  hd_type types[2] = {{HD_TYPE_INT, w}, {HD_TYPE_INT, w}};
  hd_mays mays = 0;
  hd_value out = hd_value_apply(op, flags, type, types, args, &mays);
  for (uint64_t x = 0; x < (uint64_t)1 << w; x++)
    for (uint64_t y = 0; y < (uint64_t)1 << w; y++) {
      if (!hd_value_contains(&args[0], w, x) ||
          !hd_value_contains(&args[1], w, y))
        continue;
      uint64_t z;
      bool overflow;
      if (!concrete(op, flags, w, x, y, &z, &overflow)) {
        assert_true(is_flagged(op, mays, w, y));
        continue;
      }
      if (!hd_value_contains(&out, type.width, z))
        fail_msg("%s.i%u(%llu, %llu) = %llu is missing", hd_code_op_name(op), w,
                 (unsigned long long)x, (unsigned long long)y,
                 (unsigned long long)z);
      assert_true(!overflow || (mays & HD_MAY_OVERFLOW));
    }
}

static void test_binary(void **state) {
  (void)state;
  for (int round = 0; round < 400; round++)
    for (uint8_t w = 1; w <= 5; w++) {
      hd_value args[2] = {random_value(w), random_value(w)};
      for (hd_code_op op = HD_CODE_ADD; op <= HD_CODE_UMUL_OVERFLOWS; op++)
        check_binary(op, (uint8_t)rnd(4), w, args);
      for (hd_code_op op = HD_CODE_SMIN; op <= HD_CODE_UMAX; op++)
        check_binary(op, 0, w, args);
    }
}

/* Of two constants the result is a constant, at every width. */
static void test_constants(void **state) {
  (void)state;
  for (int round = 0; round < 20000; round++) {
    uint8_t w = (uint8_t)(1 + rnd(31));
    uint64_t m = hd_word_mask(w), x = rnd(UINT64_MAX) & m,
             y = rnd(UINT64_MAX) & m;
    hd_value args[2] = {hd_value_const(w, x), hd_value_const(w, y)};
    for (hd_code_op op = HD_CODE_ADD; op <= HD_CODE_UMUL_OVERFLOWS; op++) {
      hd_type type = {HD_TYPE_INT, compares(op) ? 1 : w};
      hd_type types[2] = {{HD_TYPE_INT, w}, {HD_TYPE_INT, w}};
      hd_mays mays = 0;
      uint64_t z, got = 0;
      bool overflow;
      hd_value out = hd_value_apply(op, 0, type, types, args, &mays);
      if (!concrete(op, 0, w, x, y, &z, &overflow))
        continue;
      assert_true(hd_value_is_const(&out, &got));
      assert_int_equal(got & hd_word_mask(type.width),
                       z & hd_word_mask(type.width));
    }
  }
}

static void test_casts(void **state) {
  (void)state;
  for (int round = 0; round < 3000; round++) {
    uint8_t from = (uint8_t)(1 + rnd(6)), to = (uint8_t)(1 + rnd(6));
    hd_value arg = random_value(from);
    hd_type types[1] = {{HD_TYPE_INT, from}}, type = {HD_TYPE_INT, to};
    hd_mays mays = 0;
    for (hd_code_op op = HD_CODE_TRUNC; op <= HD_CODE_SEXT; op++) {
      if ((op == HD_CODE_TRUNC) != (to < from) || to == from)
        continue;
      hd_value out = hd_value_apply(op, 0, type, types, &arg, &mays);
      for (uint64_t x = 0; x < (uint64_t)1 << from; x++)
        if (hd_value_contains(&arg, from, x))
          assert_true(hd_value_contains(
              &out, to, op == HD_CODE_SEXT ? (uint64_t)sign(from, x) : x));
    }
  }
}

static void test_lattice(void **state) {
  (void)state;
  for (int round = 0; round < 3000; round++) {
    uint8_t w = (uint8_t)(1 + rnd(6));
    hd_value a = random_value(w), b = random_value(w);
    hd_value join = hd_value_join(w, &a, &b), meet = hd_value_meet(w, &a, &b);
    hd_value wide = hd_value_widen(w, &a, &b, &steps);
    assert_true(hd_value_within(&a, &join) && hd_value_within(&b, &join));
    assert_true(hd_value_within(&join, &wide));
    assert_true(hd_value_within(&meet, &a) && hd_value_within(&meet, &b));
    for (uint64_t x = 0; x < (uint64_t)1 << w; x++)
      assert_true(hd_value_contains(&meet, w, x) ==
                  (hd_value_contains(&a, w, x) && hd_value_contains(&b, w, x)));
    assert_true(hd_value_same(&a, &b) ==
                (hd_value_within(&a, &b) && hd_value_within(&b, &a)));
    if (hd_value_same(&a, &b))
      assert_true(hd_value_hash(&a) == hd_value_hash(&b));
  }
}

/* However the values grow, widening ends soon. */
static void test_widening_ends(void **state) {
  (void)state;
  for (uint8_t w = 1; w <= 64; w++) {
    hd_value v = hd_value_const(w, 0);
    int changes = 0;
    for (int round = 0; round < 2000; round++) {
      uint64_t x = rnd(3) ? rnd((uint64_t)round + 1) : rnd(UINT64_MAX);
      hd_value next = hd_value_const(w, rnd(2) ? x : 0 - x);
      if (hd_value_within(&next, &v))
        continue;
      v = hd_value_widen(w, &v, &next, &steps);
      changes++;
    }
    assert_in_range(changes, 0, 45);
  }
}

static void test_refine(void **state) {
  (void)state;
  for (int round = 0; round < 3000; round++) {
    uint8_t w = (uint8_t)(1 + rnd(5));
    hd_value a = random_value(w), b = random_value(w);
    for (hd_code_op op = HD_CODE_EQ; op <= HD_CODE_SGE; op++)
      for (int wanted = 0; wanted < 2; wanted++) {
        hd_value x = a, y = b;
        bool possible = hd_value_refine(op, wanted, w, &x, &y);
        for (uint64_t i = 0; i < (uint64_t)1 << w; i++)
          for (uint64_t j = 0; j < (uint64_t)1 << w; j++) {
            uint64_t z;
            bool overflow;
            if (!hd_value_contains(&a, w, i) || !hd_value_contains(&b, w, j) ||
                !concrete(op, 0, w, i, j, &z, &overflow) || (int)z != wanted)
              continue;
            assert_true(possible && hd_value_contains(&x, w, i) &&
                        hd_value_contains(&y, w, j));
          }
      }
  }
}

/* Refinement that branches live on. */
static void test_refine_exact(void **state) {
  (void)state;
  hd_value x = hd_value_any(32), ten = hd_value_const(32, 10);
  assert_true(hd_value_refine(HD_CODE_SLT, true, 32, &x, &ten));
  hd_value want = hd_value_signed(32, INT32_MIN, 9);
  assert_true(hd_value_same(&x, &want));
  hd_value zero = hd_value_const(32, 0);
  assert_true(hd_value_refine(HD_CODE_SLT, false, 32, &x, &zero));
  want = hd_value_signed(32, 0, 9);
  assert_true(hd_value_same(&x, &want));
  hd_value nine = hd_value_const(32, 9);
  assert_true(hd_value_refine(HD_CODE_EQ, false, 32, &x, &nine));
  want = hd_value_signed(32, 0, 8);
  assert_true(hd_value_same(&x, &want));
  assert_false(hd_value_refine(HD_CODE_EQ, true, 32, &x, &nine));
}

static void test_addresses(void **state) {
  (void)state;
  hd_type ptr = {HD_TYPE_PTR, 64}, i64 = {HD_TYPE_INT, 64};
  hd_mays mays = 0;
  hd_value p = hd_value_address(3, 0, 0), by = hd_value_unsigned(64, 0, 8);
  hd_value q =
      hd_value_apply(HD_CODE_PTRADD, HD_CODE_INBOUNDS, ptr,
                     (hd_type[]){ptr, i64}, (hd_value[]){p, by}, &mays);
  hd_value want = hd_value_address(3, 0, 8);
  assert_true(hd_value_same(&q, &want));
  hd_value back = hd_value_apply(HD_CODE_SUB, 0, i64, (hd_type[]){i64, i64},
                                 (hd_value[]){q, p}, &mays);
  want = hd_value_unsigned(64, 0, 8);
  assert_true(hd_value_same(&back, &want));
  hd_value null = hd_value_const(64, 0), either = hd_value_join(64, &p, &null);
  hd_value yes =
      hd_value_apply(HD_CODE_EQ, 0, (hd_type){HD_TYPE_INT, 1},
                     (hd_type[]){ptr, ptr}, (hd_value[]){p, null}, &mays);
  assert_false(hd_value_contains(&yes, 1, 1));
  hd_value left = either, right = null;
  assert_true(hd_value_refine(HD_CODE_NE, true, 64, &left, &right));
  assert_true(hd_value_same(&left, &p));
  left = either;
  assert_true(hd_value_refine(HD_CODE_EQ, true, 64, &left, &right));
  assert_true(hd_value_same(&left, &null));
  hd_value many = hd_value_none();
  for (uint32_t i = 0; i < HD_MAX_TARGETS + 1; i++) {
    hd_value one = hd_value_address(i, 0, 0);
    many = hd_value_join(64, &many, &one);
  }
  assert_true(many.wild);
}

static bool points_to(const hd_value *v, int64_t offset) {
  for (int i = 0; i < v->n_targets; i++) {
    const hd_pointee *t = &v->targets[i];
    if (offset >= t->lo && offset <= t->hi &&
        (t->lo == t->hi || (offset - t->lo) % t->stride == 0))
      return true;
  }
  return false;
}

static hd_value random_address(void) {
  hd_value v = hd_value_address(0, (int64_t)rnd(40) - 20, 0);
  hd_pointee *t = &v.targets[0];
  t->hi = t->lo + (int64_t)rnd(30);
  t->stride = t->lo == t->hi ? 0 : 1 + (uint32_t)rnd(9);
  return v;
}

/* Strides: joins, meets, order and moves keep every address. */
/* Where an address is nobody knows: against one no number is ruled out. */
static void test_refine_addresses(void **state) {
  (void)state;
  hd_value p = hd_value_address(3, 0, 0), five = hd_value_signed(64, 5, 9);
  hd_value either = hd_value_join(64, &p, &five);
  hd_value numbers = hd_value_signed(64, 0, 20);
  for (hd_code_op op = HD_CODE_EQ; op <= HD_CODE_SGE; op++)
    for (int wanted = 0; wanted < 2; wanted++)
      for (int swapped = 0; swapped < 2; swapped++) {
        hd_value x = swapped ? numbers : either, y = swapped ? either : numbers;
        assert_true(hd_value_refine(op, wanted, 64, &x, &y));
        const hd_value *mixed = swapped ? &y : &x, *plain = swapped ? &x : &y;
        assert_int_equal(mixed->n_targets, 1);
        assert_true(hd_value_within(&numbers, plain));
      }
}

static void test_strides(void **state) {
  (void)state;
  for (int round = 0; round < 20000; round++) {
    hd_value a = random_address(), b = random_address();
    hd_value join = hd_value_join(64, &a, &b), meet = hd_value_meet(64, &a, &b);
    hd_value wide = hd_value_widen(64, &a, &b, &steps);
    bool within = hd_value_within(&a, &b);
    int64_t fixed = (int64_t)rnd(9) - 4;
    uint32_t step = 1 + (uint32_t)rnd(8);
    hd_value by = hd_value_signed(64, -(int64_t)step, 2 * (int64_t)step);
    hd_value moved = hd_value_move(64, &a, fixed, &by, step);
    for (int64_t x = -100; x <= 100; x++) {
      bool in_a = points_to(&a, x), in_b = points_to(&b, x);
      assert_true(!(in_a || in_b) || points_to(&join, x));
      assert_true(!(in_a || in_b) || points_to(&wide, x));
      assert_true(!(in_a && in_b) || points_to(&meet, x));
      assert_true(!(within && in_a) || in_b);
      for (int k = -1; k <= 2; k++)
        assert_true(!in_a || points_to(&moved, x + fixed + k * (int64_t)step));
    }
  }
}

static void test_undefined(void **state) {
  (void)state;
  hd_type i32 = {HD_TYPE_INT, 32};
  hd_value u = hd_value_undefined(), one = hd_value_const(32, 1);
  hd_mays mays = 0;
  hd_value out = hd_value_apply(HD_CODE_ADD, 0, i32, (hd_type[]){i32, i32},
                                (hd_value[]){u, one}, &mays);
  assert_true(out.undef && (mays & HD_MAY_BE_UNDEFINED));
  assert_true(hd_value_contains(&out, 32, 12345));
  for (int swapped = 0; swapped < 2; swapped++) {
    hd_value *x = swapped ? &one : &u, *y = swapped ? &u : &one;
    assert_true(hd_value_join(32, x, y).undef);
    assert_true(hd_value_widen(32, x, y, &steps).undef);
    assert_false(hd_value_meet(32, x, y).undef);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_binary),
      cmocka_unit_test(test_constants),
      cmocka_unit_test(test_casts),
      cmocka_unit_test(test_lattice),
      cmocka_unit_test(test_widening_ends),
      cmocka_unit_test(test_refine),
      cmocka_unit_test(test_refine_exact),
      cmocka_unit_test(test_addresses),
      cmocka_unit_test(test_refine_addresses),
      cmocka_unit_test(test_undefined),
      cmocka_unit_test(test_strides),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
