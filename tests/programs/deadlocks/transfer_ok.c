/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: a transfer locks the account with the lower address first */
#include <assert.h>
#include <pthread.h>
struct account {
  pthread_mutex_t lock;
  int balance;
};
static struct account acc[2] = {{PTHREAD_MUTEX_INITIALIZER, 10},
                                {PTHREAD_MUTEX_INITIALIZER, 10}};
static void transfer(struct account *from, struct account *to, int n) {
  struct account *first = from < to ? from : to,
                 *second = from < to ? to : from;
  pthread_mutex_lock(&first->lock);
  pthread_mutex_lock(&second->lock);
  if (from->balance >= n) {
    from->balance -= n;
    to->balance += n;
  }
  pthread_mutex_unlock(&second->lock);
  pthread_mutex_unlock(&first->lock);
}
static void *one(void *arg) {
  transfer(&acc[0], &acc[1], 3);
  return arg;
}
static void *two(void *arg) {
  transfer(&acc[1], &acc[0], 5);
  return arg;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, one, 0);
  pthread_create(&t, 0, two, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(acc[0].balance == 12 && acc[1].balance == 8);
  return 0;
}
