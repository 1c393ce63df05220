/* SPDX-License-Identifier: MIT */
/* A net made ready for firing forward, and the firing itself.
 *
 * Which counts may be HD_OMEGA? Call a place *exact* when an upper guard of a
 * transition or target reads it, or when a move leads from it to an exact
 * place. More tokens in places that are not exact disable nothing: if M and M'
 * agree on exact places and M <= M' elsewhere, M' can do all that M can and
 * stays above it. So a place that is not exact starts with the most tokens it
 * may have, HD_OMEGA where that is unbounded, and one configuration with
 * HD_OMEGA stands exactly for those below it. HD_OMEGA never gets into an exact
 * place, because no move leads there from a place that is not exact. */
#ifndef HD_ENGINE_FWS_RULES_H
#define HD_ENGINE_FWS_RULES_H

#include "engine/fws/store.h"
#include "model/evidence.h"

/* Items (transitions, targets) by shared state and a place they need a token
 * in, so that a search looks only at those that have a chance. */
typedef struct {
  hd_place_id place; /* FWS_NONE: needs none; comes last in its row */
  uint32_t start;    /* in items; ends where the next group starts */
} fws_group;

typedef struct {
  uint32_t row;
  hd_place_id place; /* or FWS_NONE */
  uint32_t item;
} fws_key;

typedef hd_vec(fws_key) fws_keys;

typedef struct {
  uint32_t *row; /* groups of shared state s: row[s] … row[s + 1] - 1 */
  fws_group *groups;
  uint32_t *items;
} fws_index;

typedef struct {
  hd_place_id place;
  int32_t change; /* post - pre, not zero */
} fws_change;

typedef struct {
  const hd_net *net;
  bool caps;           /* upper guards count as they are */
  uint64_t *exact;     /* bitset of places */
  uint64_t *useful;    /* bitset: shared states from which some target's can
                          be reached; no rule leads elsewhere */
  fws_index index;     /* of transitions */
  fws_index targets;   /* of targets; row n_shared: those for any state */
  hd_range *change_of; /* per transition, into changes */
  hd_vec(fws_change) changes;
} fws_rules;

typedef enum {
  FWS_CAPS = 1,    /* upper guards count; without it a transition with one
                      fires from what is left when surplus tokens are thrown
                      away, and a target's is ignored: all that is reachable
                      is below something reached so */
  FWS_TARGETS = 2, /* targets matter; without it every shared state is useful */
  FWS_ALL_EXACT = 4, /* no HD_OMEGA at all */
} fws_mode;

void hd_fws_rules_init(fws_rules *rules, const hd_net *net, unsigned mode);
void hd_fws_rules_free(fws_rules *rules);
/* Sorts `keys` and makes the index of them; rows are below `n_rows`. */
void hd_fws_index_build(fws_index *index, fws_keys *keys, uint32_t n_rows);
void hd_fws_index_free(fws_index *index);
/* Appends to `out` the items of row `row` whose place has a token in `tokens`
 * and those that need none. */
void hd_fws_index_collect(const fws_index *index, uint32_t row,
                          hd_tokens tokens, hd_u32s *out);
/* The first target reached in `config`, or FWS_NONE. */
uint32_t hd_fws_rules_target(const fws_rules *rules, const fws_config *config,
                             hd_u32s *scratch);

#endif
