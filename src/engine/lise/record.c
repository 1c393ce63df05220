/* SPDX-License-Identifier: MIT */
/* The next-state function of loops with a collective invariant: figure 3 of
 * Siegel and Zirkel. (In line 3 the write set is that of the process.)
 *
 * A process comes to the head of such a loop (hd_lise_head): if it comes from
 * the loop's body, everything it has written there gets a new symbol, equal to
 * the old value in `relation`. That is its snapshot. It then executes the
 * condition; when that is decided (resolve), the snapshot goes into the oldest
 * record that waits for this process, or into a new one. The process whose
 * snapshot completes the oldest record proves the claim over the snapshots, the
 * relation is forgotten, and what the previous iteration has learnt with it.
 *
 * Which variables get new symbols is a matter of convergence, not of truth:
 * those that cannot (pointers) keep their values.
 *
 * In a plain run (replay.c) nothing gets new symbols and nothing is forgotten:
 * then the same code says whether the claim fails in a real execution. */
#include "engine/lise/loops.h"

#include <string.h>

/* --- the nest of loops of a process (section 2.3) --- */

typedef struct {
  bool on_stack;
  size_t index;
} slot;
typedef hd_vec(slot) slots;

static hd_lise_record *record_at(const hd_lise_state *s, slot at) {
  return at.on_stack ? s->stack.data[at.index] : s->queue.data[at.index];
}

static hd_lise_record *record_own(hd_lise_state *s, slot at) {
  hd_lise_record **place =
      at.on_stack ? &s->stack.data[at.index] : &s->queue.data[at.index];
  if ((*place)->refs > 1) {
    hd_lise_record *new = hd_lise_record_copy(*place);
    hd_lise_record_drop(*place);
    *place = new;
  }
  return *place;
}

static void nest_of(const hd_lise_state *s, hd_proc p, slots *out) {
  hd_vec_clear(out);
  size_t n = s->stack.size + s->queue.size;
  for (size_t i = 0; i < n; i++) {
    slot at = {i < s->stack.size, i < s->stack.size ? i : i - s->stack.size};
    const hd_lise_record *r = record_at(s, at);
    if (!r->is_loop || !r->snapshots.data[p])
      continue;
    if (out->size && record_at(s, hd_vec_last(out))->id == r->id)
      out->size--;
    if (r->is_true)
      hd_vec_push(out, at);
  }
}

bool hd_lise_in_loop(const hd_lise *l) {
  if (hd_lise_seen(l)->in_guard)
    return true;
  slots nest = {0};
  nest_of(l->state, l->proc, &nest);
  bool inside = nest.size > 0;
  hd_vec_free(&nest);
  return inside;
}

uint32_t hd_lise_ahead(const hd_lise_state *state, hd_proc p) {
  uint32_t n = 0;
  for (size_t i = 0; i < state->queue.size; i++)
    n += state->queue.data[i]->snapshots.data[p] != NULL;
  return n;
}

/* --- facts --- */

static void add_all(hd_term_list *out, const hd_term_list *from) {
  for (size_t i = 0; i < from->size; i++)
    hd_vec_push(out, from->data[i]);
}

/* --- numbers of messages --- */

static hd_term count_of(const hd_lise *l, hd_proc p, hd_proc other,
                        bool received) {
  const hd_lise_proc *proc = l->state->procs.data[p];
  size_t at = 2 * (size_t)(other - l->first[proc->program]) + received;
  return at < proc->counts.size ? proc->counts.data[at]
                                : hd_term_int(l->terms, 0);
}

void hd_lise_count(hd_lise *l, hd_proc other, bool received) {
  if (!l->counting)
    return;
  hd_lise_proc *me = hd_lise_me(l);
  size_t n = 2 * (size_t)l->programs[me->program].n_procs;
  size_t at = 2 * (size_t)(other - l->first[me->program]) + received;
  while (me->counts.size < n)
    hd_vec_push(&me->counts, hd_term_int(l->terms, 0));
  assert(at < n);
  me->counts.data[at] =
      hd_term_add(l->terms, me->counts.data[at], hd_term_int(l->terms, 1));
  hd_lise_wrote(
      l, (hd_lise_place){.object = 0, .frame = HD_NO_ID, .at = (int64_t)at});
}

