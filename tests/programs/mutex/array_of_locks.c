/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: one mutex for each bucket, chosen by a computed index */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t locks[2];
static int bucket[2];
static void add(unsigned key) {
  unsigned i = key % 2;
  pthread_mutex_lock(&locks[i]);
  bucket[i]++;
  pthread_mutex_unlock(&locks[i]);
}
static void *work(void *arg) {
  (void)arg;
  add(1);
  add(4);
  return 0;
}
int main(void) {
  pthread_t a, b;
  for (int i = 0; i < 2; i++)
    pthread_mutex_init(&locks[i], 0);
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(bucket[0] == 2 && bucket[1] == 2);
  return 0;
}
