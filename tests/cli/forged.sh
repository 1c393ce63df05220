#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Certificates of C programs that prove what is not so: none is accepted. Each was
# made for the program itself (its hash is in it), by hand or from that of a
# program that is like it and safe.
. "$(dirname "$0")/lib.sh"

needs_cc() {
  [ -x "$(dirname "$HEDDLE")/heddle-cc" ] || [ -n "${HEDDLE_CC-}" ] ||
    skip "heddle is built without heddle-cc"
  command -v clang-19 >/dev/null || skip "clang-19 is not installed"
}

# The first lines of an annotation of bad.c.
head_of() {
  printf 'heddle annotation 2\nprogram %s\nproves %s\nunroll 2\n' \
    "$("$HEDDLE" run bad.c --record=w --timeout=5 >/dev/null 2>&1; sed -n 's/^program //p' w)" "$1"
}
# bad.c is unsafe, and no certificate without threads and loops hides that.
bare() {
  needs_cc
  cat >bad.c
  { head_of "${1-assert}"; echo end; } >c
  run check bad.c c
  exits 10; out_has "check: refused ("
}
# The certificate of good.c is none of bad.c, which differs from it by sed "$1".
borrowed() {
  needs_cc
  cat >good.c
  sed "$1" good.c >bad.c
  same "$(cmp -s good.c bad.c && echo 'the same')" ""
  run verify good.c --certificate=g --property="$2"
  exits 0; has_file g
  { head_of "$2" | sed 4d; sed 1,3d g; } >c
  run check bad.c c
  { [ "$status" = 10 ] || [ "$status" = 2 ]; } ||
    problem "accepted: $out with $(cat c)"
  out_lacks "accepted"
}
# What is not modelled gets no certificate, whatever the verdict is.
unwritten() {
  needs_cc
  cat >odd.c
  run verify odd.c --certificate=o --property="$1" --timeout=20
  no_file o
}

