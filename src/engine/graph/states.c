/* SPDX-License-Identifier: MIT */
/* States of weak memory. A state is that of the machine, and of each atomic place
 * the writes that somebody may still read, or write before, with what they publish and
 * who knows of them. From a state every thread makes its next event in every way
 * that coherence and atomicity allow: a read reads from any write that is not
 * older than what its thread knows, a write goes to any place of the order behind
 * that. Every execution of RC11 is made so, in an order of its events that
 * program order and reading allow, and every part of it on the way.
 *
 * Who comes back to where it was, and has changed nothing since, only knows more: what
 * is possible then is possible without that round. What a thread has gone through since
 * it changed anything is a part of the state, so that this decides the same for
 * all ways to a state.
 *
 * The axiom about seq_cst does not keep executions away, as two ways to one state
 * may differ in it. So SAFE is a proof, and a violation counts if the axioms allow
 * the graph it was found by; else nothing is known. */
#include "engine/graph/graph.h"
#include "engine/graph/robust.h"

#include "base/hash.h"
#include "model/calls.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  uint64_t a, b;
} state_key;

#define HD_MAP state_map
#define HD_KEY state_key
#define HD_VAL uint8_t /* on the way to where the search is */
#define HD_HASH(k) ((k).a)
#define HD_EQ(x, y) ((x).a == (y).a && (x).b == (y).b)
#include "base/map_templ.h"

typedef struct {
  graph_search *s;
  state_map seen;
  bool cycles, waits;
  bool all;       /* reads that come to the same are all made */
  bool again;     /* a byte turned out to be accessed plainly, too */
  uint64_t mixes; /* how many of those states tell apart */
  size_t values;  /* that inputs are tried with, beside those of opaque.c */
  uint32_t depth;
  uint64_t states, unknown;
} state_search;

static bool visit(state_search *x, node *n);

/* --- states as bytes --- */

typedef struct {
  uint64_t address;
  uint32_t loc;
} live_place;

typedef struct {
  const node *n;
  const bool *reads; /* of each thread */
  hd_bytes bytes;
  hd_vec(hd_moment) moments;
  hd_vec(hd_told) messages;
} encoding;

static void number(encoding *e, uint64_t value) {
  while (value >= 0x80) {
    hd_vec_push(&e->bytes, (uint8_t)(value | 0x80));
    value >>= 7;
  }
  hd_vec_push(&e->bytes, (uint8_t)value);
}

static int by_address(const void *a, const void *b) {
  uint64_t x = ((const live_place *)a)->address;
  uint64_t y = ((const live_place *)b)->address;
  return (x > y) - (x < y);
}

/* May each thread read something next? Who waits for the end of
 * another will know what that one knows; who ends all others reads nothing. */
static bool *find_readers(const node *n) {
  bool *reads = hd_calloc(n->p.threads.size + 1, sizeof *reads);
  for (hd_tid t = 0; t < n->p.threads.size; t++)
    reads[t] = hd_machine_alive(n->p.machine, t) &&
               hd_machine_awaits(n->p.machine, t) == HD_NO_ID &&
               !hd_machine_at_end(n->p.machine, t);
  return reads;
}

/* The first position that any thread may still read. */
static size_t base_of(const node *n, const bool *reads, uint32_t loc) {
  size_t base = SIZE_MAX;
  for (hd_tid t = 0; t < n->p.threads.size; t++)
    if (reads[t]) {
      size_t least = hd_graph_least_of(n, t, loc);
      base = least < base ? least : base;
    }
  return base == SIZE_MAX ? n->g.locs.data[loc].order.size : base;
}

/* Of interleavings only the last write is read. */
static size_t base_at(const node *n, const bool *reads, uint32_t loc) {
  return n->p.search->robust ? n->g.locs.data[loc].order.size
                             : base_of(n, reads, loc);
}

