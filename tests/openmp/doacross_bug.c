/* SPDX-License-Identifier: MIT */
/* The element is read before its iteration is waited for.
 * expect: race UNSAFE */
int a[20];
int main(void) {
#pragma omp parallel for ordered(1)
  for (int i = 1; i < 20; i++) {
    int before = a[i - 1];
#pragma omp ordered depend(sink : i - 1)
    a[i] = before + 1;
#pragma omp ordered depend(source)
  }
  return 0;
}
