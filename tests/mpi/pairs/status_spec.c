/* SPDX-License-Identifier: MIT */
/* part: says in its exit status whether the input is odd */

#pragma heddle input
int n;
#pragma heddle output
int half;

int main(void) {
  half = n / 2;
  return n % 2 != 0;
}
