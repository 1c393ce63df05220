/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: a compound literal ends with the block it stands in */
struct range {
  int from, to;
};
int main(void) {
  struct range *r = 0;
  int n = 2;
  if (n)
    r = &(struct range){1, n};
  return r->to - 2;
}
