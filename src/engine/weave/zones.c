/* SPDX-License-Identifier: MIT */
/* Bounds of variables and of their differences, wherever the threads stand at a
 * tuple: x - y <= c, with 0 as one of the variables. Where they grow from round to
 * round they go on to the next number of the program, then of types, then to none. Values
 * are the numbers of clauses.c; what those demand is taken for granted. */
#include "engine/weave/weave_impl.h"

#include <string.h>

typedef hd_i128 bound;
static const bound none = (bound)1 << 100;

enum { PATIENCE = 3, STEPS = 24 };

/* Of `n` variables; vars[0] is 0. Row a, column b: a - b is at most that. */
typedef struct {
  uint32_t n;
  uint32_t *vars;
  bound *at;
  bool empty;
} zone;

struct weave_zones {
  const weave_program *p;
  const weave_product *product;
  bool strict;
  zone *kept;       /* of tuples: as they grow */
  zone *closed;     /* … with all that follows */
  uint32_t *visits; /* of tuples */
  hd_vec(bound) steps;
  size_t types; /* the steps from there on are of types */
  uint64_t *live;
  uint8_t *changed; /* tuples: since their moves were made (hd_weave_turn) */
};

static void zone_init(zone *z, uint32_t n) {
  z->n = n;
  z->vars = hd_calloc(n, sizeof *z->vars);
  z->at = hd_calloc((size_t)n * n, sizeof *z->at);
  for (uint32_t i = 0; i < n * n; i++)
    z->at[i] = i % (n + 1) ? none : 0;
  z->vars[0] = HD_NO_ID;
  z->empty = false;
}

static void zone_free(zone *z) {
  hd_free(z->vars);
  hd_free(z->at);
  *z = (zone){0};
}

static void zone_copy(zone *to, const zone *from) {
  zone_init(to, from->n);
  memcpy(to->vars, from->vars, from->n * sizeof *to->vars);
  memcpy(to->at, from->at, (size_t)from->n * from->n * sizeof *to->at);
  to->empty = from->empty;
}

static bound *cell(const zone *z, uint32_t a, uint32_t b) {
  return &z->at[a * z->n + b];
}

static bound plus(bound a, bound b) {
  return a >= none || b >= none ? none : a + b;
}

/* a - b <= most, and what follows. */
static void add(zone *z, uint32_t a, uint32_t b, bound most) {
  if (z->empty || most >= *cell(z, a, b))
    return;
  if (a == b || plus(most, *cell(z, b, a)) < 0) {
    z->empty = true;
    return;
  }
  for (uint32_t i = 0; i < z->n; i++) {
    bound to_b = plus(*cell(z, i, a), most);
    for (uint32_t k = 0; to_b < none && k < z->n; k++) {
      bound all = plus(to_b, *cell(z, b, k));
      if (all < *cell(z, i, k))
        *cell(z, i, k) = all;
    }
  }
}

static void close_zone(zone *z) {
  for (uint32_t k = 0; k < z->n; k++)
    for (uint32_t a = 0; a < z->n; a++)
      for (uint32_t b = 0; *cell(z, a, k) < none && b < z->n; b++) {
        bound all = plus(*cell(z, a, k), *cell(z, k, b));
        if (all < *cell(z, a, b))
          *cell(z, a, b) = all;
      }
  for (uint32_t a = 0; a < z->n; a++)
    z->empty = z->empty || *cell(z, a, a) < 0;
}

static uint32_t place_of(const zone *z, uint32_t var) {
  for (uint32_t i = 1; i < z->n; i++)
    if (z->vars[i] == var)
      return i;
  return HD_NO_ID;
}

/* --- sums --- */

static bound times(bound a, bound b) {
  const bound most = (bound)1 << 90;
  bound r;
  if (a >= none || __builtin_mul_overflow(a, b, &r) || r > most || r < -most)
    return none;
  return r;
}

/* The largest value, without the terms `but` and `too`. */
static bound largest(const zone *z, const weave_form *f, uint32_t but,
                     uint32_t too) {
  bound sum = f->rest;
  for (uint32_t i = 0; i < f->n; i++) {
    if (i == but || i == too)
      continue;
    uint32_t v = place_of(z, f->terms[i].var);
    if (v == HD_NO_ID)
      return none;
    bound by = f->terms[i].by;
    sum = plus(sum,
               by > 0 ? times(*cell(z, v, 0), by) : times(*cell(z, 0, v), -by));
  }
  return sum;
}

