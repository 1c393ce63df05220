/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: a lock is filled with zeros while another thread holds it */
#include <assert.h>
#include <pthread.h>
#include <string.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int level;
static void *raise_it(void *arg) {
  pthread_mutex_lock(&lock);
  int before = level;
  level = before + 1;
  assert(level == before + 1);
  pthread_mutex_unlock(&lock);
  return arg;
}
static void *renew(void *arg) {
  memset(&lock, 0, sizeof lock);
  pthread_mutex_lock(&lock);
  level = 7;
  pthread_mutex_unlock(&lock);
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, raise_it, NULL);
  pthread_create(&b, NULL, renew, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
