/* SPDX-License-Identifier: MIT */
/* The paths of one process with a symbolic rank.
 *
 * A condition that is not decided splits a path. When one side ends with a
 * violation before anything else can be noticed (an assertion), it is no path of
 * its own: that the condition excludes it is a duty of the other side, to be
 * shown in the end (value.c). The same for checks that do not follow at once. So
 * that no path ends early: whatever was received, a process that has come to a
 * point has a path from there to its end, which is what match.c and order.c rely
 * on. Duties are assumed behind their place, but are no conditions of the path
 * (`claims`). */
#include "engine/uniform/parts.h"

#include "engine/lise/loops.h"
#include "engine/lise/search.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
  BUDGET = 20000,    /* steps at a time */
  MOST_PATHS = 400,  /* in all */
  MOST_FORKS = 4,    /* open conditions in rounds of a loop before it is taken
                        for one of any number of rounds */
  MOST_ROUNDS = 400, /* likewise, rounds */
  MOST_ITEMS = 400,
};

void hd_uni_fail(hd_uni *u, const char *format, ...) {
  if (u->failed)
    return;
  char text[600];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  u->failed = hd_strdup(text);
}

void hd_uni_fail_at(hd_uni *u, hd_edge_id edge, const char *format, ...) {
  if (u->failed)
    return;
  char text[600];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  hd_str where = {0};
  const hd_code *code = u->l.programs[0].code;
  if (edge != HD_NO_ID) {
    hd_code_print_pos(&where, code, code->edges.data[edge].pos);
    hd_str_puts(&where, ": ");
  }
  hd_str_puts(&where, text);
  u->failed = hd_str_take(&where);
}

/* --- paths --- */

static hd_lise_message *kept(hd_lise_message *m) {
  return m ? hd_lise_message_keep(m) : NULL;
}

#define COPY(to, from, field)                                                  \
  for (size_t i_ = 0; i_ < (from)->field.size; i_++)                           \
  hd_vec_push(&(to)->field, (from)->field.data[i_])

hd_uni_path *hd_uni_path_copy(hd_uni *u, const hd_uni_path *path) {
  hd_uni_path *copy = hd_calloc(1, sizeof *copy);
  copy->state = path->state ? hd_lise_state_copy(path->state) : NULL;
  COPY(copy, path, items);
  COPY(copy, path, decisions);
  COPY(copy, path, claims);
  COPY(copy, path, facts);
  COPY(copy, path, forks);
  COPY(copy, path, rounds);
  for (size_t i = 0; i < path->ops.size; i++) {
    hd_uni_op op = path->ops.data[i];
    op.cells = kept(op.cells);
    op.result = kept(op.result);
    hd_vec_push(&copy->ops, op);
  }
  for (size_t i = 0; i < path->duties.size; i++) {
    hd_uni_duty duty = path->duties.data[i];
    duty.message = hd_strdup(duty.message);
    hd_vec_push(&copy->duties, duty);
  }
  copy->end = path->end;
  copy->left_head = path->left_head;
  hd_vec_push(&u->all, copy);
  return copy;
}

static void drop_state(hd_uni_path *path) {
  if (path->state)
    hd_lise_state_delete(path->state);
  path->state = NULL;
}

void hd_uni_path_settle(hd_uni *u, hd_uni_path *path) {
  (void)u;
  hd_vec_clear(&path->facts);
  for (size_t i = 0; i < path->state->pc.size; i++)
    hd_vec_push(&path->facts, path->state->pc.data[i]);
  drop_state(path);
}

void hd_uni_path_delete(hd_uni_path *path) {
  drop_state(path);
  for (size_t i = 0; i < path->ops.size; i++) {
    if (path->ops.data[i].cells)
      hd_lise_message_drop(path->ops.data[i].cells);
    if (path->ops.data[i].result)
      hd_lise_message_drop(path->ops.data[i].result);
  }
  for (size_t i = 0; i < path->duties.size; i++)
    hd_free(path->duties.data[i].message);
  hd_vec_free(&path->items);
  hd_vec_free(&path->ops);
  hd_vec_free(&path->duties);
  hd_vec_free(&path->decisions);
  hd_vec_free(&path->claims);
  hd_vec_free(&path->facts);
  hd_vec_free(&path->forks);
  hd_vec_free(&path->rounds);
  hd_free(path);
}

/* --- what the executing engine asks --- */

static void bump(hd_u32s *list, uint32_t at) {
  while (list->size <= at)
    hd_vec_push(list, 0);
  list->data[at]++;
}

