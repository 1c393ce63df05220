/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="55 3"
 * what: loops made of goto only, out of two nested loops and back in */
#include <assert.h>
#include <stdio.h>
int main(void) {
  int i = 0, sum = 0, rounds = 0;
again:
  if (i > 10)
    goto done;
  sum += i++;
  goto again;
done:
  for (int a = 0; a < 5; a++)
    for (int b = 0; b < 5; b++) {
      rounds++;
      if (a * b == 0 && b == 2)
        goto out;
    }
out:
  assert(sum == 55 && rounds == 3);
  printf("%d %d\n", sum, rounds);
  return 0;
}
