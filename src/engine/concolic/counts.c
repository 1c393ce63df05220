/* SPDX-License-Identifier: MIT */
/* Solving for the loop counts.
 *
 * Bounds low_i <= k_i <= high_i, at first 0 and none, are tightened by each row
 * until nothing changes: a row limits a variable by the least its other terms
 * can be. A row that cannot hold shows that there is no solution. If `low` now
 * satisfies every row it is a solution, and the least one where rows have at
 * most one negative coefficient: any solution lies above every lower bound.
 *
 * Otherwise some row has two variables that could help it. The search takes the
 * first: either it stays at its lower bound, or it is raised by one. It is
 * complete but need not end, so it is bounded, and Z3 is asked after. */
#include "engine/concolic/counts.h"

#include "base/bitset.h"
#include "solve/smt.h"

#include <string.h>

/* Larger counts are not looked for: no witness of that length can be made. */
#define COUNT_LIMIT ((int64_t)HD_COUNT_MAX)
#define ROUND_LIMIT 2000
#define NODE_LIMIT 4000

typedef struct {
  int64_t low[HD_MAX_LOOPS], high[HD_MAX_LOOPS];
} box;

typedef struct {
  const hd_rows *rows;
  uint32_t n;
  uint32_t nodes;
  int64_t *k;
} solver;

void hd_counts_rows(hd_rows *rows, const hd_summary *summary,
                    const hd_count *available, const uint64_t *only) {
  hd_vec_clear(rows);
  for (hd_vec_each(const hd_summary_term, t, &summary->terms)) {
    if (only && !hd_bits_test(only, t->local))
      continue;
    assert(available[t->local] != HD_OMEGA);
    hd_count_row row = {.bound = (int64_t)available[t->local] - t->c[0]};
    for (uint32_t i = 0; i < summary->n_loops; i++)
      row.a[i] = t->c[i + 1];
    hd_vec_push(rows, row);
  }
}

/* The least value of the row's terms but that of `skip`; false: no least. */
static bool least_of_others(const solver *s, const hd_count_row *row,
                            const box *b, uint32_t skip, hd_i128 *least) {
  *least = 0;
  for (uint32_t i = 0; i < s->n; i++) {
    if (i == skip || !row->a[i])
      continue;
    if (row->a[i] < 0 && b->high[i] >= COUNT_LIMIT)
      return false;
    *least += (hd_i128)row->a[i] * (row->a[i] > 0 ? b->low[i] : b->high[i]);
  }
  return true;
}

static int64_t divide_up(hd_i128 a, int64_t b) {
  assert(b > 0);
  hd_i128 q = a / b;
  if (a % b > 0)
    q++;
  return q > COUNT_LIMIT ? COUNT_LIMIT + 1 : (int64_t)q;
}

static int64_t divide_down(hd_i128 a, int64_t b) {
  assert(b > 0 && a >= 0);
  hd_i128 q = a / b;
  return q > COUNT_LIMIT ? COUNT_LIMIT : (int64_t)q;
}

typedef enum { SAME, TIGHTER, EMPTY, TOO_LARGE } tightened;

/* Uses `row` to bound variable `i`. */
static tightened bound_variable(const solver *s, const hd_count_row *row,
                                box *b, uint32_t i) {
  hd_i128 least;
  if (!least_of_others(s, row, b, i, &least))
    return SAME;
  hd_i128 room = row->bound - least; /* a_i k_i <= room */
  if (row->a[i] > 0) {
    if (room < 0)
      return EMPTY;
    int64_t high = divide_down(room, row->a[i]);
    if (high >= b->high[i])
      return SAME;
    b->high[i] = high;
  } else {
    int64_t low = room >= 0 ? 0 : divide_up(-room, -row->a[i]);
    if (low <= b->low[i])
      return SAME;
    if (low >= COUNT_LIMIT)
      return TOO_LARGE;
    b->low[i] = low;
  }
  return b->low[i] > b->high[i] ? EMPTY : TIGHTER;
}

static tightened tighten_by(const solver *s, const hd_count_row *row, box *b) {
  tightened result = SAME;
  bool empty_row = true;
  for (uint32_t i = 0; i < s->n; i++) {
    if (!row->a[i])
      continue;
    empty_row = false;
    tightened t = bound_variable(s, row, b, i);
    if (t >= EMPTY)
      return t;
    if (t == TIGHTER)
      result = TIGHTER;
  }
  return empty_row && row->bound < 0 ? EMPTY : result;
}

