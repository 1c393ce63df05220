/* SPDX-License-Identifier: MIT */
/* How blocks end: branches with their guards, phis as assignments on the edges,
 * return. */
#include "cc/func.h"

#include <stdlib.h>

/* --- edges into a block --- */

/* The text of one step: the phis of `to` get their values, all at once, if
 * `guard` (may be NULL) holds. False: ended with a refusal. */
static bool step_text(cc_func *f, uint32_t to, const cc_expr *guard,
                      hd_str *out) {
  LLVMBasicBlockRef from = f->blocks.data[f->block].llvm;
  hd_str targets = {0}, values = {0};
  for (LLVMValueRef phi = LLVMGetFirstInstruction(f->blocks.data[to].llvm);
       phi && LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
    const cc_value *known = cc_value_map_find(&f->values, phi);
    if (!known || known->kind != CC_VALUE)
      continue; /* of a type without values: refused where it is used */
    cc_parts to_set = known->parts, in = {0};
    for (unsigned i = 0; i < LLVMCountIncoming(phi) && !in.n; i++)
      if (LLVMGetIncomingBlock(phi, i) == from &&
          !hd_cc_use(f, LLVMGetIncomingValue(phi, i), &in)) {
        hd_str_free(&targets);
        hd_str_free(&values);
        return false;
      }
    for (uint32_t k = 0; k < in.n; k++) {
      hd_str_printf(&targets, "%s%s", targets.size ? ", " : "",
                    to_set.parts[k]->name);
      hd_str_puts(&values, values.size ? ", " : "");
      hd_cc_print_expr(&values, in.parts[k]);
    }
  }
  if (targets.size)
    hd_str_printf(out, "set %s = %s", hd_str_text(&targets),
                  hd_str_text(&values));
  if (guard) {
    hd_str_puts(out, targets.size ? " when " : "when ");
    hd_cc_print_expr(out, guard);
  }
  if (!out->size)
    hd_str_puts(out, "skip");
  hd_str_free(&targets);
  hd_str_free(&values);
  return true;
}

/* The registers of a block's phis, made when the block is first led to. */
static void declare_phis(cc_func *f, uint32_t to) {
  for (LLVMValueRef phi = LLVMGetFirstInstruction(f->blocks.data[to].llvm);
       phi && LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
    if (cc_value_map_find(&f->values, phi))
      continue;
    cc_scalars scalars = {0};
    cc_value value = {.kind = CC_VALUE};
    if (hd_cc_flatten(f->m, LLVMTypeOf(phi), &scalars)) {
      value.kind = CC_DEAD;
    } else {
      value.parts.n = (uint32_t)scalars.size;
      value.parts.parts = hd_arena_alloc(
          &f->arena, (scalars.size + 1) * sizeof *value.parts.parts);
      for (size_t i = 0; i < scalars.size; i++)
        value.parts.parts[i] =
            hd_cc_reg_expr(f, hd_cc_new_temporary(f, scalars.data[i].type));
    }
    cc_value_map_put(&f->values, phi, value, NULL);
    hd_vec_free(&scalars);
  }
}

/* One of several ways out: the pending values must be total by now. */
static void branch(cc_func *f, uint32_t to, const cc_expr *guard) {
  hd_str text = {0};
  if (f->at == HD_NO_ID)
    return;
  declare_phis(f, to);
  if (step_text(f, to, guard, &text))
    hd_cc_edge_to(f, f->blocks.data[to].start, hd_str_text(&text));
  hd_str_free(&text);
}

/* The only way out. Nothing to do on it: the last edge leads there directly, or
 * the block is nothing but a name for the next one. */
void hd_cc_jump(cc_func *f, uint32_t to) {
  hd_str text = {0};
  declare_phis(f, to);
  if (!step_text(f, to, NULL, &text)) {
    hd_str_free(&text);
    return;
  }
  bool idle = strcmp(hd_str_text(&text), "skip") == 0;
  cc_loc *here = &f->locs.data[f->at];
  bool fresh = here->block == HD_NO_ID && f->edges.size &&
               hd_vec_last(&f->edges).to == f->at &&
               hd_vec_last(&f->edges).from != f->at;
  uint32_t target = f->blocks.data[to].start;
  if (idle && fresh) {
    hd_vec_last(&f->edges).to = target;
    f->blocks.data[to].reached = true;
  } else if (idle &&
             (here->block == HD_NO_ID || !f->blocks.data[here->block].head) &&
             target != f->at) {
    here->forward = target;
    f->blocks.data[to].reached = true;
  } else {
    hd_cc_edge_to(f, target, hd_str_text(&text));
  }
  f->at = HD_NO_ID;
  hd_str_free(&text);
}

