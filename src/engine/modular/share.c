/* SPDX-License-Identifier: MIT */
/* What is whose, and what may be in memory that several threads know. */
#include "engine/modular/classes.h"

#include <string.h>

static const object_key *key_of(const modular *m, hd_object_id object) {
  return object_of(&m->a, object);
}

static bool has(const hd_u32s *set, uint32_t x) {
  for (hd_vec_each(const uint32_t, i, set))
    if (*i == x)
      return true;
  return false;
}

bool hd_class_is_many(const modular *m, hd_object_id object) {
  const object_key *key = key_of(m, object);
  switch (key->kind) {
  case OBJ_GLOBAL:
  case OBJ_FUNC:
  case OBJ_ARGS:
    return false;
  case OBJ_HEAP:
    if (key->depth >= MODULAR_ALLOCATIONS)
      return true;
    break;
  case OBJ_SLOT:
    /* Of a function that may be called again: another one then. */
    if (key->depth)
      return true;
    break;
  case OBJ_ALLOCA:
    return true;
  case OBJ_TLS:
    break;
  }
  assert(key->thread < m->classes.size);
  return !m->classes.data[key->thread].unique;
}

bool hd_class_is_private(const modular *m, thread_id class, const knowledge *k,
                         hd_object_id object) {
  assert(class < m->classes.size);
  if (class == 0 && !k->created)
    return true; /* nobody else is there */
  const object_key *key = key_of(m, object);
  if (object_is_global(key->kind) || key->kind == OBJ_FUNC ||
      key->thread != class)
    return false;
  return !has(&k->escaped, object) &&
         !(key->kind == OBJ_HEAP && key->depth >= MODULAR_ALLOCATIONS);
}

static bool is_in_hand(const modular *m, const knowledge *k,
                       hd_object_id object) {
  for (hd_vec_each(const guarded, g, &m->guards))
    if (g->object == object)
      return k->held & bit(g->lock);
  return false;
}

bool hd_class_is_own(const modular *m, thread_id class, const knowledge *k,
                     hd_object_id object) {
  return !hd_analysis_is_shared(&m->a, object) ||
         hd_class_is_private(m, class, k, object) || is_in_hand(m, k, object);
}

bool hd_class_is_exact(const modular *m, thread_id class, const knowledge *k,
                       hd_object_id object) {
  return hd_class_is_own(m, class, k, object) &&
         (hd_class_is_private(m, class, k, object) ||
          !hd_class_is_many(m, object));
}

static hd_fill fill_of(const modular *m, const object_key *key) {
  if (object_is_global(key->kind) || key->kind == OBJ_TLS)
    return HD_FILL_ANY;
  if (key->kind != OBJ_HEAP)
    return HD_FILL_UNDEFINED;
  const hd_code *code = m->a.code;
  const hd_cedge *e = &code->edges.data[key->what];
  assert(e->act == HD_CODE_CALL); /* of the function that allocates */
  const hd_cexpr *f = &code->exprs.data[hd_code_operand(code, e, 0)];
  return f->op == HD_CODE_FUNC &&
                 hd_library_is(m->a.library[f->value], HD_CALL_CLEARS)
             ? HD_FILL_ZERO
             : HD_FILL_UNDEFINED;
}

/* It exists in what is shared, as large as it is here. */
static void know_shared(modular *m, hd_object_id object,
                        const hd_memory *here) {
  if (hd_memory_life(m->shared, object) != HD_LIFE_NONE ||
      hd_memory_life(here, object) == HD_LIFE_NONE)
    return;
  hd_memory_create(&m->shared, object, hd_memory_size(here, object),
                   fill_of(m, key_of(m, object)), 1);
  m->changes++;
}

hd_value hd_class_shared_load(modular *m, const hd_pointee *t, uint32_t bytes,
                              const local *l) {
  know_shared(m, t->object, l->memory);
  assert(hd_memory_life(m->shared, t->object) != HD_LIFE_NONE);
  return hd_memory_load(m->shared, t, bytes);
}

