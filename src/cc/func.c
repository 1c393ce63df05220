/* SPDX-License-Identifier: MIT */
/* A function: its blocks in reverse postorder, so that values are defined
 * before they are used, then its text. Only blocks that a written edge leads to
 * are translated. */
#include "cc/func.h"
#include "cc/unsequenced.h"

#include <inttypes.h>

/* --- blocks --- */

static uint32_t block_number(const cc_func *f, LLVMBasicBlockRef block) {
  return *cc_number_map_find(&f->block_numbers, block);
}

static void add_successors(cc_func *f, cc_block *block) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block->llvm);
  unsigned n = end ? LLVMGetNumSuccessors(end) : 0;
  block->first_succ = (uint32_t)f->succs.size;
  for (unsigned i = 0; i < n; i++)
    hd_vec_push(&f->succs, block_number(f, LLVMGetSuccessor(end, i)));
  block->n_succs = n;
}

static void add_predecessors(cc_func *f) {
  for (hd_vec_each(uint32_t, s, &f->succs))
    f->blocks.data[*s].n_preds++;
  uint32_t at = 0;
  for (hd_vec_each(cc_block, b, &f->blocks)) {
    b->first_pred = at;
    at += b->n_preds;
    b->n_preds = 0;
  }
  hd_vec_resize(&f->preds, at);
  for (uint32_t b = 0; b < f->blocks.size; b++)
    for (uint32_t k = 0; k < f->blocks.data[b].n_succs; k++) {
      cc_block *to =
          &f->blocks.data[f->succs.data[f->blocks.data[b].first_succ + k]];
      f->preds.data[to->first_pred + to->n_preds++] = b;
    }
}

static void read_blocks(cc_func *f) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f->llvm); b;
       b = LLVMGetNextBasicBlock(b)) {
    cc_number_map_put(&f->block_numbers, b, (uint32_t)f->blocks.size, NULL);
    cc_block block = {.llvm = b,
                      .loop_pos = {.file = HD_NO_ID},
                      .loop_scope = HD_NO_ID,
                      .start = hd_cc_new_loc(f)};
    f->locs.data[block.start].block = (uint32_t)f->blocks.size;
    hd_vec_push(&f->blocks, block);
  }
  for (hd_vec_each(cc_block, b, &f->blocks))
    add_successors(f, b);
  add_predecessors(f);
}

/* --- translation --- */

/* The position of code that has none: of what comes before it in the block,
 * else of what comes behind it, else of the function. */
static hd_cpos first_pos(cc_func *f, const cc_block *block) {
  hd_cpos pos = {.file = HD_NO_ID};
  for (LLVMValueRef i = LLVMGetFirstInstruction(block->llvm);
       i && pos.file == HD_NO_ID; i = LLVMGetNextInstruction(i))
    pos = hd_cc_inst_pos(f->m, i);
  return pos.file == HD_NO_ID ? f->start : pos;
}

/* Where CBMC would start a thread, and C goes on. */
static bool starts_thread(const cc_block *block) {
  static const char label[] = "__CPROVER_ASYNC_";
  const char *name = LLVMGetBasicBlockName(block->llvm);
  return name && strncmp(name, label, sizeof label - 1) == 0;
}

static void translate_block(cc_func *f, uint32_t number) {
  const cc_block *block = &f->blocks.data[number];
  f->block = number;
  f->at = block->start;
  f->pos = number ? first_pos(f, block) : f->start;
  if (number)
    memcpy(f->assigned, block->assigned,
           f->assigned_words * sizeof *f->assigned);
  hd_vec_clear(&f->pending);
  if (starts_thread(block))
    hd_cc_unsupported(f, "label '%s', which makes a thread of a statement",
                      LLVMGetBasicBlockName(block->llvm));
  bool *inside = hd_cc_enter_literals(f);
  for (LLVMValueRef i = LLVMGetFirstInstruction(block->llvm);
       i && f->at != HD_NO_ID; i = LLVMGetNextInstruction(i)) {
    hd_cc_literals(f, i, inside);
    if (i == f->skip) {
      f->skip = NULL;
      continue;
    }
    hd_cpos pos = hd_cc_inst_pos(f->m, i);
    if (pos.file != HD_NO_ID)
      f->pos = pos;
    hd_cc_refuse_undefined(f, pos);
    if (f->at == HD_NO_ID)
      break;
    if (LLVMIsATerminatorInst(i))
      hd_cc_terminator(f, i);
    else
      hd_cc_instruction(f, i);
  }
  f->skip = NULL;
  assert(f->at == HD_NO_ID);
}

static void copy_parameters(cc_func *f) {
  hd_type size = hd_cc_size_type(f->m);
  const char *memcpy_name = hd_cc_need_builtin(
      f->m, "memcpy",
      size.width == 64 ? "(ptr, ptr, i64) -> ptr" : "(ptr, ptr, i32) -> ptr");
  for (hd_vec_each(cc_copy, c, &f->copies)) {
    const cc_expr *args[] = {hd_cc_leaf(&f->arena, HD_CODE_SLOT,
                                        hd_cc_ptr(f->m), c->slot,
                                        f->slots.data[c->slot].name, true),
                             c->from, hd_cc_int_expr(&f->arena, size, c->size)};
    hd_cc_call_named(f, NULL, memcpy_name, args, 3);
  }
}

