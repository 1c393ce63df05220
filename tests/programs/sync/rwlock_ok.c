/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE sync=SAFE
 * native: exit=0
 * what: two readers and a writer: what readers see belongs together */
#include <assert.h>
#include <pthread.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int x, y;
static void *reader(void *arg) {
  pthread_rwlock_rdlock(&l);
  assert(x == y);
  pthread_rwlock_unlock(&l);
  return arg;
}
static void *writer(void *arg) {
  pthread_rwlock_wrlock(&l);
  x++;
  y++;
  pthread_rwlock_unlock(&l);
  return arg;
}
int main(void) {
  pthread_t a, b, w;
  pthread_create(&a, 0, reader, 0);
  pthread_create(&w, 0, writer, 0);
  pthread_create(&b, 0, reader, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(w, 0);
  assert(x == 1);
  return 0;
}
