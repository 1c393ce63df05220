/* SPDX-License-Identifier: MIT */
#include "check/trie.h"

#include <stdlib.h>

#define NONE UINT32_MAX

typedef struct {
  hd_token token;       /* what this node adds to its parent's vector */
  uint32_t first, size; /* its children, ordered by place, then by count */
  uint32_t leaf;        /* the only element below, instead of children */
  bool ends;            /* an element is exactly this node's vector */
  uint64_t places;      /* one bit (mod 64) for each place further below */
} node;

/* While the trie is built: the elements below a node, all of which agree on
 * their first `depth` entries, are order[low] … order[high - 1]. */
typedef struct {
  uint32_t low, high, depth;
} span;

typedef struct {
  uint32_t node;
  size_t at; /* the entries of the query before this one are dealt with */
} visit;

struct hd_trie {
  const hd_config *configs;
  const hd_token *pool;
  uint32_t *root; /* by shared state, or NONE */
  hd_vec(node) nodes;
  hd_vec(visit) stack;     /* of the search that runs */
  hd_vec(uint64_t) suffix; /* the same: bits of the places still to be met */
};

static hd_tokens element(const hd_trie *trie, uint32_t index) {
  hd_range range = trie->configs[index].tokens;
  return (hd_tokens){.data = range.size ? trie->pool + range.start : NULL,
                     .size = range.size};
}

static uint64_t bit_of(hd_place_id place) {
  return (uint64_t)1 << place % 64;
}

static int compare_tokens(hd_token a, hd_token b) {
  if (a.place != b.place)
    return a.place < b.place ? -1 : 1;
  return (a.count > b.count) - (a.count < b.count);
}

/* By shared state, then lexicographic; a prefix comes first. */
static int compare_elements(const void *left, const void *right,
                            void *context) {
  const hd_trie *trie = context;
  uint32_t i = *(const uint32_t *)left, j = *(const uint32_t *)right;
  hd_shared_id s = trie->configs[i].shared, r = trie->configs[j].shared;
  if (s != r)
    return s < r ? -1 : 1;
  hd_tokens a = element(trie, i), b = element(trie, j);
  for (size_t k = 0; k < a.size && k < b.size; k++) {
    int order = compare_tokens(a.data[k], b.data[k]);
    if (order)
      return order;
  }
  return (a.size > b.size) - (a.size < b.size);
}

/* --- building --- */

typedef hd_vec(span) span_vec;

static void add_node(hd_trie *trie, span_vec *spans, hd_token token, span s) {
  hd_vec_push(&trie->nodes, ((node){.token = token, .leaf = NONE}));
  hd_vec_push(spans, s);
}

/* Gives node `k` its children: one for each different entry at its depth. */
static void expand(hd_trie *trie, span_vec *spans, const uint32_t *order,
                   uint32_t k) {
  span s = spans->data[k];
  while (s.low < s.high && element(trie, order[s.low]).size == s.depth) {
    trie->nodes.data[k].ends = true;
    s.low++;
  }
  if (s.high - s.low == 1)
    trie->nodes.data[k].leaf = order[s.low];
  if (s.high - s.low <= 1)
    return;
  uint32_t first = (uint32_t)trie->nodes.size;
  while (s.low < s.high) {
    hd_token token = element(trie, order[s.low]).data[s.depth];
    uint32_t end = s.low + 1;
    while (end < s.high &&
           !compare_tokens(element(trie, order[end]).data[s.depth], token))
      end++;
    add_node(trie, spans, token,
             (span){.low = s.low, .high = end, .depth = s.depth + 1});
    s.low = end;
  }
  trie->nodes.data[k].first = first;
  trie->nodes.data[k].size = (uint32_t)trie->nodes.size - first;
}

static void add_roots(hd_trie *trie, span_vec *spans, const uint32_t *order,
                      uint32_t n) {
  for (uint32_t low = 0, high; low < n; low = high) {
    hd_shared_id s = trie->configs[order[low]].shared;
    for (high = low + 1; high < n; high++)
      if (trie->configs[order[high]].shared != s)
        break;
    trie->root[s] = (uint32_t)trie->nodes.size;
    add_node(trie, spans, (hd_token){0}, (span){.low = low, .high = high});
  }
}

/* Children come after their parents, so going backward sees them first. */
static void gather_places(hd_trie *trie, const span_vec *spans) {
  for (size_t k = trie->nodes.size; k-- > 0;) {
    node *n = &trie->nodes.data[k];
    for (uint32_t i = 0; i < n->size; i++) {
      const node *child = &trie->nodes.data[n->first + i];
      n->places |= child->places | bit_of(child->token.place);
    }
    if (n->leaf == NONE)
      continue;
    hd_tokens v = element(trie, n->leaf);
    for (size_t i = spans->data[k].depth; i < v.size; i++)
      n->places |= bit_of(v.data[i].place);
  }
}

