/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE
 * native: exit=0 output="30 24 18 84 69 54 138 114 90"
 * what: a product of matrices, one thread a row, and a reduction under a
 *   lock */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

enum { N = 3 };
static const int a[N][N] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}},
                 b[N][N] = {{9, 8, 7}, {6, 5, 4}, {3, 2, 1}};
static int c[N][N], trace;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *row(void *arg) {
  long i = (long)arg;
  const int *in = a[i];
  for (int j = 0; j < N; j++) {
    int s = 0;
    for (int k = 0; k < N; k++)
      s += in[k] * b[k][j];
    c[i][j] = s;
  }
  pthread_mutex_lock(&m);
  trace += c[i][i];
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], 0, row, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
  assert(trace == 30 + 69 + 90);
  for (int i = 0; i < N * N; i++)
    printf(i ? " %d" : "%d", c[i / N][i % N]);
  puts("");
  return 0;
}
