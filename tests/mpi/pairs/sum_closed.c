/* SPDX-License-Identifier: MIT */
/* spec: sum_spec.c
 * expect: SAFE
 * expect: UNSAFE assert -DBROKEN
 * native: none
 * what: the same for all n, without a loop: only the specification has an
 *   invariant. BROKEN adds n as well. */

#pragma heddle input {n >= 0}
int n = 10;
#pragma heddle output
int sum;

int main(void) {
#ifdef BROKEN
  sum = n * (n + 1) / 2;
#else
  sum = n * (n - 1) / 2;
#endif
  return 0;
}
