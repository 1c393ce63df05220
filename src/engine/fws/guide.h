/* SPDX-License-Identifier: MIT */
/* How far a configuration is from the target, as a guess that costs little:
 * the number that orders a directed search. 0 only guides, it proves nothing.
 */
#ifndef HD_ENGINE_FWS_GUIDE_H
#define HD_ENGINE_FWS_GUIDE_H

#include "engine/fws/fws.h"
#include "engine/fws/rules.h"

/* Larger than any other distance: the measure sees no way at all. */
#define FWS_FAR ((uint32_t)0xFFFF)

typedef struct fws_guide fws_guide;

/* `rules` and `linear` (which may be NULL) are borrowed. */
fws_guide *hd_fws_guide_new(const fws_rules *rules, hd_fws_measure measure,
                            const hd_linear *linear);
void hd_fws_guide_delete(fws_guide *guide);
uint32_t hd_fws_guide_distance(fws_guide *guide, const fws_config *config);
/* The measure in use, never HD_FWS_BEST. */
hd_fws_measure hd_fws_guide_measure(const fws_guide *guide);

#endif
