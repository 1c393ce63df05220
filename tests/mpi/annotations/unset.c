/* SPDX-License-Identifier: MIT */
/* expect: SAFE
 * expect: UNSAFE assert -DGUESS
 * native: none
 * what: a variable that was never set has some value, the same whenever it is
 *   asked for; GUESS says which one. */

int main(void) {
  int a[3];
  a[1] = 7;
#ifdef GUESS
#pragma heddle assert a[0] == 0
#else
#pragma heddle assert a[0] == a[0] && a[1] == 7 && (a[2] < 5 || a[2] >= 5)
#endif
  return a[1];
}
