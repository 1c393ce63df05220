/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: changes of one variable that commas, && and full expressions put in order */
#include <assert.h>
int main(void) {
  int i = 0, list[3] = {0};
  list[i++] = 1;
  i = i + 1;
  list[i] = i;
  assert(list[0] == 1 && list[2] == 2);
  int k = (i++, i);
  assert(k == 3);
  k = i++ && i == 4;
  assert(k);
  return 0;
}
