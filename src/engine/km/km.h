/* SPDX-License-Identifier: MIT */
/* Karp–Miller: forward search over configurations with omega counts. Complete
 * for nets without moves and caps; finds the minimal coverability set, hence
 * all reachable thread states. search.h tells the algorithm.
 *
 * A net with targets ends as soon as one is covered, and leaves aside what
 * cannot matter to them; a net without targets is explored completely. */
#ifndef HD_ENGINE_KM_KM_H
#define HD_ENGINE_KM_KM_H

#include "engine/engine.h"

extern const hd_engine hd_km_engine;

/* The minimal coverability set of `net`, whatever its targets: verdict HD_SAFE
 * with the maximal coverable configurations as an HD_CERT_COVER, or HD_UNKNOWN
 * with the reason. `net` has no moves and no caps. */
void hd_km_cover(const hd_net *net, hd_run *run, hd_result *result);

#endif
