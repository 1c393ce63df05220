/* SPDX-License-Identifier: MIT */
/* Stands between the program and its library. For each function NAME that
 * begins with WRAP or POINT the program calls replay_NAME (the Makefile renames
 * what is called in the program's object files, by these lines): it waits for
 * its turn and then does what the library does, where a thread would sleep by
 * trying again, so that replay.c knows who waits. INPUT functions take their values from the schedule.
 *
 * Condition variables, barriers and pthread_once are done here: a wait ends
 * when the schedule says so, which POSIX allows. */
#define _GNU_SOURCE
#include "replay.h"

#include <assert.h>
#include <errno.h>
#include <malloc.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "functions.h"

/* The names, for is_wrapped. */
#define NOTE(name)                                                             \
  static const char *const note_##name                                         \
      __attribute__((section("wrapped"), used)) = #name;
#define WRAP(type, name, ...)                                                  \
  NOTE(name)                                                                   \
  type replay_##name(__VA_ARGS__);                                             \
  type replay_##name(__VA_ARGS__)
#define ARRIVE(name) arrive((struct event){.action = #name, .pc = PC})
/* … with a lock or the like, which others may make or destroy meanwhile. */
#define ARRIVE_AT(name, object)                                                \
  arrive((struct event){#name, PC, object, sizeof *(object), NULL})
/* Only a place where others can come first. Written out twice: inside another
 * macro the names would be replaced. */
#define POINT(type, name, arguments, ...)                                      \
  NOTE(name)                                                                   \
  type replay_##name(__VA_ARGS__);                                             \
  type replay_##name(__VA_ARGS__) {                                            \
    ARRIVE(name);                                                              \
    return name arguments;                                                     \
  }
#define POINT_AT(type, name, object, arguments, ...)                           \
  NOTE(name)                                                                   \
  type replay_##name(__VA_ARGS__);                                             \
  type replay_##name(__VA_ARGS__) {                                            \
    arrive((struct event){#name, PC, object, sizeof *(object), NULL});         \
    return name arguments;                                                     \
  }

extern const char *const __start_wrapped[], *const __stop_wrapped[];

bool is_wrapped(const char *action) {
  static const char *const ours[] = {"read", "write",  "update", "return",
                                     "wake", "relock", "pass",   "wait"};
  for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
    if (!strcmp(action, ours[i]))
      return true;
  for (const char *const *name = __start_wrapped; name < __stop_wrapped; name++)
    if (!strcmp(action, *name))
      return true;
  return false;
}

static const struct timespec past;

/* --- memory --- */

#define ACCESS(function, what, bytes)                                          \
  void function(const void *address);                                          \
  void function(const void *address) {                                         \
    arrive((struct event){what, PC, address, bytes, NULL});                    \
  }
#define SIZE(bytes)                                                            \
  ACCESS(__tsan_read##bytes, "read", bytes)                                    \
  ACCESS(__tsan_write##bytes, "write", bytes)                                  \
  ACCESS(__tsan_unaligned_read##bytes, "read", bytes)                          \
  ACCESS(__tsan_unaligned_write##bytes, "write", bytes)                        \
  ACCESS(__tsan_volatile_read##bytes, "read", bytes)                           \
  ACCESS(__tsan_volatile_write##bytes, "write", bytes)
SIZE(1)
SIZE(2)
SIZE(4)
SIZE(8)
SIZE(16)

#define RANGE(function, what)                                                  \
  void function(const void *address, size_t size);                             \
  void function(const void *address, size_t size) {                            \
    arrive((struct event){what, PC, address, size, NULL});                     \
  }
RANGE(__tsan_read_range, "read")
RANGE(__tsan_write_range, "write")

void __tsan_init(void);
void __tsan_func_entry(void *pc);
void __tsan_func_exit(void);
void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_signal_fence(int order);
void __tsan_init(void) {}
void __tsan_func_entry(void *pc) {
  (void)pc;
}
void __tsan_func_exit(void) {}
void __tsan_atomic_thread_fence(int order) {
  (void)order;
}
void __tsan_atomic_signal_fence(int order) {
  (void)order;
}

#define ATOMIC(what)                                                           \
  arrive((struct event){what, PC, (const void *)p, sizeof *p, NULL})
#define RMW(bits, type, name)                                                  \
  type __tsan_atomic##bits##_##name(type *p, type value, int order);           \
  type __tsan_atomic##bits##_##name(type *p, type value, int order) {          \
    (void)order;                                                               \
    ATOMIC("update");                                                          \
    return __atomic_##name(p, value, __ATOMIC_SEQ_CST);                        \
  }
#define COMPARE(bits, type, name, weak)                                        \
  int __tsan_atomic##bits##_##name(type *p, type *old, type value, int order,  \
                                   int failure);                               \
  int __tsan_atomic##bits##_##name(type *p, type *old, type value, int order,  \
                                   int failure) {                              \
    (void)order;                                                               \
    (void)failure;                                                             \
    const struct step *step = ATOMIC("update");                                \
    if (weak && step && step->value) {                                         \
      *old = __atomic_load_n(p, __ATOMIC_SEQ_CST);                             \
      return 0;                                                                \
    }                                                                          \
    return __atomic_compare_exchange_n(p, old, value, 0, __ATOMIC_SEQ_CST,     \
                                       __ATOMIC_SEQ_CST);                      \
  }
#define WIDTH(bits, type)                                                      \
  type __tsan_atomic##bits##_load(type *p, int order);                         \
  type __tsan_atomic##bits##_load(type *p, int order) {                        \
    (void)order;                                                               \
    ATOMIC("read");                                                            \
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);                               \
  }                                                                            \
  void __tsan_atomic##bits##_store(type *p, type value, int order);            \
  void __tsan_atomic##bits##_store(type *p, type value, int order) {           \
    (void)order;                                                               \
    ATOMIC("write");                                                           \
    __atomic_store_n(p, value, __ATOMIC_SEQ_CST);                              \
  }                                                                            \
  type __tsan_atomic##bits##_exchange(type *p, type value, int order);         \
  type __tsan_atomic##bits##_exchange(type *p, type value, int order) {        \
    (void)order;                                                               \
    ATOMIC("update");                                                          \
    return __atomic_exchange_n(p, value, __ATOMIC_SEQ_CST);                    \
  }                                                                            \
  type __tsan_atomic##bits##_compare_exchange_val(                             \
      type *p, type old, type value, int order, int failure);                  \
  type __tsan_atomic##bits##_compare_exchange_val(                             \
      type *p, type old, type value, int order, int failure) {                 \
    (void)order;                                                               \
    (void)failure;                                                             \
    ATOMIC("update");                                                          \
    __atomic_compare_exchange_n(p, &old, value, 0, __ATOMIC_SEQ_CST,           \
                                __ATOMIC_SEQ_CST);                             \
    return old;                                                                \
  }                                                                            \
  COMPARE(bits, type, compare_exchange_strong, 0)                              \
  COMPARE(bits, type, compare_exchange_weak, 1)                                \
  RMW(bits, type, fetch_add)                                                   \
  RMW(bits, type, fetch_sub)                                                   \
  RMW(bits, type, fetch_and)                                                   \
  RMW(bits, type, fetch_or)                                                    \
  RMW(bits, type, fetch_xor)                                                   \
  RMW(bits, type, fetch_nand)
