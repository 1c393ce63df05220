/* SPDX-License-Identifier: MIT */
/* Two threads at places a and b, and the shared variables: what is known about
 * them is a set of clauses with up to two literals, each a predicate or its
 * negation. It holds in every state the program can get to, for any two of its
 * threads, when
 *
 *   start   it holds where main and a thread that is not there yet begin;
 *   moves   it holds behind every step of the first of two threads, given what
 *           is known about the two;
 *   others  it holds behind every step of a third thread, given what is known
 *           about all three pairs of them;
 *   birth   likewise with a thread that such a step creates.
 *
 * That is thread-modular reasoning at level two: what one thread alone cannot
 * know (that nobody else holds the lock it holds, that its ticket is nobody
 * else's) is a fact about pairs. There are always threads that do not exist yet,
 * so what is known about a and UNBORN is what is known about a alone; a step
 * that fails must contradict that.
 *
 * The clauses start as the contradiction. Each of these rules is a question to
 * the solver; an answer is a state behind the step, and what it contradicts is
 * given up. What is left when all rules hold is inductive, and the strongest
 * that clauses of two predicates can say. It ends since clauses only vanish. */
#include "engine/pairs/proof.h"

#include "engine/pairs/simulate.h"

#include <assert.h>
#include <string.h>

static const double patience = 5.0; /* seconds for one question */

typedef struct {
  uint32_t a, b; /* places, a <= b */
  bool exists, reached;
  hd_vec(pterm) terms; /* predicates: a is OF_FIRST, b is OF_SECOND */
  hd_u32s turned;      /* a == b: the same with the threads exchanged */
  uint64_t *rows;      /* literal i: set of literals j with (i or j) */
  size_t words;
  uint32_t version;
} pair;

typedef struct {
  uint32_t places[3]; /* of the first, second, third thread; HD_NO_ID = none */
  uint32_t step;      /* HD_NO_ID: the start */
  bool third;         /* whose step it is; else of the first */
  uint32_t head[2];   /* places behind it */
  bool born;          /* the second is new behind it */
  bool fails;
  uint32_t seen[4]; /* versions + 1 of body and head when it held */
} rule;

typedef struct {
  const psystem *s;
  const ppredicates *predicates;
  hd_bv *bv;
  hd_run *run;
  pproof *proof;
  uint8_t *live;
  hd_vec(pair) pairs;
  hd_vec(rule) rules;
  hd_vec(pterm) question, some; /* all of these, one of these */
  hd_vec(hd_bv_term) asked, asked_some;
  hd_u32s given;   /* of a term: the question in which it is assumed */
  uint32_t turn;   /* number of the question */
  pfailures *left; /* NULL: nothing may fail */
  psimulation *simulation;
} prover;

/* --- pairs --- */

static size_t pair_index(const prover *p, uint32_t a, uint32_t b) {
  uint32_t low = a < b ? a : b, high = a < b ? b : a;
  assert(high < p->s->places.size);
  return (size_t)high * (high + 1) / 2 + low;
}

static pair *pair_of(const prover *p, uint32_t a, uint32_t b) {
  pair *q = &p->pairs.data[pair_index(p, a, b)];
  assert((q->a == a && q->b == b) || (q->a == b && q->b == a));
  return q;
}

static pterm rename_term(const prover *p, pterm term, powner first,
                         powner second) {
  return hd_pairs_term_rename(p->s->terms, term, first, second);
}

typedef struct {
  const prover *p;
  uint32_t a, b;
  bool live;
} liveness;

static void look(void *context, const pterms *t, pterm var) {
  liveness *l = context;
  pvar v = hd_pairs_var_of(t, var);
  size_t n = l->p->s->local.size;
  if (v.owner == OF_FIRST)
    l->live = l->live && l->p->live[l->a * n + v.index];
  else if (v.owner == OF_SECOND)
    l->live = l->live && l->p->live[l->b * n + v.index];
}

static void add_term(prover *p, pair *q, pterm term) {
  liveness l = {.p = p, .a = q->a, .b = q->b, .live = true};
  hd_pairs_term_visit(p->s->terms, term, look, &l);
  if (!l.live || hd_pairs_node_of(p->s->terms, term)->op == TERM_CONST)
    return;
  for (size_t i = 0; i < q->terms.size; i++)
    if (q->terms.data[i] == term)
      return;
  hd_vec_push(&q->terms, term);
}

static uint32_t kind_at(const prover *p, uint32_t place) {
  assert(place < p->s->places.size);
  return p->s->places.data[place].kind;
}

