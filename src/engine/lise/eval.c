/* SPDX-License-Identifier: MIT */
/* Expressions of the code graph as terms: an i32 is the signed number that its
 * bits mean. Operations without sign read their operands as such
 * (hd_lise_unsigned); what leaves its type wraps as it does in C (numbers.c),
 * unless numbers are ideal: then only constants do. i1 is a truth value. Bit
 * operations that are no arithmetic are uninterpreted functions. */
#include "engine/lise/engine.h"

#include "base/float.h"
#include "model/eval.h"

#include <string.h>

hd_term_sort hd_lise_sort(hd_type type) {
  switch (type.kind) {
  case HD_TYPE_PTR:
    return HD_OF_PTR;
  case HD_TYPE_FLOAT:
    return HD_OF_REAL;
  default:
    return type.width == 1 ? HD_OF_BOOL : HD_OF_INT;
  }
}

static hd_term power(hd_lise *l, unsigned bits) {
  return hd_term_number(l->terms, HD_OF_INT, (hd_ratio){(hd_i128)1 << bits, 1});
}

hd_term hd_lise_unsigned(hd_lise *l, hd_term a, unsigned width) {
  hd_terms *t = l->terms;
  if (hd_term_is_undef(t, a))
    return a;
  if (hd_term_sort_of(t, a) == HD_OF_BOOL)
    return hd_term_from_bool(t, a);
  if (hd_term_is_const(t, a))
    return hd_lise_fit(l, a, width, false);
  hd_term zero = hd_term_int(t, 0);
  hd_term not_negative = hd_term_le(t, zero, a);
  if (hd_lise_valid(l, not_negative) == HD_VALID)
    return a;
  return hd_term_ite(t, not_negative, a, hd_term_add(t, a, power(l, width)));
}

static hd_term constant(hd_lise *l, const hd_cexpr *e) {
  if (e->type.kind == HD_TYPE_FLOAT)
    return hd_term_double(l->terms, hd_float_value(e->value, e->type.width));
  if (e->type.kind == HD_TYPE_PTR)
    return hd_term_ptr(l->terms, 0, hd_term_int(l->terms, (int64_t)e->value));
  if (e->type.width == 1)
    return hd_term_bool(l->terms, e->value & 1);
  return hd_term_int(l->terms, hd_word_signed(e->value, e->type.width));
}

/* --- pointers as numbers --- */

static hd_term address_of(hd_lise *l, hd_term pointer) {
  hd_terms *t = l->terms;
  if (hd_term_is_undef(t, pointer))
    return pointer;
  if (hd_term_op_of(t, pointer) != HD_TERM_PTR)
    return hd_term_fn(t, "address", HD_OF_INT, &pointer, 1);
  uint32_t object = hd_term_args(t, pointer)[0];
  hd_term offset = hd_term_args(t, pointer)[1];
  if (!object)
    return offset;
  char name[32];
  hd_str text = {0};
  hd_str_printf(&text, "address %u", hd_lise_foreign(l->proc, object));
  strncpy(name, hd_str_text(&text), sizeof name - 1);
  name[sizeof name - 1] = 0;
  hd_str_free(&text);
  hd_term base = hd_term_fn(t, name, HD_OF_INT, NULL, 0);
  return hd_term_add(t, base, offset);
}

/* The other way round: base + offset, or a constant. */
static hd_term pointer_from(hd_lise *l, hd_term a) {
  hd_terms *t = l->terms;
  if (hd_term_is_undef(t, a))
    return a;
  int64_t value;
  if (hd_term_is_int(t, a, &value))
    return hd_term_ptr(t, 0, a);
  uint32_t n =
      hd_term_op_of(t, a) == HD_TERM_SUM ? hd_term_node_of(t, a)->n : 2;
  for (uint32_t i = 1; i < n; i += 2) {
    hd_term f = n == 2 ? a : hd_term_args(t, a)[i + 1];
    if (hd_term_op_of(t, f) == HD_TERM_FN &&
        !strncmp(hd_term_fn_name(t, f), "address ", 8)) {
      uint32_t object = 0;
      for (const char *c = hd_term_fn_name(t, f) + 8; *c; c++)
        object = object * 10 + (uint32_t)(*c - '0');
      return hd_term_ptr(t, hd_lise_homely(l->proc, object),
                         hd_term_sub(t, a, f));
    }
  }
  return 0;
}

