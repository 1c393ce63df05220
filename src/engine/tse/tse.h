/* SPDX-License-Identifier: MIT */
/* tse: proofs by linear arithmetic, bugs by guided search (paper 002).
 *
 * The state equation over-approximates what is reachable: tokens at the end are
 * tokens at the start plus the effects of what fired, and the shared state
 * leaves each state as often as it enters it. If it has no solution for a
 * target, the target is unreachable and the multipliers that show it are an
 * inductive inequality, which is the certificate. If it has one, it is
 * strengthened by traps and by transitions found never to fire; and the
 * solution says how many tokens a bug would need at least and how far each
 * configuration is from the target, which directs a forward search (fws).
 *
 * Incomplete: a safe system may satisfy the equation, then the verdict is
 * HD_UNKNOWN. Never wrong: no exact inequality, no HD_SAFE; no witness, no
 * HD_UNSAFE. docs/engines/tse.md has the theory and the measurements. */
#ifndef HD_ENGINE_TSE_TSE_H
#define HD_ENGINE_TSE_TSE_H

#include "engine/engine.h"

extern const hd_engine hd_tse_engine;

#endif
