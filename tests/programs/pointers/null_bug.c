/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: the search may find nothing, the result is used all the same */
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
  return find(heddle_nondet_int(1, 4))->value == 0;
}
