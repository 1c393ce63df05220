/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: exit=134
 * what: a conversion that fails leaves its variable as it is */
#include <assert.h>
#include <stdio.h>
int main(void) {
  int port = 80;
  sscanf("host:", "host:%d", &port);
  assert(port != 80);
  return 0;
}