static bound upper(const zone *z, const weave_form *f) {
  bound least = largest(z, f, HD_NO_ID, HD_NO_ID);
  for (uint32_t i = 0; i < f->n; i++)
    for (uint32_t k = 0; k < f->n; k++) {
      if (f->terms[i].by != 1 || f->terms[k].by != -1)
        continue;
      uint32_t a = place_of(z, f->terms[i].var),
               b = place_of(z, f->terms[k].var);
      if (a == HD_NO_ID || b == HD_NO_ID)
        continue;
      bound all = plus(largest(z, f, i, k), *cell(z, a, b));
      least = all < least ? all : least;
    }
  return least;
}

static void negate(weave_form *f) {
  f->rest = -f->rest;
  for (uint32_t i = 0; i < f->n; i++)
    f->terms[i].by = -f->terms[i].by;
}

/* The sum is at most 0. */
static void at_most_zero(zone *z, weave_form *f) {
  for (uint32_t i = 0; i < f->n; i++) {
    uint32_t a = place_of(z, f->terms[i].var);
    bound by = f->terms[i].by;
    if (a == HD_NO_ID || (by != 1 && by != -1))
      continue;
    weave_form rest = *f; /* a <= -rest, -a <= -rest */
    rest.terms[i] = rest.terms[--rest.n];
    negate(&rest);
    bound most = upper(z, &rest);
    if (most < none)
      add(z, by == 1 ? a : 0, by == 1 ? 0 : a, most);
    for (uint32_t k = 0; by == 1 && k < f->n; k++) {
      uint32_t b = place_of(z, f->terms[k].var);
      if (f->terms[k].by != -1 || b == HD_NO_ID)
        continue;
      weave_form other = *f;
      uint32_t high = i > k ? i : k, low = i > k ? k : i;
      other.terms[high] = other.terms[--other.n];
      other.terms[low] = other.terms[--other.n];
      negate(&other);
      most = upper(z, &other);
      if (most < none)
        add(z, a, b, most);
    }
  }
  if (!f->n && f->rest > 0)
    z->empty = true;
}

/* The variable at `a` is the sum, which is one of others. */
static void becomes(zone *z, uint32_t a, weave_form f) {
  for (int turn = 0; turn < 2; turn++) {
    bound most = upper(z, &f);
    if (most < none)
      add(z, turn ? 0 : a, turn ? a : 0, most);
    for (uint32_t i = 0; i < f.n; i++) {
      uint32_t b = place_of(z, f.terms[i].var);
      if (b == HD_NO_ID || f.terms[i].by != (turn ? -1 : 1))
        continue;
      weave_form rest = f;
      rest.terms[i] = rest.terms[--rest.n];
      most = upper(z, &rest);
      if (most < none)
        add(z, turn ? b : a, turn ? a : b, most);
    }
    negate(&f);
  }
}

/* --- expressions --- */

typedef struct {
  const weave_zones *zones;
  const weave_edge *e;
  zone *z;
} place;

static bound power(unsigned k) {
  return (bound)1 << k;
}

typedef struct {
  bound least, most;
} range;

static const range all_numbers = {-((bound)1 << 100), (bound)1 << 100};

static range range_of_type(unsigned width, bool sign) {
  range r = {sign ? -power(width - 1) : 0, power(sign ? width - 1 : width) - 1};
  return r;
}

static range narrower(range a, range b) {
  range r = {a.least > b.least ? a.least : b.least,
             a.most < b.most ? a.most : b.most};
  return r;
}

static bool form_of(const place *at, hd_cexpr_id id, int sign, weave_form *f) {
  return hd_weave_form(at->zones->p, at->e, at->zones->strict, id, sign, f);
}

static const hd_cexpr *expr_of(const place *at, hd_cexpr_id id) {
  return &at->zones->p->code->exprs.data[id];
}

static range range_of(const place *at, hd_cexpr_id id);

/* As C means it: with a sign or without. */
static range range_meant(const place *at, hd_cexpr_id id, bool sign) {
  uint8_t width = expr_of(at, id)->type.width;
  range type = range_of_type(width, sign), r = range_of(at, id);
  int64_t value;
  if (hd_weave_constant(at->zones->p, at->e, id, &value)) {
    bound v = value < 0 && !sign ? value + power(width) : (bound)value;
    return (range){v, v};
  }
  if (at->zones->strict)
    return narrower(r, type);
  return r.least >= type.least && r.most <= type.most ? r : type;
}

