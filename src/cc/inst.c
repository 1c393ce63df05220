/* SPDX-License-Identifier: MIT */
/* Pure instructions: each part of the result is an expression over the parts of
 * the operands, vectors element by element. */
#include "cc/func.h"

static const cc_expr **new_parts(cc_func *f, uint32_t n) {
  return hd_arena_alloc(&f->arena, (n + 1) * sizeof(const cc_expr *));
}

/* The scalar type of each part of `inst`; false: refused. */
static bool result_types(cc_func *f, LLVMValueRef inst, cc_scalars *out) {
  const char *trouble = hd_cc_flatten(f->m, LLVMTypeOf(inst), out);
  if (trouble)
    hd_cc_unsupported(f, "%s", trouble);
  return !trouble;
}

typedef const char *part_function(cc_func *f, LLVMValueRef inst, hd_type type,
                                  const cc_expr *const *args,
                                  const cc_expr **out);

/* `build` for every part; an operand with fewer parts (the condition of a
 * select) stands for all. */
static void each_part(cc_func *f, LLVMValueRef inst, part_function *build) {
  int n_operands = LLVMGetNumOperands(inst);
  cc_parts operands[3];
  assert(n_operands >= 1 && n_operands <= 3);
  for (int i = 0; i < n_operands; i++)
    if (!hd_cc_use(f, LLVMGetOperand(inst, (unsigned)i), &operands[i]))
      return;
  cc_scalars types = {0};
  const char *trouble = NULL;
  if (result_types(f, inst, &types)) {
    uint32_t n = (uint32_t)types.size;
    cc_parts result = {.parts = new_parts(f, n), .n = n};
    for (uint32_t k = 0; k < n && !trouble; k++) {
      const cc_expr *args[3] = {0};
      for (int i = 0; i < n_operands && !trouble; i++) {
        if (operands[i].n != n && operands[i].n != 1)
          trouble = "cast between vectors of different shape";
        else
          args[i] = operands[i].parts[operands[i].n == 1 ? 0 : k];
      }
      if (!trouble)
        trouble = build(f, inst, types.data[k].type, args, &result.parts[k]);
    }
    if (trouble)
      hd_cc_unsupported(f, "%s", trouble);
    else
      hd_cc_define(f, inst, result);
  }
  hd_vec_free(&types);
}

static const char *binary(cc_func *f, LLVMValueRef inst, hd_type type,
                          const cc_expr *const *args, const cc_expr **out) {
  return hd_cc_binary(&f->arena, LLVMGetInstructionOpcode(inst), inst, type,
                      args[0], args[1], out);
}

static const char *cast(cc_func *f, LLVMValueRef inst, hd_type type,
                        const cc_expr *const *args, const cc_expr **out) {
  return hd_cc_cast(&f->arena, LLVMGetInstructionOpcode(inst), type, args[0],
                    out);
}

static const char *negate(cc_func *f, LLVMValueRef inst, hd_type type,
                          const cc_expr *const *args, const cc_expr **out) {
  (void)inst;
  *out = hd_cc_op1(&f->arena, HD_CODE_FNEG, type, 0, args[0]);
  return NULL;
}

static const char *same(cc_func *f, LLVMValueRef inst, hd_type type,
                        const cc_expr *const *args, const cc_expr **out) {
  (void)f, (void)inst, (void)type;
  *out = args[0];
  return NULL;
}

static const char *compare(cc_func *f, LLVMValueRef inst, hd_type type,
                           const cc_expr *const *args, const cc_expr **out) {
  (void)type;
  for (unsigned i = 0; i < 2; i++)
    if (hd_cc_is_pointer_flag(LLVMGetOperand(inst, i), args[i])) {
      *out = LLVMGetICmpPredicate(inst) == LLVMIntNE
                 ? args[i]
                 : hd_cc_not(&f->arena, args[i]);
      return NULL;
    }
  *out = hd_cc_icmp(&f->arena, LLVMGetICmpPredicate(inst), args[0], args[1]);
  return NULL;
}

