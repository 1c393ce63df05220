/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE overflow=SAFE
 * native: exit=0
 * what: the sum is checked before it is computed, the mean is computed
 *   without overflow */
#include <assert.h>
#include <limits.h>
extern int __VERIFIER_nondet_int(void);
static int add_fits(int a, int b) {
  return b >= 0 ? a <= INT_MAX - b : a >= INT_MIN - b;
}
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  if (add_fits(a, b)) {
    long long s = (long long)a + b;
    assert(a + b == s);
  }
  if (a >= 0 && b >= a) {
    int mid = a + (b - a) / 2;
    assert(mid >= a && mid <= b);
  }
  return 0;
}
