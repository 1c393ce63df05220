/* SPDX-License-Identifier: MIT */
/* Operations on abstract values.
 *
 * The integers of a value are at most two intervals, one on each side of zero, on
 * each of which the signed and the unsigned view differ by a constant. So an
 * operation is done for each pair of such parts in exact arithmetic of 128 bits,
 * and its range is added to the result modulo 2^width. */
#include "domain/value.h"

#include "base/float.h"
#include "domain/value_impl.h"
#include "model/eval.h"

#include <math.h>

/* Anything, and an address maybe: what becomes of values that arithmetic was
 * not meant for. */
static hd_value anything(uint8_t width, const hd_value *args, int n) {
  hd_value v = hd_value_any(width);
  for (int i = 0; i < n; i++) {
    v.undef = v.undef || args[i].undef;
    if (args[i].wild || args[i].n_targets)
      hd_value_make_wild(&v);
  }
  return v;
}

/* --- arithmetic --- */

static bool fits_signed(hd_wide lo, hd_wide hi, uint8_t width) {
  hd_wide half = (hd_wide)1 << (width - 1);
  return lo >= -half && hi < half;
}

static bool fits_unsigned(hd_wide lo, hd_wide hi, uint8_t width) {
  return lo >= 0 && hi < (hd_wide)1 << width;
}

static range corners(hd_wide a, hd_wide b, hd_wide c, hd_wide d) {
  return (range){least(least(a, b), least(c, d)), most(most(a, b), most(c, d))};
}

/* ADD, SUB, MUL in one view; exact: |operands| < 2^64, and products of the
 * unsigned view are avoided where they could leave 127 bits. */
static range ring(hd_code_op op, range a, range b) {
  if (op == HD_CODE_ADD)
    return (range){a.lo + b.lo, a.hi + b.hi};
  if (op == HD_CODE_SUB)
    return (range){a.lo - b.hi, a.hi - b.lo};
  return corners(a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi);
}

static void add_sub_mul(hd_value *out, hd_code_op op, uint8_t flags,
                        uint8_t width, const part *a, const part *b,
                        hd_mays *mays) {
  range s = ring(op, (range){a->lo, a->hi}, (range){b->lo, b->hi});
  if ((flags & HD_CODE_NSW) && !fits_signed(s.lo, s.hi, width))
    *mays |= HD_MAY_OVERFLOW;
  bool wide = op == HD_CODE_MUL && width == 64;
  if (flags & HD_CODE_NUW) {
    range u = {0, (hd_wide)1 << 64};
    if (!wide)
      u = ring(op, (range){a->ulo, a->uhi}, (range){b->ulo, b->uhi});
    if (!fits_unsigned(u.lo, u.hi, width))
      *mays |= HD_MAY_OVERFLOW;
  }
  hd_value_add_range(out, width, s.lo, s.hi);
}

static void divide(hd_value *out, hd_code_op op, uint8_t width, const part *a,
                   const part *b, hd_mays *mays) {
  bool is_signed = op == HD_CODE_SDIV || op == HD_CODE_SREM;
  hd_wide alo = is_signed ? a->lo : a->ulo, ahi = is_signed ? a->hi : a->uhi;
  hd_wide blo = is_signed ? b->lo : b->ulo, bhi = is_signed ? b->hi : b->uhi;
  if (blo == 0) {
    *mays |= HD_MAY_DIVIDE_BY_ZERO;
    blo = 1;
    if (bhi == 0)
      return;
  }
  if (is_signed && blo <= -1 && bhi >= -1 &&
      alo <= -((hd_wide)1 << (width - 1)))
    *mays |= HD_MAY_OVERFLOW;
  if (op == HD_CODE_SDIV || op == HD_CODE_UDIV) {
    range q = corners(alo / blo, alo / bhi, ahi / blo, ahi / bhi);
    hd_value_add_range(out, width, q.lo, q.hi);
    return;
  }
  /* The remainder has the sign of the dividend. */
  hd_wide m = most(blo < 0 ? -blo : blo, bhi < 0 ? -bhi : bhi);
  hd_wide low = least(blo < 0 ? -blo : blo, bhi < 0 ? -bhi : bhi);
  if (most(-alo, ahi) < low) /* smaller than every divisor: unchanged */
    hd_value_add_range(out, width, alo, ahi);
  else if (alo == ahi && blo == bhi)
    hd_value_add_range(out, width, alo % blo, alo % blo);
  else if (alo >= 0)
    hd_value_add_range(out, width, 0, least(ahi, m - 1));
  else
    hd_value_add_range(out, width, most(alo, 1 - m), 0);
}

