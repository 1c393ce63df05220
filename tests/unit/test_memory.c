/* SPDX-License-Identifier: MIT */
/* Abstract memory against sets of concrete memories: random stores, joins and
 * merges never lose a concrete one. */
#include "domain/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <string.h>

enum { SIZE = 12, SAMPLES = 6 };

static const int64_t bounds[] = {-9, -1, 0, 1, 2, 7, 30, 255};
static const hd_widening steps = {bounds, 8};

static uint64_t seed = 88172645463325252u;

static uint64_t rnd(uint64_t below) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return seed % below;
}

/* An abstract memory of one object, with some of the concrete ones in it. */
typedef struct {
  hd_memory *memory;
  uint8_t bytes[SAMPLES][SIZE];
} world;

static uint64_t peek(const uint8_t *bytes, int64_t at, uint32_t n) {
  uint64_t x = 0;
  for (uint32_t i = 0; i < n; i++)
    x |= (uint64_t)bytes[at + i] << 8 * i;
  return x;
}

static void check(const world *w) {
  static const uint32_t sizes[] = {1, 2, 4, 8};
  for (int k = 0; k < 4; k++)
    for (int64_t at = 0; at + sizes[k] <= SIZE; at++) {
      hd_pointee t = {1, 0, at, at};
      hd_value v = hd_memory_load(w->memory, &t, sizes[k]);
      for (int s = 0; s < SAMPLES; s++)
        assert_true(hd_value_contains(&v, (uint8_t)(8 * sizes[k]),
                                      peek(w->bytes[s], at, sizes[k])));
    }
}

static world start(void) {
  world w = {.memory = hd_memory_new()};
  hd_memory_create(&w.memory, 1, SIZE, HD_FILL_ZERO, 0);
  memset(w.bytes, 0, sizeof w.bytes);
  return w;
}

static void poke(uint8_t *bytes, int64_t at, uint32_t n, uint64_t x) {
  for (uint32_t i = 0; i < n; i++)
    bytes[at + i] = (uint8_t)(x >> 8 * i);
}

static void random_store(world *w, hd_stamp stamp) {
  static const uint32_t sizes[] = {1, 2, 4, 8};
  uint32_t n = sizes[rnd(4)];
  uint8_t width = (uint8_t)(8 * n);
  uint64_t lo = rnd(300) & hd_word_mask(width), span = rnd(3) ? 0 : rnd(5);
  if (lo + span > hd_word_mask(width))
    span = 0;
  hd_value v = hd_value_unsigned(width, lo, lo + span);
  int64_t first = (int64_t)rnd(SIZE - n + 1);
  uint32_t stride = rnd(2) ? 0 : 1 + (uint32_t)rnd(4);
  int64_t count = stride ? 1 + (int64_t)rnd(3) : 0;
  while (first + count * stride + n > SIZE)
    count--;
  if (count <= 0)
    stride = 0, count = 0;
  hd_pointee t = {1, stride, first, first + count * stride};
  bool weak = rnd(3) == 0;
  hd_memory_store(&w->memory, &t, n, &v, weak, stamp);
  for (int s = 0; s < SAMPLES; s++)
    if (!weak || rnd(2))
      poke(w->bytes[s], first + (int64_t)rnd((uint64_t)count + 1) * stride, n,
           lo + rnd(span + 1));
}

static world copy(const world *w) {
  world c = *w;
  hd_memory_keep(c.memory);
  return c;
}

static void test_stores(void **state) {
  (void)state;
  for (int round = 0; round < 2000; round++) {
    world w = start();
    for (int i = 0; i < 8; i++) {
      world before = copy(&w);
      random_store(&w, 1);
      check(&w);
      check(&before); /* nobody changed it */
      hd_memory_drop(before.memory);
    }
    hd_memory_drop(w.memory);
  }
}

/* join holds all of both; and within says so */
static void test_joins(void **state) {
  (void)state;
  for (int round = 0; round < 3000; round++) {
    world a = start();
    for (uint64_t i = rnd(4); i > 0; i--)
      random_store(&a, 1);
    world b = copy(&a);
    for (uint64_t i = rnd(4); i > 0; i--)
      random_store(&a, 1);
    for (uint64_t i = rnd(4); i > 0; i--)
      random_store(&b, 1);
    hd_memory *join =
        hd_memory_join(a.memory, b.memory, rnd(2) ? &steps : NULL);
    world both = {.memory = join};
    memcpy(both.bytes, a.bytes, sizeof a.bytes);
    check(&both);
    memcpy(both.bytes, b.bytes, sizeof b.bytes);
    check(&both);
    /* Where it is said to be within, it is. */
    if (hd_memory_within(a.memory, b.memory)) {
      memcpy(both.bytes, a.bytes, sizeof a.bytes);
      both.memory = b.memory;
      check(&both);
    }
    assert_true(hd_memory_same(a.memory, a.memory));
    hd_memory_drop(join);
    hd_memory_drop(a.memory);
    hd_memory_drop(b.memory);
  }
}

