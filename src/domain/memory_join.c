/* SPDX-License-Identifier: MIT */
/* The order of memories, joins and widenings of one history, merges of two. All
 * of them walk over the objects of both memories in order, and over their
 * cells. */
#include "domain/memory_impl.h"

#include <string.h>

bool hd_memory_within(const hd_memory *a, const hd_memory *b) {
  if (a == b)
    return true;
  uint32_t k = 0;
  for (uint32_t i = 0; i < a->n; i++) {
    while (k < b->n && b->blocks[k]->object < a->blocks[i]->object)
      k++;
    if (k == b->n || b->blocks[k]->object != a->blocks[i]->object ||
        !hd_contents_within(a->blocks[i], b->blocks[k]))
      return false;
  }
  return hd_relation_within(hd_memory_side(a), hd_memory_side(b));
}

bool hd_memory_same(const hd_memory *a, const hd_memory *b) {
  return hd_memory_within(a, b) && hd_memory_within(b, a);
}

typedef struct {
  const hd_widening *widen; /* NULL: join */
  hd_choose choose;         /* NULL: join */
  void *context;
  bool race;
  bool impossible; /* they contradict each other */
  const hd_memory *watched;
} mix;

/* The value of both at these bytes. */
static hd_memory_cell mix_cell(mix *m, const hd_contents *a,
                               const hd_contents *b, uint32_t offset,
                               uint32_t bytes, hd_stamp x, hd_stamp y) {
  uint8_t width = (uint8_t)(8 * bytes);
  hd_value v = hd_contents_load(a, offset, bytes),
           w = hd_contents_load(b, offset, bytes);
  hd_memory_cell out = {
      .offset = offset, .bytes = bytes, .stamp = hd_stamp_newer(x, y)};
  int take = m->choose && x != y ? m->choose(m->context, x, y) : 0;
  if (m->choose && x == y)
    take = 1;
  if (!m->choose && x != y)
    hd_memory_note(m->watched, a->object, offset, (uint64_t)offset + bytes,
                   true);
  if (m->choose && take == 0)
    m->race = true;
  if (take)
    out.stamp = take == 1 ? x : y;
  if (m->choose && x == y) {
    /* One write, seen by two that may have learnt different things about it. */
    hd_value both = hd_value_meet(width, &v, &w);
    if (!hd_value_is_none(&both))
      v = both;
    else if (!hd_value_is_none(&v) && !hd_value_is_none(&w))
      m->impossible = true;
  }
  out.value = take == 1   ? v
              : take == 2 ? w
              : m->widen  ? hd_value_widen(width, &v, &w, m->widen)
                          : hd_value_join(width, &v, &w);
  return out;
}

/* Walks over the cells of both; where they overlap without being equal it goes
 * byte by byte. */
static hd_contents *mix_blocks(mix *m, const hd_contents *a,
                               const hd_contents *b) {
  hd_cell_list list = {0};
  uint32_t i = 0, k = 0;
  uint64_t done = 0;
  while (i < a->n || k < b->n) {
    const hd_memory_cell *x = i < a->n ? &a->cells[i] : NULL;
    const hd_memory_cell *y = k < b->n ? &b->cells[k] : NULL;
    uint32_t from, bytes;
    if (x && y && x->offset == y->offset && x->bytes == y->bytes &&
        x->offset >= done) {
      from = x->offset;
      bytes = x->bytes;
    } else {
      const hd_memory_cell *c = !y || (x && x->offset <= y->offset) ? x : y;
      const hd_memory_cell *o = c == x ? y : x;
      from = c->offset > done ? c->offset : (uint32_t)done;
      uint32_t end = c->offset + c->bytes;
      bool alone = from == c->offset && (!o || o->offset >= end);
      bytes = alone ? c->bytes : 1;
    }
    hd_memory_cell out =
        mix_cell(m, a, b, from, bytes, hd_contents_stamp(a, from, bytes),
                 hd_contents_stamp(b, from, bytes));
    hd_vec_push(&list, out);
    done = (uint64_t)from + bytes;
    while (i < a->n && a->cells[i].offset + a->cells[i].bytes <= done)
      i++;
    while (k < b->n && b->cells[k].offset + b->cells[k].bytes <= done)
      k++;
  }
  hd_contents *out = hd_contents_with(a, list.data, list.size);
  hd_vec_free(&list);
  return out;
}

