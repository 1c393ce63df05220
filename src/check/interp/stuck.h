/* SPDX-License-Identifier: MIT */
/* Threads that wait for ever while others go on. On a finite graph of states: a
 * thread that waits in all states of a part that no move leads out of, in which
 * moves go on, and from which the program cannot end. Wake-ups without a reason
 * are no moves here: they do not save from a deadlock. Only waits for a signal, a
 * post or a barrier count: whoever waits for a lock, or for the end of a thread,
 * waits for one that is among these, or in a circle (cycle.c), or for one that
 * goes on. */
#ifndef HD_CHECK_INTERP_STUCK_H
#define HD_CHECK_INTERP_STUCK_H

#include "check/interp/interp.h"

/* A move from one state to another. */
typedef struct {
  uint32_t from, to;
} hd_link;

typedef struct {
  size_t n; /* states */
  const hd_link *links;
  size_t n_links;
  const uint64_t *waiting; /* of each state: its threads that wait, a set */
  const bool *ends;        /* … can the program end there with one move? */
} hd_stuck_graph;

/* A set of threads that wait for ever in `state`; 0: there is none. */
uint64_t hd_stuck_find(const hd_stuck_graph *graph, uint32_t *state);

/* Threads from 63 on are one, if there are more than 64: does one of them wait? */
#define HD_STUCK_REST ((uint64_t)1 << 63)

/* The threads that wait for what nobody in particular has to give. */
uint64_t hd_stuck_waiting(const hd_machine *machine);

/* Those of them that wait in all states that can be reached from here; 0 also when
 * the program can end, there are too many states, or it is not known whether it is
 * always the same. */
uint64_t hd_stuck_from(const hd_machine *machine);
/* "thread 1 waits at a.c:3:5 for ever, while others go on" */
void hd_stuck_print(hd_str *out, const hd_code *code, const hd_machine *machine,
                    uint64_t threads);

#endif
