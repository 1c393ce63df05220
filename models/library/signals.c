/* SPDX-License-Identifier: MIT */
/* Signals: sets and masks are what they are, and what a thread sends to itself comes
 * before the call returns. What comes from outside, or from another thread, comes at
 * any time, inside of any thread, which no model does: that none comes, and that it
 * comes at once, is looked at, so that what is wrong is found; that it comes later is
 * refused, so that nothing is safe. */
#define _GNU_SOURCE
#include "model.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

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

int sigisemptyset(const sigset_t *set) {
  sigset_t none;
  memset(&none, 0, sizeof none);
  return !memcmp(set, &none, 8);
}

int sigandset(sigset_t *to, const sigset_t *a, const sigset_t *b) {
  memset(to, 0, sizeof *to);
  for (int i = 0; i < 8; i++)
    ((unsigned char *)to)[i] =
        ((const unsigned char *)a)[i] & ((const unsigned char *)b)[i];
  return 0;
}

int sigorset(sigset_t *to, const sigset_t *a, const sigset_t *b) {
  memset(to, 0, sizeof *to);
  for (int i = 0; i < 8; i++)
    ((unsigned char *)to)[i] =
        ((const unsigned char *)a)[i] | ((const unsigned char *)b)[i];
  return 0;
}

int sigismember(const sigset_t *set, int signal) {
  if (!is_signal(signal))
    return -1;
  return ((const unsigned char *)set)[(signal - 1) / 8] >> (signal - 1) % 8 & 1;
}

static _Thread_local sigset_t mask, pending;

static void come_pending(void);

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
  come_pending();
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
    int always = signal == SIGKILL || signal == SIGSTOP;
    actions[signal].sa_handler =
        !always && heddle_nondet_bool() ? SIG_IGN : SIG_DFL;
  }
  struct sigaction before = actions[signal];
  if (action)
    actions[signal] = *action;
  heddle_atomic_end();
  if (old)
    *old = before;
}

/* --- what a signal does --- */

static void call(int signal, const struct sigaction *action) {
  if (action->sa_flags & SA_SIGINFO) {
    siginfo_t info;
    memset(&info, 0, sizeof info);
    info.si_signo = signal;
    action->sa_sigaction(signal, &info, NULL);
  } else {
    action->sa_handler(signal);
  }
}

/* In this thread, which does not block it. */
static void come(int signal) {
  struct sigaction action, gone = {.sa_handler = SIG_DFL};
  sigset_t before = mask;
  exchange(signal, NULL, &action);
  if (action.sa_handler == SIG_IGN)
    return;
  if (action.sa_handler == SIG_DFL) {
    if (signal == SIGCHLD || signal == SIGURG || signal == SIGWINCH ||
        signal == SIGCONT)
      return;
    if (signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN ||
        signal == SIGTTOU)
      __heddle_not_modelled("a process that is stopped");
    _exit(128 + signal);
  }
  if (action.sa_flags & SA_RESETHAND)
    exchange(signal, &gone, NULL);
  for (size_t i = 0; i < sizeof mask; i++)
    ((unsigned char *)&mask)[i] |= ((const unsigned char *)&action.sa_mask)[i];
  if (!(action.sa_flags & SA_NODEFER))
    sigaddset(&mask, signal);
  call(signal, &action);
  mask = before;
  come_pending();
}

static void come_pending(void) {
  for (int i = 1; i <= 64; i++)
    if (sigismember(&pending, i) && !sigismember(&mask, i)) {
      sigdelset(&pending, i);
      come(i);
    }
}

static int is_handled(int signal) {
  struct sigaction action;
  exchange(signal, NULL, &action);
  return action.sa_handler != SIG_IGN && action.sa_handler != SIG_DFL;
}

/* It is handled from now on, or on its way. */
static void may_come(int signal) {
  int when = heddle_nondet_int(0, 2);
  if (when == 1 && sigismember(&mask, signal))
    sigaddset(&pending, signal);
  else if (when == 1)
    come(signal);
  else if (when == 2)
    __heddle_not_modelled("a signal that is handled later");
}

int raise(int signal) {
  if (signal && !is_signal(signal))
    return -1;
  if (!signal)
    return 0;
  if (signal == SIGABRT && !is_handled(signal))
    abort();
  if (sigismember(&mask, signal))
    sigaddset(&pending, signal);
  else
    come(signal);
  return 0;
}

