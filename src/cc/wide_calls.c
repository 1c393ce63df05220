/* SPDX-License-Identifier: MIT */
/* What the two halves of an integer of 128 bits do not do by themselves becomes a
 * call of a model. Functions of C get and give such a number as two of 64 bits,
 * and so do the models. */
#include "cc/wide.h"

#include "base/common.h"

#include <llvm-c/DebugInfo.h>

#include <stdio.h>
#include <string.h>

typedef struct {
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMBuilderRef builder;
  LLVMTypeRef half, whole, number, nothing;
} lowering;

enum { MOST_ARGUMENTS = 8 };

typedef struct {
  LLVMValueRef values[MOST_ARGUMENTS];
  unsigned n;
} arguments;

static void push(arguments *args, LLVMValueRef value) {
  assert(args->n < MOST_ARGUMENTS);
  args->values[args->n++] = value;
}

static void push_halves(lowering *l, arguments *args, LLVMValueRef value) {
  LLVMValueRef by = LLVMConstInt(l->whole, 64, 0);
  LLVMValueRef high = LLVMBuildLShr(l->builder, value, by, "");
  push(args, LLVMBuildTrunc(l->builder, value, l->half, ""));
  push(args, LLVMBuildTrunc(l->builder, high, l->half, ""));
}

static void push_number(lowering *l, arguments *args, unsigned value) {
  push(args, LLVMConstInt(l->number, value, 0));
}

static LLVMValueRef join(lowering *l, LLVMValueRef halves) {
  LLVMValueRef low = LLVMBuildExtractValue(l->builder, halves, 0, "");
  LLVMValueRef high = LLVMBuildExtractValue(l->builder, halves, 1, "");
  high = LLVMBuildZExt(l->builder, high, l->whole, "");
  high = LLVMBuildShl(l->builder, high, LLVMConstInt(l->whole, 64, 0), "");
  low = LLVMBuildZExt(l->builder, low, l->whole, "");
  return LLVMBuildOr(l->builder, low, high, "");
}

static LLVMValueRef call_named(lowering *l, const char *name,
                               LLVMTypeRef result, arguments *args) {
  LLVMTypeRef types[MOST_ARGUMENTS];
  for (unsigned i = 0; i < args->n; i++)
    types[i] = LLVMTypeOf(args->values[i]);
  LLVMTypeRef type = LLVMFunctionType(result, types, args->n, 0);
  LLVMValueRef function = LLVMGetNamedFunction(l->module, name);
  if (!function)
    function = LLVMAddFunction(l->module, name, type);
  return LLVMBuildCall2(l->builder, type, function, args->values, args->n, "");
}

/* A call of a model that gives `result`. */
static LLVMValueRef call(lowering *l, const char *what, LLVMTypeRef result,
                         arguments *args) {
  char name[64];
  snprintf(name, sizeof name, "__heddle_wide_%s", what);
  return call_named(l, name, result, args);
}

static LLVMValueRef call_wide(lowering *l, const char *what, arguments *args) {
  LLVMTypeRef pair[2] = {l->half, l->half};
  return join(
      l, call(l, what, LLVMStructTypeInContext(l->context, pair, 2, 0), args));
}

/* --- arithmetic --- */

/* The model of an operation; NULL: the halves do it. */
static const char *operation(LLVMValueRef inst) {
  uint64_t half[2];
  bool constant = hd_cc_wide_constant(LLVMGetOperand(inst, 1), half) &&
                  !half[1] && half[0] < 128;
  switch (LLVMGetInstructionOpcode(inst)) {
  case LLVMAdd:
    return LLVMGetNSW(inst) ? "add" : NULL;
  case LLVMSub:
    return LLVMGetNSW(inst) ? "subtract" : NULL;
  case LLVMMul:
    return LLVMGetNSW(inst) ? "multiply" : "umultiply";
  case LLVMUDiv:
    return "udivide";
  case LLVMSDiv:
    return "divide";
  case LLVMURem:
    return "uremainder";
  case LLVMSRem:
    return "remainder";
  case LLVMShl:
    return constant ? NULL : "left";
  case LLVMLShr:
    return constant ? NULL : "uright";
  case LLVMAShr:
    return constant ? NULL : "right";
  default:
    return NULL;
  }
}

static LLVMValueRef binary(lowering *l, LLVMValueRef inst) {
  const char *what = operation(inst);
  arguments args = {0};
  if (!what)
    return NULL;
  push_halves(l, &args, LLVMGetOperand(inst, 0));
  push_halves(l, &args, LLVMGetOperand(inst, 1));
  return call_wide(l, what, &args);
}

