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
#include "check/interp/mixes.h"
#include "check/interp/sync.h"

#include <string.h>

typedef struct {
  hd_tid thread;
  uint64_t time;
  hd_edge_id edge;
  bool atomic;
} mark;

/* Accesses that are remembered in a list, by thread. */
typedef enum { READS, ATOMIC_READS, ATOMIC_WRITES, KINDS } kind;

typedef struct {
  bool written;
  mark write; /* a plain one */
  hd_vec(mark) since[KINDS];
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
    for (kind k = 0; k < KINDS; k++)
      hd_vec_free(&p->cells[i].since[k]);
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
      for (kind k = 0; k < KINDS; k++)
        for (hd_vec_each(mark, m, &from->since[k]))
          hd_vec_push(&to->since[k], *m);
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

void hd_clock_acquire(hd_machine *m, hd_tid tid, const hd_clock *from) {
  if (!off(m) && from->root)
    hd_clock_learn(&hd_thread_own(m, tid)->clock, from);
}

void hd_clock_release(hd_machine *m, hd_tid tid, hd_clock *into, bool replace) {
  if (off(m))
    return;
  if (replace)
    hd_clock_clear(into);
  hd_thread *t = hd_thread_own(m, tid);
  hd_clock_learn(into, &t->clock);
  hd_clock_tick(&t->clock, t->id);
}

void hd_clock_fork(hd_machine *m, hd_tid parent, hd_tid child) {
  if (off(m))
    return;
  hd_thread *t = hd_thread_own(m, child);
  if (parent != HD_NO_ID) {
    hd_clock_learn(&t->clock, &hd_thread_of(m, parent)->clock);
    hd_thread *p = hd_thread_own(m, parent);
    hd_clock_tick(&p->clock, parent);
  }
  hd_clock_tick(&t->clock, t->id);
}

void hd_clock_join(hd_machine *m, hd_tid tid, hd_tid ended) {
  if (!off(m))
    hd_clock_learn(&hd_thread_own(m, tid)->clock,
                   &hd_thread_of(m, ended)->clock);
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
  hd_clock_clear(&sync->clock);
  for (size_t i = 0; i < sync->heads.size; i++) {
    hd_head head = sync->heads.data[i];
    if (head.thread != tid || m->plan->options->c23) {
      hd_clock_clear(&head.clock);
      continue;
    }
    hd_clock_learn(&sync->clock, &head.clock);
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
  hd_clock_learn(&head->clock, &hd_thread_of(m, tid)->clock);
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
      hd_clock_learn(&hd_thread_own(m, tid)->seen, &sync->clock);
  }
  if (!writes)
    return;
  if (!reads)
    end_sequences(m, sync, tid);
  if (releases(order))
    release(m, tid, sync);
  else
    hd_clock_learn(&sync->clock, &hd_thread_of(m, tid)->fenced);
}

void hd_clock_fence(hd_machine *m, hd_tid tid, hd_order order) {
  if (off(m))
    return;
  hd_thread *t = hd_thread_own(m, tid);
  if (acquires(order))
    hd_clock_learn(&t->clock, &t->seen);
  if (releases(order)) {
    hd_clock_learn(&t->fenced, &t->clock);
    hd_clock_tick(&t->clock, t->id);
  }
}

/* --- accesses --- */

static bool known(const hd_thread *t, const mark *earlier) {
  return earlier->thread == t->id ||
         earlier->time <= hd_clock_at(&t->clock, earlier->thread);
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

/* Where the mark of this thread is among those of one kind, or would be. */
static size_t find_mark(const cell *c, kind k, hd_tid thread) {
  size_t low = 0, high = c->since[k].size;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (c->since[k].data[middle].thread < thread)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Whatever is not ordered behind an access of this kind that is ordered before
 * `t` now is not ordered behind that of `t` either: one is enough. */
static void forget_known(cell *c, kind k, const hd_thread *t) {
  size_t kept = 0;
  for (size_t i = 0; i < c->since[k].size; i++)
    if (!known(t, &c->since[k].data[i]))
      c->since[k].data[kept++] = c->since[k].data[i];
  c->since[k].size = kept;
}

static void keep_since(cell *c, kind k, const hd_thread *t, mark now) {
  enum { FEW = 16 };
  size_t n = c->since[k].size;
  if (n >= FEW && !(n & (n - 1)))
    forget_known(c, k, t);
  size_t at = find_mark(c, k, now.thread);
  if (at == c->since[k].size || c->since[k].data[at].thread != now.thread) {
    hd_vec_push(&c->since[k], now);
    memmove(&c->since[k].data[at + 1], &c->since[k].data[at],
            (c->since[k].size - 1 - at) * sizeof now);
  }
  c->since[k].data[at] = now;
}

static void keep(cell *c, const hd_thread *t, mark now, bool write) {
  if (now.atomic || !write) {
    keep_since(c,
               !now.atomic ? READS
               : write     ? ATOMIC_WRITES
                           : ATOMIC_READS,
               t, now);
    return;
  }
  c->written = true;
  c->write = now;
  for (kind k = 0; k < KINDS; k++)
    hd_vec_clear(&c->since[k]);
}

/* May the access race with those of this kind? */
static bool meets(kind k, bool write, bool atomic) {
  return (write || k == ATOMIC_WRITES) && !(atomic && k != READS);
}

void hd_clock_access(hd_machine *m, hd_tid tid, uint64_t address, uint64_t size,
                     bool write, bool atomic) {
  if (m->threads.size < 2)
    return;
  if (tid && !hd_machine_stack_of(m, address))
    m->plan->visited = true;
  int64_t offset;
  const hd_object *found = hd_ram_find(m, address, &offset);
  if (!found || found->constant || found->kind == HD_OBJECT_ERRNO)
    return;
  if (m->plan->options->mixes &&
      !hd_mixes_note(m, tid, found, (uint64_t)offset, size, atomic) && atomic)
    return; /* who accesses it otherwise is told to come again */
  hd_object *object = hd_ram_own(m, address, &offset);
  hd_cells *cells = cells_own(object);
  const hd_thread *t = hd_thread_of(m, tid);
  mark now = {.thread = tid,
              .time = hd_clock_at(&t->clock, tid),
              .edge = hd_thread_edge(t),
              .atomic = atomic};
  for (uint64_t i = (uint64_t)offset; i < (uint64_t)offset + size; i++) {
    page *p = page_own(&cells->pages[i / PAGE]);
    cell *c = &p->cells[i % PAGE];
    if (c->written)
      check(m, t, &c->write, atomic, address, size);
    for (kind k = 0; k < KINDS; k++)
      for (size_t r = 0; meets(k, write, atomic) && r < c->since[k].size; r++)
        check(m, t, &c->since[k].data[r], atomic, address, size);
    keep(c, t, now, write);
  }
}

bool hd_cells_atomic(unsigned number) {
  return number > READS + 1;
}

void hd_cells_each(const hd_cells *cells, hd_cells_visit *visit,
                   void *context) {
  for (size_t i = 0; i < cells->n_pages * PAGE; i++) {
    if (!cells->pages[i / PAGE]) {
      i |= PAGE - 1;
      continue;
    }
    const cell *c = &cells->pages[i / PAGE]->cells[i % PAGE];
    if (c->written)
      visit(context, i, 0, c->write.thread, c->write.time);
    for (kind k = 0; k < KINDS; k++)
      for (hd_vec_each(const mark, m, &c->since[k]))
        visit(context, i, 1 + k, m->thread, m->time);
  }
}