WIDTH(8, uint8_t)
WIDTH(16, uint16_t)
WIDTH(32, uint32_t)
WIDTH(64, uint64_t)

/* How much of a block is done before others come in between: 8 bytes for each of
 * the step's value, or all that is left. */
static size_t part(const struct step *step, size_t left) {
  size_t some = step ? 8 * (size_t)step->value : 0;
  return some && some < left ? some : left;
}

WRAP(void *, memcpy, void *to, const void *from, size_t n) {
  size_t done = 0;
  do {
    char *here = (char *)to + done;
    const char *there = (const char *)from + done;
    size_t size = part(
        arrive((struct event){"memcpy", PC, here, n - done, there}), n - done);
    memcpy(here, there, size);
    done += size;
  } while (done < n);
  return to;
}
WRAP(void *, mempcpy, void *to, const void *from, size_t n) {
  arrive((struct event){"mempcpy", PC, to, n, from});
  return mempcpy(to, from, n);
}
WRAP(void *, memmove, void *to, const void *from, size_t n) {
  arrive((struct event){"memmove", PC, to, n, from});
  return memmove(to, from, n);
}
WRAP(void *, memset, void *to, int byte, size_t n) {
  size_t done = 0;
  do {
    char *here = (char *)to + done;
    size_t size = part(
        arrive((struct event){"memset", PC, here, n - done, NULL}), n - done);
    memset(here, byte, size);
    done += size;
  } while (done < n);
  return to;
}
POINT(int, memcmp, (a, b, n), const void *a, const void *b, size_t n)
POINT(void *, memchr, (a, byte, n), const void *a, int byte, size_t n)
POINT(size_t, strlen, (s), const char *s)
POINT(size_t, strnlen, (s, n), const char *s, size_t n)
POINT(char *, strcpy, (to, from), char *to, const char *from)
POINT(char *, strncpy, (to, from, n), char *to, const char *from, size_t n)
POINT(char *, strcat, (to, from), char *to, const char *from)
POINT(char *, strncat, (to, from, n), char *to, const char *from, size_t n)
POINT(int, strcmp, (a, b), const char *a, const char *b)
POINT(int, strncmp, (a, b, n), const char *a, const char *b, size_t n)
POINT(char *, strchr, (s, c), const char *s, int c)
POINT(char *, strrchr, (s, c), const char *s, int c)
POINT(char *, strstr, (a, b), const char *a, const char *b)

