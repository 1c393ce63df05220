/* SPDX-License-Identifier: MIT */
/* One run that stands for all.
 *
 * A run is made, and of any two of its actions that are of different threads and
 * do not commute it is asked whether one is *forced* to come first: by what a thread
 * does in its order, by the creation of threads, by joins, and by barriers. If that is so
 * for all of them, and no action had a choice, then every run makes the same actions,
 * each thread its own, with the same values: by induction over the length of a run.
 * What its next action reads has been written by actions that are forced to come
 * before, which therefore were made, and by no others; so it is the action of this run.
 * So all runs are this one in another order, and are no longer; who waits in one of
 * them has what it waits for before it in this one. That also holds for executions of weak
 * memory: who reads what is forced by happens-before.
 *
 * What commutes: reads; actions on different memory; updates (model/updates.h) of
 * one variable and kind, atomic or all under one lock; plain sections of one lock,
 * whose accesses are looked at by themselves; arrivals at a barrier, if whoever
 * comes to it later has to come later. Entering and leaving a function
 * writes to what others have the address of. Everything else that has to do with
 * the same lock, semaphore … does not commute. */
#ifndef HD_ENGINE_EXPLORE_SINGLE_H
#define HD_ENGINE_EXPLORE_SINGLE_H

#include "engine/explore/explore.h"

/* SAFE: one run stands for all of them, and violates nothing that is asked for. Else
 * UNKNOWN; it gives up at the first two actions that nothing forces into an order. */
void hd_single(const hd_code *code, const hd_explore_options *options,
               hd_run *run, hd_explore_result *result);

#endif
