/* SPDX-License-Identifier: MIT */
/* Before the blocks of a function are translated: which source variables are
 * registers and which are slots, how they are called, and where registers
 * surely have a value.
 *
 * clang gives every local variable and parameter an alloca in the entry block.
 * One that is only read and written directly, with its own scalar type and not
 * as volatile or atomic, is a register; all others are slots. A parameter whose
 * only use is to be stored into such an alloca is the same register. */
#include "cc/func.h"

#include <ctype.h>
#include <stdio.h>

/* --- names --- */

/* `base` behind `sigil`, made unique; numbers are for temporaries. */
static const char *unique(cc_func *f, char sigil, const char *base) {
  hd_str name = {0}, text = {0};
  if (!*base || isdigit((unsigned char)*base))
    hd_str_puts(&name, "v");
  hd_str_puts(&name, base);
  size_t length = name.size;
  for (unsigned i = 1;; i++) {
    hd_str_free(&text);
    text = (hd_str){0};
    hd_cc_print_name(&text, sigil, hd_str_text(&name));
    if (!cc_text_map_find(&f->names, hd_str_text(&text)))
      break;
    name.size = length;
    hd_str_printf(&name, ".%u", i);
  }
  const char *kept = hd_arena_strndup(&f->arena, hd_str_text(&text), text.size);
  cc_text_map_put(&f->names, kept, 0, NULL);
  hd_str_free(&name);
  hd_str_free(&text);
  return kept;
}

static const char *llvm_name(cc_func *f, LLVMValueRef value) {
  size_t length;
  const char *text = LLVMGetValueName2(value, &length);
  return hd_arena_strndup(&f->arena, text, length);
}

uint32_t hd_cc_new_reg(cc_func *f, const char *name, hd_type type) {
  hd_vec_push(&f->regs, ((cc_reg){.name = unique(f, '%', name),
                                  .type = type,
                                  .stable = true,
                                  .variable = {.ctype = HD_NO_ID,
                                               .scope = HD_NO_ID,
                                               .pos = {.file = HD_NO_ID}}}));
  return (uint32_t)f->regs.size - 1;
}

uint32_t hd_cc_new_temporary(cc_func *f, hd_type type) {
  char name[16];
  snprintf(name, sizeof name, "%%%u", ++f->temporaries);
  hd_vec_push(&f->regs,
              ((cc_reg){.name = hd_arena_strndup(&f->arena, name, strlen(name)),
                        .type = type,
                        .stable = true,
                        .variable = {.ctype = HD_NO_ID,
                                     .scope = HD_NO_ID,
                                     .pos = {.file = HD_NO_ID}}}));
  return (uint32_t)f->regs.size - 1;
}

/* --- debug information --- */

/* The value that a metadata operand wraps, or NULL. */
static LLVMValueRef wrapped(LLVMValueRef operand) {
  if (LLVMGetValueKind(operand) != LLVMMetadataAsValueValueKind)
    return NULL;
  LLVMMetadataKind kind = LLVMGetMetadataKind(LLVMValueAsMetadata(operand));
  if (kind != LLVMLocalAsMetadataMetadataKind)
    return NULL;
  LLVMValueRef value = NULL;
  LLVMGetMDNodeOperands(operand, &value);
  return value;
}

static void read_declare(cc_func *f, LLVMValueRef call) {
  LLVMValueRef target = wrapped(LLVMGetOperand(call, 0));
  LLVMValueRef second = LLVMGetOperand(call, 1);
  if (!target || LLVMGetValueKind(second) != LLVMMetadataAsValueValueKind ||
      cc_number_map_find(&f->variables, target))
    return;
  LLVMMetadataRef variable = LLVMValueAsMetadata(second);
  if (LLVMGetMetadataKind(variable) != LLVMDILocalVariableMetadataKind)
    return;
  hd_cpos pos = hd_cc_inst_pos(f->m, call);
  cc_variable found = {
      .cname = hd_cc_md_string(f->m, variable, 1),
      .ctype = hd_cc_ctype(f->m, hd_cc_md_operand(f->m, variable, 3)),
      .scope = hd_cc_scope(f->m, LLVMDIVariableGetScope(variable)),
      .pos = pos.file == HD_NO_ID ? f->start : pos,
  };
  hd_vec_push(&f->declared, found);
  cc_number_map_put(&f->variables, target, (uint32_t)f->declared.size - 1,
                    NULL);
}

