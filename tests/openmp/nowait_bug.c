/* SPDX-License-Identifier: MIT */
/* nobody waits for the first loop
 * expect: race UNSAFE */
int a[32], b[32];
int main(void) {
#pragma omp parallel
  {
#pragma omp for nowait
    for (int i = 0; i < 32; i++)
      a[i] = i;
#pragma omp for
    for (int i = 0; i < 32; i++)
      b[i] = a[31 - i];
  }
  return 0;
}
