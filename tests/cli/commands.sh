#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# reach, convert, show and engines.
. "$(dirname "$0")/lib.sh"

test_reach_threads() {
  safe_model
  run reach safe.tts
  exits 0; no_err; last_line "reach: complete"
  out_has "Reachable thread states: 3 of 4"; out_has "  1 | 0 1"; out_has "  1|0*w,1"
}
test_reach_net() {
  net_model
  run reach net.spec
  exits 0; last_line "reach: complete"; out_has "p=w q=w r=w"
}
test_reach_quiet() { safe_model; run reach safe.tts -q; exits 0; same "$out" "reach: complete"; }
test_reach_one_thread() {
  unsafe_model
  run reach unsafe.tts --threads=1
  exits 0; out_has "Reachable thread states: 2 of 9"; out_has "  1|1"
}
test_reach_init() { unsafe_model; run reach unsafe.tts --init='1|0,0'; exits 0; out_has "  2|0,1"; }
test_reach_needs_no_target() {
  printf '2 2\n0 0 -> 1 1\n' >m.tts
  run reach m.tts
  exits 0; last_line "reach: complete"
}
test_reach_statistics() { safe_model; run reach safe.tts -s; exits 0; out_has "time.total"; last_line "reach: complete"; }
test_reach_no_check() { safe_model; run reach safe.tts --no-check; exits 0; out_has "Not checked (--no-check)"; }
test_reach_output() { safe_model; run reach safe.tts -o r.txt; exits 0; no_out; file_has r.txt "reach: complete"; }
test_reach_refuses_broadcasts() {
  printf '2 2\n0 0 -> 1 1 0 ~> 1\n' >b.tts
  run reach b.tts
  exits 2; no_out; err_has "b.tts:2"
}
test_reach_timeout() {
  # many places filled independently: 2^24 maximal configurations
  {
    echo vars; for i in $(seq 24); do echo "  a$i b$i c$i"; done
    echo rules
    for i in $(seq 24); do
      echo "  a$i >= 1 -> a$i' = a$i - 1, b$i' = b$i + 1;"
      echo "  a$i >= 1 -> a$i' = a$i - 1, c$i' = c$i + 1;"
    done
    echo init
    for i in $(seq 24); do echo "  a$i = 1, b$i = 0, c$i = 0$([ "$i" = 24 ] || echo ,)"; done
    echo target; echo '  a1 >= 2'
  } >wide.spec
  run reach wide.spec --timeout=0.3
  exits 5; out_has "reach: incomplete (time limit reached"; out_has "Try a longer --timeout"
}

test_convert_tts_to_spec_and_back() {
  unsafe_model
  run convert unsafe.tts a.spec
  exits 0; no_out; no_err; has_file a.spec
  run verify a.spec
  exits 10
  run convert a.spec b.tts
  exits 0
  run verify b.tts
  exits 10
}
test_convert_keeps_everything() {
  unsafe_model
  run convert unsafe.tts a.tts
  exits 0
  run show unsafe.tts; sed -n '2,$p' stdout.txt | sed 's/^ *[0-9]*  //; s/ (line [0-9]*)//' >one.txt
  run show a.tts; sed -n '2,$p' stdout.txt | sed 's/^ *[0-9]*  //; s/ (line [0-9]*)//' >two.txt
  cmp -s one.txt two.txt || problem "differs: $(diff one.txt two.txt)"
}
test_convert_to_pnml() {
  net_model
  run convert net.spec a.pnml
  exits 0; file_has a.pnml "<pnml"
  run verify a.pnml
  exits 10
}
test_convert_to_stdout() {
  net_model
  run convert net.spec - --output-format=spec
  exits 0; out_has "rules"; no_err
}
test_convert_from_stdin() {
  net_model
  input=net.spec run convert - a.pnml --input-format=spec
  exits 0; has_file a.pnml
}
test_convert_bakes_in_options() {
  unsafe_model
  run convert unsafe.tts a.tts --target='1|1' --threads=1
  exits 0
  run show a.tts
  out_has "target: 1|1"; out_has "exactly 1 thread in 0"
}
test_convert_into_missing_folder() {
  net_model
  run convert net.spec nowhere/a.pnml
  exits 6; err_has "nowhere/a.pnml: error: cannot write"
}
test_convert_onto_itself() {
  unsafe_model
  run convert unsafe.tts unsafe.tts
  exits 0
  run verify unsafe.tts
  exits 10
}

