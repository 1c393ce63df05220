/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: frees the node and then reads the link in it */
#include <stdlib.h>
struct node {
  int v;
  struct node *next;
};
int main(void) {
  struct node *list = 0;
  for (int i = 0; i < 2; i++) {
    struct node *n = malloc(sizeof *n);
    if (!n)
      abort();
    n->v = i;
    n->next = list;
    list = n;
  }
  for (struct node *n = list; n; n = n->next)
    free(n);
  return 0;
}
