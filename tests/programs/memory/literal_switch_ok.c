/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE
 * native: exit=0
 * what: switches over constants and once-loops whose literals are used inside */
#include <assert.h>
static int sum(const int *a, int n) {
  return n ? a[n - 1] + sum(a, n - 1) : 0;
}
int main(void) {
  int s = 0;
  switch (sizeof(short)) {
  case 2:
    s += sum((int[]){1, 2, 3}, 3);
    break;
  default:
    s = 100;
  }
  do
    s += sum((int[]){4, 5}, 2);
  while (0);
  switch ((s++, 'a')) {
  case 'a':
    s += *&(int){6};
  }
  assert(s == 22);
  return 0;
}
