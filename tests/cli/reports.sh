#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Forms of the report: pages, SARIF, compiler-style lines, witnesses of SV-COMP,
# graphs, and the diagram of the text.
. "$(dirname "$0")/lib.sh"

bank() { cp "$EXAMPLES/bank.c" "$EXAMPLES/counter.c" "$EXAMPLES/counter-locked.c" .; }
is_page() {
  [ "$(head -n 1 "$1")" = '<!doctype html>' ] || problem "$1 does not begin as a page"
  [ "$(tail -n 1 "$1")" = '</html>' ] || problem "$1 does not end as a page"
  ! grep -qE '(src|href)="(https?:)?//' "$1" || problem "$1 loads something"
}
narrow() {
  local wide
  wide=$(python3 -S -c '
import sys
print("\n".join(l for l in open(sys.argv[1], encoding="utf-8").read().split("\n") if len(l) > 80))' "$1")
  [ -z "$wide" ] || problem "wider than 80 columns: $wide"
}

test_html_beside_the_text() {
  bank
  run verify bank.c --html=page.html
  exits 10; no_err; last_line "verdict: unsafe"; is_page page.html
  file_has page.html '"verdict":"unsafe"'; file_has page.html 'transfer('
}
test_html_as_the_report() {
  unsafe_model
  run verify unsafe.tts --format=html
  exits 10; is_page stdout.txt
  run verify unsafe.tts --format=html -o page.html
  exits 10; no_out; is_page page.html
}
test_html_of_every_kind() {
  bank; safe_model; net_model
  cp "$EXAMPLES/flag.bp" .
  local command
  for command in "verify safe.tts" "verify net.spec" "verify flag.bp" "run bank.c" \
    "fuzz counter.c --runs=500" "verify counter-locked.c --property=assert"; do
    rm -f page.html
    # shellcheck disable=SC2086
    run $command --html=page.html
    is_page page.html
  done
}
test_html_has_no_end_of_script_inside() {
  cat >script.c <<'C'
#include <assert.h>
int main(void) {
  const char *text = "</script><!--";
  assert(text[0] != '<');
}
C
  run verify script.c --html=page.html
  exits 10
  same "$(grep -c '</script>' page.html)" 2
  ! grep -qF '</script><!--' page.html || problem "the source ends the script"
}
test_html_full_disk() {
  [ -c /dev/full ] || skip "no /dev/full"
  unsafe_model
  run verify unsafe.tts --html=/dev/full
  exits 6; err_has "/dev/full: error: cannot write"
}
test_html_into_missing_folder() {
  bank
  run verify bank.c --html=nowhere/page.html
  exits 6; no_out; err_has "nowhere/page.html: error: cannot write"
}
test_failed_page_leaves_no_file() {
  unsafe_model
  mkdir locked
  ulimit -f 8
  trap '' XFSZ
  run verify unsafe.tts -q --html=locked/page.html
  [ "$status" = 6 ] || problem "exit status $status, expected 6"
  [ -z "$(ls locked)" ] || problem "left behind: $(ls locked)"
} 2>/dev/null
test_html_and_report_to_one_file() {
  unsafe_model
  run verify unsafe.tts -o x --html=x
  exits 1; err_has "--html and the report (--output) would both be written to 'x'"
}

test_sarif() {
  bank
  run verify counter.c --format=sarif --property=race
  exits 10; no_err
  json_is version 2.1.0 runs.0.tool.driver.name heddle runs.0.results.0.ruleId race \
    runs.0.results.0.level error \
    runs.0.results.0.locations.0.physicalLocation.region.startLine 9
}
test_sarif_safe() {
  safe_model
  run verify safe.tts --format=sarif
  exits 0
  json_is runs.0.results.0.kind pass runs.0.results.0.level none
}
test_gcc() {
  bank
  run verify bank.c --format=gcc
  exits 10; no_err
  same "$(grep -c ': error: ' stdout.txt)" 1
  out_has "bank.c:15:3: error: deadlock: "; out_has "bank.c:14:3: note: "
}
test_gcc_safe_says_nothing() { safe_model; run verify safe.tts --format=gcc; exits 0; no_out; }
test_gcc_unknown_is_a_warning() {
  endless_model
  run verify endless.spec --engine=fws --no-reduce --timeout=0.05 --format=gcc
  exits 5; out_has "endless.spec: warning: not decided: time limit reached"
}
test_sv_witnesses() {
  bank
  run verify counter.c --property=assert -q --witness=w.graphml
  exits 10; file_has w.graphml violation_witness; file_has w.graphml '"createThread">2<'
  run verify counter.c --property=assert -q --witness=w.yml
  exits 10; file_has w.yml violation_sequence; file_has w.yml 'thread_id: 2'
  run verify counter-locked.c --property=assert -q --witness=s.graphml
  exits 0; file_has s.graphml correctness_witness
  run verify counter-locked.c --property=assert -q --witness=s.yaml
  exits 0; file_has s.yaml invariant_set
}
test_sv_witness_time() {
  bank
  SOURCE_DATE_EPOCH=86400 run verify counter.c --property=race -q --witness=w.yml
  file_has w.yml '"1970-01-02T00:00:00Z"'
}
test_sv_witness_full_disk() {
  [ -c /dev/full ] || skip "no /dev/full"
  bank
  ln -s /dev/full w.yml
  run verify counter.c --property=race --witness=w.yml
  exits 6; err_has "w.yml: error: cannot write"
}

test_diagram_fits() {
  bank
  cp "$SOURCE/tests/programs/deadlocks/three_bug.c" "$SOURCE/tests/programs/svcomp/"*.c . 2>/dev/null
  run verify bank.c; narrow stdout.txt; out_has "●"; out_has "✗"; out_has "▶"
  run verify counter.c -v; sed -n '/^  line/,/^The run/p' stdout.txt >diagram.txt; narrow diagram.txt
  out_has "in worker:"
  run verify three_bug.c; sed -n '/^  line/,/^The run/p' stdout.txt >diagram.txt; narrow diagram.txt
  out_has "│ │ │"
}
test_diagram_of_many_threads() {
  cat >many.c <<'C'
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 8
#endif
int x;
void *work(void *p) { x++; return p; }
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
  assert(x != N);
}
C
  run verify many.c --property=assert
  sed -n '/^  line/,/^The run/p' stdout.txt >diagram.txt; narrow diagram.txt
  out_has "│ │ │ │ │"
  run verify many.c --property=assert -DN=30 --engine=fuzz
  sed -n '/^  line/,/^The run/p' stdout.txt >diagram.txt; narrow diagram.txt
  out_has "work 30"; out_lacks "│ │ │"
}
test_diagram_of_a_net() {
  cat >n.spec <<'END'
vars
  idle busy
rules
  idle >= 1 -> idle' = idle - 1, busy' = busy + 1;
init
  idle = 3, busy = 0
target
  busy >= 2
END
  run verify n.spec
  exits 10
  out_has "  line  idle  busy  transition"
  out_has "        3     0"
  out_has ">    4  1     2     ✗ idle>=1"
}
test_diagram_of_a_thread_system() {
  {
    echo "2 40"
    for i in $(seq 0 38); do echo "0 $i -> 0 $((i + 1))"; done
    echo "0|39,39,39,39,39,39,39"
  } >long.tts
  run verify long.tts
  exits 10
  out_has "steps left out (--explain shows them)"
  sed -n '/^  line/,/^The steps/p' stdout.txt >diagram.txt; narrow diagram.txt
  run verify long.tts --explain
  exits 10
  out_lacks "left out"
  sed -n '/^  line/,/^The steps/p' stdout.txt >diagram.txt; narrow diagram.txt
  [ "$(grep -c -- ' -> ' diagram.txt)" = 273 ] || problem "not every step"
}
test_diagram_colours() {
  bank
  run verify bank.c
  ! grep -q $'\033' stdout.txt || problem "colours in a file"
  run verify bank.c --color=always
  grep -q $'\033\[1;31m✗' stdout.txt || problem "no red cross"
  needs_terminal
  script -qec "'$HEDDLE' verify bank.c" /dev/null </dev/null >terminal.txt
  grep -q $'\033' terminal.txt || problem "no colours on a terminal"
  NO_COLOR=1 script -qec "'$HEDDLE' verify bank.c" /dev/null </dev/null >terminal.txt
  ! grep -q $'\033\[1;3' terminal.txt || problem "colours although NO_COLOR is set"
}

test_graph_of_c() {
  bank
  run show bank.c --format=dot
  exits 0; no_err; out_has "digraph code"; out_has 'label="transfer"'
  command -v dot >/dev/null || skip "no Graphviz"
  dot -Tsvg stdout.txt >/dev/null 2>dot.txt || problem "$(cat dot.txt)"
  run show bank.c --format=svg; exits 0; out_has "<svg"
}
test_graph_of_boolean_program() {
  cp "$EXAMPLES/flag.bp" .
  run show flag.bp --ir --format=dot
  exits 0; no_err; out_has "digraph program"; out_has "assert(!inside)"
  command -v dot >/dev/null || skip "no Graphviz"
  dot -Tsvg stdout.txt >/dev/null 2>dot.txt || problem "$(cat dot.txt)"
}

run_tests
