#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What no engine may call safe: properties, pragmas and calls that it would have
# to know. The programs take the bad way for one input of 2^32, so that random
# runs do not find it and what an engine says rests on its own reasoning.
. "$(dirname "$0")/lib.sh"

needs_cc() {
  [ -x "$(dirname "$HEDDLE")/heddle-cc" ] || [ -n "${HEDDLE_CC-}" ] ||
    skip "heddle is built without heddle-cc"
  command -v clang-19 >/dev/null || skip "clang-19 is not installed"
}

# The program on standard input, with a function rare() that is true for one
# input: none of the engines may say that the property holds.
never_safe() {
  needs_cc
  {
    cat <<'C'
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
unsigned __VERIFIER_nondet_uint(void);
static int rare(void) {
  unsigned h = __VERIFIER_nondet_uint() * 2654435761u;
  h = (h ^ h >> 15) * 0x85ebca6bu;
  return (h ^ h >> 13) == 0xdeadbeefu;
}
C
    cat
  } >program.c
  local engine
  for engine in explore unfold modular pairs; do
    run verify program.c --property="$1" --engine="$engine" --timeout=5
    out_lacks "verdict: safe"
    [ "$status" = 5 ] || exits 10
  done
}

# ------------------------------------------- calls on locks are accesses

test_mutex_freed() {
  never_safe memory <<'C'
void *f(void *m) { pthread_mutex_lock(m); pthread_mutex_unlock(m); return 0; }
int main(void) {
  pthread_mutex_t *m = malloc(sizeof *m);
  pthread_mutex_init(m, 0);
  pthread_t t;
  pthread_create(&t, 0, f, m);
  if (rare()) free(m);
  pthread_join(t, 0);
}
C
}

test_rwlock_freed() {
  never_safe memory <<'C'
void *f(void *l) { if (!pthread_rwlock_tryrdlock(l)) pthread_rwlock_unlock(l); return 0; }
int main(void) {
  pthread_rwlock_t *l = malloc(sizeof *l);
  pthread_rwlock_init(l, 0);
  pthread_t t;
  pthread_create(&t, 0, f, l);
  if (rare()) { pthread_rwlock_destroy(l); free(l); }
  pthread_join(t, 0);
}
C
}

test_spin_freed() {
  never_safe memory <<'C'
void *f(void *l) { pthread_spin_lock(l); pthread_spin_unlock(l); return 0; }
int main(void) {
  pthread_spinlock_t *l = malloc(sizeof *l);
  pthread_spin_init(l, 0);
  pthread_t t;
  pthread_create(&t, 0, f, (void *)l);
  if (rare()) free((void *)l);
  pthread_join(t, 0);
}
C
}

test_semaphore_of_a_function_that_returned() {
  never_safe memory <<'C'
pthread_t t;
void *f(void *s) { sem_post(s); return 0; }
void start(void) {
  sem_t s;
  sem_init(&s, 0, 0);
  pthread_create(&t, 0, f, &s);
  if (!rare()) sem_wait(&s);
}
int main(void) { start(); pthread_join(t, 0); }
C
}

test_condition_freed() {
  never_safe memory <<'C'
struct box { pthread_mutex_t m; pthread_cond_t c; };
void *f(void *p) { struct box *b = p; pthread_cond_signal(&b->c); return 0; }
int main(void) {
  struct box *b = malloc(sizeof *b);
  pthread_mutex_init(&b->m, 0);
  pthread_cond_init(&b->c, 0);
  pthread_t t;
  pthread_create(&t, 0, f, b);
  if (rare()) free(b);
  pthread_join(t, 0);
}
C
}

test_mutex_of_a_wait_freed() {
  never_safe memory <<'C'
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int go;
void *f(void *m) {
  pthread_mutex_lock(m);
  while (!go) pthread_cond_wait(&c, m);
  pthread_mutex_unlock(m);
  return 0;
}
int main(void) {
  pthread_mutex_t *m = malloc(sizeof *m);
  pthread_mutex_init(m, 0);
  pthread_t t;
  pthread_create(&t, 0, f, m);
  pthread_mutex_lock(m);
  go = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(m);
  if (rare()) free(m);
  pthread_join(t, 0);
}
C
}

test_condition_at_null() {
  never_safe memory <<'C'
int main(void) { if (rare()) pthread_cond_broadcast(0); }
C
}

test_barrier_freed() {
  never_safe memory <<'C'
void *f(void *b) { pthread_barrier_wait(b); return 0; }
int main(void) {
  pthread_barrier_t *b = malloc(sizeof *b);
  pthread_barrier_init(b, 0, 1);
  pthread_t t;
  pthread_create(&t, 0, f, b);
  if (rare()) free(b);
  pthread_join(t, 0);
}
C
}

