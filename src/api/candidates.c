/* SPDX-License-Identifier: MIT */
/* Variables that change in the loop are related to one another and to those
 * that do not. Equations come from the null space of the matrix with a row for
 * each sample and a column for 1, each variable, and then each product of two
 * (exact arithmetic); a vector of it with small numbers is an equation that
 * holds in all samples. Many more samples than columns are asked for, so
 * few of them hold by chance; the prover has the last word anyway. */
#include "api/candidates.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 10, MOST_PRODUCTS = 10, LARGEST = 24 };

typedef struct {
  const hd_samples *samples;
  const hd_code *code;
  const hd_sampled_loop *loop;
  uint32_t number, procs;
  size_t n;             /* variables */
  bool *usable;         /* whole numbers in all samples */
  bool *changes;        /* … that are not the same in all rounds of a run */
  const hd_sample **at; /* the samples of this loop */
  size_t n_at;
  hd_texts *out;
} maker;

static double value(const maker *m, const hd_sample *s, size_t v) {
  return m->samples->values.data[s->values + v];
}

static const char *name(const maker *m, size_t v) {
  return hd_cvar_name(m->code, m->loop->vars.data[v]);
}

/* --- which loops, which variables --- */

static uint32_t rounds_of(const hd_samples *s, uint32_t loop, uint32_t run,
                          uint32_t proc) {
  uint32_t n = 0;
  for (size_t i = 0; i < s->samples.size; i++)
    n += s->samples.data[i].loop == loop && s->samples.data[i].run == run &&
         s->samples.data[i].proc == proc;
  return n;
}

bool hd_candidates_wanted(const hd_samples *samples, uint32_t loop,
                          uint32_t procs) {
  uint32_t last = 0, least = UINT32_MAX, most = 0;
  for (size_t i = 0; i < samples->samples.size; i++)
    last = samples->samples.data[i].run > last ? samples->samples.data[i].run
                                               : last;
  for (uint32_t run = 0; run <= last; run++) {
    uint32_t n = rounds_of(samples, loop, run, 0);
    /* A run that was broken off may lack somebody's last round. */
    uint32_t lack =
        run < samples->ended.size && samples->ended.data[run] ? 0 : 1;
    for (uint32_t p = 1; p < procs; p++) {
      uint32_t k = rounds_of(samples, loop, run, p);
      if (k + lack < n || n + lack < k)
        return false;
    }
    least = n < least ? n : least;
    most = n > most ? n : most;
  }
  return most > least && most > 1;
}

static void classify(maker *m) {
  for (size_t v = 0; v < m->n; v++) {
    m->usable[v] = m->n_at > 0;
    for (size_t i = 0; i < m->n_at; i++) {
      double x = value(m, m->at[i], v);
      m->usable[v] = m->usable[v] && isfinite(x) && fabs(x) < 1e6 &&
                     x >= floor(x) && x <= floor(x);
    }
    for (size_t i = 0; i < m->n_at && m->usable[v]; i++)
      for (size_t k = i + 1; k < m->n_at && !m->changes[v]; k++)
        if (m->at[i]->run == m->at[k]->run && m->at[i]->proc == m->at[k]->proc)
          m->changes[v] = value(m, m->at[i], v) < value(m, m->at[k], v) ||
                          value(m, m->at[i], v) > value(m, m->at[k], v);
    m->changes[v] = m->changes[v] && m->usable[v];
  }
}

HD_PRINTF(2, 3)
static void add(maker *m, const char *format, ...) {
  char text[400];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  hd_vec_push(m->out, hd_strdup(text));
}

/* --- the same in all processes --- */

static bool same_everywhere(const maker *m, size_t v) {
  for (size_t i = 0; i < m->n_at; i++)
    for (size_t k = i + 1; k < m->n_at; k++)
      if (m->at[i]->run == m->at[k]->run &&
          m->at[i]->round == m->at[k]->round &&
          (value(m, m->at[i], v) < value(m, m->at[k], v) ||
           value(m, m->at[i], v) > value(m, m->at[k], v)))
        return false;
  return true;
}

static void equal_counters(maker *m) {
  for (size_t v = 0; v < m->n && m->procs > 1; v++)
    if (m->changes[v] && same_everywhere(m, v))
      add(m, "%s == PROC[(myrank + 1) %% nprocs].%s", name(m, v), name(m, v));
}

/* --- bounds --- */

static void lower_bound(maker *m, size_t v) {
  double least = value(m, m->at[0], v);
  for (size_t i = 1; i < m->n_at; i++)
    least = fmin(least, value(m, m->at[i], v));
  if (least >= 0 && least <= 2)
    add(m, "%.0f <= %s", least, name(m, v));
}

