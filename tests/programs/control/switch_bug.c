/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: exit=134
 * what: a missing break lets the second case overwrite the first */
#include <assert.h>
static int kind(char c) {
  int k;
  switch (c) {
  case '+':
    k = 1;
  case '-':
    k = 2;
    break;
  default:
    k = 0;
  }
  return k;
}
int main(void) {
  assert(kind('-') == 2 && kind('x') == 0);
  assert(kind('+') == 1);
  return 0;
}
