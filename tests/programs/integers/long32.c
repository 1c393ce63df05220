/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: skip no 32-bit library
 * options: --32
 * what: the data model of 32-bit machines: long and pointers have four
 *   bytes */
extern void __assert_fail(const char *, const char *, unsigned, const char *)
    __attribute__((noreturn));
#define assert(e)                                                              \
  ((e) ? (void)0 : __assert_fail(#e, __FILE__, __LINE__, __func__))
int main(void) {
  assert(sizeof(long) == 4 && sizeof(void *) == 4 && sizeof(long long) == 8);
  unsigned long x = 0;
  x--;
  assert(x == 4294967295u);
  struct {
    char c;
    long long v;
  } s;
  assert(sizeof s == 12 && (char *)&s.v - (char *)&s == 4);
  return 0;
}
