/* SPDX-License-Identifier: MIT */
/* Where all threads stand.
 *
 * From a tuple only one thread moves when its next actions conflict with nothing
 * that the others may still do from where they are: a persistent set, which keeps
 * every run up to a state in which all have ended (Godefroid 1996). When something
 * may fail before (`late` is false), two conditions more: the thread can end or
 * block no run there, and it does not come to the head of a loop. So on every cycle
 * of tuples there is one where all have moved, and nobody waits outside for ever.
 *
 * Who goes first of those that may is free. It is the one whose turn it is, until
 * it comes to the head of a loop: so loops of threads that do not meet are gone
 * round in lock-step, and what relates them are equations between their rounds.
 *
 * An atomic section is one action, as long as nothing in it waits: others do not
 * move while somebody is inside. */
#include "engine/weave/weave_impl.h"

#include "base/hash.h"
#include "model/eval.h"

#include <stdlib.h>
#include <string.h>

/* --- of each thread --- */

static int by_from(const void *a, const void *b) {
  const weave_edge *x = a, *y = b;
  return x->from < y->from ? -1 : x->from > y->from;
}

static void index_edges(weave_thread *t) {
  qsort(t->edges.data, t->edges.size, sizeof *t->edges.data, by_from);
  t->first = hd_calloc(t->n_nodes + 1, sizeof *t->first);
  for (uint32_t n = 0, i = 0; n <= t->n_nodes; n++) {
    while (i < t->edges.size && t->edges.data[i].from < n)
      i++;
    t->first[n] = i;
  }
}

/* Depth first; an edge back to a node that is being visited is one to a head. */
static void find_heads(weave_thread *t) {
  uint8_t *state = hd_calloc(t->n_nodes, 1);
  uint32_t *at = hd_calloc(t->n_nodes, sizeof *at);
  hd_u32s stack = {0};
  t->head = hd_calloc(t->n_nodes, 1);
  hd_vec_push(&stack, t->entry);
  state[t->entry] = 1;
  at[t->entry] = t->first[t->entry];
  while (stack.size) {
    uint32_t n = hd_vec_last(&stack);
    if (at[n] == t->first[n + 1]) {
      state[n] = 2;
      stack.size--;
      continue;
    }
    uint32_t to = t->edges.data[at[n]++].to;
    if (state[to] == 1)
      t->head[to] = 1;
    if (state[to])
      continue;
    state[to] = 1;
    at[to] = t->first[to];
    hd_vec_push(&stack, to);
  }
  hd_vec_free(&stack);
  hd_free(state);
  hd_free(at);
}

static bool unite(weave_touch *to, const weave_touch *from) {
  weave_touch old = *to;
  to->reads |= from->reads;
  to->writes |= from->writes;
  to->locks |= from->locks;
  return memcmp(&old, to, sizeof old) != 0;
}

static bool is_stop(const weave_edge *e) {
  switch ((weave_kind)e->kind) {
  case WEAVE_ASSUME:
  case WEAVE_CHECK:
  case WEAVE_FAIL:
  case WEAVE_HALT:
    return true;
  case WEAVE_STEP:
  case WEAVE_CREATE:
  case WEAVE_KNOWS:
  case WEAVE_JOIN:
  case WEAVE_LOCK:
  case WEAVE_SHARE:
  case WEAVE_UNLOCK:
  case WEAVE_MAKE:
  case WEAVE_ENTER:
  case WEAVE_LEAVE:
    return false;
  }
  return true;
}

static void find_touches(weave_thread *t) {
  t->section = hd_calloc(t->n_nodes, sizeof *t->section);
  t->stops = hd_calloc(t->n_nodes, 1);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = t->edges.size; i-- > 0;) {
      const weave_edge *e = &t->edges.data[i];
      changed |= unite(&t->section[e->from], &e->touch);
      bool stops = is_stop(e);
      if (e->kind != WEAVE_LEAVE) {
        changed |= unite(&t->section[e->from], &t->section[e->to]);
        stops = stops || t->stops[e->to];
      }
      stops = stops || t->head[e->to]; /* it goes round, inside or behind */
      changed |= stops && !t->stops[e->from];
      t->stops[e->from] |= stops;
    }
  }
}

