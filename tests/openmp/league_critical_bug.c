/* SPDX-License-Identifier: MIT */
/* League critical.
 * expect: race UNSAFE */
int x;
int main(void) {
#pragma omp target teams distribute parallel for map(tofrom : x)
  for (int i = 0; i < 100; i++) {
#pragma omp critical
    x++;
  }
  return x;
}
