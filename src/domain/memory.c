/* SPDX-License-Identifier: MIT */
/* A memory is an immutable list of objects' contents, ordered by object. What is
 * changed is copied, and so is the list: lists are short (tens of objects),
 * contents are the ones that can be long. */
#include "domain/memory_impl.h"

hd_memory *hd_memory_sized(uint32_t n, const hd_related *related) {
  hd_memory *m = hd_calloc(1, sizeof *m + n * sizeof *m->blocks);
  m->refs = 1;
  m->n = n;
  m->related = related;
  return m;
}

hd_memory *hd_memory_new(void) {
  return hd_memory_sized(0, NULL);
}

hd_memory *hd_memory_new_related(const hd_related *related) {
  return hd_memory_sized(0, related);
}

hd_memory *hd_memory_keep(hd_memory *m) {
  m->refs++;
  return m;
}

void hd_memory_drop(hd_memory *m) {
  if (!m || --m->refs)
    return;
  for (uint32_t i = 0; i < m->n; i++)
    hd_contents_drop(m->blocks[i]);
  hd_relation_drop(m->relation);
  hd_free(m);
}

hd_memory *hd_memory_own(hd_memory **memory) {
  hd_memory *m = *memory;
  if (m->refs == 1)
    return m;
  hd_memory *copy = hd_memory_sized(m->n, m->related);
  copy->relation = hd_relation_keep(m->relation);
  copy->reads = m->reads;
  for (uint32_t i = 0; i < m->n; i++)
    (copy->blocks[i] = m->blocks[i])->refs++;
  hd_memory_drop(m);
  return *memory = copy;
}

