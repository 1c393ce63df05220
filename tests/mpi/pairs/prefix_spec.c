/* SPDX-License-Identifier: MIT */
/* part: prefix sums, one after the other */

#ifndef N
#define N 8
#endif

#pragma heddle input
int a[N];
#pragma heddle output
int sums[N];

int main(void) {
  int s = 0;
  for (int i = 0; i < N; i++) {
    s += a[i];
    sums[i] = s;
  }
  return 0;
}
