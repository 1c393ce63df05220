/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE overflow=SAFE arith=UNSAFE
 * native: any
 * what: a shift of 128 bits by 128 */
int main(void) {
  unsigned __int128 x = 1;
  for (int i = 125; i <= 128; i++)
    if (!(x << i))
      return 1;
  return 0;
}
