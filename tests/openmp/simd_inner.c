/* SPDX-License-Identifier: MIT */
/* Simd inner ok.
 * expect: race SAFE */
int a[10][100];
int main(void) {
  int i;
#pragma omp parallel for private(i)
  for (int k = 0; k < 10; k++) {
    int s = 0;
#pragma omp simd reduction(+ : s)
    for (i = 1; i < 100; i++) {
      a[k][i] = i;
      s += i;
    }
    a[k][0] = s;
  }
  return 0;
}
