/* SPDX-License-Identifier: MIT */
/* What the machine does with values that depend on inputs: operations, as long as
 * there is a term for the result and the operation is an ordinary one; and what is
 * needed of a value. */
#include "base/word.h"
#include "check/interp/operate.h"
#include "engine/explore/symbols_impl.h"
#include "model/code_term.h"

static hd_sym both(hd_symbols *s, hd_sym a, hd_sym b) {
  return hd_sym_apply(s, HD_BV_AND, a, b);
}

static hd_sym either(hd_symbols *s, hd_sym a, hd_sym b) {
  return hd_sym_apply(s, HD_BV_OR, a, b);
}

/* --- operations --- */

/* No overflow; false: there is no term for it. */
static bool fits(hd_symbols *s, hd_code_op op, bool sign, hd_sym a, hd_sym b,
                 hd_sym *out) {
  assert(op == HD_CODE_ADD || op == HD_CODE_SUB || op == HD_CODE_MUL);
  static const uint8_t ops[] = {HD_BV_ADD, HD_BV_SUB, HD_BV_MUL};
  uint8_t width = hd_sym_width(s, a);
  hd_bv_op what = (hd_bv_op)ops[op == HD_CODE_ADD   ? 0
                                : op == HD_CODE_SUB ? 1
                                                    : 2];
  uint8_t wide = (uint8_t)(op == HD_CODE_MUL ? 2 * width : width + 1);
  if (wide <= 64) {
    hd_sym r = hd_sym_apply(s, what, hd_sym_resize(s, a, wide, sign),
                            hd_sym_resize(s, b, wide, sign));
    hd_sym back =
        hd_sym_resize(s, hd_sym_resize(s, r, width, false), wide, sign);
    *out = hd_sym_apply(s, HD_BV_EQ, r, back);
    return true;
  }
  if (op == HD_CODE_MUL)
    return false;
  hd_sym r = hd_sym_apply(s, what, a, b);
  if (!sign) {
    *out = op == HD_CODE_ADD ? hd_sym_apply(s, HD_BV_ULE, a, r)
                             : hd_sym_apply(s, HD_BV_ULE, b, a);
    return true;
  }
  hd_sym x = hd_sym_apply(s, HD_BV_XOR, a, op == HD_CODE_ADD ? r : b);
  hd_sym y = hd_sym_apply(s, HD_BV_XOR, op == HD_CODE_ADD ? b : a, r);
  hd_sym less =
      hd_sym_apply(s, HD_BV_SLT, both(s, x, y), hd_sym_constant(s, width, 0));
  *out = hd_sym_not(s, less);
  return true;
}

static bool checks_overflow(const hd_machine *m) {
  return hd_plan_checks(m->plan, HD_PROPERTY_OVERFLOW);
}

typedef enum { FREE, IF, NEVER } condition;

