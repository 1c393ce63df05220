#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Boolean programs and cutoffs.
. "$(dirname "$0")/lib.sh"

matches() { grep -qE -- "$1" stdout.txt || problem "stdout lacks /$1/: $out"; }
flag() { cp "$EXAMPLES/flag.bp" flag.bp; }
locked() {
  cat >locked.bp <<'BP'
decl busy := 0, inside := 0;
void main() begin
  A: atomic_begin; assume(!busy); busy := 1; atomic_end;
  C: assert(!inside);
     inside := 1;
     inside := 0;
     busy := 0;
     goto A;
end
BP
}
two_assertions() {
  cat >two.bp <<'BP'
decl s := 0;
void main() begin
  A: assert(!s);
  B: s := 1;
  C: assert(s);
end
BP
}
# Each thread counts s up by one; the one that finds c fails. Written in unary,
# so that the bits are the values passed.
counting() {
  local c=$1 i
  {
    printf 'decl'
    for i in $(seq "$c"); do printf '%s s%d := 0' "$([ "$i" = 1 ] || echo ,)" "$i"; done
    echo ';'
    echo 'void main() begin'
    # s(i+1) := s(i) for all i at once: one more.
    printf 'A: s1'
    for i in $(seq 2 "$c"); do printf ', s%d' "$i"; done
    printf ' := 1'
    for i in $(seq 1 $((c - 1))); do printf ', s%d' "$i"; done
    echo ';'
    echo "B: assert(!s$c);"
    echo 'end'
  } >count.bp
}

