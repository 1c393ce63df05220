/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE
 * native: exit=0
 * what: sscanf reads what is there, no more and no less */
#include <assert.h>
#include <stdio.h>
#include <string.h>
int main(void) {
  int a = 0, b = 0, n = 0;
  unsigned u = 0;
  double d = 0;
  char word[8], c;
  assert(sscanf("7 -8", "%d %d", &a, &b) == 2 && a == 7 && b == -8);
  assert(sscanf("12345", "%2d%3d", &a, &b) == 2 && a == 12 && b == 345);
  assert(sscanf("x=5;y=0x1f", "x=%i;y=%i", &a, &b) == 2 && a == 5 && b == 31);
  assert(sscanf("ab12", "%[a-z]%u%n", word, &u, &n) == 2 && u == 12);
  assert(strcmp(word, "ab") == 0 && n == 4);
  assert(sscanf("1,2.5", "%*d,%lf", &d) == 1 && d == 2.5);
  assert(sscanf("", "%d", &a) == EOF && sscanf("q", "%d", &a) == 0);
  assert(sscanf("5 q", "%d%d", &a, &b) == 1 && a == 5 && b == 31);
  assert(sscanf(" z", " %c", &c) == 1 && c == 'z');
  assert(sscanf("50%", "%d%%%n", &a, &n) == 1 && n == 3);
  return 0;
}
