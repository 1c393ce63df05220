/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: the reader counts itself up without looking whether a writer is
 *   inside */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int word;
static int a, b;
static void *reader(void *arg) {
  while (word < 0)
    ;
  word++;
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
  word++;
  return arg;
}
int main(void) {
  pthread_t r, w;
  pthread_create(&r, 0, reader, 0);
  pthread_create(&w, 0, writer, 0);
  pthread_join(r, 0);
  pthread_join(w, 0);
  return 0;
}
