/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: two threads open the same semaphore by its name */
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
  sem_t *lock = sem_open("/heddle-test", O_CREAT, 0600, 1);
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
