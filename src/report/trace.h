/* SPDX-License-Identifier: MIT */
/* A witness, step by step, for showing it: the configuration after each step
 * and, in thread systems, which thread moved. Threads have no identity in the
 * model; the trace gives them numbers 1, 2, … and lets the one that arrived
 * last move, so that there are few changes of thread.
 *
 * This is no judge (check/ is): a step that cannot be fired ends the trace. */
#ifndef HD_REPORT_TRACE_H
#define HD_REPORT_TRACE_H

#include "model/evidence.h"

typedef struct hd_trace hd_trace;

/* Stands before the first step. `net` and `witness` must outlive the trace. */
hd_trace *hd_trace_new(const hd_net *net, const hd_witness *witness);
void hd_trace_delete(hd_trace *trace);
/* Fires the next step; false at the end, or when it cannot be fired. */
bool hd_trace_next(hd_trace *trace);

/* Steps fired so far. */
size_t hd_trace_step(const hd_trace *trace);
hd_shared_id hd_trace_shared(const hd_trace *trace);
/* The configuration; valid until the next call. */
hd_tokens hd_trace_tokens(hd_trace *trace);
hd_count hd_trace_count(const hd_trace *trace, hd_place_id place);
/* Threads that were given numbers so far, and where one of them is; HD_NOWHERE
 * when it is gone, or when numbers were given up. */
uint32_t hd_trace_threads(const hd_trace *trace);
hd_place_id hd_trace_place(const hd_trace *trace, uint32_t thread);
/* The thread that did the last step; 0 when it is not one thread's step. */
uint32_t hd_trace_thread(const hd_trace *trace);

#endif
