/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: any
 * what: a driver keeps a pointer it knows nothing about: it is stored, handed
 *   on, compared with others, and never followed */
#include <assert.h>
#include <pthread.h>
extern void *__VERIFIER_nondet_pointer(void);
static struct device {
  void *cookie;
  int opened;
} device;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int other;
static int attach(struct device *d, void *cookie) {
  pthread_mutex_lock(&lock);
  int old = d->cookie == cookie || d->cookie == &other;
  d->cookie = cookie;
  d->opened = old ? 1 : 2;
  assert(d->opened == 1 || d->opened == 2);
  pthread_mutex_unlock(&lock);
  return old;
}
static void *user(void *cookie) {
  attach(&device, cookie);
  return cookie;
}
int main(void) {
  pthread_t a, b;
  void *mine = __VERIFIER_nondet_pointer();
  pthread_create(&a, NULL, user, mine);
  pthread_create(&b, NULL, user, __VERIFIER_nondet_pointer());
  pthread_join(a, &mine);
  pthread_join(b, NULL);
  assert(device.opened <= 2);
  return 0;
}
