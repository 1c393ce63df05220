/* SPDX-License-Identifier: MIT */
#include "check/notes/value.h"

#include "check/notes/compute.h"

#include <string.h>

__extension__ typedef __int128 wide;

hd_note_value hd_note_any(void) {
  return (hd_note_value){.kind = HD_NOTE_ANY};
}

hd_note_value hd_note_none(void) {
  return (hd_note_value){.kind = HD_NOTE_SET};
}

hd_note_value hd_note_address(uint32_t base, uint64_t offset) {
  hd_note_value v = {.kind = HD_NOTE_SET, .n = 1};
  v.elems[0] = (hd_note_elem){base, offset};
  return v;
}

hd_note_value hd_note_number(uint64_t bits) {
  return hd_note_address(HD_NO_ID, bits);
}

void hd_note_limits(uint8_t width, int64_t *lo, int64_t *hi) {
  assert(width > 0 && width <= 64);
  *hi = (int64_t)(hd_word_mask(width) >> 1);
  *lo = -*hi - 1;
}

static int order(const hd_note_elem *a, const hd_note_elem *b) {
  if (a->base != b->base)
    return a->base < b->base ? -1 : 1;
  return a->bits < b->bits ? -1 : a->bits > b->bits;
}

/* False when there is no room. */
static bool add(hd_note_value *v, hd_note_elem e) {
  assert(v->kind == HD_NOTE_SET && v->n <= HD_NOTE_MOST);
  int at = 0;
  while (at < v->n && order(&v->elems[at], &e) < 0)
    at++;
  if (at < v->n && order(&v->elems[at], &e) == 0)
    return true;
  if (v->n == HD_NOTE_MOST)
    return false;
  memmove(&v->elems[at + 1], &v->elems[at],
          (size_t)(v->n - at) * sizeof *v->elems);
  v->elems[at] = e;
  v->n++;
  assert(at == 0 || order(&v->elems[at - 1], &e) < 0); /* ascending */
  assert(at + 1 == v->n || order(&e, &v->elems[at + 1]) < 0);
  return true;
}

hd_note_value hd_note_range(uint8_t width, int64_t lo, int64_t hi) {
  hd_note_value v = {.kind = HD_NOTE_SET};
  if (lo > hi)
    return v;
  if ((uint64_t)hi - (uint64_t)lo >= HD_NOTE_MOST)
    return (hd_note_value){.kind = HD_NOTE_RANGE, .lo = lo, .hi = hi};
  for (int64_t x = lo;; x++) {
    bool room =
        add(&v, (hd_note_elem){HD_NO_ID, (uint64_t)x & hd_word_mask(width)});
    assert(room);
    (void)room;
    if (x == hi)
      return v;
  }
}

hd_note_value hd_note_full(hd_type type) {
  int64_t lo, hi;
  if (type.kind != HD_TYPE_INT)
    return hd_note_any();
  hd_note_limits(type.width, &lo, &hi);
  return hd_note_range(type.width, lo, hi);
}

bool hd_note_empty(const hd_note_value *v) {
  return v->kind == HD_NOTE_SET && !v->n;
}

bool hd_note_is_any(const hd_note_value *v) {
  return v->kind == HD_NOTE_ANY;
}

bool hd_note_single(const hd_note_value *v, hd_note_elem *elem) {
  *elem = v->elems[0];
  return v->kind == HD_NOTE_SET && v->n == 1;
}

bool hd_note_may(const hd_note_value *v, uint64_t bit) {
  if (v->kind != HD_NOTE_SET)
    return true;
  for (int i = 0; i < v->n; i++)
    if (v->elems[i].base != HD_NO_ID || (v->elems[i].bits & 1) == bit)
      return true;
  return false;
}

bool hd_note_may_be(const hd_note_value *v, bool truth) {
  if (v->kind == HD_NOTE_RANGE)
    return truth || (v->lo <= 0 && v->hi >= 0);
  if (v->kind != HD_NOTE_SET)
    return true;
  for (int i = 0; i < v->n; i++)
    if (v->elems[i].base != HD_NO_ID || (v->elems[i].bits != 0) == truth)
      return true;
  return false;
}