/* --- allocation ---
 *
 * Where the violation is one of memory, each block ends at the end of a page
 * behind which nothing is mapped, and what is freed is never used again. */

struct block {
  char *start, *pages;
  size_t size, mapped;
  bool freed;
};
static struct block *blocks;
static size_t n_blocks;
static pthread_mutex_t blocks_lock = PTHREAD_MUTEX_INITIALIZER;

static void *fenced(size_t size) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  size_t align = size % 16 == 0 ? 16 : size % 8 == 0 ? 8 : size % 4 ? 1 : 4;
  size_t mapped = (size + align + page - 1) / page * page + page;
  char *pages = mmap(NULL, mapped, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED)
    return NULL;
  mprotect(pages + mapped - page, page, PROT_NONE);
  char *start = pages + mapped - page - size;
  pthread_mutex_lock(&blocks_lock);
  if (n_blocks % 256 == 0)
    blocks = realloc(blocks, (n_blocks + 256) * sizeof *blocks);
  blocks[n_blocks++] = (struct block){start, pages, size, mapped, false};
  pthread_mutex_unlock(&blocks_lock);
  return start;
}

static struct block *block_at(const void *p) {
  for (size_t i = n_blocks; i-- > 0;)
    if (blocks[i].start == p)
      return &blocks[i];
  return NULL;
}

static void release(void *p, const void *pc) {
  if (!p)
    return;
  pthread_mutex_lock(&blocks_lock);
  struct block *block = block_at(p);
  if (!block || block->freed)
    violation("memory", pc, block ? "freed twice" : "freed, but not allocated");
  block->freed = true;
  mprotect(block->pages, block->mapped, PROT_NONE);
  pthread_mutex_unlock(&blocks_lock);
}

static bool no_memory(const char *action, const void *pc) {
  const struct step *step = arrive((struct event){.action = action, .pc = pc});
  return step && step->value;
}

WRAP(void *, malloc, size_t size) {
  if (no_memory("malloc", PC))
    return NULL;
  return FENCES ? fenced(size) : malloc(size);
}
WRAP(void *, calloc, size_t n, size_t size) {
  if (no_memory("calloc", PC))
    return NULL;
  return FENCES ? fenced(n * size) : calloc(n, size);
}
WRAP(void *, realloc, void *p, size_t size) {
  if (no_memory("realloc", PC))
    return NULL;
  if (!FENCES)
    return realloc(p, size);
  void *fresh = fenced(size);
  struct block *block = block_at(p);
  if (fresh && block && !block->freed)
    for (size_t i = 0; i < size && i < block->size; i++)
      ((char *)fresh)[i] = block->start[i];
  release(p, PC);
  return fresh;
}
/* All of the block, for who looks at a part of it at the same time. */
static size_t freed_size(void *p) {
  if (!FENCES)
    return malloc_usable_size(p);
  struct block *block = block_at(p);
  return block ? block->size : 0;
}

WRAP(void, free, void *p) {
  arrive((struct event){"free", PC, p, freed_size(p), NULL});
  if (FENCES)
    release(p, PC);
  else
    free(p);
}
WRAP(char *, strdup, const char *s) {
  if (no_memory("strdup", PC))
    return NULL;
  size_t n = 1;
  while (s[n - 1])
    n++;
  char *copy = FENCES ? fenced(n) : malloc(n);
  for (size_t i = 0; copy && i < n; i++)
    copy[i] = s[i];
  return copy;
}

/* --- threads --- */

struct start {
  struct thread *thread;
  void *(*start)(void *);
  int (*start_c11)(void *);
  void *argument;
};

static void *run_thread(void *context) {
  struct start start = *(struct start *)context;
  char here;
  free(context);
  thread_begin(start.thread, &here);
  return start.start ? start.start(start.argument)
                     : (void *)(intptr_t)start.start_c11(start.argument);
}

static int create(pthread_t *handle, const pthread_attr_t *attributes,
                  struct start start) {
  struct start *copy = malloc(sizeof *copy);
  start.thread = thread_new();
  *copy = start;
  int status = pthread_create(handle, attributes, run_thread, copy);
  if (status)
    diverged("a thread cannot be created: %s", strerror(status));
  start.thread->handle = *handle;
  thread_await(start.thread);
  return status;
}

