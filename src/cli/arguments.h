/* SPDX-License-Identifier: MIT */
/* OpenMP programs: arguments of theirs, and of the compiler. A race may show only with
 * some numbers that the program takes as its argument. */
#ifndef HD_CLI_ARGUMENTS_H
#define HD_CLI_ARGUMENTS_H

#include "api/code.h"
#include "cli/session.h"

/* Where a race is neither found nor excluded, and main looks at its arguments but
 * was given none: tries numbers that the program compares with. When one of them
 * shows it, `result` is that, with a note, and `options` has the argument from then
 * on. Another note says when the compiler's flag is missing that the pragmas need.
 * Returns `result`. */
hd_code_result *hd_arguments_try(hd_session *session, hd_code_options *options,
                                 hd_code_result *result);

#endif
