/* SPDX-License-Identifier: MIT */
/* Where engines are set to work on a net: its reductions, the state equation's
 * inequalities, and evidence lifted back to the input. */
#ifndef HD_API_WORKSHOP_H
#define HD_API_WORKSHOP_H

#include "api/verify.h"
#include "engine/reduce/reduce.h"
#include "engine/tse/pool.h"

/* A problem with its two reductions: the sliced one, and for engines whose
 * proofs need every transition the unsliced one, made when first asked for.
 * With --no-reduce there is neither. */
typedef struct {
  const hd_net *input;
  hd_problem problem; /* without net and tset */
  hd_reduced *sliced, *unsliced;
  hd_tse_pool *pool; /* inequalities about `unsliced`; made when asked for */
  hd_pruning pruning;
  bool no_check;
  bool checked;   /* the verdict's evidence was accepted already */
  char *rejected; /* an engine's evidence did not check; which and why */
  char *failed;   /* engines that ended by no limit: which and how */
} hd_workshop;

/* Runs one engine, for at most `seconds` (0 = as long as `run` may), on the
 * reduction that suits it. The evidence is about the input. */
void hd_workshop_run(hd_workshop *w, const hd_engine *engine, double seconds,
                     hd_run *run, hd_result *result);
/* Makes the reduction that the engine needs. */
void hd_workshop_prepare(hd_workshop *w, const hd_engine *engine);
/* Has the evidence judged, where there is some. An engine's mistake costs only
 * that engine: its verdict is thrown away, and w->rejected says so. */
void hd_workshop_judge(hd_workshop *w, hd_result *result);
/* Back to HD_UNKNOWN without a reason; statistics stay. */
void hd_workshop_drop(hd_result *result);
void hd_workshop_free(hd_workshop *w);

#endif
