#!/bin/bash
# SPDX-License-Identifier: MIT
# Programs as projects have them: flags of compilers, compile_commands.json,
# objects and archives.
. "$(dirname "$0")/lib.sh"

CC=$(dirname "$HEDDLE")/heddle-cc
[ -x "$CC" ] || { echo "1..0 # SKIP heddle-cc is not built"; exit 0; }

# Two files that make a program, which is unsafe where BAD is defined.
program() {
  mkdir -p src inc
  echo 'int twice(int x);' >inc/twice.h
  cat >src/main.c <<'C'
#include "twice.h"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
int plain;
static void *add(void *arg) {
  atomic_fetch_add(&plain, 1);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, add, 0);
  add(0);
  pthread_join(t, 0);
  assert(twice(plain) == 4);
  return 0;
}
C
  cat >src/twice.c <<'C'
#include "twice.h"
int
twice (int x)
{
#ifdef BAD
  return x;
#else
  return 2 * x;
#endif
}
C
}

test_flags() {
  program
  run verify src/main.c src/twice.c -Iinc -O2 -g3 -Wall -Wextra -pedantic \
    -pthread -lm -lrt -L/nowhere -fPIC -fstack-protector-strong -fno-common \
    -isystem inc -iquote inc -MMD -MF x.d -std=gnu17 -march=x86-64-v2 \
    -ftree-vectorize -flto=auto -fsanitize=thread -pipe -c -Wl,-z,now -static \
    -Wp,-DX --param max-inline-insns-single=3 --sysroot=/ -q
  exits 0
  same "$out" "verdict: safe"
  no_err
  run verify src/main.c src/twice.c -Iinc -DBAD -O2 -q
  exits 10
}

test_flags_that_mean_something() {
  echo '#include <limits.h>
int main(void) { int x = INT_MAX; volatile int y = x + 1; return y == 0; }' >a.c
  run verify a.c --property=overflow -q
  exits 10
  run verify a.c --property=overflow -fwrapv -q
  exits 0
  echo '#include <assert.h>
int main(void) { assert(sizeof(void *) == 4); return 0; }' >b.c
  run verify b.c -m32 -q
  exits 0
  run verify b.c -m64 -q
  exits 10
  run verify b.c --cflag=-m32 -q
  exits 0
}

test_flags_nobody_knows() {
  echo 'int main(void) { return 0; }' >a.c
  run verify a.c -Krumm
  exits 1
  err_has "unknown option -K"
  run verify a.c -fkrumm -mkrumm=3 -q
  exits 0; last_line "verdict: safe"
  err_has "warning: '-fkrumm' is left out: clang does not know it"
  err_has "'-mkrumm=3' is left out"
  run verify a.c --krumm
  exits 1
  err_has "unknown option --krumm"
  run verify a.c -isystem
  exits 1
  err_has "-isystem needs a value"
}

test_implicit_declaration() {
  echo 'int main(void) { foo(1); return 0; }
int foo(int x) { return x; }' >a.c
  run verify a.c -q
  exits 0
  err_has "a.c:1:18: warning: call to undeclared function 'foo'"
}

test_objects() {
  program
  (cd src && "$CC" -I../inc -O2 -c main.c && "$CC" -I ../inc -c twice.c -o t.o &&
    "$CC" -pthread main.o t.o -o ../program && ar rc ../libt.a t.o) ||
    problem "no build"
  ./program || problem "the program fails"
  run verify ./program -q
  exits 0
  run verify src/main.o src/t.o -q
  exits 0
  run verify src/main.o libt.a -q
  exits 0
  "$CC" -Iinc -DBAD src/main.c src/twice.c -o bad -pthread || problem "no build"
  ./bad 2>/dev/null && problem "the program does not fail"
  strip bad
  run verify bad -q
  exits 10
  ls | grep -q 'heddle-part' && problem "parts are left"
  HEDDLE_BUILD_CC=clang-19 "$CC" -c src/twice.c -Iinc -o clang.o
  run verify src/main.o clang.o -q
  exits 0
  clang-19 -flto -g -c src/twice.c -Iinc -o lto.o
  run verify src/main.c lto.o -Iinc -q
  exits 0
}

test_compiler_status() {
  echo 'int main(void) { return 0 }' >a.c
  "$CC" -c a.c 2>stderr.txt && problem "it should fail"
  err_has "a.c:1"
  no_file a.o
  "$CC" -E -P a.c >stdout.txt || problem "no preprocessing"
  out_has 'return 0'
}

