/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE leak=SAFE
 * native: exit=0 output="1 2 3 5 7 8"
 * what: a binary search tree: recursive insertion, walk and freeing */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
struct tree {
  int key;
  struct tree *child[2];
};
static struct tree *insert(struct tree *t, int key) {
  if (!t) {
    t = calloc(1, sizeof *t);
    if (!t)
      abort();
    t->key = key;
  } else if (key != t->key)
    t->child[key > t->key] = insert(t->child[key > t->key], key);
  return t;
}
static int last = -1;
static void walk(const struct tree *t) {
  if (!t)
    return;
  walk(t->child[0]);
  assert(t->key > last);
  printf(last < 0 ? "%d" : " %d", t->key);
  last = t->key;
  walk(t->child[1]);
}
static void drop(struct tree *t) {
  if (t) {
    drop(t->child[0]);
    drop(t->child[1]);
    free(t);
  }
}
int main(void) {
  static const int keys[] = {5, 2, 8, 1, 3, 7, 5};
  struct tree *t = 0;
  for (int i = 0; i < 7; i++)
    t = insert(t, keys[i]);
  walk(t);
  puts("");
  drop(t);
  return 0;
}
