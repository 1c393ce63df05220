/* SPDX-License-Identifier: MIT */
/* Siblings exclude each other, not a task and its child.
 * expect: deadlock SAFE */
int x, c;
int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(mutexinoutset : c)
    {
#pragma omp task depend(mutexinoutset : c)
      x = 2;
#pragma omp taskwait
    }
  }
  return 0;
}
