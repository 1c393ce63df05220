/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: a local variable is read beside calls that change it by its address, and one
 *   of them is memset */
#include <assert.h>
#include <string.h>
static int next(int *p) { return ++*p; }
static int both(int *p, int *q) { return *p + next(q); }
int main(void) {
  int a = 1, b = 1;
  char text[2] = {5, 6};
  assert(a + next(&a) == 3);
  assert(both(&b, &b) == 3);
  assert(text[0] + (memset(text, 0, 2) != 0) == 6);
  return 0;
}
