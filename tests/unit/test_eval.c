/* SPDX-License-Identifier: MIT */
/* Values of expressions against plain arithmetic, for every operation and
 * width. */
#include "model/eval.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

static uint64_t rng_state = 88172645463325252u;

static uint64_t next_random(void) {
  rng_state ^= rng_state << 13;
  rng_state ^= rng_state >> 7;
  rng_state ^= rng_state << 17;
  return rng_state * 0x2545F4914F6CDD1Du;
}

static uint64_t below(uint64_t n) {
  return (next_random() >> 11) % n;
}

/* Often something at an edge. */
static uint64_t random_value(uint8_t width) {
  uint64_t mask = hd_word_mask(width), top = (uint64_t)1 << (width - 1);
  switch (below(6)) {
  case 0:
    return below(4) & mask;
  case 1:
    return (mask - below(4)) & mask;
  case 2:
    return (top + below(3) - 1) & mask;
  case 3:
    return (uint64_t)1 << below(width);
  default:
    return next_random() & mask;
  }
}

static hd_i128 wide(uint64_t bits, uint8_t width, bool is_signed) {
  hd_i128 v = (hd_i128)(bits & hd_word_mask(width));
  if (is_signed && v >= (hd_i128)1 << (width - 1))
    v -= (hd_i128)1 << width;
  return v;
}

static bool fits(hd_i128 v, uint8_t width, bool is_signed) {
  hd_i128 low = is_signed ? -((hd_i128)1 << (width - 1)) : 0;
  hd_i128 high = ((hd_i128)1 << (is_signed ? width - 1 : width)) - 1;
  return v >= low && v <= high;
}

/* What the operation means, said again, slowly; 0 <= flags < 16. Products of 64
 * bits are left to the next test. */
