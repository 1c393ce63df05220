/* SPDX-License-Identifier: MIT */
/* What the commands on C programs share. */
#ifndef HD_CLI_CODE_H
#define HD_CLI_CODE_H

#include "api/code.h"
#include "cli/session.h"

/* The program's surroundings and the properties that are asked for. False,
 * after a message, with `*end` how the command ends. */
HD_MUST_USE bool hd_code_machine(hd_session *session,
                                 hd_machine_options *machine, hd_end *end);
/* A report with all that the options and the session know. */
hd_code_report hd_code_make_report(const hd_session *session, size_t n_files);
/* --diagram and --html, if they are given. */
HD_MUST_USE bool hd_code_write_diagram(hd_session *session,
                                       const hd_code_report *report);
/* The report of one run: as text it goes where the program's output does not,
 * unless --output names a file. */
HD_MUST_USE bool hd_code_write_run(hd_session *session,
                                   const hd_code_report *report);
/* Writes what was found as the options ask for. `machine`: what --harness needs;
 * NULL = it is not written. */
hd_end hd_code_conclude(hd_session *session, const hd_machine_options *machine,
                        const hd_code_result *result);

#endif