/* What it may still do without thread `other`: not what is behind its join. */
static weave_touch *find_future(const weave_thread *t, uint32_t other) {
  weave_touch *future = hd_calloc(t->n_nodes, sizeof *future);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = t->edges.size; i-- > 0;) {
      const weave_edge *e = &t->edges.data[i];
      if (e->kind == WEAVE_JOIN && e->object == other)
        continue;
      changed |= unite(&future[e->from], &e->touch);
      changed |= unite(&future[e->from], &future[e->to]);
    }
  }
  return future;
}

typedef struct {
  const weave_program *p;
  const weave_edge *e;
  uint64_t *set;
} collector;

static void expr_uses(const collector *c, hd_cexpr_id id) {
  const hd_cexpr *e = &c->p->code->exprs.data[id];
  if (hd_weave_fold(c->p, c->e->frame, c->e->env, id).kind == WEAVE_NUMBER)
    return;
  if (e->op == HD_CODE_REG)
    hd_bits_set(c->set, hd_weave_reg(c->p, c->e->frame, e->value));
  for (int i = 0; i < hd_code_op_arity((hd_code_op)e->op); i++)
    expr_uses(c, e->args[i]);
}

static void value_uses(const collector *c, const weave_value *v) {
  if (v->kind == WEAVE_COPY || v->kind == WEAVE_MIXED)
    hd_bits_set(c->set, v->var);
  if (v->kind == WEAVE_EXPR || v->kind == WEAVE_MIXED)
    expr_uses(c, v->expr);
}

static void guard_uses(const collector *c, const weave_guard *g) {
  if (g->kind == WEAVE_EQUALS || g->kind == WEAVE_DIFFERS)
    hd_bits_set(c->set, g->var);
  expr_uses(c, g->expr);
}

static bool flow_back(const weave_program *p, weave_thread *t,
                      const weave_edge *e, uint64_t *set) {
  size_t words = hd_weave_words(p);
  memcpy(set, t->live[e->to], words * sizeof *set);
  for (uint32_t i = 0; i < e->n_assigns; i++)
    hd_bits_clear(set, p->assigns.data[e->assigns + i].var);
  const collector c = {p, e, set};
  for (uint32_t i = 0; i < e->n_assigns; i++) {
    const weave_assign *a = &p->assigns.data[e->assigns + i];
    /* what is dead then need not be known */
    if (p->vars.data[a->var].cell || hd_bits_test(t->live[e->to], a->var) ||
        e->kind == WEAVE_CREATE)
      value_uses(&c, &a->value);
  }
  for (uint32_t i = 0; i < e->n_guards; i++)
    guard_uses(&c, &e->guards[i]);
  bool changed = false;
  for (size_t w = 0; w < words; w++) {
    changed = changed || set[w] & ~t->live[e->from][w];
    t->live[e->from][w] |= set[w];
  }
  return changed;
}

static void find_live(const weave_program *p, weave_thread *t) {
  size_t words = hd_weave_words(p);
  t->live = hd_calloc(t->n_nodes, sizeof *t->live);
  for (uint32_t n = 0; n < t->n_nodes; n++)
    t->live[n] = hd_calloc(words, sizeof(uint64_t));
  uint64_t *set = hd_calloc(words, sizeof *set);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = t->edges.size; i-- > 0;)
      changed |= flow_back(p, t, &t->edges.data[i], set);
  }
  hd_free(set);
}

/* Can only main fail, and only where all that may have been created were joined?
 * Others create nobody then. */