static hd_evaluated meaning(hd_code_op op, unsigned flags, uint8_t w,
                            uint64_t a, uint64_t b) {
  hd_i128 ua = wide(a, w, false), ub = wide(b, w, false);
  hd_i128 sa = wide(a, w, true), sb = wide(b, w, true);
  hd_i128 u = 0, s = 0;
  hd_evaluated r = {0};
  bool arithmetic = true;
  switch (op) {
  case HD_CODE_ADD:
    u = ua + ub;
    s = sa + sb;
    break;
  case HD_CODE_SUB:
    u = ua - ub;
    s = sa - sb;
    break;
  case HD_CODE_MUL:
    u = ua * ub;
    s = sa * sb;
    break;
  default:
    arithmetic = false;
  }
  if (arithmetic) {
    r.bits = (uint64_t)u & hd_word_mask(w);
    if ((flags & HD_CODE_NSW && !fits(s, w, true)) ||
        (flags & HD_CODE_NUW && !fits(u, w, false)))
      r.flags = HD_EVAL_OVERFLOW;
    return r;
  }
  switch (op) {
  case HD_CODE_UDIV:
  case HD_CODE_UREM:
    if (!ub)
      return (hd_evaluated){.flags = HD_EVAL_ZERO};
    r.bits = (uint64_t)(op == HD_CODE_UDIV ? ua / ub : ua % ub);
    if (op == HD_CODE_UDIV && flags & HD_CODE_EXACT && ua % ub)
      r.flags = HD_EVAL_OVERFLOW;
    break;
  case HD_CODE_SDIV:
  case HD_CODE_SREM:
    if (!sb || !fits(sa / sb, w, true))
      return (hd_evaluated){.flags = HD_EVAL_ZERO};
    r.bits = (uint64_t)(op == HD_CODE_SDIV ? sa / sb : sa % sb);
    if (op == HD_CODE_SDIV && flags & HD_CODE_EXACT && sa % sb)
      r.flags = HD_EVAL_OVERFLOW;
    break;
  case HD_CODE_SHL: {
    unsigned by = (unsigned)(b % w);
    hd_i128 factor = (hd_i128)1 << by;
    r.bits = (uint64_t)(ua * factor);
    if (b >= w)
      r.flags |= HD_EVAL_SHIFT;
    if ((flags & HD_CODE_NSW && !fits(sa * factor, w, true)) ||
        (flags & HD_CODE_NUW && !fits(ua * factor, w, false)))
      r.flags |= HD_EVAL_OVERFLOW;
    break;
  }
  case HD_CODE_LSHR:
  case HD_CODE_ASHR: {
    unsigned by = (unsigned)(b % w);
    hd_i128 v = op == HD_CODE_LSHR ? ua : sa, factor = (hd_i128)1 << by;
    hd_i128 rest = v % factor;
    if (rest < 0)
      rest += factor;
    r.bits = (uint64_t)((v - rest) / factor);
    if (b >= w)
      r.flags |= HD_EVAL_SHIFT;
    if (flags & HD_CODE_EXACT && rest)
      r.flags |= HD_EVAL_OVERFLOW;
    break;
  }
  case HD_CODE_AND:
  case HD_CODE_OR:
  case HD_CODE_XOR:
    for (unsigned i = 0; i < w; i++) {
      bool x = a >> i & 1, y = b >> i & 1;
      bool z = op == HD_CODE_AND ? x && y : op == HD_CODE_OR ? x || y : x != y;
      r.bits |= (uint64_t)z << i;
    }
    break;
  case HD_CODE_EQ:
    r.bits = ua == ub;
    break;
  case HD_CODE_NE:
    r.bits = ua != ub;
    break;
  case HD_CODE_ULT:
    r.bits = ua < ub;
    break;
  case HD_CODE_ULE:
    r.bits = ua <= ub;
    break;
  case HD_CODE_UGT:
    r.bits = ua > ub;
    break;
  case HD_CODE_UGE:
    r.bits = ua >= ub;
    break;
  case HD_CODE_SLT:
    r.bits = sa < sb;
    break;
  case HD_CODE_SLE:
    r.bits = sa <= sb;
    break;
  case HD_CODE_SGT:
    r.bits = sa > sb;
    break;
  case HD_CODE_SGE:
    r.bits = sa >= sb;
    break;
  case HD_CODE_SADD_OVERFLOWS:
    r.bits = !fits(sa + sb, w, true);
    break;
  case HD_CODE_UADD_OVERFLOWS:
    r.bits = !fits(ua + ub, w, false);
    break;
  case HD_CODE_SSUB_OVERFLOWS:
    r.bits = !fits(sa - sb, w, true);
    break;
  case HD_CODE_USUB_OVERFLOWS:
    r.bits = !fits(ua - ub, w, false);
    break;
  case HD_CODE_SMUL_OVERFLOWS:
    r.bits = !fits(sa * sb, w, true);
    break;
  case HD_CODE_UMUL_OVERFLOWS:
    r.bits = !fits(ua * ub, w, false);
    break;
  case HD_CODE_SMIN:
    r.bits = (uint64_t)(sa < sb ? sa : sb);
    break;
  case HD_CODE_SMAX:
    r.bits = (uint64_t)(sa < sb ? sb : sa);
    break;
  case HD_CODE_UMIN:
    r.bits = (uint64_t)(ua < ub ? ua : ub);
    break;
  case HD_CODE_UMAX:
    r.bits = (uint64_t)(ua < ub ? ub : ua);
    break;
  case HD_CODE_CTPOP:
    for (unsigned i = 0; i < w; i++)
      r.bits += a >> i & 1;
    break;
  case HD_CODE_CTLZ:
    while (r.bits < w && !(a >> (w - 1 - r.bits) & 1))
      r.bits++;
    break;
  case HD_CODE_CTTZ:
    while (r.bits < w && !(a >> r.bits & 1))
      r.bits++;
    break;
  case HD_CODE_ABS:
    r.bits = (uint64_t)(sa < 0 ? -sa : sa);
    if (flags & HD_CODE_NSW && !fits(-sa, w, true))
      r.flags = HD_EVAL_OVERFLOW;
    break;
  case HD_CODE_BSWAP:
    for (unsigned i = 0; i < w / 8u; i++)
      r.bits |= (a >> 8 * i & 0xff) << (w - 8 - 8 * i);
    break;
  default:
    fail_msg("no meaning for %s", hd_code_op_name(op));
  }
  bool one = hd_code_compares(op) ||
             (op >= HD_CODE_SADD_OVERFLOWS && op <= HD_CODE_UMUL_OVERFLOWS);
  r.bits &= hd_word_mask(one ? 1 : w);
  return r;
}

