/* SPDX-License-Identifier: MIT */
/* each thread has its own
 * expect: race SAFE */
int n;
#pragma omp threadprivate(n)
int main(void) {
#pragma omp parallel
  n++;
#pragma omp parallel
  n++;
  return 0;
}