static void open_pair(prover *p, pair *q) {
  assert(q->a <= q->b && !q->reached);
  uint32_t ka = kind_at(p, q->a), kb = kind_at(p, q->b);
  q->exists = !(ka != HD_NO_ID && ka == kb && p->s->kinds.data[ka].once);
  if (!q->exists)
    return;
  for (hd_vec_each(const ppredicate, d, p->predicates)) {
    if (d->other != HD_NO_ID) {
      if (d->kind == ka && d->other == kb)
        add_term(p, q, d->term);
      if (d->kind == kb && d->other == ka)
        add_term(p, q, rename_term(p, d->term, OF_SECOND, OF_FIRST));
      continue;
    }
    if (d->kind == HD_NO_ID || d->kind == ka)
      add_term(p, q, d->term);
    if (d->kind != HD_NO_ID && d->kind == kb)
      add_term(p, q, rename_term(p, d->term, OF_SECOND, OF_FIRST));
  }
  size_t n = 2 * q->terms.size;
  q->words = (n + 63) / 64;
  q->rows = hd_calloc(n * q->words + 1, sizeof *q->rows);
  for (size_t i = 0; q->a == q->b && i < q->terms.size; i++) {
    pterm other = rename_term(p, q->terms.data[i], OF_SECOND, OF_FIRST);
    uint32_t at = (uint32_t)i;
    for (size_t j = 0; j < q->terms.size; j++)
      if (q->terms.data[j] == other)
        at = (uint32_t)j;
    hd_vec_push(&q->turned, at);
  }
  assert(q->a != q->b || q->turned.size == q->terms.size);
}

static void open_pairs(prover *p) {
  size_t n = p->s->places.size;
  for (uint32_t b = 0; b < n; b++)
    for (uint32_t a = 0; a <= b; a++) {
      pair q = {.a = a, .b = b};
      open_pair(p, &q);
      hd_vec_push(&p->pairs, q);
    }
}

static bool has_clause(const pair *q, size_t i, size_t j) {
  assert(i < 2 * q->terms.size && j < 2 * q->terms.size);
  return q->rows[i * q->words + j / 64] >> j % 64 & 1;
}

/* A state in which the predicates have these values is possible. True: that is
 * news. */
static bool meet(pair *q, const uint8_t *values) {
  assert(q->exists);
  size_t n = 2 * q->terms.size;
  bool news = !q->reached;
  uint64_t *holds = hd_calloc(q->words + 1, sizeof *holds);
  for (size_t i = 0; i < n; i++)
    if (values[i / 2] != i % 2)
      holds[i / 64] |= (uint64_t)1 << i % 64;
  for (size_t i = 0; i < n; i++)
    for (size_t w = 0; w < q->words; w++) {
      uint64_t *row = &q->rows[i * q->words + w];
      uint64_t now = values[i / 2] != i % 2 ? UINT64_MAX : holds[w];
      if (q->reached)
        now &= *row;
      news = news || now != *row;
      *row = now;
    }
  hd_free(holds);
  q->reached = true;
  return news;
}

static pterm literal(const prover *p, pterm term, size_t l) {
  return l % 2 ? hd_pairs_term_not(p->s->terms, term) : term;
}

typedef void (*on_clause)(void *context, size_t i, size_t j);

/* Units as (i, i); what a unit says already is left out. */
static void each_clause(const pair *q, on_clause visit, void *context) {
  size_t n = 2 * q->terms.size;
  for (size_t i = 0; i < n; i++) {
    if (has_clause(q, i, i)) {
      visit(context, i, i);
      continue;
    }
    for (size_t j = i + 1; j < n; j++)
      if ((i ^ 1) != j && has_clause(q, i, j) && !has_clause(q, j, j))
        visit(context, i, j);
  }
}

/* --- questions --- */

typedef struct {
  prover *p;
  const pair *q;
  const pterm *terms; /* as they are meant here */
} telling;

/* Is it assumed in this question? */
static bool is_given(const prover *p, pterm term) {
  uint64_t k;
  if (hd_pairs_term_is_const(p->s->terms, term, &k))
    return k;
  return term < p->given.size && p->given.data[term] == p->turn;
}

