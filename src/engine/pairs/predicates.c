/* SPDX-License-Identifier: MIT */
/* Where predicates come from: comparisons in conditions, first of all those that
 * fail; what assignments make true; what must have held before a step for a
 * predicate to hold behind it (weakest preconditions, as often as the level
 * says); and a few relations that loops keep and no line of the program says:
 * that a copy of a counter stays below it, that the copies of two threads
 * differ, that a counter of step 2 stays odd. A useless predicate costs time,
 * never a wrong answer. */
#include "engine/pairs/predicates.h"

#include <assert.h>

enum { MAX_PREDICATES = 72, MAX_NODES = 24 };

/* --- slicing and liveness --- */

typedef struct {
  uint8_t *shared, *local;
  bool changed;
} marks;

static void mark(void *context, const pterms *t, pterm var) {
  marks *m = context;
  pvar v = hd_pairs_var_of(t, var);
  if (v.owner == OF_NOBODY)
    return;
  uint8_t *at = v.owner == OF_ALL ? &m->shared[v.index] : &m->local[v.index];
  m->changed = m->changed || !*at;
  *at = 1;
}

static bool is_marked(const marks *m, pvar v) {
  assert(v.owner == OF_ALL || v.owner == OF_FIRST);
  return v.owner == OF_ALL ? m->shared[v.index] : m->local[v.index];
}

static void mark_sets(const psystem *s, const passigns *sets, marks *m) {
  for (hd_vec_each(const passign, a, sets))
    if (is_marked(m, a->var))
      hd_pairs_term_visit(s->terms, a->term, mark, m);
}

static void keep_marked(passigns *sets, const marks *m) {
  size_t to = 0;
  for (size_t i = 0; i < sets->size; i++)
    if (is_marked(m, sets->data[i].var))
      sets->data[to++] = sets->data[i];
  sets->size = to;
}

/* What decides who meets whom; at a place, or everywhere (HD_NO_ID). */
static void mark_deeds(const psystem *s, uint32_t place, marks *m) {
  for (hd_vec_each(const pdeed, d, &s->deeds))
    if (place == HD_NO_ID || d->from == place) {
      hd_pairs_term_visit(s->terms, d->guard, mark, m);
      hd_pairs_term_visit(s->terms, d->at, mark, m);
    }
}

void hd_pairs_system_slice(psystem *s) {
  marks m = {.shared = hd_calloc(s->shared.size + 1, 1),
             .local = hd_calloc(s->local.size + 1, 1),
             .changed = true};
  for (hd_vec_each(const pstep, step, &s->steps))
    hd_pairs_term_visit(s->terms, step->guard, mark, &m);
  mark_deeds(s, HD_NO_ID, &m);
  while (m.changed) {
    m.changed = false;
    for (hd_vec_each(const pstep, step, &s->steps)) {
      mark_sets(s, &step->sets, &m);
      mark_sets(s, &step->begins, &m);
    }
  }
  for (hd_vec_each(pstep, step, &s->steps)) {
    keep_marked(&step->sets, &m);
    keep_marked(&step->begins, &m);
  }
  hd_free(m.shared);
  hd_free(m.local);
}

static const passign *assigned(const passigns *sets, pvar var) {
  for (size_t i = 0; i < sets->size; i++)
    if (sets->data[i].var.owner == var.owner &&
        sets->data[i].var.index == var.index)
      return &sets->data[i];
  return NULL;
}

/* What the step needs in `live` of its place, which is in m->local. */
static void mark_step(const psystem *s, const pstep *step, const uint8_t *after,
                      marks *m) {
  assert(!step->fails || !after);
  hd_pairs_term_visit(s->terms, step->guard, mark, m);
  for (hd_vec_each(const passign, a, &step->begins))
    hd_pairs_term_visit(s->terms, a->term, mark, m);
  for (hd_vec_each(const passign, a, &step->sets))
    if (a->var.owner == OF_ALL || (after && after[a->var.index]))
      hd_pairs_term_visit(s->terms, a->term, mark, m);
  for (uint32_t i = 0; after && i < s->local.size; i++) {
    pvar var = {.owner = OF_FIRST, .index = i};
    if (after[i] && !m->local[i] && !assigned(&step->sets, var)) {
      m->local[i] = 1;
      m->changed = true;
    }
  }
}