WRAP(int, pthread_create, pthread_t *handle, const pthread_attr_t *attributes,
     void *(*start)(void *), void *argument) {
  ARRIVE(pthread_create);
  return create(handle, attributes,
                (struct start){.start = start, .argument = argument});
}
WRAP(int, thrd_create, thrd_t *handle, thrd_start_t start, void *argument) {
  ARRIVE(thrd_create);
  return create(handle, NULL,
                (struct start){.start_c11 = start, .argument = argument});
}

static bool has_ended(void *context) {
  return !context || thread_ended(context);
}

WRAP(int, pthread_join, pthread_t handle, void **result) {
  ARRIVE(pthread_join);
  wait_for(has_ended, thread_of(handle));
  return pthread_join(handle, result);
}
WRAP(int, thrd_join, thrd_t handle, int *result) {
  ARRIVE(thrd_join);
  wait_for(has_ended, thread_of(handle));
  void *value;
  if (pthread_join(handle, &value))
    return thrd_error;
  if (result)
    *result = (int)(intptr_t)value;
  return thrd_success;
}

/* --- locks --- */

struct attempt {
  int (*function)(void *, const struct timespec *);
  void *object;
  int result;
};

static bool try_lock(void *context) {
  struct attempt *a = context;
  a->result = a->function(a->object, &past);
  return a->result != ETIMEDOUT && a->result != EBUSY;
}

static int lock(int (*function)(void *, const struct timespec *),
                void *object) {
  struct attempt attempt = {function, object, 0};
  wait_for(try_lock, &attempt);
  return attempt.result;
}

static int mutex_now(void *mutex, const struct timespec *time) {
  return pthread_mutex_timedlock(mutex, time);
}
static int read_now(void *rwlock, const struct timespec *time) {
  return pthread_rwlock_timedrdlock(rwlock, time);
}
static int write_now(void *rwlock, const struct timespec *time) {
  return pthread_rwlock_timedwrlock(rwlock, time);
}
static int spin_now(void *spin, const struct timespec *time) {
  (void)time;
  return pthread_spin_trylock(spin);
}

/* Wrong use of a mutex, as the native library sees it: glibc writes into it who
 * holds it, and that it was destroyed. */
static void must_be_made(const void *mutex, const void *pc) {
  if (looks_for("sync") && ((const pthread_mutex_t *)mutex)->__data.__kind < 0)
    violation("sync", pc, "the mutex is used after it was destroyed");
}
static int holder(const void *mutex) {
  return ((const pthread_mutex_t *)mutex)->__data.__owner;
}
static void must_hold(const void *mutex, const void *pc) {
  must_be_made(mutex, pc);
  if (looks_for("sync") && holder(mutex) != (int)gettid())
    violation("sync", pc, "the mutex is not held by the thread");
}
static void must_be_free(const void *mutex, const void *pc) {
  must_be_made(mutex, pc);
  if (looks_for("sync") && holder(mutex))
    violation("sync", pc, "the mutex is destroyed while it is held");
}

/* Who tries a lock may fail although nobody has it, or has it any more. */
static bool misses(const struct step *step) {
  return step && step->value;
}

