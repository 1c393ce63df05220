/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE
 * native: exit=0
 * what: the result of the search is tested before it is used */
#include <assert.h>
#include <heddle.h>
struct entry {
  int key, value;
};
static struct entry entries[3] = {{1, 10}, {2, 20}, {4, 40}};
static struct entry *find(int key) {
  for (int i = 0; i < 3; i++)
    if (entries[i].key == key)
      return &entries[i];
  return 0;
}
int main(void) {
  int key = heddle_nondet_int(1, 4);
  struct entry *e = find(key);
  if (e)
    assert(e->value == 10 * key);
  else
    assert(key == 3);
  return 0;
}
