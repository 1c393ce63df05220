/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: a block whose address is hidden in a number */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static atomic_ullong place;
#define KEY 0x123456789abcdef0ull

static void *maker(void *arg) {
  atomic_int *p = calloc(1, sizeof *p);
  if (!p)
    return arg;
  place = (uintptr_t)p ^ KEY;
  int before = atomic_fetch_add(p, 1);
  int behind = atomic_fetch_add(p, 1);
  assert(behind == before + 1);
  return arg;
}

static void *finder(void *arg) {
  unsigned long long n = place;
  if (n)
    atomic_fetch_add((atomic_int *)(uintptr_t)(n ^ KEY), 1);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, maker, 0);
  pthread_create(&b, 0, finder, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