static void assume(prover *p, pterm term) {
  assert(hd_pairs_node_of(p->s->terms, term)->width == 1);
  const pnode n = *hd_pairs_node_of(p->s->terms, term);
  if (n.op == HD_BV_AND && n.width == 1) {
    assume(p, n.args[0]);
    assume(p, n.args[1]);
    return;
  }
  if (is_given(p, term))
    return;
  hd_vec_push(&p->question, term);
  while (p->given.size <= term)
    hd_vec_push(&p->given, 0);
  p->given.data[term] = p->turn;
}

static void assume_clause(void *context, size_t i, size_t j) {
  telling *t = context;
  pterms *terms = t->p->s->terms;
  pterm one = literal(t->p, t->terms[i / 2], i);
  pterm two = literal(t->p, t->terms[j / 2], j);
  assume(t->p, hd_pairs_term_apply(terms, HD_BV_OR, one, two));
}

static void deny_clause(void *context, size_t i, size_t j) {
  telling *t = context;
  pterms *terms = t->p->s->terms;
  pterm one = literal(t->p, t->terms[i / 2], i);
  pterm two = literal(t->p, t->terms[j / 2], j);
  pterm clause = hd_pairs_term_apply(terms, HD_BV_OR, one, two);
  /* Most clauses are about what the step leaves alone. */
  if (one == hd_pairs_term_not(terms, two) || is_given(t->p, one) ||
      is_given(t->p, two) || is_given(t->p, clause))
    return;
  hd_vec_push(&t->p->some, hd_pairs_term_not(terms, clause));
}

/* Everything known about threads x and y of these places. */
static void assume_pair(prover *p, uint32_t a, powner x, uint32_t b, powner y) {
  const pair *q = pair_of(p, a, b);
  powner first = q->a == a ? x : y, second = q->a == a ? y : x;
  hd_vec(pterm) terms = {0};
  for (size_t i = 0; i < q->terms.size; i++)
    hd_vec_push(&terms, rename_term(p, q->terms.data[i], first, second));
  telling t = {.p = p, .q = q, .terms = terms.data};
  each_clause(q, assume_clause, &t);
  hd_vec_free(&terms);
}

/* What a variable of the pair is behind the step. */
typedef struct {
  const prover *p;
  const rule *r;
  const pstep *step;
  powner first; /* which of the pair's owners is the rule's first thread */
} post;

static pterm find_set(const prover *p, const passigns *sets, powner owner,
                      uint32_t index, bool third, pterm otherwise) {
  for (hd_vec_each(const passign, a, sets))
    if (a->var.owner == owner && a->var.index == index)
      return third ? rename_term(p, a->term, OF_THIRD, OF_SECOND) : a->term;
  return otherwise;
}

static pterm behind(void *context, pterms *t, pterm var) {
  const post *b = context;
  const rule *r = b->r;
  pvar v = hd_pairs_var_of(t, var);
  if (v.owner == OF_ALL)
    return b->step
               ? find_set(b->p, &b->step->sets, OF_ALL, v.index, r->third, var)
               : var;
  bool is_first = v.owner == b->first;
  assert(v.owner == OF_FIRST || v.owner == OF_SECOND);
  v.owner = is_first ? OF_FIRST : OF_SECOND;
  pterm self = hd_pairs_term_var(t, v, hd_pairs_node_of(t, var)->width);
  if (!b->step)
    return self;
  if (is_first)
    return r->third
               ? self
               : find_set(b->p, &b->step->sets, OF_FIRST, v.index, false, self);
  return r->born ? find_set(b->p, &b->step->begins, OF_FIRST, v.index, r->third,
                            self)
                 : self;
}

static pterm start_guard(const prover *p, const rule *r) {
  assert(r->step == HD_NO_ID);
  const psystem *s = p->s;
  pterm guard = hd_pairs_term_const(s->terms, 1, 1);
  for (uint32_t i = 0; i < s->shared.size + s->local.size; i++) {
    bool shared = i < s->shared.size;
    uint32_t index = shared ? i : i - (uint32_t)s->shared.size;
    const psvar *v = shared ? &s->shared.data[index] : &s->local.data[index];
    if (!v->has_start || (!shared && v->kind != kind_at(p, r->head[0])))
      continue;
    pvar var = {.owner = shared ? OF_ALL : OF_FIRST, .index = index};
    pterm is = hd_pairs_term_apply(
        s->terms, HD_BV_EQ, hd_pairs_term_var(s->terms, var, v->width),
        hd_pairs_term_const(s->terms, v->width, v->start));
    guard = hd_pairs_term_and(s->terms, guard, is);
  }
  return guard;
}