/* Before the edge at a place: does the path stop here? */
static bool pauses(hd_lise *l, hd_loc_id loc) {
  hd_uni *u = hd_uni_of(l);
  hd_uni_path *p = u->path;
  const hd_uni_frame *in = u->frame;
  size_t frames = hd_lise_seen(l)->frames.size;
  if (in && frames == in->frames && loc == in->head) {
    if (p->left_head)
      p->end = HD_UNI_BACK;
    return p->left_head;
  }
  p->left_head = true;
  if (in &&
      (frames < in->frames ||
       (frames == in->frames && !hd_lise_loop_contains(l, in->loop, loc)))) {
    p->end = HD_UNI_LEFT;
    return true;
  }
  uint32_t loop = hd_lise_code(l)->locs.data[loc].loop;
  if (loop == HD_NO_ID || hd_lise_code(l)->loops.data[loop].head != loc)
    return false;
  if (u->symbolic[loop])
    return true;
  bump(&p->rounds, loop);
  if (p->rounds.data[loop] > MOST_ROUNDS)
    u->symbolic[loop] = u->again = true;
  return u->again;
}

static void wrote(hd_lise *l, hd_lise_place place) {
  hd_lise_places *list = hd_uni_of(l)->wrote;
  for (size_t i = 0; list && i < list->size; i++)
    if (list->data[i].object == place.object &&
        list->data[i].frame == place.frame && list->data[i].at == place.at)
      return;
  if (list)
    hd_vec_push(list, place);
}

static void add_duty(hd_uni_path *p, hd_term claim, hd_property property,
                     hd_edge_id edge, const char *message, size_t n_facts) {
  hd_uni_duty duty = {.property = property,
                      .edge = edge,
                      .message = hd_strdup(message),
                      .claim = claim,
                      .n_facts = n_facts,
                      .n_ops = p->ops.size};
  hd_vec_push(&p->duties, duty);
  hd_vec_push(&p->claims, claim);
}

/* A check that does not follow at once. */
static bool claims(hd_lise *l, hd_term claim, hd_property property,
                   const char *message) {
  hd_uni *u = hd_uni_of(l);
  if (hd_term_is_const(l->terms, claim))
    return false;
  const hd_lise_frame *f = hd_lise_top(hd_lise_me(l));
  const hd_code *code = hd_lise_code(l);
  hd_edge_id edge =
      f->call != HD_NO_ID ? f->call : code->out[code->out_start[f->loc]];
  add_duty(u->path, claim, property, edge, message, l->state->pc.size);
  hd_lise_learn(l, claim);
  return true;
}

/* --- following --- */

typedef struct {
  hd_going going;
  bool violated;
  hd_property property;
  hd_edge_id edge;
  char *message; /* owned */
} advance_result;

/* One stretch of a path. */
static advance_result advance(hd_uni *u, hd_uni_path *p) {
  hd_lise *l = &u->l;
  hd_lise_finding finding = {.pragma = HD_NO_ID};
  l->finding = &finding;
  l->state = p->state;
  l->proc = 0;
  l->budget = BUDGET;
  u->path = p;
  advance_result r = {.going = hd_lise_advance(l)};
  p->state = l->state;
  if (hd_lise_seen(l)->ended)
    p->end = HD_UNI_ENDED;
  r.violated = finding.found;
  r.property = finding.property;
  r.edge = finding.edge;
  r.message = finding.found ? hd_strdup(finding.message) : NULL;
  hd_lise_finding_free(&finding);
  l->finding = NULL;
  return r;
}

static bool is_branch(const hd_uni_path *p) {
  return p->state->procs.data[0]->op.kind == HD_LISE_OP_BRANCH;
}

/* One side of an open condition, up to where it stops next. */
typedef struct {
  hd_uni_path *path; /* NULL: there is no such side */
  hd_term cond;
  advance_result how;
} side;

/* A side that has left the loop which is looked at: does it end with a violation
 * before anything else? Calls that do not return are outside of loops. */
static void look_ahead(hd_uni *u, const hd_uni_path *child,
                       advance_result *how) {
  const hd_uni_frame *frame = u->frame;
  hd_uni_path *ahead = hd_uni_path_copy(u, child);
  ahead->end = HD_UNI_GOES;
  u->frame = NULL;
  advance_result then = advance(u, ahead);
  u->frame = frame;
  if (then.going == HD_FAILED && ahead->items.size == child->items.size)
    *how = then;
  else
    hd_free(then.message);
  drop_state(ahead);
}

