/* SPDX-License-Identifier: MIT */
/* The last iteration of a loop that is shared out bit by bit.
 * expect: race SAFE */
#include <stdio.h>
int main(void) {
  int x = 0;
#pragma omp parallel for lastprivate(x) schedule(dynamic)
  for (int i = 0; i < 100; i++) x = i;
  printf("%d\n", x);
  for (int k = 0; k < 3; k++) {
#pragma omp parallel for lastprivate(x) schedule(guided, 2)
  for (int i = 0; i < 100; i++) x = i;
  }
  return 0;
}