static void read_declares(cc_func *f) {
  for (hd_vec_each(cc_block, b, &f->blocks))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b->llvm); i;
         i = LLVMGetNextInstruction(i))
      if (LLVMIsADbgDeclareInst(i))
        read_declare(f, i);
}

void hd_cc_describe(cc_func *f, LLVMValueRef value, cc_variable *out) {
  uint32_t *index = cc_number_map_find(&f->variables, value);
  if (index)
    *out = f->declared.data[*index];
}

/* --- promotion --- */

bool hd_cc_is_lifetime(LLVMValueRef inst) {
  if (!LLVMIsAIntrinsicInst(inst))
    return false;
  size_t size;
  const char *name = LLVMGetValueName2(LLVMGetCalledValue(inst), &size);
  return strncmp(name, "llvm.lifetime.", 14) == 0;
}

static bool is_plain_access(LLVMValueRef user, LLVMValueRef alloca,
                            LLVMTypeRef type) {
  if (LLVMIsALoadInst(user))
    return LLVMTypeOf(user) == type && !LLVMGetVolatile(user) &&
           LLVMGetOrdering(user) == LLVMAtomicOrderingNotAtomic;
  if (LLVMIsAStoreInst(user))
    return LLVMGetOperand(user, 1) == alloca &&
           LLVMGetOperand(user, 0) != alloca &&
           LLVMTypeOf(LLVMGetOperand(user, 0)) == type &&
           !LLVMGetVolatile(user) &&
           LLVMGetOrdering(user) == LLVMAtomicOrderingNotAtomic;
  return hd_cc_is_lifetime(user);
}

static bool is_single(LLVMValueRef alloca) {
  LLVMValueRef count = LLVMGetOperand(alloca, 0);
  return LLVMIsAConstantInt(count) && LLVMConstIntGetZExtValue(count) == 1;
}

static bool can_promote(cc_func *f, LLVMValueRef alloca, hd_type *type) {
  LLVMTypeRef llvm = LLVMGetAllocatedType(alloca);
  if (!is_single(alloca) || !hd_cc_scalar(f->m, llvm, type))
    return false;
  for (LLVMUseRef use = LLVMGetFirstUse(alloca); use; use = LLVMGetNextUse(use))
    if (!is_plain_access(LLVMGetUser(use), alloca, llvm))
      return false;
  return true;
}

/* The argument that is the initial value of a promoted parameter: nobody else
 * uses it, and nothing was done with the alloca before. */
static LLVMValueRef argument_of(LLVMValueRef alloca) {
  LLVMBasicBlockRef entry = LLVMGetInstructionParent(alloca);
  for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i;
       i = LLVMGetNextInstruction(i)) {
    bool load = LLVMIsALoadInst(i) && LLVMGetOperand(i, 0) == alloca;
    if (load)
      return NULL;
    if (!LLVMIsAStoreInst(i) || LLVMGetOperand(i, 1) != alloca)
      continue;
    LLVMValueRef value = LLVMGetOperand(i, 0);
    LLVMUseRef use = LLVMIsAArgument(value) ? LLVMGetFirstUse(value) : NULL;
    return use && !LLVMGetNextUse(use) ? value : NULL;
  }
  return NULL;
}

