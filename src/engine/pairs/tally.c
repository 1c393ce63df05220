/* SPDX-License-Identifier: MIT */
#include "engine/pairs/tally.h"

#include "engine/pairs/ask.h"
#include "engine/pairs/predicates.h"
#include "engine/pairs/simulate.h"

enum { ROUNDS = 4, MAX_CANDIDATES = 160 };

/* What variables are behind a step: those of OF_SECOND, if it is born then, by
 * `begins`. */
typedef struct {
  const pstep *step;
  bool born;
} behind;

static pterm put_behind(void *context, pterms *t, pterm var) {
  const behind *b = context;
  pvar v = hd_pairs_var_of(t, var);
  const passigns *sets = &b->step->sets;
  if (b->born && v.owner == OF_SECOND) {
    sets = &b->step->begins;
    v.owner = OF_FIRST;
  }
  for (hd_vec_each(const passign, a, sets))
    if (a->var.owner == v.owner && a->var.index == v.index)
      return a->term;
  return var;
}

/* The facts of a thread at `spot`, which is `owner`, behind the step; as they are
 * now where it is NULL. */
static void facts_behind(pteller *k, uint32_t spot, powner owner,
                         const pstep *step, bool born, pconditions *now) {
  assert(spot < k->sums.n_spots);
  assert(!born || step); /* nobody is born without a step */
  pterms *t = k->s->terms;
  behind b = {.step = step, .born = born};
  hd_vec_clear(now);
  for (size_t i = 0; i < k->facts[spot].size; i++) {
    pterm fact =
        hd_pairs_term_rename(t, k->facts[spot].data[i], owner, OF_THIRD);
    hd_vec_push(now, step ? hd_pairs_term_map(t, fact, put_behind, &b) : fact);
  }
}

/* Do all of `now` hold when the question does? Else there is a model in which
 * they do not, unless the solver gave up. */
static bool is_kept(pteller *k, const pconditions *now) {
  for (size_t i = 0; i < now->size; i++)
    if (!hd_pairs_ask_has(k, now->data[i]))
      hd_vec_push(&k->some, hd_pairs_term_not(k->s->terms, now->data[i]));
  k->status = k->some.size ? hd_pairs_ask(k) : HD_SMT_UNSAT;
  return k->status == HD_SMT_UNSAT;
}

/* Gives up what does not hold in that model of the facts at `spot`, which are
 * `now` then. True: something is left. */
static bool give_up(pteller *k, uint32_t spot, const pconditions *now) {
  assert(now->size == k->facts[spot].size); /* one each */
  pterms *t = k->s->terms;
  pconditions *facts = &k->facts[spot];
  size_t kept = 0;
  hd_pairs_terms_forget(t);
  for (size_t i = 0; i < now->size && k->status == HD_SMT_SAT; i++)
    if (hd_pairs_term_value(t, now->data[i], hd_pairs_term_model, k->bv))
      facts->data[kept++] = facts->data[i];
  facts->size = kept < now->size ? kept : 0; /* no model: nothing is left */
  return facts->size;
}

/* --- rules --- */

/* Was all of it known before? */
static bool is_untouched(pteller *k, const pcast *c, const pconditions *now) {
  hd_pairs_ask_new(k);
  for (int i = 0; i < 2; i++)
    hd_pairs_ask_thread(k, c, i);
  for (size_t i = 0; i < now->size; i++)
    if (!hd_pairs_ask_has(k, now->data[i]))
      return false;
  return true;
}

/* How often something was given up of what a question about `c` and `spot` is
 * given: as long as that stays, what held still does. */
static uint32_t age_of(const pteller *k, const pcast *c, uint32_t spot) {
  assert(spot < k->sums.n_spots);
  uint32_t age = 1 + k->versions[spot];
  bool main_is_in = false;
  for (int i = 0; i < 2; i++) {
    if (c->spots[i] == UNBORN)
      continue;
    age += k->versions[c->spots[i]];
    main_is_in = main_is_in || hd_pairs_kind_at(k->s, c->spots[i]) == 0;
  }
  for (uint32_t q = 1; !main_is_in && q < k->sums.n_spots; q++)
    age += hd_pairs_kind_at(k->s, q) == 0 ? k->versions[q] : 0;
  return age;
}

/* Does what is known at `spot` still hold behind the step? Its thread is the one
 * that moves (OF_FIRST), another one, or one that is born. */
