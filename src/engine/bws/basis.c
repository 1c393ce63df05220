/* SPDX-License-Identifier: MIT */
/* One trie a shared state. A path from the root spells a sorted vector entry by
 * entry; a branch to a single element is a leaf, and the rest of its vector is
 * compared as a whole. Each branch carries a summary of what hangs below it:
 *
 *   all   places (hashed to 64 bits) that every element below has
 *   any   places that some element below has
 *   least, most   the smallest and largest total below
 *
 * so that most branches are rejected without touching the node they lead to.
 * Summaries are exact when elements are added and only become coarser, never
 * wrong, when elements die. The search adds small elements first, so that few
 * branches have a `most` that lets an element above a new one hide there. Dead
 * leaves and empty nodes are removed when met. */
#include "engine/bws/basis.h"

#include <string.h>

#define LEAF 0x80000000u

typedef struct {
  uint64_t signature;
  uint32_t start, size; /* in the token pool */
  hd_shared_id shared;
  hd_count total;
  uint32_t parent;
  hd_trans_id trans;
  bool alive;
} element;

typedef struct {
  hd_token token;
  uint32_t to; /* LEAF | element, or a node */
  hd_count least, most;
  uint64_t all, any;
} branch;

typedef struct {
  branch *data; /* sorted by place, then count */
  uint32_t size, cap;
  uint32_t end; /* element whose vector ends here, or HD_NO_CONFIG */
} node;

struct hd_basis {
  hd_vec(element) elements;
  hd_token_vec pool;
  hd_vec(node) nodes;
  uint32_t *roots; /* per shared state: node + 1, or 0 */
  size_t alive;
  uint64_t visits; /* of branches */
};

/* The vector looked for. */
typedef struct {
  hd_tokens tokens;
  uint64_t signature;
  hd_count total;
} query;

hd_basis *hd_basis_new(uint32_t n_shared, uint32_t n_places) {
  (void)n_places;
  hd_basis *basis = hd_calloc(1, sizeof *basis);
  basis->roots = hd_calloc(n_shared, sizeof *basis->roots);
  return basis;
}

void hd_basis_delete(hd_basis *basis) {
  if (!basis)
    return;
  for (hd_vec_each(node, n, &basis->nodes))
    hd_free(n->data);
  hd_vec_free(&basis->nodes);
  hd_free(basis->roots);
  hd_vec_free(&basis->elements);
  hd_vec_free(&basis->pool);
  hd_free(basis);
}

hd_tokens hd_basis_tokens(const hd_basis *basis, uint32_t id) {
  const element *e = &basis->elements.data[id];
  return (hd_tokens){.data = e->size ? basis->pool.data + e->start : NULL,
                     .size = e->size};
}

static void remove_branch(node *n, uint32_t at) {
  memmove(n->data + at, n->data + at + 1, (n->size - at - 1) * sizeof *n->data);
  n->size--;
}

/* The first branch of `n` at or after `place`. */
static uint32_t find_branch(const node *n, hd_place_id place) {
  uint32_t low = 0, high = n->size;
  while (low < high) {
    uint32_t mid = low + (high - low) / 2;
    if (n->data[mid].token.place < place)
      low = mid + 1;
    else
      high = mid;
  }
  return low;
}

static bool is_empty(const hd_basis *basis, const node *n) {
  return !n->size &&
         (n->end == HD_NO_CONFIG || !basis->elements.data[n->end].alive);
}

static bool below(hd_basis *basis, uint32_t at, const query *q, size_t index);

/* Looks behind one branch; `*gone` when the branch leads to nothing alive. */
static bool branch_below(hd_basis *basis, const branch *b, const query *q,
                         size_t index, bool *gone) {
  *gone = false;
  basis->visits++;
  if ((b->all & ~q->signature) || b->least > q->total)
    return false;
  if (b->to & LEAF) {
    uint32_t id = b->to & ~LEAF;
    *gone = !basis->elements.data[id].alive;
    return !*gone && hd_tokens_covers(q->tokens, hd_basis_tokens(basis, id));
  }
  uint32_t to = b->to;
  if (below(basis, to, q, index))
    return true;
  *gone = is_empty(basis, &basis->nodes.data[to]);
  return false;
}

