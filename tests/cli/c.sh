#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# C programs: verify, run, fuzz, check, show; every option, every way it ends.
. "$(dirname "$0")/lib.sh"

# Without heddle-cc there is no C; the tests of exactly that run all the same.
cc_is_there() { [ -x "$(dirname "$HEDDLE")/heddle-cc" ] || [ -n "${HEDDLE_CC-}" ]; }
needs_cc() {
  cc_is_there || skip "heddle is built without heddle-cc"
  command -v clang-19 >/dev/null || skip "clang-19 is not installed"
}
bug() { needs_cc; cp "$EXAMPLES/counter.c" bug.c; }
good() { needs_cc; cp "$EXAMPLES/counter-locked.c" good.c; }
locks() { needs_cc; cp "$EXAMPLES/bank.c" bank.c; }
# A program whose only bug needs the input 77.
secret() {
  needs_cc
  cat >secret.c <<'C'
#include <assert.h>
#include <stdio.h>
int heddle_nondet_int(int lo, int hi);
int main(void) {
  int x = heddle_nondet_int(-100, 100);
  printf("x is %d\n", x);
  assert(x != 77);
  return x == 5 ? 3 : 0;
}
C
}

# ------------------------------------------------------------------- verify

test_unsafe() {
  bug
  run verify bug.c
  exits 10; no_err
  out_has "bug.c: C program, 2 functions"
  out_has "assertion 'counter == 2' fails"
  out_has "data race on counter between"
  out_has "The run was made again by a fresh machine."
  out_has "assert: unsafe"
  out_has "race: unsafe"
  out_has "deadlock: safe"
  last_line "verdict: unsafe"
}
test_safe() {
  good
  run verify good.c
  exits 0; no_err
  out_has "assert: safe"
  out_lacks "The proof was not checked."
  out_has "states of all threads"
  out_has "an annotation of"
  out_has "race: safe"
  out_has "deadlock: safe"
  last_line "verdict: safe"
  run verify good.c --no-check
  exits 0; out_has "The proof was not checked."; out_lacks "without"
}
# A second opinion: all states, by other code; and when there are too many.
test_confirm() {
  needs_cc
  cp "$EXAMPLES/pool.c" pool.c
  run verify pool.c --confirm --property=assert
  exits 0; no_err
  out_has "The proof was checked: 182 states"
  last_line "verdict: safe"
  run verify pool.c --confirm --property=assert --format=json
  out_has '"proof": "states"'; out_has '"checked": true'
  cat >wide.c <<'C'
#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int(), *p = malloc(sizeof *p);
  *p = x & 65535;
  assert(*p + x / 3 - x / 3 < 65536);
  free(p);
  return 0;
}
C
  run verify wide.c --confirm --property=overflow --timeout=4
  exits 0
  out_has "The proof was not checked: "
  run verify "$EXAMPLES/lock.tts" --confirm; exits 1
  err_has "--confirm is for C programs"
}
# A proof: written, judged again from the file, and refused when it is changed.
test_certificate() {
  needs_cc
  cp "$EXAMPLES/many-threads.c" many.c
  run verify many.c --certificate=proof
  exits 0; no_err
  out_has "Shown by modular: assert, race, deadlock. The proof was checked:"
  run check many.c proof
  exits 0; no_err
  out_has "proof: annotation of"
  out_has "It proves that no run violates: assert, race, deadlock"
  last_line "check: accepted"
  run check many.c proof --property=race --format=json
  exits 0; out_has '"proves": "safe"'; out_has '"race"'
  run check many.c proof --property=memory
  exits 10; last_line "check: refused (it does not prove all that is asked for)"
  sed 's/^guard [0-9]* lock.*//' proof >unguarded
  run check many.c unguarded; exits 10; out_has "check: refused ("
  sed 's/^cell \(.*\) {1}$/cell \1 {2}/' proof >other
  run check many.c other; exits 10; out_has "check: refused ("
  sed '/^thread/d' proof >fewer
  run check many.c fewer; exits 2
  sed '/^place/,$d' proof >cut; echo end >>cut
  run check many.c cut; exits 10; out_has "check: refused ("
  sed 's/^proves.*/proves/' proof >nothing
  run check many.c nothing; exits 10
  out_has "check: refused (it does not say what it proves)"
  head -n 9 proof >short
  run check many.c short; exits 2; err_has "the end is missing"
  sed 's/^unroll.*/unroll 999/' proof >odd
  run check many.c odd; exits 2; err_has "line 4: a number out of range"
  good
  run check good.c proof; exits 2; err_has "an annotation of another program"
  bug
  run verify bug.c --certificate=none --property=assert
  exits 10; err_has "none is not written: there is no certificate"
  no_file none
}
test_deadlock() {
  locks
  run verify bank.c
  exits 10
  out_has "waits for mine.lock"
  out_has "waits for yours.lock"
  out_has "assert: safe"
  out_has "deadlock: unsafe"
}
test_quiet() {
  bug
  run verify bug.c -q
  exits 10
  same "$out" "verdict: unsafe"
}
test_property() {
  bug
  run verify bug.c --property=deadlock
  exits 0
  out_has "deadlock: safe"; out_lacks "race:"; out_lacks "assert:"
  run verify bug.c --property=race,deadlock -q
  exits 10
}
test_check_adds() {
  bug
  run verify bug.c --property=deadlock --check=race
  exits 10
  out_has "race: unsafe"; out_has "deadlock: safe"; out_lacks "assert:"
}
test_property_all() {
  good
  run verify good.c --property=all
  exits 0
  for p in assert race deadlock overflow arith memory leak uninit sync unreachable; do
    out_has "$p: safe"
  done
}
test_property_unknown() {
  bug
  run verify bug.c --property=sunshine
  exits 1; no_out; err_has "--property: there is no property 'sunshine'"
  run verify bug.c --check=race,
  exits 1; no_out; err_has "--check: there is no property ''"
}
test_property_file() {
  bug
  echo 'CHECK( init(main()), LTL(G ! call(reach_error())) )' >unreach.prp
  run verify bug.c --property=unreach.prp
  exits 10; out_has "assert: unsafe"; out_lacks "race:"
  echo 'CHECK( init(main()), LTL(G ! data-race) )' >race.prp
  run verify bug.c --property=race.prp
  exits 10; out_has "race: unsafe"; out_lacks "assert:"
}
test_property_file_bad() {
  bug
  echo 'CHECK( init(main()), LTL(F end) )' >termination.prp
  run verify bug.c --property=termination.prp
  exits 2; no_out; err_has "termination.prp:1: error: termination"
  echo 'sunshine' >x.prp
  run verify bug.c --property=x.prp
  exits 2; no_out; err_has "x.prp:1: error: expected CHECK("
  run verify bug.c --property=missing.prp
  exits 2; no_out; err_has "missing.prp"
}
# A run into undefined behaviour that is known: nobody calls the rest safe.
test_undefined_behaviour_is_one_rule() {
  needs_cc
  cat >null.c <<'C'
#include <assert.h>
int main(int argc, char **argv) {
  int *p = 0, x = 1;
  assert(x == 1);
  return argc > 0 ? *p : 0;
}
C
  local engine
  for engine in --engine=unfold --engine=modular --engine=explore -j1 -j2; do
    run verify null.c --property=assert $engine
    exits 5; out_has "nothing found before runs end at undefined behaviour, which --property=memory reports"
  done
  sed 's/\*p : 0/x : 0/' null.c >fine.c
  for engine in --engine=unfold --engine=modular --engine=explore -j1 -j2; do
    run verify fine.c --property=assert $engine; exits 0
  done
}
test_engines() {
  good
  run verify good.c --engine=explore -q; exits 0
  run verify good.c --engine=fuzz --timeout=0.5
  exits 5; out_has "fuzz finds violations and proves nothing"
  run verify good.c --engine=fuz
  exits 1; no_out; err_has "there is no engine 'fuz' for C programs; did you mean 'fuzz'?"
  run verify good.c --engine=bws
  exits 1; err_has "The engines are: fuzz explore"
}
test_expect() {
  bug
  run verify bug.c -q --expect=unsafe; exits 0
  run verify bug.c -q --expect=safe; exits 10; err_has "expected safe, found unsafe"
}
test_unbounded() {
  needs_cc
  cp "$SOURCE/tests/programs/unbounded/lock_ok.c" "$SOURCE/tests/programs/unbounded/lock_bug.c" .
  run verify lock_ok.c --threads=unbounded
  exits 0; out_has "whatever the number of threads"; out_lacks "race:"
  last_line "verdict: safe"
  run verify lock_bug.c --threads=unbounded --witness=w
  exits 10; out_has "assert: unsafe"
  run check lock_bug.c w; exits 0
  run verify lock_ok.c --threads=unbounded --property=assert,race
  exits 5; out_has "assert: safe"
  out_has "race: unknown (for any number of threads only assertions are decided)"
  run verify lock_ok.c --threads=unbounded --engine=bws -q; exits 0
  run verify lock_ok.c --threads=unbounded --engine=fuzz
  exits 1; err_has "there is no engine 'fuzz' for C programs with any number of threads"
  run verify lock_ok.c --threads=parametric
  exits 1; err_has "--threads: expected unbounded or a number"
}
test_unbounded_refused() {
  needs_cc
  cat >join.c <<'C'
#include <assert.h>
#include <pthread.h>
static int x;
static void *work(void *arg) { x = 1; return arg; }
int main(void) {
  pthread_t t;
  while (1) {
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    assert(x);
  }
}
C
  run verify join.c --threads=unbounded
  exits 5; out_has "join.c:9:5: pthread_join: with any number of threads"
  sed -e '/join/d' -e 's/x = 1/x++/' -e 's/assert(x)/assert(x >= 0)/' join.c >count.c
  run verify count.c --threads=unbounded --timeout=2
  exits 5; out_has "'x' (count.c:3)"
}
test_unbounded_large_data() {
  needs_cc
  cp "$SOURCE/tests/programs/unbounded/ahead_ok.c" .
  run verify ahead_ok.c --threads=unbounded
  exits 0; out_has "Shown by pairs: assert"
  run verify ahead_ok.c --threads=unbounded --engine=km
  exits 5; out_has "too many values"
}
test_unbounded_convert() {
  needs_cc
  cp "$SOURCE/tests/programs/unbounded/refcount_ok.c" "$SOURCE/tests/programs/unbounded/lock_bug.c" .
  run convert refcount_ok.c a.tts; exits 0
  run verify a.tts -q; exits 0
  run convert lock_bug.c b.spec; exits 0
  run verify b.spec -q; exits 10
}
test_threads() {
  good
  run verify good.c --threads=3 -q; exits 0
  run verify good.c --threads=2 --engine=explore
  exits 5; out_has "more than 2 threads"
}
test_unwind() {
  needs_cc
  cat >loop.c <<'C'
#include <assert.h>
int main(void) {
  volatile int n = 0;
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 2; j++)
      n++;
  assert(n == 12);
}
C
  run verify loop.c --unwind=6 -q --engine=explore; exits 0
  run verify loop.c --unwind=5 --engine=explore
  exits 5; out_has "the loop at loop.c:4:3 goes on after 5 rounds (--unwind)"
  out_has "Try a larger --unwind"
  run verify loop.c --unwind=5; exits 5
  # A bug within the bound, and its schedule fits the program as it is.
  echo 'int main(void) { for (volatile int i = 0;; i++) __builtin_printf("%d", 1 / (3 - i)); }' >b.c
  run verify b.c --property=arith --unwind=9 --witness=w -q
  exits 10
  run check b.c w --property=arith; exits 0
  run verify b.c --property=arith --unwind=2 --engine=explore -q; exits 5
  run verify b.c --unwind=0
  exits 1; err_has "--unwind: N must be from 1"
}
test_time_limit() {
  needs_cc
  cat >endless.c <<'C'
#include <pthread.h>
unsigned long a, b, c;
void *f(void *p) { for (;;) { __atomic_fetch_add(&a, 3, 5); __atomic_fetch_add(&b, a, 5); } }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  for (;;)
    __atomic_fetch_add(&c, __atomic_load_n(&b, 5), 5);
}
C
  run verify endless.c --timeout=1 --property=assert --engine=explore
  exits 5; out_has "time limit"; out_has "Try "
  run verify endless.c
  exits 0
  run verify endless.c --memory=40 --timeout=20 --engine=explore
  exits 5; out_has "limit"
}
test_many_threads() {
  needs_cc
  cat >crew.c <<'C'
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int c;
void *w(void *a) {
  for (int i = 0; i < 4; i++) {
    if (!a || i)
      pthread_mutex_lock(&m);
    c++;
    if (!a || i)
      pthread_mutex_unlock(&m);
  }
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], 0, w, BAD && i == N / 2 ? &c : 0);
  for (int i = 0; i < JOINED; i++)
    pthread_join(t[i], 0);
  assert(c == 4 * N);
  return 0;
}
C
  run verify crew.c -DN=8 -DBAD=0 -DJOINED=N --engine=explore --timeout=60 -s
  exits 0; out_has "explore.states"
  run verify crew.c -DN=70 -DBAD=1 -DJOINED=N --engine=explore --timeout=60 --property=race
  exits 10
  run verify crew.c -DN=4 -DBAD=1 -DJOINED=N --engine=explore --timeout=60
  exits 10; out_has "assert: unsafe"; out_has "race: unsafe"
  run verify crew.c -DN=4 -DBAD=0 -DJOINED=3 --engine=explore --timeout=60
  exits 10; out_has "assert: unsafe"; out_has "race: unsafe"
}
test_long_run_is_shrunk() {
  needs_cc
  cat >long.c <<'C'
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *w(void *a) {
  for (int i = 0; i < 60; i++) {
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
  }
  return 0;
}
void *v(void *a) {
  pthread_mutex_lock(&m);
  int s = x;
  pthread_mutex_unlock(&m);
  assert(s < 2);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, w, 0);
  pthread_create(&u, 0, v, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
C
  run verify long.c --engine=explore --property=assert
  exits 10; out_lacks "after 2"
}
test_json() {
  bug
  run verify bug.c --format=json
  exits 10
  json_is command verify model.format c model.bits 64 verdict unsafe exit_code 10 \
    properties.0.name assert properties.0.verdict unsafe properties.0.checked true \
    properties.0.violation.at.line 19 properties.1.name race \
    properties.1.violation.other.function worker properties.2.verdict safe \
    properties.0.trace.threads.0 main
}
test_svg() {
  bug
  run verify bug.c --format=svg
  exits 10; out_has "<svg xmlns="; out_has "</svg>"; out_has "class='bad'"
  run verify bug.c -q --diagram=picture.svg
  exits 10; same "$out" "verdict: unsafe"; file_has picture.svg "</svg>"
  run verify bug.c --diagram=-
  exits 1; err_has "--diagram and the report (--output) would both be written"
  python3 -c 'import sys, xml.dom.minidom as m; m.parse("picture.svg")' || problem "no XML"
}
test_verbose_shows_all() {
  bug
  run verify bug.c --property=race --explain
  exits 10; out_has "in worker:"; out_has "pthread_create(&a, NULL,"; out_has "worker, NULL);"
  run verify bug.c --property=race -v
  exits 10; out_has "in worker:"
}
test_statistics() {
  good
  run verify good.c -s --engine=explore
  exits 0; out_has "explore.single"; out_has "time.total"
}
test_output_file() {
  bug
  run verify bug.c -o report.txt
  exits 10; no_out; file_has report.txt "verdict: unsafe"
  run verify bug.c -o /nowhere/report.txt
  exits 6; err_has "cannot write"
}
test_outcomes() {
  needs_cc
  cat >two.c <<'C'
#include <pthread.h>
#include <stdio.h>
void *f(void *p) { printf("%s", (char *)p); return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, f, "a\n");
  pthread_create(&b, 0, f, "b");
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 4;
}
C
  run verify two.c --outcomes
  exits 0
  same "$out" 'exit 4: a\nb
exit 4: ba\n
outcomes: 2, complete'
  secret
  run verify secret.c --outcomes
  exits 0; out_has 'exit 3: x is 5\n'; out_has "outcomes: 201, complete"
}
test_spurious() {
  needs_cc
  cat >wait.c <<'C'
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;
void *f(void *p) {
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&m);
  if (!ready)
    pthread_cond_wait(&c, &m);
  assert(ready);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
}
C
  run verify wait.c -q; exits 10
  run verify wait.c -q --no-spurious; exits 0
}
test_malloc_fails() {
  needs_cc
  cat >m.c <<'C'
#include <assert.h>
#include <stdlib.h>
int main(void) { void *p = malloc(4); assert(p); free(p); }
C
  run verify m.c -q; exits 0
  run verify m.c -q --malloc-fails; exits 10
}
test_arguments() {
  needs_cc
  cat >args.c <<'C'
#include <assert.h>
#include <string.h>
int main(int argc, char **argv) {
  assert(argc == 3 && !strcmp(argv[1], "-x") && !strcmp(argv[2], "two words"));
}
C
  run verify args.c -q --arg=-x --arg='two words'; exits 0
  run verify args.c -q; exits 10
}

