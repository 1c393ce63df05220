/* SPDX-License-Identifier: MIT */
/* Money moves between two accounts, each with its own lock: taken in the order
 * of the transfer, which is a different one in each thread. */
#include <pthread.h>
#include <stdio.h>

struct account {
  pthread_mutex_t lock;
  int money;
} mine = {PTHREAD_MUTEX_INITIALIZER, 100},
  yours = {PTHREAD_MUTEX_INITIALIZER, 100};

void transfer(struct account *from, struct account *to, int money) {
  pthread_mutex_lock(&from->lock);
  pthread_mutex_lock(&to->lock);
  from->money -= money;
  to->money += money;
  pthread_mutex_unlock(&to->lock);
  pthread_mutex_unlock(&from->lock);
}

void *pay(void *arg) {
  transfer(&mine, &yours, 10);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, pay, NULL);
  transfer(&yours, &mine, 25);
  pthread_join(thread, NULL);
  printf("%d %d\n", mine.money, yours.money);
  return 0;
}