/* Is there an alive element under `at` below the query? The path to `at` is
 * already known to be below the first `index` entries. */
static bool below(hd_basis *basis, uint32_t at, const query *q, size_t index) {
  node *n = &basis->nodes.data[at];
  if (n->end != HD_NO_CONFIG && basis->elements.data[n->end].alive)
    return true;
  for (size_t j = index; j < q->tokens.size; j++) {
    hd_token t = q->tokens.data[j];
    uint32_t i = find_branch(n, t.place);
    while (i < n->size && n->data[i].token.place == t.place &&
           n->data[i].token.count <= t.count) {
      bool gone;
      if (branch_below(basis, &n->data[i], q, j + 1, &gone))
        return true;
      if (gone)
        remove_branch(n, i);
      else
        i++;
    }
  }
  return false;
}

void hd_basis_kill(hd_basis *basis, uint32_t id) {
  element *e = &basis->elements.data[id];
  basis->alive -= e->alive;
  e->alive = false;
}

static void kill_above(hd_basis *basis, uint32_t at, const query *q,
                       size_t index);

/* Kills what is above the query behind branch `b`; true when it is all dead. */
static bool branch_above(hd_basis *basis, const branch *b, const query *q,
                         size_t index) {
  basis->visits++;
  if ((q->signature & ~b->any) || b->most <= q->total)
    return false;
  if (b->to & LEAF) {
    uint32_t id = b->to & ~LEAF;
    if (basis->elements.data[id].alive &&
        hd_tokens_covers(hd_basis_tokens(basis, id), q->tokens))
      hd_basis_kill(basis, id);
    return !basis->elements.data[id].alive;
  }
  kill_above(basis, b->to, q, index);
  return is_empty(basis, &basis->nodes.data[b->to]);
}

static void kill_above(hd_basis *basis, uint32_t at, const query *q,
                       size_t index) {
  node *n = &basis->nodes.data[at];
  bool all = index == q->tokens.size;
  if (all && n->end != HD_NO_CONFIG)
    hd_basis_kill(basis, n->end);
  hd_token next = all ? (hd_token){.place = UINT32_MAX} : q->tokens.data[index];
  uint32_t i = 0;
  while (i < n->size && n->data[i].token.place <= next.place) {
    hd_token t = n->data[i].token;
    bool here = !all && t.place == next.place;
    if ((!here || t.count >= next.count) &&
        branch_above(basis, &n->data[i], q, index + here))
      remove_branch(n, i);
    else
      i++;
  }
}

static uint32_t new_node(hd_basis *basis) {
  node n = {.end = HD_NO_CONFIG};
  hd_vec_push(&basis->nodes, n);
  if (basis->nodes.size >= LEAF)
    hd_out_of_memory(sizeof n);
  return (uint32_t)basis->nodes.size - 1;
}

static branch *insert_branch(hd_basis *basis, uint32_t at, uint32_t i,
                             hd_token token) {
  node *n = &basis->nodes.data[at];
  if (n->size == n->cap) {
    n->cap = n->cap ? n->cap + n->cap / 2 + 1 : 2;
    n->data = hd_realloc(n->data, n->cap * sizeof *n->data);
  }
  memmove(n->data + i + 1, n->data + i, (n->size - i) * sizeof *n->data);
  n->size++;
  n->data[i] = (branch){.token = token, .all = UINT64_MAX, .least = UINT32_MAX};
  return &n->data[i];
}

