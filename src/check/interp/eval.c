/* SPDX-License-Identifier: MIT */
/* Expressions are evaluated twice over. The fast way runs the straight-line
 * program of the plan and gives up at the first thing that is not ordinary: an
 * undefined bit, an overflow that is checked, a division by zero. The slow way
 * walks the expression and decides what that means; it is the definition, and
 * happens rarely.
 *
 * Undefined bits go through an operation as far as they can change its result:
 * `and` with a defined 0 gives a defined 0, a sum is undefined from the lowest
 * undefined bit on, a comparison is defined when the defined bits decide it. So
 * bit-fields of a fresh struct can be set one after the other. */
#include "check/interp/eval.h"

#include "check/interp/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double to_f64(uint64_t bits) {
  double value;
  memcpy(&value, &bits, 8);
  return value;
}

static uint64_t of_f64(double value) {
  uint64_t bits;
  memcpy(&bits, &value, 8);
  return bits;
}

static float to_f32(uint64_t bits) {
  float value;
  uint32_t low = (uint32_t)bits;
  memcpy(&value, &low, 4);
  return value;
}

static uint64_t of_f32(float value) {
  uint32_t low;
  memcpy(&low, &value, 4);
  return low;
}

static double to_float(uint64_t bits, uint8_t width) {
  return width == 32 ? (double)to_f32(bits) : to_f64(bits);
}

static uint64_t of_float(double value, uint8_t width) {
  return width == 32 ? of_f32((float)value) : of_f64(value);
}

/* --- pure operations on defined values --- */

static uint64_t byte_swap(uint64_t bits, uint8_t width) {
  return __builtin_bswap64(bits) >> (64 - width);
}

static uint64_t count_leading(uint64_t bits, uint8_t width) {
  return bits ? (uint64_t)__builtin_clzll(bits) - (64u - width) : width;
}

static uint64_t count_trailing(uint64_t bits, uint8_t width) {
  return bits ? (uint64_t)__builtin_ctzll(bits) : width;
}

/* f32 arithmetic in float, so that it is rounded once. */
static uint64_t float_op(hd_code_op op, uint8_t width, uint64_t a, uint64_t b) {
  if (width == 32) {
    float x = to_f32(a), y = to_f32(b);
    switch (op) {
    case HD_CODE_FADD:
      return of_f32(x + y);
    case HD_CODE_FSUB:
      return of_f32(x - y);
    case HD_CODE_FMUL:
      return of_f32(x * y);
    case HD_CODE_FDIV:
      return of_f32(x / y);
    default:
      return of_f32(fmodf(x, y));
    }
  }
  double x = to_f64(a), y = to_f64(b);
  switch (op) {
  case HD_CODE_FADD:
    return of_f64(x + y);
  case HD_CODE_FSUB:
    return of_f64(x - y);
  case HD_CODE_FMUL:
    return of_f64(x * y);
  case HD_CODE_FDIV:
    return of_f64(x / y);
  default:
    return of_f64(fmod(x, y));
  }
}

static bool float_compare(hd_code_op op, double x, double y) {
  bool unordered = isnan(x) || isnan(y);
  switch (op) {
  case HD_CODE_FOEQ:
    return !unordered && x == y;
  case HD_CODE_FOGT:
    return !unordered && x > y;
  case HD_CODE_FOGE:
    return !unordered && x >= y;
  case HD_CODE_FOLT:
    return !unordered && x < y;
  case HD_CODE_FOLE:
    return !unordered && x <= y;
  case HD_CODE_FONE:
    return !unordered && x != y;
  case HD_CODE_FORD:
    return !unordered;
  case HD_CODE_FUEQ:
    return unordered || x == y;
  case HD_CODE_FUGT:
    return unordered || x > y;
  case HD_CODE_FUGE:
    return unordered || x >= y;
  case HD_CODE_FULT:
    return unordered || x < y;
  case HD_CODE_FULE:
    return unordered || x <= y;
  case HD_CODE_FUNE:
    return unordered || x != y;
  default:
    assert(op == HD_CODE_FUNO);
    return unordered;
  }
}

