/* SPDX-License-Identifier: MIT */
#include "engine/pairs/sums.h"

#include "base/word.h"
#include "engine/pairs/linear.h"
#include "engine/pairs/predicates.h"
#include "solve/null_space.h"

#include <assert.h>
#include <string.h>

enum { MAX_COLUMNS = 3000, MAX_VECTORS = 64, FEWEST_BITS = 8 };

uint32_t hd_pairs_spot_behind(const psystem *s, const pstep *step) {
  assert(!step->fails); /* there is nothing behind what fails */
  return step->to == UNBORN
             ? hd_pairs_end_of(s, s->places.data[step->from].kind)
             : step->to;
}

/* --- columns --- */

/* 1, variables of the thread, shared variables; then for each scale the product of
 * it and of 1, of it and of each variable of the thread. */
static size_t width_of_spot(const psums *m) {
  return 1 + m->s->local.size + m->s->shared.size +
         m->n_scales * (1 + m->s->local.size);
}

static size_t scaled(const psums *m, uint32_t scale, size_t what) {
  assert(scale < m->n_scales && what <= m->s->local.size);
  return 1 + m->s->local.size + m->s->shared.size +
         scale * (1 + m->s->local.size) + what;
}

static uint32_t column(const psums *m, uint32_t spot, size_t what) {
  assert(spot < m->n_spots && what < width_of_spot(m));
  return m->columns[spot * width_of_spot(m) + what];
}

static uint32_t own_column(const psums *m, uint32_t spot, uint32_t local) {
  assert(local < m->s->local.size);
  return column(m, spot, 1 + (size_t)local);
}

static uint32_t shared_column(const psums *m, uint32_t spot, uint32_t shared) {
  assert(shared < m->s->shared.size);
  return column(m, spot, 1 + m->s->local.size + shared);
}

static int64_t factor_at(const pinvariant *i, uint32_t column) {
  return column == HD_NO_ID ? 0 : i->factors[column];
}

int64_t hd_pairs_factor_one(const psums *m, const pinvariant *i,
                            uint32_t spot) {
  return factor_at(i, column(m, spot, 0));
}

int64_t hd_pairs_factor_own(const psums *m, const pinvariant *i, uint32_t spot,
                            uint32_t local) {
  return factor_at(i, own_column(m, spot, local));
}

int64_t hd_pairs_factor_shared(const psums *m, const pinvariant *i,
                               uint32_t spot, uint32_t shared) {
  return factor_at(i, shared_column(m, spot, shared));
}

int64_t hd_pairs_factor_scaled_one(const psums *m, const pinvariant *i,
                                   uint32_t spot, uint32_t scale) {
  return factor_at(i, column(m, spot, scaled(m, scale, 0)));
}

int64_t hd_pairs_factor_scaled_own(const psums *m, const pinvariant *i,
                                   uint32_t spot, uint32_t scale,
                                   uint32_t local) {
  return factor_at(i, column(m, spot, scaled(m, scale, 1 + (size_t)local)));
}

static void add_column(psums *m, uint32_t spot, size_t what) {
  assert(column(m, spot, what) == HD_NO_ID); /* each once */
  m->columns[spot * width_of_spot(m) + what] = m->n_columns++;
}

/* --- scales --- */

static bool sets_variable(const pstep *step, uint32_t shared) {
  for (hd_vec_each(const passign, a, &step->sets))
    if (a->var.owner == OF_ALL && a->var.index == shared)
      return true;
  return false;
}

/* Places of main where there may be other threads. */
static uint8_t *find_crowded(const psystem *s) {
  uint8_t *crowded = hd_calloc(s->places.size + 1, sizeof *crowded);
  for (bool changed = true; changed;) {
    changed = false;
    for (hd_vec_each(const pstep, step, &s->steps)) {
      if (step->fails || s->places.data[step->from].kind != 0 ||
          !(crowded[step->from] || step->creates != HD_NO_ID) ||
          crowded[step->to])
        continue;
      crowded[step->to] = 1;
      changed = true;
    }
  }
  return crowded;
}

