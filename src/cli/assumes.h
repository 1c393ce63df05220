/* SPDX-License-Identifier: MIT */
/* What the verdict "safe" of a C program rests on besides the proof, as far as it
 * matters for this program: that malloc succeeds where it allocates, its arguments
 * where it has some, stubs that were written by `heddle stubs`. */
#ifndef HD_CLI_ASSUMES_H
#define HD_CLI_ASSUMES_H

#include "cli/session.h"
#include "report/code.h"

/* Fills result->assumes; nothing where nothing is safe. */
void hd_assumes_list(const hd_session *session,
                     const hd_machine_options *machine, hd_code_result *result);

#endif
