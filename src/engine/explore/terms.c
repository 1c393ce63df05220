/* SPDX-License-Identifier: MIT */
/* Terms of values that depend on inputs.
 *
 * A byte with undefined bits is either one that was never set, when these are
 * the lowest so many (1, 3, 7 … 255), or one of 247 × 256 others: the number of a
 * term and of a byte in it. What was never set and what depends on inputs do not
 * mix: an operation on both gives what was never set.
 *
 * Every term has the value at hand beside it, computed when the term is made. */
#include "base/word.h"
#include "engine/explore/symbols_impl.h"

enum { BYTES = HD_SYM_MASKS * 256 };

/* --- terms with values --- */

hd_sym hd_sym_with(hd_symbols *s, hd_bv_term term, uint64_t value) {
  uint64_t bits;
  assert(!hd_bv_is_const(s->bv, term, &bits) || bits == value);
  (void)bits;
  while (s->values.size <= term)
    hd_vec_push(&s->values, (uint64_t)0);
  s->values.data[term] = value;
  return (hd_sym){term, value};
}

hd_sym hd_sym_constant(hd_symbols *s, uint8_t width, uint64_t value) {
  value &= hd_word_mask(width);
  return hd_sym_with(s, hd_bv_const(s->bv, width, value), value);
}

uint8_t hd_sym_width(const hd_symbols *s, hd_sym x) {
  return hd_bv_width(s->bv, x.term);
}

hd_sym hd_sym_apply(hd_symbols *s, hd_bv_op op, hd_sym a, hd_sym b) {
  assert(hd_sym_width(s, a) == hd_sym_width(s, b));
  uint8_t width = hd_sym_width(s, a);
  return hd_sym_with(s, hd_bv_apply(s->bv, op, a.term, b.term),
                     hd_bv_compute(op, a.value, b.value, width));
}

hd_sym hd_sym_resize(hd_symbols *s, hd_sym a, uint8_t width, bool sign) {
  assert(width > 0 && width <= 64);
  uint64_t value =
      sign ? (uint64_t)hd_word_signed(a.value, hd_sym_width(s, a)) : a.value;
  return hd_sym_with(s, hd_bv_resize(s->bv, a.term, width, sign),
                     value & hd_word_mask(width));
}

hd_sym hd_sym_not(hd_symbols *s, hd_sym a) {
  assert(hd_sym_width(s, a) == 1);
  return hd_sym_with(s, hd_bv_not(s->bv, a.term), !a.value);
}

hd_sym hd_sym_choose(hd_symbols *s, hd_sym c, hd_sym yes, hd_sym no) {
  assert(hd_sym_width(s, c) == 1);
  assert(hd_sym_width(s, yes) == hd_sym_width(s, no));
  return hd_sym_with(s, hd_bv_choose(s->bv, c.term, yes.term, no.term),
                     c.value ? yes.value : no.value);
}

void hd_sym_decide(hd_symbols *s, hd_sym bit) {
  uint64_t known;
  assert(hd_sym_width(s, bit) == 1);
  if (hd_bv_is_const(s->bv, bit.term, &known))
    return;
  hd_bv_term t = bit.value ? bit.term : hd_bv_not(s->bv, bit.term);
  while (s->decided.size <= t)
    hd_vec_push(&s->decided, (uint32_t)0);
  if (s->decided.data[t] == s->round)
    return;
  s->decided.data[t] = s->round;
  hd_vec_push(&s->decisions, t);
}

uint64_t hd_sym_pin(hd_symbols *s, hd_sym x) {
  uint64_t known;
  if (!hd_bv_is_const(s->bv, x.term, &known))
    hd_sym_decide(
        s, hd_sym_apply(s, HD_BV_EQ, x,
                        hd_sym_constant(s, hd_sym_width(s, x), x.value)));
  return x.value;
}

/* --- values as bytes --- */

static uint32_t bytes_in(uint8_t width) {
  return (width + 7u) / 8;
}

bool hd_sym_is_unset(const hd_symbols *s, hd_machine_value v) {
  for (; v.undef; v.undef >>= 8)
    if (v.undef & 0xff && s->index[v.undef & 0xff] == 0xff)
      return true;
  return false;
}

