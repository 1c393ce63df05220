/* SPDX-License-Identifier: MIT */
/* The system's pthread.h, with cleanup handlers as calls that a verifier can
 * follow: the system's are made of setjmp. */
#include_next <pthread.h>

#ifndef HEDDLE_PTHREAD_H
#define HEDDLE_PTHREAD_H

#ifdef __cplusplus
extern "C" {
#endif

extern void __heddle_cleanup_push(void (*routine)(void *), void *argument);
extern void __heddle_cleanup_pop(int execute);

#ifdef __cplusplus
}
#endif

#undef pthread_cleanup_push
#undef pthread_cleanup_pop
#define pthread_cleanup_push(routine, argument)                                \
  do {                                                                         \
    __heddle_cleanup_push((routine), (argument));
#define pthread_cleanup_pop(execute)                                           \
  __heddle_cleanup_pop(execute);                                               \
  }                                                                            \
  while (0)

#endif
