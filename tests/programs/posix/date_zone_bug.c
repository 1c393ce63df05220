/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: skip what the zone is
 * what: nobody says that the computer is east of Greenwich */
#include <assert.h>
#include <time.h>

int main(void) {
  time_t start = 0;
  struct tm date;
  if (localtime_r(&start, &date))
    assert(date.tm_year == 70);
  return 0;
}
