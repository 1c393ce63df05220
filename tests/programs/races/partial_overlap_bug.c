/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: a byte and the word that contains it, through a union */
#include <pthread.h>
static union {
  unsigned word;
  unsigned char byte[4];
} u;
static void *one(void *arg) {
  u.word = 0x01010101;
  return arg;
}
static void *two(void *arg) {
  u.byte[3] = 2;
  return arg;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, one, 0);
  pthread_create(&t, 0, two, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
