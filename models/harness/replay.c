/* SPDX-License-Identifier: MIT */
/* Forces a schedule on the program it is linked with.
 *
 * The program is compiled with -fsanitize=thread, but linked with this file in
 * place of ThreadSanitizer: each access to memory that others may reach calls
 * us first, and so does each call of a library function that threads can see
 * (library.c). schedule.h lists these actions in the order they have in the
 * run that is replayed. A thread that is about to do what its next step in the
 * list says waits until all steps before it are done; then it acts, and goes on
 * up to its next step. So one thread moves at a time.
 *
 * What the program does natively and the list does not have (other compilers
 * make other accesses to the stack) is let through. A call that comes while an
 * access is expected means that the access will not come: the list goes on
 * there. At the end of the list the violation must have happened:
 *   assert    the program itself fails, in the last move
 *   race      two threads stand before accesses to the same memory
 *   deadlock  all threads wait: they are let go, and none gets what it wants
 *   others    a signal, or a check of library.c
 *
 * Exit status: that of the program's own failure (an assertion aborts), or 10
 * for what is found here; 2 when the run could not be replayed. */
#define _GNU_SOURCE
#include "replay.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "schedule.h"

#define COUNT (sizeof steps / sizeof *steps)

/* Shared between threads, inside the gate. */
static struct thread threads[MOST_THREADS];
static volatile int n_threads;
static _Thread_local struct thread *myself;
static volatile bool skipped[COUNT + 1];
static volatile int position; /* of the step that is next */
static volatile int mover = -1;
static volatile bool is_over; /* all may go on */
static bool verbose;

/* --- waiting, by the kernel alone: the program's library is not used --- */

static int gate;         /* 0 open, 1 closed */
static unsigned changes; /* grows with everything one can wait for */

static void futex(void *word, int op, unsigned value) {
  syscall(SYS_futex, word, op | FUTEX_PRIVATE_FLAG, value, NULL, NULL, 0);
}

static void enter(void) {
  while (__atomic_exchange_n(&gate, 1, __ATOMIC_ACQUIRE))
    syscall(SYS_sched_yield);
}

static void leave(void) {
  __atomic_store_n(&gate, 0, __ATOMIC_RELEASE);
}

static void changed(void) {
  __atomic_add_fetch(&changes, 1, __ATOMIC_SEQ_CST);
  futex(&changes, FUTEX_WAKE, 1 << 30);
}

/* Inside the gate, which is open while one waits. */
static void wait_change(void) {
  unsigned now = __atomic_load_n(&changes, __ATOMIC_SEQ_CST);
  leave();
  futex(&changes, FUTEX_WAIT, now);
  enter();
}

/* --- saying something --- */

static const char *place(const void *pc) {
  static _Thread_local char text[256];
  const char *file;
  int line;
  if (!pc || !line_of(pc, &file, &line))
    return "?";
  snprintf(text, sizeof text, "%s:%d", file, line);
  return text;
}

static void tell(const char *format, ...) {
  va_list list;
  va_start(list, format);
  fflush(stdout);
  fputs("replay: ", stderr);
  vfprintf(stderr, format, list);
  fputc('\n', stderr);
  va_end(list);
}

void violation(const char *property, const void *pc, const char *text) {
  tell("%s: %s, in thread %d at %s", property, text, myself ? myself->id : 0,
       place(pc));
  _exit(10);
}

void diverged(const char *format, ...) {
  va_list list;
  va_start(list, format);
  fflush(stdout);
  fprintf(stderr, "replay: not reproduced, at step %d of %d: ", position,
          TURNS);
  vfprintf(stderr, format, list);
  fputc('\n', stderr);
  va_end(list);
  for (int i = 0; i < n_threads; i++)
    fprintf(stderr, "replay:   thread %d, %s, at %s: %s; next step %d\n", i,
            threads[i].live ? "alive" : "ended", place(threads[i].at.pc),
            threads[i].at.action ? threads[i].at.action : "-", threads[i].next);
  _exit(2);
}

