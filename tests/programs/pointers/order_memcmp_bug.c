/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: which of two addresses has the smaller bytes is left open */
#include <assert.h>
#include <string.h>
static int a, b;
int main(void) {
  int *p = &a, *q = &b;
  assert(memcmp(&p, &q, sizeof p) != 0);
  assert(memcmp(&p, &q, sizeof p) < 0);
  return 0;
}
