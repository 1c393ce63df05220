/* SPDX-License-Identifier: MIT */
/* master has no barrier
 * expect: race UNSAFE */
int x;
int main(void) {
#pragma omp parallel
  {
#pragma omp master
    x = 5;
    int mine = x;
    (void)mine;
  }
  return 0;
}