/* Both orders are told apart, also byte by byte. */
static void test_within(void **state) {
  (void)state;
  world a = start(), b = start();
  hd_pointee t = {1, 0, 0, 0};
  hd_value five = hd_value_const(32, 5), small = hd_value_unsigned(8, 0, 1);
  hd_memory_store(&a.memory, &t, 4, &five, false, 1);
  for (int64_t i = 0; i < 4; i++) {
    hd_pointee byte = {1, 0, i, i};
    hd_memory_store(&b.memory, &byte, 1, &small, false, 1);
  }
  assert_false(hd_memory_within(a.memory, b.memory));
  hd_value more = hd_value_unsigned(8, 0, 9);
  for (int64_t i = 0; i < 4; i++) {
    hd_pointee byte = {1, 0, i, i};
    hd_memory_store(&b.memory, &byte, 1, &more, false, 1);
  }
  assert_true(hd_memory_within(a.memory, b.memory));
  assert_false(hd_memory_within(b.memory, a.memory));
  hd_memory_drop(a.memory);
  hd_memory_drop(b.memory);
}

static int by_stamp(void *context, hd_stamp x, hd_stamp y) {
  const uint32_t *relation = context; /* bit x: b has seen x; 16 + y: a y */
  if (*relation >> (16 + y) & 1)
    return 1;
  return *relation >> x & 1 ? 2 : 0;
}

/* Two histories: each cell is taken from the one that knows more. */
static void test_merge(void **state) {
  (void)state;
  world a = start();
  hd_pointee x = {1, 0, 0, 0}, y = {1, 0, 4, 4}, z = {1, 0, 8, 8};
  hd_value one = hd_value_const(32, 1), two = hd_value_const(32, 2);
  hd_memory_store(&a.memory, &z, 4, &one, false, 1); /* seen by both */
  world b = copy(&a);
  hd_memory_store(&a.memory, &x, 4, &one, false, 2);
  hd_memory_store(&b.memory, &y, 4, &two, false, 3);
  hd_memory_store(&b.memory, &z, 4, &two, false, 3);
  /* a has seen 0 1 2, b has seen 0 1 3 */
  uint32_t relation = 0x000bu | 0x0007u << 16;
  hd_object_id race = HD_NO_ID;
  hd_memory *m =
      hd_memory_merge(a.memory, b.memory, by_stamp, &relation, &race);
  hd_value v = hd_memory_load(m, &x, 4);
  assert_true(hd_value_same(&v, &one));
  v = hd_memory_load(m, &y, 4);
  assert_true(hd_value_same(&v, &two));
  v = hd_memory_load(m, &z, 4);
  assert_true(hd_value_same(&v, &two));
  assert_int_equal(race, HD_NO_ID);
  hd_memory_drop(m);
  hd_memory_store(&a.memory, &y, 4, &one, false, 2); /* unordered with 3 */
  m = hd_memory_merge(a.memory, b.memory, by_stamp, &relation, &race);
  assert_int_equal(race, 1);
  v = hd_memory_load(m, &y, 4);
  assert_true(hd_value_contains(&v, 32, 1) && hd_value_contains(&v, 32, 2));
  hd_memory_drop(m);
  hd_memory_drop(a.memory);
  hd_memory_drop(b.memory);
}

static void test_life(void **state) {
  (void)state;
  hd_memory *m = hd_memory_new();
  assert_int_equal(hd_memory_life(m, 7), HD_LIFE_NONE);
  hd_memory_create(&m, 7, 16, HD_FILL_UNDEFINED, 1);
  hd_memory *alive = hd_memory_keep(m);
  hd_memory_kill(&m, 7, 2);
  assert_int_equal(hd_memory_life(m, 7), HD_LIFE_DEAD);
  assert_int_equal(hd_memory_life(alive, 7), HD_LIFE_ALIVE);
  hd_memory *both = hd_memory_join(m, alive, NULL);
  assert_int_equal(hd_memory_life(both, 7), HD_LIFE_MAYBE);
  assert_true(hd_memory_within(m, both) && hd_memory_within(alive, both));
  assert_int_equal(hd_memory_size(both, 7), 16);
  hd_memory *doubted = hd_memory_keep(alive);
  hd_memory_doubt(&doubted, 7);
  assert_int_equal(hd_memory_life(doubted, 7), HD_LIFE_MAYBE);
  assert_int_equal(hd_memory_life(alive, 7), HD_LIFE_ALIVE);
  assert_true(hd_memory_within(alive, doubted));
  hd_memory_drop(doubted);
  hd_pointee t = {7, 0, 0, 0};
  hd_value v = hd_memory_load(alive, &t, 4);
  assert_true(v.undef);
  hd_memory_fill(&alive, 7, 0, 16, HD_FILL_ZERO, 3);
  v = hd_memory_load(alive, &t, 4);
  hd_value zero = hd_value_const(32, 0);
  assert_true(hd_value_same(&v, &zero));
  hd_memory_drop(m);
  hd_memory_drop(alive);
  hd_memory_drop(both);
}