test_bad_objects() {
  cc -c -x c /dev/null -o plain.o
  run verify plain.o
  exits 2
  err_has "plain.o: error: there is no bitcode in it: build it with 'make CC=heddle-cc'"
  run verify nothing.o
  exits 2
  err_has 'nothing.o: error: cannot read: No such file'
  head -c 70 plain.o >cut.o
  run verify cut.o
  exits 2
  err_has 'cut.o: error:'
  echo 'int main() { return 0; }' >a.cpp
  run verify a.cpp --input-format=c
  exits 2
  err_has 'a.cpp: error: this is C++, and only C is read'
}

database() { # FLAGS
  mkdir -p build
  echo 'int main(void) { return 1; }' >src/other.c
  sed "s%FLAGS%$1%;s%HERE%$PWD/build%" >build/compile_commands.json <<'J'
[ { "directory": "HERE", "file": "../src/main.c",
    "command": "cc FLAGS -I../inc -o main.o -c ../src/main.c" },
  { "directory": "HERE", "file": "../src/other.c",
    "arguments": ["cc", "-c", "../src/other.c"] },
  { "directory": "HERE", "file": "../src/twice.c",
    "arguments": ["cc", "-I", "../inc", "-O2", "-c", "../src/twice.c"] },
  { "directory": "HERE", "file": "../src/x.cpp", "command": "c++ ../src/x.cpp" }
]
J
}

test_project() {
  program
  database '-DNAME=\\\\\\"a b\\\\\\" -g'
  run verify -p build
  exits 2
  err_has '2 files of the project have a function main: name the one that is meant: src/main.c, src/other.c'
  run verify -p build src/main.c -q
  exits 0
  no_err
  same "$out" "verdict: safe"
  run verify -p build/compile_commands.json src/main.c -DBAD
  exits 10
  out_has 'at main.c:15 in main'
  rm src/other.c
  run verify --project=build -q
  exits 0
  mv src/main.c other.c
  run verify -p build other.c -Iinc -q
  exits 0
}

# Functions of a file of the project in the place of main; files that macros name
# things in, and one that does not compile and is not needed, or is.
test_project_entry() {
  mkdir -p build
  cat >a.c <<'C'
#include "made.h"
#include <assert.h>
int lib_twice(int x);
int pool_size(void);
#if defined LOOSE
int test(void) { assert(pool_size() == 1); return lib_twice(1); }
#else
int test(void) { assert(lib_twice(BASE) == 2); return 0; }
#endif
C
  printf '#define NAME(x) lib_ ## x\n#define twice NAME(twice)\nint twice(int x) { return 2 * x; }\n' >b.c
  echo 'int pool_size(void) { return missing_type x; }' >c.c
  mkdir -p inc
  echo '#define BASE 1' >inc/made.h
  echo '[' >build/compile_commands.json
  for f in a b c; do
    echo "{\"directory\": \"$PWD\", \"file\": \"$f.c\", \"command\": \"cc -Iinc -c $f.c\"}$([ $f = c ] || echo ,)"
  done >>build/compile_commands.json
  echo ']' >>build/compile_commands.json
  run verify -p build a.c --entry=test
  exits 0
  no_err
  run verify -p build a.c --entry=test -DLOOSE
  exits 5
  err_has 'c.c:1'
  err_has 'c.c: warning: left out, since it does not compile'
  out_has 'pool_size: a function that is neither defined nor known'
}

test_bad_project() {
  program
  database '-krumm'
  run verify -p build src/main.c -q
  exits 0
  err_has "build/compile_commands.json:1:3: warning: flag '-krumm' is not known and left out"
  run verify -p nowhere
  exits 2
  err_has 'nowhere: error: cannot open'
  head -c 200 build/compile_commands.json >half.json
  run verify -p half.json
  exits 2
  err_has 'half.json:3'
  err_has 'this is not JSON: the text ends too early'
  echo '{}' >none.json
  run verify -p none.json
  exits 2
  err_has 'none.json:1:1: error: expected a list of compile commands'
  echo '[{"directory": "."}]' >entry.json
  run verify -p entry.json
  exits 2
  err_has 'entry.json:1:2: error: this entry has no file'
}

