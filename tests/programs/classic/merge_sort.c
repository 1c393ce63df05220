/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE
 * native: exit=0 output="1 2 3 4 6 7 8 9"
 * what: parallel merge sort: two levels of threads on disjoint parts of
 *   one array */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
struct part {
  int *v, n, depth;
};
static void *sort(void *arg) {
  struct part *p = arg;
  if (p->n < 2)
    return 0;
  struct part a = {p->v, p->n / 2, p->depth + 1},
              b = {p->v + p->n / 2, p->n - p->n / 2, p->depth + 1};
  if (p->depth < 1) {
    pthread_t t;
    pthread_create(&t, 0, sort, &a);
    sort(&b);
    pthread_join(t, 0);
  } else {
    sort(&a);
    sort(&b);
  }
  int tmp[8], i = 0, j = 0, k = 0;
  while (i < a.n && j < b.n)
    tmp[k++] = a.v[i] <= b.v[j] ? a.v[i++] : b.v[j++];
  while (i < a.n)
    tmp[k++] = a.v[i++];
  while (j < b.n)
    tmp[k++] = b.v[j++];
  memcpy(p->v, tmp, p->n * sizeof *tmp);
  return 0;
}
int main(void) {
  int v[8] = {7, 3, 9, 1, 8, 2, 6, 4};
  struct part all = {v, 8, 0};
  sort(&all);
  for (int i = 1; i < 8; i++)
    assert(v[i - 1] <= v[i]);
  for (int i = 0; i < 8; i++)
    printf(i ? " %d" : "%d", v[i]);
  puts("");
  return 0;
}
