/* SPDX-License-Identifier: MIT */
/* Random runs beside a search that takes long: whenever the search looks at its
 * limits, a share of the time that it has taken goes into executing the program.
 * A violation ends the search. */
#ifndef HD_API_MPI_SIDE_H
#define HD_API_MPI_SIDE_H

#include "api/inputs.h"
#include "check/mpi/mpi.h"

typedef struct {
  hd_mpi_run found; /* `violated` when there is something */
  uint64_t runs;
  /* private */
  const hd_code *code;
  hd_mpi_options options;
  hd_input_values inputs; /* of the last run */
  bool has_inputs;
  hd_run *outer;
  double after, begun, spent;
  volatile sig_atomic_t stop;
} hd_mpi_side;

/* Can runs by chance say anything about the program? Not where annotations
 * assume something, which cannot be executed. */
bool hd_mpi_side_can(const hd_notes *notes);
/* `run` becomes the limits for a search within `outer`; the side starts when the
 * search has taken `after` seconds of CPU time. */
void hd_mpi_side_start(hd_mpi_side *side, const hd_code *code,
                       const hd_mpi_options *options, const hd_notes *notes,
                       double after, hd_run *outer, hd_run *run);
/* The search is over: what `run` has used is used in `outer`. */
void hd_mpi_side_stop(hd_mpi_side *side, const hd_run *run);
/* The run that was found is about these. */
void hd_mpi_side_save(const hd_mpi_side *side, hd_start *start);
void hd_mpi_side_free(hd_mpi_side *side);

#endif
