/* SPDX-License-Identifier: MIT */
/* LLVM's intrinsics: dropped, turned into operations, or into calls of library
 * functions. */
#include "cc/func.h"

#include <stdlib.h>

static bool begins(const char *name, const char *with) {
  return strncmp(name, with, strlen(with)) == 0;
}

static bool use_arguments(cc_func *f, LLVMValueRef inst, const cc_expr **out,
                          unsigned n) {
  if (LLVMGetNumArgOperands(inst) < n) {
    hd_cc_unsupported(f, "intrinsic of a special kind");
    return false;
  }
  for (unsigned i = 0; i < n; i++)
    if (!hd_cc_use1(f, LLVMGetArgOperand(inst, i), &out[i]))
      return false;
  return true;
}

/* --- dropped --- */

static bool is_dropped(const char *name) {
  static const char *const names[] = {
      "llvm.dbg.",           "llvm.prefetch",
      "llvm.invariant",      "llvm.donothing",
      "llvm.var.annotation", "llvm.codeview",
      "llvm.sideeffect",     "llvm.experimental.noalias",
      "llvm.pseudoprobe",    "llvm.x86.sse2.pause",
      "llvm.aarch64.hint",   "llvm.arm.hint"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (begins(name, names[i]))
      return true;
  return false;
}

/* Those that are their first argument. */
static bool is_transparent(const char *name) {
  return begins(name, "llvm.expect") ||
         begins(name, "llvm.threadlocal.address") ||
         begins(name, "llvm.ptr.annotation") ||
         begins(name, "llvm.annotation") ||
         begins(name, "llvm.launder.invariant") ||
         begins(name, "llvm.strip.invariant") ||
         begins(name, "llvm.ssa.copy") || begins(name, "llvm.arithmetic.fence");
}

/* _mm_mfence and its like: as the instructions in assembler (asm.c). */
static bool fences(cc_func *f, const char *name) {
  static const struct {
    const char *name, *fence;
  } table[] = {{"llvm.x86.sse2.mfence", "fence.seq_cst"},
               {"llvm.x86.sse2.lfence", "fence.acquire"},
               {"llvm.x86.sse.sfence", "fence.release"}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (!strcmp(name, table[i].name)) {
      hd_cc_flush(f);
      hd_cc_edge(f, table[i].fence);
      return true;
    }
  return false;
}

/* --- memory --- */

static const char *memory_signature(const cc_module *m, bool set) {
  if (m->pointer_width == 64)
    return set ? "(ptr, i32, i64) -> ptr" : "(ptr, ptr, i64) -> ptr";
  return set ? "(ptr, i32, i32) -> ptr" : "(ptr, ptr, i32) -> ptr";
}

static void copy_or_set(cc_func *f, LLVMValueRef inst, const char *function) {
  const cc_expr *args[3];
  bool set = strcmp(function, "memset") == 0;
  if (!use_arguments(f, inst, args, 3))
    return;
  if (set)
    args[1] = hd_cc_resize(&f->arena, args[1], hd_cc_int(32), false);
  args[2] = hd_cc_resize(&f->arena, args[2], hd_cc_size_type(f->m), false);
  hd_cc_call_named(
      f, NULL, hd_cc_need_builtin(f->m, function, memory_signature(f->m, set)),
      args, 3);
}

static bool memory(cc_func *f, LLVMValueRef inst, const char *name) {
  static const char *const functions[] = {"memcpy", "memmove", "memset"};
  for (size_t i = 0; i < 3; i++)
    if (begins(name + 5, functions[i])) {
      copy_or_set(f, inst, functions[i]);
      return true;
    }
  return false;
}

/* --- blocks --- */

bool hd_cc_is_kept(LLVMValueRef address) {
  for (LLVMUseRef use = LLVMGetFirstUse(address); use;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsALoadInst(user) || LLVMIsAMemIntrinsic(user) ||
        hd_cc_is_lifetime(user) ||
        (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != address) ||
        (LLVMIsAGetElementPtrInst(user) && !hd_cc_is_kept(user)))
      continue;
    return true;
  }
  return false;
}

/* The variable of a block inside the function, which pointers may survive. What
 * belongs to the function as a whole ends with its frame. */
static bool ends_early(cc_func *f, const cc_expr *address,
                       LLVMValueRef alloca) {
  if (address->op != HD_CODE_SLOT)
    return false;
  uint32_t scope = f->slots.data[address->value].variable.scope;
  return scope != HD_NO_ID && f->m->scope_parents.data[scope] != HD_NO_ID &&
         hd_cc_is_kept(alloca);
}

static void lifetime(cc_func *f, LLVMValueRef inst, const char *name) {
  LLVMValueRef alloca = LLVMGetArgOperand(inst, 1);
  const cc_expr *address;
  if (hd_cc_promoted(f, alloca) != HD_NO_ID ||
      !hd_cc_use1(f, alloca, &address) || !ends_early(f, address, alloca))
    return;
  const char *called = begins(name, "llvm.lifetime.start")
                           ? "llvm.lifetime.start"
                           : "llvm.lifetime.end";
  hd_cc_call_named(f, NULL, hd_cc_need_builtin(f->m, called, "(ptr) -> void"),
                   &address, 1);
}

/* --- calls under a name of LLVM's --- */

static bool helpers(cc_func *f, LLVMValueRef inst, const char *name) {
  static const struct {
    const char *name, *signature;
    unsigned n;
  } table[] = {
      {"llvm.stacksave", "() -> ptr", 0},
      {"llvm.stackrestore", "(ptr) -> void", 1},
      {"llvm.va_start", "(ptr) -> void", 1},
      {"llvm.va_end", "(ptr) -> void", 1},
      {"llvm.va_copy", "(ptr, ptr) -> void", 2},
      {"llvm.trap", "() -> void", 0},
      {"llvm.debugtrap", "() -> void", 0},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (begins(name, table[i].name)) {
      const cc_expr *args[2];
      const char *called = strcmp(table[i].name, "llvm.debugtrap") == 0
                               ? "llvm.trap"
                               : table[i].name;
      if (use_arguments(f, inst, args, table[i].n))
        hd_cc_call_named(f, inst,
                         hd_cc_need_builtin(f->m, called, table[i].signature),
                         args, table[i].n);
      return true;
    }
  return false;
}

/* --- the mathematical library --- */

static bool mathematics(cc_func *f, LLVMValueRef inst, const char *name) {
  static const struct {
    const char *name, *function;
    unsigned n;
  } table[] = {
      {"sqrt.", "sqrt", 1},   {"floor.", "floor", 1},
      {"ceil.", "ceil", 1},   {"trunc.", "trunc", 1},
      {"rint.", "rint", 1},   {"nearbyint.", "nearbyint", 1},
      {"round.", "round", 1}, {"roundeven.", "roundeven", 1},
      {"sin.", "sin", 1},     {"cos.", "cos", 1},
      {"tan.", "tan", 1},     {"exp.", "exp", 1},
      {"exp2.", "exp2", 1},   {"log.", "log", 1},
      {"log2.", "log2", 1},   {"log10.", "log10", 1},
      {"pow.", "pow", 2},     {"copysign.", "copysign", 2},
      {"minnum.", "fmin", 2}, {"maxnum.", "fmax", 2},
      {"fma.", "fma", 3},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    if (!begins(name + 5, table[i].name))
      continue;
    hd_type type;
    const cc_expr *args[3];
    if (!hd_cc_scalar(f->m, LLVMTypeOf(inst), &type) ||
        type.kind != HD_TYPE_FLOAT)
      return false;
    if (!use_arguments(f, inst, args, table[i].n))
      return true;
    const char *scalar = type.width == 64 ? "f64" : "f32";
    hd_str function = {0}, signature = {0};
    hd_str_printf(&function, "%s%s", table[i].function,
                  type.width == 64 ? "" : "f");
    for (unsigned k = 0; k < table[i].n; k++)
      hd_str_printf(&signature, "%s%s", k ? ", " : "(", scalar);
    hd_str_printf(&signature, ") -> %s", scalar);
    hd_cc_call_named(f, inst,
                     hd_cc_need_builtin(f->m, hd_str_text(&function),
                                        hd_str_text(&signature)),
                     args, table[i].n);
    hd_str_free(&function);
    hd_str_free(&signature);
    return true;
  }
  return false;
}

/* --- operations --- */

/* The value where it is defined by the intrinsic, undefined where not. */
static void count_zeros(cc_func *f, LLVMValueRef inst, hd_code_op op) {
  const cc_expr *args[2];
  if (!use_arguments(f, inst, args, 2))
    return;
  const cc_expr *v = args[0];
  if (!hd_cc_is_int(args[1], 0)) {
    v = hd_cc_as_leaf(f, v);
    hd_cc_require(f, hd_cc_op2(&f->arena, HD_CODE_NE, hd_cc_int(1), 0, v,
                               hd_cc_int_expr(&f->arena, v->type, 0)));
  }
  hd_cc_define1(f, inst, hd_cc_op1(&f->arena, op, v->type, 0, v));
}

static void with_overflow(cc_func *f, LLVMValueRef inst, hd_code_op op,
                          hd_code_op overflows) {
  const cc_expr *args[2], *parts[2];
  if (!use_arguments(f, inst, args, 2))
    return;
  for (int i = 0; i < 2; i++)
    args[i] = hd_cc_as_leaf(f, args[i]);
  parts[0] = hd_cc_op2(&f->arena, op, args[0]->type, 0, args[0], args[1]);
  parts[1] = hd_cc_op2(&f->arena, overflows, hd_cc_int(1), 0, args[0], args[1]);
  hd_cc_define(f, inst, (cc_parts){.parts = parts, .n = 2});
}

static bool overflow(cc_func *f, LLVMValueRef inst, const char *name) {
  static const struct {
    const char *name;
    uint8_t op, overflows;
  } table[] = {
      {"sadd.with.overflow", HD_CODE_ADD, HD_CODE_SADD_OVERFLOWS},
      {"uadd.with.overflow", HD_CODE_ADD, HD_CODE_UADD_OVERFLOWS},
      {"ssub.with.overflow", HD_CODE_SUB, HD_CODE_SSUB_OVERFLOWS},
      {"usub.with.overflow", HD_CODE_SUB, HD_CODE_USUB_OVERFLOWS},
      {"smul.with.overflow", HD_CODE_MUL, HD_CODE_SMUL_OVERFLOWS},
      {"umul.with.overflow", HD_CODE_MUL, HD_CODE_UMUL_OVERFLOWS},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (begins(name + 5, table[i].name)) {
      with_overflow(f, inst, table[i].op, table[i].overflows);
      return true;
    }
  return false;
}

static bool operations(cc_func *f, LLVMValueRef inst, const char *name) {
  static const struct {
    const char *name;
    uint8_t op;
    unsigned n;
  } table[] = {
      {"ctpop.", HD_CODE_CTPOP, 1}, {"bswap.", HD_CODE_BSWAP, 1},
      {"fabs.", HD_CODE_FABS, 1},   {"smin.", HD_CODE_SMIN, 2},
      {"smax.", HD_CODE_SMAX, 2},   {"umin.", HD_CODE_UMIN, 2},
      {"umax.", HD_CODE_UMAX, 2},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    const cc_expr *args[2];
    hd_type type;
    if (!begins(name + 5, table[i].name))
      continue;
    if (!hd_cc_scalar(f->m, LLVMTypeOf(inst), &type))
      return false;
    if (use_arguments(f, inst, args, table[i].n))
      hd_cc_define1(
          f, inst,
          table[i].n == 1
              ? hd_cc_op1(&f->arena, table[i].op, type, 0, args[0])
              : hd_cc_op2(&f->arena, table[i].op, type, 0, args[0], args[1]));
    return true;
  }
  return false;
}

static void absolute(cc_func *f, LLVMValueRef inst) {
  const cc_expr *args[2];
  if (use_arguments(f, inst, args, 2))
    hd_cc_define1(f, inst,
                  hd_cc_op1(&f->arena, HD_CODE_ABS, args[0]->type,
                            hd_cc_is_int(args[1], 1) ? HD_CODE_NSW : 0,
                            args[0]));
}

/* Two values side by side, shifted left (right) by c modulo the width; the
 * upper (lower) half of it. A rotation when both are the same. */
static void funnel(cc_func *f, LLVMValueRef inst, bool left) {
  hd_arena *a = &f->arena;
  const cc_expr *args[3];
  if (!use_arguments(f, inst, args, 3))
    return;
  hd_type t = args[0]->type;
  if (t.width & (t.width - 1)) {
    hd_cc_unsupported(f, "rotation of an odd width");
    return;
  }
  const cc_expr *mask = hd_cc_int_expr(a, t, (uint64_t)t.width - 1);
  const cc_expr *one = hd_cc_int_expr(a, t, 1);
  const cc_expr *c =
      hd_cc_as_leaf(f, hd_cc_op2(a, HD_CODE_AND, t, 0, args[2], mask));
  const cc_expr *rest = hd_cc_op2(a, HD_CODE_XOR, t, 0, c, mask);
  const cc_expr *high, *low;
  if (left) {
    high = hd_cc_op2(a, HD_CODE_SHL, t, 0, args[0], c);
    low = hd_cc_op2(a, HD_CODE_LSHR, t, 0,
                    hd_cc_op2(a, HD_CODE_LSHR, t, 0, args[1], one), rest);
  } else {
    high = hd_cc_op2(a, HD_CODE_SHL, t, 0,
                     hd_cc_op2(a, HD_CODE_SHL, t, 0, args[0], one), rest);
    low = hd_cc_op2(a, HD_CODE_LSHR, t, 0, args[1], c);
  }
  hd_cc_define1(f, inst, hd_cc_op2(a, HD_CODE_OR, t, 0, high, low));
}

static void multiply_add(cc_func *f, LLVMValueRef inst) {
  const cc_expr *args[3];
  if (!use_arguments(f, inst, args, 3))
    return;
  hd_type t = args[0]->type;
  const cc_expr *product =
      hd_cc_op2(&f->arena, HD_CODE_FMUL, t, 0, args[0], args[1]);
  hd_cc_define1(f, inst,
                hd_cc_op2(&f->arena, HD_CODE_FADD, t, 0, product, args[2]));
}

/* isnan, isinf, isfinite, isnormal, and a few more; others are refused. */
static bool classify(cc_func *f, LLVMValueRef inst) {
  hd_arena *a = &f->arena;
  hd_type bit = hd_cc_int(1);
  const cc_expr *args[2];
  if (!use_arguments(f, inst, args, 2))
    return true;
  const cc_expr *x = hd_cc_as_leaf(f, args[0]);
  bool wide = x->type.width == 64;
  const cc_expr *size = hd_cc_op1(a, HD_CODE_FABS, x->type, 0, x);
  const cc_expr *infinity =
      hd_cc_int_expr(a, x->type, wide ? 0x7ff0000000000000u : 0x7f800000u);
  const cc_expr *smallest =
      hd_cc_int_expr(a, x->type, wide ? 0x0010000000000000u : 0x00800000u);
  const cc_expr *zero = hd_cc_int_expr(a, x->type, 0);
  const cc_expr *finite = hd_cc_op2(a, HD_CODE_FOLT, bit, 0, size, infinity);
  const cc_expr *c;
  switch (args[1]->op == HD_CODE_INT ? args[1]->value : 0) {
  case 0x003:
    c = hd_cc_op2(a, HD_CODE_FUNO, bit, 0, x, x);
    break;
  case 0x3fc:
    c = hd_cc_op2(a, HD_CODE_FORD, bit, 0, x, x);
    break;
  case 0x204:
    c = hd_cc_op2(a, HD_CODE_FOEQ, bit, 0, size, infinity);
    break;
  case 0x1f8:
    c = finite;
    break;
  case 0x108:
    c = hd_cc_op2(a, HD_CODE_AND, bit, 0, finite,
                  hd_cc_op2(a, HD_CODE_FOGE, bit, 0, size, smallest));
    break;
  case 0x060:
    c = hd_cc_op2(a, HD_CODE_FOEQ, bit, 0, x, zero);
    break;
  case 0x090:
    c = hd_cc_op2(a, HD_CODE_AND, bit, 0,
                  hd_cc_op2(a, HD_CODE_FOGT, bit, 0, size, zero),
                  hd_cc_op2(a, HD_CODE_FOLT, bit, 0, size, smallest));
    break;
  default:
    return false;
  }
  hd_cc_define1(f, inst, c);
  return true;
}

/* Not known when compiling: the answer the compiler gives at run time. */
static void object_size(cc_func *f, LLVMValueRef inst) {
  hd_type type;
  const cc_expr *args[2];
  if (use_arguments(f, inst, args, 2) &&
      hd_cc_scalar(f->m, LLVMTypeOf(inst), &type))
    hd_cc_define1(f, inst,
                  hd_cc_int_expr(&f->arena, type,
                                 hd_cc_is_int(args[1], 1) ? 0 : UINT64_MAX));
}

static void assume(cc_func *f, LLVMValueRef inst) {
  const cc_expr *c;
  if (use_arguments(f, inst, &c, 1) && !hd_cc_is_int(c, 1))
    hd_cc_require(f, c);
}

bool hd_cc_intrinsic(cc_func *f, LLVMValueRef inst, const char *name) {
  assert(begins(name, "llvm."));
  const cc_expr *first;
  if (is_dropped(name))
    return true;
  if (is_transparent(name)) {
    if (hd_cc_use1(f, LLVMGetArgOperand(inst, 0), &first))
      hd_cc_define1(f, inst, first);
    return true;
  }
  if (begins(name, "llvm.ctlz."))
    count_zeros(f, inst, HD_CODE_CTLZ);
  else if (begins(name, "llvm.cttz."))
    count_zeros(f, inst, HD_CODE_CTTZ);
  else if (begins(name, "llvm.abs."))
    absolute(f, inst);
  else if (begins(name, "llvm.fshl."))
    funnel(f, inst, true);
  else if (begins(name, "llvm.fshr."))
    funnel(f, inst, false);
  else if (begins(name, "llvm.fmuladd."))
    multiply_add(f, inst);
  else if (begins(name, "llvm.objectsize."))
    object_size(f, inst);
  else if (begins(name, "llvm.assume"))
    assume(f, inst);
  else if (begins(name, "llvm.lifetime."))
    lifetime(f, inst, name);
  else if (begins(name, "llvm.is.fpclass."))
    return classify(f, inst);
  else
    return memory(f, inst, name) || fences(f, name) || helpers(f, inst, name) ||
           mathematics(f, inst, name) || overflow(f, inst, name) ||
           operations(f, inst, name);
  return true;
}