bool hd_note_bounds(uint8_t width, const hd_note_value *v, int64_t *lo,
                    int64_t *hi) {
  *lo = v->lo;
  *hi = v->hi;
  if (v->kind == HD_NOTE_RANGE)
    return true;
  if (v->kind == HD_NOTE_ANY || !v->n)
    return false;
  *lo = INT64_MAX;
  *hi = INT64_MIN;
  for (int i = 0; i < v->n; i++) {
    int64_t x = hd_word_signed(v->elems[i].bits, width);
    if (v->elems[i].base != HD_NO_ID)
      return false;
    *lo = x < *lo ? x : *lo;
    *hi = x > *hi ? x : *hi;
  }
  return true;
}

bool hd_note_span(const hd_note_value *v, uint32_t *base, int64_t *lo,
                  int64_t *hi) {
  *base = v->kind == HD_NOTE_SPAN ? v->base : v->elems[0].base;
  *lo = v->lo;
  *hi = v->hi;
  if (v->kind == HD_NOTE_SPAN)
    return true;
  if (v->kind != HD_NOTE_SET || !v->n || *base == HD_NO_ID)
    return false;
  for (int i = 0; i < v->n; i++)
    if (v->elems[i].base != *base || v->elems[i].bits > INT32_MAX)
      return false;
  *lo = (int64_t)v->elems[0].bits;
  *hi = (int64_t)v->elems[v->n - 1].bits;
  return true;
}

static hd_note_value spanned(uint32_t base, wide lo, wide hi) {
  assert(base != HD_NO_ID && lo <= hi);
  if (lo < 0 || hi > INT32_MAX)
    return hd_note_any();
  if (lo == hi)
    return hd_note_address(base, (uint64_t)lo);
  return (hd_note_value){
      .kind = HD_NOTE_SPAN, .base = base, .lo = (int64_t)lo, .hi = (int64_t)hi};
}

static bool contains(uint8_t width, const hd_note_value *v, hd_note_elem e) {
  if (v->kind == HD_NOTE_ANY)
    return true;
  if (v->kind == HD_NOTE_RANGE) {
    int64_t x = hd_word_signed(e.bits, width);
    return e.base == HD_NO_ID && v->lo <= x && x <= v->hi;
  }
  if (v->kind == HD_NOTE_SPAN)
    return e.base == v->base && e.bits >= (uint64_t)v->lo &&
           e.bits <= (uint64_t)v->hi;
  for (int i = 0; i < v->n; i++)
    if (order(&v->elems[i], &e) == 0)
      return true;
  return false;
}

bool hd_note_within(uint8_t width, const hd_note_value *a,
                    const hd_note_value *b) {
  if (b->kind == HD_NOTE_ANY)
    return true;
  if (a->kind == HD_NOTE_ANY)
    return false;
  if (a->kind == HD_NOTE_RANGE)
    return b->kind == HD_NOTE_RANGE && b->lo <= a->lo && a->hi <= b->hi;
  if (a->kind == HD_NOTE_SPAN)
    return b->kind == HD_NOTE_SPAN && b->base == a->base && b->lo <= a->lo &&
           a->hi <= b->hi;
  for (int i = 0; i < a->n; i++)
    if (!contains(width, b, a->elems[i]))
      return false;
  return true;
}

hd_note_value hd_note_join(uint8_t width, const hd_note_value *a,
                           const hd_note_value *b) {
  if (hd_note_within(width, a, b))
    return *b;
  if (hd_note_within(width, b, a))
    return *a;
  if (a->kind == HD_NOTE_SET && b->kind == HD_NOTE_SET) {
    hd_note_value both = *a;
    bool room = true;
    for (int i = 0; i < b->n && room; i++)
      room = add(&both, b->elems[i]);
    if (room)
      return both;
  }
  int64_t lo, hi, lo2, hi2;
  uint32_t base, base2;
  if (hd_note_span(a, &base, &lo, &hi) && hd_note_span(b, &base2, &lo2, &hi2))
    return base == base2
               ? spanned(base, lo < lo2 ? lo : lo2, hi > hi2 ? hi : hi2)
               : hd_note_any();
  if (!hd_note_bounds(width, a, &lo, &hi) ||
      !hd_note_bounds(width, b, &lo2, &hi2))
    return hd_note_any();
  return hd_note_range(width, lo < lo2 ? lo : lo2, hi > hi2 ? hi : hi2);
}

