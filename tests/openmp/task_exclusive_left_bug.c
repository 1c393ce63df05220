/* SPDX-License-Identifier: MIT */
/* Tasks that exclude each other do so as long as they last: what the second one leaves
 * behind is not in it.
 * expect: race UNSAFE */
int x, c;
int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(mutexinoutset : c)
    x = 2;
#pragma omp task depend(mutexinoutset : c)
    {
#pragma omp task
      x = 1;
    }
  }
  return 0;
}
