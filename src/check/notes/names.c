/* SPDX-License-Identifier: MIT */
#include "check/notes/names.h"

#include <string.h>

/* Names with a blank between them. What reads an attribute, or may make a later
 * call fail, is not here. */
typedef struct {
  const char *names;
  hd_note_call call;
} row;

static const row rows[] = {
    {"rand random lrand48 clock getpid", {HD_NOTE_INPUT, HD_NOTE_NO_SORT}},
    {"time", {HD_NOTE_TIME, HD_NOTE_NO_SORT}},
    {"clock_gettime timespec_get rand_r", {HD_NOTE_CLOCK, HD_NOTE_NO_SORT}},
    {"reach_error __VERIFIER_error __assert_fail __assert_perror_fail __assert "
     "__assert_rtn",
     {HD_NOTE_FAIL, HD_NOTE_NO_SORT}},
    {"__VERIFIER_assert heddle_assert __CPROVER_assert __ESBMC_assert "
     "__goblint_check __goblint_assert assert",
     {HD_NOTE_CHECK, HD_NOTE_NO_SORT}},
    {"__VERIFIER_assume heddle_assume __CPROVER_assume __ESBMC_assume "
     "__goblint_assume",
     {HD_NOTE_ASSUME, HD_NOTE_NO_SORT}},
    {"abort _exit _Exit", {HD_NOTE_STOP, HD_NOTE_NO_SORT}},
    {"exit", {HD_NOTE_QUIT, HD_NOTE_NO_SORT}},
    {"atexit", {HD_NOTE_AT_EXIT, HD_NOTE_NO_SORT}},
    {"__errno_location", {HD_NOTE_ERRNO, HD_NOTE_NO_SORT}},
    {"__VERIFIER_atomic_begin heddle_atomic_begin __CPROVER_atomic_begin "
     "__ESBMC_atomic_begin",
     {HD_NOTE_ENTER, HD_NOTE_NO_SORT}},
    {"__VERIFIER_atomic_end heddle_atomic_end __CPROVER_atomic_end "
     "__ESBMC_atomic_end",
     {HD_NOTE_EXIT, HD_NOTE_NO_SORT}},
    {"llvm.lifetime.start", {HD_NOTE_BEGIN, HD_NOTE_NO_SORT}},
    {"llvm.lifetime.end", {HD_NOTE_END, HD_NOTE_NO_SORT}},
    {"memcpy memmove", {HD_NOTE_COPY, HD_NOTE_NO_SORT}},
    {"memset", {HD_NOTE_SET_BYTES, HD_NOTE_NO_SORT}},
    {"strlen", {HD_NOTE_LENGTH, HD_NOTE_NO_SORT}},
    {"strcmp strncmp memcmp", {HD_NOTE_COMPARE, HD_NOTE_NO_SORT}},
    {"strcpy strncpy", {HD_NOTE_COPY_TEXT, HD_NOTE_NO_SORT}},
    {"malloc", {HD_NOTE_MAKE, HD_NOTE_NO_SORT}},
    {"calloc", {HD_NOTE_MAKE_ZERO, HD_NOTE_NO_SORT}},
    {"realloc", {HD_NOTE_MAKE_AGAIN, HD_NOTE_NO_SORT}},
    {"free", {HD_NOTE_FREE, HD_NOTE_NO_SORT}},
    {"llvm.stacksave", {HD_NOTE_STACK, HD_NOTE_NO_SORT}},
    {"llvm.stackrestore", {HD_NOTE_UNSTACK, HD_NOTE_NO_SORT}},
    {"abs labs llabs", {HD_NOTE_ABS, HD_NOTE_NO_SORT}},
    {"fprintf fputs fputc putc fflush", {HD_NOTE_PRINT, HD_NOTE_NO_SORT}},
    {"sched_yield pthread_yield thrd_yield sleep usleep __VERIFIER_loop_bound "
     "__VERIFIER_loop_begin __VERIFIER_spin_start __VERIFIER_spin_end printf "
     "__printf_chk puts putchar perror getenv srand isalnum "
     "isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace "
     "isupper isxdigit tolower toupper sin cos tan exp log pow sqrt "
     "floor ceil fabs fmod round trunc sqrtf fmin fmax asin acos atan atan2 "
     "sinh cosh tanh exp2 log2 log10 cbrt hypot rint nearbyint lround lrint "
     "sinf cosf expf logf powf floorf ceilf fabsf fmodf roundf truncf fminf "
     "fmaxf",
     {HD_NOTE_PURE, HD_NOTE_NO_SORT}},
    {"nanosleep", {HD_NOTE_SLEEP, HD_NOTE_NO_SORT}},
    {"pthread_create", {HD_NOTE_CREATE, HD_NOTE_PTHREAD}},
    {"thrd_create", {HD_NOTE_CREATE, HD_NOTE_C11}},
    {"pthread_join", {HD_NOTE_JOIN, HD_NOTE_PTHREAD}},
    {"thrd_join", {HD_NOTE_JOIN, HD_NOTE_C11}},
    {"pthread_exit", {HD_NOTE_LEAVE, HD_NOTE_PTHREAD}},
    {"thrd_exit", {HD_NOTE_LEAVE, HD_NOTE_C11}},
    {"pthread_detach", {HD_NOTE_DETACH, HD_NOTE_PTHREAD}},
    {"thrd_detach", {HD_NOTE_DETACH, HD_NOTE_C11}},
    {"pthread_self", {HD_NOTE_SELF, HD_NOTE_PTHREAD}},
    {"thrd_current", {HD_NOTE_SELF, HD_NOTE_C11}},
    {"pthread_equal", {HD_NOTE_EQUAL, HD_NOTE_PTHREAD}},
    {"thrd_equal", {HD_NOTE_EQUAL, HD_NOTE_C11}},
    {"pthread_mutex_init", {HD_NOTE_LOCK_INIT, HD_NOTE_MUTEX}},
    {"pthread_mutex_destroy", {HD_NOTE_LOCK_DESTROY, HD_NOTE_MUTEX}},
    {"pthread_mutex_lock", {HD_NOTE_LOCK, HD_NOTE_MUTEX}},
    {"pthread_mutex_trylock", {HD_NOTE_LOCK_TRY, HD_NOTE_MUTEX}},
    {"pthread_mutex_timedlock", {HD_NOTE_LOCK_TIMED, HD_NOTE_MUTEX}},
    {"pthread_mutex_unlock", {HD_NOTE_UNLOCK, HD_NOTE_MUTEX}},
    {"mtx_init", {HD_NOTE_LOCK_INIT, HD_NOTE_MTX}},
    {"mtx_destroy", {HD_NOTE_LOCK_DESTROY, HD_NOTE_MTX}},
    {"mtx_lock", {HD_NOTE_LOCK, HD_NOTE_MTX}},
    {"mtx_trylock", {HD_NOTE_LOCK_TRY, HD_NOTE_MTX}},
    {"mtx_timedlock", {HD_NOTE_LOCK_TIMED, HD_NOTE_MTX}},
    {"mtx_unlock", {HD_NOTE_UNLOCK, HD_NOTE_MTX}},
    {"pthread_rwlock_init", {HD_NOTE_LOCK_INIT, HD_NOTE_RWLOCK}},
    {"pthread_rwlock_destroy", {HD_NOTE_LOCK_DESTROY, HD_NOTE_RWLOCK}},
    {"pthread_rwlock_wrlock", {HD_NOTE_LOCK, HD_NOTE_RWLOCK}},
    {"pthread_rwlock_trywrlock", {HD_NOTE_LOCK_TRY, HD_NOTE_RWLOCK}},
    {"pthread_rwlock_rdlock", {HD_NOTE_LOCK_READ, HD_NOTE_RWLOCK}},
    {"pthread_rwlock_tryrdlock", {HD_NOTE_LOCK_TRY_READ, HD_NOTE_RWLOCK}},
    {"pthread_rwlock_unlock", {HD_NOTE_UNLOCK, HD_NOTE_RWLOCK}},
    {"pthread_spin_init", {HD_NOTE_LOCK_INIT, HD_NOTE_SPIN}},
    {"pthread_spin_destroy", {HD_NOTE_LOCK_DESTROY, HD_NOTE_SPIN}},
    {"pthread_spin_lock", {HD_NOTE_LOCK, HD_NOTE_SPIN}},
    {"pthread_spin_trylock", {HD_NOTE_LOCK_TRY, HD_NOTE_SPIN}},
    {"pthread_spin_unlock", {HD_NOTE_UNLOCK, HD_NOTE_SPIN}},
    {"pthread_cond_init", {HD_NOTE_LOCK_INIT, HD_NOTE_COND}},
    {"pthread_cond_destroy", {HD_NOTE_LOCK_DESTROY, HD_NOTE_COND}},
    {"pthread_cond_wait", {HD_NOTE_WAIT, HD_NOTE_COND}},
    {"pthread_cond_timedwait", {HD_NOTE_WAIT_TIMED, HD_NOTE_COND}},
    {"pthread_cond_signal", {HD_NOTE_SIGNAL, HD_NOTE_COND}},
    {"pthread_cond_broadcast", {HD_NOTE_BROADCAST, HD_NOTE_COND}},
    {"cnd_init", {HD_NOTE_LOCK_INIT, HD_NOTE_CND}},
    {"cnd_destroy", {HD_NOTE_LOCK_DESTROY, HD_NOTE_CND}},
    {"cnd_wait", {HD_NOTE_WAIT, HD_NOTE_CND}},
    {"cnd_timedwait", {HD_NOTE_WAIT_TIMED, HD_NOTE_CND}},
    {"cnd_signal", {HD_NOTE_SIGNAL, HD_NOTE_CND}},
    {"cnd_broadcast", {HD_NOTE_BROADCAST, HD_NOTE_CND}},
    {"sem_init", {HD_NOTE_LOCK_INIT, HD_NOTE_SEM}},
    {"sem_destroy", {HD_NOTE_LOCK_DESTROY, HD_NOTE_SEM}},
    {"sem_wait", {HD_NOTE_PASS, HD_NOTE_SEM}},
    {"sem_post", {HD_NOTE_SIGNAL, HD_NOTE_SEM}},
    {"sem_trywait", {HD_NOTE_PASS_TRY, HD_NOTE_SEM}},
    {"sem_timedwait", {HD_NOTE_PASS_TIMED, HD_NOTE_SEM}},
    {"sem_getvalue", {HD_NOTE_COUNT, HD_NOTE_SEM}},
    {"pthread_once call_once", {HD_NOTE_ONCE, HD_NOTE_ONCE_FLAG}},
    {"pthread_barrier_init", {HD_NOTE_LOCK_INIT, HD_NOTE_BARRIER}},
    {"pthread_barrier_destroy", {HD_NOTE_LOCK_DESTROY, HD_NOTE_BARRIER}},
    {"pthread_barrier_wait", {HD_NOTE_PASS, HD_NOTE_BARRIER}},
    {"pthread_attr_init", {HD_NOTE_ATTRIBUTE_INIT, HD_NOTE_PTHREAD}},
    {"pthread_attr_destroy", {HD_NOTE_ATTRIBUTE_DESTROY, HD_NOTE_PTHREAD}},
    {"pthread_attr_setdetachstate",
     {HD_NOTE_ATTRIBUTE_DETACHED, HD_NOTE_PTHREAD}},
    {"pthread_attr_setstacksize", {HD_NOTE_ATTRIBUTE_SIZE, HD_NOTE_PTHREAD}},
    {"pthread_attr_getdetachstate", {HD_NOTE_ATTRIBUTE_GET, HD_NOTE_PTHREAD}},
    {"pthread_mutexattr_gettype pthread_mutexattr_getpshared",
     {HD_NOTE_ATTRIBUTE_GET, HD_NOTE_MUTEX}},
    {"pthread_mutexattr_init", {HD_NOTE_ATTRIBUTE_INIT, HD_NOTE_MUTEX}},
    {"pthread_mutexattr_destroy", {HD_NOTE_ATTRIBUTE_DESTROY, HD_NOTE_MUTEX}},
    {"pthread_mutexattr_settype", {HD_NOTE_ATTRIBUTE_TYPE, HD_NOTE_MUTEX}},
    {"pthread_mutexattr_setpshared", {HD_NOTE_ATTRIBUTE_SET, HD_NOTE_MUTEX}},
    {"pthread_rwlockattr_init", {HD_NOTE_ATTRIBUTE_INIT, HD_NOTE_RWLOCK}},
    {"pthread_rwlockattr_destroy", {HD_NOTE_ATTRIBUTE_DESTROY, HD_NOTE_RWLOCK}},
    {"pthread_rwlockattr_setpshared", {HD_NOTE_ATTRIBUTE_SET, HD_NOTE_RWLOCK}},
    {"pthread_rwlockattr_setkind_np", {HD_NOTE_ATTRIBUTE_TYPE, HD_NOTE_RWLOCK}},
    {"pthread_condattr_init", {HD_NOTE_ATTRIBUTE_INIT, HD_NOTE_COND}},
    {"pthread_condattr_destroy", {HD_NOTE_ATTRIBUTE_DESTROY, HD_NOTE_COND}},
    {"pthread_condattr_setpshared", {HD_NOTE_ATTRIBUTE_SET, HD_NOTE_COND}},
    {"pthread_barrierattr_init", {HD_NOTE_ATTRIBUTE_INIT, HD_NOTE_BARRIER}},
    {"pthread_barrierattr_destroy",
     {HD_NOTE_ATTRIBUTE_DESTROY, HD_NOTE_BARRIER}},
    {"pthread_barrierattr_setpshared",
     {HD_NOTE_ATTRIBUTE_SET, HD_NOTE_BARRIER}},
};

