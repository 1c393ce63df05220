/* SPDX-License-Identifier: MIT */
/* Equations between variables that hold wherever the threads stand at a tuple
 * (Karr 1976): what is reached is overapproximated by an affine space, a point and
 * directions, exactly, in fractions. What is too large for them, or is no sum,
 * is anything. A guard that is an equation cuts the space. What nobody reads any
 * more is 0. */
#include "engine/weave/weave_impl.h"

#include <string.h>

/* n / d, d > 0, without a common divisor. */
typedef struct {
  int64_t n, d;
} fraction;

static const fraction zero = {0, 1}, one = {1, 1};

static hd_i128 gcd(hd_i128 a, hd_i128 b) {
  a = a < 0 ? -a : a;
  b = b < 0 ? -b : b;
  while (b) {
    hd_i128 rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

static fraction make(bool *over, hd_i128 n, hd_i128 d) {
  const hd_i128 most = (hd_i128)1 << 60;
  hd_i128 common = gcd(n, d);
  if (common > 1) {
    n /= common;
    d /= common;
  }
  if (d < 0) {
    n = -n;
    d = -d;
  }
  if (n > most || n < -most || d > most) {
    *over = true;
    return zero;
  }
  return (fraction){(int64_t)n, (int64_t)d};
}

static fraction plus(bool *over, fraction a, fraction b) {
  return make(over, (hd_i128)a.n * b.d + (hd_i128)b.n * a.d,
              (hd_i128)a.d * b.d);
}

static fraction times(bool *over, fraction a, fraction b) {
  return make(over, (hd_i128)a.n * b.n, (hd_i128)a.d * b.d);
}

static fraction negative(fraction a) {
  return (fraction){-a.n, a.d};
}

static fraction quotient(bool *over, fraction a, fraction b) {
  assert(b.n);
  return make(over, (hd_i128)a.n * b.d, (hd_i128)a.d * b.n);
}

/* A space: rows of n + 1 numbers, the last one of the point is not used. Row 0 is
 * the point. */
typedef struct {
  bool reached, all; /* all: nothing is known */
  hd_vec(fraction) rows;
} space;

typedef struct {
  const weave_program *p;
  const weave_product *product;
  bool strict, over;
  size_t n;               /* variables */
  space *spaces;          /* of tuples */
  fraction *row;          /* scratch */
  uint64_t *live;         /* variables, scratch */
  const weave_edge *edge; /* whose expressions are looked at */
  const weave_zones *zones;
} karr;

static size_t rank(const karr *k, const space *s) {
  return s->rows.size / k->n;
}

static fraction *row_of(const karr *k, const space *s, size_t i) {
  return s->rows.data + i * k->n;
}

static void push_row(const karr *k, space *s, const fraction *row) {
  for (size_t i = 0; i < k->n; i++)
    hd_vec_push(&s->rows, row[i]);
}

static bool is_null(const karr *k, const fraction *row) {
  for (size_t i = 0; i < k->n; i++)
    if (row[i].n)
      return false;
  return true;
}

/* Row `row` without what the directions of the space explain. They are kept such
 * that each has a first number 1 where all others have 0. */
static void reduce(karr *k, const space *s, fraction *row) {
  for (size_t i = 1; i < rank(k, s); i++) {
    const fraction *d = row_of(k, s, i);
    size_t lead = 0;
    while (!d[lead].n)
      lead++;
    if (!row[lead].n)
      continue;
    fraction f = negative(row[lead]);
    for (size_t c = 0; c < k->n; c++)
      row[c] = plus(&k->over, row[c], times(&k->over, f, d[c]));
  }
}

/* Adds a direction: true when it is a new one. */
static bool add_direction(karr *k, space *s, fraction *row) {
  reduce(k, s, row);
  if (k->over || is_null(k, row))
    return false;
  size_t lead = 0;
  while (!row[lead].n)
    lead++;
  fraction first = row[lead];
  for (size_t c = 0; c < k->n; c++)
    row[c] = quotient(&k->over, row[c], first);
  for (size_t i = 1; i < rank(k, s); i++) {
    fraction *d = row_of(k, s, i), f = negative(d[lead]);
    for (size_t c = 0; f.n && c < k->n; c++)
      d[c] = plus(&k->over, d[c], times(&k->over, f, row[c]));
  }
  push_row(k, s, row);
  return true;
}

static void copy_space(space *to, const space *from) {
  to->reached = from->reached;
  to->all = from->all;
  hd_vec_clear(&to->rows);
  for (hd_vec_each(const fraction, f, &from->rows))
    hd_vec_push(&to->rows, *f);
}

/* The smallest space that has both. */
static bool join(karr *k, space *to, const space *from) {
  if (!from->reached || to->all)
    return false;
  if (!to->reached || from->all) {
    copy_space(to, from);
    return true;
  }
  bool grown = false;
  for (size_t i = 1; i < rank(k, from); i++) {
    memcpy(k->row, row_of(k, from, i), k->n * sizeof *k->row);
    grown |= add_direction(k, to, k->row);
  }
  for (size_t c = 0; c < k->n; c++)
    k->row[c] =
        plus(&k->over, row_of(k, from, 0)[c], negative(row_of(k, to, 0)[c]));
  grown |= add_direction(k, to, k->row);
  if (k->over) {
    k->over = false;
    to->all = true;
    return true;
  }
  return grown;
}

/* --- sums --- */

/* factors of variables, and a number behind them (form.c) */
typedef struct {
  fraction *of;
  fraction rest;
} form;

/* In fractions. */
static bool taken(const karr *k, const weave_form *from, form *f) {
  bool over = false;
  for (size_t i = 0; i < k->n; i++)
    f->of[i] = zero;
  f->rest = make(&over, from->rest, 1);
  for (uint32_t i = 0; i < from->n; i++)
    f->of[from->terms[i].var] = make(&over, from->terms[i].by, 1);
  return !over;
}

/* The value as a sum; false: it is none. */
static bool summed(karr *k, const weave_value *v, uint8_t width, form *f) {
  weave_form sum;
  return hd_weave_form_of(k->p, k->edge, k->strict, v, width, &sum) &&
         taken(k, &sum, f);
}

static fraction apply(karr *k, const form *f, const fraction *row, bool point) {
  fraction sum = point ? f->rest : zero;
  for (size_t i = 0; i < k->n; i++)
    if (f->of[i].n && row[i].n)
      sum = plus(&k->over, sum, times(&k->over, f->of[i], row[i]));
  return sum;
}

/* All assignments at once: each row is mapped; what is anything is a direction. */
static void map(karr *k, space *s, const weave_move *move) {
  const weave_edge *e = k->edge;
  size_t n = rank(k, s);
  hd_vec(fraction) fresh = {0};
  hd_u32s any = {0};
  form f = {.of = hd_calloc(k->n, sizeof *f.of)};
  for (uint32_t a = 0; a < e->n_assigns; a++) {
    uint32_t var = k->p->assigns.data[e->assigns + a].var;
    uint8_t width = k->p->vars.data[var].width;
    weave_value value;
    bool good = hd_weave_assigned(k->p, k->product, move, var, &value) &&
                width > 1 && summed(k, &value, width, &f);
    if (!good)
      hd_vec_push(&any, var);
    for (size_t i = 0; i < n; i++)
      hd_vec_push(&fresh, good ? apply(k, &f, row_of(k, s, i), !i) : zero);
  }
  for (uint32_t a = 0; a < e->n_assigns; a++)
    for (size_t i = 0; i < n; i++)
      row_of(k, s, i)[k->p->assigns.data[e->assigns + a].var] =
          fresh.data[a * n + i];
  /* the directions need not be in order any more */
  space made = {.reached = true};
  push_row(k, &made, row_of(k, s, 0));
  for (size_t i = 1; i < n; i++) {
    memcpy(k->row, row_of(k, s, i), k->n * sizeof *k->row);
    (void)add_direction(k, &made, k->row);
  }
  for (hd_vec_each(const uint32_t, var, &any)) {
    for (size_t c = 0; c < k->n; c++)
      k->row[c] = c == *var ? one : zero;
    (void)add_direction(k, &made, k->row);
  }
  hd_vec_free(&s->rows);
  *s = made;
  hd_free(f.of);
  hd_vec_free(&fresh);
  hd_vec_free(&any);
}

/* Only where the sum is 0: false: nowhere. */
static bool cut(karr *k, space *s, const form *f) {
  fraction at = apply(k, f, row_of(k, s, 0), true);
  size_t n = rank(k, s), along = 0;
  fraction slope = zero;
  for (size_t i = 1; i < n && !along; i++) {
    slope = apply(k, f, row_of(k, s, i), false);
    along = slope.n ? i : 0;
  }
  if (!along)
    return !at.n;
  space made = {.reached = true};
  hd_vec(fraction) lead = {0};
  for (size_t c = 0; c < k->n; c++)
    hd_vec_push(&lead, row_of(k, s, along)[c]);
  for (size_t i = 0; i < n; i++) {
    if (i == along)
      continue;
    fraction much = i ? apply(k, f, row_of(k, s, i), false) : at;
    fraction by = negative(quotient(&k->over, much, slope));
    for (size_t c = 0; c < k->n; c++)
      k->row[c] =
          plus(&k->over, row_of(k, s, i)[c], times(&k->over, by, lead.data[c]));
    if (i)
      (void)add_direction(k, &made, k->row);
    else
      push_row(k, &made, k->row);
  }
  hd_vec_free(&lead);
  hd_vec_free(&s->rows);
  *s = made;
  return true;
}

/* The form is 0 there. False: nowhere. */
static bool heed(karr *k, space *s, const weave_form *zeroed) {
  form f = {.of = hd_calloc(k->n, sizeof *f.of), .rest = zero};
  bool possible = !taken(k, zeroed, &f) || cut(k, s, &f);
  hd_free(f.of);
  return possible;
}

/* `a == b` holds. The clauses demand that numbers are then the same. */
static bool heed_guard(karr *k, space *s, const weave_guard *guard) {
  const hd_cexpr *g = &k->p->code->exprs.data[guard->expr];
  bool equals = guard->kind == WEAVE_EQUALS, is = guard->kind == WEAVE_IS;
  bool asked = guard->kind == WEAVE_HOLDS && g->op == HD_CODE_EQ;
  if (!k->strict || (!equals && !is && !asked))
    return true;
  weave_form f = {0};
  bool good;
  if (asked) {
    good = hd_weave_form(k->p, k->edge, true, g->args[0], 1, &f) &&
           hd_weave_form(k->p, k->edge, true, g->args[1], -1, &f);
  } else {
    if (is)
      f.rest = -guard->number;
    else {
      f.terms[0].var = guard->var;
      f.terms[f.n++].by = -1;
    }
    good = hd_weave_form(k->p, k->edge, true, guard->expr, 1, &f);
  }
  return !good || heed(k, s, &f);
}

/* Does the order or inequality that the guard asks for contradict a difference that
 * is always the same? */
static bool contradicts(karr *k, const space *s, const weave_guard *guard) {
  const hd_cexpr *g = &k->p->code->exprs.data[guard->expr];
  bool order = g->op >= HD_CODE_ULT && g->op <= HD_CODE_SGE;
  weave_form sum = {0};
  if (guard->kind != WEAVE_HOLDS ||
      !(g->op == HD_CODE_NE || (order && k->strict)) ||
      !hd_weave_form(k->p, k->edge, k->strict, g->args[0], 1, &sum) ||
      !hd_weave_form(k->p, k->edge, k->strict, g->args[1], -1, &sum))
    return false;
  int64_t value;
  for (int i = 0; order && i < 2; i++)
    if (hd_weave_constant(k->p, k->edge, g->args[i], &value))
      return false; /* which may be meant without a sign */
  form f = {.of = hd_calloc(k->n, sizeof *f.of), .rest = zero};
  bool fixed = taken(k, &sum, &f);
  fraction at = fixed ? apply(k, &f, row_of(k, s, 0), true) : zero;
  for (size_t i = 1; fixed && i < rank(k, s); i++)
    fixed = !apply(k, &f, row_of(k, s, i), false).n;
  fixed = fixed && !k->over; /* what is too large stays so: all is given up */
  hd_free(f.of);
  switch ((hd_code_op)g->op) {
  case HD_CODE_NE:
    return fixed && at.n == 0;
  case HD_CODE_ULT:
  case HD_CODE_SLT:
    return fixed && at.n >= 0;
  case HD_CODE_ULE:
  case HD_CODE_SLE:
    return fixed && at.n > 0;
  case HD_CODE_UGT:
  case HD_CODE_SGT:
    return fixed && at.n <= 0;
  default:
    return fixed && at.n < 0;
  }
}

/* What bounds say is equal. */
static bool heed_bounds(karr *k, space *s, const weave_move *move) {
  weave_equals all = {0};
  bool possible = hd_weave_zones_equals(k->zones, move, &all);
  for (hd_vec_each(const weave_equal, e, &all)) {
    weave_form f = {.n = 1, .rest = -e->by};
    f.terms[0].var = e->x;
    f.terms[0].by = 1;
    if (e->y != HD_NO_ID) {
      f.terms[f.n].var = e->y;
      f.terms[f.n++].by = -1;
    }
    possible = possible && heed(k, s, &f);
  }
  hd_vec_free(&all);
  return possible;
}

/* Variables that nobody reads behind a move are 0. */
static void forget(karr *k, space *s, uint32_t tuple) {
  hd_weave_live(k->p, &k->product->tuples.data[tuple], k->live);
  space made = {.reached = true};
  for (size_t i = 0; i < rank(k, s); i++) {
    fraction *row = row_of(k, s, i);
    for (size_t v = 0; v < k->n; v++)
      if (!hd_bits_test(k->live, v))
        row[v] = zero;
    memcpy(k->row, row, k->n * sizeof *k->row);
    if (i)
      (void)add_direction(k, &made, k->row);
    else
      push_row(k, &made, k->row);
  }
  hd_vec_free(&s->rows);
  *s = made;
}

static bool flow(karr *k, const weave_move *move) {
  const weave_edge *e = &k->p->threads[move->thread].edges.data[move->edge];
  space s = {0};
  if (!k->spaces[move->from].reached || move->to == HD_NO_ID)
    return false;
  copy_space(&s, &k->spaces[move->from]);
  bool possible = true;
  k->edge = e;
  for (uint32_t i = 0; !s.all && i < e->n_guards; i++)
    possible = possible && !contradicts(k, &s, &e->guards[i]) &&
               heed_guard(k, &s, &e->guards[i]);
  if (!s.all && possible && k->zones)
    possible = heed_bounds(k, &s, move);
  if (!s.all && possible && !k->over)
    map(k, &s, move);
  if (!s.all && possible && !k->over)
    forget(k, &s, move->to);
  if (k->over) {
    k->over = false;
    s.all = possible = true;
  }
  bool grown = possible && join(k, &k->spaces[move->to], &s);
  hd_vec_free(&s.rows);
  return grown;
}

/* --- equations --- */

static void put_fraction_times(hd_str *out, hd_i128 factor, size_t var) {
  if (factor < 0)
    hd_str_printf(out, " (* (- %lld) v%zu)", (long long)-factor, var);
  else
    hd_str_printf(out, " (* %lld v%zu)", (long long)factor, var);
}

/* The least common one, as long as it counts. */
static hd_i128 multiple(hd_i128 a, hd_i128 b) {
  const hd_i128 most = (hd_i128)1 << 60;
  return a >= most ? a : a / gcd(a, b) * b;
}

/* Variable `var`, which no direction leads with, as a sum of those that do. */
static void equation(karr *k, const space *s, const uint64_t *live, size_t var,
                     hd_str *out) {
  hd_i128 common = 1, most = (hd_i128)1 << 40;
  size_t n = rank(k, s);
  fraction rest = row_of(k, s, 0)[var];
  hd_vec(fraction) factors = {0};
  hd_vec(size_t) leads = {0};
  for (size_t i = 1; i < n; i++) {
    const fraction *d = row_of(k, s, i);
    size_t lead = 0;
    while (!d[lead].n)
      lead++;
    if (!d[var].n)
      continue;
    hd_vec_push(&factors, d[var]);
    hd_vec_push(&leads, lead);
    rest = plus(&k->over, rest,
                negative(times(&k->over, d[var], row_of(k, s, 0)[lead])));
    common = multiple(common, d[var].d);
  }
  common = multiple(common, rest.d);
  bool good = !k->over && common < most && hd_bits_test(live, var) &&
              k->p->vars.data[var].width > 1;
  for (size_t i = 0; i < leads.size; i++) {
    hd_i128 f = factors.data[i].n * (common / factors.data[i].d);
    good = good && hd_bits_test(live, leads.data[i]) && f < most && f > -most &&
           k->p->vars.data[leads.data[i]].width > 1;
  }
  hd_i128 r = rest.n * (common / rest.d);
  if (good && r < most && r > -most) {
    hd_str_puts(out, " (= ");
    hd_str_puts(out, "(+ 0");
    put_fraction_times(out, common, var);
    hd_str_puts(out, ") (+ 0");
    for (size_t i = 0; i < leads.size; i++)
      put_fraction_times(out, factors.data[i].n * (common / factors.data[i].d),
                         leads.data[i]);
    if (r < 0)
      hd_str_printf(out, " (- %lld)))", (long long)-r);
    else
      hd_str_printf(out, " %lld))", (long long)r);
  }
  k->over = false;
  hd_vec_free(&factors);
  hd_vec_free(&leads);
}

static bool leads(const karr *k, const space *s, size_t var) {
  for (size_t i = 1; i < rank(k, s); i++) {
    const fraction *d = row_of(k, s, i);
    size_t lead = 0;
    while (!d[lead].n)
      lead++;
    if (lead == var)
      return true;
  }
  return false;
}

static char *equations_of(karr *k, uint32_t tuple) {
  const space *s = &k->spaces[tuple];
  if (!s->reached)
    return hd_strdup(" false");
  uint64_t *live = hd_calloc(hd_weave_words(k->p) + 1, sizeof *live);
  hd_weave_live(k->p, &k->product->tuples.data[tuple], live);
  hd_str out = {0};
  if (k->zones)
    hd_weave_zones_print(k->zones, tuple, &out);
  for (size_t v = 0; !s->all && v < k->n; v++)
    if (!leads(k, s, v))
      equation(k, s, live, v, &out);
  hd_free(live);
  return out.size ? hd_str_take(&out) : NULL;
}

static bool starts_as(const weave_program *p, uint32_t var, int64_t *value) {
  for (uint32_t c = 0; c < p->cells.size; c++)
    if (p->cells.data[c].var == var)
      return hd_weave_initial(p, c, value);
  return false;
}

/* In the beginning: memory as it is, everything else is anything. */
static void start(karr *k) {
  space *s = &k->spaces[0];
  hd_u32s any = {0};
  int64_t value;
  s->reached = true;
  hd_weave_live(k->p, &k->product->tuples.data[0], k->live);
  for (size_t v = 0; v < k->n; v++)
    k->row[v] = zero;
  for (uint32_t v = 0; v < k->n; v++)
    if (hd_bits_test(k->live, v) && !starts_as(k->p, v, &value))
      hd_vec_push(&any, v);
    else if (hd_bits_test(k->live, v))
      k->row[v] = make(&k->over, value, 1);
  s->all = k->over;
  k->over = false;
  push_row(k, s, k->row);
  for (hd_vec_each(const uint32_t, v, &any)) {
    for (size_t c = 0; c < k->n; c++)
      k->row[c] = c == *v ? one : zero;
    (void)add_direction(k, s, k->row);
  }
  hd_vec_free(&any);
}

char **hd_weave_equations(const weave_program *p, const weave_product *product,
                          bool strict, hd_run *run) {
  enum { MOST = 800 };
  const size_t room = 2000000; /* numbers in rows */
  weave_zones *zones = hd_weave_zones_new(p, product, strict, run);
  karr k = {.p = p,
            .product = product,
            .strict = strict,
            .n = p->vars.size,
            .zones = zones};
  size_t n = product->tuples.size;
  char **out = hd_calloc(n + 1, sizeof *out);
  if (k.n > MOST || !k.n || k.n * n > room) {
    hd_weave_zones_free(zones);
    return out; /* too many: nothing is said */
  }
  k.spaces = hd_calloc(n, sizeof *k.spaces);
  k.row = hd_calloc(k.n, sizeof *k.row);
  k.live = hd_calloc(hd_weave_words(p), sizeof *k.live);
  uint8_t *changed = hd_calloc(n + 1, 1);
  changed[0] = 1;
  start(&k);
  bool done = false;
  while (!done && hd_run_tick(run)) {
    done = true;
    for (size_t i = 0; i < product->moves.size && hd_run_spend(run, 20); i++) {
      const weave_move *move = &product->moves.data[i];
      if (!hd_weave_turn(product, i, changed))
        continue;
      bool grown = flow(&k, move);
      if (grown)
        changed[move->to] = 1;
      done = !grown && done;
    }
  }
  for (uint32_t i = 0; done && hd_run_check(run) && i < n; i++)
    out[i] = equations_of(&k, i);
  for (size_t i = 0; i < n; i++)
    hd_vec_free(&k.spaces[i].rows);
  hd_free(k.spaces);
  hd_free(k.row);
  hd_free(k.live);
  hd_free(changed);
  hd_weave_zones_free(zones);
  return out;
}
