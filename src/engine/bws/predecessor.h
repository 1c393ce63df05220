/* SPDX-License-Identifier: MIT */
/* Minimal predecessors: the least configurations from which a transition leads
 * to or above a given one. Without moves there is exactly one,
 * max (M - post, 0) + pre. With moves each token of max (M - post, 0) may have
 * come from any place that moves to where it is, or have stayed if its place is
 * not the source of a move; there may be many, or none. */
#ifndef HD_ENGINE_BWS_PREDECESSOR_H
#define HD_ENGINE_BWS_PREDECESSOR_H

#include "model/evidence.h"

typedef struct {
  hd_token_vec tokens;       /* the predecessor */
  hd_vec(hd_choice) choices; /* how many tokens took which move */
} hd_predecessor;

/* Called for each minimal predecessor; false stops the enumeration. */
typedef bool (*hd_predecessor_visit)(void *context, const hd_predecessor *p);

typedef enum { HD_PRED_DONE, HD_PRED_STOPPED, HD_PRED_OVERFLOW } hd_pred_status;

/* Enumerates the minimal predecessors of (t.to | tokens). `scratch` is only
 * working space, kept by the caller to be used again. */
HD_MUST_USE hd_pred_status hd_predecessors(const hd_net *net, hd_trans_id trans,
                                           hd_tokens tokens,
                                           hd_predecessor *scratch,
                                           hd_predecessor_visit visit,
                                           void *context);
void hd_predecessor_free(hd_predecessor *p);

#endif
