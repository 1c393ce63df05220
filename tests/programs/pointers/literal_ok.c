/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE
 * native: exit=0
 * what: one literal is one object each time, and different ones are two */
#include <assert.h>
static const char *name(int which) {
  return which ? "left" : "right";
}
static const char *here(void) {
  return __func__;
}
int main(void) {
  const char *first = name(0), *again = name(0);
  assert(first == again && *first == 'r');
  assert(name(0) != name(1));
  assert(here() == here());
  return 0;
}