static range range_of(const place *at, hd_cexpr_id id) {
  const hd_cexpr *e = expr_of(at, id);
  weave_form f = {0};
  int64_t by;
  if (e->type.width < 2)
    return all_numbers;
  if (form_of(at, id, 1, &f)) {
    range r = {0, upper(at->z, &f)};
    negate(&f);
    bound less = upper(at->z, &f);
    r.least = less >= none ? all_numbers.least : -less;
    return r;
  }
  bool known = hd_code_op_arity((hd_code_op)e->op) > 1 &&
               hd_weave_constant(at->zones->p, at->e, e->args[1], &by) &&
               by > 0;
  switch ((hd_code_op)e->op) {
  case HD_CODE_UREM:
  case HD_CODE_SREM:
    return known ? (range){0, by - 1} : all_numbers;
  case HD_CODE_AND:
    return known ? (range){0, by} : all_numbers;
  case HD_CODE_UDIV:
    return known ? (range){0, range_meant(at, e->args[0], false).most / by}
                 : all_numbers;
  case HD_CODE_ZEXT:
  case HD_CODE_SEXT: {
    uint8_t from = expr_of(at, e->args[0])->type.width;
    if (from == 1)
      return e->op == HD_CODE_ZEXT ? (range){0, 1} : (range){-1, 0};
    return range_meant(at, e->args[0], e->op == HD_CODE_SEXT);
  }
  case HD_CODE_SELECT: {
    range a = range_of(at, e->args[1]), b = range_of(at, e->args[2]);
    return (range){a.least < b.least ? a.least : b.least,
                   a.most > b.most ? a.most : b.most};
  }
  default:
    return all_numbers;
  }
}

/* --- guards --- */

/* The form of what C means; false: nothing is known. */
static bool form_meant(const place *at, hd_cexpr_id id, bool sign, int factor,
                       weave_form *f) {
  uint8_t width = expr_of(at, id)->type.width;
  range type = range_of_type(width, sign);
  int64_t value;
  if (hd_weave_constant(at->zones->p, at->e, id, &value)) {
    f->rest += factor * range_meant(at, id, sign).least;
    return true;
  }
  if (!at->zones->strict) {
    range r = range_of(at, id);
    if (r.least < type.least || r.most > type.most)
      return false;
  }
  return form_of(at, id, factor, f);
}

/* In its type: else it fails. */
static void heed_type(const place *at, hd_cexpr_id id, bool sign) {
  range type = range_of_type(expr_of(at, id)->type.width, sign);
  weave_form f = {0};
  int64_t value;
  if (!at->zones->strict ||
      hd_weave_constant(at->zones->p, at->e, id, &value) ||
      !form_of(at, id, 1, &f))
    return;
  f.rest -= type.most;
  at_most_zero(at->z, &f);
  f.rest += type.most;
  negate(&f);
  f.rest += type.least;
  at_most_zero(at->z, &f);
}

static void heed_order(const place *at, const hd_cexpr *e, bool wanted) {
  hd_code_op op = (hd_code_op)e->op;
  bool sign = op >= HD_CODE_SLT;
  bool less = op == HD_CODE_ULT || op == HD_CODE_ULE || op == HD_CODE_SLT ||
              op == HD_CODE_SLE;
  bool equal = op == HD_CODE_ULE || op == HD_CODE_UGE || op == HD_CODE_SLE ||
               op == HD_CODE_SGE;
  if (expr_of(at, e->args[0])->type.width < 2)
    return;
  heed_type(at, e->args[0], sign);
  heed_type(at, e->args[1], sign);
  if (!wanted) {
    less = !less;
    equal = !equal;
  }
  weave_form f = {0}; /* smaller - larger, at most 0 or -1 */
  if (!form_meant(at, e->args[0], sign, less ? 1 : -1, &f) ||
      !form_meant(at, e->args[1], sign, less ? -1 : 1, &f))
    return;
  f.rest += equal ? 0 : 1;
  at_most_zero(at->z, &f);
}

