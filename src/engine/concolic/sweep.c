/* SPDX-License-Identifier: MIT */
/* The search of sweep.h.
 *
 * Data. A *record* is a multiset M of locals with the set of shared states
 * known for it, an entry of the shelf. A *bundle* is the set of all edges with the
 * same take, give and kind: its `same` part keeps the shared state, the rest
 * is a list of predecessors for each shared state.
 *
 * Invariants, cited in the asserts:
 *   I1  A pair (s | M) is added once, by one event, after the event that added
 *       the pair it is a predecessor of. So going from event to event ends at a
 *       seed, and gives the run.
 *   I2  What T, or an inequality, excludes is unreachable and may be dropped.
 *   I3  Locals in which any number of threads may start are never short of
 *       threads: they are left out of the multisets.
 *   I4  A pair is expanded once, unless a pair below it was known by then. So
 *       at the end the predecessors of every pair lie above some pair.
 *
 * It terminates because <= on configurations is a well-quasi-order and every
 * pair added is above none before it. */
#include "engine/concolic/sweep.h"

#include "base/hash.h"
#include "engine/concolic/shelf.h"

#include <string.h>

/* A multiset takes some 4 bits a shared state. */
#define MAX_SHARED 2048
/* Beyond, the multisets below a given one are too many to be walked through. */
#define MAX_THREADS 48
/* Configurations of one multiset that the judge may let pass. */
#define ASK_LIMIT 4

typedef struct {
  hd_place_id take, give;
  hd_edge_kind kind;
  bool keeps, changes; /* has edges that keep, that change the shared state */
  uint64_t *same;      /* shared states at which an edge of it keeps it */
  uint64_t *domain;    /* shared states that an edge of it leads to, changing */
  uint32_t first;      /* its changing edges, by `to`: into `changing` */
  uint32_t size;
} bundle;

typedef struct {
  uint32_t to, from; /* small numbers of shared states */
} change;

typedef struct {
  uint32_t event; /* the last one */
  bool queued;
} record;

typedef struct {
  uint32_t record;
  uint32_t parent;   /* record, or HD_NO_ID for a seed */
  uint32_t by;       /* bundle, or the tag of a seed */
  uint32_t previous; /* event of the same record */
} event;

typedef hd_vec(uint32_t) bucket;

#define HD_MAP bundle_map
#define HD_KEY uint64_t
#define HD_VAL uint32_t
#define HD_HASH(k) hd_hash_mix(0, k)
#define HD_EQ(a, b) ((a) == (b))
#include "base/map_templ.h"

#define SWEEP_STATS(X)                                                         \
  X(asked, "configurations the state equation was asked about")                \
  X(excluded, "of them, excluded by it")                                       \
  X(candidates, "sets of predecessors computed")                               \
  X(configurations, "configurations ever added")                               \
  X(steps, "multisets taken from the queue")

struct hd_sweep {
  const hd_quotient *q;
  const hd_threads *view;
  const hd_problem *problem;
  uint32_t n_shared; /* kept ones, with small numbers */
  uint32_t words;
  uint32_t *small_of, *large_of;
  uint32_t init; /* small number, HD_NO_ID when it was not kept */
  hd_vec(bundle) bundles;
  hd_vec(change) changing;
  uint64_t *masks; /* per local: the shared states at which T allows it */
  hd_shelf *shelf;
  hd_vec(record) records;   /* one an entry of the shelf */
  hd_vec(uint64_t) pending; /* `words` a record: not yet expanded */
  hd_vec(event) events;
  hd_vec(uint64_t) added; /* `words` an event */
  hd_vec(bucket) queue;   /* by number of threads */
  hd_u32s heads;
  hd_u32s current, next; /* multisets, one entry a thread, ascending */
  hd_token_vec tokens;
  uint64_t *fresh, *work;
  uint32_t found; /* record with an initial configuration */
  bool too_large;
#define X(name, help) uint64_t name;
  SWEEP_STATS(X)
#undef X
};

bool hd_sweep_accepts(const hd_quotient *quotient) {
  uint64_t n = 0;
  for (hd_vec_each(const hd_component, c, &quotient->components))
    n += c->n_shared;
  return quotient->view->direct && n <= MAX_SHARED;
}

/* ---- setting up ---- */

