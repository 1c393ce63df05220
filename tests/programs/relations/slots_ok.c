/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: each thread counts in its own slot, then main looks at all of them */
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdint.h>
static int slot[4], done[4];
static void *work(void *arg) {
  intptr_t id = (intptr_t)arg;
  for (int i = 0; i < 200; i++)
    slot[id]++;
  done[id] = 1;
  return 0;
}
int main(void) {
  pthread_t t[4];
  for (intptr_t i = 0; i < 4; i++)
    pthread_create(&t[i], 0, work, (void *)i);
  for (int i = 0; i < 4; i++)
    pthread_join(t[i], 0);
  for (int i = 0; i < 4; i++)
    assert(slot[i] == 200 && done[i]);
  return 0;
}
