#!/bin/bash
# SPDX-License-Identifier: MIT
# --harness: what is written, and when nothing is.
. "$(dirname "$0")/lib.sh"

[ -x "$(dirname "$HEDDLE")/heddle-cc" ] || { echo "1..0 # SKIP heddle-cc is not built"; exit 0; }

# replays FOLDER STATUS TEXT: ./replay ends so and says so, three times.
replays() {
  make -s -C "$1" >make.txt 2>&1 || problem "make fails: $(cat make.txt)"
  for i in 1 2 3; do
    (cd "$1" && ./replay) >replay.txt 2>&1
    same "$?" "$2"
    file_has replay.txt "$3"
  done
}

test_assertion() {
  run verify "$EXAMPLES/counter.c" --property=assert --harness=h -q
  exits 10
  for file in README.md Makefile schedule.h functions.h replay.c library.c \
              lines.c replay.h src/counter.c include/heddle.h; do
    has_file "h/$file"
  done
  cmp -s h/src/counter.c "$EXAMPLES/counter.c" || problem "another source"
  replays h 134 "Assertion \`counter == 2' failed"
}

test_race() {
  run fuzz "$EXAMPLES/counter.c" --property=race --harness h -q
  exits 10
  replays h 10 "replay: race: two threads are about to access the same memory"
}

test_deadlock() {
  run verify "$SOURCE/tests/programs/deadlocks/abba_bug.c" \
    --property=deadlock --harness=new/folder -q
  exits 6
  err_has "cannot make the folder"
  run verify "$SOURCE/tests/programs/deadlocks/abba_bug.c" \
    --property=deadlock --harness=h -q
  exits 10
  replays h 10 "replay: deadlock: all threads wait for each other"
}

# Files beside each other and in other folders, macros, arguments, inputs.
test_parts() {
  mkdir -p lib/deep app
  cat >lib/deep/limit.h <<'C'
#define LIMIT (BASE + 2)
C
  cat >lib/part.h <<'C'
#include "deep/limit.h"
int part(int);
C
  cat >app/part.c <<'C'
#include "../lib/part.h"
int part(int x) { return x > LIMIT; }
C
  cat >app/main.c <<'C'
#include <assert.h>
#include <heddle.h>
#include <part.h>
int main(int argc, char **argv) {
  int x = heddle_nondet_int(0, 9);
  if (argc == 2 && argv[1][0] == 'y')
    assert(!part(x));
  return 0;
}
C
  run verify app/main.c app/part.c -I lib -DBASE=3 --arg=y --harness=h -q
  exits 10
  has_file h/src/lib/deep/limit.h
  has_file h/src/app/part.c
  mv app lib h elsewhere 2>/dev/null || { mkdir away; mv app lib away; }
  replays h 134 "Assertion \`!part(x)' failed"
}

# What the thread is told of the mutex is not how the mutex is.
test_a_lock_that_is_found_taken() {
  cp "$SOURCE/tests/weak/waiting/tried.c" .
  run verify tried.c -DBUG --property=assert --harness=h -q
  exits 10
  replays h 134 "Assertion \`!seen || !busy' failed"
}

test_mpi() {
  run fuzz "$EXAMPLES/halo.c" --procs=2 -DSEND_FIRST --property=deadlock \
    --harness=h -q
  exits 10
  has_file h/replay_mpi.c
  no_file h/replay.c
  file_has h/schedule.h '{0, "MPI_Send", "halo.c"'
  command -v mpicc >/dev/null || skip "no Open MPI"
  make -s -C h >make.txt 2>&1 || problem "make fails: $(cat make.txt)"
  h/replay >replay.txt 2>&1
  same "$?" 10
  file_has replay.txt "replay: deadlock: process"
}

test_nothing_to_write() {
  run verify "$EXAMPLES/counter-locked.c" --harness=h
  exits 0
  err_has "h is not written: there is no violation"
  cat >leak.c <<'C'
#include <stdlib.h>
int main(void) { return malloc(4) == 0; }
C
  run verify leak.c --property=leak --harness=h
  exits 10
  err_has "h is not written: a native run does not show this property"
  no_file h/Makefile
  run verify "$EXAMPLES/any-number.c" --threads=unbounded --harness=h
  exits 10
  err_has "h is not written: a run with any number of threads"
  run verify "$EXAMPLES/lock.tts" --harness=h
  exits 1
  err_has "--harness is for C programs"
}

test_not_source() {
  run show "$EXAMPLES/counter.c" --ir -o counter.code
  run verify counter.code --harness=h
  exits 6
  err_has "--harness takes C source"
}

run_tests
