/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: the lock is chosen by another index than the bucket */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t locks[2];
static int bucket[2];
static void add(unsigned key) {
  unsigned i = key % 2;
  pthread_mutex_lock(&locks[key / 4]);
  bucket[i]++;
  pthread_mutex_unlock(&locks[key / 4]);
}
static void *one(void *arg) {
  add(1);
  return arg;
}
static void *two(void *arg) {
  add(5);
  return arg;
}
int main(void) {
  pthread_t a, b;
  for (int i = 0; i < 2; i++)
    pthread_mutex_init(&locks[i], 0);
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(bucket[1] == 2);
  return 0;
}
