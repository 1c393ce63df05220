/* SPDX-License-Identifier: MIT */
/* An index over vectors of finite counts that answers "is one of them above
 * this?" and "which are below this?".
 *
 * A trie over the tokens of each vector in the order of places, whose leaves
 * are short lists. Every branch knows how many vectors lie behind it, the union
 * of their signatures and their largest total. A walk to vectors below follows
 * only tokens that the probe has; a walk to vectors above passes by tokens that
 * it has not, as long as the union says that what it needs may still come.
 * After removals union and total may be too large, never too small. */
#ifndef HD_ENGINE_KM_INDEX_H
#define HD_ENGINE_KM_INDEX_H

#include "base/bitset.h"
#include "model/net.h"

/* The vectors by the caller's numbers: `id` has the tokens pool[spans[id]]. */
typedef struct {
  const hd_token *pool;
  const hd_range *spans;
} hd_km_vectors;

typedef struct {
  uint64_t signature;
  uint32_t total; /* UINT32_MAX: that or more */
  uint32_t id;
} hd_km_entry;

typedef struct {
  hd_token token;
  uint32_t node;
  uint32_t live; /* entries behind it */
  uint32_t most; /* largest total */
  uint64_t any;  /* union of their signatures */
} hd_km_branch;

/* An inner node has branches, sorted by token, and the vectors that end there;
 * a leaf has entries only. */
typedef struct {
  hd_vec(hd_km_branch) branches;
  hd_vec(hd_km_entry) entries;
} hd_km_trie_node;

typedef struct {
  hd_vec(hd_km_trie_node) nodes; /* the root is 0, if there is one */
  size_t size;                   /* entries */
} hd_km_index;

/* What to compare with: sorted tokens, their signature and total. */
typedef struct {
  hd_tokens tokens;
  uint64_t signature;
  uint32_t total; /* as in hd_km_entry */
} hd_km_probe;

void hd_km_index_free(hd_km_index *index);
void hd_km_index_add(hd_km_index *index, hd_km_vectors vectors,
                     hd_km_entry entry);
/* Removes the entry `id`, which has these tokens. */
void hd_km_index_remove(hd_km_index *index, hd_tokens tokens, uint32_t id);
/* True when an entry of at least probe->total tokens is above `probe` at every
 * place. `stack` is workspace. */
bool hd_km_index_covers(const hd_km_index *index, hd_km_vectors vectors,
                        const hd_km_probe *probe, hd_u32s *stack);
/* Appends the ids of the entries of at most probe->total tokens that are at
 * most `probe` at every place outside `omega` (NULL: every place). With
 * `omega`, probe->signature must include it. */
void hd_km_index_below(const hd_km_index *index, hd_km_vectors vectors,
                       const hd_km_probe *probe, const uint64_t *omega,
                       hd_u32s *stack, hd_u32s *out);

#endif
