/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: a stack without locks: an address that comes again makes the exchange
 *       succeed with an old successor */
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node {
  struct node *_Atomic next;
};
static _Atomic(struct node *) top;
static struct node *pop(void) {
  struct node *first = top;
  while (first && !atomic_compare_exchange_strong(&top, &first, first->next))
    ;
  return first;
}
static void push(void) {
  struct node *n = malloc(sizeof *n);
  n->next = top;
  top = n;
}
int main(void) {
  push();
  struct node *seen = top; /* as another thread would have it */
  free(pop());
  push();
  struct node *none = 0;
  assert(!atomic_compare_exchange_strong(&top, &seen, none));
  free(pop());
  return 0;
}
