/* SPDX-License-Identifier: MIT */
/* Memory: each load and store of LLVM is one edge for every scalar in it, in
 * the program's order. */
#include "cc/func.h"

static const char *order_text(LLVMAtomicOrdering order) {
  switch (order) {
  case LLVMAtomicOrderingNotAtomic:
    return "";
  case LLVMAtomicOrderingUnordered:
  case LLVMAtomicOrderingMonotonic:
    return ".relaxed";
  case LLVMAtomicOrderingAcquire:
    return ".acquire";
  case LLVMAtomicOrderingRelease:
    return ".release";
  case LLVMAtomicOrderingAcquireRelease:
    return ".acq_rel";
  default:
    return ".seq_cst";
  }
}

/* ".acquire.volatile" */
static void print_access(hd_str *out, LLVMValueRef inst) {
  hd_str_puts(out, order_text(LLVMGetOrdering(inst)));
  if (LLVMGetVolatile(inst))
    hd_str_puts(out, ".volatile");
}

static const cc_expr *at_offset(cc_func *f, const cc_expr *address,
                                uint64_t offset) {
  return hd_cc_ptradd(&f->arena, address,
                      hd_cc_int_expr(&f->arena, hd_cc_size_type(f->m), offset),
                      offset != 0);
}

/* In a value of several parts the address is computed once for all. */
static const cc_expr *address_of(cc_func *f, const cc_expr *address, size_t n) {
  return n > 1 ? hd_cc_as_leaf(f, address) : address;
}

static bool is_atomic(LLVMValueRef inst) {
  return LLVMGetOrdering(inst) != LLVMAtomicOrderingNotAtomic;
}

static void load(cc_func *f, LLVMValueRef inst) {
  LLVMValueRef pointer = LLVMGetOperand(inst, 0);
  uint32_t reg = hd_cc_promoted(f, pointer), n, regs[64];
  if (reg != HD_NO_ID) {
    hd_cc_define1(f, inst, hd_cc_reg_expr(f, reg));
    return;
  }
  const cc_expr *address;
  if (!hd_cc_use1(f, pointer, &address) || !hd_cc_targets(f, inst, regs, &n))
    return;
  if (n > 1 && is_atomic(inst)) {
    hd_cc_unsupported(f, "atomic access to a struct");
    return;
  }
  cc_scalars scalars = {0};
  if (hd_cc_flatten(f->m, LLVMTypeOf(inst), &scalars))
    hd_bug("load of a type without scalars");
  address = address_of(f, address, n);
  for (uint32_t i = 0; i < n; i++) {
    hd_str text = {0};
    hd_str_puts(&text, "load");
    print_access(&text, inst);
    hd_str_printf(&text, " %s = ", f->regs.data[regs[i]].name);
    hd_cc_print_expr(&text, at_offset(f, address, scalars.data[i].offset));
    hd_cc_edge(f, hd_str_text(&text));
    hd_str_free(&text);
  }
  hd_vec_free(&scalars);
  hd_cc_define_regs(f, inst, regs, n);
}

static void store_parts(cc_func *f, LLVMValueRef inst, const cc_expr *address,
                        cc_parts value) {
  cc_scalars scalars = {0};
  if (hd_cc_flatten(f->m, LLVMTypeOf(LLVMGetOperand(inst, 0)), &scalars))
    hd_bug("store of a type without scalars");
  address = address_of(f, address, value.n);
  for (uint32_t i = 0; i < value.n; i++) {
    /* A part of a struct in registers that was never given a value: padding,
     * or part of a union. The bytes stay as they are. */
    if (value.n > 1 && value.parts[i]->op == HD_CODE_UNDEF)
      continue;
    hd_str text = {0};
    hd_str_puts(&text, "store");
    print_access(&text, inst);
    hd_str_puts(&text, " ");
    hd_cc_print_expr(&text, at_offset(f, address, scalars.data[i].offset));
    hd_str_puts(&text, " = ");
    hd_cc_print_expr(&text, value.parts[i]);
    hd_cc_edge(f, hd_str_text(&text));
    hd_str_free(&text);
  }
  hd_vec_free(&scalars);
}

