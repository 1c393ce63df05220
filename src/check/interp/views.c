/* SPDX-License-Identifier: MIT */
/* What everybody knows, so that states of weak memory can be compared. A clock counts
 * releases and grows for ever; all that matters of it is which positions of places its
 * owner has come to know, and which accesses of other threads it covers. So a clock is
 * told by how many of the last positions of each place it lacks, and by which of the accesses
 * it does not cover. Who made an access is nothing more: its thread knows it. */
#include "base/hash.h"
#include "check/interp/clocks.h"
#include "check/interp/message.h"
#include "check/interp/mixes.h"
#include "check/interp/sync.h"

#include <stdlib.h>
#include <string.h>

/* An access that somebody may still race with. */
typedef struct {
  uint64_t address;
  hd_tid thread;
  unsigned kind;
  uint64_t time;
} access_mark;

/* What a thread accessed at one time. */
typedef struct {
  uint64_t what; /* a hash of it */
  hd_tid thread;
  uint64_t time;
} access_class;

struct hd_knowledge {
  const hd_machine *m;
  hd_knowledge_options options;
  hd_vec(access_mark) marks;
  hd_vec(access_class) classes;
  uint64_t *known; /* scratch: of each place */
  hd_bytes *out;
  hd_levels *levels;
  const hd_object *object; /* that is looked at */
  hd_tid *awaits; /* whose end each thread waits for; HD_NO_ID: nobody's */
  bool *over;     /* it will access nothing any more */
};

typedef hd_knowledge views;

static void number(views *v, uint64_t n) {
  while (n >= 0x80) {
    hd_vec_push(v->out, (uint8_t)(n | 0x80));
    n >>= 7;
  }
  hd_vec_push(v->out, (uint8_t)n);
}

/* `knows` of each thread: a clock, or what a thread will know. */
typedef uint64_t knowing(const views *v, const void *who, hd_tid thread);

static void level(views *v, uint64_t lacks) {
  assert(lacks <= UINT16_MAX); /* executions are not as long */
  hd_vec_push(v->levels, (uint16_t)lacks);
}

static void put(views *v, knowing *knows, const void *who) {
  const hd_knowledge_options *o = &v->options;
  for (hd_vec_each(const access_class, c, &v->classes))
    level(v, knows(v, who, c->thread) < c->time);
  memset(v->known, 0, o->n_places * sizeof *v->known);
  for (size_t i = 0; i < o->n_moments; i++) {
    const hd_moment *x = &o->moments[i];
    if (x->position > v->known[x->place] && x->time <= knows(v, who, x->thread))
      v->known[x->place] = x->position;
  }
  for (size_t i = 0; i < o->n_places; i++)
    level(v, o->last[i] - v->known[i]);
}

static uint64_t clock_knows(const views *v, const void *who, hd_tid thread) {
  (void)v;
  return hd_clock_at(who, thread);
}

static void put_clock(views *v, const hd_clock *clock) {
  put(v, clock_knows, clock);
}

/* hd_machine_will_know, of threads that have not ended and others. */
static uint64_t will_know(const views *v, hd_tid tid, hd_tid thread) {
  uint64_t known = hd_machine_knows(v->m, tid, thread);
  for (size_t i = 0; i < v->m->threads.size; i++) {
    tid = v->awaits[tid];
    if (tid == HD_NO_ID)
      break;
    uint64_t more = hd_machine_knows(v->m, tid, thread);
    known = more > known ? more : known;
  }
  return known;
}

static uint64_t thread_knows(const views *v, const void *who, hd_tid thread) {
  return will_know(v, ((const hd_thread *)who)->id, thread);
}

/* Will it access nothing any more: it has ended, or ends all others next? */
static bool is_over(const hd_machine *m, hd_tid t) {
  return m->threads.data[t]->ended || hd_machine_at_end(m, t);
}

/* Nobody can race with what all others know. */
static bool is_settled(const views *v, hd_tid thread, uint64_t time) {
  for (hd_tid t = 0; t < v->m->threads.size; t++)
    if (t != thread && !v->over[t] && will_know(v, t, thread) < time)
      return false;
  return true;
}

static bool is_wanted(const views *v, uint64_t offset, unsigned kind) {
  const hd_mixes *mixes = v->m->plan->options->mixes;
  return !hd_cells_atomic(kind) || !mixes ||
         hd_mixes_has(mixes, v->object, offset);
}

static void see_mark(void *context, uint64_t offset, unsigned kind,
                     hd_tid thread, uint64_t time) {
  views *v = context;
  if (!is_wanted(v, offset, kind) || is_settled(v, thread, time))
    return;
  access_mark one = {.address = v->object->base + offset,
                     .thread = thread,
                     .kind = kind,
                     .time = time};
  hd_vec_push(&v->marks, one);
}

