/* SPDX-License-Identifier: MIT */
/* How runs end: violations, what cannot be executed, all processes at their end,
 * nobody able to go on. */
#include "engine/lise/loops.h"
#include "engine/lise/search.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* --- violations and refusals --- */

static void say_where(hd_str *out, const hd_lise *l) {
  const hd_lise_proc *me = hd_lise_seen(l);
  const hd_code *code = hd_lise_code(l);
  if (!me->frames.size)
    return;
  hd_loc_id loc = me->frames.data[me->frames.size - 1].loc;
  hd_code_print_pos(out, code, code->locs.data[loc].pos);
}

static hd_edge_id edge_at(const hd_lise *l) {
  const hd_lise_proc *me = hd_lise_seen(l);
  const hd_code *code = hd_lise_code(l);
  if (!me->frames.size)
    return HD_NO_ID;
  const hd_lise_frame *f = &me->frames.data[me->frames.size - 1];
  return f->call != HD_NO_ID ? f->call : code->out[code->out_start[f->loc]];
}

void hd_lise_note(hd_lise *l, const char *text) {
  for (size_t i = 0; i < l->result->notes.size; i++)
    if (!strcmp(l->result->notes.data[i], text))
      return;
  hd_vec_push(&l->result->notes, hd_strdup(text));
}

static char *format_text(const char *format, va_list args) {
  char text[600];
  vsnprintf(text, sizeof text, format, args);
  return hd_strdup(text);
}

/* A run that is not followed further although nobody asked about this: what
 * comes behind it is not known. */
static void cut_off(hd_lise *l, hd_property property) {
  const hd_properties undefined = (hd_properties)1 << HD_PROPERTY_MEMORY |
                                  (hd_properties)1 << HD_PROPERTY_ARITH |
                                  (hd_properties)1 << HD_PROPERTY_UNINIT |
                                  (hd_properties)1 << HD_PROPERTY_UNREACHABLE |
                                  (hd_properties)1 << HD_PROPERTY_MPI |
                                  (hd_properties)1 << HD_PROPERTY_INVARIANT;
  bool pragma = l->finding->pragma != HD_NO_ID; /* the program would go on */
  if ((pragma || undefined >> property & 1) && !l->at_end)
    l->cut = true;
}

static hd_going violate(hd_lise *l, hd_property property, char *message) {
  if (!(l->options->checks >> property & 1)) {
    cut_off(l, property);
    hd_str note = {0};
    hd_str_printf(&note, "not asked for, but ends runs: %s at ", message);
    say_where(&note, l);
    hd_lise_note(l, hd_str_text(&note));
    hd_str_free(&note);
    hd_free(message);
    return HD_PRUNED;
  }
  hd_lise_finding *f = l->finding;
  if (f->found) {
    hd_free(message);
    return HD_FAILED;
  }
  f->found = true;
  f->property = property;
  f->proc = l->proc;
  f->edge = l->comparing ? HD_NO_ID : edge_at(l);
  f->message = message;
  hd_str state = {0};
  hd_lise_print_state(&state, l, l->state);
  hd_free(f->state);
  f->state = hd_str_take(&state);
  return HD_FAILED;
}

hd_going hd_lise_violate(hd_lise *l, hd_property property, const char *format,
                         ...) {
  va_list args;
  va_start(args, format);
  char *message = format_text(format, args);
  va_end(args);
  return violate(l, property, message);
}

hd_going hd_lise_check(hd_lise *l, hd_term claim, hd_property property,
                       const char *format, ...) {
  if (hd_term_is_undef(l->terms, claim))
    return hd_lise_violate(l, HD_PROPERTY_UNINIT,
                           "a condition depends on a value that was never set");
  hd_proof proof = hd_lise_valid(l, claim);
  if (proof == HD_VALID)
    return HD_GO_ON;
  if (!(l->options->checks >> property & 1)) {
    cut_off(l, property);
    hd_lise_learn(l, claim);
    return hd_term_is_false(l->terms, claim) ? HD_PRUNED : HD_GO_ON;
  }
  va_list args;
  va_start(args, format);
  char *message = format_text(format, args);
  va_end(args);
  if (l->guest && l->guest->claims(l, claim, property, message)) {
    hd_free(message);
    return HD_GO_ON;
  }
  l->denied = hd_term_not(l->terms, claim);
  l->finding->why = proof == HD_UNPROVED ? HD_LISE_UNPROVED : HD_LISE_TOO_WEAK;
  return violate(l, property, message);
}

hd_going hd_lise_refuse(hd_lise *l, const char *format, ...) {
  va_list args;
  va_start(args, format);
  char *text = format_text(format, args);
  va_end(args);
  if (!l->refusal) {
    hd_str where = {0};
    say_where(&where, l);
    hd_str_printf(&where, ": %s: not supported", text);
    l->refusal = hd_str_take(&where);
  }
  hd_free(text);
  return HD_REFUSED;
}

/* --- ends --- */

