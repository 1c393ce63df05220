/* SPDX-License-Identifier: MIT */
#include "model/reuse.h"

#include "model/calls.h"

#include <string.h>

/* --- can an id come again? --- */

static bool creates(hd_library_fn fn) {
  return hd_library_action(fn) == HD_DO_SPAWN;
}
static bool joins(hd_library_fn fn) {
  return hd_library_action(fn) == HD_DO_JOIN;
}
static bool detaches(hd_library_fn fn) {
  return hd_library_action(fn) == HD_DO_DETACH ||
         fn == HD_LIB_pthread_attr_setdetachstate;
}

/* Does a way lead from here to a call that creates, in this function? */
static bool creates_behind(const hd_code *code, hd_loc_id from) {
  const hd_func *f = &code->funcs.data[code->locs.data[from].func];
  bool *seen = hd_calloc(f->n_locs, sizeof *seen);
  hd_vec(hd_loc_id) todo = {0};
  bool found = false;
  hd_vec_push(&todo, from);
  while (todo.size && !found) {
    hd_loc_id l = hd_vec_pop(&todo);
    if (seen[l - f->locs])
      continue;
    seen[l - f->locs] = true;
    for (uint32_t i = code->out_start[l]; i < code->out_start[l + 1]; i++) {
      const hd_cedge *e = &code->edges.data[code->out[i]];
      found = found || creates(hd_call_of(code, e));
      hd_vec_push(&todo, e->to);
    }
  }
  hd_vec_free(&todo);
  hd_free(seen);
  return found;
}

/* An id is given away again after a join, or when a detached thread ends. */
static bool may_come_again(const hd_code *code) {
  hd_func_id creator = HD_NO_ID, joiner = HD_NO_ID;
  bool several = false, behind = false;
  for (hd_vec_each(const hd_cedge, e, &code->edges)) {
    hd_library_fn fn = hd_call_of(code, e);
    hd_func_id func = code->locs.data[e->from].func;
    if (detaches(fn))
      return true;
    if (creates(fn)) {
      several = several || (creator != HD_NO_ID && creator != func);
      creator = func;
    }
    if (joins(fn)) {
      several = several || (joiner != HD_NO_ID && joiner != func);
      joiner = func;
      behind = behind || creates_behind(code, e->to);
    }
  }
  if (creator == HD_NO_ID || joiner == HD_NO_ID)
    return false;
  return behind || several || creator != joiner;
}

/* --- who looks at one? --- */

static hd_ctype_id element(const hd_code *code, hd_ctype_id t) {
  while (t != HD_NO_ID && code->ctypes.data[t].kind == HD_CTYPE_ARRAY)
    t = code->ctypes.data[t].base;
  return t;
}

static bool is_id(const hd_code *code, hd_ctype_id t) {
  t = element(code, t);
  const char *name = t == HD_NO_ID ? NULL : code->ctypes.data[t].name;
  return name && (!strcmp(name, "pthread_t") || !strcmp(name, "thrd_t"));
}

/* The type of what an address that is written out leads to. */
static hd_ctype_id type_at(const hd_code *code, const hd_func *f,
                           hd_cexpr_id id) {
  const hd_cexpr *e = &code->exprs.data[id];
  if (e->op == HD_CODE_GLOBAL)
    return code->globals.data[e->value].ctype;
  if (e->op == HD_CODE_SLOT)
    return code->slots.data[f->slots + e->value].ctype;
  if (e->op == HD_CODE_REG) {
    hd_ctype_id p = code->regs.data[f->regs + e->value].ctype;
    bool points =
        p != HD_NO_ID && code->ctypes.data[p].kind == HD_CTYPE_POINTER;
    return points ? code->ctypes.data[p].base : HD_NO_ID;
  }
  if (e->op != HD_CODE_PTRADD)
    return HD_NO_ID;
  hd_ctype_id t = element(code, type_at(code, f, e->args[0]));
  const hd_cexpr *by = &code->exprs.data[e->args[1]];
  if (t == HD_NO_ID || code->ctypes.data[t].kind != HD_CTYPE_STRUCT)
    return t;
  const hd_ctype *c = &code->ctypes.data[t];
  for (uint32_t i = 0; i < c->n_fields && by->op == HD_CODE_INT; i++)
    if (code->fields.data[c->fields + i].offset == 8 * by->value)
      return code->fields.data[c->fields + i].type;
  return HD_NO_ID;
}

static bool holds_id(const hd_code *code, const hd_func *f, const bool *regs,
                     hd_cexpr_id id) {
  const hd_cexpr *e = &code->exprs.data[id];
  if (e->op == HD_CODE_REG)
    return regs[e->value] ||
           is_id(code, code->regs.data[f->regs + e->value].ctype);
  return e->args[0] != HD_NO_ID && e->args[1] == HD_NO_ID &&
         holds_id(code, f, regs, e->args[0]);
}

