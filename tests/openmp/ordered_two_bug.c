/* SPDX-License-Identifier: MIT */
/* Ordered regions of two loops, of which nobody waits for the first.
 * expect: race UNSAFE */
int x;
int main(void) {
#pragma omp parallel
  {
#pragma omp for ordered nowait schedule(dynamic)
    for (int i = 0; i < 10; i++) {
#pragma omp ordered
      x++;
    }
#pragma omp for ordered nowait schedule(dynamic)
    for (int i = 0; i < 10; i++) {
#pragma omp ordered
      x++;
    }
  }
  return 0;
}
