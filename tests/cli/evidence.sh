#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Witnesses and certificates: written, accepted, refused, malformed.
. "$(dirname "$0")/lib.sh"

test_witness_is_accepted() {
  unsafe_model
  run verify unsafe.tts --witness=w
  exits 10; has_file w
  run check unsafe.tts w
  exits 0; no_err; last_line "check: accepted"; out_has "unsafe.tts is unsafe"
}
test_certificate_is_accepted() {
  safe_model
  run verify safe.tts --certificate=c
  exits 0; has_file c
  run check safe.tts c
  exits 0; last_line "check: accepted"; out_has "safe.tts is safe"
}
test_certificates_of_every_engine() {
  safe_model
  local engine
  for engine in $("$HEDDLE" engines | awk '/^[a-z]/ { print $1 }'); do
    rm -f c
    run verify safe.tts --engine="$engine" --certificate=c --timeout=20
    [ "$status" = 0 ] || continue
    [ -f c ] || continue
    run check safe.tts c
    [ "$status" = 0 ] || problem "the certificate of $engine: $out $err"
  done
}
test_witnesses_of_every_engine() {
  net_model
  local engine
  for engine in $("$HEDDLE" engines | awk '/^[a-z]/ { print $1 }'); do
    rm -f w
    run verify net.spec --engine="$engine" --witness=w --timeout=20
    [ "$status" = 10 ] || continue
    run check net.spec w
    [ "$status" = 0 ] || problem "the witness of $engine: $out $err"
  done
}
test_check_quiet() {
  unsafe_model
  run verify unsafe.tts --witness=w
  run check -q unsafe.tts w
  exits 0; same "$out" "check: accepted"
}
test_check_json() {
  unsafe_model
  run verify unsafe.tts --witness=w
  run check unsafe.tts w --format=json
  exits 0; json_is accepted true proves unsafe
}
test_witness_of_another_target_is_refused() {
  unsafe_model
  run verify unsafe.tts --target='1|1' --witness=w
  exits 10
  run check unsafe.tts w
  exits 10; [[ $(tail -n 1 stdout.txt) == "check: refused ("* ]] || problem "$out"
}
test_witness_needs_its_threads() {
  unsafe_model
  run verify unsafe.tts --witness=w
  run check unsafe.tts w --threads=1
  exits 10; out_has "check: refused ("
}
test_certificate_of_another_model_is_refused() {
  safe_model
  run verify safe.tts --certificate=c
  printf '%s\n' '2 2' '0 0 -> 1 1' '1 0 -> 1 1' '1|1,1' >other.tts
  run check other.tts c
  exits 10; out_has "check: refused ("
}
test_certificate_of_a_model_of_another_size() {
  safe_model
  run verify safe.tts --certificate=c
  unsafe_model
  run check unsafe.tts c
  exits 2; no_out; err_has "c:2:"; err_has "another model"
}
test_refusal_as_json() {
  safe_model
  run verify safe.tts --certificate=c
  printf '%s\n' '2 2' '0 0 -> 1 1' '1 0 -> 1 1' '1|1,1' >other.tts
  run check other.tts c --format=json
  exits 10; json_is accepted false proves null
  out_has '"reason": "'; out_lacks '"reason": ""'
}
test_malformed_evidence() {
  safe_model
  echo 'this is no evidence' >c
  run check safe.tts c
  exits 2; no_out; err_has "c:1"
}
test_empty_evidence() { safe_model; : >c; run check safe.tts c; exits 2; no_out; err_has "c"; }
test_missing_evidence() { safe_model; run check safe.tts nowhere; exits 2; err_has "nowhere: error: cannot open"; }
test_truncated_evidence() {
  unsafe_model
  run verify unsafe.tts --witness=w
  head -c $(($(wc -c <w) / 2)) w >half
  run check unsafe.tts half
  [[ $status = 2 || $status = 10 ]] || problem "status $status: $out"
}
test_evidence_from_stdin() {
  unsafe_model
  run verify unsafe.tts --witness=w
  input=w run check unsafe.tts -
  exits 0
}
test_witness_to_stdout() {
  unsafe_model
  run verify unsafe.tts --witness=- -o report.txt
  exits 10; cp stdout.txt w
  run check unsafe.tts w
  exits 0
}
test_no_witness_when_safe() {
  safe_model
  run verify safe.tts --witness=w
  exits 0; no_file w; err_has "w is not written: the verdict is safe"
}
test_no_certificate_when_unsafe() {
  unsafe_model
  run verify unsafe.tts --certificate=c
  exits 10; no_file c; err_has "c is not written: the verdict is unsafe"
}
test_check_takes_the_same_options() {
  unsafe_model
  run verify unsafe.tts --threads=2 --target='1|1' --witness=w
  exits 10
  run check unsafe.tts w --threads=2 --target='1|1'
  exits 0
  echo '1|1' >t.prop
  run check unsafe.tts w --init='0|0,0' --prop=t.prop
  exits 0
}

run_tests
