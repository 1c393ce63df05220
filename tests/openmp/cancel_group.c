/* SPDX-License-Identifier: MIT */
/* A group of tasks that one of them cancels.
 * expect: race SAFE */
int r;
int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup
    {
      for (int i = 0; i < 10; i++) {
#pragma omp task firstprivate(i)
        {
#pragma omp critical
          r += i;
#pragma omp cancel taskgroup if (i == 5)
        }
      }
    }
  }
  return r;
}
