/* SPDX-License-Identifier: MIT */
/* What a proof about interleavings is worth under a memory model. */
#ifndef HD_API_MEMORY_H
#define HD_API_MEMORY_H

#include "model/weak.h"
#include "report/code.h"

/* Does a proof that knows interleavings only say nothing about `model`? Then why,
 * with the place. `race`: it is asked for races, too, which weak orders allow where
 * all interleavings look well. */
HD_MUST_USE bool hd_memmodel_refuses(const hd_code *code, hd_memory_model model,
                                     bool race, hd_str *why);

/* The same without the reason. */
bool hd_memmodel_differs(const hd_code *code, hd_memory_model model, bool race);

/* Do races that are not excluded allow more than interleavings, and mean
 * something? */
bool hd_memmodel_asks_races(const hd_code *code, hd_memory_model model);

/* Makes SAFE unknown where that is so, and adds a note with the model and why it
 * makes no difference where there are atomic accesses. */
void hd_memmodel_doubt(const hd_code *code, hd_memory_model model,
                       hd_code_result *result);

#endif
