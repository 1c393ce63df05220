#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The memory model of C: what verdicts are about.
. "$(dirname "$0")/lib.sh"

# Two threads store and then load what the other one stores; $1 is the order of
# all four.
store_buffer() {
  cat >buffer.c <<END
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int a, b;
static void *left(void *arg) {
  atomic_store_explicit(&x, 1, $1);
  a = atomic_load_explicit(&y, $2);
  return arg;
}
static void *right(void *arg) {
  atomic_store_explicit(&y, 1, $1);
  b = atomic_load_explicit(&x, $2);
  return arg;
}
int main(void) {
  pthread_t p, q;
  pthread_create(&p, 0, left, 0);
  pthread_create(&q, 0, right, 0);
  pthread_join(p, 0);
  pthread_join(q, 0);
  assert(a || b);
  return 0;
}
END
}
strong() { store_buffer memory_order_seq_cst memory_order_seq_cst; }
weak() { store_buffer memory_order_release memory_order_acquire; }

test_no_engine_for_interleavings_calls_a_weak_program_safe() {
  weak
  for engine in explore unfold modular pairs; do
    run verify buffer.c --engine=$engine --timeout=20
    exits 5
    out_lacks ": safe"
  done
  run verify buffer.c --engine=explore
  out_has "no interleaving does it; but the release access at buffer.c:7:3 allows more under C11"
  run verify buffer.c --engine=explore --outcomes
  exits 5
  out_has "incomplete (no interleaving does it"
}

test_a_store_buffer_is_found_and_shown() {
  weak
  run verify buffer.c --witness=run
  exits 10
  out_has "reads the old 0 of x: nothing orders it after line 7"
  out_has "judged by the axioms"
  file_has run " from initial"
  run check buffer.c run
  last_line "check: accepted"
  run run buffer.c --schedule=run
  exits 10
  sed 's/from initial/from 99/' run >wrong
  run check buffer.c wrong
  exits 10
  out_has "what it reads is not written before it"
  store_buffer memory_order_seq_cst memory_order_seq_cst
  run verify buffer.c --engine=graph --statistics
  last_line "verdict: safe"
  out_has "graph.executions               3"
}

# What is read, and why that is allowed, is in every kind of report.
test_a_weak_run_is_evidence_everywhere() {
  weak
  why="reads the old 0 of x: nothing orders it after line 7"
  run verify buffer.c --property=assert --format=sarif
  out_has "$why"
  run verify buffer.c --property=assert --format=json
  out_has '"name": "x"'
  out_has "\"why\": \"$why\""
  out_has '"kind": "before"'
  run verify buffer.c --property=assert --diagram=run.dot --html=run.html -q
  file_has run.dot 'R x = 0 acquire\nbuffer.c:13'
  file_has run.dot '[label="rb"'
  file_has run.html "$why"
  run verify buffer.c --property=assert --diagram=run.svg -q
  file_has run.svg "does not see it"
  run verify buffer.c --property=assert --witness=run.yml -q
  file_has run.yml "# $why"
  run verify buffer.c --property=assert --witness=run.graphml -q
  file_has run.graphml "<!-- $why"
  run verify buffer.c --property=assert --engine=graph --harness=native -q
  exits 10
  make -s -C native || problem "make: $(ls native)"
  bash -c 'native/replay; exit $?' 2>errors
  same $? 134
  file_has errors "Assertion \`a || b' failed."
}

