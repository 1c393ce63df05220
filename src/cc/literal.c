/* SPDX-License-Identifier: MIT */
/* How long compound literals live. clang says where the lifetime of a variable
 * starts and ends, but not that of an unnamed object, which is the block that the
 * literal stands in (C17 6.5.2.5): the innermost one around its first instruction,
 * or one round of a loop whose body has no braces. It starts where it gets its
 * value, and ends wherever control goes from an instruction inside to one
 * outside. Debug information says in which block an instruction is. */
#include "cc/func.h"

typedef struct cc_literal {
  LLVMValueRef alloca, first; /* … instruction that uses it */
  uint32_t scope;
  uint8_t *loop; /* blocks of the loop around it; NULL: there is none */
  uint32_t head;
  uint8_t *in; /* of each block: may control come into it from inside? */
} literal;

static bool is_literal(LLVMValueRef inst) {
  static const char name[] = ".compoundliteral";
  size_t size;
  return LLVMIsAAllocaInst(inst) &&
         strncmp(LLVMGetValueName2(inst, &size), name, sizeof name - 1) == 0;
}

/* The block an instruction is in, or HD_NO_ID. */
static uint32_t scope_of(cc_func *f, LLVMValueRef inst) {
  LLVMMetadataRef location = LLVMInstructionGetDebugLoc(inst);
  return location ? hd_cc_scope(f->m, LLVMDILocationGetScope(location))
                  : HD_NO_ID;
}

static bool is_within(const cc_module *m, uint32_t scope, uint32_t outer) {
  while (scope != HD_NO_ID && scope != outer)
    scope = m->scope_parents.data[scope];
  return scope == outer;
}

static bool uses(LLVMValueRef inst, LLVMValueRef value) {
  int n = LLVMGetNumOperands(inst);
  for (int i = 0; i < n; i++)
    if (LLVMGetOperand(inst, (unsigned)i) == value)
      return true;
  return false;
}

/* In the order of execution; its block is known, too. */
static LLVMValueRef first_use(cc_func *f, LLVMValueRef alloca,
                              uint32_t *block) {
  for (hd_vec_each(uint32_t, b, &f->order)) {
    *block = *b;
    for (LLVMValueRef i = LLVMGetFirstInstruction(f->blocks.data[*b].llvm); i;
         i = LLVMGetNextInstruction(i))
      if (uses(i, alloca) && scope_of(f, i) != HD_NO_ID)
        return i;
  }
  return NULL;
}

/* --- loops --- */

/* Is it the end of a round of a loop statement? */
static bool closes(cc_func *f, uint32_t from, uint32_t head) {
  const cc_block *b = &f->blocks.data[from];
  if (b->order == HD_NO_ID || b->order < f->blocks.data[head].order ||
      !LLVMGetMetadata(LLVMGetBasicBlockTerminator(b->llvm), f->m->kind_loop))
    return false;
  for (uint32_t k = 0; k < b->n_succs; k++)
    if (f->succs.data[b->first_succ + k] == head)
      return true;
  return false;
}

/* The blocks of the loop with this head; false: it is no loop statement. */
static bool find_loop(cc_func *f, uint32_t head, uint8_t *body) {
  hd_u32s work = {0};
  memset(body, 0, f->blocks.size);
  body[head] = 1;
  for (uint32_t b = 0; b < f->blocks.size; b++)
    if (closes(f, b, head))
      hd_vec_push(&work, b);
  bool any = work.size != 0;
  while (work.size) {
    uint32_t b = hd_vec_pop(&work);
    if (body[b])
      continue;
    body[b] = 1;
    for (uint32_t k = 0; k < f->blocks.data[b].n_preds; k++)
      hd_vec_push(&work, f->preds.data[f->blocks.data[b].first_pred + k]);
  }
  hd_vec_free(&work);
  return any;
}