bool hd_sym_is_open(const hd_symbols *s, hd_machine_value v) {
  for (; v.undef; v.undef >>= 8)
    if (v.undef & 0xff && s->index[v.undef & 0xff] != 0xff)
      return true;
  return false;
}

static uint64_t byte_at(const hd_symbols *s, hd_machine_value v, uint32_t i) {
  unsigned mask = v.undef >> 8 * i & 0xff, low = v.bits >> 8 * i & 0xff;
  uint32_t number = s->index[mask] * 256u + low;
  assert(mask && s->index[mask] != 0xff && number < s->bytes.size);
  return s->bytes.data[number];
}

static hd_sym part(hd_symbols *s, uint64_t byte, uint8_t width) {
  hd_bv_term t = (hd_bv_term)(byte >> 3);
  assert(t < s->values.size);
  hd_sym whole = {t, s->values.data[t]};
  uint8_t from = hd_sym_width(s, whole);
  if (byte & 7)
    whole = hd_sym_apply(s, HD_BV_LSHR, whole,
                         hd_sym_constant(s, from, 8 * (byte & 7)));
  return hd_sym_resize(s, whole, width, false);
}

/* As many bytes of one term, from byte i on, as there are. */
static uint32_t run_of(const hd_symbols *s, hd_machine_value v, uint32_t i,
                       uint32_t n) {
  assert(i < n && n <= 8);
  uint64_t first = byte_at(s, v, i);
  uint32_t k = 1;
  while (i + k < n && v.undef >> 8 * (i + k) & 0xff &&
         byte_at(s, v, i + k) == first + k && (first & 7) + k < 8)
    k++;
  return k;
}

hd_sym hd_sym_of(hd_symbols *s, hd_machine_value v, uint8_t width) {
  assert(width > 0 && width <= 64);
  if (!v.undef)
    return hd_sym_constant(s, width, v.bits);
  uint32_t n = bytes_in(width);
  uint8_t wide = (uint8_t)(8 * n);
  hd_sym sum = hd_sym_constant(s, wide, 0);
  for (uint32_t i = 0; i < n;) {
    uint32_t k = 1;
    hd_sym x;
    if (v.undef >> 8 * i & 0xff) {
      k = run_of(s, v, i, n);
      x = part(s, byte_at(s, v, i), (uint8_t)(8 * k));
    } else {
      x = hd_sym_constant(s, 8, v.bits >> 8 * i);
    }
    if (k == n)
      return hd_sym_resize(s, x, width, false);
    x = hd_sym_resize(s, x, wide, false);
    if (i)
      x = hd_sym_apply(s, HD_BV_SHL, x, hd_sym_constant(s, wide, 8 * i));
    sum = i ? hd_sym_apply(s, HD_BV_OR, sum, x) : x;
    i += k;
  }
  return hd_sym_resize(s, sum, width, false);
}

hd_machine_value hd_sym_value(hd_symbols *s, hd_sym x) {
  uint64_t known;
  if (hd_bv_is_const(s->bv, x.term, &known))
    return (hd_machine_value){x.value, 0};
  uint32_t n = bytes_in(hd_sym_width(s, x));
  if (s->bytes.size + n > BYTES)
    return (hd_machine_value){hd_sym_pin(s, x), 0};
  x = hd_sym_resize(s, x, (uint8_t)(8 * n), false);
  hd_machine_value v = {0, 0};
  for (uint32_t i = 0; i < n; i++) {
    uint64_t byte = (uint64_t)x.term << 3 | i;
    bool fresh;
    uint32_t number =
        *hd_byte_map_put(&s->numbers, byte, (uint32_t)s->bytes.size, &fresh);
    if (fresh)
      hd_vec_push(&s->bytes, byte);
    assert(number < BYTES && s->bytes.data[number] == byte);
    v.bits |= (uint64_t)(number & 0xff) << 8 * i;
    v.undef |= (uint64_t)s->mask[number >> 8] << 8 * i;
  }
  return v;
}