/* Invariants grow; the further they have, the faster. */
static void grow(modular *m, hd_memory *next) {
  if (hd_memory_within(next, m->shared)) {
    hd_memory_drop(next);
    return;
  }
  hd_memory *both =
      hd_memory_join(m->shared, next, m->changes > 40 ? &m->a.widening : NULL);
  hd_memory_drop(next);
  hd_memory_drop(m->shared);
  m->shared = both;
  m->changes++;
}

void hd_class_store_at(hd_memory **memory, const hd_pointee *t, uint32_t bytes,
                       const hd_value *value, bool weak) {
  assert(bytes > 0 && bytes <= 8);
  assert((t->lo == t->hi) == !t->stride);
  bool many = t->stride && (t->hi - t->lo) / t->stride > 64;
  if (many && !value->n_targets &&
      hd_memory_life(*memory, t->object) == HD_LIFE_ALIVE)
    hd_memory_create(memory, t->object, hd_memory_size(*memory, t->object),
                     HD_FILL_ANY, 1);
  else
    hd_memory_store(memory, t, bytes, value, weak, 1);
}

void hd_class_shared_store(modular *m, const hd_pointee *t, uint32_t bytes,
                           const hd_value *value, const local *l) {
  assert(value->n_targets <= HD_MAX_TARGETS);
  know_shared(m, t->object, l->memory);
  for (int i = 0; i < value->n_targets; i++)
    know_shared(m, value->targets[i].object, l->memory);
  hd_memory *next = hd_memory_keep(m->shared);
  hd_class_store_at(&next, t, bytes, value, true);
  grow(m, next);
}

/* --- escaping --- */

typedef struct {
  modular *m;
  thread_id class;
  knowledge *known;
  local *l;
  hd_u32s found;   /* escaped, to be looked into */
  hd_object_id at; /* the object that is being looked into */
  bool fresh;      /* it was not shared before */
} escape;

static void mark(escape *x, const hd_value *value) {
  for (int i = 0; i < value->n_targets; i++) {
    hd_object_id o = value->targets[i].object;
    const object_key *key = key_of(x->m, o);
    if (object_is_global(key->kind) || key->kind == OBJ_FUNC ||
        key->thread != x->class || has(&x->known->escaped, o))
      continue;
    hd_vec_push(&x->known->escaped, o);
    hd_vec_push(&x->found, o);
    if (!has(&x->m->escaped, o))
      hd_vec_push(&x->m->escaped, o);
  }
}

/* A cell of an object that others know now. */
static void publish(void *context, hd_object_id object, uint32_t offset,
                    uint32_t bytes, const hd_value *value) {
  escape *x = context;
  if (object != x->at)
    return;
  mark(x, value);
  if (!hd_analysis_is_shared(&x->m->a, object))
    return;
  hd_pointee t = {object, 0, offset, offset};
  if (x->fresh)
    hd_memory_store(&x->m->shared, &t, bytes, value, false, 1);
  else
    hd_class_shared_store(x->m, &t, bytes, value, x->l);
}

static void publish_all(escape *x) {
  for (size_t i = 0; i < x->found.size; i++) {
    x->at = x->found.data[i];
    x->fresh = hd_memory_life(x->m->shared, x->at) == HD_LIFE_NONE;
    know_shared(x->m, x->at, x->l->memory);
    hd_memory_each(x->l->memory, publish, x);
  }
  hd_vec_free(&x->found);
}

void hd_class_let_escape(modular *m, thread_id class, knowledge *k, local *l,
                         const hd_value *value) {
  escape x = {.m = m, .class = class, .known = k, .l = l};
  mark(&x, value);
  publish_all(&x);
}

/* Of an object that each thread of the class has one of: a thread that gets the
 * address of one from elsewhere cannot tell it from its own. */
