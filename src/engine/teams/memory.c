/* SPDX-License-Identifier: MIT */
/* Accesses: of memory that one thread sees alone, and of all other, which are
 * written down. Outside of regions there is one thread, and all is its own. */
#include "engine/teams/state.h"

#include "check/interp/memory.h"

uint64_t hd_team_walk_object(hd_team_terms *terms, hd_team_term address) {
  int64_t constant;
  (void)hd_team_term_split(terms, address, &constant);
  /* Offsets are small, and may be below the object. */
  return ((uint64_t)constant + ((uint64_t)1 << 31)) >> 32;
}

/* Numbers of objects: those of the machine, slots, others, and variables of which
 * each thread has one: its own, and that of the thread outside of regions. */
#define SLOTS HD_TEAM_WALK_PRIVATE
#define OTHERS (SLOTS + ((uint64_t)1 << 27))
#define THREADS (SLOTS + ((uint64_t)1 << 28))
#define TASKS (THREADS + ((uint64_t)1 << 27))

/* Blocks that one place allocates are so far apart: none is larger. */
#define BLOCK ((int64_t)1 << 40)

uint64_t hd_team_walk_slot(uint64_t slot) {
  return (SLOTS + slot) << 32;
}

bool hd_team_walk_is_first(uint64_t one, uint64_t other) {
  return (one ^ other) == 1 && one >= THREADS && one < TASKS;
}

uint64_t hd_team_walk_thread_local(const hd_team_walk_state *s,
                                   uint64_t global) {
  return (THREADS + 2 * global + (s->team ? 1 : 0)) << 32;
}

/* Did it exist before the region whose first objects these are? */
static bool is_older(uint64_t object, size_t slots, size_t heap) {
  if (object >= TASKS)
    return object - TASKS < heap;
  if (object >= THREADS)
    return !(object & 1);
  if (object >= OTHERS)
    return object - OTHERS < heap;
  return object < SLOTS || object - SLOTS < slots;
}

bool hd_team_walk_is_newer(uint64_t object, size_t slots, size_t heap) {
  return object && !is_older(object, slots, heap);
}

bool hd_team_walk_is_own(const hd_team_walk_state *s, uint64_t object) {
  return !s->team || !is_older(object, s->team->slots, s->team->heap);
}

/* Is it the same object for all threads, and no region's? */
static bool is_common(const hd_team_walk_state *s, uint64_t object) {
  return !s->team ||
         is_older(object, s->team->first_slots, s->team->first_heap);
}

hd_team_term hd_team_walk_allocate(hd_team_walker *k, hd_team_walk_state *s) {
  hd_team_terms *t = k->w->terms;
  hd_team_term at =
      hd_team_term_const(t, (int64_t)((OTHERS + s->heap++) << 32));
  if (!s->loops.size)
    return at;
  /* One of several: they have a number in common, and are apart by which time round
   * the innermost loop it is. */
  return hd_team_term_make(t, HD_TEAM_ADD, at,
                           hd_team_term_make(t, HD_TEAM_MUL,
                                             hd_vec_last(&s->loops).counter,
                                             hd_team_term_const(t, BLOCK)));
}

/* The part of a sum that says which of several blocks it is; 0: none. */
static hd_team_term which_block(const hd_team_terms *t, hd_team_term term) {
  const hd_team_term_node *n = hd_team_term_at(t, term);
  int64_t factor;
  if (n->op == HD_TEAM_MUL && hd_team_term_is_const(t, n->args[1], &factor) &&
      factor == BLOCK)
    return term;
  if (n->op != HD_TEAM_ADD)
    return 0;
  hd_team_term first = which_block(t, n->args[0]);
  return first ? first : which_block(t, n->args[1]);
}

