/* SPDX-License-Identifier: MIT */
/* All targets of a net against the state equation: each is tried, those that
 * resist stay open. When a target is excluded, transitions into shared states
 * from which no open target can be reached any more stop to matter, as the
 * judges of certificates know too (check/judge.h). */
#ifndef HD_ENGINE_TSE_CAMPAIGN_H
#define HD_ENGINE_TSE_CAMPAIGN_H

#include "engine/tse/strengthen.h"

typedef struct {
  const hd_net *net;
  const hd_cert *tset; /* may be NULL */
  hd_cert *cert;       /* what was proved so far; owned */
  hd_strong *strong;
  hd_u32s open;    /* targets not excluded yet, last one first */
  bool settled;    /* every open target was tried; more effort would not help */
  uint32_t tokens; /* fewest tokens a solution uses, at least 1 */
} hd_campaign;

/* `net` and `tset` are borrowed. */
void hd_campaign_init(hd_campaign *campaign, const hd_net *net,
                      const hd_cert *tset);
void hd_campaign_free(hd_campaign *campaign);
/* Tries to exclude the open targets, with `effort` for each (see
 * hd_strong_exclude). */
void hd_campaign_exclude(hd_campaign *campaign, uint64_t effort, hd_run *run);
/* The certificate of a campaign without open targets, T part included; it is
 * the caller's. */
hd_cert *hd_campaign_take(hd_campaign *campaign);

#endif