/* To one thread, or to any: it ends the process, is ignored, or is handled there. */
static void send_to_another(int signal) {
  struct sigaction action;
  exchange(signal, NULL, &action);
  if (action.sa_handler == SIG_IGN)
    return;
  __heddle_not_modelled("a signal that another thread gets");
}

int pthread_kill(pthread_t thread, int signal) {
  if (signal && !is_signal(signal))
    return EINVAL;
  if (signal && pthread_equal(thread, pthread_self()))
    return raise(signal);
  if (signal)
    send_to_another(signal);
  return 0;
}

int sigpending(sigset_t *set) {
  memcpy(set, &pending, sizeof pending);
  return 0;
}

/* Waits for one that is handled; where none is, for the end. */
int pause(void) {
  int signal = heddle_nondet_int(1, 64);
  if (!is_handled(signal) || sigismember(&mask, signal)) {
    int any = 0;
    for (int i = 1; i <= 64 && !any; i++)
      any = known[i] && is_handled(i) && !sigismember(&mask, i);
    heddle_assume(!any);
    _exit(128 + SIGTERM);
  }
  come(signal);
  errno = EINTR;
  return -1;
}

int sigsuspend(const sigset_t *set) {
  sigset_t before = mask;
  pthread_sigmask(SIG_SETMASK, set, NULL);
  int result = pause();
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = EINTR;
  return result;
}

/* --- timers --- */

unsigned alarm(unsigned seconds) {
  if (seconds && is_handled(SIGALRM))
    may_come(SIGALRM);
  else if (seconds && heddle_nondet_bool())
    come(SIGALRM);
  return heddle_nondet_uint(0, 1000);
}

int setitimer(__itimer_which_t which, const struct itimerval *value,
              struct itimerval *old) {
  int signal = which == ITIMER_REAL      ? SIGALRM
               : which == ITIMER_VIRTUAL ? SIGVTALRM
                                         : SIGPROF;
  if (old)
    memset(old, 0, sizeof *old);
  if ((value->it_value.tv_sec || value->it_value.tv_usec) && is_handled(signal))
    may_come(signal);
  return 0;
}

int getitimer(__itimer_which_t which, struct itimerval *to) {
  to->it_interval.tv_sec = heddle_nondet_long(0, INT_MAX);
  to->it_interval.tv_usec = heddle_nondet_long(0, 999999);
  to->it_value.tv_sec = heddle_nondet_long(0, INT_MAX);
  to->it_value.tv_usec = heddle_nondet_long(0, 999999);
  return heddle_status();
}

int sigaction(int signal, const struct sigaction *action,
              struct sigaction *old) {
  if (!is_signal(signal) || signal == SIGKILL || signal == SIGSTOP) {
    errno = EINVAL;
    return -1;
  }
  exchange(signal, action, old);
  if (action && action->sa_handler != SIG_IGN && action->sa_handler != SIG_DFL)
    may_come(signal);
  return 0;
}

__sighandler_t signal(int number, __sighandler_t handler) {
  if (!is_signal(number))
    return SIG_ERR;
  struct sigaction action = {.sa_handler = handler}, old;
  exchange(number, &action, &old);
  if (handler != SIG_IGN && handler != SIG_DFL)
    may_come(number);
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

/* One that is here already, or some signal of the set comes. */
int sigwait(const sigset_t *set, int *signal) {
  *signal = heddle_nondet_int(1, 64);
  heddle_assume(sigismember(set, *signal) == 1);
  sigdelset(&pending, *signal);
  return 0;
}

int sigwaitinfo(const sigset_t *set, siginfo_t *info) {
  int signal;
  sigwait(set, &signal);
  if (info) {
    memset(info, 0, sizeof *info);
    info->si_signo = signal;
  }
  return signal;
}

int sigtimedwait(const sigset_t *set, siginfo_t *info,
                 const struct timespec *limit) {
  heddle_look(limit, sizeof *limit);
  if (heddle_nondet_bool()) {
    errno = EAGAIN;
    return -1;
  }
  return sigwaitinfo(set, info);
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
  if (signal && !is_signal(signal))
    return -1;
  if (signal && process <= 0)
    __heddle_not_modelled("a signal to several processes");
  if (!signal || process != getpid())
    return heddle_status();
  if (sigismember(&mask, signal) || heddle_nondet_bool())
    send_to_another(signal);
  else
    come(signal);
  return 0;
}

/* Some text, in one place for all threads. */
char *strsignal(int signal) {
  static char text[32];
  heddle_text(text, sizeof text);
  return text;
}

void psignal(int signal, const char *text) {
  fprintf(stderr, "%s: signal %d\n", text ? text : "", signal);
}
