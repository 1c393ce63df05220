/* SPDX-License-Identifier: MIT */
/* The search loop of bws.
 *
 * Invariants, cited in the asserts:
 *   I1  Every element of the basis but the targets is a minimal predecessor, by
 *       its `trans`, of its parent, less what I3 takes away.
 *   I2  Everything excluded (by T or by a linear inequality) is unreachable,
 *       and so is everything above it: it may be dropped.
 *   I3  A place that starts unbounded, and whose tokens no transition moves,
 *       always holds as many tokens as anybody wants: (s | M) is coverable iff
 *       (s | M without that place) is. Such tokens are dropped on sight.
 *
 * Order: fewest tokens first, then the shorter way back to the initial shared
 * state; small elements subsume most. */
#include "engine/bws/bws.h"

#include "base/bitset.h"
#include "engine/bws/basis.h"
#include "engine/bws/predecessor.h"

#include <string.h>

#define BWS_STATS(X)                                                           \
  X(steps, "configurations taken from the queue")                              \
  X(candidates, "predecessors computed")                                       \
  X(outside, "predecessors outside the thread-modular set")                    \
  X(excluded, "configurations excluded by linear inequalities")                \
  X(asked, "configurations the state equation was asked about")                \
  X(subsumed, "predecessors above an element of the basis")

typedef struct {
  uint64_t priority;
  uint32_t id;
} queued;

typedef struct {
  const hd_net *net;
  const hd_problem *problem;
  hd_basis *basis;
  hd_vec(queued) heap;
  uint64_t *free_places; /* I3 */
  uint32_t *distance;    /* from the initial shared state */
  uint32_t *stamp;       /* per transition: seen for this element */
  uint32_t now;
  hd_u32s *producers; /* one shared state: place -> transitions giving it */
  hd_token_vec current, stripped;
  hd_predecessor scratch;
  /* of the predecessor being made */
  uint32_t parent;
  hd_trans_id trans;
  uint32_t initial; /* element below an initial configuration */
#define X(name, help) uint64_t name;
  BWS_STATS(X)
#undef X
} search;

static void sift_up(search *s, size_t i) {
  queued q = s->heap.data[i];
  while (i && q.priority < s->heap.data[(i - 1) / 2].priority) {
    s->heap.data[i] = s->heap.data[(i - 1) / 2];
    i = (i - 1) / 2;
  }
  s->heap.data[i] = q;
}

static void sift_down(search *s) {
  size_t i = 0, n = s->heap.size;
  queued q = s->heap.data[0];
  for (;;) {
    size_t child = 2 * i + 1;
    if (child >= n)
      break;
    if (child + 1 < n &&
        s->heap.data[child + 1].priority < s->heap.data[child].priority)
      child++;
    if (s->heap.data[child].priority >= q.priority)
      break;
    s->heap.data[i] = s->heap.data[child];
    i = child;
  }
  s->heap.data[i] = q;
}

static uint32_t dequeue(search *s) {
  uint32_t id = s->heap.data[0].id;
  queued last = hd_vec_pop(&s->heap);
  if (s->heap.size) {
    s->heap.data[0] = last;
    sift_down(s);
  }
  return id;
}

/* Tokens, then distance, then age: the number keeps it deterministic. */
static void enqueue(search *s, uint32_t id) {
  uint64_t total = hd_basis_total(s->basis, id);
  uint64_t far = s->distance[hd_basis_shared(s->basis, id)];
  if (total > 0xFFFF)
    total = 0xFFFF;
  if (far > 0xFFFF)
    far = 0xFFFF;
  queued q = {.priority = total << 48 | far << 32 | id, .id = id};
  hd_vec_push(&s->heap, q);
  sift_up(s, s->heap.size - 1);
}

/* I2 */
static bool outside_tset(const search *s, hd_shared_id shared, hd_tokens v) {
  const hd_cert *tset = s->problem->tset;
  if (!tset || s->problem->no_pruning)
    return false;
  const uint64_t *row = tset->rows[shared];
  if (!row)
    return true;
  for (size_t i = 0; i < v.size; i++)
    if (!hd_bits_test(row, v.data[i].place))
      return true;
  return false;
}

static bool violates(const hd_linear *linear, hd_shared_id shared,
                     hd_tokens v) {
  hd_i128 sum = linear->potential ? linear->potential[shared] : 0;
  for (size_t i = 0; i < v.size; i++)
    sum += (hd_i128)linear->weight[v.data[i].place] * v.data[i].count;
  return sum > linear->bound;
}

