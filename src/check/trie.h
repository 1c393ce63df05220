/* SPDX-License-Identifier: MIT */
/* A fixed set of configurations, searched for one below or above a given
 * configuration. The sorted vectors of each shared state make a trie: a path
 * from the root is a prefix of some vector. Where only one vector is left below
 * a node, it is compared as a whole. Searches keep their own stack, so long
 * vectors need no deep recursion. */
#ifndef HD_CHECK_TRIE_H
#define HD_CHECK_TRIE_H

#include "model/evidence.h"

typedef struct hd_trie hd_trie;

/* The configurations and the pool of tokens are borrowed. Vectors are sorted,
 * shared states below `n_shared`. */
hd_trie *hd_trie_new(const hd_config *configs, size_t n, const hd_token *pool,
                     uint32_t n_shared);
void hd_trie_delete(hd_trie *trie);

/* Is there an element (s | u) with u <= v? */
bool hd_trie_below(hd_trie *trie, hd_shared_id s, hd_tokens v);
/* Is there an element (s | u) with u >= v? */
bool hd_trie_above(hd_trie *trie, hd_shared_id s, hd_tokens v);

#endif