/* Powers of two are known here only (power.c). */
static bool has_functions(const hd_uni *u, const hd_lise_state *state) {
  bool any = false;
  for (size_t i = 0; i < state->pc.size && !any; i++)
    any = hd_term_node_of(u->l.terms, state->pc.data[i])->marks & HD_MARK_FN;
  return any;
}

static side take_side(hd_uni *u, const hd_uni_path *p, uint32_t choice) {
  hd_lise *l = &u->l;
  hd_uni_path *child = hd_uni_path_copy(u, p);
  hd_term cond = p->state->procs.data[0]->op.flag;
  side s = {.path = child, .cond = choice ? hd_term_not(l->terms, cond) : cond};
  l->state = child->state;
  l->proc = 0;
  u->path = child;
  hd_going g = hd_lise_operate(l, choice);
  child->state = l->state;
  if (g != HD_GO_ON || (has_functions(u, child->state) &&
                        hd_uni_impossible(u, &child->state->pc))) {
    s.path = NULL;
    return s;
  }
  s.how = advance(u, child);
  if (child->end == HD_UNI_LEFT && s.how.going == HD_STOPPED)
    look_ahead(u, child, &s.how);
  if (s.how.going == HD_PRUNED)
    s.path = NULL;
  return s;
}

/* Counts an open condition for the loops around it. */
static void count_fork(hd_uni *u, hd_uni_path *p) {
  hd_lise *l = &u->l;
  l->state = p->state;
  const hd_lise_proc *me = hd_lise_seen(l);
  const hd_code *code = hd_lise_code(l);
  for (uint32_t i = 0; i < code->loops.size; i++) {
    hd_loc_id head = code->loops.data[i].head;
    bool inside = false;
    for (size_t f = 0; f < me->frames.size && !inside; f++)
      inside = code->locs.data[head].func == me->frames.data[f].func &&
               hd_lise_loop_contains(l, i, me->frames.data[f].loc);
    if (!inside || u->symbolic[i])
      continue;
    bump(&p->forks, i);
    if (p->forks.data[i] > MOST_FORKS && i < p->rounds.size &&
        p->rounds.data[i] >= MOST_FORKS)
      u->symbolic[i] = u->again = true;
  }
}

static bool refused(hd_uni *u, const advance_result *how) {
  if (how->going == HD_REFUSED)
    hd_uni_fail(u, "%s", u->l.refusal ? u->l.refusal : "something");
  return how->going == HD_REFUSED;
}

static void blame(hd_uni *u, const advance_result *how) {
  hd_uni_fail_at(u, how->edge, "%s may be violated: %s",
                 hd_property_name(how->property), how->message);
}

static bool split(hd_uni *u, hd_uni_path *p, hd_uni_paths *work) {
  count_fork(u, p);
  if (u->again)
    return false;
  size_t before = p->items.size, n_facts = p->state->pc.size;
  side sides[2] = {take_side(u, p, 0), take_side(u, p, 1)};
  bool ok = true;
  for (int i = 0; i < 2 && ok; i++) {
    side *s = &sides[i], *other = &sides[1 - i];
    ok = !s->path || !refused(u, &s->how);
    if (!ok || !s->path || s->how.going != HD_FAILED)
      continue;
    bool alone = !other->path || other->how.going == HD_FAILED;
    if (alone || s->path->items.size != before) {
      blame(u, &s->how);
      ok = false;
      continue;
    }
    add_duty(other->path, other->cond, s->how.property, s->how.edge,
             s->how.message, n_facts);
    other->path->duties.data[other->path->duties.size - 1].n_ops = p->ops.size;
    other->cond = 0;
    s->path = NULL;
  }
  for (int i = 0; i < 2; i++) {
    if (ok && sides[i].path && sides[i].cond)
      hd_vec_push(&sides[i].path->decisions, sides[i].cond);
    if (ok && sides[i].path)
      hd_vec_push(work, sides[i].path);
    hd_free(sides[i].how.message);
  }
  drop_state(p);
  return ok;
}

/* Where the path stands at a head: which loop? */
static uint32_t loop_at(hd_uni *u, const hd_uni_path *p) {
  const hd_lise_proc *me = p->state->procs.data[0];
  hd_loc_id loc = me->frames.data[me->frames.size - 1].loc;
  return u->l.programs[0].code->locs.data[loc].loop;
}

