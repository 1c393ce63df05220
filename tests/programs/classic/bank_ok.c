/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: transfers between three accounts keep the total, an auditor takes
 *   all locks in order */
#include <assert.h>
#include <pthread.h>
struct account {
  pthread_mutex_t lock;
  int money;
};
static struct account acc[3] = {{PTHREAD_MUTEX_INITIALIZER, 5},
                                {PTHREAD_MUTEX_INITIALIZER, 5},
                                {PTHREAD_MUTEX_INITIALIZER, 5}};
static void transfer(int from, int to, int n) {
  int lo = from < to ? from : to, hi = from < to ? to : from;
  pthread_mutex_lock(&acc[lo].lock);
  pthread_mutex_lock(&acc[hi].lock);
  acc[from].money -= n;
  acc[to].money += n;
  pthread_mutex_unlock(&acc[hi].lock);
  pthread_mutex_unlock(&acc[lo].lock);
}
static void *one(void *arg) {
  transfer(0, 2, 3);
  return arg;
}
static void *two(void *arg) {
  transfer(2, 1, 4);
  return arg;
}
static void *audit(void *arg) {
  int sum = 0;
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&acc[i].lock);
    sum += acc[i].money;
  }
  for (int i = 0; i < 3; i++)
    pthread_mutex_unlock(&acc[i].lock);
  assert(sum == 15);
  return arg;
}
int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_create(&c, 0, audit, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  return 0;
}
