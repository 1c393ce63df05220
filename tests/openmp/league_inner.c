/* SPDX-License-Identifier: MIT */
/* League inner ok.
 * expect: race SAFE */
int a[10][10], b[10][10];
int main(void) {
#pragma omp target teams distribute
  for (int i = 0; i < 10; i++) {
#pragma omp parallel for
    for (int j = 0; j < 10; j++)
      b[i][j] += a[i][j];
  }
  return 0;
}