test_once_freed() {
  never_safe memory <<'C'
void g(void) {}
void *f(void *o) { pthread_once(o, g); return 0; }
int main(void) {
  pthread_once_t *o = calloc(1, sizeof *o);
  pthread_t t;
  pthread_create(&t, 0, f, o);
  if (rare()) free(o);
  pthread_join(t, 0);
}
C
}

# ---------------------------------------------------- init writes its object

test_init_beside_a_write() {
  never_safe race <<'C'
struct { pthread_cond_t c; } s;
void *f(void *a) { pthread_cond_init(&s.c, 0); return a; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  if (rare()) ((char *)&s)[3] = 1;
  pthread_join(t, 0);
}
C
}

test_init_beside_a_read() {
  never_safe race <<'C'
union { sem_t s; int i[8]; } u;
void *f(void *a) { sem_init(&u.s, 0, 1); return a; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  int x = rare() ? u.i[1] : 0;
  pthread_join(t, 0);
  return x;
}
C
}

test_init_sets_bytes() {
  never_safe assert <<'C'
union { pthread_barrier_t b; int i[8]; } u;
int main(void) {
  u.i[2] = 7;
  pthread_barrier_init(&u.b, 0, 2);
  if (rare()) assert(u.i[2] == 7);
}
C
}

test_init_sets_a_kind() { # which a copy has, too
  never_safe assert <<'C'
pthread_mutex_t m, n;
int main(void) {
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&m, &a);
  memcpy(&n, &m, sizeof m);
  pthread_mutex_lock(&n);
  if (rare()) assert(pthread_mutex_lock(&n) != EDEADLK);
}
C
}

# ------------------------------------------------------------ results

test_trylock_of_an_errorcheck_mutex() {
  never_safe assert <<'C'
pthread_mutex_t m;
int main(void) {
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&m, &a);
  pthread_mutex_lock(&m);
  if (rare()) assert(pthread_mutex_trylock(&m) == EDEADLK);
}
C
}

test_barrier_of_nobody() {
  never_safe assert <<'C'
pthread_barrier_t b;
int main(void) {
  unsigned n = rare() ? 0 : 3;
  assert(pthread_barrier_init(&b, 0, n) == 0);
}
C
}

# ------------------------------------------------------------ waits

test_join_of_itself() {
  never_safe deadlock <<'C'
void *f(void *a) { return a; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  if (rare()) pthread_join(pthread_self(), 0);
  pthread_join(t, 0);
}
C
}

test_join_of_main_by_its_handle() {
  never_safe deadlock <<'C'
pthread_t me;
void *f(void *a) { if (rare()) pthread_join(me, 0); return a; }
int main(void) {
  pthread_t t;
  me = pthread_self();
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
}
C
}

test_semaphore_destroyed() {
  never_safe sync <<'C'
sem_t s;
void *f(void *a) { sem_wait(&s); return a; }
int main(void) {
  sem_init(&s, 0, 0);
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  if (rare()) { sem_destroy(&s); pthread_exit(0); }
  sem_post(&s);
  pthread_join(t, 0);
}
C
}

# ------------------------------------------------------------ pragmas, properties

pragma_refused() { # engine by engine, by its place
  needs_cc
  cat >program.c
  local engine
  for engine in fuzz explore unfold modular pairs; do
    run verify program.c --engine="$engine" --timeout=10 "$@"
    exits 5
    out_has "program.c:3:1: '#pragma heddle"
    out_has "has a meaning for lise only"
  done
}

test_pragma_assert() {
  pragma_refused <<'C'
int main(void) {
  int i = 0;
#pragma heddle assert i == 7
  return i;
}
C
}

test_pragma_invariant() {
  pragma_refused --property=invariant <<'C'
int main(void) {
  int i;
#pragma heddle invariant i == 7
  for (i = 0; i < 10; i++)
    ;
  return 0;
}
C
}

test_pragma_assume() { # without it there is a violation
  pragma_refused <<'C'
void reach_error(void); int __VERIFIER_nondet_int(void);
int main(void) { int i = __VERIFIER_nondet_int();
#pragma heddle assume i == 7
  if (i != 7) reach_error();
}
C
}

test_property_of_lise() {
  needs_cc
  echo 'int main(void) { return 0; }' >program.c
  for engine in fuzz explore unfold modular pairs; do
    run verify program.c --property=invariant --engine="$engine"
    exits 5
    out_has "only lise decides 'invariant'"
  done
}

test_mpi_calls_that_write() {
  needs_cc
  cat >program.c <<'C'
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int n = 0;
  printf("abc%n", &n);
  assert(n == 0);
  MPI_Finalize();
}
C
  run verify program.c --property=assert --timeout=20
  out_lacks "verdict: safe"
  sed -i 's/printf.*/extern long time(long *); long t = 0; time(\&t); n = t != 0;/' program.c
  run verify program.c --property=assert --timeout=20
  out_lacks "verdict: safe"
  sed -i 's/extern.*/n = printf("abc");/' program.c
  run verify program.c --property=assert --timeout=20
  out_lacks "verdict: safe"
}

run_tests