test_missing_and_stubs() {
  cat >a.c <<'C'
#include <pthread.h>
struct pair { int a; char *p; };
int foo(int x, struct pair *s);
void *make(void);
void bar(double d);
extern int flag;
static void *work(void *arg) { bar(1); return make(); }
int main(void) {
  struct pair s = {0};
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  foo(1, &s);
  foo(2, &s);
  pthread_join(t, 0);
  return flag;
}
C
  run show --missing a.c
  exits 0
  out_has 'foo                      not known      a.c:12 in main, a.c:13 in main'
  out_has 'bar                      not known      a.c:7 in work'
  out_has 'flag                     not defined'
  last_line 'missing: 4'
  run stubs a.c -o stubs.c
  exits 0
  file_has stubs.c 'int foo(int a1, void *a2) {'
  file_has stubs.c 'void bar(double a1) {'
  run show --missing a.c stubs.c
  last_line 'missing: 1'
  run verify a.c stubs.c
  exits 0
  out_has 'foo, bar, make: nothing else than the stubs do'
  echo 'int main(void) { return 0; }' >b.c
  run show --missing b.c
  last_line 'missing: nothing'
}

# What nobody defines returns anything: bugs behind it are found, nothing is proved.
test_undefined() {
  cat >a.c <<'C'
#include <assert.h>
#include <pthread.h>
int step(void *state, const char *text);
void *make(void);
static int total;
static void *work(void *p) {
  if (step(p, "x") > 3)
    total++;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, make());
#ifdef WAIT
  pthread_join(t, 0);
#endif
  assert(total < 1 + WAY);
  return 0;
}
C
  run verify a.c -DWAY=1
  exits 5
  out_has 'make: a function that is neither defined nor known'
  run verify a.c -DWAY=1 --undefined=havoc --property=race
  exits 10
  out_has 'not modelled: what make does besides (--undefined=havoc)'
  run verify a.c -DWAY=0 -DWAIT --undefined=havoc --property=assert
  exits 10
  run verify a.c -DWAY=1 -DWAIT --undefined=havoc --property=race,assert
  exits 5
  out_has 'not modelled: what make does besides'
  run verify a.c --undefined=nothing
  exits 1
}

# Blocks have the names of the variables that were given them, and their types.
test_names_of_blocks() {
  cat >a.c <<'C'
#include <pthread.h>
#include <stdlib.h>
struct job { int n; struct job *next; };
struct pool { int count; struct job *first, jobs[2]; };
static void *work(void *arg) {
  struct pool *p = arg;
  p->count++;
  return 0;
}
int main(void) {
  int n = 2;
  pthread_t threads[n];
  struct pool *pool = calloc(1, sizeof *pool);
  pool->first = &pool->jobs[1];
  for (int i = 0; i < n; i++) {
    struct job *job = malloc(3 * sizeof *job);
    job[2].next = &job[1];
  }
  for (int i = 0; i < n; i++)
    pthread_create(&threads[i], 0, work, pool);
  for (int i = 0; i < n; i++)
    pthread_join(threads[i], 0);
  return 0;
}
C
  run verify a.c --property=race --format=gcc
  exits 10
  out_has 'data race on pool->count (allocated at a.c:13:23)'
  out_has '(pool->first = &pool->jobs[1])'
  out_has '(job[2].next = &job[1])'
  out_has '(job#2[2].next = &job#2[1])'
  out_has 'threads[0] = 2'
}

# --- models of library functions ---

test_pipe() {
  cat >a.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <unistd.h>
int p[2], data;
static void *work(void *arg) {
  char c = 'x';
  data = 42;
#ifndef SILENT
  write(p[1], &c, 1);
#endif
  return arg;
}
int main(void) {
  char c;
  pthread_t t;
  if (pipe(p))
    return 1;
  pthread_create(&t, 0, work, 0);
  assert(read(p[0], &c, 1) == 1 && c == 'x' && data == 42);
  pthread_join(t, 0);
  close(p[0]);
  close(p[1]);
  return 0;
}
C
  run verify a.c
  exits 0
  run verify a.c -DSILENT --property=deadlock
  exits 10
  out_has 'deadlock: unsafe'
}

test_eventfd() {
  cat >a.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <sys/eventfd.h>
int fd, data;
static void *work(void *arg) {
  eventfd_t v;
  eventfd_read(fd, &v);
  assert(v == 2 && data == 1);
  return arg;
}
int main(void) {
  pthread_t t;
  fd = eventfd(0, 0);
  if (fd < 0)
    return 1;
  pthread_create(&t, 0, work, 0);
  data = 1;
  eventfd_write(fd, 2);
  pthread_join(t, 0);
  return 0;
}
C
  run verify a.c
  exits 0
}

