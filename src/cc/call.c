/* SPDX-License-Identifier: MIT */
/* Calls of functions, and inline assembler. */
#include "cc/func.h"
#include "cc/pragma.h"
#include "cc/wide.h"
#include "model/library.h"

void hd_cc_call_edge(cc_func *f, const uint32_t *regs, uint32_t n_regs,
                     const char *callee, const cc_expr *const *args,
                     uint32_t n_args) {
  hd_str text = {0};
  hd_str_puts(&text, "call ");
  for (uint32_t i = 0; i < n_regs; i++)
    hd_str_printf(&text, "%s%s", i ? ", " : "", f->regs.data[regs[i]].name);
  hd_str_printf(&text, "%s%s(", n_regs ? " = " : "", callee);
  for (uint32_t i = 0; i < n_args; i++) {
    hd_str_puts(&text, i ? ", " : "");
    hd_cc_print_expr(&text, args[i]);
  }
  hd_str_puts(&text, ")");
  hd_cc_edge(f, hd_str_text(&text));
  hd_str_free(&text);
}

bool hd_cc_is_used(LLVMValueRef inst) {
  return LLVMGetFirstUse(inst) != NULL;
}

void hd_cc_call_named(cc_func *f, LLVMValueRef inst, const char *name,
                      const cc_expr *const *args, uint32_t n) {
  uint32_t regs[64], n_regs = 0;
  hd_cc_flush(f);
  if (inst && hd_cc_is_used(inst) && !hd_cc_targets(f, inst, regs, &n_regs))
    return;
  hd_cc_call_edge(f, regs, n_regs, name, args, n);
  if (n_regs)
    hd_cc_define_regs(f, inst, regs, n_regs);
}

/* --- what is called --- */

/* Do the values that are passed fit the declaration? In C without prototypes
 * they need not. */
static bool fits(cc_func *f, LLVMValueRef inst, LLVMValueRef callee,
                 const cc_expr *const *args, uint32_t n) {
  LLVMTypeRef type = LLVMGlobalGetValueType(callee);
  cc_scalars wanted = {0}, result = {0}, given = {0};
  unsigned n_params = LLVMCountParamTypes(type);
  bool good = true;
  for (unsigned i = 0; i < n_params; i++)
    good = !hd_cc_flatten(f->m, LLVMTypeOf(LLVMGetParam(callee, i)), &wanted) &&
           good;
  good = good &&
         (LLVMIsFunctionVarArg(type) ? n >= wanted.size : n == wanted.size);
  for (size_t i = 0; i < wanted.size && good; i++)
    good = hd_cc_same_type(wanted.data[i].type, args[i]->type);
  if (hd_cc_is_used(inst)) {
    good = good && !hd_cc_flatten(f->m, LLVMGetReturnType(type), &result) &&
           !hd_cc_flatten(f->m, LLVMTypeOf(inst), &given) &&
           result.size == given.size;
    for (size_t i = 0; i < given.size && good; i++)
      good = hd_cc_same_type(result.data[i].type, given.data[i].type);
  }
  hd_vec_free(&wanted);
  hd_vec_free(&result);
  hd_vec_free(&given);
  return good;
}

static const char *plain_name(LLVMValueRef function) {
  size_t length;
  return LLVMGetValueName2(function, &length);
}

bool hd_cc_read_arguments(cc_func *f, LLVMValueRef inst, cc_args *out) {
  unsigned n = LLVMGetNumArgOperands(inst);
  for (unsigned i = 0; i < n; i++) {
    cc_parts parts;
    if (!hd_cc_use(f, LLVMGetArgOperand(inst, i), &parts))
      return false;
    for (uint32_t k = 0; k < parts.n; k++)
      hd_vec_push(out, parts.parts[k]);
  }
  return true;
}

/* An input of any type that is told where to put it: that it writes there is
 * known of none. */
static bool is_input_in_memory(LLVMValueRef callee, const cc_args *args) {
  bool address = false;
  for (size_t i = 0; i < args->size; i++)
    address = address || args->data[i]->type.kind == HD_TYPE_PTR;
  return address && LLVMIsDeclaration(callee) &&
         hd_library_find(plain_name(callee)) == HD_LIB___VERIFIER_nondet_any;
}