static const char *compare_floats(cc_func *f, LLVMValueRef inst, hd_type type,
                                  const cc_expr *const *args,
                                  const cc_expr **out) {
  static const uint8_t ops[] = {
      [LLVMRealOEQ] = HD_CODE_FOEQ, [LLVMRealOGT] = HD_CODE_FOGT,
      [LLVMRealOGE] = HD_CODE_FOGE, [LLVMRealOLT] = HD_CODE_FOLT,
      [LLVMRealOLE] = HD_CODE_FOLE, [LLVMRealONE] = HD_CODE_FONE,
      [LLVMRealORD] = HD_CODE_FORD, [LLVMRealUNO] = HD_CODE_FUNO,
      [LLVMRealUEQ] = HD_CODE_FUEQ, [LLVMRealUGT] = HD_CODE_FUGT,
      [LLVMRealUGE] = HD_CODE_FUGE, [LLVMRealULT] = HD_CODE_FULT,
      [LLVMRealULE] = HD_CODE_FULE, [LLVMRealUNE] = HD_CODE_FUNE,
  };
  LLVMRealPredicate p = LLVMGetFCmpPredicate(inst);
  if (p == LLVMRealPredicateFalse || p == LLVMRealPredicateTrue)
    *out = hd_cc_int_expr(&f->arena, type, p == LLVMRealPredicateTrue);
  else
    *out = hd_cc_op2(&f->arena, ops[p], type, 0, args[0], args[1]);
  return NULL;
}

/* The value that is not chosen must not be evaluated when it is undefined. */
static const char *choose(cc_func *f, LLVMValueRef inst, hd_type type,
                          const cc_expr *const *args, const cc_expr **out) {
  (void)inst, (void)type;
  const cc_expr *yes = args[1], *no = args[2];
  if (!yes->total && yes->op != HD_CODE_UNDEF)
    yes = hd_cc_in_register(f, yes);
  if (!no->total && no->op != HD_CODE_UNDEF)
    no = hd_cc_in_register(f, no);
  *out = hd_cc_select(&f->arena, args[0], yes, no);
  return NULL;
}

static void address(cc_func *f, LLVMValueRef inst) {
  int n = LLVMGetNumOperands(inst);
  const cc_expr *base, *result, **indices = new_parts(f, (uint32_t)n);
  if (!hd_cc_use1(f, LLVMGetOperand(inst, 0), &base))
    return;
  for (int i = 1; i < n; i++)
    if (!hd_cc_use1(f, LLVMGetOperand(inst, (unsigned)i), &indices[i - 1]))
      return;
  const char *trouble =
      hd_cc_gep(f->m, &f->arena, inst, base, indices, &result);
  if (trouble)
    hd_cc_unsupported(f, "%s", trouble);
  else
    hd_cc_define1(f, inst, result);
}

/* --- parts of structs and vectors --- */

static uint32_t count_parts(cc_func *f, LLVMTypeRef type) {
  cc_scalars scalars = {0};
  const char *trouble = hd_cc_flatten(f->m, type, &scalars);
  uint32_t n = trouble ? 0 : (uint32_t)scalars.size;
  hd_vec_free(&scalars);
  return n;
}

/* The first part of the member that the indices of extractvalue or insertvalue
 * lead to, and its type. */
static uint32_t member(cc_func *f, LLVMValueRef inst, LLVMTypeRef *type) {
  uint32_t at = 0;
  const unsigned *indices = LLVMGetIndices(inst);
  for (unsigned i = 0; i < LLVMGetNumIndices(inst); i++)
    if (LLVMGetTypeKind(*type) == LLVMStructTypeKind) {
      for (unsigned k = 0; k < indices[i]; k++)
        at += count_parts(f, LLVMStructGetTypeAtIndex(*type, k));
      *type = LLVMStructGetTypeAtIndex(*type, indices[i]);
    } else {
      *type = LLVMGetElementType(*type);
      at += indices[i] * count_parts(f, *type);
    }
  return at;
}

static void extract(cc_func *f, LLVMValueRef inst) {
  LLVMValueRef whole = LLVMGetOperand(inst, 0);
  LLVMTypeRef type = LLVMTypeOf(whole);
  cc_parts parts;
  if (!hd_cc_use(f, whole, &parts))
    return;
  uint32_t at = member(f, inst, &type);
  cc_parts result = {.parts = parts.parts + at, .n = count_parts(f, type)};
  assert(at + result.n <= parts.n);
  hd_cc_define(f, inst, result);
}

/* `whole` with `in` from part `at` on. */
static void replace(cc_func *f, LLVMValueRef inst, cc_parts whole, cc_parts in,
                    uint32_t at) {
  cc_parts result = {.parts = new_parts(f, whole.n), .n = whole.n};
  assert(at + in.n <= whole.n);
  for (uint32_t i = 0; i < whole.n; i++)
    result.parts[i] =
        i >= at && i < at + in.n ? in.parts[i - at] : whole.parts[i];
  hd_cc_define(f, inst, result);
}

