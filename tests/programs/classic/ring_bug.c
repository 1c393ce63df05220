/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=UNSAFE deadlock=SAFE memory=SAFE
 * native: any
 * what: the position is published before the element is written */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static int ring[2];
static atomic_uint head, tail;
static void *producer(void *arg) {
  for (int i = 1; i <= 2; i++) {
    unsigned t = tail;
    while (t - head == 2)
      ;
    tail = t + 1;
    ring[t % 2] = i;
  }
  return arg;
}
int main(void) {
  pthread_t p;
  pthread_create(&p, 0, producer, 0);
  for (int i = 1; i <= 2; i++) {
    unsigned h = head;
    while (tail == h)
      ;
    assert(ring[h % 2] == i);
    head = h + 1;
  }
  pthread_join(p, 0);
  return 0;
}