uint8_t *hd_pairs_system_live(const psystem *s) {
  size_t n = s->local.size;
  uint8_t *live = hd_calloc(s->places.size * (n + 1) + 1, 1);
  uint8_t *shared = hd_calloc(s->shared.size + 1, 1);
  for (uint32_t q = 0; q < s->places.size; q++) {
    marks m = {.shared = shared, .local = live + q * n};
    mark_deeds(s, q, &m);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (hd_vec_each(const pstep, step, &s->steps)) {
      marks m = {.shared = shared, .local = live + step->from * n};
      /* Shared variables that are marked for the first time do not count. */
      size_t before = 0, behind = 0;
      for (size_t i = 0; i < n; i++)
        before += m.local[i];
      bool dies = step->fails || step->to == UNBORN;
      mark_step(s, step, dies ? NULL : live + step->to * n, &m);
      for (size_t i = 0; i < n; i++)
        behind += m.local[i];
      changed = changed || behind != before;
    }
  }
  hd_free(shared);
  return live;
}

/* --- collecting --- */

typedef struct {
  const psystem *system;
  ppredicates *out;
  bool is_signed; /* the program compares as signed somewhere */
} finder;

typedef struct {
  const psystem *system;
  uint32_t kind, other;
  bool inputs, any;
  unsigned nodes;
} use;

static void note_use(void *context, const pterms *t, pterm var) {
  use *u = context;
  pvar v = hd_pairs_var_of(t, var);
  u->any = true;
  u->nodes++;
  if (v.owner == OF_NOBODY)
    u->inputs = true;
  else if (v.owner == OF_FIRST)
    u->kind = u->system->local.data[v.index].kind;
  else if (v.owner == OF_SECOND)
    u->other = u->system->local.data[v.index].kind;
}

static void add(finder *f, pterm term) {
  pterms *t = f->system->terms;
  const pnode *n = hd_pairs_node_of(t, term);
  assert(n->width == 1);
  /* The positive one of two. */
  if (n->op == HD_BV_XOR && hd_pairs_node_of(t, n->args[1])->op == TERM_CONST)
    term = n->args[0];
  use u = {.system = f->system, .kind = HD_NO_ID, .other = HD_NO_ID};
  hd_pairs_term_visit(t, term, note_use, &u);
  if (!u.any || u.inputs || u.nodes > MAX_NODES ||
      f->out->size >= MAX_PREDICATES)
    return;
  for (hd_vec_each(const ppredicate, p, f->out))
    if (p->term == term)
      return;
  hd_vec_push(f->out,
              ((ppredicate){.term = term, .kind = u.kind, .other = u.other}));
}

/* The comparisons in a condition. */
static void add_atoms(finder *f, pterm term) {
  const pnode n = *hd_pairs_node_of(f->system->terms, term);
  if (n.op == TERM_CONST)
    return;
  if (n.width == 1 &&
      (n.op == HD_BV_AND || n.op == HD_BV_OR || n.op == HD_BV_XOR)) {
    add_atoms(f, n.args[0]);
    add_atoms(f, n.args[1]);
    return;
  }
  if (n.op == TERM_ITE && n.width == 1) {
    for (int i = 0; i < 3; i++)
      add_atoms(f, n.args[i]);
    return;
  }
  if (n.op == HD_BV_SLT)
    f->is_signed = true;
  if (n.width == 1)
    add(f, term);
}

static pterm var_term(const psystem *s, pvar var) {
  assert(var.index < (var.owner == OF_ALL ? s->shared.size : s->local.size));
  uint8_t width = var.owner == OF_ALL ? s->shared.data[var.index].width
                                      : s->local.data[var.index].width;
  return hd_pairs_term_var(s->terms, var, width);
}

typedef struct {
  const passigns *sets;
  bool found;
  pterm from, to; /* also replaced, unless `from` is 0 and `to`, too */
  bool replace;
} change;

static void find_set(void *context, const pterms *t, pterm var) {
  change *c = context;
  pvar v = hd_pairs_var_of(t, var);
  c->found = c->found || v.owner == OF_NOBODY || assigned(c->sets, v);
}

static bool is_changed(const psystem *s, const passigns *sets, pterm term) {
  change c = {.sets = sets};
  hd_pairs_term_visit(s->terms, term, find_set, &c);
  return c.found;
}

static pterm after_set(void *context, pterms *t, pterm var) {
  const change *c = context;
  if (c->replace)
    return var == c->from ? c->to : var;
  const passign *a = assigned(c->sets, hd_pairs_var_of(t, var));
  return a ? a->term : var;
}