static bool fails_late(const weave_program *p) {
  for (uint32_t i = 1; i < p->n_threads; i++)
    for (hd_vec_each(const weave_edge, e, &p->threads[i].edges))
      if (e->kind == WEAVE_FAIL || e->kind == WEAVE_CHECK ||
          e->kind == WEAVE_CREATE)
        return false;
  const weave_thread *t = &p->threads[0];
  uint8_t *created = hd_calloc(t->n_nodes, 1), *joined = hd_alloc(t->n_nodes);
  memset(joined, 0xff, t->n_nodes);
  joined[t->entry] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (hd_vec_each(const weave_edge, e, &t->edges)) {
      uint8_t c = created[e->from], j = joined[e->from];
      c = (uint8_t)(c | (e->kind == WEAVE_CREATE ? 1u << e->object : 0u));
      j = (uint8_t)(j | (e->kind == WEAVE_JOIN ? 1u << e->object : 0u));
      if (j == 0xff && joined[e->from] == 0xff)
        continue;
      changed = changed || c & ~created[e->to] || joined[e->to] & ~j;
      created[e->to] |= c;
      joined[e->to] &= j;
    }
  }
  bool late = true;
  for (hd_vec_each(const weave_edge, e, &t->edges))
    if (e->kind == WEAVE_FAIL || e->kind == WEAVE_CHECK)
      late = late && (joined[e->from] == 0xff ||
                      !(created[e->from] & ~joined[e->from]));
  hd_free(created);
  hd_free(joined);
  return late;
}

void hd_weave_analyse(weave_program *p) {
  for (uint32_t i = 0; i < p->n_threads; i++) {
    index_edges(&p->threads[i]);
    find_heads(&p->threads[i]);
    find_touches(&p->threads[i]);
    for (uint32_t k = 0; k < p->n_threads; k++)
      p->threads[i].future[k] = find_future(&p->threads[i], k);
    find_live(p, &p->threads[i]);
  }
  p->late = fails_late(p);
}

void hd_weave_free(weave_program *p) {
  for (uint32_t i = 0; i < p->n_threads; i++) {
    weave_thread *t = &p->threads[i];
    for (uint32_t n = 0; t->live && n < t->n_nodes; n++)
      hd_free(t->live[n]);
    hd_free(t->live);
    hd_free(t->first);
    hd_free(t->head);
    for (uint32_t k = 0; k < p->n_threads; k++)
      hd_free(t->future[k]);
    hd_free(t->section);
    hd_free(t->stops);
    hd_vec_free(&t->edges);
  }
  hd_vec_free(&p->vars);
  hd_vec_free(&p->objects);
  hd_vec_free(&p->frames);
  hd_vec_free(&p->assigns);
  hd_vec_free(&p->cells);
  hd_vec_free(&p->locks);
  hd_vec_free(&p->handles);
  hd_vec_free(&p->pointers);
  hd_vec_free(&p->small);
  hd_free(p->tracked);
  hd_arena_free(&p->arena);
}

void hd_weave_product_free(weave_product *product) {
  hd_vec_free(&product->tuples);
  hd_vec_free(&product->moves);
  hd_free(product->useful);
}

void hd_weave_live(const weave_program *p, const weave_tuple *t,
                   uint64_t *out) {
  size_t words = hd_weave_words(p);
  memset(out, 0, words * sizeof *out);
  for (hd_vec_each(const weave_cell, c, &p->cells))
    hd_bits_set(out, c->var);
  for (uint32_t i = 0; i < p->n_threads; i++)
    for (size_t w = 0; t->node[i] != HD_NO_ID && w < words; w++)
      out[w] |= p->threads[i].live[t->node[i]][w];
}

/* --- small variables --- */

static void add_source(weave_program *p, const weave_edge *e,
                       const weave_value *v, uint64_t *set) {
  const collector c = {p, e, set};
  value_uses(&c, v);
}

/* What elements are chosen by, and what is compared with constants, and what these
 * are made from. */
static void find_choosers(weave_program *p, uint64_t *set) {
  for (uint32_t i = 0; i < p->n_threads; i++)
    for (hd_vec_each(const weave_edge, e, &p->threads[i].edges))
      for (uint32_t k = 0; k < e->n_guards; k++) {
        const weave_guard *g = &e->guards[k];
        const hd_cexpr *x = &p->code->exprs.data[g->expr];
        bool chooses = g->kind == WEAVE_IS || g->kind == WEAVE_OUTSIDE;
        int64_t value;
        bool compares = g->kind == WEAVE_HOLDS &&
                        hd_code_op_arity((hd_code_op)x->op) == 2 &&
                        (hd_weave_constant(p, e, x->args[0], &value) ||
                         hd_weave_constant(p, e, x->args[1], &value));
        const collector c = {p, e, set};
        if (chooses || compares)
          guard_uses(&c, g);
      }
}

