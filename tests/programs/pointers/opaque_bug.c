/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: a driver takes a pointer that is handed to it for its own; it may be
 *   another one, or none */
#include <assert.h>
#include <pthread.h>
extern void *__VERIFIER_nondet_pointer(void);
static struct device {
  void *cookie;
  int opened;
} device;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *user(void *cookie) {
  pthread_mutex_lock(&lock);
  device.cookie = cookie;
  device.opened = cookie != NULL;
  pthread_mutex_unlock(&lock);
  return cookie;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, user, __VERIFIER_nondet_pointer());
  pthread_mutex_lock(&lock);
  if (device.opened)
    assert(device.cookie == &device);
  pthread_mutex_unlock(&lock);
  pthread_join(a, NULL);
  return 0;
}
