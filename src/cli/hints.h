/* SPDX-License-Identifier: MIT */
/* What the user can do about an unknown. Hints only help: nothing else depends on
 * what they say, so some are chosen by words of the reason. */
#ifndef HD_CLI_HINTS_H
#define HD_CLI_HINTS_H

#include "cli/session.h"
#include "report/code.h"

/* NULL when nothing is unknown. Static. */
const char *hd_hint_for(const hd_session *session,
                        const hd_code_result *result);

#endif
