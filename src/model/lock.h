/* SPDX-License-Identifier: MIT */
/* What locks and semaphores do, for all engines: a pure function from a state, as
 * one thread sees it, and what that thread asks for to what happens. POSIX has
 * the rules; where it leaves something undefined the answer is a misuse.
 *
 * check/interp does not use it: it has rules of its own, and a test compares the
 * two for all kinds, states and requests. */
#ifndef HD_MODEL_LOCK_H
#define HD_MODEL_LOCK_H

#include "model/library.h"

typedef enum {
  HD_LOCK_NORMAL, /* a mutex; an adaptive one is one, too */
  HD_LOCK_RECURSIVE,
  HD_LOCK_CHECKED, /* error-checking */
  HD_LOCK_SPIN,
  HD_LOCK_RW, /* a read-write lock that does not prefer writers */
  HD_LOCK_SEM,
  HD_LOCK_KINDS
} hd_lock_kind;

typedef enum { HD_OWNER_NOBODY, HD_OWNER_ME, HD_OWNER_OTHER } hd_owner;

typedef struct {
  hd_lock_kind kind;
  hd_owner owner;   /* of a mutex or spin lock; RW: who writes */
  uint32_t depth;   /* how often I have it: by locking or (RW) reading it */
  bool others_read; /* RW: somebody else does */
  uint32_t count;   /* SEM */
  bool awaited;     /* somebody else waits for it, as far as that is known */
} hd_lock;

typedef struct {
  hd_action action; /* ACQUIRE, RELEASE or UNMAKE */
  bool shared;      /* RW: to read */
  bool tries, timed;
  bool strict; /* of C11: who unlocks it shall have it, of any kind */
} hd_lock_request;

typedef enum {
  HD_LOCK_DONE,  /* it returns 0 */
  HD_LOCK_FAILS, /* it returns `error`, and nothing has changed */
  HD_LOCK_LATE,  /* it waits, or fails with `error` when its time is over */
  HD_LOCK_WAITS, /* it waits until the state is another */
  HD_LOCK_STUCK, /* it waits for itself, for ever; in C11 it is not defined */
  HD_LOCK_WRONG, /* not defined */
} hd_lock_outcome;

typedef struct {
  hd_lock_outcome outcome;
  int error;
  hd_lock after;
  /* Others learn what I did before, or I learn what they did. */
  bool publishes, learns;
} hd_lock_answer;

/* What the call of `fn` asks for: ACQUIRE, RELEASE or UNMAKE. */
hd_lock_request hd_lock_request_of(hd_library_fn fn);
/* By the bits that glibc has for the type of a mutex. */
hd_lock_kind hd_lock_mutex_kind(uint64_t bits);

hd_lock_answer hd_lock_ask(hd_lock lock, hd_lock_request request);

/* --- where not all is known of a lock --- */

typedef struct {
  unsigned kinds;       /* of 1 << hd_lock_kind: what it may be */
  unsigned owners;      /* of 1 << hd_owner: who may have it */
  uint32_t depth;       /* how often I have it, where I do */
  bool perhaps;         /* RW: I may not read it */
  bool others_may_read; /* RW */
  uint32_t count;       /* SEM: known */
} hd_lock_view;

enum { HD_LOCK_ERRORS = 4 };

typedef struct {
  unsigned outcomes; /* of 1 << hd_lock_outcome: what may happen */
  /* With what it may fail, at once (FAILS) or later (LATE); 0: no more. */
  int errors[HD_LOCK_ERRORS];
  /* Behind it, where it may be DONE: what is certain of it. */
  hd_lock after;
} hd_lock_answers;

/* All that may become of it. */
hd_lock_answers hd_lock_ask_any(const hd_lock_view *view,
                                hd_lock_request request);

static inline bool hd_lock_may(const hd_lock_answers *answers,
                               hd_lock_outcome outcome) {
  return answers->outcomes >> outcome & 1;
}

#endif
