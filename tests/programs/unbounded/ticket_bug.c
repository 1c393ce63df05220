/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE
 * native: any
 * options: --threads=unbounded
 * what: a ticket lock modulo two with any number of threads: the third
 *   holds the ticket of the first */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned char next, serving, inside;
static unsigned char draw(void) {
  pthread_mutex_lock(&m);
  unsigned char mine = next;
  next = (next + 1) & 1;
  pthread_mutex_unlock(&m);
  return mine;
}
static int is_mine(unsigned char t) {
  pthread_mutex_lock(&m);
  int r = serving == t;
  pthread_mutex_unlock(&m);
  return r;
}
static void *work(void *arg) {
  unsigned char mine = draw();
  while (!is_mine(mine))
    ;
  assert(inside == 0);
  inside = 1;
  inside = 0;
  pthread_mutex_lock(&m);
  serving = (serving + 1) & 1;
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t t;
  while (1)
    pthread_create(&t, 0, work, 0);
}
