/* SPDX-License-Identifier: MIT */
#include "engine/pairs/linear.h"

#include "base/word.h"

#include <assert.h>

/* Numbers stay well below what a product of two can be. */
static const int64_t largest = (int64_t)1 << 40;

static bool is_fit(int64_t a) {
  return a >= -largest && a <= largest;
}

void hd_pairs_linear_free(plinear *a) {
  hd_vec_free(&a->parts);
}

static size_t find(const plinear *a, pterm atom) {
  assert(a->less < 64);
  size_t i = 0;
  while (i < a->parts.size && a->parts.data[i].atom != atom)
    i++;
  return i;
}

static bool add_part(plinear *a, pterm atom, int64_t factor) {
  if (!factor)
    return true;
  size_t i = find(a, atom);
  if (i == a->parts.size)
    hd_vec_push(&a->parts, ((ppart){.atom = atom}));
  ppart *part = &a->parts.data[i];
  part->factor += factor;
  bool fits = is_fit(part->factor);
  if (!part->factor)
    *part = hd_vec_pop(&a->parts);
  return fits;
}

static void narrow(plinear *a, uint8_t bits) {
  assert(bits > 0 && bits <= 64);
  if (hd_pairs_linear_bits(a) > bits)
    a->less = (uint8_t)(64 - bits);
}

bool hd_pairs_linear_add(plinear *a, const plinear *b, int64_t factor) {
  if (!factor)
    return true;
  bool fits = factor >= -(1 << 22) && factor <= 1 << 22;
  for (size_t i = 0; fits && i < b->parts.size; i++) {
    const ppart *part = &b->parts.data[i];
    fits = add_part(a, part->atom, part->factor * factor);
  }
  a->constant += fits ? b->constant * factor : 0;
  narrow(a, hd_pairs_linear_bits(b));
  return fits && is_fit(a->constant);
}

/* --- terms --- */

/* Small numbers are what they are, those of the upper half are negative. */
static plinear number(uint64_t value, uint8_t width) {
  assert(width > 0 && width <= 64);
  assert(!(value & ~hd_word_mask(width)));
  plinear out = {0};
  if (width == 1 || !(value >> (width - 1))) {
    out.constant = (int64_t)value;
    return out;
  }
  out.constant = hd_word_signed(value, width);
  narrow(&out, width);
  return out;
}

static bool sum(pterms *t, pterm a, plinear *out);

/* out += factor * the sum of `a` */
static bool add_term(pterms *t, pterm a, int64_t factor, plinear *out) {
  plinear part = {0};
  bool good = sum(t, a, &part) && hd_pairs_linear_add(out, &part, factor);
  hd_pairs_linear_free(&part);
  return good;
}

static bool times_constant(pterms *t, pterm a, uint64_t k, uint8_t width,
                           plinear *out) {
  int64_t factor = hd_word_signed(k, width);
  narrow(out, width);
  return is_fit(factor) && add_term(t, a, factor, out);
}

static bool operation(pterms *t, const pnode *n, plinear *out) {
  uint64_t k;
  switch (n->op) {
  case HD_BV_ADD:
  case HD_BV_SUB:
    narrow(out, n->width);
    return add_term(t, n->args[0], 1, out) &&
           add_term(t, n->args[1], n->op == HD_BV_ADD ? 1 : -1, out);
  case HD_BV_MUL:
    return hd_pairs_term_is_const(t, n->args[1], &k) &&
           times_constant(t, n->args[0], k, n->width, out);
  case HD_BV_SHL:
    return hd_pairs_term_is_const(t, n->args[1], &k) && k < n->width &&
           times_constant(t, n->args[0], (uint64_t)1 << k, n->width, out);
  case HD_BV_XOR: /* not a */
    out->constant = 1;
    return n->width == 1 && hd_pairs_term_is_const(t, n->args[1], &k) && k &&
           hd_pairs_node_of(t, n->args[0])->op == TERM_VAR &&
           add_term(t, n->args[0], -1, out);
  case TERM_ZEXT:
    return add_term(t, n->args[0], 1, out);
  case TERM_SEXT:
    narrow(out, hd_pairs_node_of(t, n->args[0])->width);
    return add_term(t, n->args[0], 1, out);
  case TERM_TRUNC:
    narrow(out, n->width);
    return add_term(t, n->args[0], 1, out);
  default:
    return false;
  }
}

static bool sum(pterms *t, pterm a, plinear *out) {
  const pnode n = *hd_pairs_node_of(t, a);
  if (n.op == TERM_CONST) {
    *out = number(n.value, n.width);
    return is_fit(out->constant);
  }
  if (n.op != TERM_VAR && operation(t, &n, out))
    return true;
  hd_vec_clear(&out->parts);
  out->constant = 0;
  out->less = 0;
  return add_part(out, a, 1);
}

void hd_pairs_linear_of(pterms *t, pterm a, plinear *out) {
  assert(!out->parts.size && !out->constant && !out->less);
  if (sum(t, a, out))
    return;
  hd_vec_clear(&out->parts); /* a constant beyond all bounds */
  out->constant = 0;
  out->less = 0;
  (void)add_part(out, a, 1);
}

/* --- products --- */

