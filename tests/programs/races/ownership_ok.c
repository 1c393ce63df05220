/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE leak=SAFE
 * native: exit=0
 * what: the buffer changes its owner through a mailbox under a mutex; who
 *   owns it uses it without a lock */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *mailbox;
static void *taker(void *arg) {
  pthread_mutex_lock(&m);
  int *mine = mailbox;
  mailbox = 0;
  pthread_mutex_unlock(&m);
  if (mine) {
    (*mine)++;
    assert(*mine == 8);
    free(mine);
  }
  return arg;
}
int main(void) {
  pthread_t a, b;
  int *p = malloc(sizeof *p);
  if (!p)
    return 0;
  pthread_create(&a, 0, taker, 0);
  pthread_create(&b, 0, taker, 0);
  *p = 7;
  pthread_mutex_lock(&m);
  mailbox = p;
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  pthread_join(b, 0);
  free(mailbox);
  return 0;
}
