/* SPDX-License-Identifier: MIT */
/* An answer about a C program, looked at again as its reader would: is there
 * something that he did not ask for and wants to know, and does it say anything
 * about threads? */
#ifndef HD_CLI_SECOND_LOOK_H
#define HD_CLI_SECOND_LOOK_H

#include "api/code.h"
#include "cli/session.h"

/* Says on standard error what was just found, to people who wait. `session` is a
 * hd_session. */
void hd_second_look_found(void *session, const hd_violation *violation);

/* - Where nobody said what to look for, and runs end in undefined behaviour, it
 *   is looked for, and what is found replaces `result`.
 * - Where all is safe, but a run creates no thread although the program can: a
 *   note.
 * - A limit that nobody gave says how to give one. */
void hd_second_look(hd_session *session, const hd_code_options *options,
                    hd_code_result *result);

#endif