hd_note_value hd_note_cut(uint8_t width, const hd_note_value *v, int64_t lo,
                          int64_t hi) {
  if (v->kind == HD_NOTE_ANY || v->kind == HD_NOTE_SPAN)
    return *v; /* it may be a pointer */
  if (v->kind == HD_NOTE_RANGE)
    return hd_note_range(width, v->lo > lo ? v->lo : lo,
                         v->hi < hi ? v->hi : hi);
  hd_note_value out = hd_note_none();
  for (int i = 0; i < v->n; i++) {
    int64_t x = hd_word_signed(v->elems[i].bits, width);
    if (v->elems[i].base != HD_NO_ID || (lo <= x && x <= hi))
      out.elems[out.n++] = v->elems[i];
  }
  assert(out.n <= v->n);
  return out;
}

hd_note_value hd_note_loaded(hd_type type, const hd_note_value *v) {
  hd_note_value out = *v;
  if (type.width == 8 * hd_type_bytes(type) || v->kind == HD_NOTE_ANY)
    return out;
  if (v->kind == HD_NOTE_SPAN)
    return hd_note_any();
  if (v->kind == HD_NOTE_RANGE)
    return hd_note_full(type);
  out = hd_note_none();
  for (int i = 0; i < v->n; i++) {
    hd_note_elem x = v->elems[i];
    hd_note_value one = x.base == HD_NO_ID
                            ? hd_note_number(x.bits & hd_word_mask(type.width))
                            : hd_note_any();
    out = hd_note_join(type.width, &out, &one);
  }
  return out;
}

hd_note_value hd_note_stored(hd_type type, const hd_note_value *v) {
  if (v->kind != HD_NOTE_SET && type.width != 8 * hd_type_bytes(type))
    return hd_note_any();
  return *v;
}

bool hd_note_fits(uint8_t width, const hd_note_value *v) {
  int64_t least, most;
  hd_note_limits(width, &least, &most);
  if (v->kind == HD_NOTE_RANGE)
    return least <= v->lo && v->hi <= most;
  for (int i = 0; v->kind == HD_NOTE_SET && i < v->n; i++)
    if (v->elems[i].base == HD_NO_ID && v->elems[i].bits & ~hd_word_mask(width))
      return false;
  return true;
}

/* --- operations on single values --- */

typedef struct {
  const hd_note_world *world;
  const hd_cexpr *e;
  hd_type from;
} operation;

static hd_note_facts facts_of(const operation *o, uint32_t base) {
  assert(base != HD_NO_ID); /* a number has none */
  return o->world->of(o->world->context, base);
}

/* Objects lie apart from each other; but the end of one may be the beginning
 * of the next, and constants may lie in each other. False: not known. */
static bool equal_addresses(const operation *o, hd_note_elem a, hd_note_elem b,
                            bool *equal) {
  if (a.base == HD_NO_ID)
    return b.base != HD_NO_ID && equal_addresses(o, b, a, equal);
  hd_note_facts f = facts_of(o, a.base);
  *equal = false;
  if (f.opaque || f.nullable)
    return false;
  if (b.base == HD_NO_ID)
    return !b.bits && a.bits <= f.size;
  if (a.base == b.base) {
    *equal = a.bits == b.bits;
    return true;
  }
  hd_note_facts g = facts_of(o, b.base);
  return !g.opaque && !g.nullable && !(f.merged && g.merged) &&
         (f.code || a.bits < f.size) && (g.code || b.bits < g.size);
}

