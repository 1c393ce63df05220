/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="10"
 * what: four threads write neighbouring elements of one array: no race */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
static char slots[4];
static void *work(void *arg) {
  char *mine = arg;
  *mine = (char)(mine - slots + 1);
  return 0;
}
int main(void) {
  pthread_t t[4];
  int sum = 0;
  for (int i = 0; i < 4; i++)
    pthread_create(&t[i], 0, work, &slots[i]);
  for (int i = 0; i < 4; i++)
    pthread_join(t[i], 0);
  for (int i = 0; i < 4; i++)
    sum += slots[i];
  assert(sum == 10);
  printf("%d\n", sum);
  return 0;
}
