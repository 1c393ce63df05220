/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="60"
 * what: pointers to const, arrays as parameters, parameters that are
 *   changed, result through pointers */
#include <assert.h>
#include <stdio.h>
static int sum(const int v[], int n) {
  int s = 0;
  while (n-- > 0)
    s += v[n];
  return s;
}
static void minmax(const int *v, int n, int *lo, int *hi) {
  *lo = *hi = *v;
  for (; n > 0; n--, v++) {
    if (*v < *lo)
      *lo = *v;
    if (*v > *hi)
      *hi = *v;
  }
}
int main(void) {
  static const int v[3] = {20, 10, 30};
  int lo, hi;
  minmax(v, 3, &lo, &hi);
  assert(lo == 10 && hi == 30 && sum(v, 3) == 60 && sum(v + 1, 2) == 40);
  printf("%d\n", sum(v, 3));
  return 0;
}
