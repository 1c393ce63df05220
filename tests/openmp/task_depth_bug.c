/* SPDX-License-Identifier: MIT */
/* Only activations further down touch the total: no argument is what the first one is given.
 * expect: race UNSAFE */
int total;
void down(int n, int j) {
  if (n == j) {
    total += 1;
    return;
  }
  for (int i = 0; i < 2; i++) {
#pragma omp task firstprivate(i)
    down(n, j + 1);
  }
#pragma omp taskwait
}
int main(void) {
#pragma omp parallel
#pragma omp single
  down(3, 0);
  return total;
}