/* Every integer operation at every width, through the expression pool. */
static void test_integers(void **state) {
  (void)state;
  hd_code *code = hd_code_new();
  static const hd_code_op others[] = {
      HD_CODE_SMIN, HD_CODE_SMAX, HD_CODE_UMIN, HD_CODE_UMAX, HD_CODE_CTPOP,
      HD_CODE_CTLZ, HD_CODE_CTTZ, HD_CODE_ABS,  HD_CODE_BSWAP};
  size_t n_others = sizeof others / sizeof *others;
  uint64_t regs[2];
  uint8_t states[2] = {HD_REG_EXACT, HD_REG_EXACT};
  hd_eval_env env = {
      .code = code, .regs = regs, .states = states, .modulus = 1};
  for (int i = 0; i < 400000; i++) {
    uint64_t pick = below(HD_CODE_UMUL_OVERFLOWS - HD_CODE_ADD + 1 + n_others);
    uint64_t first = HD_CODE_UMUL_OVERFLOWS - HD_CODE_ADD + 1;
    hd_code_op op =
        pick < first ? (hd_code_op)(HD_CODE_ADD + pick) : others[pick - first];
    uint8_t w = (uint8_t)(1 + below(64));
    bool product = op == HD_CODE_MUL || op == HD_CODE_SMUL_OVERFLOWS ||
                   op == HD_CODE_UMUL_OVERFLOWS;
    if (product && w == 64)
      w = 63; /* products of 64 bits do not fit 127 */
    if (op == HD_CODE_BSWAP)
      w = (uint8_t)(16 << below(3));
    hd_type type = {.kind = HD_TYPE_INT, .width = w};
    bool one = hd_code_compares(op) ||
               (op >= HD_CODE_SADD_OVERFLOWS && op <= HD_CODE_UMUL_OVERFLOWS);
    unsigned flags = (unsigned)below(8);
    regs[0] = random_value(w);
    regs[1] = below(8) ? random_value(w) : below(w);
    regs[1] &= hd_word_mask(w);
    hd_cexpr_id args[2];
    for (uint64_t k = 0; k < 2; k++)
      args[k] = hd_code_expr(
          code, (hd_cexpr){.op = HD_CODE_REG, .type = type, .value = k});
    hd_cexpr e = {.op = (uint8_t)op,
                  .flags = (uint8_t)flags,
                  .type = one ? (hd_type){HD_TYPE_INT, 1} : type,
                  .args = {args[0], args[1], HD_NO_ID}};
    if (hd_code_op_arity(op) == 1)
      e.args[1] = HD_NO_ID;
    hd_evaluated got = hd_evaluate(&env, hd_code_expr(code, e));
    hd_evaluated want = meaning(op, flags, w, regs[0], regs[1]);
    if (got.bits != want.bits || got.flags != want.flags)
      fail_msg("%s.i%u flags %u (%llu, %llu): %llu/%u, not %llu/%u",
               hd_code_op_name(op), w, flags, (unsigned long long)regs[0],
               (unsigned long long)regs[1], (unsigned long long)got.bits,
               got.flags, (unsigned long long)want.bits, want.flags);
  }
  hd_code_delete(code);
}