void hd_weave_find_small(weave_program *p) {
  size_t words = hd_weave_words(p);
  uint64_t *set = hd_calloc(words, sizeof *set);
  find_choosers(p, set);
  for (size_t before = 0, now = hd_bits_count(set, words); now != before;) {
    for (uint32_t i = 0; i < p->n_threads; i++)
      for (hd_vec_each(const weave_edge, e, &p->threads[i].edges))
        for (uint32_t k = 0; k < e->n_assigns; k++) {
          const weave_assign *a = &p->assigns.data[e->assigns + k];
          if (hd_bits_test(set, a->var))
            add_source(p, e, &a->value, set);
        }
    before = now;
    now = hd_bits_count(set, words);
  }
  hd_vec_clear(&p->small);
  for (int cells = 1; cells >= 0; cells--)
    for (uint32_t v = 0; v < p->vars.size; v++)
      if (hd_bits_test(set, v) && p->vars.data[v].cell == cells &&
          p->small.size < WEAVE_SMALL)
        hd_vec_push(&p->small, v);
  hd_free(set);
}

static weave_known evaluated(const weave_program *p, const weave_edge *e,
                             const weave_tuple *t, const weave_assign *a) {
  const weave_known unknown = {0};
  const weave_value *v = &a->value;
  switch ((weave_value_kind)v->kind) {
  case WEAVE_ANY:
    return unknown;
  case WEAVE_COPY:
    return hd_weave_value_in(p, t, v->var);
  case WEAVE_CONST:
    return (weave_known){.kind = WEAVE_NUMBER, .bits = v->bits};
  case WEAVE_EXPR:
    return hd_weave_fold_in(p, e, t, v->expr);
  case WEAVE_MIXED:
    break;
  }
  weave_known old = hd_weave_value_in(p, t, v->var),
              by = hd_weave_fold_in(p, e, t, v->expr);
  hd_type type = p->code->exprs.data[v->expr].type;
  if (old.kind != WEAVE_NUMBER || by.kind != WEAVE_NUMBER ||
      v->rmw == HD_RMW_FADD || v->rmw == HD_RMW_FSUB)
    return unknown;
  old.bits = hd_evaluate_rmw((hd_rmw)v->rmw, type, old.bits, by.bits);
  return old;
}

/* Is it known that one of the guards does not hold? */
static bool is_excluded(const weave_program *p, const weave_edge *e,
                        const weave_tuple *t) {
  for (uint32_t i = 0; i < e->n_guards && e->kind != WEAVE_CHECK; i++) {
    const weave_guard *g = &e->guards[i];
    weave_known k = hd_weave_fold_in(p, e, t, g->expr);
    weave_known var = {0};
    if (g->kind == WEAVE_EQUALS || g->kind == WEAVE_DIFFERS)
      var = hd_weave_value_in(p, t, g->var);
    if (k.kind != WEAVE_NUMBER)
      continue;
    int64_t value =
        hd_word_signed(k.bits, p->code->exprs.data[g->expr].type.width);
    bool holds = true;
    switch ((weave_guard_kind)g->kind) {
    case WEAVE_HOLDS:
      holds = k.bits != 0;
      break;
    case WEAVE_IS:
      holds = value == g->number;
      break;
    case WEAVE_OUTSIDE:
      holds = value < g->least || value > g->number;
      break;
    case WEAVE_EQUALS:
    case WEAVE_DIFFERS:
      holds = var.kind != WEAVE_NUMBER ||
              (var.bits == k.bits) == (g->kind == WEAVE_EQUALS);
      break;
    }
    if (!holds)
      return true;
  }
  return false;
}

bool hd_weave_assigned(const weave_program *p, const weave_product *product,
                       const weave_move *move, uint32_t var,
                       weave_value *value) {
  const weave_edge *e = &p->threads[move->thread].edges.data[move->edge];
  for (uint32_t i = 0; i < e->n_assigns; i++) {
    const weave_assign *a = &p->assigns.data[e->assigns + i];
    if (a->var != var)
      continue;
    *value = a->value;
    weave_known k = hd_weave_value_in(
        p, move->to == HD_NO_ID ? NULL : &product->tuples.data[move->to], var);
    if (k.kind == WEAVE_NUMBER)
      *value = (weave_value){.kind = WEAVE_CONST, .bits = k.bits};
    return true;
  }
  return false;
}

