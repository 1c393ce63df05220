/* SPDX-License-Identifier: MIT */
/* Who moves next: the strategies of fuzz. A scheduler learns over the runs how
 * long they are and which accesses meet those of other threads. */
#ifndef HD_ENGINE_EXPLORE_SCHEDULE_H
#define HD_ENGINE_EXPLORE_SCHEDULE_H

#include "engine/explore/common.h"

/* With more threads than that not all are asked at every step. */
enum { HD_MANY_THREADS = 64 };

typedef struct hd_scheduler hd_scheduler;

hd_scheduler *hd_scheduler_new(const hd_code *code, uint64_t seed);
void hd_scheduler_delete(hd_scheduler *scheduler);
/* Begins a run with at most `depth` changes of priority or interruptions. */
void hd_scheduler_start(hd_scheduler *scheduler, hd_strategy strategy,
                        uint32_t depth);
/* The thread to move; HD_NO_ID when none can. */
hd_tid hd_scheduler_pick(hd_scheduler *scheduler, const hd_machine *machine);
/* The run is over. */
void hd_scheduler_end(hd_scheduler *scheduler);
hd_rng *hd_scheduler_rng(hd_scheduler *scheduler);

#endif