/* What was sent and not received is on its way: always true. */
static void add_counts(const hd_lise *l, hd_term_list *out) {
  const hd_lise_state *s = l->state;
  for (hd_proc p = 0; p < s->procs.size; p++)
    for (hd_proc q = 0; q < s->procs.size; q++) {
      if (s->procs.data[p]->program != s->procs.data[q]->program)
        continue;
      int64_t queued = 0;
      for (size_t i = 0; i < s->messages.size; i++)
        queued += s->messages.data[i]->source == (int32_t)p &&
                  s->messages.data[i]->dest == (int32_t)q;
      hd_term way = hd_term_sub(l->terms, count_of(l, p, q, false),
                                count_of(l, q, p, true));
      hd_term fact = hd_term_eq(l->terms, way, hd_term_int(l->terms, queued));
      if (!hd_term_is_true(l->terms, fact))
        hd_vec_push(out, fact);
    }
}

void hd_lise_facts(const hd_lise *l, hd_term_list *out) {
  const hd_lise_state *s = l->state;
  add_all(out, &s->pc);
  for (size_t i = 0; i < s->stack.size; i++) {
    add_all(out, &s->stack.data[i]->ppc);
    add_all(out, &s->stack.data[i]->relation);
  }
  for (size_t i = 0; i < s->queue.size; i++) {
    add_all(out, &s->queue.data[i]->ppc);
    add_all(out, &s->queue.data[i]->relation);
  }
  for (size_t i = 0; i < s->procs.size; i++) {
    add_all(out, &s->procs.data[i]->guard);
    add_all(out, &s->procs.data[i]->relation);
  }
  if (l->counting)
    add_counts(l, out);
}

static void add_fact(const hd_lise *l, hd_term_list *list, hd_term fact) {
  if (hd_term_is_true(l->terms, fact))
    return;
  for (size_t i = 0; i < list->size; i++)
    if (list->data[i] == fact)
      return;
  hd_vec_push(list, fact);
}

void hd_lise_learn(hd_lise *l, hd_term fact) {
  hd_lise_state *s = l->state;
  if (hd_lise_seen(l)->in_guard) {
    add_fact(l, &hd_lise_me(l)->guard, fact);
    return;
  }
  slots nest = {0};
  nest_of(s, l->proc, &nest);
  if (nest.size && !l->plain)
    add_fact(l, &record_own(s, hd_vec_last(&nest))->ppc, fact);
  else
    add_fact(l, &s->pc, fact);
  hd_vec_free(&nest);
}

hd_proof hd_lise_valid(hd_lise *l, hd_term claim) {
  if (hd_term_is_const(l->terms, claim))
    return hd_term_is_true(l->terms, claim) ? HD_VALID : HD_INVALID;
  hd_term_list facts = {0};
  hd_lise_facts(l, &facts);
  hd_proof proof = hd_prover_valid(l->prover, facts.data, facts.size, claim);
  hd_vec_free(&facts);
  return proof;
}

hd_going hd_lise_decide(hd_lise *l, hd_term cond, bool *truth) {
  hd_terms *t = l->terms;
  if (hd_term_is_undef(t, cond))
    return hd_lise_violate(l, HD_PROPERTY_UNINIT,
                           "a choice depends on a value that was never set");
  if (hd_term_is_const(t, cond)) {
    *truth = hd_term_is_true(t, cond);
    return HD_GO_ON;
  }
  *truth = true;
  if (hd_lise_valid(l, cond) == HD_VALID)
    return HD_GO_ON;
  *truth = false;
  if (hd_lise_valid(l, hd_term_not(t, cond)) == HD_VALID)
    return HD_GO_ON;
  l->fork = cond;
  return HD_FORK;
}