void hd_team_walk_stay_in_block(hd_team_walker *k, hd_team_walk_state *s,
                                hd_team_term pointer, hd_team_term at,
                                hd_team_term size) {
  hd_team_terms *t = k->w->terms;
  hd_team_term block = which_block(t, pointer);
  if (!block)
    return;
  uint64_t object = hd_team_walk_object(t, pointer);
  hd_team_term begin = hd_team_term_make(
                   t, HD_TEAM_ADD, block,
                   hd_team_term_const(t, (int64_t)(object << 32))),
               end = hd_team_term_make(t, HD_TEAM_ADD, begin,
                                       hd_team_term_const(t, BLOCK));
  hd_vec_push(&s->facts, hd_team_term_make(t, HD_TEAM_LE, begin, at));
  hd_vec_push(&s->facts, hd_team_term_make(
                             t, HD_TEAM_LE,
                             hd_team_term_make(t, HD_TEAM_ADD, at, size), end));
}

uint64_t hd_team_walk_task_index(uint64_t object) {
  return object - TASKS;
}

hd_team_term hd_team_walk_task_object(hd_team_walker *k,
                                      hd_team_walk_state *s) {
  return hd_team_term_const(k->w->terms, (int64_t)((TASKS + s->heap++) << 32));
}

static bool has(const hd_team_objects *list, uint64_t object) {
  for (size_t i = 0; i < list->size; i++)
    if (list->data[i] == object)
      return true;
  return false;
}

static bool is_written(const hd_team_walk *w, uint64_t object) {
  for (; w; w = w->outer)
    if (has(&w->written, object))
      return true;
  return false;
}

void hd_team_walk_write(hd_team_walk *w, uint64_t object) {
  if (!has(&w->written, object))
    hd_vec_push(&w->written, object);
}

/* Does the value depend on the iterations that the thread had before? */
static bool is_carried(const hd_team_walk *w, hd_team_term value) {
  int64_t added;
  if (w->carried.size)
    value = hd_team_term_split(w->terms, value, &added);
  for (size_t i = 0; i < w->carried.size; i++)
    if (w->carried.data[i] == value)
      return true;
  return false;
}

/* Has the thread had the last iteration, which set it, and left the loop? */
static bool is_last(const hd_team_walk *w, const hd_team_walk_state *s,
                    hd_team_term value) {
  for (size_t i = 0; i < w->renewed.size; i++) {
    const hd_team_walk_renewed *r = &w->renewed.data[i];
    if (r->value != value || s->loops.size >= r->loops)
      continue;
    for (size_t j = 0; j < s->parts.size; j++)
      if (!s->parts.data[j].part && s->parts.data[j].edge == r->edge)
        return true;
  }
  return false;
}

void hd_team_walk_use(hd_team_walk *w, const hd_team_walk_state *s,
                      hd_team_term value) {
  if (!w->depends && is_carried(w, value) && !is_last(w, s, value))
    w->depends = true;
}

/* --- memory that is known --- */

int64_t hd_team_walk_version(const hd_team_walk_state *s, uint64_t object) {
  for (size_t i = 0; i < s->versions.size; i++)
    if (s->versions.data[i].object == object)
      return s->versions.data[i].version;
  return s->version;
}

void hd_team_walk_renew(hd_team_walker *k, hd_team_walk_state *s,
                        uint64_t object) {
  int64_t version = ++k->graph->versions;
  for (size_t i = 0; i < s->versions.size; i++)
    if (s->versions.data[i].object == object) {
      s->versions.data[i].version = version;
      return;
    }
  hd_vec_push(&s->versions, ((hd_team_walk_version_of){object, version}));
}

static void forget(hd_team_walk_state *s, uint64_t low, uint64_t high) {
  size_t kept = 0;
  for (size_t i = 0; i < s->cells.size; i++) {
    const hd_team_walk_cell *c = &s->cells.data[i];
    if (c->address + c->size <= low || c->address >= high)
      s->cells.data[kept++] = *c;
  }
  s->cells.size = kept;
}

void hd_team_walk_havoc(hd_team_walker *k, hd_team_walk_state *s,
                        uint64_t object) {
  forget(s, (object << 32) - ((uint64_t)1 << 31),
         (object << 32) + ((uint64_t)1 << 31));
  hd_team_walk_renew(k, s, object);
}