static tightened tighten(const solver *s, box *b) {
  for (uint32_t round = 0; round < ROUND_LIMIT; round++) {
    tightened result = SAME;
    for (hd_vec_each(const hd_count_row, row, s->rows)) {
      tightened t = tighten_by(s, row, b);
      if (t >= EMPTY)
        return t;
      if (t == TIGHTER)
        result = TIGHTER;
    }
    if (result == SAME)
      return SAME;
  }
  return TOO_LARGE;
}

static const hd_count_row *find_violated(const solver *s, const int64_t *k) {
  for (hd_vec_each(const hd_count_row, row, s->rows)) {
    hd_i128 sum = 0;
    for (uint32_t i = 0; i < s->n; i++)
      sum += (hd_i128)row->a[i] * k[i];
    if (sum > row->bound)
      return row;
  }
  return NULL;
}

/* A variable that could help `row` and is not yet fixed. */
static uint32_t choose(const solver *s, const hd_count_row *row, const box *b) {
  for (uint32_t i = 0; i < s->n; i++)
    if (row->a[i] < 0 && b->low[i] < b->high[i])
      return i;
  return s->n;
}

static hd_counts_status search(solver *s, box b) {
  for (;;) {
    if (s->nodes++ >= NODE_LIMIT)
      return HD_COUNTS_UNKNOWN;
    tightened t = tighten(s, &b);
    if (t == EMPTY)
      return HD_COUNTS_NONE;
    if (t == TOO_LARGE)
      return HD_COUNTS_UNKNOWN;
    const hd_count_row *row = find_violated(s, b.low);
    if (!row) {
      memcpy(s->k, b.low, s->n * sizeof *s->k);
      return HD_COUNTS_FOUND;
    }
    uint32_t i = choose(s, row, &b);
    if (i == s->n)
      return HD_COUNTS_NONE;
    box fixed = b;
    fixed.high[i] = b.low[i];
    hd_counts_status status = search(s, fixed);
    if (status != HD_COUNTS_NONE)
      return status;
    if (++b.low[i] >= COUNT_LIMIT)
      return HD_COUNTS_UNKNOWN;
  }
}

/* Asks Z3. An answer with counts past COUNT_LIMIT is no use. */
static hd_counts_status ask_smt(const solver *s, double seconds) {
  hd_smt *smt = hd_smt_new();
  for (uint32_t i = 0; i < s->n; i++)
    hd_smt_add_var(smt, 0);
  for (hd_vec_each(const hd_count_row, row, s->rows)) {
    hd_smt_term terms[HD_MAX_LOOPS];
    size_t n = 0;
    for (uint32_t i = 0; i < s->n; i++)
      if (row->a[i])
        terms[n++] = (hd_smt_term){.index = i, .value = row->a[i]};
    hd_smt_add_row(smt, terms, n, HD_SMT_NO_LOWER, row->bound);
  }
  hd_smt_status answer = hd_smt_solve(smt, seconds);
  bool usable = answer == HD_SMT_SAT;
  for (uint32_t i = 0; i < s->n && usable; i++)
    usable = hd_smt_value(smt, i, &s->k[i]) && s->k[i] >= 0 &&
             s->k[i] <= COUNT_LIMIT;
  hd_smt_delete(smt);
  if (answer == HD_SMT_UNSAT)
    return HD_COUNTS_NONE;
  return usable && !find_violated(s, s->k) ? HD_COUNTS_FOUND
                                           : HD_COUNTS_UNKNOWN;
}

hd_counts_status hd_counts_solve(const hd_rows *rows, uint32_t n,
                                 double seconds, int64_t *k,
                                 hd_counts_stats *stats) {
  assert(n <= HD_MAX_LOOPS);
  solver s = {.rows = rows, .n = n, .k = k};
  box b;
  for (uint32_t i = 0; i < n; i++) {
    b.low[i] = 0;
    b.high[i] = COUNT_LIMIT;
  }
  hd_counts_status status = search(&s, b);
  if (status == HD_COUNTS_UNKNOWN && seconds > 0) {
    stats->smt++;
    return ask_smt(&s, seconds);
  }
  if (s.nodes == 1)
    stats->direct++;
  else
    stats->searched++;
  return status;
}