# ---------------------------------------------------------------- compilation

test_flags() {
  needs_cc
  mkdir folder
  echo 'int limit;' >folder/limit.h
  echo '#define EXTRA 2' >extra.h
  cat >flags.c <<'C'
#include <limit.h>
#include <assert.h>
int main(void) {
#ifdef GONE
#error GONE is defined
#endif
  assert(limit + WIDTH + EXTRA == 7);
  assert(sizeof(long) == LONG);
}
C
  run verify flags.c -Ifolder -DWIDTH=5 -DGONE -UGONE --include=extra.h --64 -DLONG=8 -q
  exits 0
  run verify flags.c -I folder -D WIDTH=5 -include extra.h -std=gnu17 -D LONG=8 -q
  exits 0
  run verify flags.c -Ifolder -DWIDTH=6 --include extra.h --std=c99 -DLONG=8 -q
  exits 10
  run verify flags.c -D
  exits 1; err_has "-D needs a value"
}
test_32_bits() {
  needs_cc
  echo 'int main(void) { return sizeof(void *) == 4 ? 0 : 1 / (sizeof(long) - 8); }' >w.c
  run show --ir --32 w.c
  exits 0; out_has "target 32"
  run show --ir --64 w.c
  exits 0; out_has "target 64"
  run show --32 --64 w.c
  exits 1; err_has "--32 and --64 contradict each other"
}
# A function that is only defined inline, with one that only it calls; in two
# files as a header would have them. An external definition elsewhere counts.
test_inline() {
  needs_cc
  cat >one.c <<'C'
#include <assert.h>
/* inline int odd(int x) { } */
static inline int next(int x) { return x + 1; }
inline int twice(int x) { return 2 * x; }
inline __attribute__((unused)) int after(int x) { return next(twice(x)); }
inline int other(void) { return 1; }
int use(void);
int main(void) {
  assert(after(3) == 7 && use() == 9 && other() == 2);
  assert(after(1) == 4);
  return 0;
}
C
  cat >two.c <<'C'
inline int twice(int x) { return 2 * x; }
int other(void) { return 2; }
int use(void) { return twice(4) + 1; }
C
  run verify one.c two.c
  exits 10; no_err
  out_has "assertion 'after(1) == 4' fails"
  out_lacks "neither defined nor known"
}

