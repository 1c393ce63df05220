/* SPDX-License-Identifier: MIT */
/* Integers of 128 bits: what heddle-cc makes of operations that are more than a
 * few on their halves (cc/wide_calls.c). Here are sums, shifts by constants,
 * comparisons and bits only, so that nothing here calls itself. What is undefined
 * is so here, too, and found like any other. */
#include "model.h"

typedef unsigned __int128 wide;

static uint64_t low(wide a) {
  return (uint64_t)a;
}

static uint64_t high(wide a) {
  return (uint64_t)(a >> 64);
}

static wide pair(uint64_t upper, uint64_t lower) {
  return (wide)upper << 64 | lower;
}

static int is_negative(wide a) {
  return (int)(high(a) >> 63);
}

static wide negated(wide a) {
  return ~a + 1;
}

/* The sum, difference or product is no number of the type. */
static void overflows(void) {
  int64_t most = INT64_MAX;
  most = most + 1;
}

/* --- sums and products --- */

wide __heddle_wide_add(wide a, wide b) {
  wide sum = a + b;
  if (is_negative(a) == is_negative(b) && is_negative(sum) != is_negative(a))
    overflows();
  return sum;
}

wide __heddle_wide_subtract(wide a, wide b) {
  wide rest = a - b;
  if (is_negative(a) != is_negative(b) && is_negative(rest) != is_negative(a))
    overflows();
  return rest;
}

static wide product(uint64_t a, uint64_t b) {
  uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
  uint64_t p00 = a0 * b0, p01 = a0 * b1, p10 = a1 * b0, p11 = a1 * b1;
  uint64_t middle = (p00 >> 32) + (uint32_t)p01 + (uint32_t)p10;
  uint64_t upper = p11 + (p01 >> 32) + (p10 >> 32) + (middle >> 32);
  return pair(upper, middle << 32 | (uint32_t)p00);
}

wide __heddle_wide_umultiply(wide a, wide b) {
  return product(low(a), low(b)) + pair(low(a) * high(b) + high(a) * low(b), 0);
}

wide __heddle_wide_multiply(wide a, wide b) {
  int negative = is_negative(a) != is_negative(b);
  wide m = is_negative(a) ? negated(a) : a, n = is_negative(b) ? negated(b) : b;
  wide p = __heddle_wide_umultiply(m, n);
  int fits = !high(m) || !high(n);
  if (fits && (high(m) || high(n))) {
    wide upper =
        product(high(m) ? high(m) : high(n), high(m) ? low(n) : low(m));
    wide lower = product(low(m), low(n));
    fits = !high(upper) && low(upper) + high(lower) >= low(upper);
  }
  /* One more fits below zero. */
  if (!fits || (is_negative(p) && !(negative && p == pair(1ull << 63, 0))))
    overflows();
  return negative ? negated(p) : p;
}

/* --- quotients --- */

static wide divided(wide a, wide b, wide *rest) {
  if (!high(a) && !high(b)) {
    *rest = low(a) % low(b);
    return low(a) / low(b);
  }
  wide quotient = 0, r = 0;
  if (!b)
    return low(a) / low(b);
  for (int i = 0; i < 128; i++) {
    uint64_t out = high(r) >> 63;
    r = r << 1 | high(a) >> 63;
    a = a << 1;
    quotient = quotient << 1;
    if (out || r >= b) {
      r = r - b;
      quotient = quotient | 1;
    }
  }
  *rest = r;
  return quotient;
}

wide __heddle_wide_udivide(wide a, wide b) {
  wide rest;
  return divided(a, b, &rest);
}

wide __heddle_wide_uremainder(wide a, wide b) {
  wide rest;
  (void)divided(a, b, &rest);
  return rest;
}

/* The least number has no counterpart. */
static int is_too_large(wide a, wide b) {
  return a == pair(1ull << 63, 0) && b == ~(wide)0;
}

