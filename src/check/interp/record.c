/* SPDX-License-Identifier: MIT */
#include "check/interp/record.h"

#include "check/interp/lib.h"

#include <stdlib.h>
#include <string.h>

/* An access of any size, or an event without a place. */
typedef struct {
  hd_exec_event event; /* but for place and from */
  uint64_t address, size;
  char *name;  /* may be NULL: there are many */
  bool single; /* atomic, or the turn says what it reads or where it writes */
  uint32_t from, after; /* as in hd_turn; 0: the newest */
} raw;

/* What was given, so that somebody can take it. */
typedef struct {
  uint64_t object;
  hd_exec_id event; /* a raw one */
  bool reader;      /* … by a reader: for writers only */
} gift;

struct hd_recorder {
  const hd_code *code;
  const hd_turns *turns;
  void (*observe)(void *context, const hd_event *event); /* the other one */
  void *context;
  hd_vec(raw) raws;
  hd_vec(hd_exec_edge) edges; /* between raw events */
  hd_vec(gift) gifts;
  hd_vec(gift) arrivals; /* at barriers that have not opened */
  hd_u32s last;          /* of each thread: 1 + its last raw event */
  /* the turn that is made */
  size_t turn;
  hd_tid mover;
  hd_library_fn calls;
  hd_access access;
  hd_exec_id accesses; /* the raw event, or HD_NO_ID */
};

/* --- events --- */

static hd_exec_id add(hd_recorder *r, raw one) {
  hd_exec_id id = (hd_exec_id)r->raws.size;
  hd_tid thread = one.event.thread;
  one.event.turn = (uint32_t)r->turn + 1;
  hd_vec_push(&r->raws, one);
  while (r->last.size <= thread)
    hd_vec_push(&r->last, 0);
  r->last.data[thread] = id + 1;
  return id;
}

static hd_exec_id add_sync(hd_recorder *r, hd_tid thread, hd_edge_id edge) {
  raw one = {.event = {.thread = thread, .edge = edge, .kind = HD_EXEC_SYNC}};
  return add(r, one);
}

static void relate(hd_recorder *r, hd_exec_edge_kind kind, hd_exec_id from,
                   hd_exec_id to) {
  hd_exec_edge edge = {.kind = (uint8_t)kind, .from = from, .to = to};
  hd_vec_push(&r->edges, edge);
}

/* --- what synchronises --- */

static bool reads_lock(hd_library_fn fn) {
  return fn == HD_LIB_pthread_rwlock_rdlock ||
         fn == HD_LIB_pthread_rwlock_tryrdlock ||
         fn == HD_LIB_pthread_rwlock_timedrdlock;
}

/* Who holds the lock as a reader: it was the last to take it so. */
static bool held_by_reader(const hd_recorder *r, const hd_event *e) {
  for (size_t i = r->gifts.size; i-- > 0;)
    if (r->gifts.data[i].object == (e->object | 1) &&
        r->raws.data[r->gifts.data[i].event].event.thread == e->thread)
      return r->gifts.data[i].reader;
  return false;
}

/* All that was given before is known: what one reader has given to no other. */
static void take(hd_recorder *r, const hd_event *e) {
  hd_exec_id to = add_sync(r, e->thread, e->edge);
  bool reader = reads_lock(r->calls);
  /* who has waited is in no call any more */
  bool lock = hd_library_kind_of(r->calls) == HD_LIBRARY_RWLOCK ||
              r->calls == HD_LIB_NONE;
  for (hd_vec_each(const gift, g, &r->gifts))
    if (g->object == e->object && !(reader && g->reader) &&
        r->raws.data[g->event].event.thread != e->thread)
      relate(r, HD_EXEC_LOCK, g->event, to);
  if (lock) { /* addresses of locks are even */
    gift held = {.object = e->object | 1, .event = to, .reader = reader};
    hd_vec_push(&r->gifts, held);
  }
}

static void give(hd_recorder *r, const hd_event *e) {
  bool lock = hd_library_kind_of(r->calls) == HD_LIBRARY_RWLOCK;
  gift g = {.object = e->object,
            .event = add_sync(r, e->thread, e->edge),
            .reader = lock && held_by_reader(r, e)};
  /* Behind the last owner of a mutex nobody asks for those before. */
  if (hd_library_kind_of(r->calls) == HD_LIBRARY_MUTEX)
    for (hd_vec_each(gift, old, &r->gifts))
      if (old->object == e->object) {
        *old = g;
        return;
      }
  hd_vec_push(&r->gifts, g);
}

