/* SPDX-License-Identifier: MIT */
/* Makes a failing run easier to read. */
#ifndef HD_ENGINE_EXPLORE_SHRINK_H
#define HD_ENGINE_EXPLORE_SHRINK_H

#include "engine/explore/common.h"

/* Replaces `turns`, which end in `violation`, by turns that end in the same
 * violation with fewer changes of thread, else fewer moves, else plainer
 * inputs, where it finds such. Takes at most `seconds`. Returns the runs it
 * tried. Violations that are no event of a run (a race that threads stand before,
 * somebody who waits for ever) are left as they are. */
uint64_t hd_shrink(const hd_code *code, const hd_explore_options *options,
                   const hd_violation *violation, double seconds, hd_run *run,
                   hd_turns *turns);
/* The same for turns of weak memory (hd_turns_weak): without turns that nobody
 * needs, and with fewer changes of thread. What it leaves has been judged. */
uint64_t hd_shrink_weak(const hd_code *code, const hd_explore_options *options,
                        const hd_violation *violation, double seconds,
                        hd_run *run, hd_turns *turns);

#endif
