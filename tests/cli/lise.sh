#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# heddle verify of MPI programs: ranges of processes, what runs end with,
# violations that are executed again, statistics.
. "$(dirname "$0")/lib.sh"

needs_cc() {
  [ -x "$(dirname "$HEDDLE")/heddle-cc" ] || [ -n "${HEDDLE_CC-}" ] ||
    skip "heddle is built without heddle-cc"
  command -v clang-19 >/dev/null || skip "clang-19 is not installed"
}
corpus() { needs_cc; cp "$HEDDLE_SOURCE/tests/mpi/$1" .; }

test_numbers() {
  needs_cc
  cat >wraps.c <<'C'
#include <heddle.h>
#pragma heddle input
int x;
int main(void) { heddle_assert(x + 1 > x); return 0; }
C
  run verify wraps.c -q
  exits 10; out_has "verdict: unsafe"
  run verify wraps.c -q --numbers=ideal
  exits 0; out_has "verdict: safe (ideal numbers)"
  run verify wraps.c --numbers=real
  exits 1
}
test_range() {
  corpus paper/ring.c
  run verify ring.c --procs=2..4
  exits 0; last_line "verdict: safe"
  out_lacks "integers are mathematical"
}
test_range_ends_at_violation() {
  corpus paper/ring.c
  run verify ring.c --procs=1..3 -DSEND_FIRST
  exits 10; last_line "verdict: unsafe"
  out_has "deadlock: unsafe"; out_has "made again by a fresh machine"
}
test_wrong_range() {
  corpus paper/ring.c
  run verify ring.c --procs=4..2
  exits 1; err_has "--procs"
}
test_unreduced() {
  corpus point/ring_token.c
  run verify ring_token.c --procs=3 --unreduced -s
  exits 0
  out_has "lise.unreduced"; out_has "lise.transitions"; out_has "lise.proofs"
}
# What lise shows is executed, too: for a moment, or to the end.
test_confirmed() {
  corpus point/ring_token.c
  run verify ring_token.c --procs=2 --confirm
  exits 0; out_has "Confirmed by executing all interleavings"; no_err
  run verify ring_token.c --procs=2 --certificate=none
  exits 0; err_has "there are no certificates of programs with MPI"; no_file none
  printf '%s\n' '#include <assert.h>' '#pragma heddle input' 'int n;' \
    'int main(void) { int m = n; assert(m == n); }' >same.c
  run verify same.c --confirm
  exits 0; out_has "not checked: what annotations say cannot be executed"
}
test_race() {
  corpus paper/race.c
  run verify race.c --procs=3
  exits 10; last_line "verdict: unsafe"
  out_has "invariant: unsafe"; out_has "followed without abstraction"
}
test_too_weak() {
  corpus paper/stagger.c
  run verify stagger.c -DWEAK
  exits 5
  out_has "an invariant is too weak to exclude it"
}
test_json() {
  corpus paper/race.c
  run verify race.c --procs=3 --format=json
  exits 10
  json_is command verify verdict unsafe exit_code 10
}
test_input_of_violation() {
  needs_cc
  cat >a.c <<'C'
#include <assert.h>
#include <heddle.h>
#include <mpi.h>
int main(int argc, char **argv) {
  int rank, x;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    x = heddle_nondet_int(0, 1000);
    MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(2 * x != 666);
  }
  MPI_Finalize();
  return 0;
}
C
  run verify a.c
  exits 10; out_has "= 333 (process 0)"
}
inputs_program() {
  needs_cc
  cat >a.c <<'C'
#include <assert.h>
#include <mpi.h>
#pragma heddle input {N >= 2 && N <= 4}
int N = 3;
#pragma heddle input
double m[2][3];
int main(int argc, char **argv) {
  int rank;
#pragma heddle input
  int v[N];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double x = m[1][2];
  if (rank == 0)
    MPI_Send(&x, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) {
    MPI_Recv(&x, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(x != -0.5 || v[N - 1] != 7);
  }
  MPI_Finalize();
  return 0;
}
C
}
test_inputs_are_in_the_schedule() {
  inputs_program
  run verify a.c --procs=3 --witness=w --harness=h
  exits 10; out_has "input m[1][2] = -1/2"
  err_has "its inputs are said in pragmas"
  file_has w "processes 3"; file_has w "input m[1][2] -0.5"
  run check a.c w
  exits 0; out_has "assert: assertion"; last_line "check: accepted"
  run run a.c --schedule=w --record=again -q
  exits 10
  file_has again "processes 3"; file_has again "input m[1][2] -0.5"
  run check a.c again
  exits 0
}
test_start_of_a_schedule() {
  inputs_program
  run verify a.c --witness=w
  exits 10
  run check a.c w --procs=3
  exits 1; err_has "the schedule is for 2 processes"
  sed 's/^input N.*/input N 9/' w >bad
  run check a.c bad
  exits 2; err_has "its inputs do not satisfy the program's conditions"
  sed 's/^input N.*/input K 2/' w >bad
  run check a.c bad
  exits 2; err_has "the program has no input 'K' that could be 2"
}
test_inputs_without_mpi() {
  needs_cc
  cat >a.c <<'C'
#include <assert.h>
#pragma heddle input {N >= 0 && N <= 100}
int N = 5;
int main(void) {
  int s = 0;
  for (int i = 0; i < N; i++)
    s += i;
  assert(s != 45);
  return 0;
}
C
  run verify a.c --witness=w
  exits 10; out_has "input N = 10"
  run check a.c w
  exits 0; last_line "check: accepted"
}
test_not_asked_for() {
  corpus memory/uninit.c
  run verify uninit.c --property=deadlock
  exits 5
  out_has "not asked for, but ends runs: a branch depends on a value"
}
test_random_runs_beside() {
  needs_cc
  cat >a.c <<'C'
#include <assert.h>
#include <mpi.h>
int main(int argc, char **argv) {
  int rank, size, x, h = 0, first = -1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) {
    for (int i = 0; i < 3 * (size - 1); i++) {
      MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
      if (first < 0)
        first = x;
      h = 7 * h + x;
    }
    assert(first != size - 1);
  } else
    for (int i = 0; i < 3; i++)
      MPI_Ssend(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
C
  run verify a.c --procs=6 --witness=w
  exits 10; out_has "assert: unsafe"
  run check a.c w
  exits 0; last_line "check: accepted"
}
test_refused_by_name() {
  needs_cc
  cat >a.c <<'C'
#include <mpi.h>
int main(int argc, char **argv) {
  char name[MPI_MAX_PORT_NAME];
  MPI_Init(&argc, &argv);
  MPI_Open_port(MPI_INFO_NULL, name);
  MPI_Finalize();
  return 0;
}
C
  run verify a.c
  exits 5
  out_has "MPI_Open_port: this function of MPI is not supported, in main at a.c:5:3"
}
run_tests
