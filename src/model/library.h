/* SPDX-License-Identifier: MIT */
/* The library functions heddle knows, by name. A program that calls a function
 * it does not define calls one of these, or something unknown. What they do is
 * said by the interpreter (check/interp); REFUSED ones are known by name only,
 * and what MPI does comes with its engine. */
#ifndef HD_MODEL_LIBRARY_H
#define HD_MODEL_LIBRARY_H

#include "base/common.h"

/* kinds: what a function has to do with */
#define HD_LIBRARY_KINDS(X)                                                    \
  X(NONE, "unknown")                                                           \
  X(INPUT, "inputs")                                                           \
  X(VERIFY, "assumptions, assertions and errors")                              \
  X(ATOMIC, "atomic sections")                                                 \
  X(LIBATOMIC, "atomic accesses of any size")                                  \
  X(THREAD, "threads")                                                         \
  X(KEY, "thread-specific values")                                             \
  X(MUTEX, "mutexes")                                                          \
  X(RWLOCK, "read-write locks")                                                \
  X(SPIN, "spin locks")                                                        \
  X(COND, "condition variables")                                               \
  X(BARRIER, "barriers")                                                       \
  X(SEM, "semaphores")                                                         \
  X(ONCE, "once")                                                              \
  X(CLEANUP, "cleanup handlers")                                               \
  X(STACK, "stack and variable arguments")                                     \
  X(ATTR, "attributes")                                                        \
  X(SLEEP, "passing of time")                                                  \
  X(HEAP, "allocation")                                                        \
  X(MEMORY, "blocks of memory")                                                \
  X(STRING, "strings")                                                         \
  X(NUMBER, "numbers and characters")                                          \
  X(MATH, "mathematics")                                                       \
  X(SORT, "sorting and searching")                                             \
  X(OUTPUT, "output")                                                          \
  X(ENVIRONMENT, "environment")                                                \
  X(EXIT, "end of the program")                                                \
  X(MPI, "MPI")                                                                \
  X(REFUSED, "refused")

typedef enum {
#define X(name, text) HD_LIBRARY_##name,
  HD_LIBRARY_KINDS(X)
#undef X
      HD_LIBRARY_KIND_COUNT
} hd_library_kind;

