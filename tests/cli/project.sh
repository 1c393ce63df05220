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
  run verify a.c -fkrumm
  exits 2
  err_has "unknown argument: '-fkrumm'"
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

run_tests
