/* SPDX-License-Identifier: MIT */
/* Files with schedules of C programs (front/schedule), and the inputs that are
 * in them. */
#ifndef HD_CLI_SCRIPT_H
#define HD_CLI_SCRIPT_H

#include "api/inputs.h"
#include "cli/session.h"

/* All zero: threads, by chance, without inputs. */
typedef struct {
  hd_start start;
  hd_turns turns;
  hd_notes notes; /* of the program, where it has inputs */
  hd_input_values inputs;
} hd_script;

/* Reads a schedule of session->code, or of the same with variables that were
 * never set as inputs, which it then becomes; `machine` gets its inputs, which stay in
 * the schedule. False after a message. */
HD_MUST_USE bool hd_script_read(hd_session *session, const char *path,
                                hd_script *script, hd_machine_options *machine);
void hd_script_free(hd_script *script);
/* Is it, or would it be, one of processes (check/mpi)? */
bool hd_script_is_mpi(const hd_session *session, const hd_script *script);

/* `code`: whose run it is. */
HD_MUST_USE bool hd_script_write(hd_session *session, const hd_code *code,
                                 const char *path, const hd_start *start,
                                 const hd_turns *turns, const char *remark);

#endif