static void call_function(cc_func *f, LLVMValueRef inst, LLVMValueRef callee,
                          const cc_args *args) {
  const char *trouble = hd_cc_type_trouble(f->m, LLVMTypeOf(inst));
  if (trouble)
    hd_cc_unsupported(f, "%s", trouble);
  else if (!fits(f, inst, callee, args->data, (uint32_t)args->size))
    hd_cc_unsupported(
        f, "call of '%s' with other types than those of its definition",
        plain_name(callee));
  else if (is_input_in_memory(callee, args))
    hd_cc_unsupported(f, "'%s', an input that is given an address",
                      plain_name(callee));
  else
    hd_cc_call_named(f, inst, hd_cc_need(f->m, callee), args->data,
                     (uint32_t)args->size);
}

static void call_pointer(cc_func *f, LLVMValueRef inst, LLVMValueRef callee,
                         const cc_args *args) {
  const cc_expr *pointer;
  if (!hd_cc_use1(f, callee, &pointer))
    return;
  hd_str text = {0};
  hd_str_puts(&text, "*");
  hd_cc_print_expr(&text, pointer);
  hd_cc_call_named(f, inst, hd_str_text(&text), args->data,
                   (uint32_t)args->size);
  hd_str_free(&text);
}

/* Is a struct passed in memory through `...`? Its bytes would have to be where
 * va_arg looks for them. */
static bool passes_struct_variadic(const cc_func *f, LLVMValueRef inst) {
  LLVMTypeRef type = LLVMGetCalledFunctionType(inst);
  if (!LLVMIsFunctionVarArg(type))
    return false;
  unsigned n = LLVMGetNumArgOperands(inst);
  for (unsigned i = LLVMCountParamTypes(type); i < n; i++)
    if (LLVMGetCallSiteEnumAttribute(inst, (LLVMAttributeIndex)(i + 1),
                                     f->m->attr_byval) ||
        hd_cc_is_wide(LLVMTypeOf(LLVMGetArgOperand(inst, i))))
      return true;
  return false;
}

/* A pragma between statements (pragma.h): a step without effect, at its place.
 * What is undefined before it stays before it. */
static bool note(cc_func *f, LLVMValueRef inst, LLVMValueRef callee) {
  if (strcmp(plain_name(callee), HD_CC_NOTE) || !LLVMIsDeclaration(callee) ||
      LLVMGetNumArgOperands(inst) != 1)
    return false;
  LLVMValueRef column = LLVMGetArgOperand(inst, 0);
  if (!LLVMIsAConstantInt(column))
    return false;
  hd_cpos saved = f->pos;
  f->pos.column = (uint32_t)LLVMConstIntGetZExtValue(column);
  hd_cc_flush(f);
  hd_cc_edge(f, "skip");
  LLVMMetadataRef location = LLVMInstructionGetDebugLoc(inst);
  hd_vec_push(&f->m->note_places, f->pos);
  hd_vec_push(&f->m->note_scopes,
              location ? hd_cc_scope(f->m, LLVMDILocationGetScope(location))
                       : HD_NO_ID);
  f->pos = saved;
  return true;
}

void hd_cc_call(cc_func *f, LLVMValueRef inst) {
  if (LLVMIsADbgInfoIntrinsic(inst)) {
    hd_cc_declaration(f, inst);
    return;
  }
  LLVMValueRef called = LLVMGetCalledValue(inst);
  if (LLVMIsAInlineAsm(called)) {
    hd_cc_asm(f, inst, called);
    return;
  }
  LLVMValueRef callee = hd_cc_resolve(called);
  bool direct = LLVMIsAFunction(callee) != NULL;
  if (direct && LLVMGetIntrinsicID(callee)) {
    const char *name = plain_name(callee);
    if (!hd_cc_intrinsic(f, inst, name))
      hd_cc_unsupported(f, "intrinsic %s", name);
    return;
  }
  if (direct && (note(f, inst, callee) || hd_cc_pointer_input(f, inst, callee)))
    return;
  if (passes_struct_variadic(f, inst)) {
    hd_cc_unsupported(f, "a struct passed by value through '...'");
    return;
  }
  cc_args args = {0};
  if (hd_cc_read_arguments(f, inst, &args)) {
    if (direct)
      call_function(f, inst, callee, &args);
    else
      call_pointer(f, inst, callee, &args);
  }
  hd_vec_free(&args);
}
