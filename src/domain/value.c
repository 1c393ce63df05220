/* SPDX-License-Identifier: MIT */
/* Sets of values: the lattice. Operations are in value_ops.c. */
#include "domain/value.h"

#include "domain/value_impl.h"

#include "base/hash.h"

#include <string.h>

hd_value hd_value_none(void) {
  return (hd_value){.plo = 1, .phi = 0, .nlo = 0, .nhi = -1};
}

hd_value hd_value_undefined(void) {
  hd_value v = hd_value_none();
  v.undef = true;
  return v;
}

static bool has_p(const hd_value *v) {
  return v->plo <= v->phi;
}
static bool has_n(const hd_value *v) {
  return v->nlo <= v->nhi;
}

bool hd_value_has_int(const hd_value *v) {
  return has_p(v) || has_n(v);
}

bool hd_value_is_none(const hd_value *v) {
  return !hd_value_has_int(v) && !v->undef && !v->wild && !v->n_targets;
}

void hd_value_add_range(hd_value *v, uint8_t width, hd_wide lo, hd_wide hi) {
  hd_wide modulus = (hd_wide)1 << width, half = modulus >> 1;
  if (lo > hi)
    return;
  if (hi - lo >= modulus - 1) {
    lo = -half;
    hi = half - 1;
  } else {
    /* lo into the signed range; hi follows and may be past it */
    hd_wide shift = lo + half;
    hd_wide turns =
        shift >= 0 ? shift / modulus : -((-shift + modulus - 1) / modulus);
    lo -= turns * modulus;
    hi -= turns * modulus;
    if (hi >= half) {
      hd_value_add_range(v, width, -half, hi - modulus);
      hi = half - 1;
    }
  }
  if (lo < 0) {
    int64_t a = (int64_t)lo, b = (int64_t)(hi < -1 ? hi : -1);
    bool had = has_n(v);
    v->nlo = had && v->nlo < a ? v->nlo : a;
    v->nhi = had && v->nhi > b ? v->nhi : b;
  }
  if (hi >= 0) {
    int64_t a = (int64_t)(lo > 0 ? lo : 0), b = (int64_t)hi;
    bool had = has_p(v);
    v->plo = had && v->plo < a ? v->plo : a;
    v->phi = had && v->phi > b ? v->phi : b;
  }
}

hd_value hd_value_any(uint8_t width) {
  hd_value v = hd_value_none();
  hd_wide half = (hd_wide)1 << (width - 1);
  hd_value_add_range(&v, width, -half, half - 1);
  return v;
}

hd_value hd_value_unsigned(uint8_t width, uint64_t lo, uint64_t hi) {
  hd_value v = hd_value_none();
  hd_value_add_range(&v, width, (hd_wide)lo, (hd_wide)hi);
  return v;
}

hd_value hd_value_signed(uint8_t width, int64_t lo, int64_t hi) {
  hd_value v = hd_value_none();
  hd_value_add_range(&v, width, lo, hi);
  return v;
}

hd_value hd_value_const(uint8_t width, uint64_t bits) {
  return hd_value_unsigned(width, bits & hd_word_mask(width),
                           bits & hd_word_mask(width));
}

hd_value hd_value_address(hd_object_id object, int64_t lo, int64_t hi) {
  hd_value v = hd_value_none();
  v.n_targets = 1;
  v.targets[0] = (hd_pointee){object, lo != hi, lo, hi};
  return v;
}

bool hd_value_is_const(const hd_value *v, uint64_t *bits) {
  if (v->undef || v->wild || v->n_targets)
    return false;
  if (has_p(v) && !has_n(v) && v->plo == v->phi)
    *bits = (uint64_t)v->plo;
  else if (has_n(v) && !has_p(v) && v->nlo == v->nhi)
    *bits = (uint64_t)v->nlo;
  else
    return false;
  return true;
}

bool hd_value_contains(const hd_value *v, uint8_t width, uint64_t bits) {
  int64_t x = hd_word_signed(bits, width);
  return x >= 0 ? x >= v->plo && x <= v->phi : x >= v->nlo && x <= v->nhi;
}