/* The form is 0, or it is not. */
static void heed_zero(const place *at, weave_form *f, bool zero) {
  if (zero) {
    if (!at->zones->strict)
      return; /* or as much as a type has values */
    at_most_zero(at->z, f);
    negate(f);
    at_most_zero(at->z, f);
    return;
  }
  if (!f->n && !f->rest)
    at->z->empty = true;
  for (int turn = 0; turn < 2; turn++) {
    if (upper(at->z, f) == 0) {
      f->rest += 1;
      at_most_zero(at->z, f);
      return;
    }
    negate(f);
  }
}

static void heed(const place *at, hd_cexpr_id id, bool wanted) {
  const hd_cexpr *e = expr_of(at, id);
  int64_t bits;
  switch ((hd_code_op)e->op) {
  case HD_CODE_EQ:
  case HD_CODE_NE: {
    weave_form f = {0};
    if (expr_of(at, e->args[0])->type.width > 1 &&
        form_of(at, e->args[0], 1, &f) && form_of(at, e->args[1], -1, &f))
      heed_zero(at, &f, (e->op == HD_CODE_EQ) == wanted);
    return;
  }
  case HD_CODE_AND:
  case HD_CODE_OR:
    if ((e->op == HD_CODE_AND) == wanted) {
      heed(at, e->args[0], wanted);
      heed(at, e->args[1], wanted);
    }
    return;
  case HD_CODE_XOR: {
    weave_known k =
        hd_weave_fold(at->zones->p, at->e->frame, at->e->env, e->args[1]);
    bits = k.bits & 1;
    if (k.kind == WEAVE_NUMBER)
      heed(at, e->args[0], wanted != (bits != 0));
    return;
  }
  default:
    if (e->op >= HD_CODE_ULT && e->op <= HD_CODE_SGE)
      heed_order(at, e, wanted);
  }
}

static void heed_guard(const place *at, const weave_guard *g) {
  weave_form f = {0};
  uint8_t width = expr_of(at, g->expr)->type.width;
  switch ((weave_guard_kind)g->kind) {
  case WEAVE_HOLDS:
    if (width == 1)
      heed(at, g->expr, true);
    else if (form_of(at, g->expr, 1, &f))
      heed_zero(at, &f, false);
    return;
  case WEAVE_OUTSIDE:
    return;
  case WEAVE_IS:
    f.rest = -g->number;
    break;
  case WEAVE_EQUALS:
  case WEAVE_DIFFERS:
    f.n = 1;
    f.terms[0].var = g->var;
    f.terms[0].by = -1;
    break;
  }
  if (form_of(at, g->expr, 1, &f))
    heed_zero(at, &f, g->kind != WEAVE_DIFFERS);
}

/* --- moves --- */

/* What is there where the guards hold; `more` places for new values. */
static void enter(const weave_zones *zones, const weave_move *move,
                  uint32_t more, zone *z) {
  const zone *from = &zones->closed[move->from];
  const weave_edge *e = &zones->p->threads[move->thread].edges.data[move->edge];
  zone_init(z, from->n + more);
  z->empty = from->empty;
  for (uint32_t a = 0; a < from->n; a++) {
    z->vars[a] = from->vars[a];
    for (uint32_t b = 0; b < from->n; b++)
      *cell(z, a, b) = *cell(from, a, b);
  }
  for (uint32_t i = 0; i < more; i++)
    z->vars[from->n + i] = HD_NO_ID;
  const place at = {zones, e, z};
  for (uint32_t i = 0; i < e->n_guards && !z->empty; i++)
    heed_guard(&at, &e->guards[i]);
}

static void give(const place *at, uint32_t a, const weave_value *v,
                 uint8_t width) {
  weave_form f;
  range r = all_numbers;
  if (hd_weave_form_of(at->zones->p, at->e, at->zones->strict, v, width, &f)) {
    becomes(at->z, a, f);
    return;
  }
  if (v->kind == WEAVE_ANY)
    r = (range){v->least, v->most};
  else if (v->kind == WEAVE_EXPR)
    r = range_of(at, v->expr);
  if (r.most < none)
    add(at->z, a, 0, r.most);
  if (r.least > -none)
    add(at->z, 0, a, -r.least);
}

static void make_room(weave_zones *zones, uint32_t tuple, zone *z) {
  const weave_program *p = zones->p;
  uint32_t n = 1;
  hd_weave_live(p, &zones->product->tuples.data[tuple], zones->live);
  for (uint32_t v = 0; v < p->vars.size; v++)
    n += hd_bits_test(zones->live, v) && p->vars.data[v].width > 1;
  zone_init(z, n);
  n = 1;
  for (uint32_t v = 0; v < p->vars.size; v++)
    if (hd_bits_test(zones->live, v) && p->vars.data[v].width > 1)
      z->vars[n++] = v;
}

