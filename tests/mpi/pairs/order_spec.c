/* SPDX-License-Identifier: MIT */
/* part: what one process says at once: the sum of all ranks, and a power of two. */
#pragma heddle input{0 <= n &&n <= 40 }
int n;
#pragma heddle output
int sum;
#pragma heddle output
long power;

int main(void) {
  sum = 3;
  power = 1l << n;
  return 0;
}