# Reads of one variable in one thread do not go back.
test_a_schedule_that_the_axioms_do_not_allow_is_refused() {
  cat >reads.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int a, b;
static void *left(void *arg) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return arg;
}
static void *right(void *arg) {
  a = atomic_load_explicit(&FIRST, ORDER);
  b = atomic_load_explicit(&x, ORDER);
  return arg;
}
int main(void) {
  pthread_t p, q;
  pthread_create(&p, 0, left, 0);
  pthread_create(&q, 0, right, 0);
  pthread_join(p, 0);
  pthread_join(q, 0);
  assert(a <= b);
  return 0;
}
END
  run verify reads.c -DFIRST=x -DORDER=memory_order_relaxed
  last_line "verdict: safe"
  run verify reads.c -DFIRST=y -DORDER=memory_order_relaxed
  last_line "verdict: unsafe"
  run run reads.c -DFIRST=x -DORDER=memory_order_relaxed --record=run
  { sed -n 1,2p run
    printf '%s\n' "0 0" "0 0" "1 0 after initial" "1 0 after initial" "2 0 from 3" "2 0" "2 0 from initial" \
      "2 0" "0 0" "0 0" "0 0" "0 0" end; } >forged
  run check reads.c forged -DFIRST=x -DORDER=memory_order_relaxed
  exits 10
  out_has "c11 does not allow it: coherence: it reads what was overwritten before it (turn 7, thread 2, reads.c:13:7"
  run run reads.c -DFIRST=x -DORDER=memory_order_relaxed --schedule=forged
  exits 2
  err_has "c11 does not allow it"
}

# What a lock, a barrier or the like orders, the judge knows, too: behind them nothing old
# is read.
test_a_schedule_that_reads_past_a_lock_is_refused() {
  cat >passed.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static int r;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void set(void) { atomic_store_explicit(&x, 1, memory_order_relaxed); }
static void get(void) { r = atomic_load_explicit(&x, memory_order_relaxed); }
static void *left(void *arg) {
  LEFT;
  return arg;
}
static void *right(void *arg) {
  RIGHT;
  return arg;
}
int main(void) {
  pthread_t p, q;
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&p, 0, left, 0);
  pthread_create(&q, 0, right, 0);
  pthread_join(p, 0);
  pthread_join(q, 0);
  assert(r != 1);
  return 0;
}
END
  past() {
    run verify passed.c --engine=graph --property=assert "-DLEFT=$1" "-DRIGHT=$2" --witness=run -q
    exits 10
    run check passed.c run "-DLEFT=$1" "-DRIGHT=$2"
    last_line "check: accepted"
    sed 's/from [0-9][0-9]*/from initial/' run >forged
    run check passed.c forged "-DLEFT=$1" "-DRIGHT=$2"
    out_has "c11 does not allow it: coherence"
  }
  past "pthread_mutex_lock(&lock);set();pthread_mutex_unlock(&lock)" "pthread_mutex_lock(&lock);get();pthread_mutex_unlock(&lock)"
  past "set();pthread_barrier_wait(&barrier)" "pthread_barrier_wait(&barrier);get()"
  past "pthread_once(&once,set)" "pthread_once(&once,set);get()"
}

test_fuzz_makes_weak_runs() {
  weak
  run fuzz buffer.c --property=assert --runs=500
  last_line "verdict: unsafe"
  run fuzz buffer.c --property=assert --runs=500 --memory-model=sc
  last_line "verdict: unknown (no violation in 500 runs)"
  strong
  run fuzz buffer.c --property=assert --runs=500
  last_line "verdict: unknown (no violation in 500 runs)"
}

test_volatile_is_plain_or_relaxed() {
  cat >flags.c <<'END'
#include <assert.h>
#include <pthread.h>
static volatile int x, y;
static int a, b;
static void *left(void *arg) {
  x = 1;
  a = y;
  return arg;
}
static void *right(void *arg) {
  y = 1;
  b = x;
  return arg;
}
int main(void) {
  pthread_t p, q;
  pthread_create(&p, 0, left, 0);
  pthread_create(&q, 0, right, 0);
  pthread_join(p, 0);
  pthread_join(q, 0);
#ifdef WEAK
  assert(a || b);
#endif
  return 0;
}
END
  run verify flags.c --property=race
  last_line "verdict: unsafe"
  run verify flags.c --volatile=relaxed
  last_line "verdict: safe"
  out_has "volatile accesses are atomic"
  run verify flags.c --volatile=relaxed -DWEAK
  last_line "verdict: unsafe"
  out_has "assert: unsafe"
  out_has "race: safe"
  run verify flags.c --volatile=relaxed -DWEAK --memory-model=sc
  last_line "verdict: safe"
  run verify flags.c --volatile=none
  exits 1
  err_has "--volatile: expected plain|relaxed, found 'none'"
}

