/* SPDX-License-Identifier: MIT */
/* From a model to a checked verdict: reduce, then one engine or the default
 * choice of several, evidence lifted back to the input model and judged by
 * check/. This is the only place where engines and checkers meet. */
#ifndef HD_API_VERIFY_H
#define HD_API_VERIFY_H

#include "engine/engine.h"

typedef enum {
  HD_PRUNE_AUTO, /* when bws has not decided within a moment */
  HD_PRUNE_ALWAYS,
  HD_PRUNE_NEVER,
} hd_pruning;

typedef struct {
  const char *engine; /* NULL: heddle chooses */
  bool no_check;      /* do not check the evidence */
  bool no_reduce;     /* give the engine the input as it is */
  hd_pruning pruning; /* bws and the state equation's inequalities */
  bool certify;       /* a safe without a certificate is proved again by bws */
  bool explain;
  uint32_t max_threads; /* for fws; 0 = no bound */
  hd_km_order order;    /* for km */
  uint64_t seed;
  /* Without `engine`: at most so many processes at once; 0 = none, all is done
   * in this one. */
  unsigned jobs;
  hd_str *choice; /* gets what was chosen, in lines; may be NULL */
} hd_verify_options;

typedef enum {
  HD_VERIFY_DONE,     /* *result has a verdict or says why there is none */
  HD_VERIFY_REFUSED,  /* the engine cannot treat this model: reason says which
                         line and which engines can */
  HD_VERIFY_INTERNAL, /* evidence did not check: reason says what; verdict is
                         HD_UNKNOWN and must be reported as a bug */
} hd_verify_status;

/* `net` has at least one target. `result` must be all zero; the caller frees
 * it with hd_result_free. */
HD_MUST_USE hd_verify_status hd_verify(const hd_net *net,
                                       const hd_verify_options *options,
                                       hd_run *run, hd_result *result);

/* Has the evidence of a definite verdict judged by check/. False when it does
 * not hold: then `result` is HD_UNKNOWN and says so, as HD_VERIFY_INTERNAL. */
HD_MUST_USE bool hd_verify_evidence(const hd_net *net, hd_result *result);

/* All engines, in the order in which they are listed; ends with NULL. */
extern const hd_engine *const hd_engines[];
/* NULL when there is none of that name. */
const hd_engine *hd_engine_find(const char *name);

/* The complete set: the maximal coverable configurations of `net` (targets are
 * ignored), by km, as a checked HD_CERT_COVER in result->cert. Verdict is
 * HD_SAFE when complete, HD_UNKNOWN with a reason otherwise. */
HD_MUST_USE hd_verify_status hd_reach(const hd_net *net, hd_run *run,
                                      bool no_check, hd_result *result);

#endif