/* When has the operation an ordinary result? IF `out`. */
static condition ordinary(const hd_machine *m, const hd_cexpr *e, hd_sym a,
                          hd_sym b, hd_sym *out) {
  hd_symbols *s = m->plan->options->symbols;
  uint8_t width = hd_sym_width(s, a);
  bool overflow = checks_overflow(m);
  switch ((hd_code_op)e->op) {
  case HD_CODE_ADD:
  case HD_CODE_SUB:
  case HD_CODE_MUL: {
    hd_sym also;
    bool is_signed = e->flags & HD_CODE_NSW, plain = e->flags & HD_CODE_NUW;
    if (!overflow || (!is_signed && !plain))
      return FREE;
    if (!fits(s, e->op, is_signed, a, b, out))
      return NEVER;
    if (is_signed && plain) {
      if (!fits(s, e->op, false, a, b, &also))
        return NEVER;
      *out = both(s, *out, also);
    }
    return IF;
  }
  case HD_CODE_UDIV:
  case HD_CODE_UREM:
  case HD_CODE_SDIV:
  case HD_CODE_SREM: {
    if (e->flags & HD_CODE_EXACT)
      return NEVER;
    hd_sym zero = hd_sym_apply(s, HD_BV_EQ, b, hd_sym_constant(s, width, 0));
    *out = hd_sym_not(s, zero);
    if (e->op == HD_CODE_UDIV || e->op == HD_CODE_UREM)
      return IF;
    hd_sym least = hd_sym_constant(s, width, (uint64_t)1 << (width - 1));
    hd_sym odd = both(
        s, hd_sym_apply(s, HD_BV_EQ, a, least),
        hd_sym_apply(s, HD_BV_EQ, b, hd_sym_constant(s, width, UINT64_MAX)));
    *out = both(s, *out, hd_sym_not(s, odd));
    return IF;
  }
  case HD_CODE_SHL:
  case HD_CODE_LSHR:
  case HD_CODE_ASHR:
    if (e->flags & HD_CODE_EXACT ||
        (overflow && e->flags & (HD_CODE_NSW | HD_CODE_NUW)))
      return NEVER;
    *out = hd_sym_apply(s, HD_BV_ULT, b, hd_sym_constant(s, width, width));
    return IF;
  case HD_CODE_ABS:
    if (!overflow || !(e->flags & HD_CODE_NSW))
      return FREE;
    *out = hd_sym_not(
        s, hd_sym_apply(s, HD_BV_EQ, a,
                        hd_sym_constant(s, width, (uint64_t)1 << (width - 1))));
    return IF;
  case HD_CODE_WITHIN:
    *out = hd_sym_apply(s, HD_BV_ULT, a, b);
    return IF;
  case HD_CODE_PTRADD: {
    if (e->type.width != 64 || !(e->flags & HD_CODE_INBOUNDS))
      return FREE;
    hd_sym low = hd_sym_resize(s, b, 32, false);
    *out = hd_sym_apply(s, HD_BV_EQ, hd_sym_resize(s, low, 64, true), b);
    return IF;
  }
  default:
    return FREE;
  }
}

/* --- floats: their order is that of integers, but for the sign --- */

static hd_sym is_nan(hd_symbols *s, hd_sym a) {
  assert(hd_sym_width(s, a) == 32 || hd_sym_width(s, a) == 64);
  uint8_t width = hd_sym_width(s, a);
  uint64_t sign = (uint64_t)1 << (width - 1);
  uint64_t infinity = width == 32 ? 0x7f800000u : 0x7ff0000000000000u;
  hd_sym size = both(s, a, hd_sym_constant(s, width, ~sign));
  return hd_sym_apply(s, HD_BV_ULT, hd_sym_constant(s, width, infinity), size);
}

static hd_sym ordered(hd_symbols *s, hd_sym a) {
  uint8_t width = hd_sym_width(s, a);
  hd_sym zero = hd_sym_constant(s, width, 0);
  hd_sym below = hd_sym_apply(
      s, HD_BV_SUB, hd_sym_constant(s, width, (uint64_t)1 << (width - 1)), a);
  return hd_sym_choose(s, hd_sym_apply(s, HD_BV_SLT, a, zero), below, a);
}

static bool compare_floats(hd_symbols *s, hd_code_op op, hd_sym a, hd_sym b,
                           hd_sym *out) {
  if (op < HD_CODE_FOEQ || op > HD_CODE_FUNO)
    return false;
  hd_sym nan = either(s, is_nan(s, a), is_nan(s, b));
  hd_sym x = ordered(s, a), y = ordered(s, b);
  bool unordered = op >= HD_CODE_FUEQ;
  switch (op) {
  case HD_CODE_FOEQ:
  case HD_CODE_FUEQ:
    *out = hd_sym_apply(s, HD_BV_EQ, x, y);
    break;
  case HD_CODE_FOGT:
  case HD_CODE_FUGT:
    *out = hd_sym_apply(s, HD_BV_SLT, y, x);
    break;
  case HD_CODE_FOGE:
  case HD_CODE_FUGE:
    *out = hd_sym_apply(s, HD_BV_SLE, y, x);
    break;
  case HD_CODE_FOLT:
  case HD_CODE_FULT:
    *out = hd_sym_apply(s, HD_BV_SLT, x, y);
    break;
  case HD_CODE_FOLE:
  case HD_CODE_FULE:
    *out = hd_sym_apply(s, HD_BV_SLE, x, y);
    break;
  case HD_CODE_FONE:
  case HD_CODE_FUNE:
    *out = hd_sym_not(s, hd_sym_apply(s, HD_BV_EQ, x, y));
    break;
  case HD_CODE_FORD:
  case HD_CODE_FUNO:
    *out = hd_sym_constant(s, 1, op == HD_CODE_FORD);
    break;
  default:
    return false;
  }
  *out = unordered ? either(s, nan, *out) : both(s, hd_sym_not(s, nan), *out);
  return true;
}