/* Of each thread, the first event that has seen a position above `base`. */
static void put_events(encoding *e, uint32_t loc, uint32_t place, size_t base) {
  const graph *g = &e->n->g;
  for (hd_tid t = 0; t < g->threads.size; t++) {
    size_t last = base;
    for (size_t i = 0; i < g->threads.data[t].size; i++) {
      graph_id id = g->threads.data[t].data[i];
      const graph_event *event = &g->events.data[id];
      if (event->loc != loc || !event->made)
        continue;
      size_t at =
          hd_graph_position(g, loc, graph_writes(event) ? id : event->from);
      if (at <= last)
        continue;
      last = at;
      hd_moment moment = {.thread = t,
                          .time = event->made->time,
                          .place = place,
                          .position = at - base};
      hd_vec_push(&e->moments, moment);
    }
  }
}

static const hd_message *message_at(const graph *g, uint32_t loc, size_t at) {
  graph_id write = hd_graph_source_at(g, loc, at);
  return write == HD_NO_ID ? g->locs.data[loc].initial
                           : g->events.data[write].made->message;
}

typedef struct {
  uint64_t value;
  uint64_t free; /* an update may read it */
} older_value;

static int by_value(const void *a, const void *b) {
  const older_value *x = a, *y = b;
  return x->value != y->value ? (x->value > y->value) - (x->value < y->value)
                              : (x->free > y->free) - (x->free < y->free);
}

/* Of interleavings: which other values somebody might still read, if he must not
 * have read the last one (is_harmless). */
static void put_older(encoding *e, uint32_t loc) {
  hd_vec(older_value) all = {0};
  size_t last = e->n->g.locs.data[loc].order.size;
  for (size_t at = base_of(e->n, e->reads, loc); at < last; at++) {
    older_value one = {.value = hd_message_value(message_at(&e->n->g, loc, at)),
                       .free = hd_graph_may_insert(&e->n->g, loc, at)};
    hd_vec_push(&all, one);
  }
  if (all.size)
    qsort(all.data, all.size, sizeof *all.data, by_value);
  number(e, last != 0);
  for (size_t i = 0; i < all.size; i++)
    if (!i || by_value(&all.data[i], &all.data[i - 1])) {
      number(e, all.data[i].value);
      number(e, 1 + all.data[i].free);
    }
  number(e, 0);
  number(e, 0);
  hd_vec_free(&all);
}

static void put_place(encoding *e, uint32_t loc, uint32_t place) {
  const graph *g = &e->n->g;
  const graph_loc *l = &g->locs.data[loc];
  size_t base = base_at(e->n, e->reads, loc);
  const bool robust = e->n->p.search->robust;
  number(e, l->address);
  number(e, l->size);
  number(e, l->order.size - base);
  if (robust)
    put_older(e, loc);
  for (size_t at = base; at <= l->order.size; at++) {
    number(e, hd_graph_may_insert(g, loc, at));
    hd_told told = {.message = message_at(g, loc, at), .head = HD_NO_ID};
    hd_vec_push(&e->messages, told);
  }
  for (hd_tid t = 0; t < e->n->p.threads.size && e->n->p.search->heads; t++) {
    const hd_message *own =
        hd_machine_alive(e->n->p.machine, t) && t < g->threads.size
            ? hd_play_own_last(g, t, g->threads.data[t].size, loc)
            : NULL;
    number(e, own != NULL);
    hd_told told = {.message = own, .head = t};
    if (own)
      hd_vec_push(&e->messages, told);
  }
  put_events(e, loc, place, robust && base ? base - 1 : base);
}

static bool gives_up(const hd_code *code, const graph_event *event) {
  hd_library_fn fn = hd_call_of(code, &code->edges.data[event->edge]);
  hd_action action = fn == HD_LIB_NONE ? HD_DO_COMPUTE : hd_library_action(fn);
  return action == HD_DO_RELEASE || action == HD_DO_PARK;
}

/* … of what is tried, if it is something to wait for: who knows that it was given
 * up? */
static void put_given_up(encoding *e, uint32_t loc, uint32_t place) {
  const graph *g = &e->n->g;
  const hd_code *code = e->n->p.search->code;
  const graph_ids *order = &g->locs.data[loc].order;
  size_t at = order->size;
  while (at && !gives_up(code, &g->events.data[order->data[at - 1]]))
    at--;
  number(e, at != 0);
  if (at)
    put_events(e, loc, place, at - 1);
}