static bool settle(pteller *k, const pstep *step, uint32_t spot, powner owner,
                   bool born) {
  pcast c = {
      .spots = {step->from, owner == OF_SECOND && !born ? spot : UNBORN}};
  pconditions now = {0};
  bool changed = false;
  size_t row = (size_t)(step - k->s->steps.data) * (k->sums.n_spots + 2);
  size_t role = owner == OF_FIRST ? 0 : born ? 1 : 2 + (size_t)spot;
  uint32_t *held = &k->held[row + role];
  if (*held == age_of(k, &c, spot))
    return false;
  int first = 0; /* 1: sums of whole words were not enough once */
  for (bool again = k->facts[spot].size; again;) {
    facts_behind(k, spot, owner, step, born, &now);
    if (is_untouched(k, &c, &now))
      break;
    bool kept = false;
    for (int all = first; all < 2 && !kept; all++) {
      first = all;
      hd_pairs_ask_new(k);
      hd_pairs_ask_given(k, &c, step, all);
      kept = is_kept(k, &now);
    }
    again = !kept && give_up(k, spot, &now);
    changed = changed || k->facts[spot].size < now.size;
    k->versions[spot] += k->facts[spot].size < now.size;
  }
  *held = age_of(k, &c, spot);
  hd_vec_free(&now);
  return changed;
}

static void settle_start(pteller *k) {
  const psystem *s = k->s;
  uint32_t spot = s->kinds.data[0].start;
  pconditions now = {0};
  for (bool again = true; again;) {
    hd_pairs_ask_new(k);
    for (uint32_t v = 0; v < s->shared.size; v++)
      if (s->shared.data[v].has_start)
        hd_pairs_ask_demand(
            k, hd_pairs_term_apply(
                   s->terms, HD_BV_EQ, hd_pairs_ask_shared(k, v),
                   hd_pairs_ask_constant(k, s->shared.data[v].width,
                                         s->shared.data[v].start)));
    for (uint32_t x = 0; x < s->local.size; x++)
      if (s->local.data[x].kind == 0 && s->local.data[x].has_start)
        hd_pairs_ask_demand(
            k, hd_pairs_term_apply(
                   s->terms, HD_BV_EQ, hd_pairs_ask_own(k, OF_FIRST, x),
                   hd_pairs_ask_constant(k, s->local.data[x].width,
                                         s->local.data[x].start)));
    facts_behind(k, spot, OF_FIRST, NULL, false, &now);
    again = !is_kept(k, &now) && give_up(k, spot, &now);
  }
  hd_vec_free(&now);
}

static bool writes(const pstep *step) {
  for (hd_vec_each(const passign, a, &step->sets))
    if (a->var.owner == OF_ALL)
      return true;
  return false;
}

/* Of threads that look on. */
static bool settle_others(pteller *k, const pstep *step) {
  bool changed = false;
  uint32_t mover = hd_pairs_kind_at(k->s, step->from);
  for (uint32_t q = 1; writes(step) && q < k->sums.n_spots; q++) {
    uint32_t kind = hd_pairs_kind_at(k->s, q);
    if ((kind != mover || !k->s->kinds.data[kind].once) &&
        settle(k, step, q, OF_SECOND, false))
      changed = true;
  }
  return changed;
}

/* A thread is at `place` in a run: what does not hold of it is given up. The
 * other one does not exist. */
static void on_state(void *context, uint32_t other, uint32_t place,
                     plookup lookup, void *state) {
  pteller *k = context;
  pterms *t = k->s->terms;
  if (other != UNBORN || place == UNBORN)
    return;
  pconditions *facts = &k->facts[place], *now = &k->seen[place];
  for (size_t i = now->size; i < facts->size; i++) {
    pterm renamed =
        hd_pairs_term_rename(t, facts->data[i], OF_SECOND, OF_THIRD);
    hd_vec_push(now, renamed);
  }
  hd_pairs_terms_forget(t);
  size_t kept = 0;
  for (size_t i = 0; i < facts->size; i++) {
    facts->data[kept] = facts->data[i];
    now->data[kept] = now->data[i];
    kept += hd_pairs_term_value(t, now->data[i], lookup, state) & 1;
  }
  facts->size = now->size = kept;
}

