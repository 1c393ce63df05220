/* SPDX-License-Identifier: MIT */
/* Tasks of a loop, in the order of their dependences.
 * expect: race SAFE */
int a[101];
int main(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 100; i++) {
#pragma omp task depend(out : a[i]) depend(in : a[i + 1])
    a[i] = a[i + 1];
  }
  return a[0];
}
