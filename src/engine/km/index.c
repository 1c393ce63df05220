/* SPDX-License-Identifier: MIT */
#include "engine/km/index.h"

#include <string.h>

/* A leaf of more entries becomes an inner node. */
enum { LEAF = 16 };

void hd_km_index_free(hd_km_index *index) {
  for (hd_vec_each(hd_km_trie_node, node, &index->nodes)) {
    hd_vec_free(&node->branches);
    hd_vec_free(&node->entries);
  }
  hd_vec_free(&index->nodes);
  index->size = 0;
}

static hd_tokens tokens_of(hd_km_vectors vectors, const hd_km_entry *entry) {
  hd_range span = vectors.spans[entry->id];
  return (hd_tokens){.data = span.size ? vectors.pool + span.start : NULL,
                     .size = span.size};
}

/* Most lists are very short: they start with room for two. */
#define push_small(v, x)                                                       \
  ((v)->cap                                                                    \
       ? (void)0                                                               \
       : (void)((v)->data = hd_alloc(2 * sizeof *(v)->data), (v)->cap = 2),    \
   hd_vec_push(v, x))

/* ---- changes ---- */

static uint32_t new_node(hd_km_index *index) {
  hd_vec_push(&index->nodes, (hd_km_trie_node){0});
  return (uint32_t)index->nodes.size - 1;
}

static bool token_less(hd_token a, hd_token b) {
  return a.place != b.place ? a.place < b.place : a.count < b.count;
}

/* The first branch not before `token`. */
static size_t find_branch(const hd_km_trie_node *node, hd_token token) {
  size_t low = 0, high = node->branches.size;
  while (low < high) {
    size_t mid = low + (high - low) / 2;
    if (token_less(node->branches.data[mid].token, token))
      low = mid + 1;
    else
      high = mid;
  }
  return low;
}

static bool is_branch(const hd_km_trie_node *node, size_t at, hd_token token) {
  return at < node->branches.size &&
         node->branches.data[at].token.place == token.place &&
         node->branches.data[at].token.count == token.count;
}

static void insert_branch(hd_km_index *index, uint32_t id, size_t at,
                          hd_token token) {
  hd_km_branch fresh = {.token = token, .node = new_node(index)};
  hd_km_trie_node *node = &index->nodes.data[id];
  push_small(&node->branches, fresh);
  memmove(node->branches.data + at + 1, node->branches.data + at,
          (node->branches.size - 1 - at) * sizeof fresh);
  node->branches.data[at] = fresh;
}

/* The node behind `token` in inner node `id`, made if need be, after counting
 * `entry` in. */
static uint32_t enter(hd_km_index *index, uint32_t id, hd_token token,
                      const hd_km_entry *entry) {
  size_t at = find_branch(&index->nodes.data[id], token);
  if (!is_branch(&index->nodes.data[id], at, token))
    insert_branch(index, id, at, token);
  hd_km_branch *branch = &index->nodes.data[id].branches.data[at];
  branch->live++;
  branch->any |= entry->signature;
  if (branch->most < entry->total)
    branch->most = entry->total;
  return branch->node;
}

/* Makes the leaf `id`, `depth` tokens down, an inner node, and so its children
 * while they are too long. */
static void burst(hd_km_index *index, hd_km_vectors vectors, uint32_t id,
                  uint32_t depth) {
  while (index->nodes.data[id].entries.size > LEAF) {
    hd_km_trie_node old = index->nodes.data[id];
    index->nodes.data[id] = (hd_km_trie_node){0};
    uint32_t longest = id;
    for (hd_vec_each(const hd_km_entry, entry, &old.entries)) {
      uint32_t to = id;
      hd_tokens tokens = tokens_of(vectors, entry);
      if (tokens.size > depth)
        to = enter(index, id, tokens.data[depth], entry);
      push_small(&index->nodes.data[to].entries, *entry);
      if (to != id && index->nodes.data[to].entries.size > LEAF)
        longest = to; /* at most one: the leaf was LEAF + 1 long */
    }
    hd_vec_free(&old.entries);
    if (longest == id)
      return;
    id = longest;
    depth++;
  }
}

void hd_km_index_add(hd_km_index *index, hd_km_vectors vectors,
                     hd_km_entry entry) {
  if (!index->nodes.size)
    new_node(index);
  hd_tokens tokens = tokens_of(vectors, &entry);
  uint32_t id = 0, depth = 0;
  while (index->nodes.data[id].branches.size && depth < tokens.size)
    id = enter(index, id, tokens.data[depth++], &entry);
  hd_km_trie_node *node = &index->nodes.data[id];
  push_small(&node->entries, entry);
  index->size++;
  if (!node->branches.size)
    burst(index, vectors, id, depth);
}

