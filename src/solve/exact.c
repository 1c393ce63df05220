/* SPDX-License-Identifier: MIT */
/* Continued fractions and sparse rational elimination.
 *
 * The systems come from simplex bases of network-like matrices: nearly all
 * equations become singletons one after the other, so elimination first runs a
 * queue of singletons and only then picks pivots, always from a shortest
 * equation and in it the unknown that fewest equations mention. Both steps end:
 * each retires an equation. */
#include "solve/exact.h"

#include <gmp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- fractions --- */

bool hd_exact_fraction(double x, double tolerance, int64_t max_den,
                       int64_t *num, int64_t *den) {
  if (!isfinite(x) || fabs(x) > 1e15)
    return false;
  double rest = fabs(x);
  int64_t p0 = 0, q0 = 1, p1 = 1, q1 = 0; /* the last two convergents */
  for (int step = 0; step < 64; step++) {
    double whole = floor(rest);
    int64_t a = (int64_t)whole, p, q;
    if (whole > 1e15 || __builtin_mul_overflow(a, p1, &p) ||
        __builtin_add_overflow(p, p0, &p) ||
        __builtin_mul_overflow(a, q1, &q) ||
        __builtin_add_overflow(q, q0, &q) || q > max_den)
      return false;
    p0 = p1, q0 = q1, p1 = p, q1 = q;
    if (fabs((double)p / (double)q - fabs(x)) <= tolerance) {
      *num = x < 0 ? -p : p;
      *den = q;
      return true;
    }
    rest = 1 / (rest - whole);
  }
  return false;
}

/* Writes n rationals as integers in the same proportions. */
static bool scale_out(mpq_t *values, size_t n, int64_t *out) {
  mpz_t den, gcd, z;
  mpz_inits(den, gcd, z, NULL);
  mpz_set_ui(den, 1);
  for (size_t i = 0; i < n; i++)
    mpz_lcm(den, den, mpq_denref(values[i]));
  for (size_t i = 0; i < n; i++) {
    mpz_divexact(z, den, mpq_denref(values[i]));
    mpz_mul(mpq_numref(values[i]), mpq_numref(values[i]), z);
    mpz_set_ui(mpq_denref(values[i]), 1);
    mpz_gcd(gcd, gcd, mpq_numref(values[i]));
  }
  bool good = mpz_sgn(gcd) != 0;
  for (size_t i = 0; good && i < n; i++) {
    mpz_divexact(z, mpq_numref(values[i]), gcd);
    good = mpz_sizeinbase(z, 2) <= 61;
    out[i] = good ? mpz_get_si(z) : 0;
  }
  mpz_clears(den, gcd, z, NULL);
  return good;
}

bool hd_exact_round(const double *y, size_t n, int64_t *out) {
  double largest = 0;
  for (size_t i = 0; i < n; i++)
    if (!isfinite(y[i]))
      return false;
    else
      largest = fmax(largest, fabs(y[i]));
  if (largest == 0)
    return false;
  mpq_t *values = hd_calloc(n, sizeof *values);
  bool good = true;
  for (size_t i = 0; i < n; i++) {
    int64_t num = 0, den = 1;
    double x = fabs(y[i]) < 1e-9 * largest ? 0 : y[i];
    if (good)
      good = hd_exact_fraction(x, 1e-9 + 1e-10 * fabs(x), 100000, &num, &den);
    mpq_init(values[i]);
    if (good)
      mpq_set_si(values[i], num, (unsigned long)den);
  }
  good = good && scale_out(values, n, out);
  for (size_t i = 0; i < n; i++)
    mpq_clear(values[i]);
  hd_free(values);
  return good;
}

/* --- elimination --- */

typedef struct {
  uint32_t index;
  mpq_t value; /* not zero */
} term;

typedef hd_vec(term) terms;

typedef struct {
  terms terms; /* by ascending index once normalised */
  mpq_t rhs;
  bool done;
} equation;

struct hd_exact {
  uint32_t n;
  hd_vec(equation) equations;
  hd_u32s *mentions; /* unknown -> equations that may mention it */
  mpq_t *values;
  bool *known;
  size_t budget; /* term operations left before giving up */
};

hd_exact *hd_exact_new(uint32_t unknowns) {
  hd_exact *system = hd_calloc(1, sizeof *system);
  system->n = unknowns;
  system->mentions = hd_calloc(unknowns + 1, sizeof *system->mentions);
  system->values = hd_calloc(unknowns + 1, sizeof *system->values);
  system->known = hd_calloc(unknowns + 1, sizeof *system->known);
  for (uint32_t i = 0; i < unknowns; i++)
    mpq_init(system->values[i]);
  system->budget = 20u * 1000 * 1000;
  return system;
}