hd_going hd_lise_concrete(hd_lise *l, hd_term term, int64_t *value,
                          const char *what) {
  hd_terms *t = l->terms;
  if (hd_term_is_undef(t, term))
    return hd_lise_violate(l, HD_PROPERTY_UNINIT, "%s was never set", what);
  if (hd_term_is_int(t, term, value))
    return HD_GO_ON;
  hd_term_list facts = {0}, symbols = {0};
  hd_lise_facts(l, &facts);
  term = hd_prover_simplify(l->prover, facts.data, facts.size, term);
  hd_going g = HD_GO_ON;
  if (!hd_term_is_int(t, term, value)) {
    /* a value that it can have, as a symbol equal to it */
    hd_term s = hd_lise_fresh(l, HD_OF_INT);
    hd_vec_push(&facts, hd_term_eq(t, s, term));
    hd_prover_values values = {0};
    hd_proof found =
        hd_prover_model(l->prover, facts.data, facts.size, &s, 1, &values);
    int64_t v = 0;
    bool negative = false;
    bool too_long = found == HD_VALID && strlen(values.data[0]) > 18;
    for (const char *c = found == HD_VALID && !too_long ? values.data[0] : "";
         *c; c++)
      if (*c == '-')
        negative = true;
      else if (*c >= '0' && *c <= '9')
        v = v * 10 + (*c - '0');
    v = negative ? -v : v;
    for (size_t i = 0; i < values.size; i++)
      hd_free(values.data[i]);
    hd_vec_free(&values);
    bool truth;
    if (found == HD_INVALID)
      g = HD_PRUNED;
    else if (found != HD_VALID || l->plain || too_long)
      g = hd_lise_refuse(l, "%s is symbolic", what);
    else
      g = hd_lise_decide(l, hd_term_eq(t, term, hd_term_int(t, v)), &truth);
    *value = v;
  }
  hd_vec_free(&facts);
  hd_vec_free(&symbols);
  return g;
}

hd_term hd_lise_fresh(hd_lise *l, hd_term_sort sort) {
  return hd_term_sym(l->terms, HD_SYM_Y, l->state->n_y++, sort);
}

/* --- write sets --- */

static bool same_place(hd_lise_place a, hd_lise_place b) {
  return a.object == b.object && a.frame == b.frame && a.at == b.at;
}

static bool has_place(const hd_lise_places *list, hd_lise_place place) {
  for (size_t i = 0; i < list->size; i++)
    if (same_place(list->data[i], place))
      return true;
  return false;
}

void hd_lise_wrote(hd_lise *l, hd_lise_place place) {
  hd_lise_state *s = l->state;
  if (l->plain || (!s->queue.size && !s->stack.size))
    return;
  slots nest = {0};
  nest_of(s, l->proc, &nest);
  for (size_t i = 0; i < nest.size; i++)
    if (!has_place(&record_at(s, nest.data[i])->writes.data[l->proc], place)) {
      hd_lise_record *r = record_own(s, nest.data[i]);
      hd_vec_push(&r->writes.data[l->proc], place);
    }
  hd_vec_free(&nest);
}

/* Gives a place a new symbol; false when there is nothing to give. */
static bool renew_value(hd_lise *l, hd_term *value, hd_term_list *relation) {
  hd_terms *t = l->terms;
  hd_term_sort sort = hd_term_sort_of(t, *value);
  if (sort == HD_OF_ANY || sort == HD_OF_PTR)
    return false;
  hd_term new = hd_lise_fresh(l, sort);
  add_fact(l, relation, hd_term_eq(t, new, *value));
  *value = new;
  return true;
}

static bool renew(hd_lise *l, hd_lise_proc *me, hd_lise_place place,
                  hd_loc_id head, hd_term_list *relation) {
  if (!place.object && place.frame == HD_NO_ID)
    return (size_t)place.at < me->counts.size &&
           renew_value(l, &me->counts.data[place.at], relation);
  if (!place.object) {
    if (place.frame >= me->frames.size)
      return false;
    const hd_lise_frame *f = &me->frames.data[place.frame];
    if (place.frame + 1 == me->frames.size &&
        !hd_lise_matters(l, me, head, (hd_reg_id)place.at))
      return false;
    return renew_value(l, &me->regs.data[f->regs + place.at], relation);
  }
  if (place.object >= me->objects.size || !me->objects.data[place.object] ||
      me->objects.data[place.object]->freed)
    return false;
  hd_lise_object *o = hd_lise_object_own(me, place.object);
  if (o->array)
    return renew_value(l, &o->array, relation);
  for (size_t i = 0; i < o->cells.size; i++) {
    hd_lise_cell *c = &o->cells.data[i];
    if (c->offset == place.at && c->bytes == place.frame)
      return renew_value(l, &c->value, relation);
  }
  return false;
}

