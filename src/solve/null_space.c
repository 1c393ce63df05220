/* SPDX-License-Identifier: MIT */
#include "solve/null_space.h"

#include "base/mem.h"
#include "base/vec.h"

#include <assert.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

/* 2^61 - 1 is a prime. */
static const uint64_t prime = ((uint64_t)1 << 61) - 1;

/* Whole numbers that a vector may have, and their common denominator. */
enum { LARGEST = 1 << 24, DENOMINATOR = 1 << 12 };

typedef struct {
  uint32_t column;
  uint64_t value; /* not 0 */
} entry;

typedef hd_vec(entry) row; /* by columns; the first value is 1 */

struct hd_null_space {
  uint32_t n;
  row *rows;      /* by the column of their first entry; empty = none */
  uint64_t *work; /* a row, spread out; all 0 between calls */
};

static uint64_t times(uint64_t a, uint64_t b) {
  wide product = (wide)a * b;
  uint64_t sum = (uint64_t)(product & prime) + (uint64_t)(product >> 61);
  return sum >= prime ? sum - prime : sum;
}

static uint64_t minus(uint64_t a, uint64_t b) {
  return a >= b ? a - b : a + prime - b;
}

static uint64_t residue(int64_t a) {
  uint64_t size = (uint64_t)(a < 0 ? -a : a) % prime;
  return a < 0 ? minus(0, size) : size;
}

static uint64_t inverse(uint64_t a) {
  uint64_t result = 1, power = a;
  for (uint64_t e = prime - 2; e; e >>= 1, power = times(power, power))
    if (e & 1)
      result = times(result, power);
  return result;
}

hd_null_space *hd_null_space_new(uint32_t n_columns) {
  hd_null_space *s = hd_calloc(1, sizeof *s);
  s->n = n_columns;
  s->rows = hd_calloc(n_columns + 1, sizeof *s->rows);
  s->work = hd_calloc(n_columns + 1, sizeof *s->work);
  return s;
}

void hd_null_space_delete(hd_null_space *s) {
  for (uint32_t i = 0; i < s->n; i++)
    hd_vec_free(&s->rows[i]);
  hd_free(s->rows);
  hd_free(s->work);
  hd_free(s);
}

/* work -= factor * r */
static void subtract(uint64_t *work, const row *r, uint64_t factor) {
  for (hd_vec_each(const entry, e, r))
    work[e->column] = minus(work[e->column], times(factor, e->value));
}

/* Takes away from `work`, from column `from` on, what the rows determine. The
 * first column that is left, or n. */
static uint32_t reduce(hd_null_space *s, uint32_t from) {
  uint32_t first = s->n;
  for (uint32_t c = from; c < s->n; c++) {
    if (!s->work[c])
      continue;
    if (s->rows[c].size)
      subtract(s->work, &s->rows[c], s->work[c]);
    else if (first == s->n)
      first = c;
  }
  return first;
}

void hd_null_space_row(hd_null_space *s, const hd_null_entry *entries,
                       size_t n) {
  uint32_t from = s->n;
  for (size_t i = 0; i < n; i++) {
    assert(entries[i].column < s->n);
    uint64_t *at = &s->work[entries[i].column];
    *at = minus(*at, residue(-entries[i].value));
    if (entries[i].column < from)
      from = entries[i].column;
  }
  uint32_t first = reduce(s, from);
  if (first == s->n)
    return;
  uint64_t factor = inverse(s->work[first]);
  for (uint32_t c = first; c < s->n; c++) {
    if (s->work[c])
      hd_vec_push(&s->rows[first],
                  ((entry){.column = c, .value = times(s->work[c], factor)}));
    s->work[c] = 0;
  }
}

size_t hd_null_space_dimension(const hd_null_space *s) {
  size_t n = 0;
  for (uint32_t c = 0; c < s->n; c++)
    n += !s->rows[c].size;
  return n;
}

/* a * d modulo the prime as a small number, if it is one. */
static bool is_small(uint64_t a, uint64_t d, int64_t *out) {
  uint64_t x = times(a, d);
  if (x <= LARGEST)
    *out = (int64_t)x;
  else if (prime - x <= LARGEST)
    *out = -(int64_t)(prime - x);
  else
    return false;
  return true;
}

bool hd_null_space_vector(const hd_null_space *s, size_t index, int64_t *out) {
  uint32_t free = 0;
  while (s->rows[free].size || index--)
    free++;
  uint64_t *x = hd_calloc(s->n + 1, sizeof *x);
  x[free] = 1;
  /* Rows are echelons: each determines its first column by later ones. */
  for (uint32_t c = s->n; c-- > 0;)
    for (size_t i = 1; i < s->rows[c].size; i++) {
      const entry *e = &s->rows[c].data[i];
      x[c] = minus(x[c], times(e->value, x[e->column]));
    }
  bool whole = false;
  for (uint64_t d = 1; d <= DENOMINATOR && !whole; d++) {
    whole = true;
    for (uint32_t c = 0; c < s->n && whole; c++)
      whole = is_small(x[c], d, &out[c]);
  }
  hd_free(x);
  return whole;
}