/* Does the variable stay what it is from the first creation of a thread on? */
static bool is_settled(const psystem *s, const uint8_t *crowded,
                       uint32_t shared) {
  for (hd_vec_each(const pstep, step, &s->steps))
    if (sets_variable(step, shared) &&
        (s->places.data[step->from].kind != 0 || crowded[step->from] ||
         step->creates != HD_NO_ID))
      return false;
  return true;
}

typedef struct {
  uint32_t shared;
  bool found;
} mention;

static void look_for(void *context, const pterms *t, pterm var) {
  mention *m = context;
  pvar v = hd_pairs_var_of(t, var);
  m->found = m->found || (v.owner == OF_ALL && v.index == m->shared);
}

/* Does a thread other than main ask for it? */
static bool is_asked(const psystem *s, uint32_t shared) {
  mention m = {.shared = shared};
  for (hd_vec_each(const pstep, step, &s->steps))
    if (s->places.data[step->from].kind != 0)
      hd_pairs_term_visit(s->terms, step->guard, look_for, &m);
  return m.found;
}

static void find_scales(psums *m) {
  const psystem *s = m->s;
  uint8_t *crowded = find_crowded(s);
  m->n_scales = 0;
  for (uint32_t v = 0; v < s->shared.size && m->n_scales < SCALES_MOST; v++)
    if ((s->shared.data[v].written || !s->shared.data[v].has_start) &&
        s->shared.data[v].width > FEWEST_BITS && is_settled(s, crowded, v) &&
        is_asked(s, v))
      m->scales[m->n_scales++] = v;
  hd_free(crowded);
}

/* Can threads be there? Main mostly ends with the program. */
static bool is_used(const psystem *s, uint32_t spot) {
  if (spot < s->places.size)
    return true;
  for (hd_vec_each(const pstep, step, &s->steps))
    if (!step->fails && !step->exits && hd_pairs_spot_behind(s, step) == spot)
      return true;
  return false;
}

/* Of threads at places what is still needed, of those that have ended what was
 * ever set; likewise of main: a sum that is needed for some time only would have to
 * be given up when the last of its variables is. */
static void make_columns(psums *m) {
  const psystem *s = m->s;
  find_scales(m);
  size_t width = width_of_spot(m);
  m->n_spots = (uint32_t)(s->places.size + s->kinds.size);
  m->columns = hd_calloc(m->n_spots * width, sizeof *m->columns);
  memset(m->columns, 0xff, m->n_spots * width * sizeof *m->columns);
  uint8_t *live = hd_pairs_system_live(s);
  for (uint32_t spot = 1; spot < m->n_spots; spot++) {
    uint32_t kind = hd_pairs_kind_at(s, spot);
    bool is_end = spot >= s->places.size;
    if (!is_used(s, spot))
      continue;
    add_column(m, spot, 0);
    for (uint32_t x = 0; x < s->local.size; x++)
      if (s->local.data[x].kind == kind && s->local.data[x].written &&
          (is_end || kind == 0 || live[spot * s->local.size + x])) {
        add_column(m, spot, 1 + x);
        for (uint32_t i = 0; kind == 0 && i < m->n_scales; i++)
          add_column(m, spot, scaled(m, i, 1 + (size_t)x));
      }
    for (uint32_t i = 0; kind && i < m->n_scales; i++)
      add_column(m, spot, scaled(m, i, 0));
    for (uint32_t v = 0; kind == 0 && v < s->shared.size; v++)
      if (s->shared.data[v].written || !s->shared.data[v].has_start)
        add_column(m, spot, 1 + s->local.size + v);
  }
  hd_free(live);
}

bool hd_pairs_spot_used(const psums *m, uint32_t spot) {
  return column(m, spot, 0) != HD_NO_ID;
}

/* --- what a step changes --- */

/* A column and what its factor is multiplied with. */
typedef struct {
  uint32_t column;
  plinear by;
} pchange;

