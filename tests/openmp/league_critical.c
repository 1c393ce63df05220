/* SPDX-License-Identifier: MIT */
/* League one critical.
 * expect: race SAFE */
int x;
int main(void) {
#pragma omp target teams distribute parallel for num_teams(1) map(tofrom : x)
  for (int i = 0; i < 100; i++) {
#pragma omp critical
    x++;
  }
  return x;
}
