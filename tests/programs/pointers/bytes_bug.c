/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: a byte of an address, by way of its memory, is left open as much as its bits */
#include <assert.h>
#include <string.h>
static int a;
static union {
  int *p;
  unsigned half;
  unsigned char bytes[8];
} both;
int main(void) {
  int *p = &a;
  unsigned char one;
  memcpy(&one, (char *)&p + 1, 1);
  both.p = p;
  assert(one == 0 && both.half < 4096 && both.bytes[2] == 0);
  return 0;
}
