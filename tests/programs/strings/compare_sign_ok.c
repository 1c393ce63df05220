/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE
 * native: exit=0
 * what: the sign of comparisons, also where functions hand it on, and whether
 *       isdigit is 0 */
#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
static int by_text(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}
static int order(const char *a, const char *b) {
  int result = strncmp(a, b, 2);
  if (result)
    return result;
  return memcmp(a, b, 3);
}
int main(void) {
  const char *words[] = {"two", "one", "three"};
  int digits = 0;
  qsort(words, 3, sizeof *words, by_text);
  assert(!strcmp(words[0], "one") && strcmp(words[1], words[2]) <= -1);
  assert(order("abc", "abd") < 0 && order("b", "a") >= 1);
  for (const char *p = "a1b2"; *p; p++)
    digits += !!isdigit((unsigned char)*p);
  assert(digits == 2);
  return 0;
}
