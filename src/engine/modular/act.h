/* SPDX-License-Identifier: MIT */
/* Private to act*.c: one visible action of a class, about to happen. Whoever
 * executes it changes `l` and `k` and says how the thread goes on, by one of the
 * functions below, as often as there are ways to do so; never: it does not. */
#ifndef HD_ENGINE_MODULAR_ACT_H
#define HD_ENGINE_MODULAR_ACT_H

#include "engine/modular/classes.h"

typedef struct {
  modular *m;
  thread_id class;
  hd_edge_id edge;
  const hd_cedge *e; /* NULL: the thread ends */
  hd_library_fn fn;  /* of a call */
  local l;
  knowledge k;
  touches seen; /* the memory that it accesses */
  afters *out;
} action;

/* --- how it goes on (act.c) --- */

hd_value hd_modular_operand(const action *c, uint32_t i);
/* No effect where there is no such target. */
void hd_modular_set_target(action *c, uint32_t i, const hd_value *v);
/* Nothing can be proved, because of this. */
void hd_modular_refuse(action *c, const char *what);
void hd_modular_refuse_call(action *c);
/* Behind the action, or (`stay`) where it is. */
void hd_modular_go_on(action *c, bool stay);
void hd_modular_go_on_with(action *c, hd_value result);
void hd_modular_give(action *c, uint64_t result);
/* The same with this result and without what comes of it: `c` stays as it is. */
void hd_modular_fail(action *c, uint64_t failure);
void hd_modular_set_phase(action *c, phase next);
/* The thread may have to wait; others go on then, also when it is in an atomic
 * section. */
void hd_modular_may_wait(action *c);
/* Likewise, and no order of locks explains it. */
void hd_modular_blocks(action *c);

/* --- memory (act_memory.c) --- */

/* `valid`: what hd_access_targets left of an address. */
void hd_modular_store(action *c, const hd_value *valid, uint32_t bytes,
                      const hd_value *value);
/* Writes through a pointer that a library function is given; null: nowhere.
 * False: there is no memory, the thread does not go on. */
HD_MUST_USE bool hd_modular_write_to(action *c, const hd_value *address,
                                     uint32_t bytes, const hd_value *value);
/* An access, which may be atomic. */
void hd_modular_memory(action *c);
/* Copying and filling of memory that is shared. */
void hd_modular_block(action *c);

/* --- locks (act_lock.c) --- */

/* A mutex, spin lock or read-write lock is made, ended, taken, given back. */
void hd_modular_lock(action *c);
/* The thread has it no more. */
void hd_modular_let_go(action *c, uint32_t lock);
/* A wait for a condition. */
void hd_modular_condition(action *c);
/* An init function writes to all of its object; only the call's result is left to
 * do then. False: there is no memory. */
HD_MUST_USE bool hd_modular_make(action *c);

/* --- other synchronisation: nothing is known of its order (act_sync.c) --- */

void hd_modular_semaphore(action *c);
void hd_modular_barrier(action *c);
void hd_modular_meet(action *c);
void hd_modular_once(action *c);
void hd_modular_begin_atomic(action *c, bool enters);

/* --- threads (act_thread.c) --- */

void hd_modular_create(action *c);
void hd_modular_join(action *c);
/* Its own end, with this result. */
void hd_modular_finish(action *c, const node *n);

#endif