static hd_sym swap_bytes(hd_symbols *s, hd_sym a) {
  assert(hd_sym_width(s, a) % 8 == 0);
  uint8_t width = hd_sym_width(s, a);
  hd_sym sum = hd_sym_constant(s, width, 0);
  for (uint8_t at = 0; at < width; at = (uint8_t)(at + 8)) {
    hd_sym byte = hd_sym_apply(s, HD_BV_LSHR, a, hd_sym_constant(s, width, at));
    byte = both(s, byte, hd_sym_constant(s, width, 0xff));
    sum = either(s, sum,
                 hd_sym_apply(s, HD_BV_SHL, byte,
                              hd_sym_constant(s, width, width - 8u - at)));
  }
  return sum;
}

/* The result where it is an ordinary one. */
static bool result(hd_symbols *s, const hd_cexpr *e, hd_sym a, hd_sym b,
                   hd_sym *out) {
  uint8_t width = e->type.width;
  uint64_t bits;
  hd_bv_term args[2] = {a.term, b.term}, made;
  switch ((hd_code_op)e->op) {
  case HD_CODE_PTRADD:
    *out = hd_sym_apply(s, HD_BV_ADD, a, b);
    return true;
  case HD_CODE_PTRTOINT:
  case HD_CODE_INTTOPTR:
    *out = hd_sym_resize(s, a, width, false);
    return true;
  case HD_CODE_BSWAP:
    *out = swap_bytes(s, a);
    return true;
  case HD_CODE_FNEG:
    *out = hd_sym_apply(s, HD_BV_XOR, a,
                        hd_sym_constant(s, width, (uint64_t)1 << (width - 1)));
    return true;
  case HD_CODE_FABS:
    *out = both(s, a, hd_sym_constant(s, width, ~((uint64_t)1 << (width - 1))));
    return true;
  case HD_CODE_SADD_OVERFLOWS:
  case HD_CODE_UADD_OVERFLOWS:
  case HD_CODE_SSUB_OVERFLOWS:
  case HD_CODE_USUB_OVERFLOWS:
  case HD_CODE_SMUL_OVERFLOWS:
  case HD_CODE_UMUL_OVERFLOWS: {
    bool sign = e->op == HD_CODE_SADD_OVERFLOWS ||
                e->op == HD_CODE_SSUB_OVERFLOWS ||
                e->op == HD_CODE_SMUL_OVERFLOWS;
    hd_code_op op =
        e->op == HD_CODE_SADD_OVERFLOWS || e->op == HD_CODE_UADD_OVERFLOWS
            ? HD_CODE_ADD
        : e->op == HD_CODE_SSUB_OVERFLOWS || e->op == HD_CODE_USUB_OVERFLOWS
            ? HD_CODE_SUB
            : HD_CODE_MUL;
    if (!fits(s, op, sign, a, b, out))
      return false;
    *out = hd_sym_not(s, *out);
    return true;
  }
  default:
    if (compare_floats(s, e->op, a, b, out))
      return true;
    if (!hd_code_term(s->bv, e->op, width, args, &made) ||
        !hd_op_apply(e->op, 0, width, hd_sym_width(s, a), a.value, b.value, 0,
                     &bits))
      return false;
    *out = hd_sym_with(s, made, bits);
    return true;
  }
}

static bool is_address(const hd_machine *m, hd_machine_value v) {
  int64_t offset;
  return !v.undef && v.bits >> 32 && hd_ram_find(m, v.bits, &offset);
}