static hd_term shift_pointer(hd_lise *l, hd_term pointer, hd_term by) {
  hd_terms *t = l->terms;
  if (hd_term_is_undef(t, pointer) || hd_term_is_undef(t, by))
    return hd_term_undef(t);
  if (hd_term_op_of(t, pointer) == HD_TERM_ITE) {
    hd_term c = hd_term_args(t, pointer)[0], a = hd_term_args(t, pointer)[1],
            b = hd_term_args(t, pointer)[2];
    a = shift_pointer(l, a, by);
    return hd_term_ite(t, c, a, shift_pointer(l, b, by));
  }
  if (hd_term_op_of(t, pointer) != HD_TERM_PTR)
    return 0;
  uint32_t object = hd_term_args(t, pointer)[0];
  hd_term offset = hd_term_args(t, pointer)[1];
  return hd_term_ptr(t, object, hd_term_add(t, offset, by));
}

/* --- operations --- */

static hd_going overflow(hd_lise *l, const hd_cexpr *e, hd_term result) {
  if (!(e->flags & HD_CODE_NSW) ||
      !(l->options->checks >> HD_PROPERTY_OVERFLOW & 1) ||
      hd_term_is_undef(l->terms, result))
    return HD_GO_ON;
  hd_terms *t = l->terms;
  hd_term most = power(l, e->type.width - 1u);
  hd_term fits = hd_term_and(t, hd_term_le(t, hd_term_neg(t, most), result),
                             hd_term_lt(t, result, most));
  return hd_lise_check(l, fits, HD_PROPERTY_OVERFLOW, "signed overflow");
}

/* The smallest value divided by -1. */
static hd_going fits_quotient(hd_lise *l, const hd_cexpr *e, hd_term a,
                              hd_term b) {
  hd_terms *t = l->terms;
  bool overflow = l->options->checks >> HD_PROPERTY_OVERFLOW & 1;
  if ((!l->options->c_numbers && !overflow) || hd_term_is_undef(t, a) ||
      hd_term_is_undef(t, b))
    return HD_GO_ON;
  hd_term least = hd_term_neg(t, power(l, e->type.width - 1u));
  hd_term fine = hd_term_or(t, hd_term_ne(t, a, least),
                            hd_term_ne(t, b, hd_term_int(t, -1)));
  return hd_lise_check(l, fine, HD_PROPERTY_OVERFLOW, "signed overflow");
}

static hd_going not_zero(hd_lise *l, hd_term b) {
  if (hd_term_is_undef(l->terms, b))
    return HD_GO_ON;
  hd_term zero = hd_term_int(l->terms, 0);
  return hd_lise_check(l, hd_term_ne(l->terms, b, zero), HD_PROPERTY_ARITH,
                       "division by zero");
}

/* Bits of a constant. */
static bool bits_of(const hd_lise *l, hd_term a, unsigned width,
                    uint64_t *bits) {
  int64_t value;
  if (hd_term_sort_of(l->terms, a) == HD_OF_BOOL &&
      hd_term_is_const(l->terms, a)) {
    *bits = hd_term_is_true(l->terms, a);
    return true;
  }
  if (!hd_term_is_const(l->terms, a) ||
      hd_term_sort_of(l->terms, a) != HD_OF_INT)
    return false;
  hd_i128 v = hd_term_ratio_of(l->terms, a).num;
  value = (int64_t)(uint64_t)v;
  *bits = (uint64_t)value & hd_word_mask(width);
  return true;
}

/* Operands and result have one type. */
static int64_t computed(const hd_cexpr *e, uint64_t x, uint64_t y) {
  hd_type type = e->type;
  hd_evaluated r =
      hd_evaluate_op((hd_code_op)e->op, e->flags, type, type, x, y);
  return hd_word_signed(r.bits, type.width);
}

/* x ^ y ^ y, x & x …: what is seen without the bits; 0 = nothing. */
static hd_term bits_alone(hd_lise *l, uint16_t op, hd_term a, hd_term b) {
  hd_terms *t = l->terms;
  if (a == b)
    return op == HD_CODE_XOR ? hd_term_int(t, 0) : a;
  if (op != HD_CODE_XOR)
    return 0;
  for (int i = 0; i < 2; i++) {
    hd_term f = i ? b : a, x = i ? a : b;
    if (hd_term_op_of(t, f) != HD_TERM_FN ||
        strcmp(hd_term_fn_name(t, f), hd_code_op_name(HD_CODE_XOR)))
      continue;
    const uint32_t *args = hd_term_args(t, f);
    if (args[1] == x || args[2] == x)
      return args[1] == x ? args[2] : args[1];
  }
  return 0;
}

