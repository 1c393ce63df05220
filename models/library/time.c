/* SPDX-License-Identifier: MIT */
/* Dates. Those functions that give a place of their own have one for all
 * threads: that is a race, where two of them use it. */
#define _GNU_SOURCE
#include "model.h"

#include <pthread.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>

static struct tm the_date;
static char the_text[26];

static const char days[7][10] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                 "Thursday", "Friday", "Saturday"};
static const char months[12][10] = {
    "January", "February", "March",     "April",   "May",      "June",
    "July",    "August",   "September", "October", "November", "December"};

/* Rounded down. */
static long long divided(long long a, long long b) {
  return (a - (a < 0) * (b - 1)) / b;
}

/* Days from the first of March of year 0, which comes after its leap day. */
enum { EPOCH = 719468, ERA = 146097 };

/* The date of so many seconds from 1970 on; 0 where its year is too large. */
static int break_down(long long seconds, struct tm *to) {
  long long day = divided(seconds, 86400), rest = seconds - day * 86400;
  long long from = day + EPOCH, era = divided(from, ERA);
  long long of_era = from - era * ERA;
  long long years = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096);
  years /= 365;
  long long of_year = of_era - (365 * years + years / 4 - years / 100);
  long long month = (5 * of_year + 2) / 153, late = month >= 10;
  long long year = years + era * 400 + late;
  if (year - 1900 < INT_MIN || year - 1900 > INT_MAX)
    return 0;
  int leap = !(year % 4) & (!!(year % 100) | !(year % 400));
  to->tm_sec = (int)(rest % 60);
  to->tm_min = (int)(rest / 60 % 60);
  to->tm_hour = (int)(rest / 3600);
  to->tm_mday = (int)(of_year - (153 * month + 2) / 5 + 1);
  to->tm_mon = (int)(month + 2 - 12 * late);
  to->tm_year = (int)(year - 1900);
  to->tm_wday = (int)(day + 4 - 7 * divided(day + 4, 7));
  to->tm_yday = (int)(of_year - 306 * late + (59 + leap) * !late);
  return 1;
}

/* And back; the numbers may be any. */
static long long put_together(const struct tm *date) {
  long long years = divided(date->tm_mon, 12);
  long long month = date->tm_mon - 12 * years + 1, early = month <= 2;
  long long year = date->tm_year + 1900LL + years - early;
  long long era = divided(year, 400), of_era = year - era * 400;
  long long day = (153 * (month + 12 * early - 3) + 2) / 5 + of_era * 365 +
                  of_era / 4 - of_era / 100 + era * ERA - EPOCH +
                  date->tm_mday - 1;
  return day * 86400 + date->tm_hour * 3600LL + date->tm_min * 60LL +
         date->tm_sec;
}

/* What is not known is the zone: how far it is from UTC at a time. The same time has
 * the same date whenever it is asked for, up to so many of them. */
enum { TIMES = 4 };

static struct shift {
  long long time;
  int seconds, summer;
} shifts[TIMES];
static int n_shifts;

static struct shift any_shift(void) {
  return (struct shift){.seconds = heddle_nondet_int(-89999, 89999),
                        .summer = heddle_nondet_bool()};
}

static void keep_shift(struct shift s) {
  if (n_shifts < TIMES)
    shifts[n_shifts++] = s;
}

static struct shift shift_at(long long time) {
  struct shift found;
  int i = 0;
  heddle_atomic_begin();
  while (i < n_shifts && shifts[i].time != time)
    i++;
  if (i < n_shifts) {
    found = shifts[i];
  } else {
    found = any_shift();
    found.time = time;
    keep_shift(found);
  }
  heddle_atomic_end();
  return found;
}

static struct tm *too_large(void) {
  errno = EOVERFLOW;
  return NULL;
}

static struct tm *local(long long time, struct tm *to) {
  struct shift s = shift_at(time);
  if (time > LLONG_MAX - 90000 || time < LLONG_MIN + 90000 ||
      !break_down(time + s.seconds, to))
    return too_large();
  to->tm_isdst = s.summer;
  to->tm_gmtoff = s.seconds;
  to->tm_zone = s.summer ? "CEST" : "CET";
  return to;
}

struct tm *localtime_r(const time_t *time, struct tm *to) {
  return local(*time, to);
}

struct tm *localtime(const time_t *time) {
  return local(*time, &the_date);
}

struct tm *gmtime_r(const time_t *time, struct tm *to) {
  if (!break_down(*time, to))
    return too_large();
  to->tm_isdst = 0;
  to->tm_gmtoff = 0;
  to->tm_zone = "GMT";
  return to;
}

