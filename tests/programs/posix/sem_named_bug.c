/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=UNSAFE
 * native: any
 * what: a semaphore that is opened with nothing in it: all wait */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

static int count;

static void *add(void *arg) {
  sem_t *lock = sem_open("/heddle-test", 0);
  if (lock == SEM_FAILED)
    return arg;
  sem_wait(lock);
  count++;
  sem_post(lock);
  sem_close(lock);
  return arg;
}

int main(void) {
  pthread_t thread;
  sem_unlink("/heddle-test");
  sem_t *lock = sem_open("/heddle-test", O_CREAT, 0600, 0);
  if (lock == SEM_FAILED)
    return 0;
  pthread_create(&thread, NULL, add, NULL);
  add(NULL);
  pthread_join(thread, NULL);
  assert(count <= 2);
  sem_close(lock);
  sem_unlink("/heddle-test");
  return 0;
}
