/* SPDX-License-Identifier: MIT */
/* Edges, and the expressions that wait for them (see cc.h). */
#include "cc/func.h"

#include <stdarg.h>
#include <stdio.h>

/* An expression of more nodes gets a register: it would be copied into each
 * guard, and read by people. */
enum { MAX_SIZE = 24, MAX_PARTS = 64 };

/* --- edges --- */

uint32_t hd_cc_new_loc(cc_func *f) {
  hd_vec_push(&f->locs, ((cc_loc){.pos = {.file = HD_NO_ID},
                                  .forward = HD_NO_ID,
                                  .block = HD_NO_ID,
                                  .number = HD_NO_ID}));
  return (uint32_t)f->locs.size - 1;
}

static const char *keep(cc_func *f, const char *text) {
  return hd_arena_strndup(&f->arena, text, strlen(text));
}

void hd_cc_edge_to(cc_func *f, uint32_t to, const char *text) {
  assert(f->at != HD_NO_ID);
  if (f->locs.data[f->at].pos.file == HD_NO_ID)
    f->locs.data[f->at].pos = f->pos;
  if (f->locs.data[to].block != HD_NO_ID)
    f->blocks.data[f->locs.data[to].block].reached = true;
  hd_vec_push(
      &f->edges,
      ((cc_edge){
          .from = f->at, .to = to, .pos = f->pos, .text = keep(f, text)}));
}

void hd_cc_edge(cc_func *f, const char *text) {
  uint32_t to = hd_cc_new_loc(f);
  hd_cc_edge_to(f, to, text);
  f->at = to;
}

void hd_cc_end(cc_func *f, const char *text) {
  hd_cc_edge_to(f, f->at, text);
  f->at = HD_NO_ID;
}

void hd_cc_unsupported(cc_func *f, const char *format, ...) {
  if (f->at == HD_NO_ID)
    return;
  char what[256];
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  hd_str text = {0};
  hd_str_puts(&text, "unsupported ");
  hd_cc_print_string(&text, what);
  hd_cc_flush(f);
  hd_cc_end(f, hd_str_text(&text));
  hd_str_free(&text);
}

/* --- registers --- */

const cc_expr *hd_cc_reg_expr(cc_func *f, uint32_t reg) {
  const cc_reg *r = &f->regs.data[reg];
  return hd_cc_leaf(&f->arena, HD_CODE_REG, r->type, reg, r->name,
                    hd_cc_is_assigned(f, reg));
}

/* Assigns the expressions at once: `set %a, %b = E, F`. */
static void set_all(cc_func *f, const uint32_t *regs,
                    const cc_expr *const *values, uint32_t n) {
  hd_str text = {0};
  hd_str_puts(&text, "set ");
  for (uint32_t i = 0; i < n; i++)
    hd_str_printf(&text, "%s%s", i ? ", " : "", f->regs.data[regs[i]].name);
  for (uint32_t i = 0; i < n; i++) {
    hd_str_puts(&text, i ? ", " : " = ");
    hd_cc_print_expr(&text, values[i]);
  }
  hd_cc_edge(f, hd_str_text(&text));
  hd_str_free(&text);
}

const cc_expr *hd_cc_in_register(cc_func *f, const cc_expr *e) {
  uint32_t reg = hd_cc_new_temporary(f, e->type);
  set_all(f, &reg, &e, 1);
  return hd_cc_reg_expr(f, reg);
}

const cc_expr *hd_cc_as_leaf(cc_func *f, const cc_expr *e) {
  return hd_cc_is_leaf(e) ? e : hd_cc_in_register(f, e);
}

/* --- what waits --- */

typedef struct {
  hd_u32s regs;
  hd_vec(const cc_expr *) values;
} assignment;

static void set_now(cc_func *f, assignment *set) {
  if (set->regs.size)
    set_all(f, set->regs.data, set->values.data, (uint32_t)set->regs.size);
  hd_vec_free(&set->regs);
  hd_vec_free(&set->values);
}

/* Collects the parts of a pending value that `chosen` wants, with temporaries
 * that they are from now on. */
