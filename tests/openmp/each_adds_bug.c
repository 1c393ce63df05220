/* SPDX-License-Identifier: MIT */
/* As many as there are threads.
 * expect: assert UNSAFE */
#include <assert.h>
int main(void) {
  int x = 0;
#pragma omp parallel reduction(+ : x)
  x += 1;
  assert(x == 1);
  return 0;
}