static int place_order(hd_lise_place a, hd_lise_place b) {
  if (a.object != b.object)
    return a.object < b.object ? -1 : 1;
  if (a.frame != b.frame)
    return a.frame < b.frame ? -1 : 1;
  return a.at < b.at ? -1 : a.at > b.at;
}

static void sort_places(hd_lise_places *list) {
  for (size_t i = 1; i < list->size; i++)
    for (size_t k = i;
         k > 0 && place_order(list->data[k - 1], list->data[k]) > 0; k--) {
      hd_lise_place x = list->data[k];
      list->data[k] = list->data[k - 1];
      list->data[k - 1] = x;
    }
}

/* --- coming to a loop --- */

hd_going hd_lise_head(hd_lise *l, uint32_t loop) {
  hd_lise_state *s = l->state;
  slots nest = {0};
  nest_of(s, l->proc, &nest);
  uint32_t id = hd_lise_loop_id(l, hd_lise_seen(l)->program, loop);
  const hd_lise_record *r = nest.size ? record_at(s, hd_vec_last(&nest)) : NULL;
  hd_lise_proc *me = hd_lise_me(l);
  hd_loc_id head = hd_lise_code(l)->loops.data[loop].head;
  hd_vec_clear(&me->written);
  hd_vec_clear(&me->guard);
  hd_vec_clear(&me->relation);
  hd_lise_forget_dead(l, me);
  if (r && r->id == id && r->places.data[l->proc] == loop) {
    for (size_t i = 0; i < r->writes.data[l->proc].size; i++)
      hd_vec_push(&me->written, r->writes.data[l->proc].data[i]);
    sort_places(&me->written);
    for (size_t i = 0; i < me->written.size && !l->plain; i++)
      if (renew(l, me, me->written.data[i], head, &me->relation))
        l->abstract = true;
  }
  hd_vec_free(&nest);
  /* the snapshot is the process as it is now */
  hd_lise_proc *snapshot = hd_lise_proc_keep(me);
  me = hd_lise_me(l);
  assert(me != snapshot);
  hd_vec_clear(&snapshot->written);
  hd_vec_clear(&snapshot->guard);
  hd_vec_clear(&snapshot->relation);
  me->head = snapshot;
  me->in_guard = true;
  me->loop = loop;
  return HD_GO_ON;
}

/* --- the record --- */

static bool takes_part(const hd_lise *l, const hd_lise_record *r, hd_proc q) {
  return r->program == HD_NO_ID ||
         l->state->procs.data[q]->program == r->program;
}

static bool complete(const hd_lise *l, const hd_lise_record *r) {
  for (size_t q = 0; q < r->snapshots.size; q++)
    if (takes_part(l, r, (hd_proc)q) && !r->snapshots.data[q])
      return false;
  return true;
}

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
    if (!takes_part(l, r, q))
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