test_fences_of_assembler_are_no_more_than_they_are() {
  for fence in mfence sfence; do
    weak
    sed -i "s/^  \([ab]\) = /  __asm__ volatile(\"$fence\" ::: \"memory\");\n  \1 = /" buffer.c
    run verify buffer.c
    [ $fence = mfence ] && last_line "verdict: safe"
    [ $fence = mfence ] || last_line "verdict: unsafe"
  done
}

# On x86 a store waits until a fence, an update, or what may be one.
test_tso_delays_stores_only() {
  for fence in relaxed acq_rel seq_cst; do
    cat >buffer.c <<END
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y, z;
static int a, b;
static void *left(void *arg) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_$fence);
  a = atomic_load_explicit(&y, memory_order_relaxed);
  return arg;
}
static void *right(void *arg) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  int zero = 1;
  atomic_compare_exchange_strong(&z, &zero, 2);
  b = atomic_load_explicit(&x, memory_order_relaxed);
  return arg;
}
int main(void) {
  pthread_t p, q;
  pthread_create(&p, 0, left, 0);
  pthread_create(&q, 0, right, 0);
  pthread_join(p, 0);
  pthread_join(q, 0);
  assert(a || b);
  return 0;
}
END
    run verify buffer.c --memory-model=tso --property=assert
    [ $fence = seq_cst ] && last_line "verdict: safe"
    [ $fence = seq_cst ] || last_line "verdict: unsafe"
  done
}

test_fences_and_relaxed_flags_order() {
  cat >fence.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int ready, other;
static int data;
static void *work(void *arg) {
  data = 1;
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&ready, 1, memory_order_relaxed);
  atomic_store_explicit(&other, 1, memory_order_relaxed);
  return arg;
}
int main(void) {
  pthread_t p;
  pthread_create(&p, 0, work, 0);
  while (!atomic_load_explicit(&ready, memory_order_relaxed))
    ;
#ifndef BUG
  atomic_thread_fence(memory_order_acquire);
#endif
  assert(data == 1);
  return 0;
}
END
  run verify fence.c
  last_line "verdict: safe"
  out_has "race: safe"
  run verify fence.c -DBUG
  last_line "verdict: unsafe"
  out_has "race: unsafe"
}

buffer_test() {
  cat >buffer.litmus <<END
C buffer
(* the store buffer *)
{ [x] = 0; int y = 0; }
P0 (atomic_int *x, atomic_int* y) {
  atomic_store_explicit(x, 1, memory_order_$1); // one
  if (1) { int r0 = atomic_load_explicit(y, memory_order_$1); }
}
P1 (atomic_int *x, atomic_int *y) {
  atomic_store_explicit(y, 1, memory_order_$1);
  int r0 = atomic_load_explicit(x, memory_order_$1);
}
$2
END
}

test_litmus_tests_are_read() {
  buffer_test relaxed 'exists (0:r0=0 /\ 1:r0=0)'
  run verify buffer.litmus
  last_line "verdict: unsafe"
  out_has "an execution has the condition (exists: Ok)"
  buffer_test seq_cst 'exists (0:r0=0 /\ 1:r0=0)'
  run verify buffer.litmus
  last_line "verdict: safe"
  out_has "no execution has the condition (exists: No)"
  buffer_test seq_cst '~exists (0:r0=0 /\ 1:r0=0)'
  run verify buffer.litmus
  out_has "no execution has the condition (~exists: Ok)"
  buffer_test relaxed 'forall (0:r0=1 \/ ~(1:r0=0) \/ [x]=1 /\ y!=1)'
  run verify buffer.litmus
  last_line "verdict: unsafe"
  out_has "an execution has it not (forall: No)"
  run verify buffer.litmus --memory-model=sc
  last_line "verdict: safe"
}

