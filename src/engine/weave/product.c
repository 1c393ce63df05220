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
  case WEAVE_JOIN:
  case WEAVE_LOCK:
  case WEAVE_UNLOCK:
  case WEAVE_ENTER:
  case WEAVE_LEAVE:
    return false;
  }
  return true;
}

static void find_touches(weave_thread *t) {
  t->future = hd_calloc(t->n_nodes, sizeof *t->future);
  t->section = hd_calloc(t->n_nodes, sizeof *t->section);
  t->stops = hd_calloc(t->n_nodes, 1);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = t->edges.size; i-- > 0;) {
      const weave_edge *e = &t->edges.data[i];
      changed |= unite(&t->future[e->from], &e->touch);
      changed |= unite(&t->future[e->from], &t->future[e->to]);
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

static void expr_uses(const weave_program *p, uint32_t frame, hd_cexpr_id id,
                      uint64_t *set) {
  const hd_cexpr *e = &p->code->exprs.data[id];
  if (e->op == HD_CODE_REG)
    hd_bits_set(set, hd_weave_reg(p, frame, e->value));
  for (int i = 0; i < hd_code_op_arity((hd_code_op)e->op); i++)
    expr_uses(p, frame, e->args[i], set);
}

void hd_weave_uses(const weave_program *p, const weave_value *v,
                   uint64_t *set) {
  switch ((weave_value_kind)v->kind) {
  case WEAVE_ANY:
    break;
  case WEAVE_COPY:
    hd_bits_set(set, v->var);
    break;
  case WEAVE_MIXED:
    hd_bits_set(set, v->var);
    expr_uses(p, v->frame, v->expr, set);
    break;
  case WEAVE_EXPR:
    expr_uses(p, v->frame, v->expr, set);
    break;
  }
}

static bool flow_back(const weave_program *p, weave_thread *t,
                      const weave_edge *e, uint64_t *set) {
  size_t words = hd_weave_words(p);
  memcpy(set, t->live[e->to], words * sizeof *set);
  for (uint32_t i = 0; i < e->n_assigns; i++)
    hd_bits_clear(set, p->assigns.data[e->assigns + i].var);
  for (uint32_t i = 0; i < e->n_assigns; i++) {
    const weave_assign *a = &p->assigns.data[e->assigns + i];
    /* what is dead then need not be known */
    if (p->vars.data[a->var].cell || hd_bits_test(t->live[e->to], a->var) ||
        e->kind == WEAVE_CREATE)
      hd_weave_uses(p, &a->value, set);
  }
  if (e->guarded)
    hd_weave_uses(p, &e->guard, set);
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

/* Can only main fail, and only where all that may have been created were joined? */
static bool fails_late(const weave_program *p) {
  for (uint32_t i = 1; i < p->n_threads; i++)
    for (hd_vec_each(const weave_edge, e, &p->threads[i].edges))
      if (e->kind == WEAVE_FAIL || e->kind == WEAVE_CHECK)
        return false;
  const weave_thread *t = &p->threads[0];
  uint8_t *created = hd_calloc(t->n_nodes, 1), *joined = hd_alloc(t->n_nodes);
  memset(joined, 0xff, t->n_nodes);
  joined[t->entry] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (hd_vec_each(const weave_edge, e, &t->edges)) {
      uint8_t c = created[e->from], j = joined[e->from];
      c |= e->kind == WEAVE_CREATE ? (uint8_t)(1u << e->object) : 0;
      j |= e->kind == WEAVE_JOIN ? (uint8_t)(1u << e->object) : 0;
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
    hd_free(t->future);
    hd_free(t->section);
    hd_free(t->stops);
    hd_vec_free(&t->edges);
  }
  hd_vec_free(&p->vars);
  hd_vec_free(&p->frames);
  hd_vec_free(&p->assigns);
  hd_vec_free(&p->cells);
  hd_vec_free(&p->locks);
  hd_vec_free(&p->handles);
}

void hd_weave_live(const weave_program *p, const weave_tuple *t,
                   uint64_t *out) {
  size_t words = hd_weave_words(p);
  memset(out, 0, words * sizeof *out);
  for (uint32_t c = 0; c < p->cells.size; c++)
    hd_bits_set(out, c);
  for (uint32_t i = 0; i < p->n_threads; i++)
    for (size_t w = 0; t->node[i] != HD_NO_ID && w < words; w++)
      out[w] |= p->threads[i].live[t->node[i]][w];
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
} multiplier;

static bool is_started(const weave_program *p, const weave_tuple *t,
                       uint32_t i) {
  return t->node[i] != HD_NO_ID && t->node[i] != p->threads[i].end;
}

static bool is_enabled(const weave_program *p, const weave_tuple *t, uint32_t i,
                       const weave_edge *e) {
  switch ((weave_kind)e->kind) {
  case WEAVE_LOCK:
    return t->owner[e->object] == 0xff;
  case WEAVE_JOIN:
    return t->node[e->object] == p->threads[e->object].end;
  case WEAVE_STEP:
  case WEAVE_ASSUME:
  case WEAVE_CHECK:
  case WEAVE_FAIL:
  case WEAVE_HALT:
  case WEAVE_CREATE:
  case WEAVE_UNLOCK:
  case WEAVE_ENTER:
  case WEAVE_LEAVE:
    return true;
  }
  (void)i;
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
      if (conflict(touch, &p->threads[u].future[from]))
        return false;
    }
  }
  return true;
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
  case WEAVE_LOCK:
    t.owner[e->object] = (uint8_t)i;
    break;
  case WEAVE_UNLOCK:
    if (t.owner[e->object] != i) {
      hd_weave_refuse(p, e->edge, "a lock is given back that is not held");
      return;
    }
    t.owner[e->object] = 0xff;
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
  t.node[i] = e->to;
  ends = e->to == p->threads[i].end;
  if (ends && t.inside == i)
    hd_weave_refuse(p, e->edge, "a thread ends in an atomic section");
  t.turn = p->threads[i].head[e->to] || ends ? (uint8_t)((i + 1) % p->n_threads)
                                             : (uint8_t)i;
  move.to = put(m, &t);
  hd_vec_push(&m->out->moves, move);
}

