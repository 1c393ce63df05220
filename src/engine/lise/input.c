/* SPDX-License-Identifier: MIT */
/* Inputs: variables behind `#pragma … input`, one symbol for all processes and
 * both programs, and what the program asks for by call, one symbol for each
 * call. Inside of loops with invariants those are like values of any iteration:
 * Y symbols. */
#include "engine/lise/engine.h"

#include <string.h>

static hd_term find(hd_lise *l, const char *name, hd_term_sort sort,
                    hd_proc proc, hd_edge_id edge) {
  uint32_t i = 0;
  for (; i < l->inputs.size; i++)
    if (l->inputs.data[i].sort == sort && l->inputs.data[i].proc == proc &&
        l->inputs.data[i].edge == edge && !strcmp(l->inputs.data[i].name, name))
      break;
  if (i == l->inputs.size)
    hd_vec_push(&l->inputs, ((hd_lise_input){.name = hd_strdup(name),
                                             .sort = sort,
                                             .proc = proc,
                                             .edge = edge}));
  return hd_term_sym(l->terms, HD_SYM_X, i, sort);
}

hd_term hd_lise_input_new(hd_lise *l, const char *name, hd_term_sort sort,
                          hd_proc proc, hd_edge_id edge) {
  if (l->guest || (!l->plain && (l->state->queue.size || l->state->stack.size)))
    return hd_lise_fresh(l, sort);
  hd_lise_proc *me = hd_lise_me(l);
  hd_str text = {0};
  hd_str_printf(&text, "%s#%u", name, ++me->n_inputs);
  hd_term x = find(l, hd_str_text(&text), sort, proc, edge);
  hd_str_free(&text);
  return x;
}

/* --- variables --- */

typedef struct {
  hd_lise *l;
  uint32_t object;
  const hd_code *code;
  hd_cvar var;
} target;

static void put(const target *g, int64_t offset, const hd_ctype *type,
                hd_term x) {
  hd_lise_proc *me = hd_lise_me(g->l);
  hd_lise_object *o = hd_lise_object_own(me, g->object);
  size_t at = 0;
  while (at < o->cells.size && o->cells.data[at].offset < offset)
    at++;
  hd_lise_cell cell = {offset, (uint32_t)type->size, x};
  hd_vec_push(&o->cells, cell);
  memmove(o->cells.data + at + 1, o->cells.data + at,
          (o->cells.size - 1 - at) * sizeof *o->cells.data);
  o->cells.data[at] = cell;
}

static void type_input(hd_lise *l, const hd_ctype *type, hd_term x) {
  if (type->kind == HD_CTYPE_BOOL && l->options->c_numbers) {
    hd_lise_learn(l, hd_lise_range(l, x, 1, false));
    return;
  }
  /* The number that the bits mean with a sign, whatever the type says. */
  hd_lise_typed(l, x, (hd_type){HD_TYPE_INT, (uint8_t)(8 * type->size)});
}

static void fill(const target *g, hd_ctype_id id, uint64_t offset) {
  const hd_ctype *type = &g->code->ctypes.data[id];
  switch (type->kind) {
  case HD_CTYPE_ARRAY:
    for (uint64_t i = 0; i < type->count; i++)
      fill(g, type->base, offset + i * g->code->ctypes.data[type->base].size);
    return;
  case HD_CTYPE_STRUCT:
    for (uint32_t i = 0; i < type->n_fields; i++) {
      const hd_cfield *f = &g->code->fields.data[type->fields + i];
      fill(g, f->type, offset + f->offset / 8);
    }
    return;
  case HD_CTYPE_BOOL:
  case HD_CTYPE_SIGNED:
  case HD_CTYPE_UNSIGNED:
  case HD_CTYPE_ENUM:
  case HD_CTYPE_FLOAT:
    break;
  default:
    return;
  }
  hd_str name = {0};
  hd_code_print_place(&name, g->code, hd_cvar_name(g->code, g->var),
                      hd_cvar_type(g->code, g->var), offset, type->size);
  hd_term x = find(g->l, hd_str_text(&name),
                   type->kind == HD_CTYPE_FLOAT ? HD_OF_REAL : HD_OF_INT,
                   HD_NO_ID, HD_NO_ID);
  hd_str_free(&name);
  type_input(g->l, type, x);
  put(g, (int64_t)offset, type, x);
}