static bool begins(const char *name, const char *with) {
  return strncmp(name, with, strlen(with)) == 0;
}

static bool lists(const char *names, const char *name) {
  size_t n = strlen(name);
  for (; *names; names += strspn(names, " ")) {
    size_t length = strcspn(names, " ");
    if (length == n && memcmp(names, name, n) == 0)
      return true;
    names += length;
  }
  return false;
}

hd_note_call hd_note_find(const char *name) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (lists(rows[i].names, name))
      return rows[i].call;
  if (begins(name, "__VERIFIER_nondet_") || begins(name, "heddle_nondet_"))
    return (hd_note_call){HD_NOTE_INPUT, HD_NOTE_NO_SORT};
  return (hd_note_call){HD_NOTE_UNKNOWN, HD_NOTE_NO_SORT};
}

bool hd_note_is_section(const char *name) {
  return begins(name, "__VERIFIER_atomic_");
}

bool hd_note_is_foreign(const char *name) {
  return begins(name, "__kmpc_") || begins(name, "omp_") ||
         begins(name, "MPI_");
}

bool hd_note_is_stream(const char *name) {
  return lists("stdin stdout stderr", name);
}

bool hd_note_shows(const char *name) {
  return lists("puts fputs perror", name);
}

uint32_t hd_note_stream_arg(const char *name) {
  return lists("fputs fputc putc", name);
}

