/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: a spinning barrier whose sense is reversed in every round */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int count, sense;
static int v[2];
static void barrier(int *mine) {
  *mine = !*mine;
  int c = atomic_fetch_add(&count, 1) + 1;
  assert(c <= 2);
  if (c == 2) {
    count = 0;
    sense = *mine;
  } else
    while (sense != *mine)
      ;
}
static void *work(void *arg) {
  int me = arg != 0, mine = 0;
  v[me] = 1;
  barrier(&mine);
  assert(v[!me] == 1);
  barrier(&mine);
  v[me] = 2;
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, &v);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
