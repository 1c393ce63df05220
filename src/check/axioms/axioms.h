/* SPDX-License-Identifier: MIT */
/* Is an execution graph one that the memory model allows? Judged from the axioms
 * alone: RC11 (Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017) with the release
 * sequences of C17 or of C23, sequential consistency, or TSO. Shares the graph
 * with who made it, and nothing else. */
#ifndef HD_CHECK_AXIOMS_H
#define HD_CHECK_AXIOMS_H

#include "model/execution.h"
#include "model/weak.h"

typedef struct hd_axioms hd_axioms;

/* Never NULL; the execution must outlive it. `c23`: a store ends release
 * sequences, also that of its thread. */
hd_axioms *hd_axioms_new(const hd_execution *execution, hd_memory_model model,
                         bool c23);
void hd_axioms_delete(hd_axioms *axioms);

/* NULL: it is allowed. Else the axiom that does not hold, and two events that
 * show it, where there are; HD_NO_ID: none. */
const char *hd_axioms_broken(const hd_axioms *axioms, hd_exec_id *a,
                             hd_exec_id *b);
/* Two accesses at these edges, one of them a write and one plain, that are not
 * ordered; HD_NO_ID: any edge. */
bool hd_axioms_race(const hd_axioms *axioms, hd_edge_id a, hd_edge_id b);

#endif