bool hd_value_is_address(const hd_value *v, hd_object_id *object,
                         int64_t *offset) {
  if (v->undef || v->wild || hd_value_has_int(v) || v->n_targets != 1 ||
      v->targets[0].lo != v->targets[0].hi)
    return false;
  *object = v->targets[0].object;
  *offset = v->targets[0].lo;
  return true;
}

/* --- order --- */

static bool part_within(int64_t alo, int64_t ahi, int64_t blo, int64_t bhi) {
  return alo > ahi || (blo <= alo && ahi <= bhi);
}

static const hd_pointee *find_target(const hd_value *v, hd_object_id object) {
  for (int i = 0; i < v->n_targets; i++)
    if (v->targets[i].object == object)
      return &v->targets[i];
  return NULL;
}

bool hd_value_within(const hd_value *a, const hd_value *b) {
  uint64_t bits;
  if (b->term && a->term != b->term && !hd_value_is_const(b, &bits))
    return false;
  if ((a->undef && !b->undef) || (a->wild && !b->wild) ||
      !part_within(a->plo, a->phi, b->plo, b->phi) ||
      !part_within(a->nlo, a->nhi, b->nlo, b->nhi))
    return false;
  for (int i = 0; i < a->n_targets && !b->wild; i++) {
    const hd_pointee *s = &a->targets[i], *t = find_target(b, s->object);
    if (!t || t->lo > s->lo || t->hi < s->hi ||
        (t->stride > 1 &&
         ((s->lo - t->lo) % t->stride || s->stride % t->stride)))
      return false;
  }
  return true;
}

bool hd_value_same(const hd_value *a, const hd_value *b) {
  return hd_value_within(a, b) && hd_value_within(b, a);
}

uint64_t hd_value_hash(const hd_value *v) {
  uint64_t h = (uint64_t)v->undef << 1 | v->wild;
  if (has_p(v))
    h = hd_hash_mix(hd_hash_mix(h, (uint64_t)v->plo), (uint64_t)v->phi);
  if (has_n(v))
    h = hd_hash_mix(hd_hash_mix(h, (uint64_t)v->nlo), (uint64_t)v->nhi);
  for (int i = 0; i < v->n_targets && !v->wild; i++) {
    h = hd_hash_mix(h, (uint64_t)v->targets[i].object << 32 |
                           v->targets[i].stride);
    h = hd_hash_mix(h, (uint64_t)v->targets[i].lo);
    h = hd_hash_mix(h, (uint64_t)v->targets[i].hi);
  }
  return h;
}

/* --- bounds --- */

