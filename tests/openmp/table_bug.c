/* SPDX-License-Identifier: MIT */
/* … in which one number is there twice.
 * expect: race UNSAFE */
int where[8] = {3, 1, 4, 0, 5, 3, 2, 6};
double a[8];
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 8; i++)
    a[where[i]] = i;
  return 0;
}
