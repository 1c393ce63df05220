/* SPDX-License-Identifier: MIT */
/* the same with one
 * expect: race SAFE */
int a[32];
int main(void) {
  int s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < 32; i++)
    s += a[i];
  return s;
}