/* Lines 19 to 31 of figure 3: the first record of the queue is complete. */
static hd_going conclude(hd_lise *l) {
  hd_lise_state *s = l->state;
  const hd_lise_record *r3 = s->queue.data[0];
  hd_term *claims = hd_calloc(l->n_procs, sizeof *claims);
  uint32_t *pragmas = hd_calloc(l->n_procs, sizeof *pragmas);
  hd_term claim = hd_term_bool(l->terms, true);
  hd_going g = HD_GO_ON;
  for (hd_proc q = 0; g == HD_GO_ON && q < l->n_procs; q++) {
    claims[q] = hd_term_bool(l->terms, true);
    pragmas[q] = HD_NO_ID;
    if (takes_part(l, r3, q))
      g = claim_of(l, r3, q, &claims[q], &pragmas[q]);
    if (g == HD_GO_ON)
      claim = hd_term_and(l->terms, claim, claims[q]);
  }
  if (g == HD_GO_ON && hd_lise_valid(l, claim) != HD_VALID)
    g = claim_fails(l, r3, claims, pragmas);
  hd_free(claims);
  hd_free(pragmas);
  if (g != HD_GO_ON)
    return g;
  /* r4: with the claim, without the relation */
  hd_lise_record *r4 = record_own(s, (slot){false, 0});
  memmove(s->queue.data, s->queue.data + 1,
          (s->queue.size - 1) * sizeof *s->queue.data);
  s->queue.size--;
  if (!r4->is_loop) {
    hd_lise_record_drop(r4);
    return HD_GO_ON;
  }
  add_fact(l, &r4->ppc, claim);
  hd_vec_clear(&r4->relation);
  if (s->stack.size && hd_vec_last(&s->stack)->id == r4->id)
    hd_lise_record_drop(hd_vec_pop(&s->stack));
  if (r4->is_true) {
    hd_vec_push(&s->stack, r4);
    return HD_GO_ON;
  }
  hd_term_list *into =
      s->stack.size && !l->plain
          ? &record_own(s, (slot){true, s->stack.size - 1})->ppc
          : &s->pc;
  for (size_t i = 0; i < r4->ppc.size; i++)
    add_fact(l, into, r4->ppc.data[i]);
  hd_lise_record_drop(r4);
  return HD_GO_ON;
}

static hd_going settle_queue(hd_lise *l) {
  hd_going g = HD_GO_ON;
  while (g == HD_GO_ON && l->state->queue.size &&
         complete(l, l->state->queue.data[0]))
    g = conclude(l);
  return g;
}

/* Lines 4 to 8: the record for this arrival, own. NULL after a violation. */
static hd_lise_record *arrive(hd_lise *l, uint32_t id, uint32_t program,
                              bool is_loop, bool truth, hd_going *g) {
  hd_lise_state *s = l->state;
  *g = HD_GO_ON;
  for (size_t i = 0; i < s->queue.size; i++) {
    const hd_lise_record *r = s->queue.data[i];
    if (!takes_part(l, r, l->proc) || r->snapshots.data[l->proc])
      continue;
    if (r->id != id || r->is_loop != is_loop) {
      *g = hd_lise_violate(
          l, HD_PROPERTY_INVARIANT,
          "out of order: the process comes to '%s', but others have been at "
          "'%s' before",
          l->names.data[id], l->names.data[r->id]);
      return NULL;
    }
    if (is_loop && r->is_true != truth) {
      *g = hd_lise_violate(
          l, HD_PROPERTY_INVARIANT,
          "conflicting loop exit: the process %s loop '%s' in an iteration "
          "in which others %s",
          truth ? "goes on with" : "leaves", l->names.data[id],
          truth ? "have left it" : "have gone on");
      return NULL;
    }
    return record_own(s, (slot){false, i});
  }
  hd_lise_record *r = hd_lise_record_new(l->n_procs);
  r->id = id;
  r->program = program;
  r->is_loop = is_loop;
  r->is_true = truth;
  hd_vec_push(&s->queue, r);
  return r;
}

hd_going hd_lise_resolve(hd_lise *l, bool truth) {
  hd_lise_proc *me = hd_lise_me(l);
  uint32_t loop = me->loop;
  hd_going g;
  hd_lise_record *r =
      arrive(l, hd_lise_loop_id(l, me->program, loop),
             hd_lise_loop_joint(l, me->program, loop) ? HD_NO_ID : me->program,
             true, truth, &g);
  if (!r)
    return g;
  r->snapshots.data[l->proc] = me->head;
  me->head = NULL;
  r->places.data[l->proc] = loop;
  hd_vec_free(&r->writes.data[l->proc]);
  r->writes.data[l->proc] = me->written;
  memset(&me->written, 0, sizeof me->written);
  hd_term_list *facts = l->plain ? &l->state->pc : &r->ppc;
  for (size_t i = 0; i < me->guard.size; i++)
    add_fact(l, facts, me->guard.data[i]);
  for (size_t i = 0; i < me->relation.size; i++)
    add_fact(l, &r->relation, me->relation.data[i]);
  hd_vec_clear(&me->guard);
  hd_vec_clear(&me->relation);
  me->in_guard = false;
  me->loop = 0;
  return settle_queue(l);
}

