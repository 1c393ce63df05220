/* SPDX-License-Identifier: MIT */
/* What makes two states of weak memory the same: the state of the machine, what threads
 * have gone through since they changed anything, and of each atomic place the writes
 * that somebody may still read, in their order, with their values. What threads, locks and
 * messages know of all that is told by how much they lack, counted from what is newest;
 * so older writes that only one of two states has are nothing that the other one knows.
 *
 * Of interleavings only the last writes are read; of older ones the values count
 * (is_harmless), whoever might read them: for whom that is possible depends on more than
 * is told here. */
#include "engine/graph/key.h"
#include "engine/graph/robust.h"

#include "base/hash.h"
#include "model/calls.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  uint64_t address;
  uint32_t loc;
} live_place;

typedef hd_vec(live_place) live_places;

typedef struct {
  const node *n;
  size_t *bases; /* the first position that may be read, of each place */
  hd_bytes bytes;
  hd_levels levels;
  live_places places;
  hd_vec(hd_moment) moments;
  hd_vec(uint64_t) last; /* position of each place, counted as in moments */
  hd_vec(hd_told) heads;
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
static size_t *find_bases(const node *n) {
  const bool robust = n->p.search->robust;
  bool *reads = robust ? NULL : find_readers(n);
  size_t *bases = hd_calloc(n->g.locs.size + 1, sizeof *bases);
  for (hd_vec_each(const play_place, p, &n->p.places))
    bases[p->loc] =
        robust ? n->g.locs.data[p->loc].order.size : base_of(n, reads, p->loc);
  hd_free(reads);
  return bases;
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

const hd_message *hd_graph_message_at(const graph *g, uint32_t loc, size_t at) {
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

/* Of interleavings: which other values there were. */
static void put_older(encoding *e, uint32_t loc) {
  hd_vec(older_value) all = {0};
  size_t last = e->n->g.locs.data[loc].order.size;
  for (size_t at = 0; at < last; at++) {
    older_value one = {
        .value = hd_message_value(hd_graph_message_at(&e->n->g, loc, at)),
        .free = hd_graph_may_insert(&e->n->g, loc, at)};
    hd_vec_push(&all, one);
  }
  if (all.size)
    qsort(all.data, all.size, sizeof *all.data, by_value);
  for (size_t i = 0; i < all.size; i++)
    if (!i || by_value(&all.data[i], &all.data[i - 1])) {
      number(e, 1 + all.data[i].free);
      number(e, all.data[i].value);
    }
  number(e, 0);
  hd_vec_free(&all);
}

static void put_place(encoding *e, uint32_t loc, uint32_t place) {
  const graph *g = &e->n->g;
  const graph_loc *l = &g->locs.data[loc];
  const bool robust = e->n->p.search->robust;
  size_t base = e->bases[loc];
  number(e, l->address);
  number(e, l->size);
  if (robust && !e->n->p.search->calm)
    put_older(e, loc);
  for (hd_tid t = 0; t < e->n->p.threads.size && e->n->p.search->heads; t++) {
    const hd_message *own =
        hd_machine_alive(e->n->p.machine, t) && t < g->threads.size
            ? hd_play_own_last(g, t, g->threads.data[t].size, loc)
            : NULL;
    number(e, own != NULL);
    hd_told told = {.message = own, .head = t};
    if (own)
      hd_vec_push(&e->heads, told);
  }
  base -= robust && base;
  const bool counts = !robust || !e->n->p.search->calm;
  if (counts)
    put_events(e, loc, place, base);
  hd_vec_push(&e->last, counts ? l->order.size - base : 0);
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
  number(e, order->size - at);
  if (at)
    put_events(e, loc, place, at - 1);
  hd_vec_push(&e->last, at ? order->size - (at - 1) : 0);
}

/* Memory that is not lost and, with `waits`, what one can wait for. */
static void find_places(const node *n, bool waits, live_places *out) {
  for (hd_vec_each(const play_place, p, &n->p.places)) {
    live_place place = {.address = p->address, .loc = p->loc};
    if (p->size ? !hd_machine_is_lost(n->p.machine, p->address) : waits)
      hd_vec_push(out, place);
  }
  if (out->size)
    qsort(out->data, out->size, sizeof *out->data, by_address);
}

static void put_places(encoding *e) {
  find_places(e->n, e->n->p.search->tries, &e->places);
  for (size_t i = 0; i < e->places.size; i++) {
    uint32_t loc = e->places.data[i].loc;
    if (e->n->g.locs.data[loc].size)
      put_place(e, loc, (uint32_t)i);
    else
      put_given_up(e, loc, (uint32_t)i);
  }
  number(e, 0);
}

static void put_awareness(encoding *e) {
  const graph_search *s = e->n->p.search;
  if (!s->robust || s->calm)
    return;
  live_places places = {0};
  robust_places locs = {0};
  find_places(e->n, true, &places);
  for (hd_vec_each(const live_place, p, &places)) {
    number(e, p->address);
    hd_vec_push(&locs, p->loc);
  }
  hd_robust_encode(e->n, &locs, &e->bytes, &e->levels);
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
static void lose(node *n, const size_t *bases) {
  hd_vec(hd_told) messages = {0};
  live_places places = {0};
  find_places(n, false, &places);
  for (hd_vec_each(const live_place, p, &places)) {
    const graph_loc *l = &n->g.locs.data[p->loc];
    for (size_t at = bases[p->loc]; at <= l->order.size; at++) {
      hd_told told = {.message = hd_graph_message_at(&n->g, p->loc, at)};
      hd_vec_push(&messages, told);
    }
  }
  hd_machine_lose(n->p.machine, messages.data, messages.size);
  hd_vec_free(&messages);
  hd_vec_free(&places);
}

/* Two hashes of it, a word at a time. */
static void hash(const hd_bytes *bytes, graph_key *key) {
  key->a = bytes->size;
  key->b = ~(uint64_t)bytes->size;
  for (size_t i = 0; i < bytes->size; i += sizeof(uint64_t)) {
    uint64_t word = 0;
    size_t left = bytes->size - i;
    memcpy(&word, bytes->data + i, left < sizeof word ? left : sizeof word);
    key->a = hd_hash_mix(key->a, word);
    key->b = (key->b ^ word) * 0xC2B2AE3D27D4EB4Fu;
    key->b = (key->b << 31 | key->b >> 33) ^ key->a >> 17;
  }
}

/* --- levels --- */

/* First how many there are of threads, locks and places, as two words, and those; then of
 * each place the number of messages and, the newest first, each: how many words it has, as
 * two, FEATURES words of what is to be the same, and levels. */
enum { COUNT = 2, FEATURES = 4, WORD = 16 };

static void put_count(uint16_t *words, size_t count) {
  words[0] = (uint16_t)count;
  words[1] = (uint16_t)(count >> WORD);
}

static size_t count_at(const uint16_t *words) {
  return words[0] | (size_t)words[1] << WORD;
}

static void put_messages(encoding *e, hd_knowledge *views, uint32_t loc) {
  const graph *g = &e->n->g;
  hd_levels *levels = &e->levels;
  size_t base = e->bases[loc], at = g->locs.data[loc].order.size;
  hd_vec_push(levels, (uint16_t)(at - base + 1));
  for (at++; at-- > base;) {
    const size_t start = levels->size;
    hd_told told = {.message = hd_graph_message_at(g, loc, at),
                    .head = HD_NO_ID};
    hd_vec_clear(&e->bytes);
    number(e, hd_graph_may_insert(g, loc, at));
    hd_vec_resize(levels, start + COUNT + FEATURES);
    hd_knowledge_put(views, &told, &e->bytes, levels);
    graph_key same;
    hash(&e->bytes, &same);
    put_count(levels->data + start, levels->size - start);
    for (size_t i = 0; i < FEATURES; i++)
      levels->data[start + COUNT + i] = (uint16_t)(same.a >> WORD * i);
  }
}

graph_key hd_graph_key_of(node *n) {
  encoding e = {.n = n, .bases = find_bases(n)};
  graph_key key;
  lose(n, e.bases);
  hd_machine_encode_live(n->p.machine, &e.bytes);
  for (hd_vec_each(const play_thread, t, &n->p.threads)) {
    number(&e, t->state == THREAD_ASSUMES);
    put_points(&e, t);
  }
  put_users(&e);
  put_places(&e);
  hd_vec_resize(&e.levels, COUNT);
  put_awareness(&e);
  hd_knowledge_options options = {.fences = n->p.search->fences,
                                  .moments = e.moments.data,
                                  .n_moments = e.moments.size,
                                  .last = e.last.data,
                                  .n_places = e.places.size};
  hd_knowledge *views =
      hd_knowledge_new(n->p.machine, &options, &e.bytes, &e.levels);
  for (hd_vec_each(const hd_told, told, &e.heads))
    hd_knowledge_put(views, told, &e.bytes, &e.levels);
  put_count(e.levels.data, e.levels.size);
  hash(&e.bytes, &key);
  for (hd_vec_each(const live_place, p, &e.places))
    if (n->g.locs.data[p->loc].size)
      put_messages(&e, views, p->loc);
  hd_knowledge_delete(views);
  key.levels = e.levels;
  hd_vec_free(&e.bytes);
  hd_vec_free(&e.places);
  hd_vec_free(&e.moments);
  hd_vec_free(&e.last);
  hd_vec_free(&e.heads);
  hd_free(e.bases);
  return key;
}

void hd_graph_key_free(graph_key *key) {
  hd_vec_free(&key->levels);
}

static bool lacks_more(const uint16_t *a, const uint16_t *b, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (a[i] < b[i])
      return false;
  return true;
}

bool hd_graph_key_covers(const hd_levels *less, const hd_levels *more) {
  const uint16_t *a = less->data, *b = more->data;
  const uint16_t *end = a + less->size;
  const size_t fixed = count_at(a);
  if (memcmp(a, b, COUNT * sizeof *a) != 0 ||
      !lacks_more(a + COUNT, b + COUNT, fixed - COUNT))
    return false;
  for (a += fixed, b += fixed; a < end;) {
    size_t n = *a++, m = *b++;
    if (n < m)
      return false;
    for (size_t i = 0; i < n; i++) {
      const size_t size = count_at(a), same = COUNT + FEATURES;
      if (i < m && (memcmp(a, b, same * sizeof *a) != 0 ||
                    !lacks_more(a + same, b + same, size - same)))
        return false;
      b += i < m ? size : 0;
      a += size;
    }
  }
  return true;
}
