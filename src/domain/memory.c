/* SPDX-License-Identifier: MIT */
/* Objects are immutable blocks, a memory is an immutable list of them ordered by
 * object; both are counted. A changed block is a copy, and so is the list: lists
 * are short (tens of objects), blocks are the ones that can be long. */
#include "domain/memory.h"

#include "base/hash.h"

#include <string.h>

typedef struct {
  uint32_t offset, bytes;
  hd_stamp stamp;
  hd_value value;
} cell;

typedef struct {
  uint32_t refs, n;
  uint64_t size;
  hd_object object;
  hd_stamp stamp; /* of fill and life */
  uint8_t fill, life;
  cell cells[]; /* ascending, disjoint */
} block;

struct hd_memory {
  uint32_t refs, n;
  const hd_related *related; /* NULL: no cell has a name */
  hd_relation *relation;     /* of them */
  hd_reads *reads;           /* NULL: nobody wants to know */
  block *blocks[];           /* ascending by object */
};

/* --- counting --- */

static block *block_new(uint32_t n) {
  block *b = hd_calloc(1, sizeof *b + n * sizeof *b->cells);
  b->refs = 1;
  b->n = n;
  return b;
}

static void block_drop(block *b) {
  if (--b->refs == 0)
    hd_free(b);
}

static hd_memory *memory_new(uint32_t n, const hd_related *related) {
  hd_memory *m = hd_calloc(1, sizeof *m + n * sizeof *m->blocks);
  m->refs = 1;
  m->n = n;
  m->related = related;
  return m;
}

hd_memory *hd_memory_new(void) {
  return memory_new(0, NULL);
}

hd_memory *hd_memory_new_related(const hd_related *related) {
  return memory_new(0, related);
}

hd_memory *hd_memory_keep(hd_memory *m) {
  m->refs++;
  return m;
}

void hd_memory_drop(hd_memory *m) {
  if (!m || --m->refs)
    return;
  for (uint32_t i = 0; i < m->n; i++)
    block_drop(m->blocks[i]);
  hd_relation_drop(m->relation);
  hd_free(m);
}

/* --- what is asked for --- */

static void note(const hd_memory *m, hd_object object, uint64_t lo, uint64_t hi,
                 bool value) {
  if (m->reads)
    hd_reads_add(m->reads, object, lo, hi, value);
}

static void note_object(const hd_memory *m, hd_object object) {
  note(m, object, 0, 0, true);
}

