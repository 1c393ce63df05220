/* SPDX-License-Identifier: MIT */
/* --harness DIR: a folder with a native replay of a violation. */
#ifndef HD_CLI_HARNESS_H
#define HD_CLI_HARNESS_H

#include "check/mpi/mpi.h"
#include "cli/code.h"

/* Writes the folder --harness names, if it is given, for the first violation
 * that a native run can show; a note when there is none. False after an error
 * message. */
HD_MUST_USE bool hd_harness_write(hd_session *session,
                                  const hd_machine_options *machine,
                                  const hd_code_result *result);
/* The same for a program of `mpi->procs` processes. */
HD_MUST_USE bool hd_harness_write_mpi(hd_session *session,
                                      const hd_mpi_options *mpi,
                                      const hd_code_result *result);
/* Before a long run: can the folder be made? */
HD_MUST_USE bool hd_harness_probe(hd_session *session);

#endif
