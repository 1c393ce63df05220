/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: a goto back over the declaration of an array of variable size ends it */
int main(void) {
  char *p = 0;
  int n = 1;
again:;
  char a[n];
  if (p)
    return *p;
  a[0] = 0;
  p = a;
  n++;
  goto again;
}
