/* SPDX-License-Identifier: MIT */
#include "engine/teams/query.h"

#include "check/interp/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Elements of tables that are said one by one, that are looked at; products. */
enum { MOST_ENTRIES = 600, MOST_ELEMENTS = 20000, MOST_PRODUCTS = 24 };

void hd_team_query_free(hd_team_query *q) {
  hd_vec_free(&q->facts);
  hd_vec_free(&q->seen[0]);
  hd_vec_free(&q->seen[1]);
  hd_free(q->stamps);
  q->stamps = NULL;
}

static hd_logic_expr apply(hd_logic *l, hd_logic_op op, hd_logic_expr a,
                           hd_logic_expr b) {
  hd_logic_expr args[] = {a, b};
  return hd_logic_apply(l, op, args, 2);
}

static hd_logic_expr negate(hd_logic *l, hd_logic_expr a) {
  return hd_logic_apply(l, HD_LOGIC_NOT, &a, 1);
}

static hd_logic_expr literal(hd_logic *l, int64_t value) {
  char text[40];
  snprintf(text, sizeof text, "%" PRId64, value);
  return hd_logic_number(l, HD_LOGIC_INT, text);
}

/* Notes the parts of a term of which something is to be said. */
static void look_into(hd_team_query *q, hd_team_term term, int thread) {
  if (term >= q->n_stamps) {
    size_t n = 2 * (size_t)term + 64;
    q->stamps = hd_realloc(q->stamps, n);
    memset(q->stamps + q->n_stamps, 0, n - q->n_stamps);
    q->n_stamps = n;
  }
  if (q->stamps[term] >> thread & 1)
    return;
  q->stamps[term] |= (uint8_t)(1 << thread);
  const hd_team_term_node n = *hd_team_term_at(q->terms, term);
  bool divides = (n.op == HD_TEAM_DIV || n.op == HD_TEAM_MOD) &&
                 hd_team_term_at(q->terms, n.args[1])->op != HD_TEAM_CONST;
  if (n.op == HD_TEAM_SYMBOL || n.op == HD_TEAM_MUL || n.op == HD_TEAM_LOAD ||
      divides)
    hd_vec_push(&q->seen[thread], term);
  for (size_t i = 0; i < 3 && n.args[i]; i++)
    look_into(q, n.args[i], thread);
}

hd_logic_expr hd_team_query_number(hd_team_query *q, hd_team_term term,
                                   int thread) {
  look_into(q, term, thread);
  return hd_team_term_say(q->terms, q->logic, term, thread);
}

void hd_team_query_say(hd_team_query *q, hd_logic_expr fact) {
  hd_vec_push(&q->facts, fact);
}

void hd_team_query_claim(hd_team_query *q, hd_team_term condition, int thread) {
  look_into(q, condition, thread);
  hd_team_query_say(q,
                    hd_team_term_claim(q->terms, q->logic, condition, thread));
}

hd_logic_expr hd_team_query_differ(hd_team_query *q, hd_team_term a, int thread,
                                   hd_team_term b, int other) {
  hd_logic_expr x = hd_team_query_number(q, a, thread),
                y = hd_team_query_number(q, b, other);
  return negate(q->logic, apply(q->logic, HD_LOGIC_EQ, x, y));
}

/* --- symbols --- */

static void say_symbol(hd_team_query *q, hd_team_term term, int thread) {
  hd_logic *l = q->logic;
  const hd_team_term_node n = *hd_team_term_at(q->terms, term);
  hd_logic_expr x = hd_team_term_say(q->terms, l, term, thread);
  int64_t low, high;
  if (hd_team_term_bounds(q->terms, term, &low, &high)) {
    hd_team_query_say(q, apply(l, HD_LOGIC_LE, literal(l, low), x));
    hd_team_query_say(q, apply(l, HD_LOGIC_LE, x, literal(l, high)));
  }
  if (n.op == HD_TEAM_SYMBOL && thread == 1 && !n.uniform &&
      n.value < q->common && term < q->n_stamps && q->stamps[term] & 1)
    hd_team_query_say(
        q, apply(l, HD_LOGIC_EQ, x, hd_team_term_say(q->terms, l, term, 0)));
}