/* The product of two atoms, as an atom: exact, up to 64 bits. */
static pterm atoms_product(pterms *t, pterm a, pterm b) {
  enum { WIDTH = 64 };
  return hd_pairs_term_apply(
      t, HD_BV_MUL, hd_pairs_term_resize(t, a < b ? a : b, WIDTH, false),
      hd_pairs_term_resize(t, a < b ? b : a, WIDTH, false));
}

static bool is_small(int64_t a) {
  return a >= -(1 << 20) && a <= 1 << 20;
}

bool hd_pairs_linear_times(pterms *t, const plinear *a, const plinear *b,
                           plinear *out) {
  bool fits = is_small(a->constant) && is_small(b->constant);
  narrow(out, hd_pairs_linear_bits(a));
  narrow(out, hd_pairs_linear_bits(b));
  out->constant += fits ? a->constant * b->constant : 0;
  for (size_t i = 0; fits && i < a->parts.size; i++)
    fits = is_small(a->parts.data[i].factor) &&
           add_part(out, a->parts.data[i].atom,
                    a->parts.data[i].factor * b->constant);
  for (size_t k = 0; fits && k < b->parts.size; k++)
    fits = is_small(b->parts.data[k].factor) &&
           add_part(out, b->parts.data[k].atom,
                    b->parts.data[k].factor * a->constant);
  for (size_t i = 0; fits && i < a->parts.size; i++)
    for (size_t k = 0; fits && k < b->parts.size; k++)
      fits = add_part(
          out, atoms_product(t, a->parts.data[i].atom, b->parts.data[k].atom),
          a->parts.data[i].factor * b->parts.data[k].factor);
  return fits && is_fit(out->constant);
}

void hd_pairs_linear_product(pterms *t, pterm a, pterm b, plinear *out) {
  hd_vec_clear(&out->parts);
  out->constant = 0;
  out->less = 0;
  (void)add_part(out, atoms_product(t, a, b), 1);
}

/* --- replacing --- */

void hd_pairs_replacements_free(preplacements *known) {
  for (hd_vec_each(preplacement, r, known))
    hd_pairs_linear_free(&r->by);
  hd_vec_free(known);
}

/* Each replacement has no atom that an earlier one replaces. */
bool hd_pairs_replace(const preplacements *known, plinear *a) {
  for (hd_vec_each(const preplacement, r, known)) {
    size_t i = find(a, r->atom);
    if (i == a->parts.size)
      continue;
    int64_t factor = a->parts.data[i].factor;
    assert(factor != 0);
    a->parts.data[i] = hd_vec_pop(&a->parts);
    if (!hd_pairs_linear_add(a, &r->by, factor))
      return false;
  }
  return true;
}

/* `zero`, which is taken, is 0: some atom is the rest of it. False: it is not. */
static bool learn_zero(plinear zero, preplacements *known) {
  const uint8_t few = 8;
  size_t best = SIZE_MAX;
  bool fits = hd_pairs_replace(known, &zero);
  if (fits && hd_pairs_linear_bits(&zero) >= few)
    for (size_t i = 0; i < zero.parts.size; i++) {
      const ppart *p = &zero.parts.data[i];
      bool is_unit = p->factor == 1 || p->factor == -1;
      if (is_unit && (best == SIZE_MAX || p->atom > zero.parts.data[best].atom))
        best = i;
    }
  if (best == SIZE_MAX) {
    uint64_t mask = hd_word_mask(hd_pairs_linear_bits(&zero));
    bool possible =
        !fits || zero.parts.size || !((uint64_t)zero.constant & mask);
    hd_pairs_linear_free(&zero);
    return possible;
  }
  ppart pivot = zero.parts.data[best];
  zero.parts.data[best] = hd_vec_pop(&zero.parts);
  preplacement made = {.atom = pivot.atom, .by = {.less = zero.less}};
  assert(find(&zero, pivot.atom) == zero.parts.size); /* it was there once */
  if (hd_pairs_linear_add(&made.by, &zero, pivot.factor == 1 ? -1 : 1))
    hd_vec_push(known, made);
  else
    hd_pairs_linear_free(&made.by);
  hd_pairs_linear_free(&zero);
  return true;
}

bool hd_pairs_learn(pterms *t, pterm condition, preplacements *known) {
  const pnode n = *hd_pairs_node_of(t, condition);
  plinear zero = {0}, other = {0};
  uint64_t k;
  assert(n.width == 1);
  if (n.op == HD_BV_AND) {
    return hd_pairs_learn(t, n.args[0], known) &&
           hd_pairs_learn(t, n.args[1], known);
  } else if (n.op == TERM_VAR) {
    zero.constant = -1;
    (void)add_part(&zero, condition, 1);
    return learn_zero(zero, known);
  } else if (n.op == HD_BV_XOR && hd_pairs_term_is_const(t, n.args[1], &k) &&
             hd_pairs_node_of(t, n.args[0])->op == TERM_VAR) {
    (void)add_part(&zero, n.args[0], 1);
    return learn_zero(zero, known);
  } else if (n.op == HD_BV_EQ) {
    hd_pairs_linear_of(t, n.args[0], &zero);
    hd_pairs_linear_of(t, n.args[1], &other);
    bool good = hd_pairs_linear_add(&zero, &other, -1);
    hd_pairs_linear_free(&other);
    if (good)
      return learn_zero(zero, known);
    hd_pairs_linear_free(&zero);
  }
  return true;
}