static void number_shared(hd_sweep *s) {
  s->small_of = hd_alloc(s->view->n_shared * sizeof *s->small_of);
  s->large_of = hd_alloc(s->view->n_shared * sizeof *s->large_of);
  for (hd_shared_id g = 0; g < s->view->n_shared; g++) {
    s->small_of[g] = HD_NO_ID;
    if (s->q->component_of[g] == HD_NO_ID)
      continue;
    s->large_of[s->n_shared] = g;
    s->small_of[g] = s->n_shared++;
  }
  s->words = (uint32_t)hd_bits_words(s->n_shared);
  s->init = s->small_of[s->view->init_shared];
}

static uint64_t *new_bits(const hd_sweep *s) {
  return hd_calloc(s->words ? s->words : 1, sizeof(uint64_t));
}

static uint64_t bundle_key(const hd_view_edge *e) {
  return ((uint64_t)e->take << 32 | e->give) << 1 |
         (e->kind == HD_EDGE_SPAWN ? 1 : 0);
}

static uint32_t bundle_of(hd_sweep *s, bundle_map *map, const hd_view_edge *e) {
  bool fresh;
  uint32_t *id =
      bundle_map_put(map, bundle_key(e), (uint32_t)s->bundles.size, &fresh);
  if (fresh)
    hd_vec_push(&s->bundles, ((bundle){.take = e->take,
                                       .give = e->give,
                                       .kind = e->kind,
                                       .same = new_bits(s),
                                       .domain = new_bits(s)}));
  return *id;
}

/* Groups the edges kept into bundles: counts, then places. */
static void make_bundles(hd_sweep *s) {
  bundle_map map = {0};
  size_t n = s->view->edges.size;
  uint32_t *bundle_ids = hd_alloc((n ? n : 1) * sizeof *bundle_ids);
  for (uint32_t i = 0; i < n; i++) {
    const hd_view_edge *e = &s->view->edges.data[i];
    bundle_ids[i] = HD_NO_ID;
    if (!hd_bits_test(s->q->used, i))
      continue;
    bundle_ids[i] = bundle_of(s, &map, e);
    bundle *c = &s->bundles.data[bundle_ids[i]];
    if (e->from == e->to) {
      hd_bits_set(c->same, s->small_of[e->to]);
      c->keeps = true;
    } else {
      hd_bits_set(c->domain, s->small_of[e->to]);
      c->changes = true;
      c->size++;
    }
  }
  bundle_map_free(&map);
  uint32_t total = 0;
  for (hd_vec_each(bundle, c, &s->bundles)) {
    c->first = total;
    total += c->size;
    c->size = 0;
  }
  hd_vec_resize(&s->changing, total);
  /* In the order of `to`, so that a bundle is scanned once an expansion. */
  for (uint32_t to = 0; to < s->n_shared; to++) {
    hd_shared_id g = s->large_of[to];
    for (uint32_t k = s->q->in_start[g]; k < s->q->in_start[g + 1]; k++) {
      const hd_view_edge *e = &s->view->edges.data[s->q->in_ids[k]];
      bundle *c = &s->bundles.data[bundle_ids[s->q->in_ids[k]]];
      if (e->from != e->to)
        s->changing.data[c->first + c->size++] =
            (change){.to = to, .from = s->small_of[e->from]};
    }
  }
  hd_free(bundle_ids);
}

static const hd_cert *tset_of(const hd_sweep *s) {
  return s->problem->no_pruning ? NULL : s->problem->tset;
}

static void make_masks(hd_sweep *s) {
  const hd_cert *tset = tset_of(s);
  size_t n = (size_t)s->view->n_locals * s->words;
  s->masks = hd_calloc(n ? n : 1, sizeof *s->masks);
  for (uint32_t i = 0; i < s->n_shared; i++) {
    const uint64_t *row =
        tset && tset->rows ? tset->rows[s->large_of[i]] : NULL;
    if (tset && tset->rows && !row)
      continue;
    for (hd_place_id l = 0; l < s->view->n_locals; l++)
      if (!row || l == s->view->pool || hd_bits_test(row, l))
        hd_bits_set(s->masks + (size_t)l * s->words, i);
  }
}

hd_sweep *hd_sweep_new(const hd_quotient *quotient, const hd_problem *problem) {
  assert(hd_sweep_accepts(quotient));
  hd_sweep *s = hd_calloc(1, sizeof *s);
  s->q = quotient;
  s->view = quotient->view;
  s->problem = problem;
  s->found = HD_NO_ID;
  number_shared(s);
  make_bundles(s);
  make_masks(s);
  s->fresh = new_bits(s);
  s->work = new_bits(s);
  s->shelf = hd_shelf_new(s->words);
  return s;
}

