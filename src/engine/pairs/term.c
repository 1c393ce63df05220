/* SPDX-License-Identifier: MIT */
#include "engine/pairs/term.h"

#include "base/hash.h"
#include "base/word.h"

#include <assert.h>

static uint64_t hash_node(const pnode *n) {
  uint64_t h = hd_hash_mix(n->op, n->width);
  for (int i = 0; i < 3; i++)
    h = hd_hash_mix(h, n->args[i]);
  return hd_hash_mix(h, n->value);
}

static bool same_node(const pnode *a, const pnode *b) {
  return a->op == b->op && a->width == b->width && a->args[0] == b->args[0] &&
         a->args[1] == b->args[1] && a->args[2] == b->args[2] &&
         a->value == b->value;
}

#define HD_MAP term_map_of
#define HD_KEY pnode
#define HD_VAL pterm
#define HD_HASH(k) hash_node(&(k))
#define HD_EQ(a, b) same_node(&(a), &(b))
#include "base/map_templ.h"

typedef struct {
  uint64_t value;
  uint32_t round; /* the value is of this one */
} known;

struct pterms {
  term_map_of table; /* items[i] is term i */
  hd_u32s solver;    /* hd_bv_term + 1, or 0 */
  hd_vec(known) values;
  uint32_t round;
  hd_u32s memo; /* of term_map: result + 1, or 0 */
  hd_u32s done; /* entries of it */
};

pterms *hd_pairs_terms_new(void) {
  pterms *t = hd_calloc(1, sizeof *t);
  t->round = 1;
  return t;
}

void hd_pairs_terms_delete(pterms *t) {
  if (!t)
    return;
  term_map_of_free(&t->table);
  hd_vec_free(&t->solver);
  hd_vec_free(&t->values);
  hd_vec_free(&t->memo);
  hd_vec_free(&t->done);
  hd_free(t);
}

const pnode *hd_pairs_node_of(const pterms *t, pterm a) {
  assert(a < t->table.size);
  return &t->table.items[a].key;
}

pvar hd_pairs_var_of(const pterms *t, pterm a) {
  const pnode *n = hd_pairs_node_of(t, a);
  assert(n->op == TERM_VAR);
  return (pvar){.owner = (powner)(n->value >> 32), .index = (uint32_t)n->value};
}

static int arity(const pnode *n) {
  switch (n->op) {
  case TERM_CONST:
  case TERM_VAR:
    return 0;
  case TERM_ITE:
    return 3;
  case TERM_ZEXT:
  case TERM_SEXT:
  case TERM_TRUNC:
    return 1;
  default:
    return 2;
  }
}

/* Of widths that fit, with operands that are there. */
static bool is_well_formed(const pterms *t, const pnode *n) {
  if (!n->width || n->width > 64 ||
      (n->op == TERM_CONST && n->value & ~hd_word_mask(n->width)))
    return false;
  for (int i = 0; i < arity(n); i++)
    if (n->args[i] >= t->table.size)
      return false;
  return true;
}

static pterm put(pterms *t, pnode n) {
  assert(is_well_formed(t, &n));
  pterm *at = term_map_of_put(&t->table, n, (pterm)t->table.size, NULL);
  return *at;
}

pterm hd_pairs_term_const(pterms *t, uint8_t width, uint64_t value) {
  return put(t, (pnode){.op = TERM_CONST,
                        .width = width,
                        .value = value & hd_word_mask(width)});
}

pterm hd_pairs_term_var(pterms *t, pvar var, uint8_t width) {
  assert(var.owner <= OF_NOBODY && width > 0);
  return put(t, (pnode){.op = TERM_VAR,
                        .width = width,
                        .value = (uint64_t)var.owner << 32 | var.index});
}

bool hd_pairs_term_is_const(const pterms *t, pterm a, uint64_t *value) {
  const pnode *n = hd_pairs_node_of(t, a);
  if (n->op != TERM_CONST)
    return false;
  *value = n->value;
  return true;
}

static uint64_t extend(const pnode *n, uint64_t value, uint8_t from) {
  return n->op == TERM_SEXT ? (uint64_t)hd_word_signed(value, from) : value;
}

/* --- making --- */

static pterm make(pterms *t, hd_bv_op op, pterm a, pterm b) {
  assert(op <= HD_BV_SLE);
  assert(hd_pairs_node_of(t, a)->width == hd_pairs_node_of(t, b)->width);
  uint8_t width = op >= HD_BV_EQ ? 1 : hd_pairs_node_of(t, a)->width;
  return put(t, (pnode){.op = (uint8_t)op, .width = width, .args = {a, b}});
}

