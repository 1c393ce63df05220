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
 * bit-fields of a fresh struct can be set one after the other. The value goes
 * along, computed as if what was never set were 0. */
#include "check/interp/eval.h"

#include "check/interp/heap.h"
#include "check/interp/lib.h"
#include "check/interp/memory.h"
#include "check/interp/operate.h"
#include "check/interp/opaque.h"
#include "check/interp/symbolic.h"

#include <assert.h>
#include <stdio.h>

uint64_t hd_eval_rmw(hd_rmw rmw, uint8_t width, uint64_t old, uint64_t value) {
  uint64_t mask = hd_word_mask(width);
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
    return hd_word_signed(old, width) > hd_word_signed(value, width) ? old
                                                                     : value;
  case HD_RMW_MIN:
    return hd_word_signed(old, width) < hd_word_signed(value, width) ? old
                                                                     : value;
  case HD_RMW_UMAX:
    return old > value ? old : value;
  case HD_RMW_UMIN:
    return old < value ? old : value;
  case HD_RMW_FADD:
    return hd_op_float_op(HD_CODE_FADD, width, old, value);
  case HD_RMW_FSUB:
    return hd_op_float_op(HD_CODE_FSUB, width, old, value);
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
             what, (long long)hd_word_signed(a, width), op_sign(expr->op),
             (long long)hd_word_signed(b, width));
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
                uint64_t b, hd_machine_value *out) {
  uint8_t width = e->type.width;
  uint64_t mask = hd_word_mask(width);
  out->undef = 0;
  switch ((hd_code_op)e->op) {
  case HD_CODE_ADD:
  case HD_CODE_SUB:
  case HD_CODE_MUL: {
    bool is_signed =
        e->flags & HD_CODE_NSW && hd_op_overflows(e->op, true, width, a, b);
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
      out->bits = is_signed ? (uint64_t)(hd_word_signed(a, width) /
                                         hd_word_signed(b, width)) &
                                  mask
                            : a / b;
      out->undef = mask;
      return true;
    }
    /* The smallest value divided by -1 traps (C17 6.5.5: of / and of %). */
    return trouble(w, HD_PROPERTY_OVERFLOW, "signed overflow", e, a, b, true);
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
    out->bits =
        (e->op == HD_CODE_SHL    ? a << b
         : e->op == HD_CODE_LSHR ? a >> b
                                 : (uint64_t)(hd_word_signed(a, width) >> b)) &
        mask;
    return true;
  case HD_CODE_ABS:
    if (checked(w, HD_PROPERTY_OVERFLOW)) {
      w->trouble->property = HD_PROPERTY_OVERFLOW;
      snprintf(w->trouble->text, sizeof w->trouble->text,
               "signed overflow: abs (%lld)",
               (long long)hd_word_signed(a, width));
      return false;
    }
    out->bits = a;
    return true;
  case HD_CODE_FPTOSI:
  case HD_CODE_FPTOUI:
    if (checked(w, HD_PROPERTY_OVERFLOW)) {
      w->trouble->property = HD_PROPERTY_OVERFLOW;
      snprintf(w->trouble->text, sizeof w->trouble->text,
               "%g does not fit into an integer of %d bits",
               hd_float_value(a, from), width);
      return false;
    }
    *out = (hd_machine_value){0, mask};
    return true;
  case HD_CODE_WITHIN:
    out->bits = a;
    if (!checked(w, HD_PROPERTY_MEMORY))
      return true; /* what is there in the object */
    w->trouble->property = HD_PROPERTY_MEMORY;
    snprintf(w->trouble->text, sizeof w->trouble->text,
             "index %lld is outside of an array of %llu elements",
             (long long)hd_word_signed(a, width), (unsigned long long)b);
    return false;
  case HD_CODE_PTRADD:
    /* Somewhere in no object. */
    *out =
        (hd_machine_value){(uint64_t)0x7fffffff << 32 | (uint32_t)(a + b), 0};
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
static uint64_t spread(const hd_cexpr *e, uint8_t from, hd_machine_value a,
                       hd_machine_value b) {
  uint8_t width = e->type.width;
  uint64_t mask = hd_word_mask(width), any = a.undef | b.undef;
  switch ((hd_code_op)e->op) {
  case HD_CODE_AND:
    return (a.undef & (b.bits | b.undef)) | (b.undef & (a.bits | a.undef));
  case HD_CODE_OR:
    return (a.undef & ~(b.bits & ~b.undef)) | (b.undef & ~(a.bits & ~a.undef));
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
               : (uint64_t)(hd_word_signed(a.undef, width) >> b.bits) & mask;
  case HD_CODE_EQ:
  case HD_CODE_NE:
    return ((a.bits ^ b.bits) & ~any) == 0;
  case HD_CODE_WITHIN:
  case HD_CODE_TRUNC:
  case HD_CODE_ZEXT:
  case HD_CODE_BITCAST:
  case HD_CODE_PTRTOINT:
  case HD_CODE_INTTOPTR:
    return a.undef & mask;
  case HD_CODE_SEXT:
    return (uint64_t)hd_word_signed(a.undef, from) & mask;
  case HD_CODE_BSWAP:
    return hd_op_byte_swap(a.undef, width);
  default:
    return mask;
  }
}

static bool walk_expr(const walk *w, hd_cexpr_id id, hd_machine_value *out);

static bool leaf(const walk *w, const hd_cexpr *e, hd_machine_value *out) {
  const hd_plan *plan = w->m->plan;
  *out = (hd_machine_value){0, 0};
  switch ((hd_code_op)e->op) {
  case HD_CODE_INT:
    out->bits = e->value;
    return true;
  case HD_CODE_NULL:
    return true;
  case HD_CODE_UNDEF:
    out->undef = hd_word_mask(e->type.width);
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
static bool walk_select(const walk *w, const hd_cexpr *e,
                        hd_machine_value *out) {
  hd_machine_value condition;
  if (!walk_expr(w, e->args[0], &condition))
    return false;
  if (hd_symbolic(w->m, condition))
    hd_symbolic_need(w->m, HD_NEED_TRUTH, 1, &condition);
  if (!walk_expr(w, e->args[condition.bits ? 1 : 2], out))
    return false;
  if (condition.undef)
    out->undef = hd_word_mask(e->type.width);
  return true;
}

/* Some bits of an object's address, as a number: C leaves open which ones, here
 * they are always the same. (int)p is 0 at the start of every object. */
static bool is_part_of_address(const walk *w, const hd_cexpr *e, uint8_t from,
                               uint64_t bits) {
  const hd_code *code = w->m->plan->code;
  bool cut = e->op == HD_CODE_PTRTOINT ||
             (e->op == HD_CODE_TRUNC &&
              code->exprs.data[e->args[0]].op == HD_CODE_PTRTOINT);
  return cut && e->type.width < from && from == 64 && bits >> 32 &&
         w->m->plan->options->exact;
}

/* Where values that were never set are looked for, and this is none of those that
 * decide something: a run ends here that nobody can go on with. */
static void leave_open(const walk *w, const char *what) {
  assert(checked(w, HD_PROPERTY_UNINIT));
  w->trouble->open = true;
  w->trouble->property = HD_PROPERTY_UNINIT;
  snprintf(w->trouble->text, sizeof w->trouble->text, "%s", what);
}

/* A result that tells where objects lie has open bits. */
static bool is_placed_open(const walk *w, hd_type type, uint64_t *undef) {
  *undef = hd_word_mask(type.width);
  if (!checked(w, HD_PROPERTY_UNINIT))
    return true;
  leave_open(w, "what happens depends on the bits of an address");
  return false;
}

/* Can undefined bits of the operands make the operation one that is a violation?
 * What it is then. Without a search through all runs only divisions count: the
 * other operations go on with bits that are 0. */
static const char *may_be_odd(const walk *w, const hd_cexpr *e,
                              hd_machine_value a, hd_machine_value b) {
  bool is_signed = e->op == HD_CODE_SDIV || e->op == HD_CODE_SREM;
  bool divides = is_signed || e->op == HD_CODE_UDIV || e->op == HD_CODE_UREM;
  bool shifts =
      e->op == HD_CODE_SHL || e->op == HD_CODE_LSHR || e->op == HD_CODE_ASHR;
  bool overflow = checked(w, HD_PROPERTY_OVERFLOW);
  bool arith = checked(w, HD_PROPERTY_ARITH);
  if (divides && b.undef)
    return "division by a value that was never set";
  if (!w->m->plan->options->exact)
    return NULL;
  if (is_signed && b.bits == hd_word_mask(e->type.width) && overflow)
    return "division of a value that was never set by -1";
  if (shifts && b.undef && arith)
    return "shift by a value that was never set";
  if (e->flags & (HD_CODE_NSW | HD_CODE_NUW) && overflow)
    return "arithmetic, checked for overflow, with a value that was never set";
  if ((e->op == HD_CODE_FPTOSI || e->op == HD_CODE_FPTOUI) && overflow)
    return "a value that was never set becomes an integer";
  return NULL;
}

/* What was made of addresses, but for comparing them. */
static inline void computed(const hd_machine *m, hd_code_op op, uint64_t a,
                            uint64_t b, uint64_t result) {
  bool two = hd_code_op_arity(op) == 2;
  bool compares = op >= HD_CODE_EQ && op <= HD_CODE_SGE;
  if (!compares && (a | (two ? b : 0)) >> 32)
    hd_heap_computed(m, op, a, two ? b : 0, result);
}

/* Two addresses that are different now might be the same another time. */
static void compared(const hd_machine *m, uint8_t width, uint64_t a,
                     uint64_t b) {
  uint64_t start = hd_ram_start(m->plan);
  if (a != b && a >= start && b >= start &&
      width == m->plan->code->pointer_width)
    hd_reuse_compared(m, a, b);
}

static bool walk_expr(const walk *w, hd_cexpr_id id, hd_machine_value *out) {
  const hd_cexpr *e = &w->m->plan->code->exprs.data[id];
  int arity = hd_code_op_arity(e->op);
  if (!arity)
    return leaf(w, e, out);
  if (e->op == HD_CODE_SELECT)
    return walk_select(w, e, out);
  hd_machine_value a, b = {0, 0};
  if (!walk_expr(w, e->args[0], &a) ||
      (arity > 1 && !walk_expr(w, e->args[1], &b)))
    return false;
  uint8_t from = w->m->plan->code->exprs.data[e->args[0]].type.width;
  hd_opaque_apply(w->m->plan->options->opaque, e->op, from, a.bits, b.bits);
  hd_type whole = {HD_TYPE_INT, from};
  if (is_part_of_address(w, e, from, a.bits) &&
      !is_placed_open(w, whole, &a.undef))
    return false;
  if ((hd_symbolic(w->m, a) || hd_symbolic(w->m, b)) &&
      hd_symbolic_hooks(w->m)->operate(w->m, e, &a, &b, out))
    return true;
  if (a.undef | b.undef) {
    const char *what = may_be_odd(w, e, a, b);
    bool divisor = b.undef && (e->op == HD_CODE_SDIV || e->op == HD_CODE_SREM ||
                               e->op == HD_CODE_UDIV || e->op == HD_CODE_UREM);
    if (what && !divisor && checked(w, HD_PROPERTY_UNINIT)) {
      leave_open(w, what);
      return false;
    }
    if (what) {
      w->trouble->property = HD_PROPERTY_ARITH;
      w->trouble->undefined = true;
      snprintf(w->trouble->text, sizeof w->trouble->text, "%s", what);
      return false;
    }
    out->undef = hd_symbolic_round(w->m, e->type.width, spread(e, from, a, b));
    if (!hd_op_apply(e->op, 0, e->type.width, from, a.bits, b.bits, 0,
                     &out->bits))
      out->bits = 0;
    computed(w->m, e->op, a.bits, b.bits, out->bits);
    return true;
  }
  out->undef = 0;
  if (e->op == HD_CODE_EQ || e->op == HD_CODE_NE || e->op == HD_CODE_SUB ||
      e->op == HD_CODE_XOR)
    compared(w->m, from, a.bits, b.bits);
  if (arity == 2 && hd_layout_decides(w->m, e->op, from, a.bits, b.bits) &&
      !is_placed_open(w, e->type, &out->undef))
    return false;
  if (!hd_op_apply(e->op, e->flags, e->type.width, from, a.bits, b.bits, 0,
                   &out->bits) &&
      !odd(w, e, from, a.bits, b.bits, out))
    return false;
  computed(w->m, e->op, a.bits, b.bits, out->bits);
  return true;
}

/* --- the fast way --- */

/* Two addresses, or one and a number: does it count where they lie? */
static bool is_placed(const hd_machine *m, const hd_instr *instr, uint64_t a,
                      uint64_t b) {
  return (a | b) >> 32 && hd_layout_decides(m, instr->op, instr->from, a, b);
}

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
      const hd_machine_value *reg =
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
    case HD_CODE_EQ:
    case HD_CODE_NE:
    case HD_CODE_SUB:
    case HD_CODE_XOR:
      compared(m, instr->from, temp[instr->a], temp[instr->b]);
      if (is_placed(m, instr, temp[instr->a], temp[instr->b]))
        return false;
      if (!hd_op_apply(instr->op, instr->flags, instr->width, instr->from,
                       temp[instr->a], temp[instr->b], 0, &temp[i]))
        return false;
      if (m->plan->options->heaps)
        computed(m, instr->op, temp[instr->a], temp[instr->b], temp[i]);
      break;
    case HD_CODE_TRUNC:
    case HD_CODE_PTRTOINT:
      if (temp[instr->a] >> 32 && instr->width < instr->from)
        return false; /* perhaps of an address: is_part_of_address */
    /* fallthrough */
    default:
      if (instr->from == 64 &&
          is_placed(m, instr, temp[instr->a], temp[instr->b]))
        return false;
      if (!hd_op_apply(instr->op, instr->flags, instr->width, instr->from,
                       temp[instr->a], temp[instr->b], temp[instr->c],
                       &temp[i]))
        return false;
      if (instr->from == 64 && m->plan->options->heaps)
        computed(m, instr->op, temp[instr->a], temp[instr->b], temp[i]);
    }
  }
  *out = temp[code.count - 1];
  return true;
}

bool hd_eval_open(const hd_machine *m, const hd_thread *t, hd_cexpr_id expr,
                  hd_machine_value *out, hd_trouble *why) {
  hd_sequence code = m->plan->sequences[expr];
  out->undef = 0;
  if (code.count && !m->plan->options->opaque && fast(m, t, code, &out->bits))
    return true;
  walk w = {m, t, why};
  return walk_expr(&w, expr, out);
}

bool hd_eval(const hd_machine *m, const hd_thread *t, hd_cexpr_id expr,
             hd_machine_value *out, hd_trouble *why) {
  if (!hd_eval_open(m, t, expr, out, why))
    return false;
  if (hd_symbolic(m, *out))
    hd_symbolic_need(m, HD_NEED_VALUE,
                     m->plan->code->exprs.data[expr].type.width, out);
  return true;
}

/* The source variable in `id` that has undefined bits, or NULL. */
static const char *undefined_variable(const hd_machine *m, const hd_thread *t,
                                      hd_cexpr_id id) {
  const hd_code *code = m->plan->code;
  const hd_cexpr *e = &code->exprs.data[id];
  const hd_frame *frame = &hd_vec_last(&t->frames);
  if (e->op == HD_CODE_REG) {
    const hd_func *func = &code->funcs.data[frame->func];
    return t->regs.data[frame->regs + e->value].undef
               ? code->regs.data[func->regs + e->value].cname
               : NULL;
  }
  const char *name = NULL;
  for (int i = 0; !name && i < hd_code_op_arity(e->op); i++)
    name = undefined_variable(m, t, e->args[i]);
  return name;
}

static bool undefined_decides(hd_machine *m, hd_thread *t, hd_cexpr_id expr) {
  const char *name = undefined_variable(m, t, expr);
  hd_str text = {0};
  if (name)
    hd_str_printf(&text, "the value of '%s' was never set", name);
  else
    hd_str_puts(&text, "a value that was never set decides");
  bool ended = hd_machine_undefined(m, t->id, hd_str_text(&text));
  hd_str_free(&text);
  return ended;
}

void hd_trouble_report(hd_machine *m, hd_thread *t, const hd_trouble *trouble) {
  assert(!trouble->open || !trouble->undefined);
  if (trouble->open)
    hd_machine_stop(m, t->id, HD_MACHINE_UNSUPPORTED, "%s", trouble->text);
  else if (!trouble->undefined ||
           !hd_machine_undefined(m, t->id, trouble->text))
    hd_machine_violate(m, t->id, trouble->property, "%s", trouble->text);
}

bool hd_eval_or_fail(hd_machine *m, hd_thread *t, hd_cexpr_id expr,
                     bool decides, hd_machine_value *out) {
  hd_trouble why = {.undefined = false};
  if (!hd_eval_open(m, t, expr, out, &why)) {
    hd_trouble_report(m, t, &why);
    return false;
  }
  uint8_t width = m->plan->code->exprs.data[expr].type.width;
  if (decides && hd_symbolic(m, *out) && width == 1)
    hd_symbolic_need(m, HD_NEED_TRUTH, width, out);
  else if (decides && hd_symbolic(m, *out))
    hd_symbolic_need(m, HD_NEED_VALUE, width, out);
  if (decides && out->undef) {
    if (undefined_decides(m, t, expr))
      return false;
    out->undef = 0;
  }
  return true;
}
