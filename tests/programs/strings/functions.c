/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE
 * native: exit=0 output="ok"
 * what: strlen, strcpy, strcat, strcmp, strncpy, strncmp, strchr, strrchr,
 *   strstr */
#include <assert.h>
#include <stdio.h>
#include <string.h>
int main(void) {
  char b[16] = "", n[6];
  strcpy(b, "hed");
  strcat(b, "dle");
  assert(strlen(b) == 6 && strcmp(b, "heddle") == 0 &&
         strcmp(b, "heddlf") < 0 && strcmp(b, "hed") > 0);
  strncpy(n, "ab", sizeof n);
  assert(n[2] == 0 && n[5] == 0);
  strncpy(n, b, 3);
  assert(n[2] == 'd' && n[3] == 0);
  assert(strncmp("heddle", "hedge", 3) == 0 &&
         strncmp("heddle", "hedge", 4) < 0);
  assert(strchr(b, 'd') == b + 2 && strrchr(b, 'd') == b + 3 &&
         strchr(b, 'x') == 0 && strchr(b, 0) == b + 6);
  assert(strstr(b, "ddl") == b + 2 && strstr(b, "xx") == 0);
  const char *same = "x";
  assert(strcmp(same, "x") == 0 && "abc"[1] == 'b' && sizeof "abc" == 4);
  puts("ok");
  return 0;
}
