/* SPDX-License-Identifier: MIT */
/* Operations as LLVM has them, on our expressions; constants; the contents of
 * globals. */
#include "cc/cc.h"
#include "cc/wide.h"

#include "base/float.h"

#include <inttypes.h>
#include <stdlib.h>

/* --- operations --- */

static bool binary_op(LLVMOpcode op, hd_code_op *out) {
  static const struct {
    LLVMOpcode llvm;
    hd_code_op ours;
  } table[] = {
      {LLVMAdd, HD_CODE_ADD},   {LLVMSub, HD_CODE_SUB},
      {LLVMMul, HD_CODE_MUL},   {LLVMUDiv, HD_CODE_UDIV},
      {LLVMSDiv, HD_CODE_SDIV}, {LLVMURem, HD_CODE_UREM},
      {LLVMSRem, HD_CODE_SREM}, {LLVMShl, HD_CODE_SHL},
      {LLVMLShr, HD_CODE_LSHR}, {LLVMAShr, HD_CODE_ASHR},
      {LLVMAnd, HD_CODE_AND},   {LLVMOr, HD_CODE_OR},
      {LLVMXor, HD_CODE_XOR},   {LLVMFAdd, HD_CODE_FADD},
      {LLVMFSub, HD_CODE_FSUB}, {LLVMFMul, HD_CODE_FMUL},
      {LLVMFDiv, HD_CODE_FDIV}, {LLVMFRem, HD_CODE_FREM},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (table[i].llvm == op) {
      *out = table[i].ours;
      return true;
    }
  return false;
}

static uint8_t flags_of(hd_code_op op, LLVMValueRef from) {
  if (!LLVMIsAInstruction(from))
    return 0; /* a constant expression: its flags are hints */
  uint8_t flags = 0;
  switch (op) {
  case HD_CODE_ADD:
  case HD_CODE_SUB:
  case HD_CODE_MUL:
  case HD_CODE_SHL:
    flags = (uint8_t)((LLVMGetNSW(from) ? HD_CODE_NSW : 0) |
                      (LLVMGetNUW(from) ? HD_CODE_NUW : 0));
    break;
  case HD_CODE_UDIV:
  case HD_CODE_SDIV:
  case HD_CODE_LSHR:
  case HD_CODE_ASHR:
    flags = LLVMGetExact(from) ? HD_CODE_EXACT : 0;
    break;
  default:
    break;
  }
  return flags;
}

const char *hd_cc_binary(hd_arena *arena, LLVMOpcode op, LLVMValueRef from,
                         hd_type type, const cc_expr *a, const cc_expr *b,
                         const cc_expr **out) {
  hd_code_op ours;
  if (!binary_op(op, &ours))
    return "operation";
  uint8_t flags = flags_of(ours, from);
  if (ours == HD_CODE_XOR && type.width == 1 && hd_cc_is_int(b, 1))
    *out = hd_cc_not(arena, a);
  else
    *out = hd_cc_op2(arena, ours, type, flags, a, b);
  return NULL;
}

const char *hd_cc_cast(hd_arena *arena, LLVMOpcode op, hd_type type,
                       const cc_expr *a, const cc_expr **out) {
  static const struct {
    LLVMOpcode llvm;
    hd_code_op ours;
  } table[] = {
      {LLVMTrunc, HD_CODE_TRUNC},   {LLVMZExt, HD_CODE_ZEXT},
      {LLVMSExt, HD_CODE_SEXT},     {LLVMFPTrunc, HD_CODE_FPTRUNC},
      {LLVMFPExt, HD_CODE_FPEXT},   {LLVMFPToSI, HD_CODE_FPTOSI},
      {LLVMFPToUI, HD_CODE_FPTOUI}, {LLVMSIToFP, HD_CODE_SITOFP},
      {LLVMUIToFP, HD_CODE_UITOFP}, {LLVMBitCast, HD_CODE_BITCAST},
  };
  if (op == LLVMPtrToInt) { /* as wide as a pointer, then the rest */
    const cc_expr *wide =
        hd_cc_op1(arena, HD_CODE_PTRTOINT, hd_cc_int(a->type.width), 0, a);
    *out = hd_cc_resize(arena, wide, type, false);
    return NULL;
  }
  if (op == LLVMIntToPtr) {
    *out = hd_cc_op1(arena, HD_CODE_INTTOPTR, type, 0,
                     hd_cc_resize(arena, a, hd_cc_int(type.width), false));
    return NULL;
  }
  if (op == LLVMBitCast && a->type.width != type.width)
    return "bit cast between values of different shape";
  if (op == LLVMBitCast && a->type.kind == type.kind) {
    *out = a;
    return NULL;
  }
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (table[i].llvm == op) {
      *out = hd_cc_op1(arena, table[i].ours, type, 0, a);
      return NULL;
    }
  return "cast";
}

const cc_expr *hd_cc_icmp(hd_arena *arena, LLVMIntPredicate p, const cc_expr *a,
                          const cc_expr *b) {
  static const uint8_t ops[] = {
      HD_CODE_EQ,  HD_CODE_NE,  HD_CODE_UGT, HD_CODE_UGE, HD_CODE_ULT,
      HD_CODE_ULE, HD_CODE_SGT, HD_CODE_SGE, HD_CODE_SLT, HD_CODE_SLE};
  assert(p >= LLVMIntEQ && p <= LLVMIntSLE);
  return hd_cc_op2(arena, ops[p - LLVMIntEQ], hd_cc_int(1), 0, a, b);
}

/* Is the address, as it is or as that of its first element, used for nothing
 * but to get at what is there? */
static bool accessed(LLVMValueRef address) {
  LLVMUseRef use = LLVMGetFirstUse(address);
  bool any = use != NULL;
  for (; use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAInstruction(user))
      return false;
    switch (LLVMGetInstructionOpcode(user)) {
    case LLVMLoad:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
      break;
    case LLVMStore:
      if (LLVMGetOperand(user, 0) == address)
        return false;
      break;
    case LLVMGetElementPtr:
      if (!accessed(user))
        return false;
      break;
    default:
      return false;
    }
  }
  return any;
}

