/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE
 * native: exit=0 output="25"
 * what: an account with its own mutex on the heap, passed by pointer */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
struct account {
  pthread_mutex_t lock;
  int balance;
};
static void deposit(struct account *a, int n) {
  pthread_mutex_lock(&a->lock);
  a->balance += n;
  pthread_mutex_unlock(&a->lock);
}
static void *work(void *arg) {
  deposit(arg, 5);
  return 0;
}
int main(void) {
  pthread_t s, t;
  struct account *a = malloc(sizeof *a);
  if (!a)
    return 0;
  pthread_mutex_init(&a->lock, 0);
  a->balance = 10;
  pthread_create(&s, 0, work, a);
  pthread_create(&t, 0, work, a);
  deposit(a, 5);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(a->balance == 25);
  printf("%d\n", a->balance);
  pthread_mutex_destroy(&a->lock);
  free(a);
  return 0;
}
