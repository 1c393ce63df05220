/* SPDX-License-Identifier: MIT */
/* Mutexinoutset.
 * expect: race SAFE */
int x;
int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(mutexinoutset : x)
    x += 1;
#pragma omp task depend(mutexinoutset : x)
    x += 2;
  }
  return x;
}
