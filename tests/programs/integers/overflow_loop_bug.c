/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE overflow=UNSAFE
 * native: any
 * what: a product that outgrows int in the thirteenth round */
int main(void) {
  int f = 1;
  for (int i = 1; i <= 13; i++)
    f *= i;
  return f == 0;
}
