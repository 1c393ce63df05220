/* SPDX-License-Identifier: MIT */
/* Lists of cells are short or are written once; searching them is what is done
 * often, so they are arrays in order. */
#include "domain/contents.h"

#include <string.h>

hd_contents *hd_contents_new(uint32_t n) {
  hd_contents *b = hd_calloc(1, sizeof *b + n * sizeof *b->cells);
  b->refs = 1;
  b->n = n;
  return b;
}

void hd_contents_drop(hd_contents *b) {
  if (--b->refs == 0)
    hd_free(b);
}

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

uint32_t hd_contents_find(const hd_contents *b, uint64_t offset) {
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

const hd_memory_cell *hd_contents_cell(const hd_contents *b, uint64_t offset,
                                       uint32_t bytes) {
  uint32_t i = hd_contents_find(b, offset);
  return i < b->n && b->cells[i].offset == offset && b->cells[i].bytes == bytes
             ? &b->cells[i]
             : NULL;
}

/* Bytes that do not make one cell: constants are put together, of anything else
 * only is known whether addresses or undefined bytes may be in it. */
static hd_value load_pieces(const hd_contents *b, uint64_t offset,
                            uint32_t bytes) {
  uint64_t bits = 0;
  bool known = true;
  hd_value out = hd_value_any((uint8_t)(8 * bytes));
  for (uint32_t k = 0; k < bytes; k++) {
    uint32_t i = hd_contents_find(b, offset + k);
    const hd_memory_cell *c =
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

hd_value hd_contents_load(const hd_contents *b, uint64_t offset,
                          uint32_t bytes) {
  uint32_t i = hd_contents_find(b, offset);
  if (i == b->n || b->cells[i].offset >= offset + bytes)
    return fill_value(b->fill, bytes);
  if (b->cells[i].offset == offset && b->cells[i].bytes == bytes)
    return b->cells[i].value;
  return load_pieces(b, offset, bytes);
}

hd_contents *hd_contents_with(const hd_contents *old,
                              const hd_memory_cell *cells, size_t n) {
  hd_contents *b = hd_contents_new((uint32_t)n);
  b->object = old->object;
  b->size = old->size;
  b->fill = old->fill;
  b->life = old->life;
  b->stamp = old->stamp;
  if (n)
    memcpy(b->cells, cells, n * sizeof *b->cells);
  return b;
}

/* The same; empties the list. */
static hd_contents *with_list(const hd_contents *old, hd_cell_list *list) {
  hd_contents *b = hd_contents_with(old, list->data, list->size);
  hd_vec_free(list);
  return b;
}

/* What is left of a cell that is partly overwritten: single bytes. */
static void push_bytes(hd_cell_list *out, const hd_memory_cell *c,
                       uint64_t from, uint64_t to) {
  uint64_t x = 0;
  bool known = hd_value_is_const(&c->value, &x);
  for (uint64_t at = from; at < to; at++) {
    hd_memory_cell piece = {
        .offset = (uint32_t)at, .bytes = 1, .stamp = c->stamp};
    piece.value = known ? hd_value_const(8, x >> 8 * (at - c->offset) & 0xff)
                        : hd_value_any(8);
    piece.value.undef = c->value.undef;
    piece.value.wild = c->value.wild || c->value.n_targets;
    hd_vec_push(out, piece);
  }
}

/* The cells of `b` with [offset, offset + bytes) taken out; `*at` is where new
 * ones go. */
static void cut_out(const hd_contents *b, uint64_t offset, uint64_t bytes,
                    hd_cell_list *out, size_t *at) {
  uint64_t end = offset + bytes;
  bool placed = false;
  for (uint32_t i = 0; i < b->n; i++) {
    const hd_memory_cell *c = &b->cells[i];
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

static void insert(hd_cell_list *list, size_t at, hd_memory_cell c) {
  hd_vec_push(list, c);
  memmove(list->data + at + 1, list->data + at,
          (list->size - 1 - at) * sizeof *list->data);
  list->data[at] = c;
}

hd_contents *hd_contents_store(const hd_contents *b, uint64_t offset,
                               uint32_t bytes, const hd_value *value,
                               hd_stamp stamp) {
  hd_cell_list list = {0};
  size_t at = 0;
  cut_out(b, offset, bytes, &list, &at);
  insert(&list, at,
         (hd_memory_cell){.offset = (uint32_t)offset,
                          .bytes = bytes,
                          .stamp = stamp,
                          .value = *value});
  return with_list(b, &list);
}

hd_contents *hd_contents_store_weakly(const hd_contents *b, const hd_pointee *t,
                                      uint32_t bytes, const hd_value *value,
                                      hd_stamp stamp) {
  hd_cell_list list = {0};
  uint8_t width = (uint8_t)(8 * bytes);
  uint32_t next = 0;
  for (int64_t at = t->lo; at <= t->hi; at += t->stride) {
    uint64_t end = (uint64_t)at + bytes;
    for (;
         next < b->n &&
         b->cells[next].offset + (uint64_t)b->cells[next].bytes <= (uint64_t)at;
         next++)
      hd_vec_push(&list, b->cells[next]);
    const hd_memory_cell *c =
        next < b->n && b->cells[next].offset < end ? &b->cells[next] : NULL;
    if (c && (c->offset != (uint64_t)at || c->bytes != bytes)) {
      hd_vec_free(&list);
      return NULL;
    }
    hd_value old = c ? c->value : fill_value(b->fill, bytes);
    hd_memory_cell fresh = {
        .offset = (uint32_t)at, .bytes = bytes, .stamp = stamp};
    fresh.value = hd_value_join(width, &old, value);
    hd_vec_push(&list, fresh);
    next += c != NULL;
  }
  for (; next < b->n; next++)
    hd_vec_push(&list, b->cells[next]);
  return with_list(b, &list);
}

hd_contents *hd_contents_fill(const hd_contents *b, uint64_t offset,
                              uint64_t bytes, hd_fill fill, hd_stamp stamp) {
  hd_cell_list list = {0};
  size_t at = 0;
  cut_out(b, offset, bytes, &list, &at);
  bool whole = offset == 0 && bytes == b->size;
  uint64_t done = whole ? bytes : 0;
  while (done < bytes) {
    uint32_t piece = bytes - done >= 8 && (offset + done) % 8 == 0 ? 8 : 1;
    insert(&list, at++,
           (hd_memory_cell){.offset = (uint32_t)(offset + done),
                            .bytes = piece,
                            .stamp = stamp,
                            .value = fill_value((uint8_t)fill, piece)});
    done += piece;
  }
  hd_contents *fresh = with_list(b, &list);
  if (whole) {
    fresh->fill = (uint8_t)fill;
    fresh->stamp = stamp;
  }
  return fresh;
}

/* --- order --- */

static bool fill_within(uint8_t a, uint8_t b) {
  return a == b || b == HD_FILL_ANY;
}

/* Are the bytes of `c` that are in no cell of b within b's fill? */
static bool rest_within(const hd_memory_cell *c, const hd_contents *b) {
  uint32_t end = c->offset + c->bytes, at = c->offset;
  bool touched = false;
  for (uint32_t i = hd_contents_find(b, at);
       i < b->n && b->cells[i].offset < end; i++) {
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
bool hd_contents_within(const hd_contents *a, const hd_contents *b) {
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
    hd_value v = hd_contents_load(a, b->cells[i].offset, b->cells[i].bytes);
    if (!hd_value_within(&v, &b->cells[i].value))
      return false;
  }
  return true;
}

hd_stamp hd_contents_stamp(const hd_contents *b, uint32_t offset,
                           uint32_t bytes) {
  hd_stamp stamp = 0;
  bool any = false;
  for (uint32_t i = hd_contents_find(b, offset);
       i < b->n && b->cells[i].offset < offset + bytes; i++) {
    stamp = any ? hd_stamp_newer(stamp, b->cells[i].stamp) : b->cells[i].stamp;
    any = true;
  }
  return any ? stamp : b->stamp;
}
