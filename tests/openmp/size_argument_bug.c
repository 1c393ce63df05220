/* SPDX-License-Identifier: MIT */
/* An array whose size is an argument; each iteration reads what the next one writes.
 * expect: race UNSAFE */
#include <stdlib.h>
#include <stdio.h>
int main(int argc, char *argv[]) {
  int len = 1000;
  if (argc > 1) len = atoi(argv[1]);
  int a[len];
  for (int i = 0; i < len; i++) a[i] = i;
#pragma omp parallel for
  for (int i = 0; i < len - 1; i++) a[i] = a[i + 1] + 1;
  return 0;
}