static void promote(cc_func *f, LLVMValueRef alloca, hd_type type) {
  LLVMValueRef argument = argument_of(alloca);
  cc_value *known = argument ? cc_value_map_find(&f->values, argument) : NULL;
  uint32_t reg;
  if (known && known->kind == CC_VALUE && known->parts.n == 1 &&
      known->parts.parts[0]->op == HD_CODE_REG) {
    reg = (uint32_t)known->parts.parts[0]->value;
  } else {
    reg = hd_cc_new_reg(f, llvm_name(f, alloca), type);
  }
  f->regs.data[reg].stable = false;
  hd_cc_describe(f, alloca, &f->regs.data[reg].variable);
  cc_value value = {.kind = CC_PROMOTED, .reg = reg};
  cc_value_map_put(&f->values, alloca, value, NULL);
}

uint32_t hd_cc_promoted(const cc_func *f, LLVMValueRef address) {
  const cc_value *value = cc_value_map_find(&f->values, address);
  return value && value->kind == CC_PROMOTED ? value->reg : HD_NO_ID;
}

/* --- slots --- */

static void define_slot(cc_func *f, LLVMValueRef value, const char *name,
                        uint64_t size, uint32_t align) {
  hd_vec_push(&f->slots, ((cc_slot){.name = unique(f, '&', name),
                                    .size = size,
                                    .align = align ? align : 1,
                                    .variable = {.ctype = HD_NO_ID,
                                                 .scope = HD_NO_ID,
                                                 .pos = {.file = HD_NO_ID}}}));
  cc_slot *slot = &hd_vec_last(&f->slots);
  hd_cc_describe(f, value, &slot->variable);
  const cc_expr **part = hd_arena_alloc(&f->arena, sizeof *part);
  *part = hd_cc_leaf(&f->arena, HD_CODE_SLOT, hd_cc_ptr(f->m),
                     f->slots.size - 1, slot->name, true);
  cc_value entry = {.kind = CC_VALUE, .parts = {part, 1}};
  *cc_value_map_put(&f->values, value, entry, NULL) = entry;
}

/* Allocas of the entry block with a constant size; the others are actions. */
static void define_allocas(cc_func *f) {
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(f->llvm);
  for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i;
       i = LLVMGetNextInstruction(i)) {
    hd_type type;
    if (!LLVMIsAAllocaInst(i) || !LLVMIsAConstantInt(LLVMGetOperand(i, 0)) ||
        LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(i, 0))) > 64)
      continue;
    if (can_promote(f, i, &type)) {
      promote(f, i, type);
      continue;
    }
    uint64_t count = LLVMConstIntGetZExtValue(LLVMGetOperand(i, 0));
    define_slot(f, i, llvm_name(f, i),
                count * hd_cc_size(f->m, LLVMGetAllocatedType(i)),
                LLVMGetAlignment(i));
  }
}

/* --- parameters --- */

LLVMTypeRef hd_cc_byval(const cc_module *m, LLVMValueRef function,
                        unsigned parameter) {
  LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(
      function, (LLVMAttributeIndex)(parameter + 1), m->attr_byval);
  return attribute && LLVMIsTypeAttribute(attribute)
             ? LLVMGetTypeAttributeValue(attribute)
             : NULL;
}

static const char *define_parameter(cc_func *f, unsigned i) {
  LLVMValueRef argument = LLVMGetParam(f->llvm, i);
  cc_scalars scalars = {0};
  const char *trouble = hd_cc_flatten(f->m, LLVMTypeOf(argument), &scalars);
  uint32_t n = (uint32_t)scalars.size;
  const cc_expr **parts = hd_arena_alloc(&f->arena, (n + 1) * sizeof *parts);
  for (uint32_t k = 0; k < n && !trouble; k++) {
    uint32_t reg =
        hd_cc_new_reg(f, llvm_name(f, argument), scalars.data[k].type);
    const cc_reg *r = &f->regs.data[reg];
    parts[k] = hd_cc_leaf(&f->arena, HD_CODE_REG, r->type, reg, r->name, true);
  }
  hd_vec_free(&scalars);
  if (trouble)
    return trouble;
  cc_value value = {.kind = CC_VALUE, .parts = {parts, n}};
  cc_value_map_put(&f->values, argument, value, NULL);
  return NULL;
}

