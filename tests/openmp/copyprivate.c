/* SPDX-License-Identifier: MIT */
/* What one thread has read goes to all.
 * expect: race SAFE */
int a[64];
int main(void) {
#pragma omp parallel
  {
    int x;
#pragma omp single copyprivate(x)
    x = 3;
#pragma omp for
    for (int i = 0; i < 64; i++)
      a[i] = x;
  }
  return 0;
}
