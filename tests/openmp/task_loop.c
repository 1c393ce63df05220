/* SPDX-License-Identifier: MIT */
/* Tasks of a loop, each with its own element.
 * expect: race SAFE */
int a[100];
int main(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 100; i++) {
#pragma omp task
    a[i]++;
  }
  return a[0];
}
