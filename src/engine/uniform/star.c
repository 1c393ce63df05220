/* SPDX-License-Identifier: MIT */
/* A master that receives from anybody, and workers that talk to it alone.
 *
 * Workers do the same whatever their rank is. Each is at one of finitely many
 * *positions*: before its first message, or before what it sends when it has
 * received something. A worker is executed for itself, which gives *scripts*: one
 * receive from the master, at most one message before it and one behind it, and the
 * conditions on what was received. The master is executed with the numbers of
 * workers at each position, as if they were variables of its program (cells of
 * an object), so that loops treat them as such:
 *
 *   a receive from anybody   needs a worker that is about to send: its number is
 *                            shown to be at least 1; that worker moves on;
 *   a message to a worker    needs one that waits for it: the last one that was
 *                            received from, or the next of those that are known to be
 *                            all at one position, in the order of their ranks;
 *   the end                  needs all workers at their ends.
 *
 * Since a worker has never sent two messages that are not received, and receives
 * from one process only, whether messages are buffered makes no difference. */
#include "engine/uniform/parts.h"

#include "engine/lise/mpi.h"

enum { START, AFTER_FIRST, SCRIPTS };
enum { CELL = 8 };

typedef struct {
  const hd_uni_op *first, *receive, *send; /* first and send may be NULL */
  const hd_uni_path *path;
  bool ends; /* else: from the start again */
} script;

struct hd_uni_star {
  hd_vec(script) scripts;
  uint32_t object;
};

static uint32_t end_of(const hd_uni_star *s) {
  return SCRIPTS + (uint32_t)s->scripts.size;
}
/* Cells behind the numbers: workers from `fresh` on are at `all_at`; the last one
 * that was received from is at `last_at`. */
static uint32_t fresh_cell(const hd_uni_star *s) {
  return end_of(s) + 1;
}
static uint32_t all_at_cell(const hd_uni_star *s) {
  return end_of(s) + 2;
}
static uint32_t last_cell(const hd_uni_star *s) {
  return end_of(s) + 3;
}
static uint32_t last_at_cell(const hd_uni_star *s) {
  return end_of(s) + 4;
}
static uint32_t n_cells(const hd_uni_star *s) {
  return end_of(s) + 5;
}

/* --- scripts --- */

static bool mentions(hd_uni *u, hd_term term, hd_term symbol) {
  hd_terms *t = u->l.terms;
  hd_term_list symbols = {0};
  hd_term_visit_begin(t);
  hd_term_visit(t, term, &symbols);
  bool any = false;
  for (size_t i = 0; i < symbols.size && !any; i++)
    any = symbols.data[i] == symbol;
  hd_vec_free(&symbols);
  return any;
}

static bool add_script(hd_uni *u, hd_uni_star *s, const hd_uni_path *path,
                       size_t from, bool ends) {
  script x = {.path = path, .ends = ends};
  for (size_t i = from; i < path->ops.size; i++) {
    const hd_uni_op *op = &path->ops.data[i];
    if (op->kind == HD_UNI_RECV && !x.receive)
      x.receive = op;
    else if (op->kind == HD_UNI_SEND && !x.receive && !x.first)
      x.first = op;
    else if (op->kind == HD_UNI_SEND && x.receive && !x.send)
      x.send = op;
    else
      return false;
  }
  for (size_t i = 0; i < path->decisions.size; i++)
    if (mentions(u, path->decisions.data[i], u->rank))
      return false;
  hd_vec_push(&s->scripts, x);
  return x.receive != NULL;
}

static bool same_call(const hd_uni_op *a, const hd_uni_op *b) {
  return a == b || (a && b && a->edge == b->edge && a->type == b->type &&
                    a->count == b->count && a->tag == b->tag);
}

/* All begin alike; nobody sends twice without receiving. */
static bool scripts_fit(const hd_uni_star *s) {
  bool ok = s->scripts.size > 0;
  for (size_t i = 0; i < s->scripts.size && ok; i++) {
    const script *a = &s->scripts.data[0], *b = &s->scripts.data[i];
    ok = same_call(a->first, b->first) && same_call(a->receive, b->receive) &&
         (b->ends || !b->send || !b->first);
  }
  return ok;
}

