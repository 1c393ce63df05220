/* SPDX-License-Identifier: MIT */
/* Threads that are cancelled, in random runs: where everything that C leaves open
 * must stay open (`exact`) pthread_cancel is refused.
 *
 * A request is kept until the thread comes to a cancellation point, or stands at one
 * (POSIX 2.9.5.2); then the thread ends as if it called pthread_exit there. Who waits
 * for a signal has its mutex again before that. What may be a cancellation point and
 * need not be, output, has a choice. */
#include "check/interp/lib.h"

#include "check/interp/clocks.h"
#include "model/own.h"

#include <errno.h>
#include <string.h>

/* Those that POSIX says are, of the functions that the machine executes. */
static bool is_point(hd_library_fn fn) {
  static const hd_library_fn points[] = {HD_LIB_pthread_testcancel,
                                         HD_LIB_pthread_join,
                                         HD_LIB_pthread_cond_wait,
                                         HD_LIB_pthread_cond_timedwait,
                                         HD_LIB_pthread_cond_clockwait,
                                         HD_LIB_cnd_wait,
                                         HD_LIB_cnd_timedwait,
                                         HD_LIB_thrd_join,
                                         HD_LIB_thrd_sleep,
                                         HD_LIB_sem_wait,
                                         HD_LIB_sem_timedwait,
                                         HD_LIB_sem_clockwait,
                                         HD_LIB_sleep,
                                         HD_LIB_usleep,
                                         HD_LIB_nanosleep,
                                         HD_LIB_clock_nanosleep,
                                         HD_LIB_write};
  for (size_t i = 0; i < sizeof points / sizeof *points; i++)
    if (points[i] == fn)
      return true;
  return false;
}

static bool may_be_point(hd_library_fn fn) {
  return hd_library_kind_of(fn) == HD_LIBRARY_OUTPUT && fn != HD_LIB_sprintf &&
         fn != HD_LIB_snprintf && fn != HD_LIB_vsprintf &&
         fn != HD_LIB_vsnprintf;
}

/* Is it asked to end, and not at it already? */
bool hd_cancel_pends(const hd_thread *t) {
  return t->cancelled && !t->cancel[0];
}

bool hd_cancel_acts(const hd_thread *t, hd_library_fn fn, uint64_t choice) {
  return hd_cancel_pends(t) && (is_point(fn) || (choice && may_be_point(fn)));
}

bool hd_cancel_may_act(const hd_thread *t, hd_library_fn fn) {
  return hd_cancel_pends(t) && may_be_point(fn);
}

/* Functions that are executed for the library, or belong to a model, are not left
 * in the middle. */
static bool can_be_left(const hd_machine *m, const hd_thread *t) {
  const hd_code *code = m->plan->code;
  for (hd_vec_each(const hd_frame, f, &t->frames)) {
    bool plain = f->kind == HD_FRAME_PLAIN || f->kind == HD_FRAME_MAIN ||
                 f->kind == HD_FRAME_THREAD;
    if (!plain || hd_code_is_own(code, f->func))
      return false;
  }
  return true;
}

void hd_cancel_act(hd_machine *m, hd_thread *t) {
  assert(hd_cancel_pends(t));
  if (!can_be_left(m, t)) {
    hd_machine_stop(m, t->id, HD_MACHINE_UNSUPPORTED,
                    "a thread is cancelled inside of the library");
    return;
  }
  t->cancel[0] = true; /* handlers are not cancelled again */
  hd_machine_tell(m, HD_EVENT_STEP, t->id, HD_NO_ID, 0, "is cancelled");
  hd_machine_value cancelled = {hd_word_mask((uint8_t)(8 * hd_word(m))), 0};
  hd_thread_exit(m, t, cancelled);
}

/* It would be left at any time. */
bool hd_cancel_refused(hd_call *c, const hd_thread *t) {
  if (!t->cancelled || t->cancel[0] || !t->cancel[1])
    return false;
  hd_call_unsupported(c, "threads that can be cancelled at any time");
  return true;
}

void hd_lib_cancel(hd_call *c) {
  if (c->m->plan->options->exact) {
    hd_call_unsupported(c, "threads that are cancelled are looked at in random "
                           "runs only");
    return;
  }
  hd_tid other = hd_lib_thread_of(c->m, hd_arg(c, 0));
  if (other == HD_NO_ID || hd_thread_of(c->m, other)->joined) {
    hd_machine_violate(c->m, c->tid, HD_PROPERTY_SYNC,
                       "pthread_cancel of something that is no thread");
    if (hd_machine_runs(c->m))
      hd_return_int(c, ESRCH);
    return;
  }
  hd_thread *t = hd_thread_own(c->m, other);
  if (!t->ended)
    t->cancelled = true;
  if (!hd_cancel_refused(c, t))
    hd_return_int(c, 0);
}
