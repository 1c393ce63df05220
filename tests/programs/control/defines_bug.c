/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: exit=134
 * options: -DN=4
 * what: the same source is right for N up to 3 and wrong for 4 */
#include <assert.h>
static int v[4];
int main(void) {
  int sum = 0;
  for (int i = 0; i < N; i++)
    v[i] = i * i;
  for (int i = 0; i < N; i++)
    sum += v[i];
  assert(sum <= 5);
  return 0;
}
