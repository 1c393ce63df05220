/* SPDX-License-Identifier: MIT */
/* Races by vector clocks, after FastTrack (Flanagan and Freund, PLDI 2009).
 *
 * A thread's clock says for every thread how many of its releases it knows of;
 * what happened before a release another thread has acquired is ordered before
 * what that thread does now. Each byte remembers its last plain write and the
 * other accesses since: as (thread, time) pairs, at most one a thread and kind.
 * An access races with a remembered one that is not known to the accessing
 * thread, if one of the two is a write and not both are atomic. So atomic accesses
 * make nothing forgotten: what comes later may be ordered behind one of them
 * alone.
 *
 * While only one thread has been created nothing is remembered: its accesses are
 * ordered before all that others do. Memory a cell takes is proportional to the
 * bytes accessed by several threads; pages of 64 bytes are made when touched. */
#include "check/interp/clocks.h"

#include "check/interp/memory.h"
#include "check/interp/sync.h"

#include <string.h>

typedef struct {
  hd_tid thread;
  uint64_t time;
  hd_edge_id edge;
  bool atomic, write;
} mark;

typedef struct {
  bool written;
  mark write; /* a plain one */
  hd_vec(mark) since;
} cell;

#define PAGE 64

typedef struct {
  uint32_t refs;
  cell cells[PAGE];
} page;

struct hd_cells {
  uint32_t refs;
  size_t n_pages;
  page *pages[];
};

static void page_drop(page *p) {
  if (!p || --p->refs)
    return;
  for (size_t i = 0; i < PAGE; i++)
    hd_vec_free(&p->cells[i].since);
  hd_free(p);
}

static page *page_own(page **place) {
  if (!*place) {
    *place = hd_calloc(1, sizeof **place);
    (*place)->refs = 1;
  } else if ((*place)->refs > 1) {
    page *own = hd_calloc(1, sizeof *own);
    own->refs = 1;
    for (size_t i = 0; i < PAGE; i++) {
      const cell *from = &(*place)->cells[i];
      cell *to = &own->cells[i];
      to->written = from->written;
      to->write = from->write;
      for (hd_vec_each(mark, m, &from->since))
        hd_vec_push(&to->since, *m);
    }
    (*place)->refs--;
    *place = own;
  }
  return *place;
}

void hd_cells_keep(hd_cells *cells) {
  if (cells)
    cells->refs++;
}

void hd_cells_drop(hd_cells *cells) {
  if (!cells || --cells->refs)
    return;
  for (size_t i = 0; i < cells->n_pages; i++)
    page_drop(cells->pages[i]);
  hd_free(cells);
}

static hd_cells *cells_own(hd_object *object) {
  size_t n = (object->size + PAGE - 1) / PAGE;
  if (!object->cells) {
    object->cells = hd_calloc(1, sizeof(hd_cells) + n * sizeof(page *));
    object->cells->refs = 1;
    object->cells->n_pages = n;
  } else if (object->cells->refs > 1) {
    hd_cells *own = hd_calloc(1, sizeof(hd_cells) + n * sizeof(page *));
    own->refs = 1;
    own->n_pages = n;
    for (size_t i = 0; i < n; i++) {
      own->pages[i] = object->cells->pages[i];
      if (own->pages[i])
        own->pages[i]->refs++;
    }
    object->cells->refs--;
    object->cells = own;
  }
  return object->cells;
}

/* --- clocks --- */

static bool off(const hd_machine *m) {
  return !m->plan->options->clocks;
}

static uint64_t at(const hd_clock *clock, hd_tid tid) {
  return tid < clock->size ? clock->data[tid] : 0;
}

static void learn(hd_clock *into, const hd_clock *from) {
  if (into->size < from->size) {
    size_t old = into->size;
    hd_vec_resize(into, from->size);
    memset(into->data + old, 0, (from->size - old) * sizeof *into->data);
  }
  for (size_t i = 0; i < from->size; i++)
    if (from->data[i] > into->data[i])
      into->data[i] = from->data[i];
}

static void tick(hd_thread *t) {
  while (t->clock.size <= t->id)
    hd_vec_push(&t->clock, 0);
  t->clock.data[t->id]++;
}

void hd_clock_acquire(hd_machine *m, hd_tid tid, const hd_clock *from) {
  if (!off(m) && from->size)
    learn(&hd_thread_own(m, tid)->clock, from);
}

void hd_clock_release(hd_machine *m, hd_tid tid, hd_clock *into, bool replace) {
  if (off(m))
    return;
  if (replace)
    hd_vec_clear(into);
  hd_thread *t = hd_thread_own(m, tid);
  learn(into, &t->clock);
  tick(t);
}

void hd_clock_fork(hd_machine *m, hd_tid parent, hd_tid child) {
  if (off(m))
    return;
  hd_thread *t = hd_thread_own(m, child);
  if (parent != HD_NO_ID) {
    learn(&t->clock, &hd_thread_of(m, parent)->clock);
    tick(hd_thread_own(m, parent));
  }
  tick(t);
}

void hd_clock_join(hd_machine *m, hd_tid tid, hd_tid ended) {
  if (!off(m))
    learn(&hd_thread_own(m, tid)->clock, &hd_thread_of(m, ended)->clock);
}

static bool acquires(hd_order order) {
  return order == HD_ORDER_ACQUIRE || order == HD_ORDER_ACQ_REL ||
         order == HD_ORDER_SEQ_CST;
}

static bool releases(hd_order order) {
  return order == HD_ORDER_RELEASE || order == HD_ORDER_ACQ_REL ||
         order == HD_ORDER_SEQ_CST;
}