/* An index into an array of `count` elements, which may be part of a larger
 * object. The address behind the last one may be computed, not used. Arrays of
 * no or one element at the end of a struct stand for any number. */
static const cc_expr *within(cc_module *m, hd_arena *arena, LLVMValueRef gep,
                             const cc_expr *index, uint64_t count) {
  hd_type wide = hd_cc_size_type(m);
  if (count <= 1 || !LLVMIsAInstruction(gep) || index->type.kind != HD_TYPE_INT)
    return index;
  const cc_expr *i = hd_cc_resize(arena, index, wide, true);
  count += !accessed(gep);
  if (i->op == HD_CODE_INT && i->value < count)
    return index;
  return hd_cc_op2(arena, HD_CODE_WITHIN, wide, 0, i,
                   hd_cc_int_expr(arena, wide, count));
}

/* One index of an address: the type it steps into, and what it adds. */
static const cc_expr *scaled(cc_module *m, hd_arena *arena,
                             const cc_expr *index, uint64_t scale) {
  hd_type wide = hd_cc_size_type(m);
  const cc_expr *i = hd_cc_resize(arena, index, wide, true);
  if (i->op == HD_CODE_INT)
    return hd_cc_int_expr(arena, wide, i->value * scale);
  if (scale == 1)
    return i;
  return hd_cc_op2(arena, HD_CODE_MUL, wide, 0, i,
                   hd_cc_int_expr(arena, wide, scale));
}