test_violation_is_a_source_trace() {
  flag
  run verify flag.bp
  exits 10; no_err; last_line "verdict: unsafe"
  out_has "The assertion in line 7 is violated"; out_has "busy := 1"
  out_has "fails"; out_has "The steps were replayed on the program."
}
test_proof_of_a_program() {
  locked
  run verify locked.bp
  exits 0; last_line "verdict: safe"; out_has "No assertion can be violated"
}
test_explain_shows_skips() {
  printf 'decl s := 0;\nvoid main() begin\nA: skip;\nB: skip;\nC: assert(s);\nend\n' >s.bp
  run verify s.bp
  out_has "2 steps that change nothing"
  run verify s.bp --explain
  out_lacks "change nothing"; out_has "skip"
}
test_program_json() {
  flag
  run verify flag.bp --format=json
  exits 10; json_is verdict unsafe schedule.threads 2 schedule.violated.line 7 schedule.initial.busy 0
}
test_program_every_engine() {
  flag; locked
  local engine
  for engine in bws km fws tse concolic; do
    run verify flag.bp --engine=$engine -q; exits 10; same "$out" "verdict: unsafe"
    run verify locked.bp --engine=$engine -q --timeout=20
    [ "$status" = 0 ] || [ "$status" = 5 ] || problem "$engine: $out"
  done
}
test_template_or_spawning() {
  two_assertions
  run verify two.bp
  out_has "any number of threads"
  sed 's/B: s := 1;/B: start_thread goto C;/' two.bp >spawn.bp
  run verify spawn.bp
  out_has "exactly 1 thread"
  run verify spawn.bp --threads=parametric
  out_has "any number of threads"
}
test_threads_matter() {
  flag
  run verify flag.bp --threads=1 -q; exits 0
  run verify flag.bp --threads=2 -q; exits 10
}
test_threads_wrong() { flag; run verify flag.bp --threads=some; exits 1; err_has "--threads: expected"; }
test_assert_selects() {
  two_assertions
  run verify two.bp --assert=1 --threads=2; exits 10; out_has "in line 3"
  run verify two.bp --assert=2; exits 0
  run verify two.bp --assert=3; exits 2; err_has "there are 2 assertions"
}
test_no_assertion() {
  printf 'void main() begin\nA: skip;\nend\n' >n.bp
  run verify n.bp
  exits 2; err_has "no assertion"
}
test_target_does_not_go_with_programs() {
  flag
  run verify flag.bp --target='0|1'; exits 2; err_has "--target does not go with a Boolean program"
  run verify flag.bp --init='0|1'; exits 2; err_has "--init does not go"
}
test_syntax_error_has_a_caret() {
  printf 'decl a;\nvoid main() begin\n  L: a = 1;\nend\n' >e.bp
  run verify e.bp
  exits 2; no_out; err_has "e.bp:3:8: error: expected ':='"; err_has "       ^"
}
test_simplifications_can_be_left_out() {
  flag
  local option
  for option in --no-slice --no-live --no-jump --no-propagate --no-lazy; do
    run verify flag.bp $option -q; exits 10
  done
  run verify flag.bp -s; out_has "program.kept_locations"; out_has "program.dead_resets"
}
# n is never written, x is 1 behind the assume, y a copy of it, and so the
# assertion holds; no variable is left.
constants() {
  cat >constants.bp <<'BP'
decl n := 0;
void main() begin
  decl x, y;
  A: x := *;
     assume(x & !n);
  B: y := x;
  C: if (n) then goto D; fi;
     assert(y);
     goto A;
  D: assert(0);
end
BP
}
test_propagation_shows_in_the_statistics() {
  constants
  run verify constants.bp -s; exits 0
  matches "program.kept_variables +1 "; matches "program.constants +5 "; matches "program.removed_edges +[34] "
  run verify constants.bp -s --no-propagate; exits 0
  matches "program.kept_variables +3 "; matches "program.constants +0 "
}
# 30 variables that start with any value, of which one at a time is read.
many_values() {
  local i
  {
    printf 'decl g0'; for i in $(seq 29); do printf ', g%d' "$i"; done; echo ';'
    echo 'void main() begin'
    for i in $(seq 0 29); do echo "A$i: assume(g$i);"; done
    echo 'B: assert(g0 & g29);'; echo end
  } >many.bp
}
test_values_are_decided_when_read() {
  many_values
  run verify many.bp -q --timeout=30; exits 0
  sed 's/assert(g0/assert(!g0/' many.bp >wrong.bp
  run verify wrong.bp --timeout=30; exits 10; out_has "g29=1"
  run verify many.bp -q --no-lazy --no-slice --timeout=0.5; exits 5
}
test_signal() {
  cat >signal.bp <<'BP'
decl up := 0, waits := 0;
void main() begin
  A: goto B, C;
  B: atomic_begin; waits := 1; wait;
     assert(!up); goto E;
  C: assume(waits); up := 1; signal;
  E: assume(0);
end
BP
  local engine
  for engine in bws km fws tse concolic; do
    run verify signal.bp --engine=$engine -q; exits 10; same "$out" "verdict: unsafe"
  done
  run verify signal.bp; exits 10; out_has "wakes thread"
  run cutoff signal.bp; exits 2; err_has "signal.bp:6: with 'signal' only assertions"
  run reach signal.bp; exits 2; err_has "signal"
  run convert signal.bp signal.tts; exits 0
  run verify signal.tts -q; exits 10
  sed 's/up := 1; signal/signal; up := 1/; s/C: assume(waits);/C: atomic_begin; assume(waits);/; s/up := 1;$/up := 1; assume(0);/' signal.bp >locked.bp
  run verify locked.bp -q --threads=2; exits 0
}
test_very_many_threads() {
  flag
  run verify flag.bp --threads=100000000; exits 10; out_has "100,000,000 initial threads"; out_has "replayed"
  run verify flag.bp --threads=100000000 --format=json; exits 10; json_is schedule.threads 100000000
}
test_show_ir() {
  flag
  run show --ir flag.bp
  exits 0; out_has "heddle program 1"; out_has "shared busy : 1 := 0"; out_has "-> 1 assume !busy"
  safe_model
  run show --ir safe.tts; exits 1; err_has "--ir is for programs"
}
test_convert_program() {
  flag
  run convert flag.bp flag.tts; exits 0
  run verify flag.tts -q; exits 10
  run convert flag.bp flag.spec; exits 0
  run verify flag.spec -q; exits 10
}
# Threads that end, and threads that create others: .tts has no word for the
# first, and for the second only where the creator stays in its local state.
creating() {
  cat >creating.bp <<'BP'
decl s := 0;
void note() begin
  N: s := 1;
end
void main() begin
  A: start_thread goto T;
  B: goto A;
  T: if s then goto U; fi;
     if * then goto V; fi;
  V: note();
  W: end_thread;
  U: assert(0);
  X: note();
end
BP
}
test_convert_threads_that_end_and_create() {
  creating
  run convert creating.bp creating.tts; exits 0; no_err
  run verify creating.tts -q; exits 10; no_err
  run verify creating.bp -q; exits 10
  sed 's/assert(0)/assert(s)/' creating.bp >right.bp
  run convert right.bp right.tts; exits 0
  run verify right.tts -q; exits 0
  run verify right.bp -q; exits 0
}
test_convert_writes_prop() {
  flag; two_assertions
  run convert flag.bp flag.tts; exits 0
  grep -qE '^[0-9]+\|[0-9]+$' flag.prop && [ "$(wc -l <flag.prop)" = 1 ] || problem "flag.prop: $(cat flag.prop)"
  grep -qFx "$(cat flag.prop)" flag.tts || problem "the target is not in flag.tts"
  run verify flag.tts --prop=flag.prop -q; exits 10
  run convert two.bp two.tts; exits 0
  [ ! -e two.prop ] || problem "two assertions, one .prop"
  run convert two.bp one.tts --assert=2; exits 0; has_file one.prop
  cp flag.tts x.tts
  run convert x.tts y.tts; exits 0
  [ ! -e y.prop ] || problem "y.prop is not for a program"
}
test_reach_program() {
  locked
  run reach locked.bp
  exits 0; last_line "reach: complete"; out_lacks "error"
}
test_input_format() {
  flag; cp flag.bp flag.txt
  run verify flag.txt --input-format=bp -q; exits 10
  input=flag.bp; run verify - --input-format=bp -q; exits 10
}
test_program_certificate_is_for_the_system() {
  locked
  run verify locked.bp --certificate=c.txt -q; exits 0; has_file c.txt
  run check locked.bp c.txt; exits 0; last_line "check: accepted"
}
# Evidence says how the system it is about was built; check builds that.
test_every_certificate_can_be_checked() {
  locked; flag
  local how
  for how in "" --engine=km "--engine=km --order=dfs" "--engine=km --order=bfs" "--engine=bws --no-jump" \
             "--no-slice --no-propagate" "--engine=km --no-live --no-lazy"; do
    run verify locked.bp $how --certificate=c.txt -q; exits 0
    run check locked.bp c.txt; exits 0; last_line "check: accepted"
    run verify flag.bp $how --witness=w.txt -q; exits 10
    run check flag.bp w.txt; exits 0; last_line "check: accepted"
  done
  file_has w.txt "built fly no-live no-lazy"
  sed -i 's/built fly/built sideways/' w.txt
  run check flag.bp w.txt; exits 2; err_has "not known here: sideways"
}
test_order() {
  locked; unsafe_model
  run verify locked.bp --engine=km --order=dfs -q; exits 0
  run verify unsafe.tts --engine=km --order=bfs -q; exits 10
  run verify unsafe.tts --engine=km --order=widest; exits 1; err_has "--order"
}
test_timeout_while_building() {
  {
    printf 'decl s;\nvoid main() begin\ndecl '
    for i in $(seq 40); do printf 'x%d, ' "$i"; done
    echo 'y;'
    for i in $(seq 40); do echo "L$i: x$i := *;"; done
    printf 'M: assume(s'
    for i in $(seq 40); do printf ' ^ x%d' "$i"; done
    printf '); N: assert(s'
    for i in $(seq 40); do printf ' ^ x%d' "$i"; done
    echo ');'; echo end
  } >big.bp
  run verify big.bp --timeout=1
  exits 5; out_has "while the thread system was built"
}
test_km_is_on_the_fly() {
  locked
  run verify locked.bp --engine=km -s
  exits 0; out_has "fly.pairs"; out_has "fly.occupied_most"
}

