/* SPDX-License-Identifier: MIT */
#include "domain/relation.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

struct hd_relation {
  uint32_t refs, n;
  hd_octagon *octagon; /* variable i is names[i] */
  hd_octagons *lib;
  hd_name names[]; /* ascending */
};

hd_relation *hd_relation_keep(hd_relation *r) {
  if (r)
    r->refs++;
  return r;
}

void hd_relation_drop(hd_relation *r) {
  if (!r || --r->refs)
    return;
  hd_octagon_delete(r->octagon);
  hd_free(r);
}

uint32_t hd_relation_size(const hd_relation *r) {
  return r ? r->n : 0;
}

hd_name hd_relation_name(const hd_relation *r, uint32_t i) {
  assert(i < r->n);
  return r->names[i];
}

bool hd_relation_has(const hd_relation *r, hd_name name) {
  for (uint32_t i = 0; r && i < r->n; i++)
    if (r->names[i] == name)
      return true;
  return false;
}

bool hd_named_form_add(hd_named_form *a, const hd_named_form *b,
                       int64_t times) {
  int64_t lo, hi;
  if (__builtin_mul_overflow(times < 0 ? b->hi : b->lo, times, &lo) ||
      __builtin_mul_overflow(times < 0 ? b->lo : b->hi, times, &hi) ||
      __builtin_add_overflow(a->lo, lo, &a->lo) ||
      __builtin_add_overflow(a->hi, hi, &a->hi))
    return false;
  for (uint32_t i = 0; i < b->n; i++) {
    int64_t factor;
    if (__builtin_mul_overflow(b->factors[i], times, &factor))
      return false;
    uint32_t k = 0;
    while (k < a->n && a->names[k] != b->names[i])
      k++;
    if (k == a->n) {
      if (a->n == HD_MAX_TERMS)
        return false;
      a->names[a->n] = b->names[i];
      a->factors[a->n++] = 0;
    }
    if (__builtin_add_overflow(a->factors[k], factor, &a->factors[k]))
      return false;
    if (a->factors[k] == 0) {
      a->n--;
      a->names[k] = a->names[a->n];
      a->factors[k] = a->factors[a->n];
    }
  }
  return true;
}

/* --- sketches --- */

void hd_sketch_init(hd_sketch *s, hd_octagons *lib, const hd_relation *r) {
  s->n = hd_relation_size(r);
  if (s->n)
    memcpy(s->names, r->names, s->n * sizeof *s->names);
  s->octagon = r ? hd_octagon_copy(r->octagon) : hd_octagon_new(lib, 0);
}

void hd_sketch_free(hd_sketch *s) {
  hd_octagon_delete(s->octagon);
  s->octagon = NULL;
}

static uint32_t find(const hd_sketch *s, hd_name name) {
  for (uint32_t i = 0; i < s->n; i++)
    if (s->names[i] == name)
      return i;
  return UINT32_MAX;
}

bool hd_sketch_has(const hd_sketch *s, hd_name name) {
  return find(s, name) != UINT32_MAX;
}

bool hd_sketch_add(hd_sketch *s, hd_name name, hd_span range) {
  uint32_t at = find(s, name);
  if (at == UINT32_MAX) {
    if (s->n == HD_MAX_SKETCH)
      return false;
    hd_octagon_extend(s->octagon, 1);
    at = s->n++;
    s->names[at] = name;
  }
  if (range.hi != INT64_MAX && range.hi != INT64_MIN)
    hd_octagon_assume(s->octagon,
                      &(hd_form){1, {at}, {1}, -range.hi, -range.hi});
  if (range.lo != INT64_MIN)
    hd_octagon_assume(s->octagon,
                      &(hd_form){1, {at}, {-1}, range.lo, range.lo});
  return true;
}

void hd_sketch_meet(hd_sketch *s, const hd_relation *r) {
  uint32_t n = hd_relation_size(r);
  if (!n)
    return;
  /* Both get all variables, in the order of the sketch. */
  static const hd_span all = {INT64_MIN, INT64_MAX};
  uint32_t to[HD_MAX_SKETCH];
  for (uint32_t i = 0; i < n; i++)
    if (!hd_sketch_add(s, r->names[i], all))
      return;
  hd_octagon *other = hd_octagon_copy(r->octagon);
  hd_octagon_extend(other, s->n - n);
  uint32_t behind = n;
  for (uint32_t k = 0; k < s->n; k++) {
    uint32_t i = 0;
    while (i < n && r->names[i] != s->names[k])
      i++;
    to[i < n ? i : behind++] = k;
  }
  hd_octagon_rename(other, to);
  hd_octagon_meet(s->octagon, other);
  hd_octagon_delete(other);
}

static hd_form numbered(const hd_sketch *s, const hd_named_form *form) {
  hd_form out = {.n = form->n, .lo = form->lo, .hi = form->hi};
  for (uint32_t i = 0; i < form->n; i++) {
    out.vars[i] = find(s, form->names[i]);
    assert(out.vars[i] != UINT32_MAX);
    out.factors[i] = form->factors[i];
  }
  return out;
}

