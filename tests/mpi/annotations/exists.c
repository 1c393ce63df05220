/* SPDX-License-Identifier: MIT */
/* expect: SAFE
 * expect: UNSAFE assert -DNOT_THERE
 * native: none
 * what: a search that ends where an element is x; without x among the elements it
 *   does not find one. */

#pragma heddle input {0 <= at && at < 6}
int at = 2;
#pragma heddle input
int t[6];

int main(void) {
  int x = 1;
#ifndef NOT_THERE
  t[at] = x;
#endif
#pragma heddle assert exists {int k | 0 <= k && k < 6} t[k] == x
  return 0;
}
