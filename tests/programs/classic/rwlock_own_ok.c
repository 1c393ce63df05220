/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: a readers-writer lock in one atomic word: readers count up, a
 *   writer sets it to -1 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int word;
static int a, b;
static void *reader(void *arg) {
  int old = word;
  do
    while (old < 0)
      old = word;
  while (!atomic_compare_exchange_strong(&word, &old, old + 1));
  assert(a == b);
  word--;
  return arg;
}
static void *writer(void *arg) {
  int free_;
  do
    free_ = 0;
  while (!atomic_compare_exchange_strong(&word, &free_, -1));
  a++;
  b++;
  word = 0;
  return arg;
}
int main(void) {
  pthread_t r, w;
  pthread_create(&r, 0, reader, 0);
  pthread_create(&w, 0, writer, 0);
  pthread_join(r, 0);
  pthread_join(w, 0);
  assert(word == 0);
  return 0;
}
