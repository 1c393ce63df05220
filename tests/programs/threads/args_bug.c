/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: all threads get the address of the loop variable, which goes on
 *   counting */
#include <assert.h>
#include <pthread.h>
static int seen[3];
static void *work(void *arg) {
  int id = *(int *)arg;
  if (id < 2)
    seen[id] = 1;
  return 0;
}
int main(void) {
  pthread_t t[2];
  int i;
  for (i = 0; i < 2; i++)
    pthread_create(&t[i], 0, work, &i);
  for (int k = 0; k < 2; k++)
    pthread_join(t[k], 0);
  assert(seen[0] && seen[1]);
  return 0;
}
