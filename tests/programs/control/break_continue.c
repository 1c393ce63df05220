/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="4 2 6 20"
 * what: nested break and continue in for, while and do, also inside a
 *   switch */
#include <assert.h>
#include <stdio.h>
int main(void) {
  int odd = 0, left = 0, turns = 0, i = 0, sum = 0;
  for (int a = 0; a < 9; a++) {
    if (a % 2 == 0)
      continue;
    odd++;
  }
  while (1) {
    while (1) {
      if (++left >= 2)
        break;
    }
    break;
  }
  do {
    turns++;
    if (turns < 5)
      continue;
    if (turns == 6)
      break;
  } while (turns < 10);
  while (i < 10) {
    i++;
    switch (i % 3) {
    case 0:
      continue;
    case 1:
      break;
    default:
      sum += i;
      continue;
    }
    sum += 1;
    if (i == 10)
      break;
  }
  assert(odd == 4 && left == 2 && turns == 6);
  sum -= 2 + 5 + 8 + 4;
  assert(sum == 0);
  printf("%d %d %d %d\n", odd, left, turns, sum + 20);
  return 0;
}
