/* SPDX-License-Identifier: MIT */
/* Two threads meet, the second knows what the first wrote. BUG: four threads use a
 * barrier of two, so the one that looks may meet another. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static pthread_barrier_t both;
static int data;
static atomic_int met;
static void *writer(void *arg) {
  data = 1;
  pthread_barrier_wait(&both);
  return arg;
}
static void *reader(void *arg) {
  pthread_barrier_wait(&both);
  assert(data == 1);
  return arg;
}
static void *other(void *arg) {
#ifdef BUG
  pthread_barrier_wait(&both);
#endif
  atomic_fetch_add_explicit(&met, 1, memory_order_relaxed);
  return arg;
}
int main(void) {
  pthread_t t[4];
  pthread_barrier_init(&both, 0, 2);
  pthread_create(&t[0], 0, writer, 0);
  pthread_create(&t[1], 0, reader, 0);
  pthread_create(&t[2], 0, other, 0);
  pthread_create(&t[3], 0, other, 0);
  for (int i = 0; i < 4; i++)
    pthread_join(t[i], 0);
  return 0;
}
