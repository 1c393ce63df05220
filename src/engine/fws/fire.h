/* SPDX-License-Identifier: MIT */
/* Firing: the successors of one configuration, packed, within a bound on their
 * weight. */
#ifndef HD_ENGINE_FWS_FIRE_H
#define HD_ENGINE_FWS_FIRE_H

#include "base/run.h"
#include "engine/fws/rules.h"

/* Firing from one configuration at a time. */
typedef struct {
  const fws_rules *rules;
  hd_run *run;              /* ticked for each further way to choose; or NULL */
  uint64_t bound;           /* heavier successors are cut */
  bool cut;                 /* set when one was */
  const fws_config *config; /* the loaded one */
  uint64_t weight;          /* its finite tokens */
  hd_count *count;          /* the same by place */
  fws_bytes packed;         /* the successor */
  hd_vec(hd_choice) choices; /* how the successor's tokens moved: one entry for
                                each move out of a place with several */
  hd_u32s candidates;
  hd_token_vec scratch;
} fws_firing;

/* Gets each successor, in firing->packed; false stops the firing. */
typedef bool fws_sink(void *context, hd_trans_id trans);

void hd_fws_firing_init(fws_firing *firing, const fws_rules *rules);
void hd_fws_firing_free(fws_firing *firing);
/* Fires everything enabled in `config` within the bound. False when the sink or
 * a limit of the run stopped it. */
bool hd_fws_fire_all(fws_firing *firing, const fws_config *config,
                     fws_sink *sink, void *context);
/* Fires `trans` alone, in every way it can; nothing if it is not enabled. */
bool hd_fws_fire_one(fws_firing *firing, const fws_config *config,
                     hd_trans_id trans, fws_sink *sink, void *context);

/* The sum of the finite counts. */
uint64_t hd_fws_weight(hd_tokens tokens);

#endif
