/* SPDX-License-Identifier: MIT */
/* Integers of 128 bits: a value has two parts, the lower half and the upper one.
 * Here is what the halves become; what takes more than a few operations has been
 * made a call of a model before (wide_calls.c). */
#include "cc/func.h"

#include "cc/wide.h"

enum { LOW, HIGH, HALVES };

__extension__ typedef unsigned __int128 whole;

typedef struct {
  const cc_expr *half[HALVES];
} wide;

static const cc_expr *number(cc_func *f, uint64_t value) {
  return hd_cc_int_expr(&f->arena, hd_cc_int(64), value);
}

static const cc_expr *op(cc_func *f, hd_code_op what, const cc_expr *a,
                         const cc_expr *b) {
  return hd_cc_op2(&f->arena, what, hd_cc_int(64), 0, a, b);
}

static const cc_expr *is(cc_func *f, hd_code_op what, const cc_expr *a,
                         const cc_expr *b) {
  return hd_cc_op2(&f->arena, what, hd_cc_int(1), 0, a, b);
}

/* Each half is used more than once: it is computed once. False: refused. */
static bool use(cc_func *f, LLVMValueRef value, wide *out) {
  cc_parts parts;
  if (!hd_cc_use(f, value, &parts))
    return false;
  assert(parts.n == HALVES);
  for (int i = 0; i < HALVES; i++)
    out->half[i] = hd_cc_as_leaf(f, parts.parts[i]);
  return true;
}

static void define(cc_func *f, LLVMValueRef inst, wide value) {
  const cc_expr **parts = hd_arena_alloc(&f->arena, HALVES * sizeof *parts);
  memcpy(parts, value.half, sizeof value.half);
  hd_cc_define(f, inst, (cc_parts){.parts = parts, .n = HALVES});
}

static wide add(cc_func *f, wide a, wide b) {
  const cc_expr *low =
      hd_cc_as_leaf(f, op(f, HD_CODE_ADD, a.half[LOW], b.half[LOW]));
  const cc_expr *carry = hd_cc_resize(
      &f->arena, is(f, HD_CODE_ULT, low, a.half[LOW]), hd_cc_int(64), false);
  const cc_expr *high = op(f, HD_CODE_ADD, a.half[HIGH], b.half[HIGH]);
  return (wide){{low, op(f, HD_CODE_ADD, high, carry)}};
}

static wide subtract(cc_func *f, wide a, wide b) {
  const cc_expr *borrow =
      hd_cc_resize(&f->arena, is(f, HD_CODE_ULT, a.half[LOW], b.half[LOW]),
                   hd_cc_int(64), false);
  const cc_expr *high = op(f, HD_CODE_SUB, a.half[HIGH], b.half[HIGH]);
  return (wide){{op(f, HD_CODE_SUB, a.half[LOW], b.half[LOW]),
                 op(f, HD_CODE_SUB, high, borrow)}};
}

static wide bitwise(cc_func *f, hd_code_op what, wide a, wide b) {
  return (wide){{op(f, what, a.half[LOW], b.half[LOW]),
                 op(f, what, a.half[HIGH], b.half[HIGH])}};
}

/* What comes into the upper half from the left. */
static const cc_expr *sign(cc_func *f, const cc_expr *high) {
  return op(f, HD_CODE_ASHR, high, number(f, 63));
}

static wide shift_left(cc_func *f, wide a, unsigned by) {
  if (by >= 64)
    return (wide){{number(f, 0), by == 64 ? a.half[LOW]
                                          : op(f, HD_CODE_SHL, a.half[LOW],
                                               number(f, by - 64))}};
  const cc_expr *over = op(f, HD_CODE_LSHR, a.half[LOW], number(f, 64 - by));
  return (wide){{op(f, HD_CODE_SHL, a.half[LOW], number(f, by)),
                 op(f, HD_CODE_OR,
                    op(f, HD_CODE_SHL, a.half[HIGH], number(f, by)), over)}};
}

static wide shift_right(cc_func *f, wide a, unsigned by, bool is_signed) {
  hd_code_op how = is_signed ? HD_CODE_ASHR : HD_CODE_LSHR;
  const cc_expr *top = is_signed ? sign(f, a.half[HIGH]) : number(f, 0);
  if (by >= 64)
    return (wide){
        {by == 64 ? a.half[HIGH] : op(f, how, a.half[HIGH], number(f, by - 64)),
         top}};
  const cc_expr *over = op(f, HD_CODE_SHL, a.half[HIGH], number(f, 64 - by));
  return (wide){
      {op(f, HD_CODE_OR, op(f, HD_CODE_LSHR, a.half[LOW], number(f, by)), over),
       op(f, how, a.half[HIGH], number(f, by))}};
}

