/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: exit=0
 * what: a semaphore is copied while another thread posts it */
#include <pthread.h>
#include <semaphore.h>
static struct box { int n; sem_t sem; } box, copy;
static void *run(void *unused) {
  sem_post(&box.sem);
  return unused;
}
int main(void) {
  pthread_t thread;
  sem_init(&box.sem, 0, 0);
  if (pthread_create(&thread, 0, run, 0))
    return 0;
  copy = box;
  pthread_join(thread, 0);
  return 0;
}
