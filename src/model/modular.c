/* SPDX-License-Identifier: MIT */
#include "model/modular.h"

#include "base/bitset.h"
#include "base/hash.h"
#include "model/program.h" /* HD_NO_ID */

typedef struct {
  hd_modular_state from, to;
  uint32_t label;
} link;

static uint64_t hash_link(link k) {
  return hd_hash_mix((uint64_t)k.from << 32 | k.to, k.label);
}

static bool same_link(link a, link b) {
  return a.from == b.from && a.to == b.to && a.label == b.label;
}

#define HD_MAP link_map
#define HD_KEY link
#define HD_VAL uint8_t
#define HD_HASH(k) hash_link(k)
#define HD_EQ(a, b) same_link(a, b)
#include "base/map_templ.h"

typedef struct {
  hd_modular_state to;
  uint32_t label;
} way;

/* T at one shared state, and where it is passed on to. */
typedef struct {
  hd_vec(uint64_t) bits;
  hd_u32s locals;
  hd_vec(way) ways;
} row;

struct hd_modular {
  hd_modular_map map;
  void *context;
  hd_vec(row) rows;
  hd_vec(hd_modular_pair) queue; /* all pairs, in the order they were added */
  size_t followed;
  hd_vec(hd_modular_pair) fresh; /* to be put into T */
  link_map links;
};

hd_modular *hd_modular_new(hd_modular_map map, void *context) {
  hd_modular *m = hd_calloc(1, sizeof *m);
  m->map = map;
  m->context = context;
  return m;
}

void hd_modular_delete(hd_modular *m) {
  if (!m)
    return;
  for (hd_vec_each(row, r, &m->rows)) {
    hd_vec_free(&r->bits);
    hd_vec_free(&r->locals);
    hd_vec_free(&r->ways);
  }
  hd_vec_free(&m->rows);
  hd_vec_free(&m->queue);
  hd_vec_free(&m->fresh);
  link_map_free(&m->links);
  hd_free(m);
}

static row *row_of(hd_modular *m, hd_modular_state shared) {
  while (m->rows.size <= shared)
    hd_vec_push(&m->rows, ((row){.locals = {0}}));
  return &m->rows.data[shared];
}

bool hd_modular_has(const hd_modular *m, hd_modular_state shared,
                    hd_modular_state local) {
  if (shared >= m->rows.size)
    return false;
  const row *r = &m->rows.data[shared];
  return local / 64 < r->bits.size && hd_bits_test(r->bits.data, local);
}

static bool put(hd_modular *m, hd_modular_pair p) {
  if (hd_modular_has(m, p.shared, p.local))
    return false;
  row *r = row_of(m, p.shared);
  while (r->bits.size <= p.local / 64)
    hd_vec_push(&r->bits, (uint64_t)0);
  hd_bits_set(r->bits.data, p.local);
  hd_vec_push(&r->locals, p.local);
  hd_vec_push(&m->queue, p);
  return true;
}

static void pass(hd_modular *m, hd_modular_state local, way w) {
  hd_modular_image image = {.first = local, .second = HD_NO_ID};
  if (w.label)
    image = m->map(m->context, w.label, local);
  if (image.first != HD_NO_ID)
    hd_vec_push(&m->fresh,
                ((hd_modular_pair){.shared = w.to, .local = image.first}));
  if (image.second != HD_NO_ID)
    hd_vec_push(&m->fresh,
                ((hd_modular_pair){.shared = w.to, .local = image.second}));
}

/* Puts all of `fresh` into T, and with each what follows by the links. */
static void settle(hd_modular *m) {
  while (m->fresh.size) {
    hd_modular_pair p = hd_vec_pop(&m->fresh);
    if (!put(m, p))
      continue;
    /* The map may make states, but never rows. */
    for (size_t i = 0; i < m->rows.data[p.shared].ways.size; i++)
      pass(m, p.local, m->rows.data[p.shared].ways.data[i]);
  }
}

void hd_modular_add(hd_modular *m, hd_modular_state shared,
                    hd_modular_state local) {
  hd_vec_push(&m->fresh, ((hd_modular_pair){.shared = shared, .local = local}));
  settle(m);
}

void hd_modular_link(hd_modular *m, hd_modular_state from, hd_modular_state to,
                     uint32_t label) {
  if (from == to && !label)
    return;
  bool is_new;
  link_map_put(&m->links, (link){.from = from, .to = to, .label = label}, 0,
               &is_new);
  if (!is_new)
    return;
  way w = {.to = to, .label = label};
  row_of(m, to);
  hd_vec_push(&row_of(m, from)->ways, w);
  /* What settling adds to the row itself finds the new way there. */
  size_t n = m->rows.data[from].locals.size;
  for (size_t i = 0; i < n; i++)
    pass(m, m->rows.data[from].locals.data[i], w);
  settle(m);
}

bool hd_modular_next(hd_modular *m, hd_modular_pair *pair) {
  if (m->followed == m->queue.size)
    return false;
  *pair = m->queue.data[m->followed++];
  return true;
}

size_t hd_modular_pairs(const hd_modular *m) {
  return m->queue.size;
}
