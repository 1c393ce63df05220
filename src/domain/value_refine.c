/* SPDX-License-Identifier: MIT */
/* What is left of two values when a comparison of them is known to hold, or not
 * to. */
#include "domain/value.h"

#include "domain/value_impl.h"

#include <string.h>

static void clip(hd_value *v, uint8_t width, bool is_signed, hd_wide lo,
                 hd_wide hi) {
  part parts[2];
  int n = parts_of(v, width, parts);
  hd_value kept = *v;
  hd_value empty = hd_value_none();
  kept.plo = empty.plo;
  kept.phi = empty.phi;
  kept.nlo = empty.nlo;
  kept.nhi = empty.nhi;
  for (int i = 0; i < n; i++)
    hd_value_add_range(&kept, width,
                       most(is_signed ? parts[i].lo : parts[i].ulo, lo),
                       least(is_signed ? parts[i].hi : parts[i].uhi, hi));
  *v = kept;
}

static bool bounds(const hd_value *v, uint8_t width, bool is_signed,
                   range *out) {
  part parts[2];
  int n = parts_of(v, width, parts);
  for (int i = 0; i < n; i++) {
    hd_wide lo = is_signed ? parts[i].lo : parts[i].ulo;
    hd_wide hi = is_signed ? parts[i].hi : parts[i].uhi;
    out->lo = i ? least(out->lo, lo) : lo;
    out->hi = i ? most(out->hi, hi) : hi;
  }
  return n > 0;
}

/* a < b, or a ≤ b when `slack` is 1 */
static void refine_less(uint8_t width, bool is_signed, hd_wide slack,
                        hd_value *a, hd_value *b) {
  hd_wide bottom = is_signed ? -((hd_wide)1 << 63) : 0;
  hd_wide top = (hd_wide)1 << 64;
  range ra, rb;
  /* Of addresses among the operands nothing is known. */
  bool limits_a = bounds(b, width, is_signed, &rb) && !has_address(b);
  bool limits_b = bounds(a, width, is_signed, &ra) && !has_address(a);
  if (limits_a)
    clip(a, width, is_signed, bottom, rb.hi - 1 + slack);
  if (limits_b)
    clip(b, width, is_signed, ra.lo + 1 - slack, top);
}

/* Takes the bound away that equals a constant. */
static void remove_const(uint8_t width, hd_value *v, const hd_value *other) {
  uint64_t x;
  if (!hd_value_is_const(other, &x))
    return;
  int64_t s = hd_word_signed(x, width);
  if (v->plo <= v->phi && v->plo == s)
    v->plo++;
  else if (v->plo <= v->phi && v->phi == s)
    v->phi--;
  if (v->nlo <= v->nhi && v->nlo == s)
    v->nlo++;
  else if (v->nlo <= v->nhi && v->nhi == s)
    v->nhi--;
}

static void remove_address(hd_value *v, const hd_value *other) {
  hd_object_id object;
  int64_t offset;
  if (!hd_value_is_address(other, &object, &offset))
    return;
  for (int i = 0; i < v->n_targets; i++)
    if (v->targets[i].object == object && v->targets[i].lo == offset &&
        v->targets[i].hi == offset) {
      memmove(v->targets + i, v->targets + i + 1,
              (size_t)(v->n_targets - i - 1) * sizeof *v->targets);
      v->n_targets--;
      return;
    }
}

static void refine_equal(uint8_t width, hd_value *a, hd_value *b) {
  /* An address may equal an integer other than null: keep both then. */
  hd_value both = hd_value_meet(width, a, b);
  bool mixed_a = has_address(a) && hd_value_has_int(b);
  bool mixed_b = has_address(b) && hd_value_has_int(a);
  uint64_t x;
  bool null_a = hd_value_is_const(a, &x) && x == 0;
  bool null_b = hd_value_is_const(b, &x) && x == 0;
  if (null_a || null_b) {
    /* Equal to null: the integer 0, never an address of an object. */
    hd_value zero = hd_value_none();
    if (hd_value_contains(a, width, 0) && hd_value_contains(b, width, 0))
      zero = hd_value_const(width, 0);
    if ((null_a ? b : a)->wild && !hd_value_has_int(null_a ? b : a))
      zero = hd_value_none();
    *a = *b = zero;
    return;
  }
  if (mixed_a || mixed_b)
    return;
  *a = *b = both;
}

bool hd_value_refine(hd_code_op op, bool truth_wanted, uint8_t width,
                     hd_value *a, hd_value *b) {
  static const hd_code_op opposite[] = {
      [HD_CODE_EQ - HD_CODE_EQ] = HD_CODE_NE,
      [HD_CODE_NE - HD_CODE_EQ] = HD_CODE_EQ,
      [HD_CODE_ULT - HD_CODE_EQ] = HD_CODE_UGE,
      [HD_CODE_ULE - HD_CODE_EQ] = HD_CODE_UGT,
      [HD_CODE_UGT - HD_CODE_EQ] = HD_CODE_ULE,
      [HD_CODE_UGE - HD_CODE_EQ] = HD_CODE_ULT,
      [HD_CODE_SLT - HD_CODE_EQ] = HD_CODE_SGE,
      [HD_CODE_SLE - HD_CODE_EQ] = HD_CODE_SGT,
      [HD_CODE_SGT - HD_CODE_EQ] = HD_CODE_SLE,
      [HD_CODE_SGE - HD_CODE_EQ] = HD_CODE_SLT,
  };
  /* An undefined operand decides either way, and keeps its other values. */
  if (a->undef || b->undef)
    return true;
  hd_value both[2] = {*a, *b};
  hd_value outcome = hd_value_compare(op, width, both);
  if (!hd_value_contains(&outcome, 1, truth_wanted))
    return false;
  if (!truth_wanted)
    op = opposite[op - HD_CODE_EQ];
  bool is_signed = op >= HD_CODE_SLT;
  switch (op) {
  case HD_CODE_EQ:
    refine_equal(width, a, b);
    break;
  case HD_CODE_NE:
    remove_const(width, a, b);
    remove_const(width, b, a);
    remove_address(a, b);
    remove_address(b, a);
    break;
  case HD_CODE_ULT:
  case HD_CODE_SLT:
    refine_less(width, is_signed, 0, a, b);
    break;
  case HD_CODE_ULE:
  case HD_CODE_SLE:
    refine_less(width, is_signed, 1, a, b);
    break;
  case HD_CODE_UGT:
  case HD_CODE_SGT:
    refine_less(width, is_signed, 0, b, a);
    break;
  default:
    refine_less(width, is_signed, 1, b, a);
    break;
  }
  return !hd_value_is_none(a) && !hd_value_is_none(b);
}