/* Bounds are exact: 2^(w-1) and 2^w are floats. */
static bool float_fits(hd_code_op op, double x, uint8_t width) {
  double whole = trunc(x);
  if (op == HD_CODE_FPTOSI)
    return whole >= -ldexp(1, width - 1) && whole < ldexp(1, width - 1);
  return whole >= 0 && whole < ldexp(1, width);
}

static bool mul_overflows(bool is_signed, uint8_t w, uint64_t a, uint64_t b) {
  if (is_signed) {
    hd_i128 r = (hd_i128)hd_sign(a, w) * hd_sign(b, w);
    return r != hd_sign((uint64_t)r & hd_code_mask(w), w);
  }
  uint64_t r;
  return __builtin_mul_overflow(a, b, &r) || (r & hd_code_mask(w)) != r;
}

/* Does the exact result of ADD, SUB, MUL leave the type? */
static bool overflows(hd_code_op op, bool is_signed, uint8_t w, uint64_t a,
                      uint64_t b) {
  uint64_t mask = hd_code_mask(w), r;
  switch (op) {
  case HD_CODE_ADD:
    r = (a + b) & mask;
    return is_signed ? ((a ^ r) & (b ^ r)) >> (w - 1) & 1 : r < a;
  case HD_CODE_SUB:
    r = (a - b) & mask;
    return is_signed ? ((a ^ b) & (a ^ r)) >> (w - 1) & 1 : a < b;
  case HD_CODE_MUL:
    return mul_overflows(is_signed, w, a, b);
  default:
    assert(op == HD_CODE_SHL);
    r = (a << b) & mask;
    if (is_signed)
      return hd_sign(r, w) >> b != hd_sign(a, w);
    return r >> b != a;
  }
}

/* The result of an operation whose operands are defined and for which it has
 * one. `w` is the width of the result, `from` that of the first operand. */
