/* SPDX-License-Identifier: MIT */
/* … without the barrier
 * expect: race UNSAFE */
int x;
int main(void) {
#pragma omp parallel
  {
#pragma omp single nowait
    x = 5;
    int mine = x;
    (void)mine;
  }
  return 0;
}