static void add_equal(finder *f, pterm a, pterm b) {
  assert(hd_pairs_node_of(f->system->terms, a)->width ==
         hd_pairs_node_of(f->system->terms, b)->width);
  add_atoms(f, hd_pairs_term_apply(f->system->terms, HD_BV_EQ, a, b));
}

/* What an input is compared with, in one condition: whether these are equal
 * matters, too. */
typedef struct {
  hd_u32s inputs, others;
} compared;

static void find_compared(finder *f, pterm term, compared *c) {
  const pnode n = *hd_pairs_node_of(f->system->terms, term);
  if (n.width != 1 || n.op >= TERM_CONST)
    return;
  for (int i = 0; i < 2; i++)
    find_compared(f, n.args[i], c);
  for (int i = 0; i < 2 && n.op == HD_BV_EQ; i++) {
    const pnode *x = hd_pairs_node_of(f->system->terms, n.args[i]);
    if (x->op != TERM_VAR ||
        hd_pairs_var_of(f->system->terms, n.args[i]).owner != OF_NOBODY)
      continue;
    for (size_t k = 0; k < c->inputs.size; k++)
      if (c->inputs.data[k] == n.args[i])
        add_equal(f, c->others.data[k], n.args[1 - i]);
    hd_vec_push(&c->inputs, n.args[i]);
    hd_vec_push(&c->others, n.args[1 - i]);
  }
}

static void add_compared(finder *f, pterm guard) {
  compared c = {0};
  find_compared(f, guard, &c);
  hd_vec_free(&c.inputs);
  hd_vec_free(&c.others);
}

/* What holds behind assignments. */
static void add_assigned(finder *f, const passigns *sets) {
  const psystem *s = f->system;
  for (hd_vec_each(const passign, a, sets)) {
    pterm var = var_term(s, a->var);
    for (const passign *b = sets->data; b < a; b++)
      if (b->term == a->term &&
          hd_pairs_node_of(s->terms, a->term)->op != TERM_CONST)
        add_equal(f, var, var_term(s, b->var));
    if (!is_changed(s, sets, a->term)) {
      add_equal(f, var, a->term);
      continue;
    }
    /* u = w, w = e(w): behind it w == e(u). */
    const pnode *n = hd_pairs_node_of(s->terms, a->term);
    if (n->op != TERM_VAR ||
        hd_pairs_var_of(s->terms, a->term).owner == OF_NOBODY)
      continue;
    const passign *w = assigned(sets, hd_pairs_var_of(s->terms, a->term));
    if (!w)
      continue;
    change c = {.replace = true, .from = a->term, .to = var};
    pterm e = hd_pairs_term_map(s->terms, w->term, after_set, &c);
    if (!is_changed(s, sets, w->term) || e != w->term)
      add_equal(f, a->term, e);
  }
}

/* --- relations nobody wrote down --- */

static void add_order(finder *f, pterm a, pterm b) {
  assert(hd_pairs_node_of(f->system->terms, a)->width ==
         hd_pairs_node_of(f->system->terms, b)->width);
  pterms *t = f->system->terms;
  add(f, hd_pairs_term_apply(t, HD_BV_ULT, a, b));
  if (f->is_signed)
    add(f, hd_pairs_term_apply(t, HD_BV_SLT, a, b));
}

/* Copies of one shared variable in two threads. */
static void add_copies(finder *f) {
  const psystem *s = f->system;
  hd_vec(passign) copies = {0};
  for (hd_vec_each(const pstep, step, &s->steps))
    for (hd_vec_each(const passign, a, &step->sets))
      if (a->var.owner == OF_FIRST &&
          hd_pairs_node_of(s->terms, a->term)->op == TERM_VAR &&
          hd_pairs_var_of(s->terms, a->term).owner == OF_ALL) {
        bool known = false;
        for (hd_vec_each(const passign, c, &copies))
          known = known || (c->var.index == a->var.index && c->term == a->term);
        if (!known)
          hd_vec_push(&copies, *a);
      }
  for (hd_vec_each(const passign, c, &copies))
    add_order(f, var_term(s, c->var), c->term);
  for (size_t i = 0; i < copies.size; i++)
    for (size_t j = 0; j < copies.size; j++) {
      const passign *x = &copies.data[i], *y = &copies.data[j];
      if (x->term != y->term)
        continue;
      pvar second = {.owner = OF_SECOND, .index = y->var.index};
      add(f, hd_pairs_term_apply(s->terms, HD_BV_EQ, var_term(s, x->var),
                                 var_term(s, second)));
    }
  hd_vec_free(&copies);
}

