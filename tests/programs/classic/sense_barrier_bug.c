/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: the sense is reversed before the count is reset: a fast thread is
 *   counted a third time */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int count, sense;
static void barrier(int *mine) {
  *mine = !*mine;
  int c = atomic_fetch_add(&count, 1) + 1;
  assert(c <= 2);
  if (c == 2) {
    sense = *mine;
    count = 0;
  } else
    while (sense != *mine)
      ;
}
static void *work(void *arg) {
  int mine = 0;
  barrier(&mine);
  barrier(&mine);
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