/* v <= factor * w + more in all samples, and equal in some with different w. */
static bool bounded_by(const maker *m, size_t v, size_t w, int factor,
                       int more) {
  const hd_sample *first = NULL;
  bool twice = false;
  for (size_t i = 0; i < m->n_at; i++) {
    double x = value(m, m->at[i], v);
    double y = factor * value(m, m->at[i], w) + more;
    if (x > y)
      return false;
    if (x < y)
      continue;
    if (!first)
      first = m->at[i];
    double d = value(m, m->at[i], w) - value(m, first, w);
    twice = twice || d < 0 || d > 0;
  }
  return twice;
}

static void upper_bounds(maker *m, size_t v) {
  for (size_t w = 0; w < m->n; w++)
    for (int factor = 1; factor <= 2 && m->usable[w] && !m->changes[w];
         factor++)
      for (int more = -1; more <= 1; more++) {
        if (!bounded_by(m, v, w, factor, more))
          continue;
        hd_str text = {0};
        hd_str_printf(&text, "%s <= ", name(m, v));
        if (factor > 1)
          hd_str_printf(&text, "%d * ", factor);
        hd_str_puts(&text, name(m, w));
        if (more)
          hd_str_puts(&text, more > 0 ? " + 1" : " - 1");
        hd_vec_push(m->out, hd_str_take(&text));
        factor = 3;
        break;
      }
}

/* --- equations --- */

/* A column: 1, a variable, or a product of two. */
typedef struct {
  size_t a, b; /* SIZE_MAX = none */
} column;

static double entry(const maker *m, column c, const hd_sample *s) {
  double x = c.a == SIZE_MAX ? 1 : value(m, s, c.a);
  return c.b == SIZE_MAX ? x : x * value(m, s, c.b);
}

/* 1, what does not change, and what does; without those to skip. */
static size_t plain_columns(const maker *m, const bool *skip, column *out) {
  size_t n = 0;
  out[n++] = (column){SIZE_MAX, SIZE_MAX};
  for (int changing = 0; changing < 2; changing++)
    for (size_t v = 0; v < m->n && n < MOST_COLUMNS; v++)
      if (m->usable[v] && m->changes[v] == changing && !skip[v])
        out[n++] = (column){v, SIZE_MAX};
  return n;
}

/* Products of a variable that changes with another one behind them. */
static size_t with_products(const maker *m, const bool *skip, column *out,
                            size_t n) {
  size_t plain = n;
  for (size_t i = 1; i < plain; i++)
    for (size_t k = i; k < plain && n < MOST_COLUMNS + MOST_PRODUCTS; k++)
      if (m->changes[out[k].a] && !skip[out[k].a])
        out[n++] = (column){out[i].a, out[k].a};
  return n;
}

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

static void reduce_row(hd_i128 *row, size_t n) {
  hd_i128 common = 0;
  for (size_t i = 0; i < n; i++)
    common = gcd(common, row[i]);
  for (size_t i = 0; i < n && common > 1; i++)
    row[i] /= common;
}

/* row -= the multiple of `pivot` that makes column `at` 0, in whole numbers;
 * false when they get too large. */
static bool eliminate(hd_i128 *row, const hd_i128 *pivot, size_t at, size_t n) {
  hd_i128 x = pivot[at], y = row[at];
  hd_i128 most = (hd_i128)1 << 60;
  for (size_t i = 0; i < n; i++) {
    row[i] = row[i] * x - pivot[i] * y;
    if (row[i] > most * most / 4 || row[i] < -most * most / 4)
      return false;
  }
  reduce_row(row, n);
  for (size_t i = 0; i < n; i++)
    if (row[i] > most || row[i] < -most)
      return false;
  return true;
}

typedef struct {
  hd_i128 rows[MOST_COLUMNS + MOST_PRODUCTS][MOST_COLUMNS + MOST_PRODUCTS];
  size_t lead[MOST_COLUMNS + MOST_PRODUCTS];
  size_t rank, n;
} matrix;

/* Adds a sample to a matrix in reduced echelon form. */
static bool add_row(matrix *x, hd_i128 *row) {
  for (size_t i = 0; i < x->rank; i++)
    if (row[x->lead[i]] && !eliminate(row, x->rows[i], x->lead[i], x->n))
      return false;
  size_t lead = 0;
  while (lead < x->n && !row[lead])
    lead++;
  if (lead == x->n)
    return true;
  for (size_t i = 0; i < x->rank; i++)
    if (x->rows[i][lead] && !eliminate(x->rows[i], row, lead, x->n))
      return false;
  memcpy(x->rows[x->rank], row, x->n * sizeof *row);
  x->lead[x->rank++] = lead;
  return true;
}