static void standstill(int signal) {
  (void)signal;
  diverged("nothing happens any more");
}

/* --- steps --- */

static int step_after(int thread, int from) {
  for (size_t i = (size_t)from; i < COUNT; i++)
    if (steps[i].thread == thread && !skipped[i])
      return (int)i;
  return -1;
}

static bool is_memory(const char *action) {
  return !strcmp(action, "read") || !strcmp(action, "write") ||
         !strcmp(action, "update");
}

/* Copies of structs and initial values: a call there, accesses here. */
static bool is_copy(const char *action) {
  return !strcmp(action, "memcpy") || !strcmp(action, "memset") ||
         !strcmp(action, "memmove");
}

/* Whose stack the address is in. */
static int stack_of(const void *address) {
  for (int i = 0; i < n_threads; i++) {
    const char *base = threads[i].base;
    if (base && (const char *)address <= base &&
        (const char *)address > base - STACK_SIZE)
      return i;
  }
  return -1;
}

static bool same_line(const struct step *step, const void *pc) {
  const char *file;
  int line;
  return line_of(pc, &file, &line) && step->line == line &&
         !strcmp(files[step->file], file);
}

/* A stop that expects a read of a bit-field: gcc only writes it. */
static bool matches_stop(const struct step *step, const struct event *event) {
  return step >= steps + TURNS && is_memory(event->action) &&
         !strcmp(step->action, "read") && same_line(step, event->pc) &&
         step->stack == stack_of(event->address);
}

static bool matches(const struct step *step, const struct event *event) {
  if (!is_memory(event->action))
    return !strcmp(step->action, event->action);
  if (!same_line(step, event->pc))
    return false;
  if (is_copy(step->action))
    return true;
  return is_memory(step->action) && step->stack == stack_of(event->address) &&
         (!strcmp(step->action, event->action) ||
          !strcmp(step->action, "update") || !strcmp(event->action, "update"));
}

/* The step the thread is about to do, or -1. Accesses that are expected and left
 * out are passed over: to read a bit-field before it is written, for gcc, is
 * no access of its own. */
static int find(struct thread *t, const struct event *event) {
  if (t->next < 0)
    return -1;
  if (matches(&steps[t->next], event) || matches_stop(&steps[t->next], event))
    return t->next;
  bool memory = is_memory(event->action);
  for (int i = step_after(t->id, t->next + 1); i >= 0;
       i = step_after(t->id, i + 1)) {
    const struct step *before = &steps[i];
    if (memory && !same_line(before, event->pc))
      return -1; /* accesses are left out inside one line only */
    if (matches(before, event))
      return i;
    if (!is_memory(before->action) && !is_copy(before->action))
      return -1; /* another call, which will come first */
  }
  return -1;
}

static int current(void) {
  while (position < TURNS && skipped[position])
    position++;
  return position;
}

/* --- the end of the list --- */

static bool overlap(const struct event *a, const struct event *b) {
  const char *x = a->address, *y = b->address;
  const char *from = a->from, *other = b->from;
  return (x < y + b->size && y < x + a->size) ||
         (from && from < y + b->size && y < from + a->size) ||
         (other && other < x + a->size && x < other + b->size);
}

static void tell_access(const struct thread *t) {
  tell("  thread %d at %s: %s of %zu bytes at %p (%s)", t->id, place(t->at.pc),
       t->at.action, t->at.size, t->at.address,
       t->next >= 0 ? steps[t->next].what : "");
}

/* Both stand before their accesses: nothing orders them. */
static void end_in_race(void) {
  const struct thread *a = &threads[VIOLATOR], *b = &threads[OTHER];
  if (!a->stopped || !b->stopped)
    return;
  if (!a->at.address || !b->at.address || !overlap(&a->at, &b->at))
    diverged("the two accesses are not to the same memory");
  tell("race: two threads are about to access the same memory:");
  tell_access(a);
  tell_access(b);
  _exit(10);
}

