/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: exit=134
 * what: months are counted from 0 */
#include <assert.h>
#include <time.h>

int main(void) {
  time_t leap = 951782400;
  struct tm *date = gmtime(&leap);
  assert(date->tm_mon == 2);
  return 0;
}
