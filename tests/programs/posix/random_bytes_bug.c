/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: skip it writes over the stack
 * what: more bytes than there is place for */
#include <sys/random.h>

int main(void) {
  char bytes[300];
  getrandom(bytes, 400, 0);
  return 0;
}
