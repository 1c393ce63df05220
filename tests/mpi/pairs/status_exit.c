/* SPDX-License-Identifier: MIT */
/* spec: status_spec.c
 * expect: SAFE
 * expect: UNSAFE assert -DNEVER
 * expect: UNSAFE assert -DSIGN
 * native: none
 * what: the same status by exit, of which eight bits count. NEVER: always 0. SIGN:
 *   another one for negative odd numbers. */
#include <stdlib.h>

#pragma heddle input
int n;
#pragma heddle output
int half;

int main(void) {
  half = n / 2;
#ifdef NEVER
  exit(0);
#elif defined(SIGN)
  exit(n % 2);
#else
  exit(n % 2 == 0 ? 256 : 257);
#endif
}