typedef struct {
  finder *f;
  pterm order;
} equality;

/* `a` is `b` where the step can be taken, so the order is also one of `b`. */
static void put_equal(const equality *e, pterm a, pterm b) {
  pterms *t = e->f->system->terms;
  if (hd_pairs_node_of(t, a)->op != TERM_VAR)
    return;
  change c = {.replace = true, .from = a, .to = b};
  pterm made = hd_pairs_term_map(t, e->order, after_set, &c);
  if (made != e->order)
    add_atoms(e->f, made);
}

static void follow_equal(const equality *e, pterm guard) {
  const pnode n = *hd_pairs_node_of(e->f->system->terms, guard);
  if (n.op == HD_BV_AND && n.width == 1) {
    follow_equal(e, n.args[0]);
    follow_equal(e, n.args[1]);
  } else if (n.op == HD_BV_EQ) {
    put_equal(e, n.args[0], n.args[1]);
    put_equal(e, n.args[1], n.args[0]);
  }
}

/* Orders go on by equalities in conditions: a ticket below the next one is
 * served, so what is served is below. */
static void add_orders(finder *f) {
  const psystem *s = f->system;
  size_t n = f->out->size;
  for (size_t i = 0; i < n; i++) {
    const pnode *order = hd_pairs_node_of(s->terms, f->out->data[i].term);
    if (order->op != HD_BV_ULT && order->op != HD_BV_SLT)
      continue;
    equality e = {.f = f, .order = f->out->data[i].term};
    for (hd_vec_each(const pstep, step, &s->steps))
      follow_equal(&e, step->guard);
  }
}

/* What a thread is given when it is created, and the variables of who creates
 * it: as a rule these grow, so that no two are given the same, nor what is next to
 * it. */
static void add_birth(finder *f, const passign *a) {
  const psystem *s = f->system;
  pterms *t = s->terms;
  pterm own = var_term(s, a->var);
  pterm given = hd_pairs_term_rename(t, a->term, OF_SECOND, OF_NOBODY);
  uint8_t width = hd_pairs_node_of(t, own)->width;
  add(f, hd_pairs_term_apply(t, HD_BV_ULT, own, given));
  for (hd_vec_each(const pdeed, d, &s->deeds))
    if (d->bytes && hd_pairs_node_of(t, d->at)->width == width)
      add(f, hd_pairs_term_apply(t, HD_BV_ULT,
                                 hd_pairs_term_apply(t, HD_BV_SUB, given, own),
                                 hd_pairs_term_const(t, width, d->bytes)));
}

static void add_births(finder *f) {
  enum { MOST = 32 };
  const psystem *s = f->system;
  passigns births = {0};
  for (hd_vec_each(const pstep, step, &s->steps))
    for (hd_vec_each(const passign, a, &step->begins))
      if (hd_pairs_node_of(s->terms, a->term)->op != TERM_CONST)
        hd_vec_push(&births, *a);
  /* And of the copies that the thread makes of it. */
  for (size_t i = 0; i < births.size; i++) {
    pterm own = var_term(s, births.data[i].var);
    pterm given = births.data[i].term;
    add_birth(f, &births.data[i]);
    for (hd_vec_each(const pstep, step, &s->steps))
      for (hd_vec_each(const passign, a, &step->sets)) {
        bool known = a->term != own || a->var.owner != OF_FIRST;
        for (size_t k = 0; k < births.size && !known; k++)
          known = births.data[k].var.index == a->var.index;
        if (!known && births.size < MOST)
          hd_vec_push(&births, ((passign){.var = a->var, .term = given}));
      }
  }
  hd_vec_free(&births);
}

/* What must not be where threads meet. */
static void add_meetings(finder *f) {
  const psystem *s = f->system;
  for (hd_vec_each(const pdeed, x, &s->deeds))
    for (hd_vec_each(const pdeed, y, &s->deeds))
      if (hd_pairs_may_meet(s, x, y))
        add_atoms(f, hd_pairs_meeting(s, x, y));
}

