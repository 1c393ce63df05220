/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: exit=0
 * what: writes behind an array in a struct, into the next member: inside
 *   the object, outside the array */
struct record {
  int v[4];
  int sum;
};
int main(void) {
  struct record r = {{0}, 0};
  for (int i = 0; i <= 4; i++)
    r.v[i] = i;
  return r.sum == 5;
}
