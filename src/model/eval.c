/* SPDX-License-Identifier: MIT */
#include "model/eval.h"

#include "base/float.h"
#include "model/code_term.h"

#include <math.h>

__extension__ typedef unsigned __int128 u128;

/* --- integers --- */

bool hd_code_compares(hd_code_op op) {
  return op >= HD_CODE_EQ && op <= HD_CODE_SGE;
}

/* Where it is defined for these operands. */
static uint64_t compute(hd_code_op op, uint8_t width, uint64_t a, uint64_t b) {
  hd_code_meaning m = hd_code_meaning_of(op);
  assert(m.known);
  uint64_t r =
      hd_bv_compute((hd_bv_op)m.op, m.swap ? b : a, m.swap ? a : b, width);
  return m.negate ? !r : r;
}

/* The exact result as a wide integer, signed or unsigned. */
static hd_i128 exact(hd_code_op op, uint8_t width, uint64_t a, uint64_t b,
                     bool is_signed) {
  hd_i128 x = is_signed ? (hd_i128)hd_word_signed(a, width) : (hd_i128)a;
  hd_i128 y = is_signed ? (hd_i128)hd_word_signed(b, width) : (hd_i128)b;
  switch (op) {
  case HD_CODE_ADD:
  case HD_CODE_SADD_OVERFLOWS:
  case HD_CODE_UADD_OVERFLOWS:
    return x + y;
  case HD_CODE_SUB:
  case HD_CODE_SSUB_OVERFLOWS:
  case HD_CODE_USUB_OVERFLOWS:
    return x - y;
  default:
    /* Unsigned 64-bit factors can pass 2^127: the sign bit is then set, which
     * counts as leaving the type. */
    return (hd_i128)((u128)x * (u128)y);
  }
}

static bool leaves(hd_i128 value, uint8_t width, bool is_signed) {
  if (is_signed)
    return value !=
           hd_word_signed((uint64_t)value & hd_word_mask(width), width);
  return value != (hd_i128)((uint64_t)value & hd_word_mask(width));
}

static hd_evaluated plain(uint64_t bits, uint8_t width) {
  return (hd_evaluated){.bits = bits & hd_word_mask(width), .flags = 0};
}

static hd_evaluated arithmetic(hd_code_op op, unsigned flags, uint8_t width,
                               uint64_t a, uint64_t b) {
  hd_evaluated r = plain(compute(op, width, a, b), width);
  if ((flags & HD_CODE_NSW &&
       leaves(exact(op, width, a, b, true), width, true)) ||
      (flags & HD_CODE_NUW &&
       leaves(exact(op, width, a, b, false), width, false)))
    r.flags = HD_EVAL_OVERFLOW;
  return r;
}

static hd_evaluated divide(hd_code_op op, unsigned flags, uint8_t width,
                           uint64_t a, uint64_t b) {
  bool is_signed = op == HD_CODE_SDIV || op == HD_CODE_SREM;
  if (!b || (is_signed && b == hd_word_mask(width) &&
             a == (uint64_t)1 << (width - 1)))
    return (hd_evaluated){.bits = 0, .flags = HD_EVAL_ZERO};
  hd_evaluated r = plain(compute(op, width, a, b), width);
  bool divides = op == HD_CODE_SDIV || op == HD_CODE_UDIV;
  if (divides && flags & HD_CODE_EXACT &&
      compute(is_signed ? HD_CODE_SREM : HD_CODE_UREM, width, a, b))
    r.flags = HD_EVAL_OVERFLOW;
  return r;
}

static hd_evaluated shift(hd_code_op op, unsigned flags, uint8_t width,
                          uint64_t a, uint64_t b) {
  uint8_t wrong = b >= width ? HD_EVAL_SHIFT : 0;
  unsigned by = (unsigned)(b % width);
  hd_evaluated r = plain(compute(op, width, a, by), width);
  r.flags = wrong;
  if (op == HD_CODE_SHL) {
    if ((flags & HD_CODE_NSW &&
         hd_word_signed(r.bits, width) >> by != hd_word_signed(a, width)) ||
        (flags & HD_CODE_NUW && r.bits >> by != a))
      r.flags |= HD_EVAL_OVERFLOW;
  } else if (flags & HD_CODE_EXACT && a & (((uint64_t)1 << by) - 1)) {
    r.flags |= HD_EVAL_OVERFLOW;
  }
  return r;
}