static size_t put_places(encoding *e) {
  hd_vec(live_place) places = {0};
  for (hd_vec_each(const play_place, p, &e->n->p.places))
    if ((p->size || e->n->p.search->tries) &&
        !(p->size && hd_machine_is_lost(e->n->p.machine, p->address))) {
      live_place place = {.address = p->address, .loc = p->loc};
      hd_vec_push(&places, place);
    }
  if (places.size)
    qsort(places.data, places.size, sizeof *places.data, by_address);
  for (size_t i = 0; i < places.size; i++)
    if (e->n->g.locs.data[places.data[i].loc].size)
      put_place(e, places.data[i].loc, (uint32_t)i);
    else
      put_given_up(e, places.data[i].loc, (uint32_t)i);
  number(e, 0);
  size_t n = places.size;
  hd_vec_free(&places);
  return n;
}

static void put_awareness(encoding *e) {
  if (!e->n->p.search->robust)
    return;
  hd_vec(live_place) places = {0};
  robust_places locs = {0};
  for (hd_vec_each(const play_place, p, &e->n->p.places)) {
    live_place place = {.address = p->address, .loc = p->loc};
    if (!p->size || !hd_machine_is_lost(e->n->p.machine, p->address))
      hd_vec_push(&places, place);
  }
  if (places.size)
    qsort(places.data, places.size, sizeof *places.data, by_address);
  for (size_t i = 0; i < places.size; i++) {
    number(e, places.data[i].address);
    hd_vec_push(&locs, places.data[i].loc);
  }
  hd_robust_encode(e->n, &locs, &e->bytes);
  hd_vec_free(&places);
  hd_vec_free(&locs);
}

static int by_hash(const void *a, const void *b) {
  const play_point *x = a, *y = b;
  return (x->hash > y->hash) - (x->hash < y->hash);
}

/* In any order, but for which of them came before it got a lock. */
static void put_points(encoding *e, const play_thread *t) {
  hd_vec(play_point) points = {0};
  size_t from = 0;
  for (size_t i = 0; i < t->points.size; i++)
    hd_vec_push(&points, t->points.data[i]);
  for (size_t h = 0; h <= t->held.size; h++) {
    size_t to = h < t->held.size ? t->held.data[h].points : points.size;
    if (to > from)
      qsort(points.data + from, to - from, sizeof *points.data, by_hash);
    number(e, to);
    from = to > from ? to : from;
  }
  for (size_t i = 0; i < points.size; i++) {
    number(e, points.data[i].hash);
    number(e, points.data[i].behind);
  }
  hd_vec_free(&points);
}

static int by_user(const void *a, const void *b) {
  const play_user *x = a, *y = b;
  return x->address != y->address
             ? (x->address > y->address) - (x->address < y->address)
             : (x->thread > y->thread) - (x->thread < y->thread);
}

/* One more at a barrier may be one too many. */
static void put_users(encoding *e) {
  hd_vec(play_user) users = {0};
  for (hd_vec_each(const play_user, u, &e->n->p.users))
    hd_vec_push(&users, *u);
  if (users.size)
    qsort(users.data, users.size, sizeof *users.data, by_user);
  number(e, users.size);
  for (hd_vec_each(const play_user, u, &users)) {
    number(e, u->address);
    number(e, u->thread);
  }
  hd_vec_free(&users);
}

/* Memory that nobody can come to any more, by a write that may be read either. */
static void lose(node *n, const bool *reads) {
  hd_vec(hd_told) messages = {0};
  for (hd_vec_each(const play_place, p, &n->p.places)) {
    const graph_loc *l = &n->g.locs.data[p->loc];
    if (!p->size || hd_machine_is_lost(n->p.machine, p->address))
      continue;
    for (size_t at = base_at(n, reads, p->loc); at <= l->order.size; at++) {
      hd_told told = {.message = message_at(&n->g, p->loc, at)};
      hd_vec_push(&messages, told);
    }
  }
  hd_machine_lose(n->p.machine, messages.data, messages.size);
  hd_vec_free(&messages);
}

