/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: a word without a width that is as long as its place */
#include <stdio.h>
int main(void) {
  char word[4];
  return sscanf("four five", "%s", word) != 1;
}