/* --- branches --- */

static uint32_t number_of(const cc_func *f, LLVMBasicBlockRef block) {
  return *cc_number_map_find(&f->block_numbers, block);
}

static void conditional(cc_func *f, LLVMValueRef inst) {
  const cc_expr *c;
  if (!hd_cc_use1(f, LLVMGetCondition(inst), &c))
    return;
  uint32_t yes = number_of(f, LLVMGetSuccessor(inst, 0));
  uint32_t no = number_of(f, LLVMGetSuccessor(inst, 1));
  hd_cc_flush(f);
  if (c->op == HD_CODE_INT) {
    hd_cc_jump(f, c->value ? yes : no);
    return;
  }
  branch(f, yes, c);
  branch(f, no, hd_cc_not(&f->arena, c));
  f->at = HD_NO_ID;
}

/* --- switch --- */

typedef struct {
  uint64_t low, high; /* inclusive, as bit patterns */
  uint32_t to;
} range;
typedef hd_vec(range) ranges;

static int by_low(const void *a, const void *b) {
  const range *x = a, *y = b;
  return x->low < y->low ? -1 : x->low > y->low;
}

/* Values that follow each other and lead to the same block, or to any when
 * `any`, become one range. */
static void merge(ranges *all, bool any) {
  size_t n = 0;
  for (size_t i = 0; i < all->size; i++)
    if (n && all->data[n - 1].high + 1 == all->data[i].low &&
        (any || all->data[n - 1].to == all->data[i].to))
      all->data[n - 1].high = all->data[i].high;
    else
      all->data[n++] = all->data[i];
  all->size = n;
}

static const cc_expr *in_range(cc_func *f, const cc_expr *v, const range *r) {
  hd_arena *a = &f->arena;
  hd_type bit = hd_cc_int(1);
  const cc_expr *low = hd_cc_int_expr(a, v->type, r->low);
  if (r->low == r->high)
    return hd_cc_op2(a, HD_CODE_EQ, bit, 0, v, low);
  const cc_expr *distance =
      r->low ? hd_cc_op2(a, HD_CODE_SUB, v->type, 0, v, low) : v;
  return hd_cc_op2(a, HD_CODE_ULE, bit, 0, distance,
                   hd_cc_int_expr(a, v->type, r->high - r->low));
}

/* Is v in (negated: outside of) ranges [from, to)? Balanced, so that thousands
 * of cases do not nest deeply. */
static const cc_expr *in_ranges(cc_func *f, const cc_expr *v, const range *r,
                                size_t from, size_t to, bool negated) {
  if (to - from == 1) {
    const cc_expr *c = in_range(f, v, &r[from]);
    return negated ? hd_cc_not(&f->arena, c) : c;
  }
  size_t middle = from + (to - from) / 2;
  return hd_cc_op2(&f->arena, negated ? HD_CODE_AND : HD_CODE_OR, hd_cc_int(1),
                   0, in_ranges(f, v, r, from, middle, negated),
                   in_ranges(f, v, r, middle, to, negated));
}

static void read_cases(cc_func *f, LLVMValueRef inst, ranges *out) {
  unsigned n = LLVMGetNumSuccessors(inst);
  for (unsigned i = 1; i < n; i++) {
    LLVMValueRef value = LLVMGetOperand(inst, 2 * i);
    assert(LLVMIsAConstantInt(value));
    uint64_t v = LLVMConstIntGetZExtValue(value);
    hd_vec_push(out, ((range){v, v, number_of(f, LLVMGetSuccessor(inst, i))}));
  }
  if (out->size)
    qsort(out->data, out->size, sizeof *out->data, by_low);
}

static void branch_cases(cc_func *f, const cc_expr *v, ranges *cases,
                         uint32_t otherwise) {
  ranges own = {0};
  bool *done = hd_calloc(f->blocks.size, sizeof *done);
  done[otherwise] = true; /* such cases are left to the default */
  for (size_t i = 0; i < cases->size; i++) {
    uint32_t to = cases->data[i].to;
    if (done[to])
      continue;
    done[to] = true;
    hd_vec_clear(&own);
    for (size_t k = i; k < cases->size; k++)
      if (cases->data[k].to == to)
        hd_vec_push(&own, cases->data[k]);
    merge(&own, false);
    branch(f, to, in_ranges(f, v, own.data, 0, own.size, false));
  }
  hd_vec_clear(&own);
  for (hd_vec_each(range, r, cases))
    if (r->to != otherwise)
      hd_vec_push(&own, *r);
  merge(&own, true);
  branch(f, otherwise,
         own.size ? in_ranges(f, v, own.data, 0, own.size, true) : NULL);
  hd_vec_free(&own);
  hd_free(done);
}

