/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="1 2 3 5 8 9"
 * what: qsort-like insertion sort with a comparison callback over void
 *   pointers */
#include <assert.h>
#include <stdio.h>
#include <string.h>
static int less_int(const void *a, const void *b) {
  return *(const int *)a < *(const int *)b;
}
static void sort(void *base, int n, unsigned long size,
                 int (*less)(const void *, const void *)) {
  char *v = base, tmp[16];
  for (int i = 1; i < n; i++)
    for (int j = i; j > 0 && less(v + j * size, v + (j - 1) * size); j--) {
      memcpy(tmp, v + j * size, size);
      memcpy(v + j * size, v + (j - 1) * size, size);
      memcpy(v + (j - 1) * size, tmp, size);
    }
}
int main(void) {
  int v[6] = {5, 2, 9, 1, 8, 3};
  sort(v, 6, sizeof *v, less_int);
  for (int i = 1; i < 6; i++)
    assert(v[i - 1] <= v[i]);
  printf("%d %d %d %d %d %d\n", v[0], v[1], v[2], v[3], v[4], v[5]);
  return 0;
}
