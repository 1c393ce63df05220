/* SPDX-License-Identifier: MIT */
/* Cutoffs: events with nothing new behind them.
 *
 * An event e is a cutoff if there is an event f with a smaller history that leads
 * to the same positions of all threads and the same states of all locks, and to
 * values that contain those behind e: whatever can follow e follows f as well.
 * "Smaller" has to be an adequate order: if what follows e is moved behind f, the
 * whole is smaller than before, so that this ends (Esparza, Römer, Vogler).
 *
 * Threads that nobody can tell apart may have changed places. That is so when the
 * program has no function that takes or gives the handle of a thread
 * (`anonymous`), and the threads have the same creator, have created nobody, and
 * have no objects of their own. Then a renaming of threads maps runs to runs; e is
 * a cutoff as well if it is covered by f after a renaming. What follows e is then
 * moved behind f under other names. So the order has to decide between e and f by
 * something that such an extension keeps:
 *
 *   1. the sizes of the histories;
 *   2. the numbers of events on each public resource, one that has the same name
 *      under all renamings;
 *   3. the edges of these events in their order, one resource after the other;
 *   4. their threads in their order, on one public resource (`leading`): the first
 *      that a thread other than main works on.
 *
 * An extension adds as many events with the same edges at the end of each
 * sequence. So 1 to 3 are kept; and so is 4, since the first difference is not in
 * what is added, and no other resource is asked before. Only without a renaming
 * the order goes on:
 *
 *   5. the threads of events on the other public resources;
 *   6. the events on other resources, their numbers first. */
#include "engine/unfold/event.h"
#include "engine/unfold/terms.h"

#include <string.h>

/* --- the order --- */

/* Has it the same name whatever threads are called? */
static bool is_public(const structure *s, resource_id r) {
  assert(r < s->resources.size);
  const resource_key *key = &s->resources.items[r].key;
  return key->kind == RES_ATOMIC ||
         (key->kind != RES_LIFE && object_of(s->a, key->what)->thread == 0);
}

/* The last event on a resource in the history of a candidate, which it is not
 * itself. */
static event_id last_before(const structure *s, const candidate *c,
                            resource_id r) {
  assert(c->prev < s->events.size && c->n_resources <= MAX_RESOURCES);
  event_id at = hd_structure_last(s, c->prev, r);
  for (uint32_t i = 0; i < c->n_resources; i++)
    if (c->before[i] != HD_NO_ID)
      at = hd_structure_later(s, at, hd_structure_last(s, c->before[i], r));
  return at;
}

static bool works_on(const candidate *c, resource_id r) {
  return (c->n_resources > 0 && c->resources[0] == r) ||
         (c->n_resources > 1 && c->resources[1] == r);
}

/* How many events on a resource there are in the history of a candidate. */
static uint32_t length(const structure *s, const candidate *c, resource_id r) {
  event_id last = last_before(s, c, r);
  uint32_t n = works_on(c, r);
  if (last == HD_NO_ID)
    return n;
  const event *e = &s->events.data[last];
  return n + e->nth[event_slot(e, r)];
}

static int sign_of(uint32_t x, uint32_t y) {
  return x < y ? -1 : x > y;
}

/* An event on a resource: of a candidate's history, or (`self`) the candidate. */
typedef struct {
  const candidate *c;
  bool self;
  event_id event;
} place;

static place last_place(const structure *s, const candidate *c, resource_id r) {
  return (place){c, works_on(c, r), last_before(s, c, r)};
}

static thread_id thread_at(const structure *s, const place *p) {
  return s->events.data[p->self ? p->c->prev : p->event].thread;
}

static hd_edge_id edge_at(const structure *s, const place *p) {
  return p->self ? s->events.data[p->c->prev].stops.data[p->c->stop].edge
                 : s->events.data[p->event].edge;
}

static void go_up(const structure *s, place *p, resource_id r) {
  if (!p->self) {
    const event *e = &s->events.data[p->event];
    p->event = e->before[event_slot(e, r)];
  }
  p->self = false;
}

typedef struct {
  int edge, thread; /* which is smaller where they differ first; 0: nowhere */
} difference;

/* Of two sequences of events on a resource, of the same length. They are ways in
 * a tree: above the event where they meet they are the same. */
static difference differ(const structure *s, const candidate *x,
                         const candidate *y, resource_id r) {
  difference d = {0, 0};
  place p = last_place(s, x, r), q = last_place(s, y, r);
  while (p.self || q.self || p.event != q.event) {
    /* None of them ends before they meet. */
    assert((p.self || p.event != HD_NO_ID) && (q.self || q.event != HD_NO_ID));
    int edge = sign_of(edge_at(s, &p), edge_at(s, &q));
    int thread = sign_of(thread_at(s, &p), thread_at(s, &q));
    d.edge = edge ? edge : d.edge;
    d.thread = thread ? thread : d.thread;
    go_up(s, &p, r);
    go_up(s, &q, r);
  }
  return d;
}

