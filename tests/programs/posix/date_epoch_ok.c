/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE overflow=SAFE
 * native: exit=0
 * what: dates of times that are known, and back */
#define _GNU_SOURCE
#include <assert.h>
#include <string.h>
#include <time.h>

int main(void) {
  time_t leap = 951782400, before = -1;
  struct tm date, other = {.tm_year = 100, .tm_mon = 13, .tm_mday = -3};
  char text[32];
  gmtime_r(&leap, &date);
  assert(date.tm_year == 100 && date.tm_mon == 1 && date.tm_mday == 29);
  assert(date.tm_wday == 2 && date.tm_yday == 59);
  assert(timegm(&date) == leap);
  assert(strftime(text, sizeof text, "%Y-%m-%d %T %a", &date) == 23);
  assert(!strcmp(text, "2000-02-29 00:00:00 Tue"));
  assert(strftime(text, 0, "%Y", &date) == 0);
  gmtime_r(&before, &date);
  assert(date.tm_year == 69 && date.tm_hour == 23 && date.tm_sec == 59);
  assert(timegm(&other) == 980640000 && other.tm_mon == 0 && other.tm_mday == 28);
  assert(difftime(7, 9) == -2.0);
  assert(!strcmp(asctime(&date), "Wed Dec 31 23:59:59 1969\n"));
  return 0;
}
