/* SPDX-License-Identifier: MIT */
/* The same computation on another memory: what it asks for is noted while it runs
 * (watching); where another memory answers alike, what it wrote is written there
 * without running it again (replay). */
#include "domain/memory_impl.h"

void hd_memory_watch(hd_memory **memory, hd_reads *reads) {
  if ((*memory)->reads != reads)
    hd_memory_own(memory)->reads = reads;
}

static bool cells_agree(const hd_contents *a, const hd_contents *b,
                        const hd_read *r) {
  uint32_t i = hd_contents_find(a, r->lo), k = hd_contents_find(b, r->lo);
  for (;; i++, k++) {
    bool more = i < a->n && a->cells[i].offset < r->hi;
    if (more != (k < b->n && b->cells[k].offset < r->hi))
      return false;
    if (!more)
      return true;
    const hd_memory_cell *c = &a->cells[i], *d = &b->cells[k];
    if (c->offset != d->offset || c->bytes != d->bytes ||
        (r->value && !hd_value_same(&c->value, &d->value)))
      return false;
  }
}

bool hd_memory_agrees(const hd_memory *a, const hd_memory *b,
                      const hd_reads *reads) {
  for (hd_vec_each(const hd_read, r, &reads->list)) {
    const hd_contents *x = hd_memory_get(a, r->object),
                      *y = hd_memory_get(b, r->object);
    if (x == y)
      continue;
    if (!x || !y || x->life != y->life || x->size != y->size ||
        x->fill != y->fill || (r->lo < r->hi && !cells_agree(x, y, r)))
      return false;
  }
  return true;
}

/* An object that is new, or was made anew. */
static hd_contents *replay_new(const hd_contents *start,
                               const hd_contents *after, hd_stamp old,
                               hd_stamp fresh) {
  hd_contents *b = hd_contents_with(after, after->cells, after->n);
  b->stamp = fresh;
  for (uint32_t i = 0; i < b->n; i++) {
    hd_memory_cell *c = &b->cells[i];
    if (c->stamp != old && !start) {
      hd_contents_drop(b);
      return NULL;
    }
    c->stamp =
        c->stamp == old ? fresh : hd_contents_stamp(start, c->offset, c->bytes);
  }
  return b;
}

/* What was written is written, and what was learnt about cells is known. */
static hd_contents *replay_block(hd_contents *start, const hd_contents *before,
                                 const hd_contents *after, hd_stamp old,
                                 hd_stamp fresh) {
  hd_contents *b = start;
  b->refs++;
  for (uint32_t i = 0; i < after->n; i++) {
    const hd_memory_cell *c = &after->cells[i];
    hd_stamp stamp = fresh;
    if (c->stamp != old) {
      hd_value v = hd_contents_load(before, c->offset, c->bytes);
      if (hd_value_same(&v, &c->value))
        continue;
      const hd_memory_cell *there = hd_contents_cell(b, c->offset, c->bytes);
      if (!there) {
        hd_contents_drop(b);
        return NULL;
      }
      stamp = there->stamp;
    }
    hd_contents *next =
        hd_contents_store(b, c->offset, c->bytes, &c->value, stamp);
    hd_contents_drop(b);
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
    const hd_contents *x = after->blocks[i],
                      *y = hd_memory_get(before, x->object);
    if (x == y)
      continue;
    hd_contents *from = hd_memory_get(start, x->object);
    hd_contents *b = NULL;
    if (x->stamp == old)
      b = replay_new(from, x, old, fresh);
    else if (from && y)
      b = replay_block(from, y, x, old, fresh);
    if (!b) {
      hd_memory_drop(out);
      return NULL;
    }
    hd_memory_put(&out, b);
  }
  return out;
}