test_several_files() {
  needs_cc
  echo 'int f(void); int main(void) { return f(); }' >a.c
  echo 'static int n = 3; int f(void) { return n; }' >b.c
  run run a.c b.c
  exits 0; err_has "run: exited with 3"
  run run a.c
  exits 5; err_has "f"
}
test_other_formats() {
  good
  run show --ir good.c
  exits 0; out_has "heddle code 1"; cp stdout.txt good.code
  run verify good.code -q; exits 0
  clang-19 -E good.c -o good.i
  run verify good.i -q; exits 0
  clang-19 -g -O0 -emit-llvm -c good.c -o good.bc
  run verify good.bc -q; exits 0
  clang-19 -g -O0 -emit-llvm -S good.c -o good.ll
  run verify good.ll -q; exits 0
  input=good.code run verify - --input-format=code -q; exits 0
  cp good.c without-ending
  run verify without-ending --input-format=c -q
  [ "$status" = 0 ] || [ "$status" = 2 ] || problem "exit status $status"
}
test_code_alone() {
  good
  run show --ir good.c; cp stdout.txt good.code
  run verify good.c good.code
  exits 2; err_has "a code graph is a whole program"
}
test_standard_input() {
  needs_cc
  run verify - --input-format=c
  exits 2; err_has "C cannot be read from standard input"
}
test_missing_file() {
  run verify missing.c
  exits 2; no_out; err_has "missing.c: error: cannot read"
  run run missing.c; exits 2; err_has "missing.c"
  run fuzz missing.c; exits 2; err_has "missing.c"
}
test_syntax_error() {
  needs_cc
  echo 'int main(void) { return 0 }' >wrong.c
  run verify wrong.c
  exits 2; no_out; err_has "wrong.c:1:26: error: expected ';' after return statement"
}
test_no_main() {
  needs_cc
  echo 'int f(void) { return 0; }' >f.c
  run verify f.c
  exits 2; no_out; err_has "f.c: error: there is no function 'main'"
}
test_unknown_function() {
  needs_cc
  printf '%s\n' 'int frobnicate(int);' 'int main(void) {' '  return frobnicate(1);' '}' >u.c
  run verify u.c
  exits 5; out_has "frobnicate"; out_has "u.c:3"
  run run u.c
  exits 5; err_has "frobnicate"; err_has "u.c:3"
  # … and what is not reached does not matter.
  printf '%s\n' 'int frobnicate(int);' 'int main(int c, char **v) {' \
    '  return c > 5 ? frobnicate(1) : 0;' '}' >u.c
  run verify u.c -q
  exits 0
}
test_without_heddle_cc() {
  echo 'int main(void) { return 0; }' >x.c
  HEDDLE_CC=/nowhere/heddle-cc run verify x.c
  exits 2; no_out; err_has "'/nowhere/heddle-cc', which compiles C programs, cannot be started"
  mkdir alone
  cp "$HEDDLE" alone/heddle
  HEDDLE=$PWD/alone/heddle
  unset HEDDLE_CC
  run verify x.c
  exits 2; no_out; err_has "install clang-19 and llvm-19-dev"
}
test_heddle_cc_crashes() {
  echo 'int main(void) { return 0; }' >x.c
  printf '#!/bin/sh\nkill -SEGV $$\n' >cc.sh
  chmod +x cc.sh
  HEDDLE_CC=$PWD/cc.sh run verify x.c
  exits 2; no_out; err_has "was ended by signal 11"
}