static bool excluded_by_linear(const search *s, hd_shared_id shared,
                               hd_tokens v) {
  const hd_cert *invariants = s->problem->invariants;
  if (!invariants)
    return false;
  for (hd_vec_each(const hd_linear, linear, &invariants->linear))
    if (violates(linear, shared, v))
      return true;
  return false;
}

/* Adds a configuration; true when it is an initial one. */
static bool add(search *s, hd_shared_id shared, hd_tokens tokens,
                uint32_t parent, hd_trans_id trans) {
  if (outside_tset(s, shared, tokens)) {
    s->outside++;
    return false;
  }
  hd_vec_clear(&s->stripped);
  for (size_t i = 0; i < tokens.size; i++)
    if (!hd_bits_test(s->free_places, tokens.data[i].place))
      hd_vec_push(&s->stripped, tokens.data[i]);
  hd_tokens v = hd_token_vec_view(&s->stripped);
  if (excluded_by_linear(s, shared, v)) {
    s->excluded++;
    return false;
  }
  uint32_t id = hd_basis_add(s->basis, shared, v, parent, trans);
  if (id == HD_NO_CONFIG) {
    s->subsumed++;
    return false;
  }
  if (hd_net_below_init(s->net, shared, v)) {
    s->initial = id;
    return true;
  }
  enqueue(s, id);
  return false;
}

static bool visit(void *context, const hd_predecessor *p) {
  search *s = context;
  s->candidates++;
  return !add(s, s->net->trans.data[s->trans].from,
              hd_token_vec_view(&p->tokens), s->parent, s->trans);
}

static bool touches(hd_tokens post, hd_tokens m) {
  size_t j = 0;
  for (size_t i = 0; i < post.size; i++) {
    while (j < m.size && m.data[j].place < post.data[i].place)
      j++;
    if (j == m.size)
      return false;
    if (m.data[j].place == post.data[i].place)
      return true;
  }
  return false;
}

/* A transition that keeps the shared state and gives nothing that is asked for
 * has a predecessor above the element itself. */
static bool useless(const search *s, hd_trans_id t, hd_tokens m) {
  const hd_trans *tr = &s->net->trans.data[t];
  return tr->from == tr->to && !tr->moves.size &&
         !touches(hd_net_post(s->net, t), m);
}

static hd_pred_status expand_by(search *s, hd_trans_id t, hd_tokens m) {
  if (useless(s, t, m))
    return HD_PRED_DONE;
  s->trans = t;
  return hd_predecessors(s->net, t, m, &s->scratch, visit, s);
}

/* For nets with one shared state: only transitions that give a token of `m`, or
 * move tokens, can matter. */
static hd_pred_status expand_by_place(search *s, hd_tokens m) {
  s->now++;
  for (size_t i = 0; i < m.size; i++) {
    hd_u32s *list = &s->producers[m.data[i].place];
    for (size_t k = 0; k < list->size; k++) {
      hd_trans_id t = list->data[k];
      if (s->stamp[t] == s->now)
        continue;
      s->stamp[t] = s->now;
      hd_pred_status status = expand_by(s, t, m);
      if (status != HD_PRED_DONE)
        return status;
    }
  }
  hd_u32s *movers = &s->producers[s->net->n_places];
  for (size_t k = 0; k < movers->size; k++)
    if (s->stamp[movers->data[k]] != s->now) {
      hd_pred_status status = expand_by(s, movers->data[k], m);
      if (status != HD_PRED_DONE)
        return status;
    }
  return HD_PRED_DONE;
}

static hd_pred_status expand(search *s, uint32_t id) {
  hd_shared_id shared = hd_basis_shared(s->basis, id);
  hd_tokens stored = hd_basis_tokens(s->basis, id);
  hd_vec_clear(&s->current);
  for (size_t i = 0; i < stored.size; i++)
    hd_vec_push(&s->current, stored.data[i]);
  hd_tokens m = hd_token_vec_view(&s->current);
  s->parent = id;
  if (s->producers)
    return expand_by_place(s, m);
  const hd_net *net = s->net;
  for (uint32_t i = net->to_start[shared]; i < net->to_start[shared + 1]; i++) {
    hd_pred_status status = expand_by(s, net->to_ids[i], m);
    if (status != HD_PRED_DONE)
      return status;
  }
  return HD_PRED_DONE;
}