/* --- tuples --- */

#define HD_MAP tuple_map
#define HD_KEY weave_tuple
#define HD_VAL uint32_t
#define HD_HASH(k) hd_hash_bytes(&(k), sizeof(k))
#define HD_EQ(a, b) (!memcmp(&(a), &(b), sizeof(weave_tuple)))
#include "base/map_templ.h"

typedef struct {
  weave_program *p;
  weave_product *out;
  tuple_map map;
  uint64_t *live; /* variables, scratch */
  uint64_t seen[WEAVE_SMALL][WEAVE_VALUES];
  uint32_t n_seen[WEAVE_SMALL];
  uint32_t many; /* small variables that have too many values, a set */
} multiplier;

static bool is_started(const weave_program *p, const weave_tuple *t,
                       uint32_t i) {
  return t->node[i] != HD_NO_ID && t->node[i] != p->threads[i].end;
}

static bool is_enabled(const weave_program *p, const weave_tuple *t, uint32_t i,
                       const weave_edge *e) {
  switch ((weave_kind)e->kind) {
  case WEAVE_LOCK:
    return t->owner[e->object] == 0xff && !t->readers[e->object];
  case WEAVE_SHARE:
    return t->owner[e->object] == 0xff && !(t->readers[e->object] >> i & 1);
  case WEAVE_JOIN:
    return t->node[e->object] == p->threads[e->object].end;
  case WEAVE_STEP:
  case WEAVE_ASSUME:
  case WEAVE_CHECK:
  case WEAVE_FAIL:
  case WEAVE_HALT:
  case WEAVE_CREATE:
  case WEAVE_KNOWS:
  case WEAVE_UNLOCK:
  case WEAVE_MAKE:
  case WEAVE_ENTER:
  case WEAVE_LEAVE:
    return true;
  }
  return true;
}

static bool conflict(const weave_touch *a, const weave_touch *b) {
  return a->writes & (b->reads | b->writes) || a->reads & b->writes ||
         a->locks & b->locks;
}

/* May the thread go first here? */
static bool goes_first(const weave_program *p, const weave_tuple *t,
                       uint32_t i) {
  const weave_thread *mine = &p->threads[i];
  if (!is_started(p, t, i))
    return false;
  uint32_t n = t->node[i];
  if (mine->first[n] == mine->first[n + 1])
    return false;
  for (uint32_t k = mine->first[n]; k < mine->first[n + 1]; k++) {
    const weave_edge *e = &mine->edges.data[k];
    bool section = e->kind == WEAVE_ENTER;
    const weave_touch *touch = section ? &mine->section[n] : &e->touch;
    if (!is_enabled(p, t, i, e))
      return false;
    bool over = i == 0 && e->to == mine->end; /* ends the others, too */
    if (!p->late && (mine->head[e->to] || is_stop(e) || over ||
                     (section && mine->stops[n])))
      return false;
    for (uint32_t u = 0; u < p->n_threads; u++) {
      if (u == i || t->node[u] == p->threads[u].end)
        continue;
      uint32_t from = t->node[u] == HD_NO_ID ? p->threads[u].entry : t->node[u];
      if (conflict(touch, &p->threads[u].future[i][from]))
        return false;
    }
  }
  return true;
}

static void see(multiplier *m, uint32_t i, uint64_t value) {
  for (uint32_t k = 0; k < m->n_seen[i]; k++)
    if (m->seen[i][k] == value)
      return;
  if (m->n_seen[i] == WEAVE_VALUES)
    m->many |= 1u << i;
  else
    m->seen[i][m->n_seen[i]++] = value;
}

/* What the small variables are then; what nobody reads is not known. */
static void set_small(multiplier *m, const weave_tuple *from,
                      const weave_edge *e, weave_tuple *t) {
  const weave_program *p = m->p;
  if (!p->small.size)
    return;
  hd_weave_live(p, t, m->live);
  for (uint32_t i = 0; i < p->small.size; i++) {
    weave_known k = hd_weave_value_in(p, from, p->small.data[i]);
    for (uint32_t a = 0; a < e->n_assigns; a++)
      if (p->assigns.data[e->assigns + a].var == p->small.data[i])
        k = evaluated(p, e, from, &p->assigns.data[e->assigns + a]);
    bool known =
        k.kind == WEAVE_NUMBER && hd_bits_test(m->live, p->small.data[i]);
    t->known &= ~(1u << i);
    t->value[i] = known ? k.bits : 0;
    if (!known)
      continue;
    t->known |= 1u << i;
    see(m, i, k.bits);
  }
}

