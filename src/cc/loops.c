/* SPDX-License-Identifier: MIT */
/* The blocks of a function in reverse postorder, their dominators (Cooper,
 * Harvey, Kennedy: "A Simple, Fast Dominance Algorithm", 2001), and the heads
 * of loops.
 *
 * An edge b → h that goes back in the depth-first search is a back edge; if h
 * dominates b it closes a natural loop, else an irreducible one. clang attaches
 * the position of the loop statement to the branches that close it; a loop made
 * of gotos has the position of the first instruction of its head. */
#include "cc/func.h"

typedef struct {
  uint32_t block, next; /* successor to look at */
} visit;

static void number(cc_func *f) {
  size_t n = f->blocks.size;
  uint8_t *seen = hd_calloc(n, 1);
  hd_vec(visit) stack = {0};
  hd_u32s post = {0};
  hd_vec_push(&stack, ((visit){0, 0}));
  seen[0] = 1;
  while (stack.size) {
    visit *top = &hd_vec_last(&stack);
    const cc_block *block = &f->blocks.data[top->block];
    if (top->next == block->n_succs) {
      hd_vec_push(&post, top->block);
      (void)hd_vec_pop(&stack);
      continue;
    }
    uint32_t to = f->succs.data[block->first_succ + top->next++];
    if (!seen[to]) {
      seen[to] = 1;
      hd_vec_push(&stack, ((visit){to, 0}));
    }
  }
  for (hd_vec_each(cc_block, b, &f->blocks))
    b->order = HD_NO_ID;
  for (size_t i = post.size; i-- > 0;) {
    f->blocks.data[post.data[i]].order = (uint32_t)f->order.size;
    hd_vec_push(&f->order, post.data[i]);
  }
  hd_vec_free(&post);
  hd_vec_free(&stack);
  hd_free(seen);
}

/* The nearest common dominator; both have one already. */
static uint32_t intersect(const cc_func *f, uint32_t a, uint32_t b) {
  while (a != b) {
    while (f->blocks.data[a].order > f->blocks.data[b].order)
      a = f->blocks.data[a].idom;
    while (f->blocks.data[b].order > f->blocks.data[a].order)
      b = f->blocks.data[b].idom;
  }
  return a;
}

static void dominate(cc_func *f) {
  for (hd_vec_each(cc_block, b, &f->blocks))
    b->idom = HD_NO_ID;
  f->blocks.data[0].idom = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 1; i < f->order.size; i++) {
      cc_block *block = &f->blocks.data[f->order.data[i]];
      uint32_t idom = HD_NO_ID;
      for (uint32_t k = 0; k < block->n_preds; k++) {
        uint32_t p = f->preds.data[block->first_pred + k];
        if (f->blocks.data[p].idom == HD_NO_ID)
          continue;
        idom = idom == HD_NO_ID ? p : intersect(f, p, idom);
      }
      changed = changed || idom != block->idom;
      block->idom = idom;
    }
  }
}

static bool dominates(const cc_func *f, uint32_t a, uint32_t b) {
  while (f->blocks.data[b].order > f->blocks.data[a].order)
    b = f->blocks.data[b].idom;
  return a == b;
}

/* The start of the loop statement, from the branch that closes the loop. */
static void read_statement(cc_func *f, cc_block *head, LLVMValueRef latch) {
  LLVMValueRef node = LLVMGetMetadata(latch, f->m->kind_loop);
  if (!node || LLVMGetValueKind(node) != LLVMMetadataAsValueValueKind)
    return;
  LLVMMetadataRef start = hd_cc_md_operand(f->m, LLVMValueAsMetadata(node), 1);
  hd_cpos pos = hd_cc_location(f->m, start);
  if (pos.file == HD_NO_ID)
    return;
  head->loop_pos = pos;
  head->loop_scope = hd_cc_scope(f->m, LLVMDILocationGetScope(start));
}

static void read_first(cc_func *f, cc_block *head) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(head->llvm);
       i && head->loop_pos.file == HD_NO_ID; i = LLVMGetNextInstruction(i)) {
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(i);
    head->loop_pos = hd_cc_location(f->m, location);
    if (head->loop_pos.file != HD_NO_ID)
      head->loop_scope = hd_cc_scope(f->m, LLVMDILocationGetScope(location));
  }
}

/* In a reverse postorder the edges that go back are those of the search. */
static void mark(cc_func *f, uint32_t from) {
  const cc_block *block = &f->blocks.data[from];
  for (uint32_t k = 0; k < block->n_succs; k++) {
    uint32_t to = f->succs.data[block->first_succ + k];
    cc_block *head = &f->blocks.data[to];
    if (head->order > block->order)
      continue;
    head->head = true;
    if (!dominates(f, to, from))
      head->irreducible = true;
    if (head->loop_pos.file == HD_NO_ID)
      read_statement(f, head, LLVMGetBasicBlockTerminator(block->llvm));
  }
}

void hd_cc_find_loops(cc_func *f) {
  number(f);
  dominate(f);
  for (hd_vec_each(uint32_t, b, &f->order))
    mark(f, *b);
  for (hd_vec_each(cc_block, b, &f->blocks))
    if (b->head)
      read_first(f, b);
}