void hd_sweep_delete(hd_sweep *s) {
  if (!s)
    return;
  for (hd_vec_each(bundle, c, &s->bundles)) {
    hd_free(c->same);
    hd_free(c->domain);
  }
  for (hd_vec_each(bucket, b, &s->queue))
    hd_vec_free(b);
  hd_vec_free(&s->queue);
  hd_vec_free(&s->heads);
  hd_vec_free(&s->bundles);
  hd_vec_free(&s->changing);
  hd_shelf_delete(s->shelf);
  hd_vec_free(&s->records);
  hd_vec_free(&s->pending);
  hd_vec_free(&s->events);
  hd_vec_free(&s->added);
  hd_vec_free(&s->current);
  hd_vec_free(&s->next);
  hd_vec_free(&s->tokens);
  hd_free(s->small_of);
  hd_free(s->large_of);
  hd_free(s->masks);
  hd_free(s->fresh);
  hd_free(s->work);
  hd_free(s);
}

/* ---- adding configurations ---- */

static void enqueue(hd_sweep *s, uint32_t id) {
  record *r = &s->records.data[id];
  if (r->queued)
    return;
  r->queued = true;
  uint32_t depth = hd_shelf_members(s->shelf, id);
  while (s->queue.size <= depth) {
    hd_vec_push(&s->queue, (bucket){0});
    hd_vec_push(&s->heads, 0);
  }
  hd_vec_push(&s->queue.data[depth], id);
}

/* The next record, fewest threads first, then the oldest; HD_NO_ID at the end.
 */
static uint32_t dequeue(hd_sweep *s) {
  for (size_t i = 0; i < s->queue.size; i++) {
    bucket *b = &s->queue.data[i];
    if (s->heads.data[i] == b->size)
      continue;
    uint32_t id = b->data[s->heads.data[i]++];
    if (s->heads.data[i] == b->size) {
      b->size = 0;
      s->heads.data[i] = 0;
    }
    s->records.data[id].queued = false;
    return id;
  }
  return HD_NO_ID;
}

/* I2: drops from `bits` what T excludes for `m`. True when none is left. */
static bool mask_by_tset(const hd_sweep *s, const hd_u32s *m, uint64_t *bits) {
  uint64_t left = 0;
  for (size_t i = 0; i < m->size; i++) {
    const uint64_t *mask = s->masks + (size_t)m->data[i] * s->words;
    for (uint32_t w = 0; w < s->words; w++)
      bits[w] &= mask[w];
  }
  for (uint32_t w = 0; w < s->words; w++)
    left |= bits[w];
  return !left;
}

static bool mask_by_linear(const hd_sweep *s, const hd_linear *linear,
                           const hd_u32s *m, uint64_t *bits) {
  hd_i128 sum = 0;
  uint64_t left = 0;
  for (size_t i = 0; i < m->size; i++)
    sum += linear->weight[m->data[i]];
  for (uint32_t w = 0; w < s->words; w++) {
    for (uint64_t rest = bits[w]; rest; rest &= rest - 1) {
      uint32_t bit = (uint32_t)__builtin_ctzll(rest);
      int64_t potential =
          linear->potential ? linear->potential[s->large_of[64 * w + bit]] : 0;
      if (sum + potential > linear->bound)
        bits[w] &= ~((uint64_t)1 << bit);
    }
    left |= bits[w];
  }
  return !left;
}

static bool mask_by_invariants(const hd_sweep *s, const hd_u32s *m,
                               uint64_t *bits) {
  if (s->problem->invariants)
    for (hd_vec_each(const hd_linear, l, &s->problem->invariants->linear))
      if (mask_by_linear(s, l, m, bits))
        return true;
  return false;
}

static bool mask_out(const hd_sweep *s, const hd_u32s *m, uint64_t *bits) {
  return mask_by_tset(s, m, bits) || mask_by_invariants(s, m, bits);
}

/* The members of `m` with their numbers. */
static void count_tokens(const hd_u32s *m, hd_token_vec *tokens) {
  hd_vec_clear(tokens);
  for (hd_vec_each(const uint32_t, l, m))
    if (tokens->size && hd_vec_last(tokens).place == *l)
      hd_vec_last(tokens).count++;
    else
      hd_vec_push(tokens, ((hd_token){.place = *l, .count = 1}));
}

