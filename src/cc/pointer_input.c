/* SPDX-License-Identifier: MIT */
/* Inputs that are pointers. A program cannot be given any pointer at all: there
 * is no end of what it could point to. But most programs only ask whether such
 * a pointer is null (often by assigning it to a _Bool), or give it back as the
 * result of a thread that nobody collects. Then the input is a flag, or has no
 * value that anybody sees, and can be had. */
#include "cc/func.h"

static const char *name_of(LLVMValueRef function) {
  size_t length;
  return LLVMGetValueName2(function, &length);
}

static bool is_pointer_input(LLVMValueRef callee) {
  static const char prefix[] = "__VERIFIER_";
  const char *name = name_of(callee);
  if (!strncmp(name, prefix, sizeof prefix - 1))
    name += sizeof prefix - 1;
  return LLVMIsDeclaration(callee) && !strncmp(name, "nondet_", 7);
}

/* --- what is done with it --- */

static bool is_test_for_null(LLVMValueRef user) {
  if (!LLVMIsAICmpInst(user))
    return false;
  LLVMIntPredicate p = LLVMGetICmpPredicate(user);
  return (p == LLVMIntEQ || p == LLVMIntNE) &&
         (LLVMIsAConstantPointerNull(LLVMGetOperand(user, 0)) ||
          LLVMIsAConstantPointerNull(LLVMGetOperand(user, 1)));
}

static bool all_users(LLVMValueRef value, bool (*good)(LLVMValueRef)) {
  for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u))
    if (!good(LLVMGetUser(u)))
      return false;
  return true;
}

static bool is_return(LLVMValueRef user) {
  return LLVMIsAReturnInst(user) != NULL;
}

static bool only_returned(LLVMValueRef user) {
  return LLVMIsALoadInst(user) && all_users(user, is_return);
}

/* Returned at once, or by way of the variable that clang makes for the result
 * of a function with several returns. */
static bool returns_it(LLVMValueRef value) {
  for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (is_return(user))
      continue;
    if (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 0) != value ||
        !LLVMIsAAllocaInst(LLVMGetOperand(user, 1)))
      return false;
    LLVMValueRef result = LLVMGetOperand(user, 1);
    for (LLVMUseRef r = LLVMGetFirstUse(result); r; r = LLVMGetNextUse(r)) {
      LLVMValueRef at = LLVMGetUser(r);
      bool stores = LLVMIsAStoreInst(at) && LLVMGetOperand(at, 1) == result;
      if (!stores && !only_returned(at) && !LLVMIsADbgInfoIntrinsic(at))
        return false;
    }
  }
  return true;
}

/* --- who collects a thread's result --- */

static bool is_call_of(LLVMValueRef user, const char *name) {
  if (!LLVMIsACallInst(user))
    return false;
  LLVMValueRef callee = hd_cc_resolve(LLVMGetCalledValue(user));
  return LLVMIsAFunction(callee) && !strcmp(name_of(callee), name);
}

static bool is_join_without_result(LLVMValueRef user) {
  return is_call_of(user, "pthread_join") && LLVMGetNumArgOperands(user) == 2 &&
         LLVMIsAConstantPointerNull(LLVMGetArgOperand(user, 1));
}

static bool nobody_collects(LLVMModuleRef module) {
  static const char *const others[] = {
      "pthread_tryjoin_np", "pthread_timedjoin_np", "pthread_clockjoin_np"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (LLVMGetNamedFunction(module, others[i]))
      return false;
  LLVMValueRef join = LLVMGetNamedFunction(module, "pthread_join");
  return !join ||
         (LLVMIsDeclaration(join) && all_users(join, is_join_without_result));
}

/* Is the function only given to pthread_create, never called or kept? */
static bool is_thread_only(LLVMValueRef function) {
  for (LLVMUseRef u = LLVMGetFirstUse(function); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (!is_call_of(user, "pthread_create") ||
        LLVMGetNumArgOperands(user) != 4 ||
        LLVMGetArgOperand(user, 2) != function ||
        LLVMGetArgOperand(user, 3) == function)
      return false;
  }
  return LLVMGetFirstUse(function) != NULL;
}

bool hd_cc_pointer_input(cc_func *f, LLVMValueRef inst, LLVMValueRef callee) {
  if (!is_pointer_input(callee) || LLVMGetNumArgOperands(inst) ||
      LLVMGetTypeKind(LLVMTypeOf(inst)) != LLVMPointerTypeKind)
    return false;
  if (all_users(inst, is_test_for_null)) {
    bool used = LLVMGetFirstUse(inst) != NULL;
    hd_cc_flush(f);
    uint32_t reg = used ? hd_cc_new_temporary(f, hd_cc_int(1)) : 0;
    hd_cc_call_edge(f, &reg, used, hd_cc_need(f->m, callee), NULL, 0);
    if (used)
      hd_cc_define_regs(f, inst, &reg, 1);
    return true;
  }
  if (!returns_it(inst) || !is_thread_only(f->llvm) ||
      !nobody_collects(LLVMGetGlobalParent(f->llvm)))
    return false;
  hd_cc_flush(f);
  hd_cc_call_edge(f, NULL, 0, hd_cc_need(f->m, callee), NULL, 0);
  hd_cc_define1(
      f, inst,
      hd_cc_leaf(&f->arena, HD_CODE_NULL, hd_cc_ptr(f->m), 0, NULL, true));
  return true;
}

bool hd_cc_is_pointer_flag(LLVMValueRef operand, const cc_expr *e) {
  return e->type.kind == HD_TYPE_INT && e->type.width == 1 &&
         LLVMGetTypeKind(LLVMTypeOf(operand)) == LLVMPointerTypeKind;
}