/* Two hashes of it, a word at a time. */
static state_key hash(const hd_bytes *bytes) {
  state_key key = {.a = bytes->size, .b = ~(uint64_t)bytes->size};
  for (size_t i = 0; i < bytes->size; i += sizeof(uint64_t)) {
    uint64_t word = 0;
    size_t left = bytes->size - i;
    memcpy(&word, bytes->data + i, left < sizeof word ? left : sizeof word);
    key.a = hd_hash_mix(key.a, word);
    key.b = (key.b ^ word) * 0xC2B2AE3D27D4EB4Fu;
    key.b = (key.b << 31 | key.b >> 33) ^ key.a >> 17;
  }
  return key;
}

static state_key key_of(node *n) {
  bool *reads = find_readers(n);
  encoding e = {.n = n, .reads = reads};
  lose(n, reads);
  hd_machine_encode_live(n->p.machine, &e.bytes);
  for (hd_vec_each(const play_thread, t, &n->p.threads)) {
    number(&e, t->state == THREAD_ASSUMES);
    put_points(&e, t);
  }
  put_users(&e);
  size_t places = put_places(&e);
  put_awareness(&e);
  hd_machine_encode_views(n->p.machine, n->p.search->fences, e.moments.data,
                          e.moments.size, places, e.messages.data,
                          e.messages.size, &e.bytes);
  state_key key = hash(&e.bytes);
  hd_vec_free(&e.bytes);
  hd_vec_free(&e.moments);
  hd_vec_free(&e.messages);
  hd_free(reads);
  return key;
}

/* --- steps --- */

/* A violation counts in a graph that the axioms allow. */
static void end_run(state_search *x, const node *n) {
  bool found = hd_machine_violations(n->p.machine) != 0;
  if (found && !hd_graph_allowed(&n->g, x->s->model))
    x->unknown++;
  else
    hd_graph_end_badly(x->s, n);
}

static bool go_on(state_search *x, node *n, uint32_t loc) {
  if (n->p.failed) {
    end_run(x, n);
    hd_graph_node_free(n);
    return true;
  }
  if (loc != HD_NO_ID)
    hd_play_settle(&n->p, &n->g, loc);
  return visit(x, n);
}

static bool make_choices(state_search *x, const node *n,
                         const play_next *next) {
  hd_turn_choices choices = {0};
  bool fresh = false;
  hd_graph_choices_of(x->s, n, next->event.thread, next->choices, &choices);
  for (size_t c = 0; c < choices.size && !x->s->stop; c++) {
    node one;
    hd_graph_node_copy(&one, n);
    graph_event e = next->event;
    e.choice = choices.data[c];
    one.p.drawn = hd_opaque_drawn(n->p.machine, e.thread, e.choice, n->p.drawn);
    hd_play_event(&one.p, &one.g, hd_graph_add_event(&one, e));
    fresh = go_on(x, &one, HD_NO_ID) || fresh;
  }
  hd_vec_free(&choices);
  return fresh;
}

/* A lock that is free may be found taken by who does not know that it was given up.
 * Some interleaving does that, too, unless the thread is aware of what came last. */
static bool finds_older(state_search *x, const node *n, const play_next *next) {
  const graph_ids *order = &n->g.locs.data[next->event.loc].order;
  const hd_tid thread = next->event.thread;
  if (!x->s->robust || !hd_machine_stale(n->p.machine, thread))
    return false;
  if (order->size && hd_robust_is_aware(n, thread, hd_vec_last(order))) {
    x->s->weaker = next->event.edge;
    x->s->stop = true;
  }
  return true;
}

static void make_wait(state_search *x, const node *n, const play_next *next) {
  uint32_t loc = next->event.loc;
  size_t last = n->g.locs.data[loc].order.size;
  uint64_t choices = finds_older(x, n, next) ? 1 : next->choices;
  for (uint64_t c = 0; c < choices && !x->s->stop; c++) {
    node one;
    hd_graph_node_copy(&one, n);
    graph_event e = next->event;
    e.from = hd_graph_source_at(&n->g, loc, last);
    e.choice = c;
    graph_id id = hd_graph_add_event(&one, e);
    hd_play_event(&one.p, &one.g, id);
    hd_graph_insert(&one.g, id, last);
    go_on(x, &one, HD_NO_ID);
  }
}