static void move_thread(multiplier *m, uint32_t from, uint32_t i) {
  const weave_tuple t = m->out->tuples.data[from];
  const weave_thread *mine = &m->p->threads[i];
  if (!is_started(m->p, &t, i))
    return;
  uint32_t n = t.node[i];
  for (uint32_t k = mine->first[n]; k < mine->first[n + 1]; k++) {
    if (is_enabled(m->p, &t, i, &mine->edges.data[k]))
      make(m, from, i, k);
    else if (t.inside == i)
      hd_weave_refuse(m->p, mine->edges.data[k].edge,
                      "a thread waits in an atomic section");
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

bool hd_weave_multiply(weave_program *p, hd_run *run, weave_product *product) {
  multiplier m = {.p = p, .out = product};
  weave_tuple first;
  memset(&first, 0, sizeof first);
  memset(first.node, 0xff, sizeof first.node);
  memset(first.owner, 0xff, sizeof first.owner);
  first.inside = 0xff;
  first.node[0] = p->threads[0].entry;
  put(&m, &first);
  for (uint32_t i = 0; i < product->tuples.size && !p->failed; i++) {
    follow(&m, i);
    if (product->tuples.size > WEAVE_TUPLES)
      hd_weave_refuse(p, HD_NO_ID, "more than %d places of all threads",
                      WEAVE_TUPLES);
    if (!hd_run_tick(run))
      hd_weave_refuse(p, HD_NO_ID, "%s", hd_run_why(run));
  }
  tuple_map_free(&m.map);
  return !p->failed;
}