static hd_wide shift_right(hd_wide x, hd_wide by) {
  hd_wide power = (hd_wide)1 << by; /* floor, also below zero */
  return x >= 0 ? x / power : -((-x + power - 1) / power);
}

static void shift(hd_value *out, hd_code_op op, uint8_t flags, uint8_t width,
                  const part *a, const part *b, hd_mays *mays) {
  hd_wide lo = b->ulo, hi = b->uhi;
  if (hi >= width) {
    *mays |= HD_MAY_SHIFT_TOO_FAR;
    hi = width - 1;
    if (lo > hi) {
      hd_value any = hd_value_any(width);
      hd_value_add_ints(out, width, &any);
      return;
    }
  }
  range r;
  if (op == HD_CODE_SHL) {
    hd_wide l = (hd_wide)1 << lo, h = (hd_wide)1 << hi;
    r = corners(a->lo * l, a->lo * h, a->hi * l, a->hi * h);
    if (((flags & HD_CODE_NSW) && !fits_signed(r.lo, r.hi, width)) ||
        ((flags & HD_CODE_NUW) && a->uhi > (((hd_wide)1 << width) - 1) / h))
      *mays |= HD_MAY_OVERFLOW;
  } else if (op == HD_CODE_LSHR) {
    r = (range){shift_right(a->ulo, hi), shift_right(a->uhi, lo)};
  } else {
    r = corners(shift_right(a->lo, lo), shift_right(a->lo, hi),
                shift_right(a->hi, lo), shift_right(a->hi, hi));
  }
  hd_value_add_range(out, width, r.lo, r.hi);
}

/* The smallest 2^k - 1 that is at least x. */
static hd_wide ones_above(hd_wide x) {
  hd_wide m = 0;
  while (m < x)
    m = m * 2 + 1;
  return m;
}

static void bits(hd_value *out, hd_code_op op, uint8_t width, const part *a,
                 const part *b) {
  hd_wide lo = 0, hi = ones_above(most(a->uhi, b->uhi));
  if (a->ulo == a->uhi && b->ulo == b->uhi) {
    uint64_t x = (uint64_t)a->ulo, y = (uint64_t)b->ulo;
    uint64_t z = op == HD_CODE_AND ? x & y : op == HD_CODE_OR ? x | y : x ^ y;
    lo = hi = (hd_wide)z;
  } else if (op == HD_CODE_AND) {
    hi = least(a->uhi, b->uhi);
    /* x & (2^k - 1) with x below 2^k is x */
    const part *x = b->ulo == b->uhi ? a : b, *m = x == a ? b : a;
    if (m->ulo == m->uhi && ones_above(m->ulo) == m->ulo && x->uhi <= m->ulo) {
      lo = x->ulo;
      hi = x->uhi;
    }
  } else if (op == HD_CODE_OR) {
    lo = most(a->ulo, b->ulo);
  }
  hd_value_add_range(out, width, lo, hi);
}

static void extremum(hd_value *out, hd_code_op op, uint8_t width, const part *a,
                     const part *b) {
  bool is_signed = op == HD_CODE_SMIN || op == HD_CODE_SMAX;
  hd_wide alo = is_signed ? a->lo : a->ulo, ahi = is_signed ? a->hi : a->uhi;
  hd_wide blo = is_signed ? b->lo : b->ulo, bhi = is_signed ? b->hi : b->uhi;
  if (op == HD_CODE_SMIN || op == HD_CODE_UMIN)
    hd_value_add_range(out, width, least(alo, blo), least(ahi, bhi));
  else
    hd_value_add_range(out, width, most(alo, blo), most(ahi, bhi));
}