static uint64_t count_bits(hd_code_op op, uint8_t width, uint64_t a) {
  if (op == HD_CODE_CTPOP)
    return (uint64_t)__builtin_popcountll(a);
  if (!a)
    return width;
  if (op == HD_CODE_CTTZ)
    return (uint64_t)__builtin_ctzll(a);
  return (uint64_t)__builtin_clzll(a) - (64u - width);
}

/* --- floats --- */

/* In double and rounded once more: for + - * / of floats that is exact (a
 * double has more than twice the digits and two). */
static uint64_t float_arithmetic(hd_code_op op, uint8_t width, uint64_t a,
                                 uint64_t b) {
  double x = hd_float_value(a, width), y = hd_float_value(b, width);
  switch (op) {
  case HD_CODE_FADD:
    return hd_float_bits(x + y, width);
  case HD_CODE_FSUB:
    return hd_float_bits(x - y, width);
  case HD_CODE_FMUL:
    return hd_float_bits(x * y, width);
  case HD_CODE_FDIV:
    return hd_float_bits(x / y, width);
  default:
    assert(op == HD_CODE_FREM);
    return hd_float_bits(fmod(x, y), width);
  }
}

static bool float_compare(hd_code_op op, uint8_t width, uint64_t a,
                          uint64_t b) {
  double x = hd_float_value(a, width), y = hd_float_value(b, width);
  bool unordered = isnan(x) || isnan(y);
  switch (op) {
  case HD_CODE_FORD:
    return !unordered;
  case HD_CODE_FUNO:
    return unordered;
  case HD_CODE_FOEQ:
  case HD_CODE_FUEQ:
    return unordered ? op == HD_CODE_FUEQ : x == y;
  case HD_CODE_FOGT:
  case HD_CODE_FUGT:
    return unordered ? op == HD_CODE_FUGT : x > y;
  case HD_CODE_FOGE:
  case HD_CODE_FUGE:
    return unordered ? op == HD_CODE_FUGE : x >= y;
  case HD_CODE_FOLT:
  case HD_CODE_FULT:
    return unordered ? op == HD_CODE_FULT : x < y;
  case HD_CODE_FOLE:
  case HD_CODE_FULE:
    return unordered ? op == HD_CODE_FULE : x <= y;
  default:
    assert(op == HD_CODE_FONE || op == HD_CODE_FUNE);
    return unordered ? op == HD_CODE_FUNE : x != y;
  }
}

static hd_evaluated to_integer(hd_code_op op, uint8_t width, double value) {
  bool is_signed = op == HD_CODE_FPTOSI;
  double top = ldexp(1.0, is_signed ? width - 1 : width);
  double cut = trunc(value);
  if (isnan(value) || cut >= top || cut < (is_signed ? -top : 0.0))
    return (hd_evaluated){.bits = 0, .flags = HD_EVAL_UNDEF};
  return plain(is_signed ? (uint64_t)(int64_t)cut : (uint64_t)cut, width);
}

static uint64_t to_floating(hd_code_op op, hd_type type, hd_type from,
                            uint64_t a) {
  int64_t value = hd_word_signed(a, from.width);
  if (type.width == 32)
    return hd_f32_bits(op == HD_CODE_SITOFP ? (float)value : (float)a);
  return hd_float_bits(op == HD_CODE_SITOFP ? (double)value : (double)a, 64);
}

/* --- all of them --- */

