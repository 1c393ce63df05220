/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: a compound literal in a switch over a constant ends with its block */
enum mode { SLOW, FAST };
int main(void) {
  const int *table = 0;
  switch (FAST) {
  case SLOW:
    return 0;
  case FAST: {
    table = (int[]){0, 5};
    break;
  }
  }
  return table[0];
}
