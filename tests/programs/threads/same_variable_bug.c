/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE memory=SAFE
 * native: any
 * what: a thread writes to the local variable of another one that is like it */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *gp;
static void *w(void *a) {
  int y;
  pthread_mutex_lock(&m);
  y = 1;
  int *o = gp;
  gp = &y;
  if (o) {
    *o = 2;
    assert(y == 2);
  }
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  gp = 0;
  pthread_mutex_unlock(&m);
  return a;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], 0, w, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
}
