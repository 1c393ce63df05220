/* SPDX-License-Identifier: MIT */
/* Executing edges one by one. */
#ifndef HD_ENGINE_LISE_STEP_H
#define HD_ENGINE_LISE_STEP_H

#include "engine/lise/engine.h"

/* Executes an edge whose guard is known to hold. */
hd_going hd_lise_execute(hd_lise *l, hd_edge_id edge);
/* Before an edge: counts it, writes it down, bounds loops. */
hd_going hd_lise_tick(hd_lise *l, hd_edge_id edge);
/* llvm.stackrestore */
hd_going hd_lise_restore_stack(hd_lise *l, size_t size);

#endif