static int compare_lengths(const structure *s, const candidate *x,
                           const candidate *y, bool public) {
  int sign = 0;
  for (resource_id r = 0; r < s->resources.size && !sign; r++)
    if (is_public(s, r) == public)
      sign = sign_of(length(s, x, r), length(s, y, r));
  return sign;
}

/* Until then only main has worked on public resources, so that it makes no
 * difference which of them leads. */
void hd_cutoff_lead(structure *s, const candidate *c) {
  assert(c->prev < s->events.size);
  if (s->has_leading || s->events.data[c->prev].thread == 0)
    return;
  for (uint32_t i = 0; i < c->n_resources && !s->has_leading; i++)
    if (is_public(s, c->resources[i])) {
      s->has_leading = true;
      s->leading = c->resources[i];
    }
}

int hd_cutoff_compare(const structure *s, const candidate *x,
                      const candidate *y, bool *under_names) {
  bool unused;
  under_names = under_names ? under_names : &unused;
  *under_names = true;
  if (x->size != y->size)
    return sign_of(x->size, y->size);
  int sign = compare_lengths(s, x, y, true);
  if (sign)
    return sign;
  int by_leading = 0, by_threads = 0;
  for (resource_id r = 0; r < s->resources.size; r++) {
    if (!is_public(s, r))
      continue;
    difference d = differ(s, x, y, r);
    if (d.edge)
      return d.edge;
    if (s->has_leading && r == s->leading)
      by_leading = d.thread;
    by_threads = by_threads ? by_threads : d.thread;
  }
  if (by_leading)
    return by_leading;
  *under_names = false;
  sign = by_threads ? by_threads : compare_lengths(s, x, y, false);
  for (resource_id r = 0; r < s->resources.size && !sign; r++)
    if (!is_public(s, r)) {
      difference d = differ(s, x, y, r);
      sign = d.edge ? d.edge : d.thread;
    }
  return sign;
}

/* --- states --- */

const resource_state *hd_structure_state(const structure *s, event_id e,
                                         resource_id r) {
  event_id last = hd_structure_last(s, e, r);
  if (last == HD_NO_ID)
    return NULL;
  const event *f = &s->events.data[last];
  return &f->after[event_slot(f, r)];
}

/* The same for all events that may cover each other. */
static uint64_t sign(const structure *s, event_id e) {
  assert(e < s->events.size);
  const event *f = &s->events.data[e];
  bool anonymous = s->a->anonymous;
  uint64_t h = 0, sum = 0;
  for (thread_id t = 0; t < f->cut.size; t++)
    if (f->cut.data[t] != HD_NO_ID) {
      const frame *at = hd_structure_place(s, e, t);
      uint64_t here = at ? hd_frame_hash_control(at) : 1;
      sum += hd_hash_mix(here, anonymous && t ? 1 : t);
    }
  h = hd_hash_mix(h, sum);
  for (resource_id r = 0; r < f->last.size; r++) {
    const resource_state *x = hd_structure_state(s, e, r);
    if (!x || !x->started || (anonymous && !is_public(s, r)))
      continue;
    uint64_t owner = anonymous ? x->owner != HD_NO_ID : x->owner;
    h = hd_hash_mix(h, (owner << 32 | x->count) + r);
  }
  return h;
}

bool hd_resource_is_idle(const resource_state *x) {
  return !x ||
         (!x->started && x->owner == HD_NO_ID && !x->count && !x->destroyed &&
          !x->exited && !x->joined && !x->done && !x->readers && !x->waiters);
}

/* --- which thread of f is which of e --- */

enum { MAX_RENAMED = 63 }; /* as many as sets of threads tell apart */

typedef struct {
  structure *s;
  event_id e, f;
  size_t threads;
  bool renames; /* not all are what they are called */
  thread_id to[MAX_RENAMED];
} renaming;

static thread_id renamed(const renaming *n, thread_id t) {
  return n->renames && t < n->threads ? n->to[t] : t;
}

static uint64_t renamed_set(const renaming *n, uint64_t set) {
  uint64_t out = 0;
  if (!n->renames)
    return set;
  for (; set; set &= set - 1) {
    thread_id t = renamed(n, (thread_id)__builtin_ctzll(set));
    assert(t < 64);
    out |= (uint64_t)1 << t;
  }
  return out;
}