/* A configuration about to be expanded may have become excluded since it was
 * added, or the state equation may exclude it now. It leaves the basis: what it
 * subsumed is excluded with it (I2). */
static bool excluded_late(search *s, uint32_t id) {
  hd_shared_id shared = hd_basis_shared(s->basis, id);
  hd_tokens tokens = hd_basis_tokens(s->basis, id);
  bool out = excluded_by_linear(s, shared, tokens);
  if (!out && s->problem->exclude) {
    s->asked++;
    out = s->problem->exclude(s->problem->exclude_context, shared, tokens);
  }
  if (out) {
    s->excluded++;
    hd_basis_kill(s->basis, id);
  }
  return out;
}

static void find_free_places(search *s) {
  const hd_net *net = s->net;
  s->free_places = hd_calloc(hd_bits_words(net->n_places), sizeof(uint64_t));
  for (hd_place_id p = 0; p < net->n_places; p++)
    if (net->init[p].max == HD_OMEGA)
      hd_bits_set(s->free_places, p);
  for (hd_vec_each(const hd_move, move, &net->moves))
    hd_bits_clear(s->free_places, move->from);
}

static void measure_distance(search *s) {
  const hd_net *net = s->net;
  s->distance = hd_alloc((size_t)net->n_shared * sizeof *s->distance);
  memset(s->distance, 0xFF, (size_t)net->n_shared * sizeof *s->distance);
  hd_u32s queue = {0};
  s->distance[net->init_shared] = 0;
  hd_vec_push(&queue, net->init_shared);
  for (size_t head = 0; head < queue.size; head++) {
    hd_shared_id from = queue.data[head];
    for (uint32_t i = net->from_start[from]; i < net->from_start[from + 1];
         i++) {
      hd_shared_id to = net->trans.data[net->from_ids[i]].to;
      if (s->distance[to] != UINT32_MAX)
        continue;
      s->distance[to] = s->distance[from] + 1;
      hd_vec_push(&queue, to);
    }
  }
  hd_vec_free(&queue);
}

static void list_producers(search *s) {
  const hd_net *net = s->net;
  if (net->n_shared > 1)
    return;
  s->producers = hd_calloc((size_t)net->n_places + 1, sizeof *s->producers);
  s->stamp = hd_calloc(net->trans.size, sizeof *s->stamp);
  for (hd_trans_id t = 0; t < net->trans.size; t++) {
    hd_tokens post = hd_net_post(net, t);
    for (size_t i = 0; i < post.size; i++)
      hd_vec_push(&s->producers[post.data[i].place], t);
    if (net->trans.data[t].moves.size)
      hd_vec_push(&s->producers[net->n_places], t);
  }
}

static bool add_targets(search *s) {
  const hd_net *net = s->net;
  for (uint32_t i = 0; i < net->targets.size; i++) {
    const hd_target *target = &net->targets.data[i];
    hd_tokens need = hd_net_view(net, target->need);
    hd_shared_id first = target->shared, last = target->shared;
    if (target->shared == HD_ANY_SHARED) {
      first = 0;
      last = net->n_shared - 1;
    }
    /* The root's "transition" is the target's number. */
    for (hd_shared_id shared = first; shared <= last; shared++)
      if (add(s, shared, need, HD_NO_CONFIG, i))
        return true;
  }
  return false;
}

static void start(search *s, const hd_problem *problem) {
  *s = (search){
      .net = problem->net,
      .problem = problem,
      .initial = HD_NO_CONFIG,
      .basis = hd_basis_new(problem->net->n_shared, problem->net->n_places)};
  find_free_places(s);
  measure_distance(s);
  list_producers(s);
}

static void finish(search *s) {
  if (s->producers)
    for (uint32_t p = 0; p <= s->net->n_places; p++)
      hd_vec_free(&s->producers[p]);
  hd_free(s->producers);
  hd_free(s->stamp);
  hd_free(s->free_places);
  hd_free(s->distance);
  hd_vec_free(&s->heap);
  hd_vec_free(&s->current);
  hd_vec_free(&s->stripped);
  hd_predecessor_free(&s->scratch);
  hd_basis_delete(s->basis);
}

/* Moves: the choices that lead from an element to its parent are found again by
 * enumerating the parent's predecessors; tokens beyond the element's, present
 * in the actual run, take the first move of their place. */
typedef struct {
  hd_tokens wanted;
  hd_predecessor found;
  const uint64_t *free_places;
} recall;

