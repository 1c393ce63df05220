/* SPDX-License-Identifier: MIT */
/* taskwait waits for children, not for theirs.
 * expect: race UNSAFE */
int x;
int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    {
#pragma omp task
      x = 1;
    }
#pragma omp taskwait
    x = 2;
  }
  return 0;
}