/* The index of `object`, or where it belongs. */
static uint32_t find(const hd_memory *m, hd_object_id object) {
  uint32_t low = 0, high = m->n;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (m->blocks[middle]->object < object)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

hd_contents *hd_memory_get(const hd_memory *m, hd_object_id object) {
  uint32_t i = find(m, object);
  return i < m->n && m->blocks[i]->object == object ? m->blocks[i] : NULL;
}

void hd_memory_put(hd_memory **memory, hd_contents *fresh) {
  hd_memory *m = *memory;
  uint32_t at = find(m, fresh->object);
  bool there = at < m->n && m->blocks[at]->object == fresh->object;
  if (there && m->refs == 1) {
    hd_contents_drop(m->blocks[at]);
    m->blocks[at] = fresh;
    return;
  }
  hd_memory *out = hd_memory_sized(m->n + !there, m->related);
  out->relation = hd_relation_keep(m->relation);
  out->reads = m->reads;
  for (uint32_t i = 0; i < at; i++)
    out->blocks[i] = m->blocks[i];
  out->blocks[at] = fresh;
  for (uint32_t i = at + there; i < m->n; i++)
    out->blocks[i + !there] = m->blocks[i];
  for (uint32_t i = 0; i < out->n; i++)
    if (i != at)
      out->blocks[i]->refs++;
  hd_memory_drop(m);
  *memory = out;
}

/* The same, and bytes lo … hi - 1 of it were written to. */
static void overwrite(hd_memory **memory, hd_contents *fresh, uint64_t lo,
                      uint64_t hi) {
  hd_object_id object = fresh->object;
  hd_memory_put(memory, fresh);
  hd_memory *m = *memory;
  assert(m->refs == 1);
  for (uint32_t i = 0; m->relation && i < m->related->n; i++)
    if (m->related->cells[i].object == object &&
        m->related->cells[i].offset < hi &&
        lo < (uint64_t)m->related->cells[i].offset +
                 m->related->cells[i].bytes) {
      hd_name name = hd_cell_name(object, m->related->cells[i].offset);
      if (!hd_relation_has(m->relation, name))
        continue;
      m->relation = hd_relation_forget(m->relation, name, name);
    }
}

void hd_memory_create(hd_memory **memory, hd_object_id object, uint64_t size,
                      hd_fill fill, hd_stamp stamp) {
  hd_contents *b = hd_contents_new(0);
  b->object = object;
  b->size = size;
  b->fill = (uint8_t)fill;
  b->life = HD_LIFE_ALIVE;
  b->stamp = stamp;
  overwrite(memory, b, 0, UINT64_MAX);
}

void hd_memory_doubt(hd_memory **memory, hd_object_id object) {
  const hd_contents *old = hd_memory_get(*memory, object);
  assert(old && old->life != HD_LIFE_DEAD);
  hd_contents *b = hd_contents_with(old, old->cells, old->n);
  b->life = HD_LIFE_MAYBE;
  hd_memory_put(memory, b);
}

void hd_memory_kill(hd_memory **memory, hd_object_id object, hd_stamp stamp) {
  const hd_contents *old = hd_memory_get(*memory, object);
  hd_memory_note_object(*memory, object);
  hd_contents *b = hd_contents_new(0);
  b->object = object;
  b->size = old ? old->size : 0;
  b->fill = HD_FILL_UNDEFINED;
  b->life = HD_LIFE_DEAD;
  b->stamp = stamp;
  overwrite(memory, b, 0, UINT64_MAX);
}

void hd_memory_take(hd_memory **memory, const hd_memory *from,
                    hd_object_id object) {
  hd_contents *b = hd_memory_get(from, object);
  if (!b)
    return;
  b->refs++;
  overwrite(memory, b, 0, UINT64_MAX);
}

hd_life hd_memory_life(const hd_memory *m, hd_object_id object) {
  const hd_contents *b = hd_memory_get(m, object);
  hd_memory_note_object(m, object);
  return b ? (hd_life)b->life : HD_LIFE_NONE;
}

uint64_t hd_memory_size(const hd_memory *m, hd_object_id object) {
  const hd_contents *b = hd_memory_get(m, object);
  hd_memory_note_object(m, object);
  return b ? b->size : 0;
}

/* The first address of `t` from `at` on, in steps of its stride, at which `bytes`
 * touch a cell; all before it have the block's fill. */
static int64_t skip_fill(const hd_contents *b, const hd_pointee *t, int64_t at,
                         uint32_t bytes) {
  uint32_t i = hd_contents_find(b, (uint64_t)at);
  if (i == b->n)
    return INT64_MAX;
  int64_t gap = (int64_t)b->cells[i].offset - (at + bytes);
  return gap < 0 ? at : at + (gap / t->stride + 1) * (int64_t)t->stride;
}

/* Is that one cell that the computation has written itself? */
static bool is_own(const hd_memory *m, const hd_contents *b,
                   const hd_pointee *t, uint32_t bytes) {
  const hd_memory_cell *c = hd_contents_cell(b, (uint64_t)t->lo, bytes);
  return c && !t->stride && c->stamp == m->reads->stamp;
}

/* `value`: it is read, or perhaps not written. */
static void note_target(const hd_memory *m, const hd_contents *b,
                        const hd_pointee *t, uint32_t bytes, bool value) {
  if (m->reads && !is_own(m, b, t, bytes))
    hd_memory_note(m, t->object, (uint64_t)t->lo, (uint64_t)t->hi + bytes,
                   value);
}

hd_value hd_memory_load(const hd_memory *m, const hd_pointee *t,
                        uint32_t bytes) {
  const hd_contents *b = hd_memory_get(m, t->object);
  assert(b && t->lo >= 0 && (uint64_t)t->hi + bytes <= b->size);
  note_target(m, b, t, bytes, true);
  hd_value out = hd_contents_load(b, (uint64_t)t->lo, bytes);
  bool filled = false;
  for (int64_t at = t->lo + t->stride; t->stride && at <= t->hi;) {
    int64_t next = skip_fill(b, t, at, bytes);
    if (next == at || !filled) {
      hd_value v = hd_contents_load(b, (uint64_t)at, bytes);
      out = hd_value_join((uint8_t)(8 * bytes), &out, &v);
    }
    filled = filled || next != at;
    at = next == at ? at + t->stride : next;
  }
  return out;
}

void hd_memory_refine(hd_memory **memory, const hd_pointee *t, uint32_t bytes,
                      const hd_value *value) {
  const hd_contents *b = hd_memory_get(*memory, t->object);
  if (!b || t->stride || t->lo < 0) {
    hd_memory_note_object(*memory, t->object);
    return;
  }
  note_target(*memory, b, t, bytes, true);
  const hd_memory_cell *c = hd_contents_cell(b, (uint64_t)t->lo, bytes);
  if (c && !hd_value_same(&c->value, value))
    hd_memory_put(
        memory, hd_contents_store(b, (uint64_t)t->lo, bytes, value, c->stamp));
}

void hd_memory_narrow(hd_memory **memory, const hd_pointee *t, uint32_t bytes,
                      const hd_value *value) {
  const hd_contents *b = hd_memory_get(*memory, t->object);
  note_target(*memory, b, t, bytes, true);
  hd_cell_list list = {0};
  bool changed = false;
  for (uint32_t i = 0; i < b->n; i++) {
    hd_memory_cell c = b->cells[i];
    int64_t away = (int64_t)c.offset - t->lo;
    if (c.bytes == bytes && away >= 0 && (int64_t)c.offset <= t->hi &&
        (t->stride ? away % t->stride == 0 : away == 0)) {
      hd_value v = hd_value_meet((uint8_t)(8 * bytes), &c.value, value);
      if (!hd_value_is_none(&v) && !hd_value_same(&v, &c.value)) {
        c.value = v;
        changed = true;
      }
    }
    hd_vec_push(&list, c);
  }
  if (changed)
    hd_memory_put(memory, hd_contents_with(b, list.data, list.size));
  hd_vec_free(&list);
}

enum { MAX_WEAK = 4096 };

void hd_memory_store(hd_memory **memory, const hd_pointee *t, uint32_t bytes,
                     const hd_value *value, bool weak, hd_stamp stamp) {
  hd_contents *b = hd_memory_get(*memory, t->object);
  assert(b && t->lo >= 0 && (uint64_t)t->hi + bytes <= b->size);
  note_target(*memory, b, t, bytes, t->stride || weak);
  if (!t->stride && !weak) {
    overwrite(memory,
              hd_contents_store(b, (uint64_t)t->lo, bytes, value, stamp),
              (uint64_t)t->lo, (uint64_t)t->lo + bytes);
    return;
  }
  uint64_t stride = t->stride ? t->stride : 1;
  if ((uint64_t)(t->hi - t->lo) / stride > MAX_WEAK) {
    /* All of it at once, where one cell for every 8 bytes would be too many. */
    bool whole = (uint64_t)(t->hi - t->lo) > (uint64_t)8 * MAX_WEAK;
    hd_memory_fill(memory, t->object, whole ? 0 : (uint64_t)t->lo,
                   whole ? b->size : (uint64_t)(t->hi - t->lo) + bytes,
                   HD_FILL_ANY, stamp);
    return;
  }
  hd_contents *quick = t->stride >= bytes
                           ? hd_contents_store_weakly(b, t, bytes, value, stamp)
                           : NULL;
  if (quick) {
    overwrite(memory, quick, (uint64_t)t->lo, (uint64_t)t->hi + bytes);
    return;
  }
  b->refs++;
  for (int64_t at = t->lo; at <= t->hi; at += (int64_t)stride) {
    hd_value old = hd_contents_load(b, (uint64_t)at, bytes);
    hd_value both = hd_value_join((uint8_t)(8 * bytes), &old, value);
    hd_contents *next = hd_contents_store(b, (uint64_t)at, bytes, &both, stamp);
    hd_contents_drop(b);
    b = next;
  }
  overwrite(memory, b, (uint64_t)t->lo, (uint64_t)t->hi + bytes);
}

void hd_memory_fill(hd_memory **memory, hd_object_id object, uint64_t offset,
                    uint64_t bytes, hd_fill fill, hd_stamp stamp) {
  const hd_contents *b = hd_memory_get(*memory, object);
  assert(b && offset + bytes <= b->size);
  hd_memory_note(*memory, object, offset, offset + bytes, false);
  overwrite(memory, hd_contents_fill(b, offset, bytes, fill, stamp), offset,
            offset + bytes);
}

/* The next piece to copy: a whole cell, or a byte, or up to 8 bytes of fill. */
static uint32_t piece_at(const hd_contents *b, uint64_t offset, uint64_t end) {
  uint32_t i = hd_contents_find(b, offset);
  uint64_t next = i < b->n ? b->cells[i].offset : b->size;
  if (next == offset && offset + b->cells[i].bytes <= end)
    return b->cells[i].bytes;
  if (next <= offset)
    return 1;
  uint64_t room = (next < end ? next : end) - offset;
  return room >= 8 ? 8 : room >= 4 ? 4 : 1;
}

void hd_memory_copy(hd_memory **memory, hd_object_id to, uint64_t to_offset,
                    hd_object_id from, uint64_t from_offset, uint64_t bytes,
                    hd_stamp stamp) {
  hd_contents *source = hd_memory_get(*memory, from);
  assert(source && from_offset + bytes <= source->size);
  hd_memory_note(*memory, from, from_offset, from_offset + bytes, true);
  source->refs++; /* `to` may be the same object */
  for (uint64_t done = 0; done < bytes;) {
    uint64_t at = from_offset + done;
    uint32_t piece = piece_at(source, at, from_offset + bytes);
    hd_value v = hd_contents_load(source, at, piece);
    int64_t where = (int64_t)(to_offset + done);
    hd_pointee t = {to, 0, where, where};
    hd_memory_store(memory, &t, piece, &v, false, stamp);
    done += piece;
  }
  hd_contents_drop(source);
}

void hd_memory_each(const hd_memory *m, hd_cell_visit visit, void *context) {
  for (uint32_t i = 0; i < m->n; i++)
    for (uint32_t k = 0; k < m->blocks[i]->n; k++) {
      const hd_memory_cell *c = &m->blocks[i]->cells[k];
      visit(context, m->blocks[i]->object, c->offset, c->bytes, &c->value);
    }
}
