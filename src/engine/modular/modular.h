/* SPDX-License-Identifier: MIT */
/* Thread-modular analysis: proves C programs for any number of threads, one
 * thread at a time, with what the others may do to it as an invariant.
 *
 * Threads are put into *classes*: all those that one call of pthread_create, in
 * one chain of calls of one class, creates. A class that can have only one member
 * is *unique*. Each class is analysed once, with the abstract states of the
 * unfolding (engine/unfold/state.h): registers, memory, trace partitioning.
 *
 * An object is *shared* when two threads may access it, one of them writing, and
 * the write is not before the other thread's creation. What a shared object may
 * contain at any time is one abstract value a cell, the join of all that anybody
 * writes: reads give that. Objects that a thread made itself are its own until
 * their address gets to where others can see it; and as long as there is only
 * main, everything is main's own. All else is followed exactly, since a new
 * thread starts with the memory its creator has.
 *
 * With each state goes the set of locks the thread certainly holds; states with
 * different sets are kept apart, so that locks taken under a condition and tried
 * locks are no problem. Two accesses to the same bytes, one of them a write and
 * not both atomic, can only race if they have no lock in common, and are not
 * ordered by creation or join.
 *
 * Deadlocks: nobody waits for ever if the order in which locks are taken and
 * threads are joined has no cycle, no thread ends with a lock in its hands, and
 * there is nothing else that blocks.
 *
 * Everything is iterated until nothing changes: states and invariants are widened,
 * classes, locks and objects are finitely many (beyond 64 classes or locks it
 * gives up), and the set of shared objects only grows. Verdicts: SAFE where there
 * is no alarm, for every number of threads the program may create. An alarm is
 * UNKNOWN: it may come from the abstraction.
 *
 * The idea is that of thread-modular abstract interpretation with interferences
 * (Miné) and of lock sets in the states (Vojdani and Vene's goblint). */
#ifndef HD_ENGINE_MODULAR_MODULAR_H
#define HD_ENGINE_MODULAR_MODULAR_H

#include "engine/unfold/unfold.h"

/* The properties that it looks at: the others it leaves open. */
#define HD_MODULAR_DECIDES                                                     \
  (HD_UNFOLD_DECIDES & ~(1u << HD_PROPERTY_UNINIT | 1u << HD_PROPERTY_SYNC))

/* The result is of the unfolding's form: verdicts, alarms, the reason when
 * nothing could be proved, `threads` (classes), `segments`, `rounds`. */
void hd_modular_prove(const hd_code *code, const hd_unfold_options *options,
                      hd_run *run, hd_unfold_result *result);

#endif
