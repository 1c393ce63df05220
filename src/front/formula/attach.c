/* SPDX-License-Identifier: MIT */
/* What an annotation is about.
 *
 * An invariant belongs to the loop statement that follows it: of the loops of
 * the graph the first behind the pragma in its file. clang keeps the position
 * of every loop statement, and when the source can be read nothing but blanks,
 * comments, labels and directives may stand between the two. An assertion or
 * assumption is where heddle-cc has put a step at the pragma's own position. An
 * input or output is every variable declared on the next line that has one. */
#include "front/formula/reader.h"

static hd_cpos here(const formula_reader *r) {
  return r->notes->code->pragmas.data[r->note.pragma].pos;
}

/* --- loops --- */

static bool attach_loop(formula_reader *r) {
  const hd_code *code = r->notes->code;
  uint32_t best = HD_NO_ID;
  for (uint32_t i = 0; i < code->loops.size; i++)
    if (hd_cpos_before(here(r), code->loops.data[i].pos) &&
        (best == HD_NO_ID ||
         hd_cpos_before(code->loops.data[i].pos, code->loops.data[best].pos)))
      best = i;
  hd_cpos next;
  bool known = hd_formula_behind(r, r->note.pragma, &next);
  if (best != HD_NO_ID && known) {
    hd_cpos at = code->loops.data[best].pos;
    if (at.line != next.line || at.column != next.column)
      best = HD_NO_ID;
  }
  if (best == HD_NO_ID) {
    hd_formula_error(r, 0, 0, "no loop follows this invariant%s%s",
                     known
                         ? ", which must stand directly before 'for', 'while' "
                           "or 'do'"
                         : "",
                     known ? " in a function that the program uses" : "");
    return false;
  }
  const hd_loop *loop = &code->loops.data[best];
  r->note.loop = best;
  r->note.func = code->locs.data[loop->head].func;
  r->note.scope = loop->scope != HD_NO_ID
                      ? loop->scope
                      : code->funcs.data[r->note.func].scope;
  if (loop->irreducible) {
    hd_formula_error(
        r, 0, 0,
        "this loop is entered by goto in several places; it cannot "
        "have an invariant");
    return false;
  }
  return true;
}

/* --- statements --- */

static bool attach_edge(formula_reader *r) {
  const hd_code *code = r->notes->code;
  const hd_pragma *pragma = &code->pragmas.data[r->note.pragma];
  hd_cpos at = pragma->pos;
  for (hd_edge_id e = 0; e < code->edges.size; e++) {
    const hd_cedge *edge = &code->edges.data[e];
    if (edge->act != HD_CODE_STEP || edge->guard != HD_NO_ID ||
        edge->n_targets || edge->pos.file != at.file ||
        edge->pos.line != at.line || edge->pos.column != at.column)
      continue;
    r->note.edge = e;
    r->note.func = code->locs.data[edge->from].func;
    r->note.scope = pragma->scope != HD_NO_ID
                        ? pragma->scope
                        : code->funcs.data[r->note.func].scope;
    return true;
  }
  hd_formula_error(
      r, 0, 0,
      "an assertion or assumption must stand between statements of a "
      "function that the program uses");
  return false;
}

/* --- declarations --- */

static bool is_behind(const formula_reader *r, hd_cpos pos) {
  return pos.file == here(r).file && pos.line > here(r).line;
}

/* Calls `look` for every variable that could be meant: global ones and those of
 * main. Parameters of main have no declaration of their own. */
static void each_variable(formula_reader *r,
                          void (*look)(formula_reader *r, hd_cvar var,
                                       uint32_t *line),
                          uint32_t *line) {
  const hd_code *code = r->notes->code;
  for (uint32_t i = 0; i < code->globals.size; i++)
    if (code->globals.data[i].cname)
      look(r, (hd_cvar){HD_CVAR_GLOBAL, HD_NO_ID, i}, line);
  if (code->main == HD_NO_ID)
    return;
  const hd_func *f = &code->funcs.data[code->main];
  for (uint32_t i = 0; i < f->n_regs; i++)
    if (code->regs.data[f->regs + i].cname &&
        code->regs.data[f->regs + i].scope != HD_NO_ID)
      look(r, (hd_cvar){HD_CVAR_REG, code->main, i}, line);
  for (uint32_t i = 0; i < f->n_slots; i++)
    if (code->slots.data[f->slots + i].cname)
      look(r, (hd_cvar){HD_CVAR_SLOT, code->main, i}, line);
}

static void first_line(formula_reader *r, hd_cvar var, uint32_t *line) {
  hd_cpos pos = hd_cvar_pos(r->notes->code, var);
  if (is_behind(r, pos) && pos.line < *line)
    *line = pos.line;
}

