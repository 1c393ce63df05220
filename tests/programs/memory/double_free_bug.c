/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: two owners free the same buffer */
#include <stdlib.h>
struct owner {
  char *name;
};
static void drop(struct owner *o) {
  free(o->name);
}
int main(void) {
  struct owner a = {malloc(4)}, b = a;
  drop(&a);
  drop(&b);
  return 0;
}
