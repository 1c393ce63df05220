#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Annotations: heddle compare, verify --infer, --accept-bounded; messages about
# pragmas.
. "$(dirname "$0")/lib.sh"

needs_cc() {
  [ -x "$(dirname "$HEDDLE")/heddle-cc" ] || [ -n "${HEDDLE_CC-}" ] ||
    skip "heddle is built without heddle-cc"
  command -v clang-19 >/dev/null || skip "clang-19 is not installed"
}
sums() { needs_cc; cp "$EXAMPLES"/sum-spec.c "$EXAMPLES"/sum-impl.c .; }
rounds() { needs_cc; cp "$EXAMPLES/rounds.c" .; }
pairs() { needs_cc; cp "$HEDDLE_SOURCE"/tests/mpi/pairs/*.c .; }

test_equal() {
  sums
  run compare sum-spec.c sum-impl.c
  exits 4; out_has "equal over the reals"
  last_line "verdict: safe (ideal numbers)"
}
test_different() {
  sums
  run compare sum-spec.c sum-impl.c -DWRONG
  exits 10; last_line "verdict: unsafe"
  out_has "  n = 2"; out_has "sum = 1 in the specification"
  out_has "= 3 in the implementation"
}
test_expect() {
  sums
  run compare sum-spec.c sum-impl.c -DWRONG --expect=unsafe -q
  exits 0
}
test_json() {
  sums
  run compare sum-spec.c sum-impl.c -DWRONG --format=json
  exits 10
  json_is command compare verdict unsafe difference.output sum difference.specification 1 \
    difference.inputs.0 "n = 2" implementation.processes 1 exit_code 10
  run compare sum-spec.c sum-impl.c --format=json -o report.json
  exits 4; no_out
  file_has report.json '"verdict": "safe"'
}
test_statistics() {
  sums
  run compare sum-spec.c sum-impl.c -s --seed=3
  exits 4
  out_has compare.runs; out_has lise.proofs
}
test_processes() {
  pairs
  run compare prefix_spec.c prefix_chain.c --procs=4
  exits 0
  out_has "implementation  prefix_chain.c, 4 processes"
  run compare prefix_spec.c prefix_chain.c --procs=2..3
  exits 1
  err_has "--procs: compare takes one number"
}
# Without buffers the ring of sends stands still.
test_deadlock() {
  needs_cc
  for f in spec impl; do
    printf '#pragma heddle output\nint x;\n' >$f.c
  done
  echo 'int main(void) { x = 1; return 0; }' >>spec.c
  cat >>impl.c <<'C'
#include <mpi.h>
int main(void) {
  int rank, y = 1;
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Send(&y, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
  MPI_Recv(&x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
C
  run compare spec.c impl.c --procs=2 --deadlock=absolute -q
  exits 0
  run compare spec.c impl.c --procs=2
  exits 10; out_has "deadlock"
}
test_bound() {
  sums
  sed -i '/invariant/d' sum-spec.c
  run compare sum-spec.c sum-impl.c --bound=3 --numbers=ideal
  exits 5
  out_has "within 3 rounds"
  run compare sum-spec.c sum-impl.c --bound=3 --numbers=ideal --accept-bounded
  exits 0
  out_has "within 3 rounds"; last_line "verdict: safe (ideal numbers)"
  run compare sum-spec.c sum-impl.c --bound=3 -DWRONG -q
  exits 10
}
test_no_output() {
  sums
  sed -i '/output/d' sum-spec.c
  run compare sum-spec.c sum-impl.c
  exits 2; err_has "the specification has no output 'sum'"
}
test_not_there() {
  sums
  run compare sum-spec.c gone.c
  exits 2
  run compare sum-spec.c
  exits 1
}
test_timeout() {
  pairs
  run compare product_spec.c product_blocked.c -DN=40 --timeout=0.5 -q
  exits 5
}

test_infer() {
  rounds
  run verify rounds.c --procs=3 --infer
  exits 4
  out_has "#pragma heddle collective invariant L12 i == PROC[(myrank + 1) % nprocs].i"
  out_has "points == 2 * i + 1"
  # what is printed can be pasted
  grep -o '#pragma heddle.*' stdout.txt >pragma.txt
  awk -v p="$(cat pragma.txt)" '/while/ { print p } { print }' rounds.c >pasted.c
  run verify pasted.c --procs=3 -q
  exits 4
}
# What is wrong behind the loop stays wrong; the invariant makes it found.
test_infer_unsafe() {
  rounds
  sed -i 's/2 \* rounds + 1/2 * rounds + 2/' rounds.c
  run verify rounds.c --procs=2 --infer
  exits 10
  out_has "points == 2 * i + 1"; out_has "assert: unsafe"
}
test_infer_nothing() {
  sums
  run verify sum-spec.c --infer
  exits 4
  out_has "nothing inferred"
}
test_accept_bounded() {
  rounds
  run verify rounds.c --procs=2 --unwind=3 -q
  exits 5
  run verify rounds.c --procs=2 --unwind=3 --accept-bounded
  exits 0
  out_has "within the bounds"
}

test_messages() {
  sums
  sed -i 's/i <= n/i <= m/' sum-spec.c
  run verify sum-spec.c
  exits 2
  err_has "sum-spec.c:10:41: error: no variable 'm' is known here"
  err_has "#pragma heddle invariant 0 <= i && i <= m"
}
test_message_behind_a_joined_line() {
  needs_cc
  cat >a.c <<'C'
#define TWO 2
#pragma heddle input
int n;
int main(void) {
  int i = 0;
#pragma heddle invariant i >= 0 && /* so far */ \
   i <= TWO * n && \
   i == q
  while (i < 2 * n)
    i++;
  return 0;
}
C
  run verify a.c
  exits 2
  err_has "a.c:6:1: error: no variable 'q' is known here"
  sed -i 's/TWO \*/2 */' a.c
  run verify a.c
  err_has "a.c:8:9: error: no variable 'q' is known here"
}
test_pragma_without_a_loop() {
  needs_cc
  cat >a.c <<'C'
int main(void) {
  int i = 0;
#pragma heddle invariant i >= 0
  i = 1;
  while (i < 2)
    i++;
  return 0;
}
C
  run verify a.c
  exits 2
  err_has "a.c:3:"
  err_has "no loop follows this invariant"
}
# What no small input by chance shows is found by the engine, and executed.
test_difference_of_the_engine() {
  needs_cc
  cat >spec.c <<'C'
#pragma heddle input {N >= 1}
int N = 3;
#pragma heddle output
double r;
int main(void) {
#pragma heddle input
  double a[N];
  double s = 0;
  for (int i = 0; i < N; i++)
    s += a[i];
  r = s;
  return 0;
}
C
  sed 's/r = s;/r = N == 13 ? s + 1 : s;/' spec.c >impl.c
  run compare spec.c impl.c --bound=20
  exits 10; last_line "verdict: unsafe"
  out_has "N = 13"; out_has "Both were executed with these inputs."
}
# Assumptions cannot be executed: no run by chance may ignore them.
test_assumptions() {
  needs_cc
  cat >spec.c <<'C'
#pragma heddle input
int n = 1;
#pragma heddle output
int r;
int main(void) {
  int k = n;
#pragma heddle assume k != 2 && k != 0
  r = k;
  return 0;
}
C
  sed 's/r = k;/r = k == 2 || k == 0 ? 7 : k;/' spec.c >impl.c
  run compare spec.c impl.c
  exits 0; last_line "verdict: safe"
  sed 's/r = k;/r = k == 3 ? 7 : k;/' spec.c >impl.c
  run compare spec.c impl.c
  exits 10; out_has "n = 3"; out_has "Both were executed with these inputs."
}
run_tests
