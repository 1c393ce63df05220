/* SPDX-License-Identifier: MIT */
/* Iterations shared among teams, and again among their threads.
 * expect: race SAFE */
int a[100], sum;
int main(void) {
#pragma omp target teams distribute parallel for reduction(+ : sum)
  for (int i = 0; i < 100; i++) {
    a[i] = i;
    sum += i;
  }
  return sum;
}
