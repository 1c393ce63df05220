/* SPDX-License-Identifier: MIT */
/* The relaxed cost of a target: what it would take if firing used up no tokens
 * and left no shared state, costs of several needs added up. */
#ifndef HD_ENGINE_FWS_RELAX_H
#define HD_ENGINE_FWS_RELAX_H

#include "engine/fws/rules.h"

typedef struct fws_relax fws_relax;

fws_relax *hd_fws_relax_new(const hd_net *net);
void hd_fws_relax_delete(fws_relax *relax);
/* Time linear in the net (and logarithmic in a queue). FWS_FAR (guide.h) when
 * even the relaxed net cannot reach a target. */
uint32_t hd_fws_relax_distance(fws_relax *relax, const fws_config *config);

#endif
