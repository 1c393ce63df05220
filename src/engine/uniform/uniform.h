/* SPDX-License-Identifier: MIT */
/* Proofs for any number of processes of an MPI program.
 *
 * One process is executed with a symbolic rank r and a symbolic number N of
 * processes, by the means of lise. What is received is a new symbol. That gives
 * finitely many *paths*, each with conditions on r and N and the list of what it
 * sends and receives, with peers that are terms over r, N and the numbers of
 * iterations of loops (walk.c, loop.c, call.c). Then, with quantifiers over all
 * N and all pairs of ranks:
 *
 *   match.c  the k-th message on a channel has a k-th receive, and the other way
 *            round, with the same type and length: found by small N, proved for
 *            all;
 *   order.c  there is a number ("time") for each point of each path, so that it
 *            grows along the path, and who waits for an operation has a greater
 *            one than the partner's start of it: nobody waits for ever, even when
 *            no message is buffered;
 *   value.c  what could not be shown when a path was executed follows from what
 *            the partner sends.
 *
 * Receives name their sources, so that who gets which message depends on no
 * order; programs in which the order matters are refused.
 *
 * SAFE: for every number of processes from `least` to `most`. Else UNKNOWN: this
 * engine finds no violations. docs/engines/uniform.md has the arguments. */
#ifndef HD_ENGINE_UNIFORM_UNIFORM_H
#define HD_ENGINE_UNIFORM_UNIFORM_H

#include "engine/lise/lise.h"

typedef struct {
  hd_verdict verdict;
  bool ideal;       /* floats were real numbers, or ideal ones were asked for */
  uint32_t most;    /* SAFE: up to here */
  uint32_t suspect; /* UNKNOWN: a number that is worth a look; 0 = none */
  char *reason;     /* UNKNOWN */
  uint64_t paths, sites, proofs;
} hd_uniform_result;

void hd_uniform_run(const hd_code *code, const hd_lise_options *options,
                    uint32_t least, hd_run *run, hd_uniform_result *result);
void hd_uniform_result_free(hd_uniform_result *result);

#endif