# What the system's functions share is a race.
test_shared_places() {
  cat >a.c <<'C'
#include <pthread.h>
#include <string.h>
#include <time.h>
static void *work(void *arg) {
#ifdef DATE
  time_t t = 1;
  return localtime(&t) ? arg : 0;
#elif defined WORDS
  char text[] = "a b";
  return strtok(text, " ");
#else
  char text[] = "a b", *rest;
  return strtok_r(text, " ", &rest) ? arg : 0;
#endif
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  work(0);
  pthread_join(t, 0);
  return 0;
}
C
  run verify a.c --property=race -DDATE
  exits 10
  out_has 'the_date'
  run verify a.c --property=race -DWORDS
  exits 10
  out_has 'strtok_rest'
  run verify a.c --property=race
  exits 0
}

# Nothing is safe behind a handler, and what is wrong is found.
test_signals() {
  cat >a.c <<'C'
#include <assert.h>
#include <signal.h>
#include <string.h>
volatile sig_atomic_t stop;
static void handler(int s) { stop = 1; }
int main(void) {
  struct sigaction a;
  sigset_t set;
  memset(&a, 0, sizeof a);
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  assert(sigismember(&set, SIGINT) == 1 && sigismember(&set, SIGTERM) == 0);
  pthread_sigmask(SIG_BLOCK, &set, 0);
#ifdef HANDLE
  a.sa_handler = handler;
#else
  a.sa_handler = SIG_IGN;
#endif
  sigaction(SIGINT, &a, 0);
  assert(BAD == 0);
  return 0;
}
C
  run verify a.c -DBAD=0 -q
  exits 0
  run verify a.c -DBAD=0 -DHANDLE -q
  exits 5
  out_has 'not modelled: a signal that is handled'
  run verify a.c -DBAD=stop+1 -DHANDLE -q
  exits 10
}

test_options_of_a_program() {
  cat >a.c <<'C'
#include <assert.h>
#include <err.h>
#include <getopt.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int c, n = 0;
  while ((c = getopt(argc, argv, "n:v")) != -1)
    if (c == 'n')
      n = atoi(optarg);
    else if (c == '?')
      errx(1, "usage");
  assert(n == 3 && optind == argc);
  return 0;
}
C
  run verify a.c --arg=-vn --arg=3 -q
  exits 0
  run verify a.c --arg=-n3 -q
  exits 0
  run verify a.c -q
  exits 10
  cc -o a a.c && ./a -vn 3 && ./a -n3 || problem "native differs"
}

# The program's own function is the one that counts.
test_own_definitions_win() {
  cat >a.c <<'C'
#include <assert.h>
#include <string.h>
char *strtok(char *text, const char *separators) { return text + 1; }
int main(void) {
  char text[] = "ab", *rest;
  assert(*strtok(text, " ") == 'b' && *strtok_r(text, " ", &rest) == 'a');
  return 0;
}
C
  run verify a.c -q
  exits 0
}

test_futex() {
  cat >a.c <<'C'
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>
static atomic_int state;
static int data;
static long futex(int what, int value) {
  return syscall(SYS_futex, &state, what, value, NULL, NULL, 0);
}
static void *work(void *arg) {
  int c = 0;
  if (!atomic_compare_exchange_strong(&state, &c, 1)) {
    if (c != 2)
      c = atomic_exchange(&state, 2);
    while (c) {
      futex(FUTEX_WAIT, 2);
      c = atomic_exchange(&state, 2);
    }
  }
  data++;
  if (atomic_fetch_sub(&state, 1) != 1) {
    atomic_store(&state, 0);
    if (!FORGET)
      futex(FUTEX_WAKE_PRIVATE, 1);
  }
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  work(0);
  pthread_join(t, 0);
  assert(data == 2);
  return 0;
}
C
  run verify a.c -DFORGET=0 -q
  exits 0
  run verify a.c -DFORGET=1
  exits 10
  out_has 'deadlock: unsafe'
  cat >many.c <<'C'
#define _GNU_SOURCE
#include <linux/futex.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>
static atomic_int gate;
static void *work(void *arg) {
  while (!atomic_load(&gate))
    syscall(SYS_futex, &gate, FUTEX_WAIT, 0, NULL, NULL, 0);
  return arg;
}
int main(void) {
  pthread_t t[30];
  for (int i = 0; i < 30; i++)
    pthread_create(&t[i], 0, work, 0);
  atomic_store(&gate, 1);
  syscall(SYS_futex, &gate, FUTEX_WAKE, WAKE, NULL, NULL, 0);
  for (int i = 0; i < 30; i++)
    pthread_join(t[i], 0);
  return 0;
}
C
  run fuzz many.c -DWAKE=INT_MAX --runs=20
  exits 5
  out_lacks 'not modelled'
  run fuzz many.c -DWAKE=2 --runs=20 --no-spurious
  exits 10
  out_has 'deadlock: unsafe'
}