# ------------------------------------------------------------------------ run

test_run() {
  locks
  run run bank.c --seed=1
  case $status in
    0) same "$out" "115 85"; err_has "run: exited with 0" ;;
    10) err_has "deadlock" ;;
    *) problem "exit status $status" ;;
  esac
}
test_run_is_deterministic() {
  bug
  run run bug.c --seed=5 -v
  cp stderr.txt first.txt
  run run bug.c --seed=5 -v
  same "$err" "$(cat first.txt)"
}
test_run_status() {
  secret
  echo 5 >input.txt
  run run secret.c --input=input.txt
  exits 0; same "$out" "x is 5"; err_has "run: exited with 3"
  echo 77 >input.txt
  run run secret.c --input=input.txt
  exits 10; same "$out" "x is 77"; err_has "assertion 'x != 77' fails"
}
test_run_quiet() {
  secret
  echo -3 >input.txt
  run run secret.c --input=input.txt -q
  exits 0; no_err; same "$out" "x is -3"
}
test_run_bad_input() {
  secret
  echo '1 two' >input.txt
  run run secret.c --input=input.txt
  exits 2; no_out; err_has "input.txt:1:3: error: expected a whole number of 64 bits, found 'two'"
  echo '1 2' >input.txt
  run run secret.c --input=input.txt
  exits 0; err_has "1 of 2 values were not asked for"
}
test_run_trace() {
  locks
  run run bank.c -v --seed=3
  err_has "from->money -= money;"; err_has "acquires yours.lock"; err_has "transfer"
}
test_record_and_replay() {
  bug
  run verify bug.c --property=race --witness=race.schedule -q
  exits 10; file_has race.schedule "heddle schedule 1"
  run run bug.c --schedule=race.schedule
  exits 10; err_has "data race on counter"
  run check bug.c race.schedule
  exits 0; out_has "data race on counter"; last_line "check: accepted"
  run check bug.c race.schedule --property=deadlock
  exits 10; out_has "check: refused (it violates none"
  run check bug.c race.schedule --format=json
  exits 0; json_is accepted true proves unsafe violation.property race
  run run bug.c --seed=7 --record=again.schedule
  file_has again.schedule "end"
  cp stderr.txt first.txt
  run run bug.c --schedule=again.schedule
  same "$err" "$(cat first.txt)"
}
test_witness_of_the_safe() {
  good
  run verify good.c --witness=w -q
  exits 0; no_file w; err_has "w is not written: there is no violation"
}
test_schedule_of_another_program() {
  bug
  run verify bug.c --property=race --witness=race.schedule -q
  good
  run run good.c --schedule=race.schedule
  exits 2; no_out; err_has "race.schedule"
  run check good.c race.schedule
  exits 2; no_out
}
test_bad_schedule() {
  bug
  echo 'heddle schedule 1' >bad.schedule
  echo 'hello' >>bad.schedule
  run run bug.c --schedule=bad.schedule
  exits 2; no_out; err_has "bad.schedule:2"
  run run bug.c --schedule=missing.schedule
  exits 2; err_has "missing.schedule"
  run run bug.c --seed=1 --record=s
  sed 's/^0 0$/9 0/' s >t
  run run bug.c --schedule=t
  exits 2; err_has "turn 1 of the schedule, thread 9 with choice 0, is not possible"
  run check bug.c t
  exits 10; out_has "check: refused"
}
test_schedule_contradicts() {
  bug
  run run bug.c --schedule=s --seed=3
  exits 1; err_has "--schedule and --seed contradict each other"
  run run bug.c --schedule=s --input=i
  exits 1; err_has "--schedule and --input contradict each other"
}
test_run_json() {
  secret
  echo 12 >input.txt
  run run secret.c --input=input.txt --format=json
  exits 0
  json_is command run status exited output 'x is 12
' program_exit_code 0
}
test_run_svg() {
  locks
  run run bank.c --seed=2 --diagram=d.svg
  file_has d.svg "</svg>"
  run run bank.c --seed=2 --format=svg
  out_has "</svg>"
  [ "$(head -c 5 stdout.txt)" = "<svg " ] || problem "something before the picture"
}
test_run_report_file() {
  secret
  echo 1 >input.txt
  run run secret.c --input=input.txt -o report.txt
  exits 0; same "$out" "x is 1"; no_err; file_has report.txt "run: exited with 0"
}
test_run_stops() {
  needs_cc
  echo 'volatile int n; int main(void) { for (;;) n++; }' >for.c
  run run for.c --timeout=0.5
  exits 5; err_has "run: stopped (time limit reached)"
}