void hd_km_index_remove(hd_km_index *index, hd_tokens tokens, uint32_t id) {
  hd_km_trie_node *node = index->nodes.data;
  for (size_t depth = 0; node->branches.size && depth < tokens.size; depth++) {
    size_t at = find_branch(node, tokens.data[depth]);
    assert(is_branch(node, at, tokens.data[depth]));
    node->branches.data[at].live--;
    node = &index->nodes.data[node->branches.data[at].node];
  }
  size_t i = 0;
  while (node->entries.data[i].id != id)
    i++;
  node->entries.data[i] = hd_vec_last(&node->entries);
  node->entries.size--;
  index->size--;
}

/* ---- walks ---- */

static bool covers_in(const hd_km_trie_node *node, hd_km_vectors vectors,
                      const hd_km_probe *probe) {
  for (hd_vec_each(const hd_km_entry, entry, &node->entries))
    if (entry->total >= probe->total &&
        !(probe->signature & ~entry->signature) &&
        hd_tokens_covers(tokens_of(vectors, entry), probe->tokens))
      return true;
  return false;
}

/* Pushes the branches that may lead above `probe`, of whose tokens `met` are
 * met already. */
static void ascend(const hd_km_trie_node *node, const hd_km_probe *probe,
                   uint32_t met, hd_u32s *stack) {
  hd_token next = met < probe->tokens.size ? probe->tokens.data[met]
                                           : (hd_token){.place = UINT32_MAX};
  for (hd_vec_each(const hd_km_branch, branch, &node->branches)) {
    if (branch->token.place > next.place)
      break;
    bool meets = branch->token.place == next.place;
    if (!branch->live || branch->most < probe->total ||
        probe->signature & ~branch->any ||
        (meets && branch->token.count < next.count))
      continue;
    hd_vec_push(stack, branch->node);
    hd_vec_push(stack, met + meets);
  }
}

bool hd_km_index_covers(const hd_km_index *index, hd_km_vectors vectors,
                        const hd_km_probe *probe, hd_u32s *stack) {
  if (!index->size)
    return false;
  hd_vec_clear(stack);
  hd_vec_push(stack, 0);
  hd_vec_push(stack, 0);
  while (stack->size) {
    uint32_t met = hd_vec_pop(stack), id = hd_vec_pop(stack);
    const hd_km_trie_node *node = &index->nodes.data[id];
    if (covers_in(node, vectors, probe))
      return true;
    ascend(node, probe, met, stack);
  }
  return false;
}

/* small <= large where places of `omega` do not count. */
static bool is_below(hd_tokens small, hd_tokens large, const uint64_t *omega) {
  if (!omega)
    return hd_tokens_covers(large, small);
  size_t j = 0;
  for (size_t i = 0; i < small.size; i++) {
    hd_token t = small.data[i];
    if (hd_bits_test(omega, t.place))
      continue;
    while (j < large.size && large.data[j].place < t.place)
      j++;
    if (j == large.size || large.data[j].place != t.place ||
        large.data[j].count < t.count)
      return false;
    j++;
  }
  return true;
}

static void below_in(const hd_km_trie_node *node, hd_km_vectors vectors,
                     const hd_km_probe *probe, const uint64_t *omega,
                     hd_u32s *out) {
  for (hd_vec_each(const hd_km_entry, entry, &node->entries))
    if (entry->total <= probe->total &&
        !(entry->signature & ~probe->signature) &&
        is_below(tokens_of(vectors, entry), probe->tokens, omega))
      hd_vec_push(out, entry->id);
}

/* Pushes the branches whose token is within that of the probe. */
static void descend(const hd_km_trie_node *node, hd_token token,
                    hd_u32s *stack) {
  size_t at = find_branch(node, (hd_token){.place = token.place});
  for (; at < node->branches.size; at++) {
    const hd_km_branch *branch = &node->branches.data[at];
    if (branch->token.place != token.place || branch->token.count > token.count)
      return;
    if (branch->live)
      hd_vec_push(stack, branch->node);
  }
}

static void descend_omega(const hd_km_trie_node *node, hd_tokens tokens,
                          const uint64_t *omega, hd_u32s *stack) {
  size_t j = 0;
  for (hd_vec_each(const hd_km_branch, branch, &node->branches)) {
    if (!branch->live)
      continue;
    if (!hd_bits_test(omega, branch->token.place)) {
      while (j < tokens.size && tokens.data[j].place < branch->token.place)
        j++;
      if (j == tokens.size || tokens.data[j].place != branch->token.place ||
          tokens.data[j].count < branch->token.count)
        continue;
    }
    hd_vec_push(stack, branch->node);
  }
}

void hd_km_index_below(const hd_km_index *index, hd_km_vectors vectors,
                       const hd_km_probe *probe, const uint64_t *omega,
                       hd_u32s *stack, hd_u32s *out) {
  if (!index->size)
    return;
  hd_vec_clear(stack);
  hd_vec_push(stack, 0);
  while (stack->size) {
    const hd_km_trie_node *node = &index->nodes.data[hd_vec_pop(stack)];
    below_in(node, vectors, probe, omega, out);
    if (omega && node->branches.size)
      descend_omega(node, probe->tokens, omega, stack);
    for (size_t i = 0; !omega && node->branches.size && i < probe->tokens.size;
         i++)
      descend(node, probe->tokens.data[i], stack);
  }
}