static hd_evaluated unary(hd_code_op op, unsigned flags, hd_type type,
                          hd_type from, uint64_t a) {
  uint8_t width = type.width;
  uint64_t top = (uint64_t)1 << (width - 1);
  switch (op) {
  case HD_CODE_TRUNC:
  case HD_CODE_ZEXT:
  case HD_CODE_PTRTOINT:
  case HD_CODE_INTTOPTR:
  case HD_CODE_BITCAST:
    return plain(a, width);
  case HD_CODE_SEXT:
    return plain((uint64_t)hd_word_signed(a, from.width), width);
  case HD_CODE_FPTRUNC:
  case HD_CODE_FPEXT:
    return plain(hd_float_bits(hd_float_value(a, from.width), width), width);
  case HD_CODE_FPTOSI:
  case HD_CODE_FPTOUI:
    return to_integer(op, width, hd_float_value(a, from.width));
  case HD_CODE_SITOFP:
  case HD_CODE_UITOFP:
    return plain(to_floating(op, type, from, a), width);
  case HD_CODE_FNEG:
    return plain(a ^ top, width);
  case HD_CODE_FABS:
    return plain(a & ~top, width);
  case HD_CODE_BSWAP:
    return plain(__builtin_bswap64(a) >> (64 - width), width);
  case HD_CODE_ABS: {
    hd_evaluated r = plain(a & top ? -a : a, width);
    if (a == top && flags & HD_CODE_NSW)
      r.flags = HD_EVAL_OVERFLOW;
    return r;
  }
  default:
    return plain(count_bits(op, width, a), width);
  }
}

static hd_evaluated binary(hd_code_op op, unsigned flags, hd_type type,
                           hd_type from, uint64_t a, uint64_t b) {
  uint8_t width = from.width;
  bool is_signed = op == HD_CODE_SADD_OVERFLOWS ||
                   op == HD_CODE_SSUB_OVERFLOWS || op == HD_CODE_SMUL_OVERFLOWS;
  switch (op) {
  case HD_CODE_ADD:
  case HD_CODE_SUB:
  case HD_CODE_MUL:
    return arithmetic(op, flags, width, a, b);
  case HD_CODE_UDIV:
  case HD_CODE_SDIV:
  case HD_CODE_UREM:
  case HD_CODE_SREM:
    return divide(op, flags, width, a, b);
  case HD_CODE_SHL:
  case HD_CODE_LSHR:
  case HD_CODE_ASHR:
    return shift(op, flags, width, a, b);
  case HD_CODE_AND:
  case HD_CODE_OR:
  case HD_CODE_XOR:
    return plain(compute(op, width, a, b), width);
  case HD_CODE_PTRADD:
    return plain(a + b, type.width);
  case HD_CODE_SMIN:
    return plain(compute(HD_CODE_SLT, width, a, b) ? a : b, width);
  case HD_CODE_SMAX:
    return plain(compute(HD_CODE_SLT, width, a, b) ? b : a, width);
  case HD_CODE_WITHIN: /* inside the object it is like any other */
    return plain(a, width);
  case HD_CODE_UMIN:
    return plain(a < b ? a : b, width);
  case HD_CODE_UMAX:
    return plain(a < b ? b : a, width);
  case HD_CODE_SADD_OVERFLOWS:
  case HD_CODE_UADD_OVERFLOWS:
  case HD_CODE_SSUB_OVERFLOWS:
  case HD_CODE_USUB_OVERFLOWS:
  case HD_CODE_SMUL_OVERFLOWS:
  case HD_CODE_UMUL_OVERFLOWS:
    return plain(leaves(exact(op, width, a, b, is_signed), width, is_signed),
                 1);
  default:
    if (hd_code_compares(op))
      return plain(compute(op, width, a, b), 1);
    if (op >= HD_CODE_FOEQ && op <= HD_CODE_FUNO)
      return plain(float_compare(op, width, a, b), 1);
    return plain(float_arithmetic(op, width, a, b), width);
  }
}

hd_evaluated hd_evaluate_op(hd_code_op op, unsigned flags, hd_type type,
                            hd_type from, uint64_t a, uint64_t b) {
  return hd_code_op_arity(op) == 1 ? unary(op, flags, type, from, a)
                                   : binary(op, flags, type, from, a, b);
}