/* The shift by a constant that makes sense; false: it is something else. */
static bool constant_shift(LLVMValueRef inst, unsigned *by) {
  LLVMValueRef amount = LLVMGetOperand(inst, 1);
  uint64_t half[HALVES];
  if (!hd_cc_wide_constant(amount, half) || half[HIGH] || half[LOW] >= 128)
    return false;
  *by = (unsigned)half[LOW];
  return true;
}

static void shift(cc_func *f, LLVMValueRef inst, LLVMOpcode opcode) {
  unsigned by;
  wide a;
  if (!constant_shift(inst, &by)) {
    hd_cc_unsupported(f, "shift of 128 bits");
    return;
  }
  if (!use(f, LLVMGetOperand(inst, 0), &a))
    return;
  if (by)
    a = opcode == LLVMShl ? shift_left(f, a, by)
                          : shift_right(f, a, by, opcode == LLVMAShr);
  define(f, inst, a);
}

static void binary(cc_func *f, LLVMValueRef inst, LLVMOpcode opcode) {
  wide a, b;
  bool flagged = (opcode == LLVMAdd || opcode == LLVMSub) && LLVMGetNSW(inst);
  if (opcode == LLVMShl || opcode == LLVMLShr || opcode == LLVMAShr) {
    shift(f, inst, opcode);
    return;
  }
  if (flagged) { /* wide_calls.c leaves none */
    hd_cc_unsupported(f, "signed arithmetic of 128 bits");
    return;
  }
  if (!use(f, LLVMGetOperand(inst, 0), &a) ||
      !use(f, LLVMGetOperand(inst, 1), &b))
    return;
  if (opcode == LLVMAdd)
    define(f, inst, add(f, a, b));
  else if (opcode == LLVMSub)
    define(f, inst, subtract(f, a, b));
  else if (opcode == LLVMAnd)
    define(f, inst, bitwise(f, HD_CODE_AND, a, b));
  else if (opcode == LLVMOr)
    define(f, inst, bitwise(f, HD_CODE_OR, a, b));
  else if (opcode == LLVMXor)
    define(f, inst, bitwise(f, HD_CODE_XOR, a, b));
  else
    hd_cc_unsupported(f, "arithmetic of 128 bits");
}

/* The upper halves decide, with the sign; if they are equal, the lower ones. */
static const cc_expr *ordered(cc_func *f, hd_code_op high, hd_code_op low,
                              wide a, wide b) {
  const cc_expr *same = is(f, HD_CODE_EQ, a.half[HIGH], b.half[HIGH]);
  const cc_expr *below = is(f, low, a.half[LOW], b.half[LOW]);
  return hd_cc_op2(
      &f->arena, HD_CODE_OR, hd_cc_int(1), 0,
      is(f, high, a.half[HIGH], b.half[HIGH]),
      hd_cc_op2(&f->arena, HD_CODE_AND, hd_cc_int(1), 0, same, below));
}

static void compare(cc_func *f, LLVMValueRef inst) {
  static const struct {
    uint8_t high, low;
  } ops[] = {[LLVMIntUGT - LLVMIntEQ] = {HD_CODE_UGT, HD_CODE_UGT},
             [LLVMIntUGE - LLVMIntEQ] = {HD_CODE_UGT, HD_CODE_UGE},
             [LLVMIntULT - LLVMIntEQ] = {HD_CODE_ULT, HD_CODE_ULT},
             [LLVMIntULE - LLVMIntEQ] = {HD_CODE_ULT, HD_CODE_ULE},
             [LLVMIntSGT - LLVMIntEQ] = {HD_CODE_SGT, HD_CODE_UGT},
             [LLVMIntSGE - LLVMIntEQ] = {HD_CODE_SGT, HD_CODE_UGE},
             [LLVMIntSLT - LLVMIntEQ] = {HD_CODE_SLT, HD_CODE_ULT},
             [LLVMIntSLE - LLVMIntEQ] = {HD_CODE_SLT, HD_CODE_ULE}};
  LLVMIntPredicate p = LLVMGetICmpPredicate(inst);
  wide a, b;
  if (!use(f, LLVMGetOperand(inst, 0), &a) ||
      !use(f, LLVMGetOperand(inst, 1), &b))
    return;
  const cc_expr *e;
  if (p == LLVMIntEQ || p == LLVMIntNE) {
    e = hd_cc_op2(&f->arena, HD_CODE_AND, hd_cc_int(1), 0,
                  is(f, HD_CODE_EQ, a.half[LOW], b.half[LOW]),
                  is(f, HD_CODE_EQ, a.half[HIGH], b.half[HIGH]));
    e = p == LLVMIntNE ? hd_cc_not(&f->arena, e) : e;
  } else {
    e = ordered(f, ops[p - LLVMIntEQ].high, ops[p - LLVMIntEQ].low, a, b);
  }
  hd_cc_define1(f, inst, e);
}