static void assume_body(prover *p, const rule *r) {
  const uint32_t *at = r->places;
  if (r->step == HD_NO_ID) {
    assume(p, start_guard(p, r));
    return;
  }
  assert(r->third == (at[2] != HD_NO_ID)); /* it is the third's step */
  assume_pair(p, at[0], OF_FIRST, at[1], OF_SECOND);
  if (at[2] != HD_NO_ID) {
    assume_pair(p, at[0], OF_FIRST, at[2], OF_THIRD);
    assume_pair(p, at[1], OF_SECOND, at[2], OF_THIRD);
  }
  pterm guard = p->s->steps.data[r->step].guard;
  assume(p, r->third ? rename_term(p, guard, OF_THIRD, OF_SECOND) : guard);
}

static hd_smt_status ask(prover *p) {
  pterms *terms = p->s->terms;
  uint64_t k;
  hd_vec_clear(&p->asked);
  hd_vec_clear(&p->asked_some);
  for (size_t i = 0; i < p->question.size; i++)
    if (!hd_pairs_term_is_const(terms, p->question.data[i], &k))
      hd_vec_push(&p->asked,
                  hd_pairs_term_solver(terms, p->bv, p->question.data[i]));
    else if (!k)
      return HD_SMT_UNSAT;
  bool sure = false;
  for (size_t i = 0; i < p->some.size && !sure; i++)
    if (!hd_pairs_term_is_const(terms, p->some.data[i], &k))
      hd_vec_push(&p->asked_some,
                  hd_pairs_term_solver(terms, p->bv, p->some.data[i]));
    else
      sure = k;
  if (sure)
    hd_vec_clear(&p->asked_some);
  else if (!p->asked_some.size)
    return HD_SMT_UNSAT;
  p->proof->questions++;
  hd_pairs_terms_forget(terms);
  return hd_bv_solve_some(p->bv, p->asked.data, p->asked.size,
                          p->asked_some.data, p->asked_some.size, patience);
}

/* --- rules --- */

typedef enum { HOLDS, BROKEN, LOST } outcome;

/* A state behind a rule: what it contradicts is given up. */
static bool learn(prover *p, pair *q, const pterm *terms, plookup lookup,
                  void *context) {
  uint8_t *values = hd_calloc(q->terms.size + 1, 1);
  for (size_t i = 0; i < q->terms.size; i++)
    values[i] =
        (uint8_t)hd_pairs_term_value(p->s->terms, terms[i], lookup, context);
  bool news = meet(q, values);
  if (q->a == q->b) {
    uint8_t *turned = hd_calloc(q->terms.size + 1, 1);
    for (size_t i = 0; i < q->terms.size; i++)
      turned[i] = values[q->turned.data[i]];
    news = meet(q, turned) || news;
    hd_free(turned);
  }
  hd_free(values);
  q->version += news;
  return news;
}

/* Makes the head so weak that the rule holds for one more state. */
static outcome try_rule(prover *p, const rule *r) {
  hd_vec_clear(&p->question);
  hd_vec_clear(&p->some);
  p->turn++;
  pair *q = r->fails ? NULL : pair_of(p, r->head[0], r->head[1]);
  assume_body(p, r);
  hd_vec(pterm) terms = {0};
  if (q) {
    post b = {.p = p,
              .r = r,
              .step = r->step == HD_NO_ID ? NULL : &p->s->steps.data[r->step],
              .first = q->a == r->head[0] ? OF_FIRST : OF_SECOND};
    for (size_t i = 0; i < q->terms.size; i++)
      hd_vec_push(&terms,
                  hd_pairs_term_map(p->s->terms, q->terms.data[i], behind, &b));
    telling t = {.p = p, .q = q, .terms = terms.data};
    if (q->reached)
      each_clause(q, deny_clause, &t);
  }
  if (!q || !q->reached)
    hd_vec_push(&p->some, hd_pairs_term_const(p->s->terms, 1, 1));
  outcome out = HOLDS;
  switch (ask(p)) {
  case HD_SMT_UNSAT:
    break;
  case HD_SMT_SAT:
    p->proof->models++;
    out = BROKEN;
    if (q && !learn(p, q, terms.data, hd_pairs_term_model, p->bv))
      out = LOST;
    if (q && r->step != HD_NO_ID)
      p->proof->failing = hd_pairs_simulate_from(p->simulation, r->places,
                                                 hd_pairs_term_model, p->bv);
    break;
  default:
    p->proof->reason = "the solver gave up";
    out = LOST;
  }
  hd_vec_free(&terms);
  return out;
}