# xchg of pointers, with the memory first.
test_exchange() {
  [ "$(uname -m)" = x86_64 ] || skip "not x86-64"
  cat >a.c <<'C'
#include <assert.h>
#include <pthread.h>
static void *slot;
static int a, b;
static void *swap(void *t, void *v) {
  __asm__ __volatile__("xchgq %0, %1"
                       : "+m"(*(unsigned long *)t), "+q"(v)::"memory");
  return v;
}
static void *work(void *arg) {
  swap(&slot, &a);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  void *old = swap(&slot, &b);
  assert(!old || (old == &a && MAY));
  pthread_join(t, 0);
  return 0;
}
C
  run verify a.c -DMAY=1 -q
  exits 0
  run verify a.c -DMAY=0
  exits 10
  out_has 'assert: unsafe'
}

# Moves, and a compare-and-exchange that tells by a flag.
test_assembler() {
  [ "$(uname -m)" = x86_64 ] || skip "not x86-64"
  cat >a.c <<'C'
#include <assert.h>
#include <pthread.h>
static int x, won;
static void *p;
static int load(int *from) {
  int r;
  __asm__ volatile("movl %1, %0" : "=q"(r) : "m"(*from) : "memory");
  return r;
}
static void store(void *to, void *v) {
  __asm__ volatile("movq %1, %0" : "=m"(*(char *)to) : "q"(v) : "memory");
}
static _Bool cas(int *to, int old, int new) {
  _Bool z;
  int prev;
  __asm__ volatile("lock cmpxchgl %3, %0;"
                   : "+m"(*to), "=@ccz"(z), "=a"(prev)
                   : "q"(new), "2"(old)
                   : "memory", "cc");
  return z;
}
static void *work(void *arg) {
  if (cas(&x, 0, 1))
    won++;
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  work(0);
  pthread_join(t, 0);
  store(&p, &x);
  assert(won == 1 && load(p) == 1 + BAD);
  return 0;
}
C
  run verify a.c -DBAD=0 --memory-model=sc -q
  exits 0
  run verify a.c -DBAD=1 -q
  exits 10
}

test_fail_fast() {
  run verify "$EXAMPLES/counter.c" --fail-fast -v
  exits 10
  err_has 'found after'
  out_has 'race: unsafe'
}

# --- what is found and was not asked for ---

test_undefined_is_found() {
  cat >a.c <<'C'
#include <assert.h>
int a[2], i;
int main(void) {
  for (i = 0; i <= 2; i++)
    a[i] = 1;
  return 0;
}
C
  run verify a.c
  exits 10
  out_has 'memory: unsafe'
  run verify a.c --property=assert
  exits 5
}

test_no_thread() {
  cat >a.c <<'C'
#include <pthread.h>
static void *work(void *arg) { return arg; }
int main(int argc, char **argv) {
  pthread_t t;
  if (argc < 2)
    return 3;
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  return 0;
}
C
  run verify a.c
  exits 0
  out_has 'note: a run creates no thread and ends with status 3'
  run verify a.c --arg=x
  exits 0
  out_lacks 'creates no thread'
  # An input decides: others than the one that was tried create threads.
  sed -i 's/if (argc < 2)/if (heddle_nondet_int(0, 1000000) != 7)/; 1i #include <heddle.h>' a.c
  run verify a.c --property=race
  exits 0
  out_lacks 'creates no thread'
}

# Nobody can say more: that is said at once.
test_hopeless() {
  echo 'int foo(void); int main(void) { return foo(); }' >a.c
  SECONDS=0
  run verify a.c -q
  exits 5
  [ $SECONDS -lt 20 ] || problem "it took $SECONDS seconds"
}

run_tests
