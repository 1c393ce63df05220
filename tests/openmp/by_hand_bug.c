/* SPDX-License-Identifier: MIT */
/* … which does not order what it writes before.
 * expect: race UNSAFE */
int main(void) {
  int x = 0, done = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp sections
    {
#pragma omp section
      {
        x = 1;
#pragma omp atomic write relaxed
        done = 1;
      }
#pragma omp section
      {
        int seen = 0;
        while (!seen) {
#pragma omp atomic read acquire
          seen = done;
        }
        x = 2;
      }
    }
  }
  return x;
}
