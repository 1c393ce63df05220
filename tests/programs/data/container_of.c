/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="42"
 * what: from a pointer to a member back to the struct, as intrusive lists
 *   do */
#include <assert.h>
#include <stddef.h>
#include <stdio.h>
struct node {
  struct node *next;
};
struct item {
  int value;
  struct node link;
};
#define ITEM(n) ((struct item *)((char *)(n)-offsetof(struct item, link)))
int main(void) {
  struct item a = {40, {0}}, b = {2, {&a.link}};
  int sum = 0;
  for (struct node *n = &b.link; n; n = n->next)
    sum += ITEM(n)->value;
  assert(sum == 42 && ITEM(b.link.next) == &a);
  printf("%d\n", sum);
  return 0;
}