test_litmus_tests_that_are_none_are_told() {
  buffer_test relaxed 'exists (0:r7=0)'
  run verify buffer.litmus
  exits 2
  err_has "buffer.litmus:12:11: error: thread 0 has no register 'r7'"
  buffer_test relaxed 'sometimes (x=0)'
  run verify buffer.litmus
  err_has "expected exists, ~exists or forall, found 'sometimes'"
  buffer_test relaxed 'exists (x=0'
  run verify buffer.litmus
  err_has "expected ')', found the end of the file"
  printf 'X86 name\n{}\n' >other.litmus
  run verify other.litmus
  exits 2
  err_has "litmus tests of C are read, no others"
}

# Plain accesses that race order nothing, and mean something under rc11.
test_races_mean_something_where_that_is_asked_for() {
  cat >race.litmus <<'END'
C race
{}
P0 (int *d, atomic_int *f) {
  *d = 1;
  atomic_store_explicit(f, 1, memory_order_ORDER);
}
P1 (int *d, atomic_int *f) {
  int r0 = atomic_load_explicit(f, memory_order_acquire);
  int r1 = *d;
}
exists (1:r0=1 /\ 1:r1=0)
END
  sed s/ORDER/relaxed/ race.litmus >weak.litmus
  sed s/ORDER/release/ race.litmus >strong.litmus
  run verify weak.litmus
  last_line "verdict: unsafe"
  run verify strong.litmus
  last_line "verdict: safe"
  run verify strong.litmus --property=race
  last_line "verdict: unsafe"
}

test_an_assertion_that_fails_with_a_race_is_found() {
  cat >lock.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int lock;
static int count;
static void *work(void *arg) {
  while (atomic_exchange_explicit(&lock, 1, memory_order_acquire))
    ;
  count++;
  atomic_store_explicit(&lock, 0, ORDER);
  return arg;
}
int main(void) {
  pthread_t p[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&p[i], 0, work, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(p[i], 0);
  assert(count == 2);
  return 0;
}
END
  run verify lock.c -DORDER=memory_order_relaxed --property=assert
  last_line "verdict: unsafe"
  run verify lock.c -DORDER=memory_order_release
  last_line "verdict: safe"
  run verify lock.c -DORDER=memory_order_relaxed --property=assert --memory-model=tso
  last_line "verdict: safe"
}

test_threads_may_create_threads() {
  cat >nest.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int a, b;
static void *inner(void *arg) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  b = atomic_load_explicit(&x, memory_order_relaxed);
  return arg;
}
static void *outer(void *arg) {
  pthread_t p;
  BEFORE;
  pthread_create(&p, 0, inner, 0);
  AFTER;
  a = atomic_load_explicit(&y, memory_order_relaxed);
  pthread_join(p, 0);
  return arg;
}
int main(void) {
  pthread_t p;
  pthread_create(&p, 0, outer, 0);
  pthread_join(p, 0);
  assert(a || b);
  return 0;
}
END
  store='atomic_store_explicit(&x,1,memory_order_relaxed)'
  run verify nest.c -DBEFORE= "-DAFTER=$store"
  last_line "verdict: unsafe"
  run verify nest.c "-DBEFORE=$store" -DAFTER=
  last_line "verdict: safe"
}

buffer_with_ids() {
  cat >ids.c <<END
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int x, y;
static int a, b;
$1
static void *left(void *arg) {
  atomic_store_explicit(&x, 1, memory_order_$3);
  a = atomic_load_explicit(&y, memory_order_$3);
  return arg;
}
static void *right(void *arg) {
  atomic_store_explicit(&y, 1, memory_order_$3);
  b = atomic_load_explicit(&x, memory_order_$3);
  return arg;
}
int main(void) {
  $2
  pthread_create(&ids[0], 0, left, 0);
  pthread_create(&ids[1], 0, right, 0);
  pthread_join(ids[0], 0);
  pthread_join(ids[1], 0);
  assert(a || b);
  return 0;
}
END
}

# The id of a thread is stored in the middle of its creation.
test_ids_of_threads_are_stored_where_others_see_them() {
  buffer_with_ids "static pthread_t ids[2];" "" relaxed
  run verify ids.c --engine=graph
  last_line "verdict: unsafe"
  buffer_with_ids "static pthread_t ids[2];" "" seq_cst
  run verify ids.c --engine=graph
  last_line "verdict: safe"
  buffer_with_ids "static pthread_t *ids;" "ids = malloc(2 * sizeof *ids); if (!ids) return 1;" relaxed
  run verify ids.c --engine=graph
  last_line "verdict: unsafe"
}