static bool is_of_kin(const modular *m, thread_id class, hd_object_id object) {
  const object_key *key = key_of(m, object);
  return !object_is_global(key->kind) && key->kind != OBJ_FUNC &&
         key->thread == class && !m->classes.data[class].unique;
}

void hd_class_know_targets(modular *m, thread_id class, knowledge *k, local *l,
                           const hd_value *value) {
  assert(is_consistent(k));
  for (int i = 0; i < value->n_targets; i++) {
    hd_object_id o = value->targets[i].object;
    if (is_of_kin(m, class, o)) {
      hd_value address = hd_value_address(o, 0, 0);
      hd_class_let_escape(m, class, k, l, &address);
    }
    if (key_of(m, o)->kind == OBJ_FUNC ||
        hd_memory_life(l->memory, o) != HD_LIFE_NONE ||
        hd_memory_life(m->shared, o) == HD_LIFE_NONE)
      continue;
    hd_memory_create(&l->memory, o, hd_memory_size(m->shared, o), HD_FILL_ANY,
                     1);
    if (!has(&m->strangers, o))
      hd_vec_push(&m->strangers, o);
  }
}

/* What is in memory that others can see can be found by them. */
static void look(void *context, hd_object_id object, uint32_t offset,
                 uint32_t bytes, const hd_value *value) {
  escape *x = context;
  const object_key *key = key_of(x->m, object);
  if (object_is_global(key->kind) || key->thread != x->class ||
      has(&x->known->escaped, object))
    mark(x, value);
}

void hd_class_share_memory(modular *m, thread_id class, knowledge *k,
                           local *l) {
  assert(class < m->classes.size);
  escape x = {.m = m, .class = class, .known = k, .l = l};
  if (class == 0 && !k->created && !m->published) {
    hd_memory_drop(m->shared);
    m->shared = hd_memory_keep(l->memory);
    m->published = true;
    m->changes++;
  } else if (class == 0 && !k->created) {
    grow(m, hd_memory_keep(l->memory));
  }
  hd_memory_each(l->memory, look, &x);
  publish_all(&x);
}

/* --- what locks protect --- */

typedef struct {
  modular *m;
  thread_id class;
  knowledge *known;
  local *l;
  hd_object_id at;
} passing;

static void know_cell(void *context, hd_object_id object, uint32_t offset,
                      uint32_t bytes, const hd_value *value) {
  passing *p = context;
  if (object == p->at)
    hd_class_know_targets(p->m, p->class, p->known, p->l, value);
}

void hd_class_take_guarded(modular *m, thread_id class, knowledge *k, local *l,
                           uint32_t lock) {
  assert(lock < m->locks.size);
  if (class == 0 && !k->created)
    return; /* everything is in main's own memory */
  passing p = {.m = m, .class = class, .known = k, .l = l};
  for (hd_vec_each(const guarded, g, &m->guards)) {
    if (g->lock != lock || hd_class_is_private(m, class, k, g->object))
      continue;
    know_shared(m, g->object, l->memory);
    hd_memory_take(&l->memory, m->shared, g->object);
    hd_frame_written(&l->top, g->object, 0, INT64_MAX);
    p.at = g->object;
    hd_memory *now = hd_memory_keep(l->memory);
    hd_memory_each(now, know_cell, &p);
    hd_memory_drop(now);
  }
}

static void tell_cell(void *context, hd_object_id object, uint32_t offset,
                      uint32_t bytes, const hd_value *value) {
  passing *p = context;
  if (object != p->at)
    return;
  hd_class_let_escape(p->m, p->class, p->known, p->l, value);
  for (int i = 0; i < value->n_targets; i++)
    know_shared(p->m, value->targets[i].object, p->l->memory);
}

