/* SPDX-License-Identifier: MIT */
/* reduce: cheap, exact simplification that runs before every other engine, and
 * decides many systems alone.
 *
 *   control   a net whose places contain a component that always holds exactly
 *             one token is read as a system with shared states (model/split.h)
 *   forward   thread-modular reachability: the least T with T[s0] the initial
 *             places and, for each transition with pre in T[s],
 *             T[s'] containing T[s] and post. A target outside T is
 *             unreachable, and T is the certificate.
 *   backward  transitions that no target can need: into shared states from
 *             which no target's shared state can be reached (paper 000, lemma
 *             2), and those that only produce what nobody consumes
 *
 * What is left is a net with the same shared states and places and fewer
 * transitions; evidence about it is lifted back to the input. */
#ifndef HD_ENGINE_REDUCE_REDUCE_H
#define HD_ENGINE_REDUCE_REDUCE_H

#include "engine/engine.h"

typedef struct {
  hd_net *net;     /* what is left; owned */
  hd_u32s origin;  /* its transition -> the input's */
  hd_cert *tset;   /* T rows, over the places of `net`; owned */
  hd_u32s control; /* control places if the input was split, else empty */
  hd_u32s ignored; /* places nobody needs, sorted */
  bool safe;       /* no target is in T: decided */
} hd_reduced;

/* Forward and backward reduction of `net` for its targets. */
hd_reduced *hd_reduce(const hd_net *net, hd_run *run);
/* Forward only, without slicing: keeps every transition that can fire. For the
 * complete set of reachable states. */
hd_reduced *hd_reduce_forward(const hd_net *net);
void hd_reduced_delete(hd_reduced *reduced);

/* Turns evidence about reduced->net into evidence about the input, in place. */
void hd_reduced_lift(const hd_reduced *reduced, const hd_net *input,
                     hd_result *result);

extern const hd_engine hd_reduce_engine;

/* The parts, for tests. */

/* T of `net` as a certificate with rows only. `enabled`, if not NULL, gets a
 * bitset of the transitions that are enabled within T (caller's words). */
hd_cert *hd_reduce_tset(const hd_net *net, uint64_t *enabled);
/* True when T rules the target out. */
bool hd_reduce_excludes(const hd_cert *tset, const hd_target *target,
                        hd_tokens need);
/* Clears in `keep` the transitions that no target inside T needs; sets
 * `*ignored` to the places that do not matter. */
void hd_reduce_slice(const hd_net *net, const hd_cert *tset, uint64_t *keep,
                     hd_u32s *ignored);
/* A control component of a net with one shared state; false if none was found
 * within a bounded search. */
bool hd_reduce_find_control(const hd_net *net, hd_u32s *control);

#endif
