/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE leak=SAFE
 * native: exit=0 output="10 45"
 * what: a growing array: realloc keeps the content, realloc of null, free
 *   of null, calloc is zero */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
struct array {
  int *data;
  int size, capacity;
};
static void add(struct array *a, int x) {
  if (a->size == a->capacity) {
    a->capacity = a->capacity ? 2 * a->capacity : 2;
    int *more = realloc(a->data, a->capacity * sizeof *more);
    if (!more)
      abort();
    a->data = more;
  }
  a->data[a->size++] = x;
}
int main(void) {
  struct array a = {0};
  int sum = 0;
  for (int i = 0; i < 10; i++)
    add(&a, i);
  for (int i = 0; i < a.size; i++)
    sum += a.data[i];
  assert(sum == 45 && a.capacity == 16);
  printf("%d %d\n", a.size, sum);
  free(a.data);
  free(0);
  long *z = calloc(4, sizeof *z);
  if (z)
    assert(z[0] == 0 && z[3] == 0);
  free(z);
  return 0;
}
