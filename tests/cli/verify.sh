#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# heddle verify: verdicts, exit statuses and every option's effect.
. "$(dirname "$0")/lib.sh"

test_unsafe() {
  unsafe_model
  run verify unsafe.tts
  exits 10; no_err; last_line "verdict: unsafe"
  out_has "2 initial threads in 2 steps"; out_has "0 -> 1"; out_has "replayed"
}
test_safe() {
  safe_model
  run verify safe.tts
  exits 0; no_err; last_line "verdict: safe"
  out_has "Proof: "; out_has "checked on the input model"
}
test_net_unsafe() {
  net_model
  run verify net.spec
  exits 10; last_line "verdict: unsafe"; out_has "r>=2"
}
test_quiet() { unsafe_model; run verify -q unsafe.tts; exits 10; same "$out" "verdict: unsafe"; no_err; }
test_every_step_names_its_line() {
  unsafe_model
  run verify unsafe.tts
  [[ $out =~ \ 2\ \ 1\ .*\ 0\ -\>\ 1 ]] || problem "no line 2: $out"
  [[ $out =~ \ 3\ \ 2\ .*\ 0\ -\>\ 1 ]] || problem "no line 3: $out"
}

test_target_option() {
  unsafe_model
  run verify unsafe.tts --target='2|2'
  exits 0; last_line "verdict: safe"; out_has "target: 2|2"
}
test_target_as_next_word() { unsafe_model; run verify unsafe.tts --target '2|2'; exits 0; }
test_several_targets() {
  unsafe_model
  run verify unsafe.tts --target='2|2;1|1'
  exits 10; out_has "targets: 2|2 or 1|1"
}
test_target_of_nets() { net_model; run verify net.spec --target='q>=5'; exits 10; out_has "target: q>=5"; }
test_prop_option() {
  unsafe_model
  echo '2|2' >other.prop
  run verify unsafe.tts --prop=other.prop
  exits 0; out_has "target: 2|2"
}
test_prop_beside_the_model() {
  printf '2 2\n0 0 -> 1 1\n' >m.tts
  echo '1|1' >m.prop
  run verify m.tts
  exits 10; out_has "target: 1|1"
}
test_option_wins_over_prop_beside() {
  printf '2 2\n0 0 -> 1 1\n' >m.tts
  echo '1|1' >m.prop
  run verify m.tts --target='0|1'
  exits 0; out_has "target: 0|1"
}
test_threads_parametric() { unsafe_model; run verify unsafe.tts --threads=parametric; exits 10; }
test_threads_one() {
  unsafe_model
  run verify unsafe.tts --threads=1
  exits 0; last_line "verdict: safe"; out_has "exactly 1 thread in 0"
}
test_threads_two() { unsafe_model; run verify unsafe.tts --threads=2; exits 10; }
test_threads_dynamic() { unsafe_model; run verify unsafe.tts --threads=dynamic; exits 0; }
test_init_option() {
  unsafe_model
  run verify unsafe.tts --init='1|1/0'
  exits 10; out_has "exactly 1 thread in 1"
}
test_init_of_nets() { net_model; run verify net.spec --init='p=3'; exits 0; out_has "initially: p=3"; }
test_input_format() {
  unsafe_model m
  run verify m --input-format=tts
  exits 10
}
test_format_by_content() { unsafe_model m; run verify m; exits 10; }

test_every_engine_decides_or_says_unknown() {
  local engine
  safe_model; unsafe_model
  for engine in $("$HEDDLE" engines | awk '/^[a-z]/ { print $1 }'); do
    run verify unsafe.tts --engine="$engine" --timeout=20
    [[ $status = 10 || $status = 5 ]] || problem "$engine says $status for an unsafe model"
    run verify safe.tts --engine="$engine" --timeout=20 --max-threads=4 2>/dev/null
    run verify safe.tts --engine="$engine" --timeout=20
    [[ $status = 0 || $status = 5 ]] || problem "$engine says $status for a safe model"
  done
}
test_engine_is_named() { safe_model; run verify safe.tts --engine=bws; exits 0; out_has "by bws"; }
test_engine_cannot_treat() {
  printf '2 2\n0 0 -> 1 1 0 ~> 1\n1|1\n' >b.tts
  run verify b.tts --engine=km
  exits 2; no_out; err_has "b.tts:2"; err_has "km"
}
test_max_threads() {
  unsafe_model
  run verify unsafe.tts --engine=fws --max-threads=1 --timeout=10
  [ "$status" != 6 ] || problem "status 6"
  run verify unsafe.tts --engine=fws --max-threads=2 --timeout=10
  exits 10
}
test_seed_is_deterministic() {
  unsafe_model
  run verify unsafe.tts --seed=42
  local first=$out
  run verify unsafe.tts --seed=42
  same "$first" "$out"
}
test_no_check_is_said() {
  safe_model; unsafe_model
  run verify safe.tts --no-check
  exits 0; out_has "not checked (--no-check)"
  run verify unsafe.tts --no-check
  exits 10; out_has "not replayed (--no-check)"
}
test_no_reduce() { safe_model; run verify safe.tts --no-reduce; exits 0; last_line "verdict: safe"; }
test_explain_proof() {
  safe_model
  run verify safe.tts --explain --engine=bws
  exits 0
  [ "$(wc -l <stdout.txt)" -gt 8 ] || problem "nothing explained: $out"
  last_line "verdict: safe"
}
test_explain_says_more() {
  safe_model
  run verify safe.tts
  local short=$out
  run verify safe.tts --explain
  [ "${#out}" -gt "${#short}" ] || problem "not longer"
}

