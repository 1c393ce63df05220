/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE
 * native: exit=0
 * what: within the expression the array is there; a variable lives longer */
#include <assert.h>
struct name {
  char text[8];
};
static struct name make(char first) {
  struct name n = {{first, 'b', 0}};
  return n;
}
int main(void) {
  assert(make('a').text[1] == 'b');
  struct name tmp = make('c');
  char *text = tmp.text;
  assert(text[0] == 'c');
  return 0;
}