static void see_region(views *v, const hd_objects *region) {
  if (!region)
    return;
  for (hd_vec_each(const hd_object, o, &region->objects))
    if (o->cells && !o->freed && !o->lost) {
      v->object = o;
      hd_cells_each(o->cells, see_mark, v);
    }
}

static void see_marks(views *v) {
  const hd_machine *m = v->m;
  see_region(v, m->globals);
  see_region(v, m->statics);
  for (hd_tid t = 0; t < m->threads.size; t++) {
    see_region(v, m->heaps.data[t]);
    see_region(v, m->stacks.data[t]);
  }
}

static int by_time(const void *a, const void *b) {
  const access_mark *x = a, *y = b;
  return x->thread != y->thread
             ? (x->thread > y->thread) - (x->thread < y->thread)
         : x->time != y->time ? (x->time > y->time) - (x->time < y->time)
         : x->address != y->address
             ? (x->address > y->address) - (x->address < y->address)
             : (x->kind > y->kind) - (x->kind < y->kind);
}

static int by_what(const void *a, const void *b) {
  const access_class *x = a, *y = b;
  return x->what != y->what ? (x->what > y->what) - (x->what < y->what)
         : x->thread != y->thread
             ? (x->thread > y->thread) - (x->thread < y->thread)
             : (x->time > y->time) - (x->time < y->time);
}

static void put_classes(views *v) {
  if (v->marks.size)
    qsort(v->marks.data, v->marks.size, sizeof *v->marks.data, by_time);
  for (hd_vec_each(const access_mark, m, &v->marks)) {
    access_class *last = v->classes.size ? &hd_vec_last(&v->classes) : NULL;
    if (!last || last->thread != m->thread || last->time != m->time) {
      access_class fresh = {.thread = m->thread, .time = m->time};
      hd_vec_push(&v->classes, fresh);
      last = &hd_vec_last(&v->classes);
    }
    last->what = hd_hash_mix(hd_hash_mix(last->what, m->address), m->kind);
  }
  if (v->classes.size)
    qsort(v->classes.data, v->classes.size, sizeof *v->classes.data, by_what);
  number(v, v->classes.size);
  for (hd_vec_each(const access_class, c, &v->classes))
    number(v, c->what);
}

static void put_threads(views *v) {
  for (hd_tid i = 0; i < v->m->threads.size; i++) {
    const hd_thread *t = v->m->threads.data[i];
    if (t->ended ? t->joined || t->detached : v->over[i])
      continue;
    put(v, thread_knows, t);
    if (t->ended || !v->options.fences)
      continue;
    put_clock(v, &t->seen);
    put_clock(v, &t->fenced);
  }
  for (hd_vec_each(const hd_sync, s, &v->m->syncs->items))
    if (s->kind != HD_SYNC_ATOMIC) {
      number(v, s->address);
      put_clock(v, &s->clock);
      put_clock(v, &s->readers);
    }
}

hd_knowledge *hd_knowledge_new(const hd_machine *m,
                               const hd_knowledge_options *options,
                               hd_bytes *same, hd_levels *levels) {
  const size_t n = m->threads.size;
  views *v = hd_calloc(1, sizeof *v);
  *v = (views){.m = m,
               .options = *options,
               .known = hd_calloc(options->n_places + 1, sizeof *v->known),
               .out = same,
               .levels = levels,
               .awaits = hd_calloc(n + 1, sizeof *v->awaits),
               .over = hd_calloc(n + 1, sizeof *v->over)};
  for (hd_tid t = 0; t < n; t++) {
    v->awaits[t] =
        m->threads.data[t]->ended ? HD_NO_ID : hd_machine_awaits(m, t);
    v->over[t] = is_over(m, t);
  }
  see_marks(v);
  put_classes(v);
  put_threads(v);
  return v;
}

void hd_knowledge_put(hd_knowledge *v, const hd_told *told, hd_bytes *same,
                      hd_levels *levels) {
  const hd_message *m = told->message;
  v->out = same;
  v->levels = levels;
  if (told->head == HD_NO_ID) {
    for (uint32_t i = 0; i < m->size; i++) {
      hd_vec_push(v->out, m->bytes[i]);
      hd_vec_push(v->out, m->shadow[i]);
    }
    put_clock(v, &m->clock);
  }
  for (hd_vec_each(const hd_head, h, &m->heads))
    if (told->head == HD_NO_ID || told->head == h->thread) {
      number(v, h->thread + 1);
      put_clock(v, &h->clock);
    }
  number(v, 0);
}

void hd_knowledge_delete(hd_knowledge *v) {
  hd_vec_free(&v->marks);
  hd_vec_free(&v->classes);
  hd_free(v->awaits);
  hd_free(v->over);
  hd_free(v->known);
  hd_free(v);
}
