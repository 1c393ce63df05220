/* SPDX-License-Identifier: MIT */
/* Threadprivate pointer2.
 * expect: race UNSAFE */
#include <omp.h>
int c, s;
#pragma omp threadprivate(c)
int main(void) {
  int *p = &c;
#pragma omp parallel reduction(+ : s)
  {
    if (omp_get_thread_num() == 0)
      c = 1;
    else
      s += *p;
  }
  return s;
}