static hd_value binary(hd_code_op op, uint8_t flags, uint8_t width,
                       const hd_value *args, hd_mays *mays) {
  hd_value out = hd_value_none();
  part a[2], b[2];
  int n = parts_of(&args[0], width, a), m = parts_of(&args[1], width, b);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      if (op == HD_CODE_ADD || op == HD_CODE_SUB || op == HD_CODE_MUL)
        add_sub_mul(&out, op, flags, width, &a[i], &b[j], mays);
      else if (op >= HD_CODE_UDIV && op <= HD_CODE_SREM)
        divide(&out, op, width, &a[i], &b[j], mays);
      else if (op >= HD_CODE_SHL && op <= HD_CODE_ASHR)
        shift(&out, op, flags, width, &a[i], &b[j], mays);
      else if (op >= HD_CODE_SMIN && op <= HD_CODE_UMAX)
        extremum(&out, op, width, &a[i], &b[j]);
      else
        bits(&out, op, width, &a[i], &b[j]);
    }
  return out;
}

/* --- comparisons --- */

static hd_value truth(bool maybe_false, bool maybe_true) {
  hd_value v = hd_value_none();
  if (maybe_false)
    hd_value_add_range(&v, 1, 0, 0);
  if (maybe_true)
    hd_value_add_range(&v, 1, 1, 1);
  return v;
}

/* Which outcomes do the integers allow? */
static void compare_parts(hd_code_op op, const part *a, const part *b, bool *no,
                          bool *yes) {
  bool is_signed = op >= HD_CODE_SLT;
  hd_wide alo = is_signed ? a->lo : a->ulo, ahi = is_signed ? a->hi : a->uhi;
  hd_wide blo = is_signed ? b->lo : b->ulo, bhi = is_signed ? b->hi : b->uhi;
  bool can = false, cannot = false;
  switch (op) {
  case HD_CODE_EQ:
  case HD_CODE_NE:
    can = alo <= bhi && blo <= ahi;
    cannot = !(alo == ahi && blo == bhi && alo == blo);
    break;
  case HD_CODE_ULT:
  case HD_CODE_SLT:
    can = alo < bhi;
    cannot = ahi >= blo;
    break;
  case HD_CODE_ULE:
  case HD_CODE_SLE:
    can = alo <= bhi;
    cannot = ahi > blo;
    break;
  case HD_CODE_UGT:
  case HD_CODE_SGT:
    can = ahi > blo;
    cannot = alo <= bhi;
    break;
  default:
    can = ahi >= blo;
    cannot = alo < bhi;
    break;
  }
  *yes = *yes || (op == HD_CODE_NE ? cannot : can);
  *no = *no || (op == HD_CODE_NE ? can : cannot);
}

/* Two addresses, or an address and an integer: equal ones are known only in the
 * same object. An object is never at null; of other integers nothing is known. */
static void compare_addresses(hd_code_op op, const hd_value *a,
                              const hd_value *b, bool *no, bool *yes) {
  bool equal = false, unequal = false;
  for (int i = 0; i < a->n_targets; i++)
    for (int j = 0; j < b->n_targets; j++) {
      const hd_pointee *s = &a->targets[i], *t = &b->targets[j];
      bool same = s->object == t->object;
      if (op != HD_CODE_EQ && op != HD_CODE_NE) {
        part x = {s->lo, s->hi, s->lo, s->hi}, y = {t->lo, t->hi, t->lo, t->hi};
        if (same)
          compare_parts(op < HD_CODE_SLT ? op + (HD_CODE_SLT - HD_CODE_ULT)
                                         : op,
                        &x, &y, no, yes);
        else
          *no = *yes = true;
        continue;
      }
      equal = equal || (same && s->lo <= t->hi && t->lo <= s->hi);
      unequal = unequal || !same || s->lo != s->hi || t->lo != t->hi ||
                s->lo != t->lo;
    }
  for (int side = 0; side < 2; side++) {
    const hd_value *p = side ? b : a, *x = side ? a : b;
    if (!p->n_targets || !hd_value_has_int(x))
      continue;
    uint64_t only;
    hd_value ints = hd_value_none();
    hd_value_add_ints(&ints, 64, x);
    bool null = hd_value_is_const(&ints, &only) && only == 0;
    unequal = true;
    equal = equal || !null;
    if (op != HD_CODE_EQ && op != HD_CODE_NE)
      *no = *yes = true;
  }
  if (op == HD_CODE_EQ || op == HD_CODE_NE) {
    *yes = *yes || (op == HD_CODE_EQ ? equal : unequal);
    *no = *no || (op == HD_CODE_EQ ? unequal : equal);
  }
}

