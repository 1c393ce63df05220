/* SPDX-License-Identifier: MIT */
/* Private to this folder: a run once more, with inputs as variables. What is too
 * hard to follow is simply not known: whoever uses the answers runs them. */
#ifndef HD_ENGINE_EXPLORE_SHADOW_H
#define HD_ENGINE_EXPLORE_SHADOW_H

#include "check/interp/interp.h"
#include "solve/bits.h"

typedef struct hd_shadow hd_shadow;

/* Something that the inputs decided in this run: the term, of one bit, was 1. */
typedef struct {
  hd_bv_term holds;
  size_t inputs; /* how many there were by then */
  bool open;     /* the last one of a run may have been 0 */
} hd_decision;

typedef hd_vec(hd_decision) hd_decisions;
typedef hd_vec(hd_bv_term) hd_bv_terms;

hd_shadow *hd_shadow_new(const hd_code *code, hd_bv *bv);
void hd_shadow_delete(hd_shadow *shadow);
/* An observer of the machine (hd_machine_options): `context` is the shadow. */
void hd_shadow_observe(void *context, const hd_event *event);
/* In the order of the run; borrowed. */
const hd_decisions *hd_shadow_decisions(const hd_shadow *shadow);
const hd_bv_terms *hd_shadow_inputs(const hd_shadow *shadow);

#endif