test_cutoff_of_a_program() {
  flag
  run cutoff flag.bp
  exits 0; last_line "cutoff: 3"; out_has "uniform cutoff"
}
test_cutoff_of_a_system() {
  unsafe_model
  run cutoff unsafe.tts; exits 0; last_line "cutoff: 2"
}
test_cutoff_quiet() { flag; run cutoff flag.bp -q; exits 0; same "$out" "cutoff: 3"; }
test_cutoff_json() {
  flag
  run cutoff flag.bp --format=json
  exits 0; json_is cutoff 3 uniform_cutoff 3 rows.0.threads 1 reachable_thread_states 20 exit_code 0
}
test_cutoff_json_when_unknown() {
  {
    echo 'decl s; void main() begin decl x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, y0, y1, y2, y3, y4, y5, y6, y7, y8, y9, z0, z1, z2, z3;'
    echo 'L: assert(x0|x1|x2|x3|x4|x5|x6|x7|x8|x9|y0|y1|y2|y3|y4|y5|y6|y7|y8|y9|z0|z1|z2|z3|s); goto L; end'
  } >wide.bp
  run cutoff wide.bp --format=json --timeout=0.3
  exits 5; json_is exit_code 5 cutoff null reachable_thread_states null
}
test_cutoff_plot() {
  flag
  run cutoff flag.bp --plot=c.svg; exits 0; file_has c.svg "<svg"; file_has c.svg "cutoff 3"
  python3 -c 'import xml.dom.minidom as m; m.parse("c.svg")' || problem "not XML"
}
test_cutoff_bound() {
  flag
  run cutoff flag.bp --max-threads=2; exits 5; last_line "cutoff: unknown (more threads than --max-threads)"
}
test_cutoff_of_counting_to_c() {
  local c
  for c in 1 2 3 4 5 6 7 8; do
    counting $c
    run cutoff count.bp -q --threads=parametric
    exits 0; same "$out" "cutoff: $c"
    run verify count.bp -q --threads=$c; exits 10
    [ $c = 1 ] || { run verify count.bp -q --threads=$((c - 1)); exits 0; }
  done
}
test_cutoff_refuses_broadcasts() {
  printf '2 2\n0 0 -> 1 1 0 ~> 1\n' >b.tts
  run cutoff b.tts
  exits 2; err_has "b.tts:2"
}
test_cutoff_one_place() {
  net_model
  run cutoff net.spec --timeout=20 --max-threads=6; exits 0
}

run_tests