typedef struct {
  psums *m;
  const pstep *step;
  uint32_t main_at; /* a spot of main, where it is not main's step */
  uint32_t joined;  /* kind of the thread that is joined; HD_NO_ID = none */
  preplacements known;
  hd_vec(pchange) changes;
  bool failed;     /* numbers too large */
  bool impossible; /* the step contradicts the facts */
} change_set;

static void change(change_set *c, uint32_t column, pterm term, int64_t sign) {
  assert(sign == 1 || sign == -1);
  if (column == HD_NO_ID)
    return;
  pterms *t = c->m->s->terms;
  pchange made = {.column = column};
  plinear value = {0};
  hd_pairs_linear_of(t, term, &value);
  c->failed = c->failed || !hd_pairs_replace(&c->known, &value) ||
              !hd_pairs_linear_add(&made.by, &value, sign);
  hd_pairs_linear_free(&value);
  hd_vec_push(&c->changes, made);
}

static pterm scale_var(const psums *m, uint32_t scale) {
  const psystem *s = m->s;
  uint32_t v = m->scales[scale];
  return hd_pairs_term_var(s->terms, (pvar){.owner = OF_ALL, .index = v},
                           s->shared.data[v].width);
}

/* The column of a product. */
static void change_product(change_set *c, uint32_t column, pterm a, pterm b,
                           int64_t sign) {
  assert(sign == 1 || sign == -1);
  if (column == HD_NO_ID)
    return;
  pterms *t = c->m->s->terms;
  pchange made = {.column = column};
  plinear x = {0}, y = {0}, product = {0};
  hd_pairs_linear_of(t, a, &x);
  hd_pairs_linear_of(t, b, &y);
  if (!hd_pairs_replace(&c->known, &x) || !hd_pairs_replace(&c->known, &y) ||
      !hd_pairs_linear_times(t, &x, &y, &product))
    hd_pairs_linear_product(t, a, b, &product);
  c->failed = c->failed || !hd_pairs_linear_add(&made.by, &product, sign);
  hd_pairs_linear_free(&x);
  hd_pairs_linear_free(&y);
  hd_pairs_linear_free(&product);
  hd_vec_push(&c->changes, made);
}

static void change_one(change_set *c, uint32_t spot, int64_t sign) {
  change(c, column(c->m, spot, 0), hd_pairs_term_const(c->m->s->terms, 64, 1),
         sign);
}

/* The variable behind the step. */
static pterm value_behind(const psystem *s, const passigns *sets, pvar var,
                          uint8_t width) {
  for (hd_vec_each(const passign, a, sets))
    if (a->var.owner == var.owner && a->var.index == var.index)
      return a->term;
  return hd_pairs_term_var(s->terms, var, width);
}

/* A thread leaves `spot`; its variables are those of `owner`. */
static void leave(change_set *c, uint32_t spot, powner owner) {
  assert(owner == OF_FIRST || owner == OF_SECOND);
  const psystem *s = c->m->s;
  change_one(c, spot, -1);
  for (uint32_t i = 0; i < c->m->n_scales; i++)
    change(c, column(c->m, spot, scaled(c->m, i, 0)), scale_var(c->m, i), -1);
  for (uint32_t x = 0; x < s->local.size; x++) {
    pterm var = hd_pairs_term_var(s->terms, (pvar){.owner = owner, .index = x},
                                  s->local.data[x].width);
    change(c, own_column(c->m, spot, x), var, -1);
    for (uint32_t i = 0; i < c->m->n_scales; i++)
      change_product(c, column(c->m, spot, scaled(c->m, i, 1 + (size_t)x)),
                     scale_var(c->m, i), var, -1);
  }
}

/* A thread comes to `spot`, its variables set by `sets`; `born`: those that are
 * not set are anything. */
