/* SPDX-License-Identifier: MIT */
/* … and where two threads find something at once.
 * expect: race UNSAFE */
#include <stdio.h>
int a[100], found = -1;
int main(void) {
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < 100; i++) {
      if (a[i] == 0) {
        found = i;
#pragma omp cancel for
      }
#pragma omp cancellation point for
    }
  }
  printf("%d\n", found);
  return 0;
}