test_what_graph_does_not_do_is_named() {
  cat >sizes.c <<'END'
#include <pthread.h>
static long whole;
static int other;
static void *work(void *arg) {
  __atomic_store_n((int *)&whole, 1, __ATOMIC_RELAXED);
  __atomic_store_n(&other, 1, __ATOMIC_RELAXED);
  return arg;
}
int main(void) {
  pthread_t p;
  pthread_create(&p, 0, work, 0);
  return (int)__atomic_load_n(&whole, __ATOMIC_RELAXED);
}
END
  run verify sizes.c --engine=graph
  exits 5
  out_has "atomic accesses of different sizes that overlap: not treated by graph"
  cat > start.c <<'END'
#include <pthread.h>
static int whole;
static void *work(void *arg) {
  __atomic_store_n((char *)&whole, 1, __ATOMIC_RELAXED);
  return arg;
}
int main(void) {
  pthread_t p;
  pthread_create(&p, 0, work, 0);
  return __atomic_load_n(&whole, __ATOMIC_RELAXED) > 1;
}
END
  run verify start.c --property=assert,race
  exits 5
  out_has "atomic accesses of different sizes that overlap: not treated by graph"
}

test_a_lock_that_is_tried_orders_nothing() {
  cat > tried.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int y;
static int a, b;
static void *owner(void *arg) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  a = y;
  return arg;
}
int main(void) {
  pthread_t p;
  pthread_create(&p, 0, owner, 0);
  y = 1;
  b = pthread_mutex_trylock(&mutex);
  pthread_join(p, 0);
  assert(a || !b);
  return 0;
}
END
  run verify tried.c --property=assert
  exits 10
  cp "$SOURCE/tests/weak/waiting/tried.c" known.c
  run verify known.c -DBUG --property=assert
  out_has "finds mutex still taken"
  out_lacks "Every read reads the newest write"
  run verify tried.c --property=assert --engine=explore
  exits 5
  out_has "the lock that is tried at tried.c:17:7 allows more under C11"
}

test_sequential_consistency_can_be_asked_for() {
  weak
  run verify buffer.c --memory-model=sc
  exits 0
  last_line "verdict: safe"
  out_has "memory model: sequential consistency"
  run verify buffer.c --memory-model=arm
  exits 1
  err_has "expected c11|rc11|sc|tso, found 'arm'"
}

test_the_report_names_the_model_and_the_theorem() {
  strong
  run verify buffer.c
  exits 0
  out_has "note: memory model: C11; every atomic access is sequentially consistent: without a race all executions are interleavings"
  run verify buffer.c --property=assert --format=json
  json_is memory_model c11 notes.0 "memory model: C11; every atomic access is sequentially consistent: if there is no race, which was not asked about,*"
}

# What an annotation says of atomic objects holds whatever the orders are; where
# the orders matter there is none.
test_annotations_make_no_use_of_orders() {
  cat >flag.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
static atomic_int x, y;
static void *work(void *arg) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return arg;
}
int main(void) {
  pthread_t p;
  pthread_create(&p, 0, work, 0);
  assert(atomic_load_explicit(&x, memory_order_relaxed) <= 1);
  return 0;
}
END
  run verify flag.c --memory-model=sc --property=assert --certificate=proof
  exits 0
  has_file proof
  run check flag.c proof --memory-model=sc
  last_line "check: accepted"
  run check flag.c proof
  last_line "check: accepted"
  sed 's/assert(.*/int seen = y; assert(!seen || x);/' flag.c >passed.c
  run verify passed.c --memory-model=sc --property=assert --confirm --certificate=other
  exits 0
  no_file other
  { head -n 1 proof; "$HEDDLE" run passed.c --record=w >/dev/null 2>&1
    sed -n '/^program/p' w; sed 1,2d proof; } >other
  run check passed.c other --memory-model=sc
  exits 10
}

