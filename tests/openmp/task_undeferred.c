/* SPDX-License-Identifier: MIT */
/* if(0): who creates the task executes it.
 * expect: race SAFE */
int x;
int main(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 10; i++) {
#pragma omp task if (0)
    x++;
  }
  return x;
}