/* Behind the move, of the variables that count there. */
static void leave(weave_zones *zones, const weave_move *move, zone *out) {
  const weave_program *p = zones->p;
  const weave_edge *e = &p->threads[move->thread].edges.data[move->edge];
  zone z;
  make_room(zones, move->to, out);
  enter(zones, move, out->n - 1, &z);
  const place at = {zones, e, &z};
  uint32_t first = zones->closed[move->from].n;
  uint32_t *from = hd_calloc(out->n, sizeof *from);
  for (uint32_t i = 1; i < out->n && !z.empty; i++) {
    weave_value v;
    bool set = hd_weave_assigned(p, zones->product, move, out->vars[i], &v);
    from[i] = set ? first + i - 1 : place_of(&z, out->vars[i]);
    if (set)
      give(&at, from[i], &v, p->vars.data[out->vars[i]].width);
  }
  out->empty = z.empty;
  for (uint32_t a = 0; a < out->n && !z.empty; a++)
    for (uint32_t b = 0; b < out->n; b++)
      if (a != b && from[a] != HD_NO_ID && from[b] != HD_NO_ID)
        *cell(out, a, b) = *cell(&z, from[a], from[b]);
  hd_free(from);
  zone_free(&z);
}

/* The next number of the program, or only of those of types. */
static bound next_step(const weave_zones *zones, bound value, bool types) {
  bound best = none;
  for (size_t i = types ? zones->types : 0; i < zones->steps.size; i++)
    if (zones->steps.data[i] >= value && zones->steps.data[i] < best)
      best = zones->steps.data[i];
  return best;
}

/* True when there is more than before. */
static bool grow(weave_zones *zones, uint32_t tuple, const zone *more) {
  zone *kept = &zones->kept[tuple];
  bool grown = false;
  if (more->empty)
    return false;
  if (!kept->n) {
    zone_copy(kept, more);
    grown = true;
  }
  assert(kept->n == more->n);
  uint32_t visits = zones->visits[tuple];
  for (uint32_t i = 0; i < kept->n * kept->n; i++) {
    if (more->at[i] <= kept->at[i])
      continue;
    grown = true;
    kept->at[i] = visits < PATIENCE ? more->at[i]
                                    : next_step(zones, more->at[i],
                                                visits >= PATIENCE + STEPS);
  }
  if (!grown)
    return false;
  zones->visits[tuple]++;
  zone_free(&zones->closed[tuple]);
  zone_copy(&zones->closed[tuple], kept);
  close_zone(&zones->closed[tuple]);
  return true;
}

static void find_steps(weave_zones *zones) {
  enum { MOST = 60 };
  const weave_program *p = zones->p;
  const hd_code *code = p->code;
  for (hd_vec_each(const hd_cexpr, e, &code->exprs)) {
    if (e->op < HD_CODE_EQ || e->op > HD_CODE_SGE)
      continue;
    for (int i = 0; i < 2; i++) {
      const hd_cexpr *c = &code->exprs.data[e->args[i]];
      if (c->op != HD_CODE_INT || c->type.width < 2 || zones->steps.size > MOST)
        continue;
      bound value = hd_word_signed(c->value, c->type.width);
      for (int d = -1; d <= 1; d++) {
        bound up = value + d, down = -(value + d);
        hd_vec_push(&zones->steps, up);
        hd_vec_push(&zones->steps, down);
      }
    }
  }
  bound zero = 0;
  hd_vec_push(&zones->steps, zero);
  zones->types = zones->steps.size;
  for (unsigned width = 8; width <= 64; width *= 2)
    for (unsigned bits = width - 1; bits <= width; bits++) {
      bound most = power(bits) - 1;
      hd_vec_push(&zones->steps, most);
    }
}

static void start(weave_zones *zones) {
  const weave_program *p = zones->p;
  zone first;
  make_room(zones, 0, &first);
  for (uint32_t i = 1; i < first.n; i++) {
    range r = range_of_type(p->vars.data[first.vars[i]].width, true);
    int64_t value;
    for (uint32_t c = 0; c < p->cells.size; c++)
      if (p->cells.data[c].var == first.vars[i] &&
          hd_weave_initial(p, c, &value))
        r = (range){value, value};
    add(&first, i, 0, r.most);
    add(&first, 0, i, -r.least);
  }
  (void)grow(zones, 0, &first);
  zone_free(&first);
}

