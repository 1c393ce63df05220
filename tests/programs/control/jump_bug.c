/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: longjmp to a function that has returned; and a failing assertion behind one
 * to a function that has not */
#include <assert.h>
#include <setjmp.h>
#include <stdlib.h>

static jmp_buf gone, here;

static int mark(void) {
  return setjmp(gone);
}

int main(int argc, char **argv) {
  int n = mark();
  if (rand() % 2) {
    int k = setjmp(here);
    assert(k != 7);
    longjmp(here, 7);
  }
  if (!n)
    longjmp(gone, 1);
  return 0;
}