uint32_t hd_note_clock_arg(const char *name, uint8_t pointer_width,
                           uint32_t *size) {
  *size = strcmp(name, "rand_r") == 0 ? 4 : pointer_width / 4u;
  return strcmp(name, "clock_gettime") == 0;
}

/* As in glibc. */
uint32_t hd_note_size_of(hd_note_sort sort, uint8_t pointer_width) {
  assert(sort < HD_NOTE_SORTS);
  static const uint8_t sizes[HD_NOTE_SORTS][2] = {
      [HD_NOTE_MUTEX] = {24, 40},  [HD_NOTE_MTX] = {24, 40},
      [HD_NOTE_RWLOCK] = {32, 56}, [HD_NOTE_SPIN] = {4, 4},
      [HD_NOTE_COND] = {48, 48},   [HD_NOTE_CND] = {48, 48},
      [HD_NOTE_SEM] = {16, 32},    [HD_NOTE_BARRIER] = {20, 32},
      [HD_NOTE_ONCE_FLAG] = {4, 4}};
  return sizes[sort][pointer_width == 64];
}

uint32_t hd_note_attribute_size(hd_note_sort sort, uint8_t pointer_width) {
  assert(sort < HD_NOTE_SORTS);
  static const uint8_t sizes[HD_NOTE_SORTS][2] = {[HD_NOTE_PTHREAD] = {36, 56},
                                                  [HD_NOTE_MUTEX] = {4, 4},
                                                  [HD_NOTE_RWLOCK] = {8, 8},
                                                  [HD_NOTE_COND] = {4, 4},
                                                  [HD_NOTE_BARRIER] = {4, 4}};
  return sizes[sort][pointer_width == 64];
}

bool hd_note_waits(hd_note_action action) {
  return action == HD_NOTE_JOIN || action >= HD_NOTE_LOCK_INIT;
}
