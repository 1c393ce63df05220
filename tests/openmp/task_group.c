/* SPDX-License-Identifier: MIT */
/* A group waits for all that was created in it.
 * expect: race SAFE */
int x;
int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup
    {
#pragma omp task
      {
#pragma omp task
        x = 1;
      }
    }
    x = 2;
  }
  return 0;
}
