/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=UNSAFE
 * native: exit=134
 * what: thrd_join of oneself fails, so the status is not what the author expects */
#include <assert.h>
#include <threads.h>
int main(void) {
  int status = 7;
  int failed = thrd_join(thrd_current(), &status) != thrd_success;
  assert(!failed);
  return 0;
}
