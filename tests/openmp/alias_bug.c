/* SPDX-License-Identifier: MIT */
/* two pointers into one array
 * expect: race UNSAFE */
int a[64];
static void add(int *to, const int *from, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    to[i] = from[i] + 1;
}
int main(void) {
  add(a, a + 1, 60);
  return 0;
}
