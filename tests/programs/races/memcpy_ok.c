/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: both copies are made under the lock */
#include <assert.h>
#include <pthread.h>
#include <string.h>
struct pair {
  long a, b;
};
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct pair shared = {1, 1};
static void *writer(void *arg) {
  struct pair n = {2, 2};
  pthread_mutex_lock(&m);
  shared = n;
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t t;
  struct pair copy;
  pthread_create(&t, 0, writer, 0);
  pthread_mutex_lock(&m);
  memcpy(&copy, &shared, sizeof copy);
  pthread_mutex_unlock(&m);
  assert(copy.a == copy.b);
  pthread_join(t, 0);
  return 0;
}
