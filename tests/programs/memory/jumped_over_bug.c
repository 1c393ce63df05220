/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: a variable whose declaration is jumped over ends with its block */
int main(void) {
  int *p = 0;
  for (int i = 0; i < 2; i++)
    switch (i) {
      int x;
    case 0:
      x = 0;
      p = &x;
      break;
    case 1:
      x = 1;
      return *p;
    }
  return 0;
}
