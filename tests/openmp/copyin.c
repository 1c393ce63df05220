/* SPDX-License-Identifier: MIT */
/* Copyin ok.
 * expect: race SAFE */
int c;
#pragma omp threadprivate(c)
int main(void) {
  c = 4;
#pragma omp parallel copyin(c)
  c++;
  return c;
}
