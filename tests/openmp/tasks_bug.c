/* SPDX-License-Identifier: MIT */
/* two tasks
 * expect: race UNSAFE */
int x;
int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    x = 1;
#pragma omp task
    x = 2;
  }
  return 0;
}
