/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="ok"
 * what: all read-modify-write operations of stdatomic.h, by one thread:
 *   values before and after */
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
int main(void) {
  _Atomic unsigned char c = 250;
  atomic_short s = ATOMIC_VAR_INIT(-5);
  atomic_ullong l;
  atomic_init(&l, 1ull << 40);
  assert(atomic_fetch_add(&c, 10) == 250 && c == 4);
  assert(atomic_fetch_sub(&s, 3) == -5 && s == -8);
  assert(atomic_fetch_or(&l, 6) == 1ull << 40 &&
         atomic_load(&l) == (1ull << 40 | 6));
  assert(atomic_fetch_and(&l, 3) == (1ull << 40 | 6) && l == 2);
  assert(atomic_fetch_xor(&l, 3) == 2 && l == 1);
  assert(atomic_exchange(&s, 7) == -8 && s == 7);
  short expected = 6;
  assert(!atomic_compare_exchange_strong(&s, &expected, 9) && expected == 7);
  assert(atomic_compare_exchange_strong(&s, &expected, 9) && s == 9 &&
         expected == 7);
  atomic_flag f = ATOMIC_FLAG_INIT;
  assert(!atomic_flag_test_and_set(&f) && atomic_flag_test_and_set(&f));
  atomic_flag_clear(&f);
  assert(!atomic_flag_test_and_set_explicit(&f, memory_order_acquire));
  c -= 5;
  s *= 3;
  l <<= 4;
  assert(c == 255 && s == 27 && l == 16 && ++s == 28 && s-- == 28);
  int v[3] = {1, 2, 3};
  _Atomic(int *) p = v;
  atomic_store(&p, v + 2);
  assert(*p == 3 && atomic_exchange(&p, v) == v + 2 && *p == 1);
  atomic_bool b = false;
  b = 5;
  assert(b == true && atomic_is_lock_free(&s));
  atomic_thread_fence(memory_order_seq_cst);
  puts("ok");
  return 0;
}