void hd_exact_delete(hd_exact *system) {
  if (!system)
    return;
  for (hd_vec_each(equation, e, &system->equations)) {
    for (hd_vec_each(term, t, &e->terms))
      mpq_clear(t->value);
    hd_vec_free(&e->terms);
    mpq_clear(e->rhs);
  }
  hd_vec_free(&system->equations);
  for (uint32_t i = 0; i < system->n; i++) {
    hd_vec_free(&system->mentions[i]);
    mpq_clear(system->values[i]);
  }
  hd_free(system->mentions);
  hd_free(system->values);
  hd_free(system->known);
  hd_free(system);
}

void hd_exact_equation(hd_exact *system, int64_t rhs) {
  equation e = {0};
  mpq_init(e.rhs);
  mpq_set_si(e.rhs, rhs, 1);
  hd_vec_push(&system->equations, e);
}

void hd_exact_term(hd_exact *system, uint32_t index, int64_t coefficient) {
  assert(index < system->n && system->equations.size);
  if (!coefficient)
    return;
  terms *row = &hd_vec_last(&system->equations).terms;
  for (hd_vec_each(term, t, row))
    if (t->index == index) {
      mpq_t add;
      mpq_init(add);
      mpq_set_si(add, coefficient, 1);
      mpq_add(t->value, t->value, add);
      mpq_clear(add);
      return;
    }
  hd_vec_resize(row, row->size + 1);
  term *last = &hd_vec_last(row);
  last->index = index;
  mpq_init(last->value);
  mpq_set_si(last->value, coefficient, 1);
}

static void drop_term(terms *row, size_t at) {
  mpq_clear(row->data[at].value);
  memmove(row->data + at, row->data + at + 1,
          (row->size - at - 1) * sizeof *row->data);
  row->size--;
}

static int by_index(const void *a, const void *b) {
  uint32_t x = ((const term *)a)->index, y = ((const term *)b)->index;
  return (x > y) - (x < y);
}

static void normalise(hd_exact *system) {
  for (size_t e = 0; e < system->equations.size; e++) {
    terms *row = &system->equations.data[e].terms;
    for (size_t i = row->size; i-- > 0;)
      if (!mpq_sgn(row->data[i].value))
        drop_term(row, i);
    if (row->size)
      qsort(row->data, row->size, sizeof *row->data, by_index);
    for (hd_vec_each(term, t, row))
      hd_vec_push(&system->mentions[t->index], (uint32_t)e);
  }
}

/* The place of `index` in a sorted row, or the size of the row. */
static size_t find_term(const terms *row, uint32_t index) {
  size_t low = 0, high = row->size;
  while (low < high) {
    size_t mid = (low + high) / 2;
    if (row->data[mid].index < index)
      low = mid + 1;
    else
      high = mid;
  }
  return low < row->size && row->data[low].index == index ? low : row->size;
}

/* row += factor * other, both sorted; new mentions are recorded for `e`. */
static void add_multiple(hd_exact *system, uint32_t e, const equation *other,
                         mpq_t factor) {
  equation *into = &system->equations.data[e];
  terms merged = {0};
  mpq_t product;
  mpq_init(product);
  size_t i = 0, j = 0;
  while (i < into->terms.size || j < other->terms.size) {
    term *a = i < into->terms.size ? &into->terms.data[i] : NULL;
    const term *b = j < other->terms.size ? &other->terms.data[j] : NULL;
    if (a && (!b || a->index < b->index)) {
      hd_vec_push(&merged, *a);
      i++;
      continue;
    }
    mpq_mul(product, factor, b->value);
    if (a && a->index == b->index) {
      mpq_add(a->value, a->value, product);
      if (mpq_sgn(a->value))
        hd_vec_push(&merged, *a);
      else
        mpq_clear(a->value);
      i++;
    } else {
      hd_vec_resize(&merged, merged.size + 1);
      hd_vec_last(&merged).index = b->index;
      mpq_init(hd_vec_last(&merged).value);
      mpq_set(hd_vec_last(&merged).value, product);
      hd_vec_push(&system->mentions[b->index], e);
    }
    j++;
  }
  mpq_mul(product, factor, other->rhs);
  mpq_add(into->rhs, into->rhs, product);
  mpq_clear(product);
  size_t work = merged.size + 1;
  system->budget = system->budget > work ? system->budget - work : 0;
  hd_vec_free(&into->terms);
  into->terms.data = merged.data;
  into->terms.size = merged.size;
  into->terms.cap = merged.cap;
}

/* Puts the value of a known unknown into every open equation; those that become
 * singletons are queued. */
