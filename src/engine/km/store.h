/* SPDX-License-Identifier: MIT */
/* Configurations with omega counts, and the antichain of the maximal ones.
 *
 * A configuration is (shared state | omega set, finite counts outside it).
 * Omega sets are interned. A *cell* holds the configurations of one shared
 * state and one omega set; only their finite parts differ, and these are short.
 * Cells of one shared state know which others have a larger or a smaller omega
 * set, so that a comparison never looks at two omega sets again.
 *
 * Nodes are everything that ever was maximal when it was found; *live* nodes
 * are those maximal now.
 *
 * Invariants:
 *   S1  the finite part of a node is sorted, without zeroes, outside its omega
 *       set;
 *   S2  live nodes are pairwise incomparable;
 *   S3  every node is covered by a live node. */
#ifndef HD_ENGINE_KM_STORE_H
#define HD_ENGINE_KM_STORE_H

#include "engine/km/index.h"
#include "model/net.h"

/* An acceleration that can still add something in a cell. */
typedef struct {
  uint64_t signature; /* of what it needs outside the omega set */
  uint32_t accel;
} hd_km_open;

/* A cell with live nodes, and what rejects most comparisons with it. */
typedef struct {
  uint64_t signature;
  uint32_t size; /* of the omega set */
  uint32_t cell;
} hd_km_present;

typedef struct {
  hd_shared_id shared;
  uint32_t omega;
  hd_km_index live;
  uint32_t present; /* index in the roll while there are live nodes */
  /* Cells on the roll with strictly larger and smaller omega sets, as of this
   * version of the roll; 0 is none. */
  hd_u32s above, below;
  uint32_t version;
  bool followed; /* open systems: the places of the omega set are known */
  /* Kept by search.c, from the second time on that it is asked for:
   * transitions whose key is in the omega set; `ready_same` first ones stay in
   * the shared state. */
  hd_u32s ready;
  uint32_t ready_same, ready_asked;
  /* Kept by accel.c, likewise: what of the shared state's accelerations can
   * still add something. */
  hd_vec(hd_km_open) open;
  uint32_t accels_seen, open_asked;
} hd_km_cell;

/* The cells of a shared state that have live nodes. `version` counts the
 * changes of the list. */
typedef struct {
  hd_vec(hd_km_present) list;
  uint32_t version;
} hd_km_roll;

typedef struct {
  uint32_t cell;
  bool live;
} hd_km_node_label;

/* A configuration in the making. */
typedef struct {
  uint32_t cell;
  hd_token_vec tokens;
  /* Set by hd_km_store_seal: */
  uint64_t signature;
  uint32_t total; /* UINT32_MAX: that or more */
} hd_km_label;

typedef struct {
  uint32_t n_shared, n_places;
  size_t words;
  hd_vec(uint64_t) omega_bits; /* `words` a set */
  hd_u32s omega_size;
  hd_vec(uint64_t) omega_signature;
  hd_u32s omega_slots; /* hash table of sets, id + 1 */
  hd_vec(hd_km_cell) cells;
  hd_u32s cell_slots; /* hash table of cells, id + 1 */
  hd_km_roll *rolls;  /* of each shared state */
  hd_token_vec tokens;
  hd_vec(hd_range) spans; /* finite parts of the nodes: into tokens */
  hd_vec(hd_km_node_label) nodes;
  hd_vec(uint64_t) node_slots; /* tag << 32 | node + 1 */
  size_t n_live;
  /* workspace */
  hd_token_vec scratch;
  hd_u32s stack;
} hd_km_store;

void hd_km_store_init(hd_km_store *store, uint32_t n_shared, uint32_t n_places);
void hd_km_store_free(hd_km_store *store);
/* Makes room for more shared states and places. */
void hd_km_store_grow(hd_km_store *store, uint32_t n_shared, uint32_t n_places);

/* The cell of `shared` and the omega set of bits `bits`. */
uint32_t hd_km_store_cell(hd_km_store *store, hd_shared_id shared,
                          const uint64_t *bits);
/* The cell of another shared state with the omega set of `cell`. */
uint32_t hd_km_store_cell_at(hd_km_store *store, hd_shared_id shared,
                             uint32_t cell);
/* Adds `places` to the omega set of `label`, taking them out of its tokens. */
void hd_km_store_widen(hd_km_store *store, hd_km_label *label,
                       const uint32_t *places, size_t n);
/* Fills in signature and total. */
void hd_km_store_seal(hd_km_label *label);

/* True when a node, live or not, covers `label` (sealed). */
bool hd_km_store_covered(hd_km_store *store, const hd_km_label *label);
/* The live nodes strictly below `label`, appended to `out`. */
void hd_km_store_below(hd_km_store *store, const hd_km_label *label,
                       hd_u32s *out);
/* Adds `label`, which is not covered, as a live node. */
uint32_t hd_km_store_add(hd_km_store *store, const hd_km_label *label);
/* `node` is live and no longer maximal. */
void hd_km_store_retire(hd_km_store *store, uint32_t node);
/* node <= label, for a node whose omega set is within that of `label`. */
bool hd_km_store_node_below(const hd_km_store *store, uint32_t node,
                            const hd_km_label *label);
/* Asserts S1 and S2; slow. */
void hd_km_store_check(const hd_km_store *store);

static inline const uint64_t *hd_km_omega(const hd_km_store *store,
                                          uint32_t cell) {
  return store->omega_bits.data + store->words * store->cells.data[cell].omega;
}
static inline hd_tokens hd_km_store_view(const hd_km_store *store,
                                         uint32_t node) {
  hd_range span = store->spans.data[node];
  return (hd_tokens){.data = span.size ? store->tokens.data + span.start : NULL,
                     .size = span.size};
}

#endif
