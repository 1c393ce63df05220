/* SPDX-License-Identifier: MIT */
/* What threads may still do, learned from what they were seen to do; and from
 * it the threads that have to be explored in a state.
 *
 * A thread's *control* is its number (or, when threads have no names, how it
 * began) and its stack of places. A *sight* is an
 * action seen pending (what it touches, what its thread owns then), or an effect
 * of a move that the action does not tell (the frames that it left, the end of
 * the program). The future of a control is the set of all sights of the thread
 * from there on, in any state of the search: the sights at the control and the
 * futures of the controls that it was seen to go on to. A *pose* is what a state
 * keeps of a thread: control, sight, can it move. */
#ifndef HD_ENGINE_EXPLORE_FUTURE_H
#define HD_ENGINE_EXPLORE_FUTURE_H

#include "engine/explore/footprint.h"
#include "engine/explore/pool.h"

typedef uint32_t hd_pose_id;
#define HD_NO_POSE UINT32_MAX /* the thread has ended */

typedef struct {
  uint32_t control, sight;
  uint8_t enabled, spurious, open;
  uint8_t joins;   /* main joins all that are awaited, and then goes on */
  uint8_t awaited; /* main will, or could, join it */
  uint8_t zero[3]; /* poses are compared as bytes */
  /* 1 + the thread that has to move before this one can (hd_machine_needs). */
  uint32_t needs;
} hd_pose;

/* One entry a thread ever created. Sets of threads are bitsets (base/bitset.h)
 * with a bit for each of them. */
typedef hd_vec(hd_pose_id) hd_poses;

typedef struct hd_future hd_future;

/* `spurious`: threads may wake up without a signal. `sections`: what atomic
 * sections touch is learned; otherwise they clash with everything. `nameless`: what
 * one thread was seen to do all may do that began with the same function and
 * argument (not with sections). */
hd_future *hd_future_new(bool spurious, bool sections, bool nameless);
/* Critical sections that only update variables come in any order, and so do atomic
 * updates (model/updates.h; takes the flags); and again they do not. */
void hd_future_take_updates(hd_future *future, uint8_t *updates);
void hd_future_drop_updates(hd_future *future);
/* Is the thread in a section that comes in any order? */
bool hd_future_in_update(const hd_future *future, hd_pose_id pose);
/* Do both stand before such a section of one lock? */
bool hd_future_take_turns(const hd_future *future, hd_pose_id a, hd_pose_id b);
void hd_future_delete(hd_future *future);

/* The pose of a thread in a machine that can go on; its sight is noted. */
hd_pose_id hd_future_pose(hd_future *future, const hd_machine *machine,
                          hd_tid thread);
/* The poses of all threads, into `poses`. Without names, and with `twins` (may be
 * NULL; the first thread that is like each), those of threads that are alike are
 * asked for once. */
void hd_future_poses(hd_future *future, const hd_machine *machine,
                     const hd_tid *twins, hd_poses *poses);
const hd_pose *hd_future_look(const hd_future *future, hd_pose_id pose);

/* A move of `mover` leads from poses `before` to `after`: notes where threads go
 * on and which were born. */
void hd_future_follow(hd_future *future, hd_tid mover, const hd_pose_id *before,
                      size_t n_before, const hd_pose_id *after, size_t n_after);
/* The thread that stood before its action in this pose has made a move, which
 * has led to the machine: notes what it touched and where it goes on (`after`;
 * HD_NO_POSE: nowhere). To be called before anything else moves. */
void hd_future_step(hd_future *future, const hd_machine *machine, hd_tid thread,
                    hd_pose_id before, hd_pose_id after);
/* `mover` went on from the poses without ending the run. */
void hd_future_pass(hd_future *future, hd_tid mover, const hd_pose_id *poses,
                    size_t n);
/* The thread's move in this pose changes its stack from this address on: it
 * enters or leaves functions. */
void hd_future_note_stack(hd_future *future, const hd_machine *machine,
                          hd_pose_id pose, uint64_t from);
/* … may change anything, or looks at everything. */
void hd_future_note_all(hd_future *future, hd_pose_id pose);

/* True when no other thread was seen to touch the thread's stack from this
 * address on; belied when one does later. */
bool hd_future_claim(hd_future *future, const hd_machine *machine,
                     hd_tid thread, uint64_t from);
bool hd_future_belied(const hd_future *future);
void hd_future_forget_claims(hd_future *future);

/* Grows whenever a future does. */
uint64_t hd_future_version(const hd_future *future);

void hd_future_enabled(const hd_future *future, const hd_pose_id *poses,
                       size_t n, uint64_t *out);
/* Enlarges `threads` (not empty, all can move) to the smallest set found that no
 * other thread can interfere with, as far as is known, before one of the set has
 * moved; to all threads that can move when there is none. */
void hd_future_close(hd_future *future, const hd_pose_id *poses, size_t n,
                     uint64_t *threads);
/* The smallest of these for a start at any thread; among equals one with `last`
 * (who may be HD_NO_ID). */
void hd_future_choose(hd_future *future, const hd_pose_id *poses, size_t n,
                      hd_tid last, uint64_t *out);

#endif
