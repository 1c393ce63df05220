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
 * with -finstrument-functions for that.
 *
 * With -DSTRESS threads pause a little at random before they lock and, where
 * clang's coverage calls us, at loads, stores and branches. With -DATOMICS we
 * are ThreadSanitizer's run time, which does nothing but pause before every
 * access, atomic operations included. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
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

unsigned heddle_nondet_uint(void) {
  return (unsigned)any();
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

/* The names of other verifiers. */
void __CPROVER_assume(int condition) {
  heddle_assume(condition);
}

void __CPROVER_assert(int condition, const char *text) {
  (void)text;
  heddle_assert(condition);
}

void __ESBMC_assert(int condition, const char *text) {
  (void)text;
  heddle_assert(condition);
}

void assert(int condition) {
  heddle_assert(condition);
}

void __ESBMC_atomic_begin(void) {
  heddle_atomic_begin();
}

void __ESBMC_atomic_end(void) {
  heddle_atomic_end();
}

unsigned char nondet_uchar(void) {
  return (unsigned char)any();
}

unsigned char __VERIFIER_nondet_byte(void) {
  return (unsigned char)any();
}

void __VERIFIER_loop_begin(void) {
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
void __VERIFIER_nondet_memory(void *where, size_t size) {
  for (size_t i = 0; i < size; i++)
    ((unsigned char *)where)[i] = (unsigned char)heddle_nondet_uint();
}

unsigned __VERIFIER_nondet_uint(void) {
  return (unsigned)any();
}
_Bool __VERIFIER_nondet_bool(void) {
  return draw() & 1;
}
void *__VERIFIER_nondet_pointer(void) {
  return draw() & 1 ? (void *)16 : 0;
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
__attribute__((weak)) void reach_error(void) {
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
/* Every thread has its own pace: one pauses at every second access, another at
 * every 64th, for a short or a long time. That brings out schedules in which a
 * thread rests while others go far. */
static void pause_sometimes(void) {
  static _Thread_local uint64_t state, mask;
  if (state == 0) {
    state = draw() | 1;
    mask = (2u << (state >> 20) % 6) - 1;
  }
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  if ((state >> 32 & mask) == 0)
    usleep((state >> 40 & 15) == 0 ? 1500 : state >> 44 & 127);
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

#define LOCK(name, type)                                                       \
  int __real_##name(type *);                                                   \
  int __wrap_##name(type *lock) {                                              \
    pause_sometimes();                                                         \
    return __real_##name(lock);                                                \
  }
LOCK(pthread_mutex_lock, pthread_mutex_t)
LOCK(pthread_mutex_unlock, pthread_mutex_t)
LOCK(pthread_rwlock_rdlock, pthread_rwlock_t)
LOCK(pthread_rwlock_wrlock, pthread_rwlock_t)
LOCK(sem_wait, sem_t)
LOCK(pthread_cond_signal, pthread_cond_t)

int __real_pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int __wrap_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *lock) {
  pause_sometimes();
  return __real_pthread_cond_wait(condition, lock);
}
#endif

#ifdef ATOMICS
POINT(__tsan_read1)
POINT(__tsan_read2)
POINT(__tsan_read4)
POINT(__tsan_read8)
POINT(__tsan_read16)
POINT(__tsan_write1)
POINT(__tsan_write2)
POINT(__tsan_write4)
POINT(__tsan_write8)
POINT(__tsan_write16)
POINT(__tsan_unaligned_read2)
POINT(__tsan_unaligned_read4)
POINT(__tsan_unaligned_read8)
POINT(__tsan_unaligned_write2)
POINT(__tsan_unaligned_write4)
POINT(__tsan_unaligned_write8)
POINT(__tsan_func_entry)
void __tsan_func_exit(void) {}
void __tsan_init(void) {}
void __tsan_atomic_thread_fence(int order) {
  (void)order;
}

void *__tsan_memcpy(void *to, const void *from, unsigned long size) {
  for (unsigned long i = 0; i < size; i++) {
    if (i % 4 == 0)
      pause_sometimes();
    ((char *)to)[i] = ((const char *)from)[i];
  }
  return to;
}

void *__tsan_memmove(void *to, const void *from, unsigned long size) {
  pause_sometimes();
  return memmove(to, from, size);
}

void *__tsan_memset(void *to, int byte, unsigned long size) {
  pause_sometimes();
  return memset(to, byte, size);
}

#define UPDATE(bits, type, name)                                               \
  type __tsan_atomic##bits##_##name(type *p, type value, int order) {          \
    (void)order;                                                               \
    pause_sometimes();                                                         \
    return __atomic_##name(p, value, __ATOMIC_SEQ_CST);                        \
  }
#define COMPARE(bits, type, name)                                              \
  int __tsan_atomic##bits##_##name(type *p, type *old, type value, int order,  \
                                   int failure) {                              \
    (void)order;                                                               \
    (void)failure;                                                             \
    pause_sometimes();                                                         \
    return __atomic_compare_exchange_n(p, old, value, 0, __ATOMIC_SEQ_CST,     \
                                       __ATOMIC_SEQ_CST);                      \
  }
#define WIDTH(bits, type)                                                      \
  type __tsan_atomic##bits##_load(type *p, int order) {                        \
    (void)order;                                                               \
    pause_sometimes();                                                         \
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);                               \
  }                                                                            \
  void __tsan_atomic##bits##_store(type *p, type value, int order) {           \
    (void)order;                                                               \
    pause_sometimes();                                                         \
    __atomic_store_n(p, value, __ATOMIC_SEQ_CST);                              \
  }                                                                            \
  type __tsan_atomic##bits##_exchange(type *p, type value, int order) {        \
    (void)order;                                                               \
    pause_sometimes();                                                         \
    return __atomic_exchange_n(p, value, __ATOMIC_SEQ_CST);                    \
  }                                                                            \
  type __tsan_atomic##bits##_compare_exchange_val(                             \
      type *p, type old, type value, int order, int failure) {                 \
    (void)order;                                                               \
    (void)failure;                                                             \
    pause_sometimes();                                                         \
    __atomic_compare_exchange_n(p, &old, value, 0, __ATOMIC_SEQ_CST,           \
                                __ATOMIC_SEQ_CST);                             \
    return old;                                                                \
  }                                                                            \
  COMPARE(bits, type, compare_exchange_strong)                                 \
  COMPARE(bits, type, compare_exchange_weak)                                   \
  UPDATE(bits, type, fetch_add)                                                \
  UPDATE(bits, type, fetch_sub)                                                \
  UPDATE(bits, type, fetch_and)                                                \
  UPDATE(bits, type, fetch_or)                                                 \
  UPDATE(bits, type, fetch_xor)                                                \
  UPDATE(bits, type, fetch_nand)
WIDTH(8, uint8_t)
WIDTH(16, uint16_t)
WIDTH(32, uint32_t)
WIDTH(64, uint64_t)
#endif
