/* SPDX-License-Identifier: MIT */
/* Each loop with head h and counter r gets three locations:
 *
 *   enter:  set r = 0          -> h      where edges from outside lead now
 *   back:   set r = r + 1      -> h      when r < most; where back edges lead
 *           skip               -> over   else
 *   over:   unsupported
 *
 * A back edge is one whose source the head dominates: it cannot be reached from
 * the function's entry without the head. */
#include "model/unwind.h"

#include <string.h>

enum { ENTER, BACK, OVER, ADDED };

typedef struct {
  hd_code *code;       /* the original */
  hd_code *out;        /* shares with it what is not made anew */
  hd_loc_id *renamed;  /* by old location */
  hd_loc_id *added;    /* by loop: the first of ADDED, HD_NO_ID = none */
  hd_reg_id *counters; /* by loop: number in its function */
  hd_u32s *loops_of;   /* by function: its loops that are bounded */
  uint32_t most;
} unwinder;

static const hd_type i32 = {.kind = HD_TYPE_INT, .width = 32};
static const hd_type i1 = {.kind = HD_TYPE_INT, .width = 1};

static hd_func_id func_of(const unwinder *u, uint32_t loop) {
  return u->code->locs.data[u->code->loops.data[loop].head].func;
}

static void sort_loops(unwinder *u) {
  const hd_code *code = u->code;
  for (uint32_t l = 0; l < code->loops.size; l++) {
    u->added[l] = HD_NO_ID;
    if (code->loops.data[l].irreducible)
      continue;
    hd_func_id f = func_of(u, l);
    u->counters[l] =
        code->funcs.data[f].n_regs + (hd_reg_id)u->loops_of[f].size;
    hd_vec_push(&u->loops_of[f], l);
  }
}

static void push_reg(unwinder *u, uint32_t loop) {
  hd_str name = {0};
  hd_str_printf(&name, "unwind.%u", loop);
  hd_reg reg = {.name = hd_code_keep(u->code, hd_str_text(&name)),
                .type = i32,
                .ctype = HD_NO_ID,
                .scope = HD_NO_ID,
                .pos = {.file = HD_NO_ID},
                .rounds = true};
  hd_vec_push(&u->out->regs, reg);
  hd_str_free(&name);
}

static void push_locs(unwinder *u, hd_func_id f, uint32_t loop) {
  u->added[loop] = (hd_loc_id)u->out->locs.size;
  for (int i = 0; i < ADDED; i++)
    hd_vec_push(&u->out->locs, ((hd_cloc){.func = f,
                                          .pos = u->code->loops.data[loop].pos,
                                          .loop = HD_NO_ID}));
}

/* Functions keep their registers and locations side by side. */
static void make_func(unwinder *u, hd_func_id f) {
  const hd_code *code = u->code;
  hd_func func = code->funcs.data[f];
  func.regs = (uint32_t)u->out->regs.size;
  func.locs = (uint32_t)u->out->locs.size;
  for (uint32_t i = 0; i < func.n_regs; i++)
    hd_vec_push(&u->out->regs, code->regs.data[code->funcs.data[f].regs + i]);
  for (uint32_t i = 0; i < func.n_locs; i++) {
    hd_loc_id old = code->funcs.data[f].locs + i;
    u->renamed[old] = (hd_loc_id)u->out->locs.size;
    hd_vec_push(&u->out->locs, code->locs.data[old]);
  }
  for (hd_vec_each(const uint32_t, loop, &u->loops_of[f])) {
    push_reg(u, *loop);
    push_locs(u, f, *loop);
  }
  func.n_regs = (uint32_t)u->out->regs.size - func.regs;
  func.n_locs = (uint32_t)u->out->locs.size - func.locs;
  if (func.defined) {
    uint32_t loop = code->locs.data[func.entry].loop;
    bool bounded = loop != HD_NO_ID && u->added[loop] != HD_NO_ID;
    func.entry = bounded ? u->added[loop] + ENTER : u->renamed[func.entry];
  }
  hd_vec_push(&u->out->funcs, func);
}