/* Is it the address of an object without a name that holds the value of an
 * expression, and ends with that (C17 6.2.4)? clang does not say where. */
static bool is_temporary(cc_func *f, LLVMValueRef value) {
  static const char *const names[] = {"tmp", "coerce", "agg.tmp", "ref.tmp"};
  size_t size;
  while (LLVMIsAGetElementPtrInst(value))
    value = LLVMGetOperand(value, 0);
  if (!LLVMIsAAllocaInst(value) || cc_number_map_find(&f->variables, value))
    return false;
  const char *name = LLVMGetValueName2(value, &size);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strncmp(name, names[i], strlen(names[i])) == 0)
      return true;
  return false;
}

static void store(cc_func *f, LLVMValueRef inst) {
  LLVMValueRef what = LLVMGetOperand(inst, 0);
  LLVMValueRef pointer = LLVMGetOperand(inst, 1);
  uint32_t reg = hd_cc_promoted(f, pointer);
  cc_parts value;
  const cc_expr *address;
  if (!hd_cc_use(f, what, &value))
    return;
  if (is_temporary(f, what)) {
    hd_cc_unsupported(f, "a pointer into the value of an expression is kept");
    return;
  }
  if (reg != HD_NO_ID) {
    const cc_expr *e = value.parts[0];
    /* A parameter's argument is in its register already. */
    if (!(LLVMIsAArgument(what) && e->op == HD_CODE_REG && e->value == reg))
      hd_cc_assign(f, reg, e);
    return;
  }
  if (!hd_cc_use1(f, pointer, &address))
    return;
  if (value.n > 1 && is_atomic(inst)) {
    hd_cc_unsupported(f, "atomic access to a struct");
    return;
  }
  hd_cc_flush(f);
  store_parts(f, inst, address, value);
}

static const char *rmw_text(LLVMAtomicRMWBinOp op) {
  static const char *const names[] = {
      [LLVMAtomicRMWBinOpXchg] = "xchg", [LLVMAtomicRMWBinOpAdd] = "add",
      [LLVMAtomicRMWBinOpSub] = "sub",   [LLVMAtomicRMWBinOpAnd] = "and",
      [LLVMAtomicRMWBinOpNand] = "nand", [LLVMAtomicRMWBinOpOr] = "or",
      [LLVMAtomicRMWBinOpXor] = "xor",   [LLVMAtomicRMWBinOpMax] = "max",
      [LLVMAtomicRMWBinOpMin] = "min",   [LLVMAtomicRMWBinOpUMax] = "umax",
      [LLVMAtomicRMWBinOpUMin] = "umin", [LLVMAtomicRMWBinOpFAdd] = "fadd",
      [LLVMAtomicRMWBinOpFSub] = "fsub",
  };
  return (size_t)op < sizeof names / sizeof *names ? names[op] : NULL;
}

static void rmw(cc_func *f, LLVMValueRef inst) {
  const char *how = rmw_text(LLVMGetAtomicRMWBinOp(inst));
  const cc_expr *address, *value;
  uint32_t regs[64], n;
  if (!how) {
    hd_cc_unsupported(f, "atomic operation of a special kind");
    return;
  }
  if (!hd_cc_use1(f, LLVMGetOperand(inst, 0), &address) ||
      !hd_cc_use1(f, LLVMGetOperand(inst, 1), &value) ||
      !hd_cc_targets(f, inst, regs, &n))
    return;
  hd_str text = {0};
  hd_str_printf(&text, "rmw.%s", how);
  print_access(&text, inst);
  hd_str_printf(&text, " %s = ", f->regs.data[regs[0]].name);
  hd_cc_print_expr(&text, address);
  hd_str_puts(&text, ", ");
  hd_cc_print_expr(&text, value);
  hd_cc_edge(f, hd_str_text(&text));
  hd_str_free(&text);
  hd_cc_define_regs(f, inst, regs, n);
}

/* The order of one that fails, where it is not what that of one that succeeds
 * leaves to a read. */
