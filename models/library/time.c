/* SPDX-License-Identifier: MIT */
/* Dates. Those functions that give a place of their own have one for all
 * threads: that is a race, where two of them use it. */
#define _GNU_SOURCE
#include "model.h"

#include <pthread.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>

static struct tm the_date;
static char the_text[26];

static struct tm *any_date(struct tm *to) {
  to->tm_sec = heddle_nondet_int(0, 60);
  to->tm_min = heddle_nondet_int(0, 59);
  to->tm_hour = heddle_nondet_int(0, 23);
  to->tm_mday = heddle_nondet_int(1, 31);
  to->tm_mon = heddle_nondet_int(0, 11);
  to->tm_year = heddle_nondet_int(-1900, 8099);
  to->tm_wday = heddle_nondet_int(0, 6);
  to->tm_yday = heddle_nondet_int(0, 365);
  to->tm_isdst = heddle_nondet_int(-1, 1);
  to->tm_gmtoff = heddle_nondet_long(-86400, 86400);
  to->tm_zone = "UTC";
  return to;
}

struct tm *localtime_r(const time_t *time, struct tm *to) {
  heddle_look(time, sizeof *time);
  return any_date(to);
}

struct tm *gmtime_r(const time_t *time, struct tm *to) {
  heddle_look(time, sizeof *time);
  return any_date(to);
}

struct tm *localtime(const time_t *time) {
  heddle_look(time, sizeof *time);
  return any_date(&the_date);
}

struct tm *gmtime(const time_t *time) {
  heddle_look(time, sizeof *time);
  return any_date(&the_date);
}

time_t mktime(struct tm *date) {
  heddle_look(date, sizeof *date);
  any_date(date);
  return heddle_nondet_long(-1, LONG_MAX);
}

time_t timegm(struct tm *date) {
  return mktime(date);
}

size_t strftime(char *to, size_t size, const char *format,
                const struct tm *date) {
  heddle_look(date, sizeof *date);
  (void)strlen(format);
  size_t n = size ? heddle_nondet_size_t(0, size - 1) : 0;
  for (size_t i = 0; i < n; i++)
    to[i] = heddle_nondet_char(32, 126);
  if (size)
    to[n] = 0;
  return n;
}

/* Where it stops to read is somewhere in the text. */
char *strptime(const char *text, const char *format, struct tm *to) {
  (void)strlen(format);
  size_t n = strlen(text);
  if (heddle_nondet_bool())
    return NULL;
  any_date(to);
  return (char *)(uintptr_t)text + heddle_nondet_size_t(0, n);
}

void tzset(void) {}

static char *any_text(char *to) {
  for (int i = 0; i < 24; i++)
    to[i] = heddle_nondet_char(32, 126);
  to[24] = '\n';
  to[25] = 0;
  return to;
}

char *asctime_r(const struct tm *date, char *to) {
  heddle_look(date, sizeof *date);
  return any_text(to);
}

char *ctime_r(const time_t *time, char *to) {
  heddle_look(time, sizeof *time);
  return any_text(to);
}

char *asctime(const struct tm *date) {
  heddle_look(date, sizeof *date);
  return any_text(the_text);
}

char *ctime(const time_t *time) {
  heddle_look(time, sizeof *time);
  return any_text(the_text);
}

double difftime(time_t a, time_t b) {
  return (double)(a - b);
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

int getrusage(int who, struct rusage *to) {
  memset(to, 0, sizeof *to);
  to->ru_utime.tv_sec = heddle_nondet_long(0, LONG_MAX);
  to->ru_utime.tv_usec = heddle_nondet_long(0, 999999);
  to->ru_stime.tv_sec = heddle_nondet_long(0, LONG_MAX);
  to->ru_stime.tv_usec = heddle_nondet_long(0, 999999);
  to->ru_maxrss = heddle_nondet_long(0, LONG_MAX);
  return heddle_status();
}