static hd_term bitwise(hd_lise *l, const hd_cexpr *e, hd_term a, hd_term b) {
  hd_terms *t = l->terms;
  unsigned w = e->type.width;
  if (hd_term_is_undef(t, a) || hd_term_is_undef(t, b))
    return hd_term_undef(t);
  if (w == 1) {
    a = hd_term_to_bool(t, a);
    b = hd_term_to_bool(t, b);
    return e->op == HD_CODE_AND  ? hd_term_and(t, a, b)
           : e->op == HD_CODE_OR ? hd_term_or(t, a, b)
                                 : hd_term_not(t, hd_term_eq(t, a, b));
  }
  uint64_t x, y;
  bool known = bits_of(l, b, w, &y), both = known && bits_of(l, a, w, &x);
  if (both)
    return hd_term_int(t, computed(e, x, y));
  hd_term alone = bits_alone(l, e->op, a, b);
  if (alone)
    return alone;
  if (l->guest && l->guest->bits(l, (hd_code_op)e->op, a, b, &alone))
    return alone;
  if (e->op == HD_CODE_AND && known && y && !(y & (y + 1)))
    return hd_lise_fit(
        l,
        hd_term_emod(
            t, a, hd_term_number(t, HD_OF_INT, (hd_ratio){(hd_i128)y + 1, 1})),
        w, true);
  if (e->op == HD_CODE_XOR && known && y == hd_word_mask(w))
    return hd_term_sub(t, hd_term_int(t, -1), a);
  const char *name = hd_code_op_name((hd_code_op)e->op);
  if (a > b && !known) { /* they commute */
    hd_term swap = a;
    a = b;
    b = swap;
  }
  hd_term r = hd_term_fn(t, name, HD_OF_INT, (hd_term[]){a, b}, 2);
  hd_lise_typed(l, r, e->type);
  return r;
}

static hd_going shift(hd_lise *l, const hd_cexpr *e, hd_term a, hd_term b,
                      hd_term *out) {
  hd_terms *t = l->terms;
  int64_t by;
  unsigned w = e->type.width;
  *out = hd_term_undef(t);
  if (hd_term_is_undef(t, a) || hd_term_is_undef(t, b))
    return HD_GO_ON;
  if (!hd_term_is_int(t, b, &by) && l->options->c_numbers) {
    hd_term fits = hd_term_and(t, hd_term_le(t, hd_term_int(t, 0), b),
                               hd_term_lt(t, b, hd_term_int(t, w)));
    hd_going g = hd_lise_check(l, fits, HD_PROPERTY_ARITH, "shift by too much");
    if (g == HD_GO_ON)
      g = hd_lise_concrete(l, b, &by, "a shift");
    if (g != HD_GO_ON)
      return g;
    b = hd_term_int(t, by);
  }
  if (!hd_term_is_int(t, b, &by)) {
    *out = hd_term_fn(t, hd_code_op_name((hd_code_op)e->op), HD_OF_INT,
                      (hd_term[]){a, b}, 2);
    hd_lise_typed(l, *out, e->type);
    return HD_GO_ON;
  }
  if (by < 0 || by >= w)
    return hd_lise_violate(l, HD_PROPERTY_ARITH, "shift by %lld of %u bits",
                           (long long)by, w);
  hd_term factor = power(l, (unsigned)by);
  if (e->op == HD_CODE_SHL) {
    *out = hd_term_mul(t, a, factor);
    hd_going g = overflow(l, e, *out);
    if (g == HD_GO_ON)
      *out = hd_lise_fit(l, *out, w, true);
    return g;
  }
  if (e->op == HD_CODE_LSHR)
    a = hd_lise_unsigned(l, a, w);
  else
    a = hd_term_sub(t, a, hd_term_emod(t, a, factor));
  *out = hd_lise_fit(l, hd_term_tdiv(t, a, factor), w, true);
  return HD_GO_ON;
}

static hd_term quotient(hd_lise *l, bool rest, hd_term a, hd_term b) {
  hd_term out;
  if (rest && l->guest && l->guest->remainder(l, a, b, &out))
    return out;
  return rest ? hd_term_trem(l->terms, a, b) : hd_term_tdiv(l->terms, a, b);
}