/* Where thread t is in e, and u in f. */
static bool same_position(const renaming *n, thread_id t, thread_id u) {
  const structure *s = n->s;
  event_id a = hd_structure_cut(s, n->e, t), b = hd_structure_cut(s, n->f, u);
  if (a == HD_NO_ID || b == HD_NO_ID)
    return a == b;
  const frame *p = hd_structure_place(s, n->e, t),
              *q = hd_structure_place(s, n->f, u);
  if (!p != !q || (p && (!hd_frame_same_control(p, q) ||
                         !hd_frame_within(s->a->code, p, q))))
    return false;
  /* Threads are told apart by how many their creator had created. */
  const event *x = &s->events.data[a], *y = &s->events.data[b];
  return (x->thread == t ? x->creates : 0) == (y->thread == u ? y->creates : 0);
}

static bool same_resource(const renaming *n, const resource_state *x,
                          const resource_state *y) {
  if (hd_resource_is_idle(x) || hd_resource_is_idle(y))
    return hd_resource_is_idle(x) && hd_resource_is_idle(y);
  return renamed(n, x->owner) == y->owner && x->count == y->count &&
         x->mutex == y->mutex && x->writer == y->writer &&
         x->started == y->started && x->destroyed == y->destroyed &&
         x->exited == y->exited && x->joined == y->joined &&
         renamed_set(n, x->readers) == y->readers && x->done == y->done &&
         renamed_set(n, x->waiters) == y->waiters && x->needed == y->needed &&
         (!x->exited || hd_value_within(&x->result, &y->result));
}

/* The resource of f that is e's r. */
static resource_id renamed_resource(const renaming *n, resource_id r) {
  const resource_key *key = &n->s->resources.items[r].key;
  if (key->kind != RES_LIFE || renamed(n, key->what) == key->what)
    return r;
  return hd_structure_resource(
      n->s, (resource_key){RES_LIFE, renamed(n, key->what), 0});
}

/* What f's history says about inputs that still matter is true of e's, too. The
 * states have the same terms, so they are the same inputs. */
static bool condition_covered(const renaming *n) {
  const structure *s = n->s;
  const event *x = &s->events.data[n->e], *y = &s->events.data[n->f];
  if (!y->condition.size)
    return true;
  uint64_t variables = hd_terms_in_memory(s->a, y->state.memory);
  for (thread_id t = 0; t < y->cut.size; t++)
    if (y->cut.data[t] != HD_NO_ID)
      variables |= hd_terms_in_frame(s->a, hd_structure_place(s, n->f, t));
  for (resource_id r = 0; r < s->resources.size; r++) {
    const resource_state *z = hd_structure_state(s, n->f, r);
    variables |= z && z->exited ? hd_terms_in_value(s->a, &z->result) : 0;
  }
  return hd_terms_implied(s->a, &x->condition, &y->condition, variables);
}

/* Everything that can follow e can follow f. */
static bool covered(const renaming *n) {
  structure *s = n->s;
  for (thread_id t = 0; t < n->threads; t++)
    if (!same_position(n, t, renamed(n, t)))
      return false;
  size_t resources = s->resources.size;
  for (resource_id r = 0; r < resources; r++)
    if (!same_resource(n, hd_structure_state(s, n->e, r),
                       hd_structure_state(s, n->f, renamed_resource(n, r))))
      return false;
  const event *x = &s->events.data[n->e], *y = &s->events.data[n->f];
  return hd_memory_within(x->state.memory, y->state.memory) &&
         (!s->a->terms || condition_covered(n)) &&
         (!s->a->strict || hd_structure_past_covered(s, n->e, n->f));
}

/* Nothing but its position tells it apart from its siblings. */
static bool is_nameless(const renaming *n, thread_id t) {
  const structure *s = n->s;
  if (!t || hd_structure_cut(s, n->e, t) == HD_NO_ID)
    return false;
  for (hd_object_id i = 0; i < s->a->objects.size; i++) {
    const object_key *key = object_of(s->a, i);
    if (key->thread == t && !object_is_global(key->kind) &&
        key->kind != OBJ_FUNC)
      return false;
  }
  for (size_t i = 0; i < s->a->threads.size; i++)
    if (s->a->threads.items[i].key.parent == t)
      return false;
  return true;
}

static thread_id creator(const renaming *n, thread_id t) {
  assert(t > 0 && t <= n->s->a->threads.size); /* nobody creates main */
  return n->s->a->threads.items[t - 1].key.parent;
}

