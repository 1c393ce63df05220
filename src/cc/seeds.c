/* SPDX-License-Identifier: MIT */
/* srand(time(NULL)), usleep(rand() % 1000): how a generator is seeded and how long a
 * call sleeps is seen by nobody. Where such an argument is made of nothing but
 * inputs and numbers, and no value of them is undefined, it becomes 0: an input that
 * nobody looks at need not be tried with all its values. */
#include "cc/wide.h"

#include "base/common.h"

#include <string.h>

static bool is_named(LLVMValueRef call, const char *const *names, size_t n) {
  size_t length;
  if (!LLVMIsACallInst(call) || !LLVMIsAFunction(LLVMGetCalledValue(call)) ||
      !LLVMIsDeclaration(LLVMGetCalledValue(call)))
    return false;
  const char *name = LLVMGetValueName2(LLVMGetCalledValue(call), &length);
  for (size_t i = 0; i < n; i++)
    if (!strcmp(name, names[i]))
      return true;
  return false;
}

/* What is seen of no argument, if nobody asks how it went. */
static bool ignores_argument(LLVMValueRef call) {
  static const char *const names[] = {"srand", "srandom", "srand48", "sleep",
                                      "usleep"};
  return is_named(call, names, sizeof names / sizeof *names) &&
         LLVMGetNumArgOperands(call) == 1 && !LLVMGetFirstUse(call) &&
         LLVMGetTypeKind(LLVMTypeOf(LLVMGetArgOperand(call, 0))) ==
             LLVMIntegerTypeKind;
}

static bool is_input(LLVMValueRef call) {
  static const char *const names[] = {"time", "clock",  "getpid",
                                      "rand", "random", "lrand48"};
  return is_named(call, names, sizeof names / sizeof *names);
}

/* Values are between -bound and bound; `UNDEFINED`: who knows. */
typedef double bound;
#define UNDEFINED (-1.0)

static bound at_most(bound a, bound most) {
  return a < most ? a : most;
}

/* 2^(width - 1), exactly. */
static bound half_range(LLVMTypeRef type) {
  bound b = 0.5;
  for (unsigned i = LLVMGetIntTypeWidth(type); i; i--)
    b *= 2;
  return b;
}

static bound bound_of(LLVMValueRef value, unsigned depth);

static bound of_constant(LLVMValueRef c) {
  long long number = LLVMConstIntGetSExtValue(c);
  return number < 0 ? -(bound)number : (bound)number;
}

/* What a remainder or a quotient by a number leaves. */
static bound divided(LLVMValueRef inst, bound a, LLVMValueRef by) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(inst);
  if (!LLVMIsAConstantInt(by) || LLVMConstIntGetSExtValue(by) <= 0)
    return UNDEFINED;
  /* The unsigned ones see what is negative as a large number. */
  bound whole = opcode == LLVMUDiv || opcode == LLVMURem
                    ? 2 * half_range(LLVMTypeOf(inst))
                    : a;
  return opcode == LLVMURem || opcode == LLVMSRem
             ? at_most(whole, of_constant(by))
             : whole;
}

static bound of_binary(LLVMValueRef inst, unsigned depth) {
  LLVMValueRef second = LLVMGetOperand(inst, 1);
  LLVMOpcode opcode = LLVMGetInstructionOpcode(inst);
  bound a = bound_of(LLVMGetOperand(inst, 0), depth);
  bound b = bound_of(second, depth), most = half_range(LLVMTypeOf(inst));
  if (a < 0 || b < 0)
    return UNDEFINED;
  bound result;
  switch (opcode) {
  case LLVMSDiv:
  case LLVMUDiv:
  case LLVMSRem:
  case LLVMURem:
    return divided(inst, a, second);
  case LLVMAnd:
  case LLVMOr:
  case LLVMXor:
    return most;
  case LLVMAdd:
  case LLVMSub:
    result = a + b;
    break;
  case LLVMMul:
    result = a * b;
    break;
  default:
    return UNDEFINED;
  }
  if (result < most)
    return result;
  return LLVMGetNSW(inst) || LLVMGetNUW(inst) ? UNDEFINED : most;
}

static bound bound_of(LLVMValueRef value, unsigned depth) {
  enum { DEEPEST = 8 };
  LLVMTypeRef type = LLVMTypeOf(value);
  if (depth > DEEPEST || LLVMGetTypeKind(type) != LLVMIntegerTypeKind ||
      LLVMGetIntTypeWidth(type) > 64)
    return UNDEFINED;
  if (LLVMIsAConstantInt(value))
    return of_constant(value);
  if (is_input(value))
    return half_range(type);
  if (LLVMIsABinaryOperator(value))
    return of_binary(value, depth + 1);
  if (!LLVMIsATruncInst(value) && !LLVMIsASExtInst(value) &&
      !LLVMIsAZExtInst(value))
    return UNDEFINED;
  bound a = bound_of(LLVMGetOperand(value, 0), depth + 1);
  if (a < 0)
    return UNDEFINED;
  return LLVMIsASExtInst(value) ? a : half_range(type);
}

/* Asking for the time and nothing else does nothing. */
static bool is_question(LLVMValueRef call) {
  static const char *const names[] = {"time", "clock", "getpid"};
  return is_named(call, names, sizeof names / sizeof *names) &&
         (LLVMGetNumArgOperands(call) == 0 ||
          LLVMIsNull(LLVMGetArgOperand(call, 0)));
}

enum { MOST_PARTS = 32 };

typedef struct {
  LLVMValueRef parts[MOST_PARTS];
  unsigned n;
} computation;

static void collect(computation *c, LLVMValueRef value) {
  bool operation = LLVMIsABinaryOperator(value) || LLVMIsACastInst(value);
  for (unsigned i = 0; i < c->n; i++)
    if (c->parts[i] == value)
      return;
  if ((!operation && !is_question(value)) || c->n == MOST_PARTS)
    return;
  c->parts[c->n++] = value;
  for (unsigned i = 0; operation && i < (unsigned)LLVMGetNumOperands(value);
       i++)
    collect(c, LLVMGetOperand(value, i));
}

/* Removes what computed the argument, as far as nobody else asks for that. */
static void forget(LLVMValueRef argument) {
  computation c = {.n = 0};
  collect(&c, argument);
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned i = 0; i < c.n; i++)
      if (c.parts[i] && !LLVMGetFirstUse(c.parts[i])) {
        LLVMInstructionEraseFromParent(c.parts[i]);
        c.parts[i] = NULL;
        changed = true;
      }
  }
}

static void look_at(LLVMValueRef call) {
  if (!ignores_argument(call))
    return;
  LLVMValueRef argument = LLVMGetArgOperand(call, 0);
  if (!LLVMIsAInstruction(argument) || bound_of(argument, 0) < 0)
    return;
  LLVMSetOperand(call, 0, LLVMConstInt(LLVMTypeOf(argument), 0, 0));
  forget(argument);
}

void hd_cc_forget_seeds(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
         b = LLVMGetNextBasicBlock(b)) {
      LLVMValueRef next;
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (LLVMIsACallInst(i))
          look_at(i);
      }
    }
}