static hd_going arithmetic(hd_lise *l, const hd_cexpr *e, hd_term a, hd_term b,
                           hd_term *out) {
  hd_terms *t = l->terms;
  unsigned w = e->type.width;
  hd_going g = HD_GO_ON;
  switch (e->op) {
  case HD_CODE_ADD:
    *out = hd_term_add(t, a, b);
    break;
  case HD_CODE_SUB:
    *out = hd_term_sub(t, a, b);
    break;
  case HD_CODE_MUL:
    *out = hd_term_mul(t, a, b);
    break;
  case HD_CODE_SDIV:
  case HD_CODE_SREM:
    g = not_zero(l, b);
    if (g == HD_GO_ON)
      g = fits_quotient(l, e, a, b);
    if (g == HD_GO_ON)
      *out = quotient(l, e->op == HD_CODE_SREM, a, b);
    return g;
  default:
    g = not_zero(l, b);
    a = hd_lise_unsigned(l, a, w);
    b = hd_lise_unsigned(l, b, w);
    *out = quotient(l, e->op != HD_CODE_UDIV, a, b);
    *out = hd_lise_fit(l, *out, w, true);
    return g;
  }
  g = overflow(l, e, *out);
  if (g == HD_GO_ON && (l->options->c_numbers || !(e->flags & HD_CODE_NSW)))
    *out = hd_lise_fit(l, *out, w, true);
  return g;
}

static hd_term compare(hd_lise *l, const hd_cexpr *e, hd_term a, hd_term b,
                       unsigned width) {
  hd_terms *t = l->terms;
  if (hd_term_is_undef(t, a) || hd_term_is_undef(t, b))
    return hd_term_undef(t);
  if (e->op == HD_CODE_EQ)
    return hd_term_eq(t, a, b);
  if (e->op == HD_CODE_NE)
    return hd_term_ne(t, a, b);
  if (hd_term_sort_of(t, a) == HD_OF_PTR) {
    a = address_of(l, a);
    b = address_of(l, b);
  } else if (e->op >= HD_CODE_ULT && e->op <= HD_CODE_UGE) {
    a = hd_lise_unsigned(l, a, width);
    b = hd_lise_unsigned(l, b, width);
  }
  switch (e->op) {
  case HD_CODE_ULT:
  case HD_CODE_SLT:
    return hd_term_lt(t, a, b);
  case HD_CODE_ULE:
  case HD_CODE_SLE:
    return hd_term_le(t, a, b);
  case HD_CODE_UGT:
  case HD_CODE_SGT:
    return hd_term_lt(t, b, a);
  default:
    return hd_term_le(t, b, a);
  }
}

/* Does the exact result leave the type? */
static hd_term overflows(hd_lise *l, const hd_cexpr *e, hd_term a, hd_term b,
                         unsigned w) {
  hd_terms *t = l->terms;
  bool without = e->op == HD_CODE_UADD_OVERFLOWS ||
                 e->op == HD_CODE_USUB_OVERFLOWS ||
                 e->op == HD_CODE_UMUL_OVERFLOWS;
  if (without) {
    a = hd_lise_unsigned(l, a, w);
    b = hd_lise_unsigned(l, b, w);
  }
  hd_term r;
  if (e->op == HD_CODE_SADD_OVERFLOWS || e->op == HD_CODE_UADD_OVERFLOWS)
    r = hd_term_add(t, a, b);
  else if (e->op == HD_CODE_SSUB_OVERFLOWS || e->op == HD_CODE_USUB_OVERFLOWS)
    r = hd_term_sub(t, a, b);
  else
    r = hd_term_mul(t, a, b);
  hd_term most = power(l, without ? w : w - 1);
  hd_term least = without ? hd_term_int(t, 0) : hd_term_neg(t, most);
  return hd_term_or(t, hd_term_lt(t, r, least), hd_term_le(t, most, r));
}