hd_value hd_value_compare(hd_code_op op, uint8_t width, const hd_value *args) {
  bool no = false, yes = false;
  if (args[0].wild || args[1].wild)
    return truth(true, true);
  part a[2], b[2];
  int n = parts_of(&args[0], width, a), m = parts_of(&args[1], width, b);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      compare_parts(op, &a[i], &b[j], &no, &yes);
  compare_addresses(op, &args[0], &args[1], &no, &yes);
  return truth(no, yes);
}

static hd_value overflows(hd_code_op op, uint8_t width, const hd_value *args) {
  static const hd_code_op ops[] = {HD_CODE_ADD, HD_CODE_ADD, HD_CODE_SUB,
                                   HD_CODE_SUB, HD_CODE_MUL, HD_CODE_MUL};
  bool is_signed = (op - HD_CODE_SADD_OVERFLOWS) % 2 == 0, no = false,
       yes = false;
  hd_code_op plain = ops[op - HD_CODE_SADD_OVERFLOWS];
  part a[2], b[2];
  int n = parts_of(&args[0], width, a), m = parts_of(&args[1], width, b);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      if (!is_signed && plain == HD_CODE_MUL && width == 64) {
        no = yes = true; /* products of 128 bits */
        continue;
      }
      range r = is_signed ? ring(plain, (range){a[i].lo, a[i].hi},
                                 (range){b[j].lo, b[j].hi})
                          : ring(plain, (range){a[i].ulo, a[i].uhi},
                                 (range){b[j].ulo, b[j].uhi});
      hd_wide half = (hd_wide)1 << (width - 1);
      hd_wide min = is_signed ? -half : 0;
      hd_wide max = is_signed ? half - 1 : 2 * half - 1;
      yes = yes || r.lo < min || r.hi > max;
      no = no || (r.lo <= max && r.hi >= min);
    }
  return truth(no, yes);
}

/* --- casts, pointers, floats --- */

static hd_value cast_int(hd_code_op op, uint8_t to, uint8_t from,
                         const hd_value *arg) {
  hd_value out = hd_value_none();
  part a[2];
  int n = parts_of(arg, from, a);
  for (int i = 0; i < n; i++)
    if (op == HD_CODE_SEXT)
      hd_value_add_range(&out, to, a[i].lo, a[i].hi);
    else
      hd_value_add_range(&out, to, a[i].ulo, a[i].uhi);
  return out;
}

hd_value hd_value_move(uint8_t width, const hd_value *p, int64_t fixed,
                       const hd_value *by, uint32_t step) {
  hd_value out = hd_value_none();
  if (by->wild || by->n_targets || p->wild) {
    out = hd_value_any(width);
    hd_value_make_wild(&out);
    return out;
  }
  part a[2], b[2];
  int n = parts_of(p, width, a), m = parts_of(by, width, b);
  for (int j = 0; j < m; j++) {
    for (int i = 0; i < n; i++)
      hd_value_add_range(&out, width, a[i].lo + b[j].lo + fixed,
                         a[i].hi + b[j].hi + fixed);
    for (int i = 0; i < p->n_targets; i++) {
      const hd_pointee *t = &p->targets[i];
      hd_wide lo = t->lo + b[j].lo + fixed, hi = t->hi + b[j].hi + fixed;
      if (lo < -HD_FAR || hi > HD_FAR) {
        hd_value_make_wild(&out);
        return out;
      }
      uint32_t own = b[j].lo == b[j].hi ? 0 : step;
      uint32_t stride = hd_value_stride(t->stride, own, 0);
      hd_value_add_target(&out, (hd_pointee){t->object, lo == hi ? 0 : stride,
                                             (int64_t)lo, (int64_t)hi});
    }
  }
  return out;
}

