/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE leak=SAFE
 * native: exit=0 output="3 2 1"
 * what: a linked list on the heap: built, reversed, freed */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
struct node {
  int v;
  struct node *next;
};
static struct node *push(struct node *head, int v) {
  struct node *n = malloc(sizeof *n);
  if (!n)
    abort();
  *n = (struct node){v, head};
  return n;
}
int main(void) {
  struct node *list = 0, *back = 0;
  for (int i = 3; i >= 1; i--)
    list = push(list, i);
  while (list) {
    struct node *next = list->next;
    list->next = back;
    back = list;
    list = next;
  }
  assert(back->v == 3 && back->next->v == 2 && back->next->next->next == 0);
  while (back) {
    struct node *next = back->next;
    printf(next ? "%d " : "%d\n", back->v);
    free(back);
    back = next;
  }
  return 0;
}