/* What runs show needs no question. False: one of them fails. */
static bool watch_runs(pteller *k) {
  k->seen = hd_calloc(k->sums.n_spots, sizeof *k->seen);
  psimulation *runs = hd_pairs_simulation_new(k->s, on_state, k);
  k->tally->failing = hd_pairs_simulate(runs, k->run);
  hd_pairs_simulation_delete(runs);
  for (uint32_t q = 0; q < k->sums.n_spots; q++)
    hd_vec_free(&k->seen[q]);
  hd_free(k->seen);
  return !k->tally->failing;
}

static void settle_all(pteller *k) {
  size_t n = k->sums.n_spots;
  k->versions = hd_calloc(n + 1, sizeof *k->versions);
  k->held = hd_calloc(k->s->steps.size * (n + 2) + 1, sizeof *k->held);
  settle_start(k);
  for (bool changed = true; changed;) {
    changed = false;
    for (hd_vec_each(const pstep, step, &k->s->steps)) {
      if (step->fails || step->exits)
        continue;
      if (settle(k, step, hd_pairs_spot_behind(k->s, step), OF_FIRST, false))
        changed = true;
      if (step->creates != HD_NO_ID &&
          settle(k, step, k->s->kinds.data[step->creates].start, OF_SECOND,
                 true))
        changed = true;
      if (settle_others(k, step))
        changed = true;
    }
  }
  hd_free(k->versions);
  hd_free(k->held);
}

/* --- equations --- */

/* Where a loop ends, two inequalities make an equation that nobody has written
 * down: of what is compared in `term`, which is part of the step's condition. */
static void equate(pteller *k, const pstep *step, pterm term,
                   pconditions *out) {
  pterms *t = k->s->terms;
  const pnode n = *hd_pairs_node_of(t, term);
  if (n.op == HD_BV_AND || n.op == HD_BV_XOR) {
    equate(k, step, n.args[0], out);
    equate(k, step, n.args[1], out);
  }
  if (n.op != HD_BV_ULT && n.op != HD_BV_SLT)
    return;
  pcast c = {.spots = {step->from, UNBORN}};
  pterm equal = hd_pairs_term_apply(t, HD_BV_EQ, n.args[0], n.args[1]);
  hd_pairs_ask_new(k);
  hd_pairs_ask_given(k, &c, step, true);
  hd_pairs_ask_demand(k, hd_pairs_term_not(t, equal));
  if (hd_pairs_ask(k) == HD_SMT_UNSAT)
    hd_vec_push(out, equal);
}

static void equate_all(pteller *k) {
  for (size_t i = 0; i < k->s->steps.size; i++) {
    const pstep *step = &k->s->steps.data[i];
    hd_vec_clear(&k->equal[i]);
    if (!step->fails && !step->exits)
      equate(k, step, step->guard, &k->equal[i]);
  }
}

/* --- candidates --- */

typedef struct {
  const pteller *k;
  uint32_t spot;
  const uint8_t *live;
  bool fits;
} fitting;

static void fit(void *context, const pterms *t, pterm var) {
  fitting *f = context;
  pvar v = hd_pairs_var_of(t, var);
  const psystem *s = f->k->s;
  if (v.owner == OF_ALL)
    return;
  f->fits =
      f->fits && v.owner == OF_FIRST &&
      s->local.data[v.index].kind == hd_pairs_kind_at(s, f->spot) &&
      (f->spot >= s->places.size || f->live[f->spot * s->local.size + v.index]);
}

static void propose(pteller *k, const uint8_t *live, pterm term) {
  pterms *t = k->s->terms;
  if (hd_pairs_node_of(t, term)->op == TERM_CONST)
    return;
  for (uint32_t q = 1; q < k->sums.n_spots; q++) {
    fitting f = {.k = k, .spot = q, .live = live, .fits = true};
    hd_pairs_term_visit(t, term, fit, &f);
    pconditions *facts = &k->facts[q];
    for (size_t i = 0; f.fits && i < k->sure[q].size + facts->size; i++)
      f.fits = hd_pairs_ask_known(k, q, i) != term;
    if (f.fits && facts->size < MAX_CANDIDATES)
      hd_vec_push(facts, term);
  }
}

static void propose_both(pteller *k, const uint8_t *live, pterm term) {
  propose(k, live, term);
  propose(k, live, hd_pairs_term_not(k->s->terms, term));
}

/* Comparisons in a condition; of `<` also `<=`, and that both are not
 * negative. */