static void collect(cc_func *f, cc_value *value,
                    bool (*chosen)(const cc_expr *, uint32_t), uint32_t reg,
                    assignment *out) {
  for (uint32_t i = 0; i < value->parts.n; i++) {
    const cc_expr *e = value->parts.parts[i];
    if (!chosen(e, reg))
      continue;
    uint32_t temporary = hd_cc_new_temporary(f, e->type);
    hd_vec_push(&out->regs, temporary);
    hd_vec_push(&out->values, e);
    value->parts.parts[i] = hd_cc_reg_expr(f, temporary);
  }
}

static bool may_be_undefined(const cc_expr *e, uint32_t reg) {
  (void)reg;
  return !e->total;
}

/* Each at the position where the program computes it. */
void hd_cc_flush(cc_func *f) {
  hd_cpos here = f->pos;
  for (size_t i = 0; i < f->pending.size; i++) {
    assignment set = {0};
    cc_value *value = cc_value_map_find(&f->values, f->pending.data[i]);
    collect(f, value, may_be_undefined, 0, &set);
    f->pos = value->pos;
    set_now(f, &set);
  }
  f->pos = here;
}

static void collect_readers(cc_func *f, uint32_t reg, assignment *out) {
  for (hd_vec_each(LLVMValueRef, v, &f->pending))
    collect(f, cc_value_map_find(&f->values, *v), hd_cc_reads, reg, out);
}

void hd_cc_flush_reg(cc_func *f, uint32_t reg) {
  assignment set = {0};
  collect_readers(f, reg, &set);
  set_now(f, &set);
}

/* What still wants the old value gets it in the same step. */
void hd_cc_assign(cc_func *f, uint32_t reg, const cc_expr *e) {
  assignment set = {0};
  collect_readers(f, reg, &set);
  hd_vec_push(&set.regs, reg);
  hd_vec_push(&set.values, e);
  set_now(f, &set);
  hd_cc_mark_assigned(f, reg);
}

static void forget(cc_func *f, LLVMValueRef value) {
  for (size_t i = 0; i < f->pending.size; i++)
    if (f->pending.data[i] == value) {
      memmove(f->pending.data + i, f->pending.data + i + 1,
              (f->pending.size - i - 1) * sizeof *f->pending.data);
      f->pending.size--;
      return;
    }
}

bool hd_cc_use(cc_func *f, LLVMValueRef llvm, cc_parts *out) {
  if (LLVMIsConstant(llvm)) {
    const char *trouble = hd_cc_constant(f->m, &f->arena, llvm, out);
    if (trouble)
      hd_cc_unsupported(f, "%s", trouble);
    return !trouble;
  }
  cc_value *value = cc_value_map_find(&f->values, llvm);
  if (!value || value->kind == CC_DEAD) {
    const char *trouble = hd_cc_type_trouble(f->m, LLVMTypeOf(llvm));
    hd_cc_unsupported(f, "%s", trouble ? trouble : "value of a special kind");
    return false;
  }
  if (value->kind == CC_PROMOTED) {
    hd_cc_unsupported(f, "address of a register");
    return false;
  }
  *out = value->parts;
  if (value->pending && --value->uses == 0) {
    value->pending = false;
    forget(f, llvm);
  }
  return true;
}

bool hd_cc_use1(cc_func *f, LLVMValueRef value, const cc_expr **out) {
  cc_parts parts;
  if (!hd_cc_use(f, value, &parts))
    return false;
  if (parts.n != 1) {
    hd_cc_unsupported(f, "vector or struct where a scalar is expected");
    return false;
  }
  *out = parts.parts[0];
  return true;
}

/* Where is the value used? `here` counts the uses in this block, among them
 * those by phis that it enters from this block only. */
static void count_uses(cc_func *f, LLVMValueRef inst, uint32_t *here,
                       uint32_t *elsewhere) {
  LLVMBasicBlockRef block = f->blocks.data[f->block].llvm;
  *here = *elsewhere = 0;
  for (LLVMUseRef use = LLVMGetFirstUse(inst); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAInstruction(user))
      continue;
    bool local = LLVMGetInstructionParent(user) == block;
    if (LLVMIsAPHINode(user)) {
      local = true;
      for (unsigned i = 0; i < LLVMCountIncoming(user); i++)
        if (LLVMGetIncomingValue(user, i) == inst &&
            LLVMGetIncomingBlock(user, i) != block)
          local = false;
    }
    ++*(local ? here : elsewhere);
  }
}

