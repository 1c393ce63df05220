/* SPDX-License-Identifier: MIT */
/* The default choice for counter systems: engine/portfolio says which engines,
 * each works in a process of its own, and what they bring back is judged here. */
#ifndef HD_API_RACE_H
#define HD_API_RACE_H

#include "api/workshop.h"

/* At most `jobs` processes at once; 0: none, the engines work in this process,
 * one after the other with growing shares of the time. `choice`, if not NULL,
 * gets what was chosen and what became of it, in lines. */
void hd_race(hd_workshop *w, unsigned jobs, hd_run *run, hd_result *result,
             hd_str *choice);

/* Why members failed, other than by a limit: "engine km was ended by signal 9
 * (Killed)". Appended as a remark to a reason, which may be NULL. */
void hd_race_remark(char **reason, const char *remarks, bool decided);

#endif