static void propose_comparisons(pteller *k, const uint8_t *live, pterm term) {
  pterms *t = k->s->terms;
  const pnode n = *hd_pairs_node_of(t, term);
  if (n.op == TERM_CONST || n.op == TERM_VAR)
    return;
  if (n.op == HD_BV_EQ || n.op == HD_BV_ULT || n.op == HD_BV_SLT) {
    propose_both(k, live, term);
    if (n.op == HD_BV_EQ)
      return;
    hd_bv_op less = (hd_bv_op)n.op;
    propose_both(k, live, hd_pairs_term_apply(t, less, n.args[1], n.args[0]));
    propose_both(k, live,
                 hd_pairs_term_apply(t, HD_BV_EQ, n.args[0], n.args[1]));
    uint8_t width = hd_pairs_node_of(t, n.args[0])->width;
    for (int i = 0; i < 2; i++)
      propose_both(k, live,
                   hd_pairs_term_apply(t, HD_BV_SLT, n.args[i],
                                       hd_pairs_ask_constant(k, width, 0)));
    return;
  }
  int arity = n.op == TERM_ITE ? 3 : n.op > TERM_ITE ? 1 : 2;
  for (int i = 0; i < arity; i++)
    propose_comparisons(k, live, n.args[i]);
}

/* An input by the variable that keeps it. */
static pterm name_input(void *context, pterms *t, pterm var) {
  const pstep *step = context;
  if (hd_pairs_var_of(t, var).owner == OF_NOBODY)
    for (hd_vec_each(const passign, a, &step->sets))
      if (a->term == var)
        return hd_pairs_term_var(t, a->var, hd_pairs_node_of(t, var)->width);
  return var;
}

/* What must not hold where a step fails is about variables that have got their
 * values from others. */
static void propose_before(pteller *k, const uint8_t *live) {
  enum { MOST = 300, DEPTH = 3 };
  pconditions open = {0};
  for (hd_vec_each(const pstep, step, &k->s->steps))
    if (step->fails)
      hd_vec_push(&open, step->guard);
  size_t from = 0;
  for (int depth = 0; depth < DEPTH; depth++) {
    size_t end = open.size;
    for (; from < end && open.size < MOST; from++)
      for (hd_vec_each(const pstep, step, &k->s->steps)) {
        behind b = {.step = step};
        pterm before = open.data[from];
        if (!step->fails)
          before = hd_pairs_term_map(k->s->terms, before, put_behind, &b);
        if (before == open.data[from])
          continue;
        propose_comparisons(k, live, before);
        hd_vec_push(&open, before);
      }
  }
  hd_vec_free(&open);
}

static void propose_all(pteller *k) {
  const psystem *s = k->s;
  uint8_t *live = hd_pairs_system_live(s);
  for (uint32_t q = 0; q < k->sums.n_spots; q++)
    hd_vec_clear(&k->facts[q]);
  for (hd_vec_each(pstep, step, &s->steps))
    propose_comparisons(
        k, live, hd_pairs_term_map(s->terms, step->guard, name_input, step));
  for (hd_vec_each(const pstep, step, &s->steps))
    for (hd_vec_each(const passign, a, &step->sets)) {
      const pnode *n = hd_pairs_node_of(s->terms, a->term);
      pterm to = a->var.owner == OF_ALL
                     ? hd_pairs_ask_shared(k, a->var.index)
                     : hd_pairs_ask_own(k, OF_FIRST, a->var.index);
      if (n->op == TERM_VAR || n->op == TERM_CONST)
        propose_both(k, live,
                     hd_pairs_term_apply(s->terms, HD_BV_EQ, to, a->term));
    }
  propose_before(k, live);
  for (hd_vec_each(const prwlock, l, &s->rwlocks)) {
    pterm none = hd_pairs_term_apply(s->terms, HD_BV_EQ,
                                     hd_pairs_ask_shared(k, l->readers),
                                     hd_pairs_ask_constant(k, 32, 0));
    propose(
        k, live,
        hd_pairs_ask_either(
            k, none,
            hd_pairs_term_not(s->terms, hd_pairs_ask_shared(k, l->writer))));
  }
  hd_free(live);
}

/* --- the whole --- */

static bool may_fail(pteller *k, const pstep *step) {
  assert(step->fails);
  pcast c = {.spots = {step->from, UNBORN}};
  hd_pairs_ask_new(k);
  hd_pairs_ask_given(k, &c, step, true);
  return hd_pairs_ask(k) != HD_SMT_UNSAT;
}