/* name, kind; grouped by kind. A dot in a name (of LLVM's) is written _. */
#define HD_LIBRARY(X)                                                          \
  X(__VERIFIER_nondet_bool, INPUT)                                             \
  X(__VERIFIER_nondet__Bool, INPUT)                                            \
  X(__VERIFIER_nondet_char, INPUT)                                             \
  X(__VERIFIER_nondet_schar, INPUT)                                            \
  X(__VERIFIER_nondet_uchar, INPUT)                                            \
  X(__VERIFIER_nondet_short, INPUT)                                            \
  X(__VERIFIER_nondet_ushort, INPUT)                                           \
  X(__VERIFIER_nondet_int, INPUT)                                              \
  X(__VERIFIER_nondet_uint, INPUT)                                             \
  X(__VERIFIER_nondet_unsigned, INPUT)                                         \
  X(__VERIFIER_nondet_long, INPUT)                                             \
  X(__VERIFIER_nondet_ulong, INPUT)                                            \
  X(__VERIFIER_nondet_longlong, INPUT)                                         \
  X(__VERIFIER_nondet_ulonglong, INPUT)                                        \
  X(__VERIFIER_nondet_float, INPUT)                                            \
  X(__VERIFIER_nondet_double, INPUT)                                           \
  X(__VERIFIER_nondet_size_t, INPUT)                                           \
  X(__VERIFIER_nondet_u8, INPUT)                                               \
  X(__VERIFIER_nondet_u16, INPUT)                                              \
  X(__VERIFIER_nondet_u32, INPUT)                                              \
  X(__VERIFIER_nondet_u64, INPUT)                                              \
  X(__VERIFIER_nondet_S8, INPUT)                                               \
  X(__VERIFIER_nondet_pchar, INPUT)                                            \
  X(__VERIFIER_nondet_pointer, INPUT)                                          \
  X(__VERIFIER_nondet_loff_t, INPUT)                                           \
  X(__VERIFIER_nondet_any, INPUT)                                              \
  X(heddle_nondet_bool, INPUT)                                                 \
  X(heddle_nondet_char, INPUT)                                                 \
  X(heddle_nondet_uchar, INPUT)                                                \
  X(heddle_nondet_short, INPUT)                                                \
  X(heddle_nondet_ushort, INPUT)                                               \
  X(heddle_nondet_int, INPUT)                                                  \
  X(heddle_nondet_uint, INPUT)                                                 \
  X(heddle_nondet_long, INPUT)                                                 \
  X(heddle_nondet_ulong, INPUT)                                                \
  X(heddle_nondet_longlong, INPUT)                                             \
  X(heddle_nondet_ulonglong, INPUT)                                            \
  X(heddle_nondet_float, INPUT)                                                \
  X(heddle_nondet_double, INPUT)                                               \
  X(heddle_nondet_size_t, INPUT)                                               \
  X(rand, INPUT)                                                               \
  X(rand_r, INPUT)                                                             \
  X(random, INPUT)                                                             \
  X(lrand48, INPUT)                                                            \
  X(time, INPUT)                                                               \
  X(clock, INPUT)                                                              \
  X(getpid, INPUT)                                                             \
  X(__VERIFIER_assume, VERIFY)                                                 \
  X(__VERIFIER_assert, VERIFY)                                                 \
  X(__VERIFIER_error, VERIFY)                                                  \
  X(reach_error, VERIFY)                                                       \
  X(heddle_assume, VERIFY)                                                     \
  X(heddle_assert, VERIFY)                                                     \
  X(__assert_fail, VERIFY)                                                     \
  X(__assert_perror_fail, VERIFY)                                              \
  X(__assert, VERIFY)                                                          \
  X(__assert_rtn, VERIFY)                                                      \
  X(__VERIFIER_atomic_begin, ATOMIC)                                           \
  X(__VERIFIER_atomic_end, ATOMIC)                                             \
  X(heddle_atomic_begin, ATOMIC)                                               \
  X(heddle_atomic_end, ATOMIC)                                                 \
  X(__atomic_load, LIBATOMIC)                                                  \
  X(__atomic_store, LIBATOMIC)                                                 \
  X(__atomic_exchange, LIBATOMIC)                                              \
  X(__atomic_compare_exchange, LIBATOMIC)                                      \
  X(__atomic_is_lock_free, LIBATOMIC)                                          \
  X(pthread_create, THREAD)                                                    \
  X(pthread_join, THREAD)                                                      \
  X(pthread_exit, THREAD)                                                      \
  X(pthread_detach, THREAD)                                                    \
  X(pthread_self, THREAD)                                                      \
  X(pthread_equal, THREAD)                                                     \
  X(pthread_setname_np, THREAD)                                                \
  X(pthread_setconcurrency, THREAD)                                            \
  X(pthread_setcanceltype, THREAD)                                             \
  X(pthread_setcancelstate, THREAD)                                            \
  X(pthread_testcancel, THREAD)                                                \
  X(pthread_setaffinity_np, THREAD)                                            \
  X(thrd_create, THREAD)                                                       \
  X(thrd_join, THREAD)                                                         \
  X(thrd_exit, THREAD)                                                         \
  X(thrd_detach, THREAD)                                                       \
  X(thrd_current, THREAD)                                                      \
  X(thrd_equal, THREAD)                                                        \
  X(pthread_key_create, KEY)                                                   \
  X(pthread_key_delete, KEY)                                                   \
  X(pthread_setspecific, KEY)                                                  \
  X(pthread_getspecific, KEY)                                                  \
  X(tss_create, KEY)                                                           \
  X(tss_delete, KEY)                                                           \
  X(tss_set, KEY)                                                              \
  X(tss_get, KEY)                                                              \
  X(pthread_mutex_init, MUTEX)                                                 \
  X(pthread_mutex_destroy, MUTEX)                                              \
  X(pthread_mutex_lock, MUTEX)                                                 \
  X(pthread_mutex_trylock, MUTEX)                                              \
  X(pthread_mutex_timedlock, MUTEX)                                            \
  X(pthread_mutex_clocklock, MUTEX)                                            \
  X(pthread_mutex_unlock, MUTEX)                                               \
  X(pthread_mutex_consistent, MUTEX)                                           \
  X(mtx_init, MUTEX)                                                           \
  X(mtx_destroy, MUTEX)                                                        \
  X(mtx_lock, MUTEX)                                                           \
  X(mtx_trylock, MUTEX)                                                        \
  X(mtx_timedlock, MUTEX)                                                      \
  X(mtx_unlock, MUTEX)                                                         \
  X(pthread_rwlock_init, RWLOCK)                                               \
  X(pthread_rwlock_destroy, RWLOCK)                                            \
  X(pthread_rwlock_rdlock, RWLOCK)                                             \
  X(pthread_rwlock_tryrdlock, RWLOCK)                                          \
  X(pthread_rwlock_timedrdlock, RWLOCK)                                        \
  X(pthread_rwlock_wrlock, RWLOCK)                                             \
  X(pthread_rwlock_trywrlock, RWLOCK)                                          \
  X(pthread_rwlock_timedwrlock, RWLOCK)                                        \
  X(pthread_rwlock_unlock, RWLOCK)                                             \
  X(pthread_spin_init, SPIN)                                                   \
  X(pthread_spin_destroy, SPIN)                                                \
  X(pthread_spin_lock, SPIN)                                                   \
  X(pthread_spin_trylock, SPIN)                                                \
  X(pthread_spin_unlock, SPIN)                                                 \
  X(pthread_cond_init, COND)                                                   \
  X(pthread_cond_destroy, COND)                                                \
  X(pthread_cond_wait, COND)                                                   \
  X(pthread_cond_timedwait, COND)                                              \
  X(pthread_cond_clockwait, COND)                                              \
  X(pthread_cond_signal, COND)                                                 \
  X(pthread_cond_broadcast, COND)                                              \
  X(cnd_init, COND)                                                            \
  X(cnd_destroy, COND)                                                         \
  X(cnd_wait, COND)                                                            \
  X(cnd_timedwait, COND)                                                       \
  X(cnd_signal, COND)                                                          \
  X(cnd_broadcast, COND)                                                       \
  X(pthread_barrier_init, BARRIER)                                             \
  X(pthread_barrier_destroy, BARRIER)                                          \
  X(pthread_barrier_wait, BARRIER)                                             \
  X(sem_init, SEM)                                                             \
  X(sem_destroy, SEM)                                                          \
  X(sem_wait, SEM)                                                             \
  X(sem_trywait, SEM)                                                          \
  X(sem_timedwait, SEM)                                                        \
  X(sem_clockwait, SEM)                                                        \
  X(sem_post, SEM)                                                             \
  X(sem_getvalue, SEM)                                                         \
  X(pthread_once, ONCE)                                                        \
  X(call_once, ONCE)                                                           \
  X(__pthread_register_cancel, CLEANUP)                                        \
  X(__pthread_unregister_cancel, CLEANUP)                                      \
  X(__pthread_unwind_next, CLEANUP)                                            \
  X(__sigsetjmp, CLEANUP)                                                      \
  X(_pthread_cleanup_push, CLEANUP)                                            \
  X(_pthread_cleanup_pop, CLEANUP)                                             \
  X(__heddle_cleanup_push, CLEANUP)                                            \
  X(__heddle_cleanup_pop, CLEANUP)                                             \
  X(llvm_stacksave, STACK)                                                     \
  X(llvm_stackrestore, STACK)                                                  \
  X(llvm_lifetime_start, STACK)                                                \
  X(llvm_lifetime_end, STACK)                                                  \
  X(llvm_va_start, STACK)                                                      \
  X(llvm_va_end, STACK)                                                        \
  X(llvm_va_copy, STACK)                                                       \
  X(pthread_attr_init, ATTR)                                                   \
  X(pthread_attr_destroy, ATTR)                                                \
  X(pthread_attr_setdetachstate, ATTR)                                         \
  X(pthread_attr_getdetachstate, ATTR)                                         \
  X(pthread_attr_setstacksize, ATTR)                                           \
  X(pthread_attr_setscope, ATTR)                                               \
  X(pthread_attr_setguardsize, ATTR)                                           \
  X(pthread_attr_setschedpolicy, ATTR)                                         \
  X(pthread_attr_setinheritsched, ATTR)                                        \
  X(pthread_attr_setschedparam, ATTR)                                          \
  X(pthread_mutexattr_init, ATTR)                                              \
  X(pthread_mutexattr_destroy, ATTR)                                           \
  X(pthread_mutexattr_settype, ATTR)                                           \
  X(pthread_mutexattr_gettype, ATTR)                                           \
  X(pthread_mutexattr_setpshared, ATTR)                                        \
  X(pthread_mutexattr_setrobust, ATTR)                                         \
  X(pthread_mutexattr_setprotocol, ATTR)                                       \
  X(pthread_rwlockattr_init, ATTR)                                             \
  X(pthread_rwlockattr_destroy, ATTR)                                          \
  X(pthread_rwlockattr_setpshared, ATTR)                                       \
  X(pthread_rwlockattr_setkind_np, ATTR)                                       \
  X(pthread_condattr_init, ATTR)                                               \
  X(pthread_condattr_destroy, ATTR)                                            \
  X(pthread_condattr_setclock, ATTR)                                           \
  X(pthread_condattr_setpshared, ATTR)                                         \
  X(pthread_barrierattr_init, ATTR)                                            \
  X(pthread_barrierattr_destroy, ATTR)                                         \
  X(pthread_barrierattr_setpshared, ATTR)                                      \
  X(sched_yield, SLEEP)                                                        \
  X(openmp_region, SLEEP)                                                      \
  X(pthread_yield, SLEEP)                                                      \
  X(thrd_yield, SLEEP)                                                         \
  X(sleep, SLEEP)                                                              \
  X(usleep, SLEEP)                                                             \
  X(nanosleep, SLEEP)                                                          \
  X(clock_nanosleep, SLEEP)                                                    \
  X(thrd_sleep, SLEEP)                                                         \
  X(clock_gettime, SLEEP)                                                      \
  X(gettimeofday, SLEEP)                                                       \
  X(timespec_get, SLEEP)                                                       \
  X(malloc, HEAP)                                                              \
  X(calloc, HEAP)                                                              \
  X(realloc, HEAP)                                                             \
  X(reallocarray, HEAP)                                                        \
  X(free, HEAP)                                                                \
  X(cfree, HEAP)                                                               \
  X(aligned_alloc, HEAP)                                                       \
  X(memalign, HEAP)                                                            \
  X(valloc, HEAP)                                                              \
  X(posix_memalign, HEAP)                                                      \
  X(memcpy, MEMORY)                                                            \
  X(mempcpy, MEMORY)                                                           \
  X(memmove, MEMORY)                                                           \
  X(memset, MEMORY)                                                            \
  X(bzero, MEMORY)                                                             \
  X(explicit_bzero, MEMORY)                                                    \
  X(memcmp, MEMORY)                                                            \
  X(bcmp, MEMORY)                                                              \
  X(memchr, MEMORY)                                                            \
  X(memrchr, MEMORY)                                                           \
  X(rawmemchr, MEMORY)                                                         \
  X(strlen, STRING)                                                            \
  X(strnlen, STRING)                                                           \
  X(strcpy, STRING)                                                            \
  X(stpcpy, STRING)                                                            \
  X(strncpy, STRING)                                                           \
  X(strcat, STRING)                                                            \
  X(strncat, STRING)                                                           \
  X(strcmp, STRING)                                                            \
  X(strncmp, STRING)                                                           \
  X(strcasecmp, STRING)                                                        \
  X(strncasecmp, STRING)                                                       \
  X(strcoll, STRING)                                                           \
  X(strchr, STRING)                                                            \
  X(strchrnul, STRING)                                                         \
  X(strrchr, STRING)                                                           \
  X(strstr, STRING)                                                            \
  X(strspn, STRING)                                                            \
  X(strcspn, STRING)                                                           \
  X(strpbrk, STRING)                                                           \
  X(strdup, STRING)                                                            \
  X(strndup, STRING)                                                           \
  X(strerror, STRING)                                                          \
  X(strtol, NUMBER)                                                            \
  X(strtoul, NUMBER)                                                           \
  X(strtoll, NUMBER)                                                           \
  X(strtoull, NUMBER)                                                          \
  X(strtod, NUMBER)                                                            \
  X(strtof, NUMBER)                                                            \
  X(__isoc23_strtol, NUMBER)                                                   \
  X(__isoc23_strtoul, NUMBER)                                                  \
  X(__isoc23_strtoll, NUMBER)                                                  \
  X(__isoc23_strtoull, NUMBER)                                                 \
  X(atoi, NUMBER)                                                              \
  X(atol, NUMBER)                                                              \
  X(atoll, NUMBER)                                                             \
  X(atof, NUMBER)                                                              \
  X(abs, NUMBER)                                                               \
  X(labs, NUMBER)                                                              \
  X(llabs, NUMBER)                                                             \
  X(ffs, NUMBER)                                                               \
  X(toupper, NUMBER)                                                           \
  X(tolower, NUMBER)                                                           \
  X(isalpha, NUMBER)                                                           \
  X(isdigit, NUMBER)                                                           \
  X(isalnum, NUMBER)                                                           \
  X(isspace, NUMBER)                                                           \
  X(isupper, NUMBER)                                                           \
  X(islower, NUMBER)                                                           \
  X(isxdigit, NUMBER)                                                          \
  X(ispunct, NUMBER)                                                           \
  X(isprint, NUMBER)                                                           \
  X(isgraph, NUMBER)                                                           \
  X(iscntrl, NUMBER)                                                           \
  X(isblank, NUMBER)                                                           \
  X(isascii, NUMBER)                                                           \
  X(sin, MATH)                                                                 \
  X(cos, MATH)                                                                 \
  X(tan, MATH)                                                                 \
  X(asin, MATH)                                                                \
  X(acos, MATH)                                                                \
  X(atan, MATH)                                                                \
  X(atan2, MATH)                                                               \
  X(sinh, MATH)                                                                \
  X(cosh, MATH)                                                                \
  X(tanh, MATH)                                                                \
  X(exp, MATH)                                                                 \
  X(exp2, MATH)                                                                \
  X(expm1, MATH)                                                               \
  X(log, MATH)                                                                 \
  X(log2, MATH)                                                                \
  X(log10, MATH)                                                               \
  X(log1p, MATH)                                                               \
  X(pow, MATH)                                                                 \
  X(sqrt, MATH)                                                                \
  X(cbrt, MATH)                                                                \
  X(hypot, MATH)                                                               \
  X(floor, MATH)                                                               \
  X(ceil, MATH)                                                                \
  X(trunc, MATH)                                                               \
  X(round, MATH)                                                               \
  X(rint, MATH)                                                                \
  X(nearbyint, MATH)                                                           \
  X(fabs, MATH)                                                                \
  X(fmod, MATH)                                                                \
  X(remainder, MATH)                                                           \
  X(fmin, MATH)                                                                \
  X(fmax, MATH)                                                                \
  X(fdim, MATH)                                                                \
  X(copysign, MATH)                                                            \
  X(fma, MATH)                                                                 \
  X(sinf, MATH)                                                                \
  X(cosf, MATH)                                                                \
  X(tanf, MATH)                                                                \
  X(expf, MATH)                                                                \
  X(logf, MATH)                                                                \
  X(powf, MATH)                                                                \
  X(sqrtf, MATH)                                                               \
  X(floorf, MATH)                                                              \
  X(ceilf, MATH)                                                               \
  X(truncf, MATH)                                                              \
  X(roundf, MATH)                                                              \
  X(rintf, MATH)                                                               \
  X(fabsf, MATH)                                                               \
  X(fmodf, MATH)                                                               \
  X(fminf, MATH)                                                               \
  X(fmaxf, MATH)                                                               \
  X(copysignf, MATH)                                                           \
  X(lround, MATH)                                                              \
  X(lrint, MATH)                                                               \
  X(ldexp, MATH)                                                               \
  X(roundeven, MATH)                                                           \
  X(roundevenf, MATH)                                                          \
  X(asinf, MATH)                                                               \
  X(acosf, MATH)                                                               \
  X(atanf, MATH)                                                               \
  X(atan2f, MATH)                                                              \
  X(sinhf, MATH)                                                               \
  X(coshf, MATH)                                                               \
  X(tanhf, MATH)                                                               \
  X(exp2f, MATH)                                                               \
  X(expm1f, MATH)                                                              \
  X(log2f, MATH)                                                               \
  X(log10f, MATH)                                                              \
  X(log1pf, MATH)                                                              \
  X(cbrtf, MATH)                                                               \
  X(hypotf, MATH)                                                              \
  X(nearbyintf, MATH)                                                          \
  X(remainderf, MATH)                                                          \
  X(fdimf, MATH)                                                               \
  X(fmaf, MATH)                                                                \
  X(ldexpf, MATH)                                                              \
  X(lroundf, MATH)                                                             \
  X(lrintf, MATH)                                                              \
  X(llround, MATH)                                                             \
  X(llrint, MATH)                                                              \
  X(__fpclassify, MATH)                                                        \
  X(__isnan, MATH)                                                             \
  X(__isinf, MATH)                                                             \
  X(__signbit, MATH)                                                           \
  X(__fpclassifyf, MATH)                                                       \
  X(__isnanf, MATH)                                                            \
  X(__isinff, MATH)                                                            \
  X(__signbitf, MATH)                                                          \
  X(qsort, SORT)                                                               \
  X(bsearch, SORT)                                                             \
  X(printf, OUTPUT)                                                            \
  X(fprintf, OUTPUT)                                                           \
  X(dprintf, OUTPUT)                                                           \
  X(sprintf, OUTPUT)                                                           \
  X(snprintf, OUTPUT)                                                          \
  X(__printf_chk, OUTPUT)                                                      \
  X(__fprintf_chk, OUTPUT)                                                     \
  X(vprintf, OUTPUT)                                                           \
  X(vfprintf, OUTPUT)                                                          \
  X(vsnprintf, OUTPUT)                                                         \
  X(vsprintf, OUTPUT)                                                          \
  X(puts, OUTPUT)                                                              \
  X(putchar, OUTPUT)                                                           \
  X(fputs, OUTPUT)                                                             \
  X(fputc, OUTPUT)                                                             \
  X(putc, OUTPUT)                                                              \
  X(putchar_unlocked, OUTPUT)                                                  \
  X(fwrite, OUTPUT)                                                            \
  X(write, OUTPUT)                                                             \
  X(perror, OUTPUT)                                                            \
  X(fflush, OUTPUT)                                                            \
  X(setvbuf, OUTPUT)                                                           \
  X(setbuf, OUTPUT)                                                            \
  X(setlinebuf, OUTPUT)                                                        \
  X(getenv, ENVIRONMENT)                                                       \
  X(srand, ENVIRONMENT)                                                        \
  X(srandom, ENVIRONMENT)                                                      \
  X(setlocale, ENVIRONMENT)                                                    \
  X(sysconf, ENVIRONMENT)                                                      \
  X(get_nprocs, ENVIRONMENT)                                                   \
  X(__errno_location, ENVIRONMENT)                                             \
  X(__ctype_b_loc, ENVIRONMENT)                                                \
  X(__ctype_tolower_loc, ENVIRONMENT)                                          \
  X(__ctype_toupper_loc, ENVIRONMENT)                                          \
  X(abort, EXIT)                                                               \
  X(exit, EXIT)                                                                \
  X(_exit, EXIT)                                                               \
  X(_Exit, EXIT)                                                               \
  X(quick_exit, EXIT)                                                          \
  X(atexit, EXIT)                                                              \
  X(llvm_trap, EXIT)                                                           \
  X(__heddle_unreachable, EXIT)                                                \
  HD_LIBRARY_MPI(X)                                                            \
  X(pthread_cancel, REFUSED)                                                   \
  X(pthread_kill, REFUSED)                                                     \
  X(pthread_atfork, REFUSED)                                                   \
  X(fork, REFUSED)                                                             \
  X(signal, REFUSED)                                                           \
  X(sigaction, REFUSED)                                                        \
  X(raise, REFUSED)                                                            \
  X(setjmp, REFUSED)                                                           \
  X(_setjmp, REFUSED)                                                          \
  X(longjmp, REFUSED)                                                          \
  X(scanf, REFUSED)                                                            \
  X(fscanf, REFUSED)                                                           \
  X(sscanf, REFUSED)                                                           \
  X(__isoc99_scanf, REFUSED)                                                   \
  X(__isoc99_fscanf, REFUSED)                                                  \
  X(__isoc99_sscanf, REFUSED)                                                  \
  X(__isoc23_scanf, REFUSED)                                                   \
  X(__isoc23_fscanf, REFUSED)                                                  \
  X(__isoc23_sscanf, REFUSED)                                                  \
  X(getchar, REFUSED)                                                          \
  X(fgetc, REFUSED)                                                            \
  X(getc, REFUSED)                                                             \
  X(fgets, REFUSED)                                                            \
  X(fread, REFUSED)                                                            \
  X(fopen, REFUSED)                                                            \
  X(fclose, REFUSED)                                                           \
  X(open, REFUSED)                                                             \
  X(read, REFUSED)                                                             \
  X(close, REFUSED)                                                            \
  X(sem_open, REFUSED)                                                         \
  X(strtok, REFUSED)                                                           \
  X(strtok_r, REFUSED)