void hd_lise_ready_all(const hd_lise *l, const hd_lise_state *state,
                       hd_lise_ready *out) {
  for (hd_proc p = 0; p < l->n_procs; p++)
    out[p] = hd_lise_ready_of(l, state, p);
}

static hd_going all_ended(hd_lise *l) {
  hd_lise_state *s = l->state;
  l->proc = 0;
  for (size_t i = 0; i < s->messages.size; i++) {
    const hd_lise_message *m = s->messages.data[i];
    l->proc = (hd_proc)m->source;
    hd_str where = {0};
    hd_code_print_pos(&where, hd_lise_code(l),
                      hd_lise_code(l)->edges.data[m->edge].pos);
    hd_going g = hd_lise_violate(
        l, HD_PROPERTY_MPI,
        "a message from process %d to process %d with tag %d, sent at %s, is "
        "never received",
        (int)s->procs.data[m->source]->rank, (int)s->procs.data[m->dest]->rank,
        m->tag, hd_str_text(&where));
    hd_str_free(&where);
    if (g == HD_FAILED) {
      l->finding->edge = m->edge;
      return g;
    }
  }
  for (size_t i = 0; i < s->collectives.size; i++) {
    const hd_lise_collective *c = s->collectives.data[i];
    hd_str missing = {0};
    for (size_t q = 0; q < c->left.size; q++)
      if (!c->left.data[q])
        hd_str_printf(
            &missing, "%s%d", missing.size ? ", " : "",
            (int)s->procs.data[s->comms.data[c->comm]->members.data[q]]->rank);
    l->proc = c->first;
    hd_going g = hd_lise_violate(
        l, HD_PROPERTY_MPI, "%s: not all processes take part: %s",
        hd_library_name((hd_library_fn)c->fn), hd_str_text(&missing));
    hd_str_free(&missing);
    if (g == HD_FAILED) {
      l->finding->edge = c->edge;
      return g;
    }
  }
  for (size_t i = 0; i < s->collectives.size; i++) {
    const hd_lise_collective *c = s->collectives.data[i];
    l->proc = c->first;
    hd_going g = hd_lise_violate(l, HD_PROPERTY_MPI,
                                 "not all processes have called this %s",
                                 hd_library_name((hd_library_fn)c->fn));
    if (g == HD_FAILED) {
      l->finding->edge = c->edge;
      return g;
    }
  }
  if (s->queue.size) {
    const hd_lise_record *r = s->queue.data[0];
    for (hd_proc q = 0; q < l->n_procs; q++)
      if (r->snapshots.data[q])
        l->proc = q;
    hd_going g = hd_lise_violate(
        l, HD_PROPERTY_INVARIANT,
        "out of order: '%s' is reached by some processes, others end before",
        l->names.data[r->id]);
    if (g == HD_FAILED)
      return g;
  }
  hd_going g = hd_lise_outputs(l);
  return g == HD_GO_ON ? HD_STOPPED : g;
}

static void say_waiting(hd_str *out, const hd_lise *l, const hd_lise_state *s) {
  bool any = false;
  for (hd_proc p = 0; p < l->n_procs; p++) {
    const hd_lise_proc *me = s->procs.data[p];
    if (me->ended || me->op.kind == HD_LISE_OP_NONE)
      continue;
    const hd_code *code = l->programs[me->program].code;
    hd_str_printf(out, "%sprocess %d in %s at ", any ? ", " : "", (int)me->rank,
                  hd_library_name(me->op.fn));
    hd_code_print_pos(out, code, code->edges.data[me->op.edge].pos);
    any = true;
  }
}

hd_going hd_lise_at_rest(hd_lise *l, const hd_lise_ready *ready) {
  const hd_lise_state *s = l->state;
  bool ended = true, moves = false, freely = false;
  hd_proc first = HD_NO_ID;
  /* MPI_Abort may come late: what the others do until then is looked at, but
   * nothing that they would wait for is missing. */
  for (hd_proc p = 0; s->aborted && p < l->n_procs; p++)
    moves = moves || ready[p].n;
  if (s->aborted)
    return moves ? HD_GO_ON : HD_STOPPED;
  for (hd_proc p = 0; p < l->n_procs; p++) {
    ended = ended && s->procs.data[p]->ended;
    if (!s->procs.data[p]->ended && first == HD_NO_ID)
      first = p;
    moves = moves || ready[p].n;
    freely = freely || (ready[p].n && (!ready[p].send || ready[p].met));
  }
  if (ended) {
    l->at_end = true;
    hd_going g = all_ended(l);
    l->at_end = false;
    return g;
  }
  if (freely || (moves && !l->options->potential))
    return HD_GO_ON;
  hd_str text = {0};
  say_waiting(&text, l, s);
  l->proc = first;
  hd_going g = hd_lise_violate(l, HD_PROPERTY_DEADLOCK, "%s: %s",
                               moves ? "deadlock if messages are not buffered"
                                     : "deadlock",
                               hd_str_text(&text));
  hd_str_free(&text);
  if (g == HD_PRUNED)
    return moves ? HD_GO_ON : HD_STOPPED;
  return g;
}
