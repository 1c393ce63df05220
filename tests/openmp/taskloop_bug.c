/* SPDX-License-Identifier: MIT */
/* Tasks of a taskloop that read what others write.
 * expect: race UNSAFE */
int a[100];
int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop
    for (int k = 0; k < 99; k++)
      a[k] = a[k + 1];
  }
  return 0;
}