/* The first step that may fail; NULL = none. */
static const pstep *find_failing(pteller *k) {
  for (hd_vec_each(const pstep, step, &k->s->steps))
    if (step->fails && may_fail(k, step))
      return step;
  return NULL;
}

/* Can threads be about to do both, as far as is known? */
static bool may_meet(pteller *k, const pdeed *x, const pdeed *y) {
  assert(x->from < k->s->places.size && y->from < k->s->places.size);
  if (!hd_pairs_may_meet(k->s, x, y))
    return false;
  pcast c = {.spots = {x->from, y->from}};
  hd_pairs_ask_new(k);
  hd_pairs_ask_given(k, &c, NULL, true);
  hd_pairs_ask_demand(k, hd_pairs_meeting(k->s, x, y));
  return hd_pairs_ask(k) != HD_SMT_UNSAT;
}

static bool find_apart(pteller *k) {
  bool all = true;
  for (hd_vec_each(pmeeting, m, k->meetings)) {
    bool meet = false;
    for (hd_vec_each(const pdeed, x, &k->s->deeds))
      for (hd_vec_each(const pdeed, y, &k->s->deeds))
        meet = meet || (!m->apart && x->edge == m->a && y->edge == m->b &&
                        (!hd_run_check(k->run) || may_meet(k, x, y)));
    m->apart = m->apart || !meet;
    all = all && m->apart;
  }
  return all;
}

/* Nothing of what is left is a limit of ours. */
static void find_failures(pteller *k) {
  k->tally->inductive = hd_run_check(k->run);
  hd_vec_clear(&k->tally->left);
  for (hd_vec_each(const pstep, step, &k->s->steps)) {
    if (!step->fails || !may_fail(k, step))
      continue;
    k->tally->inductive = k->tally->inductive && !step->limit;
    hd_pairs_add_failure(&k->tally->left, step);
  }
}

static void report(pteller *k) {
  k->tally->sums = k->sums.found.size;
  k->tally->facts = 0;
  for (uint32_t q = 0; q < k->sums.n_spots; q++)
    k->tally->facts += k->sure[q].size + k->facts[q].size;
}

static void prove(pteller *k) {
  size_t before = SIZE_MAX;
  for (int round = 0; round < ROUNDS; round++) {
    pfacts facts = {0};
    if (round)
      facts = (pfacts){.at = k->sure, .before = k->equal};
    hd_pairs_sums_find(k->s, &facts, k->run, &k->sums);
    if (k->sums.found.size == before || !hd_run_check(k->run))
      break;
    before = k->sums.found.size;
    propose_all(k);
    if (!watch_runs(k))
      return;
    settle_all(k);
    k->tally->failing = find_failing(k);
    k->tally->proved = !k->tally->failing && hd_run_check(k->run);
    if (k->tally->proved && (!k->meetings || find_apart(k)))
      return;
    equate_all(k);
    for (uint32_t q = 0; q < k->sums.n_spots; q++)
      for (size_t i = 0; i < k->facts[q].size; i++)
        hd_vec_push(&k->sure[q], k->facts[q].data[i]);
    for (uint32_t q = 0; q < k->sums.n_spots; q++)
      hd_vec_clear(&k->facts[q]);
  }
  find_failures(k);
}

void hd_pairs_tally(const psystem *s, hd_run *run, hd_bv *bv, ptally *tally,
                    pmeetings *meetings) {
  pteller k = {
      .s = s, .bv = bv, .run = run, .tally = tally, .meetings = meetings};
  size_t n_spots = s->places.size + s->kinds.size;
  k.sure = hd_calloc(n_spots, sizeof *k.sure);
  k.facts = hd_calloc(n_spots, sizeof *k.facts);
  k.equal = hd_calloc(s->steps.size + 1, sizeof *k.equal);
  prove(&k);
  report(&k);
  for (size_t q = 0; q < n_spots; q++) {
    hd_vec_free(&k.sure[q]);
    hd_vec_free(&k.facts[q]);
  }
  hd_free(k.sure);
  for (size_t i = 0; i < s->steps.size; i++)
    hd_vec_free(&k.equal[i]);
  hd_free(k.equal);
  hd_free(k.facts);
  hd_pairs_sums_free(&k.sums);
  hd_vec_free(&k.question);
  hd_vec_free(&k.some);
  hd_vec_free(&k.given);
  hd_vec_free(&k.asked);
  hd_vec_free(&k.asked_some);
}
