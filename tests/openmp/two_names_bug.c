/* SPDX-License-Identifier: MIT */
/* critical regions of two names exclude nobody
 * expect: race UNSAFE */
int n;
int main(void) {
#pragma omp parallel sections
  {
#pragma omp section
    {
#pragma omp critical(one)
      n++;
    }
#pragma omp section
    {
#pragma omp critical(two)
      n++;
    }
  }
  return 0;
}