static bool commutes(hd_bv_op op) {
  return op == HD_BV_ADD || op == HD_BV_MUL || op == HD_BV_AND ||
         op == HD_BV_OR || op == HD_BV_XOR || op == HD_BV_EQ;
}

/* x + c as its parts; c = 0 where there is none. */
static pterm base_of(const pterms *t, pterm a, uint64_t *c) {
  const pnode *n = hd_pairs_node_of(t, a);
  *c = 0;
  if (n->op == HD_BV_ADD && hd_pairs_term_is_const(t, n->args[1], c))
    return n->args[0];
  return a;
}

static pterm make_eq(pterms *t, pterm a, pterm b) {
  uint8_t width = hd_pairs_node_of(t, a)->width;
  uint64_t c, k;
  if (a == b)
    return hd_pairs_term_const(t, 1, 1);
  pterm x = base_of(t, a, &c);
  if (hd_pairs_term_is_const(t, b, &k)) {
    const pnode n = *hd_pairs_node_of(t, x);
    if (width == 1)
      return k ? x : hd_pairs_term_not(t, x);
    if (c)
      return hd_pairs_term_apply(t, HD_BV_EQ, x,
                                 hd_pairs_term_const(t, width, k - c));
    if (n.op == TERM_ZEXT) {
      uint8_t from = hd_pairs_node_of(t, n.args[0])->width;
      if (k > hd_word_mask(from))
        return hd_pairs_term_const(t, 1, 0);
      return hd_pairs_term_apply(t, HD_BV_EQ, n.args[0],
                                 hd_pairs_term_const(t, from, k));
    }
    return make(t, HD_BV_EQ, a, b);
  }
  uint64_t d;
  pterm y = base_of(t, b, &d);
  if (x == y)
    return hd_pairs_term_const(t, 1, c == d);
  if (x != a && y != b) {
    pterm more = hd_pairs_term_const(t, width, c - d);
    return hd_pairs_term_apply(t, HD_BV_EQ,
                               hd_pairs_term_apply(t, HD_BV_ADD, x, more), y);
  }
  return make(t, HD_BV_EQ, a, b);
}

static pterm make_add(pterms *t, pterm a, pterm b) {
  uint64_t c, k;
  if (hd_pairs_term_is_const(t, b, &k)) {
    if (!k)
      return a;
    pterm x = base_of(t, a, &c);
    uint8_t width = hd_pairs_node_of(t, a)->width;
    if (x != a)
      return hd_pairs_term_apply(t, HD_BV_ADD, x,
                                 hd_pairs_term_const(t, width, c + k));
  }
  return make(t, HD_BV_ADD, a, b);
}

static pterm make_bits(pterms *t, hd_bv_op op, pterm a, pterm b) {
  uint64_t k;
  uint8_t width = hd_pairs_node_of(t, a)->width;
  if (a == b)
    return op == HD_BV_XOR ? hd_pairs_term_const(t, width, 0) : a;
  if (!hd_pairs_term_is_const(t, b, &k))
    return make(t, op, a, b);
  if (!k)
    return op == HD_BV_AND ? b : a;
  if (k == hd_word_mask(width) && op != HD_BV_XOR)
    return op == HD_BV_AND ? a : b;
  const pnode n = *hd_pairs_node_of(t, a);
  if (op == HD_BV_XOR && n.op == HD_BV_XOR && n.args[1] == b)
    return n.args[0];
  return make(t, op, a, b);
}