#define HD_LIBRARY_MPI(X)                                                      \
  X(MPI_Init, MPI)                                                             \
  X(MPI_Init_thread, MPI)                                                      \
  X(MPI_Finalize, MPI)                                                         \
  X(MPI_Initialized, MPI)                                                      \
  X(MPI_Finalized, MPI)                                                        \
  X(MPI_Abort, MPI)                                                            \
  X(MPI_Comm_rank, MPI)                                                        \
  X(MPI_Comm_size, MPI)                                                        \
  X(MPI_Comm_dup, MPI)                                                         \
  X(MPI_Comm_split, MPI)                                                       \
  X(MPI_Comm_create, MPI)                                                      \
  X(MPI_Comm_free, MPI)                                                        \
  X(MPI_Comm_group, MPI)                                                       \
  X(MPI_Group_incl, MPI)                                                       \
  X(MPI_Group_free, MPI)                                                       \
  X(MPI_Send, MPI)                                                             \
  X(MPI_Ssend, MPI)                                                            \
  X(MPI_Bsend, MPI)                                                            \
  X(MPI_Rsend, MPI)                                                            \
  X(MPI_Recv, MPI)                                                             \
  X(MPI_Sendrecv, MPI)                                                         \
  X(MPI_Sendrecv_replace, MPI)                                                 \
  X(MPI_Isend, MPI)                                                            \
  X(MPI_Issend, MPI)                                                           \
  X(MPI_Irecv, MPI)                                                            \
  X(MPI_Wait, MPI)                                                             \
  X(MPI_Waitall, MPI)                                                          \
  X(MPI_Waitany, MPI)                                                          \
  X(MPI_Waitsome, MPI)                                                         \
  X(MPI_Test, MPI)                                                             \
  X(MPI_Testall, MPI)                                                          \
  X(MPI_Testany, MPI)                                                          \
  X(MPI_Probe, MPI)                                                            \
  X(MPI_Iprobe, MPI)                                                           \
  X(MPI_Get_count, MPI)                                                        \
  X(MPI_Get_processor_name, MPI)                                               \
  X(MPI_Request_free, MPI)                                                     \
  X(MPI_Cancel, MPI)                                                           \
  X(MPI_Barrier, MPI)                                                          \
  X(MPI_Bcast, MPI)                                                            \
  X(MPI_Reduce, MPI)                                                           \
  X(MPI_Allreduce, MPI)                                                        \
  X(MPI_Scatter, MPI)                                                          \
  X(MPI_Scatterv, MPI)                                                         \
  X(MPI_Gather, MPI)                                                           \
  X(MPI_Gatherv, MPI)                                                          \
  X(MPI_Allgather, MPI)                                                        \
  X(MPI_Allgatherv, MPI)                                                       \
  X(MPI_Alltoall, MPI)                                                         \
  X(MPI_Alltoallv, MPI)                                                        \
  X(MPI_Alltoallw, MPI)                                                        \
  X(MPI_Scan, MPI)                                                             \
  X(MPI_Exscan, MPI)                                                           \
  X(MPI_Reduce_scatter, MPI)                                                   \
  X(MPI_Op_create, MPI)                                                        \
  X(MPI_Op_free, MPI)                                                          \
  X(MPI_Type_contiguous, MPI)                                                  \
  X(MPI_Type_vector, MPI)                                                      \
  X(MPI_Type_create_struct, MPI)                                               \
  X(MPI_Type_commit, MPI)                                                      \
  X(MPI_Type_free, MPI)                                                        \
  X(MPI_Type_size, MPI)                                                        \
  X(MPI_Cart_create, MPI)                                                      \
  X(MPI_Cart_coords, MPI)                                                      \
  X(MPI_Cart_rank, MPI)                                                        \
  X(MPI_Cart_shift, MPI)                                                       \
  X(MPI_Dims_create, MPI)                                                      \
  X(MPI_Error_string, MPI)                                                     \
  X(MPI_Wtime, MPI)                                                            \
  X(MPI_Wtick, MPI)                                                            \
  X(MPI_Query_thread, MPI)                                                     \
  X(MPI_Is_thread_main, MPI)                                                   \
  X(MPI_Get_version, MPI)                                                      \
  X(MPI_Get_library_version, MPI)                                              \
  X(MPI_Comm_create_group, MPI)                                                \
  X(MPI_Comm_compare, MPI)                                                     \
  X(MPI_Comm_test_inter, MPI)                                                  \
  X(MPI_Comm_remote_size, MPI)                                                 \
  X(MPI_Comm_remote_group, MPI)                                                \
  X(MPI_Intercomm_create, MPI)                                                 \
  X(MPI_Intercomm_merge, MPI)                                                  \
  X(MPI_Comm_set_name, MPI)                                                    \
  X(MPI_Comm_get_name, MPI)                                                    \
  X(MPI_Comm_get_attr, MPI)                                                    \
  X(MPI_Comm_set_errhandler, MPI)                                              \
  X(MPI_Errhandler_set, MPI)                                                   \
  X(MPI_Errhandler_free, MPI)                                                  \
  X(MPI_Errhandler_get, MPI)                                                   \
  X(MPI_Comm_get_errhandler, MPI)                                              \
  X(MPI_Comm_create_errhandler, MPI)                                           \
  X(MPI_Comm_call_errhandler, MPI)                                             \
  X(MPI_Attr_get, MPI)                                                         \
  X(MPI_Group_size, MPI)                                                       \
  X(MPI_Group_rank, MPI)                                                       \
  X(MPI_Group_excl, MPI)                                                       \
  X(MPI_Group_union, MPI)                                                      \
  X(MPI_Group_intersection, MPI)                                               \
  X(MPI_Group_difference, MPI)                                                 \
  X(MPI_Group_range_incl, MPI)                                                 \
  X(MPI_Group_range_excl, MPI)                                                 \
  X(MPI_Group_translate_ranks, MPI)                                            \
  X(MPI_Group_compare, MPI)                                                    \
  X(MPI_Ibsend, MPI)                                                           \
  X(MPI_Irsend, MPI)                                                           \
  X(MPI_Send_init, MPI)                                                        \
  X(MPI_Bsend_init, MPI)                                                       \
  X(MPI_Ssend_init, MPI)                                                       \
  X(MPI_Rsend_init, MPI)                                                       \
  X(MPI_Recv_init, MPI)                                                        \
  X(MPI_Start, MPI)                                                            \
  X(MPI_Startall, MPI)                                                         \
  X(MPI_Testsome, MPI)                                                         \
  X(MPI_Request_get_status, MPI)                                               \
  X(MPI_Mprobe, MPI)                                                           \
  X(MPI_Improbe, MPI)                                                          \
  X(MPI_Mrecv, MPI)                                                            \
  X(MPI_Imrecv, MPI)                                                           \
  X(MPI_Test_cancelled, MPI)                                                   \
  X(MPI_Buffer_attach, MPI)                                                    \
  X(MPI_Buffer_detach, MPI)                                                    \
  X(MPI_Get_elements, MPI)                                                     \
  X(MPI_Ibarrier, MPI)                                                         \
  X(MPI_Ibcast, MPI)                                                           \
  X(MPI_Ireduce, MPI)                                                          \
  X(MPI_Iallreduce, MPI)                                                       \
  X(MPI_Iscatter, MPI)                                                         \
  X(MPI_Iscatterv, MPI)                                                        \
  X(MPI_Igather, MPI)                                                          \
  X(MPI_Igatherv, MPI)                                                         \
  X(MPI_Iallgather, MPI)                                                       \
  X(MPI_Iallgatherv, MPI)                                                      \
  X(MPI_Ialltoall, MPI)                                                        \
  X(MPI_Ialltoallv, MPI)                                                       \
  X(MPI_Ialltoallw, MPI)                                                       \
  X(MPI_Iscan, MPI)                                                            \
  X(MPI_Iexscan, MPI)                                                          \
  X(MPI_Ireduce_scatter, MPI)                                                  \
  X(MPI_Ireduce_scatter_block, MPI)                                            \
  X(MPI_Reduce_scatter_block, MPI)                                             \
  X(MPI_Reduce_local, MPI)                                                     \
  X(MPI_Op_commutative, MPI)                                                   \
  X(MPI_Type_create_hvector, MPI)                                              \
  X(MPI_Type_hvector, MPI)                                                     \
  X(MPI_Type_indexed, MPI)                                                     \
  X(MPI_Type_create_hindexed, MPI)                                             \
  X(MPI_Type_hindexed, MPI)                                                    \
  X(MPI_Type_create_indexed_block, MPI)                                        \
  X(MPI_Type_struct, MPI)                                                      \
  X(MPI_Type_create_subarray, MPI)                                             \
  X(MPI_Type_create_resized, MPI)                                              \
  X(MPI_Type_dup, MPI)                                                         \
  X(MPI_Type_get_extent, MPI)                                                  \
  X(MPI_Type_get_true_extent, MPI)                                             \
  X(MPI_Type_extent, MPI)                                                      \
  X(MPI_Type_lb, MPI)                                                          \
  X(MPI_Type_ub, MPI)                                                          \
  X(MPI_Get_address, MPI)                                                      \
  X(MPI_Address, MPI)                                                          \
  X(MPI_Aint_add, MPI)                                                         \
  X(MPI_Aint_diff, MPI)                                                        \
  X(MPI_Type_set_name, MPI)                                                    \
  X(MPI_Type_get_name, MPI)                                                    \
  X(MPI_Pack, MPI)                                                             \
  X(MPI_Unpack, MPI)                                                           \
  X(MPI_Pack_size, MPI)                                                        \
  X(MPI_Cart_get, MPI)                                                         \
  X(MPI_Cart_sub, MPI)                                                         \
  X(MPI_Cartdim_get, MPI)                                                      \
  X(MPI_Topo_test, MPI)                                                        \
  X(MPI_Error_class, MPI)                                                      \
  X(MPI_Alloc_mem, MPI)                                                        \
  X(MPI_Free_mem, MPI)                                                         \
  X(MPI_Info_create, MPI)                                                      \
  X(MPI_Info_set, MPI)                                                         \
  X(MPI_Info_free, MPI)                                                        \
  X(MPI_Win_create, MPI)                                                       \
  X(MPI_Win_allocate, MPI)                                                     \
  X(MPI_Win_free, MPI)                                                         \
  X(MPI_Win_fence, MPI)                                                        \
  X(MPI_Win_lock, MPI)                                                         \
  X(MPI_Win_unlock, MPI)                                                       \
  X(MPI_Win_lock_all, MPI)                                                     \
  X(MPI_Win_unlock_all, MPI)                                                   \
  X(MPI_Win_flush, MPI)                                                        \
  X(MPI_Win_flush_all, MPI)                                                    \
  X(MPI_Win_flush_local, MPI)                                                  \
  X(MPI_Win_flush_local_all, MPI)                                              \
  X(MPI_Win_sync, MPI)                                                         \
  X(MPI_Win_post, MPI)                                                         \
  X(MPI_Win_start, MPI)                                                        \
  X(MPI_Win_complete, MPI)                                                     \
  X(MPI_Win_wait, MPI)                                                         \
  X(MPI_Win_test, MPI)                                                         \
  X(MPI_Win_get_group, MPI)                                                    \
  X(MPI_Win_set_errhandler, MPI)                                               \
  X(MPI_Win_get_attr, MPI)                                                     \
  X(MPI_Win_set_name, MPI)                                                     \
  X(MPI_Put, MPI)                                                              \
  X(MPI_Get, MPI)                                                              \
  X(MPI_Accumulate, MPI)                                                       \
  X(MPI_Get_accumulate, MPI)                                                   \
  X(MPI_Fetch_and_op, MPI)                                                     \
  X(MPI_Compare_and_swap, MPI)                                                 \
  X(MPI_Rput, MPI)                                                             \
  X(MPI_Rget, MPI)                                                             \
  X(MPI_Raccumulate, MPI)                                                      \
  X(MPI_Rget_accumulate, MPI)                                                  \
  X(MPI_, MPI) /* all others */

