/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: of the result of strcmp C says the sign only */
#include <assert.h>
#include <string.h>
static int compare(const char *a, const char *b) {
  int order = strcmp(a, b);
  return order;
}
int main(void) {
  char left[] = "a", right[] = "c";
  switch (compare(left, right)) {
  case -1:
  case 0:
  case 1:
    return 0;
  }
  assert(0);
}
