/* SPDX-License-Identifier: MIT */
/* A single without a barrier in a function that is called twice: two threads.
 * expect: race UNSAFE */
int x;
static void once(void) {
#pragma omp single nowait
  x++;
}
int main(void) {
#pragma omp parallel
  {
    once();
    once();
  }
  return 0;
}