static bool compares(const hd_code *code, const hd_func *f, const bool *regs,
                     hd_cexpr_id id) {
  if (id == HD_NO_ID)
    return false;
  const hd_cexpr *e = &code->exprs.data[id];
  bool equality = e->op == HD_CODE_EQ || e->op == HD_CODE_NE;
  for (int i = 0; i < 2 && equality; i++)
    if (holds_id(code, f, regs, e->args[i]) &&
        code->exprs.data[e->args[!i]].op != HD_CODE_INT &&
        code->exprs.data[e->args[!i]].op != HD_CODE_NULL)
      return true;
  for (int i = 0; i < 3; i++)
    if (compares(code, f, regs, e->args[i]))
      return true;
  return false;
}

/* One more register with an id? */
static bool mark(bool *regs, hd_reg_id reg) {
  bool fresh = !regs[reg];
  regs[reg] = true;
  return fresh;
}

/* Registers that a load, a copy, or a call that tells one's own id puts an id
 * into. */
static bool find_more_ids(const hd_code *code, const hd_func *f, bool *regs) {
  bool more = false;
  for (hd_loc_id l = f->locs; l < f->locs + f->n_locs; l++)
    for (uint32_t i = code->out_start[l]; i < code->out_start[l + 1]; i++) {
      const hd_cedge *e = &code->edges.data[code->out[i]];
      hd_library_fn fn = hd_call_of(code, e);
      bool id = hd_library_action(fn) == HD_DO_SELF ||
                (e->act == HD_CODE_LOAD &&
                 is_id(code, type_at(code, f, hd_code_operand(code, e, 0))));
      if (id && e->n_targets)
        more |= mark(regs, hd_code_target(code, e, 0));
      for (uint32_t k = 0; e->act == HD_CODE_STEP && k < e->n_targets; k++)
        if (holds_id(code, f, regs, hd_code_operand(code, e, k)))
          more |= mark(regs, hd_code_target(code, e, k));
    }
  return more;
}

/* It goes where its type does not tell any more what it is. */
static bool leaves(const hd_code *code, const hd_func *f, const bool *regs,
                   const hd_cedge *e) {
  const hd_cexpr_id *operands = &code->operands.data[e->operands];
  if (e->act == HD_CODE_RETURN)
    return e->n_operands && holds_id(code, f, regs, operands[0]) &&
           code->exprs.data[operands[0]].op != HD_CODE_INT;
  if (e->act == HD_CODE_STORE)
    return holds_id(code, f, regs, operands[1]) &&
           !is_id(code, type_at(code, f, operands[0]));
  const hd_cexpr *callee = &code->exprs.data[operands[0]];
  if (e->act != HD_CODE_CALL || callee->op != HD_CODE_FUNC)
    return false;
  const hd_func *g = &code->funcs.data[callee->value];
  for (uint32_t i = 1; g->defined && i < e->n_operands && i <= g->n_params; i++)
    if (holds_id(code, f, regs, operands[i]) &&
        !is_id(code, code->regs.data[g->regs + i - 1].ctype))
      return true;
  return false;
}

static bool compares_memory(const hd_code *code, const hd_func *f,
                            const hd_cedge *e) {
  if (hd_call_of(code, e) != HD_LIB_memcmp)
    return false;
  for (uint32_t i = 1; i < e->n_operands; i++)
    if (is_id(code, type_at(code, f, hd_code_operand(code, e, i))))
      return true;
  return false;
}

static hd_edge_id compared_in(const hd_code *code, const hd_func *f) {
  bool *regs = hd_calloc(f->n_regs + 1, sizeof *regs);
  hd_edge_id found = HD_NO_ID;
  while (find_more_ids(code, f, regs))
    continue;
  for (hd_loc_id l = f->locs; l < f->locs + f->n_locs; l++)
    for (uint32_t i = code->out_start[l];
         i < code->out_start[l + 1] && found == HD_NO_ID; i++) {
      const hd_cedge *e = &code->edges.data[code->out[i]];
      hd_library_fn fn = hd_call_of(code, e);
      bool tells = hd_library_action(fn) == HD_DO_SAME ||
                   compares(code, f, regs, e->guard) ||
                   leaves(code, f, regs, e) || compares_memory(code, f, e);
      for (uint32_t k = 0; k < e->n_operands && !tells; k++)
        tells = compares(code, f, regs, hd_code_operand(code, e, k));
      if (tells)
        found = code->out[i];
    }
  hd_free(regs);
  return found;
}

hd_edge_id hd_code_compares_ids(const hd_code *code) {
  hd_edge_id found = HD_NO_ID;
  if (!may_come_again(code))
    return found;
  for (hd_vec_each(const hd_func, f, &code->funcs))
    if (f->defined && found == HD_NO_ID)
      found = compared_in(code, f);
  return found;
}

bool hd_code_detaches(const hd_code *code) {
  for (hd_vec_each(const hd_cedge, e, &code->edges))
    if (detaches(hd_call_of(code, e)))
      return true;
  return false;
}

bool hd_code_frees(const hd_code *code) {
  return hd_code_may(code, HD_DO_FREE) || hd_code_may(code, HD_DO_RESIZE);
}
