/* SPDX-License-Identifier: MIT */
/* … and the last of them.
 * expect: assert UNSAFE */
#include <assert.h>
int main(void) {
  int c = 0, l = 0;
#pragma omp parallel firstprivate(c)
  {
#pragma omp for lastprivate(l)
    for (int i = 0; i < 10; i++)
      l = c++;
  }
  assert(l == 9);
  return 0;
}
