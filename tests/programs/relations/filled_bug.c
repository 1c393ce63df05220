/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE memory=SAFE
 * native: any
 * what: the last element is forgotten */
#include <assert.h>
#include <heddle.h>
static int a[100];
int main(void) {
  int n = heddle_nondet_int(1, 100), k = heddle_nondet_int(0, 99);
  for (int i = 0; i < n - 1; i++)
    a[i] = 7;
  if (k < n)
    assert(a[k] == 7);
  return 0;
}