/* One round over all moves. */
static bool round_up(weave_zones *zones, hd_run *run, bool *stopped) {
  bool grown = false;
  for (hd_vec_each(const weave_move, m, &zones->product->moves)) {
    size_t i = (size_t)(m - zones->product->moves.data);
    if (!hd_weave_turn(zones->product, i, zones->changed) ||
        m->to == HD_NO_ID || !zones->closed[m->from].n)
      continue;
    zone made;
    leave(zones, m, &made);
    if (grow(zones, m->to, &made)) {
      grown = true;
      zones->changed[m->to] = 1;
    }
    zone_free(&made);
    if (!hd_run_spend(run, 20)) {
      *stopped = true;
      return false;
    }
  }
  return grown;
}

weave_zones *hd_weave_zones_new(const weave_program *p,
                                const weave_product *product, bool strict,
                                hd_run *run) {
  weave_zones *z = hd_calloc(1, sizeof *z);
  *z = (weave_zones){.p = p, .product = product, .strict = strict};
  size_t n = product->tuples.size;
  z->kept = hd_calloc(n, sizeof *z->kept);
  z->closed = hd_calloc(n, sizeof *z->closed);
  z->visits = hd_calloc(n, sizeof *z->visits);
  z->changed = hd_calloc(n + 1, 1);
  z->changed[0] = 1;
  z->live = hd_calloc(hd_weave_words(p), sizeof *z->live);
  bool stopped = false;
  find_steps(z);
  start(z);
  while (!stopped && round_up(z, run, &stopped))
    continue;
  if (!stopped)
    return z;
  hd_weave_zones_free(z);
  return NULL;
}

void hd_weave_zones_free(weave_zones *z) {
  if (!z)
    return;
  for (size_t i = 0; i < z->product->tuples.size; i++) {
    zone_free(&z->kept[i]);
    zone_free(&z->closed[i]);
  }
  hd_free(z->kept);
  hd_free(z->closed);
  hd_free(z->visits);
  hd_free(z->live);
  hd_free(z->changed);
  hd_vec_free(&z->steps);
  hd_free(z);
}

bool hd_weave_zones_equals(const weave_zones *zones, const weave_move *move,
                           weave_equals *out) {
  zone z;
  if (!zones->closed[move->from].n)
    return false;
  enter(zones, move, 0, &z);
  bool possible = !z.empty;
  for (uint32_t a = 1; possible && a < z.n; a++)
    for (uint32_t b = 0; b < a; b++) {
      bound by = *cell(&z, a, b);
      if (by >= none || by != -*cell(&z, b, a))
        continue;
      weave_equal e = {z.vars[a], z.vars[b], by};
      hd_vec_push(out, e);
      break;
    }
  zone_free(&z);
  return possible;
}

/* --- as text --- */

static void put_number(hd_str *out, bound n) {
  uint64_t digits = (uint64_t)(n < 0 ? -n : n);
  hd_str_printf(out, n < 0 ? "(- %llu)" : "%llu", (unsigned long long)digits);
}

void hd_weave_zones_print(const weave_zones *zones, uint32_t tuple,
                          hd_str *out) {
  const zone *z = &zones->closed[tuple];
  const bound most = ((bound)1 << 64) - 1;
  if (!z->n || z->empty) {
    hd_str_puts(out, " false");
    return;
  }
  for (uint32_t a = 0; a < z->n; a++)
    for (uint32_t b = 0; b < z->n; b++) {
      bound by = *cell(z, a, b);
      if (a == b || by > most || by < -most)
        continue;
      bool follows = false; /* from bounds of both */
      if (a && b)
        follows = plus(*cell(z, a, 0), *cell(z, 0, b)) <= by;
      if (follows)
        continue;
      hd_str_puts(out, " (<= ");
      if (!a)
        hd_str_printf(out, "(- v%u) ", z->vars[b]);
      else if (!b)
        hd_str_printf(out, "v%u ", z->vars[a]);
      else
        hd_str_printf(out, "(- v%u v%u) ", z->vars[a], z->vars[b]);
      put_number(out, by);
      hd_str_puts(out, ")");
    }
}
