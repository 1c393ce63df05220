/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: control comes into the block by a goto, behind the declaration */
int main(void) {
  int *p;
  goto in;
  {
    int x;
  in:
    x = 0;
    p = &x;
  }
  return *p;
}
