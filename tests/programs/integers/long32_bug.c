/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: skip right with 64 bits
 * options: --32
 * what: right with a 64-bit long, wrong with 32 bits: the product loses
 *   its upper part */
extern void __assert_fail(const char *, const char *, unsigned, const char *)
    __attribute__((noreturn));
#define assert(e)                                                              \
  ((e) ? (void)0 : __assert_fail(#e, __FILE__, __LINE__, __func__))
int main(void) {
  unsigned long bytes = 3;
  for (int i = 0; i < 31; i++)
    bytes *= 2;
  assert(bytes / 3 == 1ul << 31);
  return 0;
}