void hd_team_walk_havoc_all(hd_team_walker *k, hd_team_walk_state *s) {
  s->cells.size = s->versions.size = 0;
  s->version = ++k->graph->versions;
}

void hd_team_walk_end_slots(hd_team_walk_state *s, size_t first) {
  forget(s, (SLOTS + first) << 32, OTHERS << 32);
  s->objects = first;
}

bool hd_team_walk_is_thread_local(uint64_t object) {
  return object >= THREADS && object < TASKS;
}

void hd_team_walk_forget_threads(hd_team_walker *k, hd_team_walk_state *s) {
  hd_team_objects list = {0};
  for (size_t i = 0; i < s->cells.size; i++) {
    uint64_t object = (s->cells.data[i].address + ((uint64_t)1 << 31)) >> 32;
    if (hd_team_walk_is_thread_local(object) && !has(&list, object))
      hd_vec_push(&list, object);
  }
  for (size_t i = 0; i < list.size; i++)
    hd_team_walk_havoc(k, s, list.data[i]);
  hd_vec_free(&list);
}

static void own_store(hd_team_walker *k, hd_team_walk_state *s,
                      hd_team_term address, uint64_t object, uint64_t size,
                      hd_team_term value) {
  int64_t at;
  if (!object && !s->team) {
    hd_team_walk_havoc_all(k, s);
    return;
  }
  if (!size || !hd_team_term_is_const(k->w->terms, address, &at)) {
    hd_team_walk_havoc(k, s, object);
    return;
  }
  hd_team_walk_renew(k, s, object);
  forget(s, (uint64_t)at, (uint64_t)at + size);
  hd_team_walk_cell cell = {(uint64_t)at, size, value};
  if (value)
    hd_vec_push(&s->cells, cell);
}

static bool has_width(hd_team_walker *k, const hd_team_walk_state *s,
                      hd_team_term value, uint64_t size) {
  hd_team_terms *t = k->w->terms;
  int64_t most = ((int64_t)1 << (8 * size - 1)) - 1;
  hd_team_term low =
      hd_team_term_make(t, HD_TEAM_LE, hd_team_term_const(t, -most - 1), value);
  hd_team_term high =
      hd_team_term_make(t, HD_TEAM_LE, value, hd_team_term_const(t, most));
  return hd_team_walk_holds(k, s, hd_team_term_make(t, HD_TEAM_AND, low, high));
}

/* 0: not known. */
static hd_team_term in_cell(hd_team_walker *k, const hd_team_walk_state *s,
                            uint64_t at, uint64_t size) {
  for (size_t i = 0; i < s->cells.size; i++) {
    const hd_team_walk_cell *c = &s->cells.data[i];
    if (c->address != at || c->size < size)
      continue;
    /* The lower part of a number that has no more is that number. */
    if (c->size == size || (size <= 4 && has_width(k, s, c->value, size)))
      return c->value;
  }
  return 0;
}

/* Does a cell have a part of these bytes? */
static bool overlaps(const hd_team_walk_state *s, uint64_t at, uint64_t size) {
  for (size_t i = 0; i < s->cells.size; i++)
    if (s->cells.data[i].address < at + size &&
        at < s->cells.data[i].address + s->cells.data[i].size)
      return true;
  return false;
}

/* What the machine has there; 0: nothing that is known. */
static hd_team_term in_machine(hd_team_walker *k, uint64_t address,
                               uint64_t size, hd_type type) {
  const hd_machine *m = k->w->machine;
  if (size > 8 || type.kind == HD_TYPE_FLOAT ||
      hd_ram_wrong(m, address, size, false))
    return 0;
  const uint8_t *unset, *bytes = hd_ram_bytes(m, address, &unset);
  uint64_t value = 0;
  for (uint64_t i = 0; i < size; i++) {
    if (unset && unset[i])
      return 0;
    value |= (uint64_t)bytes[i] << (8 * i);
  }
  if (type.width > 1 && type.width < 64 && value >> (type.width - 1) & 1)
    value |= ~(uint64_t)0 << type.width;
  return hd_team_term_const(k->w->terms, (int64_t)value);
}

