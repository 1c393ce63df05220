/* SPDX-License-Identifier: MIT */
/* A target region as a task, which is waited for.
 * expect: race SAFE */
int x[100];
int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp target nowait map(tofrom : x)
    for (int i = 0; i < 100; i++)
      x[i] = i;
#pragma omp taskwait
    x[3] = 7;
  }
  return 0;
}