/* Numbers are never NaN: ordered and unordered comparisons are the same. */
static hd_going floats(hd_lise *l, const hd_cexpr *e, hd_term a, hd_term b,
                       unsigned width, hd_term *out) {
  hd_terms *t = l->terms;
  hd_term zero = hd_term_int(t, 0);
  if (hd_lise_float_op(l, (hd_code_op)e->op, width, a, b, out))
    return HD_GO_ON;
  bool one = e->op == HD_CODE_FNEG || e->op == HD_CODE_FABS;
  hd_lise_idealize(l, (hd_term[]){a, b}, one ? 1 : 2, width);
  if (e->op >= HD_CODE_FADD && e->op <= HD_CODE_FREM && l->options->c_numbers)
    l->result->ideal = true;
  switch (e->op) {
  case HD_CODE_FADD:
    *out = hd_term_add(t, a, b);
    return HD_GO_ON;
  case HD_CODE_FSUB:
    *out = hd_term_sub(t, a, b);
    return HD_GO_ON;
  case HD_CODE_FMUL:
    *out = hd_term_mul(t, a, b);
    return HD_GO_ON;
  case HD_CODE_FDIV: {
    hd_going g = not_zero(l, b);
    *out = g == HD_GO_ON ? hd_term_rdiv(t, a, b) : hd_term_undef(t);
    return g;
  }
  case HD_CODE_FREM:
    *out = hd_term_fn(t, "fmod", HD_OF_REAL, (hd_term[]){a, b}, 2);
    return HD_GO_ON;
  case HD_CODE_FNEG:
    *out = hd_term_neg(t, a);
    return HD_GO_ON;
  case HD_CODE_FABS:
    *out = hd_term_ite(t, hd_term_lt(t, a, zero), hd_term_neg(t, a), a);
    return HD_GO_ON;
  case HD_CODE_FOEQ:
  case HD_CODE_FUEQ:
    *out = hd_term_eq(t, a, b);
    return HD_GO_ON;
  case HD_CODE_FONE:
  case HD_CODE_FUNE:
    *out = hd_term_ne(t, a, b);
    return HD_GO_ON;
  case HD_CODE_FOLT:
  case HD_CODE_FULT:
    *out = hd_term_lt(t, a, b);
    return HD_GO_ON;
  case HD_CODE_FOLE:
  case HD_CODE_FULE:
    *out = hd_term_le(t, a, b);
    return HD_GO_ON;
  case HD_CODE_FOGT:
  case HD_CODE_FUGT:
    *out = hd_term_lt(t, b, a);
    return HD_GO_ON;
  case HD_CODE_FOGE:
  case HD_CODE_FUGE:
    *out = hd_term_le(t, b, a);
    return HD_GO_ON;
  default:
    *out = hd_term_bool(t, e->op == HD_CODE_FORD);
    return HD_GO_ON;
  }
}

static hd_going bits_as(hd_lise *l, const hd_cexpr *e, hd_term a, hd_type from,
                        hd_term *out) {
  uint64_t bits;
  *out = a;
  if (hd_lise_sort(from) == hd_lise_sort(e->type) ||
      hd_term_is_undef(l->terms, a))
    return HD_GO_ON;
  if (from.kind == HD_TYPE_INT && e->type.kind == HD_TYPE_FLOAT &&
      bits_of(l, a, from.width, &bits)) {
    *out = hd_term_double(l->terms, hd_float_value(bits, e->type.width));
    return HD_GO_ON;
  }
  return hd_lise_refuse(l, "the bits of a symbolic value as another type");
}

