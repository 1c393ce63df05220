/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE sync=SAFE
 * native: exit=0
 * what: a recursive mutex, unlocked as often as it was locked, by who holds it */
#include <assert.h>
#include <threads.h>

mtx_t mutex;
int count;

int worker(void *arg) {
  (void)arg;
  mtx_lock(&mutex);
  mtx_lock(&mutex);
  count++;
  mtx_unlock(&mutex);
  count++;
  mtx_unlock(&mutex);
  return 0;
}

int main(void) {
  thrd_t thread;
  mtx_init(&mutex, mtx_plain | mtx_recursive);
  thrd_create(&thread, worker, NULL);
  worker(NULL);
  thrd_join(thread, NULL);
  assert(count == 4);
  mtx_destroy(&mutex);
  return 0;
}