WRAP(int, pthread_mutex_lock, pthread_mutex_t *mutex) {
  ARRIVE_AT(pthread_mutex_lock, mutex);
  must_be_made(mutex, PC);
  return lock(mutex_now, mutex);
}
WRAP(int, mtx_lock, mtx_t *mutex) {
  ARRIVE_AT(mtx_lock, mutex);
  return lock(mutex_now, mutex) ? thrd_error : thrd_success;
}
WRAP(int, pthread_mutex_timedlock, pthread_mutex_t *mutex,
     const struct timespec *time) {
  (void)time;
  ARRIVE_AT(pthread_mutex_timedlock, mutex);
  return pthread_mutex_timedlock(mutex, &past);
}
WRAP(int, pthread_mutex_clocklock, pthread_mutex_t *mutex, clockid_t clock,
     const struct timespec *time) {
  (void)clock;
  (void)time;
  ARRIVE_AT(pthread_mutex_clocklock, mutex);
  return pthread_mutex_timedlock(mutex, &past);
}
WRAP(int, mtx_timedlock, mtx_t *mutex, const struct timespec *time) {
  (void)time;
  ARRIVE_AT(mtx_timedlock, mutex);
  return mtx_timedlock(mutex, &past);
}
WRAP(int, pthread_mutex_trylock, pthread_mutex_t *mutex) {
  const struct step *step = ARRIVE_AT(pthread_mutex_trylock, mutex);
  return misses(step) ? EBUSY : pthread_mutex_trylock(mutex);
}
WRAP(int, pthread_mutex_unlock, pthread_mutex_t *mutex) {
  ARRIVE_AT(pthread_mutex_unlock, mutex);
  must_hold(mutex, PC);
  return pthread_mutex_unlock(mutex);
}
WRAP(int, pthread_mutex_destroy, pthread_mutex_t *mutex) {
  ARRIVE_AT(pthread_mutex_destroy, mutex);
  must_be_free(mutex, PC);
  return pthread_mutex_destroy(mutex);
}
POINT_AT(int, pthread_mutex_init, mutex, (mutex, attributes),
         pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
WRAP(int, mtx_trylock, mtx_t *mutex) {
  const struct step *step = ARRIVE_AT(mtx_trylock, mutex);
  return misses(step) ? thrd_busy : mtx_trylock(mutex);
}
WRAP(int, mtx_unlock, mtx_t *mutex) {
  ARRIVE_AT(mtx_unlock, mutex);
  must_hold(mutex, PC);
  return mtx_unlock(mutex);
}
WRAP(void, mtx_destroy, mtx_t *mutex) {
  ARRIVE_AT(mtx_destroy, mutex);
  must_be_free(mutex, PC);
  mtx_destroy(mutex);
}
POINT_AT(int, mtx_init, mutex, (mutex, kind), mtx_t *mutex, int kind)

WRAP(int, pthread_rwlock_rdlock, pthread_rwlock_t *rwlock) {
  ARRIVE_AT(pthread_rwlock_rdlock, rwlock);
  return lock(read_now, rwlock);
}
WRAP(int, pthread_rwlock_wrlock, pthread_rwlock_t *rwlock) {
  ARRIVE_AT(pthread_rwlock_wrlock, rwlock);
  return lock(write_now, rwlock);
}
WRAP(int, pthread_rwlock_timedrdlock, pthread_rwlock_t *rwlock,
     const struct timespec *time) {
  (void)time;
  ARRIVE_AT(pthread_rwlock_timedrdlock, rwlock);
  return pthread_rwlock_timedrdlock(rwlock, &past);
}
WRAP(int, pthread_rwlock_timedwrlock, pthread_rwlock_t *rwlock,
     const struct timespec *time) {
  (void)time;
  ARRIVE_AT(pthread_rwlock_timedwrlock, rwlock);
  return pthread_rwlock_timedwrlock(rwlock, &past);
}
WRAP(int, pthread_rwlock_tryrdlock, pthread_rwlock_t *rwlock) {
  const struct step *step = ARRIVE_AT(pthread_rwlock_tryrdlock, rwlock);
  return misses(step) ? EBUSY : pthread_rwlock_tryrdlock(rwlock);
}
WRAP(int, pthread_rwlock_trywrlock, pthread_rwlock_t *rwlock) {
  const struct step *step = ARRIVE_AT(pthread_rwlock_trywrlock, rwlock);
  return misses(step) ? EBUSY : pthread_rwlock_trywrlock(rwlock);
}
POINT_AT(int, pthread_rwlock_unlock, rwlock, (rwlock), pthread_rwlock_t *rwlock)
POINT_AT(int, pthread_rwlock_destroy, rwlock, (rwlock),
         pthread_rwlock_t *rwlock)
POINT_AT(int, pthread_rwlock_init, rwlock, (rwlock, attributes),
         pthread_rwlock_t *rwlock, const pthread_rwlockattr_t *attributes)

WRAP(int, pthread_spin_lock, pthread_spinlock_t *spin) {
  ARRIVE_AT(pthread_spin_lock, spin);
  return lock(spin_now, (void *)(uintptr_t)spin);
}
WRAP(int, pthread_spin_trylock, pthread_spinlock_t *spin) {
  const struct step *step = ARRIVE_AT(pthread_spin_trylock, spin);
  return misses(step) ? EBUSY : pthread_spin_trylock(spin);
}
POINT_AT(int, pthread_spin_unlock, spin, (spin), pthread_spinlock_t *spin)
POINT_AT(int, pthread_spin_init, spin, (spin, shared), pthread_spinlock_t *spin,
         int shared)
POINT_AT(int, pthread_spin_destroy, spin, (spin), pthread_spinlock_t *spin)

/* --- semaphores --- */

static bool sem_now(void *semaphore) {
  return sem_trywait(semaphore) == 0;
}

WRAP(int, sem_wait, sem_t *semaphore) {
  ARRIVE_AT(sem_wait, semaphore);
  wait_for(sem_now, semaphore);
  return 0;
}
WRAP(int, sem_timedwait, sem_t *semaphore, const struct timespec *time) {
  (void)time;
  ARRIVE_AT(sem_timedwait, semaphore);
  return sem_timedwait(semaphore, &past);
}
POINT_AT(int, sem_trywait, semaphore, (semaphore), sem_t *semaphore)
POINT_AT(int, sem_post, semaphore, (semaphore), sem_t *semaphore)
POINT_AT(int, sem_getvalue, semaphore, (semaphore, value), sem_t *semaphore,
         int *value)
POINT_AT(int, sem_init, semaphore, (semaphore, shared, value), sem_t *semaphore,
         int shared, unsigned value)
POINT_AT(int, sem_destroy, semaphore, (semaphore), sem_t *semaphore)

/* --- condition variables --- */

static bool is_signalled(void *context) {
  return ((struct thread *)context)->signalled;
}

static void wait_begin(const void *condition, pthread_mutex_t *mutex) {
  struct thread *t = self();
  t->condition = condition;
  t->signalled = false;
  pthread_mutex_unlock(mutex);
}

/* Gives what the wait returns. */
static int wait_end(pthread_mutex_t *mutex) {
  struct thread *t = self();
  const struct step *step = resume();
  uint64_t result = 0;
  if (step && !strcmp(step->action, "wake")) {
    result = step->value;
    t->condition = NULL;
    step = resume();
  } else if (!step && !t->signalled) {
    wait_for(is_signalled, t);
  }
  t->condition = NULL;
  lock(mutex_now, mutex);
  return (int)result;
}

static void signal_some(const void *condition, const struct step *step,
                        bool all) {
  for (int i = 0; i < MOST_THREADS; i++) {
    struct thread *t = thread_at(i);
    if (t->condition != condition ||
        (!all && step && step->value != (uint64_t)i))
      continue;
    t->signalled = true;
    t->condition = NULL;
    if (!all)
      return;
  }
}

WRAP(int, pthread_cond_wait, pthread_cond_t *condition,
     pthread_mutex_t *mutex) {
  ARRIVE_AT(pthread_cond_wait, condition);
  must_hold(mutex, PC);
  wait_begin(condition, mutex);
  return wait_end(mutex);
}
WRAP(int, pthread_cond_timedwait, pthread_cond_t *condition,
     pthread_mutex_t *mutex, const struct timespec *time) {
  (void)time;
  ARRIVE_AT(pthread_cond_timedwait, condition);
  must_hold(mutex, PC);
  wait_begin(condition, mutex);
  return wait_end(mutex);
}
WRAP(int, pthread_cond_clockwait, pthread_cond_t *condition,
     pthread_mutex_t *mutex, clockid_t clock, const struct timespec *time) {
  (void)clock;
  (void)time;
  ARRIVE_AT(pthread_cond_clockwait, condition);
  must_hold(mutex, PC);
  wait_begin(condition, mutex);
  return wait_end(mutex);
}
WRAP(int, cnd_wait, cnd_t *condition, mtx_t *mutex) {
  ARRIVE_AT(cnd_wait, condition);
  must_hold(mutex, PC);
  wait_begin(condition, (void *)mutex);
  return wait_end((void *)mutex);
}
WRAP(int, cnd_timedwait, cnd_t *condition, mtx_t *mutex,
     const struct timespec *time) {
  (void)time;
  ARRIVE_AT(cnd_timedwait, condition);
  must_hold(mutex, PC);
  wait_begin(condition, (void *)mutex);
  return wait_end((void *)mutex);
}
WRAP(int, pthread_cond_signal, pthread_cond_t *condition) {
  signal_some(condition, ARRIVE_AT(pthread_cond_signal, condition), false);
  return 0;
}
WRAP(int, pthread_cond_broadcast, pthread_cond_t *condition) {
  signal_some(condition, ARRIVE_AT(pthread_cond_broadcast, condition), true);
  return 0;
}
WRAP(int, cnd_signal, cnd_t *condition) {
  signal_some(condition, ARRIVE_AT(cnd_signal, condition), false);
  return 0;
}
WRAP(int, cnd_broadcast, cnd_t *condition) {
  signal_some(condition, ARRIVE_AT(cnd_broadcast, condition), true);
  return 0;
}
POINT_AT(int, pthread_cond_init, condition, (condition, attributes),
         pthread_cond_t *condition, const pthread_condattr_t *attributes)
POINT_AT(int, cnd_init, condition, (condition), cnd_t *condition)
WRAP(int, pthread_cond_destroy, pthread_cond_t *condition) {
  ARRIVE_AT(pthread_cond_destroy, condition);
  for (int i = 0; i < MOST_THREADS && looks_for("sync"); i++)
    if (thread_at(i)->live && thread_at(i)->condition == condition)
      violation("sync", PC, "a thread waits there");
  return 0;
}

/* --- barriers and once: what is known about them, by address --- */

struct known {
  const void *object;
  unsigned limit, count, round;
  int state;
};

static struct known *known(const void *object) {
  static struct known all[1024];
  for (size_t i = 0; i < 1024; i++)
    if (all[i].object == object || !all[i].object) {
      all[i].object = object;
      return &all[i];
    }
  diverged("too many barriers");
}

WRAP(int, pthread_barrier_init, pthread_barrier_t *barrier,
     const pthread_barrierattr_t *attributes, unsigned count) {
  ARRIVE_AT(pthread_barrier_init, barrier);
  struct known *k = known(barrier);
  k->limit = count;
  k->count = 0;
  return pthread_barrier_init(barrier, attributes, count);
}

static bool is_round_over(void *context) {
  return ((struct known *)context)->round != self()->barrier_round;
}

WRAP(int, pthread_barrier_wait, pthread_barrier_t *barrier) {
  ARRIVE_AT(pthread_barrier_wait, barrier);
  struct known *k = known(barrier);
  if (++k->count == k->limit) {
    k->count = 0;
    k->round++;
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  self()->barrier_round = k->round;
  if (!resume())
    wait_for(is_round_over, k);
  return 0;
}

static bool is_done(void *context) {
  return ((struct known *)context)->state != 1;
}

static void once(const void *control, void (*routine)(void)) {
  struct known *k = known(control);
  wait_for(is_done, k);
  if (k->state)
    return;
  k->state = 1;
  routine();
  k->state = 2;
}

WRAP(int, pthread_once, pthread_once_t *control, void (*routine)(void)) {
  ARRIVE_AT(pthread_once, control);
  once(control, routine);
  return 0;
}
WRAP(void, call_once, once_flag *flag, void (*routine)(void)) {
  ARRIVE_AT(call_once, flag);
  once(flag, routine);
}

/* --- the end --- */

WRAP(void, exit, int status) {
  ARRIVE(exit);
  diverged("the program calls exit(%d)", status);
}
WRAP(void, _exit, int status) {
  ARRIVE(_exit);
  diverged("the program calls _exit(%d)", status);
}
WRAP(void, abort, void) {
  ARRIVE(abort);
  diverged("the program calls abort");
}
WRAP(void, __assert_fail, const char *text, const char *file, unsigned line,
     const char *function) {
  ARRIVE(__assert_fail);
  fflush(stdout);
  fprintf(stderr, "replay: assert: the assertion fails in thread %d\n",
          self()->id);
  __assert_fail(text, file, line, function);
}

static void fail(const char *name) {
  fflush(stdout);
  fprintf(stderr, "replay: assert: thread %d calls %s\n", self()->id, name);
  signal(SIGABRT, SIG_DFL);
  raise(SIGABRT);
}

/* Sleeping changes nothing: who is next is in the schedule. */
WRAP(unsigned, sleep, unsigned seconds) {
  (void)seconds;
  return 0;
}
WRAP(int, nanosleep, const struct timespec *time, struct timespec *left) {
  (void)time;
  (void)left;
  return 0;
}

/* --- inputs --- */

#define TAKE(type, name)                                                       \
  const struct step *step = ARRIVE(name);                                      \
  uint64_t bits = step ? step->value : 0;                                      \
  type value;                                                                  \
  memcpy(&value, &bits, sizeof value);                                         \
  return value;
#define INPUT(type, name)                                                      \
  NOTE(name)                                                                   \
  __attribute__((weak)) type name(void);                                       \
  __attribute__((weak)) type name(void) {                                      \
    TAKE(type, name)                                                           \
  }
INPUT(_Bool, __VERIFIER_nondet_bool)
INPUT(_Bool, __VERIFIER_nondet__Bool)
INPUT(char, __VERIFIER_nondet_char)
INPUT(signed char, __VERIFIER_nondet_schar)
INPUT(unsigned char, __VERIFIER_nondet_uchar)
INPUT(short, __VERIFIER_nondet_short)
INPUT(unsigned short, __VERIFIER_nondet_ushort)
INPUT(int, __VERIFIER_nondet_int)
INPUT(unsigned, __VERIFIER_nondet_uint)
INPUT(unsigned, __VERIFIER_nondet_unsigned)
INPUT(long, __VERIFIER_nondet_long)
INPUT(unsigned long, __VERIFIER_nondet_ulong)
INPUT(long long, __VERIFIER_nondet_longlong)
INPUT(unsigned long long, __VERIFIER_nondet_ulonglong)
INPUT(float, __VERIFIER_nondet_float)
INPUT(double, __VERIFIER_nondet_double)
INPUT(size_t, __VERIFIER_nondet_size_t)
INPUT(uint8_t, __VERIFIER_nondet_u8)
INPUT(uint16_t, __VERIFIER_nondet_u16)
INPUT(uint32_t, __VERIFIER_nondet_u32)
INPUT(uint64_t, __VERIFIER_nondet_u64)
INPUT(int8_t, __VERIFIER_nondet_S8)
INPUT(long long, __VERIFIER_nondet_loff_t)
INPUT(void *, __VERIFIER_nondet_pointer)
INPUT(char *, __VERIFIER_nondet_pchar)
INPUT(int, heddle_nondet_bool)
INPUT(char, heddle_nondet_char)
INPUT(unsigned char, heddle_nondet_uchar)
INPUT(short, heddle_nondet_short)
INPUT(unsigned short, heddle_nondet_ushort)
INPUT(int, heddle_nondet_int)
INPUT(unsigned, heddle_nondet_uint)
INPUT(long, heddle_nondet_long)
INPUT(unsigned long, heddle_nondet_ulong)
INPUT(long long, heddle_nondet_longlong)
INPUT(unsigned long long, heddle_nondet_ulonglong)
INPUT(size_t, heddle_nondet_size_t)
WRAP(int, rand, void){TAKE(int, rand)} WRAP(int, rand_r, unsigned *seed) {
  (void)seed;
  TAKE(int, rand_r)
}
WRAP(long, random, void){TAKE(long, random)} WRAP(long, lrand48, void){
    TAKE(long, lrand48)} WRAP(time_t, time, time_t *where) {
  const struct step *step = ARRIVE(time);
  time_t now = step ? (time_t)step->value : 0;
  if (where)
    *where = now;
  return now;
}
WRAP(clock_t, clock, void){TAKE(clock_t, clock)} WRAP(pid_t, getpid, void) {
  TAKE(pid_t, getpid)
}

/* --- what a program says to a verifier --- */

#define OURS(name, body, ...)                                                  \
  NOTE(name)                                                                   \
  __attribute__((weak)) void name(__VA_ARGS__);                                \
  __attribute__((weak)) void name(__VA_ARGS__) body

static void check(const struct step *step, int condition) {
  (void)step;
  if (!condition)
    fail("an error function");
}

static void assume(const struct step *step, int condition) {
  (void)step;
  if (!condition)
    diverged("an assumption does not hold");
}

#define ASSUME(name)                                                           \
  OURS(                                                                        \
      name, { assume(ARRIVE(name), condition); }, int condition)
#define ASSERT(name)                                                           \
  OURS(                                                                        \
      name, { check(ARRIVE(name), condition); }, int condition)
#define ERROR(name)                                                            \
  OURS(                                                                        \
      name, { check(ARRIVE(name), 0); }, void)
#define BEGIN(name)                                                            \
  OURS(                                                                        \
      name,                                                                    \
      {                                                                        \
        ARRIVE(name);                                                          \
        self()->atomic++;                                                      \
      },                                                                       \
      void)
ASSUME(__VERIFIER_assume)
ASSUME(heddle_assume)
ASSERT(__VERIFIER_assert)
ASSERT(heddle_assert)
ERROR(__VERIFIER_error)
ERROR(reach_error)
BEGIN(__VERIFIER_atomic_begin)
BEGIN(heddle_atomic_begin)

#define END(name)                                                              \
  __attribute__((weak)) void name(void);                                       \
  __attribute__((weak)) void name(void) {                                      \
    self()->atomic--;                                                          \
  }
END(__VERIFIER_atomic_end)
END(heddle_atomic_end)

/* Functions of the program that mean something: those named
 * __VERIFIER_atomic_… are atomic sections, the others are errors. */
#define F(name)                                                                \
  static const char *const function_##name                                     \
      __attribute__((section("wrapped"), used)) = #name;                       \
  extern void name(void) __attribute__((weak));
FUNCTIONS
#undef F

struct function {
  const char *name;
  void *address;
};

static const struct function *function_at(const void *address) {
  static const struct function all[] = {
#define F(name) {#name, (void *)name},
      FUNCTIONS
#undef F
      {NULL, NULL}};
  for (size_t i = 0; all[i].name; i++)
    if (all[i].address && all[i].address == address)
      return &all[i];
  return NULL;
}

static bool is_section(const char *name) {
  return !strncmp(name, "__VERIFIER_atomic_", 18);
}

void __cyg_profile_func_enter(void *function, void *caller);
void __cyg_profile_func_exit(void *function, void *caller);

void __cyg_profile_func_enter(void *function, void *caller) {
  const struct function *f = self() ? function_at(function) : NULL;
  if (!f)
    return;
  arrive((struct event){.action = f->name, .pc = caller});
  if (is_section(f->name))
    self()->atomic++;
  else
    fail(f->name);
}

void __cyg_profile_func_exit(void *function, void *caller) {
  (void)caller;
  const struct function *f = self() ? function_at(function) : NULL;
  if (f && is_section(f->name))
    self()->atomic--;
}