/* An operand that is an address, and the other one is not: their bits say
 * nothing that C would. */
static bool mixes_addresses(const hd_machine *m, const hd_cexpr *e,
                            const hd_machine_value *a,
                            const hd_machine_value *b) {
  const hd_code *code = m->plan->code;
  if (e->op == HD_CODE_PTRADD || hd_code_op_arity(e->op) != 2)
    return false;
  for (int i = 0; i < 2; i++)
    if (code->exprs.data[e->args[i]].op != HD_CODE_INT &&
        is_address(m, i ? *b : *a))
      return true;
  return false;
}

/* Some bits of a pointer: the machine has a rule for that (eval.c). */
static bool cuts_address(const hd_machine *m, const hd_cexpr *e) {
  const hd_cexpr *arg = &m->plan->code->exprs.data[e->args[0]];
  return e->type.width < arg->type.width &&
         (e->op == HD_CODE_PTRTOINT ||
          (e->op == HD_CODE_TRUNC && arg->op == HD_CODE_PTRTOINT));
}

static bool operate(const hd_machine *m, const hd_cexpr *e, hd_sym a, hd_sym b,
                    hd_machine_value *out) {
  hd_symbols *s = m->plan->options->symbols;
  hd_sym fine = {0, 0}, r;
  condition c = ordinary(m, e, a, b, &fine);
  if (c == NEVER)
    return false;
  if (c == IF)
    hd_sym_decide(s, fine);
  if ((c == IF && !fine.value) || !result(s, e, a, b, &r))
    return false;
  *out = hd_sym_value(s, r);
  return true;
}

static void pin_value(hd_symbols *s, uint8_t width, hd_machine_value *v) {
  assert(width > 0 && width <= 64);
  if (v->undef && !hd_sym_is_unset(s, *v))
    *v = (hd_machine_value){hd_sym_pin(s, hd_sym_of(s, *v, width)), 0};
}

/* Two pointers, into one object with the values at hand: as long as both stay in
 * an object of that number. */
static bool same_number(hd_symbols *s, hd_sym a, hd_sym b) {
  if (a.value >> 32 != b.value >> 32)
    return false;
  hd_sym half = hd_sym_constant(s, 64, 32);
  hd_sym_pin(s, hd_sym_apply(s, HD_BV_LSHR, a, half));
  hd_sym_pin(s, hd_sym_apply(s, HD_BV_LSHR, b, half));
  return true;
}

static bool operate_on(const hd_machine *m, const hd_cexpr *e,
                       hd_machine_value *a, hd_machine_value *b,
                       hd_machine_value *out) {
  hd_symbols *s = m->plan->options->symbols;
  const hd_code *code = m->plan->code;
  bool two = hd_code_op_arity(e->op) == 2;
  uint8_t from = code->exprs.data[e->args[0]].type.width;
  uint8_t other = two ? code->exprs.data[e->args[1]].type.width : 1;
  if (hd_sym_is_unset(s, *a) || hd_sym_is_unset(s, *b)) {
    *out = (hd_machine_value){0, hd_word_mask(e->type.width)};
    return hd_sym_is_open(s, *a) || hd_sym_is_open(s, *b);
  }
  bool good = !cuts_address(m, e) && (!two || from == other);
  if (good) {
    hd_sym x = hd_sym_of(s, *a, from), y = hd_sym_of(s, *b, other);
    good = !mixes_addresses(m, e, a, b) || same_number(s, x, y);
    if (good && operate(m, e, x, y, out))
      return true;
  }
  pin_value(s, from, a);
  pin_value(s, other, b);
  return false;
}