static void print_term(const maker *m, hd_str *text, hd_i128 factor, column c) {
  int64_t f = (int64_t)(factor < 0 ? -factor : factor);
  hd_str_puts(text, text->size ? " + " : "");
  if (c.a == SIZE_MAX) {
    hd_str_printf(text, "%" PRId64, f);
    return;
  }
  if (f != 1)
    hd_str_printf(text, "%" PRId64 " * ", f);
  hd_str_puts(text, name(m, c.a));
  if (c.b != SIZE_MAX)
    hd_str_printf(text, " * %s", name(m, c.b));
}

/* What has a positive factor on the left, the others on the right. */
static void print_equation(maker *m, const hd_i128 *vector,
                           const column *columns, size_t n) {
  hd_str left = {0}, right = {0};
  for (size_t i = n; i-- > 0;)
    if (vector[i])
      print_term(m, vector[i] > 0 ? &left : &right, vector[i], columns[i]);
  add(m, "%s == %s", left.size ? hd_str_text(&left) : "0",
      right.size ? hd_str_text(&right) : "0");
  hd_str_free(&left);
  hd_str_free(&right);
}

/* The vector of the null space for a column without a leading one. */
static void null_vector(maker *m, const matrix *x, size_t free,
                        const column *columns) {
  hd_i128 vector[MOST_COLUMNS + MOST_PRODUCTS] = {0};
  hd_i128 scale = 1;
  for (size_t i = 0; i < x->rank; i++) {
    hd_i128 lead = x->rows[i][x->lead[i]];
    lead = lead < 0 ? -lead : lead;
    scale = scale / gcd(scale, lead) * lead;
    if (scale > 100000)
      return;
  }
  vector[free] = scale;
  for (size_t i = 0; i < x->rank; i++)
    vector[x->lead[i]] = -x->rows[i][free] * (scale / x->rows[i][x->lead[i]]);
  reduce_row(vector, x->n);
  bool changes = false;
  for (size_t i = 0; i < x->n; i++) {
    if (vector[i] > LARGEST || vector[i] < -LARGEST)
      return;
    changes = changes || (vector[i] && columns[i].a != SIZE_MAX &&
                          m->changes[columns[i].a]);
  }
  if (changes)
    print_equation(m, vector, columns, x->n);
}

static bool fill(const maker *m, matrix *x, const column *columns, size_t n) {
  *x = (matrix){.n = n};
  if (m->n_at < 2 * n)
    return false;
  for (size_t i = 0; i < m->n_at; i++) {
    hd_i128 row[MOST_COLUMNS + MOST_PRODUCTS];
    for (size_t c = 0; c < n; c++)
      row[c] = (hd_i128)entry(m, columns[c], m->at[i]);
    if (!add_row(x, row))
      return false;
  }
  return true;
}

static bool leads(const matrix *x, size_t c) {
  for (size_t i = 0; i < x->rank; i++)
    if (x->lead[i] == c)
      return true;
  return false;
}

/* Linear ones first; variables that those determine are left out of the
 * products. */
static void equations(maker *m) {
  column columns[MOST_COLUMNS + MOST_PRODUCTS];
  bool *skip = hd_calloc(m->n + 1, sizeof *skip);
  matrix x;
  size_t n = plain_columns(m, skip, columns);
  bool good = fill(m, &x, columns, n);
  for (size_t c = 1; c < n && good; c++)
    if (!leads(&x, c)) {
      null_vector(m, &x, c, columns);
      skip[columns[c].a] = true;
    }
  size_t plain = plain_columns(m, skip, columns);
  n = with_products(m, skip, columns, plain);
  good = good && fill(m, &x, columns, n);
  for (size_t c = plain; c < n && good; c++)
    if (!leads(&x, c))
      null_vector(m, &x, c, columns);
  hd_free(skip);
}

/* --- all --- */

void hd_candidates_make(const hd_samples *samples, const hd_code *code,
                        uint32_t loop, uint32_t procs, hd_texts *out) {
  maker m = {.samples = samples,
             .code = code,
             .loop = &samples->loops.data[loop],
             .number = loop,
             .procs = procs,
             .out = out};
  m.n = m.loop->vars.size;
  m.usable = hd_calloc(m.n + 1, sizeof *m.usable);
  m.changes = hd_calloc(m.n + 1, sizeof *m.changes);
  m.at = hd_calloc(samples->samples.size + 1, sizeof *m.at);
  for (size_t i = 0; i < samples->samples.size; i++)
    if (samples->samples.data[i].loop == loop)
      m.at[m.n_at++] = &samples->samples.data[i];
  classify(&m);
  equal_counters(&m);
  for (size_t v = 0; v < m.n; v++)
    if (m.changes[v]) {
      lower_bound(&m, v);
      upper_bounds(&m, v);
    }
  equations(&m);
  hd_free(m.usable);
  hd_free(m.changes);
  hd_free(m.at);
}
