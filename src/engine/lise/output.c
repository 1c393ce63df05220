/* SPDX-License-Identifier: MIT */
/* The end of two programs that are compared: the outputs of the first, in its
 * process of rank 0, must be those of the second, and so its exit status. Outputs are global variables,
 * so their sizes are numbers and they are compared scalar by scalar; the first
 * that may differ is named. */
#include "engine/lise/engine.h"

#include <string.h>

typedef struct {
  hd_lise *l;
  const hd_notes *notes[2];
  const hd_lise_proc *procs[2];
  hd_cvar vars[2];
  const char *name;
} pair;

static hd_type scalar_of(const hd_ctype *type) {
  hd_type_kind kind = type->kind == HD_CTYPE_FLOAT     ? HD_TYPE_FLOAT
                      : type->kind == HD_CTYPE_POINTER ? HD_TYPE_PTR
                                                       : HD_TYPE_INT;
  return (hd_type){(uint8_t)kind, (uint8_t)(8 * type->size)};
}

static hd_going compare_scalar(const pair *p, uint64_t offset,
                               const hd_ctype *type) {
  hd_lise *l = p->l;
  hd_term values[2];
  hd_str place = {0};
  const hd_code *code = p->notes[0]->code;
  hd_code_print_place(&place, code, p->name, hd_cvar_type(code, p->vars[0]),
                      offset, type->size);
  hd_going going = HD_GO_ON;
  for (int i = 0; i < 2 && going == HD_GO_ON; i++) {
    values[i] = hd_lise_peek(
        l->terms, p->notes[i]->code, p->procs[i], p->vars[i].index + 1,
        hd_term_int(l->terms, (int64_t)offset), scalar_of(type));
    if (!values[i])
      going = hd_lise_refuse(l, "the output %s was written as another type",
                             hd_str_text(&place));
  }
  bool unset[2] = {going == HD_GO_ON && hd_term_is_undef(l->terms, values[0]),
                   going == HD_GO_ON && hd_term_is_undef(l->terms, values[1])};
  if (unset[0] != unset[1])
    going = hd_lise_violate(
        l, HD_PROPERTY_ASSERT, "the output %s is set by the %s only",
        hd_str_text(&place), unset[0] ? "implementation" : "specification");
  else if (going == HD_GO_ON && !unset[0]) {
    hd_str a = {0}, b = {0};
    hd_term_print(&a, l->terms, values[0]);
    hd_term_print(&b, l->terms, values[1]);
    going = hd_lise_check(
        l, hd_term_eq(l->terms, values[0], values[1]), HD_PROPERTY_ASSERT,
        "the output %s is %s in the specification and %s in "
        "the implementation",
        hd_str_text(&place), hd_str_text(&a), hd_str_text(&b));
    hd_str_free(&a);
    hd_str_free(&b);
  }
  hd_str_free(&place);
  return going;
}

/* All scalars of an object of this type at `offset`, in order. */
static hd_going compare_object(const pair *p, uint64_t offset, hd_ctype_id id) {
  const hd_code *code = p->notes[0]->code;
  const hd_ctype *type = &code->ctypes.data[id];
  hd_going going = HD_GO_ON;
  if (type->kind == HD_CTYPE_ARRAY) {
    uint64_t each = code->ctypes.data[type->base].size;
    for (uint64_t i = 0; i < type->count && going == HD_GO_ON; i++)
      going = compare_object(p, offset + i * each, type->base);
  } else if (type->kind == HD_CTYPE_STRUCT) {
    for (uint32_t i = 0; i < type->n_fields && going == HD_GO_ON; i++) {
      const hd_cfield *f = &code->fields.data[type->fields + i];
      if (f->bits % 8 || f->offset % 8)
        return hd_lise_refuse(p->l, "an output with bit fields");
      going = compare_object(p, offset + f->offset / 8, f->type);
    }
  } else {
    going = compare_scalar(p, offset, type);
  }
  return going;
}

static bool find_output(const hd_notes *notes, const char *name, hd_cvar *var) {
  for (size_t i = 0; i < notes->notes.size; i++) {
    const hd_note *n = &notes->notes.data[i];
    for (uint32_t k = 0; n->kind == HD_NOTE_OUTPUT && k < n->n_vars; k++) {
      *var = notes->vars.data[n->vars + k];
      if (!strcmp(hd_cvar_name(notes->code, *var), name))
        return true;
    }
  }
  return false;
}

static hd_going compare_all(hd_lise *l) {
  pair p = {.l = l};
  for (int i = 0; i < 2; i++) {
    p.notes[i] = l->sources[i].notes;
    p.procs[i] = l->state->procs.data[l->first[i]];
  }
  const hd_notes *spec = p.notes[0];
  for (size_t i = 0; i < spec->notes.size; i++) {
    const hd_note *n = &spec->notes.data[i];
    for (uint32_t k = 0; n->kind == HD_NOTE_OUTPUT && k < n->n_vars; k++) {
      p.vars[0] = spec->vars.data[n->vars + k];
      p.name = hd_cvar_name(spec->code, p.vars[0]);
      if (!find_output(p.notes[1], p.name, &p.vars[1]))
        continue;
      hd_going going =
          compare_object(&p, 0, hd_cvar_type(spec->code, p.vars[0]));
      if (going != HD_GO_ON)
        return going;
    }
  }
  return HD_GO_ON;
}

/* What the system gets to know: eight bits. */
static hd_going compare_status(hd_lise *l) {
  hd_term status[2], all = hd_term_int(l->terms, 256);
  for (int i = 0; i < 2; i++) {
    status[i] = l->state->procs.data[l->first[i]]->exit_status;
    if (!status[i]) /* MPI_Abort */
      return HD_GO_ON;
    if (hd_term_is_undef(l->terms, status[i]))
      return hd_lise_refuse(l, "an exit status that was never set");
    status[i] = hd_term_emod(l->terms, status[i], all);
  }
  hd_str a = {0}, b = {0};
  hd_term_print(&a, l->terms, status[0]);
  hd_term_print(&b, l->terms, status[1]);
  hd_going going = hd_lise_check(
      l, hd_term_eq(l->terms, status[0], status[1]), HD_PROPERTY_ASSERT,
      "the exit status is %s in the specification and %s in the implementation",
      hd_str_text(&a), hd_str_text(&b));
  hd_str_free(&a);
  hd_str_free(&b);
  return going;
}

hd_going hd_lise_outputs(hd_lise *l) {
  if (l->n_programs != 2 || !l->sources[0].notes || !l->sources[1].notes)
    return HD_GO_ON;
  l->comparing = true;
  hd_going going = compare_all(l);
  if (going == HD_GO_ON)
    going = compare_status(l);
  l->comparing = false;
  return going;
}
