/* SPDX-License-Identifier: MIT */
/* … reaching into the next one
 * expect: race UNSAFE */
int a[40];
int main(void) {
#pragma omp parallel for schedule(dynamic, 3)
  for (int i = 38; i >= 0; i -= 2)
    a[i] = a[i / 2] + 1;
  return 0;
}