/* What runs before main: functions with the attribute constructor. Those with
 * the attribute destructor run behind it, as handlers of atexit do. */
static void call_constructors(cc_func *f) {
  for (hd_vec_each(LLVMValueRef, d, &f->m->destructors)) {
    const cc_expr *handler =
        hd_cc_leaf(&f->arena, HD_CODE_FUNC, hd_cc_ptr(f->m), 0,
                   hd_cc_need(f->m, *d), true);
    hd_cc_call_named(f, NULL,
                     hd_cc_need_builtin(f->m, "atexit", "(ptr) -> i32"),
                     &handler, 1);
  }
  for (hd_vec_each(LLVMValueRef, c, &f->m->constructors))
    hd_cc_call_named(f, NULL, hd_cc_need(f->m, *c), NULL, 0);
}

static void translate(cc_func *f) {
  f->pos = f->start;
  f->at = hd_cc_new_loc(f);
  f->entry = f->at;
  f->blocks.data[0].reached = true;
  if (f->copies.size)
    copy_parameters(f);
  hd_cc_refuse_constants(f);
  if (f->llvm == f->m->main)
    call_constructors(f);
  if (f->at == HD_NO_ID)
    return;
  hd_cc_jump(f, 0);
  /* Once is enough, unless something refused cuts the way by which an
   * irreducible loop is entered first. */
  for (bool more = true; more;) {
    more = false;
    for (hd_vec_each(uint32_t, b, &f->order))
      if (f->blocks.data[*b].reached && !f->blocks.data[*b].done) {
        f->blocks.data[*b].done = more = true;
        translate_block(f, *b);
      }
  }
}

/* --- text --- */

static void print_variable(hd_str *out, const cc_variable *v) {
  if (v->ctype != HD_NO_ID)
    hd_str_printf(out, " type %u", v->ctype);
  if (v->scope != HD_NO_ID)
    hd_str_printf(out, " scope %u", v->scope);
  if (v->pos.file != HD_NO_ID) {
    hd_str_puts(out, " at ");
    hd_cc_print_pos(out, v->pos);
  }
}

static void print_cname(hd_str *out, const char *cname) {
  if (cname) {
    hd_str_puts(out, " ");
    hd_cc_print_string(out, cname);
  }
}

static void print_regs(cc_func *f, hd_str *out) {
  for (hd_vec_each(cc_reg, r, &f->regs)) {
    hd_str_printf(out, "  reg %s ", r->name);
    hd_cc_print_type(out, r->type);
    print_cname(out, r->variable.cname);
    print_variable(out, &r->variable);
    hd_str_puts(out, "\n");
  }
  for (hd_vec_each(cc_slot, s, &f->slots)) {
    hd_str_printf(out, "  slot %s", s->name);
    print_cname(out, s->variable.cname);
    hd_str_printf(out, " size %" PRIu64 " align %u", s->size, s->align);
    print_variable(out, &s->variable);
    hd_str_puts(out, "\n");
  }
}

static uint32_t resolve(const cc_func *f, uint32_t loc) {
  while (f->locs.data[loc].forward != HD_NO_ID)
    loc = f->locs.data[loc].forward;
  return loc;
}

static void print_location(cc_func *f, hd_str *out, uint32_t loc) {
  const cc_loc *l = &f->locs.data[loc];
  hd_str_printf(out, "  location %u ", l->number);
  hd_cc_print_pos(out, l->pos);
  const cc_block *b = l->block != HD_NO_ID ? &f->blocks.data[l->block] : NULL;
  if (b && b->head) {
    hd_str_puts(out, " loop ");
    hd_cc_print_pos(out, b->loop_pos.file == HD_NO_ID ? l->pos : b->loop_pos);
    if (b->loop_scope != HD_NO_ID)
      hd_str_printf(out, " scope %u", b->loop_scope);
    if (b->irreducible)
      hd_str_puts(out, " irreducible");
  }
  hd_str_puts(out, "\n");
}

/* Locations are numbered in the order in which a walk from the entry meets
 * them, the first edge's first. */