static void open_barrier(hd_recorder *r, uint64_t object, hd_exec_id to) {
  for (hd_vec_each(const gift, a, &r->arrivals))
    if (a->object == object && a->event != to)
      relate(r, HD_EXEC_BARRIER, a->event, to);
}

/* The mover is the last one at the barrier: it has waited for nobody. */
static void pass_barrier(hd_recorder *r, const hd_event *e) {
  gift mine = {.object = e->object, .event = HD_NO_ID};
  for (hd_vec_each(const gift, a, &r->arrivals))
    if (a->object == e->object &&
        r->raws.data[a->event].event.turn == r->turn + 1)
      mine = *a;
  if (mine.event == HD_NO_ID) {
    mine.event = add_sync(r, e->thread, e->edge);
    hd_vec_push(&r->arrivals, mine);
    open_barrier(r, e->object, mine.event);
  }
  open_barrier(r, e->object, add_sync(r, e->other, HD_NO_ID));
}

/* Everybody has passed. */
static void close_barrier(hd_recorder *r, uint64_t object) {
  size_t kept = 0;
  for (hd_vec_each(const gift, a, &r->arrivals))
    if (a->object != object)
      r->arrivals.data[kept++] = *a;
  r->arrivals.size = kept;
}

static void observe(void *context, const hd_event *e) {
  hd_recorder *r = context;
  bool barrier = hd_library_kind_of(r->calls) == HD_LIBRARY_BARRIER;
  if (e->kind == HD_EVENT_CREATE) {
    hd_exec_id from = add_sync(r, e->thread, e->edge);
    relate(r, HD_EXEC_CREATE, from, add_sync(r, e->other, HD_NO_ID));
  } else if (e->kind == HD_EVENT_JOIN) {
    hd_exec_id to = add_sync(r, e->thread, e->edge);
    if (e->other < r->last.size && r->last.data[e->other])
      relate(r, HD_EXEC_JOIN, r->last.data[e->other] - 1, to);
  } else if (e->kind == HD_EVENT_ACQUIRE) {
    take(r, e);
  } else if (e->kind == HD_EVENT_RELEASE) {
    give(r, e);
  } else if (e->kind == HD_EVENT_BLOCK && barrier) {
    gift g = {.object = e->object, .event = add_sync(r, e->thread, e->edge)};
    hd_vec_push(&r->arrivals, g);
  } else if (e->kind == HD_EVENT_WAKE && barrier) {
    pass_barrier(r, e);
  }
  if (r->observe)
    r->observe(r->context, e);
}

hd_recorder *hd_recorder_new(const hd_code *code, hd_machine_options *options,
                             const hd_turns *turns) {
  hd_recorder *r = hd_calloc(1, sizeof *r);
  r->code = code;
  r->turns = turns;
  r->observe = options->observe;
  r->context = options->context;
  options->observe = observe;
  options->context = r;
  options->footprints = true;
  options->stale = options->clocks = true;
  return r;
}

/* --- accesses --- */

/* As they are in memory, of at most 8 bytes. */
static bool look(const hd_machine *m, uint64_t address, uint64_t size,
                 uint64_t *value) {
  if (!size || size > 8 || !hd_machine_readable(m, address, (uint32_t)size))
    return false;
  hd_message *message = hd_machine_message(m, address, (uint32_t)size);
  *value = hd_message_value(message);
  hd_message_drop(message);
  return true;
}

static char *name_of(const hd_recorder *r, const hd_machine *m,
                     uint64_t address, uint64_t size) {
  enum { MOST_NAMES = 2000 };
  hd_str name = {0};
  if (r->raws.size < MOST_NAMES)
    hd_machine_print_address(&name, m, address, size);
  return name.size ? hd_str_take(&name) : NULL;
}