/* A path that has just stopped. */
static bool go_on(hd_uni *u, hd_uni_path *p, hd_uni_paths *work,
                  hd_uni_paths *out) {
  if (u->again || u->failed)
    return false;
  if (p->end != HD_UNI_GOES) {
    hd_vec_push(out, p);
    return true;
  }
  if (++u->n_paths > MOST_PATHS || p->items.size > MOST_ITEMS) {
    hd_uni_fail(u, "a process has too many paths with a symbolic rank");
    return false;
  }
  if (!hd_run_check(u->l.run)) {
    hd_uni_fail(u, "%s", hd_run_why(u->l.run));
    return false;
  }
  if (is_branch(p))
    return split(u, p, work);
  const hd_lise_proc *me = p->state->procs.data[0];
  hd_loc_id loc = me->frames.data[me->frames.size - 1].loc;
  const hd_code *code = u->l.programs[0].code;
  uint32_t loop = loop_at(u, p);
  if (loop != HD_NO_ID && code->loops.data[loop].head == loc &&
      u->symbolic[loop])
    return hd_uni_generalise(u, p, loop, work);
  advance_result how = advance(u, p);
  bool ok = !refused(u, &how);
  if (ok && how.going == HD_FAILED) {
    blame(u, &how);
    ok = false;
  }
  if (ok && how.going != HD_PRUNED)
    hd_vec_push(work, p);
  hd_free(how.message);
  return ok;
}

bool hd_uni_follow(hd_uni *u, hd_uni_path *start, const hd_uni_frame *frame,
                   hd_uni_paths *out) {
  const hd_uni_frame *outer = u->frame;
  u->frame = frame;
  hd_uni_paths work = {0};
  bool ok = true;
  start->left_head = false;
  advance_result how = advance(u, start);
  ok = !refused(u, &how);
  if (ok && how.going == HD_FAILED) {
    blame(u, &how);
    ok = false;
  }
  hd_free(how.message);
  if (ok && how.going != HD_PRUNED)
    hd_vec_push(&work, start);
  while (ok && work.size)
    ok = go_on(u, hd_vec_pop(&work), &work, out);
  hd_vec_free(&work);
  u->frame = outer;
  return ok && !u->again && !u->failed;
}

/* --- from the start --- */

static hd_term shared_input(hd_lise *l, const char *name) {
  hd_vec_push(&l->inputs, ((hd_lise_input){.name = hd_strdup(name),
                                           .sort = HD_OF_INT,
                                           .proc = HD_NO_ID,
                                           .edge = HD_NO_ID}));
  return hd_term_sym(l->terms, HD_SYM_X, (uint32_t)l->inputs.size - 1,
                     HD_OF_INT);
}

/* 0 <= r < N, least <= N <= most */
static void know_ranks(hd_uni *u, hd_lise_state *s) {
  hd_lise *l = &u->l;
  hd_terms *t = l->terms;
  hd_term facts[] = {
      hd_term_le(t, hd_term_int(t, 0), u->rank),
      hd_term_lt(t, u->rank, u->size),
      hd_term_le(t, hd_term_int(t, u->least), u->size),
      hd_term_le(t, u->size, hd_term_int(t, u->most)),
  };
  for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
    hd_lise_learn(l, facts[i]);
  l->state = s;
}

bool hd_uni_walk(hd_uni *u) {
  hd_lise *l = &u->l;
  u->guest = (hd_lise_guest){.data = u,
                             .call = hd_uni_call,
                             .pauses = pauses,
                             .wrote = wrote,
                             .claims = claims,
                             .remainder = hd_uni_remainder,
                             .bits = hd_uni_bits};
  l->guest = &u->guest;
  if (!u->rank) {
    u->rank = shared_input(l, "rank");
    u->size = shared_input(l, "N");
  }
  hd_lise_finding finding = {.pragma = HD_NO_ID};
  l->finding = &finding;
  hd_uni_path *start = hd_calloc(1, sizeof *start);
  hd_vec_push(&u->all, start);
  start->state = hd_lise_initial(l);
  l->state = start->state;
  l->proc = 0;
  u->path = start;
  know_ranks(u, start->state);
  hd_lise_finding_free(&finding);
  bool ok = hd_uni_follow(u, start, NULL, &u->leaves);
  for (size_t i = 0; ok && i < u->leaves.size; i++)
    hd_uni_path_settle(u, u->leaves.data[i]);
  if (ok && l->cut)
    hd_uni_fail(u, "undefined behaviour that was not asked for ends runs");
  if (ok && l->bounded)
    hd_uni_fail(u, "a loop was cut off");
  return ok && !u->failed;
}