static void make_access(state_search *x, const node *n, const play_next *next,
                        size_t at, uint64_t choice) {
  uint32_t loc = next->event.loc;
  node one;
  hd_graph_node_copy(&one, n);
  graph_event e = next->event;
  if (e.kind != GRAPH_WRITE)
    e.from = hd_graph_source_at(&n->g, loc, at);
  e.choice = choice;
  graph_id id = hd_graph_add_event(&one, e);
  hd_play_event(&one.p, &one.g, id);
  if (one.g.events.data[id].kind == GRAPH_READ) {
    go_on(x, &one, loc);
  } else if (hd_graph_may_insert(&n->g, loc, at)) {
    hd_graph_insert(&one.g, id, at);
    go_on(x, &one, loc);
  } else {
    hd_graph_node_free(&one);
  }
}

/* Is there an older write that says the same, or less? Who reads that may still do
 * whatever who reads this one may. */
static bool is_idle(const node *n, const play_next *next, size_t least,
                    size_t at) {
  if (next->event.kind != GRAPH_READ)
    return false;
  uint32_t loc = next->event.loc;
  const hd_message *this = message_at(&n->g, loc, at);
  for (size_t older = least; older < at; older++)
    if (hd_message_says_less(n->p.machine, message_at(&n->g, loc, older), this))
      return true;
  return false;
}

/* The thread reads something older, or writes before it, as no interleaving does:
 * is it in a round that comes to nothing? */
static bool is_harmless(const node *n, const play_next *next, size_t at,
                        uint64_t choice) {
  node one;
  hd_graph_node_copy(&one, n);
  graph_event e = next->event;
  if (e.kind != GRAPH_WRITE)
    e.from = hd_graph_source_at(&n->g, e.loc, at);
  e.choice = choice;
  graph_id id = hd_graph_add_event(&one, e);
  hd_play_event(&one.p, &one.g, id);
  const graph_event *made = &one.g.events.data[id];
  bool harmless = graph_writes(made) && !hd_graph_may_insert(&n->g, e.loc, at);
  if (!harmless && !one.p.failed && made->kind != GRAPH_WRITE) {
    hd_play_advance(&one.p);
    uint8_t state = one.p.threads.data[e.thread].state;
    harmless = !one.p.failed && hd_machine_alive(one.p.machine, e.thread) &&
               (state == THREAD_SPINS || state == THREAD_ASSUMES);
  }
  hd_graph_node_free(&one);
  return harmless;
}

/* Has the thread's next access, to memory, an effect that no interleaving has? */
static void look_for_more(state_search *x, const node *n,
                          const play_next *next) {
  hd_tid thread = next->event.thread;
  uint32_t loc = next->event.loc;
  if (x->s->model == HD_MEMORY_SC || !hd_robust_lags(n, thread, loc))
    return;
  /* Who is aware of the last write by nothing but what stays in order reads it. */
  if (x->s->model == HD_MEMORY_TSO &&
      (next->event.kind != GRAPH_READ || !hd_graph_buffers(&n->g, thread)))
    return;
  bool harmless = next->event.kind != GRAPH_WRITE;
  bool *reads = find_readers(n);
  for (size_t at = base_of(n, reads, loc);
       harmless && at < n->g.locs.data[loc].order.size; at++)
    for (uint64_t c = 0; c < next->choices && harmless; c++)
      harmless = is_harmless(n, next, at, c);
  hd_free(reads);
  if (harmless)
    return;
  x->s->weaker = next->event.edge;
  x->s->stop = true;
}