static bool in_one_object(const operation *o, hd_note_elem a, hd_note_elem b) {
  hd_note_facts f = facts_of(o, a.base == HD_NO_ID ? b.base : a.base);
  return a.base == b.base && !f.opaque && a.bits <= f.size && b.bits <= f.size;
}

/* What can be said of addresses; false: nothing. */
static bool on_addresses(const operation *o, hd_note_elem a, hd_note_elem b,
                         hd_note_elem *out) {
  assert(a.base != HD_NO_ID || b.base != HD_NO_ID);
  const hd_cexpr *e = o->e;
  bool equal = false;
  *out = (hd_note_elem){HD_NO_ID, 0};
  switch ((hd_code_op)e->op) {
  case HD_CODE_PTRADD:
    *out = (hd_note_elem){a.base, a.bits + b.bits};
    return b.base == HD_NO_ID && a.base != HD_NO_ID &&
           !facts_of(o, a.base).opaque;
  case HD_CODE_PTRTOINT:
  case HD_CODE_INTTOPTR:
  case HD_CODE_BITCAST:
    *out = a;
    return e->type.width == o->from.width;
  case HD_CODE_EQ:
  case HD_CODE_NE:
    if (!equal_addresses(o, a, b, &equal))
      return false;
    out->bits = equal == (e->op == HD_CODE_EQ);
    return true;
  case HD_CODE_ULT:
  case HD_CODE_ULE:
  case HD_CODE_UGT:
  case HD_CODE_UGE:
    out->bits = hd_note_compute((hd_code_op)e->op, e->type, o->from, a.bits,
                                b.bits, &out->bits) == HD_NOTE_EXACT &&
                out->bits;
    return in_one_object(o, a, b);
  case HD_CODE_AND: /* bits that are 0 since the object is aligned */
    if (a.base == HD_NO_ID)
      return b.base != HD_NO_ID && on_addresses(o, b, a, out);
    out->bits = a.bits & b.bits;
    return b.base == HD_NO_ID && b.bits < facts_of(o, a.base).align &&
           !facts_of(o, a.base).opaque && a.bits <= facts_of(o, a.base).size;
  case HD_CODE_SUB:
    out->bits = (a.bits - b.bits) & hd_word_mask(e->type.width);
    return a.base == b.base && !facts_of(o, a.base).opaque;
  default:
    return false;
  }
}

static bool divides(hd_code_op op) {
  return op == HD_CODE_UDIV || op == HD_CODE_SDIV || op == HD_CODE_UREM ||
         op == HD_CODE_SREM;
}

/* False: anything of the type. */
static bool on_elems(const operation *o, hd_note_elem a, hd_note_elem b,
                     hd_note_elem *out, bool *bad) {
  hd_code_op op = (hd_code_op)o->e->op;
  if (a.base != HD_NO_ID || b.base != HD_NO_ID) {
    /* What is divided by an address, or an index of one, is not known. */
    *bad = *bad || divides(op) || op == HD_CODE_WITHIN;
    return on_addresses(o, a, b, out);
  }
  *out = (hd_note_elem){HD_NO_ID, 0};
  hd_note_outcome outcome =
      hd_note_compute(op, o->e->type, o->from, a.bits, b.bits, &out->bits);
  *bad = *bad || outcome == HD_NOTE_NOTHING;
  return outcome == HD_NOTE_EXACT;
}

/* --- operations on intervals --- */

static hd_note_value fit(hd_type type, wide lo, wide hi) {
  assert(lo <= hi);
  int64_t least, most;
  hd_note_limits(type.width, &least, &most);
  if (lo < least || hi > most)
    return hd_note_full(type);
  return hd_note_range(type.width, (int64_t)lo, (int64_t)hi);
}

static hd_note_value truth(bool no, bool yes) {
  hd_note_value v = hd_note_none();
  if (no)
    add(&v, (hd_note_elem){HD_NO_ID, 0});
  if (yes)
    add(&v, (hd_note_elem){HD_NO_ID, 1});
  return v;
}

/* a < b for signed numbers. */
static hd_note_value less(int64_t al, int64_t ah, int64_t bl, int64_t bh) {
  assert(al <= ah && bl <= bh);
  return truth(ah >= bl, al < bh);
}