/* Casts between integers of all widths, and read-modify-write. */
static void test_casts(void **state) {
  (void)state;
  for (int i = 0; i < 50000; i++) {
    uint8_t narrow = (uint8_t)(1 + below(63));
    uint8_t broad = (uint8_t)(narrow + 1 + below(64u - narrow));
    hd_type n = {HD_TYPE_INT, narrow}, b = {HD_TYPE_INT, broad};
    uint64_t x = random_value(narrow), y = random_value(broad);
    assert_true(hd_evaluate_op(HD_CODE_ZEXT, 0, b, n, x, 0).bits == x);
    uint64_t extended = hd_evaluate_op(HD_CODE_SEXT, 0, b, n, x, 0).bits;
    assert_true(wide(extended, broad, true) == wide(x, narrow, true));
    assert_true(hd_evaluate_op(HD_CODE_TRUNC, 0, n, b, y, 0).bits ==
                (y & hd_word_mask(narrow)));
    uint64_t z = random_value(broad), sum = y + z, least = y < z ? y : z;
    uint64_t mask = hd_word_mask(broad);
    bool less = wide(y, broad, true) < wide(z, broad, true);
    assert_true(hd_evaluate_rmw(HD_RMW_XCHG, b, y, z) == z);
    assert_true(hd_evaluate_rmw(HD_RMW_ADD, b, y, z) == (sum & mask));
    assert_true(hd_evaluate_rmw(HD_RMW_SUB, b, y, z) == ((y - z) & mask));
    assert_true(hd_evaluate_rmw(HD_RMW_NAND, b, y, z) == (~(y & z) & mask));
    assert_true(hd_evaluate_rmw(HD_RMW_OR, b, y, z) == (y | z));
    assert_true(hd_evaluate_rmw(HD_RMW_UMIN, b, y, z) == least);
    assert_true(hd_evaluate_rmw(HD_RMW_MAX, b, y, z) == (less ? z : y));
  }
}

static void test_wide_products(void **state) {
  (void)state;
  hd_type i64 = {HD_TYPE_INT, 64}, i1 = {HD_TYPE_INT, 1};
  for (int i = 0; i < 20000; i++) {
    uint64_t a = random_value(64), b = random_value(64), low;
    int64_t signed_low;
    bool u = __builtin_mul_overflow(a, b, &low);
    bool s = __builtin_mul_overflow((int64_t)a, (int64_t)b, &signed_low);
    hd_evaluated r = hd_evaluate_op(HD_CODE_MUL, HD_CODE_NSW, i64, i64, a, b);
    assert_true(r.bits == low && (r.flags == HD_EVAL_OVERFLOW) == s);
    r = hd_evaluate_op(HD_CODE_MUL, HD_CODE_NUW, i64, i64, a, b);
    assert_true((r.flags == HD_EVAL_OVERFLOW) == u);
    r = hd_evaluate_op(HD_CODE_UMUL_OVERFLOWS, 0, i1, i64, a, b);
    assert_int_equal(r.bits, u);
    r = hd_evaluate_op(HD_CODE_SMUL_OVERFLOWS, 0, i1, i64, a, b);
    assert_int_equal(r.bits, s);
  }
}

static uint64_t bits_of(double value) {
  uint64_t bits;
  memcpy(&bits, &value, 8);
  return bits;
}

static uint64_t bits_of_float(float value) {
  uint32_t bits;
  memcpy(&bits, &value, 4);
  return bits;
}

