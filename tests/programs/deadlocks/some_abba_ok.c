/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: two mutexes in one order beside a thread that goes on until it is told
 *       to stop */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER,
                       right = PTHREAD_MUTEX_INITIALIZER;
static atomic_int quit;
static int moved;
static void *to_the_right(void *arg) {
  pthread_mutex_lock(&left);
  pthread_mutex_lock(&right);
  moved++;
  pthread_mutex_unlock(&right);
  pthread_mutex_unlock(&left);
  return arg;
}
static void *to_the_left(void *arg) {
  pthread_mutex_lock(&left);
  pthread_mutex_lock(&right);
  moved--;
  pthread_mutex_unlock(&right);
  pthread_mutex_unlock(&left);
  return arg;
}
static void *ticks(void *arg) {
  while (!quit)
    sched_yield();
  return arg;
}
int main(void) {
  pthread_t clock, r, l;
  pthread_create(&clock, 0, ticks, 0);
  pthread_create(&r, 0, to_the_right, 0);
  pthread_create(&l, 0, to_the_left, 0);
  pthread_join(r, 0);
  pthread_join(l, 0);
  quit = 1;
  pthread_join(clock, 0);
  return 0;
}