static void print_body(cc_func *f, hd_str *out) {
  size_t n = f->locs.size, m = f->edges.size;
  uint32_t *first = hd_calloc(n + 1, sizeof *first);
  uint32_t *sorted = hd_calloc(m + 1, sizeof *sorted);
  for (hd_vec_each(cc_edge, e, &f->edges)) {
    e->to = resolve(f, e->to);
    first[e->from + 1]++;
  }
  for (size_t i = 0; i < n; i++)
    first[i + 1] += first[i];
  uint32_t *next = hd_calloc(n + 1, sizeof *next);
  for (uint32_t i = 0; i < m; i++) {
    uint32_t from = f->edges.data[i].from;
    sorted[first[from] + next[from]++] = i;
  }
  hd_u32s stack = {0}, order = {0};
  hd_vec_push(&stack, resolve(f, f->entry));
  while (stack.size) {
    uint32_t loc = hd_vec_pop(&stack);
    if (f->locs.data[loc].number != HD_NO_ID)
      continue;
    f->locs.data[loc].number = (uint32_t)order.size;
    hd_vec_push(&order, loc);
    for (uint32_t k = first[loc + 1]; k-- > first[loc];)
      hd_vec_push(&stack, f->edges.data[sorted[k]].to);
  }
  for (hd_vec_each(uint32_t, loc, &order)) {
    print_location(f, out, *loc);
    for (uint32_t k = first[*loc]; k < first[*loc + 1]; k++) {
      const cc_edge *e = &f->edges.data[sorted[k]];
      hd_str_printf(out, "    -> %u ", f->locs.data[e->to].number);
      hd_cc_print_pos(out, e->pos);
      hd_str_printf(out, " %s\n", e->text);
    }
  }
  hd_vec_free(&stack);
  hd_vec_free(&order);
  hd_free(first);
  hd_free(sorted);
  hd_free(next);
}

/* clang puts regions and tasks into functions of their own: "main.omp_outlined". */
static void print_func_cname(hd_str *out, const char *cname) {
  const char *end = strstr(cname, ".omp_");
  hd_str name = {0};
  if (end)
    hd_str_append(&name, cname, (size_t)(end - cname));
  if (end && end == cname)
    hd_str_puts(&name, "a task");
  print_cname(out, end ? hd_str_text(&name) : cname);
  hd_str_free(&name);
}

static void print_head(cc_func *f, hd_str *out, bool with_params) {
  LLVMMetadataRef program = LLVMGetSubprogram(f->llvm);
  LLVMTypeRef type = LLVMGlobalGetValueType(f->llvm);
  hd_str_printf(out, "function %s", hd_cc_need(f->m, f->llvm));
  const char *cname = program ? hd_cc_md_string(f->m, program, 2) : NULL;
  print_func_cname(out, cname ? cname : hd_cc_symbol(f->llvm));
  hd_str_puts(out, " (");
  for (uint32_t i = 0; with_params && i < f->n_params; i++)
    hd_str_printf(out, "%s%s", i ? ", " : "", f->regs.data[i].name);
  if (LLVMIsFunctionVarArg(type))
    hd_str_puts(out, with_params && f->n_params ? ", ..." : "...");
  hd_str_puts(out, ") -> ");
  hd_cc_print_results(f->m, out, LLVMGetReturnType(type));
  uint32_t ctype = hd_cc_result_ctype(f->m, program);
  uint32_t scope = program ? hd_cc_scope(f->m, program) : HD_NO_ID;
  print_variable(
      out, &(cc_variable){.ctype = ctype, .scope = HD_NO_ID, .pos = f->start});
  if (scope != HD_NO_ID)
    hd_str_printf(out, " scope %u", scope);
  hd_str_puts(out, " {\n");
}

static void release(cc_func *f) {
  hd_vec_free(&f->regs);
  hd_vec_free(&f->slots);
  hd_vec_free(&f->literals);
  hd_vec_free(&f->copies);
  hd_vec_free(&f->locs);
  hd_vec_free(&f->edges);
  hd_vec_free(&f->blocks);
  hd_vec_free(&f->preds);
  hd_vec_free(&f->succs);
  hd_vec_free(&f->order);
  hd_vec_free(&f->declared);
  hd_vec_free(&f->pending);
  cc_number_map_free(&f->block_numbers);
  cc_value_map_free(&f->values);
  cc_number_map_free(&f->variables);
  cc_text_map_free(&f->names);
  hd_arena_free(&f->arena);
}

/* A function with a parameter or a result that has no place in the graph. */
static void refuse(cc_func *f, hd_str *out, const char *trouble) {
  print_head(f, out, false);
  hd_str_puts(out, "  location 0 ");
  hd_cc_print_pos(out, f->start);
  hd_str_puts(out, "\n    -> 0 ");
  hd_cc_print_pos(out, f->start);
  hd_str_puts(out, " unsupported ");
  hd_str why = {0};
  hd_str_printf(&why, "%s as parameter or result", trouble);
  hd_cc_print_string(out, hd_str_text(&why));
  hd_str_free(&why);
  hd_str_puts(out, "\n}\n");
}

void hd_cc_function(cc_module *m, LLVMValueRef function) {
  cc_func f = {.m = m, .llvm = function};
  hd_str *out = &m->functions;
  hd_arena_init(&f.arena);
  f.start = hd_cc_function_pos(m, function);
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  const char *trouble = hd_cc_type_trouble(m, LLVMGetReturnType(type));
  if (!trouble) {
    read_blocks(&f);
    hd_cc_find_loops(&f);
    trouble = hd_cc_setup(&f);
  }
  if (trouble) {
    refuse(&f, out, trouble);
  } else {
    translate(&f);
    print_head(&f, out, true);
    print_regs(&f, out);
    print_body(&f, out);
    hd_str_puts(out, "}\n");
  }
  release(&f);
}
