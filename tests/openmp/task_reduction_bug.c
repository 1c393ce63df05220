/* SPDX-License-Identifier: MIT */
/* … and tasks that add to it themselves.
 * expect: race UNSAFE */
#include <stdio.h>
int main(void) {
  int s = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup
    {
      for (int i = 0; i < 10; i++)
#pragma omp task firstprivate(i) shared(s)
        s += i;
    }
  }
  printf("%d\n", s);
  return 0;
}