bool hd_uni_star_scripts(hd_uni *u, hd_uni_star *s) {
  const hd_uni_loop *only = NULL;
  bool ok = true;
  for (size_t i = 0; i < u->leaves.size && ok; i++) {
    const hd_uni_path *leaf = u->leaves.data[i];
    const hd_uni_loop *loop = NULL;
    for (size_t k = 0; k < leaf->items.size && ok; k++) {
      ok = !leaf->items.data[k].loop || !k;
      loop = leaf->items.data[k].loop ? leaf->items.data[k].loop : loop;
    }
    ok = ok && (!i || loop == only);
    only = loop;
    ok = ok && add_script(u, s, leaf, 0, true);
  }
  for (size_t b = 0; only && b < only->bodies.size && ok; b++) {
    for (size_t k = 0; k < only->bodies.data[b]->items.size && ok; k++)
      ok = !only->bodies.data[b]->items.data[k].loop;
    ok = ok && add_script(u, s, only->bodies.data[b], 0, false);
  }
  ok = ok && scripts_fit(s);
  if (!ok)
    hd_uni_fail(u, "what the workers do is not a message to the master, a "
                   "receive and an answer");
  return ok;
}

/* --- the numbers --- */

static hd_term cell_at(hd_uni *u, uint32_t cell) {
  hd_terms *t = u->l.terms;
  return hd_term_ptr(t, u->star->object, hd_term_int(t, CELL * (int64_t)cell));
}

static hd_term get(hd_uni *u, uint32_t cell) {
  hd_term value = 0;
  hd_going g =
      hd_lise_load(&u->l, cell_at(u, cell), (hd_type){HD_TYPE_INT, 64}, &value);
  return g == HD_GO_ON ? value : hd_term_int(u->l.terms, -1);
}

static void put(hd_uni *u, uint32_t cell, hd_term value) {
  (void)hd_lise_store(&u->l, cell_at(u, cell), (hd_type){HD_TYPE_INT, 64},
                      value);
}

/* A worker goes from one position to another. */
static void move(hd_uni *u, uint32_t from, uint32_t to) {
  hd_terms *t = u->l.terms;
  hd_term one = hd_term_int(t, 1);
  put(u, from, hd_term_sub(t, get(u, from), one));
  put(u, to, hd_term_add(t, get(u, to), one));
}

void hd_uni_star_begin(hd_uni *u) {
  hd_lise *l = &u->l;
  hd_terms *t = l->terms;
  hd_uni_star *s = u->star;
  s->object = hd_lise_object_new(l, HD_LISE_HEAP, 0,
                                 hd_term_int(t, CELL * (int64_t)n_cells(s)));
  hd_lise_object *o = hd_lise_object_own(hd_lise_me(l), s->object);
  o->kind = HD_LISE_ALLOCA; /* no leak */
  for (uint32_t i = 0; i < n_cells(s); i++)
    put(u, i, hd_term_int(t, 0));
  put(u, START, hd_term_sub(t, u->size, hd_term_int(t, 1)));
  put(u, fresh_cell(s), hd_term_int(t, 1));
  put(u, all_at_cell(s), hd_term_int(t, START));
  put(u, last_at_cell(s), hd_term_int(t, -1));
}

/* Numbers of workers are none below 0; all of them together are N - 1. */
void hd_uni_star_know(hd_uni *u) {
  hd_lise *l = &u->l;
  hd_terms *t = l->terms;
  hd_term sum = hd_term_int(t, 1);
  for (uint32_t i = 0; i <= end_of(u->star); i++) {
    hd_lise_learn(l, hd_term_le(t, hd_term_int(t, 0), get(u, i)));
    sum = hd_term_add(t, sum, get(u, i));
  }
  hd_lise_learn(l, hd_term_eq(t, sum, u->size));
}

hd_term hd_uni_star_count(hd_uni *u, uint32_t position) {
  return position <= end_of(u->star) ? get(u, position) : 0;
}

/* Before a loop: if all are at one position, they are met in the order of their
 * ranks, from the first one on. */
void hd_uni_star_all(hd_uni *u) {
  hd_lise *l = &u->l;
  hd_terms *t = l->terms;
  hd_term workers = hd_term_sub(t, u->size, hd_term_int(t, 1));
  for (uint32_t i = 0; i < end_of(u->star); i++)
    if (hd_lise_valid(l, hd_term_eq(t, get(u, i), workers)) == HD_VALID) {
      put(u, fresh_cell(u->star), hd_term_int(t, 1));
      put(u, all_at_cell(u->star), hd_term_int(t, i));
    }
}

/* --- what the master does --- */

static const hd_uni_op *next_op(const hd_uni_star *s, uint32_t position) {
  const script *first = &s->scripts.data[0];
  if (position == START)
    return first->first ? first->first : first->receive;
  if (position == AFTER_FIRST)
    return first->receive;
  return position < end_of(s) ? s->scripts.data[position - SCRIPTS].send : NULL;
}

/* Behind the last operation of a script. */
static uint32_t rest_of(const hd_uni_star *s, uint32_t number) {
  return s->scripts.data[number].ends ? end_of(s) : START;
}

