/* SPDX-License-Identifier: MIT */
/* The reports of verify, run and fuzz in the form that is asked for. */
#ifndef HD_CLI_STORY_H
#define HD_CLI_STORY_H

#include "cli/session.h"
#include "report/code.h"
#include "report/report.h"

/* In the form of --format; all but text and JSON are made from a story. */
void hd_story_print_code(hd_session *session, const hd_code_report *report,
                         hd_str *out);
void hd_story_print_model(hd_session *session, const hd_report *report,
                          hd_str *out);
/* --html, if it is given. */
HD_MUST_USE bool hd_story_write_code(hd_session *session,
                                     const hd_code_report *report);
HD_MUST_USE bool hd_story_write_model(hd_session *session,
                                      const hd_report *report);
/* Is a page asked for, by --html or --format? */
bool hd_story_page(const hd_options *options);

#endif
