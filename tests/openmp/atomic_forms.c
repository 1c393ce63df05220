/* SPDX-License-Identifier: MIT */
/* All forms of atomic, of one variable.
 * expect: race SAFE */
int k, v, w;
int main(void) {
#pragma omp parallel private(v)
  {
#pragma omp atomic update
    k += 2;
#pragma omp atomic read
    v = k;
#pragma omp atomic write
    k = 5;
#pragma omp atomic capture
    v = k++;
#pragma omp atomic capture
    {
      v = k;
      k = 7;
    }
#pragma omp atomic seq_cst
    k ^= 1;
  }
  return 0;
}
