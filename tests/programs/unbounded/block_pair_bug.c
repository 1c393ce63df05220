/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE
 * native: skip it creates threads without end
 * options: --threads=unbounded
 * what: of two numbers in a block only one is set when it is entered again; the
 *   other is anything, whatever it was in the block before */
#include <assert.h>
#include <pthread.h>
struct pair {
  int left, right;
};
static int sum(const struct pair *p) {
  return p->left + p->right;
}
static void *worker(void *arg) {
  int n = 0;
again:;
  {
    struct pair p;
    p.left = 2;
    if (n == 0)
      p.right = 3;
    assert(sum(&p) == 5);
  }
  if (n++ == 0)
    goto again;
  return arg;
}
int main(void) {
  for (;;) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_detach(t);
  }
}