/* A load from many places is the join of the loads, wherever there are cells. */
static hd_value load_bytes(const hd_memory *memory, int64_t at,
                           uint32_t bytes) {
  hd_pointee t = {1, 0, at, at};
  return hd_memory_load(memory, &t, bytes);
}

static void store_bytes(hd_memory **memory, int64_t at, uint32_t bytes,
                        hd_value value) {
  hd_pointee t = {1, 0, at, at};
  hd_memory_store(memory, &t, bytes, &value, false, 1);
}

/* Parts of what is no number: of an address any may be left, of what is undefined
 * the rest is. */
static void test_pieces(void **state) {
  (void)state;
  hd_memory *m = hd_memory_new();
  hd_memory_create(&m, 1, 24, HD_FILL_UNDEFINED, 0);
  store_bytes(&m, 0, 8, hd_value_address(1, 0, 0));
  assert_true(load_bytes(m, 0, 4).wild);
  assert_true(load_bytes(m, 2, 8).wild && load_bytes(m, 2, 8).undef);
  store_bytes(&m, 0, 4, hd_value_const(32, 5));
  assert_true(load_bytes(m, 4, 4).wild && load_bytes(m, 0, 8).wild);
  assert_false(load_bytes(m, 0, 4).wild);
  store_bytes(&m, 8, 8, hd_value_undefined());
  store_bytes(&m, 8, 1, hd_value_const(8, 1));
  assert_true(load_bytes(m, 9, 1).undef && load_bytes(m, 8, 4).undef);
  assert_false(load_bytes(m, 8, 1).undef);
  store_bytes(&m, 16, 4, hd_value_const(32, 7));
  assert_true(load_bytes(m, 16, 8).undef);
  hd_memory_drop(m);
}

/* Bytes of no cell behind cells, in one load. */
static void test_fill_behind_cells(void **state) {
  (void)state;
  hd_memory *m = hd_memory_new();
  hd_memory_create(&m, 1, 16, HD_FILL_ZERO, 0);
  for (int64_t n = 0; n < 3; n++) {
    store_bytes(&m, 4 * n, 4, hd_value_const(32, 7));
    hd_pointee all = {1, 4, 0, 12};
    hd_value v = hd_memory_load(m, &all, 4);
    assert_true(hd_value_contains(&v, 32, 7) && hd_value_contains(&v, 32, 0));
  }
  hd_memory_drop(m);
}

static void test_wide_loads(void **state) {
  (void)state;
  enum { BYTES = 400 };
  static const uint32_t sizes[] = {1, 2, 4, 8};
  for (int round = 0; round < 400; round++) {
    hd_memory *m = hd_memory_new();
    hd_memory_create(&m, 1, BYTES, rnd(2) ? HD_FILL_ZERO : HD_FILL_UNDEFINED,
                     0);
    for (uint64_t n = rnd(9); n; n--) {
      uint32_t bytes = sizes[rnd(4)];
      int64_t at = (int64_t)rnd(BYTES - bytes + 1);
      hd_pointee t = {1, 0, at, at};
      hd_value v = hd_value_const((uint8_t)(8 * bytes), rnd(100));
      hd_memory_store(&m, &t, bytes, &v, rnd(2), 1);
    }
    uint32_t bytes = sizes[rnd(4)], stride = 1 + (uint32_t)rnd(12);
    int64_t lo = (int64_t)rnd(40);
    int64_t steps_up = 1 + (int64_t)rnd((BYTES - 48) / stride);
    hd_pointee all = {1, stride, lo, lo + steps_up * stride};
    hd_value wide = hd_memory_load(m, &all, bytes), one, join;
    for (int64_t at = all.lo; at <= all.hi; at += stride) {
      hd_pointee t = {1, 0, at, at};
      one = hd_memory_load(m, &t, bytes);
      join =
          at == all.lo ? one : hd_value_join((uint8_t)(8 * bytes), &join, &one);
    }
    assert_true(hd_value_same(&wide, &join));
    hd_memory_drop(m);
  }
  /* Few steps for very many addresses: this would not end otherwise. */
  hd_memory *m = hd_memory_new();
  hd_memory_create(&m, 1, (uint64_t)1 << 31, HD_FILL_ZERO, 0);
  hd_pointee all = {1, 1, 0, ((int64_t)1 << 31) - 8};
  hd_value v = hd_value_const(64, 5), out = v;
  for (int i = 0; i < 1000; i++)
    out = hd_memory_load(m, &all, 8);
  assert_true(hd_value_contains(&out, 64, 0));
  hd_memory_store(&m, &all, 8, &v, true, 1); /* no cell for each of them */
  out = hd_memory_load(m, &all, 8);
  assert_true(hd_value_contains(&out, 64, 5));
  assert_true(hd_value_contains(&out, 64, 0));
  hd_memory_drop(m);
}