# ----------------------------------------------------------------------- fuzz

test_fuzz() {
  bug
  run fuzz bug.c --time=8
  exits 10; out_has "found by fuzz"; out_has "race: unsafe"
  run fuzz bug.c --property=assert --seed=4 --runs=500 --depth=2 --record=s -q
  exits 10; same "$out" "verdict: unsafe"
  run check bug.c s; exits 0
}
test_fuzz_finds_nothing() {
  good
  run fuzz good.c --runs=50
  exits 5; out_has "unknown"; out_has "Try a longer --time"
  run fuzz good.c --time=0.3 -q; exits 5
}
test_fuzz_json() {
  bug
  run fuzz bug.c --time=5 --format=json
  exits 10; json_is command fuzz verdict unsafe properties.0.engine fuzz
}

# ---------------------------------------------------------------------- usage

test_options_that_do_not_fit() {
  bug
  run verify bug.c --target='0|1'
  exits 1; err_has "--target does not go with C programs"
  run verify bug.c --no-slice
  exits 1; err_has "--no-slice does not go with C programs"
  unsafe_model
  run verify unsafe.tts -DX
  exits 1; err_has "-D is for C programs"
  run verify unsafe.tts --property=race
  exits 1; err_has "--property is for C programs"
  run verify unsafe.tts --format=svg
  exits 1; err_has "--format=svg is for C programs"
  run run unsafe.tts
  exits 1; err_has "'run' is for C programs"
  run fuzz unsafe.tts
  exits 1; err_has "'fuzz' is for C programs"
}
test_show() {
  good
  run show good.c
  exits 0; out_has "worker"; out_has "counter"; out_has "of the library:"
  out_has "pthread_mutex_lock"
}
test_unfolding() {
  good
  run show good.c --unfolding
  exits 0; out_has "digraph unfolding {"; out_has "main\\nstarts main"
  out_has "pthread_mutex_lock"; out_has "good.c:"; out_has "style=dotted"
  run show good.c --unfolding --cutoffs=off --widen=3 --format=dot
  exits 0; out_lacks "striped"
  run show good.c --unfolding --format=text
  exits 1; err_has "contradict"
  run show good.c --unfolding --ir
  exits 1; err_has "contradict"
  run show good.c --widen=3
  exits 1; err_has "go with --unfolding"
  run show good.c --format=dot
  exits 0; out_has "digraph"
  if command -v dot >/dev/null; then
    run show good.c --unfolding --format=svg
    exits 0; out_has "<svg"
  fi
  cat >spin.c <<'C'
#include <pthread.h>
int go;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *p) {
  for (int seen = 0; !seen;) {
    pthread_mutex_lock(&m);
    seen = go;
    pthread_mutex_unlock(&m);
  }
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&m);
  go = 1;
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
}
C
  run verify spin.c --engine=unfold --widen=2 -s
  exits 0; out_has "unfold.cutoffs"; out_has "unfold.alarms"
  run show spin.c --unfolding
  exits 0; out_has "striped"
  run show spin.c --unfolding --cutoffs=off
  exits 5; err_has "no unfolding: more than 400 events"
  run verify spin.c --engine=unfold --cutoffs=off --timeout=1
  exits 5; out_has "time limit"
  run verify spin.c --cutoffs=maybe
  exits 1; err_has "on|off"
  run verify spin.c --widen=0
  exits 1; err_has "--widen: N must be from 1"
}
test_domains() {
  cat > count.c <<'C'
#include <assert.h>
#include <heddle.h>
int main(void) {
  int n = heddle_nondet_int(0, 1000), i = 0;
  while (i < n)
    i++;
  assert(i == n);
  return 0;
}
C
  run verify count.c --engine=unfold --domain=interval
  exits 5; out_has "__assert_fail may be reached"
  run verify count.c --engine=unfold --domain=octagon
  exits 0; out_has "verdict: safe"
  run verify count.c --engine=unfold
  exits 0; out_has "verdict: safe"
  sed 's/1000/20/' count.c > some.c
  run verify some.c --engine=unfold --domain=concrete
  exits 0; out_has "verdict: safe"
  sed 's/1000/9/' count.c > few.c
  run verify few.c --engine=unfold --domain=concrete
  exits 0; out_has "verdict: safe"
  run show few.c --unfolding --domain=concrete
  exits 0; out_has "digraph"
  run verify count.c --domain=box
  exits 1; err_has "auto|interval|octagon|concrete"
  run show count.c --domain=octagon
  exits 1; err_has "--domain go with --unfolding"
  unsafe_model
  run verify unsafe.tts --domain=octagon
  exits 1; err_has "is for C programs"
}
test_undefined_ends() {
  printf 'int main(void) { int *p = 0; return *p; }\n' >null.c
  run verify null.c
  exits 10; out_has "memory: unsafe"
  run verify null.c --property=assert
  exits 5; out_has "which --property=memory reports: memory: "
  run verify null.c --property=assert,memory
  exits 10; out_has "assert: safe"; out_has "memory: unsafe"
}
test_width_guessed() {
  printf 'typedef unsigned  int size_t;\nint main(void) { return sizeof(void *) != 4; }\n' >narrow.i
  run run narrow.i
  exits 0; err_has "run: exited with 0"
  run run narrow.i --64
  exits 0; err_has "run: exited with 1"
}
# Any pointer at all: also that of a variable, which nobody tries.
test_pointer_input() {
  needs_cc
  cat >pointer.c <<'C'
#include <assert.h>
#include <pthread.h>
extern void *__VERIFIER_nondet_pointer(void);
static int here;
static void *worker(void *arg) {
  return arg ? arg : __VERIFIER_nondet_pointer();
}
int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, RESULT);
  assert(__VERIFIER_nondet_pointer() != COMPARED || here == RIGHT);
  return 0;
}
C
  run verify pointer.c -DRESULT=NULL -DCOMPARED=NULL -DRIGHT=0
  exits 0; last_line "verdict: safe" # not returned at once
  sed -i 's/return arg .*/return __VERIFIER_nondet_pointer();/' pointer.c
  run verify pointer.c -DRESULT=NULL -DCOMPARED=NULL -DRIGHT=0
  exits 0; last_line "verdict: safe"
  run verify pointer.c '-DRESULT=&result' -DCOMPARED=NULL -DRIGHT=1
  exits 10; last_line "verdict: unsafe"
  run verify pointer.c -DRESULT=NULL '-DCOMPARED=&here' -DRIGHT=0
  exits 0; last_line "verdict: safe"
  run verify pointer.c -DRESULT=NULL '-DCOMPARED=&here' -DRIGHT=1 --timeout=2
  exits 5; out_has "can be any pointer, of which only null and one to nothing"
  run run pointer.c -DRESULT=NULL '-DCOMPARED=&here' -DRIGHT=1
  exits 0
  run verify pointer.c --outcomes -DRESULT=NULL '-DCOMPARED=&here' -DRIGHT=1
  out_has "an input can be any pointer"
  cp "$SOURCE/tests/programs/pointers/opaque_ok.c" opaque.c
  run verify opaque.c --confirm --property=assert
  exits 0; out_has "The proof was not checked: opaque.c:30:16: an input"
}
# What to do next depends on what is in the way.
test_hints() {
  needs_cc
  cat >way.c <<'C'
extern int elsewhere, heddle_nondet_int(int, int);
int missing(void), getchar(void), __VERIFIER_nondet_int(void);
void *__VERIFIER_nondet_pointer(void);
void reach_error(void);
int table[2];
int main(void) {
  int unset, n = __VERIFIER_nondet_int();
  if (WAY)
    reach_error();
  return 0;
}
C
  run verify way.c -DWAY='missing() == 3'
  exits 5; out_has "Try --undefined=havoc, which looks behind it, or a definition of that"
  run verify way.c -DWAY='elsewhere == 3'
  exits 5; out_has "Try with a definition of that object in a further file."
  run verify way.c -DWAY='getchar() == 200'
  exits 10; last_line "verdict: unsafe"
  echo 'int getchar(void) { return 7; }' >stdin.c
  run verify way.c stdin.c -DWAY='getchar() == 300'
  exits 0; last_line "verdict: safe"
  run verify way.c -DWAY='unset == 3' --engine=explore
  exits 10; out_has "what was never set may have any value: 'unset'"
  run verify way.c -DWAY='unset[(int *)&unset]' --engine=explore
  exits 5; out_has "Try --property=uninit, which shows where it is used"
  run verify way.c -DWAY='table[5] == 3' --engine=explore --property=assert
  exits 5; out_has "Try --property=memory, which shows the run that ends there."
  run verify way.c -DWAY='n * n == 3' --engine=explore
  exits 0; last_line "verdict: safe"
  run verify way.c -DWAY='n * n == 3' --engine=explore \
    --property=assert,uninit
  exits 5; out_has "Try inputs from smaller ranges: heddle_nondet_int(least, largest)."
  run verify way.c -DWAY='__VERIFIER_nondet_pointer() == table' --engine=explore
  exits 5; out_has "Try a pointer to something of the program instead of any pointer."
}
# An engine alone says what it does not decide, and why.
test_reasons() {
  needs_cc
  cp "$SOURCE/tests/programs/many/ends.c" ends.c
  run verify ends.c --engine=pairs --property=assert,deadlock
  exits 5; last_line "verdict: unknown (pairs decides assertions and races only)"
  out_has "Try all engines: leave --engine out."
  run verify ends.c --engine=modular --property=leak
  exits 5; last_line "verdict: unknown (modular does not decide 'leak')"
  cat >freed.c <<'C'
#include <pthread.h>
#include <stdlib.h>
static void *work(void *box) { return *(int *)box ? box : NULL; }
int main(void) {
  pthread_t t;
  int *box = malloc(sizeof *box);
  if (!box)
    return 0;
  *box = 1;
  pthread_create(&t, NULL, work, box);
  pthread_join(t, NULL);
  return 0;
}
C
  run verify freed.c --engine=modular --property=memory
  exits 5; last_line "verdict: unknown (memory is allocated: whether one thread frees what another one uses is not followed)"
  cp "$SOURCE/tests/programs/relations/calls_ok.c" calls.c
  run verify calls.c --property=assert --certificate=calls.cert
  exits 0; out_has "The proof was not checked: step limit reached."
  err_has "calls.cert is not written: there is no certificate"
}
test_colors() {
  bug
  run verify bug.c --color=always -q
  out_has "$(printf '\033[1;31munsafe')"
  run verify bug.c -q
  out_lacks "$(printf '\033[')"
}