static bool recall_visit(void *context, const hd_predecessor *p) {
  recall *r = context;
  hd_token_vec stripped = {0};
  for (hd_vec_each(const hd_token, t, &p->tokens))
    if (!hd_bits_test(r->free_places, t->place))
      hd_vec_push(&stripped, *t);
  bool same = hd_tokens_equal(hd_token_vec_view(&stripped), r->wanted);
  hd_vec_free(&stripped);
  if (!same)
    return true;
  for (hd_vec_each(const hd_choice, c, &p->choices))
    hd_vec_push(&r->found.choices, *c);
  return false;
}

/* Fires `t` in the dense marking with the given choices and records them. */
static void fire(const hd_net *net, hd_trans_id t, const hd_predecessor *how,
                 hd_count *marking, hd_witness *witness) {
  hd_tokens pre = hd_net_pre(net, t), post = hd_net_post(net, t);
  for (size_t i = 0; i < pre.size; i++) {
    assert(marking[pre.data[i].place] >= pre.data[i].count); /* I1 */
    marking[pre.data[i].place] -= pre.data[i].count;
  }
  hd_step step = {.trans = t,
                  .choices = {.start = (uint32_t)witness->choices.size}};
  const hd_move *moves = hd_net_moves(net, t);
  uint32_t n = net->trans.data[t].moves.size;
  hd_token_vec arrivals = {0};
  for (uint32_t i = 0; i < n;) {
    hd_place_id from = moves[i].from;
    hd_count left = marking[from];
    uint32_t first = i;
    for (hd_vec_each(const hd_choice, c, &how->choices))
      if (c->from == from)
        left -= c->count;
    for (; i < n && moves[i].from == from; i++) {
      hd_count count = i == first ? left : 0;
      for (hd_vec_each(const hd_choice, c, &how->choices))
        if (c->from == from && c->to == moves[i].to)
          count += c->count;
      if (!count)
        continue;
      hd_choice choice = {.from = from, .to = moves[i].to, .count = count};
      hd_vec_push(&witness->choices, choice);
      if (moves[i].to != HD_NOWHERE)
        hd_vec_push(&arrivals, ((hd_token){moves[i].to, count}));
    }
    marking[from] = 0;
  }
  for (hd_vec_each(hd_token, a, &arrivals))
    marking[a->place] += a->count;
  hd_vec_free(&arrivals);
  for (size_t i = 0; i < post.size; i++)
    marking[post.data[i].place] += post.data[i].count;
  step.choices.size = (uint32_t)witness->choices.size - step.choices.start;
  hd_vec_push(&witness->steps, step);
}

/* A run that works for nets with moves. Free places (I3) start with as many
 * tokens as all steps together take: they are never short. */
static void replay_moves(search *s, hd_witness *witness) {
  const hd_net *net = s->net;
  hd_count *marking = hd_calloc(net->n_places, sizeof *marking);
  hd_tokens v = hd_basis_tokens(s->basis, s->initial);
  for (size_t i = 0; i < v.size; i++)
    marking[v.data[i].place] = v.data[i].count;
  uint32_t root = s->initial;
  for (uint32_t id = s->initial; hd_basis_parent(s->basis, id) != HD_NO_CONFIG;
       id = root) {
    hd_tokens pre = hd_net_pre(net, hd_basis_trans(s->basis, id));
    for (size_t i = 0; i < pre.size; i++)
      if (hd_bits_test(s->free_places, pre.data[i].place))
        marking[pre.data[i].place] += pre.data[i].count;
    root = hd_basis_parent(s->basis, id);
  }
  hd_tokens need =
      hd_net_view(net, net->targets.data[hd_basis_trans(s->basis, root)].need);
  for (size_t i = 0; i < need.size; i++)
    if (hd_bits_test(s->free_places, need.data[i].place))
      marking[need.data[i].place] += need.data[i].count;
  for (hd_place_id p = 0; p < net->n_places; p++) {
    if (marking[p] < net->init[p].min)
      marking[p] = net->init[p].min;
    if (marking[p])
      hd_vec_push(&witness->init, ((hd_token){p, marking[p]}));
  }
  for (uint32_t id = s->initial; id != root;
       id = hd_basis_parent(s->basis, id)) {
    uint32_t parent = hd_basis_parent(s->basis, id);
    recall r = {.wanted = hd_basis_tokens(s->basis, id),
                .free_places = s->free_places};
    hd_pred_status status = hd_predecessors(net, hd_basis_trans(s->basis, id),
                                            hd_basis_tokens(s->basis, parent),
                                            &s->scratch, recall_visit, &r);
    if (status != HD_PRED_STOPPED)
      hd_bug("bws lost the way from %u to %u", id, parent);
    fire(net, hd_basis_trans(s->basis, id), &r.found, marking, witness);
    hd_predecessor_free(&r.found);
  }
  hd_free(marking);
}