static hd_going cast(hd_lise *l, const hd_cexpr *e, hd_term a, hd_type from,
                     hd_term *out) {
  hd_terms *t = l->terms;
  if (hd_term_is_undef(t, a)) {
    *out = a;
    return HD_GO_ON;
  }
  bool truth = hd_term_sort_of(t, a) == HD_OF_BOOL;
  switch (e->op) {
  case HD_CODE_TRUNC:
    if (e->type.width == 1) {
      hd_term two = hd_term_int(t, 2);
      if (!truth && hd_term_op_of(t, a) == HD_TERM_ITE)
        a = hd_term_to_bool(t, hd_term_ne(t, a, hd_term_int(t, 0)));
      *out = hd_term_sort_of(t, a) == HD_OF_BOOL
                 ? a
                 : hd_term_to_bool(t, hd_term_emod(t, a, two));
    } else {
      *out = hd_lise_fit(l, a, e->type.width, true);
    }
    return HD_GO_ON;
  case HD_CODE_ZEXT:
    *out = hd_lise_unsigned(l, a, from.width);
    return HD_GO_ON;
  case HD_CODE_SEXT:
    *out = truth ? hd_term_neg(t, hd_term_from_bool(t, a)) : a;
    return HD_GO_ON;
  case HD_CODE_FPTOSI:
  case HD_CODE_FPTOUI: {
    hd_lise_idealize(l, &a, 1, from.width);
    hd_term whole = hd_term_toint(t, a);
    *out = hd_lise_fit(l, whole, e->type.width, true);
    if (!l->options->c_numbers || hd_term_sort_of(t, whole) != HD_OF_INT)
      return HD_GO_ON;
    return hd_lise_check(
        l, hd_lise_range(l, whole, e->type.width, e->op == HD_CODE_FPTOSI),
        HD_PROPERTY_ARITH, "the number does not fit");
  }
  case HD_CODE_SITOFP:
  case HD_CODE_UITOFP: {
    if (e->op == HD_CODE_UITOFP)
      a = hd_lise_unsigned(l, a, from.width);
    *out = hd_term_toreal(t, a);
    int64_t whole;
    if (!l->options->c_numbers)
      return HD_GO_ON;
    if (hd_term_is_int(t, a, &whole))
      *out = e->type.width == 32 ? hd_term_double(t, (double)(float)whole)
                                 : hd_term_double(t, (double)whole);
    else
      hd_lise_idealize(l, out, 1, e->type.width);
    return HD_GO_ON;
  }
  case HD_CODE_PTRTOINT:
    *out = address_of(l, a);
    return HD_GO_ON;
  case HD_CODE_INTTOPTR:
    *out = pointer_from(l, a);
    return *out ? HD_GO_ON
                : hd_lise_refuse(l, "a pointer made of a symbolic number");
  case HD_CODE_BITCAST:
    return bits_as(l, e, a, from, out);
  default: { /* FPTRUNC, FPEXT: real numbers do not round */
    double value;
    *out = a;
    if (l->options->c_numbers && hd_lise_double(l, a, &value))
      *out = hd_lise_rounded(l, value, e->type.width);
    else
      hd_lise_idealize(l, &a, 1, e->type.width);
    return HD_GO_ON;
  }
  }
}

/* Counting bits: of constants; else something. */
static hd_term counted(hd_lise *l, const hd_cexpr *e, hd_term a) {
  uint64_t x;
  unsigned w = e->type.width;
  hd_terms *t = l->terms;
  if (hd_term_is_undef(t, a))
    return a;
  if (!bits_of(l, a, w, &x)) {
    hd_term r =
        hd_term_fn(t, hd_code_op_name((hd_code_op)e->op), HD_OF_INT, &a, 1);
    hd_lise_typed(l, r, e->type);
    return r;
  }
  return hd_term_int(t, computed(e, x, 0));
}

static hd_going leaf(hd_lise *l, const hd_cexpr *e, hd_term *out) {
  hd_terms *t = l->terms;
  const hd_lise_proc *me = hd_lise_seen(l);
  const hd_lise_frame *f = &me->frames.data[me->frames.size - 1];
  hd_term zero = hd_term_int(t, 0);
  switch (e->op) {
  case HD_CODE_INT:
    *out = constant(l, e);
    return HD_GO_ON;
  case HD_CODE_NULL:
    *out = hd_term_ptr(t, 0, zero);
    return HD_GO_ON;
  case HD_CODE_UNDEF:
    *out = hd_term_undef(t);
    return HD_GO_ON;
  case HD_CODE_REG:
    *out = me->regs.data[f->regs + e->value];
    return HD_GO_ON;
  case HD_CODE_GLOBAL:
    *out = hd_term_ptr(t, (uint32_t)e->value + 1, zero);
    return HD_GO_ON;
  case HD_CODE_FUNC:
    *out = hd_term_ptr(t, HD_LISE_FUNCTION + (uint32_t)e->value, zero);
    return HD_GO_ON;
  default:
    *out = hd_term_ptr(t, me->stack.data[f->allocas + e->value], zero);
    return HD_GO_ON;
  }
}

