/* SPDX-License-Identifier: MIT */
/* Waits of two halves (condition variables, barriers), and calls that are guarded
 * by something: once, atomic functions and sections. */
#include "engine/unfold/sync.h"

#include <errno.h>

static void set_phase(action *c, phase next, bool stay) {
  c->l->top = hd_frame_own(c->l->top);
  c->l->top->phase = (uint8_t)next;
  c->stay = stay;
}

/* The bit of a thread in a set of threads; 0: it is too many. */
static uint64_t bit_of(thread_id thread) {
  return thread < 64 ? (uint64_t)1 << thread : 0;
}

/* --- condition variables --- */

/* The last argument of a timed wait is read. */
static bool read_time(action *c) {
  if (c->e->n_operands <= 3)
    return true;
  hd_value time = hd_sync_operand(c->s, c->thread, c->l, c->e,
                                  c->e->n_operands - 1u),
           valid;
  uint32_t bytes = c->s->a->code->pointer_width / 4u;
  if (!hd_access_targets(c->s->a, c->l, c->edge, &time, bytes, &valid))
    return false;
  hd_value v = hd_access_load(c->l, &valid, bytes / 2);
  if (v.undef)
    hd_analysis_alarm(c->s->a, HD_PROPERTY_UNINIT, c->edge, HD_NO_ID,
                      "a time may be uninitialised");
  hd_access_note(&hd_sync_self(c)->touches, &valid, bytes, false, false,
                 c->edge);
  return true;
}

/* One mutex for a condition variable, if misuse is looked for. */
static bool is_bound_to_another(action *c) {
  const event *e = hd_sync_self(c);
  if (e->n_resources < 2 || !(c->s->a->options->checks >> HD_PROPERTY_SYNC & 1))
    return false;
  resource_id *bound = &c->s->uses.data[e->resources[1]].mutex;
  if (!*bound)
    *bound = e->resources[0] + 1;
  return *bound != e->resources[0] + 1;
}

static bool begin_wait(action *c) {
  if (!read_time(c))
    return false;
  if (is_bound_to_another(c))
    return hd_sync_misuse(c, "a condition variable may be waited for with two "
                             "mutexes at a time");
  if (c->x.owner != c->thread)
    return hd_sync_misuse(c, "waiting without holding the mutex");
  if (c->x.count != 1)
    return hd_sync_give_up(c->s, c->edge, "waiting with a mutex held twice");
  c->x.owner = HD_NO_ID;
  c->x.count = 0;
  hd_sync_publish(c);
  set_phase(c, PHASE_SECOND, true);
  if (!bit_of(c->thread))
    return hd_sync_give_up(c->s, c->edge, "too many threads wait");
  c->y.waiters |= bit_of(c->thread);
  return true;
}

/* Woken by a signal, by time or for no reason. */
static bool end_wait(action *c) {
  assert(c->x.owner == HD_NO_ID && c->x.count == 0);
  c->x.owner = c->thread;
  c->x.count = 1;
  c->y.waiters &= ~bit_of(c->thread);
  hd_sync_learn_clock(c);
  set_phase(c, PHASE_NONE, false);
  if (c->e->n_operands <= 3)
    return hd_sync_give(c, 0);
  hd_value either = hd_value_any(32); /* 0, or that it timed out */
  hd_sync_set_target(c, 0, &either);
  return true;
}

static bool wake(action *c, hd_library_fn fn) {
  if (hd_library_is(fn, HD_CALL_ALL))
    c->x.waiters = 0;
  else if (hd_sync_self(c)->woken != HD_NO_ID)
    c->x.waiters &= ~bit_of(hd_sync_self(c)->woken);
  return hd_sync_give(c, 0);
}

bool hd_sync_condition(action *c, hd_library_fn fn) {
  hd_action does = hd_library_action(fn);
  if (does == HD_DO_WAKE)
    return wake(c, fn);
  if (does == HD_DO_MAKE)
    return hd_sync_initialise(c, 0) && hd_sync_give(c, 0);
  if (does == HD_DO_UNMAKE)
    return hd_sync_destroy(c);
  if (does == HD_DO_PARK)
    return c->l->top->phase == PHASE_SECOND ? end_wait(c) : begin_wait(c);
  return hd_sync_not_modelled(c, fn);
}

/* --- barriers --- */

static bool arrive(action *c) {
  if (!c->x.started)
    return hd_sync_misuse(c, "a barrier is used that was not initialised");
  if (!bit_of(c->thread))
    return hd_sync_give_up(c->s, c->edge, "too many threads wait");
  hd_sync_publish(c);
  set_phase(c, PHASE_SECOND, true);
  c->x.waiters |= bit_of(c->thread);
  if ((uint32_t)__builtin_popcountll(c->x.waiters) == c->x.needed)
    c->x.waiters = 0;
  return true;
}

static bool init_barrier(action *c) {
  uint64_t n;
  hd_value v = hd_sync_operand(c->s, c->thread, c->l, c->e, 3);
  if (hd_value_is_const(&v, &n) && (n == 0 || n > INT32_MAX))
    return hd_sync_give(c, EINVAL);
  if (!hd_value_is_const(&v, &n))
    return hd_sync_give_up(c->s, c->edge, "the size of a barrier is not known");
  if (!hd_sync_initialise(c, 0))
    return false;
  c->x.needed = (uint32_t)n;
  return hd_sync_give(c, 0);
}

static bool meet(action *c) {
  if (c->l->top->phase != PHASE_SECOND)
    return arrive(c);
  assert(!(c->x.waiters & bit_of(c->thread))); /* all have come */
  hd_sync_learn_clock(c);
  set_phase(c, PHASE_NONE, false);
  hd_value v = hd_value_signed(32, -1, 0); /* one of them is told so */
  hd_sync_set_target(c, 0, &v);
  return true;
}

bool hd_sync_barrier(action *c, hd_library_fn fn) {
  hd_action does = hd_library_action(fn);
  return does == HD_DO_MAKE     ? init_barrier(c)
         : does == HD_DO_MEET   ? meet(c)
         : does == HD_DO_UNMAKE ? hd_sync_destroy(c)
                                : hd_sync_not_modelled(c, fn);
}

/* --- once and atomic sections --- */

bool hd_sync_begin_atomic(action *c, bool enters) {
  assert(c->x.owner == HD_NO_ID || c->x.owner == c->thread);
  c->x.owner = c->thread;
  c->x.count++;
  hd_sync_learn_clock(c);
  if (enters)
    set_phase(c, PHASE_ENTER, true);
  return true;
}

bool hd_sync_end_atomic(action *c) {
  if (c->x.owner != c->thread)
    return hd_sync_misuse(c, "an atomic section ends that was not begun");
  assert(c->x.count > 0);
  if (--c->x.count == 0) {
    c->x.owner = HD_NO_ID;
    hd_sync_publish(c);
  }
  return true;
}

bool hd_sync_once(action *c) {
  if (c->x.done) {
    hd_sync_learn_clock(c);
    return hd_sync_give(c, 0);
  }
  c->x.owner = c->thread;
  set_phase(c, PHASE_ENTER, true);
  return true;
}

bool hd_sync_return(action *c) {
  assert(c->l->top->guard != GUARD_NONE);
  set_phase(c, PHASE_LEAVE, true);
  if (c->l->top->guard == GUARD_ATOMIC)
    return hd_sync_end_atomic(c);
  c->x.owner = HD_NO_ID;
  c->x.done = true;
  hd_sync_publish(c);
  return true;
}
