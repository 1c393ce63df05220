/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="1 4"
 * what: do-while runs at least once; comma and conditional operators in
 *   loop heads */
#include <assert.h>
#include <stdio.h>
int main(void) {
  int once = 0, n = 0, i, j;
  do
    once++;
  while (0);
  for (i = 0, j = 8; i < j; i++, j--)
    n += (j - i > 4) ? 1 : (i == 3 ? 2 : 0);
  assert(once == 1 && i == 4 && j == 4 && n == 4);
  printf("%d %d\n", once, n);
  return 0;
}
