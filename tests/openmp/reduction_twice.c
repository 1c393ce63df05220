/* SPDX-License-Identifier: MIT */
/* Two reductions of one variable, with a barrier between them.
 * expect: race SAFE */
int r;
int main(void) {
#pragma omp parallel
  {
#pragma omp for reduction(max : r)
    for (int i = 0; i < 8; i++)
      r = i > r ? i : r;
#pragma omp for reduction(max : r)
    for (int i = 0; i < 8; i++)
      r = 2 * i > r ? 2 * i : r;
  }
  return r != 14;
}
