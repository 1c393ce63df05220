/* SPDX-License-Identifier: MIT */
/* One thread counts, and two tasks get the same element.
 * expect: race UNSAFE */
int a[100], i;
int main(void) {
#pragma omp parallel
  {
#pragma omp single
    for (i = 0; i < 50; i++) {
      int k = i / 2;
#pragma omp task
      a[k] = 1;
    }
  }
  return 0;
}