/* a / b, or what remains: a is natural, and b is positive or nothing is known. */
static void say_division(hd_team_query *q, hd_team_term term, int thread) {
  hd_logic *l = q->logic;
  const hd_team_term_node n = *hd_team_term_at(q->terms, term);
  hd_team_term whole = hd_team_term_make(q->terms, HD_TEAM_DIV, n.args[0],
                                         n.args[1]),
               rest = hd_team_term_make(q->terms, HD_TEAM_MOD, n.args[0],
                                        n.args[1]),
               part =
                   hd_team_term_make(q->terms, HD_TEAM_MUL, whole, n.args[1]);
  hd_logic_expr a = hd_team_query_number(q, n.args[0], thread),
                b = hd_team_query_number(q, n.args[1], thread),
                d = hd_team_query_number(q, whole, thread),
                r = hd_team_query_number(q, rest, thread),
                p = hd_team_query_number(q, part, thread), zero = literal(l, 0);
  hd_logic_expr undefined = apply(l, HD_LOGIC_LE, b, zero);
  hd_logic_expr facts[] = {
      apply(l, HD_LOGIC_LE, zero, d), apply(l, HD_LOGIC_LE, d, a),
      apply(l, HD_LOGIC_LE, zero, r), apply(l, HD_LOGIC_LT, r, b),
      apply(l, HD_LOGIC_EQ, a, apply(l, HD_LOGIC_ADD, p, r))};
  for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
    hd_team_query_say(q, apply(l, HD_LOGIC_OR, undefined, facts[i]));
}

/* --- products --- */

/* a and b are products with a common factor f >= 0, the others being x and y:
 * when x > y then a >= b + f, and when x >= 0 then a >= 0. */
static void say_products(hd_team_query *q, hd_logic_expr a, hd_logic_expr x,
                         hd_logic_expr b, hd_logic_expr y, hd_logic_expr f) {
  hd_logic *l = q->logic;
  hd_logic_expr more = apply(l, HD_LOGIC_LT, y, x),
                less = apply(l, HD_LOGIC_LT, f, literal(l, 0)),
                then = apply(l, HD_LOGIC_LE, apply(l, HD_LOGIC_ADD, b, f), a);
  hd_logic_expr any[] = {negate(l, more), less, then};
  hd_team_query_say(q, hd_logic_apply(l, HD_LOGIC_OR, any, 3));
}

static void say_sign(hd_team_query *q, hd_logic_expr a, hd_logic_expr x,
                     hd_logic_expr f) {
  hd_logic *l = q->logic;
  hd_logic_expr zero = literal(l, 0);
  hd_logic_expr any[] = {apply(l, HD_LOGIC_LT, x, zero),
                         apply(l, HD_LOGIC_LT, f, zero),
                         apply(l, HD_LOGIC_LE, zero, a)};
  hd_team_query_say(q, hd_logic_apply(l, HD_LOGIC_OR, any, 3));
  hd_logic_expr none[] = {negate(l, apply(l, HD_LOGIC_EQ, x, zero)),
                          apply(l, HD_LOGIC_EQ, a, zero)};
  hd_team_query_say(q, hd_logic_apply(l, HD_LOGIC_OR, none, 2));
}

typedef struct {
  hd_team_term term;
  int thread;
} said;
typedef hd_vec(said) sayings;

static void find_products(hd_team_query *q, sayings *out) {
  for (int t = 0; t < 2; t++)
    for (size_t i = 0; i < q->seen[t].size; i++) {
      hd_team_term term = q->seen[t].data[i];
      const hd_team_term_node *n = hd_team_term_at(q->terms, term);
      if (n->op != HD_TEAM_MUL ||
          hd_team_term_at(q->terms, n->args[1])->op == HD_TEAM_CONST)
        continue;
      said s = {term, t};
      if (out->size < MOST_PRODUCTS)
        hd_vec_push(out, s);
    }
}

static void relate(hd_team_query *q, said a, said b) {
  hd_team_terms *t = q->terms;
  hd_logic *l = q->logic;
  const hd_team_term_node m = *hd_team_term_at(t, a.term),
                          n = *hd_team_term_at(t, b.term);
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      if (m.args[i] != n.args[j])
        continue;
      hd_logic_expr p = hd_team_term_say(t, l, a.term, a.thread),
                    r = hd_team_term_say(t, l, b.term, b.thread);
      hd_logic_expr x = hd_team_term_say(t, l, m.args[1 - i], a.thread),
                    y = hd_team_term_say(t, l, n.args[1 - j], b.thread);
      hd_logic_expr f = hd_team_term_say(t, l, m.args[i], a.thread),
                    g = hd_team_term_say(t, l, n.args[j], b.thread);
      /* The factor has to be the same number in both. */
      if (a.thread != b.thread && !hd_team_term_at(t, m.args[i])->uniform) {
        const hd_team_term_node *s = hd_team_term_at(t, m.args[i]);
        if (s->op != HD_TEAM_SYMBOL || s->value >= q->common)
          continue;
      }
      say_products(q, p, x, r, y, f);
      say_products(q, r, y, p, x, g);
    }
}