test_an_answer_of_the_cache_is_about_its_model() {
  weak
  run verify buffer.c --memory-model=sc --cache=answers
  exits 0
  run verify buffer.c --engine=explore --cache=answers
  exits 5
}

test_one_atomic_variable_is_coherent() {
  cat >count.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int n;
static void *work(void *arg) {
  atomic_fetch_add_explicit(&n, 1, memory_order_relaxed);
  return arg;
}
int main(void) {
  pthread_t p, q;
  pthread_create(&p, 0, work, 0);
  pthread_create(&q, 0, work, 0);
  pthread_join(p, 0);
  pthread_join(q, 0);
  assert(atomic_load_explicit(&n, memory_order_relaxed) == 2);
  return 0;
}
END
  run verify count.c --property=assert,deadlock
  exits 0
  out_has "every atomic access is of one variable, which is coherent"
}

test_the_order_of_a_failing_exchange_counts() {
  cat >fail.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static void *work(void *arg) {
  int zero = 0;
  atomic_compare_exchange_strong_explicit(&x, &zero, 1, memory_order_seq_cst,
                                          memory_order_relaxed);
  atomic_store(&y, 1);
  return arg;
}
int main(void) {
  pthread_t p;
  pthread_create(&p, 0, work, 0);
  return atomic_load(&y) + atomic_load(&x);
}
END
  run verify fail.c --engine=explore
  exits 5
  out_has "the relaxed access at fail.c:6:3 allows more"
}

# Two flags, passed on: weak orders, and no executions but interleavings. With $1 relaxed there
# are others.
passes_on() {
  cat >pass.c <<END
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int ready, done;
static int slot;
static void *work(void *arg) {
  while (!atomic_load_explicit(&ready, memory_order_acquire))
    ;
  slot++;
  atomic_store_explicit(&done, 1, memory_order_release);
  return arg;
}
int main(void) {
  pthread_t p;
  pthread_create(&p, 0, work, 0);
  atomic_store_explicit(&done, 0, memory_order_relaxed);
  slot = 1;
  atomic_store_explicit(&ready, 1, $1);
  while (!atomic_load_explicit(&done, memory_order_acquire))
    ;
  assert(slot == 2);
  pthread_join(p, 0);
  return 0;
}
END
}

test_views_says_when_all_executions_are_interleavings() {
  passes_on memory_order_release
  run verify pass.c --engine=views
  exits 0
  out_has "all executions are interleavings, as views has seen"
  passes_on memory_order_relaxed
  run verify pass.c --engine=views
  exits 10
  out_lacks "all executions are interleavings"
  weak
  run verify buffer.c --engine=views
  exits 10
  out_lacks "all executions are interleavings"
}

# Rounds of loops that nobody needs are left out: 26 moves without that.
test_a_weak_run_is_shrunk() {
  cat >rounds.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y, other;
static void *left(void *arg) {
  for (int i = 0; i < 6; i++)
    atomic_fetch_add_explicit(&other, 1, memory_order_relaxed);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return arg;
}
static void *right(void *arg) {
  for (int i = 0; i < 6; i++)
    atomic_fetch_add_explicit(&other, 1, memory_order_relaxed);
  if (atomic_load_explicit(&y, memory_order_relaxed))
    assert(atomic_load_explicit(&x, memory_order_relaxed));
  return arg;
}
static void *idle(void *arg) {
  for (int i = 0; i < 6; i++)
    atomic_fetch_add_explicit(&other, 1, memory_order_relaxed);
  return arg;
}
int main(void) {
  pthread_t p, q, r;
  pthread_create(&r, 0, idle, 0);
  pthread_create(&p, 0, left, 0);
  pthread_create(&q, 0, right, 0);
  pthread_join(p, 0);
  pthread_join(q, 0);
  pthread_join(r, 0);
  return 0;
}
END
  run fuzz rounds.c
  exits 10
  moves=$(sed -n 's/^after \([0-9]*\) moves.*/\1/p' stdout.txt)
  [ "${moves:-99}" -le 24 ] || problem "the run has $moves moves"
}

run_tests