static bool binary(const hd_machine *m, hd_code_op op, uint8_t width,
                   hd_machine_value *a, hd_machine_value *b,
                   hd_machine_value *out) {
  hd_symbols *s = m->plan->options->symbols;
  if (hd_sym_is_unset(s, *a) || hd_sym_is_unset(s, *b)) {
    *out = (hd_machine_value){0, hd_word_mask(op == HD_CODE_EQ ? 1 : width)};
    return hd_sym_is_open(s, *a) || hd_sym_is_open(s, *b);
  }
  hd_cexpr e = {.op = (uint8_t)op,
                .type = {HD_TYPE_INT, op == HD_CODE_EQ ? 1 : width}};
  hd_sym r;
  if (!is_address(m, *a) && !is_address(m, *b) &&
      result(s, &e, hd_sym_of(s, *a, width), hd_sym_of(s, *b, width), &r)) {
    *out = hd_sym_value(s, r);
    return true;
  }
  pin_value(s, width, a);
  pin_value(s, width, b);
  return false;
}

/* --- needs --- */

static void needs_value(hd_symbols *s, uint8_t width, hd_machine_value *v) {
  pin_value(s, width, v);
}

static void needs_truth(hd_symbols *s, uint8_t width, hd_machine_value *v) {
  if (!v->undef || hd_sym_is_unset(s, *v))
    return;
  hd_sym x = hd_sym_of(s, *v, width);
  if (width > 1)
    x = hd_sym_not(s,
                   hd_sym_apply(s, HD_BV_EQ, x, hd_sym_constant(s, width, 0)));
  hd_sym_decide(s, x);
  *v = (hd_machine_value){x.value, 0};
}

static void needs_sign(hd_symbols *s, uint8_t width, hd_machine_value *v) {
  if (!v->undef || hd_sym_is_unset(s, *v))
    return;
  hd_sym x = hd_sym_of(s, *v, width), zero = hd_sym_constant(s, width, 0);
  hd_sym less = hd_sym_apply(s, HD_BV_SLT, x, zero),
         more = hd_sym_apply(s, HD_BV_SLT, zero, x);
  hd_sym_decide(s, less);
  hd_sym_decide(s, more);
  *v = (hd_machine_value){less.value ? hd_word_mask(width) : more.value, 0};
}

static bool compare_bytes(hd_symbols *s, hd_machine_value a, hd_machine_value b,
                          int *order) {
  assert(!(a.bits >> 8) && !(b.bits >> 8));
  if (hd_sym_is_unset(s, a) || hd_sym_is_unset(s, b))
    return false;
  hd_sym x = hd_sym_of(s, a, 8), y = hd_sym_of(s, b, 8);
  hd_sym_decide(s, hd_sym_apply(s, HD_BV_EQ, x, y));
  if (x.value != y.value)
    hd_sym_decide(s, hd_sym_apply(s, HD_BV_ULT, x, y));
  *order = x.value < y.value ? -1 : x.value > y.value;
  return true;
}

static void needs_none(hd_symbols *s, uint8_t width, hd_machine_value *v) {
  if (v->undef && !hd_sym_is_unset(s, *v))
    *v = (hd_machine_value){hd_sym_of(s, *v, width).value, 0};
}

static hd_machine_value fit(hd_symbols *s, uint8_t from, uint8_t width,
                            hd_machine_value v) {
  uint64_t mask = hd_word_mask(width);
  if (hd_sym_is_unset(s, v))
    return hd_sym_is_open(s, v)
               ? (hd_machine_value){0, mask}
               : (hd_machine_value){v.bits & mask, v.undef & mask};
  return hd_sym_value(s, hd_sym_resize(s, hd_sym_of(s, v, from), width, false));
}

static void need(hd_symbols *s, hd_symbol_need what, uint8_t width,
                 hd_machine_value *v) {
  if (!v->undef || hd_sym_is_unset(s, *v))
    return;
  switch (what) {
  case HD_NEED_VALUE:
    needs_value(s, width, v);
    break;
  case HD_NEED_TRUTH:
    needs_truth(s, width, v);
    break;
  case HD_NEED_SIGN:
    needs_sign(s, width, v);
    break;
  case HD_NEED_NOTHING:
    needs_none(s, width, v);
    break;
  }
}

const hd_symbol_hooks hd_symbol_operations = {.operate = operate_on,
                                              .binary = binary,
                                              .need = need,
                                              .order = compare_bytes,
                                              .fit = fit};