static bool exists(const prover *p, uint32_t a, uint32_t b) {
  return pair_of(p, a, b)->exists;
}

static void add_rule(prover *p, rule r) {
  assert(!r.fails || r.step != HD_NO_ID); /* the start does not fail */
  if (!r.fails && !exists(p, r.head[0], r.head[1]))
    return;
  for (int i = 0; i < 3 && r.step != HD_NO_ID; i++) {
    int j = (i + 1) % 3;
    if (r.places[i] != HD_NO_ID && r.places[j] != HD_NO_ID &&
        !exists(p, r.places[i], r.places[j]))
      return;
  }
  hd_vec_push(&p->rules, r);
}

static void add_moves(prover *p, uint32_t i) {
  assert(i < p->s->steps.size);
  const pstep *step = &p->s->steps.data[i];
  rule r = {.step = i, .fails = step->fails};
  if (step->fails) {
    r.places[0] = step->from;
    r.places[1] = UNBORN;
    r.places[2] = HD_NO_ID;
    add_rule(p, r);
    return;
  }
  for (uint32_t b = 0; b < p->s->places.size; b++) {
    rule mine = {
        .places = {step->from, b, HD_NO_ID}, .step = i, .head = {step->to, b}};
    add_rule(p, mine);
  }
  if (step->creates == HD_NO_ID)
    return;
  rule birth = {.places = {step->from, UNBORN, HD_NO_ID},
                .step = i,
                .head = {step->to, p->s->kinds.data[step->creates].start},
                .born = true};
  add_rule(p, birth);
}

static bool writes(const pstep *step) {
  for (hd_vec_each(const passign, a, &step->sets))
    if (a->var.owner == OF_ALL)
      return true;
  return false;
}

static void add_others(prover *p, uint32_t i) {
  assert(i < p->s->steps.size);
  const pstep *step = &p->s->steps.data[i];
  if (step->fails)
    return;
  uint32_t n = (uint32_t)p->s->places.size;
  for (uint32_t b = 0; b < n && writes(step); b++)
    for (uint32_t a = 0; a <= b; a++)
      add_rule(p, (rule){.places = {a, b, step->from},
                         .step = i,
                         .third = true,
                         .head = {a, b}});
  for (uint32_t a = 0; a < n && step->creates != HD_NO_ID; a++)
    add_rule(p, (rule){.places = {a, UNBORN, step->from},
                       .step = i,
                       .third = true,
                       .head = {a, p->s->kinds.data[step->creates].start},
                       .born = true});
}

static void add_rules(prover *p) {
  uint32_t start = p->s->kinds.data[0].start;
  add_rule(p, (rule){.step = HD_NO_ID, .head = {UNBORN, UNBORN}});
  add_rule(p, (rule){.step = HD_NO_ID, .head = {start, UNBORN}});
  for (uint32_t i = 0; i < p->s->steps.size; i++)
    if (p->s->steps.data[i].fails && !p->left)
      add_moves(p, i);
  for (uint32_t i = 0; i < p->s->steps.size; i++)
    if (!p->s->steps.data[i].fails)
      add_moves(p, i);
  for (uint32_t i = 0; i < p->s->steps.size; i++)
    add_others(p, i);
}

/* The versions of what it depends on; false when some of it is not reached. */
static bool versions_of(const prover *p, const rule *r, uint32_t *out) {
  const uint32_t *at = r->places;
  memset(out, 0, 4 * sizeof *out);
  for (int i = 0; i < 3 && r->step != HD_NO_ID; i++) {
    int j = (i + 1) % 3;
    if (at[i] == HD_NO_ID || at[j] == HD_NO_ID)
      continue;
    const pair *q = pair_of(p, at[i], at[j]);
    if (!q->reached)
      return false;
    out[i] = q->version + 1;
  }
  if (!r->fails)
    out[3] = pair_of(p, r->head[0], r->head[1])->version + 1;
  return true;
}

/* False: stop. */
static bool settle(prover *p, rule *r, bool *changed) {
  uint32_t now[4];
  while (versions_of(p, r, now) && memcmp(now, r->seen, sizeof now) != 0) {
    if (!hd_run_spend(p->run, 2000 + hd_bv_work(p->bv))) {
      p->proof->reason = hd_run_why(p->run);
      return false;
    }
    outcome out = try_rule(p, r);
    if (out == HOLDS) {
      memcpy(r->seen, now, sizeof now);
      return true;
    }
    if (out == BROKEN && r->fails)
      p->proof->failing = &p->s->steps.data[r->step];
    assert(!p->proof->failing || p->proof->failing->fails);
    if (p->proof->failing)
      return false;
    if (out == LOST) {
      if (!p->proof->reason)
        p->proof->reason = "an answer of the solver is no news";
      return false;
    }
    *changed = true;
  }
  return true;
}

