/* SPDX-License-Identifier: MIT */
/* Memory is given back while it is read.
 * expect: race UNSAFE */
#include <stdlib.h>
int main(void) {
  int *p = malloc(sizeof *p), s = 0;
  *p = 1;
#pragma omp parallel sections
  {
#pragma omp section
    free(p);
#pragma omp section
    s = *p;
  }
  return s;
}