static void end_in_deadlock(void) {
  for (int i = 0; i < n_threads; i++)
    if (threads[i].live && !threads[i].stopped)
      return;
  is_over = true;
  changed();
}

/* Inside the gate: after a move, is that all? */
static void check_end(void) {
  if (current() < TURNS || mover >= 0 || is_over)
    return;
  if (!strcmp(PROPERTY, "race"))
    end_in_race();
  else if (!strcmp(PROPERTY, "deadlock"))
    end_in_deadlock();
  else
    diverged("all steps are done and nothing has failed");
}

bool looks_for(const char *property) {
  return !strcmp(PROPERTY, property);
}

bool is_free(void) {
  return is_over;
}

/* --- a thread comes to an action --- */

static const struct step *take(struct thread *t, int i) {
  for (int k = t->next; k >= 0 && k < i; k = step_after(t->id, k + 1))
    skipped[k] = true;
  t->next = i;
  t->arrived = true;
  t->stopped = i >= TURNS;
  if (mover == t->id)
    mover = -1;
  check_end();
  changed();
  while (!is_over && !(i < TURNS && mover < 0 && current() == i))
    wait_change();
  t->stopped = false;
  if (is_over)
    return NULL;
  mover = t->id;
  position = i + 1;
  t->next = step_after(t->id, i + 1);
  if (verbose)
    tell("step %d: thread %d, %s:%d: %s %s", i + 1, t->id, files[steps[i].file],
         steps[i].line, steps[i].action, steps[i].what);
  return &steps[i];
}

/* --- weak memory --- */

/* The value is put where the access will look for it; when the thread comes back,
 * what it wrote is kept, and the newest value put there. Nobody else moves in the
 * meantime. */
static unsigned char found[COUNT + 1][16], wrote[COUNT + 1][16];

static void put(int source, const struct event *at) {
  if (source)
    memcpy((void *)at->address,
           source > 0 ? wrote[source - 1] : found[-source - 1], at->size);
}

static void hand(struct thread *t, const struct step *step) {
  if (!WEAK || !step || !is_memory(t->at.action) || t->at.size > 16)
    return;
  t->handed = (int)(step - steps) + 1;
  memcpy(found[t->handed - 1], t->at.address, t->at.size);
  put(step->from, &t->at);
}

static void keep(struct thread *t) {
  if (!t->handed)
    return;
  memcpy(wrote[t->handed - 1], t->at.address, t->at.size);
  put(steps[t->handed - 1].rest, &t->at);
  t->handed = 0;
}

const struct step *arrive(struct event event) {
  struct thread *t = self();
  const struct step *step = NULL;
  enter();
  keep(t);
  bool quiet = is_over || (t->atomic && is_memory(event.action));
  int i = quiet ? -1 : find(t, &event);
  if (i >= 0 || !is_memory(event.action))
    t->at = event;
  if (i >= 0)
    hand(t, step = take(t, i));
  else if (verbose && !is_over)
    tell("(thread %d, %s: %s)", t->id, place(event.pc), event.action);
  leave();
  return step;
}

const struct step *resume(void) {
  struct thread *t = self();
  const struct step *step = NULL;
  enter();
  keep(t);
  if (!is_over && t->next >= 0)
    step = take(t, t->next);
  leave();
  return step;
}

/* --- waiting for what the program waits for --- */

static void end_of_all(void) {
  tell("deadlock: all threads wait for each other:");
  for (int i = 0; i < n_threads; i++)
    if (threads[i].live)
      tell("  thread %d at %s, in %s", i, place(threads[i].at.pc),
           threads[i].at.action);
  _exit(10);
}

static bool all_wait(void) {
  for (int i = 0; i < n_threads; i++)
    if (threads[i].live && threads[i].tries < 3)
      return false;
  return true;
}