pterm hd_pairs_term_apply(pterms *t, hd_bv_op op, pterm a, pterm b) {
  uint8_t width = hd_pairs_node_of(t, a)->width;
  assert(width == hd_pairs_node_of(t, b)->width);
  uint64_t x = 0, y = 0;
  bool left = hd_pairs_term_is_const(t, a, &x),
       right = hd_pairs_term_is_const(t, b, &y);
  if (left && right)
    return hd_pairs_term_const(t, op >= HD_BV_EQ ? 1 : width,
                               hd_bv_compute(op, x, y, width));
  if (commutes(op) && (left || (!right && a > b))) {
    pterm swap = a;
    a = b;
    b = swap;
    right = left || right;
    y = left ? x : y;
  }
  switch (op) {
  case HD_BV_ADD:
    return make_add(t, a, b);
  case HD_BV_SUB:
    if (a == b)
      return hd_pairs_term_const(t, width, 0);
    return right ? hd_pairs_term_apply(t, HD_BV_ADD, a,
                                       hd_pairs_term_const(t, width, 0 - y))
                 : make(t, op, a, b);
  case HD_BV_MUL:
    if (right && y <= 1)
      return y ? a : b;
    return make(t, op, a, b);
  case HD_BV_AND:
  case HD_BV_OR:
  case HD_BV_XOR:
    return make_bits(t, op, a, b);
  case HD_BV_EQ:
    return make_eq(t, a, b);
  case HD_BV_ULE:
    return hd_pairs_term_not(t, hd_pairs_term_apply(t, HD_BV_ULT, b, a));
  case HD_BV_SLE:
    return hd_pairs_term_not(t, hd_pairs_term_apply(t, HD_BV_SLT, b, a));
  case HD_BV_ULT:
  case HD_BV_SLT:
    if (a == b)
      return hd_pairs_term_const(t, 1, 0);
    if (base_of(t, b, &y) == a && y == 1) /* x < x + 1, unless that wraps */
      return hd_pairs_term_not(
          t, hd_pairs_term_apply(
                 t, HD_BV_EQ, a,
                 hd_pairs_term_const(
                     t, width,
                     op == HD_BV_ULT ? UINT64_MAX : hd_word_mask(width) >> 1)));
    return make(t, op, a, b);
  default:
    return make(t, op, a, b);
  }
}

pterm hd_pairs_term_not(pterms *t, pterm a) {
  assert(hd_pairs_node_of(t, a)->width == 1);
  return hd_pairs_term_apply(t, HD_BV_XOR, a, hd_pairs_term_const(t, 1, 1));
}

pterm hd_pairs_term_and(pterms *t, pterm a, pterm b) {
  assert(hd_pairs_node_of(t, a)->width == 1);
  return hd_pairs_term_apply(t, HD_BV_AND, a, b);
}

pterm hd_pairs_term_ite(pterms *t, pterm c, pterm yes, pterm no) {
  uint64_t k;
  if (hd_pairs_term_is_const(t, c, &k))
    return k ? yes : no;
  if (yes == no)
    return yes;
  uint8_t width = hd_pairs_node_of(t, yes)->width;
  assert(hd_pairs_node_of(t, c)->width == 1);
  assert(hd_pairs_node_of(t, no)->width == width);
  return put(t, (pnode){.op = TERM_ITE, .width = width, .args = {c, yes, no}});
}

pterm hd_pairs_term_resize(pterms *t, pterm a, uint8_t width, bool sign) {
  const pnode n = *hd_pairs_node_of(t, a);
  if (n.width == width)
    return a;
  uint8_t op = width < n.width ? TERM_TRUNC : sign ? TERM_SEXT : TERM_ZEXT;
  pnode made = {.op = op, .width = width, .args = {a}};
  if (n.op == TERM_CONST)
    return hd_pairs_term_const(t, width, extend(&made, n.value, n.width));
  bool was_wider = n.op == TERM_ZEXT || n.op == TERM_SEXT;
  if (op == TERM_TRUNC && was_wider &&
      hd_pairs_node_of(t, n.args[0])->width == width)
    return n.args[0];
  return put(t, made);
}

/* --- going over them --- */

static pterm rebuild(pterms *t, const pnode *n, const pterm *args) {
  switch (n->op) {
  case TERM_ITE:
    return hd_pairs_term_ite(t, args[0], args[1], args[2]);
  case TERM_ZEXT:
  case TERM_SEXT:
  case TERM_TRUNC:
    return hd_pairs_term_resize(t, args[0], n->width, n->op == TERM_SEXT);
  default:
    return hd_pairs_term_apply(t, (hd_bv_op)n->op, args[0], args[1]);
  }
}

static pterm map_rec(pterms *t, pterm a, pmap map, void *context) {
  const pnode n = *hd_pairs_node_of(t, a);
  if (n.op == TERM_CONST)
    return a;
  if (n.op == TERM_VAR)
    return map(context, t, a);
  if (a < t->memo.size && t->memo.data[a])
    return t->memo.data[a] - 1;
  pterm args[3] = {0};
  for (int i = 0; i < arity(&n); i++)
    args[i] = map_rec(t, n.args[i], map, context);
  pterm made = rebuild(t, &n, args);
  while (t->memo.size <= a)
    hd_vec_push(&t->memo, 0);
  t->memo.data[a] = made + 1;
  hd_vec_push(&t->done, a);
  return made;
}