static hd_note_value compare(hd_code_op op, int64_t al, int64_t ah, int64_t bl,
                             int64_t bh) {
  assert(al <= ah && bl <= bh && hd_note_compares(op));
  bool positive = al >= 0 && bl >= 0;
  switch (op) {
  case HD_CODE_EQ:
    return truth(!(al == ah && bl == bh && al == bl), al <= bh && bl <= ah);
  case HD_CODE_NE:
    return truth(al <= bh && bl <= ah, !(al == ah && bl == bh && al == bl));
  case HD_CODE_ULT:
    return positive ? less(al, ah, bl, bh) : truth(true, true);
  case HD_CODE_SLT:
    return less(al, ah, bl, bh);
  case HD_CODE_UGT:
    return positive ? less(bl, bh, al, ah) : truth(true, true);
  case HD_CODE_SGT:
    return less(bl, bh, al, ah);
  case HD_CODE_ULE:
    if (!positive)
      return truth(true, true);
    return truth(ah > bl, al <= bh);
  case HD_CODE_SLE:
    return truth(ah > bl, al <= bh);
  case HD_CODE_UGE:
    if (!positive)
      return truth(true, true);
    return truth(bh > al, bl <= ah);
  case HD_CODE_SGE:
    return truth(bh > al, bl <= ah);
  default:
    return truth(true, true);
  }
}

static hd_note_value multiply(hd_type type, wide al, wide ah, wide bl,
                              wide bh) {
  assert(al <= ah && bl <= bh);
  wide p[4] = {al * bl, al * bh, ah * bl, ah * bh}, lo = p[0], hi = p[0];
  for (int i = 1; i < 4; i++) {
    lo = p[i] < lo ? p[i] : lo;
    hi = p[i] > hi ? p[i] : hi;
  }
  return fit(type, lo, hi);
}

/* By a positive constant. */
static hd_note_value divide(hd_code_op op, hd_type type, int64_t al, int64_t ah,
                            int64_t by) {
  assert(divides(op) && al <= ah && by > 0);
  if (al < 0 && (op == HD_CODE_UDIV || op == HD_CODE_UREM))
    return hd_note_full(type);
  if (op == HD_CODE_UDIV || op == HD_CODE_SDIV)
    return fit(type, al / by, ah / by);
  return fit(type, al < 0 ? -(wide)(by - 1) : 0,
             ah < 0    ? 0
             : ah < by ? ah
                       : by - 1);
}

static hd_note_value on_ranges(const hd_cexpr *e, hd_type from, int64_t al,
                               int64_t ah, int64_t bl, int64_t bh) {
  hd_code_op op = (hd_code_op)e->op;
  hd_type type = e->type;
  switch (op) {
  case HD_CODE_ADD:
    return fit(type, (wide)al + bl, (wide)ah + bh);
  case HD_CODE_SUB:
    return fit(type, (wide)al - bh, (wide)ah - bl);
  case HD_CODE_MUL:
    return multiply(type, al, ah, bl, bh);
  case HD_CODE_SEXT:
    return fit(type, al, ah);
  case HD_CODE_TRUNC:
    return fit(type, al, ah);
  case HD_CODE_ZEXT:
    if (al >= 0)
      return fit(type, al, ah);
    return from.width < 64 ? fit(type, 0, (wide)hd_word_mask(from.width))
                           : hd_note_full(type);
  case HD_CODE_AND:
    return bl >= 0   ? fit(type, 0, bh)
           : al >= 0 ? fit(type, 0, ah)
                     : hd_note_full(type);
  case HD_CODE_UDIV:
  case HD_CODE_SDIV:
  case HD_CODE_UREM:
  case HD_CODE_SREM:
    return bl == bh && bl > 0 ? divide(op, type, al, ah, bl)
                              : hd_note_full(type);
  default:
    return hd_note_compares(op) ? compare(op, al, ah, bl, bh)
                                : hd_note_full(type);
  }
}

/* --- all together --- */

