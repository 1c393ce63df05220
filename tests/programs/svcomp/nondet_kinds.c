/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: inputs of every type stay in the range of their type */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void __VERIFIER_assume(int);
int main() {
  _Bool b = __VERIFIER_nondet_bool();
  assert(b == 0 || b == 1);
  assert((int)__VERIFIER_nondet_uchar() >= 0 &&
         (int)__VERIFIER_nondet_char() <= 127);
  int s = __VERIFIER_nondet_short(), u = __VERIFIER_nondet_ushort();
  assert(s >= -32768 && s <= 32767 && u >= 0 && u <= 65535);
  unsigned x = __VERIFIER_nondet_uint();
  assert((unsigned long)x + 1 != 0);
  long l = __VERIFIER_nondet_long();
  unsigned long m = __VERIFIER_nondet_ulong();
  assert((l < 0) == ((unsigned long)l > 9223372036854775807ul) &&
         m + 1 - 1 == m);
  int i = __VERIFIER_nondet_int();
  __VERIFIER_assume(i > 3);
  assert(i >= 4);
  return 0;
}