/* Fill, life and stamp of an object in two histories. */
static void mix_rest(mix *m, hd_contents *out, const hd_contents *a,
                     const hd_contents *b) {
  int take = 0;
  if (m->choose)
    take = a->stamp == b->stamp ? 1 : m->choose(m->context, a->stamp, b->stamp);
  const hd_contents *from = take == 1 ? a : take == 2 ? b : NULL;
  if (from) {
    out->fill = from->fill;
    out->life = from->life;
    out->size = from->size;
    out->stamp = from->stamp;
    return;
  }
  if (m->choose)
    m->race = true;
  else if (a->stamp != b->stamp)
    hd_memory_note(m->watched, a->object, 0,
                   a->size > b->size ? a->size : b->size, true);
  out->fill = a->fill == b->fill ? a->fill : HD_FILL_ANY;
  out->life = a->life == b->life ? a->life : HD_LIFE_MAYBE;
  out->size = a->size < b->size ? a->size : b->size;
  out->stamp = hd_stamp_newer(a->stamp, b->stamp);
}

static hd_memory *mix_memories(mix *m, const hd_memory *a, const hd_memory *b,
                               hd_object_id *race) {
  hd_vec(hd_contents *) out = {0};
  uint32_t i = 0, k = 0;
  m->watched = a;
  while (i < a->n || k < b->n) {
    hd_contents *x = i < a->n ? a->blocks[i] : NULL;
    hd_contents *y = k < b->n ? b->blocks[k] : NULL;
    bool in_a = x && (!y || x->object <= y->object);
    bool in_b = y && (!x || y->object <= x->object);
    hd_contents *both = in_a ? x : y;
    if (!in_a || !in_b)
      hd_memory_note_object(a, both->object);
    if (in_a && in_b && x != y) {
      m->race = false;
      both = mix_blocks(m, x, y);
      mix_rest(m, both, x, y);
      if (m->race && race)
        *race = x->object;
    } else {
      both->refs++;
    }
    hd_vec_push(&out, both);
    i += in_a;
    k += in_b;
  }
  hd_memory *result = hd_memory_sized((uint32_t)out.size, a->related);
  result->reads = a->reads;
  if (out.size)
    memcpy(result->blocks, out.data, out.size * sizeof *out.data);
  hd_vec_free(&out);
  return result;
}

hd_memory *hd_memory_join(const hd_memory *a, const hd_memory *b,
                          const hd_widening *widen) {
  mix m = {.widen = widen};
  hd_memory *out = mix_memories(&m, a, b, NULL);
  if (!a->related || (a->relation && a->relation == b->relation)) {
    out->relation = hd_relation_keep(a->relation);
    return out;
  }
  hd_name names[HD_MAX_CELLS];
  for (uint32_t i = 0; i < a->related->n; i++)
    names[i] = hd_related_name(a->related, i);
  out->relation =
      hd_relation_join(a->related->lib, hd_memory_side(a), hd_memory_side(b),
                       names, a->related->n, widen != NULL);
  return out;
}

/* Which of two histories the named cell is taken from, as hd_choose says; 3:
 * both know it. */
static int taken(const hd_memory *a, const hd_memory *b, uint32_t i,
                 hd_choose choose, void *context) {
  hd_object_id object = a->related->cells[i].object;
  uint32_t offset = a->related->cells[i].offset;
  uint32_t bytes = a->related->cells[i].bytes;
  const hd_contents *x = hd_memory_get(a, object),
                    *y = hd_memory_get(b, object);
  if (!x || !y)
    return 0;
  if (x == y)
    return 3;
  hd_stamp p = hd_contents_stamp(x, offset, bytes),
           q = hd_contents_stamp(y, offset, bytes);
  return p == q ? 3 : choose(context, p, q);
}

/* What holds of the cells of either history that are still there. False: it
 * cannot all be true. */
