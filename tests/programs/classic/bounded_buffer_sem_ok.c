/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE
 * native: exit=0
 * what: a ring of two places with three semaphores, two producers and one
 *   consumer */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t places, items, lock;
static int ring[2], in, out;
static void put(int x) {
  sem_wait(&places);
  sem_wait(&lock);
  ring[in] = x;
  in = (in + 1) % 2;
  sem_post(&lock);
  sem_post(&items);
}
static int get(void) {
  sem_wait(&items);
  sem_wait(&lock);
  int x = ring[out];
  out = (out + 1) % 2;
  sem_post(&lock);
  sem_post(&places);
  return x;
}
static void *producer(void *arg) {
  put(arg ? 1 : 2);
  return 0;
}
int main(void) {
  pthread_t a, b;
  sem_init(&places, 0, 2);
  sem_init(&items, 0, 0);
  sem_init(&lock, 0, 1);
  pthread_create(&a, 0, producer, 0);
  pthread_create(&b, 0, producer, &in);
  int sum = get();
  sum += get();
  assert(sum == 3);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
