/* SPDX-License-Identifier: MIT */
/* Values that depend on inputs, in memory that the library looks at. */
#include "check/interp/symbolic.h"

#include "base/word.h"
#include "check/interp/memory.h"

uint64_t hd_symbolic_round(const hd_machine *m, uint8_t width, uint64_t undef) {
  uint64_t all = 0;
  for (unsigned i = 0; m->plan->options->symbols && i < 64; i += 8)
    all |= undef >> i & 0xff ? (uint64_t)0xff << i : 0;
  return (undef | all) & hd_word_mask(width);
}

void hd_symbolic_pin_bytes(hd_machine *m, uint64_t address, uint64_t size) {
  for (uint64_t i = 0; m->plan->options->symbols && i < size; i++) {
    const uint8_t *shadow, *bytes = hd_ram_bytes(m, address + i, &shadow);
    if (!shadow)
      return;
    hd_machine_value v = {bytes[0], shadow[0]};
    if (v.undef)
      hd_symbolic_need(m, HD_NEED_VALUE, 8, &v);
    if (!shadow[0] || v.undef)
      continue; /* as it was */
    uint8_t byte = (uint8_t)v.bits;
    hd_ram_write(m, address + i, &byte, NULL, 1);
  }
}

void hd_symbolic_pin_string(hd_machine *m, uint64_t address, uint64_t most) {
  for (uint64_t i = 0; m->plan->options->symbols && i < most; i++) {
    hd_symbolic_pin_bytes(m, address + i, 1);
    if (!*hd_ram_bytes(m, address + i, NULL))
      return;
  }
}