const char *hd_cc_gep(cc_module *m, hd_arena *arena, LLVMValueRef gep,
                      const cc_expr *base, const cc_expr **indices,
                      const cc_expr **out) {
  hd_type wide = hd_cc_size_type(m);
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  int n = LLVMGetNumOperands(gep) - 1;
  uint64_t constant = 0;
  const cc_expr *sum = NULL;
  for (int i = 0; i < n; i++) {
    const cc_expr *term;
    if (i > 0 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      if (indices[i]->op != HD_CODE_INT)
        return "address of a member that is not constant";
      unsigned field = (unsigned)indices[i]->value;
      if (field >= LLVMCountStructElementTypes(type))
        return "address of a member that does not exist";
      constant += LLVMOffsetOfElement(m->layout, type, field);
      type = LLVMStructGetTypeAtIndex(type, field);
      continue;
    }
    if (i > 0) {
      LLVMTypeKind kind = LLVMGetTypeKind(type);
      if (kind != LLVMArrayTypeKind && kind != LLVMVectorTypeKind)
        return "address of an element of a scalar";
      if (kind == LLVMArrayTypeKind)
        indices[i] =
            within(m, arena, gep, indices[i], LLVMGetArrayLength2(type));
      type = LLVMGetElementType(type);
    }
    if (indices[i]->type.kind != HD_TYPE_INT)
      return "vector of addresses";
    term = scaled(m, arena, indices[i], hd_cc_size(m, type));
    if (term->op == HD_CODE_INT)
      constant += term->value;
    else
      sum = sum ? hd_cc_op2(arena, HD_CODE_ADD, wide, 0, sum, term) : term;
  }
  const cc_expr *offset = hd_cc_int_expr(arena, wide, constant);
  if (sum)
    offset = hd_cc_is_int(offset, 0)
                 ? sum
                 : hd_cc_op2(arena, HD_CODE_ADD, wide, 0, sum, offset);
  *out = hd_cc_ptradd(arena, base, offset,
                      LLVMGEPGetNoWrapFlags(gep) & LLVMGEPFlagInBounds);
  return NULL;
}

/* --- constants --- */

static uint64_t float_bits(LLVMValueRef constant, hd_type type) {
  LLVMBool inexact;
  double value = LLVMConstRealGetDouble(constant, &inexact);
  return hd_float_bits(value, type.width);
}

static const char *constant_scalar(cc_module *m, hd_arena *arena,
                                   LLVMValueRef c, hd_type type,
                                   const cc_expr **out);

static const char *operand(cc_module *m, hd_arena *arena, LLVMValueRef c,
                           unsigned i, const cc_expr **out) {
  LLVMValueRef operand = LLVMGetOperand(c, i);
  hd_type type;
  if (!hd_cc_scalar(m, LLVMTypeOf(operand), &type))
    return "constant expression";
  return constant_scalar(m, arena, operand, type, out);
}

static const char *constant_gep(cc_module *m, hd_arena *arena, LLVMValueRef c,
                                const cc_expr **out) {
  const cc_expr *base, *indices[16];
  unsigned n = (unsigned)LLVMGetNumOperands(c);
  if (n < 1 || n > 17)
    return "constant expression";
  const char *trouble = operand(m, arena, c, 0, &base);
  for (unsigned i = 1; i < n && !trouble; i++)
    trouble = operand(m, arena, c, i, &indices[i - 1]);
  return trouble ? trouble : hd_cc_gep(m, arena, c, base, indices, out);
}

static const char *constant_expr(cc_module *m, hd_arena *arena, LLVMValueRef c,
                                 hd_type type, const cc_expr **out) {
  LLVMOpcode op = LLVMGetConstOpcode(c);
  const cc_expr *a, *b;
  if (op == LLVMGetElementPtr)
    return constant_gep(m, arena, c, out);
  const char *trouble = operand(m, arena, c, 0, &a);
  if (trouble)
    return trouble;
  if (LLVMGetNumOperands(c) == 1)
    return hd_cc_cast(arena, op, type, a, out);
  trouble = operand(m, arena, c, 1, &b);
  if (trouble)
    return trouble;
  return hd_cc_binary(arena, op, c, type, a, b, out);
}

static const char *constant_scalar(cc_module *m, hd_arena *arena,
                                   LLVMValueRef c, hd_type type,
                                   const cc_expr **out) {
  switch (LLVMGetValueKind(c)) {
  case LLVMConstantIntValueKind:
    *out = hd_cc_int_expr(arena, type, LLVMConstIntGetZExtValue(c));
    return NULL;
  case LLVMConstantFPValueKind:
    *out = hd_cc_int_expr(arena, type, float_bits(c, type));
    return NULL;
  case LLVMConstantPointerNullValueKind:
    *out = hd_cc_leaf(arena, HD_CODE_NULL, type, 0, NULL, true);
    return NULL;
  case LLVMPoisonValueValueKind: /* 8 / 0, 1 << 40, (int)1e20 */
    return "a constant expression that is undefined";
  case LLVMUndefValueValueKind:
    *out = hd_cc_leaf(arena, HD_CODE_UNDEF, type, 0, NULL, false);
    return NULL;
  case LLVMGlobalAliasValueKind:
    return constant_scalar(m, arena, LLVMAliasGetAliasee(c), type, out);
  case LLVMFunctionValueKind:
    *out = hd_cc_leaf(arena, HD_CODE_FUNC, type, 0, hd_cc_need(m, c), true);
    return NULL;
  case LLVMGlobalVariableValueKind:
    *out = hd_cc_leaf(arena, HD_CODE_GLOBAL, type, 0, hd_cc_need(m, c), true);
    return NULL;
  case LLVMBlockAddressValueKind:
    *out =
        hd_cc_leaf(arena, HD_CODE_GLOBAL, type, 0,
                   hd_cc_need_label(m, LLVMGetBlockAddressBasicBlock(c)), true);
    return NULL;
  case LLVMConstantExprValueKind:
    return constant_expr(m, arena, c, type, out);
  default:
    return "constant of a special kind";
  }
}