static void make_witness(search *s, hd_result *result) {
  hd_witness *witness = hd_witness_new();
  uint32_t id = s->initial, parent;
  while ((parent = hd_basis_parent(s->basis, id)) != HD_NO_CONFIG)
    id = parent;
  witness->target = hd_basis_trans(s->basis, id);
  if (s->net->features & HD_HAS_MOVES) {
    replay_moves(s, witness);
  } else {
    for (uint32_t at = s->initial; at != id; at = hd_basis_parent(s->basis, at))
      hd_vec_push(&witness->steps,
                  ((hd_step){.trans = hd_basis_trans(s->basis, at)}));
    if (!hd_witness_find_init(witness, s->net))
      hd_bug("bws found an initial configuration that is none");
  }
  result->verdict = HD_UNSAFE;
  result->witness = witness;
}

static void make_certificate(search *s, hd_result *result) {
  hd_cert *cert =
      hd_cert_new(HD_CERT_BACKWARD, s->net->n_shared, s->net->n_places);
  if (s->problem->tset && !s->problem->no_pruning)
    hd_cert_copy_rows(cert, s->problem->tset);
  if (s->problem->invariants)
    hd_cert_copy_linear(cert, s->problem->invariants);
  for (uint32_t id = 0; id < hd_basis_size(s->basis); id++)
    if (hd_basis_is_alive(s->basis, id))
      hd_cert_add_config(cert, hd_basis_shared(s->basis, id),
                         hd_basis_tokens(s->basis, id));
  result->verdict = HD_SAFE;
  result->cert = cert;
}

static void show(search *s, hd_run *run) {
  if (!hd_run_wants_progress(run))
    return;
  hd_progress progress = {
      .engine = "bws",
      .names = {"configurations", "basis", "queue", "threads"},
      .values = {hd_basis_size(s->basis), hd_basis_alive(s->basis),
                 s->heap.size,
                 s->heap.size ? s->heap.data[0].priority >> 48 : 0}};
  hd_run_show(run, &progress);
}

static void report_stats(const search *s, hd_result *result) {
  hd_result_stat(result, "bws.configurations", "",
                 (double)hd_basis_size(s->basis), "configurations ever added");
  hd_result_stat(result, "bws.basis", "", (double)hd_basis_alive(s->basis),
                 "minimal ones at the end");
#define X(name, help)                                                          \
  hd_result_stat(result, "bws." #name, "", (double)s->name, help);
  BWS_STATS(X)
#undef X
}

/* How many branches of the basis take as long as a predecessor. */
enum { VISITS = 16 };

static void run_bws(const hd_problem *problem, hd_run *run, hd_result *result) {
  search s;
  start(&s, problem);
  bool found = add_targets(&s), stopped = false;
  uint64_t counted = 0;
  hd_pred_status status = HD_PRED_DONE;
  while (!found && !stopped && s.heap.size && status == HD_PRED_DONE) {
    uint32_t id = dequeue(&s);
    if (!hd_basis_is_alive(s.basis, id))
      continue;
    uint64_t done = s.candidates + hd_basis_visits(s.basis) / VISITS;
    stopped = !hd_run_spend(run, 1 + done - counted);
    counted = done;
    show(&s, run);
    if (excluded_late(&s, id))
      continue;
    s.steps++;
    status = expand(&s, id);
    found = s.initial != HD_NO_CONFIG;
  }
  if (found)
    make_witness(&s, result);
  else if (status == HD_PRED_OVERFLOW)
    hd_result_unknown(result, "token counts grew past %u", HD_COUNT_MAX);
  else if (stopped)
    hd_result_unknown(result, "%s", hd_run_why(run));
  else
    make_certificate(&s, result);
  report_stats(&s, result);
  finish(&s);
}

const hd_engine hd_bws_engine = {
    .name = "bws",
    .summary = "backward search over minimal configurations; complete, also "
               "with broadcasts, transfers and resets",
    .refuses = HD_HAS_CAPS | HD_HAS_TARGET_CAPS,
    .complete = true,
    .run = run_bws,
};
