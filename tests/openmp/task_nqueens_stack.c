/* SPDX-License-Identifier: MIT */
/* N queens: a task for each place in a row, each with its own board, a local array.
 * expect: race SAFE */
#include <stdlib.h>
int ok(int n, const char *a) {
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++) {
      int d = a[i] - a[j];
      if (d == 0 || d == i - j || d == j - i)
        return 0;
    }
  return 1;
}
int total;
void queens(int n, int j, const char *a) {
  if (n == j) {
#pragma omp atomic
    total += 1;
    return;
  }
  for (int i = 0; i < n; i++) {
#pragma omp task firstprivate(i)
    {
      char b[16];
      for (int k = 0; k < j; k++)
        b[k] = a[k];
      b[j] = (char)i;
      if (ok(j + 1, b))
        queens(n, j + 1, b);
    }
  }
#pragma omp taskwait
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 8;
  if (n < 1)
    return 1;
  if (n > 15)
    return 1;
  char a[16];
#pragma omp parallel
#pragma omp single
  queens(n, 0, a);
  return total & 1;
}
