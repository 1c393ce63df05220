/* SPDX-License-Identifier: MIT */
/* Walks along a witness, so that the printer can show where each step leads. It
 * decides nothing: a step that cannot be fired just ends the walk. */
#ifndef HD_FRONT_EVIDENCE_WALK_H
#define HD_FRONT_EVIDENCE_WALK_H

#include "model/evidence.h"

typedef struct {
  const hd_net *net;
  const hd_witness *witness;
  bool lost; /* a step could not be fired: the rest is not known */
  hd_shared_id shared;
  hd_token_vec marking; /* sorted */
  hd_token_vec moved;   /* scratch */
} hd_walk;

void hd_walk_start(hd_walk *walk, const hd_net *net, const hd_witness *witness);
void hd_walk_step(hd_walk *walk, const hd_step *step);
void hd_walk_free(hd_walk *walk);

#endif
