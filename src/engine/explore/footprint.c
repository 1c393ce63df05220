/* SPDX-License-Identifier: MIT */
/* See search.c for the reasoning. Everything only grows, but for what a move is
 * sure to write, which shrinks; so it comes to an end, as cells and controls are
 * finitely many. */
#include "engine/explore/footprint.h"

#include "base/hash.h"

/* More cells than this at once are "anything". */
#define CELLS_MOST 64

typedef hd_vec(uint64_t) cells;

typedef struct {
  cells reads, writes;
  bool any; /* may touch anything */
} footprint;

typedef struct {
  footprint own, behind;
  footprint sections; /* the part of `behind` that sections do */
  hd_u32s sources;    /* controls that go on here */
  hd_u32s links;      /* those that begin here */
  bool section, inside;
  bool queued;
  uint64_t round; /* it was last looked at in */
} place;

typedef struct {
  uint32_t to;
  cells always; /* written by every move that was seen */
} way;

typedef struct {
  uint64_t version; /* the answer is of this one */
  bool passed;
} answer;

#define HD_MAP cell_map
#define HD_KEY uint64_t
#define HD_VAL uint32_t
#define HD_HASH(k) hd_hash_mix(0, k)
#define HD_EQ(a, b) ((a) == (b))
#include "base/map_templ.h"

#define HD_MAP answer_map
#define HD_KEY uint64_t
#define HD_VAL answer
#define HD_HASH(k) hd_hash_mix(0, k)
#define HD_EQ(a, b) ((a) == (b))
#include "base/map_templ.h"

struct hd_footprints {
  cell_map numbers; /* of cells */
  hd_vec(place) at; /* by control */
  cell_map links;   /* (from, to) -> in `ways` */
  hd_vec(way) ways;
  cell_map passes; /* (control, control of another thread) */
  answer_map answers;
  hd_u32s work;
  cells wrote; /* scratch */
  uint64_t version, round;
};

static uint64_t pair(uint32_t a, uint32_t b) {
  return (uint64_t)a << 32 | b;
}

hd_footprints *hd_footprints_new(void) {
  return hd_calloc(1, sizeof(hd_footprints));
}

static void footprint_free(footprint *f) {
  hd_vec_free(&f->reads);
  hd_vec_free(&f->writes);
}

void hd_footprints_delete(hd_footprints *feet) {
  if (!feet)
    return;
  for (hd_vec_each(place, p, &feet->at)) {
    footprint_free(&p->own);
    footprint_free(&p->behind);
    footprint_free(&p->sections);
    hd_vec_free(&p->sources);
    hd_vec_free(&p->links);
  }
  for (hd_vec_each(way, w, &feet->ways))
    hd_vec_free(&w->always);
  hd_vec_free(&feet->at);
  hd_vec_free(&feet->ways);
  cell_map_free(&feet->numbers);
  cell_map_free(&feet->links);
  cell_map_free(&feet->passes);
  answer_map_free(&feet->answers);
  hd_vec_free(&feet->work);
  hd_vec_free(&feet->wrote);
  hd_free(feet);
}

uint64_t hd_footprints_version(const hd_footprints *feet) {
  return feet->version;
}

/* --- sets of cells --- */

static bool add_cell(cells *set, uint32_t cell) {
  while (set->size <= cell / 64)
    hd_vec_push(set, 0);
  uint64_t bit = (uint64_t)1 << cell % 64;
  bool fresh = !(set->data[cell / 64] & bit);
  set->data[cell / 64] |= bit;
  return fresh;
}

static bool add_cells(cells *into, const cells *from) {
  uint64_t fresh = 0;
  while (into->size < from->size)
    hd_vec_push(into, 0);
  for (size_t i = 0; i < from->size; i++) {
    fresh |= from->data[i] & ~into->data[i];
    into->data[i] |= from->data[i];
  }
  return fresh != 0;
}

