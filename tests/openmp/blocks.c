/* SPDX-License-Identifier: MIT */
/* Tasks that get a block each, and free it.
 * expect: race SAFE */
#include <stdlib.h>
#include <string.h>
static void use(char *p) { p[0]++; free(p); }
int main(void) {
#pragma omp parallel
#pragma omp single
  for (int c = 0; c < 10; c++) {
    char *next = malloc(8);
    next[1] = (char)c;
    next[0] = 0;
#pragma omp task firstprivate(next)
    use(next);
  }
  return 0;
}