static inline __attribute__((always_inline)) bool
apply(hd_code_op op, uint8_t flags, uint8_t w, uint8_t from, uint64_t a,
      uint64_t b, uint64_t c, uint64_t *out) {
  uint64_t mask = hd_code_mask(w);
  switch (op) {
  case HD_CODE_ADD:
  case HD_CODE_SUB:
  case HD_CODE_MUL:
    if ((flags & HD_CODE_NSW && overflows(op, true, w, a, b)) ||
        (flags & HD_CODE_NUW && overflows(op, false, w, a, b)))
      return false;
    *out = (op == HD_CODE_ADD   ? a + b
            : op == HD_CODE_SUB ? a - b
                                : a * b) &
           mask;
    return true;
  case HD_CODE_UDIV:
    if (!b || (flags & HD_CODE_EXACT && a % b))
      return false;
    *out = a / b;
    return true;
  case HD_CODE_UREM:
    if (!b)
      return false;
    *out = a % b;
    return true;
  case HD_CODE_SDIV:
  case HD_CODE_SREM: {
    int64_t x = hd_sign(a, w), y = hd_sign(b, w);
    if (!y || (y == -1 && a == (uint64_t)1 << (w - 1)))
      return false;
    if (op == HD_CODE_SDIV && flags & HD_CODE_EXACT && x % y)
      return false;
    *out = (uint64_t)(op == HD_CODE_SDIV ? x / y : x % y) & mask;
    return true;
  }
  case HD_CODE_SHL:
    if (b >= w || (flags & HD_CODE_NSW && overflows(op, true, w, a, b)) ||
        (flags & HD_CODE_NUW && overflows(op, false, w, a, b)))
      return false;
    *out = (a << b) & mask;
    return true;
  case HD_CODE_LSHR:
    if (b >= w || (flags & HD_CODE_EXACT && a >> b << b != a))
      return false;
    *out = a >> b;
    return true;
  case HD_CODE_ASHR:
    if (b >= w || (flags & HD_CODE_EXACT && a >> b << b != a))
      return false;
    *out = (uint64_t)(hd_sign(a, w) >> b) & mask;
    return true;
  case HD_CODE_AND:
    *out = a & b;
    return true;
  case HD_CODE_OR:
    *out = a | b;
    return true;
  case HD_CODE_XOR:
    *out = a ^ b;
    return true;
  case HD_CODE_EQ:
    *out = a == b;
    return true;
  case HD_CODE_NE:
    *out = a != b;
    return true;
  case HD_CODE_ULT:
    *out = a < b;
    return true;
  case HD_CODE_ULE:
    *out = a <= b;
    return true;
  case HD_CODE_UGT:
    *out = a > b;
    return true;
  case HD_CODE_UGE:
    *out = a >= b;
    return true;
  case HD_CODE_SLT:
    *out = hd_sign(a, from) < hd_sign(b, from);
    return true;
  case HD_CODE_SLE:
    *out = hd_sign(a, from) <= hd_sign(b, from);
    return true;
  case HD_CODE_SGT:
    *out = hd_sign(a, from) > hd_sign(b, from);
    return true;
  case HD_CODE_SGE:
    *out = hd_sign(a, from) >= hd_sign(b, from);
    return true;
  case HD_CODE_SADD_OVERFLOWS:
  case HD_CODE_UADD_OVERFLOWS:
    *out = overflows(HD_CODE_ADD, op == HD_CODE_SADD_OVERFLOWS, from, a, b);
    return true;
  case HD_CODE_SSUB_OVERFLOWS:
  case HD_CODE_USUB_OVERFLOWS:
    *out = overflows(HD_CODE_SUB, op == HD_CODE_SSUB_OVERFLOWS, from, a, b);
    return true;
  case HD_CODE_SMUL_OVERFLOWS:
  case HD_CODE_UMUL_OVERFLOWS:
    *out = overflows(HD_CODE_MUL, op == HD_CODE_SMUL_OVERFLOWS, from, a, b);
    return true;
  case HD_CODE_FADD:
  case HD_CODE_FSUB:
  case HD_CODE_FMUL:
  case HD_CODE_FDIV:
  case HD_CODE_FREM:
    *out = float_op(op, w, a, b);
    return true;
  case HD_CODE_FNEG:
    *out = a ^ (uint64_t)1 << (w - 1);
    return true;
  case HD_CODE_FABS:
    *out = a & ~((uint64_t)1 << (w - 1));
    return true;
  case HD_CODE_FOEQ:
  case HD_CODE_FOGT:
  case HD_CODE_FOGE:
  case HD_CODE_FOLT:
  case HD_CODE_FOLE:
  case HD_CODE_FONE:
  case HD_CODE_FORD:
  case HD_CODE_FUEQ:
  case HD_CODE_FUGT:
  case HD_CODE_FUGE:
  case HD_CODE_FULT:
  case HD_CODE_FULE:
  case HD_CODE_FUNE:
  case HD_CODE_FUNO:
    *out = float_compare(op, to_float(a, from), to_float(b, from));
    return true;
  case HD_CODE_TRUNC:
  case HD_CODE_ZEXT:
  case HD_CODE_BITCAST:
  case HD_CODE_PTRTOINT:
  case HD_CODE_INTTOPTR:
    *out = a & mask;
    return true;
  case HD_CODE_SEXT:
    *out = (uint64_t)hd_sign(a, from) & mask;
    return true;
  case HD_CODE_FPTRUNC:
  case HD_CODE_FPEXT:
    *out = of_float(to_float(a, from), w);
    return true;
  case HD_CODE_FPTOSI:
  case HD_CODE_FPTOUI: {
    double x = to_float(a, from);
    if (!float_fits(op, x, w))
      return false;
    *out = (op == HD_CODE_FPTOSI ? (uint64_t)(int64_t)x : (uint64_t)x) & mask;
    return true;
  }
  case HD_CODE_SITOFP:
    *out = w == 32 ? of_f32((float)hd_sign(a, from))
                   : of_f64((double)hd_sign(a, from));
    return true;
  case HD_CODE_UITOFP:
    *out = w == 32 ? of_f32((float)a) : of_f64((double)a);
    return true;
  case HD_CODE_PTRADD: {
    /* Past 2^31 the sum would get to some other object. */
    int64_t delta = hd_sign(b, w);
    if (w == 64 && flags & HD_CODE_INBOUNDS &&
        (delta > INT32_MAX || delta < INT32_MIN))
      return false;
    *out = (a + b) & mask;
    return true;
  }
  case HD_CODE_SELECT:
    *out = a ? b : c;
    return true;
  case HD_CODE_CTPOP:
    *out = (uint64_t)__builtin_popcountll(a);
    return true;
  case HD_CODE_CTLZ:
    *out = count_leading(a, w);
    return true;
  case HD_CODE_CTTZ:
    *out = count_trailing(a, w);
    return true;
  case HD_CODE_BSWAP:
    *out = byte_swap(a, w);
    return true;
  case HD_CODE_ABS:
    if (flags & HD_CODE_NSW && a == (uint64_t)1 << (w - 1))
      return false;
    *out = (hd_sign(a, w) < 0 ? 0 - a : a) & mask;
    return true;
  case HD_CODE_SMIN:
    *out = hd_sign(a, w) < hd_sign(b, w) ? a : b;
    return true;
  case HD_CODE_SMAX:
    *out = hd_sign(a, w) > hd_sign(b, w) ? a : b;
    return true;
  case HD_CODE_UMIN:
    *out = a < b ? a : b;
    return true;
  case HD_CODE_UMAX:
    *out = a > b ? a : b;
    return true;
  default:
    hd_bug("operation %d in an expression", (int)op);
  }
}

