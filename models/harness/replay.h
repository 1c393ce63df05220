/* SPDX-License-Identifier: MIT */
/* What the parts of a native replay share. replay.c keeps the order of the
 * schedule, library.c stands between the program and its library, lines.c knows
 * the source lines. */
#ifndef REPLAY_H
#define REPLAY_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One action of one thread, as schedule.h lists them. */
struct step {
  int thread;
  const char *action; /* "read", "write", "update", a function, "return" … */
  int file, line;
  int stack;        /* whose stack the memory is in; -1 = none */
  uint64_t value;   /* an input; who is woken; 1 = a failure */
  /* Runs of weak memory, accesses of one place: what is read, and what memory
   * holds afterwards: what step N wrote (N, from 1), or found (-N); 0: as it is. */
  int from, rest;
  const char *what; /* the memory, for people */
};

/* What a thread is about to do. */
struct event {
  const char *action;
  const void *pc;      /* where the program called us */
  const void *address; /* memory, and copies of it … */
  size_t size;
  const void *from; /* … from here */
};

struct thread {
  int id;
  pthread_t handle;
  char *base; /* the program's frames are below */
  int next;   /* its next step, or -1 */
  volatile bool live, arrived, stopped;
  int atomic;              /* sections it is in */
  struct event at;         /* where it stands, or what it did last */
  int handed;              /* weak memory: the step it makes, from 1; 0 = none */
  volatile unsigned tries; /* to get what it waits for, since anybody went on */
  const void *condition;   /* it waits for this condition variable … */
  bool signalled;          /* … and was woken */
  unsigned barrier_round;  /* it waits for the end of this round */
};

#define MOST_THREADS 1024

struct thread *self(void);
struct thread *thread_at(int i);
struct thread *thread_of(pthread_t handle);
/* A new thread's record; who it is, said by itself; its end. */
struct thread *thread_new(void);
void thread_begin(struct thread *thread, char *base);
void thread_await(struct thread *thread);
bool thread_ended(const struct thread *thread);

/* The thread is about to do this: returns when it is its turn. The step, or
 * NULL when the schedule does not speak of it. */
const struct step *arrive(struct event event);
/* In a wait: the next step of the thread, whatever it is. NULL when the schedule
 * is over. */
const struct step *resume(void);
/* Tries until it works; a deadlock is found here. */
void wait_for(bool (*attempt)(void *), void *context);
/* Has the schedule come to its end, are all free to go on? */
bool is_free(void);

/* Is the violation that is looked for one of this property? */
bool looks_for(const char *property);
/* The violation: says so and ends the process. */
void violation(const char *property, const void *pc, const char *text)
    __attribute__((noreturn));
/* The run is not the schedule's: says so and ends the process. */
void diverged(const char *format, ...)
    __attribute__((noreturn, format(printf, 1, 2)));

/* "file.c" and the line of an instruction; false when not known. */
bool line_of(const void *pc, const char **file, int *line);
void lines_read(void);

/* What is wrapped: the schedule's other calls are not waited for. */
bool is_wrapped(const char *action);

#define PC __builtin_return_address(0)

#endif