/* Leaves in `set` what both have; true when it shrinks. */
static bool keep_cells(cells *set, const cells *with) {
  uint64_t lost = 0;
  for (size_t i = 0; i < set->size; i++) {
    uint64_t kept = i < with->size ? with->data[i] : 0;
    lost |= set->data[i] & ~kept;
    set->data[i] &= kept;
  }
  return lost != 0;
}

static bool meet(const cells *a, const cells *b) {
  for (size_t i = 0; i < a->size && i < b->size; i++)
    if (a->data[i] & b->data[i])
      return true;
  return false;
}

static bool add_footprint(footprint *into, const footprint *from) {
  bool grows = add_cells(&into->reads, &from->reads);
  grows |= add_cells(&into->writes, &from->writes);
  grows |= from->any && !into->any;
  into->any |= from->any;
  return grows;
}

static bool is_empty(const footprint *f) {
  return !f->any && !f->reads.size && !f->writes.size;
}

static bool footprints_meet(const footprint *a, const footprint *b) {
  if (b->any || (a->any && !is_empty(b)))
    return true;
  return meet(&a->writes, &b->writes) || meet(&a->writes, &b->reads) ||
         meet(&a->reads, &b->writes);
}

static uint32_t number_of(hd_footprints *feet, uint64_t cell) {
  return *cell_map_put(&feet->numbers, cell, (uint32_t)feet->numbers.size,
                       NULL);
}

/* --- learning --- */

static place *at(hd_footprints *feet, uint32_t control) {
  assert(!(control >> 31)); /* ends of threads are no places */
  while (feet->at.size <= control) {
    place none = {0};
    hd_vec_push(&feet->at, none);
  }
  return &feet->at.data[control];
}

/* What is known of a control is known of those before it. */
static bool pass_back(place *source, const place *p) {
  bool grows = add_footprint(&source->behind, &p->own);
  grows |= add_footprint(&source->behind, &p->behind);
  grows |= add_footprint(&source->sections, &p->sections);
  if (p->section)
    grows |= add_footprint(&source->sections, &p->own);
  if (p->inside)
    grows |= add_footprint(&source->own, &p->own);
  return grows;
}

static void push(hd_footprints *feet, uint32_t control) {
  if (!at(feet, control)->queued)
    hd_vec_push(&feet->work, control);
  at(feet, control)->queued = true;
}

static void settle(hd_footprints *feet, uint32_t control) {
  assert(!feet->work.size);
  feet->version++;
  push(feet, control);
  while (feet->work.size) {
    uint32_t c = hd_vec_pop(&feet->work);
    assert(feet->at.data[c].queued);
    feet->at.data[c].queued = false;
    for (size_t i = 0; i < feet->at.data[c].sources.size; i++) {
      uint32_t source = feet->at.data[c].sources.data[i];
      if (source != c && pass_back(&feet->at.data[source], &feet->at.data[c]))
        push(feet, source);
    }
  }
}

void hd_footprints_touch(hd_footprints *feet, uint32_t control,
                         uint64_t address, uint64_t size, bool writes) {
  footprint *own = &at(feet, control)->own;
  uint64_t last = (address + size - 1) >> 2;
  bool grows = false;
  if (size > 4 * CELLS_MOST || address + size < address) {
    hd_footprints_any(feet, control);
    return;
  }
  for (uint64_t cell = address >> 2; size && cell <= last; cell++)
    grows |=
        add_cell(writes ? &own->writes : &own->reads, number_of(feet, cell));
  if (grows)
    settle(feet, control);
}

void hd_footprints_section(hd_footprints *feet, uint32_t control) {
  if (at(feet, control)->section)
    return;
  at(feet, control)->section = true;
  settle(feet, control);
}

void hd_footprints_inside(hd_footprints *feet, uint32_t control) {
  if (at(feet, control)->inside)
    return;
  at(feet, control)->inside = true;
  settle(feet, control);
}

void hd_footprints_any(hd_footprints *feet, uint32_t control) {
  if (at(feet, control)->own.any)
    return;
  at(feet, control)->own.any = true;
  settle(feet, control);
}