uint64_t hd_eval_rmw(hd_rmw rmw, uint8_t width, uint64_t old, uint64_t value) {
  uint64_t mask = hd_code_mask(width);
  switch (rmw) {
  case HD_RMW_XCHG:
    return value;
  case HD_RMW_ADD:
    return (old + value) & mask;
  case HD_RMW_SUB:
    return (old - value) & mask;
  case HD_RMW_AND:
    return old & value;
  case HD_RMW_NAND:
    return ~(old & value) & mask;
  case HD_RMW_OR:
    return old | value;
  case HD_RMW_XOR:
    return old ^ value;
  case HD_RMW_MAX:
    return hd_sign(old, width) > hd_sign(value, width) ? old : value;
  case HD_RMW_MIN:
    return hd_sign(old, width) < hd_sign(value, width) ? old : value;
  case HD_RMW_UMAX:
    return old > value ? old : value;
  case HD_RMW_UMIN:
    return old < value ? old : value;
  case HD_RMW_FADD:
    return float_op(HD_CODE_FADD, width, old, value);
  case HD_RMW_FSUB:
    return float_op(HD_CODE_FSUB, width, old, value);
  }
  hd_bug("rmw kind %d", (int)rmw);
}

/* --- the slow way --- */

typedef struct {
  const hd_machine *m;
  const hd_thread *t;
  hd_trouble *trouble;
} walk;

static const char *op_sign(hd_code_op op) {
  switch (op) {
  case HD_CODE_ADD:
    return "+";
  case HD_CODE_SUB:
    return "-";
  case HD_CODE_MUL:
    return "*";
  case HD_CODE_SHL:
    return "<<";
  case HD_CODE_SREM:
  case HD_CODE_UREM:
    return "%";
  case HD_CODE_LSHR:
  case HD_CODE_ASHR:
    return ">>";
  default:
    return "/";
  }
}

/* Sets the trouble if somebody looks for it. */
static bool trouble(const walk *w, hd_property property, const char *what,
                    const hd_cexpr *expr, uint64_t a, uint64_t b,
                    bool is_signed) {
  w->trouble->property = property;
  uint8_t width = expr->type.width;
  if (is_signed)
    snprintf(w->trouble->text, sizeof w->trouble->text, "%s: %lld %s %lld",
             what, (long long)hd_sign(a, width), op_sign(expr->op),
             (long long)hd_sign(b, width));
  else
    snprintf(w->trouble->text, sizeof w->trouble->text, "%s: %llu %s %llu",
             what, (unsigned long long)a, op_sign(expr->op),
             (unsigned long long)b);
  return false;
}