pterm hd_pairs_term_map(pterms *t, pterm a, pmap map, void *context) {
  const hd_u32s memo = t->memo, done = t->done;
  const bool inside =
      done.size != 0; /* a map that maps: what it knows is its own */
  if (inside) {
    t->memo = (hd_u32s){0};
    t->done = (hd_u32s){0};
  }
  pterm made = map_rec(t, a, map, context);
  for (size_t i = 0; i < t->done.size && !inside; i++)
    t->memo.data[t->done.data[i]] = 0;
  hd_vec_clear(&t->done);
  if (inside) {
    hd_vec_free(&t->memo);
    hd_vec_free(&t->done);
    t->memo = memo;
    t->done = done;
  }
  return made;
}

typedef struct {
  powner first, second;
} renaming;

static pterm rename_var(void *context, pterms *t, pterm var) {
  const renaming *r = context;
  pvar v = hd_pairs_var_of(t, var);
  if (v.owner == OF_FIRST)
    v.owner = r->first;
  else if (v.owner == OF_SECOND)
    v.owner = r->second;
  return hd_pairs_term_var(t, v, hd_pairs_node_of(t, var)->width);
}

pterm hd_pairs_term_rename(pterms *t, pterm a, powner first, powner second) {
  renaming r = {.first = first, .second = second};
  return hd_pairs_term_map(t, a, rename_var, &r);
}

void hd_pairs_term_visit(const pterms *t, pterm a, pvisit visit,
                         void *context) {
  const pnode *n = hd_pairs_node_of(t, a);
  if (n->op == TERM_VAR)
    visit(context, t, a);
  for (int i = 0; i < arity(n); i++)
    hd_pairs_term_visit(t, n->args[i], visit, context);
}

hd_bv_term hd_pairs_term_solver(pterms *t, hd_bv *bv, pterm a) {
  if (a < t->solver.size && t->solver.data[a])
    return t->solver.data[a] - 1;
  const pnode n = *hd_pairs_node_of(t, a);
  hd_bv_term args[3] = {0}, made;
  for (int i = 0; i < arity(&n); i++)
    args[i] = hd_pairs_term_solver(t, bv, n.args[i]);
  switch (n.op) {
  case TERM_CONST:
    made = hd_bv_const(bv, n.width, n.value);
    break;
  case TERM_VAR:
    made = hd_bv_var(bv, n.width);
    break;
  case TERM_ITE:
    made = hd_bv_choose(bv, args[0], args[1], args[2]);
    break;
  case TERM_ZEXT:
  case TERM_SEXT:
  case TERM_TRUNC:
    made = hd_bv_resize(bv, args[0], n.width, n.op == TERM_SEXT);
    break;
  default:
    made = hd_bv_apply(bv, (hd_bv_op)n.op, args[0], args[1]);
  }
  while (t->solver.size <= a)
    hd_vec_push(&t->solver, 0);
  t->solver.data[a] = made + 1;
  return made;
}

void hd_pairs_terms_forget(pterms *t) {
  t->round++;
}

uint64_t hd_pairs_term_model(void *context, pterms *t, pterm var) {
  return var < t->solver.size && t->solver.data[var]
             ? hd_bv_value(context, t->solver.data[var] - 1)
             : 0;
}

static uint64_t value_of(pterms *t, pterm a, plookup lookup, void *context) {
  const pnode n = *hd_pairs_node_of(t, a);
  uint64_t v[3] = {0};
  if (n.op == TERM_VAR)
    return lookup(context, t, a) & hd_word_mask(n.width);
  if (n.op == TERM_ITE) {
    uint64_t yes = hd_pairs_term_value(t, n.args[0], lookup, context);
    return hd_pairs_term_value(t, n.args[yes ? 1 : 2], lookup, context);
  }
  for (int i = 0; i < arity(&n); i++)
    v[i] = hd_pairs_term_value(t, n.args[i], lookup, context);
  uint8_t from = hd_pairs_node_of(t, n.args[0])->width;
  uint64_t made = n.op >= TERM_ZEXT ? extend(&n, v[0], from)
                                    : hd_bv_compute(n.op, v[0], v[1], from);
  return made & hd_word_mask(n.width);
}

uint64_t hd_pairs_term_value(pterms *t, pterm a, plookup lookup,
                             void *context) {
  const pnode *n = hd_pairs_node_of(t, a);
  if (n->op == TERM_CONST)
    return n->value;
  while (t->values.size <= a)
    hd_vec_push(&t->values, ((known){0}));
  if (t->values.data[a].round != t->round) {
    uint64_t made = value_of(t, a, lookup, context);
    t->values.data[a] = (known){.value = made, .round = t->round};
  }
  return t->values.data[a].value;
}