static hd_value move_address(uint8_t width, const hd_value *p,
                             const hd_value *by) {
  return hd_value_move(width, p, 0, by, 1);
}

/* p - q for addresses of one object; false when it is not that. */
static bool difference(uint8_t width, const hd_value *args, hd_value *out) {
  const hd_value *p = &args[0], *q = &args[1];
  if (p->wild || q->wild || p->n_targets != 1 || q->n_targets != 1 ||
      hd_value_has_int(p) || hd_value_has_int(q) ||
      p->targets[0].object != q->targets[0].object)
    return false;
  *out = hd_value_none();
  hd_value_add_range(out, width, (hd_wide)p->targets[0].lo - q->targets[0].hi,
                     (hd_wide)p->targets[0].hi - q->targets[0].lo);
  return true;
}

/* The operation on constants, where there is nothing better to say of others:
 * floats are known only so. A NaN can have many bits. */
static hd_value on_constants(hd_code_op op, hd_type type, const hd_type *types,
                             const hd_value *args, hd_mays *mays) {
  bool may_leave = op == HD_CODE_FPTOSI || op == HD_CODE_FPTOUI;
  uint64_t x[2] = {0, 0};
  for (int i = 0; i < hd_code_op_arity(op); i++) {
    if (!hd_value_is_const(&args[i], &x[i])) {
      *mays |= may_leave ? HD_MAY_OVERFLOW : 0;
      return hd_value_any(type.width);
    }
    x[i] &= hd_word_mask(types[i].width);
  }
  hd_evaluated r = hd_evaluate_op(op, 0, type, types[0], x[0], x[1]);
  if (may_leave && r.flags)
    *mays |= HD_MAY_OVERFLOW;
  bool nan =
      type.kind == HD_TYPE_FLOAT && isnan(hd_float_value(r.bits, type.width));
  return r.flags || nan ? hd_value_any(type.width)
                        : hd_value_const(type.width, r.bits);
}

static hd_value unary_int(hd_code_op op, uint8_t flags, hd_type type,
                          const hd_value *arg, hd_mays *mays) {
  uint8_t width = type.width;
  uint64_t x;
  if (op == HD_CODE_ABS) {
    hd_value out = hd_value_none();
    part a[2];
    int n = parts_of(arg, width, a);
    for (int i = 0; i < n; i++) {
      bool negative = a[i].hi < 0;
      hd_wide lo = negative ? -a[i].hi : a[i].lo,
              hi = negative ? -a[i].lo : a[i].hi;
      if ((flags & HD_CODE_NSW) && !fits_signed(lo, hi, width))
        *mays |= HD_MAY_OVERFLOW;
      hd_value_add_range(&out, width, lo, hi);
    }
    return out;
  }
  if (!hd_value_is_const(arg, &x))
    return hd_value_unsigned(width, 0, width & hd_word_mask(width));
  return on_constants(op, type, &type, arg, mays);
}

/* What may go wrong with operands nothing is known of. */
static hd_mays any_trouble(hd_code_op op, uint8_t flags) {
  if (op == HD_CODE_SDIV || op == HD_CODE_SREM)
    return HD_MAY_DIVIDE_BY_ZERO | HD_MAY_OVERFLOW;
  if (op == HD_CODE_UDIV || op == HD_CODE_UREM)
    return HD_MAY_DIVIDE_BY_ZERO;
  hd_mays mays = flags & (HD_CODE_NSW | HD_CODE_NUW) ? HD_MAY_OVERFLOW : 0;
  if (op >= HD_CODE_SHL && op <= HD_CODE_ASHR)
    mays |= HD_MAY_SHIFT_TOO_FAR;
  return mays;
}

