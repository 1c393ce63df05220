/* SPDX-License-Identifier: MIT */
/* Orphan ok.
 * expect: race SAFE */
int a[50];
void g(void) {
#pragma omp for
  for (int i = 0; i < 50; i++)
    a[i]++;
}
int main(void) {
#pragma omp parallel
  {
    g();
    g();
  }
  g();
  return 0;
}