/* All that the thread can do next. True: a new state was found. */
static bool make_next(state_search *x, node *n, hd_tid thread) {
  play_next next = hd_play_look(&n->p, &n->g, thread);
  uint32_t loc = next.event.loc;
  bool fresh = true;
  if (n->p.failed) {
    hd_graph_end_badly(x->s, n);
    n->p.failed = false;
    n->p.refused = NULL;
  } else if (next.event.kind == GRAPH_CHOICE ||
             next.event.kind == GRAPH_FENCE) {
    fresh = make_choices(x, n, &next);
  } else if (!n->g.locs.data[loc].size) {
    if (next.enabled)
      make_wait(x, n, &next);
  } else {
    size_t least = hd_graph_least_of(n, thread, loc);
    bool reads = next.event.kind != GRAPH_WRITE;
    if (x->s->robust) {
      look_for_more(x, n, &next);
      least = n->g.locs.data[loc].order.size;
    }
    for (size_t at = n->g.locs.data[loc].order.size + 1;
         at-- > least && !x->s->stop;)
      for (uint64_t c = 0; c < (reads ? next.choices : 1) && !x->s->stop; c++)
        if (x->all || !is_idle(n, &next, least, at))
          make_access(x, n, &next, at, c);
  }
  return fresh;
}

/* Does nobody notice when the thread does what is next: a fence, a choice? */
static bool is_private(const node *n, hd_tid thread) {
  const play_thread *t = &n->p.threads.data[thread];
  if (t->state != THREAD_AT || !hd_machine_alive(n->p.machine, thread))
    return false;
  hd_access a = hd_machine_access(n->p.machine, thread);
  const hd_cedge *edge = &n->p.search->code->edges.data[a.edge];
  return hd_machine_at_atomic(n->p.machine, thread) &&
         edge->act == HD_CODE_FENCE;
}

static void expand(state_search *x, node *n) {
  size_t size = n->p.threads.size;
  for (hd_tid t = 0; t < size && !x->s->stop; t++)
    if (is_private(n, t) && make_next(x, n, t))
      return;
  bool any = false;
  for (hd_tid t = 0; t < size && !x->s->stop; t++) {
    if (!hd_machine_alive(n->p.machine, t))
      continue;
    bool enabled = hd_machine_enabled(n->p.machine, t);
    hd_access a = hd_machine_access(n->p.machine, t);
    x->waits = x->waits || (a.open && (a.spurious || !enabled));
    if (n->p.threads.data[t].state != THREAD_AT)
      continue;
    any = any || enabled;
    make_next(x, n, t);
  }
  if (!any && !x->s->stop)
    hd_graph_finish(x->s, n);
}

/* Is a thread where it was, before an event that it could make then? Who goes round
 * without any is not in the way of others, and goes on for ever. */
static bool goes_round(state_search *x, const node *n) {
  for (hd_tid t = 0; t < n->p.threads.size; t++)
    if (n->p.threads.data[t].state == THREAD_SPINS &&
        hd_machine_alive(n->p.machine, t)) {
      x->cycles = true;
      if (hd_machine_at_atomic(n->p.machine, t))
        return true;
    }
  return false;
}

/* Has the search learned that its states or its choices are too few? */
static bool is_new(const state_search *x) {
  const hd_opaque *opaque = x->s->options.opaque;
  return hd_mixes_count(x->s->options.mixes) > x->mixes ||
         (x->s->opaque && !opaque) ||
         (opaque && hd_opaque_found(opaque) > x->values);
}