static hd_note_value all_pairs(const operation *o, const hd_note_value *a,
                               const hd_note_value *b, bool *bad) {
  assert(a->kind == HD_NOTE_SET && b->kind == HD_NOTE_SET);
  const hd_cexpr *e = o->e;
  hd_note_value out = hd_note_none();
  for (int i = 0; i < a->n; i++)
    for (int k = 0; k < b->n; k++) {
      hd_note_elem r;
      hd_note_value one = hd_note_full(e->type);
      if (on_elems(o, a->elems[i], b->elems[k], &r, bad))
        one = hd_note_address(r.base, r.bits);
      else if (a->elems[i].base != HD_NO_ID || b->elems[k].base != HD_NO_ID)
        one = e->type.width == 1 ? truth(true, true) : hd_note_any();
      out = hd_note_join(e->type.width, &out, &one);
    }
  return out;
}

/* A span, and a number or null; false: nothing is known. */
static bool on_spans(const operation *o, const hd_note_value *a,
                     const hd_note_value *b, hd_note_value *out) {
  const hd_cexpr *e = o->e;
  uint32_t base;
  int64_t lo, hi, bl, bh;
  if (!hd_note_span(a, &base, &lo, &hi))
    return false;
  hd_note_facts f = facts_of(o, base);
  bool number = hd_note_bounds(o->from.width, b, &bl, &bh);
  switch ((hd_code_op)e->op) {
  case HD_CODE_PTRADD:
    *out = number && !f.opaque ? spanned(base, (wide)lo + bl, (wide)hi + bh)
                               : hd_note_any();
    return true;
  case HD_CODE_PTRTOINT:
  case HD_CODE_INTTOPTR:
  case HD_CODE_BITCAST:
    *out = e->type.width == o->from.width ? *a : hd_note_any();
    return true;
  case HD_CODE_EQ:
  case HD_CODE_NE:
    *out = truth(e->op == HD_CODE_EQ, e->op == HD_CODE_NE);
    return number && !bl && !bh && !f.opaque && !f.nullable &&
           (uint64_t)hi <= f.size;
  default:
    return false;
  }
}

/* Neither 0 nor, for the sake of the least number, -1. */
static bool divisor_fits(hd_type type, const hd_note_value *b) {
  int64_t lo, hi;
  return hd_note_bounds(type.width, b, &lo, &hi) && (lo > 0 || hi < -1);
}

hd_note_value hd_note_apply(const hd_note_world *world, const hd_cexpr *e,
                            hd_type from, const hd_note_value *a,
                            const hd_note_value *b, bool *bad) {
  static const hd_note_value zero = {
      .kind = HD_NOTE_SET, .n = 1, .elems = {{HD_NO_ID, 0}}};
  operation o = {world, e, from};
  if (hd_code_op_arity((hd_code_op)e->op) == 1)
    b = &zero;
  if (hd_note_empty(a) || hd_note_empty(b))
    return hd_note_none();
  if (a->kind == HD_NOTE_SET && b->kind == HD_NOTE_SET)
    return all_pairs(&o, a, b, bad);
  hd_note_value spans;
  if (on_spans(&o, a, b, &spans))
    return spans;
  int64_t al = 0, ah = 0, bl = 0, bh = 0;
  bool known = hd_note_bounds(from.width, a, &al, &ah) &&
               hd_note_bounds(from.width, b, &bl, &bh);
  if (divides((hd_code_op)e->op) && !divisor_fits(o.from, b))
    *bad = true;
  if (e->op == HD_CODE_WITHIN && (!known || al < 0 || bl < 0 || ah >= bl))
    *bad = true;
  if (e->op == HD_CODE_WITHIN)
    return *a;
  if (known && from.kind == HD_TYPE_INT && e->type.kind == HD_TYPE_INT)
    return on_ranges(e, from, al, ah, bl, bh);
  if (hd_note_compares((hd_code_op)e->op))
    return truth(true, true);
  /* Bits of a pointer may still be a pointer. */
  return known ? hd_note_full(e->type) : hd_note_any();
}
