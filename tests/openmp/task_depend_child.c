/* SPDX-License-Identifier: MIT */
/* Depend child ok.
 * expect: race SAFE */
int x;
int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : x)
    {
#pragma omp task
      x = 1;
#pragma omp taskwait
    }
#pragma omp task depend(in : x)
    x = 2;
  }
  return x;
}
