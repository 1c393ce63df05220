/* SPDX-License-Identifier: MIT */
/* expect: SAFE
 * expect: UNSAFE assert -DONE
 * native: none
 * what: a global array is zero where nothing was written, whatever index a formula
 *   asks for. With ONE element 2 is not. */

#pragma heddle input {n >= 0 && n < 10}
int n = 4;
int g[10];

int main(void) {
  g[3] = 0;
#ifdef ONE
  g[2] = 1;
#endif
#pragma heddle assert forall {int k | 0 <= k && k < n} g[k] == 0
  return g[0];
}