static bool merge_relations(hd_memory *out, const hd_memory *a,
                            const hd_memory *b, hd_choose choose,
                            void *context) {
  if (!a->relation && !b->relation)
    return true;
  hd_relation *x = hd_relation_keep(a->relation);
  hd_relation *y = hd_relation_keep(b->relation);
  if (x != y)
    for (uint32_t i = 0; i < a->related->n; i++) {
      hd_name name = hd_related_name(a->related, i);
      int from = taken(a, b, i, choose, context);
      if (!(from & 1))
        x = hd_relation_forget(x, name, name);
      if (!(from & 2))
        y = hd_relation_forget(y, name, name);
    }
  if (!x || !y || x == y) {
    out->relation = x ? x : y;
    if (x && y)
      hd_relation_drop(y);
    return true;
  }
  out->relation = hd_relation_meet(x, y);
  hd_relation_drop(x);
  hd_relation_drop(y);
  return !hd_relation_is_empty(out->relation);
}

hd_memory *hd_memory_merge(const hd_memory *a, const hd_memory *b,
                           hd_choose choose, void *context,
                           hd_object_id *race) {
  mix m = {.choose = choose, .context = context};
  hd_memory *out = mix_memories(&m, a, b, race);
  if (m.impossible || !merge_relations(out, a, b, choose, context)) {
    hd_memory_drop(out);
    return NULL;
  }
  hd_memory_tighten(&out);
  return out;
}

/* What relations of named cells stay. */
static void widen_relation(hd_memory **memory, const hd_memory *old,
                           hd_stamp stamp, const hd_widening *how) {
  if (!(*memory)->related || !(*memory)->relation)
    return;
  hd_memory *both = hd_memory_join(old, *memory, how);
  hd_memory_recall(&both, *memory, stamp);
  hd_memory_relate(memory, hd_relation_keep(both->relation));
  hd_memory_drop(both);
}

void hd_memory_widen(hd_memory **memory, const hd_memory *old, hd_stamp stamp,
                     const hd_widening *how) {
  widen_relation(memory, old, stamp, how);
  for (uint32_t i = 0; i < (*memory)->n; i++) {
    const hd_contents *b = (*memory)->blocks[i],
                      *from = hd_memory_get(old, b->object);
    if (!from || from == b || from->size != b->size)
      continue;
    for (uint32_t k = 0; k < b->n; k++) {
      const hd_memory_cell *c = &b->cells[k];
      if (c->stamp != stamp)
        continue;
      uint8_t width = (uint8_t)(8 * c->bytes);
      hd_value v = hd_contents_load(from, c->offset, c->bytes);
      v = hd_value_widen(width, &v, &c->value, how);
      if (hd_value_same(&v, &c->value))
        continue;
      hd_pointee t = {b->object, 0, c->offset, c->offset};
      hd_memory_refine(memory, &t, c->bytes, &v);
      b = (*memory)->blocks[i];
    }
  }
}

void hd_memory_recall(hd_memory **memory, const hd_memory *before,
                      hd_stamp stamp) {
  hd_memory *m = *memory;
  for (uint32_t i = 0; i < m->n; i++) {
    const hd_contents *b = m->blocks[i],
                      *old = hd_memory_get(before, b->object);
    if (!old || b == old || old->size != b->size)
      continue;
    for (uint32_t k = 0; k < b->n; k++) {
      const hd_memory_cell *c = &b->cells[k];
      if (c->stamp == stamp ||
          c->stamp != hd_contents_stamp(old, c->offset, c->bytes))
        continue;
      hd_value v = hd_contents_load(old, c->offset, c->bytes);
      v = hd_value_meet((uint8_t)(8 * c->bytes), &c->value, &v);
      if (hd_value_is_none(&v) || hd_value_same(&v, &c->value))
        continue;
      hd_pointee t = {b->object, 0, c->offset, c->offset};
      hd_memory_refine(memory, &t, c->bytes, &v);
      m = *memory;
      b = m->blocks[i];
    }
  }
  if (!before->relation || m->relation == before->relation)
    return;
  hd_relation *old = hd_relation_keep(before->relation);
  for (uint32_t i = 0; i < m->related->n; i++) {
    hd_object_id object = m->related->cells[i].object;
    uint32_t offset = m->related->cells[i].offset;
    const hd_contents *b = hd_memory_get(m, object);
    hd_name name = hd_related_name(m->related, i);
    if (!b || hd_contents_stamp(b, offset, m->related->cells[i].bytes) == stamp)
      old = hd_relation_forget(old, name, name);
  }
  if (!old)
    return;
  hd_relation *both = hd_relation_meet(old, m->relation);
  hd_relation_drop(old);
  hd_memory_relate(memory, both);
}
