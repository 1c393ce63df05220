/* SPDX-License-Identifier: MIT */
/* What everybody knows, so that states of weak memory can be compared. A clock counts
 * releases and grows for ever; all that matters of it is which events and accesses of
 * other threads it covers. So of each thread the times of those are collected, and
 * an entry of a clock is told by how many of them it covers. */
#include "check/interp/clocks.h"
#include "check/interp/message.h"
#include "check/interp/sync.h"

#include <stdlib.h>
#include <string.h>

typedef hd_vec(uint64_t) times;

typedef struct {
  const hd_machine *m;
  times *of; /* each thread */
  hd_bytes *out;
  uint64_t base; /* of the object that is looked at */
  bool write;    /* marks are written down, or their times collected */
  bool fences;
} views;

static void number(views *v, uint64_t n) {
  while (n >= 0x80) {
    hd_vec_push(v->out, (uint8_t)(n | 0x80));
    n >>= 7;
  }
  hd_vec_push(v->out, (uint8_t)n);
}

/* How many of the thread's times are not later. */
static uint64_t rank(const views *v, hd_tid thread, uint64_t time) {
  const times *t = &v->of[thread];
  size_t low = 0, high = t->size;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (t->data[middle] <= time)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void put_clock(views *v, const hd_clock *clock) {
  for (hd_tid t = 0; t < v->m->threads.size; t++)
    if (v->of[t].size)
      number(v, rank(v, t, hd_clock_at(clock, t)));
}

/* Will it access nothing any more: it has ended, or ends all others next? */
static bool is_over(const hd_machine *m, hd_tid t) {
  return m->threads.data[t]->ended || hd_machine_at_end(m, t);
}

/* Nobody can race with what all others know. */
static bool is_settled(const hd_machine *m, hd_tid thread, uint64_t time) {
  for (hd_tid t = 0; t < m->threads.size; t++)
    if (t != thread && !is_over(m, t) &&
        hd_machine_will_know(m, t, thread) < time)
      return false;
  return true;
}

static void see_mark(void *context, uint64_t offset, unsigned kind,
                     hd_tid thread, uint64_t time) {
  views *v = context;
  if (is_settled(v->m, thread, time))
    return;
  if (!v->write) {
    hd_vec_push(&v->of[thread], time);
    return;
  }
  number(v, v->base + offset);
  number(v, kind);
  number(v, thread);
  number(v, rank(v, thread, time));
}

static void see_region(views *v, const hd_objects *region) {
  if (!region)
    return;
  for (hd_vec_each(const hd_object, o, &region->objects))
    if (o->cells && !o->freed && !o->lost) {
      v->base = o->base;
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

static int compare(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static void sort_times(times *t) {
  size_t kept = 0;
  if (t->size)
    qsort(t->data, t->size, sizeof *t->data, compare);
  for (size_t i = 0; i < t->size; i++)
    if (!i || t->data[i] != t->data[i - 1])
      t->data[kept++] = t->data[i];
  t->size = kept;
}

static void put_message(views *v, const hd_told *told) {
  const hd_message *m = told->message;
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

static void put_threads(views *v) {
  for (hd_tid i = 0; i < v->m->threads.size; i++) {
    const hd_thread *t = v->m->threads.data[i];
    if (!t->ended && is_over(v->m, i))
      continue;
    for (hd_tid k = 0; k < v->m->threads.size; k++)
      if (v->of[k].size)
        number(v, rank(v, k, hd_machine_will_know(v->m, i, k)));
    if (t->ended || !v->fences)
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

void hd_machine_encode_views(const hd_machine *m, bool fences,
                             hd_moment *moments, size_t n_moments,
                             const hd_told *messages, size_t n_messages,
                             hd_bytes *out) {
  size_t n = m->threads.size;
  views v = {.m = m,
             .of = hd_calloc(n + 1, sizeof *v.of),
             .out = out,
             .fences = fences};
  for (size_t i = 0; i < n_moments; i++)
    hd_vec_push(&v.of[moments[i].thread], moments[i].time);
  see_marks(&v);
  for (hd_tid t = 0; t < n; t++)
    sort_times(&v.of[t]);
  for (size_t i = 0; i < n_moments; i++)
    moments[i].time = rank(&v, moments[i].thread, moments[i].time);
  for (hd_tid t = 0; t < n; t++)
    number(&v, v.of[t].size);
  v.write = true;
  see_marks(&v);
  number(&v, 0);
  put_threads(&v);
  for (size_t i = 0; i < n_messages; i++)
    put_message(&v, &messages[i]);
  for (hd_tid t = 0; t < n; t++)
    hd_vec_free(&v.of[t]);
  hd_free(v.of);
}
