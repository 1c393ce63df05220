/* SPDX-License-Identifier: MIT */
/* What is ordered: accesses by locks, creation and join; locks among each
 * other. */
#include "engine/modular/classes.h"

static bool same(const deed *x, const deed *y) {
  return x->object == y->object && x->lo == y->lo && x->hi == y->hi &&
         x->write == y->write && x->atomic == y->atomic && x->sync == y->sync &&
         x->edge == y->edge && x->class == y->class && x->held == y->held &&
         x->reads == y->reads && x->created == y->created && x->gone == y->gone;
}

/* Who writes over a lock that others may know makes it a new one, which is
 * open, whoever holds it. */
static void open_overwritten(modular *m, const touch *t) {
  for (uint32_t i = 1; i < m->locks.size; i++) {
    const lock_key *key = &m->locks.data[i];
    if (t->write && !t->dies && !t->sync && key->object == t->object &&
        t->lo < key->offset + key->bytes && key->offset < t->hi)
      m->open |= bit(i);
  }
}

void hd_class_note_deeds(modular *m, thread_id class, const knowledge *k,
                         const touches *seen) {
  assert(class < m->classes.size);
  assert(is_consistent(k));
  for (hd_vec_each(const touch, t, seen)) {
    if (hd_class_is_private(m, class, k, t->object))
      continue;
    assert(t->lo <= t->hi);
    open_overwritten(m, t);
    deed d = {.object = t->object,
              .lo = t->lo,
              .hi = t->hi,
              .write = t->write,
              .atomic = t->atomic,
              .sync = t->sync,
              .edge = t->edge,
              .class = class,
              .held = k->held,
              .reads = k->reads,
              .created = k->created,
              .gone = k->gone};
    hd_u32s none = {0};
    bool fresh, old = false;
    uint64_t hash = hd_hash_mix(hd_hash_mix(d.edge, d.held ^ d.reads << 1),
                                hd_hash_mix(d.object, (uint64_t)d.lo));
    hd_u32s *list = node_index_put(&m->deed_index, hash, none, &fresh);
    for (hd_vec_each(const uint32_t, i, list))
      old = old || same(&m->deeds.data[*i], &d);
    if (old)
      continue;
    hd_vec_push(list, (uint32_t)m->deeds.size);
    hd_vec_push(&m->deeds, d);
  }
}

/* Is `x` done before any thread of the class starts? */
static bool before_birth(const modular *m, const deed *x, thread_id class) {
  assert(class < m->classes.size && x->class < m->classes.size);
  if (!m->classes.data[x->class].unique)
    return false;
  while (class && m->classes.data[class].parent != x->class) {
    assert(m->classes.data[class].parent < class); /* so this ends */
    class = m->classes.data[class].parent;
  }
  return class && !(x->created & bit(class));
}

/* Has the class ended when `x` is done? */
static bool over(const modular *m, thread_id class, const deed *x) {
  assert(class < m->classes.size);
  return m->classes.data[class].unique && x->gone & bit(class);
}

/* Two threads may do these to the same bytes, one of them writing. */
static bool conflict(const modular *m, const deed *x, const deed *y) {
  if (x->object != y->object || x->hi <= y->lo || y->hi <= x->lo ||
      !(x->write || y->write))
    return false;
  if (x->class != y->class)
    return true;
  if (m->classes.data[x->class].unique)
    return false;
  const object_key *key = object_of(&m->a, x->object);
  if (object_is_global(key->kind) || key->thread != x->class)
    return true;
  /* Each thread of the class has one of its own, unless they tell. */
  for (hd_vec_each(const uint32_t, o, &m->escaped))
    if (*o == x->object)
      return true;
  return false;
}

/* Do they matter to what is in the object? */
static bool disturb(const modular *m, const deed *x, const deed *y) {
  return !(x->sync && y->sync) && conflict(m, x, y);
}

void hd_class_find_shared(modular *m, hd_u32s *out) {
  for (hd_vec_each(const uint32_t, o, &m->strangers))
    if (!hd_analysis_is_shared(&m->a, *o))
      hd_vec_push(out, *o);
  for (size_t i = 0; i < m->deeds.size; i++)
    for (size_t k = i; k < m->deeds.size; k++) {
      const deed *x = &m->deeds.data[i], *y = &m->deeds.data[k];
      if (!disturb(m, x, y) || hd_analysis_is_shared(&m->a, x->object) ||
          before_birth(m, x, y->class) || before_birth(m, y, x->class))
        continue;
      bool old = false;
      for (hd_vec_each(const uint32_t, o, out))
        old = old || *o == x->object;
      if (!old)
        hd_vec_push(out, x->object);
    }
}

static bool ordered(const modular *m, const deed *x, const deed *y) {
  return before_birth(m, x, y->class) || before_birth(m, y, x->class) ||
         over(m, x->class, y) || over(m, y->class, x);
}

/* The locks that everybody holds who accesses the object, but for accesses that
 * are ordered anyway; all of them if there are no others. */