/* The index of `object`, or where it belongs. */
static uint32_t find(const hd_memory *m, hd_object object) {
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

static block *get(const hd_memory *m, hd_object object) {
  uint32_t i = find(m, object);
  return i < m->n && m->blocks[i]->object == object ? m->blocks[i] : NULL;
}

/* Puts `fresh` (a reference that is given away) in the place of its object. */
static void put_quietly(hd_memory **memory, block *fresh) {
  hd_memory *m = *memory;
  uint32_t at = find(m, fresh->object);
  bool there = at < m->n && m->blocks[at]->object == fresh->object;
  if (there && m->refs == 1) {
    block_drop(m->blocks[at]);
    m->blocks[at] = fresh;
    return;
  }
  hd_memory *out = memory_new(m->n + !there, m->related);
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

/* The same; bytes lo … hi - 1 of it were written to. */
static void put(hd_memory **memory, block *fresh, uint64_t lo, uint64_t hi) {
  hd_object object = fresh->object;
  put_quietly(memory, fresh);
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

void hd_memory_create(hd_memory **memory, hd_object object, uint64_t size,
                      hd_fill fill, hd_stamp stamp) {
  block *b = block_new(0);
  b->object = object;
  b->size = size;
  b->fill = (uint8_t)fill;
  b->life = HD_LIFE_ALIVE;
  b->stamp = stamp;
  put(memory, b, 0, UINT64_MAX);
}

void hd_memory_kill(hd_memory **memory, hd_object object, hd_stamp stamp) {
  const block *old = get(*memory, object);
  note_object(*memory, object);
  block *b = block_new(0);
  b->object = object;
  b->size = old ? old->size : 0;
  b->fill = HD_FILL_UNDEFINED;
  b->life = HD_LIFE_DEAD;
  b->stamp = stamp;
  put(memory, b, 0, UINT64_MAX);
}

void hd_memory_take(hd_memory **memory, const hd_memory *from,
                    hd_object object) {
  block *b = get(from, object);
  if (!b)
    return;
  b->refs++;
  put(memory, b, 0, UINT64_MAX);
}

hd_life hd_memory_life(const hd_memory *m, hd_object object) {
  const block *b = get(m, object);
  note_object(m, object);
  return b ? (hd_life)b->life : HD_LIFE_NONE;
}

uint64_t hd_memory_size(const hd_memory *m, hd_object object) {
  const block *b = get(m, object);
  note_object(m, object);
  return b ? b->size : 0;
}

/* --- reading --- */

static hd_value fill_value(uint8_t fill, uint32_t bytes) {
  uint8_t width = (uint8_t)(8 * bytes);
  if (fill == HD_FILL_ZERO)
    return hd_value_const(width, 0);
  if (fill == HD_FILL_UNDEFINED)
    return hd_value_undefined();
  hd_value v = hd_value_any(width);
  v.wild = v.undef = true;
  return v;
}

/* The first cell that ends behind `offset`. */
static uint32_t first_cell(const block *b, uint64_t offset) {
  uint32_t low = 0, high = b->n;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if ((uint64_t)b->cells[middle].offset + b->cells[middle].bytes <= offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Bytes that do not make one cell: constants are put together, of anything else
 * only is known whether addresses or undefined bytes may be in it. */
static hd_value load_pieces(const block *b, uint64_t offset, uint32_t bytes) {
  uint64_t bits = 0;
  bool known = true;
  hd_value out = hd_value_any((uint8_t)(8 * bytes));
  for (uint32_t k = 0; k < bytes; k++) {
    uint32_t i = first_cell(b, offset + k);
    const cell *c =
        i < b->n && b->cells[i].offset <= offset + k ? &b->cells[i] : NULL;
    hd_value v = c ? c->value : fill_value(b->fill, 1);
    uint64_t x = 0;
    known = known && hd_value_is_const(&v, &x);
    uint64_t shift = c ? 8 * (offset + k - c->offset) : 0;
    bits |= (x >> shift & 0xff) << (8 * k);
    out.undef = out.undef || v.undef;
    out.wild = out.wild || v.wild || v.n_targets;
  }
  return known ? hd_value_const((uint8_t)(8 * bytes), bits) : out;
}

static hd_value load_at(const block *b, uint64_t offset, uint32_t bytes) {
  uint32_t i = first_cell(b, offset);
  if (i == b->n || b->cells[i].offset >= offset + bytes)
    return fill_value(b->fill, bytes);
  if (b->cells[i].offset == offset && b->cells[i].bytes == bytes)
    return b->cells[i].value;
  return load_pieces(b, offset, bytes);
}

/* The first address of `t` from `at` on, in steps of its stride, at which `bytes`
 * touch a cell; all before it have the block's fill. */
static int64_t skip_fill(const block *b, const hd_pointee *t, int64_t at,
                         uint32_t bytes) {
  uint32_t i = first_cell(b, (uint64_t)at);
  if (i == b->n)
    return INT64_MAX;
  int64_t gap = (int64_t)b->cells[i].offset - (at + bytes);
  return gap < 0 ? at : at + (gap / t->stride + 1) * (int64_t)t->stride;
}

/* Is that one cell that the computation has written itself? */
static bool is_own(const hd_memory *m, const block *b, const hd_pointee *t,
                   uint32_t bytes) {
  uint32_t i = first_cell(b, (uint64_t)t->lo);
  return m->reads && !t->stride && i < b->n &&
         b->cells[i].offset == (uint64_t)t->lo && b->cells[i].bytes == bytes &&
         b->cells[i].stamp == m->reads->stamp;
}

/* `value`: it is read, or perhaps not written. */
static void note_target(const hd_memory *m, const block *b, const hd_pointee *t,
                        uint32_t bytes, bool value) {
  if (m->reads && !is_own(m, b, t, bytes))
    note(m, t->object, (uint64_t)t->lo, (uint64_t)t->hi + bytes, value);
}

hd_value hd_memory_load(const hd_memory *m, const hd_pointee *t,
                        uint32_t bytes) {
  const block *b = get(m, t->object);
  assert(b && t->lo >= 0 && (uint64_t)t->hi + bytes <= b->size);
  note_target(m, b, t, bytes, true);
  hd_value out = load_at(b, (uint64_t)t->lo, bytes);
  bool filled = false;
  for (int64_t at = t->lo + t->stride; t->stride && at <= t->hi;) {
    int64_t next = skip_fill(b, t, at, bytes);
    if (next == at || !filled) {
      hd_value v = load_at(b, (uint64_t)at, bytes);
      out = hd_value_join((uint8_t)(8 * bytes), &out, &v);
    }
    filled = filled || next != at;
    at = next == at ? at + t->stride : next;
  }
  return out;
}

/* --- writing --- */

typedef hd_vec(cell) cells;

static block *with_cells(const block *old, const cells *list) {
  block *b = block_new((uint32_t)list->size);
  b->object = old->object;
  b->size = old->size;
  b->fill = old->fill;
  b->life = old->life;
  b->stamp = old->stamp;
  if (list->size)
    memcpy(b->cells, list->data, list->size * sizeof *b->cells);
  return b;
}

/* What is left of a cell that is partly overwritten: single bytes. */
static void push_bytes(cells *out, const cell *c, uint64_t from, uint64_t to) {
  uint64_t x = 0;
  bool known = hd_value_is_const(&c->value, &x);
  for (uint64_t at = from; at < to; at++) {
    cell piece = {.offset = (uint32_t)at, .bytes = 1, .stamp = c->stamp};
    piece.value = known ? hd_value_const(8, x >> 8 * (at - c->offset) & 0xff)
                        : hd_value_any(8);
    piece.value.undef = c->value.undef;
    piece.value.wild = c->value.wild || c->value.n_targets;
    hd_vec_push(out, piece);
  }
}

/* The cells of `b` with [offset, offset + bytes) taken out; `*at` is where new
 * ones go. */
static void cut_out(const block *b, uint64_t offset, uint64_t bytes, cells *out,
                    size_t *at) {
  uint64_t end = offset + bytes;
  bool placed = false;
  for (uint32_t i = 0; i < b->n; i++) {
    const cell *c = &b->cells[i];
    uint64_t stop = (uint64_t)c->offset + c->bytes;
    if (c->offset >= end && !placed) {
      *at = out->size;
      placed = true;
    }
    if (stop <= offset || c->offset >= end) {
      hd_vec_push(out, *c);
      continue;
    }
    if (c->offset < offset)
      push_bytes(out, c, c->offset, offset);
    if (!placed) {
      *at = out->size;
      placed = true;
    }
    if (stop > end)
      push_bytes(out, c, end, stop);
  }
  if (!placed)
    *at = out->size;
}

static void insert(cells *list, size_t at, cell c) {
  hd_vec_push(list, c);
  memmove(list->data + at + 1, list->data + at,
          (list->size - 1 - at) * sizeof *list->data);
  list->data[at] = c;
}

/* Replaces what is at [offset, offset + bytes). */
static block *store_at(const block *b, uint64_t offset, uint32_t bytes,
                       const hd_value *value, hd_stamp stamp) {
  cells list = {0};
  size_t at = 0;
  cut_out(b, offset, bytes, &list, &at);
  insert(&list, at,
         (cell){.offset = (uint32_t)offset,
                .bytes = bytes,
                .stamp = stamp,
                .value = *value});
  block *fresh = with_cells(b, &list);
  hd_vec_free(&list);
  return fresh;
}

void hd_memory_refine(hd_memory **memory, const hd_pointee *t, uint32_t bytes,
                      const hd_value *value) {
  const block *b = get(*memory, t->object);
  if (!b || t->stride || t->lo < 0) {
    note_object(*memory, t->object);
    return;
  }
  note_target(*memory, b, t, bytes, true);
  uint32_t i = first_cell(b, (uint64_t)t->lo);
  if (i == b->n || b->cells[i].offset != (uint64_t)t->lo ||
      b->cells[i].bytes != bytes || hd_value_same(&b->cells[i].value, value))
    return;
  put_quietly(memory,
              store_at(b, (uint64_t)t->lo, bytes, value, b->cells[i].stamp));
}

/* The cells of the target's addresses, which may or may not be written to, in one
 * pass over the object; NULL: a cell of another shape is in the way. */
static block *store_weakly(const block *b, const hd_pointee *t, uint32_t bytes,
                           const hd_value *value, hd_stamp stamp) {
  cells list = {0};
  uint8_t width = (uint8_t)(8 * bytes);
  uint32_t next = 0;
  for (int64_t at = t->lo; at <= t->hi; at += t->stride) {
    uint64_t end = (uint64_t)at + bytes;
    for (;
         next < b->n &&
         b->cells[next].offset + (uint64_t)b->cells[next].bytes <= (uint64_t)at;
         next++)
      hd_vec_push(&list, b->cells[next]);
    const cell *c =
        next < b->n && b->cells[next].offset < end ? &b->cells[next] : NULL;
    if (c && (c->offset != (uint64_t)at || c->bytes != bytes)) {
      hd_vec_free(&list);
      return NULL;
    }
    hd_value old = c ? c->value : fill_value(b->fill, bytes);
    cell fresh = {.offset = (uint32_t)at, .bytes = bytes, .stamp = stamp};
    fresh.value = hd_value_join(width, &old, value);
    hd_vec_push(&list, fresh);
    next += c != NULL;
  }
  for (; next < b->n; next++)
    hd_vec_push(&list, b->cells[next]);
  block *fresh = with_cells(b, &list);
  hd_vec_free(&list);
  return fresh;
}

void hd_memory_narrow(hd_memory **memory, const hd_pointee *t, uint32_t bytes,
                      const hd_value *value) {
  const block *b = get(*memory, t->object);
  note_target(*memory, b, t, bytes, true);
  cells list = {0};
  bool changed = false;
  for (uint32_t i = 0; i < b->n; i++) {
    cell c = b->cells[i];
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
    put_quietly(memory, with_cells(b, &list));
  hd_vec_free(&list);
}

enum { MAX_WEAK = 4096 };

void hd_memory_store(hd_memory **memory, const hd_pointee *t, uint32_t bytes,
                     const hd_value *value, bool weak, hd_stamp stamp) {
  block *b = get(*memory, t->object);
  assert(b && t->lo >= 0 && (uint64_t)t->hi + bytes <= b->size);
  note_target(*memory, b, t, bytes, t->stride || weak);
  if (!t->stride && !weak) {
    put(memory, store_at(b, (uint64_t)t->lo, bytes, value, stamp),
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
  block *quick =
      t->stride >= bytes ? store_weakly(b, t, bytes, value, stamp) : NULL;
  if (quick) {
    put(memory, quick, (uint64_t)t->lo, (uint64_t)t->hi + bytes);
    return;
  }
  b->refs++;
  for (int64_t at = t->lo; at <= t->hi; at += (int64_t)stride) {
    hd_value old = load_at(b, (uint64_t)at, bytes);
    hd_value both = hd_value_join((uint8_t)(8 * bytes), &old, value);
    block *next = store_at(b, (uint64_t)at, bytes, &both, stamp);
    block_drop(b);
    b = next;
  }
  put(memory, b, (uint64_t)t->lo, (uint64_t)t->hi + bytes);
}

void hd_memory_fill(hd_memory **memory, hd_object object, uint64_t offset,
                    uint64_t bytes, hd_fill fill, hd_stamp stamp) {
  const block *b = get(*memory, object);
  assert(b && offset + bytes <= b->size);
  note(*memory, object, offset, offset + bytes, false);
  cells list = {0};
  size_t at = 0;
  cut_out(b, offset, bytes, &list, &at);
  bool whole = offset == 0 && bytes == b->size;
  uint64_t done = whole ? bytes : 0;
  while (done < bytes) {
    uint32_t piece = bytes - done >= 8 && (offset + done) % 8 == 0 ? 8 : 1;
    insert(&list, at++,
           (cell){.offset = (uint32_t)(offset + done),
                  .bytes = piece,
                  .stamp = stamp,
                  .value = fill_value((uint8_t)fill, piece)});
    done += piece;
  }
  block *fresh = with_cells(b, &list);
  if (whole) {
    fresh->fill = (uint8_t)fill;
    fresh->stamp = stamp;
  }
  hd_vec_free(&list);
  put(memory, fresh, offset, offset + bytes);
}

/* The next piece to copy: a whole cell, or a byte, or up to 8 bytes of fill. */
static uint32_t piece_at(const block *b, uint64_t offset, uint64_t end) {
  uint32_t i = first_cell(b, offset);
  uint64_t next = i < b->n ? b->cells[i].offset : b->size;
  if (next == offset && offset + b->cells[i].bytes <= end)
    return b->cells[i].bytes;
  if (next <= offset)
    return 1;
  uint64_t room = (next < end ? next : end) - offset;
  return room >= 8 ? 8 : room >= 4 ? 4 : 1;
}

void hd_memory_copy(hd_memory **memory, hd_object to, uint64_t to_offset,
                    hd_object from, uint64_t from_offset, uint64_t bytes,
                    hd_stamp stamp) {
  block *source = get(*memory, from);
  assert(source && from_offset + bytes <= source->size);
  note(*memory, from, from_offset, from_offset + bytes, true);
  source->refs++; /* `to` may be the same object */
  for (uint64_t done = 0; done < bytes;) {
    uint64_t at = from_offset + done;
    uint32_t piece = piece_at(source, at, from_offset + bytes);
    hd_value v = load_at(source, at, piece);
    int64_t where = (int64_t)(to_offset + done);
    hd_pointee t = {to, 0, where, where};
    hd_memory_store(memory, &t, piece, &v, false, stamp);
    done += piece;
  }
  block_drop(source);
}

/* --- relations --- */

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
    if (hd_cell_name(m->related->cells[k].object,
                     m->related->cells[k].offset) == name)
      return m->related->cells[k].bytes;
  return 0;
}

static hd_object named_object(hd_name name) {
  return (hd_object)(name >> 32) & INT32_MAX;
}

/* Where the named cell is; NULL: there is none of this shape. */
static const cell *named(const hd_memory *m, hd_name name) {
  const block *b = get(m, named_object(name));
  uint32_t offset = (uint32_t)name;
  if (!b || b->life != HD_LIFE_ALIVE)
    return NULL;
  uint32_t i = first_cell(b, offset);
  return i < b->n && b->cells[i].offset == offset &&
                 b->cells[i].bytes == named_bytes(m, name)
             ? &b->cells[i]
             : NULL;
}

bool hd_memory_range(const void *context, hd_name name, hd_span *range) {
  const hd_memory *m = context;
  const block *b = get(m, named_object(name));
  uint32_t bytes = named_bytes(m, name);
  if (!b || b->life != HD_LIFE_ALIVE || !bytes)
    return false;
  hd_value v = load_at(b, (uint32_t)name, bytes);
  return hd_value_range(&v, range);
}

static hd_relation_side side(const hd_memory *m) {
  return (hd_relation_side){m->relation, hd_memory_range, m};
}

hd_relation *hd_memory_relation(const hd_memory *m) {
  return m->relation;
}

/* Narrows the cells to what the relation says about each. */
static void narrow(hd_memory **memory) {
  for (uint32_t i = 0; i < hd_relation_size((*memory)->relation); i++) {
    hd_relation *r = (*memory)->relation;
    hd_name name = hd_relation_name(r, i);
    const cell *c = named(*memory, name);
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
  if (m->refs > 1) {
    hd_memory *copy = memory_new(m->n, m->related);
    copy->reads = m->reads;
    for (uint32_t k = 0; k < m->n; k++)
      (copy->blocks[k] = m->blocks[k])->refs++;
    hd_memory_drop(m);
    *memory = m = copy;
  }
  hd_relation_drop(m->relation);
  m->relation = relation;
  narrow(memory);
}

/* --- order and bounds --- */

static bool fill_within(uint8_t a, uint8_t b) {
  return a == b || b == HD_FILL_ANY;
}

/* Are the bytes of `c` that are in no cell of b within b's fill? */
static bool rest_within(const cell *c, const block *b) {
  uint32_t end = c->offset + c->bytes, at = c->offset;
  bool touched = false;
  for (uint32_t i = first_cell(b, at); i < b->n && b->cells[i].offset < end;
       i++) {
    if (b->cells[i].offset > at && b->fill != HD_FILL_ANY)
      return false;
    at = b->cells[i].offset + b->cells[i].bytes;
    touched = true;
  }
  if (at >= end || b->fill == HD_FILL_ANY)
    return true;
  hd_value fill = fill_value(b->fill, c->bytes);
  return !touched && hd_value_within(&c->value, &fill);
}

/* What b says is the product of its cells and its fill; each of them must hold
 * in a. Loading from a may say more than a does, which is on the safe side. */
static bool block_within(const block *a, const block *b) {
  if (a == b)
    return true;
  if (a->size != b->size || (a->life != b->life && b->life != HD_LIFE_MAYBE))
    return false;
  uint64_t covered = 0;
  for (uint32_t i = 0; i < b->n; i++)
    covered += b->cells[i].bytes;
  if (covered < b->size && !fill_within(a->fill, b->fill))
    return false;
  for (uint32_t i = 0; i < a->n; i++)
    if (!rest_within(&a->cells[i], b))
      return false;
  for (uint32_t i = 0; i < b->n; i++) {
    hd_value v = load_at(a, b->cells[i].offset, b->cells[i].bytes);
    if (!hd_value_within(&v, &b->cells[i].value))
      return false;
  }
  return true;
}

bool hd_memory_within(const hd_memory *a, const hd_memory *b) {
  if (a == b)
    return true;
  uint32_t k = 0;
  for (uint32_t i = 0; i < a->n; i++) {
    while (k < b->n && b->blocks[k]->object < a->blocks[i]->object)
      k++;
    if (k == b->n || b->blocks[k]->object != a->blocks[i]->object ||
        !block_within(a->blocks[i], b->blocks[k]))
      return false;
  }
  return hd_relation_within(side(a), side(b));
}

bool hd_memory_same(const hd_memory *a, const hd_memory *b) {
  return hd_memory_within(a, b) && hd_memory_within(b, a);
}

static hd_stamp newer(hd_stamp x, hd_stamp y) {
  return x > y ? x : y;
}

typedef struct {
  const hd_widening *widen; /* NULL: join */
  hd_choose choose;         /* NULL: join */
  void *context;
  bool race;
  bool impossible; /* they contradict each other */
  const hd_memory *watched;
} mix;

/* The value of both at a cell of `c`'s shape. */
static cell mix_cell(mix *m, const block *a, const block *b, uint32_t offset,
                     uint32_t bytes, hd_stamp x, hd_stamp y) {
  uint8_t width = (uint8_t)(8 * bytes);
  hd_value v = load_at(a, offset, bytes), w = load_at(b, offset, bytes);
  cell out = {.offset = offset, .bytes = bytes, .stamp = newer(x, y)};
  int take = m->choose && x != y ? m->choose(m->context, x, y) : 0;
  if (m->choose && x == y)
    take = 1;
  if (!m->choose && x != y)
    note(m->watched, a->object, offset, (uint64_t)offset + bytes, true);
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

/* The stamp of what covers [offset, offset + bytes): the newest. */
static hd_stamp stamp_at(const block *b, uint32_t offset, uint32_t bytes) {
  hd_stamp stamp = 0;
  bool any = false;
  for (uint32_t i = first_cell(b, offset);
       i < b->n && b->cells[i].offset < offset + bytes; i++) {
    stamp = any ? newer(stamp, b->cells[i].stamp) : b->cells[i].stamp;
    any = true;
  }
  return any ? stamp : b->stamp;
}

/* Walks over the cells of both; where they overlap without being equal it goes
 * byte by byte. */
static block *mix_blocks(mix *m, const block *a, const block *b) {
  cells list = {0};
  uint32_t i = 0, k = 0;
  uint64_t done = 0;
  while (i < a->n || k < b->n) {
    const cell *x = i < a->n ? &a->cells[i] : NULL;
    const cell *y = k < b->n ? &b->cells[k] : NULL;
    uint32_t from, bytes;
    if (x && y && x->offset == y->offset && x->bytes == y->bytes &&
        x->offset >= done) {
      from = x->offset;
      bytes = x->bytes;
    } else {
      const cell *c = !y || (x && x->offset <= y->offset) ? x : y;
      const cell *o = c == x ? y : x;
      from = c->offset > done ? c->offset : (uint32_t)done;
      uint32_t end = c->offset + c->bytes;
      bool alone = from == c->offset && (!o || o->offset >= end);
      bytes = alone ? c->bytes : 1;
    }
    cell out = mix_cell(m, a, b, from, bytes, stamp_at(a, from, bytes),
                        stamp_at(b, from, bytes));
    hd_vec_push(&list, out);
    done = (uint64_t)from + bytes;
    while (i < a->n && a->cells[i].offset + a->cells[i].bytes <= done)
      i++;
    while (k < b->n && b->cells[k].offset + b->cells[k].bytes <= done)
      k++;
  }
  block *out = with_cells(a, &list);
  hd_vec_free(&list);
  return out;
}

/* Fill, life and stamp of an object in two histories. */
static void mix_rest(mix *m, block *out, const block *a, const block *b) {
  int take = 0;
  if (m->choose)
    take = a->stamp == b->stamp ? 1 : m->choose(m->context, a->stamp, b->stamp);
  const block *from = take == 1 ? a : take == 2 ? b : NULL;
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
    note(m->watched, a->object, 0, a->size > b->size ? a->size : b->size, true);
  out->fill = a->fill == b->fill ? a->fill : HD_FILL_ANY;
  out->life = a->life == b->life ? a->life : HD_LIFE_MAYBE;
  out->size = a->size < b->size ? a->size : b->size;
  out->stamp = newer(a->stamp, b->stamp);
}

static hd_memory *mix_memories(mix *m, const hd_memory *a, const hd_memory *b,
                               hd_object *race) {
  hd_vec(block *) out = {0};
  uint32_t i = 0, k = 0;
  m->watched = a;
  while (i < a->n || k < b->n) {
    block *x = i < a->n ? a->blocks[i] : NULL;
    block *y = k < b->n ? b->blocks[k] : NULL;
    if (!y || (x && x->object < y->object)) {
      note_object(a, x->object);
      x->refs++;
      hd_vec_push(&out, x);
      i++;
      continue;
    }
    if (!x || y->object < x->object) {
      note_object(a, y->object);
      y->refs++;
      hd_vec_push(&out, y);
      k++;
      continue;
    }
    if (x == y) {
      x->refs++;
      hd_vec_push(&out, x);
    } else {
      m->race = false;
      block *both = mix_blocks(m, x, y);
      mix_rest(m, both, x, y);
      if (m->race && race)
        *race = x->object;
      hd_vec_push(&out, both);
    }
    i++;
    k++;
  }
  hd_memory *result = memory_new((uint32_t)out.size, a->related);
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
    names[i] =
        hd_cell_name(a->related->cells[i].object, a->related->cells[i].offset);
  out->relation = hd_relation_join(a->related->lib, side(a), side(b), names,
                                   a->related->n, widen != NULL);
  return out;
}

/* Which of two histories the named cell is taken from, as hd_choose says; 3:
 * both know it. */
static int taken(const hd_memory *a, const hd_memory *b, uint32_t i,
                 hd_choose choose, void *context) {
  hd_object object = a->related->cells[i].object;
  uint32_t offset = a->related->cells[i].offset;
  uint32_t bytes = a->related->cells[i].bytes;
  const block *x = get(a, object), *y = get(b, object);
  if (!x || !y)
    return 0;
  if (x == y)
    return 3;
  hd_stamp p = stamp_at(x, offset, bytes), q = stamp_at(y, offset, bytes);
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
      hd_name name = hd_cell_name(a->related->cells[i].object,
                                  a->related->cells[i].offset);
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
                           hd_choose choose, void *context, hd_object *race) {
  mix m = {.choose = choose, .context = context};
  hd_memory *out = mix_memories(&m, a, b, race);
  if (m.impossible || !merge_relations(out, a, b, choose, context)) {
    hd_memory_drop(out);
    return NULL;
  }
  narrow(&out);
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
    const block *b = (*memory)->blocks[i], *from = get(old, b->object);
    if (!from || from == b || from->size != b->size)
      continue;
    for (uint32_t k = 0; k < b->n; k++) {
      const cell *c = &b->cells[k];
      if (c->stamp != stamp)
        continue;
      uint8_t width = (uint8_t)(8 * c->bytes);
      hd_value v = load_at(from, c->offset, c->bytes);
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
    const block *b = m->blocks[i], *old = get(before, b->object);
    if (!old || b == old || old->size != b->size)
      continue;
    for (uint32_t k = 0; k < b->n; k++) {
      const cell *c = &b->cells[k];
      if (c->stamp == stamp || c->stamp != stamp_at(old, c->offset, c->bytes))
        continue;
      hd_value v = load_at(old, c->offset, c->bytes);
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
    hd_object object = m->related->cells[i].object;
    uint32_t offset = m->related->cells[i].offset;
    const block *b = get(m, object);
    hd_name name = hd_cell_name(object, offset);
    if (!b || stamp_at(b, offset, m->related->cells[i].bytes) == stamp)
      old = hd_relation_forget(old, name, name);
  }
  if (!old)
    return;
  hd_relation *both = hd_relation_meet(old, m->relation);
  hd_relation_drop(old);
  hd_memory_relate(memory, both);
}

/* --- the same computation on another memory --- */

void hd_memory_watch(hd_memory **memory, hd_reads *reads) {
  hd_memory *m = *memory;
  if (m->reads == reads)
    return;
  if (m->refs > 1) {
    hd_memory *copy = memory_new(m->n, m->related);
    copy->relation = hd_relation_keep(m->relation);
    for (uint32_t i = 0; i < m->n; i++)
      (copy->blocks[i] = m->blocks[i])->refs++;
    hd_memory_drop(m);
    *memory = m = copy;
  }
  m->reads = reads;
}

static bool cells_agree(const block *a, const block *b, const hd_read *r) {
  uint32_t i = first_cell(a, r->lo), k = first_cell(b, r->lo);
  for (;; i++, k++) {
    bool more = i < a->n && a->cells[i].offset < r->hi;
    if (more != (k < b->n && b->cells[k].offset < r->hi))
      return false;
    if (!more)
      return true;
    const cell *c = &a->cells[i], *d = &b->cells[k];
    if (c->offset != d->offset || c->bytes != d->bytes ||
        (r->value && !hd_value_same(&c->value, &d->value)))
      return false;
  }
}

bool hd_memory_agrees(const hd_memory *a, const hd_memory *b,
                      const hd_reads *reads) {
  for (hd_vec_each(const hd_read, r, &reads->list)) {
    const block *x = get(a, r->object), *y = get(b, r->object);
    if (x == y)
      continue;
    if (!x || !y || x->life != y->life || x->size != y->size ||
        x->fill != y->fill || (r->lo < r->hi && !cells_agree(x, y, r)))
      return false;
  }
  return true;
}

/* An object that is new, or was made anew. */
static block *replay_new(const block *start, const block *after, hd_stamp old,
                         hd_stamp fresh) {
  block *b = block_new(after->n);
  memcpy(b->cells, after->cells, after->n * sizeof *b->cells);
  b->object = after->object;
  b->size = after->size;
  b->fill = after->fill;
  b->life = after->life;
  b->stamp = fresh;
  for (uint32_t i = 0; i < b->n; i++) {
    cell *c = &b->cells[i];
    if (c->stamp != old && !start) {
      block_drop(b);
      return NULL;
    }
    c->stamp = c->stamp == old ? fresh : stamp_at(start, c->offset, c->bytes);
  }
  return b;
}

/* What was written is written, and what was learnt about cells is known. */
static block *replay_block(block *start, const block *before,
                           const block *after, hd_stamp old, hd_stamp fresh) {
  block *b = start;
  b->refs++;
  for (uint32_t i = 0; i < after->n; i++) {
    const cell *c = &after->cells[i];
    hd_stamp stamp = fresh;
    if (c->stamp != old) {
      hd_value v = load_at(before, c->offset, c->bytes);
      if (hd_value_same(&v, &c->value))
        continue;
      uint32_t k = first_cell(b, c->offset);
      if (k == b->n || b->cells[k].offset != c->offset ||
          b->cells[k].bytes != c->bytes) {
        block_drop(b);
        return NULL;
      }
      stamp = b->cells[k].stamp;
    }
    block *next = store_at(b, c->offset, c->bytes, &c->value, stamp);
    block_drop(b);
    b = next;
  }
  return b;
}

hd_memory *hd_memory_replay(hd_memory *start, const hd_memory *before,
                            const hd_memory *after, hd_stamp old,
                            hd_stamp fresh) {
  assert(!start->relation && !before->relation && !after->relation);
  hd_memory *out = hd_memory_keep(start);
  for (uint32_t i = 0; i < after->n; i++) {
    const block *x = after->blocks[i], *y = get(before, x->object);
    if (x == y)
      continue;
    block *from = get(start, x->object);
    block *b = NULL;
    if (x->stamp == old)
      b = replay_new(from, x, old, fresh);
    else if (from && y)
      b = replay_block(from, y, x, old, fresh);
    if (!b) {
      hd_memory_drop(out);
      return NULL;
    }
    put_quietly(&out, b);
  }
  return out;
}

void hd_memory_each(const hd_memory *m, hd_cell_visit visit, void *context) {
  for (uint32_t i = 0; i < m->n; i++)
    for (uint32_t k = 0; k < m->blocks[i]->n; k++) {
      const cell *c = &m->blocks[i]->cells[k];
      visit(context, m->blocks[i]->object, c->offset, c->bytes, &c->value);
    }
}
