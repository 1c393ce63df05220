/* SPDX-License-Identifier: MIT */
/* What saturate.c and ways.c share. */
#ifndef HD_ENGINE_TSE_SATURATE_IMPL_H
#define HD_ENGINE_TSE_SATURATE_IMPL_H

#include "engine/tse/saturate.h"

#define HD_NO_ELEMENT UINT32_MAX
#define HD_ONE_STEP (UINT32_MAX - 1)

/* A count that became HD_OMEGA. Either a loop repeats that gives `change` each
 * time: `step`, which stays in its shared state (`loop` is HD_ONE_STEP), or the
 * path from element `loop`, an ancestor, to the one that has the jump. Or it was
 * cut off (`loop` is HD_NO_ELEMENT) and there may be no more than `before`. */
typedef struct {
  uint32_t loop;
  hd_trans_id step;
  hd_place_id place;
  hd_count before, change;
} hd_jump;

typedef struct {
  hd_shared_id shared;
  hd_range tokens; /* in the pool */
  hd_range jumps;  /* after `trans`, in this order */
  uint64_t signature;
  uint32_t next;     /* of the same shared state */
  uint32_t parent;   /* HD_NO_ELEMENT: the initial one */
  hd_trans_id trans; /* from it */
  bool covered;      /* by a later one */
} hd_element;

typedef struct {
  const hd_net *net;
  hd_vec(hd_element) elements;
  hd_vec(hd_jump) jumps;
  hd_token_vec pool;
} hd_elements;

/* The steps to `target`, which element `index` covers, with the loops repeated
 * as often as it takes, or NULL. Then the places where a cut pretended more
 * tokens than the way has are appended to `short_of`, or none when the way is
 * too long or the target has caps, which may forbid it. Only for nets without
 * moves and caps. */
hd_witness *hd_elements_way(const hd_elements *all, uint32_t index,
                            uint32_t target, hd_u32s *short_of);

#endif
