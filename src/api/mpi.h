/* SPDX-License-Identifier: MIT */
/* Message-passing programs, and others with annotations, verified by the engine
 * lise: for each number of processes that is asked for. A violation counts when
 * the concrete machine (check/mpi), led by its steps and inputs, comes to one of
 * the same property; what only annotations say cannot be executed and counts
 * when the engine has followed the run without any abstraction. */
#ifndef HD_API_MPI_H
#define HD_API_MPI_H

#include "api/verify.h"
#include "engine/lise/lise.h"
#include "report/code.h"

#define HD_PROCS_ANY UINT32_MAX

typedef struct {
  const hd_notes *notes; /* annotations of the program; may be NULL */
  uint32_t least, most;  /* processes; most = HD_PROCS_ANY: any number */
  bool accept_bounded;   /* SAFE within --unwind is SAFE */
  bool count_all;        /* also count the states without reduction */
  /* Seconds of CPU time after which runs by chance are made beside the search
   * (mpi_side.h); negative = never. */
  double side_after;
  /* Executes all interleavings of what is safe to the end, not for a moment. */
  bool confirm;
  int argc;
  const char *const *argv;
  hd_lise_options lise;
} hd_mpi_verify_options;

/* Is the program for this engine: does it call MPI or have annotations? */
bool hd_mpi_verifiable(const hd_code *code, const hd_notes *notes);

/* `result` must be all zero; the caller frees it. REFUSED: there is no main,
 * with a sentence in `why`. */
HD_MUST_USE hd_verify_status hd_verify_mpi(const hd_code *code,
                                           const hd_mpi_verify_options *options,
                                           hd_run *run, hd_code_result *result,
                                           hd_str *why);

#endif
