/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE
 * native: exit=0
 * what: functions on texts and numbers say what C and POSIX say of them */
#define _GNU_SOURCE
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

char *__xpg_basename(char *path);
char *dirname(char *path);

static int same(const void *a, const void *b) {
  return *(const int *)a != *(const int *)b;
}

static const char *base(const char *path) {
  static char room[32];
  return __xpg_basename(strcpy(room, path));
}

static const char *folder(const char *path) {
  static char room[32];
  return dirname(strcpy(room, path));
}

int main(void) {
  char room[8];
  assert(!strcmp(base("/usr/lib/"), "lib") && !strcmp(base("/"), "/"));
  assert(!strcmp(base(""), ".") && !strcmp(base("a"), "a"));
  assert(!strcmp(basename("/usr/lib"), "lib") && !*basename("/usr/"));
  assert(!strcmp(folder("/usr/lib"), "/usr") && !strcmp(folder("/usr"), "/"));
  assert(!strcmp(folder("a//b"), "a") && !strcmp(folder("b/"), "."));
  assert(!strcmp(folder("a/b"), "a") && !strcmp(folder("/"), "/"));
  assert(!strcmp(strcasestr("a Lock is", "LOCK"), "Lock is"));
  assert(!strcasestr("a loc", "lock") && !*strcasestr("ab", "B") == 0);
  assert(stpncpy(room, "abc", 8) == room + 3 && room[7] == 0);
  assert(stpncpy(room, "abcd", 2) == room + 2 && room[2] == 'c');
  assert(index("abcb", 'b')[1] == 'c' && rindex("abcb", 'b')[1] == 0);
  assert(strtoimax("-12x", NULL, 10) == -12 &&
         strtoumax("ff", NULL, 16) == 255);
  assert(imaxabs(-7) == 7 && lldiv(-7, 2).rem == -1);
  swab("abcde", room, 5);
  assert(!memcmp(room, "badc", 4));
  double whole;
  int exponent;
  assert(modf(-3.25, &whole) == -0.25 && whole == -3);
  assert(modf(INFINITY, &whole) == 0 && whole == INFINITY);
  assert(frexp(-12.0, &exponent) == -0.75 && exponent == 4);
  assert(frexp(0x1p-1050, &exponent) == 0.5 && exponent == -1049);
  assert(frexp(0, &exponent) == 0 && exponent == 0);
  assert(scalbn(3, -1) == 1.5 && isnan(nan("")));
  size_t n = 3;
  int list[] = {4, 5, 6}, what = 5;
  assert(lfind(&what, list, &n, sizeof *list, same) == list + 1);
  return 0;
}
