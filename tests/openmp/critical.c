/* SPDX-License-Identifier: MIT */
/* a critical region
 * expect: race SAFE */
int n;
int main(void) {
#pragma omp parallel
  {
#pragma omp critical
    n++;
  }
  return 0;
}
