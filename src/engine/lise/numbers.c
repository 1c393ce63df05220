/* SPDX-License-Identifier: MIT */
/* Numbers of C (lise.h: `c_numbers`). A term stands for the mathematical value
 * that bits mean. What an operation gives is brought back into its type: as it is
 * when it can be shown to lie there, else modulo 2^width, which is exact, too.
 * Symbols of integers lie in the range of their type, which is learnt where they
 * are made or read.
 *
 * Constants of floating point are those of IEEE 754, rounded after every
 * operation. Symbolic ones are real numbers, which C's are not: `ideal` of the
 * result says that one was used. */
#include "engine/lise/engine.h"

#include <math.h>
#include <stdlib.h>

static hd_term power(hd_lise *l, unsigned bits) {
  return hd_term_number(l->terms, HD_OF_INT, (hd_ratio){(hd_i128)1 << bits, 1});
}

/* --- integers --- */

static hd_term wrap(hd_lise *l, hd_term a, unsigned width, bool with_sign) {
  hd_i128 modulus = (hd_i128)1 << width;
  hd_i128 v = hd_term_ratio_of(l->terms, a).num % modulus;
  if (v < 0)
    v += modulus;
  if (with_sign && v >= modulus / 2)
    v -= modulus;
  return hd_term_number(l->terms, HD_OF_INT, (hd_ratio){v, 1});
}

static hd_term inside(hd_lise *l, hd_term a, unsigned width, bool with_sign) {
  hd_terms *t = l->terms;
  hd_term above = power(l, with_sign ? width - 1 : width);
  hd_term low = with_sign ? hd_term_neg(t, above) : hd_term_int(t, 0);
  return hd_term_and(t, hd_term_le(t, low, a), hd_term_lt(t, a, above));
}

hd_term hd_lise_fit(hd_lise *l, hd_term a, unsigned width, bool with_sign) {
  hd_terms *t = l->terms;
  if (hd_term_is_undef(t, a) || hd_term_sort_of(t, a) != HD_OF_INT)
    return a;
  if (hd_term_is_const(t, a))
    return wrap(l, a, width, with_sign);
  if (!l->options->c_numbers ||
      hd_lise_valid(l, inside(l, a, width, with_sign)) == HD_VALID)
    return a;
  hd_term half = with_sign ? power(l, width - 1) : hd_term_int(t, 0);
  hd_term rest = hd_term_emod(t, hd_term_add(t, a, half), power(l, width));
  return hd_term_sub(t, rest, half);
}

void hd_lise_typed(hd_lise *l, hd_term a, hd_type type) {
  if (l->options->c_numbers && type.kind == HD_TYPE_INT && type.width > 1 &&
      hd_term_sort_of(l->terms, a) == HD_OF_INT &&
      !hd_term_is_const(l->terms, a))
    hd_lise_learn(l, inside(l, a, type.width, true));
}

hd_term hd_lise_range(hd_lise *l, hd_term a, unsigned width, bool with_sign) {
  return inside(l, a, width, with_sign);
}

/* --- floating point --- */

bool hd_lise_double(const hd_lise *l, hd_term a, double *out) {
  const hd_terms *t = l->terms;
  if (hd_term_sort_of(t, a) == HD_OF_REAL &&
      hd_term_op_of(t, a) == HD_TERM_FN && hd_term_node_of(t, a)->n == 1) {
    char *end; /* what has no exact value as a ratio: hd_term_double */
    *out = strtod(hd_term_fn_name(t, a), &end);
    return !*end;
  }
  if (!hd_term_is_const(t, a) || hd_term_sort_of(t, a) != HD_OF_REAL)
    return false;
  hd_ratio r = hd_term_ratio_of(t, a);
  if (r.den & (r.den - 1))
    return false;
  long double value = (long double)r.num / (long double)r.den;
  *out = (double)value;
  return (long double)*out == value;
}

hd_term hd_lise_rounded(hd_lise *l, double value, unsigned width) {
  return hd_term_double(l->terms, width == 32 ? (double)(float)value : value);
}

/* Is the real number one that the type has, and no NaN? */
static bool is_exact(hd_lise *l, hd_term a, unsigned width) {
  hd_terms *t = l->terms;
  double value;
  if (hd_lise_double(l, a, &value))
    return !isnan(value);
  if (hd_term_op_of(t, a) != HD_TERM_TOREAL)
    return false;
  hd_term whole = hd_term_args(t, a)[0];
  return hd_lise_valid(l, inside(l, whole, width == 32 ? 25 : 54, true)) ==
         HD_VALID;
}

void hd_lise_idealize(hd_lise *l, const hd_term *args, size_t n,
                      unsigned width) {
  for (size_t i = 0; i < n && l->options->c_numbers && !l->result->ideal; i++)
    if (!hd_term_is_undef(l->terms, args[i]) && !is_exact(l, args[i], width))
      l->result->ideal = true;
}

bool hd_lise_float_op(hd_lise *l, hd_code_op op, unsigned width, hd_term a,
                      hd_term b, hd_term *out) {
  double x, y = 0, z;
  bool one = op == HD_CODE_FNEG || op == HD_CODE_FABS;
  if (!l->options->c_numbers || !hd_lise_double(l, a, &x) ||
      (!one && !hd_lise_double(l, b, &y)))
    return false;
  switch (op) {
  case HD_CODE_FADD:
    z = width == 32 ? (double)((float)x + (float)y) : x + y;
    break;
  case HD_CODE_FSUB:
    z = width == 32 ? (double)((float)x - (float)y) : x - y;
    break;
  case HD_CODE_FMUL:
    z = width == 32 ? (double)((float)x * (float)y) : x * y;
    break;
  case HD_CODE_FDIV:
    z = width == 32 ? (double)((float)x / (float)y) : x / y;
    break;
  case HD_CODE_FREM:
    z = fmod(x, y);
    break;
  case HD_CODE_FNEG:
    z = -x;
    break;
  case HD_CODE_FABS:
    z = fabs(x);
    break;
  default: {
    bool unordered = isnan(x) || isnan(y), r;
    switch (op) {
    case HD_CODE_FOEQ:
      r = x == y;
      break;
    case HD_CODE_FUEQ:
      r = unordered || x == y;
      break;
    case HD_CODE_FONE:
      r = !unordered && x != y;
      break;
    case HD_CODE_FUNE:
      r = x != y;
      break;
    case HD_CODE_FOLT:
    case HD_CODE_FULT:
      r = x < y || (unordered && op == HD_CODE_FULT);
      break;
    case HD_CODE_FOLE:
    case HD_CODE_FULE:
      r = x <= y || (unordered && op == HD_CODE_FULE);
      break;
    case HD_CODE_FOGT:
    case HD_CODE_FUGT:
      r = x > y || (unordered && op == HD_CODE_FUGT);
      break;
    case HD_CODE_FOGE:
    case HD_CODE_FUGE:
      r = x >= y || (unordered && op == HD_CODE_FUGE);
      break;
    case HD_CODE_FORD:
      r = !unordered;
      break;
    case HD_CODE_FUNO:
      r = unordered;
      break;
    default:
      return false;
    }
    *out = hd_term_bool(l->terms, r);
    return true;
  }
  }
  *out = hd_lise_rounded(l, z, width);
  return true;
}
