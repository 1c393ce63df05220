/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: the array has n elements, the loop writes n + 1 */
#include <heddle.h>
int main(void) {
  int n = heddle_nondet_int(1, 4);
  int v[n];
  for (int i = 0; i <= n; i++)
    v[i] = i;
  return v[0];
}