static lock_set guards_of(const modular *m, hd_object_id object) {
  assert(hd_analysis_is_shared(&m->a, object));
  lock_set all = UINT64_MAX;
  for (size_t i = 0; i < m->deeds.size; i++)
    for (size_t k = i; k < m->deeds.size; k++) {
      const deed *x = &m->deeds.data[i], *y = &m->deeds.data[k];
      if (x->object == object && disturb(m, x, y) && !ordered(m, x, y))
        all &= x->held & y->held & ~m->open;
    }
  return all;
}

static const guarded *guard_of(const modular *m, hd_object_id object) {
  for (hd_vec_each(const guarded, g, &m->guards))
    if (g->object == object)
      return g;
  return NULL;
}

static bool holds(const hd_u32s *set, uint32_t x) {
  for (hd_vec_each(const uint32_t, i, set))
    if (*i == x)
      return true;
  return false;
}

/* What was taken for a guard and is none, is none for ever. */
static bool drop_guards(modular *m) {
  size_t kept = 0;
  for (hd_vec_each(const guarded, g, &m->guards)) {
    if (guards_of(m, g->object) & bit(g->lock))
      m->guards.data[kept++] = *g;
    else
      hd_vec_push(&m->unguarded, g->object);
  }
  bool changed = kept != m->guards.size;
  m->guards.size = kept;
  return changed;
}

bool hd_class_find_guards(modular *m) {
  bool changed = drop_guards(m);
  hd_u32s seen = {0};
  for (hd_vec_each(const deed, d, &m->deeds)) {
    if (!hd_analysis_is_shared(&m->a, d->object) || holds(&seen, d->object) ||
        holds(&m->unguarded, d->object) || guard_of(m, d->object))
      continue;
    hd_vec_push(&seen, d->object);
    lock_set all = guards_of(m, d->object);
    if (!all || all == UINT64_MAX)
      continue;
    assert((size_t)__builtin_ctzll(all) < m->locks.size);
    hd_vec_push(&m->guards,
                ((guarded){d->object, (uint32_t)__builtin_ctzll(all)}));
    changed = true;
  }
  hd_vec_free(&seen);
  return changed;
}

static bool excluded(const modular *m, const deed *x, const deed *y) {
  lock_set a = x->held | x->reads, b = y->held | y->reads;
  return ((x->held & b) | (y->held & a)) & ~m->open;
}

void hd_class_find_races(modular *m) {
  for (size_t i = 0; i < m->deeds.size; i++)
    for (size_t k = i; k < m->deeds.size; k++) {
      const deed *x = &m->deeds.data[i], *y = &m->deeds.data[k];
      if (!conflict(m, x, y) || (x->atomic && y->atomic) || excluded(m, x, y) ||
          ordered(m, x, y))
        continue;
      hd_str name = {0};
      hd_analysis_print_object(
          &m->a, &name, x->object, x->lo,
          (uint32_t)(x->hi - x->lo > 8 ? 8 : x->hi - x->lo));
      hd_analysis_alarm(&m->a, HD_PROPERTY_RACE, x->edge, y->edge,
                        "%s may be accessed by two threads at once",
                        hd_str_text(&name));
      hd_str_free(&name);
    }
}

/* --- deadlocks --- */

static void add_order(modular *m, uint32_t from, uint32_t to, hd_edge_id edge) {
  enum { ALL = MAX_LOCKS + MAX_CLASSES };
  assert(from < ALL && to < ALL);
  m->order[from][to / 64] |= bit(to % 64);
  m->order_edge[to] = edge;
}

void hd_class_note_wait(modular *m, thread_id class, const knowledge *k,
                        uint32_t lock, hd_edge_id edge) {
  assert(class < MAX_CLASSES);
  /* A lock that is there, or the end of another class than main. */
  assert(lock < m->locks.size ||
         (lock > MAX_LOCKS && lock < MAX_LOCKS + m->classes.size));
  lock_set held = k->held | k->reads;
  for (uint32_t i = 0; i < MAX_LOCKS; i++)
    if (held & bit(i))
      add_order(m, i, lock, edge);
  if (class) /* somebody may wait for the end of this thread */
    add_order(m, MAX_LOCKS + class, lock, edge);
}

void hd_class_find_deadlocks(modular *m) {
  enum { ALL = MAX_LOCKS + MAX_CLASSES };
  if (m->blocked) {
    hd_analysis_alarm(&m->a, HD_PROPERTY_DEADLOCK, m->blocked_edge, HD_NO_ID,
                      "%s", m->blocked);
    return;
  }
  for (uint32_t via = 0; via < ALL; via++)
    for (uint32_t from = 0; from < ALL; from++)
      if (m->order[from][via / 64] & bit(via % 64)) {
        m->order[from][0] |= m->order[via][0];
        m->order[from][1] |= m->order[via][1];
      }
  for (uint32_t i = 0; i < ALL; i++)
    if (m->order[i][i / 64] & bit(i % 64)) {
      hd_analysis_alarm(&m->a, HD_PROPERTY_DEADLOCK, m->order_edge[i], HD_NO_ID,
                        "threads may wait for each other in a circle");
      return;
    }
}
