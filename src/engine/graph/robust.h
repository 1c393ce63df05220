/* SPDX-License-Identifier: MIT */
/* Robustness of programs: see robust.c. */
#ifndef HD_ENGINE_GRAPH_ROBUST_H
#define HD_ENGINE_GRAPH_ROBUST_H

#include "engine/graph/node.h"

typedef hd_vec(uint32_t) robust_places; /* of memory, and to wait for */

/* Comes the write before the thread's next event in every interleaving? */
bool hd_robust_is_aware(const node *n, hd_tid thread, graph_id write);
/* … the last of the place, which the thread may yet read something older than? */
bool hd_robust_lags(const node *n, hd_tid thread, uint32_t loc);
/* What threads are aware of, and what accesses to these places make aware of: a level
 * each, greater where they are. To `same` what has to be equal. */
void hd_robust_encode(const node *n, const robust_places *places,
                      hd_bytes *same, hd_levels *levels);

#endif