test_main_without_argument() {
  needs_cc
  printf '%s\n' '#include <assert.h>' 'int main(void) { assert(0); }' >bad.c
  { head_of assert; echo 'argument 0 {}'; echo end; } >c
  run check bad.c c; exits 2; err_has "an argument of main"
  { head_of assert; echo 'place 0 ex 0 rd 0 live 0 gone 0 ready 0 dead 0 joined 0 virgin 1'; echo end; } >c
  run check bad.c c; exits 2; err_has "a place without frames"
  { head_of "assert race deadlock"; echo end; } >c
  run check bad.c c; exits 10
}
test_part_of_a_cell() {
  borrowed 's/whole = 0/part = 3/' assert <<'C'
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
union { short part; int whole; } u;
void *f(void *p) { return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  u.whole = 0;
  while (__VERIFIER_nondet_int()) {}
  assert(u.whole == 0);
}
C
  grep -q '^known .* 4 {0}' c || problem "nothing to leave out: $(cat c)"
  sed '/^known .* 4 {0}/d' c >left
  run check bad.c left; exits 10
}
# Bytes of a pointer before any thread: what a place leaves out is as it began.
test_part_of_a_pointer() {
  borrowed 's/= 0; \/\/ write/= 1;/' assert <<'C'
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int x[1000], *p = x;
unsigned char other;
int main(void) {
  unsigned char *q = __VERIFIER_nondet_int() ? &other : &other;
  *q = 0; // write
  while (__VERIFIER_nondet_int()) {}
  assert(other == 0 && p == x);
}
C
}
test_pragmas() {
  bare <<'C'
#include <assert.h>
#pragma heddle input
int n;
int main(void) { assert(n == 0); }
C
}
test_getters() {
  bare <<'C'
#include <assert.h>
#include <pthread.h>
int main(void) {
  pthread_attr_t a;
  int k = 9;
  pthread_attr_init(&a);
  pthread_attr_getdetachstate(&a, &k);
  assert(k == 9);
}
C
}
test_attributes_are_not_read() {
  unwritten assert <<'C'
#include <assert.h>
#include <pthread.h>
int main(void) {
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  int before = *(int *)&a;
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
  assert(before == *(int *)&a);
}
C
}
test_percent_n() {
  bare <<'C'
#include <assert.h>
#include <stdio.h>
int x;
int main(void) {
  long a = (long)&x;
  a *= 3;
  a /= 3;
  printf("four%n", a);
  assert(!x);
}
C
}
test_detached() {
  borrowed 's/JOINABLE/DETACHED/' assert <<'C'
#include <assert.h>
#include <pthread.h>
int x;
void *f(void *p) { x = 1; return p; }
int main(void) {
  pthread_t t;
  pthread_attr_t a;
  pthread_attr_init(&a);
  pthread_attr_setdetachstate(&a, PTHREAD_CREATE_JOINABLE);
  pthread_create(&t, &a, f, 0);
  pthread_join(t, 0);
  x = 2;
  assert(x == 2);
}
C
}
test_detached_by_itself() {
  borrowed 's/pthread_self();/pthread_detach(pthread_self());/' assert <<'C'
#include <assert.h>
#include <pthread.h>
int x;
void *f(void *p) { pthread_self(); x = 1; return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  x = 2;
  assert(x == 2);
}
C
}
# Who is detached already, by itself or from the beginning, is not once more.
test_detached_twice() {
  unwritten assert <<'C'
#include <assert.h>
#include <pthread.h>
void *f(void *p) { pthread_detach(pthread_self()); return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  int r = pthread_detach(t);
  assert(r == 0);
}
C
  unwritten assert <<'C'
#include <assert.h>
#include <pthread.h>
void *f(void *p) { return p; }
int main(void) {
  pthread_t t;
  pthread_attr_t a;
  pthread_attr_init(&a);
  pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
  pthread_create(&t, &a, f, 0);
  assert(pthread_detach(t) == 0);
}
C
}
# An input that is told where to put it.
test_inputs_in_memory() {
  bare <<'C'
#include <assert.h>
int x;
long __VERIFIER_nondet_into(int *where, long size);
int main(void) {
  __VERIFIER_nondet_into(&x, sizeof x);
  assert(x == 0);
}
C
  bare <<'C'
#include <assert.h>
void __VERIFIER_nondet_memory(void *where, unsigned long size);
int main(void) {
  struct { char a, b; } s = {0, 0};
  __VERIFIER_nondet_memory(&s.b, 1);
  assert(s.b == 0);
}
C
}
test_kinds_of_locks() {
  unwritten assert <<'C'
#include <assert.h>
#include <threads.h>
mtx_t m;
int main(void) { assert(mtx_init(&m, 77) == thrd_success); }
C
}
test_joined_twice() {
  unwritten assert <<'C'
#include <assert.h>
#include <pthread.h>
void *f(void *p) { return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  int r = pthread_join(t, 0) | pthread_join(t, 0);
  assert(r == 0);
}
C
}
test_destroyed() {
  borrowed 's/^  return 0/  pthread_mutex_destroy(\&m), pthread_join(t, 0); return 0/' assert,race <<'C'
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *f(void *p) {
  pthread_mutex_lock(&m);
  x = 1;
  assert(x == 1);
  x = 0;
  pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&m);
  x = 0;
  pthread_mutex_unlock(&m);
  return 0;
}
C
}
test_narrow_parameter() {
  borrowed 's/void \*x)/int x)/' assert <<'C'
#include <assert.h>
#include <pthread.h>
void *f(void *x) { assert(x); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, (void *(*)(void *))f, (void *)0x700000000);
  pthread_join(t, 0);
}
C
}
test_calls_of_another_type() {
  bare <<'C'
#include <assert.h>
int f(int x) { return x; }
int main(void) { assert(((long (*)(long))f)(0x500000000) != 0); }
C
}
# A variable of a call that ended is another one in the next call.
test_pointers_into_frames() {
  unwritten assert <<'C'
#include <assert.h>
int *keep;
int use(int first) {
  int x = first ? 1 : 2, y = x;
  if (first)
    keep = &x;
  return first ? y : keep != &x;
}
int main(void) {
  use(1);
  assert(use(0) == 0);
}
C
}
# Teams have any size, whatever is linked to execute them.
test_teams() {
  bare <<'C'
#include <assert.h>
#include <omp.h>
int main(void) { assert(omp_get_max_threads() < 1000); }
C
  out_has "teams are not followed"
}
# Main's variables end before the program does.
test_main_returns() {
  unwritten assert <<'C'
#include <assert.h>
#include <pthread.h>
void *f(void *p) {
  int *x = p;
  *x = 5;
  assert(*x == 5);
  return 0;
}
int main(void) {
  pthread_t t;
  int mine = 0;
  pthread_create(&t, 0, f, &mine);
  return 0;
}
C
}
# … and what the native program may do otherwise than the machine.
test_ids_come_again() {
  unwritten assert <<'C'
#include <assert.h>
#include <pthread.h>
void *f(void *p) { return p; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, f, 0);
  pthread_join(a, 0);
  pthread_create(&b, 0, f, 0);
  pthread_join(b, 0);
  assert(a - b);
}
C
}
test_weak_symbols() {
  unwritten assert <<'C'
#include <assert.h>
extern char tail[] __attribute__((weak));
void hook(int) __attribute__((weak));
int main(void) { assert(tail || hook); }
C
}
test_neighbours() {
  unwritten assert <<'C'
#include <assert.h>
struct { int v[2]; } a, b;
int main(void) {
  int *p = a.v + 2, *q = b.v + 2;
  assert(p != b.v && q != a.v);
}
C
}
test_same_text() {
  unwritten assert <<'C'
#include <assert.h>
const char *one = "ab", *two = "xab";
int main(void) { assert(one != two + 1); }
C
}
test_bytes_of_locks() {
  unwritten assert <<'C'
#include <assert.h>
#include <pthread.h>
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int main(void) {
  pthread_rwlock_wrlock(&l);
  for (unsigned i = 0; i < sizeof l; i++)
    assert(((char *)&l)[i] == 0);
}
C
}
test_busy() {
  unwritten assert <<'C'
#include <assert.h>
#include <pthread.h>
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
void *f(void *p) {
  pthread_rwlock_rdlock(&l);
  pthread_rwlock_unlock(&l);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  assert(pthread_rwlock_destroy(&l) == 0);
  pthread_join(t, 0);
}
C
}
test_robust_and_ceilings() {
  unwritten assert <<'C'
#include <assert.h>
#include <pthread.h>
int main(void) {
  pthread_mutexattr_t a;
  pthread_mutex_t m;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_PROTECT);
  pthread_mutex_init(&m, &a);
  assert(pthread_mutex_lock(&m) == 0);
}
C
  unwritten assert <<'C'