static hd_team_term known_value(hd_team_walker *k, hd_team_walk_state *s,
                                hd_team_term address, uint64_t size,
                                hd_type type) {
  hd_team_terms *t = k->w->terms;
  uint64_t object = hd_team_walk_object(t, address);
  int64_t at, version = hd_team_walk_version(s, object);
  bool fixed = hd_team_term_is_const(t, address, &at);
  hd_team_term value = fixed ? in_cell(k, s, (uint64_t)at, size) : 0;
  if (!value && fixed && !version && !overlaps(s, (uint64_t)at, size))
    value = in_machine(k, (uint64_t)at, size, type);
  if (value) {
    hd_team_walk_use(k->w, s, value);
    return value;
  }
  if (object && is_common(s, object) && type.kind != HD_TYPE_FLOAT &&
      size <= 8 && !(fixed && overlaps(s, (uint64_t)at, size)))
    return hd_team_term_load(t, address, size, version);
  value = hd_team_walk_any(k, s, type.kind == HD_TYPE_INT ? type.width : 0);
  if (!object || !is_common(s, object))
    k->w->depends = true; /* on what this thread did before, perhaps */
  /* The same the next time. */
  if (object && fixed && hd_team_walk_is_own(s, object) &&
      !overlaps(s, (uint64_t)at, size)) {
    hd_team_walk_cell cell = {(uint64_t)at, size, value};
    hd_vec_push(&s->cells, cell);
  }
  return value;
}

/* --- what others see --- */

static void write_down(hd_team_walker *k, hd_team_walk_state *s,
                       hd_edge_id edge, hd_team_term address, hd_team_term size,
                       bool write, bool atomic, bool commutes) {
  hd_team_walk *w = k->w;
  uint64_t object = hd_team_walk_object(w->terms, address);
  if (write && !object) {
    hd_team_walk_refuse(k, edge, "what is written to is not known");
    return;
  }
  if (write)
    hd_team_walk_write(w, object);
  bool held = s->locks.size || atomic;
  if (write && held && !commutes)
    w->ordered_by_chance = true;
  if (write && held && (!s->parts.size || s->reduces))
    w->depends = true; /* each thread does it */
  if (k->probing)
    return;
  size_t facts = s->facts.size;
  hd_team_walk_stay_in_block(k, s, address, address, size);
  const hd_team_walk_team *team = s->team;
  hd_team_access a = {
      .mine = !is_older(object, team->region_slots, team->region_heap),
      .task = s->record,
      .pending = w->pending.size,
      .n_pending = s->pending.size,
      .edge = edge,
      .address = address,
      .size = size,
      .object = object,
      .write = write,
      .atomic = atomic,
      .commutes = commutes,
      .facts = w->facts.size,
      .n_facts = s->facts.size,
      .locks = w->locks.size,
      .n_locks = s->locks.size,
      .parts = w->parts.size,
      .n_parts = s->parts.size,
  };
  for (size_t i = 0; i < s->facts.size; i++)
    hd_vec_push(&w->facts, s->facts.data[i]);
  s->facts.size = facts;
  for (size_t i = 0; i < s->locks.size; i++)
    hd_vec_push(&w->locks, s->locks.data[i]);
  for (size_t i = 0; i < s->parts.size; i++) {
    hd_part p = s->parts.data[i];
    size_t from = p.counters;
    p.counters = w->facts.size;
    for (size_t j = 0; j < p.n_counters; j++)
      hd_vec_push(&w->facts, s->counters.data[from + j]);
    hd_vec_push(&w->parts, p);
  }
  for (size_t i = 0; i < s->pending.size; i++)
    hd_vec_push(&w->pending, s->pending.data[i]);
  a.counters = w->facts.size;
  a.n_counters = s->pending.size ? s->loops.size : 0;
  for (size_t i = 0; i < a.n_counters; i++)
    hd_vec_push(&w->facts, s->loops.data[i].counter);
  hd_vec_push(&w->accesses, a);
}

