/* SPDX-License-Identifier: MIT */
/* Tasks of two threads are no siblings, and do not exclude each other.
 * expect: race UNSAFE */
int x, c;
int main(void) {
#pragma omp parallel
  {
#pragma omp single nowait
#pragma omp task depend(mutexinoutset : c)
    x = 2;
#pragma omp single nowait
#pragma omp task depend(mutexinoutset : c)
    x = 1;
  }
  return 0;
}
