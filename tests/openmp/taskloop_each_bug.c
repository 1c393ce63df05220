/* SPDX-License-Identifier: MIT */
/* Each thread has tasks for all iterations.
 * expect: race UNSAFE */
int a[8];
int main(void) {
#pragma omp parallel
#pragma omp taskloop
  for (int i = 0; i < 8; i++)
    a[i] = i;
  return 0;
}
