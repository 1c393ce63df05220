/* SPDX-License-Identifier: MIT */
/* The trie of shelf.h. Nearly all the time of a sweep is spent in subtractions:
 * about six nodes are visited in one, so children are found through one hash
 * table with the keys inside, and each node has the union of what is known in
 * its subtree, to be skipped when that does not help. */
#include "engine/concolic/shelf.h"

#include "base/bitset.h"
#include "base/hash.h"

#include <string.h>

typedef struct {
  uint32_t parent, local;
  uint32_t entry; /* HD_NO_ENTRY: no multiset ends here */
  uint32_t depth;
} node;

typedef struct {
  uint64_t key;
  uint32_t child; /* 0: free; the root is nobody's child */
} slot;

struct hd_shelf {
  uint32_t words;
  hd_vec(node) nodes;     /* 0 is the root */
  hd_vec(uint64_t) under; /* `words` a node: known for it and its subtree */
  slot *slots;
  size_t n_slots;         /* a power of two, more than twice the nodes */
  hd_u32s ends;           /* entry -> node */
  hd_vec(uint64_t) known; /* `words` an entry */
  uint64_t visits;
};

static void add_node(hd_shelf *s, node n) {
  hd_vec_push(&s->nodes, n);
  for (uint32_t w = 0; w < s->words; w++)
    hd_vec_push(&s->under, 0);
}

hd_shelf *hd_shelf_new(uint32_t words) {
  hd_shelf *s = hd_calloc(1, sizeof *s);
  s->words = words;
  s->n_slots = 64;
  s->slots = hd_calloc(s->n_slots, sizeof *s->slots);
  add_node(s, (node){.parent = HD_NO_ENTRY, .entry = HD_NO_ENTRY});
  return s;
}

void hd_shelf_delete(hd_shelf *s) {
  if (!s)
    return;
  hd_vec_free(&s->nodes);
  hd_vec_free(&s->under);
  hd_vec_free(&s->ends);
  hd_vec_free(&s->known);
  hd_free(s->slots);
  hd_free(s);
}

/* ---- children ---- */

static slot *find_slot(const hd_shelf *s, uint64_t key) {
  size_t at = (size_t)hd_hash_mix(0, key) & (s->n_slots - 1);
  while (s->slots[at].child && s->slots[at].key != key)
    at = (at + 1) & (s->n_slots - 1);
  return &s->slots[at];
}

static uint64_t child_key(uint32_t parent, uint32_t local) {
  return (uint64_t)parent << 32 | local;
}

static uint32_t find_child(const hd_shelf *s, uint32_t at, uint32_t local) {
  return find_slot(s, child_key(at, local))->child;
}

static void grow_slots(hd_shelf *s) {
  slot *old = s->slots;
  size_t n = s->n_slots;
  s->n_slots *= 2;
  s->slots = hd_calloc(s->n_slots, sizeof *s->slots);
  for (size_t i = 0; i < n; i++)
    if (old[i].child)
      *find_slot(s, old[i].key) = old[i];
  hd_free(old);
}

static uint32_t get_child(hd_shelf *s, uint32_t at, uint32_t local) {
  slot *found = find_slot(s, child_key(at, local));
  if (found->child)
    return found->child;
  uint32_t child = (uint32_t)s->nodes.size;
  *found = (slot){.key = child_key(at, local), .child = child};
  add_node(s, (node){.parent = at,
                     .local = local,
                     .entry = HD_NO_ENTRY,
                     .depth = s->nodes.data[at].depth + 1});
  if (2 * s->nodes.size >= s->n_slots)
    grow_slots(s);
  return child;
}

/* ---- entries ---- */

uint32_t hd_shelf_size(const hd_shelf *s) {
  return (uint32_t)s->ends.size;
}

uint32_t hd_shelf_entry(hd_shelf *s, const hd_u32s *m) {
  uint32_t at = 0;
  for (size_t i = 0; i < m->size; i++) {
    assert(!i || m->data[i - 1] <= m->data[i]);
    at = get_child(s, at, m->data[i]);
  }
  node *n = &s->nodes.data[at];
  if (n->entry == HD_NO_ENTRY) {
    n->entry = (uint32_t)s->ends.size;
    hd_vec_push(&s->ends, at);
    for (uint32_t w = 0; w < s->words; w++)
      hd_vec_push(&s->known, 0);
  }
  return n->entry;
}

uint32_t hd_shelf_members(const hd_shelf *s, uint32_t entry) {
  return s->nodes.data[s->ends.data[entry]].depth;
}

void hd_shelf_read(const hd_shelf *s, uint32_t entry, hd_u32s *m) {
  uint32_t at = s->ends.data[entry], depth = s->nodes.data[at].depth;
  hd_vec_resize(m, depth);
  for (; depth; at = s->nodes.data[at].parent)
    m->data[--depth] = s->nodes.data[at].local;
}

const uint64_t *hd_shelf_set(const hd_shelf *s, uint32_t entry) {
  return s->known.data + (size_t)entry * s->words;
}

void hd_shelf_add(hd_shelf *s, uint32_t entry, const uint64_t *bits) {
  hd_bits_union(s->known.data + (size_t)entry * s->words, bits, s->words);
  for (uint32_t at = s->ends.data[entry]; at != HD_NO_ENTRY;
       at = s->nodes.data[at].parent)
    hd_bits_union(s->under.data + (size_t)at * s->words, bits, s->words);
}

/* ---- subtraction ---- */

static bool has_any_under(const hd_shelf *s, uint32_t at,
                          const uint64_t *bits) {
  const uint64_t *under = s->under.data + (size_t)at * s->words;
  for (uint32_t w = 0; w < s->words; w++)
    if (under[w] & bits[w])
      return true;
  return false;
}

/* Takes the set of `entry` out of `bits`; true when nothing is left. */
static bool take_out(const hd_shelf *s, uint32_t entry, uint64_t *bits) {
  const uint64_t *known = hd_shelf_set(s, entry);
  uint64_t left = 0;
  for (uint32_t w = 0; w < s->words; w++)
    left |= bits[w] &= ~known[w];
  return !left;
}

/* The same for the multisets beneath `at` whose rest is part of m[i …]. The
 * depth of recursion is the size of `m`. */
static bool take_out_beneath(hd_shelf *s, uint32_t at, const hd_u32s *m,
                             size_t i, uint32_t but, uint64_t *bits) {
  uint32_t entry = s->nodes.data[at].entry;
  s->visits++;
  if (entry != HD_NO_ENTRY && entry != but && take_out(s, entry, bits))
    return true;
  for (size_t j = i; j < m->size; j++) {
    if (j > i && m->data[j] == m->data[j - 1])
      continue; /* the same choice again */
    uint32_t child = find_child(s, at, m->data[j]);
    if (child && has_any_under(s, child, bits) &&
        take_out_beneath(s, child, m, j + 1, but, bits))
      return true;
  }
  return false;
}

bool hd_shelf_subtract(hd_shelf *s, const hd_u32s *m, uint32_t but,
                       uint64_t *bits) {
  return take_out_beneath(s, 0, m, 0, but, bits);
}

uint64_t hd_shelf_visits(const hd_shelf *s) {
  return s->visits;
}