static bool is_initial(const hd_sweep *s, const hd_u32s *m) {
  for (size_t i = 0; i < m->size;) {
    size_t first = i;
    while (i < m->size && m->data[i] == m->data[first])
      i++;
    if (i - first > s->view->available[m->data[first]])
      return false;
  }
  return true;
}

static uint32_t record_of(hd_sweep *s, const hd_u32s *m) {
  uint32_t id = hd_shelf_entry(s->shelf, m);
  if (id == s->records.size) {
    hd_vec_push(&s->records, ((record){.event = HD_NO_ID}));
    for (uint32_t w = 0; w < s->words; w++)
      hd_vec_push(&s->pending, 0);
  }
  return id;
}

static void log_event(hd_sweep *s, uint32_t id, uint32_t parent, uint32_t by,
                      const uint64_t *bits) {
  hd_vec_push(&s->events, ((event){.record = id,
                                   .parent = parent,
                                   .by = by,
                                   .previous = s->records.data[id].event}));
  s->records.data[id].event = (uint32_t)s->events.size - 1;
  for (uint32_t w = 0; w < s->words; w++)
    hd_vec_push(&s->added, bits[w]);
}

/* Adds the multiset `m` with the shared states `bits` (which it changes), less
 * what is excluded or known already. */
static void add(hd_sweep *s, const hd_u32s *m, uint64_t *bits, uint32_t parent,
                uint32_t by) {
  s->candidates++;
  if (mask_out(s, m, bits) || hd_shelf_subtract(s->shelf, m, HD_NO_ENTRY, bits))
    return;
  if (m->size > MAX_THREADS) {
    s->too_large = true;
    return;
  }
  uint32_t id = record_of(s, m);
  log_event(s, id, parent, by, bits);
  hd_shelf_add(s->shelf, id, bits); /* I1: none of them was there */
  uint64_t *pending = s->pending.data + (size_t)id * s->words;
  for (uint32_t w = 0; w < s->words; w++) {
    pending[w] |= bits[w];
    s->configurations += (uint64_t)__builtin_popcountll(bits[w]);
  }
  if (s->init != HD_NO_ID && hd_bits_test(bits, s->init) && is_initial(s, m))
    s->found = id;
  enqueue(s, id);
}

void hd_sweep_seed(hd_sweep *s, hd_shared_id shared, hd_tokens tokens,
                   uint32_t tag) {
  if (s->small_of[shared] == HD_NO_ID || s->found != HD_NO_ID)
    return;
  hd_vec_clear(&s->next);
  for (size_t i = 0; i < tokens.size; i++) {
    if (s->view->available[tokens.data[i].place] == HD_OMEGA) /* I3 */
      continue;
    if (tokens.data[i].count > MAX_THREADS) {
      s->too_large = true;
      return;
    }
    for (hd_count k = 0; k < tokens.data[i].count; k++)
      hd_vec_push(&s->next, tokens.data[i].place);
  }
  memset(s->fresh, 0, s->words * sizeof *s->fresh);
  hd_bits_set(s->fresh, s->small_of[shared]);
  add(s, &s->next, s->fresh, HD_NO_ID, tag);
}

/* ---- going backward ---- */

/* Shared states before an edge of `c` into `bits`, into `fresh`; false when
 * there are none. Edges that keep the shared state count only if `keeping`. */
static bool before_bundle(hd_sweep *s, const bundle *c, const uint64_t *bits,
                          bool keeping) {
  uint64_t any = 0;
  for (uint32_t w = 0; w < s->words; w++) {
    s->fresh[w] = keeping ? bits[w] & c->same[w] : 0;
    any |= s->fresh[w] | (bits[w] & c->domain[w]);
  }
  if (!any)
    return false;
  if (c->changes)
    for (uint32_t i = c->first; i < c->first + c->size; i++)
      if (hd_bits_test(bits, s->changing.data[i].to))
        hd_bits_set(s->fresh, s->changing.data[i].from);
  return true;
}

/* The position of `local` in `m`, or where it would go. */
static size_t find_local(const hd_u32s *m, hd_place_id local, bool *there) {
  size_t i = 0;
  while (i < m->size && m->data[i] < local)
    i++;
  *there = i < m->size && m->data[i] == local;
  return i;
}

/* `next` := the least multiset before `current` by an edge of `c`: less
 * one thread in give, then one more in take, or at least one for a spawn. */
