/* SPDX-License-Identifier: MIT */
/* expect: SAFE
 * expect: UNSAFE assert -DOUTER
 * native: none
 * what: names are those of the block around the pragma: the inner i is 2 and hides
 *   the outer one. */

int i = 0;

int main(void) {
  int i = 1;
  {
    int i = 2;
#ifdef OUTER
#pragma heddle assert i == 1
#else
#pragma heddle assert i == 2
#endif
    i++;
  }
#pragma heddle assert i == 1
  return i - 1;
}