static bool is_stable(const cc_func *f, const cc_expr *e) {
  return e->constant ? e->total
                     : e->op == HD_CODE_REG && f->regs.data[e->value].stable;
}

/* May this part wait? */
static bool can_wait(const cc_expr *e, uint32_t here, uint32_t elsewhere) {
  if (elsewhere || e->size > MAX_SIZE)
    return false;
  if (here == 0)
    return e->total;
  return here == 1 || (hd_cc_is_leaf(e) && e->total);
}

void hd_cc_define(cc_func *f, LLVMValueRef inst, cc_parts parts) {
  uint32_t here, elsewhere, n = 0, regs[MAX_PARTS];
  const cc_expr *values[MAX_PARTS];
  assert(parts.n <= MAX_PARTS);
  count_uses(f, inst, &here, &elsewhere);
  const cc_expr **own = hd_arena_alloc(&f->arena, (parts.n + 1) * sizeof *own);
  bool waits = false;
  for (uint32_t i = 0; i < parts.n; i++) {
    own[i] = parts.parts[i];
    if (is_stable(f, own[i]))
      continue;
    if (can_wait(own[i], here, elsewhere)) {
      waits = true;
      continue;
    }
    values[n] = own[i];
    regs[n] = hd_cc_new_temporary(f, own[i]->type);
    own[i] = hd_cc_reg_expr(f, regs[n++]);
  }
  if (n)
    set_all(f, regs, values, n);
  waits = waits && here > 0;
  cc_value value = {.kind = CC_VALUE,
                    .parts = {own, parts.n},
                    .uses = here,
                    .pos = f->pos,
                    .pending = waits};
  cc_value_map_put(&f->values, inst, value, NULL);
  if (waits)
    hd_vec_push(&f->pending, inst);
}

void hd_cc_define1(cc_func *f, LLVMValueRef inst, const cc_expr *e) {
  hd_cc_define(f, inst, (cc_parts){.parts = &e, .n = 1});
}

/* --- what actions give --- */

static LLVMValueRef next_real(LLVMValueRef inst) {
  do
    inst = LLVMGetNextInstruction(inst);
  while (inst && LLVMIsADbgInfoIntrinsic(inst));
  return inst;
}

/* The promoted register that the very next instruction stores `inst` to. */
static uint32_t stored_to(cc_func *f, LLVMValueRef inst) {
  LLVMUseRef use = LLVMGetFirstUse(inst);
  LLVMValueRef next = next_real(inst);
  if (!use || LLVMGetNextUse(use) || !next || LLVMGetUser(use) != next ||
      !LLVMIsAStoreInst(next) || LLVMGetOperand(next, 0) != inst)
    return HD_NO_ID;
  uint32_t reg = hd_cc_promoted(f, LLVMGetOperand(next, 1));
  if (reg != HD_NO_ID)
    f->skip = next;
  return reg;
}

bool hd_cc_targets(cc_func *f, LLVMValueRef inst, uint32_t *regs, uint32_t *n) {
  cc_scalars scalars = {0};
  const char *trouble = hd_cc_flatten(f->m, LLVMTypeOf(inst), &scalars);
  *n = 0;
  if (trouble) {
    hd_cc_unsupported(f, "%s", trouble);
  } else {
    hd_cc_flush(f);
    uint32_t reg = scalars.size == 1 ? stored_to(f, inst) : HD_NO_ID;
    if (reg != HD_NO_ID) {
      hd_cc_flush_reg(f, reg);
      regs[(*n)++] = reg;
    }
    for (size_t i = *n; i < scalars.size; i++)
      regs[(*n)++] = hd_cc_new_temporary(f, scalars.data[i].type);
  }
  hd_vec_free(&scalars);
  return !trouble;
}

void hd_cc_define_regs(cc_func *f, LLVMValueRef inst, const uint32_t *regs,
                       uint32_t n) {
  const cc_expr *parts[MAX_PARTS];
  for (uint32_t i = 0; i < n; i++) {
    hd_cc_mark_assigned(f, regs[i]);
    parts[i] = hd_cc_reg_expr(f, regs[i]);
  }
  if (f->skip && n == 1 && !f->regs.data[regs[0]].stable)
    return; /* its only use is the store that was done */
  hd_cc_define(f, inst, (cc_parts){.parts = parts, .n = n});
}