static void step_back(hd_sweep *s, const bundle *c) {
  bool there;
  size_t at = find_local(&s->current, c->give, &there);
  hd_vec_clear(&s->next);
  for (size_t i = 0; i < s->current.size; i++)
    if (!there || i != at)
      hd_vec_push(&s->next, s->current.data[i]);
  if (s->view->available[c->take] == HD_OMEGA) /* I3 */
    return;
  at = find_local(&s->next, c->take, &there);
  if (c->kind == HD_EDGE_SPAWN && there)
    return;
  hd_vec_push(&s->next, 0);
  memmove(s->next.data + at + 1, s->next.data + at,
          (s->next.size - 1 - at) * sizeof *s->next.data);
  s->next.data[at] = c->take;
}

/* Asks the judge about the configurations (bits | m), until it lets ASK_LIMIT
 * of them pass; each one it excludes gives an inequality that may exclude
 * others (I2). True when none is left. */
static bool ask_judge(hd_sweep *s, const hd_u32s *m, uint64_t *bits) {
  if (!s->problem->exclude)
    return false;
  count_tokens(m, &s->tokens);
  uint32_t passed = 0;
  for (size_t bit = hd_bits_next(bits, s->n_shared, 0);
       bit < s->n_shared && passed < ASK_LIMIT;
       bit = hd_bits_next(bits, s->n_shared, bit + 1)) {
    s->asked++;
    if (!s->problem->exclude(s->problem->exclude_context, s->large_of[bit],
                             hd_token_vec_view(&s->tokens))) {
      passed++;
      continue;
    }
    s->excluded++;
    hd_bits_clear(bits, bit);
    if (mask_by_invariants(s, m, bits))
      return true;
  }
  return hd_bits_count(bits, s->words) == 0;
}

static void expand(hd_sweep *s, uint32_t id) {
  uint64_t *pending = s->pending.data + (size_t)id * s->words;
  memcpy(s->work, pending, s->words * sizeof *s->work);
  memset(pending, 0, s->words * sizeof *pending);
  hd_shelf_read(s->shelf, id, &s->current);
  if (hd_shelf_subtract(s->shelf, &s->current, id, s->work) || /* I4 */
      mask_by_invariants(s, &s->current, s->work) ||
      ask_judge(s, &s->current, s->work))
    return;
  for (uint32_t i = 0; i < s->bundles.size && s->found == HD_NO_ID; i++) {
    const bundle *c = &s->bundles.data[i];
    bool there;
    find_local(&s->current, c->give, &there);
    /* Without the thread given, keeping the shared state only adds threads. */
    if ((!there && !c->changes) || !before_bundle(s, c, s->work, there))
      continue;
    step_back(s, c);
    add(s, &s->next, s->fresh, id, i);
  }
}

static void show(hd_sweep *s, hd_run *run, uint32_t id) {
  if (!hd_run_wants_progress(run))
    return;
  hd_progress progress = {
      .engine = "concolic",
      .names = {"configurations", "multisets", "steps", "threads"},
      .values = {s->configurations, s->records.size, s->steps,
                 hd_shelf_members(s->shelf, id)}};
  hd_run_show(run, &progress);
}

/* How many visits take as long as a candidate. */
enum { VISITS = 16 };

hd_sweep_status hd_sweep_run(hd_sweep *s, hd_run *run) {
  uint32_t id;
  uint64_t counted = s->candidates + hd_shelf_visits(s->shelf) / VISITS;
  while (s->found == HD_NO_ID && !s->too_large &&
         (id = dequeue(s)) != HD_NO_ID) {
    uint64_t done = s->candidates + hd_shelf_visits(s->shelf) / VISITS;
    if (!hd_run_spend(run, 1 + done - counted))
      return HD_SWEEP_STOPPED;
    counted = done;
    s->steps++;
    show(s, run, id);
    expand(s, id);
  }
  if (s->found != HD_NO_ID)
    return HD_SWEEP_FOUND;
  return s->too_large ? HD_SWEEP_TOO_LARGE : HD_SWEEP_NONE;
}

/* ---- evidence ---- */

/* The event that added shared state `bit` to record `id`; I1: just one. */
static uint32_t find_event(const hd_sweep *s, uint32_t id, uint32_t bit) {
  for (uint32_t e = s->records.data[id].event; e != HD_NO_ID;
       e = s->events.data[e].previous)
    if (hd_bits_test(s->added.data + (size_t)e * s->words, bit))
      return e;
  return HD_NO_ID;
}

/* The shared state after an edge of event `e`'s bundle from `bit` that the
 * event's parent had by then; `*before` is the event that gave it that. */