/* Rules of two threads until they hold, then those with a third one. */
static void saturate(prover *p) {
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < p->rules.size; i++) {
      if (!settle(p, &p->rules.data[i], &changed))
        return;
      if (changed && i + 1 < p->rules.size && p->rules.data[i + 1].third &&
          !p->rules.data[i].third) {
        changed = false;
        i = (size_t)-1;
      }
    }
  }
  p->proof->proved = true;
}

/* A state of two threads that occurs in a run. */
static void on_state(void *context, uint32_t a, uint32_t b, plookup lookup,
                     void *state) {
  prover *p = context;
  pair *q = pair_of(p, a, b);
  assert(q->exists && q->a == a);
  hd_pairs_terms_forget(p->s->terms);
  (void)learn(p, q, q->terms.data, lookup, state);
}

/* Can threads be about to do both, as far as is known? */
static bool may_meet(prover *p, const pdeed *x, const pdeed *y) {
  const pair *q = pair_of(p, x->from, y->from);
  if (!hd_pairs_may_meet(p->s, x, y) || !q->exists || !q->reached)
    return false;
  hd_vec_clear(&p->question);
  hd_vec_clear(&p->some);
  p->turn++;
  assume_pair(p, x->from, OF_FIRST, y->from, OF_SECOND);
  assume(p, hd_pairs_meeting(p->s, x, y));
  hd_vec_push(&p->some, hd_pairs_term_const(p->s->terms, 1, 1));
  return ask(p) != HD_SMT_UNSAT;
}

static void find_failures(prover *p) {
  assert(p->proof->proved); /* what is known is inductive */
  for (hd_vec_each(const pstep, step, &p->s->steps)) {
    rule r = {.places = {step->from, UNBORN, HD_NO_ID},
              .step = (uint32_t)(step - p->s->steps.data),
              .fails = true};
    if (step->fails && pair_of(p, step->from, UNBORN)->reached &&
        (!hd_run_check(p->run) || try_rule(p, &r) != HOLDS))
      hd_pairs_add_failure(p->left, step);
  }
  p->proof->reason = NULL;
}

static void find_apart(prover *p, pmeetings *meetings) {
  assert(p->proof->proved);
  for (hd_vec_each(pmeeting, m, meetings)) {
    bool meet = false;
    for (hd_vec_each(const pdeed, x, &p->s->deeds))
      for (hd_vec_each(const pdeed, y, &p->s->deeds))
        meet = meet || (!m->apart && x->edge == m->a && y->edge == m->b &&
                        (!hd_run_check(p->run) || may_meet(p, x, y)));
    m->apart = m->apart || !meet;
  }
}

void hd_pairs_saturate(const psystem *system, const ppredicates *predicates,
                       hd_run *run, hd_bv *bv, pproof *proof,
                       pmeetings *meetings, pfailures *left) {
  prover p = {.s = system,
              .predicates = predicates,
              .bv = bv,
              .run = run,
              .proof = proof,
              .left = left,
              .live = hd_pairs_system_live(system)};
  open_pairs(&p);
  add_rules(&p);
  p.simulation = hd_pairs_simulation_new(system, on_state, &p);
  if (left)
    hd_pairs_simulation_go_on(p.simulation);
  proof->failing = hd_pairs_simulate(p.simulation, run);
  if (!proof->failing)
    saturate(&p);
  if (proof->proved && left)
    find_failures(&p);
  if (proof->proved && meetings)
    find_apart(&p, meetings);
  hd_pairs_simulation_delete(p.simulation);
  proof->rules = p.rules.size;
  for (hd_vec_each(pair, q, &p.pairs)) {
    proof->pairs += q->reached;
    hd_vec_free(&q->terms);
    hd_vec_free(&q->turned);
    hd_free(q->rows);
  }
  hd_vec_free(&p.pairs);
  hd_vec_free(&p.rules);
  hd_vec_free(&p.question);
  hd_vec_free(&p.some);
  hd_vec_free(&p.asked);
  hd_vec_free(&p.asked_some);
  hd_vec_free(&p.given);
  hd_free(p.live);
}
