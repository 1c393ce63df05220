/* SPDX-License-Identifier: MIT */
/* Which thread executes a task is not known: its variable is 0, or 3.
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
      t = 3;
#pragma omp task
      a[t] = 1;
      a[0] = 2;
    }
  }
  return 0;
}
