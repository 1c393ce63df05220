/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE
 * native: exit=0
 * what: what is weak and nowhere defined is null; other weak things are there */
#include <assert.h>
#include <stddef.h>
extern void hook(void) __attribute__((weak));
extern int setting __attribute__((weak));
__attribute__((weak)) int usual(void) { return 4; }
int main(void) {
  if (hook)
    hook();
  assert(&setting == NULL);
  assert(usual() == 4);
  return 0;
}
