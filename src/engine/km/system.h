/* SPDX-License-Identifier: MIT */
/* The net as km reads it: places renumbered to those that matter, transitions
 * sorted so that the enabled ones of a configuration are found by its tokens.
 *
 * When the targets decide what matters, left out are
 *   - places that no transition needs and no target asks for (they count as
 *     omega everywhere: `ignored` of the certificate),
 *   - transitions into shared states from which no target's shared state can
 *     be reached, and transitions that give back at most what they take.
 *
 * A system may also be *open*: places, shared states and transitions become
 * known while the search runs. A source is asked for the transitions of a place
 * in a shared state when a configuration has a token there for the first time.
 * Each of them takes one token. */
#ifndef HD_ENGINE_KM_SYSTEM_H
#define HD_ENGINE_KM_SYSTEM_H

#include "model/net.h"

#define HD_KM_NONE UINT32_MAX

typedef struct {
  hd_place_id place;
  int32_t change; /* never 0 */
} hd_km_change;

typedef struct {
  hd_trans_id id; /* in the net */
  hd_shared_id from, to;
  hd_range pre;    /* into tokens */
  hd_range change; /* into changes: post - pre, sorted by place */
} hd_km_trans;

/* The transitions of one shared state that have `place` as their key: the place
 * of their pre-vector that the fewest others of this shared state need. */
typedef struct {
  hd_place_id place;   /* HD_KM_NONE: empty pre-vector */
  uint32_t start, end; /* into trans */
  uint32_t moves;      /* from here on they change the shared state */
} hd_km_group;

typedef struct {
  hd_range need; /* into tokens */
  uint32_t id;   /* in the net */
} hd_km_goal;

typedef struct hd_km_system hd_km_system;

/* Where the transitions of an open system come from. */
typedef struct {
  void *context;
  /* Calls hd_km_system_add for each transition of `place` in `shared`, and sets
   * `*bad` when a token there is what the search is for. False at a limit. */
  bool (*follow)(void *context, hd_km_system *system, hd_shared_id shared,
                 hd_place_id place, bool *bad);
} hd_km_source;

struct hd_km_pairs; /* what was followed, open.c */
void hd_km_pairs_delete(struct hd_km_pairs *pairs);

struct hd_km_system {
  const hd_net *net;          /* NULL: open */
  const hd_km_source *source; /* open */
  struct hd_km_pairs *pairs;  /* open: where the groups are */
  bool targeted;              /* the targets decide what matters */
  /* Open: so many are provided for, and so many are in use. */
  uint32_t n_shared, n_places;
  uint32_t used_shared, used_places;
  hd_shared_id init_shared;
  hd_token_vec init;          /* counts may be HD_OMEGA */
  uint32_t *old_place;        /* number in the net, n_places of them */
  uint32_t *new_place;        /* by number in the net, or HD_KM_NONE */
  hd_vec(hd_km_trans) trans;  /* by from, key, moving or not, id */
  hd_vec(hd_km_group) groups; /* by shared state, then place */
  uint32_t *group_start;      /* n_shared + 1; NULL: open */
  hd_vec(hd_km_goal) goals;   /* by shared state, then those of any state */
  uint32_t *goal_start;       /* n_shared + 2; NULL: open */
  hd_token_vec tokens;
  hd_vec(hd_km_change) changes;
};

void hd_km_system_init(hd_km_system *system, const hd_net *net, bool targeted);
/* An open system without transitions. `source` is borrowed, `init` copied. */
void hd_km_system_open(hd_km_system *system, const hd_km_source *source,
                       hd_shared_id init_shared, hd_tokens init);
void hd_km_system_free(hd_km_system *system);

/* post - pre, into system->changes. */
hd_range hd_km_system_change(hd_km_system *system, hd_tokens pre,
                             hd_tokens post);
/* The transitions whose key is `place`, or NULL. */
const hd_km_group *hd_km_system_group(const hd_km_system *system,
                                      hd_shared_id shared, hd_place_id place);
/* Open: makes that group known. False at a limit of the source. `*bad` is left
 * alone or set. */
HD_MUST_USE bool hd_km_system_follow(hd_km_system *system, hd_shared_id shared,
                                     hd_place_id place, bool *bad);
/* For the source: a transition numbered `id` that takes a token from `place` and
 * gives one to each of `post`, sorted. */
void hd_km_system_add(hd_km_system *system, hd_trans_id id, hd_shared_id from,
                      hd_place_id place, hd_shared_id to, hd_tokens post);

static inline hd_tokens hd_km_system_view(const hd_km_system *system,
                                          hd_range r) {
  return (hd_tokens){.data = r.size ? system->tokens.data + r.start : NULL,
                     .size = r.size};
}
static inline const hd_km_change *hd_km_changes(const hd_km_system *system,
                                                const hd_km_trans *trans) {
  return trans->change.size ? system->changes.data + trans->change.start : NULL;
}

#endif