/* True: the state is new. Frees the node. */
static bool visit(state_search *x, node *n) {
  enum { DEEPEST = 5000 };
  hd_play_advance(&n->p);
  hd_graph_note_cuts(x->s, n);
  if (!hd_run_tick(x->s->run)) {
    hd_graph_give_up(x->s, hd_run_why(x->s->run));
    x->s->stop = true;
  } else if (x->depth > DEEPEST) {
    hd_graph_give_up(x->s, "an execution has more than 5,000 atomic actions");
    x->s->stop = true;
  }
  if (hd_machine_vague(n->p.machine))
    hd_graph_give_up(x->s, hd_machine_vague(n->p.machine));
  else if (hd_machine_told(n->p.machine))
    hd_graph_give_up(x->s, "addresses are compared that may come again");
  if (x->s->stop || n->p.failed) {
    if (!x->s->stop)
      end_run(x, n);
    hd_graph_node_free(n);
    return true;
  }
  if (goes_round(x, n)) {
    hd_graph_node_free(n);
    return false;
  }
  if (is_new(x))
    x->again = x->s->stop = true;
  state_key key = key_of(n);
  bool fresh;
  const uint8_t *known = state_map_put(&x->seen, key, 1, &fresh);
  if (!fresh) {
    x->cycles = x->cycles || *known;
    hd_graph_node_free(n);
    return false;
  }
  x->states++;
  x->depth++;
  if (hd_machine_status_of(n->p.machine) == HD_MACHINE_EXITED)
    hd_graph_finish(x->s, n);
  else
    expand(x, n);
  x->depth--;
  *state_map_find(&x->seen, key) = 0;
  hd_graph_node_free(n);
  return true;
}

enum { OPAQUE_LOCAL = 500000 };

/* True: once more, as what was taken for one state may be several; or as what was
 * found was not allowed, but something else that comes to the same may be. */
static bool search(graph_search *s, bool *all) {
  state_search x = {
      .s = s, .all = *all, .mixes = hd_mixes_count(s->options.mixes)};
  if (s->opaque && !s->options.opaque) {
    s->options.opaque = hd_opaque_new();
    if (!s->options.max_local) /* what is compared is looked at: slow */
      s->options.max_local = OPAQUE_LOCAL;
  }
  x.values = s->options.opaque ? hd_opaque_found(s->options.opaque) : 0;
  node n = {0};
  hd_play_start(&n.p, s);
  if (hd_machine_status_of(n.p.machine) != HD_MACHINE_RUNNING &&
      hd_machine_status_of(n.p.machine) != HD_MACHINE_EXITED)
    n.p.failed = true;
  visit(&x, &n);
  state_map_free(&x.seen);
  const hd_opaque *opaque = s->options.opaque;
  if (opaque && hd_opaque_failed(opaque))
    hd_graph_give_up(s, "an input has too many values for views");
  else if (x.again || (!s->stop && is_new(&x)))
    return true;
  bool more = x.unknown && !*all && !s->robust && !s->stop;
  *all = *all || more;
  if (more)
    return true;
  if (x.unknown)
    hd_graph_give_up(
        s, "a violation that seq_cst may exclude: views does not say");
  s->stuck = x.waits && x.cycles;
  hd_findings_stat(s->result, "views.states", "", (double)x.states,
                   "states, with what threads know");
  return false;
}

static void search_all(graph_search *s) {
  bool all = false;
  while (search(s, &all)) {
    s->stop = s->stuck = s->incomplete = false;
    s->executions = s->blocked = 0;
    hd_free(s->why);
    s->why = NULL;
    s->why_code = HD_WHY_OTHER;
  }
  hd_opaque_delete(s->options.opaque);
  s->options.opaque = NULL;
}

/* Interleavings, for most of the time. False: they are not all there is, or not all
 * were seen. */
static bool try_interleavings(graph_search *s) {
  const double most = 0.75;
  hd_run *whole = s->run, run = *whole;
  double now = hd_now();
  if (run.deadline > 0 && s->model != HD_MEMORY_SC)
    run.deadline = now + (run.deadline - now) * most;
  s->run = &run;
  s->robust = true;
  s->weaker = HD_NO_ID;
  search_all(s);
  s->run = whole;
  return s->weaker == HD_NO_ID && (!s->incomplete || s->model == HD_MEMORY_SC);
}

void hd_graph_search_states(graph_search *s) {
  if (try_interleavings(s)) {
    s->result->interleaves = !s->stop && !s->incomplete;
    hd_findings_stat(s->result, "views.interleavings", "",
                     s->result->interleaves,
                     "1: all executions are interleavings");
    return;
  }
  s->robust = s->stop = s->stuck = s->incomplete = false;
  hd_free(s->why);
  s->why = NULL;
  s->why_code = HD_WHY_OTHER;
  s->executions = s->blocked = 0;
  search_all(s);
}
