/* SPDX-License-Identifier: MIT */
/* Writes down the execution graph of a run as it is made: for the judge of the
 * axioms, who has not seen the run, and for reports. What synchronises is taken
 * from what the machine tells happened, not from what it keeps to find races. */
#ifndef HD_CHECK_INTERP_RECORD_H
#define HD_CHECK_INTERP_RECORD_H

#include "check/interp/interp.h"
#include "model/execution.h"

typedef struct hd_recorder hd_recorder;

/* Has itself told what happens on machines that are made with these options,
 * and tells on. `turns` is borrowed. */
hd_recorder *hd_recorder_new(const hd_code *code, hd_machine_options *options,
                             const hd_turns *turns);
/* Around the i-th turn, of the machine that makes them. `access`: of the one
 * atomic access it makes, or plain one of which the turn says what it reads;
 * NULL: none of these. */
void hd_recorder_before(hd_recorder *recorder, hd_machine *machine, size_t i,
                        const hd_access *access);
void hd_recorder_after(hd_recorder *recorder, const hd_machine *machine);
/* The graph of all that was recorded; deletes the recorder. */
hd_execution *hd_recorder_finish(hd_recorder *recorder);

/* Does options->memory allow it (check/axioms); and is a race, where both accesses
 * were made, one? `violation` may be NULL. False: `why` says so. */
HD_MUST_USE bool hd_execution_allowed(const hd_code *code,
                                      const hd_execution *execution,
                                      const hd_machine_options *options,
                                      const hd_violation *violation,
                                      hd_str *why);

#endif
