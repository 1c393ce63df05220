/* SPDX-License-Identifier: MIT */
/* All findings of verify and fuzz, and which of them are new. */
#ifndef HD_CLI_FINDINGS_H
#define HD_CLI_FINDINGS_H

#include "api/code.h"
#include "cli/session.h"
#include "report/standing.h"

/* --baseline, before the work begins. False, after a message, when it cannot be
 * read. */
HD_MUST_USE bool hd_findings_read_baseline(hd_session *session,
                                           hd_baseline *baseline);
/* Looks for what is violated besides, and says what is new. */
void hd_findings_list(hd_session *session, const hd_code_options *options,
                      const hd_baseline *baseline, hd_code_result *result);
/* --write-baseline */
HD_MUST_USE bool hd_findings_write_baseline(hd_session *session,
                                            const hd_code_result *result);

#endif
