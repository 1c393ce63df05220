/* SPDX-License-Identifier: MIT */
/* Private to the sync*.c files: one action that is being done. */
#ifndef HD_ENGINE_UNFOLD_SYNC_H
#define HD_ENGINE_UNFOLD_SYNC_H

#include "engine/unfold/event.h"
#include "model/lock.h"

typedef struct {
  structure *s;
  event_id id;
  thread_id thread;
  hd_edge_id edge;
  const hd_cedge *e;
  local *l;
  resource_state x; /* of the resource: before, then after */
  resource_state y; /* of the second one, likewise */
  bool stay;        /* the thread does not leave its place */
} action;

/* --- looking things up (sync.c) --- */

const hd_cedge *hd_sync_edge(const structure *s, hd_edge_id edge);
hd_value hd_sync_operand(structure *s, thread_id thread, const local *l,
                         const hd_cedge *e, uint32_t i);
/* The library function that the edge calls. */
hd_library_fn hd_sync_function(structure *s, const local *l, thread_id thread,
                               const hd_cedge *e);
resource_state hd_sync_untouched(void);
/* A mutex, spin lock, read-write lock or semaphore as the thread sees it. */
hd_lock hd_sync_lock_seen(const resource_state *x, hd_library_kind kind,
                          thread_id me);
/* In sets in which threads from 63 on are one. */
uint64_t hd_sync_bit(thread_id thread);
event *hd_sync_self(const action *c);
HD_MUST_USE bool hd_sync_give_up(structure *s, hd_edge_id edge,
                                 const char *why);

/* --- parts of what actions do (sync.c) --- */

void hd_sync_set_target(action *c, uint32_t i, const hd_value *v);
/* The call returns this; always true. */
HD_MUST_USE bool hd_sync_give(action *c, uint64_t value);
void hd_sync_learn_clock(action *c);
void hd_sync_set_clock(action *c, clock_vector *fresh);
void hd_sync_publish(action *c);
/* What happens then is not defined, so nothing is proved either: false. */
HD_MUST_USE bool hd_sync_misuse(action *c, const char *what);
HD_MUST_USE bool hd_sync_not_modelled(action *c, hd_library_fn fn);
/* As new; `mutex`: its kind. That orders nothing: who uses it must know by other
 * means. */
HD_MUST_USE bool hd_sync_initialise(action *c, uint8_t mutex);
HD_MUST_USE bool hd_sync_destroy(action *c);

/* --- the actions; false: the path ends --- */

/* sync_lock.c */
HD_MUST_USE bool hd_sync_mutex(action *c, hd_library_fn fn);
HD_MUST_USE bool hd_sync_rwlock(action *c, hd_library_fn fn);
HD_MUST_USE bool hd_sync_sem(action *c, hd_library_fn fn);
/* sync_wait.c */
HD_MUST_USE bool hd_sync_condition(action *c, hd_library_fn fn);
HD_MUST_USE bool hd_sync_barrier(action *c, hd_library_fn fn);
HD_MUST_USE bool hd_sync_once(action *c);
/* `enters`: a function that is atomic. */
HD_MUST_USE bool hd_sync_begin_atomic(action *c, bool enters);
HD_MUST_USE bool hd_sync_end_atomic(action *c);
HD_MUST_USE bool hd_sync_return(action *c);
/* sync_thread.c */
HD_MUST_USE bool hd_sync_create(action *c);
HD_MUST_USE bool hd_sync_join(action *c);
HD_MUST_USE bool hd_sync_detach(action *c);
HD_MUST_USE bool hd_sync_finish(action *c);
/* sync_memory.c */
HD_MUST_USE bool hd_sync_memory(action *c);

#endif
