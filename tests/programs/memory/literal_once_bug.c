/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: the body of do … while (0) is a block, also without braces */
#define SET(p, v)                                                              \
  do                                                                           \
    p = &(int){v};                                                             \
  while (0)
int main(void) {
  int *p;
  SET(p, 0);
  return *p;
}