static bool tags_fit(hd_uni *u, const hd_uni_op *sends,
                     const hd_uni_op *receives) {
  hd_terms *t = u->l.terms;
  int64_t a, b;
  if (!hd_term_is_int(t, sends->tag, &a))
    return false;
  return !receives->tag || (hd_term_is_int(t, receives->tag, &b) && a == b);
}

static bool same_form(const hd_uni_op *a, const hd_uni_op *b) {
  return a->type == b->type && a->count == b->count;
}

hd_going hd_uni_star_receive(hd_lise *l, hd_uni_op *op) {
  hd_uni *u = hd_uni_of(l);
  hd_uni_star *s = u->star;
  hd_terms *t = l->terms;
  uint32_t found = HD_NO_ID;
  hd_term zero = hd_term_int(t, 0), one = hd_term_int(t, 1);
  for (uint32_t i = 0; i < end_of(s); i++) {
    const hd_uni_op *next = next_op(s, i);
    if (!next || next->kind != HD_UNI_SEND ||
        (!u->rough &&
         hd_lise_valid(l, hd_term_eq(t, get(u, i), zero)) == HD_VALID))
      continue;
    int64_t tag;
    if (!hd_term_is_int(t, next->tag, &tag) || (found != HD_NO_ID && !u->rough))
      return hd_lise_refuse(l, "several kinds of messages from workers");
    if (!tags_fit(u, next, op)) {
      if (!u->rough)
        return hd_lise_refuse(l, "messages of workers with several tags");
      continue;
    }
    found = found == HD_NO_ID ? i : found;
  }
  if (found == HD_NO_ID)
    return hd_lise_violate(l, HD_PROPERTY_DEADLOCK,
                           "no worker is about to send what is received");
  const hd_uni_op *next = next_op(s, found);
  if (!same_form(next, op))
    return hd_lise_refuse(l, "a message of another type or length than its "
                             "receive");
  hd_going g =
      hd_lise_check(l, hd_term_le(t, one, get(u, found)), HD_PROPERTY_DEADLOCK,
                    "perhaps no worker is about to send what is received");
  if (g != HD_GO_ON)
    return g;
  hd_term who = hd_lise_fresh(l, HD_OF_INT);
  hd_lise_learn(l, hd_term_le(t, one, who));
  hd_lise_learn(l, hd_term_lt(t, who, u->size));
  op->peer = who;
  op->tag = next->tag;
  uint32_t to = found == START ? AFTER_FIRST : rest_of(s, found - SCRIPTS);
  move(u, found, to);
  int64_t all_at;
  if (!hd_term_is_int(t, get(u, all_at_cell(s)), &all_at) || all_at == found)
    put(u, fresh_cell(s), u->size); /* not known any more who is there */
  put(u, last_cell(s), who);
  put(u, last_at_cell(s), hd_term_int(t, to));
  return HD_GO_ON;
}

/* Does what was sent lead to this script? 1 yes, 0 no, -1 open. Other symbols of
 * the worker are not the master's: they are renamed. */
static int follows(hd_uni *u, const script *x, const hd_uni_op *sent) {
  hd_lise *l = &u->l;
  hd_terms *t = l->terms;
  hd_uni_map map = {0};
  if (x->receive->got) {
    hd_term_pair tag = {x->receive->got, sent->tag};
    hd_vec_push(&map, tag);
  }
  for (size_t i = 0; i < x->receive->cells->cells.size; i++)
    for (size_t k = 0; k < sent->cells->cells.size; k++) {
      const hd_lise_cell *to = &x->receive->cells->cells.data[i],
                         *from = &sent->cells->cells.data[k];
      if (to->offset != from->offset || to->bytes != from->bytes ||
          hd_term_is_undef(t, from->value))
        continue;
      hd_term_pair cell = {to->value, from->value};
      hd_vec_push(&map, cell);
    }
  for (size_t i = 0; i < x->path->decisions.size; i++)
    hd_uni_rename(u, &map, x->path->decisions.data[i]);
  int yes = 1;
  for (size_t i = 0; i < x->path->decisions.size && yes; i++) {
    hd_term cond = hd_uni_put(u, &map, x->path->decisions.data[i]);
    if (hd_lise_valid(l, cond) == HD_VALID)
      continue;
    yes = hd_lise_valid(l, hd_term_not(t, cond)) == HD_VALID ? 0 : -1;
  }
  hd_vec_free(&map);
  return yes;
}

