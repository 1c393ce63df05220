/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: a struct is copied while another thread changes it: the copy is
 *   torn */
#include <assert.h>
#include <pthread.h>
#include <string.h>
struct pair {
  long a, b;
};
static struct pair shared = {1, 1};
static void *writer(void *arg) {
  struct pair n = {2, 2};
  shared = n;
  return arg;
}
int main(void) {
  pthread_t t;
  struct pair copy;
  pthread_create(&t, 0, writer, 0);
  memcpy(&copy, &shared, sizeof copy);
  assert(copy.a == copy.b);
  pthread_join(t, 0);
  return 0;
}
