/* SPDX-License-Identifier: MIT */
/* Formulas that hold in all samples of a loop. */
#ifndef HD_API_CANDIDATES_H
#define HD_API_CANDIDATES_H

#include "api/inputs.h" /* hd_texts */
#include "api/sample.h"

/* Does the loop need an invariant: do all processes come to it equally often,
 * and more often in some runs than in others? */
bool hd_candidates_wanted(const hd_samples *samples, uint32_t loop,
                          uint32_t procs);
/* Appends candidates, as text; the caller frees them. */
void hd_candidates_make(const hd_samples *samples, const hd_code *code,
                        uint32_t loop, uint32_t procs, hd_texts *out);

#endif
