/* SPDX-License-Identifier: MIT */
/* A thread that waits for a task may execute it, and finds what the task has set.
 * expect: race UNSAFE */
int t, a[4];
#pragma omp threadprivate(t)
int main(void) {
#pragma omp parallel
  {
    t = 0;
#pragma omp barrier
#pragma omp single
    {
#pragma omp task
      t = 1;
#pragma omp taskwait
#pragma omp task
      a[1] = 1;
      a[t] = 2;
    }
  }
  return 0;
}
