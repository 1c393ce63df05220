/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: threads that are alike hand each other their blocks of memory */
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *given;
static void *work(void *arg) {
  int *mine = malloc(sizeof *mine);
  if (!mine)
    return arg;
  *mine = 0;
  pthread_mutex_lock(&m);
  int *other = given;
  given = mine;
  pthread_mutex_unlock(&m);
  if (other)
    *other = 1;
  pthread_mutex_lock(&m);
  *mine += 1;
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
}
