/* SPDX-License-Identifier: MIT */
/* How long compound literals live, and variables whose declaration is jumped over.
 * clang says where the lifetime of other variables starts and ends, but not that of
 * an unnamed object, which is the block that the literal stands in (C17 6.5.2.5):
 * the innermost one around its first instruction, or one round of a loop whose body
 * has no braces. It starts where it gets its value, and ends wherever control goes
 * from an instruction inside to one outside. A variable starts wherever control
 * comes in. Debug information says in which block an instruction is. */
#include "cc/func.h"

typedef struct cc_literal {
  LLVMValueRef alloca, first; /* … instruction that uses it; a variable: NULL */
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

/* The innermost block around both. */
static uint32_t common(const cc_module *m, uint32_t a, uint32_t b) {
  while (a != HD_NO_ID && !is_within(m, b, a))
    a = m->scope_parents.data[a];
  return a;
}

/* clang's own have a dot or a dash in their names, but for these. */
static bool is_variable(LLVMValueRef alloca) {
  static const char *const own[] = {"retval", "saved_stack", "__vla_expr",
                                    "coerce"};
  size_t size;
  const char *name = LLVMGetValueName2(alloca, &size);
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    if (strncmp(name, own[i], strlen(own[i])) == 0)
      return false;
  return *name && !strpbrk(name, ".-");
}

/* The block of a variable that clang does not say this of, or HD_NO_ID. Where it
 * says nothing at all, since control does not come to the declaration, the one
 * around all that uses it. */
static uint32_t unsaid_scope(cc_func *f, LLVMValueRef alloca) {
  cc_variable variable = {.scope = HD_NO_ID};
  uint32_t scope = HD_NO_ID;
  hd_cc_describe(f, alloca, &variable);
  for (LLVMUseRef u = LLVMGetFirstUse(alloca); u; u = LLVMGetNextUse(u)) {
    uint32_t its = scope_of(f, LLVMGetUser(u));
    if (hd_cc_is_lifetime(LLVMGetUser(u)) || its == HD_NO_ID)
      return HD_NO_ID;
    scope = u == LLVMGetFirstUse(alloca) ? its : common(f->m, scope, its);
  }
  return variable.scope != HD_NO_ID ? variable.scope
         : is_variable(alloca)      ? scope
                                    : HD_NO_ID;
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

static bool is_named(const cc_block *b, const char *prefix) {
  return strncmp(LLVMGetBasicBlockName(b->llvm), prefix, strlen(prefix)) == 0;
}

/* Where `do` … `while (0)` around a block begins, which has no way back, or
 * HD_NO_ID: clang writes its blocks one behind the other, in the order of the
 * text. */
static uint32_t once_around(cc_func *f, uint32_t block) {
  uint32_t depth = 0;
  for (uint32_t b = block + 1; b-- > 0;)
    if (is_named(&f->blocks.data[b], "do.end"))
      depth++;
    else if (is_named(&f->blocks.data[b], "do.body") && depth-- == 0)
      return b;
  return HD_NO_ID;
}

static void find_once(cc_func *f, uint32_t block, literal *l) {
  uint32_t first = once_around(f, block), depth = 0;
  if (first == HD_NO_ID || (l->loop && (!l->loop[first] || first == l->head)))
    return;
  l->head = HD_NO_ID;
  l->loop = hd_arena_alloc(&f->arena, f->blocks.size);
  memset(l->loop, 0, f->blocks.size);
  for (uint32_t b = first; b < f->blocks.size; b++) {
    depth += is_named(&f->blocks.data[b], "do.body");
    if (is_named(&f->blocks.data[b], "do.end") && --depth == 0)
      return;
    l->loop[b] = 1;
  }
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

/* Does control come into it inside, wherever it comes from? */
static bool begins_inside(cc_func *f, const literal *l, uint32_t block) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(f->blocks.data[block].llvm); i;
       i = LLVMGetNextInstruction(i))
    if (scope_of(f, i) != HD_NO_ID)
      return is_inside(f, l, block, i, false);
  return false;
}

/* A variable has to start before control comes in: where it may be there
 * already. */
static bool leads_inside(cc_func *f, const literal *l, uint32_t block) {
  const cc_block *from = &f->blocks.data[block];
  for (uint32_t k = 0; !l->first && k < from->n_succs; k++)
    if (begins_inside(f, l, f->succs.data[from->first_succ + k]))
      return true;
  return false;
}

static bool leaves(cc_func *f, const literal *l, uint32_t block) {
  bool inside = l->in[block] && !(l->loop && block == l->head);
  for (LLVMValueRef i = LLVMGetFirstInstruction(f->blocks.data[block].llvm); i;
       i = LLVMGetNextInstruction(i))
    inside = is_inside(f, l, block, i, inside);
  return inside || leads_inside(f, l, block);
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

/* False: it ends with the frame. */
static bool find_life(cc_func *f, literal *l) {
  uint32_t block;
  if (!is_literal(l->alloca)) {
    l->scope = unsaid_scope(f, l->alloca);
  } else if ((l->first = first_use(f, l->alloca, &block))) {
    l->scope = scope_of(f, l->first);
    find_innermost(f, block, l);
    find_once(f, block, l);
  }
  return l->loop || (l->scope != HD_NO_ID &&
                     f->m->scope_parents.data[l->scope] != HD_NO_ID);
}

void hd_cc_find_literals(cc_func *f) {
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(f->llvm);
  for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i;
       i = LLVMGetNextInstruction(i)) {
    literal l = {.alloca = i, .scope = HD_NO_ID};
    /* An array whose size is computed ends where the stack is restored. */
    if (!LLVMIsAAllocaInst(i) || !LLVMIsConstant(LLVMGetOperand(i, 0)) ||
        hd_cc_promoted(f, i) != HD_NO_ID || !hd_cc_is_kept(i) ||
        !find_life(f, &l))
      continue;
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

static bool starts(cc_func *f, const literal *l, LLVMValueRef inst,
                   bool comes_in, bool inside) {
  if (l->first)
    return inst == l->first;
  return comes_in || (!inside && LLVMIsATerminatorInst(inst) &&
                      leads_inside(f, l, f->block));
}

void hd_cc_literals(cc_func *f, LLVMValueRef inst, bool *inside) {
  if (LLVMIsAPHINode(inst))
    return;
  for (size_t k = 0; k < f->literals.size; k++) {
    const literal *l = f->literals.data[k];
    bool was = inside[k], now = is_inside(f, l, f->block, inst, was);
    if (was && !now)
      say(f, l, "llvm.lifetime.end");
    inside[k] = now;
    if (starts(f, l, inst, now && !was, now))
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
