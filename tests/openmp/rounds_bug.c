/* SPDX-License-Identifier: MIT */
/* Every other time round there is no barrier.
 * expect: race UNSAFE */
int a[9];
int main(void) {
#pragma omp parallel
  for (int r = 0; r < 4; r++) {
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 8; i++)
      a[i] += r;
    if (r % 2 == 1) {
#pragma omp barrier
    }
  }
  return 0;
}
