/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: the array in a function's result ends with the expression (C17 6.2.4) */
struct name {
  char text[8];
};
static struct name make(void) {
  struct name n = {"abc"};
  return n;
}
int main(void) {
  char *text = make().text;
  return text[0] & 0;
}