#include <assert.h>
#include <pthread.h>
pthread_mutexattr_t made_by_nobody;
int main(void) {
  pthread_mutex_t m;
  ((char *)&made_by_nobody)[3] = 64;
  pthread_mutex_init(&m, &made_by_nobody);
  assert(pthread_mutex_lock(&m) == 0);
}
C
}
test_no_room() {
  unwritten assert <<'C'
#include <assert.h>
#include <pthread.h>
void *f(void *p) { return p; }
int main(void) {
  pthread_t t;
  pthread_attr_t a;
  pthread_attr_init(&a);
  pthread_attr_setstacksize(&a, 1ul << 45);
  assert(pthread_create(&t, &a, f, 0) == 0);
}
C
}
test_held_from_the_beginning() {
  unwritten deadlock <<'C'
#include <pthread.h>
pthread_mutex_t m = {{1, 0, 0, 0, 0}};
int main(void) { pthread_mutex_lock(&m); }
C
  unwritten deadlock <<'C'
#include <pthread.h>
pthread_spinlock_t never_made;
int main(void) { pthread_spin_lock(&never_made); }
C
}
test_written_over() {
  unwritten deadlock <<'C'
#include <pthread.h>
#include <string.h>
struct { int a; pthread_mutex_t m; } s;
int main(void) {
  memset(&s, 1, sizeof s);
  pthread_mutex_lock(&s.m);
}
C
  needs_cc
  sed 's/memset(.*/&\n  pthread_mutex_init(\&s.m, 0);/' odd.c >made.c
  run verify made.c --certificate=m --property=deadlock
  exits 0; has_file m
}
# The judge alone, on the graph: the same verdict as heddle check.
test_judge() {
  needs_cc
  local judge; judge=$(dirname "$HEDDLE")/heddle-judge
  cp "$EXAMPLES/many-threads.c" many.c
  "$HEDDLE" verify many.c --certificate=p >/dev/null
  "$HEDDLE" show many.c --ir >many.code
  "$judge" many.code p >stdout.txt 2>stderr.txt
  status=$?; exits 0; last_line "judge: accepted"; out_has "proved: race"; no_err
  sed '/^guard .* lock/d' p >q
  "$judge" many.code q >stdout.txt 2>stderr.txt
  status=$?; exits 10; out_has "judge: refused ("
  sed 's/^proves.*/proves/' p >q
  "$judge" many.code q >stdout.txt 2>stderr.txt
  status=$?; exits 10; last_line "judge: refused (it does not say what it proves)"
  sed 's/^program .*/program 0123456789abcdef/' p >q
  "$judge" many.code q >stdout.txt 2>stderr.txt
  status=$?; exits 2; err_has "q: error: line 2: an annotation of another program"
  "$judge" p p >stdout.txt 2>stderr.txt
  status=$?; exits 2; err_has "error"
  "$judge" many.code >stdout.txt 2>stderr.txt
  status=$?; exits 1; err_has "usage: heddle-judge"
}
# States of all threads together: whoever judges them goes through them again.
states_of() {
  printf 'heddle states 1\nprogram %s\nproves %s\nstates %s\nend\n' \
    "$("$HEDDLE" run "$1" --record=w --timeout=5 >/dev/null 2>&1; sed -n 's/^program //p' w)" "$2" "$3"
}
test_states() {
  needs_cc
  cat >sum.c <<'C'
#include <assert.h>
#include <pthread.h>
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *p) {
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, f, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(x == 2);
}
C
  run verify sum.c --certificate=p; exits 0
  grep -q '^heddle annotation' p || problem "no annotation: $(cat p)"
  grep -q '^heddle states' p || problem "no states: $(cat p)"
  run check sum.c p; exits 0
  out_has "It proves that no run violates: assert, race, deadlock"
  last_line "check: accepted"
  "$HEDDLE" show sum.c --ir >sum.code
  "$(dirname "$HEDDLE")/heddle-judge" sum.code p >stdout.txt 2>stderr.txt
  status=$?; exits 0; out_has "proved: assert"; out_has "judge: accepted"
  sed 's/^states .*/states 3/' p >q
  run check sum.c q; exits 10; out_has "there are more states than it says"
  states_of sum.c "assert race" 100 >q
  run check sum.c q --property=assert,race; exits 0
  run check sum.c q --property=deadlock; exits 10
  { cat q; echo end; } >r
  run check sum.c r; exits 2; err_has "no states of this program"
  sed 's/x == 2/x == 1/' sum.c >bad.c
  states_of bad.c assert 100000 >c
  run check bad.c c; exits 10; out_has "this assertion may fail"
  states_of sum.c memory 100000 >c
  run check sum.c c; exits 10
  states_of sum.c assert 100000 >c
  run check sum.c c --malloc-fails; exits 10
}
# Weak orders, races, and what C leaves open.
test_states_of_others() {
  needs_cc
  cat >bad.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
int a, b;
void *f(void *p) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  a = atomic_load_explicit(&y, memory_order_relaxed);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  b = atomic_load_explicit(&x, memory_order_relaxed);
  pthread_join(t, 0);
  assert(a || b);
}
C
  states_of bad.c assert 100000 >c
  run check bad.c c; exits 10; out_has "several atomic places beside a weak order"
  sed 's/atomic_int x, y/int x, y/; s/atomic_store_explicit(&\(.\), 1, .*/\1 = 1;/
    s/atomic_load_explicit(&\(.\), .*/\1;/' bad.c >racy.c
  states_of racy.c assert 100000 >c
  run check racy.c c; exits 10; out_has "may race with"
  cat >bad.c <<'C'
#include <assert.h>
int main(void) {
  int n = 40, x = 1;
  assert(x << n != 2);
}
C
  states_of bad.c assert 100000 >c
  run check bad.c c; exits 10; out_has "this assertion may fail"
  cat >bad.c <<'C'
#include <assert.h>
#include <pthread.h>
int main(void) {
  pthread_t t = pthread_self();
  int i = *(unsigned char *)&t;
  assert(i == i + 0 && i != 3);
}
C
  states_of bad.c assert 100000 >c
  run check bad.c c; exits 10; out_has "this assertion may fail"
}
# The order of operands is the compiler's.
test_order() {
  needs_cc
  cat >bad.c <<'C'
#include <assert.h>
int n;
int next(void) { return ++n; }
int less(int a, int b) { return a < b; }
int main(void) {
  assert(less(next(), next()));
}
C
  states_of bad.c assert 100000 >c
  run check bad.c c; exits 10; out_has "in an order that C leaves open"
}
# What has no certificate is said when one was asked for.
test_certify() {
  needs_cc
  cat >good.c <<'C'
int main(void) {
  return 0;
}
C
  run verify good.c --property=assert,memory --certify -q
  exits 0; out_has "certificate: none (memory)"
  run verify good.c --property=assert --certify
  exits 0; out_lacks "certificate: none"
}
# Who fails to get a lock is not ordered behind who has it: a race that no two
# neighbouring steps show. One that ends before the race is none the less one.
test_states_races() {
  needs_cc
  cat >try.c <<'C'
#include <pthread.h>
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *p) {
  x = 1;
  pthread_mutex_lock(&m);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  if (pthread_mutex_trylock(&m))
    return x;
  return 0;
}
C
  states_of try.c race 100000 >c
  run check try.c c; exits 10; out_has "may race with"
  cat >assume.c <<'C'