static LLVMValueRef cast(lowering *l, LLVMValueRef inst) {
  LLVMValueRef from = LLVMGetOperand(inst, 0);
  LLVMOpcode opcode = LLVMGetInstructionOpcode(inst);
  LLVMTypeRef real = LLVMDoubleTypeInContext(l->context);
  LLVMTypeRef small = LLVMFloatTypeInContext(l->context);
  arguments args = {0};
  if ((opcode == LLVMSIToFP || opcode == LLVMUIToFP) &&
      hd_cc_is_wide(LLVMTypeOf(from))) {
    bool is_signed = opcode == LLVMSIToFP;
    push_halves(l, &args, from);
    if (LLVMTypeOf(inst) == real)
      return call(l, is_signed ? "to_double" : "uto_double", real, &args);
    if (LLVMTypeOf(inst) == small)
      return call(l, is_signed ? "to_float" : "uto_float", small, &args);
  }
  if ((opcode == LLVMFPToSI || opcode == LLVMFPToUI) &&
      hd_cc_is_wide(LLVMTypeOf(inst)) &&
      (LLVMTypeOf(from) == real || LLVMTypeOf(from) == small)) {
    push(&args, LLVMTypeOf(from) == real
                    ? from
                    : LLVMBuildFPExt(l->builder, from, real, ""));
    return call_wide(l, opcode == LLVMFPToSI ? "from_double" : "ufrom_double",
                     &args);
  }
  return NULL;
}

/* --- atomic accesses --- */

/* As the library of atomics numbers them. */
static unsigned order_number(LLVMAtomicOrdering order) {
  switch (order) {
  case LLVMAtomicOrderingNotAtomic:
  case LLVMAtomicOrderingUnordered:
  case LLVMAtomicOrderingMonotonic:
    return __ATOMIC_RELAXED;
  case LLVMAtomicOrderingAcquire:
    return __ATOMIC_ACQUIRE;
  case LLVMAtomicOrderingRelease:
    return __ATOMIC_RELEASE;
  case LLVMAtomicOrderingAcquireRelease:
    return __ATOMIC_ACQ_REL;
  case LLVMAtomicOrderingSequentiallyConsistent:
    return __ATOMIC_SEQ_CST;
  }
  return __ATOMIC_SEQ_CST;
}

/* A variable at the start of the function around `inst`. */
static LLVMValueRef variable(lowering *l, LLVMValueRef inst, const char *name) {
  LLVMValueRef function =
      LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst));
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
  LLVMPositionBuilderBefore(l->builder, LLVMGetFirstInstruction(entry));
  LLVMValueRef made = LLVMBuildAlloca(l->builder, l->whole, name);
  LLVMSetAlignment(made, 16);
  LLVMPositionBuilderBefore(l->builder, inst);
  return made;
}

/* The same, with a value: `operand` of the instruction. */
static LLVMValueRef holder(lowering *l, LLVMValueRef inst, unsigned operand,
                           const char *name) {
  LLVMValueRef made = variable(l, inst, name);
  LLVMBuildStore(l->builder, LLVMGetOperand(inst, operand), made);
  return made;
}

static LLVMValueRef content(lowering *l, LLVMValueRef variable) {
  return LLVMBuildLoad2(l->builder, l->whole, variable, "");
}

/* The library's accesses of any size. The order is a constant, so that engines see
 * it. */
static LLVMValueRef access(lowering *l, const char *name, LLVMTypeRef result,
                           LLVMValueRef where, const LLVMValueRef *more,
                           unsigned n, LLVMAtomicOrdering order) {
  arguments args = {0};
  push(&args, LLVMConstInt(l->half, 16, 0));
  push(&args, where);
  for (unsigned i = 0; i < n; i++)
    push(&args, more[i]);
  push_number(l, &args, order_number(order));
  return call_named(l, name, result, &args);
}

static LLVMValueRef load(lowering *l, LLVMValueRef inst) {
  LLVMValueRef to = variable(l, inst, "loaded.value");
  access(l, "__atomic_load", l->nothing, LLVMGetOperand(inst, 0), &to, 1,
         LLVMGetOrdering(inst));
  return content(l, to);
}

static void store(lowering *l, LLVMValueRef inst) {
  LLVMValueRef from = holder(l, inst, 0, "stored.value");
  access(l, "__atomic_store", l->nothing, LLVMGetOperand(inst, 1), &from, 1,
         LLVMGetOrdering(inst));
  LLVMInstructionEraseFromParent(inst);
}

