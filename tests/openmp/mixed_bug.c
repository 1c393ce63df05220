/* SPDX-License-Identifier: MIT */
/* an atomic beside a plain access
 * expect: race UNSAFE */
int n;
int main(void) {
#pragma omp parallel
  {
#pragma omp atomic
    n++;
    if (n > 3)
      n = 0;
  }
  return 0;
}