static uint32_t find_next(const hd_sweep *s, uint32_t e, uint32_t bit,
                          uint32_t *before) {
  const bundle *c = &s->bundles.data[s->events.data[e].by];
  uint32_t parent = s->events.data[e].parent;
  if (hd_bits_test(c->same, bit)) {
    *before = find_event(s, parent, bit);
    if (*before != HD_NO_ID && *before < e)
      return bit;
  }
  for (uint32_t i = c->first; i < c->first + c->size; i++) {
    if (s->changing.data[i].from != bit)
      continue;
    *before = find_event(s, parent, s->changing.data[i].to);
    if (*before != HD_NO_ID && *before < e)
      return s->changing.data[i].to;
  }
  hd_bug("a configuration of the sweep has no successor");
}

static uint32_t find_edge(const hd_sweep *s, const bundle *c, uint32_t from,
                          uint32_t to) {
  hd_shared_id g = s->large_of[to];
  for (uint32_t i = s->q->in_start[g]; i < s->q->in_start[g + 1]; i++) {
    const hd_view_edge *e = &s->view->edges.data[s->q->in_ids[i]];
    if (e->from == s->large_of[from] && e->take == c->take &&
        e->give == c->give && e->kind == c->kind)
      return s->q->in_ids[i];
  }
  hd_bug("a bundle of the sweep has lost an edge");
}

uint32_t hd_sweep_unroll(const hd_sweep *s, hd_u32s *edges) {
  assert(s->found != HD_NO_ID);
  uint32_t bit = s->init, e = find_event(s, s->found, bit);
  assert(e != HD_NO_ID);
  while (s->events.data[e].parent != HD_NO_ID) {
    uint32_t before;
    uint32_t next = find_next(s, e, bit, &before);
    const bundle *c = &s->bundles.data[s->events.data[e].by];
    hd_vec_push(edges, find_edge(s, c, bit, next));
    bit = next;
    e = before;
  }
  return s->events.data[e].by;
}

/* T, less the shared states that no walk reaches: still inductive. */
static void certify_rows(const hd_sweep *s, hd_cert *cert) {
  const hd_cert *tset = tset_of(s);
  size_t words = hd_bits_words(cert->n_places);
  hd_cert_add_rows(cert);
  for (hd_shared_id g = 0; g < cert->n_shared; g++) {
    if (!hd_bits_test(s->q->reached, g))
      continue;
    if (!tset || !tset->rows)
      for (hd_place_id p = 0; p < cert->n_places; p++)
        hd_bits_set(hd_cert_row(cert, g), p);
    else if (tset->rows[g])
      memcpy(hd_cert_row(cert, g), tset->rows[g], words * sizeof(uint64_t));
  }
}

/* What was excluded after it was added has not been expanded and is not part of
 * the basis; what it covered is excluded with it. */
static void certify_record(hd_sweep *s, uint32_t id, hd_cert *cert) {
  hd_shelf_read(s->shelf, id, &s->current);
  memcpy(s->work, hd_shelf_set(s->shelf, id), s->words * sizeof *s->work);
  if (mask_by_invariants(s, &s->current, s->work) ||
      hd_shelf_subtract(s->shelf, &s->current, id, s->work))
    return;
  count_tokens(&s->current, &s->tokens);
  for (size_t bit = hd_bits_next(s->work, s->n_shared, 0); bit < s->n_shared;
       bit = hd_bits_next(s->work, s->n_shared, bit + 1))
    hd_cert_add_config(cert, s->large_of[bit], hd_token_vec_view(&s->tokens));
}

hd_cert *hd_sweep_certificate(hd_sweep *s) {
  const hd_net *net = s->view->net;
  hd_cert *cert = hd_cert_new(HD_CERT_BACKWARD, net->n_shared, net->n_places);
  certify_rows(s, cert);
  if (s->problem->invariants)
    hd_cert_copy_linear(cert, s->problem->invariants);
  for (uint32_t id = 0; id < s->records.size; id++)
    certify_record(s, id, cert);
  return cert;
}

void hd_sweep_report(const hd_sweep *s, hd_result *result) {
  hd_result_stat(result, "concolic.sweep.multisets", "",
                 (double)s->records.size, "multisets of locals");
  hd_result_stat(result, "concolic.sweep.visits", "",
                 (double)hd_shelf_visits(s->shelf),
                 "trie nodes visited for subsumption");
#define X(name, help)                                                          \
  hd_result_stat(result, "concolic.sweep." #name, "", (double)s->name, help);
  SWEEP_STATS(X)
#undef X
}
