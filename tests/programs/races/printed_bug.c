/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: exit=0
 * what: a text is printed while another thread changes it */
#include <pthread.h>
#include <stdio.h>
static char name[8] = "abc";
static void *rename_it(void *arg) {
  name[1] = 'x';
  return NULL;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, rename_it, NULL);
  printf("%d %s\n", 1, name);
  pthread_join(t, NULL);
  return 0;
}
