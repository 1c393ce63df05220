/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: whether two equal string literals are one object is left open */
#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>
static const char *_Atomic state = "idle";
static void set(const char *to) {
  state = to;
}
int main(void) {
  set("busy");
  assert(state != "idle");
  assert(state == "busy");
  return 0;
}