static uint64_t gcd(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

uint32_t hd_value_stride(uint32_t a, uint32_t b, int64_t apart) {
  uint64_t d = gcd(gcd(a, b), (uint64_t)(apart < 0 ? -apart : apart));
  return d > UINT32_MAX ? 1 : (uint32_t)d;
}

void hd_value_add_target(hd_value *v, hd_pointee target) {
  if (v->wild)
    return;
  int at = 0;
  while (at < v->n_targets && v->targets[at].object < target.object)
    at++;
  if (at < v->n_targets && v->targets[at].object == target.object) {
    hd_pointee *t = &v->targets[at];
    t->stride = hd_value_stride(t->stride, target.stride, t->lo - target.lo);
    t->lo = target.lo < t->lo ? target.lo : t->lo;
    t->hi = target.hi > t->hi ? target.hi : t->hi;
    return;
  }
  if (v->n_targets == HD_MAX_TARGETS) {
    hd_value_make_wild(v);
    return;
  }
  memmove(v->targets + at + 1, v->targets + at,
          (size_t)(v->n_targets - at) * sizeof *v->targets);
  v->targets[at] = target;
  v->n_targets++;
}

void hd_value_make_wild(hd_value *v) {
  v->wild = true;
  v->n_targets = 0;
}

void hd_value_add_ints(hd_value *v, uint8_t width, const hd_value *from) {
  if (has_p(from))
    hd_value_add_range(v, width, from->plo, from->phi);
  if (has_n(from))
    hd_value_add_range(v, width, from->nlo, from->nhi);
}

hd_value hd_value_join(uint8_t width, const hd_value *a, const hd_value *b) {
  hd_value v = *a;
  v.term = a->term == b->term ? a->term : 0;
  hd_value_add_ints(&v, width, b);
  v.undef = a->undef || b->undef;
  if (a->wild || b->wild)
    hd_value_make_wild(&v);
  for (int i = 0; i < b->n_targets && !v.wild; i++)
    hd_value_add_target(&v, b->targets[i]);
  return v;
}

hd_value hd_value_meet(uint8_t width, const hd_value *a, const hd_value *b) {
  (void)width;
  hd_value v = *a;
  v.plo = a->plo > b->plo ? a->plo : b->plo;
  v.phi = a->phi < b->phi ? a->phi : b->phi;
  v.nlo = a->nlo > b->nlo ? a->nlo : b->nlo;
  v.nhi = a->nhi < b->nhi ? a->nhi : b->nhi;
  v.undef = a->undef && b->undef;
  v.wild = a->wild && b->wild;
  v.n_targets = 0;
  if (a->wild || b->wild) {
    const hd_value *known = a->wild ? b : a;
    v.n_targets = known->n_targets;
    memcpy(v.targets, known->targets, sizeof v.targets);
    return v;
  }
  for (int i = 0; i < a->n_targets; i++) {
    const hd_pointee *s = &a->targets[i], *t = find_target(b, s->object);
    if (!t)
      continue;
    hd_pointee both = *s;
    if (t->lo > both.lo && s->stride) /* the first of s that is not below t */
      both.lo += (t->lo - both.lo + s->stride - 1) / s->stride * s->stride;
    both.hi = s->hi < t->hi ? s->hi : t->hi;
    both.stride = both.lo == both.hi ? 0 : s->stride;
    if (both.lo <= both.hi && both.lo >= t->lo)
      v.targets[v.n_targets++] = both;
  }
  return v;
}

/* The first bound that is at least x, or `top`. */
static int64_t step_up(const hd_widening *how, int64_t x, int64_t top) {
  size_t low = 0, high = how->n;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (how->bounds[middle] < x)
      low = middle + 1;
    else
      high = middle;
  }
  return low < how->n && how->bounds[low] < top ? how->bounds[low] : top;
}

/* The last bound that is at most x, or `bottom`. */
static int64_t step_down(const hd_widening *how, int64_t x, int64_t bottom) {
  size_t low = 0, high = how->n;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (how->bounds[middle] <= x)
      low = middle + 1;
    else
      high = middle;
  }
  return low > 0 && how->bounds[low - 1] > bottom ? how->bounds[low - 1]
                                                  : bottom;
}

hd_value hd_value_widen(uint8_t width, const hd_value *a, const hd_value *b,
                        const hd_widening *how) {
  hd_value v = hd_value_join(width, a, b);
  int64_t top = (int64_t)(((uint64_t)1 << (width - 1)) - 1), bottom = -1 - top;
  if (has_p(a) && v.phi > a->phi)
    v.phi = step_up(how, v.phi, top);
  if (has_p(a) && v.plo < a->plo)
    v.plo = step_down(how, v.plo, 0);
  if (has_n(a) && v.nlo < a->nlo)
    v.nlo = step_down(how, v.nlo, bottom);
  if (has_n(a) && v.nhi > a->nhi)
    v.nhi = step_up(how, v.nhi, -1);
  for (int i = 0; i < v.n_targets; i++) {
    const hd_pointee *old = find_target(a, v.targets[i].object);
    hd_pointee *t = &v.targets[i];
    if (old && t->hi > old->hi)
      t->hi = step_up(how, t->hi, HD_FAR);
    if (old && t->lo < old->lo) {
      int64_t low = step_down(how, t->lo, -HD_FAR);
      /* The elements stay where they were. */
      t->lo -= (t->lo - low) / t->stride * t->stride;
    }
  }
  return v;
}