void hd_sketch_assume(hd_sketch *s, const hd_named_form *form) {
  hd_form f = numbered(s, form);
  hd_octagon_assume(s->octagon, &f);
}

void hd_sketch_assign(hd_sketch *s, hd_name name, const hd_named_form *form) {
  hd_form f = numbered(s, form);
  uint32_t at = find(s, name);
  assert(at != UINT32_MAX);
  hd_octagon_assign(s->octagon, at, &f);
}

bool hd_sketch_max(const hd_sketch *s, const hd_named_form *form,
                   int64_t *max) {
  hd_form f = numbered(s, form);
  return hd_octagon_max(s->octagon, &f, max);
}

static void octagon_range(const hd_octagon *o, uint32_t at, hd_span *range) {
  int64_t max;
  if (hd_octagon_max(o, &(hd_form){1, {at}, {1}, 0, 0}, &max) &&
      max < range->hi)
    range->hi = max;
  if (hd_octagon_max(o, &(hd_form){1, {at}, {-1}, 0, 0}, &max) &&
      max > INT64_MIN && -max > range->lo)
    range->lo = -max;
}

void hd_sketch_range(const hd_sketch *s, hd_name name, hd_span *range) {
  uint32_t at = find(s, name);
  if (at != UINT32_MAX)
    octagon_range(s->octagon, at, range);
}

bool hd_sketch_is_empty(const hd_sketch *s) {
  return hd_octagon_is_empty(s->octagon);
}

/* --- taking --- */

static int by_name(const void *a, const void *b) {
  hd_name x = *(const hd_name *)a, y = *(const hd_name *)b;
  return x < y ? -1 : x > y;
}

/* Bounds of single variables: of -x and of x. */
typedef struct {
  bool known[2];
  int64_t max[2];
} bounds;

static bounds bounds_of(const hd_octagon *o, uint32_t x) {
  bounds b;
  for (int i = 0; i < 2; i++)
    b.known[i] =
        hd_octagon_max(o, &(hd_form){1, {x}, {2 * i - 1}, 0, 0}, &b.max[i]);
  return b;
}

/* Is x ± y bounded more tightly than the bounds of both tell? */
static bool related(const hd_octagon *o, uint32_t x, uint32_t y,
                    const bounds *of) {
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 2; k++) {
      int64_t both, sum;
      hd_form f = {2, {x, y}, {2 * i - 1, 2 * k - 1}, 0, 0};
      if (hd_octagon_max(o, &f, &both) &&
          (!of[x].known[i] || !of[y].known[k] ||
           __builtin_add_overflow(of[x].max[i], of[y].max[k], &sum) ||
           both < sum))
        return true;
    }
  return false;
}

/* The relation of the variables of `s` with keep[i]. */
static hd_relation *pick(const hd_sketch *s, hd_octagons *lib,
                         const bool *keep) {
  hd_name names[HD_MAX_SKETCH];
  uint32_t n = 0, to[HD_MAX_SKETCH];
  for (uint32_t i = 0; i < s->n; i++)
    if (keep[i])
      names[n++] = s->names[i];
  if (n < 2)
    return NULL;
  qsort(names, n, sizeof *names, by_name);
  for (uint32_t i = 0; i < s->n; i++) {
    to[i] = UINT32_MAX;
    for (uint32_t k = 0; keep[i] && k < n; k++)
      if (names[k] == s->names[i])
        to[i] = k;
  }
  hd_relation *r = hd_calloc(1, sizeof *r + n * sizeof *names);
  r->refs = 1;
  r->n = n;
  r->lib = lib;
  memcpy(r->names, names, n * sizeof *names);
  r->octagon = hd_octagon_copy(s->octagon);
  hd_octagon_rename(r->octagon, to);
  return r;
}

hd_relation *hd_sketch_take(const hd_sketch *s,
                            bool (*wanted)(const void *, hd_name),
                            const void *context) {
  bool good[HD_MAX_SKETCH], keep[HD_MAX_SKETCH] = {false};
  uint32_t n = 0;
  bool empty = hd_octagon_is_empty(s->octagon); /* has to stay so */
  bounds of[HD_MAX_SKETCH];
  for (uint32_t i = 0; i < s->n; i++) {
    good[i] = wanted(context, s->names[i]);
    if (good[i])
      of[i] = bounds_of(s->octagon, i);
  }
  for (uint32_t i = 0; i < s->n; i++)
    for (uint32_t k = i + 1; k < s->n; k++)
      if (good[i] && good[k] && !(keep[i] && keep[k]) &&
          n + (uint32_t)!keep[i] + (uint32_t)!keep[k] <= HD_MAX_RELATED &&
          (empty || related(s->octagon, i, k, of))) {
        n += (uint32_t)!keep[i] + (uint32_t)!keep[k];
        keep[i] = keep[k] = true;
      }
  return n ? pick(s, hd_octagon_library(s->octagon), keep) : NULL;
}