static void collect(formula_reader *r, hd_cvar var, uint32_t *line) {
  hd_cpos pos = hd_cvar_pos(r->notes->code, var);
  if (!is_behind(r, pos) || pos.line != *line)
    return;
  hd_vec_push(&r->notes->vars, var);
  r->note.n_vars++;
}

/* The step that makes an array of variable length. */
static hd_edge_id alloca_of(const hd_code *code, hd_cvar var) {
  for (hd_edge_id e = 0; e < code->edges.size; e++) {
    const hd_cedge *edge = &code->edges.data[e];
    if (edge->act == HD_CODE_ALLOCA &&
        code->locs.data[edge->from].func == var.func &&
        hd_code_target(code, edge, 0) == var.index)
      return e;
  }
  return HD_NO_ID;
}

/* Is there an assignment at the declaration itself? It would undo the input. */
static bool is_initialised(const hd_code *code, hd_cvar var) {
  hd_cpos pos = hd_cvar_pos(code, var);
  for (hd_edge_id e = 0; e < code->edges.size; e++) {
    const hd_cedge *edge = &code->edges.data[e];
    if (edge->pos.file != pos.file || edge->pos.line != pos.line ||
        edge->pos.column != pos.column)
      continue;
    for (uint32_t i = 0; var.kind == HD_CVAR_REG && i < edge->n_targets; i++)
      if (edge->act != HD_CODE_ALLOCA &&
          hd_code_target(code, edge, i) == var.index &&
          !(edge->act == HD_CODE_STEP &&
            code->exprs.data[hd_code_operand(code, edge, i)].op ==
                HD_CODE_UNDEF))
        return true;
    if (var.kind == HD_CVAR_SLOT && edge->act == HD_CODE_STORE)
      return true;
  }
  return false;
}

static bool check_input(formula_reader *r, hd_cvar var) {
  const hd_code *code = r->notes->code;
  hd_ctype_id id = hd_cvar_type(code, var);
  const hd_ctype *type = id < code->ctypes.size ? &code->ctypes.data[id] : NULL;
  const char *name = hd_cvar_name(code, var);
  const hd_ctype *element = type;
  while (element && element->kind == HD_CTYPE_ARRAY &&
         element->base < code->ctypes.size)
    element = &code->ctypes.data[element->base];
  if (element && element->kind == HD_CTYPE_POINTER) {
    hd_formula_error(r, 0, 0, "'%s' has pointers in it; an input cannot", name);
    return false;
  }
  if (var.kind != HD_CVAR_GLOBAL && is_initialised(code, var)) {
    hd_formula_error(
        r, 0, 0,
        "the local variable '%s' has an initial value, which would "
        "replace the input",
        name);
    return false;
  }
  if (var.kind == HD_CVAR_REG && type && type->kind == HD_CTYPE_ARRAY) {
    r->note.edge = alloca_of(code, var);
    if (r->note.edge == HD_NO_ID) {
      hd_formula_error(r, 0, 0, "'%s' is an array that is never made", name);
      return false;
    }
  }
  return true;
}

static bool attach_variables(formula_reader *r) {
  uint32_t line = UINT32_MAX;
  r->note.vars = (uint32_t)r->notes->vars.size;
  each_variable(r, first_line, &line);
  hd_cpos next;
  bool known = hd_formula_behind(r, r->note.pragma, &next);
  if (line == UINT32_MAX || (known && next.line != line)) {
    hd_formula_error(
        r, 0, 0,
        "no declaration of a global variable or one of main follows "
        "that the program uses");
    return false;
  }
  each_variable(r, collect, &line);
  bool local = false;
  for (uint32_t i = 0; i < r->note.n_vars; i++) {
    hd_cvar var = r->notes->vars.data[r->note.vars + i];
    local = local || var.kind != HD_CVAR_GLOBAL;
    if (r->note.kind == HD_NOTE_INPUT && !check_input(r, var))
      return false;
    if (r->note.kind == HD_NOTE_OUTPUT && var.kind != HD_CVAR_GLOBAL) {
      hd_formula_error(
          r, 0, 0,
          "the output '%s' is a local variable, which is gone at the "
          "end; make it a global one",
          hd_cvar_name(r->notes->code, var));
      return false;
    }
  }
  if (local) {
    const hd_code *code = r->notes->code;
    r->note.func = code->main;
    r->note.scope = code->funcs.data[code->main].scope;
  }
  return true;
}

bool hd_formula_attach(formula_reader *r) {
  switch (r->note.kind) {
  case HD_NOTE_INVARIANT:
    return attach_loop(r);
  case HD_NOTE_ASSERT:
  case HD_NOTE_ASSUME:
    return attach_edge(r);
  case HD_NOTE_INPUT:
  case HD_NOTE_OUTPUT:
    break;
  }
  return attach_variables(r);
}
