/* SPDX-License-Identifier: MIT */
/* What an iteration finds depends on those that the thread had before: with 25 threads
 * and more it prints something.
 * expect: compare UNKNOWN */
#include <stdio.h>
int a[100];
int main(void) {
#pragma omp parallel
  {
    int t = 0;
#pragma omp for schedule(static, 4)
    for (int i = 0; i < 100; i++) {
      t += i;
      a[i] = t;
    }
  }
  if (a[99] == 390)
    printf("x\n");
  return 0;
}
