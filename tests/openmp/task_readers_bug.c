/* SPDX-License-Identifier: MIT */
/* Inoutset both.
 * expect: race UNSAFE */
int x;
int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(in : x)
    x = 1;
#pragma omp task depend(in : x)
    x = 2;
  }
  return x;
}
