/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: exit=139
 * what: a weak function is called, and nobody defines it */
extern int hook(int) __attribute__((weak));
int main(void) { return hook(1); }
