/* SPDX-License-Identifier: MIT */
/* The verifier's functions for native runs of the programs.
 *
 * HEDDLE_SEED (0 if unset) chooses the inputs and yields. No function here
 * orders threads unless the program asks for it: inputs come from a relaxed
 * counter, so that ThreadSanitizer sees the program's own order only.
 *
 * A run that meets heddle_assume(0) ends with status 99. The threads created
 * are counted: after HEDDLE_CREATE of them (no limit if unset) the process
 * ends with status 0, which makes programs that create threads for ever end.
 * Functions called __VERIFIER_atomic_* hold a lock; the program is compiled
 * with -finstrument-functions for that. With -DSTRESS every load, store and
 * branch of the program may wait a little: clang's coverage calls us there. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "heddle.h"

static pthread_mutex_t atomic = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static unsigned long drawn, created;

static unsigned long setting(const char *name, unsigned long otherwise) {
  const char *text = getenv(name);
  return text ? strtoul(text, NULL, 10) : otherwise;
}

/* The next pseudo-random number: splitmix64 of seed and counter. */
static uint64_t draw(void) {
  uint64_t n = __atomic_add_fetch(&drawn, 1, __ATOMIC_RELAXED);
  uint64_t z = (setting("HEDDLE_SEED", 0) << 32) + n * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/* Small numbers, extreme ones and any: all of them find bugs. */
static uint64_t any(void) {
  static const uint64_t corners[] = {
      INT_MAX,    (uint64_t)INT_MIN, UINT_MAX, SHRT_MAX, LONG_MAX,
      UINT64_MAX, LONG_MIN,          255,      128};
  uint64_t r = draw();
  switch (r & 3) {
  case 0:
    return (r >> 2) % 2;
  case 1:
    return (r >> 2) % 10;
  case 2:
    return corners[(r >> 2) % (sizeof corners / sizeof *corners)];
  default:
    return draw();
  }
}

int heddle_nondet_int(int lo, int hi) {
  uint64_t width = (uint64_t)((int64_t)hi - lo) + 1;
  return (int)(lo + (int64_t)(draw() % width));
}

void heddle_assume(int condition) {
  if (!condition)
    _exit(99);
}

void heddle_assert(int condition) {
  if (!condition)
    abort();
}

void heddle_atomic_begin(void) {
  pthread_mutex_lock(&atomic);
}
void heddle_atomic_end(void) {
  pthread_mutex_unlock(&atomic);
}

#ifdef RANGE
int __VERIFIER_nondet_int(int lo, int hi) {
  return heddle_nondet_int(lo, hi);
}
#else
int __VERIFIER_nondet_int(void) {
  return (int)any();
}
#endif
unsigned __VERIFIER_nondet_uint(void) {
  return (unsigned)any();
}
_Bool __VERIFIER_nondet_bool(void) {
  return draw() & 1;
}
char __VERIFIER_nondet_char(void) {
  return (char)any();
}
unsigned char __VERIFIER_nondet_uchar(void) {
  return (unsigned char)any();
}
short __VERIFIER_nondet_short(void) {
  return (short)any();
}
unsigned short __VERIFIER_nondet_ushort(void) {
  return (unsigned short)any();
}
long __VERIFIER_nondet_long(void) {
  return (long)any();
}
unsigned long __VERIFIER_nondet_ulong(void) {
  return (unsigned long)any();
}
void __VERIFIER_assume(int condition) {
  heddle_assume(condition);
}
void __VERIFIER_error(void) {
  abort();
}
void __VERIFIER_atomic_begin(void) {
  heddle_atomic_begin();
}
void __VERIFIER_atomic_end(void) {
  heddle_atomic_end();
}

/* Whether the function is to run atomically, by its name. */
static int is_atomic(void *function) {
  Dl_info info;
  return dladdr(function, &info) && info.dli_sname &&
         strncmp(info.dli_sname, "__VERIFIER_atomic_", 18) == 0;
}

void __cyg_profile_func_enter(void *function, void *caller) {
  (void)caller;
  if (is_atomic(function))
    heddle_atomic_begin();
}

void __cyg_profile_func_exit(void *function, void *caller) {
  (void)caller;
  if (is_atomic(function))
    heddle_atomic_end();
}

int __real_pthread_create(pthread_t *, const pthread_attr_t *,
                          void *(*)(void *), void *);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr,
                          void *(*start)(void *), void *argument) {
  unsigned long n = __atomic_add_fetch(&created, 1, __ATOMIC_RELAXED);
  if (n > setting("HEDDLE_CREATE", ULONG_MAX)) {
    usleep(20000);
    _exit(0);
  }
  if (draw() % 8 == 0)
    usleep(200);
  return __real_pthread_create(thread, attr, start, argument);
}

#ifdef STRESS
/* Mostly goes on, sometimes lets others go first, for three lengths of time:
 * that brings out schedules which need a thread to rest for long. */
static void pause_sometimes(void) {
  static _Thread_local uint64_t state;
  if (state == 0)
    state = draw() | 1;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  switch (state >> 32 & 15) {
  case 0:
    usleep(1);
    break;
  case 1:
    usleep((state >> 40 & 7) == 0 ? 1500 : 100);
    break;
  case 2:
    usleep(300);
  }
}

#define POINT(name)                                                            \
  void name(void *address) {                                                   \
    (void)address;                                                             \
    pause_sometimes();                                                         \
  }
POINT(__sanitizer_cov_load1)
POINT(__sanitizer_cov_load2)
POINT(__sanitizer_cov_load4)
POINT(__sanitizer_cov_load8)
POINT(__sanitizer_cov_load16)
POINT(__sanitizer_cov_store1)
POINT(__sanitizer_cov_store2)
POINT(__sanitizer_cov_store4)
POINT(__sanitizer_cov_store8)
POINT(__sanitizer_cov_store16)

void __sanitizer_cov_trace_pc(void) {
  pause_sometimes();
}
#endif
