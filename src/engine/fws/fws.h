/* SPDX-License-Identifier: MIT */
/* Forward search on counter configurations: the fast way to a bug.
 *
 * The search is explicit and treats every feature of the model. A place that
 * starts with any number of tokens is HD_OMEGA wherever that is exact, so that
 * one search stands for every number of threads. The tokens that are counted
 * one by one are the configuration's *weight*; a search has a bound on it, and
 * the engine raises the bound in rounds. With a target the search is directed
 * by distances to it.
 *
 * It finds a witness wherever there is one, given time and memory. It proves
 * safety only when everything reachable was seen; then the maximal
 * configurations are a certificate, unless upper guards made the difference:
 * in that case the verdict has none and the reason says "exhausted: N
 * configurations". docs/engines/fws.md has the details. */
#ifndef HD_ENGINE_FWS_FWS_H
#define HD_ENGINE_FWS_FWS_H

#include "engine/engine.h"

extern const hd_engine hd_fws_engine;

typedef enum {
  HD_FWS_DIRECTED, /* nearest to the target, every so often the lightest */
  HD_FWS_ASTAR,    /* fewest steps so far plus distance first */
  HD_FWS_BREADTH,  /* oldest first: a shortest witness within the bound */
} hd_fws_order;

/* What the distance to the target is measured by. */
typedef enum {
  HD_FWS_BEST,    /* chosen by the size of the model */
  HD_FWS_HUB,     /* shared states only */
  HD_FWS_THREAD,  /* a token's way to the target in the expanded diagram */
  HD_FWS_RELAXED, /* cost of the target when tokens are never used up */
} hd_fws_measure;

typedef struct {
  hd_fws_order order;
  hd_fws_measure measure;
  uint32_t first_bound; /* weight allowed in the first round; 0 = chosen */
  uint32_t last_bound;  /* weight never passed; 0 = as far as counts go */
  uint64_t max_configs; /* stop after so many configurations; 0 = no limit */
  /* If set, the distance is potential[s] + sum weight[p] * M(p) of this linear
   * function over the finite counts instead of `measure`; borrowed. */
  const hd_linear *guide;
} hd_fws_options;

typedef enum {
  HD_FWS_FOUND,     /* result: HD_UNSAFE with a witness */
  HD_FWS_EXHAUSTED, /* result: HD_SAFE; nothing was cut off */
  HD_FWS_BOUNDED,   /* HD_UNKNOWN: nothing up to the bound, more beyond it */
  HD_FWS_STOPPED,   /* HD_UNKNOWN: a limit of the run, or counts too large */
} hd_fws_end;

/* One search for a target among the configurations of weight at most `bound`
 * (reached through such only). `result` must be all zero. */
hd_fws_end hd_fws_search(const hd_problem *problem, uint32_t bound, hd_run *run,
                         hd_result *result);
/* The same with everything to choose. */
hd_fws_end hd_fws_search_with(const hd_problem *problem,
                              const hd_fws_options *options, hd_run *run,
                              hd_result *result);

/* Which thread states (s, p) are reached, for `heddle cutoff`: some reachable
 * configuration has shared state s and a token in p. */
typedef struct {
  uint64_t *rows;   /* n_shared bitsets of `words` words, n_places bits each */
  size_t words;     /* a row */
  uint64_t states;  /* set bits */
  uint64_t configs; /* configurations seen */
} hd_fws_census;

typedef enum { HD_FWS_EXACTLY, HD_FWS_AT_MOST } hd_fws_threads;

/* Counts for `n` tokens: initially exactly (or at most) n in all, and never
 * more than n later; targets do not matter. False when a limit of `run` was
 * reached: then *census is empty. The caller frees it in either case. */
HD_MUST_USE bool hd_fws_count(const hd_net *net, uint32_t n,
                              hd_fws_threads threads, hd_run *run,
                              hd_fws_census *census);
void hd_fws_census_free(hd_fws_census *census);

#endif
