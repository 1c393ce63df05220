/* SPDX-License-Identifier: MIT */
/* Signals: sets and masks are what they are. A handler would run at any time,
 * inside of any thread, which no model does: the runs in which none comes are
 * looked at, and one in which one comes is refused, so that nothing is safe but
 * what is wrong is found. */
#define _GNU_SOURCE
#include "model.h"

#include <signal.h>

int sigemptyset(sigset_t *set) {
  memset(set, 0, sizeof *set);
  return 0;
}

int sigfillset(sigset_t *set) {
  memset(set, 255, sizeof *set);
  return 0;
}

static int is_signal(int signal) {
  if (signal >= 1 && signal <= 64)
    return 1;
  errno = EINVAL;
  return 0;
}

int sigaddset(sigset_t *set, int signal) {
  if (!is_signal(signal))
    return -1;
  ((unsigned char *)set)[(signal - 1) / 8] |=
      (unsigned char)(1 << (signal - 1) % 8);
  return 0;
}

int sigdelset(sigset_t *set, int signal) {
  if (!is_signal(signal))
    return -1;
  ((unsigned char *)set)[(signal - 1) / 8] &=
      (unsigned char)~(1 << (signal - 1) % 8);
  return 0;
}

int sigismember(const sigset_t *set, int signal) {
  if (!is_signal(signal))
    return -1;
  return ((const unsigned char *)set)[(signal - 1) / 8] >> (signal - 1) % 8 & 1;
}

static _Thread_local sigset_t mask;

int pthread_sigmask(int how, const sigset_t *set, sigset_t *old) {
  unsigned char *m = (unsigned char *)&mask;
  const unsigned char *s = (const unsigned char *)set;
  if (old)
    memcpy(old, &mask, sizeof mask);
  if (set && how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK)
    return EINVAL;
  for (size_t i = 0; set && i < sizeof mask; i++)
    m[i] = (unsigned char)(how == SIG_BLOCK     ? m[i] | s[i]
                           : how == SIG_UNBLOCK ? m[i] & ~s[i]
                                                : s[i]);
  return 0;
}

int sigprocmask(int how, const sigset_t *set, sigset_t *old) {
  int error = pthread_sigmask(how, set, old);
  errno = error ? error : errno;
  return error ? -1 : 0;
}

static struct sigaction actions[65];
static int known[65];

/* What there was before; at the start signals may be ignored already. */
static void exchange(int signal, const struct sigaction *action,
                     struct sigaction *old) {
  heddle_atomic_begin();
  if (!known[signal]) {
    known[signal] = 1;
    actions[signal].sa_handler = heddle_nondet_bool() ? SIG_IGN : SIG_DFL;
  }
  struct sigaction before = actions[signal];
  if (action)
    actions[signal] = *action;
  heddle_atomic_end();
  if (old)
    *old = before;
}

static void may_come(void) {
  if (heddle_nondet_bool())
    __heddle_not_modelled("a signal that is handled");
}

int sigaction(int signal, const struct sigaction *action,
              struct sigaction *old) {
  if (!is_signal(signal) || signal == SIGKILL || signal == SIGSTOP) {
    errno = EINVAL;
    return -1;
  }
  exchange(signal, action, old);
  if (action && action->sa_handler != SIG_IGN && action->sa_handler != SIG_DFL)
    may_come();
  return 0;
}

__sighandler_t signal(int number, __sighandler_t handler) {
  if (!is_signal(number))
    return SIG_ERR;
  struct sigaction action = {.sa_handler = handler}, old;
  exchange(number, &action, &old);
  if (handler != SIG_IGN && handler != SIG_DFL)
    may_come();
  return old.sa_handler;
}

/* With -std=c99 and the like. That its action is gone when the first signal has
 * come is nothing that is looked at. */
__sighandler_t __sysv_signal(int number, __sighandler_t handler) {
  return signal(number, handler);
}

__sighandler_t bsd_signal(int number, __sighandler_t handler) {
  return signal(number, handler);
}

/* Some signal of the set comes. */
int sigwait(const sigset_t *set, int *signal) {
  *signal = heddle_nondet_int(1, 64);
  heddle_assume(sigismember(set, *signal) == 1);
  return 0;
}

int sigaltstack(const stack_t *stack, stack_t *old) {
  if (old)
    memset(old, 0, sizeof *old);
  return 0;
}

int siginterrupt(int signal, int flag) {
  return 0;
}

int kill(pid_t process, int signal) {
  if (signal)
    __heddle_not_modelled("kill");
  return heddle_status();
}
