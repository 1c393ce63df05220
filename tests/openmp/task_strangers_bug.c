/* SPDX-License-Identifier: MIT */
/* Dependences do not order tasks of different parents.
 * expect: race UNSAFE */
int x;
int main(void) {
#pragma omp parallel
  {
#pragma omp task depend(inout : x)
    x++;
  }
  return x;
}
