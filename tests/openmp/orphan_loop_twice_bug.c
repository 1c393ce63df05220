/* SPDX-License-Identifier: MIT */
/* An iteration of the second call may be executed before that of the first.
 * expect: race UNSAFE */
int a[8];
static void all(void) {
#pragma omp for schedule(dynamic) nowait
  for (int i = 0; i < 8; i++)
    a[i]++;
}
int main(void) {
#pragma omp parallel
  {
    all();
    all();
  }
  return 0;
}
