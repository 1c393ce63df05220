/* SPDX-License-Identifier: MIT */
/* Task loop next round.
 * expect: race UNSAFE */
int a[20];
int main(void) {
#pragma omp parallel
#pragma omp single
  for (int r = 0; r < 3; r++) {
    for (int i = 0; i < 20; i++) {
#pragma omp task
      a[i] += r;
    }
  }
  return 0;
}