void hd_footprints_frames(hd_footprints *feet, uint32_t control) {
  if (at(feet, control)->inside)
    hd_footprints_any(feet, control);
}

static void find_written(hd_footprints *feet, const hd_touch *touched,
                         size_t n) {
  for (size_t i = 0; i < feet->wrote.size; i++)
    feet->wrote.data[i] = 0;
  for (size_t i = 0; i < n; i++) {
    const hd_touch *t = &touched[i];
    if (!t->written || t->size > 4 * CELLS_MOST || !t->size)
      continue;
    for (uint64_t c = t->address >> 2; c <= (t->address + t->size - 1) >> 2;
         c++)
      add_cell(&feet->wrote, number_of(feet, c));
  }
}

void hd_footprints_link(hd_footprints *feet, uint32_t from, uint32_t to,
                        const hd_touch *touched, size_t n) {
  bool fresh;
  uint32_t id = *cell_map_put(&feet->links, pair(from, to),
                              (uint32_t)feet->ways.size, &fresh);
  find_written(feet, touched, n);
  if (!fresh) {
    if (keep_cells(&feet->ways.data[id].always, &feet->wrote))
      feet->version++;
    return;
  }
  way w = {.to = to};
  add_cells(&w.always, &feet->wrote);
  assert(id == feet->ways.size); /* as it was numbered */
  hd_vec_push(&feet->ways, w);
  hd_vec_push(&at(feet, from)->links, id);
  feet->version++;
  if (to >> 31)
    return;
  hd_vec_push(&at(feet, to)->sources, from);
  settle(feet, to);
}

void hd_footprints_pass(hd_footprints *feet, uint32_t control, uint32_t other) {
  bool fresh;
  cell_map_put(&feet->passes, pair(control, other), 0, &fresh);
  feet->version += fresh;
}

/* --- asking --- */

bool hd_footprints_clash(const hd_footprints *feet, uint32_t mine,
                         uint32_t other, bool later) {
  if (mine >= feet->at.size || other >= feet->at.size)
    return false; /* nothing was done there yet */
  const place *a = &feet->at.data[mine], *b = &feet->at.data[other];
  if (a->section)
    return a->own.any || footprints_meet(&a->own, &b->own) ||
           (later && footprints_meet(&a->own, &b->behind));
  return (b->section && footprints_meet(&a->own, &b->own)) ||
         (later && footprints_meet(&a->own, &b->sections));
}

/* Notes that the other thread can get there; true when it was there at a pass. */
static bool reach(hd_footprints *feet, uint32_t control, uint32_t other) {
  if (cell_map_find(&feet->passes, pair(control, other)))
    return true;
  if (other >> 31 || feet->at.data[other].round == feet->round)
    return false;
  feet->at.data[other].round = feet->round;
  hd_vec_push(&feet->work, other);
  return false;
}

/* The controls that the other thread can get to without writing what is read at
 * the control: has it been at one of them at a pass? */
static bool find_pass(hd_footprints *feet, uint32_t control, uint32_t other) {
  assert(control < feet->at.size);
  const cells *reads = &feet->at.data[control].own.reads;
  feet->round++;
  assert(!feet->work.size);
  bool found = reach(feet, control, other);
  while (feet->work.size && !found) {
    const place *p = &feet->at.data[hd_vec_pop(&feet->work)];
    for (size_t i = 0; i < p->links.size && !found; i++) {
      const way *w = &feet->ways.data[p->links.data[i]];
      found = !meet(&w->always, reads) && reach(feet, control, w->to);
    }
  }
  hd_vec_clear(&feet->work);
  return found;
}

bool hd_footprints_passed(hd_footprints *feet, uint32_t control,
                          uint32_t other) {
  if (control >= feet->at.size || at(feet, control)->own.any)
    return true;
  at(feet, other);
  answer none = {.version = UINT64_MAX};
  answer *known =
      answer_map_put(&feet->answers, pair(control, other), none, NULL);
  if (known->version != feet->version) {
    known->passed = find_pass(feet, control, other);
    known->version = feet->version;
  }
  return known->passed;
}