/* HD_LIB_malloc …; NONE = not known */
typedef enum {
  HD_LIB_NONE,
#define X(name, kind) HD_LIB_##name,
  HD_LIBRARY(X)
#undef X
      HD_LIB_COUNT
} hd_library_fn;

/* By its name; NONE when it is not known. */
hd_library_fn hd_library_find(const char *name);
const char *hd_library_name(hd_library_fn fn);
hd_library_kind hd_library_kind_of(hd_library_fn fn);
/* "mutexes" … */
const char *hd_library_kind_text(hd_library_kind kind);

/* How many bytes a lock or the like of this kind has on Linux; 0 = it is none. */
uint32_t hd_library_place_bytes(hd_library_kind kind, uint8_t pointer_width);

/* What a call does with a lock or the like that it is given. */
typedef enum {
  HD_PLACE_NONE,  /* the argument is something else */
  HD_PLACE_USED,  /* an atomic access */
  HD_PLACE_ENDED, /* a write: nobody may use it any more */
  HD_PLACE_MADE,  /* written: it is new then */
} hd_place;

/* Of argument `i`; `*kind` is what it has to be, where it is one. */
hd_place hd_library_place(hd_library_fn fn, uint32_t i, hd_library_kind *kind);

/* An input that is written to memory as well, where its argument is not null? */
bool hd_library_stores_input(hd_library_fn fn);

/* What printing does with the addresses that it is given. */
typedef enum {
  HD_PRINTS_VALUES, /* nothing */
  HD_PRINTS_TEXT,   /* it reads there */
  HD_PRINTS_BACK,   /* it writes there (%n) */
} hd_prints;

/* By the bytes of its format, perhaps without an end; NULL: all zero. */
hd_prints hd_library_format(const uint8_t *format, uint64_t size);
/* Does it print by a format, in whichever way? */
bool hd_library_prints_format(hd_library_fn fn);
/* The number of the argument that is the format; -1: there is none, or what it
 * is for is not in the arguments. */
int hd_library_format_at(hd_library_fn fn);

#endif
