/* SPDX-License-Identifier: MIT */
/* What relations say about the values of named cells, and the other way round. */
#include "domain/memory_impl.h"

bool hd_value_range(const hd_value *v, hd_span *range) {
  if (v->undef || v->wild || v->n_targets || !hd_value_has_int(v))
    return false;
  range->lo = v->nlo <= v->nhi ? v->nlo : v->plo;
  range->hi = v->plo <= v->phi ? v->phi : v->nhi;
  return true;
}

/* The number of bytes of a named cell. */
static uint32_t named_bytes(const hd_memory *m, hd_name name) {
  for (uint32_t k = 0; k < m->related->n; k++)
    if (hd_related_name(m->related, k) == name)
      return m->related->cells[k].bytes;
  return 0;
}

static hd_object_id named_object(hd_name name) {
  return (hd_object_id)(name >> 32) & INT32_MAX;
}

/* Where the named cell is; NULL: there is none of this shape. */
static const hd_memory_cell *named(const hd_memory *m, hd_name name) {
  const hd_contents *b = hd_memory_get(m, named_object(name));
  return b && b->life == HD_LIFE_ALIVE
             ? hd_contents_cell(b, (uint32_t)name, named_bytes(m, name))
             : NULL;
}

bool hd_memory_range(const void *context, hd_name name, hd_span *range) {
  const hd_memory *m = context;
  const hd_contents *b = hd_memory_get(m, named_object(name));
  uint32_t bytes = named_bytes(m, name);
  if (!b || b->life != HD_LIFE_ALIVE || !bytes)
    return false;
  hd_value v = hd_contents_load(b, (uint32_t)name, bytes);
  return hd_value_range(&v, range);
}

hd_relation_side hd_memory_side(const hd_memory *m) {
  return (hd_relation_side){m->relation, hd_memory_range, m};
}

hd_relation *hd_memory_relation(const hd_memory *m) {
  return m->relation;
}

void hd_memory_tighten(hd_memory **memory) {
  for (uint32_t i = 0; i < hd_relation_size((*memory)->relation); i++) {
    hd_relation *r = (*memory)->relation;
    hd_name name = hd_relation_name(r, i);
    const hd_memory_cell *c = named(*memory, name);
    hd_span old, fresh;
    if (!c || !hd_value_range(&c->value, &old))
      continue;
    fresh = old;
    hd_relation_range(r, name, &fresh);
    if (fresh.lo > fresh.hi || (fresh.lo == old.lo && fresh.hi == old.hi))
      continue;
    uint8_t width = (uint8_t)(8 * c->bytes);
    hd_value v = hd_value_signed(width, fresh.lo, fresh.hi);
    v = hd_value_meet(width, &c->value, &v);
    hd_pointee t = {named_object(name), 0, c->offset, c->offset};
    if (!hd_value_is_none(&v))
      hd_memory_refine(memory, &t, c->bytes, &v);
  }
}

void hd_memory_relate(hd_memory **memory, hd_relation *relation) {
  hd_memory *m = *memory;
  if (m->relation == relation) {
    hd_relation_drop(relation);
    return;
  }
  m = hd_memory_own(memory);
  hd_relation_drop(m->relation);
  m->relation = relation;
  hd_memory_tighten(memory);
}
