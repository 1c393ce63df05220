/* SPDX-License-Identifier: MIT */
/* What the commands on MPI programs share. */
#ifndef HD_CLI_MPI_H
#define HD_CLI_MPI_H

#include "api/mpi_play.h"
#include "engine/explore/explore.h" /* hd_replayed */
#include "cli/script.h"

/* --procs: the least and the largest number, 2 when it is not given. False
 * after a message. */
HD_MUST_USE bool hd_mpi_procs(const hd_session *session, uint32_t *least,
                              uint32_t *most);
/* How the program is executed, from the options; `machine` has what they say
 * about C programs, and the inputs. */
hd_mpi_options hd_mpi_options_of(const hd_session *session,
                                 const hd_machine_options *machine,
                                 uint32_t procs);

/* heddle run and fuzz, once the program is read (session->code). The schedule
 * is followed if --schedule is given. */
hd_end hd_mpi_command_run(hd_session *session,
                          const hd_machine_options *machine,
                          const hd_script *script, const int64_t *inputs,
                          size_t n_inputs);
/* False: the program is none for it. */
bool hd_mpi_command_fuzz(hd_session *session, const hd_machine_options *machine,
                         hd_end *end);
/* heddle verify by the engine lise: *end is how it ends. False when the program
 * is not for it. */
bool hd_mpi_command_verify(hd_session *session,
                           const hd_machine_options *machine, hd_end *end);
/* heddle check: makes the turns of a schedule. False after a message. */
HD_MUST_USE bool hd_mpi_judge(const hd_session *session,
                              const hd_machine_options *machine,
                              const hd_script *script, hd_replayed *replayed,
                              hd_code_trace **trace);
/* verify --outcomes: every way the program can end, and whether states with a
 * deadlock, or violations, can be reached. */
hd_end hd_mpi_command_outcomes(hd_session *session,
                               const hd_machine_options *machine);

#endif
