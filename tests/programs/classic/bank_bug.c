/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: the auditor locks one account after the other and misses a
 *   transfer in between */
#include <assert.h>
#include <pthread.h>
struct account {
  pthread_mutex_t lock;
  int money;
};
static struct account acc[2] = {{PTHREAD_MUTEX_INITIALIZER, 5},
                                {PTHREAD_MUTEX_INITIALIZER, 5}};
static void *transfer(void *arg) {
  pthread_mutex_lock(&acc[0].lock);
  pthread_mutex_lock(&acc[1].lock);
  acc[0].money -= 3;
  acc[1].money += 3;
  pthread_mutex_unlock(&acc[1].lock);
  pthread_mutex_unlock(&acc[0].lock);
  return arg;
}
static void *audit(void *arg) {
  int sum = 0;
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&acc[i].lock);
    sum += acc[i].money;
    pthread_mutex_unlock(&acc[i].lock);
  }
  assert(sum == 10);
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, transfer, 0);
  pthread_create(&b, 0, audit, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