static void enter(change_set *c, uint32_t spot, const passigns *sets,
                  bool born) {
  const psystem *s = c->m->s;
  change_one(c, spot, 1);
  pterm scales[SCALES_MOST]; /* behind the step */
  for (uint32_t i = 0; i < c->m->n_scales; i++) {
    uint32_t v = c->m->scales[i];
    scales[i] =
        value_behind(s, &c->step->sets, (pvar){.owner = OF_ALL, .index = v},
                     s->shared.data[v].width);
    change(c, column(c->m, spot, scaled(c->m, i, 0)), scales[i], 1);
  }
  for (uint32_t x = 0; x < s->local.size; x++) {
    pvar var = {.owner = OF_FIRST, .index = x};
    uint8_t width = s->local.data[x].width;
    pterm term = value_behind(s, sets, var, width);
    if (born && term == hd_pairs_term_var(s->terms, var, width))
      term = hd_pairs_term_var(s->terms, (pvar){.owner = OF_THIRD, .index = x},
                               width);
    change(c, own_column(c->m, spot, x), term, 1);
    for (uint32_t i = 0; i < c->m->n_scales; i++)
      change_product(c, column(c->m, spot, scaled(c->m, i, 1 + (size_t)x)),
                     scales[i], term, 1);
  }
}

static void change_shared(change_set *c, uint32_t before, uint32_t behind) {
  const psystem *s = c->m->s;
  for (uint32_t v = 0; v < s->shared.size; v++) {
    pvar var = {.owner = OF_ALL, .index = v};
    uint8_t width = s->shared.data[v].width;
    pterm old = hd_pairs_term_var(s->terms, var, width);
    pterm new = value_behind(s, &c->step->sets, var, width);
    if (before == behind && old == new)
      continue;
    change(c, shared_column(c->m, before, v), old, -1);
    change(c, shared_column(c->m, behind, v), new, 1);
  }
}

static void know(change_set *c, const pfacts *facts, uint32_t spot,
                 powner owner) {
  pterms *t = c->m->s->terms;
  for (size_t i = 0; facts->at && i < facts->at[spot].size; i++)
    c->impossible =
        !hd_pairs_learn(
            t,
            hd_pairs_term_rename(t, facts->at[spot].data[i], owner, OF_THIRD),
            &c->known) ||
        c->impossible;
}

static void collect(change_set *c, const pfacts *facts) {
  const psystem *s = c->m->s;
  uint32_t from = c->step->from, to = hd_pairs_spot_behind(s, c->step);
  bool is_main = s->places.data[from].kind == 0;
  c->impossible = !hd_pairs_learn(s->terms, c->step->guard, &c->known);
  know(c, facts, from, OF_FIRST);
  size_t number = (size_t)(c->step - s->steps.data);
  assert(number < s->steps.size);
  for (size_t i = 0; facts->before && i < facts->before[number].size; i++)
    c->impossible =
        !hd_pairs_learn(s->terms, facts->before[number].data[i], &c->known) ||
        c->impossible;
  leave(c, from, OF_FIRST);
  enter(c, to, &c->step->sets, false);
  if (is_main)
    change_shared(c, from, to);
  else if (c->main_at != HD_NO_ID)
    change_shared(c, c->main_at, c->main_at);
  if (c->step->creates != HD_NO_ID)
    enter(c, s->kinds.data[c->step->creates].start, &c->step->begins, true);
  if (c->joined == HD_NO_ID)
    return;
  know(c, facts, hd_pairs_end_of(s, c->joined), OF_SECOND);
  leave(c, hd_pairs_end_of(s, c->joined), OF_SECOND);
}

static void set_free(change_set *c) {
  for (hd_vec_each(pchange, d, &c->changes))
    hd_pairs_linear_free(&d->by);
  hd_vec_free(&c->changes);
  hd_pairs_replacements_free(&c->known);
}

typedef bool (*on_change)(void *context, const change_set *c);

static bool with_change(psums *m, const pfacts *facts, const pstep *step,
                        uint32_t main_at, uint32_t joined, on_change use,
                        void *context) {
  change_set c = {.m = m, .step = step, .main_at = main_at, .joined = joined};
  collect(&c, facts);
  bool good = c.impossible || (!c.failed && use(context, &c));
  set_free(&c);
  return good;
}