hd_trie *hd_trie_new(const hd_config *configs, size_t n, const hd_token *pool,
                     uint32_t n_shared) {
  assert(n < NONE / 2);
  hd_trie *trie = hd_calloc(1, sizeof *trie);
  trie->configs = configs;
  trie->pool = pool;
  trie->root = hd_calloc(n_shared, sizeof *trie->root);
  for (uint32_t s = 0; s < n_shared; s++)
    trie->root[s] = NONE;
  uint32_t *order = hd_calloc(n, sizeof *order);
  for (uint32_t i = 0; i < n; i++)
    order[i] = i;
  if (n > 1)
    qsort_r(order, n, sizeof *order, compare_elements, trie);
  span_vec spans = {0};
  add_roots(trie, &spans, order, (uint32_t)n);
  for (uint32_t k = 0; k < trie->nodes.size; k++)
    expand(trie, &spans, order, k);
  gather_places(trie, &spans);
  hd_vec_free(&spans);
  hd_free(order);
  return trie;
}

void hd_trie_delete(hd_trie *trie) {
  if (!trie)
    return;
  hd_free(trie->root);
  hd_vec_free(&trie->nodes);
  hd_vec_free(&trie->stack);
  hd_vec_free(&trie->suffix);
  hd_free(trie);
}

/* --- searching --- */

static void start(hd_trie *trie, hd_shared_id s) {
  hd_vec_clear(&trie->stack);
  if (trie->root[s] != NONE)
    hd_vec_push(&trie->stack, ((visit){.node = trie->root[s]}));
}

/* The first child of `n` at or after `child` whose place is `place` or later.
 */
static uint32_t seek(const hd_trie *trie, const node *n, uint32_t child,
                     hd_place_id place) {
  uint32_t high = n->first + n->size;
  while (child < high) {
    uint32_t middle = child + (high - child) / 2;
    if (trie->nodes.data[middle].token.place < place)
      child = middle + 1;
    else
      high = middle;
  }
  return child;
}

/* Follows every child that the rest of `v` still covers. */
static void descend_below(hd_trie *trie, visit here, hd_tokens v) {
  const node *n = &trie->nodes.data[here.node];
  uint32_t child = n->first, end = n->first + n->size;
  for (size_t i = here.at; i < v.size && child < end; i++) {
    child = seek(trie, n, child, v.data[i].place);
    for (; child < end; child++) {
      hd_token token = trie->nodes.data[child].token;
      if (token.place != v.data[i].place || token.count > v.data[i].count)
        break;
      hd_vec_push(&trie->stack, ((visit){.node = child, .at = i + 1}));
    }
  }
}

bool hd_trie_below(hd_trie *trie, hd_shared_id s, hd_tokens v) {
  start(trie, s);
  while (trie->stack.size) {
    visit here = hd_vec_pop(&trie->stack);
    const node *n = &trie->nodes.data[here.node];
    if (n->ends ||
        (n->leaf != NONE && hd_tokens_covers(v, element(trie, n->leaf))))
      return true;
    descend_below(trie, here, v);
  }
  return false;
}

/* Follows the children that have enough at the next place of `v`, least first,
 * and then those that have something at an earlier place. */
static void descend_above(hd_trie *trie, visit here, hd_tokens v) {
  const node *n = &trie->nodes.data[here.node];
  hd_token next = v.data[here.at];
  uint32_t middle = seek(trie, n, n->first, next.place);
  for (uint32_t child = n->first; child < middle; child++)
    hd_vec_push(&trie->stack, ((visit){.node = child, .at = here.at}));
  uint32_t end = seek(trie, n, middle, next.place + 1);
  for (uint32_t child = end; child-- > middle;)
    if (trie->nodes.data[child].token.count >= next.count)
      hd_vec_push(&trie->stack, ((visit){.node = child, .at = here.at + 1}));
}

bool hd_trie_above(hd_trie *trie, hd_shared_id s, hd_tokens v) {
  hd_vec_resize(&trie->suffix, v.size + 1);
  trie->suffix.data[v.size] = 0;
  for (size_t i = v.size; i-- > 0;)
    trie->suffix.data[i] = trie->suffix.data[i + 1] | bit_of(v.data[i].place);
  start(trie, s);
  while (trie->stack.size) {
    visit here = hd_vec_pop(&trie->stack);
    const node *n = &trie->nodes.data[here.node];
    if (here.at == v.size)
      return true; /* below every node there is an element */
    if (trie->suffix.data[here.at] & ~n->places)
      continue;
    if (n->leaf == NONE)
      descend_above(trie, here, v);
    else if (hd_tokens_covers(element(trie, n->leaf), v))
      return true;
  }
  return false;
}
