/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: exit=134
 * what: printf writes the number of characters behind %n */
#include <assert.h>
#include <stdio.h>
static int written;
int main(void) {
  printf("abc%n", &written);
  assert(written == 0);
  return 0;
}
