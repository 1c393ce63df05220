/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="cbf43926"
 * what: CRC-32 with a table that is computed once */
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
static uint32_t table[16];
static void prepare(void) {
  for (uint32_t i = 0; i < 16; i++) {
    uint32_t c = i;
    for (int k = 0; k < 4; k++)
      c = c & 1 ? 0xEDB88320u ^ (c >> 1) : c >> 1;
    table[i] = c;
  }
}
static uint32_t crc(const char *s) {
  uint32_t c = ~0u;
  for (; *s; s++) {
    c = table[(c ^ (uint8_t)*s) & 15] ^ (c >> 4);
    c = table[(c ^ ((uint8_t)*s >> 4)) & 15] ^ (c >> 4);
  }
  return ~c;
}
int main(void) {
  prepare();
  uint32_t c = crc("123456789");
  assert(c == 0xCBF43926u);
  printf("%x\n", c);
  return 0;
}
