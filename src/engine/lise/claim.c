/* SPDX-License-Identifier: MIT */
/* What annotations claim: of a complete record over its snapshots (lines 19 to
 * 21 of figure 3), and of one process alone. */
#include "engine/lise/nest.h"

/* The annotation is wrong: it speaks of what is not there. */
static hd_going no_value(hd_lise *l, bool is_loop, const char *id,
                         const hd_note *note, hd_proc q, const char *why) {
  hd_proc was = l->proc;
  l->proc = q;
  l->finding->pragma = note->pragma;
  l->finding->why = HD_LISE_ENTRY;
  hd_going g =
      hd_lise_violate(l, is_loop ? HD_PROPERTY_INVARIANT : HD_PROPERTY_ASSERT,
                      "%s%s%s%s has no meaning for process %d: %s",
                      is_loop ? "invariant" : "assertion", *id ? " '" : "", id,
                      *id ? "'" : "", (int)l->state->procs.data[q]->rank, why);
  l->proc = was;
  return g;
}

/* What a process says about itself in its snapshot. */
static hd_going claim_of(hd_lise *l, const hd_lise_record *r, hd_proc q,
                         hd_term *claim, uint32_t *pragma) {
  const hd_notes *notes = l->sources[l->state->procs.data[q]->program].notes;
  hd_lise_view view = {.terms = l->terms,
                       .sources = l->sources,
                       .first = l->first,
                       .n_sources = l->n_programs,
                       .procs = (const hd_lise_proc *const *)r->snapshots.data,
                       .n_procs = l->n_procs};
  *claim = hd_term_bool(l->terms, true);
  uint32_t at = r->places.data[q];
  size_t i = r->is_loop ? hd_notes_at_loop(notes, at, 0)
                        : hd_notes_at_edge(notes, at, 0);
  for (; i < notes->notes.size; i = r->is_loop
                                        ? hd_notes_at_loop(notes, at, i + 1)
                                        : hd_notes_at_edge(notes, at, i + 1)) {
    const hd_note *note = &notes->notes.data[i];
    if (r->is_loop ? note->kind != HD_NOTE_INVARIANT
                   : note->kind != HD_NOTE_ASSERT)
      continue;
    *pragma = note->pragma;
    if (note->formula == HD_NO_ID)
      continue;
    hd_str why = {0};
    hd_term value = hd_lise_formula(&view, q, notes, note->formula, &why);
    if (!value || hd_term_is_undef(l->terms, value)) {
      hd_going g = no_value(l, r->is_loop, l->names.data[r->id], note, q,
                            hd_str_text(&why));
      hd_str_free(&why);
      return g;
    }
    hd_str_free(&why);
    *claim = hd_term_and(l->terms, *claim, value);
  }
  return HD_GO_ON;
}

/* Which process's claim cannot be shown? Says so. */
static hd_going claim_fails(hd_lise *l, const hd_lise_record *r,
                            const hd_term *claims, const uint32_t *pragmas) {
  hd_proc worst = HD_NO_ID;
  hd_proof how = HD_VALID;
  for (hd_proc q = 0; q < l->n_procs && worst == HD_NO_ID; q++) {
    if (!hd_lise_takes_part(l, r, q))
      continue;
    how = hd_lise_valid(l, claims[q]);
    if (how != HD_VALID)
      worst = q;
  }
  if (worst == HD_NO_ID)
    return HD_GO_ON; /* each alone can be shown */
  /* The record of the round before is still on the stack. */
  const hd_lise_state *s = l->state;
  bool again = s->stack.size && hd_vec_last(&s->stack)->id == r->id;
  hd_lise_culprit part = {
      .pragma = pragmas[worst], .claim = claims[worst], .how = how};
  if (hd_lise_blame(l, r, worst, &part))
    how = part.how;
  hd_str text = {0};
  hd_term_print(&text, l->terms, part.claim);
  l->denied = hd_term_not(l->terms, part.claim);
  l->finding->pragma = part.pragma;
  l->finding->why = how == HD_UNPROVED ? HD_LISE_UNPROVED
                    : again            ? HD_LISE_STEP_FAILS
                                       : HD_LISE_ENTRY;
  hd_proc was = l->proc;
  l->proc = worst;
  hd_property property =
      r->is_loop ? HD_PROPERTY_INVARIANT : HD_PROPERTY_ASSERT;
  hd_going g = hd_lise_violate(
      l, property, "%s '%s' %s for process %d: %s%s%s",
      r->is_loop ? "invariant" : "collective assertion", l->names.data[r->id],
      !r->is_loop          ? "cannot be shown"
      : how == HD_UNPROVED ? "cannot be proved"
      : again              ? "is not preserved by an iteration"
                           : "does not hold when the loop is entered",
      (int)l->state->procs.data[worst]->rank, part.text ? part.text : "",
      part.text ? ", that is, " : "", hd_str_text(&text));
  hd_free(part.text);
  l->proc = was;
  hd_str_free(&text);
  return g;
}

hd_going hd_lise_claim(hd_lise *l, const hd_lise_record *r, hd_term *claim) {
  hd_term *claims = hd_calloc(l->n_procs, sizeof *claims);
  uint32_t *pragmas = hd_calloc(l->n_procs, sizeof *pragmas);
  *claim = hd_term_bool(l->terms, true);
  hd_going g = HD_GO_ON;
  for (hd_proc q = 0; g == HD_GO_ON && q < l->n_procs; q++) {
    claims[q] = hd_term_bool(l->terms, true);
    pragmas[q] = HD_NO_ID;
    if (hd_lise_takes_part(l, r, q))
      g = claim_of(l, r, q, &claims[q], &pragmas[q]);
    if (g == HD_GO_ON)
      *claim = hd_term_and(l->terms, *claim, claims[q]);
  }
  if (g == HD_GO_ON && hd_lise_valid(l, *claim) != HD_VALID)
    g = claim_fails(l, r, claims, pragmas);
  hd_free(claims);
  hd_free(pragmas);
  return g;
}

hd_going hd_lise_own_note(hd_lise *l, const hd_notes *notes,
                          const hd_note *note) {
  hd_lise_view view = {.terms = l->terms,
                       .sources = l->sources,
                       .first = l->first,
                       .n_sources = l->n_programs,
                       .procs =
                           (const hd_lise_proc *const *)l->state->procs.data,
                       .n_procs = l->n_procs};
  if (note->formula == HD_NO_ID)
    return HD_GO_ON;
  hd_str why = {0};
  hd_term value = hd_lise_formula(&view, l->proc, notes, note->formula, &why);
  hd_going g = HD_GO_ON;
  if (!value || hd_term_is_undef(l->terms, value)) {
    g = no_value(l, false, note->id, note, l->proc, hd_str_text(&why));
  } else if (note->kind == HD_NOTE_ASSUME) {
    if (hd_lise_valid(l, hd_term_not(l->terms, value)) == HD_VALID)
      g = HD_PRUNED;
    else
      hd_lise_learn(l, value);
  } else {
    l->finding->pragma = note->pragma;
    g = hd_lise_check(l, value, HD_PROPERTY_ASSERT, "the assertion fails");
    if (g == HD_GO_ON)
      l->finding->pragma = HD_NO_ID;
  }
  hd_str_free(&why);
  return g;
}