/* A struct passed by value: the function works on a copy of its own. The copy
 * is made by hd_cc_function when the blocks start. */
static void define_copies(cc_func *f) {
  for (unsigned i = 0; i < LLVMCountParams(f->llvm); i++) {
    LLVMTypeRef type = hd_cc_byval(f->m, f->llvm, i);
    LLVMValueRef argument = LLVMGetParam(f->llvm, i);
    cc_value *value = cc_value_map_find(&f->values, argument);
    if (!type || !value)
      continue;
    const cc_expr *from = value->parts.parts[0];
    hd_str name = {0};
    hd_str_printf(&name, "%s.copy", llvm_name(f, argument));
    uint64_t size = hd_cc_size(f->m, type);
    define_slot(f, argument, hd_str_text(&name), size,
                LLVMABIAlignmentOfType(f->m->layout, type));
    hd_vec_push(&f->copies, ((cc_copy){.slot = (uint32_t)f->slots.size - 1,
                                       .from = from,
                                       .size = size}));
    hd_str_free(&name);
  }
}

/* --- definite assignment --- */

bool hd_cc_is_assigned(const cc_func *f, uint32_t reg) {
  return reg >= f->n_tracked ||
         (f->assigned && (f->assigned[reg / 64] >> reg % 64 & 1));
}

void hd_cc_mark_assigned(cc_func *f, uint32_t reg) {
  if (reg < f->n_tracked)
    f->assigned[reg / 64] |= (uint64_t)1 << reg % 64;
}

/* The register of the variable that is declared here, or HD_NO_ID. */
static uint32_t declared_anywhere(const cc_func *f, LLVMValueRef inst) {
  LLVMValueRef target =
      LLVMIsADbgDeclareInst(inst) ? wrapped(LLVMGetOperand(inst, 0)) : NULL;
  return target ? hd_cc_promoted(f, target) : HD_NO_ID;
}

/* The same, if its value becomes indeterminate by that. In the entry block it
 * has none yet, or is a parameter. */
static uint32_t declared_reg(const cc_func *f, LLVMValueRef inst) {
  return LLVMGetInstructionParent(inst) != f->blocks.data[0].llvm
             ? declared_anywhere(f, inst)
             : HD_NO_ID;
}

/* Goes through a block with the registers that have a value: `set`. Registers
 * that are read without one are marked when `mark`. */
static void pass(cc_func *f, LLVMBasicBlockRef block, uint64_t *set,
                 bool mark) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
       i = LLVMGetNextInstruction(i)) {
    uint32_t written = LLVMIsAStoreInst(i)
                           ? hd_cc_promoted(f, LLVMGetOperand(i, 1))
                           : HD_NO_ID;
    uint32_t read =
        LLVMIsALoadInst(i) ? hd_cc_promoted(f, LLVMGetOperand(i, 0)) : HD_NO_ID;
    uint32_t declared = declared_reg(f, i);
    if (written != HD_NO_ID)
      set[written / 64] |= (uint64_t)1 << written % 64;
    if (declared != HD_NO_ID)
      set[declared / 64] &= ~((uint64_t)1 << declared % 64);
    if (mark && read != HD_NO_ID && !(set[read / 64] >> read % 64 & 1))
      f->regs.data[read].read_unset = true;
  }
}

/* A block as a function of sets: x → (x & keep[b]) | gen[b]. */
typedef struct {
  size_t words;
  uint64_t *gen, *keep;
} transfer;