uint64_t hd_evaluate_rmw(hd_rmw rmw, hd_type type, uint64_t old,
                         uint64_t value) {
  static const uint8_t ops[] = {
      [HD_RMW_ADD] = HD_CODE_ADD,   [HD_RMW_SUB] = HD_CODE_SUB,
      [HD_RMW_AND] = HD_CODE_AND,   [HD_RMW_OR] = HD_CODE_OR,
      [HD_RMW_XOR] = HD_CODE_XOR,   [HD_RMW_MAX] = HD_CODE_SMAX,
      [HD_RMW_MIN] = HD_CODE_SMIN,  [HD_RMW_UMAX] = HD_CODE_UMAX,
      [HD_RMW_UMIN] = HD_CODE_UMIN, [HD_RMW_FADD] = HD_CODE_FADD,
      [HD_RMW_FSUB] = HD_CODE_FSUB};
  if (rmw == HD_RMW_XCHG)
    return value;
  if (rmw == HD_RMW_NAND)
    return ~(old & value) & hd_word_mask(type.width);
  return binary((hd_code_op)ops[rmw], 0, type, type, old, value).bits;
}

/* --- expressions --- */

static hd_evaluated leaf(const hd_eval_env *env, const hd_cexpr *e) {
  hd_evaluated r = {0};
  switch ((hd_code_op)e->op) {
  case HD_CODE_INT:
    r.bits = e->value;
    break;
  case HD_CODE_NULL:
    break;
  case HD_CODE_UNDEF:
    r.flags = HD_EVAL_UNDEF;
    break;
  case HD_CODE_REG:
    r.bits = env->regs[e->value];
    r.flags = env->states[e->value] == HD_REG_UNSET    ? HD_EVAL_UNSET
              : env->states[e->value] == HD_REG_SAMPLE ? HD_EVAL_SAMPLE
                                                       : 0;
    break;
  default:
    r.bits = env->address(env->context, e);
    break;
  }
  return r;
}

static const hd_cexpr *expr_at(const hd_eval_env *env, hd_cexpr_id id) {
  return &env->code->exprs.data[id];
}

/* Is `op` of a sample and the constant `b` the same for all that the sample
 * stands for, up to a choice that other samples make? */
static bool samples_fit(const hd_eval_env *env, const hd_cexpr *e,
                        const hd_cexpr *b) {
  switch ((hd_code_op)e->op) {
  case HD_CODE_TRUNC:
    return e->type.width < 32 &&
           env->modulus % ((uint64_t)1 << e->type.width) == 0;
  case HD_CODE_AND: {
    uint64_t power = 1;
    while (b->op == HD_CODE_INT && power <= b->value && power < 1024)
      power *= 2;
    return b->op == HD_CODE_INT && power > b->value &&
           env->modulus % power == 0;
  }
  case HD_CODE_UREM:
  case HD_CODE_SREM: {
    if (b->op != HD_CODE_INT || !b->value)
      return false;
    int64_t by = hd_word_signed(b->value, e->type.width);
    return by > 0 && env->modulus % (uint64_t)by == 0;
  }
  default:
    return hd_code_compares((hd_code_op)e->op) && b->op == HD_CODE_INT;
  }
}

bool hd_code_is_shifted(const hd_code *code, const hd_cexpr *e) {
  return (e->op == HD_CODE_ADD || e->op == HD_CODE_SUB) && !e->flags &&
         code->exprs.data[e->args[0]].op == HD_CODE_REG &&
         code->exprs.data[e->args[1]].op == HD_CODE_INT;
}

/* What becomes of the samples among the operands. */
static uint8_t vague(const hd_eval_env *env, const hd_cexpr *e, hd_evaluated a,
                     hd_evaluated b) {
  uint8_t all = a.flags | b.flags;
  if (!(all & (HD_EVAL_SAMPLE | HD_EVAL_VAGUE)))
    return 0;
  bool fits = !(all & HD_EVAL_VAGUE);
  if (fits && a.flags & HD_EVAL_SAMPLE)
    fits = !(b.flags & HD_EVAL_SAMPLE) &&
           samples_fit(env, e,
                       e->args[1] == HD_NO_ID ? e : expr_at(env, e->args[1]));
  else if (fits)
    fits = hd_code_compares((hd_code_op)e->op) &&
           expr_at(env, e->args[0])->op == HD_CODE_INT;
  return fits ? 0 : HD_EVAL_VAGUE;
}

