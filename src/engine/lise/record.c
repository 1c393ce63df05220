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
#include "engine/lise/nest.h"

#include <string.h>

/* --- coming to a loop --- */

/* Gives a place a new symbol; false when there is nothing to give. */
static bool renew_value(hd_lise *l, hd_lise_proc *me, hd_term *value,
                        unsigned bytes, hd_term_list *relation) {
  hd_terms *t = l->terms;
  hd_term_sort sort = hd_term_sort_of(t, *value);
  if (sort == HD_OF_ANY || sort == HD_OF_PTR)
    return false;
  hd_term new = hd_lise_fresh(l, sort);
  hd_lise_add_fact(l, relation, hd_term_eq(t, new, *value));
  *value = new;
  if (l->options->c_numbers && bytes && sort == HD_OF_INT)
    hd_lise_add_fact(l, &me->guard, hd_lise_range(l, new, 8 * bytes, true));
  return true;
}

static bool renew(hd_lise *l, hd_lise_proc *me, hd_lise_place place,
                  hd_loc_id head, hd_term_list *relation) {
  if (!place.object && place.frame == HD_NO_ID)
    return (size_t)place.at < me->counts.size &&
           renew_value(l, me, &me->counts.data[place.at], 0, relation);
  if (!place.object) {
    if (place.frame >= me->frames.size)
      return false;
    const hd_lise_frame *f = &me->frames.data[place.frame];
    if (place.frame + 1 == me->frames.size &&
        !hd_lise_matters(l, me, head, (hd_reg_id)place.at))
      return false;
    const hd_code *code = hd_lise_code(l);
    hd_type type =
        code->regs.data[code->funcs.data[f->func].regs + (uint64_t)place.at]
            .type;
    return renew_value(l, me, &me->regs.data[f->regs + place.at],
                       type.kind == HD_TYPE_INT ? type.width / 8u : 0,
                       relation);
  }
  if (place.object >= me->objects.size || !me->objects.data[place.object] ||
      me->objects.data[place.object]->freed)
    return false;
  hd_lise_object *o = hd_lise_object_own(me, place.object);
  if (o->array)
    return renew_value(l, me, &o->array, 0, relation);
  for (size_t i = 0; i < o->cells.size; i++) {
    hd_lise_cell *c = &o->cells.data[i];
    if (c->offset == place.at && c->bytes == place.frame)
      return renew_value(l, me, &c->value, c->bytes, relation);
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

hd_going hd_lise_head(hd_lise *l, uint32_t loop) {
  hd_lise_state *s = l->state;
  hd_lise_nest nest = {0};
  hd_lise_nest_of(s, l->proc, &nest);
  uint32_t id = hd_lise_loop_id(l, hd_lise_seen(l)->program, loop);
  const hd_lise_record *r =
      nest.size ? hd_lise_rung_record(s, hd_vec_last(&nest)) : NULL;
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

bool hd_lise_takes_part(const hd_lise *l, const hd_lise_record *r, hd_proc q) {
  return r->program == HD_NO_ID ||
         l->state->procs.data[q]->program == r->program;
}

static bool complete(const hd_lise *l, const hd_lise_record *r) {
  for (size_t q = 0; q < r->snapshots.size; q++)
    if (hd_lise_takes_part(l, r, (hd_proc)q) && !r->snapshots.data[q])
      return false;
  return true;
}

/* Lines 19 to 31 of figure 3: the first record of the queue is complete. */
static hd_going conclude(hd_lise *l) {
  hd_lise_state *s = l->state;
  const hd_lise_record *r3 = s->queue.data[0];
  hd_term claim;
  hd_going g = hd_lise_claim(l, r3, &claim);
  if (g != HD_GO_ON)
    return g;
  /* r4: with the claim, without the relation */
  hd_lise_record *r4 = hd_lise_rung_own(s, (hd_lise_rung){false, 0, 0});
  memmove(s->queue.data, s->queue.data + 1,
          (s->queue.size - 1) * sizeof *s->queue.data);
  s->queue.size--;
  if (!r4->is_loop) {
    hd_lise_record_drop(r4);
    return HD_GO_ON;
  }
  hd_lise_add_fact(l, &r4->ppc, claim);
  hd_vec_clear(&r4->relation);
  if (s->stack.size && hd_vec_last(&s->stack)->id == r4->id)
    hd_lise_record_drop(hd_vec_pop(&s->stack));
  if (r4->is_true) {
    hd_vec_push(&s->stack, r4);
    return HD_GO_ON;
  }
  hd_term_list *into =
      s->stack.size && !l->plain
          ? &hd_lise_rung_own(s, (hd_lise_rung){true, s->stack.size - 1, 0})
                 ->ppc
          : &s->pc;
  for (size_t i = 0; i < r4->ppc.size; i++)
    hd_lise_add_fact(l, into, r4->ppc.data[i]);
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
    if (!hd_lise_takes_part(l, r, l->proc) || r->snapshots.data[l->proc])
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
    return hd_lise_rung_own(s, (hd_lise_rung){false, i, 0});
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
    hd_lise_add_fact(l, facts, me->guard.data[i]);
  for (size_t i = 0; i < me->relation.size; i++)
    hd_lise_add_fact(l, &r->relation, me->relation.data[i]);
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
      g = hd_lise_own_note(l, notes, note);
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