/* Its own, but tasks that it has created may see it. */
static bool is_exposed(const hd_team_walker *k, const hd_team_walk_state *s,
                       uint64_t object) {
  return s->team && s->pending.size && has(&k->w->captured, object);
}

/* The address of the thread's own object is put somewhere. */
void hd_team_walk_capture(hd_team_walker *k, const hd_team_walk_state *s,
                          hd_team_term value) {
  uint64_t target = value ? hd_team_walk_object(k->w->terms, value) : 0;
  if (!s->team || target < SLOTS || target >= TASKS ||
      has(&k->w->captured, target))
    return;
  hd_vec_push(&k->w->captured, target);
  k->w->grown++;
}

void hd_team_walk_end_exposed(hd_team_walker *k, hd_team_walk_state *s,
                              hd_edge_id edge, size_t first) {
  hd_team_terms *t = k->w->terms;
  if (!s->team || !s->pending.size)
    return;
  for (size_t slot = first; slot < s->objects; slot++)
    if (has(&k->w->captured, SLOTS + slot)) {
      hd_team_term at = hd_team_term_const(t, (int64_t)((SLOTS + slot) << 32));
      write_down(k, s, edge, at, hd_team_walk_any(k, s, 31), true, false,
                 false);
    }
}

hd_team_term hd_team_walk_peek(hd_team_walker *k, const hd_team_walk_state *s,
                               hd_team_term address, uint64_t size) {
  int64_t at;
  return hd_team_term_is_const(k->w->terms, address, &at)
             ? in_cell(k, s, (uint64_t)at, size)
             : 0;
}

/* The first thread's own variable is that of the thread outside, which others may
 * have the address of. */
static void write_down_first(hd_team_walker *k, hd_team_walk_state *s,
                             hd_edge_id edge, hd_team_term address,
                             hd_team_term size, bool write) {
  hd_team_terms *t = k->w->terms;
  uint64_t object = hd_team_walk_object(t, address);
  if (!s->team || !hd_team_walk_is_thread_local(object) || !(object & 1))
    return;
  hd_team_term first =
      hd_team_term_make(t, HD_TEAM_EQ, k->w->number, hd_team_term_const(t, 0));
  hd_team_term at = hd_team_term_make(
      t, HD_TEAM_ADD, address, hd_team_term_const(t, -((int64_t)1 << 32)));
  hd_vec_push(&s->facts, first);
  write_down(k, s, edge, at, size, write, false, false);
  s->facts.size--;
}

/* Which thread executes a task is not known, nor what else it executes in between:
 * what a task sets is anything from then on, for all threads. */
static void set_by_task(hd_team_walker *k, const hd_team_walk_state *s,
                        uint64_t object) {
  if (s->team && s->team->task && hd_team_walk_is_thread_local(object))
    hd_team_walk_write(k->w, object);
}

/* What the thread finds there is what it wrote since the last barrier. */
static bool is_exclusive(const hd_team_walker *k, const hd_team_walk_state *s,
                         uint64_t object) {
  return s->team && !s->team->task && object && has(&k->w->exclusive, object);
}

void hd_team_walk_forget_exclusive(hd_team_walker *k, hd_team_walk_state *s) {
  for (size_t i = 0; i < k->w->exclusive.size; i++)
    hd_team_walk_havoc(k, s, k->w->exclusive.data[i]);
}

hd_team_term hd_team_walk_load(hd_team_walker *k, hd_team_walk_state *s,
                               hd_edge_id edge, hd_team_term address,
                               uint64_t size, hd_type type, bool atomic) {
  uint64_t object = hd_team_walk_object(k->w->terms, address);
  bool own = hd_team_walk_is_own(s, object);
  hd_team_term bytes = hd_team_term_const(k->w->terms, (int64_t)size);
  hd_team_walk_note(k, s, edge, object, address, bytes, false, atomic);
  write_down_first(k, s, edge, address, bytes, false);
  if (!own || is_exposed(k, s, object))
    write_down(k, s, edge, address, bytes, false, atomic, false);
  bool of_any =
      s->team && s->team->task && hd_team_walk_is_thread_local(object);
  if (s->team && (!object || of_any || is_written(k->w, object))) {
    hd_team_term value =
        is_exclusive(k, s, object) ? hd_team_walk_peek(k, s, address, size) : 0;
    return value ? value
                 : hd_team_walk_any(k, s,
                                    type.kind == HD_TYPE_INT ? type.width : 0);
  }
  return known_value(k, s, address, size, type);
}