struct tm *gmtime(const time_t *time) {
  return gmtime_r(time, &the_date);
}

time_t timegm(struct tm *date) {
  time_t time = (time_t)put_together(date);
  return gmtime_r(&time, date) ? time : -1;
}

/* Of a date that there is twice in a year, or not at all, it is one or none. */
time_t mktime(struct tm *date) {
  long long at = put_together(date);
  struct shift s;
  int i = 0;
  heddle_atomic_begin();
  while (i < n_shifts &&
         (shifts[i].time + shifts[i].seconds != at ||
          (date->tm_isdst >= 0 && shifts[i].summer != !!date->tm_isdst)))
    i++;
  if (i < n_shifts) {
    s = shifts[i];
  } else {
    s = any_shift();
    s.time = at - s.seconds;
    keep_shift(s);
  }
  heddle_atomic_end();
  return local(s.time, date) ? (time_t)s.time : -1;
}

/* One conversion of strftime, as in the locale "C". */
static void format_date(char part[128], char letter, const struct tm *date) {
  int hour = date->tm_hour % 12 ? date->tm_hour % 12 : 12;
  const int year = date->tm_year + 1900;
  enum { ROOM = 128 };
  switch (letter) {
  case 'a':
    snprintf(part, ROOM, "%.3s", days[date->tm_wday]);
    break;
  case 'A':
    snprintf(part, ROOM, "%s", days[date->tm_wday]);
    break;
  case 'b':
  case 'h':
    snprintf(part, ROOM, "%.3s", months[date->tm_mon]);
    break;
  case 'B':
    snprintf(part, ROOM, "%s", months[date->tm_mon]);
    break;
  case 'c':
    snprintf(part, ROOM, "%.3s %.3s %2d %02d:%02d:%02d %d", days[date->tm_wday],
             months[date->tm_mon], date->tm_mday, date->tm_hour, date->tm_min,
             date->tm_sec, year);
    break;
  case 'd':
    snprintf(part, ROOM, "%02d", date->tm_mday);
    break;
  case 'D':
  case 'x':
    snprintf(part, ROOM, "%02d/%02d/%02d", date->tm_mon + 1, date->tm_mday,
             (year % 100 + 100) % 100);
    break;
  case 'e':
    snprintf(part, ROOM, "%2d", date->tm_mday);
    break;
  case 'F':
    snprintf(part, ROOM, "%d-%02d-%02d", year, date->tm_mon + 1, date->tm_mday);
    break;
  case 'H':
    snprintf(part, ROOM, "%02d", date->tm_hour);
    break;
  case 'I':
    snprintf(part, ROOM, "%02d", hour);
    break;
  case 'j':
    snprintf(part, ROOM, "%03d", date->tm_yday + 1);
    break;
  case 'm':
    snprintf(part, ROOM, "%02d", date->tm_mon + 1);
    break;
  case 'M':
    snprintf(part, ROOM, "%02d", date->tm_min);
    break;
  case 'n':
    snprintf(part, ROOM, "\n");
    break;
  case 'p':
    snprintf(part, ROOM, "%s", date->tm_hour >= 12 ? "PM" : "AM");
    break;
  case 'R':
    snprintf(part, ROOM, "%02d:%02d", date->tm_hour, date->tm_min);
    break;
  case 'S':
    snprintf(part, ROOM, "%02d", date->tm_sec);
    break;
  case 't':
    snprintf(part, ROOM, "\t");
    break;
  case 'T':
  case 'X':
    snprintf(part, ROOM, "%02d:%02d:%02d", date->tm_hour, date->tm_min,
             date->tm_sec);
    break;
  case 'u':
    snprintf(part, ROOM, "%d", date->tm_wday ? date->tm_wday : 7);
    break;
  case 'w':
    snprintf(part, ROOM, "%d", date->tm_wday);
    break;
  case 'y':
    snprintf(part, ROOM, "%02d", (year % 100 + 100) % 100);
    break;
  case 'Y':
    snprintf(part, ROOM, "%d", year);
    break;
  case 'Z':
    snprintf(part, ROOM, "%s", date->tm_zone);
    break;
  case '%':
    snprintf(part, ROOM, "%%");
    break;
  default:
    __heddle_not_modelled("a conversion of strftime");
  }
}

