/* SPDX-License-Identifier: MIT */
#include "cc/openmp.h"

#include "base/vec.h"

#include <llvm-c/DebugInfo.h>

#include <string.h>

bool hd_cc_has_openmp(const char *source, size_t size) {
  const char *end = source + size;
  for (const char *at = source;
       (at = memmem(at, (size_t)(end - at), "pragma", 6)) != NULL;) {
    at += 6;
    while (at < end && (*at == ' ' || *at == '\t'))
      at++;
    if (end - at > 3 && !strncmp(at, "omp", 3) && strchr(" \t", at[3]))
      return true;
  }
  return false;
}

static bool has(const char *line, size_t n, const char *word) {
  return memmem(line, n, word, strlen(word)) != NULL;
}

/* NULL: nothing is hidden. */
static const char *doubt_in(const char *line, size_t n) {
  bool openmp = hd_cc_has_openmp(line, n);
  if (has(line, n, "_Pragma") && has(line, n, "simd"))
    return HD_CC_SIMD;
  if (openmp && has(line, n, "lastprivate") && has(line, n, "nowait"))
    return HD_CC_LAST;
  return openmp && has(line, n, "for simd") && !has(line, n, "parallel")
             ? HD_CC_SIMD
             : NULL;
}

void hd_cc_find_doubts(const char *source, size_t size, const char *file,
                       hd_arena *arena, cc_pragmas *out) {
  uint32_t number = 1;
  const char *end = source + size;
  for (const char *line = source; line < end; number++) {
    const char *stop = memchr(line, '\n', (size_t)(end - line));
    const char *doubt = doubt_in(line, (size_t)((stop ? stop : end) - line));
    if (doubt) {
      cc_pragma found = {
          .file = hd_arena_strndup(arena, file, strlen(file)),
          .text = doubt,
          .line = number,
          .column = 1,
      };
      hd_vec_push(out, found);
    }
    line = stop ? stop + 1 : end;
  }
}

static const char *name_of(LLVMValueRef value) {
  size_t length;
  return LLVMGetValueName2(value, &length);
}

bool hd_cc_calls_openmp(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    if (LLVMIsDeclaration(f) &&
        (!strncmp(name_of(f), "__kmpc_", 7) ||
         !strncmp(name_of(f), "omp_", 4) || !strncmp(name_of(f), "openmp_", 7)))
      return true;
  return false;
}

typedef struct {
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMBuilderRef builder;
  LLVMTypeRef pointer, nothing;
} lowering;

static LLVMTypeRef body_type(const lowering *l) {
  LLVMTypeRef types[] = {l->pointer, l->pointer, l->pointer};
  return LLVMFunctionType(l->nothing, types, 3, false);
}

/* body(gtid, bound, arguments): region(gtid, bound, arguments->…). */
static LLVMValueRef make_body(const lowering *l, LLVMValueRef region,
                              LLVMTypeRef fields, unsigned n) {
  LLVMValueRef body = LLVMAddFunction(l->module, "openmp.body", body_type(l));
  LLVMSetLinkage(body, LLVMInternalLinkage);
  LLVMPositionBuilderAtEnd(
      l->builder, LLVMAppendBasicBlockInContext(l->context, body, "entry"));
  LLVMSetCurrentDebugLocation2(l->builder, NULL);
  hd_vec(LLVMValueRef) args = {0};
  hd_vec(LLVMTypeRef) types = {0};
  for (unsigned i = 0; i < 2; i++) {
    hd_vec_push(&args, LLVMGetParam(body, i));
    hd_vec_push(&types, l->pointer);
  }
  for (unsigned i = 0; i < n; i++) {
    LLVMTypeRef type = LLVMStructGetTypeAtIndex(fields, i);
    LLVMValueRef at =
        LLVMBuildStructGEP2(l->builder, fields, LLVMGetParam(body, 2), i, "");
    LLVMValueRef value = LLVMBuildLoad2(l->builder, type, at, "");
    hd_vec_push(&args, value);
    hd_vec_push(&types, type);
  }
  LLVMBuildCall2(
      l->builder,
      LLVMFunctionType(l->nothing, types.data, (unsigned)types.size, false),
      region, args.data, (unsigned)args.size, "");
  LLVMBuildRetVoid(l->builder);
  hd_vec_free(&args);
  hd_vec_free(&types);
  return body;
}

/* At the entry of the caller: it is there once, however often the region is. */
static LLVMValueRef make_room(const lowering *l, LLVMValueRef call,
                              LLVMTypeRef fields) {
  LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(caller);
  LLVMPositionBuilder(l->builder, entry, LLVMGetFirstInstruction(entry));
  LLVMSetCurrentDebugLocation2(l->builder, NULL);
  return LLVMBuildAlloca(l->builder, fields, "openmp.shared");
}

/* call(place, n, region, arguments…) becomes library(body, &arguments). */
static void lower_call(const lowering *l, LLVMValueRef call,
                       LLVMValueRef library) {
  unsigned n = LLVMGetNumArgOperands(call) - 3;
  hd_vec(LLVMTypeRef) types = {0};
  for (unsigned i = 0; i < n; i++)
    hd_vec_push(&types, LLVMTypeOf(LLVMGetArgOperand(call, i + 3)));
  LLVMTypeRef fields =
      LLVMStructTypeInContext(l->context, types.data, n, false);
  LLVMValueRef body = make_body(l, LLVMGetArgOperand(call, 2), fields, n);
  LLVMValueRef room =
      n ? make_room(l, call, fields) : LLVMConstNull(l->pointer);
  LLVMPositionBuilderBefore(l->builder, call);
  LLVMSetCurrentDebugLocation2(l->builder, LLVMInstructionGetDebugLoc(call));
  for (unsigned i = 0; i < n; i++)
    LLVMBuildStore(l->builder, LLVMGetArgOperand(call, i + 3),
                   LLVMBuildStructGEP2(l->builder, fields, room, i, ""));
  LLVMValueRef args[] = {body, room};
  LLVMTypeRef two[] = {l->pointer, l->pointer};
  LLVMBuildCall2(l->builder, LLVMFunctionType(l->nothing, two, 2, false),
                 library, args, 2, "");
  LLVMInstructionEraseFromParent(call);
  hd_vec_free(&types);
}

static void lower_calls_of(const lowering *l, const char *from,
                           const char *to) {
  LLVMValueRef function = LLVMGetNamedFunction(l->module, from);
  if (!function)
    return;
  LLVMTypeRef two[] = {l->pointer, l->pointer};
  LLVMValueRef library = LLVMGetNamedFunction(l->module, to);
  if (!library)
    library = LLVMAddFunction(l->module, to,
                              LLVMFunctionType(l->nothing, two, 2, false));
  for (LLVMUseRef use = LLVMGetFirstUse(function), next; use; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef call = LLVMGetUser(use);
    if (LLVMIsACallInst(call) && LLVMGetCalledValue(call) == function &&
        LLVMGetNumArgOperands(call) >= 3)
      lower_call(l, call, library);
  }
}

void hd_cc_lower_regions(LLVMContextRef context, LLVMModuleRef module) {
  lowering l = {
      .context = context,
      .module = module,
      .builder = LLVMCreateBuilderInContext(context),
      .pointer = LLVMPointerTypeInContext(context, 0),
      .nothing = LLVMVoidTypeInContext(context),
  };
  lower_calls_of(&l, "__kmpc_fork_call", "openmp_fork");
  lower_calls_of(&l, "__kmpc_fork_teams", "openmp_fork_teams");
  LLVMDisposeBuilder(l.builder);
}