static bool checked(const walk *w, hd_property property) {
  return hd_plan_checks(w->m->plan, property);
}

/* An operation without an ordinary result: a violation, or what the hardware
 * does. */
static bool odd(const walk *w, const hd_cexpr *e, uint8_t from, uint64_t a,
                uint64_t b, hd_value *out) {
  uint8_t width = e->type.width;
  uint64_t mask = hd_code_mask(width);
  out->undef = 0;
  switch ((hd_code_op)e->op) {
  case HD_CODE_ADD:
  case HD_CODE_SUB:
  case HD_CODE_MUL: {
    bool is_signed =
        e->flags & HD_CODE_NSW && overflows(e->op, true, width, a, b);
    if (checked(w, HD_PROPERTY_OVERFLOW))
      return trouble(w, HD_PROPERTY_OVERFLOW,
                     is_signed ? "signed overflow" : "unsigned overflow", e, a,
                     b, is_signed);
    out->bits = (e->op == HD_CODE_ADD   ? a + b
                 : e->op == HD_CODE_SUB ? a - b
                                        : a * b) &
                mask;
    return true;
  }
  case HD_CODE_SDIV:
  case HD_CODE_SREM:
  case HD_CODE_UDIV:
  case HD_CODE_UREM: {
    bool is_signed = e->op == HD_CODE_SDIV || e->op == HD_CODE_SREM;
    if (!b)
      return trouble(w, HD_PROPERTY_ARITH, "division by zero", e, a, b,
                     is_signed);
    if (!is_signed || a != (uint64_t)1 << (width - 1) || b != mask) {
      /* `exact` without being so */
      out->bits = is_signed
                      ? (uint64_t)(hd_sign(a, width) / hd_sign(b, width)) & mask
                      : a / b;
      out->undef = mask;
      return true;
    }
    /* The smallest value divided by -1 traps. */
    return trouble(w,
                   checked(w, HD_PROPERTY_OVERFLOW) ? HD_PROPERTY_OVERFLOW
                                                    : HD_PROPERTY_ARITH,
                   "signed overflow", e, a, b, true);
  }
  case HD_CODE_SHL:
  case HD_CODE_LSHR:
  case HD_CODE_ASHR:
    if (b >= width) {
      if (checked(w, HD_PROPERTY_ARITH))
        return trouble(w, HD_PROPERTY_ARITH, "shift by too much", e, a, b,
                       false);
      b %= width;
    } else if (e->op == HD_CODE_SHL && checked(w, HD_PROPERTY_OVERFLOW)) {
      return trouble(w, HD_PROPERTY_OVERFLOW, "overflow", e, a, b,
                     e->flags & HD_CODE_NSW);
    }
    out->bits = (e->op == HD_CODE_SHL    ? a << b
                 : e->op == HD_CODE_LSHR ? a >> b
                                         : (uint64_t)(hd_sign(a, width) >> b)) &
                mask;
    return true;
  case HD_CODE_ABS:
    if (checked(w, HD_PROPERTY_OVERFLOW)) {
      w->trouble->property = HD_PROPERTY_OVERFLOW;
      snprintf(w->trouble->text, sizeof w->trouble->text,
               "signed overflow: abs (%lld)", (long long)hd_sign(a, width));
      return false;
    }
    out->bits = a;
    return true;
  case HD_CODE_FPTOSI:
  case HD_CODE_FPTOUI:
    if (checked(w, HD_PROPERTY_OVERFLOW)) {
      w->trouble->property = HD_PROPERTY_OVERFLOW;
      snprintf(w->trouble->text, sizeof w->trouble->text,
               "%g does not fit into an integer of %d bits", to_float(a, from),
               width);
      return false;
    }
    *out = (hd_value){0, mask};
    return true;
  case HD_CODE_PTRADD:
    /* Somewhere in no object. */
    *out = (hd_value){(uint64_t)0x7fffffff << 32 | (uint32_t)(a + b), 0};
    return true;
  default:
    hd_bug("operation %s has no result", hd_code_op_name(e->op));
  }
}