static hd_going choose(hd_lise *l, const hd_uni_op *sent, uint32_t *number) {
  hd_uni *u = hd_uni_of(l);
  hd_uni_star *s = u->star;
  *number = HD_NO_ID;
  for (uint32_t i = 0; i < s->scripts.size; i++) {
    int yes = follows(u, &s->scripts.data[i], sent);
    if (yes < 0 && !u->rough)
      return hd_lise_refuse(l, "what a worker does with this message is not "
                               "known");
    if (yes && *number == HD_NO_ID)
      *number = i;
    else if (yes > 0 && !u->rough)
      return hd_lise_refuse(l, "what a worker does with this message is not "
                               "known");
  }
  if (*number == HD_NO_ID)
    return hd_lise_refuse(l,
                          "what a worker does with this message is not known");
  return HD_GO_ON;
}

static bool is_next(hd_lise *l, hd_term rank, int64_t *position) {
  hd_uni *u = hd_uni_of(l);
  hd_terms *t = l->terms;
  return hd_term_is_int(t, get(u, all_at_cell(u->star)), position) &&
         (u->rough ||
          hd_lise_valid(l, hd_term_eq(t, rank, get(u, fresh_cell(u->star)))) ==
              HD_VALID);
}

/* Where is the worker that is sent to? */
static hd_going find_worker(hd_lise *l, hd_term rank, uint32_t *position,
                            bool *last) {
  hd_uni *u = hd_uni_of(l);
  hd_uni_star *s = u->star;
  hd_terms *t = l->terms;
  int64_t at;
  *last =
      hd_term_is_int(t, get(u, last_at_cell(s)), &at) && at >= 0 &&
      hd_lise_valid(l, hd_term_eq(t, rank, get(u, last_cell(s)))) == HD_VALID;
  bool known = *last || is_next(l, rank, &at);
  if (!known && !u->rough) {
    hd_uni_star_all(u);
    known = is_next(l, rank, &at);
  }
  if (!known)
    return hd_lise_refuse(l, "it is not known what this worker is about to do");
  *position = (uint32_t)at;
  return HD_GO_ON;
}

hd_going hd_uni_star_send(hd_lise *l, const hd_uni_op *op) {
  hd_uni *u = hd_uni_of(l);
  hd_uni_star *s = u->star;
  hd_terms *t = l->terms;
  uint32_t position = START, number;
  bool last;
  hd_term one = hd_term_int(t, 1);
  hd_going g = hd_lise_check(l, hd_term_le(t, one, op->peer), HD_PROPERTY_MPI,
                             "the master sends to itself");
  if (g == HD_GO_ON)
    g = find_worker(l, op->peer, &position, &last);
  if (g != HD_GO_ON)
    return g;
  const hd_uni_op *next = next_op(s, position);
  if (!next || next->kind != HD_UNI_RECV)
    return hd_lise_violate(l, HD_PROPERTY_DEADLOCK,
                           "the worker does not wait for a message");
  if (!tags_fit(u, op, next))
    return hd_lise_violate(l, HD_PROPERTY_DEADLOCK,
                           "the worker waits for another tag");
  if (!same_form(next, op))
    return hd_lise_refuse(l, "a message of another type or length than its "
                             "receive");
  g = choose(l, op, &number);
  if (g != HD_GO_ON)
    return g;
  uint32_t to =
      s->scripts.data[number].send ? SCRIPTS + number : rest_of(s, number);
  move(u, position, to);
  if (last) {
    put(u, last_at_cell(s), hd_term_int(t, to));
    int64_t all_at;
    if (!hd_term_is_int(t, get(u, all_at_cell(s)), &all_at) ||
        all_at == position)
      put(u, fresh_cell(s), u->size);
  } else {
    put(u, fresh_cell(s), hd_term_add(t, get(u, fresh_cell(s)), one));
    put(u, last_at_cell(s), hd_term_int(t, -1));
  }
  return HD_GO_ON;
}

/* The master has ended: all workers have, too. */
bool hd_uni_star_ends(hd_uni *u, hd_uni_path *path) {
  hd_lise *l = &u->l;
  hd_terms *t = l->terms;
  l->state = path->state;
  l->proc = 0;
  hd_term workers = hd_term_sub(t, u->size, hd_term_int(t, 1));
  bool ok = hd_uni_valid(u, &path->state->pc,
                         hd_term_eq(t, get(u, end_of(u->star)), workers));
  if (!ok)
    hd_uni_fail(u, "it is not shown that all workers come to their end");
  return ok;
}

hd_uni_star *hd_uni_star_new(void) {
  return hd_calloc(1, sizeof(hd_uni_star));
}

void hd_uni_star_delete(hd_uni_star *s) {
  if (s)
    hd_vec_free(&s->scripts);
  hd_free(s);
}