static void test_floats(void **state) {
  (void)state;
  hd_type f32 = {HD_TYPE_FLOAT, 32}, f64 = {HD_TYPE_FLOAT, 64};
  hd_type i1 = {HD_TYPE_INT, 1}, i8 = {HD_TYPE_INT, 8}, i64 = {HD_TYPE_INT, 64};
  for (int i = 0; i < 50000; i++) {
    double x = (double)(int64_t)next_random() / (double)(1 + below(1000)),
           y = (double)(int64_t)random_value(64) / 3.0;
    float p = (float)x, q = (float)y;
#define CHECK64(OP, expr)                                                      \
  assert_true(                                                                 \
      hd_evaluate_op(HD_CODE_##OP, 0, f64, f64, bits_of(x), bits_of(y))        \
          .bits == bits_of(expr))
#define CHECK32(OP, expr)                                                      \
  assert_true(hd_evaluate_op(HD_CODE_##OP, 0, f32, f32, bits_of_float(p),      \
                             bits_of_float(q))                                 \
                  .bits == bits_of_float(expr))
#define COMPARE(OP, expr)                                                      \
  assert_true(                                                                 \
      hd_evaluate_op(HD_CODE_##OP, 0, i1, f64, bits_of(x), bits_of(y)).bits == \
      (expr))
    CHECK64(FADD, x + y);
    CHECK64(FSUB, x - y);
    CHECK64(FMUL, x * y);
    if (y != 0) {
      CHECK64(FDIV, x / y);
      CHECK64(FREM, fmod(x, y));
      CHECK32(FDIV, p / q);
    }
    CHECK32(FADD, p + q);
    CHECK32(FSUB, p - q);
    CHECK32(FMUL, p * q);
    COMPARE(FOLT, x < y);
    COMPARE(FUGE, x >= y);
    COMPARE(FONE, x != y);
    COMPARE(FUEQ, x == y);
    hd_evaluated to =
        hd_evaluate_op(HD_CODE_SITOFP, 0, f64, i64, (uint64_t)i * 77, 0);
    assert_true(to.bits == bits_of((double)(i * 77)));
  }
  double nan = NAN;
  assert_int_equal(
      hd_evaluate_op(HD_CODE_FOEQ, 0, i1, f64, bits_of(nan), bits_of(nan)).bits,
      0);
  assert_int_equal(
      hd_evaluate_op(HD_CODE_FUNE, 0, i1, f64, bits_of(nan), bits_of(1)).bits,
      1);
  assert_int_equal(
      hd_evaluate_op(HD_CODE_FPTOSI, 0, i8, f64, bits_of(127.9), 0).bits, 127);
  assert_int_equal(
      hd_evaluate_op(HD_CODE_FPTOSI, 0, i8, f64, bits_of(128.0), 0).flags,
      HD_EVAL_UNDEF);
  assert_int_equal(
      hd_evaluate_op(HD_CODE_FPTOUI, 0, i8, f64, bits_of(-0.5), 0).bits, 0);
}

/* What is undefined is told apart, and samples may be compared only. */
static void test_flags(void **state) {
  (void)state;
  hd_code *code = hd_code_new();
  hd_type i32 = {HD_TYPE_INT, 32}, i1 = {HD_TYPE_INT, 1};
  uint64_t regs[2] = {5, 0};
  uint8_t states[2] = {HD_REG_SAMPLE, HD_REG_UNSET};
  hd_eval_env env = {
      .code = code, .regs = regs, .states = states, .modulus = 2};
  hd_cexpr_id sample =
      hd_code_expr(code, (hd_cexpr){.op = HD_CODE_REG, .type = i32});
  hd_cexpr_id unset = hd_code_expr(
      code, (hd_cexpr){.op = HD_CODE_REG, .type = i32, .value = 1});
  hd_cexpr_id two = hd_code_int(code, i32, 2),
              three = hd_code_int(code, i32, 3);
#define OP2(OP, T, A, B)                                                       \
  hd_evaluate(&env, hd_code_expr(code, (hd_cexpr){.op = HD_CODE_##OP,          \
                                                  .type = T,                   \
                                                  .args = {A, B, HD_NO_ID}}))
  assert_int_equal(hd_evaluate(&env, unset).flags, HD_EVAL_UNSET);
  assert_int_equal(OP2(ADD, i32, unset, two).flags, HD_EVAL_UNSET);
  assert_int_equal(hd_evaluate(&env, sample).flags, HD_EVAL_SAMPLE);
  assert_int_equal(OP2(SLT, i1, sample, two).flags, 0);
  assert_int_equal(OP2(SLT, i1, two, sample).flags, 0);
  assert_int_equal(OP2(SREM, i32, sample, two).flags, 0);
  assert_int_equal(OP2(SREM, i32, sample, three).flags, HD_EVAL_VAGUE);
  assert_int_equal(OP2(AND, i32, sample, three).flags, HD_EVAL_VAGUE);
  assert_int_equal(OP2(ADD, i32, sample, two).flags, HD_EVAL_VAGUE);
  assert_int_equal(OP2(EQ, i1, sample, sample).flags, HD_EVAL_VAGUE);
  hd_code_delete(code);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_integers),      cmocka_unit_test(test_casts),
      cmocka_unit_test(test_wide_products), cmocka_unit_test(test_floats),
      cmocka_unit_test(test_flags),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