test_expect_met() {
  safe_model; unsafe_model
  run verify safe.tts --expect=safe; exits 0
  run verify unsafe.tts --expect=unsafe; exits 0; last_line "verdict: unsafe"
}
test_expect_not_met() {
  safe_model; unsafe_model
  run verify safe.tts --expect=unsafe; exits 10; err_has "expected unsafe, found safe"
  run verify unsafe.tts --expect=safe; exits 10; err_has "expected safe, found unsafe"
}
test_expect_unknown() {
  endless_model
  run verify endless.spec --engine=fws --no-reduce --timeout=0.05 --expect=unknown
  exits 0
  run verify endless.spec --engine=fws --no-reduce --timeout=0.05 --expect=safe
  exits 5
}

test_timeout() {
  endless_model
  run verify endless.spec --engine=fws --no-reduce --timeout=0.1
  exits 5; out_has "verdict: unknown (time limit reached"; out_has "Try a longer --timeout"
}
test_memory_limit() {
  endless_model
  run verify endless.spec --engine=fws --no-reduce --memory=16 --timeout=60
  exits 5; out_has "verdict: unknown (memory limit reached"; out_has "Try a larger --memory"
}
test_statistics() {
  safe_model
  run verify safe.tts -s
  exits 0; out_has "time.total"; out_has "memory.peak"; last_line "verdict: safe"
  run verify safe.tts --statistics --engine=bws
  out_has "bws."
}
test_verbose_rows_on_stderr() {
  endless_model
  run verify endless.spec --engine=fws --no-reduce --timeout=3 -v
  exits 5; err_has "engine"; err_has "fws"; out_lacks "fws  "
}
test_no_progress_when_piped() {
  endless_model
  run verify endless.spec --engine=fws --no-reduce --timeout=0.3
  exits 5; no_err
}
test_standard_input() {
  unsafe_model
  input=unsafe.tts run verify -
  exits 10; out_has "<stdin>: thread system"
}
test_dashes_end_options() {
  unsafe_model ./--odd.tts
  run verify -- --odd.tts
  exits 10
}
test_initial_target() {
  printf '1 1\n0|0\n' >i.tts
  run verify i.tts
  exits 10; out_has "in 0 steps"
}
test_long_witness_is_cut() {
  { echo '200 2'; for i in $(seq 0 198); do echo "$i 0 -> $((i + 1)) $((i % 2))"; done; echo '199|0'; } >long.tts
  run verify long.tts
  exits 10; out_has "left out"
  run verify long.tts --explain
  exits 10; out_lacks "left out"
}

test_invariants() {
  safe_model
  local when
  for when in auto always never; do
    run verify safe.tts --engine=bws --invariants=$when -q; exits 0
  done
  run verify safe.tts --engine=bws --invariants=always -s; out_has "bws.inequalities"
  run verify safe.tts --engine=bws --invariants=never -s; out_lacks "bws.inequalities"
  run verify safe.tts --invariants=sometimes; exits 1; err_has "--invariants"
}

test_certify() {
  cp "$EXAMPLES/counting-loop.tts" m.tts 2>/dev/null || skip "no example"
  run verify m.tts --engine=concolic --certify
  [ "$status" = 0 ] || [ "$status" = 10 ] || problem "no verdict"
  # An inhibitor net: the exhausted search leaves no certificate, and bws cannot
  # make one; the verdict stays.
  printf 'vars\n a b\nrules\n a >= 1, b = 0 -> a'"'"' = a - 1, b'"'"' = b + 1;\ninit\n a = 2, b = 0\ntarget\n b >= 2\n' >i.spec
  run verify i.spec --certify; exits 0; last_line "verdict: safe"
}

run_tests
