/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: keeps a pointer to a variable of a block that has been left */
int main(void) {
  int *p = 0, s = 0;
  for (int i = 0; i < 2; i++) {
    int inner = i;
    if (!p)
      p = &inner;
    s += inner;
  }
  return *p + s == 77;
}