void hd_class_give_guarded(modular *m, thread_id class, knowledge *k, local *l,
                           uint32_t lock) {
  assert(k->held & bit(lock)); /* who gives it back has it */
  if (class == 0 && !k->created)
    return;
  passing p = {.m = m, .class = class, .known = k, .l = l};
  for (hd_vec_each(const guarded, g, &m->guards)) {
    if (g->lock != lock || hd_class_is_private(m, class, k, g->object))
      continue;
    p.at = g->object;
    hd_memory_each(l->memory, tell_cell, &p);
    hd_memory *next = hd_memory_keep(m->shared);
    hd_memory_take(&next, l->memory, g->object);
    grow(m, next);
    hd_frame_written(&l->top, g->object, 0, INT64_MAX);
  }
}

/* --- many bytes at once --- */

typedef struct {
  modular *m;
  thread_id class;
  knowledge *known;
  local *l;
  const hd_pointee *to, *from;
  uint64_t bytes;
} transfer;

static void put_value(transfer *x, int64_t offset, uint32_t bytes,
                      const hd_value *value) {
  assert(offset >= 0 && (uint64_t)offset + bytes <= x->bytes);
  hd_pointee t = {x->to->object, 0, x->to->lo + offset, x->to->lo + offset};
  if (hd_class_is_own(x->m, x->class, x->known, t.object)) {
    bool weak = !hd_class_is_exact(x->m, x->class, x->known, t.object) ||
                hd_memory_life(x->l->memory, t.object) == HD_LIFE_MAYBE;
    hd_memory_store(&x->l->memory, &t, bytes, value, weak, 1);
    return;
  }
  hd_class_let_escape(x->m, x->class, x->known, x->l, value);
  hd_class_shared_store(x->m, &t, bytes, value, x->l);
}

static void copy_cell(void *context, hd_object_id object, uint32_t offset,
                      uint32_t bytes, const hd_value *value) {
  transfer *x = context;
  int64_t at = (int64_t)offset - x->from->lo;
  if (object == x->from->object && at >= 0 && (uint64_t)at + bytes <= x->bytes)
    put_value(x, at, bytes, value);
}

void hd_class_shared_fill(modular *m, thread_id class, const knowledge *k,
                          local *l, const hd_pointee *to, uint64_t bytes,
                          hd_fill fill) {
  assert(!to->stride && to->lo >= 0); /* one place */
  if (hd_class_is_own(m, class, k, to->object)) {
    hd_memory *old = hd_memory_keep(l->memory);
    hd_memory_fill(&l->memory, to->object, (uint64_t)to->lo, bytes, fill, 1);
    if (!hd_class_is_exact(m, class, k, to->object) ||
        hd_memory_life(old, to->object) == HD_LIFE_MAYBE) {
      hd_memory *both = hd_memory_join(old, l->memory, NULL);
      hd_memory_drop(l->memory);
      l->memory = both;
    }
    hd_memory_drop(old);
    hd_frame_written(&l->top, to->object, to->lo, to->lo + (int64_t)bytes);
    return;
  }
  know_shared(m, to->object, l->memory);
  hd_memory *next = hd_memory_keep(m->shared);
  hd_memory_fill(&next, to->object, (uint64_t)to->lo, bytes, fill, 1);
  grow(m, next);
}

/* First anything, then what is known: bytes between cells stay anything. */
void hd_class_shared_copy(modular *m, thread_id class, knowledge *k, local *l,
                          const hd_pointee *to, const hd_pointee *from,
                          uint64_t bytes) {
  assert(!to->stride && !from->stride);
  transfer x = {m, class, k, l, to, from, bytes};
  bool own = hd_class_is_own(m, class, k, from->object);
  if (!own)
    know_shared(m, from->object, l->memory);
  hd_memory *source = hd_memory_keep(own ? l->memory : m->shared);
  hd_class_shared_fill(m, class, k, l, to, bytes, HD_FILL_ANY);
  hd_memory_each(source, copy_cell, &x);
  hd_memory_drop(source);
}
