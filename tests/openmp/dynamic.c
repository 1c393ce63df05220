/* SPDX-License-Identifier: MIT */
/* parts as they come
 * expect: race SAFE */
int a[40];
int main(void) {
#pragma omp parallel for schedule(dynamic, 3)
  for (int i = 39; i >= 0; i -= 2)
    a[i] = i;
  return 0;
}