static void print_failure(hd_str *out, LLVMValueRef inst) {
  LLVMAtomicOrdering order = LLVMGetCmpXchgSuccessOrdering(inst);
  LLVMAtomicOrdering failure = LLVMGetCmpXchgFailureOrdering(inst);
  if (order == LLVMAtomicOrderingAcquireRelease)
    order = LLVMAtomicOrderingAcquire;
  if (order == LLVMAtomicOrderingRelease)
    order = LLVMAtomicOrderingMonotonic;
  if (failure != order)
    hd_str_puts(out, order_text(failure));
}

static void cmpxchg(cc_func *f, LLVMValueRef inst) {
  const cc_expr *args[3];
  uint32_t regs[64], n;
  for (unsigned i = 0; i < 3; i++)
    if (!hd_cc_use1(f, LLVMGetOperand(inst, i), &args[i]))
      return;
  if (!hd_cc_targets(f, inst, regs, &n))
    return;
  assert(n == 2);
  hd_str text = {0};
  hd_str_puts(&text, "cmpxchg");
  if (LLVMGetWeak(inst))
    hd_str_puts(&text, ".weak");
  hd_str_puts(&text, order_text(LLVMGetCmpXchgSuccessOrdering(inst)));
  print_failure(&text, inst);
  if (LLVMGetVolatile(inst))
    hd_str_puts(&text, ".volatile");
  hd_str_printf(&text, " %s, %s = ", f->regs.data[regs[0]].name,
                f->regs.data[regs[1]].name);
  for (int i = 0; i < 3; i++) {
    hd_str_puts(&text, i ? ", " : "");
    hd_cc_print_expr(&text, args[i]);
  }
  hd_cc_edge(f, hd_str_text(&text));
  hd_str_free(&text);
  hd_cc_define_regs(f, inst, regs, n);
}

/* One that only keeps the compiler from moving code is none. */
static void fence(cc_func *f, LLVMValueRef inst) {
  if (LLVMIsAtomicSingleThread(inst))
    return;
  hd_str text = {0};
  hd_cc_flush(f);
  hd_str_printf(&text, "fence%s", order_text(LLVMGetOrdering(inst)));
  hd_cc_edge(f, hd_str_text(&text));
  hd_str_free(&text);
}

/* A variable-length array, or alloca(). */
static void allocate(cc_func *f, LLVMValueRef inst) {
  if (cc_value_map_find(&f->values, inst))
    return; /* a slot or a register */
  hd_type size = hd_cc_size_type(f->m);
  const cc_expr *count;
  uint32_t regs[64], n;
  if (!hd_cc_use1(f, LLVMGetOperand(inst, 0), &count) ||
      !hd_cc_targets(f, inst, regs, &n))
    return;
  uint64_t each = hd_cc_size(f->m, LLVMGetAllocatedType(inst));
  count = hd_cc_resize(&f->arena, count, size, false);
  if (count->op == HD_CODE_INT)
    count = hd_cc_int_expr(&f->arena, size, count->value * each);
  else if (each != 1)
    count = hd_cc_op2(&f->arena, HD_CODE_MUL, size, 0, count,
                      hd_cc_int_expr(&f->arena, size, each));
  hd_str text = {0};
  hd_str_printf(&text, "alloca %s = ", f->regs.data[regs[0]].name);
  hd_cc_print_expr(&text, count);
  hd_cc_edge(f, hd_str_text(&text));
  hd_str_free(&text);
  hd_cc_describe(f, inst, &f->regs.data[regs[0]].variable);
  hd_cc_define_regs(f, inst, regs, n);
}

void hd_cc_memory(cc_func *f, LLVMValueRef inst) {
  switch (LLVMGetInstructionOpcode(inst)) {
  case LLVMAlloca:
    allocate(f, inst);
    return;
  case LLVMLoad:
    load(f, inst);
    return;
  case LLVMStore:
    store(f, inst);
    return;
  case LLVMFence:
    fence(f, inst);
    return;
  case LLVMAtomicRMW:
    rmw(f, inst);
    return;
  default:
    cmpxchg(f, inst);
  }
}
