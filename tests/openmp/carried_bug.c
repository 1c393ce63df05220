/* SPDX-License-Identifier: MIT */
/* How many iterations the thread has had before.
 * expect: assert UNSAFE */
#include <assert.h>
int a[10];
int main(void) {
  int c;
#pragma omp parallel private(c)
  {
    c = 0;
#pragma omp for
    for (int i = 0; i < 10; i++)
      a[i] = c++;
  }
  assert(a[9] == 9);
  return 0;
}