void hd_recorder_before(hd_recorder *r, hd_machine *m, size_t i,
                        const hd_access *access) {
  const hd_turn *turn = &r->turns->data[i];
  r->turn = i;
  r->mover = turn->thread;
  r->calls = hd_machine_calls(m, turn->thread);
  r->access = hd_machine_access(m, turn->thread);
  r->accesses = HD_NO_ID;
  const hd_cedge *edge = &r->code->edges.data[r->access.edge];
  if (!access) {
    if (edge->act == HD_CODE_FENCE && hd_machine_at_atomic(m, turn->thread)) {
      raw fence = {.event = {.thread = turn->thread,
                             .edge = r->access.edge,
                             .kind = HD_EXEC_FENCE,
                             .order = edge->order}};
      add(r, fence);
    }
    return;
  }
  bool fails =
      edge->act == HD_CODE_CMPXCHG && (r->access.fails || turn->choice);
  raw one = {.event = {.thread = turn->thread,
                       .edge = r->access.edge,
                       .order = fails ? edge->failure : edge->order,
                       .locked = fails,
                       .kind = edge->act == HD_CODE_LOAD || fails ? HD_EXEC_READ
                               : edge->act == HD_CODE_STORE ? HD_EXEC_WRITE
                                                            : HD_EXEC_UPDATE},
             .address = r->access.address,
             .size = r->access.size,
             .single = true,
             .from = turn->from,
             .after = turn->after};
  one.event.stores = hd_exec_writes(&one.event);
  one.event.valued = look(m, one.address, one.size, &one.event.read);
  one.name = name_of(r, m, one.address, one.size);
  r->accesses = add(r, one);
}

/* Plain accesses, as many as the turn made. What a lock does to its own bytes is
 * no access. */
static void note_touched(hd_recorder *r, const hd_machine *m) {
  size_t n;
  const hd_touch *touched = hd_machine_touched(m, &n);
  for (size_t i = 0; i < n; i++) {
    if (r->access.sync && r->access.atomic &&
        touched[i].address == r->access.address)
      continue;
    raw one = {
        .event = {.thread = r->mover,
                  .edge = r->access.edge,
                  .stores = touched[i].stored,
                  .kind = touched[i].written ? HD_EXEC_WRITE : HD_EXEC_READ},
        .address = touched[i].address,
        .size = touched[i].size};
    one.event.valued = touched[i].written &&
                       look(m, one.address, one.size, &one.event.written);
    one.name = name_of(r, m, one.address, one.size);
    add(r, one);
  }
}

void hd_recorder_after(hd_recorder *r, const hd_machine *m) {
  if (r->accesses == HD_NO_ID) {
    note_touched(r, m);
  } else {
    raw *one = &r->raws.data[r->accesses];
    if (hd_exec_writes(&one->event))
      one->event.valued = one->event.valued &&
                          look(m, one->address, one->size, &one->event.written);
  }
  if (hd_library_kind_of(r->calls) == HD_LIBRARY_BARRIER &&
      !hd_machine_waiting(m, r->mover))
    close_barrier(r, r->access.sync);
}

/* --- the graph --- */

typedef struct {
  hd_recorder *r;
  hd_execution *x;
  hd_vec(uint64_t) cuts; /* where accesses begin and end */
  uint32_t *place;       /* of the piece between a cut and the next */
  hd_exec_ids *at;       /* events of each place */
  hd_u32s raw_of;        /* of each event */
  hd_exec_id *event_of;  /* the last event of each raw one */
} builder;

