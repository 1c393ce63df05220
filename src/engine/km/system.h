/* SPDX-License-Identifier: MIT */
/* The net as km reads it: places renumbered to those that matter, transitions
 * sorted so that the enabled ones of a configuration are found by its tokens.
 *
 * When the targets decide what matters, left out are
 *   - places that no transition needs and no target asks for (they count as
 *     omega everywhere: `ignored` of the certificate),
 *   - transitions into shared states from which no target's shared state can
 *     be reached, and transitions that give back at most what they take. */
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

typedef struct {
  const hd_net *net;
  bool targeted; /* the targets decide what matters */
  uint32_t n_shared, n_places;
  uint32_t *old_place;        /* number in the net, n_places of them */
  uint32_t *new_place;        /* by number in the net, or HD_KM_NONE */
  hd_vec(hd_km_trans) trans;  /* by from, key, moving or not, id */
  hd_vec(hd_km_group) groups; /* by shared state, then place */
  uint32_t *group_start;      /* n_shared + 1 */
  hd_vec(hd_km_goal) goals;   /* by shared state, then those of any state */
  uint32_t *goal_start;       /* n_shared + 2 */
  hd_token_vec tokens;
  hd_vec(hd_km_change) changes;
} hd_km_system;

void hd_km_system_init(hd_km_system *system, const hd_net *net, bool targeted);
void hd_km_system_free(hd_km_system *system);

static inline hd_tokens hd_km_system_view(const hd_km_system *system,
                                          hd_range r) {
  return (hd_tokens){.data = r.size ? system->tokens.data + r.start : NULL,
                     .size = r.size};
}

#endif