/* --- on the way --- */

/* Before an edge: a loop that runs for ever is entered at once. */
hd_going hd_lise_passes(hd_lise *l) {
  const hd_lise_proc *me = hd_lise_seen(l);
  if (!me->in_guard || hd_lise_loop_decides(l, me->loop))
    return HD_GO_ON;
  return hd_lise_resolve(l, true);
}

hd_going hd_lise_passed(hd_lise *l, const hd_cedge *edge) {
  const hd_lise_proc *me = hd_lise_seen(l);
  if (!me->in_guard || me->frames.size != me->head->frames.size)
    return HD_GO_ON;
  if (!hd_lise_loop_contains(l, me->loop, edge->to))
    return hd_lise_resolve(l, false);
  if (hd_lise_edge_decides(l, me->loop, edge))
    return hd_lise_resolve(l, true);
  return HD_GO_ON;
}

/* The process must still be in the loop whose record says so. */
hd_going hd_lise_still_inside(hd_lise *l) {
  const hd_lise_state *s = l->state;
  const hd_lise_proc *me = hd_lise_seen(l);
  if (me->in_guard || (!s->queue.size && !s->stack.size))
    return HD_GO_ON;
  slots nest = {0};
  nest_of(l->state, l->proc, &nest);
  bool left = false;
  if (nest.size) {
    const hd_lise_record *r = record_at(s, hd_vec_last(&nest));
    left = r->snapshots.data[l->proc]->frames.size == me->frames.size &&
           !hd_lise_loop_contains(l, r->places.data[l->proc],
                                  me->frames.data[me->frames.size - 1].loc);
  }
  hd_vec_free(&nest);
  return left ? hd_lise_refuse(l, "leaving a loop with an invariant other "
                                  "than by its condition")
              : HD_GO_ON;
}

hd_going hd_lise_leaves_frame(hd_lise *l) {
  const hd_lise_proc *me = hd_lise_seen(l);
  bool left = me->in_guard && me->frames.size == me->head->frames.size;
  slots nest = {0};
  nest_of(l->state, l->proc, &nest);
  if (nest.size)
    left = left || record_at(l->state, hd_vec_last(&nest))
                           ->snapshots.data[l->proc]
                           ->frames.size == me->frames.size;
  hd_vec_free(&nest);
  return left ? hd_lise_refuse(l, "a return out of a loop with an invariant")
              : HD_GO_ON;
}

/* --- assertions and assumptions --- */

static hd_going own_note(hd_lise *l, const hd_notes *notes,
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

hd_going hd_lise_annotated(hd_lise *l, hd_edge_id edge) {
  uint32_t program = hd_lise_seen(l)->program;
  const hd_notes *notes = l->sources[program].notes;
  if (!notes)
    return HD_GO_ON;
  for (size_t i = hd_notes_at_edge(notes, edge, 0); i < notes->notes.size;
       i = hd_notes_at_edge(notes, edge, i + 1)) {
    const hd_note *note = &notes->notes.data[i];
    hd_going g = HD_GO_ON;
    if (note->kind != HD_NOTE_ASSERT && note->kind != HD_NOTE_ASSUME)
      continue;
    if (note->kind == HD_NOTE_ASSUME || note->reach == HD_NOTE_OWN) {
      g = own_note(l, notes, note);
    } else {
      hd_lise_record *r = arrive(
          l, hd_lise_name(l, note->id),
          note->reach == HD_NOTE_JOINT ? HD_NO_ID : program, false, false, &g);
      if (r) {
        hd_lise_proc *snapshot =
            hd_lise_proc_keep(l->state->procs.data[l->proc]);
        (void)hd_lise_me(l);
        r->snapshots.data[l->proc] = snapshot;
        r->places.data[l->proc] = edge;
        g = settle_queue(l);
      }
    }
    if (g != HD_GO_ON)
      return g;
  }
  return HD_GO_ON;
}
