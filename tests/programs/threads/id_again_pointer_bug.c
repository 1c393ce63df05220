/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: ids of threads, compared through pointers */
#include <assert.h>
#include <threads.h>
static int differ(const thrd_t *a, const thrd_t *b) { return *a != *b; }
static int work(void *arg) {
  (void)arg;
  return 0;
}
int main(void) {
  thrd_t t[2];
  thrd_create(&t[0], work, NULL);
  thrd_join(t[0], NULL);
  thrd_create(&t[1], work, NULL);
  thrd_join(t[1], NULL);
  assert(differ(&t[0], &t[1]));
  return 0;
}
