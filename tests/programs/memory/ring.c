/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE
 * native: exit=0 output="ok"
 * what: a queue in a ring buffer and a stack over one array */
#include <assert.h>
#include <stdio.h>
static int ring[3], head, count, stack[3], top;
static int put(int x) {
  if (count == 3)
    return 0;
  ring[(head + count++) % 3] = x;
  return 1;
}
static int get(int *x) {
  if (!count)
    return 0;
  *x = ring[head];
  head = (head + 1) % 3;
  count--;
  return 1;
}
int main(void) {
  int x = -1;
  assert(!get(&x));
  for (int round = 0; round < 5; round++) {
    assert(put(round) && put(round + 10) && get(&x) && x == round && get(&x) &&
           x == round + 10);
  }
  assert(put(1) && put(2) && put(3) && !put(4) && get(&x) && x == 1);
  for (int i = 0; i < 3; i++)
    stack[top++] = i;
  while (top) {
    top--;
    assert(stack[top] == top);
  }
  puts("ok");
  return 0;
}