static void narrow(cc_func *f, LLVMValueRef inst, hd_type type) {
  wide a;
  if (!use(f, LLVMGetOperand(inst, 0), &a))
    return;
  if (LLVMGetInstructionOpcode(inst) == LLVMIntToPtr) {
    const cc_expr *bits =
        hd_cc_resize(&f->arena, a.half[LOW], hd_cc_int(type.width), false);
    hd_cc_define1(f, inst,
                  hd_cc_op1(&f->arena, HD_CODE_INTTOPTR, type, 0, bits));
    return;
  }
  hd_cc_define1(f, inst, hd_cc_resize(&f->arena, a.half[LOW], type, false));
}

static void widen(cc_func *f, LLVMValueRef inst) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(inst);
  const cc_expr *a;
  if (!hd_cc_use1(f, LLVMGetOperand(inst, 0), &a))
    return;
  if (opcode == LLVMPtrToInt)
    a = hd_cc_op1(&f->arena, HD_CODE_PTRTOINT, hd_cc_int(a->type.width), 0, a);
  a = hd_cc_resize(&f->arena, a, hd_cc_int(64), opcode == LLVMSExt);
  a = hd_cc_as_leaf(f, a);
  define(f, inst, (wide){{a, opcode == LLVMSExt ? sign(f, a) : number(f, 0)}});
}

static bool is_wide(LLVMValueRef value) {
  return hd_cc_is_wide(LLVMTypeOf(value));
}

bool hd_cc_wide(cc_func *f, LLVMValueRef inst) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(inst);
  hd_type type;
  if (LLVMIsABinaryOperator(inst) && is_wide(inst))
    binary(f, inst, opcode);
  else if (opcode == LLVMICmp && is_wide(LLVMGetOperand(inst, 0)))
    compare(f, inst);
  else if (!LLVMIsACastInst(inst) ||
           (!is_wide(inst) && !is_wide(LLVMGetOperand(inst, 0))))
    return false;
  else if ((opcode == LLVMZExt || opcode == LLVMSExt ||
            opcode == LLVMPtrToInt) &&
           is_wide(inst) &&
           hd_cc_scalar(f->m, LLVMTypeOf(LLVMGetOperand(inst, 0)), &type))
    widen(f, inst);
  else if ((opcode == LLVMTrunc || opcode == LLVMIntToPtr) &&
           hd_cc_scalar(f->m, LLVMTypeOf(inst), &type))
    narrow(f, inst, type);
  else
    hd_cc_unsupported(f, "cast from or to 128 bits");
  return true;
}

/* --- constants --- */

bool hd_cc_is_wide(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind &&
         LLVMGetIntTypeWidth(type) == 128;
}

/* The C interface has them as text only: decimal, with a sign. */
bool hd_cc_wide_constant(LLVMValueRef c, uint64_t half[2]) {
  if (!LLVMIsAConstantInt(c) || !is_wide(c))
    return false;
  char *text = LLVMPrintValueToString(c);
  const char *at = strrchr(text, ' ');
  assert(at);
  bool negative = *++at == '-';
  whole value = 0;
  for (at += negative; *at >= '0' && *at <= '9'; at++)
    value = value * 10 + (unsigned)(*at - '0');
  value = negative ? -value : value;
  half[LOW] = (uint64_t)value;
  half[HIGH] = (uint64_t)(value >> 64);
  LLVMDisposeMessage(text);
  return true;
}
