/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: a pointer to a variable of an earlier call from the same place */
static int *kept;
static int visit(int n) {
  int here = n;
  if (kept && n == 2)
    return *kept;
  kept = &here;
  return 0;
}
int main(void) {
  for (int n = 1; n < 3; n++)
    visit(n);
  return 0;
}
