/* SPDX-License-Identifier: MIT */
/* expect: SAFE
 * expect: UNSAFE assert -DZERO
 * native: none
 * what: division as in C, also of negative numbers. A comparison that divides by
 *   zero is false: with ZERO the divisor may be. */

#ifdef ZERO
#pragma heddle input
#else
#pragma heddle input {y != 0}
#endif
int y = 3;
#pragma heddle input
int x = -7;

int main(void) {
#pragma heddle assert x / y * y + x % y == x
  return 0;
}
