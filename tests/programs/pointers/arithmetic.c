/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE
 * native: exit=0 output="ok"
 * what: pointer arithmetic, differences, comparison, one past the end,
 *   casts to char and back */
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
int main(void) {
  int v[5] = {1, 2, 3, 4, 5}, *p = v, *end = v + 5;
  int s = 0;
  while (p != end)
    s += *p++;
  assert(s == 15 && p - v == 5 && p[-1] == 5 && *(end - 5) == 1);
  assert(v<end && & v[2]> & v[1] && !(p < v));
  char *c = (char *)&v[1];
  assert(*c == 2 && *(int *)(c + 4) == 3 && (c - (char *)v) == 4);
  p = &v[4];
  *p-- = 9;
  *--p += 10;
  assert(v[4] == 9 && v[2] == 13 && 2 [v] == 13);
  uintptr_t n = (uintptr_t)p;
  assert((int *)n == p && n % sizeof(int) == 0);
  void *q = v;
  assert((int *)q + 2 == p && q != 0);
  puts("ok");
  return 0;
}
