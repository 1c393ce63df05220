/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE overflow=UNSAFE uninit=SAFE
 * native: any
 * what: a sum of what was never set decides nothing, but may overflow, also for who
 *   looks for values that were never set */
int main(void) {
  int unset, sum = unset + 1;
  (void)sum;
  return 0;
}