wide __heddle_wide_divide(wide a, wide b) {
  wide rest;
  if (is_too_large(a, b))
    overflows();
  wide quotient = divided(is_negative(a) ? negated(a) : a,
                          is_negative(b) ? negated(b) : b, &rest);
  return is_negative(a) != is_negative(b) ? negated(quotient) : quotient;
}

wide __heddle_wide_remainder(wide a, wide b) {
  wide rest;
  if (is_too_large(a, b))
    overflows();
  (void)divided(is_negative(a) ? negated(a) : a,
                is_negative(b) ? negated(b) : b, &rest);
  return is_negative(a) ? negated(rest) : rest;
}

/* --- shifts --- */

/* By how much; what is too much is as undefined as it is with 64 bits. */
static unsigned amount(wide by) {
  if (high(by) || low(by) >= 128) {
    uint64_t one = 1, far = low(by) | 128;
    (void)(one << far);
    return 127;
  }
  return (unsigned)low(by);
}

wide __heddle_wide_left(wide a, wide by) {
  unsigned n = amount(by);
  if (n >= 64)
    return pair(low(a) << (n - 64), 0);
  return n ? pair(high(a) << n | low(a) >> (64 - n), low(a) << n) : a;
}

wide __heddle_wide_uright(wide a, wide by) {
  unsigned n = amount(by);
  if (n >= 64)
    return high(a) >> (n - 64);
  return n ? pair(high(a) >> n, low(a) >> n | high(a) << (64 - n)) : a;
}

wide __heddle_wide_right(wide a, wide by) {
  wide kept = __heddle_wide_uright(is_negative(a) ? ~a : a, by);
  return is_negative(a) ? ~kept : kept;
}

/* --- floats --- */

/* The 64 uppermost bits, the last of which stands for all that come behind: what
 * it is rounded to is the same. `*by` places were left out. */
static uint64_t upper_bits(wide a, int *by) {
  *by = 0;
  while (high(a)) {
    a = a >> 1 | (a & 1);
    ++*by;
  }
  return low(a);
}

double __heddle_wide_uto_double(wide a) {
  int by;
  double x = (double)upper_bits(a, &by);
  for (; by; by--)
    x = x * 2;
  return x;
}

float __heddle_wide_uto_float(wide a) {
  int by;
  float x = (float)upper_bits(a, &by);
  for (; by; by--)
    x = x * 2; /* 2^128 is infinite, as the conversion has it */
  return x;
}

double __heddle_wide_to_double(wide a) {
  return is_negative(a) ? -__heddle_wide_uto_double(negated(a))
                        : __heddle_wide_uto_double(a);
}

float __heddle_wide_to_float(wide a) {
  return is_negative(a) ? -__heddle_wide_uto_float(negated(a))
                        : __heddle_wide_uto_float(a);
}

/* Numbers of more than 64 bits are left out. */
wide __heddle_wide_ufrom_double(double x) {
  if (x >= 18446744073709551616.0)
    __heddle_not_modelled("a float as a number of more than 64 bits");
  return (uint64_t)x;
}

wide __heddle_wide_from_double(double x) {
  if (x >= 9223372036854775808.0 || x < -9223372036854775808.0)
    __heddle_not_modelled("a float as a number of more than 64 bits");
  int64_t whole = (int64_t)x;
  return pair(whole < 0 ? UINT64_MAX : 0, (uint64_t)whole);
}

/* --- atomic accesses: those of any size, as the library has them, under names that
 * the compiler does not take for its own --- */

extern void load(size_t size, const volatile void *from, void *to,
                 int order) __asm__("__atomic_load");
extern _Bool compare_exchange(size_t size, volatile void *at, void *expected,
                              void *value, int order,
                              int failure) __asm__("__atomic_compare_exchange");

/* cmpxchg16b: what was there. Locked instructions order everything. */
wide __heddle_wide_cmpxchg(wide *at, wide expected, wide value) {
  (void)compare_exchange(sizeof value, at, &expected, &value, __ATOMIC_SEQ_CST,
                         __ATOMIC_SEQ_CST);
  return expected;
}

