/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="6"
 * what: producer and consumer over a buffer of one place with two
 *   condition variables */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t empty = PTHREAD_COND_INITIALIZER,
                      full = PTHREAD_COND_INITIALIZER;
static int item, count;
static void put(int x) {
  pthread_mutex_lock(&m);
  while (count == 1)
    pthread_cond_wait(&empty, &m);
  item = x;
  count++;
  pthread_cond_signal(&full);
  pthread_mutex_unlock(&m);
}
static int get(void) {
  pthread_mutex_lock(&m);
  while (count == 0)
    pthread_cond_wait(&full, &m);
  int x = item;
  count--;
  pthread_cond_signal(&empty);
  pthread_mutex_unlock(&m);
  return x;
}
static void *producer(void *arg) {
  for (int i = 1; i <= 3; i++)
    put(i);
  return arg;
}
int main(void) {
  pthread_t t;
  int sum = 0;
  pthread_create(&t, 0, producer, 0);
  for (int i = 1; i <= 3; i++) {
    int x = get();
    assert(x == i);
    sum += x;
  }
  pthread_join(t, 0);
  printf("%d\n", sum);
  return 0;
}
