/* SPDX-License-Identifier: MIT */
/* Tasks that a final task creates are part of it, and executed at once
 * expect: assert UNKNOWN */
#include <assert.h>
#include <omp.h>
int x;
int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task final(1)
    {
#pragma omp task
      x = 1;
      assert(x == 1 && omp_in_final());
    }
  }
  return 0;
}