void hd_team_walk_store(hd_team_walker *k, hd_team_walk_state *s,
                        hd_edge_id edge, hd_team_term address, uint64_t size,
                        hd_team_term value, bool atomic, bool commutes) {
  hd_team_terms *t = k->w->terms;
  uint64_t object = hd_team_walk_object(t, address);
  bool own = hd_team_walk_is_own(s, object);
  hd_team_term bytes = hd_team_term_const(t, (int64_t)size);
  hd_team_walk_capture(k, s, value);
  hd_team_walk_note(k, s, edge, object, address, bytes, true, atomic);
  write_down_first(k, s, edge, address, bytes, true);
  set_by_task(k, s, object);
  if (own || is_exclusive(k, s, object))
    own_store(k, s, address, object, size, value);
  if (own && !is_exposed(k, s, object))
    return;
  uint64_t target = value ? hd_team_walk_object(t, value) : 0;
  if (!own && target >= SLOTS && hd_team_walk_is_own(s, target))
    hd_team_walk_refuse(
        k, edge,
        "the address of a variable of one thread is stored where "
        "others can see it");
  write_down(k, s, edge, address, bytes, true, atomic, commutes);
}

void hd_team_walk_touch_as(hd_team_walker *k, hd_team_walk_state *s,
                           hd_edge_id edge, hd_team_term address,
                           hd_team_term size, bool write, bool atomic) {
  uint64_t object = hd_team_walk_object(k->w->terms, address);
  bool own = hd_team_walk_is_own(s, object);
  int64_t bytes;
  hd_team_walk_note(k, s, edge, object, address, size, write, atomic);
  write_down_first(k, s, edge, address, size, write);
  if (!own || is_exposed(k, s, object))
    write_down(k, s, edge, address, size, write, atomic, false);
  if ((!own && !is_exclusive(k, s, object)) || !write)
    return;
  set_by_task(k, s, object);
  if (!hd_team_term_is_const(k->w->terms, size, &bytes) || bytes < 0)
    bytes = 0;
  own_store(k, s, address, object, (uint64_t)bytes, 0);
}

void hd_team_walk_touch(hd_team_walker *k, hd_team_walk_state *s,
                        hd_edge_id edge, hd_team_term address,
                        hd_team_term size, bool write) {
  hd_team_walk_touch_as(k, s, edge, address, size, write, false);
}

/* The cells of one block of memory go to another one of the thread's own. */
void hd_team_walk_move_cells(hd_team_walker *k, hd_team_walk_state *s,
                             hd_team_term to, hd_team_term from,
                             uint64_t size) {
  int64_t there, here;
  hd_team_terms *t = k->w->terms;
  if (!hd_team_term_is_const(t, to, &there) ||
      !hd_team_term_is_const(t, from, &here) ||
      !hd_team_walk_is_own(s, hd_team_walk_object(t, to)) ||
      (s->team && is_written(k->w, hd_team_walk_object(t, from))))
    return;
  hd_vec(hd_team_walk_cell) moved = {0};
  for (size_t i = 0; i < s->cells.size; i++) {
    hd_team_walk_cell c = s->cells.data[i];
    if (c.address < (uint64_t)here ||
        c.address + c.size > (uint64_t)here + size)
      continue;
    c.address = c.address - (uint64_t)here + (uint64_t)there;
    hd_vec_push(&moved, c);
  }
  for (size_t i = 0; i < moved.size; i++) {
    forget(s, moved.data[i].address,
           moved.data[i].address + moved.data[i].size);
    hd_vec_push(&s->cells, moved.data[i]);
  }
  hd_vec_free(&moved);
}
