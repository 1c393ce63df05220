/* SPDX-License-Identifier: MIT */
/* Static chunks.
 * expect: race UNSAFE */
int a[100], b[100];
int main(void) {
#pragma omp parallel
  {
#pragma omp for schedule(static, 2) nowait
    for (int i = 0; i < 100; i++)
      a[i] = i;
#pragma omp for schedule(static, 3)
    for (int i = 0; i < 100; i++)
      b[i] = a[i];
  }
  return 0;
}
