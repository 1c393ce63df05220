/* SPDX-License-Identifier: MIT */
/* What programs written for GenMC say to their checker, in heddle's terms: threads
 * are those of POSIX, marks that only save work say nothing. Hazard pointers are as a
 * library has them (Michael, 2004): what is retired is freed at once, if nobody protects
 * it, or else never. */
#ifndef HEDDLE_GENMC_H
#define HEDDLE_GENMC_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

void __VERIFIER_assume(int condition);
_Bool __VERIFIER_nondet_bool(void);
void __VERIFIER_too_many_hazard_pointers(void);
int __VERIFIER_nondet_int(void);

typedef pthread_t __VERIFIER_thread_t;

static inline __VERIFIER_thread_t __VERIFIER_spawn(void *(*start)(void *),
                                                   void *argument) {
  pthread_t thread;
  pthread_create(&thread, NULL, start, argument);
  return thread;
}

static inline __VERIFIER_thread_t
__VERIFIER_spawn_symmetric(void *(*start)(void *), void *argument,
                           __VERIFIER_thread_t like) {
  (void)like;
  return __VERIFIER_spawn(start, argument);
}

static inline void *__VERIFIER_join(__VERIFIER_thread_t thread) {
  void *result = NULL;
  pthread_join(thread, &result);
  return result;
}

static inline void __VERIFIER_join_symmetric(__VERIFIER_thread_t thread) {
  pthread_join(thread, NULL);
}

/* Loops that wait: found without marks. */
void __VERIFIER_loop_begin(void);
void __VERIFIER_spin_start(void);
void __VERIFIER_spin_end(bool ends);

/* Marks of an action. */
#define __VERIFIER_local_write(action)                                         \
  do {                                                                         \
    action;                                                                    \
  } while (0)
/* "Nobody writes it again" is a claim that is not checked: refused by name. */
void __VERIFIER_final_begin(void);
#define __VERIFIER_final_write(action)                                         \
  do {                                                                         \
    __VERIFIER_final_begin();                                                  \
    action;                                                                    \
  } while (0)
#define __VERIFIER_helped_CAS(action) __VERIFIER_local_write(action)
#define __VERIFIER_helping_CAS(action) __VERIFIER_local_write(action)
#define __VERIFIER_speculative_read(action) (action)
#define __VERIFIER_confirming_read(action) (action)
#define __VERIFIER_confirming_CAS(action) (action)
#define __VERIFIER_final_CAS(action) (__VERIFIER_final_begin(), (action))
#define __VERIFIER_method_begin(name, value) ((void)(name), (void)(value))
#define __VERIFIER_method_end(name, value) ((void)(name), (void)(value))

/* What may be left out. */
#define __VERIFIER_optional(action)                                            \
  do {                                                                         \
    if (__VERIFIER_nondet_bool()) {                                            \
      action;                                                                  \
      __VERIFIER_assume(0);                                                    \
    }                                                                          \
  } while (0)

/* A lock of a specification. */
typedef struct {
  pthread_mutex_t lock;
} __VERIFIER_plock_t;

static inline int __VERIFIER_plock_lock(__VERIFIER_plock_t *lock) {
  return pthread_mutex_lock(&lock->lock);
}

static inline int __VERIFIER_plock_unlock(__VERIFIER_plock_t *lock) {
  return pthread_mutex_unlock(&lock->lock);
}

/* Hazard pointers. Who protects writes down the block, and then looks whether it is still
 * there; who retires it looks who has written it down. No place for one is used again. */
#ifndef __cplusplus
enum { __HEDDLE_HAZARDS = 32 };
typedef struct {
  void *_Atomic block;
} __VERIFIER_hp_t;
static __VERIFIER_hp_t __heddle_hazards[__HEDDLE_HAZARDS];
static _Atomic int __heddle_hazards_used;

static inline __VERIFIER_hp_t *__VERIFIER_hp_alloc(void) {
  int i = __c11_atomic_fetch_add(&__heddle_hazards_used, 1, __ATOMIC_RELAXED);
  if (i >= __HEDDLE_HAZARDS)
    __VERIFIER_too_many_hazard_pointers(); /* refused by name */
  return &__heddle_hazards[i];
}

static inline void __VERIFIER_hp_clear(__VERIFIER_hp_t *hazard) {
  __c11_atomic_store(&hazard->block, NULL, __ATOMIC_RELEASE);
}

static inline void __VERIFIER_hp_free(__VERIFIER_hp_t *hazard) {
  __VERIFIER_hp_clear(hazard);
}

static inline void *__heddle_hp_protect(__VERIFIER_hp_t *hazard,
                                        void *_Atomic *place) {
  void *seen = __c11_atomic_load(place, __ATOMIC_ACQUIRE);
  for (;;) {
    __c11_atomic_store(&hazard->block, seen, __ATOMIC_RELAXED);
    __c11_atomic_thread_fence(__ATOMIC_SEQ_CST);
    void *now = __c11_atomic_load(place, __ATOMIC_ACQUIRE);
    if (now == seen)
      return seen;
    seen = now;
  }
}

static inline void __VERIFIER_hp_retire(void *block) {
  __c11_atomic_thread_fence(__ATOMIC_SEQ_CST);
  int n = __c11_atomic_load(&__heddle_hazards_used, __ATOMIC_RELAXED);
  for (int i = 0; i < __HEDDLE_HAZARDS && i < n; i++)
    if (__c11_atomic_load(&__heddle_hazards[i].block, __ATOMIC_ACQUIRE) ==
        block)
      return;
  free(block);
}
#define __VERIFIER_hp_protect(hazard, place)                                   \
  __heddle_hp_protect(hazard, (void *_Atomic *)(place))
#endif

#ifdef __cplusplus
}
#endif

#endif
