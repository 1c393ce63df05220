/* SPDX-License-Identifier: MIT */
/* Depth-first search over symbolic states.
 *
 * A transition is what a process stands before (a message, a branch that is not
 * decided, an annotated loop) and everything it does then that nobody else can
 * see. Of the processes that can move, only as many are tried as messages make
 * necessary (R1 to R5 of docs/engines/lise.md):
 *   R1  a process with a local step: that one alone
 *   R2  a receive with a fixed source whose message is there: alone
 *   R3  a send to a process that waits for it with a fixed source: alone
 *   R4  nobody waits for a message from anybody: one send alone
 *   R5  else all of them
 * A cycle in which a process that can move never does would hide what it does:
 * then the state that closes the cycle is expanded in full.
 *
 * Which one is taken in R1 to R4 decides whether loops with invariants come back
 * to states that were seen: processes stay together. Local steps first, but of
 * processes that are fewer than K records ahead of the slowest; else the slowest.
 *
 * States are remembered by fingerprints of 128 bits. The search ends when all
 * states are seen; with loops without invariant that may be never. */
#include "engine/lise/search.h"
#include "engine/lise/loops.h"
#include "engine/lise/step.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define HD_MAP visited
typedef struct {
  uint64_t a, b;
} hd_print;
#define HD_KEY hd_print
#define HD_VAL uint32_t
#define HD_HASH(k) ((k).a)
#define HD_EQ(x, y) ((x).a == (y).a && (x).b == (y).b)
#include "base/map_templ.h"

enum { BUDGET = 20000 };

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

/* --- the start --- */

static void make_globals(hd_lise *l, hd_lise_proc *proc, const hd_code *code) {
  hd_vec_push(&proc->objects, NULL);
  for (uint32_t i = 0; i < code->globals.size; i++) {
    const hd_global *g = &code->globals.data[i];
    hd_lise_object *o = hd_calloc(1, sizeof *o);
    o->refs = 1;
    o->kind = HD_LISE_GLOBAL;
    o->origin = i;
    o->size = hd_term_int(l->terms, (int64_t)g->size);
    o->constant = g->constant;
    o->external = g->external;
    o->zero = true;
    hd_vec_push(&proc->objects, o);
  }
}

static void add_comm(hd_lise_state *s, uint32_t program, hd_proc first,
                     uint32_t n) {
  hd_lise_comm *c = hd_calloc(1, sizeof *c);
  c->refs = 1;
  c->program = program;
  for (uint32_t i = 0; i < n; i++)
    hd_vec_push(&c->members, first + i);
  hd_vec_push(&s->comms, c);
}

/* argv: the program's name and a null pointer */
static hd_term make_argv(hd_lise *l) {
  hd_terms *t = l->terms;
  hd_term zero = hd_term_int(t, 0);
  uint32_t text = hd_lise_object_new(l, HD_LISE_HEAP, 0, hd_term_int(t, 2));
  uint32_t list = hd_lise_object_new(l, HD_LISE_HEAP, 0, hd_term_int(t, 16));
  hd_lise_proc *me = hd_lise_me(l);
  me->objects.data[text]->zero = true;
  me->objects.data[list]->zero = true;
  me->objects.data[text]->kind = HD_LISE_ALLOCA;
  me->objects.data[list]->kind = HD_LISE_ALLOCA;
  hd_vec_push(&me->objects.data[list]->cells,
              ((hd_lise_cell){0, 8, hd_term_ptr(t, text, zero)}));
  return hd_term_ptr(t, list, zero);
}

