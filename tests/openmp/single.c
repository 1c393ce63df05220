/* SPDX-License-Identifier: MIT */
/* one thread writes, all read behind the barrier
 * expect: race SAFE */
int x, a[8];
int main(void) {
#pragma omp parallel
  {
#pragma omp single
    x = 5;
    int mine = x;
    (void)mine;
  }
  return 0;
}