/* Marks what can be reached from the entry without passing `head`. */
static bool *outside(const hd_code *code, hd_loc_id head) {
  const hd_func *func = &code->funcs.data[code->locs.data[head].func];
  bool *seen = hd_calloc(code->locs.size, sizeof *seen);
  hd_u32s work = {0};
  if (func->entry != head) {
    seen[func->entry] = true;
    hd_vec_push(&work, func->entry);
  }
  while (work.size) {
    hd_loc_id at = hd_vec_pop(&work);
    for (uint32_t i = code->out_start[at]; i < code->out_start[at + 1]; i++) {
      hd_loc_id to = code->edges.data[code->out[i]].to;
      if (to == head || seen[to])
        continue;
      seen[to] = true;
      hd_vec_push(&work, to);
    }
  }
  hd_vec_free(&work);
  return seen;
}

/* Edges that lead nowhere are written as leading to where they begin. */
static bool goes_on(const hd_cedge *edge) {
  return edge->act != HD_CODE_RETURN && edge->act != HD_CODE_UNREACHABLE &&
         edge->act != HD_CODE_UNSUPPORTED;
}

/* All edges under their numbers; those into a head by way of its counter. */
static void move_edges(unwinder *u) {
  const hd_code *code = u->code;
  for (hd_vec_each(const hd_cedge, e, &code->edges)) {
    hd_cedge edge = *e;
    edge.from = u->renamed[e->from];
    edge.to = u->renamed[e->to];
    hd_vec_push(&u->out->edges, edge);
  }
  for (uint32_t l = 0; l < code->loops.size; l++) {
    if (u->added[l] == HD_NO_ID)
      continue;
    hd_loc_id head = code->loops.data[l].head;
    bool *seen = outside(code, head);
    for (hd_edge_id e = 0; e < code->edges.size; e++) {
      const hd_cedge *edge = &code->edges.data[e];
      if (edge->to == head && goes_on(edge))
        u->out->edges.data[e].to =
            u->added[l] + (hd_loc_id)(seen[edge->from] ? ENTER : BACK);
    }
    hd_free(seen);
  }
}

static void push_step(unwinder *u, uint32_t loop, hd_loc_id from, hd_loc_id to,
                      hd_cexpr_id guard, hd_cexpr_id value) {
  hd_cedge edge = {.from = from,
                   .to = to,
                   .act = HD_CODE_STEP,
                   .guard = guard,
                   .operands = (uint32_t)u->out->operands.size,
                   .targets = (uint32_t)u->out->targets.size,
                   .pos = u->code->loops.data[loop].pos};
  if (value != HD_NO_ID) {
    edge.n_operands = edge.n_targets = 1;
    hd_vec_push(&u->out->operands, value);
    hd_vec_push(&u->out->targets, u->counters[loop]);
  }
  hd_vec_push(&u->out->edges, edge);
}

static hd_cexpr_id binary(unwinder *u, hd_code_op op, hd_type type,
                          hd_cexpr_id a, hd_cexpr_id b) {
  return hd_code_expr(
      u->code,
      (hd_cexpr){.op = (uint8_t)op, .type = type, .args = {a, b, HD_NO_ID}});
}

