/* SPDX-License-Identifier: MIT */
/* a stencil with two buffers
 * expect: race SAFE */
double a[2][66];
int main(void) {
  for (int t = 0; t < 3; t++) {
    int from = t % 2, to = 1 - from;
#pragma omp parallel for
    for (int i = 1; i < 65; i++)
      a[to][i] = (a[from][i - 1] + a[from][i + 1]) / 2;
  }
  return 0;
}