static bool is_object(const hd_eval_env *env, uint64_t pointer) {
  return env->object_shift && pointer >> env->object_shift;
}

static bool same_object(const hd_eval_env *env, uint64_t a, uint64_t b) {
  return a >> env->object_shift == b >> env->object_shift;
}

/* Does the result depend on where objects lie? Differences and comparisons of
 * pointers into one object do not. */
static uint8_t where(const hd_eval_env *env, const hd_cexpr *e, hd_evaluated a,
                     hd_evaluated b) {
  uint8_t before = (a.flags | b.flags) & HD_EVAL_ADDRESS;
  if (!env->object_shift)
    return 0;
  hd_type from = expr_at(env, e->args[0])->type;
  bool objects = is_object(env, a.bits) || is_object(env, b.bits);
  switch ((hd_code_op)e->op) {
  case HD_CODE_PTRTOINT:
  case HD_CODE_INTTOPTR:
    return is_object(env, a.bits) ? HD_EVAL_ADDRESS : before;
  case HD_CODE_SUB:
  case HD_CODE_EQ:
  case HD_CODE_NE:
    if (e->op != HD_CODE_SUB && is_object(env, a.bits) &&
        is_object(env, b.bits) && !same_object(env, a.bits, b.bits) &&
        env->may_meet(env->context, a.bits, b.bits))
      return HD_EVAL_ADDRESS;
    if (a.flags & b.flags & HD_EVAL_ADDRESS &&
        expr_at(env, e->args[0])->op == HD_CODE_PTRTOINT &&
        expr_at(env, e->args[1])->op == HD_CODE_PTRTOINT)
      return e->op != HD_CODE_SUB || same_object(env, a.bits, b.bits)
                 ? 0
                 : HD_EVAL_ADDRESS;
    return before;
  default:
    if (hd_code_compares((hd_code_op)e->op) && from.kind == HD_TYPE_PTR &&
        objects && !same_object(env, a.bits, b.bits))
      return HD_EVAL_ADDRESS;
    return before;
  }
}

hd_evaluated hd_evaluate(const hd_eval_env *env, hd_cexpr_id id) {
  const hd_cexpr *e = expr_at(env, id);
  int arity = hd_code_op_arity((hd_code_op)e->op);
  if (!arity)
    return leaf(env, e);
  hd_evaluated a = hd_evaluate(env, e->args[0]);
  if (e->op == HD_CODE_SELECT) {
    hd_evaluated r = hd_evaluate(env, e->args[a.bits ? 1 : 2]);
    if (a.flags & HD_EVAL_SAMPLE)
      a.flags |= HD_EVAL_VAGUE;
    r.flags |= a.flags & (uint8_t)~HD_EVAL_SAMPLE;
    return r;
  }
  hd_evaluated b = {0};
  if (arity > 1)
    b = hd_evaluate(env, e->args[1]);
  /* Samples are cut there as well. */
  if (hd_code_compares((hd_code_op)e->op) &&
      expr_at(env, e->args[1])->op == HD_CODE_INT &&
      hd_code_is_shifted(env->code, expr_at(env, e->args[0])))
    a.flags &= (uint8_t)~HD_EVAL_VAGUE;
  hd_evaluated r =
      hd_evaluate_op((hd_code_op)e->op, e->flags, e->type,
                     expr_at(env, e->args[0])->type, a.bits, b.bits);
  const uint8_t special = HD_EVAL_SAMPLE | HD_EVAL_VAGUE | HD_EVAL_ADDRESS;
  r.flags |= (a.flags | b.flags) & (uint8_t)~special;
  r.flags |= vague(env, e, a, b) | where(env, e, a, b);
  return r;
}