static void say_all_products(hd_team_query *q) {
  sayings list = {0};
  find_products(q, &list);
  hd_team_terms *t = q->terms;
  for (size_t i = 0; i < list.size; i++) {
    said a = list.data[i];
    const hd_team_term_node n = *hd_team_term_at(t, a.term);
    hd_logic_expr x = hd_team_term_say(t, q->logic, n.args[0], a.thread),
                  f = hd_team_term_say(t, q->logic, n.args[1], a.thread),
                  p = hd_team_term_say(t, q->logic, a.term, a.thread);
    say_sign(q, p, x, f);
    say_sign(q, p, f, x);
    for (size_t j = 0; j < i; j++)
      relate(q, a, list.data[j]);
  }
  hd_vec_free(&list);
}

/* --- tables --- */

/* Memory as the machine has it. */
typedef struct {
  uint64_t base; /* of the first element */
  uint64_t size; /* of each */
  hd_vec(int64_t) values;
  hd_vec(bool) known;
  bool all, distinct; /* all are known, and no two are alike */
  int64_t least, most;
} table;

static void free_table(table *t) {
  hd_vec_free(&t->values);
  hd_vec_free(&t->known);
}

static int compare_values(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

static bool are_distinct(const table *t) {
  hd_vec(int64_t) sorted = {0};
  for (size_t i = 0; i < t->values.size; i++)
    hd_vec_push(&sorted, t->values.data[i]);
  qsort(sorted.data, sorted.size, sizeof *sorted.data, compare_values);
  bool distinct = true;
  for (size_t i = 1; i < sorted.size; i++)
    distinct = distinct && sorted.data[i - 1] != sorted.data[i];
  hd_vec_free(&sorted);
  return distinct;
}

static void add_value(table *t, const uint8_t *bytes, const uint8_t *unset,
                      uint64_t size) {
  uint64_t value = 0;
  bool known = true;
  for (uint64_t k = 0; k < size; k++) {
    known = known && !(unset && unset[k]);
    value |= (uint64_t)bytes[k] << (8 * k);
  }
  if (size < 8 && value >> (8 * size - 1) & 1)
    value |= ~(uint64_t)0 << (8 * size);
  int64_t is = (int64_t)value;
  t->least = !t->values.size || is < t->least ? is : t->least;
  t->most = !t->values.size || is > t->most ? is : t->most;
  t->all = t->all && known;
  hd_vec_push(&t->values, is);
  hd_vec_push(&t->known, known);
}

/* The elements of the object that a load of version 0 reads from. */
static bool read_table(hd_team_query *q, hd_team_term load, table *out) {
  const hd_machine *m = q->machine;
  hd_team_terms *t = q->terms;
  const hd_team_term_node n = *hd_team_term_at(t, load);
  int64_t constant, offset, size = hd_team_term_at(t, n.args[1])->value;
  if (!m || hd_team_term_at(t, n.args[2])->value != 0)
    return false;
  (void)hd_team_term_split(t, n.args[0], &constant);
  const hd_object *object = hd_ram_find(m, (uint64_t)constant, &offset);
  if (!object || offset < 0 || size < 1 || size > 8 ||
      object->size / (uint64_t)size > MOST_ELEMENTS)
    return false;
  uint64_t first = (uint64_t)constant - (uint64_t)offset;
  if (hd_ram_wrong(m, first, object->size, false))
    return false;
  const uint8_t *unset, *bytes = hd_ram_bytes(m, first, &unset);
  uint64_t skipped = (uint64_t)offset % (uint64_t)size;
  *out = (table){.base = first + skipped, .size = (uint64_t)size, .all = true};
  for (uint64_t i = skipped; i + (uint64_t)size <= object->size;
       i += (uint64_t)size)
    add_value(out, bytes + i, unset ? unset + i : NULL, (uint64_t)size);
  out->distinct = out->all && are_distinct(out);
  return out->values.size > 0;
}

/* What it gives for each element, where they are few. */
static void say_elements(hd_team_query *q, const table *b) {
  hd_team_terms *t = q->terms;
  if (b->values.size > MOST_ENTRIES || (b->all && b->least == b->most))
    return;
  for (size_t i = 0; i < b->values.size; i++) {
    if (!b->known.data[i])
      continue;
    hd_team_term at = hd_team_term_load(
        t, hd_team_term_const(t, (int64_t)(b->base + i * b->size)), b->size, 0);
    hd_team_query_say(q, apply(q->logic, HD_LOGIC_EQ,
                               hd_team_term_say(t, q->logic, at, 0),
                               literal(q->logic, b->values.data[i])));
  }
}

/* Whatever element it reads, it is none but these. */
static void say_range(hd_team_query *q, const table *b, hd_team_term load,
                      int thread) {
  hd_logic *l = q->logic;
  hd_team_term at = hd_team_term_at(q->terms, load)->args[0];
  uint64_t last = b->base + (b->values.size - 1) * b->size;
  hd_logic_expr x = hd_team_term_say(q->terms, l, load, thread),
                a = hd_team_term_say(q->terms, l, at, thread);
  hd_logic_expr outside[] = {
      apply(l, HD_LOGIC_LT, a, literal(l, (int64_t)b->base)),
      apply(l, HD_LOGIC_LT, literal(l, (int64_t)last), a)};
  hd_logic_expr facts[] = {apply(l, HD_LOGIC_LE, literal(l, b->least), x),
                           apply(l, HD_LOGIC_LE, x, literal(l, b->most))};
  for (size_t i = 0; i < 2; i++) {
    hd_logic_expr any[] = {outside[0], outside[1], facts[i]};
    hd_team_query_say(q, hd_logic_apply(l, HD_LOGIC_OR, any, 3));
  }
}

typedef struct {
  hd_team_term term;
  int thread;
  uint64_t object;
} loading;

/* Equal elements are one element. */
static void say_distinct(hd_team_query *q, loading a, loading b) {
  hd_logic *l = q->logic;
  hd_team_terms *t = q->terms;
  hd_team_term at = hd_team_term_at(t, a.term)->args[0],
               there = hd_team_term_at(t, b.term)->args[0];
  hd_logic_expr same = apply(l, HD_LOGIC_EQ,
                             hd_team_term_say(t, l, a.term, a.thread),
                             hd_team_term_say(t, l, b.term, b.thread)),
                place =
                    apply(l, HD_LOGIC_EQ, hd_team_term_say(t, l, at, a.thread),
                          hd_team_term_say(t, l, there, b.thread));
  hd_team_query_say(q, apply(l, HD_LOGIC_OR, negate(l, same), place));
}

typedef hd_vec(loading) loadings;

/* All loads that read whole elements of the table of the first one. */
static void say_table(hd_team_query *q, const loadings *list, size_t first) {
  table b = {0};
  loading one = list->data[first];
  if (read_table(q, one.term, &b)) {
    say_elements(q, &b);
    hd_team_term size = hd_team_term_at(q->terms, one.term)->args[1];
    hd_team_term minus =
        hd_team_term_const(q->terms, (int64_t)(0 - (uint64_t)b.base));
    loadings aligned = {0};
    for (size_t i = first; i < list->size && b.all; i++) {
      loading o = list->data[i];
      const hd_team_term_node n = *hd_team_term_at(q->terms, o.term);
      if (o.object != one.object || n.args[1] != size ||
          hd_team_term_at(q->terms, n.args[2])->value != 0 ||
          !hd_team_term_is_multiple(
              q->terms,
              hd_team_term_make(q->terms, HD_TEAM_ADD, n.args[0], minus),
              (int64_t)b.size))
        continue;
      say_range(q, &b, o.term, o.thread);
      for (size_t k = 0; b.distinct && k < aligned.size; k++)
        say_distinct(q, aligned.data[k], o);
      if (aligned.size < MOST_PRODUCTS)
        hd_vec_push(&aligned, o);
    }
    hd_vec_free(&aligned);
  }
  free_table(&b);
}

static void say_tables(hd_team_query *q) {
  loadings list = {0};
  for (int t = 0; t < 2; t++)
    for (size_t i = 0; i < q->seen[t].size; i++) {
      hd_team_term term = q->seen[t].data[i];
      const hd_team_term_node n = *hd_team_term_at(q->terms, term);
      int64_t constant;
      if (n.op != HD_TEAM_LOAD)
        continue;
      (void)hd_team_term_split(q->terms, n.args[0], &constant);
      loading o = {term, t, ((uint64_t)constant + ((uint64_t)1 << 31)) >> 32};
      hd_vec_push(&list, o);
    }
  for (size_t i = 0; i < list.size; i++) {
    bool known = false;
    for (size_t k = 0; k < i; k++)
      known = known || list.data[k].object == list.data[i].object;
    if (!known)
      say_table(q, &list, i);
  }
  hd_vec_free(&list);
}

static void say_background(hd_team_query *q) {
  for (int t = 0; t < 2; t++)
    for (size_t i = 0; i < q->seen[t].size; i++) {
      hd_team_term term = q->seen[t].data[i];
      const hd_team_term_node n = *hd_team_term_at(q->terms, term);
      if (n.op == HD_TEAM_DIV || n.op == HD_TEAM_MOD)
        say_division(q, term, t);
      else if (n.op != HD_TEAM_MUL)
        say_symbol(q, term, t);
    }
  say_tables(q);
  say_all_products(q);
}

hd_smt_status hd_team_query_ask(hd_team_query *q, double seconds) {
  say_background(q);
  const double little = 0.2;
  hd_smt_status status = hd_logic_check(q->logic, q->facts.data, q->facts.size,
                                        little, q->run->deadline);
  if (status != HD_SMT_UNKNOWN || seconds <= little)
    return status;
  return hd_logic_check(q->logic, q->facts.data, q->facts.size, seconds,
                        q->run->deadline);
}
