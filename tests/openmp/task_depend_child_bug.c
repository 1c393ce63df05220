/* SPDX-License-Identifier: MIT */
/* Depend child.
 * expect: race UNSAFE */
int x;
int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : x)
    {
#pragma omp task
      x = 1;
    }
#pragma omp task depend(in : x)
    x = 2;
  }
  return x;
}
