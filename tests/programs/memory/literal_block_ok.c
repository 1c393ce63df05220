/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE
 * native: exit=0
 * what: a compound literal is used in its block, again and again */
struct range {
  int from, to;
};
static int size(const struct range *r) {
  return r->to - r->from;
}
int main(void) {
  int sum = 0;
  for (int i = 0; i < 3; i++) {
    const struct range *r = &(struct range){i, 2 * i};
    for (int k = 0; k < 2; k++)
      sum += size(r) + size(&(struct range){0, k});
  }
  struct range *last = 0, *one;
  int j = 0;
again: /* in one block it is one object (C17 6.5.2.5) */
  one = last, last = &(struct range){j++, 0};
  if (j < 2)
    goto again;
  return sum != 9 || one != last || one->from != 1;
}