/* What a thread is to a resource. */
static uint32_t role(const resource_state *x, thread_id t) {
  assert(t < 64);
  if (!x)
    return 0;
  return (x->owner == t) + 2 * (uint32_t)(x->readers >> t & 1) +
         4 * (uint32_t)(x->waiters >> t & 1);
}

static bool same_roles(const renaming *n, thread_id t, thread_id u) {
  for (resource_id r = 0; r < n->s->resources.size; r++)
    if (is_public(n->s, r) && role(hd_structure_state(n->s, n->e, r), t) !=
                                  role(hd_structure_state(n->s, n->f, r), u))
      return false;
  return true;
}

typedef struct {
  uint64_t fits[MAX_RENAMED]; /* per thread of e, those of f it may be */
  uint64_t tried;
  thread_id from[MAX_RENAMED]; /* per thread of f, which of e it is; HD_NO_ID */
} matching;

/* Finds a thread of f for t; others may have to take another one (an augmenting
 * path). */
static bool match(matching *m, thread_id t) {
  for (uint64_t left = m->fits[t]; left; left &= left - 1) {
    thread_id u = (thread_id)__builtin_ctzll(left);
    if (m->tried >> u & 1)
      continue;
    m->tried |= (uint64_t)1 << u;
    if (m->from[u] == HD_NO_ID || match(m, m->from[u])) {
      m->from[u] = t;
      return true;
    }
  }
  return false;
}

/* A renaming by which all threads are in the same positions; what else there is
 * to compare is for `covered`. False: there is none. */
static bool find_names(renaming *n) {
  matching m = {.tried = 0};
  bool nameless[MAX_RENAMED];
  if (n->threads > MAX_RENAMED)
    return false;
  for (thread_id t = 0; t < n->threads; t++) {
    nameless[t] = is_nameless(n, t);
    m.from[t] = HD_NO_ID;
  }
  for (thread_id t = 0; t < n->threads; t++)
    for (thread_id u = 0; u < n->threads; u++)
      if ((t == u ||
           (nameless[t] && nameless[u] && creator(n, t) == creator(n, u))) &&
          same_position(n, t, u) && same_roles(n, t, u))
        m.fits[t] |= (uint64_t)1 << u;
  for (thread_id t = 0; t < n->threads; t++) {
    m.tried = 0;
    if (!match(&m, t))
      return false;
  }
  for (thread_id u = 0; u < n->threads; u++) {
    assert(m.from[u] < n->threads); /* each has found one */
    n->to[m.from[u]] = u;
  }
  n->renames = true;
  return true;
}

/* An event as the candidate it was. */
static candidate candidate_of(const event *e) {
  candidate c = {.prev = e->prev,
                 .stop = e->stop,
                 .n_resources = e->n_resources,
                 .size = e->size};
  memcpy(c.resources, e->resources, sizeof c.resources);
  memcpy(c.before, e->before, sizeof c.before);
  return c;
}

static bool covers(structure *s, event_id e, event_id f) {
  assert(e < s->events.size);
  assert(f < s->events.size);
  const event *x = &s->events.data[e], *y = &s->events.data[f];
  candidate c = candidate_of(x), d = candidate_of(y);
  renaming n = {.s = s, .e = e, .f = f};
  n.threads = x->cut.size > y->cut.size ? x->cut.size : y->cut.size;
  bool under_names;
  if (hd_cutoff_compare(s, &d, &c, &under_names) >= 0)
    return false;
  assert(!y->cutoff); /* or one could be moved behind the other for ever */
  if (covered(&n))
    return true;
  return under_names && s->a->anonymous && !s->a->strict && find_names(&n) &&
         covered(&n);
}

/* Can nothing follow f but ends of threads, which nobody notices? */
static bool is_over(const structure *s, event_id f) {
  if (!s->a->anonymous)
    return false;
  for (thread_id t = 0; t < s->events.data[f].cut.size; t++) {
    event_id last = hd_structure_cut(s, f, t);
    if (last == HD_NO_ID)
      continue;
    if (s->events.data[last].thread != t)
      return false; /* it has not started */
    for (hd_vec_each(const stop, x, &s->events.data[last].stops))
      if (x->edge != HD_NO_ID)
        return false;
  }
  return true;
}

bool hd_cutoff_search(structure *s, event_id e) {
  assert(s->events.data[e].kind != EV_START && !s->events.data[e].cutoff);
  hd_u32s none = {0};
  hd_u32s *list = sign_map_put(&s->signs, sign(s, e), none, NULL);
  if (!s->a->options->no_cutoffs)
    for (hd_vec_each(const uint32_t, f, list))
      if (covers(s, e, *f)) {
        s->events.data[e].over = is_over(s, *f);
        return true;
      }
  hd_vec_push(list, e);
  return false;
}
