/* SPDX-License-Identifier: MIT */
/* the loop ends with a barrier
 * expect: race SAFE */
int a[32], b[32];
int main(void) {
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < 32; i++)
      a[i] = i;
#pragma omp for
    for (int i = 0; i < 32; i++)
      b[i] = a[31 - i];
  }
  return 0;
}
