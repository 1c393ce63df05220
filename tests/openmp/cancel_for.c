/* SPDX-License-Identifier: MIT */
/* A loop that is cancelled where something is found.
 * expect: race SAFE */
#include <stdio.h>
int a[100], found = -1;
int main(void) {
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < 100; i++) {
      if (a[i] == 42) {
#pragma omp atomic write
        found = i;
#pragma omp cancel for
      }
#pragma omp cancellation point for
    }
  }
  printf("%d\n", found);
  return 0;
}