test_show_text() {
  unsafe_model
  run show unsafe.tts
  exits 0; no_err
  out_has "3 shared states, 3 local states, 2 edges"; out_has "target: 2|1,1"
  out_has "     2  0 0 -> 1 1"; out_has "engines that treat it:"
}
test_show_net() { net_model; run show net.spec; exits 0; out_has "3 places, 2 transitions"; out_has "p>=1"; }
test_show_dot() {
  unsafe_model; net_model
  run show unsafe.tts --format=dot
  exits 0; out_has 'digraph "unsafe.tts" {'; out_has 's0l0 -> s1l1'
  run show net.spec --format=dot
  exits 0; out_has 'shape=box'
}
test_show_dot_is_accepted_by_graphviz() {
  command -v dot >/dev/null || skip "no dot(1)"
  unsafe_model; net_model
  run show unsafe.tts --format=dot -o a.dot; exits 0
  dot -Tsvg a.dot >a.svg || problem "dot refuses a.dot"
  run show net.spec --format=dot -o b.dot; exits 0
  dot -Tsvg b.dot >b.svg || problem "dot refuses b.dot"
}
test_show_without_target() { printf '1 1\n' >m.tts; run show m.tts; exits 0; out_has "no target"; }

test_engines() {
  run engines
  exits 0; no_err
  local engine
  for engine in reduce bws km fws; do out_has "$engine "; done
}
test_engines_output() { run engines -o e.txt; exits 0; no_out; file_has e.txt "bws"; }
test_engine_names_are_accepted() {
  safe_model
  local engine
  for engine in $("$HEDDLE" engines | awk '/^[a-z]/ { print $1 }'); do
    run verify safe.tts --engine="$engine" --timeout=20
    [ "$status" != 1 ] || problem "--engine=$engine is refused: $err"
  done
}

figure1() {
  printf '%s\n' '7 5' '0 0 -> 1 1' '1 0 -> 2 1' '2 0 -> 3 1' '3 1 -> 1 2' \
    '3 2 -> 4 3' '4 2 -> 5 4' '5 4 -> 6 3' >figure1.tts
}
test_show_quotient() {
  figure1
  run show --quotient figure1.tts --target='6|3'
  exits 0; out_has "digraph"; out_has "simple: 3 states, 3 edges"
}
test_show_quotient_path() {
  figure1
  run verify figure1.tts --target='6|3' --witness=w.txt -q; exits 10
  run show --quotient figure1.tts --target='6|3' --path=w.txt
  exits 0; out_has "red"
  run verify figure1.tts --target='6|4' --certificate=c.txt -q; exits 0
  run show --quotient figure1.tts --target='6|3' --path=c.txt; exits 2; err_has "expected a witness"
  run show figure1.tts --path=w.txt; exits 1; err_has "--path goes with --quotient"
}
test_show_svg() {
  command -v dot >/dev/null || skip "no dot(1)"
  figure1
  run show --quotient figure1.tts --target='6|3' --format=svg
  exits 0; out_has "<svg"
  unsafe_model
  run show unsafe.tts --format=svg -o s.svg; exits 0; file_has s.svg "</svg>"
}
test_show_svg_without_graphviz() {
  unsafe_model
  mkdir empty
  PATH=$PWD/empty "$HEDDLE" show unsafe.tts --format=svg -o s.svg 2>stderr.txt
  status=$?; err=$(cat stderr.txt)
  exits 2; err_has "needs Graphviz"; no_file s.svg
}
test_concolic_explains_figure_1() {
  figure1
  run verify figure1.tts --target='6|4' --engine=concolic --explain
  exits 0; out_has "unreachable: every path fails, because of n4"
  run verify figure1.tts --target='6|3' --engine=concolic --explain
  exits 10; out_has "reachable on this path with κ = 2"
}

run_tests
