/* SPDX-License-Identifier: MIT */
/* What programs written for GenMC say to their checker, in heddle's terms: threads
 * are those of POSIX, marks that only save work say nothing. Hazard pointers are
 * declared, so that a program that uses them is refused by name. */
#ifndef HEDDLE_GENMC_H
#define HEDDLE_GENMC_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

void __VERIFIER_assume(int condition);
_Bool __VERIFIER_nondet_bool(void);
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

/* Hazard pointers. */
typedef struct __heddle_hazard __VERIFIER_hp_t;
__VERIFIER_hp_t *__VERIFIER_hp_alloc(void);
void __VERIFIER_hp_free(__VERIFIER_hp_t *hazard);
void __VERIFIER_hp_clear(__VERIFIER_hp_t *hazard);
void __VERIFIER_hp_retire(void *block);
void *__heddle_hp_protect(__VERIFIER_hp_t *hazard, void *place);
#define __VERIFIER_hp_protect(hazard, place)                                   \
  __heddle_hp_protect(hazard, (void *)(place))

#ifdef __cplusplus
}
#endif

#endif
