/* SPDX-License-Identifier: MIT */
/* LLVM's types as heddle's: integers up to 64 bits, float, double, pointer; all
 * else is a list of those, or refused by name. */
#include "cc/cc.h"
#include "cc/wide.h"

/* Vectors and arrays in registers; larger ones come from optimised code. */
enum { MAX_SCALARS = 64 };

hd_type hd_cc_int(unsigned width) {
  assert(width >= 1 && width <= 64);
  return (hd_type){.kind = HD_TYPE_INT, .width = (uint8_t)width};
}

hd_type hd_cc_ptr(const cc_module *m) {
  return (hd_type){.kind = HD_TYPE_PTR, .width = m->pointer_width};
}

hd_type hd_cc_size_type(const cc_module *m) {
  return hd_cc_int(m->pointer_width);
}

bool hd_cc_same_type(hd_type a, hd_type b) {
  return a.kind == b.kind && a.width == b.width;
}

bool hd_cc_scalar(const cc_module *m, LLVMTypeRef type, hd_type *out) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind:
    if (LLVMGetIntTypeWidth(type) > 64)
      return false;
    *out = hd_cc_int(LLVMGetIntTypeWidth(type));
    return true;
  case LLVMFloatTypeKind:
    *out = (hd_type){.kind = HD_TYPE_FLOAT, .width = 32};
    return true;
  case LLVMDoubleTypeKind:
    *out = (hd_type){.kind = HD_TYPE_FLOAT, .width = 64};
    return true;
  case LLVMPointerTypeKind:
    *out = hd_cc_ptr(m);
    return LLVMGetPointerAddressSpace(type) == 0;
  default:
    return false;
  }
}

static const char *refusal(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind:
    return "integer of more than 64 bits that has not 128";
  case LLVMX86_FP80TypeKind:
  case LLVMFP128TypeKind:
  case LLVMPPC_FP128TypeKind:
    return "long double";
  case LLVMHalfTypeKind:
  case LLVMBFloatTypeKind:
    return "16-bit float";
  case LLVMPointerTypeKind:
    return "pointer into another address space";
  default:
    return "vector or other special type";
  }
}

static const char *flatten(const cc_module *m, LLVMTypeRef type, uint64_t at,
                           cc_scalars *out);

static const char *flatten_halves(uint64_t at, cc_scalars *out) {
  if (out->size + 2 > MAX_SCALARS)
    return "value of more than 64 scalars";
  hd_vec_push(out, ((cc_scalar){.offset = at, .type = hd_cc_int(64)}));
  hd_vec_push(out, ((cc_scalar){.offset = at + 8, .type = hd_cc_int(64)}));
  return NULL;
}

static const char *flatten_many(const cc_module *m, LLVMTypeRef element,
                                uint64_t count, uint64_t at, cc_scalars *out) {
  uint64_t step = hd_cc_size(m, element);
  if (count > MAX_SCALARS)
    return "array or vector of more than 64 elements as a value";
  for (uint64_t i = 0; i < count; i++) {
    const char *trouble = flatten(m, element, at + i * step, out);
    if (trouble)
      return trouble;
  }
  return NULL;
}

static const char *flatten(const cc_module *m, LLVMTypeRef type, uint64_t at,
                           cc_scalars *out) {
  cc_scalar scalar = {.offset = at};
  if (hd_cc_scalar(m, type, &scalar.type)) {
    if (out->size >= MAX_SCALARS)
      return "value of more than 64 scalars";
    hd_vec_push(out, scalar);
    return NULL;
  }
  if (hd_cc_is_wide(type))
    return flatten_halves(at, out);
  switch (LLVMGetTypeKind(type)) {
  case LLVMVoidTypeKind:
    return NULL;
  case LLVMArrayTypeKind:
    return flatten_many(m, LLVMGetElementType(type), LLVMGetArrayLength2(type),
                        at, out);
  case LLVMVectorTypeKind:
    if (hd_cc_is_wide(LLVMGetElementType(type)))
      return "vector of integers of 128 bits";
    return flatten_many(m, LLVMGetElementType(type), LLVMGetVectorSize(type),
                        at, out);
  case LLVMStructTypeKind: {
    if (LLVMIsOpaqueStruct(type))
      return "value of an incomplete type";
    unsigned n = LLVMCountStructElementTypes(type);
    for (unsigned i = 0; i < n; i++) {
      const char *trouble =
          flatten(m, LLVMStructGetTypeAtIndex(type, i),
                  at + LLVMOffsetOfElement(m->layout, type, i), out);
      if (trouble)
        return trouble;
    }
    return NULL;
  }
  default:
    return refusal(type);
  }
}

const char *hd_cc_flatten(const cc_module *m, LLVMTypeRef type,
                          cc_scalars *out) {
  return flatten(m, type, 0, out);
}

const char *hd_cc_type_trouble(const cc_module *m, LLVMTypeRef type) {
  cc_scalars scalars = {0};
  const char *trouble = hd_cc_flatten(m, type, &scalars);
  hd_vec_free(&scalars);
  return trouble;
}

uint64_t hd_cc_size(const cc_module *m, LLVMTypeRef type) {
  return LLVMTypeIsSized(type) ? LLVMABISizeOfType(m->layout, type) : 0;
}