static uint32_t put(multiplier *m, const weave_tuple *t) {
  bool fresh;
  uint32_t id =
      *tuple_map_put(&m->map, *t, (uint32_t)m->out->tuples.size, &fresh);
  if (fresh)
    hd_vec_push(&m->out->tuples, *t);
  return id;
}

static void make(multiplier *m, uint32_t from, uint32_t i, uint32_t k) {
  weave_program *p = m->p;
  weave_tuple t = m->out->tuples.data[from];
  const weave_edge *e = &p->threads[i].edges.data[k];
  weave_move move = {from, HD_NO_ID, (uint8_t)i, k};
  bool ends = false;
  if (is_excluded(p, e, &t))
    return;
  switch ((weave_kind)e->kind) {
  case WEAVE_FAIL:
    hd_vec_push(&m->out->moves, move);
    return;
  case WEAVE_HALT:
    return;
  case WEAVE_CREATE:
    if (t.node[e->object] != HD_NO_ID) {
      hd_weave_refuse(p, e->edge, "a thread that may be created twice");
      return;
    }
    t.node[e->object] = p->threads[e->object].entry;
    break;
  case WEAVE_KNOWS:
    if (t.node[e->object] == HD_NO_ID)
      hd_weave_refuse(p, e->edge, "an id that may be of no thread yet");
    break;
  case WEAVE_LOCK:
    t.owner[e->object] = (uint8_t)i;
    break;
  case WEAVE_SHARE:
    t.readers[e->object] |= (uint8_t)(1u << i);
    break;
  case WEAVE_UNLOCK:
    if (t.owner[e->object] != i && !(t.readers[e->object] >> i & 1))
      hd_weave_refuse(p, e->edge, "a lock is given back that is not held");
    if (t.owner[e->object] == i)
      t.owner[e->object] = 0xff;
    t.readers[e->object] &= (uint8_t) ~(1u << i);
    break;
  case WEAVE_MAKE:
    if (t.owner[e->object] != 0xff || t.readers[e->object])
      hd_weave_refuse(p, e->edge, "a lock is made or ended while it is held");
    break;
  case WEAVE_ENTER:
    if (t.inside != 0xff)
      hd_weave_refuse(p, e->edge, "an atomic section in another one");
    t.inside = (uint8_t)i;
    break;
  case WEAVE_LEAVE:
    if (t.inside != i)
      hd_weave_refuse(p, e->edge, "an atomic section ends that did not begin");
    t.inside = 0xff;
    break;
  case WEAVE_STEP:
  case WEAVE_ASSUME:
  case WEAVE_CHECK:
  case WEAVE_JOIN:
    break;
  }
  if (e->needs != HD_NO_ID && !(t.set >> e->needs & 1))
    hd_weave_refuse(p, e->edge, "a pointer that may not be set yet");
  t.set &= ~e->drops;
  if (e->sets != HD_NO_ID)
    t.set |= (uint64_t)1 << e->sets;
  t.node[i] = e->to;
  ends = e->to == p->threads[i].end;
  if (ends && t.inside == i)
    hd_weave_refuse(p, e->edge, "a thread ends in an atomic section");
  bool passes = p->threads[i].head[e->to] || ends;
  t.turn = (uint8_t)(passes ? (i + 1) % p->n_threads : i);
  const weave_tuple before = m->out->tuples.data[from];
  set_small(m, &before, e, &t);
  move.to = put(m, &t);
  hd_vec_push(&m->out->moves, move);
}

static bool has(const weave_tuple *t, uint32_t i, uint32_t lock) {
  return t->owner[lock] == i || t->readers[lock] >> i & 1;
}

