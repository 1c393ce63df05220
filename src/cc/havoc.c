/* SPDX-License-Identifier: MIT */
#include "cc/havoc.h"

#include "base/str.h"
#include "base/vec.h"
#include "model/library.h"

#include <string.h>

/* What a pointer leads to that such a function returns. */
enum { BLOCK = 4096 };

typedef struct {
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMBuilderRef builder;
} maker;

static bool begins(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

static bool is_missing(LLVMValueRef f) {
  size_t size;
  const char *name = LLVMGetValueName2(f, &size);
  return LLVMIsDeclaration(f) && LLVMGetFirstUse(f) && !LLVMGetIntrinsicID(f) &&
         LLVMGetLinkage(f) != LLVMExternalWeakLinkage &&
         !begins(name, "__heddle") && !begins(name, "__VERIFIER") &&
         !begins(name, "heddle_") &&
         hd_library_kind_of(hd_library_find(name)) == HD_LIBRARY_NONE;
}

/* A call of a library function without arguments. */
static LLVMValueRef call_plain(maker *m, const char *name, LLVMTypeRef result) {
  LLVMTypeRef type = LLVMFunctionType(result, NULL, 0, 0);
  LLVMValueRef f = LLVMGetNamedFunction(m->module, name);
  if (!f)
    f = LLVMAddFunction(m->module, name, type);
  return LLVMBuildCall2(m->builder, type, f, NULL, 0, "");
}

static LLVMValueRef any_integer(maker *m, LLVMTypeRef type) {
  unsigned width = LLVMGetIntTypeWidth(type);
  const char *name = width <= 8    ? "__VERIFIER_nondet_uchar"
                     : width <= 16 ? "__VERIFIER_nondet_ushort"
                     : width <= 32 ? "__VERIFIER_nondet_uint"
                                   : "__VERIFIER_nondet_ulong";
  unsigned full = width <= 8 ? 8 : width <= 16 ? 16 : width <= 32 ? 32 : 64;
  LLVMValueRef value =
      call_plain(m, name, LLVMIntTypeInContext(m->context, full));
  return full == width ? value : LLVMBuildTrunc(m->builder, value, type, "");
}

/* A fresh block, all zero. */
static LLVMValueRef fresh_block(maker *m) {
  LLVMTypeRef size = LLVMInt64TypeInContext(m->context);
  LLVMTypeRef params[] = {size, size};
  LLVMTypeRef type =
      LLVMFunctionType(LLVMPointerTypeInContext(m->context, 0), params, 2, 0);
  LLVMValueRef f = LLVMGetNamedFunction(m->module, "calloc");
  if (!f)
    f = LLVMAddFunction(m->module, "calloc", type);
  LLVMValueRef args[] = {LLVMConstInt(size, 1, 0),
                         LLVMConstInt(size, BLOCK, 0)};
  return LLVMBuildCall2(m->builder, type, f, args, 2, "");
}

static bool can_return(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMVoidTypeKind:
  case LLVMPointerTypeKind:
  case LLVMFloatTypeKind:
  case LLVMDoubleTypeKind:
    return true;
  case LLVMIntegerTypeKind:
    return LLVMGetIntTypeWidth(type) <= 64;
  default:
    return false;
  }
}

static void put_return(maker *m, LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMVoidTypeKind:
    LLVMBuildRetVoid(m->builder);
    break;
  case LLVMPointerTypeKind:
    LLVMBuildRet(m->builder, fresh_block(m));
    break;
  case LLVMFloatTypeKind:
    LLVMBuildRet(m->builder, call_plain(m, "__VERIFIER_nondet_float", type));
    break;
  case LLVMDoubleTypeKind:
    LLVMBuildRet(m->builder, call_plain(m, "__VERIFIER_nondet_double", type));
    break;
  default:
    LLVMBuildRet(m->builder, any_integer(m, type));
  }
}

/* "not modelled: what NAME does" */
static void put_refusal(maker *m, const char *name) {
  hd_str text = {0};
  hd_str_printf(&text, "what %s does besides (--undefined=havoc)", name);
  LLVMTypeRef pointer = LLVMPointerTypeInContext(m->context, 0);
  LLVMTypeRef type =
      LLVMFunctionType(LLVMVoidTypeInContext(m->context), &pointer, 1, 0);
  LLVMValueRef f = LLVMGetNamedFunction(m->module, "__heddle_not_modelled");
  if (!f)
    f = LLVMAddFunction(m->module, "__heddle_not_modelled", type);
  LLVMValueRef words =
      LLVMBuildGlobalString(m->builder, hd_str_text(&text), "heddle.havoc");
  LLVMBuildCall2(m->builder, type, f, &words, 1, "");
  hd_str_free(&text);
}

static void define(maker *m, LLVMValueRef f) {
  size_t size;
  LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(f));
  LLVMBasicBlockRef start = LLVMAppendBasicBlockInContext(m->context, f, "");
  LLVMBasicBlockRef refuse = LLVMAppendBasicBlockInContext(m->context, f, "");
  LLVMBasicBlockRef end = LLVMAppendBasicBlockInContext(m->context, f, "");
  LLVMPositionBuilderAtEnd(m->builder, start);
  LLVMTypeRef byte = LLVMInt8TypeInContext(m->context);
  LLVMValueRef coin = LLVMBuildAnd(m->builder, any_integer(m, byte),
                                   LLVMConstInt(byte, 1, 0), "");
  LLVMValueRef heads =
      LLVMBuildICmp(m->builder, LLVMIntEQ, coin, LLVMConstInt(byte, 1, 0), "");
  LLVMBuildCondBr(m->builder, heads, refuse, end);
  LLVMPositionBuilderAtEnd(m->builder, refuse);
  put_refusal(m, LLVMGetValueName2(f, &size));
  LLVMBuildBr(m->builder, end);
  LLVMPositionBuilderAtEnd(m->builder, end);
  put_return(m, result);
}

void hd_cc_havoc(LLVMModuleRef whole) {
  maker m = {.module = whole, .context = LLVMGetModuleContext(whole)};
  hd_vec(LLVMValueRef) missing = {0};
  m.builder = LLVMCreateBuilderInContext(m.context);
  for (LLVMValueRef f = LLVMGetFirstFunction(whole); f;
       f = LLVMGetNextFunction(f))
    if (is_missing(f) &&
        can_return(LLVMGetReturnType(LLVMGlobalGetValueType(f))))
      hd_vec_push(&missing, f);
  for (hd_vec_each(LLVMValueRef, f, &missing))
    define(&m, *f);
  hd_vec_free(&missing);
  LLVMDisposeBuilder(m.builder);
}