/* `*old` is what is expected, and then what was there. */
#define WEAK(name, order, failure)                                             \
  int name(wide *at, wide *old, wide *value) {                                 \
    if (!heddle_nondet_bool())                                                 \
      return compare_exchange(sizeof *old, at, old, value, order, failure);    \
    load(sizeof *old, at, old, failure);                                       \
    return 0;                                                                  \
  }

WEAK(__heddle_wide_weak_0_0, 0, 0)
WEAK(__heddle_wide_weak_0_2, 0, 2)
WEAK(__heddle_wide_weak_0_5, 0, 5)
WEAK(__heddle_wide_weak_2_0, 2, 0)
WEAK(__heddle_wide_weak_2_2, 2, 2)
WEAK(__heddle_wide_weak_2_5, 2, 5)
WEAK(__heddle_wide_weak_3_0, 3, 0)
WEAK(__heddle_wide_weak_3_2, 3, 2)
WEAK(__heddle_wide_weak_3_5, 3, 5)
WEAK(__heddle_wide_weak_4_0, 4, 0)
WEAK(__heddle_wide_weak_4_2, 4, 2)
WEAK(__heddle_wide_weak_4_5, 4, 5)
WEAK(__heddle_wide_weak_5_0, 5, 0)
WEAK(__heddle_wide_weak_5_2, 5, 2)
WEAK(__heddle_wide_weak_5_5, 5, 5)

/* What is read before is only a guess; as strong as the update where that keeps
 * everything sequentially consistent. */
#define GUESS(order)                                                           \
  ((order) == __ATOMIC_SEQ_CST ? __ATOMIC_SEQ_CST : __ATOMIC_RELAXED)

#define UPDATE(name, order, change)                                            \
  wide name(wide *at, wide value) {                                            \
    wide old, fresh;                                                           \
    load(sizeof old, at, &old, GUESS(order));                                  \
    do                                                                         \
      fresh = change;                                                          \
    while (                                                                    \
        !compare_exchange(sizeof old, at, &old, &fresh, order, GUESS(order))); \
    return old;                                                                \
  }

UPDATE(__heddle_wide_fetch_add_0, 0, old + value)
UPDATE(__heddle_wide_fetch_add_2, 2, old + value)
UPDATE(__heddle_wide_fetch_add_3, 3, old + value)
UPDATE(__heddle_wide_fetch_add_4, 4, old + value)
UPDATE(__heddle_wide_fetch_add_5, 5, old + value)
UPDATE(__heddle_wide_fetch_sub_0, 0, old - value)
UPDATE(__heddle_wide_fetch_sub_2, 2, old - value)
UPDATE(__heddle_wide_fetch_sub_3, 3, old - value)
UPDATE(__heddle_wide_fetch_sub_4, 4, old - value)
UPDATE(__heddle_wide_fetch_sub_5, 5, old - value)
UPDATE(__heddle_wide_fetch_and_0, 0, old &value)
UPDATE(__heddle_wide_fetch_and_2, 2, old &value)
UPDATE(__heddle_wide_fetch_and_3, 3, old &value)
UPDATE(__heddle_wide_fetch_and_4, 4, old &value)
UPDATE(__heddle_wide_fetch_and_5, 5, old &value)
UPDATE(__heddle_wide_fetch_or_0, 0, old | value)
UPDATE(__heddle_wide_fetch_or_2, 2, old | value)
UPDATE(__heddle_wide_fetch_or_3, 3, old | value)
UPDATE(__heddle_wide_fetch_or_4, 4, old | value)
UPDATE(__heddle_wide_fetch_or_5, 5, old | value)
UPDATE(__heddle_wide_fetch_xor_0, 0, old ^ value)
UPDATE(__heddle_wide_fetch_xor_2, 2, old ^ value)
UPDATE(__heddle_wide_fetch_xor_3, 3, old ^ value)
UPDATE(__heddle_wide_fetch_xor_4, 4, old ^ value)
UPDATE(__heddle_wide_fetch_xor_5, 5, old ^ value)