static void substitute(hd_exact *system, uint32_t index, hd_u32s *queue) {
  mpq_t product;
  mpq_init(product);
  for (hd_vec_each(uint32_t, p, &system->mentions[index])) {
    equation *e = &system->equations.data[*p];
    size_t at = e->done ? e->terms.size : find_term(&e->terms, index);
    if (at == e->terms.size)
      continue;
    mpq_mul(product, e->terms.data[at].value, system->values[index]);
    mpq_sub(e->rhs, e->rhs, product);
    drop_term(&e->terms, at);
    if (e->terms.size == 1)
      hd_vec_push(queue, *p);
  }
  mpq_clear(product);
}

/* Runs the queue of singletons dry. */
static void run_singletons(hd_exact *system, hd_u32s *queue) {
  while (queue->size) {
    equation *e = &system->equations.data[hd_vec_pop(queue)];
    if (e->done || e->terms.size != 1)
      continue;
    uint32_t index = e->terms.data[0].index;
    mpq_div(system->values[index], e->rhs, e->terms.data[0].value);
    system->known[index] = true;
    e->done = true;
    substitute(system, index, queue);
  }
}

static uint32_t shortest_open(const hd_exact *system) {
  uint32_t best = UINT32_MAX;
  size_t size = SIZE_MAX;
  for (size_t e = 0; e < system->equations.size; e++) {
    const equation *q = &system->equations.data[e];
    if (!q->done && q->terms.size && q->terms.size < size) {
      best = (uint32_t)e;
      size = q->terms.size;
    }
  }
  return best;
}

/* Takes the pivot's unknown out of every other open equation. */
static void eliminate(hd_exact *system, uint32_t pivot, uint32_t unknown) {
  equation *row = &system->equations.data[pivot];
  size_t at = find_term(&row->terms, unknown);
  hd_u32s *mentions = &system->mentions[unknown];
  mpq_t factor;
  mpq_init(factor);
  row->done = true;
  for (size_t i = 0; i < mentions->size && system->budget; i++) {
    uint32_t other = mentions->data[i];
    equation *e = &system->equations.data[other];
    size_t place = e->done ? e->terms.size : find_term(&e->terms, unknown);
    if (place == e->terms.size)
      continue;
    mpq_div(factor, e->terms.data[place].value, row->terms.data[at].value);
    mpq_neg(factor, factor);
    add_multiple(system, other, row, factor);
  }
  mpq_clear(factor);
}

typedef struct {
  uint32_t equation, unknown;
} pivot;

/* Values of the pivots' unknowns, last pivot first: by then everything else in
 * its equation is known, or free and zero. */
static void back_substitute(hd_exact *system, const pivot *pivots, size_t n) {
  mpq_t sum, product;
  mpq_inits(sum, product, NULL);
  for (size_t i = n; i-- > 0;) {
    equation *e = &system->equations.data[pivots[i].equation];
    size_t own = find_term(&e->terms, pivots[i].unknown);
    mpq_set(sum, e->rhs);
    for (size_t t = 0; t < e->terms.size; t++)
      if (t != own) {
        mpq_mul(product, e->terms.data[t].value,
                system->values[e->terms.data[t].index]);
        mpq_sub(sum, sum, product);
      }
    mpq_div(system->values[pivots[i].unknown], sum, e->terms.data[own].value);
    system->known[pivots[i].unknown] = true;
  }
  mpq_clears(sum, product, NULL);
}

bool hd_exact_solve(hd_exact *system, int64_t *out) {
  normalise(system);
  hd_u32s queue = {0};
  for (size_t e = system->equations.size; e-- > 0;)
    if (system->equations.data[e].terms.size == 1)
      hd_vec_push(&queue, (uint32_t)e);
  run_singletons(system, &queue);
  hd_vec(pivot) pivots = {0};
  uint32_t next;
  while (system->budget && (next = shortest_open(system)) != UINT32_MAX) {
    const terms *row = &system->equations.data[next].terms;
    uint32_t unknown = row->data[0].index;
    for (hd_vec_each(term, t, row))
      if (system->mentions[t->index].size < system->mentions[unknown].size)
        unknown = t->index;
    eliminate(system, next, unknown);
    hd_vec_push(&pivots, ((pivot){.equation = next, .unknown = unknown}));
  }
  bool good = system->budget > 0;
  for (hd_vec_each(equation, e, &system->equations))
    if (!e->done && mpq_sgn(e->rhs))
      good = false;
  if (good) {
    back_substitute(system, pivots.data, pivots.size);
    good = scale_out(system->values, system->n, out);
  }
  hd_vec_free(&pivots);
  hd_vec_free(&queue);
  return good;
}