/* All bits from the lowest one of `undef` on. */
static uint64_t upwards(uint64_t undef, uint64_t mask) {
  return undef ? ~((undef & -undef) - 1) & mask : 0;
}

/* Where the result can depend on undefined bits. */
static uint64_t spread(const hd_cexpr *e, uint8_t from, hd_value a,
                       hd_value b) {
  uint8_t width = e->type.width;
  uint64_t mask = hd_code_mask(width), any = a.undef | b.undef;
  switch ((hd_code_op)e->op) {
  case HD_CODE_AND:
    return (a.undef & b.undef) | (a.undef & b.bits) | (b.undef & a.bits);
  case HD_CODE_OR:
    return (a.undef & ~b.bits) | (b.undef & ~a.bits);
  case HD_CODE_XOR:
    return any;
  case HD_CODE_ADD:
  case HD_CODE_SUB:
  case HD_CODE_MUL:
  case HD_CODE_PTRADD:
    return upwards(any, mask);
  case HD_CODE_SHL:
    return b.undef || b.bits >= width ? mask : (a.undef << b.bits) & mask;
  case HD_CODE_LSHR:
    return b.undef || b.bits >= width ? mask : a.undef >> b.bits;
  case HD_CODE_ASHR:
    return b.undef || b.bits >= width
               ? mask
               : (uint64_t)(hd_sign(a.undef, width) >> b.bits) & mask;
  case HD_CODE_EQ:
  case HD_CODE_NE:
    return ((a.bits ^ b.bits) & ~any) == 0;
  case HD_CODE_TRUNC:
  case HD_CODE_ZEXT:
  case HD_CODE_BITCAST:
  case HD_CODE_PTRTOINT:
  case HD_CODE_INTTOPTR:
    return a.undef & mask;
  case HD_CODE_SEXT:
    return (uint64_t)hd_sign(a.undef, from) & mask;
  case HD_CODE_BSWAP:
    return byte_swap(a.undef, width);
  default:
    return mask;
  }
}

static bool walk_expr(const walk *w, hd_cexpr_id id, hd_value *out);

static bool leaf(const walk *w, const hd_cexpr *e, hd_value *out) {
  const hd_plan *plan = w->m->plan;
  *out = (hd_value){0, 0};
  switch ((hd_code_op)e->op) {
  case HD_CODE_INT:
    out->bits = e->value;
    return true;
  case HD_CODE_NULL:
    return true;
  case HD_CODE_UNDEF:
    out->undef = hd_code_mask(e->type.width);
    return true;
  case HD_CODE_REG:
    *out = w->t->regs.data[hd_vec_last(&w->t->frames).regs + e->value];
    return true;
  case HD_CODE_GLOBAL:
    out->bits = plan->globals[e->value];
    if (plan->code->globals.data[e->value].thread_local)
      out->bits = hd_ram_stack_base(w->m, w->t->id, out->bits + 1);
    return true;
  case HD_CODE_FUNC:
    out->bits = hd_ram_func(w->m, (hd_func_id)e->value);
    return true;
  default:
    assert(e->op == HD_CODE_SLOT);
    out->bits = hd_ram_stack_base(
        w->m, w->t->id, hd_vec_last(&w->t->frames).objects + e->value);
    return true;
  }
}

/* Only the chosen one of the two is evaluated. */
static bool walk_select(const walk *w, const hd_cexpr *e, hd_value *out) {
  hd_value condition;
  if (!walk_expr(w, e->args[0], &condition) ||
      !walk_expr(w, e->args[condition.bits ? 1 : 2], out))
    return false;
  if (condition.undef)
    out->undef = hd_code_mask(e->type.width);
  out->bits &= ~out->undef;
  return true;
}

