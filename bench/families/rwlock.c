/* SPDX-License-Identifier: MIT */
/* N writers move two numbers together under a read-write lock, N readers compare.
 * BUG: the readers' lock is left out. */
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 2
#endif
#ifndef K
#define K 2
#endif
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x, y;

static void *writer(void *arg) {
  for (int i = 0; i < K; i++) {
    pthread_rwlock_wrlock(&lock);
    x++;
    y++;
    pthread_rwlock_unlock(&lock);
  }
  return arg;
}

static void *reader(void *arg) {
#ifndef BUG
  pthread_rwlock_rdlock(&lock);
#endif
  int a = x, b = y;
#ifndef BUG
  pthread_rwlock_unlock(&lock);
#endif
  assert(a == b);
  return arg;
}

int main(void) {
  pthread_t w[N], r[N];
  for (int i = 0; i < N; i++) {
    pthread_create(&w[i], 0, writer, 0);
    pthread_create(&r[i], 0, reader, 0);
  }
  for (int i = 0; i < N; i++) {
    pthread_join(w[i], 0);
    pthread_join(r[i], 0);
  }
  assert(x == N * K && y == x);
  return 0;
}
