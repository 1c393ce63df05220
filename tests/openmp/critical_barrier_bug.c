/* SPDX-License-Identifier: MIT */
/* Who is in the critical region waits for those who cannot get in.
 * expect: deadlock UNSAFE */
int x;
static void all(void) {
#pragma omp barrier
}
int main(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp critical
    {
      x++;
      all();
    }
  }
  return 0;
}