/* What the thread has published by the release sequence it is the head of. */
static hd_head *head_of(hd_sync *sync, hd_tid tid) {
  for (hd_vec_each(hd_head, head, &sync->heads))
    if (head->thread == tid)
      return head;
  return NULL;
}

/* A store ends the release sequences of all threads but `tid`, whose goes on (C17
 * 5.1.2.4; C23 has taken that back). */
static void end_sequences(const hd_machine *m, hd_sync *sync, hd_tid tid) {
  size_t kept = 0;
  hd_vec_clear(&sync->clock);
  for (size_t i = 0; i < sync->heads.size; i++) {
    hd_head head = sync->heads.data[i];
    if (head.thread != tid || m->plan->options->c23) {
      hd_vec_free(&head.clock);
      continue;
    }
    learn(&sync->clock, &head.clock);
    sync->heads.data[kept++] = head;
  }
  sync->heads.size = kept;
}

/* With release, a store or RMW is the head of a release sequence. */
static void release(hd_machine *m, hd_tid tid, hd_sync *sync) {
  hd_head *head = head_of(sync, tid);
  if (!head) {
    hd_head fresh = {.thread = tid};
    hd_vec_push(&sync->heads, fresh);
    head = &hd_vec_last(&sync->heads);
  }
  learn(&head->clock, &hd_thread_of(m, tid)->clock);
  hd_clock_release(m, tid, &sync->clock, false);
}

/* An RMW continues the release sequences it reads from; what is stored without
 * release publishes what a release fence before it has published. */
void hd_clock_atomic(hd_machine *m, hd_tid tid, uint64_t address,
                     hd_order order, bool reads, bool writes) {
  if (off(m) || m->threads.size < 2)
    return;
  if (m->plan->options->sc)
    order = HD_ORDER_SEQ_CST;
  hd_sync *sync = hd_sync_own(m, address, HD_SYNC_ATOMIC);
  if (reads) {
    if (acquires(order))
      hd_clock_acquire(m, tid, &sync->clock);
    else
      learn(&hd_thread_own(m, tid)->seen, &sync->clock);
  }
  if (!writes)
    return;
  if (!reads)
    end_sequences(m, sync, tid);
  if (releases(order))
    release(m, tid, sync);
  else
    learn(&sync->clock, &hd_thread_of(m, tid)->fenced);
}

void hd_clock_fence(hd_machine *m, hd_tid tid, hd_order order) {
  if (off(m))
    return;
  hd_thread *t = hd_thread_own(m, tid);
  if (acquires(order))
    learn(&t->clock, &t->seen);
  if (releases(order)) {
    learn(&t->fenced, &t->clock);
    tick(t);
  }
}

/* --- accesses --- */

static bool known(const hd_thread *t, const mark *earlier) {
  return earlier->thread == t->id ||
         earlier->time <= at(&t->clock, earlier->thread);
}

static bool reported(const hd_machine *m, hd_edge_id a, hd_edge_id b) {
  for (hd_vec_each(hd_violation, v, &m->violations))
    if (v->property == HD_PROPERTY_RACE &&
        ((v->edge == a && v->other_edge == b) ||
         (v->edge == b && v->other_edge == a)))
      return true;
  return false;
}

static void race(hd_machine *m, const hd_thread *t, const mark *earlier,
                 uint64_t address, uint64_t size) {
  hd_edge_id edge = hd_thread_edge(t);
  if (!hd_plan_checks(m->plan, HD_PROPERTY_RACE) ||
      reported(m, edge, earlier->edge))
    return;
  hd_str name = {0};
  hd_machine_print_address(&name, m, address, size);
  hd_violation violation = {.property = HD_PROPERTY_RACE,
                            .thread = t->id,
                            .other = earlier->thread,
                            .edge = edge,
                            .other_edge = earlier->edge,
                            .message = hd_str_take(&name)};
  hd_machine_add_violation(m, violation);
}

static void check(hd_machine *m, const hd_thread *t, const mark *earlier,
                  bool atomic, uint64_t address, uint64_t size) {
  if (!(atomic && earlier->atomic) && !known(t, earlier))
    race(m, t, earlier, address, size);
}

static void keep(cell *c, mark now) {
  if (now.write && !now.atomic) {
    c->written = true;
    c->write = now;
    hd_vec_clear(&c->since);
    return;
  }
  for (hd_vec_each(mark, m, &c->since))
    if (m->thread == now.thread && m->atomic == now.atomic &&
        m->write == now.write) {
      *m = now;
      return;
    }
  hd_vec_push(&c->since, now);
}

void hd_clock_access(hd_machine *m, hd_tid tid, uint64_t address, uint64_t size,
                     bool write, bool atomic) {
  if (m->threads.size < 2)
    return;
  int64_t offset;
  const hd_object *found = hd_ram_find(m, address, &offset);
  if (!found || found->constant || found->kind == HD_OBJECT_ERRNO)
    return;
  hd_object *object = hd_ram_own(m, address, &offset);
  hd_cells *cells = cells_own(object);
  const hd_thread *t = hd_thread_of(m, tid);
  mark now = {.thread = tid,
              .time = at(&t->clock, tid),
              .edge = hd_thread_edge(t),
              .atomic = atomic,
              .write = write};
  for (uint64_t i = (uint64_t)offset; i < (uint64_t)offset + size; i++) {
    page *p = page_own(&cells->pages[i / PAGE]);
    cell *c = &p->cells[i % PAGE];
    if (c->written)
      check(m, t, &c->write, atomic, address, size);
    for (size_t r = 0; r < c->since.size; r++)
      if (write || c->since.data[r].write)
        check(m, t, &c->since.data[r], atomic, address, size);
    keep(c, now);
  }
}
