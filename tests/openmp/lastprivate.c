/* SPDX-License-Identifier: MIT */
/* the last iteration leaves its value
 * expect: race SAFE */
int main(void) {
  int x = 0;
#pragma omp parallel for lastprivate(x)
  for (int i = 0; i < 20; i++)
    x = i;
  return x != 19;
}
