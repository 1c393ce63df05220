/* SPDX-License-Identifier: MIT */
/* a function with a static variable
 * expect: race UNSAFE */
static int next(void) {
  static int n;
  return ++n;
}
int a[16];
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 16; i++)
    a[i] = next();
  return 0;
}
