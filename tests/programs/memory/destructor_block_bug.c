/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: C11's values, too: what the destructor frees was a part of the thread's
 * stack */
#include <threads.h>
static tss_t key;
static int seen;
static void look(void *value) { seen = *(int *)value; }
static int work(void *arg) {
  int block[2] = {1, 2};
  (void)arg;
  tss_set(key, &block[1]);
  return 0;
}
int main(void) {
  thrd_t t;
  tss_create(&key, look);
  thrd_create(&t, work, NULL);
  thrd_join(t, NULL);
  return seen & 0;
}