static hd_going operate(hd_lise *l, const hd_cexpr *e, const hd_term *v,
                        hd_type from, hd_term *out) {
  hd_terms *t = l->terms;
  *out = hd_term_undef(t);
  if (e->op >= HD_CODE_ADD && e->op <= HD_CODE_SREM)
    return arithmetic(l, e, v[0], v[1], out);
  if (e->op >= HD_CODE_SHL && e->op <= HD_CODE_ASHR)
    return shift(l, e, v[0], v[1], out);
  if (e->op >= HD_CODE_FADD && e->op <= HD_CODE_FUNO)
    return floats(l, e, v[0], v[1], from.width, out);
  if (e->op >= HD_CODE_TRUNC && e->op <= HD_CODE_BITCAST)
    return cast(l, e, v[0], from, out);
  if (e->op >= HD_CODE_EQ && e->op <= HD_CODE_SGE) {
    *out = compare(l, e, v[0], v[1], from.width);
    return HD_GO_ON;
  }
  if (e->op >= HD_CODE_SADD_OVERFLOWS && e->op <= HD_CODE_UMUL_OVERFLOWS) {
    *out = overflows(l, e, v[0], v[1], from.width);
    return HD_GO_ON;
  }
  switch (e->op) {
  case HD_CODE_AND:
  case HD_CODE_OR:
  case HD_CODE_XOR:
    *out = bitwise(l, e, v[0], v[1]);
    return HD_GO_ON;
  case HD_CODE_PTRADD:
    *out = shift_pointer(l, v[0], v[1]);
    return *out ? HD_GO_ON : hd_lise_refuse(l, "arithmetic on this pointer");
  case HD_CODE_SELECT:
    if (hd_term_is_undef(t, v[0]))
      return HD_GO_ON;
    *out = hd_term_ite(t, hd_term_to_bool(t, v[0]), v[1], v[2]);
    return HD_GO_ON;
  case HD_CODE_WITHIN:
    *out = v[0];
    return hd_term_is_undef(t, v[0])
               ? HD_GO_ON
               : hd_lise_check(
                     l,
                     hd_term_and(t, hd_term_le(t, hd_term_int(t, 0), v[0]),
                                 hd_term_lt(t, v[0], v[1])),
                     HD_PROPERTY_MEMORY, "an index is outside of its array");
  case HD_CODE_ABS:
    *out = hd_term_max(t, v[0], hd_term_neg(t, v[0]));
    if (l->options->checks >> HD_PROPERTY_OVERFLOW & 1 &&
        !hd_term_is_undef(t, *out)) {
      hd_going g = hd_lise_check(l, hd_lise_range(l, *out, e->type.width, true),
                                 HD_PROPERTY_OVERFLOW, "signed overflow");
      if (g != HD_GO_ON)
        return g;
    }
    *out = hd_lise_fit(l, *out, e->type.width, true);
    return HD_GO_ON;
  case HD_CODE_SMIN:
    *out = hd_term_min(t, v[0], v[1]);
    return HD_GO_ON;
  case HD_CODE_SMAX:
    *out = hd_term_max(t, v[0], v[1]);
    return HD_GO_ON;
  case HD_CODE_UMIN:
  case HD_CODE_UMAX: {
    hd_term a = hd_lise_unsigned(l, v[0], from.width),
            b = hd_lise_unsigned(l, v[1], from.width);
    *out = e->op == HD_CODE_UMIN ? hd_term_min(t, a, b) : hd_term_max(t, a, b);
    *out = hd_lise_fit(l, *out, from.width, true);
    return HD_GO_ON;
  }
  default:
    *out = counted(l, e, v[0]);
    return HD_GO_ON;
  }
}

hd_going hd_lise_eval(hd_lise *l, hd_cexpr_id id, hd_term *out) {
  const hd_code *code = hd_lise_code(l);
  const hd_cexpr *e = &code->exprs.data[id];
  if (e->op <= HD_CODE_SLOT)
    return leaf(l, e, out);
  hd_term v[3] = {0};
  int n = hd_code_op_arity((hd_code_op)e->op);
  for (int i = 0; i < n; i++) {
    hd_going g = hd_lise_eval(l, e->args[i], &v[i]);
    if (g != HD_GO_ON)
      return g;
  }
  return operate(l, e, v, code->exprs.data[e->args[0]].type, out);
}

hd_going hd_lise_eval_set(hd_lise *l, hd_cexpr_id expr, const char *what,
                          hd_term *out) {
  hd_going g = hd_lise_eval(l, expr, out);
  if (g == HD_GO_ON && hd_term_is_undef(l->terms, *out))
    return hd_lise_violate(l, HD_PROPERTY_UNINIT,
                           "%s depends on a value that was never set", what);
  return g;
}
