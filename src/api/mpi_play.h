/* SPDX-License-Identifier: MIT */
/* Runs of MPI programs in the concrete machine (check/mpi): one, as `heddle run`
 * makes it, or many by chance, as `heddle fuzz` does; and any of them written
 * down for a report. */
#ifndef HD_API_MPI_PLAY_H
#define HD_API_MPI_PLAY_H

#include "api/inputs.h"
#include "check/mpi/mpi.h"
#include "report/code.h"

/* What is looked for in an MPI program unless the user says otherwise. */
#define HD_MPI_CHECKS                                                          \
  ((hd_properties)1 << HD_PROPERTY_ASSERT |                                    \
   (hd_properties)1 << HD_PROPERTY_DEADLOCK |                                  \
   (hd_properties)1 << HD_PROPERTY_ARITH |                                     \
   (hd_properties)1 << HD_PROPERTY_MEMORY |                                    \
   (hd_properties)1 << HD_PROPERTY_LEAK |                                      \
   (hd_properties)1 << HD_PROPERTY_UNINIT |                                    \
   (hd_properties)1 << HD_PROPERTY_MPI)

/* Makes `turns` on a fresh machine and writes down what happens. The threads of
 * the trace are processes. */
hd_code_trace *hd_mpi_record(const hd_code *code, const hd_mpi_options *options,
                             const hd_turns *turns);

typedef struct {
  hd_mpi_options mpi;       /* `observe` is not used */
  const hd_turns *schedule; /* NULL: by chance */
  uint64_t seed;
  const int64_t *inputs;
  size_t n_inputs;
  void (*output)(void *context, const char *text); /* may be NULL */
  void *context;
} hd_mpi_play_options;

typedef struct {
  hd_mpi_run run;
  hd_str output;
  int exit_code;
  bool bad_schedule;               /* a turn was not possible: run.why */
  hd_vec(hd_violation) violations; /* messages are owned */
} hd_mpi_play;

void hd_mpi_play_once(const hd_code *code, const hd_mpi_play_options *options,
                      hd_run *limits, hd_mpi_play *play);
void hd_mpi_play_free(hd_mpi_play *play);

/* Random runs until every property asked for is violated, `runs` were made (0 =
 * no bound) or `limits` says so. Answers are UNSAFE, with the shortest run that
 * was found, replayed; or UNKNOWN. `inputs`, of annotations, get other values in
 * each run, and assumptions hold; NULL: there are none. */
void hd_mpi_fuzz(const hd_code *code, const hd_mpi_options *options,
                 uint64_t seed, uint64_t runs, hd_input_values *inputs,
                 hd_run *limits, hd_code_result *result);

#endif
