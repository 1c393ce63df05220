/* SPDX-License-Identifier: MIT */
/* a race that only a large team or number shows: distance 48 of 64
 * expect: race UNSAFE */
int a[128];
int main(void) {
#pragma omp parallel for schedule(static, 1)
  for (int i = 0; i < 64; i++)
    a[i] = a[i + 48];
  return 0;
}