size_t strftime(char *to, size_t size, const char *format,
                const struct tm *date) {
  size_t n = 0;
  for (; *format; format++) {
    char part[128] = {*format};
    if (*format == '%')
      format_date(part, *++format, date);
    size_t more = strlen(part);
    if (more >= size - n || !size) {
      heddle_fill(to, size);
      return 0;
    }
    memcpy(to + n, part, more);
    n += more;
  }
  if (size)
    to[n] = 0;
  return n;
}

/* Where it stops to read is somewhere in the text; which members it sets depends on
 * the format. */
char *strptime(const char *text, const char *format, struct tm *to) {
  int *const members[] = {&to->tm_sec,  &to->tm_min, &to->tm_hour,
                          &to->tm_mday, &to->tm_mon, &to->tm_year,
                          &to->tm_wday, &to->tm_yday};
  static const int most[] = {60, 59, 23, 31, 11, 8099, 6, 365};
  (void)strlen(format);
  size_t n = strlen(text);
  if (heddle_nondet_bool())
    return NULL;
  for (int i = 0; i < 8; i++)
    if (heddle_nondet_bool())
      *members[i] = heddle_nondet_int(i == 5 ? -1900 : i == 3, most[i]);
  return (char *)(uintptr_t)text + heddle_nondet_size_t(0, n);
}

void tzset(void) {}

/* What C says it does: a year of five digits has no place. */
char *asctime_r(const struct tm *date, char *to) {
  sprintf(to, "%.3s %.3s%3d %.2d:%.2d:%.2d %d\n",
          date->tm_wday < 0 || date->tm_wday > 6 ? "???" : days[date->tm_wday],
          date->tm_mon < 0 || date->tm_mon > 11 ? "???" : months[date->tm_mon],
          date->tm_mday, date->tm_hour, date->tm_min, date->tm_sec,
          1900 + date->tm_year);
  return to;
}

char *asctime(const struct tm *date) {
  return asctime_r(date, the_text);
}

char *ctime_r(const time_t *time, char *to) {
  struct tm date;
  return localtime_r(time, &date) ? asctime_r(&date, to) : NULL;
}

char *ctime(const time_t *time) {
  struct tm *date = localtime(time);
  return date ? asctime(date) : NULL;
}

double difftime(time_t a, time_t b) {
  return a < b ? -(double)((unsigned long)b - (unsigned long)a)
               : (double)((unsigned long)a - (unsigned long)b);
}

int clock_getres(clockid_t clock, struct timespec *to) {
  if (heddle_nondet_bool())
    return heddle_error();
  if (to) {
    to->tv_sec = 0;
    to->tv_nsec = heddle_nondet_long(1, 999999999);
  }
  return 0;
}

int timespec_getres(struct timespec *to, int base) {
  return clock_getres(CLOCK_REALTIME, to) ? 0 : base;
}

int clock_settime(clockid_t clock, const struct timespec *from) {
  heddle_look(from, sizeof *from);
  return heddle_status();
}

int settimeofday(const struct timeval *from, const struct timezone *zone) {
  if (from)
    heddle_look(from, sizeof *from);
  return heddle_status();
}

int clock_getcpuclockid(pid_t process, clockid_t *to) {
  *to = CLOCK_PROCESS_CPUTIME_ID;
  return heddle_nondet_bool() ? EPERM : 0;
}

int pthread_getcpuclockid(pthread_t thread, clockid_t *to) {
  *to = CLOCK_THREAD_CPUTIME_ID;
  return heddle_nondet_bool() ? ENOENT : 0;
}

clock_t times(struct tms *to) {
  to->tms_utime = heddle_nondet_long(0, LONG_MAX);
  to->tms_stime = heddle_nondet_long(0, LONG_MAX);
  to->tms_cutime = heddle_nondet_long(0, LONG_MAX);
  to->tms_cstime = heddle_nondet_long(0, LONG_MAX);
  return heddle_nondet_long(0, LONG_MAX);
}

/* Times, and numbers that count. */
int getrusage(int who, struct rusage *to) {
  if (who != RUSAGE_SELF && who != RUSAGE_CHILDREN && who != RUSAGE_THREAD) {
    errno = EINVAL;
    return -1;
  }
  memset(to, 0, sizeof *to);
  for (long *at = &to->ru_maxrss; at <= &to->ru_nivcsw; at++)
    *at = heddle_nondet_long(0, LONG_MAX);
  to->ru_utime.tv_sec = heddle_nondet_long(0, LONG_MAX);
  to->ru_utime.tv_usec = heddle_nondet_long(0, 999999);
  to->ru_stime.tv_sec = heddle_nondet_long(0, LONG_MAX);
  to->ru_stime.tv_usec = heddle_nondet_long(0, 999999);
  return 0;
}
