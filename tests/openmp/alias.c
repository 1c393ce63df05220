/* SPDX-License-Identifier: MIT */
/* … into its halves
 * expect: race SAFE */
int a[64];
static void add(int *to, const int *from, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    to[i] = from[i] + 1;
}
int main(void) {
  add(a, a + 32, 32);
  return 0;
}