static const char *collect_wide(hd_arena *arena, LLVMValueRef c,
                                cc_parts *out) {
  uint64_t half[2];
  hd_type type = hd_cc_int(64);
  bool known = hd_cc_wide_constant(c, half);
  if (!known && !LLVMIsUndef(c))
    return "constant expression of 128 bits";
  for (int i = 0; i < 2; i++)
    out->parts[out->n++] =
        known ? hd_cc_int_expr(arena, type, half[i])
              : hd_cc_leaf(arena, HD_CODE_UNDEF, type, 0, NULL, false);
  return NULL;
}

/* Zero, undef and plain aggregates alike: element by element. */
static const char *collect(cc_module *m, hd_arena *arena, LLVMValueRef c,
                           cc_parts *out) {
  LLVMTypeRef llvm = LLVMTypeOf(c);
  hd_type type;
  if (hd_cc_scalar(m, llvm, &type))
    return constant_scalar(m, arena, c, type, &out->parts[out->n++]);
  if (hd_cc_is_wide(llvm))
    return collect_wide(arena, c, out);
  unsigned n;
  switch (LLVMGetTypeKind(llvm)) {
  case LLVMStructTypeKind:
    n = LLVMCountStructElementTypes(llvm);
    break;
  case LLVMArrayTypeKind:
    n = (unsigned)LLVMGetArrayLength2(llvm);
    break;
  case LLVMVectorTypeKind:
    n = LLVMGetVectorSize(llvm);
    break;
  default:
    return "constant of a special type";
  }
  for (unsigned i = 0; i < n; i++) {
    LLVMValueRef element = LLVMGetAggregateElement(c, i);
    if (!element)
      return "constant of a special kind";
    const char *trouble = collect(m, arena, element, out);
    if (trouble)
      return trouble;
  }
  return NULL;
}

const char *hd_cc_constant(cc_module *m, hd_arena *arena, LLVMValueRef constant,
                           cc_parts *out) {
  cc_scalars scalars = {0};
  const char *trouble = hd_cc_flatten(m, LLVMTypeOf(constant), &scalars);
  if (!trouble) {
    out->parts = hd_arena_alloc(arena, (scalars.size + 1) * sizeof *out->parts);
    out->n = 0;
    trouble = collect(m, arena, constant, out);
    assert(trouble || out->n == scalars.size);
  }
  hd_vec_free(&scalars);
  return trouble;
}

/* --- initialisers --- */

typedef struct {
  cc_module *m;
  uint8_t *bytes;
  uint64_t size;
  hd_str relocs;
} image;

static void put_bits(image *im, uint64_t at, uint64_t value, uint64_t bytes) {
  for (uint64_t i = 0; i < bytes && i < 8 && at + i < im->size; i++)
    im->bytes[at + i] = (uint8_t)(value >> 8 * i);
}

/* What does not fit into 64 bits: the x87's format is read from its printed form,
 * 0xK and 20 digits. */
static const char *put_wide(image *im, uint64_t at, LLVMValueRef c,
                            LLVMTypeKind kind) {
  char *text = LLVMPrintValueToString(c);
  const char *number = strrchr(text, ' ');
  const char *trouble = NULL;
  uint64_t half[2];
  if (kind == LLVMX86_FP80TypeKind && number && !strncmp(number, " 0xK", 4)) {
    char top[5] = {0};
    memcpy(top, number + 4, 4);
    put_bits(im, at, strtoull(number + 8, NULL, 16), 8);
    put_bits(im, at + 8, strtoull(top, NULL, 16), 2);
  } else if (hd_cc_wide_constant(c, half)) {
    put_bits(im, at, half[0], 8);
    put_bits(im, at + 8, half[1], 8);
  } else {
    trouble = "initial value of a special type";
  }
  LLVMDisposeMessage(text);
  return trouble;
}