static bool sets_shared(const pstep *step) {
  for (hd_vec_each(const passign, a, &step->sets))
    if (a->var.owner == OF_ALL)
      return true;
  return false;
}

/* Wherever main may be meanwhile, if that makes a difference. */
static bool wherever_main_is(psums *m, const pfacts *facts, const pstep *step,
                             uint32_t joined, on_change use, void *context) {
  const psystem *s = m->s;
  bool matters = s->places.data[step->from].kind != 0 && sets_shared(step);
  if (!matters)
    return with_change(m, facts, step, HD_NO_ID, joined, use, context);
  for (uint32_t r = 1; r < m->n_spots; r++)
    if (hd_pairs_kind_at(s, r) == 0 && column(m, r, 0) != HD_NO_ID &&
        !with_change(m, facts, step, r, joined, use, context))
      return false;
  return true;
}

/* Every way that a step can change the sums. False as soon as `use` says so. */
static bool each_change(psums *m, const pfacts *facts, on_change use,
                        void *context) {
  for (hd_vec_each(const pstep, step, &m->s->steps)) {
    if (step->fails || step->exits)
      continue;
    if (step->joins == HD_NO_ID) {
      if (!wherever_main_is(m, facts, step, HD_NO_ID, use, context))
        return false;
      continue;
    }
    const pfamily *f = &m->s->families.data[step->joins];
    for (size_t i = 0; i < f->kinds.size; i++)
      if (!wherever_main_is(m, facts, step, f->kinds.data[i], use, context))
        return false;
  }
  return true;
}

/* --- equations --- */

typedef struct {
  hd_null_space *space;
  hd_run *run;
  hd_vec(hd_null_entry) row;
} equations;

static void equation_of(equations *e, const change_set *c, pterm atom) {
  hd_vec_clear(&e->row);
  for (hd_vec_each(const pchange, d, &c->changes)) {
    int64_t value = atom == HD_NO_ID ? d->by.constant : 0;
    for (size_t i = 0; i < d->by.parts.size; i++)
      if (d->by.parts.data[i].atom == atom)
        value = d->by.parts.data[i].factor;
    if (value)
      hd_vec_push(&e->row,
                  ((hd_null_entry){.column = d->column, .value = value}));
  }
  hd_null_space_row(e->space, e->row.data, e->row.size);
}

/* The change is 0 whatever the atoms are. */
static bool add_equations(void *context, const change_set *c) {
  equations *e = context;
  hd_u32s atoms = {0};
  if (!hd_run_spend(e->run, 200))
    return false;
  for (hd_vec_each(const pchange, d, &c->changes))
    for (size_t i = 0; i < d->by.parts.size; i++) {
      pterm atom = d->by.parts.data[i].atom;
      size_t k = 0;
      while (k < atoms.size && atoms.data[k] != atom)
        k++;
      if (k == atoms.size)
        hd_vec_push(&atoms, atom);
    }
  equation_of(e, c, HD_NO_ID);
  for (size_t i = 0; i < atoms.size; i++)
    equation_of(e, c, atoms.data[i]);
  hd_vec_free(&atoms);
  return true;
}

static void zero(equations *e, uint32_t column) {
  hd_null_entry entry = {.column = column, .value = 1};
  if (column != HD_NO_ID)
    hd_null_space_row(e->space, &entry, 1);
}

/* What has no known value at the start counts nothing there. */
static void add_start(equations *e, const psums *m) {
  const psystem *s = m->s;
  uint32_t start = s->kinds.data[0].start;
  for (uint32_t x = 0; x < s->local.size; x++)
    if (!s->local.data[x].has_start)
      zero(e, own_column(m, start, x));
  for (uint32_t v = 0; v < s->shared.size; v++)
    if (!s->shared.data[v].has_start)
      zero(e, shared_column(m, start, v));
  for (uint32_t i = 0; i < m->n_scales; i++) /* nor what they scale */
    for (size_t x = 0; x <= s->local.size; x++)
      zero(e, column(m, start, scaled(m, i, x)));
}