test_file_names() {
  needs_cc
  local name
  for name in 'a b.c' $'n\nl.c' "q'\".c" '-x.c' '$(id).c' '-Dmain=x.c'; do
    printf '%s\n' '#include <assert.h>' 'int x;' 'int main(void) { assert(x); return 0; }' >"./$name"
    run verify --property=assert -- "$name"
    exits 10; last_line "verdict: unsafe"; no_err
  done
}

# Nobody gets behind it: said at once, by the program's place, and once.
test_unknown_function_at_once() {
  cat >call.c <<'EOF'
#include <pthread.h>
int strange(int);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static _Atomic int ready, done;
static void *work(void *arg) {
  pthread_mutex_lock(&m);
  while (!__c11_atomic_load(&ready, __ATOMIC_RELAXED))
    pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  for (int i = 0; i < 1000; i++)
    done += strange(i);
  return arg;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], 0, work, 0);
  __c11_atomic_store(&ready, 1, __ATOMIC_RELAXED);
  work(0);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
}
EOF
  local start=$SECONDS
  run verify call.c --property=assert
  exits 5; out_has "assert: unknown (strange: a function that is neither defined nor known, in work at call.c:12"
  out_lacks "graph"
  [ $((SECONDS - start)) -lt 50 ] || problem "it took $((SECONDS - start)) s"
}
run_tests