static void insert(cc_func *f, LLVMValueRef inst) {
  LLVMTypeRef type = LLVMTypeOf(inst);
  cc_parts whole, in;
  if (!hd_cc_use(f, LLVMGetOperand(inst, 0), &whole) ||
      !hd_cc_use(f, LLVMGetOperand(inst, 1), &in))
    return;
  replace(f, inst, whole, in, member(f, inst, &type));
}

/* The constant index of an element; false: refused. */
static bool constant_index(cc_func *f, LLVMValueRef index, uint32_t n,
                           uint32_t *out) {
  if (!LLVMIsAConstantInt(index) || LLVMConstIntGetZExtValue(index) >= n) {
    hd_cc_unsupported(f, "vector element whose number is not constant");
    return false;
  }
  *out = (uint32_t)LLVMConstIntGetZExtValue(index);
  return true;
}

static void extract_element(cc_func *f, LLVMValueRef inst) {
  cc_parts parts;
  uint32_t at;
  if (!hd_cc_use(f, LLVMGetOperand(inst, 0), &parts) ||
      !constant_index(f, LLVMGetOperand(inst, 1), parts.n, &at))
    return;
  hd_cc_define1(f, inst, parts.parts[at]);
}

static void insert_element(cc_func *f, LLVMValueRef inst) {
  cc_parts whole, in;
  uint32_t at;
  if (!hd_cc_use(f, LLVMGetOperand(inst, 0), &whole) ||
      !hd_cc_use(f, LLVMGetOperand(inst, 1), &in) ||
      !constant_index(f, LLVMGetOperand(inst, 2), whole.n, &at))
    return;
  replace(f, inst, whole, in, at);
}

static void shuffle(cc_func *f, LLVMValueRef inst) {
  cc_parts a, b;
  if (!hd_cc_use(f, LLVMGetOperand(inst, 0), &a) ||
      !hd_cc_use(f, LLVMGetOperand(inst, 1), &b))
    return;
  uint32_t n = LLVMGetNumMaskElements(inst);
  cc_parts result = {.parts = new_parts(f, n), .n = n};
  for (uint32_t i = 0; i < n; i++) {
    int from = LLVMGetMaskValue(inst, i);
    if (from < 0)
      result.parts[i] = hd_cc_leaf(&f->arena, HD_CODE_UNDEF, a.parts[0]->type,
                                   0, NULL, false);
    else
      result.parts[i] =
          (uint32_t)from < a.n ? a.parts[from] : b.parts[(uint32_t)from - a.n];
  }
  hd_cc_define(f, inst, result);
}

/* --- all of them --- */

void hd_cc_instruction(cc_func *f, LLVMValueRef inst) {
  if (hd_cc_wide(f, inst))
    return;
  switch (LLVMGetInstructionOpcode(inst)) {
  case LLVMPHI: /* done on the edges */
    return;
  case LLVMAlloca:
  case LLVMLoad:
  case LLVMStore:
  case LLVMFence:
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    hd_cc_memory(f, inst);
    return;
  case LLVMCall:
    hd_cc_call(f, inst);
    return;
  case LLVMGetElementPtr:
    address(f, inst);
    return;
  case LLVMICmp:
    each_part(f, inst, compare);
    return;
  case LLVMFCmp:
    each_part(f, inst, compare_floats);
    return;
  case LLVMSelect:
    each_part(f, inst, choose);
    return;
  case LLVMFNeg:
    each_part(f, inst, negate);
    return;
  case LLVMExtractValue:
    extract(f, inst);
    return;
  case LLVMInsertValue:
    insert(f, inst);
    return;
  case LLVMExtractElement:
    extract_element(f, inst);
    return;
  case LLVMInsertElement:
    insert_element(f, inst);
    return;
  case LLVMShuffleVector:
    shuffle(f, inst);
    return;
  case LLVMFreeze: /* only optimised code has it */
    each_part(f, inst, same);
    return;
  case LLVMVAArg:
    hd_cc_unsupported(f, "va_arg");
    return;
  default:
    break;
  }
  if (LLVMIsACastInst(inst))
    each_part(f, inst, cast);
  else if (LLVMIsABinaryOperator(inst))
    each_part(f, inst, binary);
  else
    hd_cc_unsupported(f, "instruction %d", (int)LLVMGetInstructionOpcode(inst));
}