static void count_loop(unwinder *u, uint32_t loop) {
  hd_code *code = u->code;
  hd_loc_id first = u->added[loop];
  hd_loc_id head = u->renamed[code->loops.data[loop].head];
  hd_cexpr_id counter =
      hd_code_expr(code, (hd_cexpr){.op = HD_CODE_REG,
                                    .type = i32,
                                    .args = {HD_NO_ID, HD_NO_ID, HD_NO_ID},
                                    .value = u->counters[loop]});
  hd_cexpr_id most = hd_code_int(code, i32, u->most);
  hd_cexpr_id one = hd_code_int(code, i32, 1);
  push_step(u, loop, first + ENTER, head, HD_NO_ID, hd_code_int(code, i32, 0));
  push_step(u, loop, first + BACK, head,
            binary(u, HD_CODE_ULT, i1, counter, most),
            binary(u, HD_CODE_ADD, i32, counter, one));
  push_step(u, loop, first + BACK, first + OVER,
            binary(u, HD_CODE_UGE, i1, counter, most), HD_NO_ID);
  hd_str text = {0};
  hd_str_puts(&text, "the loop at ");
  hd_code_print_pos(&text, code, code->loops.data[loop].pos);
  hd_str_printf(&text, " goes on after %u rounds (--unwind)", u->most);
  hd_cedge over = {.from = first + OVER,
                   .to = first + OVER,
                   .act = HD_CODE_UNSUPPORTED,
                   .guard = HD_NO_ID,
                   .pos = code->loops.data[loop].pos,
                   .text = hd_code_keep(code, hd_str_text(&text))};
  hd_vec_push(&u->out->edges, over);
  hd_str_free(&text);
}

/* The vectors that are made anew; all else belongs to the original. */
static void start(unwinder *u) {
  hd_code *out = u->out;
  memset(&out->funcs, 0, sizeof out->funcs);
  memset(&out->regs, 0, sizeof out->regs);
  memset(&out->locs, 0, sizeof out->locs);
  memset(&out->loops, 0, sizeof out->loops);
  memset(&out->edges, 0, sizeof out->edges);
  memset(&out->operands, 0, sizeof out->operands);
  memset(&out->targets, 0, sizeof out->targets);
  out->out_start = NULL;
  out->out = NULL;
  for (hd_vec_each(const hd_cexpr_id, e, &u->code->operands))
    hd_vec_push(&out->operands, *e);
  for (hd_vec_each(const hd_reg_id, r, &u->code->targets))
    hd_vec_push(&out->targets, *r);
}

hd_code *hd_unwind_new(hd_code *code, uint32_t most) {
  unwinder u = {.code = code, .out = hd_alloc(sizeof *u.out), .most = most};
  *u.out = *code;
  u.renamed = hd_calloc(code->locs.size + 1, sizeof *u.renamed);
  u.added = hd_calloc(code->loops.size + 1, sizeof *u.added);
  u.counters = hd_calloc(code->loops.size + 1, sizeof *u.counters);
  u.loops_of = hd_calloc(code->funcs.size + 1, sizeof *u.loops_of);
  start(&u);
  sort_loops(&u);
  for (hd_func_id f = 0; f < code->funcs.size; f++)
    make_func(&u, f);
  move_edges(&u);
  for (hd_vec_each(const hd_loop, l, &code->loops)) {
    hd_loop loop = *l;
    loop.head = u.renamed[l->head];
    hd_vec_push(&u.out->loops, loop);
  }
  for (uint32_t l = 0; l < code->loops.size; l++)
    if (u.added[l] != HD_NO_ID)
      count_loop(&u, l);
  u.out->exprs.data = code->exprs.data; /* it has grown */
  u.out->exprs.size = code->exprs.size;
  u.out->exprs.cap = code->exprs.cap;
  hd_code_finish(u.out);
  for (hd_func_id f = 0; f < code->funcs.size; f++)
    hd_vec_free(&u.loops_of[f]);
  hd_free(u.loops_of);
  hd_free(u.counters);
  hd_free(u.added);
  hd_free(u.renamed);
  return u.out;
}

void hd_unwind_delete(hd_code *unwound) {
  if (!unwound)
    return;
  hd_vec_free(&unwound->funcs);
  hd_vec_free(&unwound->regs);
  hd_vec_free(&unwound->locs);
  hd_vec_free(&unwound->loops);
  hd_vec_free(&unwound->edges);
  hd_vec_free(&unwound->operands);
  hd_vec_free(&unwound->targets);
  hd_free(unwound->out_start);
  hd_free(unwound->out);
  hd_free(unwound);
}