static hd_value dispatch(hd_code_op op, uint8_t flags, hd_type type,
                         const hd_type *types, const hd_value *args,
                         hd_mays *mays) {
  uint8_t width = type.width;
  int n = hd_code_op_arity(op);
  if (op == HD_CODE_PTRADD)
    return move_address(width, &args[0], &args[1]);
  if (op == HD_CODE_BITCAST ||
      ((op == HD_CODE_PTRTOINT || op == HD_CODE_INTTOPTR) &&
       width == types[0].width))
    return args[0];
  if (op >= HD_CODE_EQ && op <= HD_CODE_SGE)
    return hd_value_compare(op, types[0].width, args);
  hd_value special;
  if (op == HD_CODE_SUB && difference(width, args, &special))
    return special;
  if (op == HD_CODE_ADD && has_address(&args[0]) != has_address(&args[1]))
    return has_address(&args[0]) ? move_address(width, &args[0], &args[1])
                                 : move_address(width, &args[1], &args[0]);
  for (int i = 0; i < n; i++)
    if (has_address(&args[i])) {
      *mays |= any_trouble(op, flags);
      return anything(width, args, n);
    }
  if (op >= HD_CODE_SADD_OVERFLOWS && op <= HD_CODE_UMUL_OVERFLOWS)
    return overflows(op, types[0].width, args);
  if ((op >= HD_CODE_FADD && op <= HD_CODE_FABS) ||
      (op >= HD_CODE_FOEQ && op <= HD_CODE_FUNO) ||
      (op >= HD_CODE_FPTRUNC && op <= HD_CODE_UITOFP) || op == HD_CODE_BSWAP)
    return on_constants(op, type, types, args, mays);
  if (op >= HD_CODE_TRUNC && op <= HD_CODE_INTTOPTR)
    return cast_int(op, width, types[0].width, &args[0]);
  if (op >= HD_CODE_CTPOP && op <= HD_CODE_ABS)
    return unary_int(op, flags, type, &args[0], mays);
  if (op == HD_CODE_WITHIN) {
    hd_value outside = hd_value_compare(HD_CODE_UGE, width, args);
    if (hd_value_contains(&outside, 1, 1))
      *mays |= HD_MAY_LEAVE_ARRAY;
    return args[0];
  }
  return binary(op, flags, width, args, mays);
}

static hd_value choose(uint8_t width, const hd_value *args) {
  bool yes = hd_value_contains(&args[0], 1, 1) || args[0].wild;
  bool no = hd_value_contains(&args[0], 1, 0) || args[0].wild;
  hd_value v = yes && no ? hd_value_join(width, &args[1], &args[2])
               : yes     ? args[1]
               : no      ? args[2]
                         : hd_value_none();
  return v;
}

hd_value hd_value_apply(hd_code_op op, uint8_t flags, hd_type type,
                        const hd_type *types, const hd_value *args,
                        hd_mays *mays) {
  int n = hd_code_op_arity(op);
  hd_value defined[3];
  bool undef = false;
  for (int i = 0; i < n; i++) {
    if (hd_value_is_none(&args[i]))
      return hd_value_none();
    defined[i] = args[i];
    /* An undefined operand may be any integer. A select passes its arms on. */
    if (args[i].undef && !(op == HD_CODE_SELECT && i > 0)) {
      hd_value any = hd_value_any(types[i].width);
      hd_value_add_ints(&defined[i], types[i].width, &any);
      defined[i].undef = false;
      undef = true;
    }
  }
  hd_value v = op == HD_CODE_SELECT
                   ? choose(type.width, defined)
                   : dispatch(op, flags, type, types, defined, mays);
  v.term = 0;
  if (undef) {
    *mays |= HD_MAY_BE_UNDEFINED;
    v.undef = true;
  }
  return v;
}
