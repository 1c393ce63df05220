/* SPDX-License-Identifier: MIT */
/* Taskgroup loop.
 * expect: race SAFE */
int a[20], s;
int main(void) {
#pragma omp parallel
#pragma omp single
  for (int r = 0; r < 3; r++) {
#pragma omp taskgroup
    for (int i = 0; i < 20; i++) {
#pragma omp task
      a[i] += r;
    }
    for (int i = 0; i < 20; i++)
      s += a[i];
  }
  return s;
}