/* The innermost loop statement around a block: of several, the last head. */
static void find_innermost(cc_func *f, uint32_t block, literal *l) {
  uint8_t *body = hd_arena_alloc(&f->arena, f->blocks.size);
  for (size_t i = f->order.size; i-- > 0 && !l->loop;) {
    uint32_t head = f->order.data[i];
    if (f->blocks.data[head].head && !f->blocks.data[head].irreducible &&
        find_loop(f, head, body) && body[block]) {
      l->loop = body;
      l->head = head;
    }
  }
}

/* --- where it ends --- */

/* Without a position it is where the one before it is: `before`. */
static bool is_inside(cc_func *f, const literal *l, uint32_t block,
                      LLVMValueRef inst, bool before) {
  uint32_t scope = scope_of(f, inst);
  if (l->loop && !l->loop[block])
    return false;
  return scope == HD_NO_ID ? before : is_within(f->m, scope, l->scope);
}

static bool leaves(cc_func *f, const literal *l, uint32_t block) {
  bool inside = l->in[block] && !(l->loop && block == l->head);
  for (LLVMValueRef i = LLVMGetFirstInstruction(f->blocks.data[block].llvm); i;
       i = LLVMGetNextInstruction(i))
    inside = is_inside(f, l, block, i, inside);
  return inside;
}

static void find_ends(cc_func *f, literal *l) {
  l->in = hd_arena_alloc(&f->arena, f->blocks.size);
  memset(l->in, 0, f->blocks.size);
  for (bool changed = true; changed;) {
    changed = false;
    for (hd_vec_each(uint32_t, b, &f->order)) {
      if (!leaves(f, l, *b))
        continue;
      const cc_block *from = &f->blocks.data[*b];
      for (uint32_t k = 0; k < from->n_succs; k++) {
        uint32_t to = f->succs.data[from->first_succ + k];
        changed = changed || !l->in[to];
        l->in[to] = 1;
      }
    }
  }
}

void hd_cc_find_literals(cc_func *f) {
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(f->llvm);
  for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i;
       i = LLVMGetNextInstruction(i)) {
    literal l = {.alloca = i};
    uint32_t block;
    if (!is_literal(i) || hd_cc_promoted(f, i) != HD_NO_ID ||
        !hd_cc_is_kept(i) || !(l.first = first_use(f, i, &block)))
      continue;
    l.scope = scope_of(f, l.first);
    find_innermost(f, block, &l);
    if (!l.loop && f->m->scope_parents.data[l.scope] == HD_NO_ID)
      continue; /* ends with the frame */
    find_ends(f, &l);
    literal *kept = hd_arena_alloc(&f->arena, sizeof *kept);
    *kept = l;
    hd_vec_push(&f->literals, kept);
  }
}

static void say(cc_func *f, const literal *l, const char *what) {
  const cc_expr *address;
  if (f->at != HD_NO_ID && hd_cc_use1(f, l->alloca, &address))
    hd_cc_call_named(f, NULL, hd_cc_need_builtin(f->m, what, "(ptr) -> void"),
                     &address, 1);
}

void hd_cc_literals(cc_func *f, LLVMValueRef inst, bool *inside) {
  if (LLVMIsAPHINode(inst))
    return;
  for (size_t k = 0; k < f->literals.size; k++) {
    const literal *l = f->literals.data[k];
    bool now = is_inside(f, l, f->block, inst, inside[k]);
    if (inside[k] && !now)
      say(f, l, "llvm.lifetime.end");
    inside[k] = now;
    if (inst == l->first)
      say(f, l, "llvm.lifetime.start");
  }
}

bool *hd_cc_enter_literals(cc_func *f) {
  bool *inside = hd_arena_alloc(&f->arena, f->literals.size + 1);
  for (size_t k = 0; k < f->literals.size; k++) {
    const literal *l = f->literals.data[k];
    inside[k] = l->in[f->block];
    if (inside[k] && l->loop && f->block == l->head) {
      say(f, l, "llvm.lifetime.end"); /* another round */
      inside[k] = false;
    }
  }
  return inside;
}
