/* SPDX-License-Identifier: MIT */
/* One thread writes beside the others.
 * expect: race UNSAFE */
int a[100], i;
int main(void) {
#pragma omp parallel
  {
#pragma omp single nowait
    for (i = 0; i < 50; i++) {
      a[i] = 1;
    }
#pragma omp for
    for (int j = 0; j < 50; j++) a[j + 3] = 2;
  }
  return 0;
}