static void widen(branch *b, const element *e) {
  b->all &= e->signature;
  b->any |= e->signature;
  if (e->total < b->least)
    b->least = e->total;
  if (e->total > b->most)
    b->most = e->total;
}

static void insert(hd_basis *basis, uint32_t at, uint32_t id, size_t index);

/* A leaf in the way becomes a node with the leaf's element in it. */
static uint32_t open_leaf(hd_basis *basis, uint32_t at, uint32_t i,
                          size_t index) {
  uint32_t held = basis->nodes.data[at].data[i].to & ~LEAF;
  uint32_t fresh = new_node(basis);
  basis->nodes.data[at].data[i].to = fresh;
  if (basis->elements.data[held].alive)
    insert(basis, fresh, held, index);
  return fresh;
}

/* Files element `id`, whose first `index` entries spell the way to `at`. */
static void insert(hd_basis *basis, uint32_t at, uint32_t id, size_t index) {
  const element e = basis->elements.data[id];
  for (;; index++) {
    if (index == e.size) {
      basis->nodes.data[at].end = id;
      return;
    }
    hd_token t = basis->pool.data[e.start + index];
    node *n = &basis->nodes.data[at];
    uint32_t i = find_branch(n, t.place);
    while (i < n->size && n->data[i].token.place == t.place &&
           n->data[i].token.count < t.count)
      i++;
    if (i == n->size || n->data[i].token.place != t.place ||
        n->data[i].token.count != t.count) {
      branch *b = insert_branch(basis, at, i, t);
      b->to = LEAF | id;
      widen(b, &e);
      return;
    }
    widen(&n->data[i], &e);
    at = n->data[i].to & LEAF ? open_leaf(basis, at, i, index + 1)
                              : n->data[i].to;
  }
}

uint32_t hd_basis_add(hd_basis *basis, hd_shared_id shared, hd_tokens tokens,
                      uint32_t parent, hd_trans_id trans) {
  query q = {.tokens = tokens,
             .signature = hd_tokens_signature(tokens),
             .total = hd_tokens_total(tokens)};
  if (!basis->roots[shared])
    basis->roots[shared] = new_node(basis) + 1;
  uint32_t root = basis->roots[shared] - 1;
  if (below(basis, root, &q, 0))
    return HD_NO_CONFIG;
  kill_above(basis, root, &q, 0);
  element e = {.signature = q.signature,
               .start = (uint32_t)basis->pool.size,
               .size = (uint32_t)tokens.size,
               .shared = shared,
               .total = q.total,
               .parent = parent,
               .trans = trans,
               .alive = true};
  if (basis->pool.size + tokens.size > UINT32_MAX ||
      basis->elements.size + 1 >= LEAF)
    hd_out_of_memory(tokens.size);
  for (size_t i = 0; i < tokens.size; i++)
    hd_vec_push(&basis->pool, tokens.data[i]);
  uint32_t id = (uint32_t)basis->elements.size;
  hd_vec_push(&basis->elements, e);
  basis->alive++;
  insert(basis, root, id, 0);
  return id;
}

size_t hd_basis_size(const hd_basis *basis) {
  return basis->elements.size;
}

uint64_t hd_basis_visits(const hd_basis *basis) {
  return basis->visits;
}

size_t hd_basis_alive(const hd_basis *basis) {
  return basis->alive;
}

bool hd_basis_is_alive(const hd_basis *basis, uint32_t id) {
  return basis->elements.data[id].alive;
}

hd_shared_id hd_basis_shared(const hd_basis *basis, uint32_t id) {
  return basis->elements.data[id].shared;
}

uint32_t hd_basis_parent(const hd_basis *basis, uint32_t id) {
  return basis->elements.data[id].parent;
}

hd_trans_id hd_basis_trans(const hd_basis *basis, uint32_t id) {
  return basis->elements.data[id].trans;
}

hd_count hd_basis_total(const hd_basis *basis, uint32_t id) {
  return basis->elements.data[id].total;
}
