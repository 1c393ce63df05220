/* SPDX-License-Identifier: MIT */
/* A counter that all iterations share.
 * expect: race UNSAFE */
int input[1000], output[1000];
int main(void) {
  int outlen = 0;
  for (int i = 0; i < 1000; i++) input[i] = i;
#pragma omp parallel for
  for (int i = 0; i < 1000; i++)
    output[outlen++] = input[i];
  return output[500];
}
