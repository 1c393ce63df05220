#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# MPI programs: run, fuzz and verify --outcomes, every option, every way it ends.
. "$(dirname "$0")/lib.sh"

needs_cc() {
  [ -x "$(dirname "$HEDDLE")/heddle-cc" ] || [ -n "${HEDDLE_CC-}" ] ||
    skip "heddle is built without heddle-cc"
  command -v clang-19 >/dev/null || skip "clang-19 is not installed"
}
exchange() { needs_cc; cp "$EXAMPLES/exchange.c" .; }
collect() { needs_cc; cp "$EXAMPLES/collect.c" .; }

test_run() {
  exchange
  run run exchange.c --procs=3 --deadlock=absolute
  exits 0
  out_has "0 got 2"; out_has "1 got 0"; out_has "2 got 1"
  err_has "run: exited with 0"
}
test_run_default_procs() {
  exchange
  run run exchange.c --deadlock=absolute -q
  exits 0
  out_has "0 got 1"; out_has "1 got 0"; out_lacks "2 got"
}
test_run_potential() {
  exchange
  run run exchange.c --procs=2
  exits 10; no_out
  err_has "without buffers: 0 waits for 1 to receive its message, tag 0"
  err_has "run: deadlock"
  run run exchange.c --procs=2 --deadlock=potential
  exits 10
}
test_run_json() {
  exchange
  run run exchange.c --procs=2 --deadlock=absolute --format=json
  exits 0; no_err
  json_is command run status exited trace.threads.1 "process 1"
  json_is trace.order.0.kind message
  out_has '"effect": "sends 1 int (0) to 1, tag 0"'
  out_has 'receives 1 int (1) from 1, tag 0'
}
test_run_svg() {
  exchange
  run run exchange.c --procs=2 --deadlock=absolute --diagram=run.svg
  exits 0
  file_has run.svg "process 1"
}
test_run_seed() {
  collect
  run run collect.c --procs=3 --seed=5 --record=a.schedule
  run run collect.c --procs=3 --seed=5 --record=b.schedule
  same "$(cat a.schedule)" "$(cat b.schedule)"
}
test_run_inputs() {
  needs_cc
  cat >input.c <<'C'
#include <mpi.h>
#include <stdio.h>
int heddle_nondet_int(int lo, int hi);
int main(void) {
  int rank, x;
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  x = rank ? 0 : heddle_nondet_int(0, 1000);
  MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);
  printf("%d has %d\n", rank, x);
  MPI_Finalize();
  return 0;
}
C
  echo 77 >in
  run run input.c --input=in
  exits 0; out_has "0 has 77"; out_has "1 has 77"
}
test_fuzz() {
  collect
  run fuzz collect.c --procs=3 --property=assert --record=found
  exits 10; no_err
  out_has "assertion 'sum == size * (size - 1) / 2' fails"
  out_has "of 3 processes (found by fuzz)"
  out_has "receives 1 int"
  last_line "verdict: unsafe"
  run run collect.c --procs=3 --property=assert --schedule=found
  exits 10
  err_has "assertion 'sum == size * (size - 1) / 2' fails"
  err_has "(process 0)"
}
test_fuzz_nothing() {
  collect
  run fuzz collect.c --procs=2 --runs=50
  exits 5
  last_line "verdict: unknown (nothing found in 50 runs)"
  run fuzz collect.c --procs=2 --time=0.2
  exits 5
}
# Inputs have other values in each run, and assumptions hold.
test_fuzz_assumes() {
  needs_cc
  cat >assumes.c <<'C'
#include <assert.h>
#pragma heddle input {0 <= n && n <= 100}
int n;
int main(void) {
  int i = 2 * n;
#pragma heddle assume i > 20 && i < 30
  assert(n != K);
  return 0;
}
C
  run fuzz assumes.c -DK=13 --property=assert
  exits 10; out_has "assertion 'n != K' fails"
  run fuzz assumes.c -DK=30 --runs=300
  exits 5; out_has "nothing found in"
  run fuzz assumes.c -DK=10 --runs=300
  exits 5
}
test_fuzz_json() {
  collect
  run fuzz collect.c --procs=3 --property=assert --format=json
  exits 10; no_err
  json_is verdict unsafe properties.0.name assert properties.0.checked true
}
test_property() {
  exchange
  run run exchange.c --procs=2 --property=assert
  exits 0
  run run exchange.c --procs=2 --property=assert --check=deadlock
  exits 10
}
test_outcomes() {
  exchange; collect
  run verify exchange.c --procs=3 --outcomes
  exits 0
  out_has 'exit: 0 got 2\n1 got 0\n2 got 1\n'
  out_has "deadlock: potential"
  out_has ", complete"
  run verify collect.c --procs=3 --outcomes
  exits 0
  out_has "violates: assert"
}
test_verify() {
  exchange; collect
  run verify exchange.c --procs=2..3 --deadlock=absolute
  exits 0; no_err
  last_line "verdict: safe"
  run verify exchange.c --procs=3
  exits 10
  out_has "deadlock: unsafe"
  last_line "verdict: unsafe"
}
test_check() {
  collect
  run verify collect.c --procs=3 --property=assert --witness=found -q
  exits 10
  run check collect.c found --procs=3 --property=assert
  exits 0
  out_has "(process 0)"
  last_line "check: accepted"
  run check collect.c found --procs=3 --property=memory
  exits 10
  run check collect.c found --procs=2..3
  exits 1
}
test_check_deadlock() {
  exchange
  run verify exchange.c --procs=2 --property=deadlock --witness=found -q
  exits 10
  run check exchange.c found --procs=2 --property=deadlock
  exits 0
  run check exchange.c found --procs=2 --property=deadlock --deadlock=absolute
  exits 10
}
test_bad_schedule() {
  collect
  run fuzz collect.c --procs=3 --property=assert --record=found -q
  sed -i 's/^2 0$/1 9/' found
  run run collect.c --procs=3 --schedule=found
  exits 2
  err_has "is not possible"
  sed -i 's/^processes .*/processes 4294967294/' found
  run run collect.c --schedule=found
  exits 2; err_has "the number of processes is too large"
}
test_bad_procs() {
  exchange
  for procs in 0 x 3..2 1..  1001 ''; do
    run run exchange.c --procs="$procs"
    exits 1; no_out
    err_has "--procs"
  done
  run run exchange.c --procs=2..3
  exits 1
  err_has "run takes one number of processes"
  run run exchange.c --deadlock=none
  exits 1
}
test_refused() {
  needs_cc
  cat >file.c <<'C'
#include <mpi.h>
int main(void) {
  char name[MPI_MAX_PORT_NAME];
  MPI_Init(NULL, NULL);
  MPI_Open_port(MPI_INFO_NULL, name);
  MPI_Finalize();
  return 0;
}
C
  run run file.c
  exits 5
  err_has "MPI_Open_port: this function of MPI is not supported"
  err_has "file.c:5"
}

run_tests