/* With the order in the name of the model. */
static LLVMValueRef rmw(lowering *l, LLVMValueRef inst) {
  static const char *const names[] = {
      [LLVMAtomicRMWBinOpAdd] = "add", [LLVMAtomicRMWBinOpSub] = "sub",
      [LLVMAtomicRMWBinOpAnd] = "and", [LLVMAtomicRMWBinOpOr] = "or",
      [LLVMAtomicRMWBinOpXor] = "xor",
  };
  LLVMAtomicRMWBinOp which = LLVMGetAtomicRMWBinOp(inst);
  arguments args = {0};
  char name[32];
  if (which == LLVMAtomicRMWBinOpXchg) {
    LLVMValueRef both[2] = {holder(l, inst, 1, "stored.value"),
                            variable(l, inst, "old.value")};
    access(l, "__atomic_exchange", l->nothing, LLVMGetOperand(inst, 0), both, 2,
           LLVMGetOrdering(inst));
    return content(l, both[1]);
  }
  if ((size_t)which >= sizeof names / sizeof *names || !names[which])
    return NULL;
  push(&args, LLVMGetOperand(inst, 0));
  push_halves(l, &args, LLVMGetOperand(inst, 1));
  snprintf(name, sizeof name, "fetch_%s_%u", names[which],
           order_number(LLVMGetOrdering(inst)));
  return call_wide(l, name, &args);
}

/* A weak one may fail for no reason: the model has a choice. */
static LLVMValueRef exchange(lowering *l, LLVMValueRef inst) {
  LLVMValueRef all[4] = {LLVMGetOperand(inst, 0),
                         holder(l, inst, 1, "old.value"),
                         holder(l, inst, 2, "stored.value")};
  LLVMAtomicOrdering order = LLVMGetCmpXchgSuccessOrdering(inst);
  LLVMAtomicOrdering failure = LLVMGetCmpXchgFailureOrdering(inst);
  LLVMTypeRef bit = LLVMInt1TypeInContext(l->context);
  LLVMValueRef done;
  if (LLVMGetWeak(inst)) {
    arguments args = {.values = {all[0], all[1], all[2]}, .n = 3};
    char name[32];
    snprintf(name, sizeof name, "weak_%u_%u", order_number(order),
             order_number(failure));
    done = LLVMBuildTrunc(l->builder, call(l, name, l->number, &args), bit, "");
  } else {
    all[3] = LLVMConstInt(l->number, order_number(order), 0);
    done = access(l, "__atomic_compare_exchange", bit, all[0], all + 1, 3,
                  failure);
  }
  LLVMValueRef result = LLVMGetUndef(LLVMTypeOf(inst));
  result = LLVMBuildInsertValue(l->builder, result, content(l, all[1]), 0, "");
  return LLVMBuildInsertValue(l->builder, result, done, 1, "");
}

/* --- all of them --- */

static bool is_atomic(LLVMValueRef inst) {
  return LLVMGetOrdering(inst) != LLVMAtomicOrderingNotAtomic;
}

static bool has_wide_operand(LLVMValueRef inst, unsigned i) {
  return hd_cc_is_wide(LLVMTypeOf(LLVMGetOperand(inst, i)));
}

/* What it becomes; NULL: it stays, or is gone. */
static LLVMValueRef replacement(lowering *l, LLVMValueRef inst) {
  bool is_wide = hd_cc_is_wide(LLVMTypeOf(inst));
  LLVMPositionBuilderBefore(l->builder, inst);
  LLVMSetCurrentDebugLocation2(l->builder, LLVMInstructionGetDebugLoc(inst));
  if (LLVMIsABinaryOperator(inst))
    return is_wide ? binary(l, inst) : NULL;
  if (LLVMIsACastInst(inst))
    return cast(l, inst);
  switch (LLVMGetInstructionOpcode(inst)) {
  case LLVMLoad:
    return is_wide && is_atomic(inst) ? load(l, inst) : NULL;
  case LLVMStore:
    if (has_wide_operand(inst, 0) && is_atomic(inst))
      store(l, inst);
    return NULL;
  case LLVMAtomicRMW:
    return is_wide ? rmw(l, inst) : NULL;
  case LLVMAtomicCmpXchg:
    return has_wide_operand(inst, 1) ? exchange(l, inst) : NULL;
  default:
    return NULL;
  }
}

static void lower_block(lowering *l, LLVMBasicBlockRef block) {
  LLVMValueRef next;
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = next) {
    next = LLVMGetNextInstruction(i);
    if (LLVMIsACallInst(i) && LLVMIsAInlineAsm(LLVMGetCalledValue(i))) {
      hd_cc_lower_assembler(l->context, l->module, l->builder, i);
      continue;
    }
    LLVMValueRef other = replacement(l, i);
    if (!other)
      continue;
    LLVMReplaceAllUsesWith(i, other);
    LLVMInstructionEraseFromParent(i);
  }
}

void hd_cc_lower_wide(LLVMContextRef context, LLVMModuleRef module) {
  lowering l = {.context = context,
                .module = module,
                .builder = LLVMCreateBuilderInContext(context),
                .half = LLVMInt64TypeInContext(context),
                .whole = LLVMIntTypeInContext(context, 128),
                .number = LLVMInt32TypeInContext(context),
                .nothing = LLVMVoidTypeInContext(context)};
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
         b = LLVMGetNextBasicBlock(b))
      lower_block(&l, b);
  LLVMDisposeBuilder(l.builder);
}