/* The largest power of two that all changes of the variable are multiples of. */
static uint64_t stride_of(const psystem *s, uint32_t var) {
  uint64_t all = 0;
  pvar v = {.owner = OF_ALL, .index = var};
  pterm self = var_term(s, v);
  for (hd_vec_each(const pstep, step, &s->steps)) {
    const passign *a = assigned(&step->sets, v);
    if (!a || a->term == self)
      continue;
    const pnode *n = hd_pairs_node_of(s->terms, a->term);
    uint64_t k;
    if (n->op != HD_BV_ADD || !hd_pairs_term_is_const(s->terms, n->args[1], &k))
      return 0;
    all |= k;
  }
  return all & (0 - all);
}

static void add_strides(finder *f) {
  const psystem *s = f->system;
  for (uint32_t i = 0; i < s->shared.size; i++) {
    const psvar *v = &s->shared.data[i];
    uint64_t stride = v->has_start && v->written ? stride_of(s, i) : 0;
    if (stride < 2)
      continue;
    assert(!(stride & (stride - 1))); /* a power of two */
    pterm mask = hd_pairs_term_const(s->terms, v->width, stride - 1);
    pterm start =
        hd_pairs_term_const(s->terms, v->width, v->start & (stride - 1));
    pterm var = var_term(s, (pvar){.owner = OF_ALL, .index = i});
    add(f, hd_pairs_term_apply(
               s->terms, HD_BV_EQ,
               hd_pairs_term_apply(s->terms, HD_BV_AND, var, mask), start));
  }
}

/* --- levels --- */

static void add_program(finder *f) {
  const psystem *s = f->system;
  for (hd_vec_each(const pstep, step, &s->steps))
    if (step->fails)
      add_atoms(f, step->guard);
  for (hd_vec_each(const pstep, step, &s->steps)) {
    add_atoms(f, step->guard);
    add_compared(f, step->guard);
  }
  for (hd_vec_each(const pstep, step, &s->steps))
    add_assigned(f, &step->sets);
  for (uint32_t i = 0; i < s->shared.size; i++) {
    const psvar *v = &s->shared.data[i];
    bool used = false;
    for (hd_vec_each(const pstep, step, &s->steps))
      used = used || assigned(&step->sets, (pvar){.owner = OF_ALL, .index = i});
    if (v->has_start && used)
      add_equal(f, var_term(s, (pvar){.owner = OF_ALL, .index = i}),
                hd_pairs_term_const(s->terms, v->width, v->start));
  }
}

/* What must hold before, for all there is now. */
static void add_before(finder *f) {
  const psystem *s = f->system;
  size_t n = f->out->size;
  for (size_t i = 0; i < n; i++) {
    ppredicate p = f->out->data[i];
    for (hd_vec_each(const pstep, step, &s->steps)) {
      if (step->fails ||
          (p.kind != HD_NO_ID && p.kind != s->places.data[step->from].kind))
        continue;
      change c = {.sets = &step->sets};
      pterm before = hd_pairs_term_map(s->terms, p.term, after_set, &c);
      if (before != p.term)
        add_atoms(f, before);
      if (p.other == HD_NO_ID || p.other != p.kind)
        continue;
      pterm turned =
          hd_pairs_term_rename(s->terms, p.term, OF_SECOND, OF_FIRST);
      before = hd_pairs_term_map(s->terms, turned, after_set, &c);
      if (before != turned)
        add_atoms(f, before);
    }
  }
}

/* Does a step copy a shared variable and change it? */
static bool takes_tickets(const psystem *s) {
  for (hd_vec_each(const pstep, step, &s->steps))
    for (hd_vec_each(const passign, a, &step->sets))
      if (a->var.owner == OF_FIRST &&
          hd_pairs_node_of(s->terms, a->term)->op == TERM_VAR &&
          assigned(&step->sets, hd_pairs_var_of(s->terms, a->term)))
        return true;
  return false;
}

void hd_pairs_predicates_find(const psystem *system, int level,
                              ppredicates *out) {
  assert(level >= 1 && level <= PREDICATE_LEVELS);
  finder f = {.system = system, .out = out};
  hd_vec_clear(out);
  add_meetings(&f);
  if (system->deeds.size)
    add_births(&f);
  add_program(&f);
  if (level > 1 || takes_tickets(system)) {
    add_copies(&f);
    add_orders(&f);
  }
  if (level > 1)
    add_strides(&f);
  for (int i = 1; i < level || i == 1; i++)
    add_before(&f);
}