void wait_for(bool (*attempt)(void *), void *context) {
  struct thread *t = self();
  for (;;) {
    enter();
    if (attempt(context)) {
      for (int i = 0; i < n_threads; i++)
        threads[i].tries = 0;
      leave();
      return;
    }
    t->tries++;
    if (!is_over && strcmp(PROPERTY, "deadlock") != 0)
      diverged("thread %d has to wait at %s", t->id, place(t->at.pc));
    /* In the last step: a thread that waits for itself. */
    if (!is_over && current() == TURNS && mover == t->id && t->tries > 2)
      violation("deadlock", t->at.pc, "the thread waits for itself");
    if (is_over && all_wait())
      end_of_all();
    leave();
    usleep(200);
  }
}

/* --- threads --- */

static pthread_key_t ends;

struct thread *self(void) {
  return myself;
}

struct thread *thread_at(int i) {
  return &threads[i];
}

struct thread *thread_of(pthread_t handle) {
  for (int i = n_threads - 1; i >= 0; i--)
    if (pthread_equal(threads[i].handle, handle))
      return &threads[i];
  return NULL;
}

struct thread *thread_new(void) {
  if (n_threads == MOST_THREADS)
    diverged("too many threads");
  struct thread *t = &threads[n_threads];
  *t = (struct thread){.id = n_threads, .live = true};
  t->next = step_after(t->id, 0);
  n_threads++;
  return t;
}

/* The destructors of a thread run in rounds; this one waits for the last. */
static void at_thread_end(void *value) {
  intptr_t round = (intptr_t)value;
  if (round < PTHREAD_DESTRUCTOR_ITERATIONS) {
    pthread_setspecific(ends, (void *)(round + 1));
    return;
  }
  enter();
  keep(myself);
  for (int i = myself->next; i >= 0 && i < TURNS;
       i = step_after(myself->id, i + 1))
    skipped[i] = true;
  myself->live = false;
  myself->arrived = true;
  if (mover == myself->id)
    mover = -1;
  check_end();
  changed();
  leave();
}

void thread_begin(struct thread *thread, char *base) {
  myself = thread;
  thread->base = base;
  thread->handle = pthread_self();
  pthread_setspecific(ends, (void *)1);
}

void thread_await(struct thread *thread) {
  enter();
  while (!thread->arrived && !is_over)
    wait_change();
  leave();
}

bool thread_ended(const struct thread *thread) {
  return !thread->live;
}

/* --- signals and the start --- */

static void caught(int number, siginfo_t *info, void *context) {
  (void)context;
  char text[100];
  snprintf(text, sizeof text, "%s (address %p)", strsignal(number),
           number == SIGSEGV ? info->si_addr : NULL);
  if (number == SIGILL)
    snprintf(text, sizeof text, "undefined behaviour (-fsanitize=undefined)");
  violation(PROPERTY, myself ? myself->at.pc : NULL, text);
}

int replay_main(int argc, char **argv, char **environment); /* the program's */

static int run_main(int argc, char **argv, char **environment) {
  char here;
  thread_begin(thread_new(), &here);
  int status = replay_main(argc, argv, environment);
  arrive((struct event){.action = "return", .pc = PC});
  return status;
}

int main(int argc, char **argv, char **environment) {
  (void)argc;
  (void)argv;
  static char *values[] = {ARGUMENTS, NULL};
  verbose = getenv("REPLAY_VERBOSE") != NULL;
  lines_read();
  for (size_t i = 0; i < COUNT; i++)
    if (!is_wrapped(steps[i].action))
      skipped[i] = true;
  pthread_key_create(&ends, at_thread_end);
  struct sigaction action = {.sa_sigaction = caught, .sa_flags = SA_SIGINFO};
  if (strcmp(PROPERTY, "assert") != 0)
    for (size_t i = 0; i < 4; i++)
      sigaction((int[]){SIGSEGV, SIGBUS, SIGILL, SIGFPE}[i], &action, NULL);
  signal(SIGALRM, standstill);
  alarm(SECONDS);
  int status =
      run_main((int)(sizeof values / sizeof *values) - 1, values, environment);
  diverged("main has returned %d", status);
}
