/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE
 * native: exit=0 output="3 1 2"
 * what: pointers to pointers: swap of pointers, removal from a list
 *   through the address of the link, arrays of pointers */
#include <assert.h>
#include <stdio.h>
struct node {
  int v;
  struct node *next;
};
static void swap(int **a, int **b) {
  int *t = *a;
  *a = *b;
  *b = t;
}
static void unlink_value(struct node **link, int v) {
  while (*link) {
    if ((*link)->v == v)
      *link = (*link)->next;
    else
      link = &(*link)->next;
  }
}
int main(void) {
  int x = 1, y = 2, *p = &x, *q = &y, **pp = &p, ***ppp = &pp;
  swap(&p, &q);
  ***ppp = 3;
  assert(y == 3 && *q == 1 && **pp == 3);
  struct node c = {2, 0}, b = {5, &c}, a = {5, &b}, *head = &a;
  unlink_value(&head, 5);
  assert(head == &c && head->next == 0);
  int *both[2] = {&x, &y};
  assert(*both[0] + *both[1] == 4);
  printf("%d %d %d\n", y, x, head->v);
  return 0;
}