static void switch_on(cc_func *f, LLVMValueRef inst) {
  const cc_expr *v;
  if (!hd_cc_use1(f, LLVMGetOperand(inst, 0), &v))
    return;
  hd_cc_flush(f);
  ranges cases = {0};
  read_cases(f, inst, &cases);
  if (v->op == HD_CODE_INT) {
    uint32_t to = number_of(f, LLVMGetSwitchDefaultDest(inst));
    for (hd_vec_each(range, r, &cases))
      if (r->low == v->value)
        to = r->to;
    hd_cc_jump(f, to);
    hd_vec_free(&cases);
    return;
  }
  v = hd_cc_as_leaf(f, v);
  branch_cases(f, v, &cases, number_of(f, LLVMGetSwitchDefaultDest(inst)));
  f->at = HD_NO_ID;
  hd_vec_free(&cases);
}

/* --- computed goto --- */

/* A label's address is that of an object of its own. */
static void indirect(cc_func *f, LLVMValueRef inst) {
  const cc_expr *v, *none = NULL;
  hd_type bit = hd_cc_int(1);
  if (!hd_cc_use1(f, LLVMGetOperand(inst, 0), &v))
    return;
  hd_cc_flush(f);
  v = hd_cc_as_leaf(f, v);
  bool *done = hd_calloc(f->blocks.size, sizeof *done);
  unsigned n = LLVMGetNumSuccessors(inst);
  for (unsigned i = 0; i < n && f->at != HD_NO_ID; i++) {
    LLVMBasicBlockRef to = LLVMGetSuccessor(inst, i);
    if (done[number_of(f, to)])
      continue;
    done[number_of(f, to)] = true;
    const cc_expr *label =
        hd_cc_leaf(&f->arena, HD_CODE_GLOBAL, hd_cc_ptr(f->m), 0,
                   hd_cc_need_label(f->m, to), true);
    branch(f, number_of(f, to),
           hd_cc_op2(&f->arena, HD_CODE_EQ, bit, 0, v, label));
    const cc_expr *other = hd_cc_op2(&f->arena, HD_CODE_NE, bit, 0, v, label);
    none =
        none ? hd_cc_op2(&f->arena, HD_CODE_AND, bit, 0, none, other) : other;
  }
  hd_free(done);
  if (f->at == HD_NO_ID)
    return;
  if (none) {
    hd_str text = {0};
    hd_str_puts(&text, "when ");
    hd_cc_print_expr(&text, none);
    hd_cc_edge(f, hd_str_text(&text));
    hd_str_free(&text);
  }
  hd_cc_end(f, "unreachable");
}

void hd_cc_require(cc_func *f, const cc_expr *c) {
  hd_str text = {0};
  hd_cc_flush(f);
  uint32_t here = f->at;
  hd_str_puts(&text, "when ");
  hd_cc_print_expr(&text, hd_cc_not(&f->arena, c));
  hd_cc_edge(f, hd_str_text(&text));
  hd_cc_end(f, "unreachable");
  f->at = here;
  hd_vec_clear(&text);
  hd_str_puts(&text, "when ");
  hd_cc_print_expr(&text, c);
  hd_cc_edge(f, hd_str_text(&text));
  hd_str_free(&text);
}

/* --- return --- */

static void leave(cc_func *f, LLVMValueRef inst) {
  hd_str text = {0};
  cc_parts parts = {0};
  if (LLVMGetNumOperands(inst) &&
      !hd_cc_use(f, LLVMGetOperand(inst, 0), &parts))
    return;
  hd_cc_flush(f);
  hd_str_puts(&text, "return");
  for (uint32_t i = 0; i < parts.n; i++) {
    hd_str_puts(&text, i ? ", " : " ");
    hd_cc_print_expr(&text, parts.parts[i]);
  }
  hd_cc_end(f, hd_str_text(&text));
  hd_str_free(&text);
}

void hd_cc_terminator(cc_func *f, LLVMValueRef inst) {
  switch (LLVMGetInstructionOpcode(inst)) {
  case LLVMRet:
    leave(f, inst);
    return;
  case LLVMBr:
    if (LLVMIsConditional(inst))
      conditional(f, inst);
    else
      hd_cc_jump(f, number_of(f, LLVMGetSuccessor(inst, 0)));
    return;
  case LLVMSwitch:
    switch_on(f, inst);
    return;
  case LLVMIndirectBr:
    indirect(f, inst);
    return;
  case LLVMUnreachable:
    hd_cc_flush(f);
    hd_cc_end(f, "unreachable");
    return;
  default:
    hd_cc_unsupported(f, "exceptional control flow");
  }
}
