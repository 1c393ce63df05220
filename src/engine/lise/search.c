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
