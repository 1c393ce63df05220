/* SPDX-License-Identifier: MIT */
/* The initial configurations of a search: places that are not exact hold all
 * they may hold, the others go through their counts like the digits of an
 * odometer, as far as a bound on the weight lets them. */
#ifndef HD_ENGINE_FWS_SEEDS_H
#define HD_ENGINE_FWS_SEEDS_H

#include "engine/fws/rules.h"

typedef struct {
  const hd_net *net;
  hd_token_vec tokens; /* by place; those that may vary are here even if 0 */
  hd_u32s varying;     /* indices into tokens */
  uint64_t lightest;   /* weight of the first one */
  uint64_t weight;     /* of the present one */
  bool cut;            /* some were left out because of the bound */
} fws_seeds;

void hd_fws_seeds_init(fws_seeds *seeds, const fws_rules *rules);
void hd_fws_seeds_free(fws_seeds *seeds);
/* Go through all of weight at most `bound`; false: no (more) of them. The
 * present one is packed by hd_fws_seeds_pack. */
HD_MUST_USE bool hd_fws_seeds_first(fws_seeds *seeds, uint64_t bound);
HD_MUST_USE bool hd_fws_seeds_next(fws_seeds *seeds, uint64_t bound);
void hd_fws_seeds_pack(const fws_seeds *seeds, fws_bytes *out);

#endif
