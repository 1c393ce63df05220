/* SPDX-License-Identifier: MIT */
/* … and which nobody waits for.
 * expect: race UNSAFE */
int x[100];
int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp target nowait map(tofrom : x)
    for (int i = 0; i < 100; i++)
      x[i] = i;
    x[3] = 7;
  }
  return 0;
}