static void make_input(hd_lise *l, const hd_notes *notes, hd_cvar var) {
  const hd_code *code = notes->code;
  hd_ctype_id id = hd_cvar_type(code, var);
  if (id == HD_NO_ID)
    return;
  if (var.kind == HD_CVAR_REG) {
    const hd_ctype *type = &code->ctypes.data[id];
    hd_term_sort sort = type->kind == HD_CTYPE_FLOAT ? HD_OF_REAL : HD_OF_INT;
    hd_term x = find(l, hd_cvar_name(code, var), sort, HD_NO_ID, HD_NO_ID);
    type_input(l, type, x);
    hd_lise_set_reg(l, var.index, x);
    return;
  }
  target g = {.l = l, .code = code, .var = var};
  g.object = var.kind == HD_CVAR_GLOBAL
                 ? var.index + 1
                 : hd_lise_slot(hd_lise_seen(l), 0, var.index);
  hd_vec_clear(&hd_lise_object_own(hd_lise_me(l), g.object)->cells);
  fill(&g, id, 0);
}

/* What the pragma says about the value. */
static void constrain(hd_lise *l, const hd_notes *notes, const hd_note *note) {
  if (note->formula == HD_NO_ID)
    return;
  hd_lise_view view = {.terms = l->terms,
                       .sources = l->sources,
                       .first = l->first,
                       .n_sources = l->n_programs,
                       .procs =
                           (const hd_lise_proc *const *)l->state->procs.data,
                       .n_procs = l->n_procs};
  hd_str why = {0};
  hd_term t = hd_lise_formula(&view, l->proc, notes, note->formula, &why);
  if (t && !hd_term_is_undef(l->terms, t))
    hd_lise_learn(l, t);
  else
    hd_lise_note(l, "the condition of an input is not used");
  hd_str_free(&why);
}

void hd_lise_inputs_at_start(hd_lise *l) {
  const hd_notes *notes = l->sources[hd_lise_seen(l)->program].notes;
  for (int round = 0; notes && round < 2; round++)
    for (size_t i = 0; i < notes->notes.size; i++) {
      const hd_note *note = &notes->notes.data[i];
      if (note->kind != HD_NOTE_INPUT || note->edge != HD_NO_ID)
        continue;
      for (uint32_t k = 0; k < note->n_vars && !round; k++)
        make_input(l, notes, notes->vars.data[note->vars + k]);
      if (round)
        constrain(l, notes, note);
    }
}

void hd_lise_input_alloca(hd_lise *l, hd_edge_id edge, uint32_t object) {
  const hd_notes *notes = l->sources[hd_lise_seen(l)->program].notes;
  for (size_t i = notes ? hd_notes_at_edge(notes, edge, 0) : 0;
       notes && i < notes->notes.size;
       i = hd_notes_at_edge(notes, edge, i + 1)) {
    const hd_note *note = &notes->notes.data[i];
    if (note->kind != HD_NOTE_INPUT || !note->n_vars)
      continue;
    hd_cvar var = notes->vars.data[note->vars];
    hd_ctype_id id = hd_cvar_type(notes->code, var);
    while (id != HD_NO_ID &&
           (notes->code->ctypes.data[id].kind == HD_CTYPE_ARRAY ||
            notes->code->ctypes.data[id].kind == HD_CTYPE_POINTER))
      id = notes->code->ctypes.data[id].base;
    if (id == HD_NO_ID)
      continue;
    const hd_ctype *type = &notes->code->ctypes.data[id];
    hd_term_sort sort = type->kind == HD_CTYPE_FLOAT ? HD_OF_REALS : HD_OF_INTS;
    hd_lise_object *o = hd_lise_object_own(hd_lise_me(l), object);
    o->array =
        find(l, hd_cvar_name(notes->code, var), sort, HD_NO_ID, HD_NO_ID);
    o->stride = (uint32_t)type->size;
    hd_lise_input *in = &l->inputs.data[hd_term_args(l->terms, o->array)[1]];
    in->size = l->plain ? o->size : 0;
    in->stride = o->stride;
  }
}
