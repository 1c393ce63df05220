/* SPDX-License-Identifier: MIT */
/* Backward search for what the path summaries leave: spaghetti components, and
 * everything when paths multiply.
 *
 * It is algorithm 1 of paper 000 on the thread view, but on many shared states
 * at once: with each multiset of local states it keeps the *set* of shared
 * states it was reached with, as a bitset, and edges that differ in their shared
 * states only are fired together. Programs have many such edges, one for each
 * valuation of the variables a statement does not touch.
 *
 * The multisets are kept in a trie, so that all those below a given one are
 * found by walking it. Fewest threads first. */
#ifndef HD_ENGINE_CONCOLIC_SWEEP_H
#define HD_ENGINE_CONCOLIC_SWEEP_H

#include "engine/concolic/quotient.h"
#include "engine/engine.h"

typedef struct hd_sweep hd_sweep;

typedef enum {
  HD_SWEEP_NONE,      /* no initial configuration leads to a seed */
  HD_SWEEP_FOUND,     /* one does */
  HD_SWEEP_STOPPED,   /* by the run's limits */
  HD_SWEEP_TOO_LARGE, /* too many threads */
} hd_sweep_status;

/* True when the view can be swept at all: it is direct and what was kept of it
 * has not too many shared states for bitsets. */
bool hd_sweep_accepts(const hd_quotient *quotient);

/* A search over the edges that `quotient` kept, pruned by what `problem` knows.
 */
hd_sweep *hd_sweep_new(const hd_quotient *quotient, const hd_problem *problem);
void hd_sweep_delete(hd_sweep *sweep);
/* Adds a configuration to be reached; `tag` tells seeds apart. */
void hd_sweep_seed(hd_sweep *sweep, hd_shared_id shared, hd_tokens tokens,
                   uint32_t tag);
hd_sweep_status hd_sweep_run(hd_sweep *sweep, hd_run *run);
/* After HD_SWEEP_FOUND: the edges from the initial configuration to a seed,
 * forward; returns the seed's tag. */
uint32_t hd_sweep_unroll(const hd_sweep *sweep, hd_u32s *edges);
/* After HD_SWEEP_NONE: the minimal configurations found, as a certificate for
 * the net, if the seeds were all of its targets. */
hd_cert *hd_sweep_certificate(hd_sweep *sweep);
void hd_sweep_report(const hd_sweep *sweep, hd_result *result);

#endif
