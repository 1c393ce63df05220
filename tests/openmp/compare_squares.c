/* SPDX-License-Identifier: MIT */
/* Each iteration has its own element.
 * expect: compare SAFE */
#include <stdio.h>
int a[10];
int main(void) {
  int last;
#pragma omp parallel for lastprivate(last)
  for (int i = 0; i < 10; i++) {
    a[i] = i * i;
    last = i;
  }
  printf("%d %d\n", a[9], last);
  return 0;
}