hd_relation *hd_relation_forget(hd_relation *r, hd_name first, hd_name last) {
  bool keep[HD_MAX_SKETCH], any = false;
  for (uint32_t i = 0; r && i < r->n; i++) {
    keep[i] = r->names[i] < first || r->names[i] > last;
    any = any || !keep[i];
  }
  if (!any)
    return r;
  hd_sketch s;
  hd_sketch_init(&s, r->lib, r);
  hd_relation *out = pick(&s, r->lib, keep);
  hd_sketch_free(&s);
  hd_relation_drop(r);
  return out;
}

static bool all_wanted(const void *context, hd_name name) {
  (void)context;
  (void)name;
  return true;
}

hd_relation *hd_relation_meet(hd_relation *a, hd_relation *b) {
  if (!a || !b || a == b)
    return hd_relation_keep(a ? a : b);
  hd_sketch s;
  hd_sketch_init(&s, a->lib, a);
  hd_sketch_meet(&s, b);
  bool keep[HD_MAX_SKETCH];
  for (uint32_t i = 0; i < s.n; i++)
    keep[i] = true;
  hd_relation *out = pick(&s, a->lib, keep);
  hd_sketch_free(&s);
  return out;
}

hd_relation *hd_relation_renumber(hd_relation *r, hd_name by) {
  assert(!r || (r->refs == 1 && r->names[0] >= by));
  for (uint32_t i = 0; r && i < r->n; i++)
    r->names[i] -= by;
  return r;
}

bool hd_relation_is_empty(const hd_relation *r) {
  return r && hd_octagon_is_empty(r->octagon);
}

void hd_relation_range(const hd_relation *r, hd_name name, hd_span *range) {
  for (uint32_t i = 0; i < r->n; i++)
    if (r->names[i] == name)
      octagon_range(r->octagon, i, range);
}

/* --- comparing --- */

/* Makes `s` say all that the side knows about the names; false: some have no
 * range. */
static bool draw_side(hd_sketch *s, hd_octagons *lib, hd_relation_side side,
                      const hd_name *names, uint32_t n) {
  hd_sketch_init(s, lib, side.relation);
  for (uint32_t i = 0; i < n; i++) {
    hd_span range;
    if (!side.range_of(side.context, names[i], &range) ||
        !hd_sketch_add(s, names[i], range)) {
      hd_sketch_free(s);
      return false;
    }
  }
  return true;
}

/* Its variables are exactly these, in this order. */
static void arrange(hd_sketch *s, const hd_name *names, uint32_t n) {
  uint32_t to[HD_MAX_SKETCH];
  for (uint32_t i = 0; i < s->n; i++) {
    to[i] = UINT32_MAX;
    for (uint32_t k = 0; k < n; k++)
      if (s->names[i] == names[k])
        to[i] = k;
  }
  hd_octagon_rename(s->octagon, to);
  s->n = n;
  memcpy(s->names, names, n * sizeof *names);
}

bool hd_relation_within(hd_relation_side a, hd_relation_side b) {
  if (!b.relation || a.relation == b.relation)
    return true;
  const hd_relation *r = b.relation;
  hd_sketch s;
  if (!draw_side(&s, r->lib, a, r->names, r->n))
    return false;
  arrange(&s, r->names, r->n);
  bool within = hd_octagon_within(s.octagon, r->octagon);
  hd_sketch_free(&s);
  return within;
}

/* `moves`: only if its range is another one in `b`. What does not move is not
 * related by a join to what does. */
static void add_name(hd_name *names, uint32_t *n, hd_name name,
                     hd_relation_side a, hd_relation_side b, bool moves) {
  hd_span x, y;
  if (*n == HD_MAX_RELATED || !a.range_of(a.context, name, &x) ||
      !b.range_of(b.context, name, &y) ||
      (moves && x.lo == y.lo && x.hi == y.hi))
    return;
  for (uint32_t i = 0; i < *n; i++)
    if (names[i] == name)
      return;
  names[(*n)++] = name;
}

hd_relation *hd_relation_join(hd_octagons *lib, hd_relation_side a,
                              hd_relation_side b, const hd_name *also,
                              size_t n_also, bool widen) {
  hd_name names[HD_MAX_RELATED];
  uint32_t n = 0;
  for (uint32_t i = 0; i < hd_relation_size(a.relation); i++)
    add_name(names, &n, a.relation->names[i], a, b, false);
  for (uint32_t i = 0; i < hd_relation_size(b.relation); i++)
    add_name(names, &n, b.relation->names[i], a, b, false);
  for (size_t i = 0; i < n_also; i++)
    add_name(names, &n, also[i], a, b, true);
  hd_sketch x, y;
  if (n < 2 || !draw_side(&x, lib, a, names, n))
    return NULL;
  hd_relation *out = NULL;
  if (draw_side(&y, lib, b, names, n)) {
    arrange(&x, names, n);
    arrange(&y, names, n);
    hd_octagon_join(y.octagon, x.octagon);
    if (widen)
      hd_octagon_widen(y.octagon, x.octagon);
    out = hd_sketch_take(&y, all_wanted, NULL);
    hd_sketch_free(&y);
  }
  hd_sketch_free(&x);
  return out;
}
