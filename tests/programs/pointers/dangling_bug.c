/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: keeps a pointer to a local variable of a function that has
 *   returned */
static int *kept;
static void keep(void) {
  int local = 5;
  kept = &local;
}
int main(void) {
  keep();
  return *kept == 6;
}
