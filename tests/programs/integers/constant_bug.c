/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE overflow=UNSAFE arith=UNSAFE
 * native: any
 * what: constants of a file that leave their type, or are shifted too far */
#include <assert.h>
struct pair {
  int first, second[2];
};
enum { LARGE = 2147483647 + 1 };
static int grown = 2147483647 + 1;
static struct pair pair = {1, {2, 2147483647 * 2}};
static int shifted = 1 << 32;
int main(void) {
  assert(pair.first == 1);
  return grown == LARGE && shifted == pair.second[0];
}
