/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: skip runs for minutes
 * what: most inputs make the loops run for minutes; those that show the bug do
 * not */
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static void *fill(void *arg) {
  unsigned rows = __VERIFIER_nondet_uint();
  unsigned columns = __VERIFIER_nondet_uint();
  unsigned row, column = 0, cells = 0;
  for (row = 0; row < rows; row++)
    for (column = 0; column < columns; column++)
      cells++;
  assert(row == rows && column == columns); /* not when there is no row */
  return arg;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], 0, fill, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  return 0;
}
