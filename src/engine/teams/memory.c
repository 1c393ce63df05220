/* SPDX-License-Identifier: MIT */
/* Accesses: of the thread's own memory, which nobody else sees, and of all
 * other, which are written down. */
#include "engine/teams/state.h"

#include "check/interp/memory.h"

uint64_t hd_team_walk_object(hd_team_terms *terms, hd_team_term address) {
  int64_t constant;
  (void)hd_team_term_split(terms, address, &constant);
  /* Offsets are small, and may be below the object. */
  return ((uint64_t)constant + ((uint64_t)1 << 31)) >> 32;
}

static bool is_own(uint64_t object) {
  return object >= HD_TEAM_WALK_PRIVATE;
}

#define OTHERS (HD_TEAM_WALK_PRIVATE + ((uint64_t)1 << 27))

uint64_t hd_team_walk_own(hd_team_walk_state *s) {
  return (OTHERS + s->heap++) << 32;
}

static bool is_written(const hd_team_walk *w, uint64_t object) {
  for (size_t i = 0; i < w->written.size; i++)
    if (w->written.data[i] == object)
      return true;
  return false;
}

/* --- the thread's own memory --- */

static void forget(hd_team_walk_state *s, uint64_t low, uint64_t high) {
  size_t kept = 0;
  for (size_t i = 0; i < s->cells.size; i++) {
    const hd_team_walk_cell *c = &s->cells.data[i];
    if (c->address + c->size <= low || c->address >= high)
      s->cells.data[kept++] = *c;
  }
  s->cells.size = kept;
}

void hd_team_walk_end_slots(hd_team_walk_state *s, size_t first) {
  forget(s, (HD_TEAM_WALK_PRIVATE + first) << 32, OTHERS << 32);
  s->objects = first;
}

static void own_store(hd_team_walker *k, hd_team_walk_state *s,
                      hd_team_term address, uint64_t object, uint64_t size,
                      hd_team_term value) {
  int64_t at;
  if (!hd_team_term_is_const(k->w->terms, address, &at)) {
    forget(s, (object << 32) - ((uint64_t)1 << 31),
           (object << 32) + ((uint64_t)1 << 31));
    return;
  }
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

static hd_team_term own_load(hd_team_walker *k, hd_team_walk_state *s,
                             hd_team_term address, uint64_t size) {
  hd_team_terms *t = k->w->terms;
  int64_t at;
  if (hd_team_term_is_const(t, address, &at))
    for (size_t i = 0; i < s->cells.size; i++) {
      const hd_team_walk_cell *c = &s->cells.data[i];
      if (c->address != (uint64_t)at || c->size < size)
        continue;
      /* The lower part of a number that has no more is that number. */
      if (c->size == size || (size <= 4 && has_width(k, s, c->value, size)))
        return c->value;
    }
  hd_team_term value = hd_team_term_symbol(k->w->terms, false);
  /* The same the next time. */
  if (hd_team_term_is_const(t, address, &at))
    own_store(k, s, address, 0, size, value);
  return value;
}

/* --- what others see --- */

static void write_down(hd_team_walker *k, hd_team_walk_state *s,
                       hd_edge_id edge, hd_team_term address, uint64_t size,
                       bool write, bool atomic, bool commutes) {
  hd_team_walk *w = k->w;
  uint64_t object = hd_team_walk_object(w->terms, address);
  if (write && !object) {
    hd_team_walk_refuse(k, edge, "what is written to is not known");
    return;
  }
  if (write && !is_written(w, object))
    hd_vec_push(&w->written, object);
  bool held = s->locks.size || atomic;
  if (write && held && !commutes)
    w->ordered_by_chance = true;
  if (k->probing)
    return;
  hd_team_access a = {
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
  hd_vec_push(&w->accesses, a);
}

/* What the machine has there; 0: nothing that is known. */
static hd_team_term before(hd_team_walker *k, uint64_t address, uint64_t size,
                           hd_type type) {
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

static hd_team_term shared_value(hd_team_walker *k, hd_team_term address,
                                 uint64_t size, hd_type type) {
  hd_team_terms *t = k->w->terms;
  uint64_t object = hd_team_walk_object(t, address);
  int64_t at;
  if (object && !is_written(k->w, object)) {
    hd_team_term value = hd_team_term_is_const(t, address, &at)
                             ? before(k, (uint64_t)at, size, type)
                             : 0;
    if (value)
      return value;
    if (type.kind != HD_TYPE_FLOAT)
      return hd_team_term_make(t, HD_TEAM_LOAD, address,
                               hd_team_term_const(t, (int64_t)size));
  }
  return hd_team_term_symbol(t, false);
}

hd_team_term hd_team_walk_load(hd_team_walker *k, hd_team_walk_state *s,
                               hd_edge_id edge, hd_team_term address,
                               uint64_t size, hd_type type, bool atomic) {
  if (is_own(hd_team_walk_object(k->w->terms, address)))
    return own_load(k, s, address, size);
  write_down(k, s, edge, address, size, false, atomic, false);
  return shared_value(k, address, size, type);
}

void hd_team_walk_store(hd_team_walker *k, hd_team_walk_state *s,
                        hd_edge_id edge, hd_team_term address, uint64_t size,
                        hd_team_term value, bool atomic, bool commutes) {
  hd_team_terms *t = k->w->terms;
  uint64_t object = hd_team_walk_object(t, address);
  if (is_own(object)) {
    own_store(k, s, address, object, size, value);
    return;
  }
  if (value && is_own(hd_team_walk_object(t, value)))
    hd_team_walk_refuse(
        k, edge,
        "the address of a variable of one thread is stored where "
        "others can see it");
  write_down(k, s, edge, address, size, true, atomic, commutes);
}

void hd_team_walk_touch(hd_team_walker *k, hd_team_walk_state *s,
                        hd_edge_id edge, hd_team_term address, uint64_t size,
                        bool write, bool atomic) {
  if (write)
    hd_team_walk_store(k, s, edge, address, size, 0, atomic, false);
  else if (!is_own(hd_team_walk_object(k->w->terms, address)))
    write_down(k, s, edge, address, size, false, atomic, false);
}