static bool walk_expr(const walk *w, hd_cexpr_id id, hd_value *out) {
  const hd_cexpr *e = &w->m->plan->code->exprs.data[id];
  int arity = hd_code_op_arity(e->op);
  if (!arity)
    return leaf(w, e, out);
  if (e->op == HD_CODE_SELECT)
    return walk_select(w, e, out);
  hd_value a, b = {0, 0};
  if (!walk_expr(w, e->args[0], &a) ||
      (arity > 1 && !walk_expr(w, e->args[1], &b)))
    return false;
  uint8_t from = w->m->plan->code->exprs.data[e->args[0]].type.width;
  if (a.undef | b.undef) {
    /* Violations that an undefined operand could cause are not looked for; it
     * is one itself where it decides something. */
    bool division = e->op == HD_CODE_SDIV || e->op == HD_CODE_UDIV ||
                    e->op == HD_CODE_SREM || e->op == HD_CODE_UREM;
    if (division && b.undef) {
      w->trouble->property = checked(w, HD_PROPERTY_UNINIT) ? HD_PROPERTY_UNINIT
                                                            : HD_PROPERTY_ARITH;
      snprintf(w->trouble->text, sizeof w->trouble->text,
               "division by a value that was never set");
      return false;
    }
    out->undef = spread(e, from, a, b);
    if (!apply(e->op, 0, e->type.width, from, a.bits, b.bits, 0, &out->bits))
      out->bits = 0;
    out->bits &= ~out->undef;
    return true;
  }
  out->undef = 0;
  return apply(e->op, e->flags, e->type.width, from, a.bits, b.bits, 0,
               &out->bits) ||
         odd(w, e, from, a.bits, b.bits, out);
}

/* --- the fast way --- */

static bool fast(const hd_machine *m, const hd_thread *t, hd_sequence code,
                 uint64_t *out) {
  const hd_instr *instr = m->plan->instrs.data + code.first;
  uint64_t *temp = m->plan->temporaries;
  for (uint32_t i = 0; i < code.count; i++, instr++) {
    switch ((hd_code_op)instr->op) {
    case HD_CODE_INT:
      temp[i] = instr->value;
      break;
    case HD_CODE_REG: {
      const hd_value *reg =
          &t->regs.data[t->frames.data[t->frames.size - 1].regs + instr->value];
      if (reg->undef)
        return false;
      temp[i] = reg->bits;
      break;
    }
    case HD_CODE_SLOT:
      temp[i] = hd_ram_stack_base(
          m, t->id, t->frames.data[t->frames.size - 1].objects + instr->value);
      break;
    case HD_CODE_GLOBAL:
      temp[i] = hd_ram_stack_base(m, t->id, instr->value + 1);
      break;
    case HD_CODE_UNDEF:
      return false;
    default:
      if (!apply(instr->op, instr->flags, instr->width, instr->from,
                 temp[instr->a], temp[instr->b], temp[instr->c], &temp[i]))
        return false;
    }
  }
  *out = temp[code.count - 1];
  return true;
}

bool hd_eval(const hd_machine *m, const hd_thread *t, hd_cexpr_id expr,
             hd_value *out, hd_trouble *why) {
  hd_sequence code = m->plan->sequences[expr];
  out->undef = 0;
  if (code.count && fast(m, t, code, &out->bits))
    return true;
  walk w = {m, t, why};
  return walk_expr(&w, expr, out);
}

bool hd_eval_or_fail(hd_machine *m, hd_thread *t, hd_cexpr_id expr,
                     bool decides, hd_value *out) {
  hd_trouble why;
  if (!hd_eval(m, t, expr, out, &why)) {
    hd_machine_violate(m, t->id, why.property, "%s", why.text);
    return false;
  }
  if (decides && out->undef) {
    if (hd_plan_checks(m->plan, HD_PROPERTY_UNINIT)) {
      hd_str text = {0};
      hd_code_print_expr(&text, m->plan->code, hd_thread_top(t)->func, expr);
      hd_machine_violate(m, t->id, HD_PROPERTY_UNINIT,
                         "a value that was never set: %s", hd_str_text(&text));
      hd_str_free(&text);
      return false;
    }
    out->undef = 0;
  }
  return true;
}
