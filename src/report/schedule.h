/* SPDX-License-Identifier: MIT */
/* A run of a program for people and for scripts. */
#ifndef HD_REPORT_SCHEDULE_H
#define HD_REPORT_SCHEDULE_H

#include "model/schedule.h"
#include "report/json.h"
#include "report/story.h"

/* The run as a diagram; with `all` every step. */
void hd_report_schedule(hd_str *out, const hd_program *program,
                        const hd_schedule *schedule, bool all, bool color);
/* As member "schedule" of the open object. */
void hd_report_schedule_json(hd_json *json, const hd_program *program,
                             const hd_schedule *schedule);
/* As steps of threads. `original`: places are those in the program this one was
 * made from, where it says so. */
hd_story_run *hd_story_schedule_run(hd_story *story, const hd_program *program,
                                    const hd_schedule *schedule, bool original);

#endif