static void move_thread(multiplier *m, uint32_t from, uint32_t i) {
  const weave_tuple t = m->out->tuples.data[from];
  const weave_thread *mine = &m->p->threads[i];
  if (!is_started(m->p, &t, i))
    return;
  uint32_t n = t.node[i];
  for (uint32_t k = mine->first[n]; k < mine->first[n + 1]; k++) {
    const weave_edge *e = &mine->edges.data[k];
    bool takes = e->kind == WEAVE_LOCK || e->kind == WEAVE_SHARE;
    if (is_enabled(m->p, &t, i, e))
      make(m, from, i, k);
    else if (takes && !e->tries && has(&t, i, e->object))
      hd_weave_refuse(m->p, e->edge, "a lock is taken by who has it");
    else if (t.inside == i && !e->tries)
      hd_weave_refuse(m->p, e->edge, "a thread waits in an atomic section");
  }
}

static void follow(multiplier *m, uint32_t from) {
  weave_program *p = m->p;
  const weave_tuple t = m->out->tuples.data[from];
  if (t.node[0] == p->threads[0].end)
    return; /* main has returned */
  if (t.inside != 0xff) {
    move_thread(m, from, t.inside);
    return;
  }
  for (uint32_t k = 0; k < p->n_threads; k++) {
    uint32_t i = (t.turn + k) % p->n_threads;
    if (goes_first(p, &t, i)) {
      move_thread(m, from, i);
      return;
    }
  }
  for (uint32_t i = 0; i < p->n_threads; i++)
    move_thread(m, from, i);
}

/* From which tuples can something fail, as far as their graph tells? */
static void find_useful(const weave_program *p, weave_product *product) {
  product->useful = hd_calloc(product->tuples.size + 1, 1);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = product->moves.size; i-- > 0;) {
      const weave_move *m = &product->moves.data[i];
      uint8_t kind = p->threads[m->thread].edges.data[m->edge].kind;
      bool useful =
          kind == WEAVE_FAIL || kind == WEAVE_CHECK || product->useful[m->to];
      changed = changed || (useful && !product->useful[m->from]);
      product->useful[m->from] |= useful;
    }
  }
}

static void begin(multiplier *m) {
  const weave_program *p = m->p;
  weave_tuple first;
  memset(&first, 0, sizeof first);
  memset(first.node, 0xff, sizeof first.node);
  memset(first.owner, 0xff, sizeof first.owner);
  first.inside = 0xff;
  first.node[0] = p->threads[0].entry;
  for (uint32_t i = 0; i < p->small.size; i++)
    for (uint32_t c = 0; c < p->cells.size; c++) {
      int64_t value;
      if (p->cells.data[c].var != p->small.data[i] ||
          !hd_weave_initial(p, c, &value))
        continue;
      first.known |= 1u << i;
      first.value[i] =
          (uint64_t)value & hd_word_mask(p->vars.data[p->small.data[i]].width);
    }
  put(m, &first);
}

/* Those with too many values are not small. */
static void drop(weave_program *p, uint32_t many) {
  hd_u32s kept = {0};
  for (uint32_t i = 0; i < p->small.size; i++)
    if (!(many >> i & 1))
      hd_vec_push(&kept, p->small.data[i]);
  hd_vec_free(&p->small);
  p->small = kept;
}

bool hd_weave_multiply(weave_program *p, hd_run *run, weave_product *product) {
  assert(p->small.size <= WEAVE_SMALL);
  multiplier m = {.p = p,
                  .out = product,
                  .live = hd_calloc(hd_weave_words(p), sizeof *m.live)};
  size_t most = p->small.size ? WEAVE_FINE : WEAVE_TUPLES;
  begin(&m);
  for (uint32_t i = 0; i < product->tuples.size && !p->failed && !m.many; i++) {
    follow(&m, i);
    if (product->tuples.size > most)
      hd_weave_refuse(p, HD_NO_ID, "more than %zu places of all threads", most);
    if (!hd_run_tick(run))
      hd_weave_refuse(p, HD_NO_ID, "%s", hd_run_why(run));
  }
  tuple_map_free(&m.map);
  hd_free(m.live);
  if (m.many && !p->failed) {
    hd_weave_product_free(product);
    *product = (weave_product){0};
    drop(p, m.many);
    return hd_weave_multiply(p, run, product);
  }
  if (!p->failed)
    find_useful(p, product);
  return !p->failed;
}