static int compare(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static size_t cut_at(const builder *b, uint64_t address) {
  size_t low = 0, high = b->cuts.size;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (b->cuts.data[middle] < address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Places are pieces of memory that every access touches as a whole. */
static void cut(builder *b) {
  for (hd_vec_each(const raw, one, &b->r->raws))
    if (one->size) {
      hd_vec_push(&b->cuts, one->address);
      hd_vec_push(&b->cuts, one->address + one->size);
    }
  if (b->cuts.size)
    qsort(b->cuts.data, b->cuts.size, sizeof *b->cuts.data, compare);
  size_t kept = 0;
  for (size_t i = 0; i < b->cuts.size; i++)
    if (!i || b->cuts.data[i] != b->cuts.data[i - 1])
      b->cuts.data[kept++] = b->cuts.data[i];
  b->cuts.size = kept;
}

/* What one thread alone uses is no place, unless there is something atomic: there
 * all of its accesses are in program order. */
static void find_places(builder *b) {
  size_t n = b->cuts.size;
  hd_tid *user = hd_calloc(n + 1, sizeof *user);
  bool *shared = hd_calloc(n + 1, sizeof *shared);
  memset(user, 0xff, (n + 1) * sizeof *user);
  for (hd_vec_each(const raw, one, &b->r->raws))
    for (size_t i = cut_at(b, one->address);
         one->size && b->cuts.data[i] < one->address + one->size; i++) {
      shared[i] = shared[i] || one->single ||
                  (user[i] != HD_NO_ID && user[i] != one->event.thread);
      user[i] = one->event.thread;
    }
  b->place = hd_calloc(n + 1, sizeof *b->place);
  for (size_t i = 0; i < n; i++) {
    b->place[i] = HD_NO_ID;
    if (!shared[i])
      continue;
    hd_exec_place place = {.address = b->cuts.data[i],
                           .size = b->cuts.data[i + 1] - b->cuts.data[i]};
    b->place[i] = (uint32_t)b->x->places.size;
    hd_vec_push(&b->x->places, place);
  }
  hd_free(user);
  hd_free(shared);
  b->at = hd_calloc(b->x->places.size + 1, sizeof *b->at);
}

static hd_exec_id add_event(builder *b, const raw *one, uint32_t place) {
  hd_exec_event e = one->event;
  e.place = place;
  e.from = HD_NO_ID;
  if (place != HD_NO_ID) {
    hd_exec_place *p = &b->x->places.data[place];
    uint64_t shift = 8 * (p->address - one->address);
    uint64_t mask = p->size < 8 ? ((uint64_t)1 << 8 * p->size) - 1 : UINT64_MAX;
    if (e.valued) {
      e.read = e.read >> shift & mask;
      e.written = e.written >> shift & mask;
    }
    if (!p->name && one->name && p->address == one->address)
      p->name = hd_strdup(one->name);
    hd_vec_push(&b->at[place], (hd_exec_id)b->x->events.size);
  }
  hd_vec_push(&b->x->events, e);
  hd_vec_push(&b->raw_of, (uint32_t)(one - b->r->raws.data));
  if (e.thread >= b->x->n_threads)
    b->x->n_threads = e.thread + 1;
  return (hd_exec_id)b->x->events.size - 1;
}

enum { MOST_EVENTS = 1000000 };

static void add_events(builder *b) {
  for (size_t k = 0; k < b->r->raws.size; k++) {
    const raw *one = &b->r->raws.data[k];
    b->event_of[k] = HD_NO_ID;
    if (!one->size)
      b->event_of[k] = add_event(b, one, HD_NO_ID);
    for (size_t i = cut_at(b, one->address);
         one->size && b->cuts.data[i] < one->address + one->size; i++)
      if (b->place[i] != HD_NO_ID)
        b->event_of[k] = add_event(b, one, b->place[i]);
    if (b->x->events.size > MOST_EVENTS) {
      b->x->wrong = "the execution is too long to be judged";
      return;
    }
  }
}

/* An arrow of a thread's last access, which was left out: of its last event. */
static hd_exec_id last_event(const builder *b, hd_exec_id id) {
  hd_tid thread = b->r->raws.data[id].event.thread;
  for (size_t i = (size_t)id + 1; i-- > 0;)
    if (b->r->raws.data[i].event.thread == thread && b->event_of[i] != HD_NO_ID)
      return b->event_of[i];
  return HD_NO_ID;
}

static void add_edges(builder *b) {
  for (hd_vec_each(const hd_exec_edge, e, &b->r->edges)) {
    hd_exec_edge edge = {.kind = e->kind,
                         .from = last_event(b, e->from),
                         .to = b->event_of[e->to]};
    if (edge.from != HD_NO_ID)
      hd_vec_push(&b->x->edges, edge);
  }
}

/* --- orders --- */

/* Writes of a place that say where they are, between two that do not: behind the
 * first of these, in the order they are made. */
typedef struct {
  hd_exec_id base; /* HD_NO_ID: what was there at the beginning */
  hd_exec_ids writes;
  size_t start; /* where they begin in the order of the place */
} era;

static const raw *raw_of(const builder *b, hd_exec_id id) {
  return &b->r->raws.data[b->raw_of.data[id]];
}

/* Its number among the writes; their number: none. They are made in this order. */
static size_t find_turn(const builder *b, const era *e, uint32_t turn) {
  size_t low = 0, high = e->writes.size;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (b->x->events.data[e->writes.data[middle]].turn < turn)
      low = middle + 1;
    else
      high = middle;
  }
  return low < e->writes.size &&
                 b->x->events.data[e->writes.data[low]].turn == turn
             ? low
             : e->writes.size;
}

/* Each write names the one before it: they make a chain. */
static bool chain(builder *b, hd_exec_place *place, const era *e) {
  size_t n = e->writes.size;
  hd_exec_id *behind = hd_calloc(n + 1, sizeof *behind); /* [n]: the base */
  memset(behind, 0xff, (n + 1) * sizeof *behind);
  bool good = true;
  for (size_t i = 0; i < n && good; i++) {
    uint32_t after = raw_of(b, e->writes.data[i])->after;
    size_t at = after == HD_TURN_INITIAL ? n : find_turn(b, e, after);
    good = (after == HD_TURN_INITIAL || at < n) && behind[at] == HD_NO_ID;
    behind[at] = (hd_exec_id)i;
  }
  size_t at = n;
  for (size_t done = 0; done < n && good; done++) {
    at = behind[at];
    good = at != HD_NO_ID;
    if (good)
      hd_vec_push(&place->order, e->writes.data[at]);
  }
  hd_free(behind);
  return good;
}

/* What memory holds before the event. */
static hd_exec_id newest(const hd_exec_place *place, const era *e,
                         hd_exec_id before) {
  for (size_t i = place->order.size; i-- > e->start;)
    if (place->order.data[i] < before)
      return place->order.data[i];
  return e->base;
}

static bool give_sources(builder *b, const hd_exec_place *place,
                         const hd_exec_ids *events, size_t first, size_t end,
                         const era *e) {
  for (size_t k = first; k < end; k++) {
    hd_exec_event *event = &b->x->events.data[events->data[k]];
    uint32_t from = raw_of(b, events->data[k])->from;
    if (!hd_exec_reads(event))
      continue;
    size_t at = find_turn(b, e, from);
    if (from && from != HD_TURN_INITIAL && at == e->writes.size)
      return false;
    event->from = !from                     ? newest(place, e, events->data[k])
                  : from == HD_TURN_INITIAL ? e->base
                                            : e->writes.data[at];
  }
  return true;
}

static bool order_place(builder *b, uint32_t p) {
  hd_exec_place *place = &b->x->places.data[p];
  const hd_exec_ids *events = &b->at[p];
  era e = {.base = HD_NO_ID};
  bool good = true;
  size_t first = 0;
  for (size_t k = 0; k <= events->size && good; k++) {
    hd_exec_id id = k < events->size ? events->data[k] : HD_NO_ID;
    bool writes = id != HD_NO_ID && hd_exec_writes(&b->x->events.data[id]);
    if (writes && raw_of(b, id)->after)
      hd_vec_push(&e.writes, id);
    else if (writes || id == HD_NO_ID) {
      good =
          chain(b, place, &e) && give_sources(b, place, events, first, k, &e);
      if (writes)
        hd_vec_push(&place->order, id);
      e.base = id;
      e.start = place->order.size;
      hd_vec_clear(&e.writes);
      first = k + 1;
    }
  }
  hd_vec_free(&e.writes);
  return good;
}

/* Whoever reads it first says what was there at the beginning. */
static void find_first_values(hd_execution *x) {
  for (hd_vec_each(const hd_exec_event, e, &x->events))
    if (hd_exec_reads(e) && e->valued && e->from == HD_NO_ID &&
        !x->places.data[e->place].known) {
      x->places.data[e->place].known = true;
      x->places.data[e->place].first = e->read;
    }
}

hd_execution *hd_recorder_finish(hd_recorder *r) {
  builder b = {.r = r, .x = hd_execution_new()};
  b.event_of = hd_calloc(r->raws.size + 1, sizeof *b.event_of);
  cut(&b);
  find_places(&b);
  add_events(&b);
  if (!b.x->wrong)
    add_edges(&b);
  for (uint32_t p = 0; p < b.x->places.size && !b.x->wrong; p++)
    if (!order_place(&b, p))
      b.x->wrong = "no graph: turns name what is not there";
  find_first_values(b.x);
  for (uint32_t p = 0; p < b.x->places.size; p++)
    hd_vec_free(&b.at[p]);
  hd_free(b.at);
  hd_free(b.place);
  hd_free(b.event_of);
  hd_vec_free(&b.cuts);
  hd_vec_free(&b.raw_of);
  for (hd_vec_each(raw, one, &r->raws))
    hd_free(one->name);
  hd_vec_free(&r->raws);
  hd_vec_free(&r->edges);
  hd_vec_free(&r->gifts);
  hd_vec_free(&r->arrivals);
  hd_vec_free(&r->last);
  hd_free(r);
  return b.x;
}