/* --- being sure --- */

/* Is the sum of changes 0 modulo 2^bits, for the fewest bits of all steps? */
static bool keeps(void *context, const change_set *c) {
  pinvariant *inv = context;
  plinear all = {0};
  bool good = true;
  for (hd_vec_each(const pchange, d, &c->changes))
    good = good && hd_pairs_linear_add(&all, &d->by, inv->factors[d->column]);
  uint8_t bits = hd_pairs_linear_bits(&all);
  inv->bits = bits < inv->bits ? bits : inv->bits;
  uint64_t mask = hd_word_mask(inv->bits);
  good = good && inv->bits >= FEWEST_BITS && !((uint64_t)all.constant & mask);
  for (size_t i = 0; good && i < all.parts.size; i++)
    good = !((uint64_t)all.parts.data[i].factor & mask);
  hd_pairs_linear_free(&all);
  return good;
}

static bool starts_known(const psums *m, const pinvariant *inv) {
  const psystem *s = m->s;
  uint32_t start = s->kinds.data[0].start;
  for (uint32_t x = 0; x < s->local.size; x++)
    if (!s->local.data[x].has_start && hd_pairs_factor_own(m, inv, start, x))
      return false;
  for (uint32_t v = 0; v < s->shared.size; v++)
    if (!s->shared.data[v].has_start &&
        hd_pairs_factor_shared(m, inv, start, v))
      return false;
  for (uint32_t i = 0; i < m->n_scales; i++)
    for (size_t x = 0; x <= s->local.size; x++)
      if (factor_at(inv, column(m, start, scaled(m, i, x))))
        return false;
  return true;
}

/* At the start main is where it begins, alone. */
static uint64_t total(const psums *m, const pinvariant *inv) {
  assert(starts_known(m, inv));
  const psystem *s = m->s;
  uint32_t start = s->kinds.data[0].start;
  uint64_t sum = (uint64_t)hd_pairs_factor_one(m, inv, start);
  for (uint32_t x = 0; x < s->local.size; x++)
    sum += (uint64_t)hd_pairs_factor_own(m, inv, start, x) *
           s->local.data[x].start;
  for (uint32_t v = 0; v < s->shared.size; v++)
    sum += (uint64_t)hd_pairs_factor_shared(m, inv, start, v) *
           s->shared.data[v].start;
  return sum & hd_word_mask(inv->bits);
}

static void take_vectors(psums *m, const pfacts *facts,
                         const hd_null_space *space, hd_run *run) {
  assert(m->n_columns <= MAX_COLUMNS && !m->found.size);
  size_t n = hd_null_space_dimension(space);
  for (size_t i = 0; i < n && m->found.size < MAX_VECTORS; i++) {
    pinvariant inv = {.bits = 64,
                      .factors =
                          hd_calloc(m->n_columns + 1, sizeof *inv.factors)};
    if (hd_run_check(run) && hd_null_space_vector(space, i, inv.factors) &&
        starts_known(m, &inv) && each_change(m, facts, keeps, &inv)) {
      inv.total = total(m, &inv);
      hd_vec_push(&m->found, inv);
    } else {
      hd_free(inv.factors);
    }
  }
}

/* --- the whole --- */

void hd_pairs_sums_free(psums *m) {
  for (hd_vec_each(pinvariant, inv, &m->found))
    hd_free(inv->factors);
  hd_vec_free(&m->found);
  hd_free(m->columns);
  *m = (psums){0};
}

void hd_pairs_sums_find(const psystem *s, const pfacts *facts, hd_run *run,
                        psums *m) {
  hd_pairs_sums_free(m);
  m->s = s;
  make_columns(m);
  if (m->n_columns > MAX_COLUMNS)
    return;
  equations e = {.space = hd_null_space_new(m->n_columns), .run = run};
  add_start(&e, m);
  if (each_change(m, facts, add_equations, &e))
    take_vectors(m, facts, e.space, run);
  hd_null_space_delete(e.space);
  hd_vec_free(&e.row);
}
