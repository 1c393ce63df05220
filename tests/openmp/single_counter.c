/* SPDX-License-Identifier: MIT */
/* A shared variable counts, and one thread alone touches it.
 * expect: race SAFE */
int a[100];
static void make(int i) {
#pragma omp task
  a[i] = i + 1;
}
int main(void) {
  int i = 0;
#pragma omp parallel
  {
#pragma omp single
    for (i = 0; i < 100; i++)
      make(i);
  }
  return 0;
}
