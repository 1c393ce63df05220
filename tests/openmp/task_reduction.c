/* SPDX-License-Identifier: MIT */
/* Tasks that reduce into a variable of their group.
 * expect: race SAFE */
#include <stdio.h>
int main(void) {
  int s = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup task_reduction(+ : s)
    {
      for (int i = 0; i < 10; i++)
#pragma omp task in_reduction(+ : s) firstprivate(i)
        s += i;
    }
  }
  printf("%d\n", s);
  return 0;
}
