/* SPDX-License-Identifier: MIT */
/* Tasks of a loop that read what others write.
 * expect: race UNSAFE */
int a[101];
int main(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 100; i++) {
#pragma omp task
    a[i] = a[i + 1];
  }
  return a[0];
}