static transfer summarise(cc_func *f, size_t words) {
  size_t n = f->blocks.size;
  transfer t = {.words = words,
                .gen = hd_calloc(n * words, sizeof *t.gen),
                .keep = hd_calloc(n * words, sizeof *t.keep)};
  memset(t.keep, 0xff, n * words * sizeof *t.keep);
  for (size_t b = 0; b < n; b++) {
    pass(f, f->blocks.data[b].llvm, t.gen + b * words, false);
    pass(f, f->blocks.data[b].llvm, t.keep + b * words, false);
  }
  return t;
}

/* One round of the fixpoint for one block; did it change? */
static bool meet(cc_func *f, cc_block *block, const transfer *t) {
  bool changed = false;
  for (uint32_t k = 0; k < block->n_preds; k++) {
    uint32_t p = f->preds.data[block->first_pred + k];
    if (f->blocks.data[p].order == HD_NO_ID)
      continue;
    for (size_t w = 0; w < t->words; w++) {
      size_t at = p * t->words + w;
      uint64_t out = (f->blocks.data[p].assigned[w] & t->keep[at]) | t->gen[at];
      uint64_t in = block->assigned[w] & out;
      changed = changed || in != block->assigned[w];
      block->assigned[w] = in;
    }
  }
  return changed;
}

/* Greatest fixpoint: a register is assigned at the start of a block when it is
 * at the end of all blocks before; parameters are at the start. */
static void find_assigned(cc_func *f) {
  size_t words = (f->n_tracked + 63) / 64 + 1;
  transfer t = summarise(f, words);
  for (size_t b = 0; b < f->blocks.size; b++) {
    cc_block *block = &f->blocks.data[b];
    block->assigned = hd_arena_alloc(&f->arena, words * sizeof(uint64_t));
    memset(block->assigned, b ? 0xff : 0, words * sizeof(uint64_t));
  }
  for (uint32_t p = 0; p < f->n_params; p++)
    f->blocks.data[0].assigned[p / 64] |= (uint64_t)1 << p % 64;
  for (bool changed = true; changed;) {
    changed = false;
    for (hd_vec_each(uint32_t, b, &f->order))
      changed = (*b && meet(f, &f->blocks.data[*b], &t)) || changed;
  }
  hd_free(t.gen);
  hd_free(t.keep);
  f->assigned = hd_arena_alloc(&f->arena, words * sizeof(uint64_t));
  f->assigned_words = words;
  for (hd_vec_each(uint32_t, b, &f->order)) {
    memcpy(f->assigned, f->blocks.data[*b].assigned, words * sizeof(uint64_t));
    pass(f, f->blocks.data[*b].llvm, f->assigned, true);
  }
  memcpy(f->assigned, f->blocks.data[0].assigned, words * sizeof(uint64_t));
}

/* Each time a declaration without a value is reached, the variable loses the
 * one it has (C17 6.2.4). Only where somebody might look is that written; in the
 * entry block, too, where it has none yet: model/unset.h looks for it. */
void hd_cc_declaration(cc_func *f, LLVMValueRef inst) {
  uint32_t reg = declared_anywhere(f, inst);
  bool loses = declared_reg(f, inst) != HD_NO_ID;
  if (reg == HD_NO_ID || (!loses && hd_cc_is_assigned(f, reg)))
    return;
  if (f->regs.data[reg].read_unset)
    hd_cc_assign(f, reg,
                 hd_cc_leaf(&f->arena, HD_CODE_UNDEF, f->regs.data[reg].type, 0,
                            NULL, false));
  f->assigned[reg / 64] &= ~((uint64_t)1 << reg % 64);
}

const char *hd_cc_setup(cc_func *f) {
  read_declares(f);
  for (unsigned i = 0; i < LLVMCountParams(f->llvm); i++) {
    const char *trouble = define_parameter(f, i);
    if (trouble)
      return trouble;
  }
  f->n_params = (uint32_t)f->regs.size;
  define_copies(f);
  define_allocas(f);
  hd_cc_find_literals(f);
  f->n_tracked = (uint32_t)f->regs.size;
  find_assigned(f);
  return NULL;
}