hd_lise_state *hd_lise_initial(hd_lise *l) {
  hd_lise_state *s = hd_calloc(1, sizeof *s);
  for (uint32_t k = 0; k < l->n_programs; k++) {
    const hd_lise_program *program = &l->programs[k];
    for (uint32_t i = 0; i < program->n_procs; i++) {
      hd_lise_proc *proc = hd_calloc(1, sizeof *proc);
      proc->refs = 1;
      proc->program = k;
      proc->rank = (int32_t)i;
      make_globals(l, proc, program->code);
      hd_vec_push(&s->procs, proc);
    }
    uint32_t world = (uint32_t)s->comms.size;
    add_comm(s, k, program->first, program->n_procs);
    for (uint32_t i = 0; i < program->n_procs; i++) {
      hd_lise_proc *proc = s->procs.data[program->first + i];
      hd_vec_push(&proc->comm_handles, 0);
      hd_vec_push(&proc->comm_handles, world + 1);
      hd_vec_push(&proc->comm_handles, (uint32_t)s->comms.size + 1);
      add_comm(s, k, program->first + i, 1);
    }
  }
  l->state = s;
  for (hd_proc p = 0; p < l->n_procs; p++) {
    l->proc = p;
    const hd_code *code = hd_lise_code(l);
    hd_term args[2] = {hd_term_int(l->terms, 1), 0};
    const hd_func *f = &code->funcs.data[code->main];
    args[1] = f->n_params > 1 ? make_argv(l) : 0;
    (void)hd_lise_push(l, code->main, args, f->n_params > 1 ? 2 : 1);
    hd_lise_inputs_at_start(l);
  }
  return s;
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

/* --- choosing --- */

typedef struct {
  hd_lise_state *state;
  hd_print key;
  hd_u32s procs; /* whose alternatives are tried, in this order */
  size_t at;     /* of them */
  uint32_t choice;
  bool full;
  hd_proc moved; /* who made the transition that is being explored */
} node;

typedef struct {
  hd_lise *l;
  hd_vec(node) nodes;
  visited seen; /* 1 + place on the stack, 0 = not on it */
  hd_lise_ready *ready;
  uint32_t lag;
} search;

static bool alone(const hd_lise_ready *r) {
  return r->n &&
         (r->local || (r->receive && !r->wildcard) || (r->send && r->matched));
}

/* The slowest of the processes in question; HD_NO_ID = none. */
static hd_proc slowest(const search *s, const hd_lise_state *state,
                       bool (*wanted)(const hd_lise_ready *), uint32_t limit) {
  hd_proc best = HD_NO_ID;
  uint32_t least = 0;
  for (hd_proc p = 0; p < s->l->n_procs; p++) {
    if (!wanted(&s->ready[p]))
      continue;
    uint32_t ahead = hd_lise_ahead(state, p);
    if (ahead < limit && (best == HD_NO_ID || ahead < least)) {
      best = p;
      least = ahead;
    }
  }
  return best;
}

static bool is_local(const hd_lise_ready *r) {
  return r->n && r->local;
}
static bool is_send(const hd_lise_ready *r) {
  return r->n && r->send;
}
/* One that needs no buffer: it comes before those that do, so that a state in
 * which only such are left is seen. */
static bool is_free_send(const hd_lise_ready *r) {
  return r->n && r->send && r->met;
}

static hd_proc choose_one(const search *s, const hd_lise_state *state) {
  uint32_t behind = UINT32_MAX;
  bool wildcard = false;
  for (hd_proc p = 0; p < s->l->n_procs; p++) {
    if (state->procs.data[p]->ended)
      continue;
    uint32_t ahead = hd_lise_ahead(state, p);
    behind = ahead < behind ? ahead : behind;
    wildcard = wildcard || s->ready[p].wildcard;
  }
  uint32_t limit = behind == UINT32_MAX ? UINT32_MAX : behind + s->lag;
  hd_proc p = slowest(s, state, is_local, limit); /* R1 */
  if (p == HD_NO_ID)
    p = slowest(s, state, alone, UINT32_MAX); /* R1, R2, R3 */
  if (p == HD_NO_ID && !wildcard)
    p = slowest(s, state, is_free_send, UINT32_MAX);
  if (p == HD_NO_ID && !wildcard)
    p = slowest(s, state, is_send, UINT32_MAX); /* R4 */
  return p;
}

/* R5: receives before sends, slow processes before fast ones. */
static void choose_all(const search *s, const hd_lise_state *state,
                       hd_proc first, hd_u32s *out) {
  if (first != HD_NO_ID)
    hd_vec_push(out, first);
  for (int round = 0; round < 2; round++) {
    hd_u32s some = {0};
    for (hd_proc p = 0; p < s->l->n_procs; p++)
      if (p != first && s->ready[p].n && s->ready[p].send == (round == 1)) {
        size_t at = some.size;
        hd_vec_push(&some, p);
        for (; at > 0 && hd_lise_ahead(state, some.data[at - 1]) >
                             hd_lise_ahead(state, p);
             at--)
          some.data[at] = some.data[at - 1];
        some.data[at] = p;
      }
    for (size_t i = 0; i < some.size; i++)
      hd_vec_push(out, some.data[i]);
    hd_vec_free(&some);
  }
}

static void choose(search *s, node *n) {
  hd_proc p = s->l->options->no_reduction ? HD_NO_ID : choose_one(s, n->state);
  if (p != HD_NO_ID) {
    hd_vec_push(&n->procs, p);
    return;
  }
  n->full = true;
  choose_all(s, n->state, HD_NO_ID, &n->procs);
}

/* --- the search --- */

static void push(search *s, hd_lise_state *state, hd_print key) {
  node n = {.state = state, .key = key, .moved = HD_NO_ID};
  hd_vec_push(&s->nodes, n);
  s->l->result->states++;
}

static void pop(search *s) {
  node n = hd_vec_pop(&s->nodes);
  *visited_find(&s->seen, n.key) = 0;
  hd_lise_state_delete(n.state);
  hd_vec_free(&n.procs);
}

/* A cycle from the node at `from` to the top: whoever can move there and never
 * does in it must be tried. */
static void close_cycle(search *s, size_t from) {
  node *top = &hd_vec_last(&s->nodes);
  if (top->full)
    return;
  bool ignored = false;
  for (hd_proc p = 0; p < s->l->n_procs && !ignored; p++) {
    if (!hd_lise_ready_of(s->l, top->state, p).n)
      continue;
    bool moved = false;
    for (size_t i = from; i < s->nodes.size && !moved; i++)
      moved = s->nodes.data[i].moved == p;
    ignored = !moved;
  }
  if (!ignored)
    return;
  top->full = true;
  hd_proc first = top->procs.data[0];
  hd_u32s all = {0};
  hd_lise_ready_all(s->l, top->state, s->ready);
  choose_all(s, top->state, first, &all);
  hd_vec_free(&top->procs);
  top->procs = all;
}

/* Makes a transition on a copy. NULL: it leads nowhere; *going says why. */
static hd_lise_state *make(search *s, node *n, hd_proc p, uint32_t choice,
                           hd_going *going) {
  hd_lise *l = s->l;
  l->state = hd_lise_state_copy(n->state);
  l->proc = p;
  l->budget = BUDGET;
  l->result->transitions++;
  hd_going g = hd_lise_operate(l, choice);
  if (g == HD_GO_ON)
    g = hd_lise_advance(l);
  if (g == HD_GO_ON)
    g = HD_STOPPED;
  *going = g;
  if (g == HD_STOPPED) {
    hd_lise_forget_dead(l, hd_lise_me(l));
    hd_lise_canonic(l->terms, l->state);
    return l->state;
  }
  hd_lise_state_delete(l->state);
  l->state = NULL;
  return NULL;
}

/* The state on top is new: an end, or what can be tried. False: a violation. */
static bool open_node(search *s) {
  node *n = &hd_vec_last(&s->nodes);
  hd_lise *l = s->l;
  hd_lise_ready_all(l, n->state, s->ready);
  l->state = n->state;
  hd_going g = hd_lise_at_rest(l, s->ready);
  l->state = NULL;
  if (g == HD_FAILED)
    return false;
  if (g == HD_GO_ON)
    choose(s, n);
  return true;
}

static void keep_turns(search *s, bool last) {
  hd_lise_finding *f = s->l->finding;
  for (size_t i = 0; i + (last ? 0 : 1) < s->nodes.size; i++) {
    const node *n = &s->nodes.data[i];
    hd_lise_turn turn = {n->procs.data[n->at], n->choice - 1};
    hd_vec_push(&f->turns, turn);
  }
}

/* One more transition, or back. False at a violation. */
static bool go(search *s) {
  hd_lise *l = s->l;
  node *n = &hd_vec_last(&s->nodes);
  while (n->at < n->procs.size &&
         n->choice >= hd_lise_ready_of(l, n->state, n->procs.data[n->at]).n) {
    n->at++;
    n->choice = 0;
  }
  if (n->at >= n->procs.size) {
    pop(s);
    return true;
  }
  hd_proc p = n->procs.data[n->at];
  n->moved = p;
  hd_going going;
  hd_lise_state *new = make(s, n, p, n->choice++, &going);
  if (going == HD_FAILED) {
    keep_turns(s, true);
    return false;
  }
  if (!new)
    return true;
  uint64_t words[2];
  hd_lise_fingerprint(new, words);
  hd_print key = {words[0], words[1]};
  bool fresh;
  uint32_t *place =
      visited_put(&s->seen, key, (uint32_t)s->nodes.size + 1, &fresh);
  if (fresh) {
    push(s, new, key);
    if (open_node(s))
      return true;
    keep_turns(s, false);
    return false;
  }
  l->result->matches++;
  hd_lise_state_delete(new);
  if (*place)
    close_cycle(s, *place - 1);
  return true;
}

/* All states. False: a violation, in l->finding. */
static bool run_search(hd_lise *l, uint32_t lag) {
  search s = {.l = l, .lag = lag};
  s.ready = hd_calloc(l->n_procs, sizeof *s.ready);
  hd_lise_state *first = hd_lise_initial(l);
  hd_lise_canonic(l->terms, first);
  uint64_t words[2];
  hd_lise_fingerprint(first, words);
  hd_print key = {words[0], words[1]};
  bool fresh, ok = true;
  (void)visited_put(&s.seen, key, 1, &fresh);
  push(&s, first, key);
  ok = open_node(&s);
  bool in_time = true;
  while (ok && s.nodes.size && in_time) {
    in_time =
        hd_run_tick(l->run) &&
        (!l->options->max_states || l->result->states < l->options->max_states);
    if (in_time)
      ok = go(&s);
    if (hd_run_wants_progress(l->run)) {
      hd_progress progress = {
          .engine = "lise",
          .names = {"states", "transitions", "depth", "proofs"},
          .values = {l->result->states, l->result->transitions, s.nodes.size,
                     hd_prover_calls(l->prover)}};
      hd_run_show(l->run, &progress);
    }
  }
  if (!in_time && !l->stopped)
    l->stopped = true;
  while (s.nodes.size)
    pop(&s);
  hd_vec_free(&s.nodes);
  visited_free(&s.seen);
  hd_free(s.ready);
  return ok;
}

/* --- the engine --- */

void hd_lise_begin(hd_lise *l, const hd_lise_source *sources, size_t n) {
  for (size_t k = 0; k < n; k++)
    for (size_t i = 0; sources[k].notes && i < sources[k].notes->formulas.size;
         i++) {
      uint8_t op = sources[k].notes->formulas.data[i].op;
      l->counting =
          l->counting || op == HD_FORMULA_SENT || op == HD_FORMULA_RECEIVED;
    }
  l->terms = hd_terms_new();
  double seconds = l->options->prover_seconds;
  l->prover =
      hd_prover_new(l->terms, seconds > 0 ? seconds : 5, l->run->deadline);
  l->programs = hd_calloc(n, sizeof *l->programs);
  l->first = hd_calloc(n, sizeof *l->first);
  l->sources = sources;
  l->n_programs = n;
  for (size_t k = 0; k < n; k++) {
    const hd_code *code = sources[k].code;
    hd_lise_program *p = &l->programs[k];
    p->code = code;
    p->live = hd_live_new(code);
    p->library = hd_calloc(code->funcs.size + 1, sizeof *p->library);
    for (size_t i = 0; i < code->funcs.size; i++)
      if (!code->funcs.data[i].defined)
        p->library[i] = hd_library_find(code->funcs.data[i].name);
    p->n_procs = sources[k].n_procs;
    p->first = l->first[k] = (hd_proc)l->n_procs;
    l->n_procs += p->n_procs;
    p->loops = hd_lise_loops_new(code, sources[k].notes);
  }
  for (size_t k = 0; k < n; k++)
    hd_lise_loops_mention(l->programs[k].loops,
                          n == 2 ? sources[1 - k].notes : NULL);
}

void hd_lise_end(hd_lise *l) {
  for (size_t k = 0; k < l->n_programs; k++) {
    hd_live_delete(l->programs[k].live);
    hd_free(l->programs[k].library);
    hd_lise_loops_delete(l->programs[k].loops);
  }
  hd_free(l->programs);
  hd_free(l->first);
  for (size_t i = 0; i < l->names.size; i++)
    hd_free(l->names.data[i]);
  hd_vec_free(&l->names);
  for (size_t i = 0; i < l->inputs.size; i++)
    hd_free(l->inputs.data[i].name);
  hd_vec_free(&l->inputs);
  hd_free(l->refusal);
  hd_prover_delete(l->prover);
  hd_terms_delete(l->terms);
}

void hd_lise_finding_free(hd_lise_finding *f) {
  hd_free(f->message);
  hd_free(f->state);
  for (size_t i = 0; i < f->steps.size; i++)
    hd_free(f->steps.data[i].text);
  for (size_t i = 0; i < f->inputs.size; i++) {
    hd_free(f->inputs.data[i].name);
    hd_free(f->inputs.data[i].value);
  }
  hd_vec_free(&f->steps);
  hd_vec_free(&f->turns);
  hd_vec_free(&f->inputs);
  *f = (hd_lise_finding){0};
}

void hd_lise_result_free(hd_lise_result *result) {
  hd_free(result->reason);
  hd_lise_finding_free(&result->finding);
  for (size_t i = 0; i < result->notes.size; i++)
    hd_free(result->notes.data[i]);
  hd_vec_free(&result->notes);
  *result = (hd_lise_result){0};
}

/* Orders to try: all are sound, so that one that finds nothing is enough. */
static void attempt(hd_lise *l) {
  static const uint32_t lags[] = {3, 2, 4, 1};
  hd_lise_result *r = l->result;
  for (size_t i = 0; i < sizeof lags / sizeof *lags; i++) {
    hd_lise_finding found = {.pragma = HD_NO_ID};
    l->finding = &found;
    bool ok = run_search(l, i || !l->options->lag ? lags[i] : l->options->lag);
    if (ok && l->stopped && r->finding.found) {
      hd_lise_finding_free(&found); /* no time for another order */
      break;
    }
    if (ok) {
      hd_lise_finding_free(&r->finding);
      r->verdict = l->stopped || l->refusal || l->cut ? HD_UNKNOWN : HD_SAFE;
      hd_lise_finding_free(&found);
      return;
    }
    /* Unless the run shows it again without records. */
    if (found.why == HD_LISE_REAL) /* that is for hd_lise_confirm to say */
      found.why = l->abstract ? HD_LISE_TOO_WEAK : HD_LISE_UNPROVED;
    hd_lise_confirm(l, &found);
    bool real = found.why == HD_LISE_REAL;
    if (real || !r->finding.found) {
      hd_lise_finding_free(&r->finding);
      r->finding = found;
    } else {
      hd_lise_finding_free(&found);
    }
    if (real) {
      r->verdict = HD_UNSAFE;
      return;
    }
    /* No other order would show anything else. */
    if (!l->abstract || l->n_procs == 1)
      break;
  }
  r->verdict = HD_UNKNOWN;
}

void hd_lise_run(const hd_lise_source *sources, size_t n,
                 const hd_lise_options *options, hd_run *run,
                 hd_lise_result *result) {
  hd_lise l = {.options = options, .run = run, .result = result};
  result->finding.pragma = HD_NO_ID;
  hd_lise_begin(&l, sources, n);
  const char *wrong = NULL;
  for (size_t k = 0; k < n && !wrong; k++) {
    uint32_t loop;
    wrong = hd_lise_loops_wrong(l.programs[k].loops, &loop);
  }
  if (wrong)
    result->reason = hd_strdup(wrong);
  else
    attempt(&l);
  result->proofs = hd_prover_calls(l.prover);
  result->questions = hd_prover_questions(l.prover);
  result->bounded = l.bounded;
  if (result->verdict == HD_UNKNOWN && !result->reason) {
    hd_str text = {0};
    if (result->finding.found)
      hd_str_puts(&text, result->finding.message);
    else if (l.refusal)
      hd_str_puts(&text, l.refusal);
    else if (l.cut && !l.stopped)
      hd_str_puts(&text,
                  "undefined behaviour that was not asked for ends runs");
    else
      hd_str_puts(&text, hd_run_why(run));
    result->reason = hd_str_take(&text);
  }
  hd_lise_end(&l);
}
