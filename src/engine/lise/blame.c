/* SPDX-License-Identifier: MIT */
/* An annotation that cannot be shown is a conjunction most of the time: says
 * which part of it is to blame, in the words of the source. */
#include "engine/lise/engine.h"

/* The first part of a formula that does not follow from what is known; the
 * other parts are not assumed. */
static bool find_part(hd_lise *l, const hd_lise_view *view, hd_proc q,
                      const hd_notes *notes, hd_formula_id id,
                      hd_lise_culprit *out) {
  const hd_formula *f = &notes->formulas.data[id];
  if (f->op == HD_FORMULA_AND)
    return find_part(l, view, q, notes, f->args[0], out) ||
           find_part(l, view, q, notes, f->args[1], out);
  hd_str why = {0};
  hd_term claim = hd_lise_formula(view, q, notes, id, &why);
  hd_str_free(&why);
  if (!claim)
    return false;
  out->how = hd_lise_valid(l, claim);
  out->claim = claim;
  out->formula = id;
  return out->how != HD_VALID;
}

bool hd_lise_blame(hd_lise *l, const hd_lise_record *r, hd_proc q,
                   hd_lise_culprit *out) {
  const hd_notes *notes = l->sources[l->state->procs.data[q]->program].notes;
  hd_lise_view view = {
      .terms = l->terms,
      .sources = l->sources,
      .first = l->first,
      .n_sources = l->n_programs,
      .procs = (const hd_lise_proc *const *)r->snapshots.data,
      .n_procs = l->n_procs,
  };
  uint32_t at = r->places.data[q];
  for (size_t i = 0; i < notes->notes.size; i++) {
    const hd_note *n = &notes->notes.data[i];
    bool here = r->is_loop ? n->kind == HD_NOTE_INVARIANT && n->loop == at
                           : n->kind == HD_NOTE_ASSERT && n->edge == at;
    if (!here || n->formula == HD_NO_ID)
      continue;
    out->pragma = n->pragma;
    if (find_part(l, &view, q, notes, n->formula, out)) {
      hd_str text = {0};
      hd_formula_print(&text, notes, out->formula);
      out->text = hd_str_take(&text);
      return true;
    }
  }
  return false;
}
