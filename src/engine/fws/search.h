/* SPDX-License-Identifier: MIT */
/* The search itself: a store of configurations, an order, a bound that rises.
 * docs/engines/fws.md lists the invariants I1 to I5. */
#ifndef HD_ENGINE_FWS_SEARCH_H
#define HD_ENGINE_FWS_SEARCH_H

#include "engine/fws/fire.h"
#include "engine/fws/guide.h"
#include "engine/fws/order.h"
#include "engine/fws/seeds.h"

/* A successor that waits to be put into the store. */
typedef struct {
  uint32_t start, size; /* in batch_bytes */
  uint32_t hash, trans;
} fws_pending;

typedef struct {
  const fws_rules *rules;
  const hd_fws_options *options;
  hd_run *run;
  fws_store store;
  fws_firing firing;
  fws_guide *guide; /* NULL: oldest first */
  fws_order order;
  /* the bound */
  fws_seeds seeds;
  uint64_t bound, last_bound;
  hd_u32s cut;    /* configurations with a successor beyond the bound */
  uint32_t total; /* initial configurations have exactly this weight, or
                     FWS_NONE: any */
  /* outcome */
  uint32_t found;  /* a configuration in target `target`, or FWS_NONE */
  uint32_t target; /* index into net->targets */
  uint64_t expanded, generated, rounds;
  /* scratch */
  hd_vec(fws_pending) batch;
  fws_bytes batch_bytes;
  uint32_t current;
  fws_config config, child;
  hd_u32s matches;
} fws_search;

/* `rules` and `options` are borrowed. */
void hd_fws_search_init(fws_search *search, const fws_rules *rules,
                        const hd_fws_options *options, hd_run *run);
void hd_fws_search_free(fws_search *search);
hd_fws_end hd_fws_search_run(fws_search *search);
/* Asserts I1 to I4 for everything, and returns true; time linear in the
 * search. */
bool hd_fws_search_check(const fws_search *search);

/* The witness for configuration search->found. False when its counts would
 * pass HD_COUNT_MAX. */
HD_MUST_USE bool hd_fws_witness(fws_search *search, hd_witness *witness);
/* Configurations that stand for all that an exhausted search has seen, as an
 * HD_CERT_COVER: the maximal ones if that can be found out quickly. NULL when
 * there are too many for a checker or the run stopped. The search's rules must
 * be without FWS_CAPS if the net has upper guards. */
hd_cert *hd_fws_cover(const fws_search *search, hd_run *run);

#endif
