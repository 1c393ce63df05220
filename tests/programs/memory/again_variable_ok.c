/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: variables of calls that are alive have different addresses */
#include <assert.h>
static int differs(const int *outer) {
  int here = 2;
  const int *inner = &here;
  return outer != inner;
}
int main(void) {
  int mine = 1;
  assert(differs(&mine));
  assert(differs(&mine));
  return 0;
}