static const char *put_address(image *im, uint64_t at, LLVMValueRef c,
                               hd_type type) {
  const cc_expr *e;
  const char *trouble = constant_scalar(im->m, &im->m->arena, c, type, &e);
  if (trouble)
    return trouble;
  /* An address kept as an integer has the same bytes. */
  while (e->op == HD_CODE_PTRTOINT && e->type.width == im->m->pointer_width)
    e = e->args[0];
  if (e->type.width != im->m->pointer_width)
    return "part of an address as an initial value";
  hd_str_printf(&im->relocs, " reloc %" PRIu64 " ", at);
  hd_cc_print_expr(&im->relocs, e);
  return NULL;
}

static const char *put(image *im, uint64_t at, LLVMValueRef c) {
  LLVMTypeRef llvm = LLVMTypeOf(c);
  LLVMTypeKind kind = LLVMGetTypeKind(llvm);
  hd_type type;
  LLVMValueKind value = LLVMGetValueKind(c);
  if (LLVMIsNull(c) || value == LLVMUndefValueValueKind ||
      value == LLVMPoisonValueValueKind)
    return NULL; /* zero; padding too */
  if (hd_cc_scalar(im->m, llvm, &type)) {
    if (value == LLVMConstantIntValueKind)
      put_bits(im, at, LLVMConstIntGetZExtValue(c), hd_type_bytes(type));
    else if (value == LLVMConstantFPValueKind)
      put_bits(im, at, float_bits(c, type), type.width / 8);
    else
      return put_address(im, at, c, type);
    return NULL;
  }
  if (kind == LLVMStructTypeKind) {
    unsigned n = LLVMCountStructElementTypes(llvm);
    for (unsigned i = 0; i < n; i++) {
      LLVMValueRef element = LLVMGetAggregateElement(c, i);
      const char *trouble =
          element ? put(im, at + LLVMOffsetOfElement(im->m->layout, llvm, i),
                        element)
                  : "initial value of a special kind";
      if (trouble)
        return trouble;
    }
    return NULL;
  }
  if (kind == LLVMArrayTypeKind || kind == LLVMVectorTypeKind) {
    uint64_t n = kind == LLVMArrayTypeKind ? LLVMGetArrayLength2(llvm)
                                           : LLVMGetVectorSize(llvm);
    uint64_t step = hd_cc_size(im->m, LLVMGetElementType(llvm));
    if (LLVMIsConstantString(c)) { /* much faster than one by one */
      size_t length;
      const char *text = LLVMGetAsString(c, &length);
      for (size_t i = 0; i < length && at + i < im->size; i++)
        im->bytes[at + i] = (uint8_t)text[i];
      return NULL;
    }
    for (uint64_t i = 0; i < n; i++) {
      LLVMValueRef element = LLVMGetAggregateElement(c, (unsigned)i);
      const char *trouble = element ? put(im, at + i * step, element)
                                    : "initial value of a special kind";
      if (trouble)
        return trouble;
    }
    return NULL;
  }
  return put_wide(im, at, c, kind);
}

const char *hd_cc_initialiser(cc_module *m, hd_str *out, LLVMValueRef init,
                              uint64_t size) {
  if (LLVMIsNull(init) || !size)
    return NULL;
  image im = {.m = m, .bytes = hd_calloc(size, 1), .size = size};
  const char *trouble = put(&im, 0, init);
  bool zero = true;
  for (uint64_t i = 0; i < size && zero; i++)
    zero = !im.bytes[i];
  if (!trouble && !zero) {
    static const char digits[] = "0123456789abcdef";
    hd_str_puts(out, " bytes ");
    for (uint64_t i = 0; i < size; i++) {
      char pair[2] = {digits[im.bytes[i] >> 4], digits[im.bytes[i] & 15]};
      hd_str_append(out, pair, 2);
    }
  }
  if (!trouble)
    hd_str_puts(out, hd_str_text(&im.relocs));
  hd_str_free(&im.relocs);
  hd_free(im.bytes);
  return trouble;
}