/* --- the same computation on another memory --- */

/* Something that depends on the memory and on `number` alone; what it writes gets
 * the stamp. */
static hd_value compute(hd_memory **m, uint64_t number, hd_stamp stamp) {
  uint64_t old = seed;
  seed = number * 0x9E3779B97F4A7C15u + 88172645463325252u;
  hd_value last = hd_value_const(32, 0);
  for (uint64_t n = 2 + rnd(6); n; n--) {
    int64_t at = (int64_t)(4 * rnd(3)), next = (at + 4) % SIZE;
    hd_pointee t = {1, 0, at, at}, all = {1, 4, 0, 8};
    hd_value v = hd_value_const(32, rnd(4));
    hd_value low = hd_value_unsigned(32, 0, 1);
    switch (rnd(9)) {
    case 0:
      last = hd_memory_load(*m, &t, 4);
      break;
    case 1:
      hd_memory_store(m, &t, 4, &v, false, stamp);
      break;
    case 2:
      hd_memory_store(m, &t, 4, &last, false, stamp);
      break;
    case 3:
      hd_memory_store(m, rnd(2) ? &t : &all, 4, &v, true, stamp);
      break;
    case 4:
      v = hd_memory_load(*m, &t, 4);
      v = hd_value_meet(32, &v, &low);
      if (!hd_value_is_none(&v))
        hd_memory_refine(m, &t, 4, &v);
      break;
    case 5: { /* on one of two ways */
      hd_memory *other = hd_memory_keep(*m);
      hd_memory_store(&other, &t, 4, &v, false, stamp);
      hd_memory *both = hd_memory_join(*m, other, rnd(2) ? &steps : NULL);
      hd_memory_drop(other);
      hd_memory_drop(*m);
      *m = both;
      break;
    }
    case 6:
      hd_memory_copy(m, 1, (uint64_t)at, 1, (uint64_t)next, 4, stamp);
      break;
    case 7:
      last = hd_memory_load(*m, &all, 4);
      break;
    default: /* a part of a cell */
      t.lo = t.hi = at + 1;
      hd_memory_store(m, &t, 1, &v, false, stamp);
    }
  }
  seed = old;
  return last;
}

static hd_memory *some_memory(hd_stamp stamp) {
  hd_memory *m = hd_memory_new();
  hd_memory_create(&m, 1, SIZE, HD_FILL_ZERO, stamp);
  for (int64_t at = 0; at < SIZE; at += 4) {
    hd_pointee t = {1, 0, at, at};
    uint64_t x = rnd(3);
    hd_value v = hd_value_unsigned(32, x, x + rnd(2));
    if (rnd(4))
      hd_memory_store(&m, &t, 4, &v, false, stamp + (hd_stamp)rnd(3));
  }
  return m;
}

static void test_replay(void **state) {
  (void)state;
  size_t agree = 0, replayed = 0;
  for (uint64_t number = 0; number < 30000; number++) {
    hd_memory *before = some_memory(1), *start = some_memory(11);
    hd_reads reads = {.stamp = 20};
    hd_memory *after = hd_memory_keep(before), *truth = hd_memory_keep(start);
    hd_memory_watch(&after, &reads);
    hd_value x = compute(&after, number, 20), y = compute(&truth, number, 30);
    hd_memory_watch(&after, NULL);
    if (hd_memory_agrees(before, start, &reads)) {
      agree++;
      assert_true(hd_value_same(&x, &y));
      hd_memory *again = hd_memory_replay(start, before, after, 20, 30);
      if (again) {
        replayed++;
        assert_true(hd_memory_same(again, truth));
        hd_memory_drop(again);
      }
    }
    hd_reads_free(&reads);
    hd_memory_drop(before);
    hd_memory_drop(start);
    hd_memory_drop(after);
    hd_memory_drop(truth);
  }
  print_message("%zu agree, %zu replayed\n", agree, replayed);
  assert_true(agree > 500 && replayed > agree / 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_stores),
      cmocka_unit_test(test_joins),
      cmocka_unit_test(test_within),
      cmocka_unit_test(test_merge),
      cmocka_unit_test(test_life),
      cmocka_unit_test(test_pieces),
      cmocka_unit_test(test_fill_behind_cells),
      cmocka_unit_test(test_wide_loads),
      cmocka_unit_test(test_replay),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