#include <heddle.h>
#include <pthread.h>
int x;
void *f(void *p) {
  heddle_assume(x == 1);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  x = 1;
  pthread_join(t, 0);
}
C
  states_of assume.c race 100000 >c
  run check assume.c c; exits 10; out_has "may race with"
}
# Somebody waits for ever beside others that go on.
test_states_deadlocks() {
  needs_cc
  cat >lost.c <<'C'
#include <pthread.h>
#include <semaphore.h>
sem_t s, tick;
void *f(void *p) {
  sem_wait(&s);
  return p;
}
void *g(void *p) {
  for (;;) {
    sem_post(&tick);
    sem_wait(&tick);
  }
}
int main(void) {
  pthread_t t, u;
  sem_init(&s, 0, 0);
  sem_init(&tick, 0, 0);
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, g, 0);
  pthread_join(t, 0);
}
C
  states_of lost.c deadlock 100000 >c
  run check lost.c c; exits 10; out_has "may not come to its end"
  sed 's/sem_init(&s, 0, 0)/sem_init(\&s, 0, 1)/' lost.c >good.c
  states_of good.c deadlock 100000 >c
  run check good.c c; exits 0
  cat >two.c <<'C'
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
void *f(void *p) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_detach(t);
  pthread_create(&t, 0, f, 0);
  pthread_detach(t);
}
C
  states_of two.c deadlock 100000 >c
  run check two.c c; exits 0
  sed 's/pthread_mutex_lock(&a)/pthread_mutex_lock(p ? \&a : \&b)/
    s/pthread_mutex_lock(&b);/pthread_mutex_lock(p ? \&b : \&a);/
    0,/f, 0)/s/f, 0)/f, \&t)/' two.c >bad.c
  states_of bad.c deadlock 100000 >c
  run check bad.c c; exits 10; out_has "threads may wait for each other"
}
# What is read of atomic objects without a lock is whatever anybody writes: that
# holds in weak memory, too, but for atomic sections.
test_weak_memory() {
  needs_cc
  cat >odd.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int flag, data;
void *f(void *p) {
  atomic_store_explicit(&data, 2, memory_order_relaxed);
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  int seen = atomic_load_explicit(&flag, memory_order_relaxed);
  assert(atomic_load_explicit(&data, memory_order_relaxed) % 2 == 0);
  assert(seen < 2);
}
C
  run verify odd.c --certificate=o; exits 0; has_file o
  out_has "an annotation of"
  run check odd.c o; exits 0
  sed 's/seen < 2/!seen || data == 2/' odd.c >bad.c
  { head_of assert | sed 4d; sed 1,3d o; } >c
  run check bad.c c; exits 10
  rm o
  unwritten assert <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
atomic_int x;
int y;
void *f(void *p) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  __VERIFIER_atomic_begin();
  y = 1, y = 0;
  __VERIFIER_atomic_end();
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  __VERIFIER_atomic_begin();
  assert(y == 0);
  __VERIFIER_atomic_end();
}
C
}
# Who reads the verdict alone is told that nobody judged it.
test_not_checked() {
  needs_cc
  cp "$EXAMPLES/many-threads.c" many.c
  run verify many.c -q --no-check; exits 0
  same "$out" "proof: not checked (assert, race, deadlock)
verdict: safe"
  run verify many.c -q; exits 0
  same "$out" "verdict: safe"
}
# Sizes: reading takes time in proportion, and limits are kept.
test_limits() {
  needs_cc
  printf '%s\n' '#include <assert.h>' 'int main(void) { assert(0); }' >bad.c
  { head_of assert; seq 0 60000 | sed 's/.*/stack & 2/'; echo end; } >c
  run check bad.c c --timeout=20
  [ "$status" = 10 ] || [ "$status" = 2 ] || problem "status $status: $out"
  {
    echo 'extern int __VERIFIER_nondet_int(void);'
    echo 'int a[2000]; int main(void) { while (__VERIFIER_nondet_int()) {'
    seq 0 1999 | sed 's/.*/a[&] = __VERIFIER_nondet_int();/'
    echo '} return 1 \/ a[7]; }' | tr -d '\\'
  } >bad.c
  { head_of assert | sed 's/^unroll.*/unroll 255/'; echo end; } >c
  run check bad.c c --timeout=0.05
  exits 5; last_line "check: unknown (time limit reached)"
  run check bad.c c --timeout=0.05 --format=json
  exits 5; out_has '"accepted": false'
  unsafe_model
  run check unsafe.tts c --timeout=5 --memory=100
  exits 2
  printf '%s\n' 'heddle witness 1' 'model shared 2 places 2 transitions 2' \
    'target 0' 'init 0=1' 'steps 67108864' 't0 x 67108864' end >w
  printf '%s\n' '2 2' '0 0 -> 0 0' '0 0 -> 1 1' >loop.tts
  run check loop.tts w --init='0|0' --target='1|1'
  exits 2; err_has "too large"
}

run_tests
