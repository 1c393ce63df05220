/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE uninit=SAFE
 * native: exit=0
 * what: every path gives the variable a value; a copy of padding and of
 *   unread members is harmless */
#include <assert.h>
#include <heddle.h>
struct padded {
  char c;
  int i, unread;
};
int main(void) {
  int kind = heddle_nondet_int(0, 2), cost;
  switch (kind) {
  case 0:
    cost = 1;
    break;
  case 1:
    cost = 2;
    break;
  default:
    cost = 3;
  }
  struct padded p, q;
  p.c = 'x';
  p.i = cost;
  q = p;
  assert(q.c == 'x' && q.i == kind + 1);
  return 0;
}
