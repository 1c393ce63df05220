/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: one thread writes 128 bits in two steps, the other reads them by an
 *   instruction of x86 and sees half of it */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

typedef union {
  struct {
    uint64_t low, high;
  } half;
  unsigned __int128 whole;
} wide;

static wide pair;

static int replace(wide *at, wide *old, wide fresh) {
  char done;
  __asm__ __volatile__("lock cmpxchg16b %1\n\tsetz %0"
                       : "=q"(done), "+m"(at->whole), "+d"(old->half.high),
                         "+a"(old->half.low)
                       : "c"(fresh.half.high), "b"(fresh.half.low)
                       : "cc", "memory");
  return done;
}

static void *write(void *arg) {
  pair.whole = (unsigned __int128)7 << 64 | 7;
  return arg;
}

int main(void) {
  pthread_t thread;
  wide old = {.whole = 1}, same = {.whole = 1};
  pthread_create(&thread, NULL, write, NULL);
  replace(&pair, &old, same); /* tells what is there */
  assert(old.half.low == old.half.high);
  pthread_join(thread, NULL);
  return 0;
}
