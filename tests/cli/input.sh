#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Bad input: status 2, nothing on standard output, a message with a position.
. "$(dirname "$0")/lib.sh"

input_error() {
  exits 2
  no_out
  err_has "$1"
}

test_missing_file() { run verify nowhere.tts; input_error "nowhere.tts: error: cannot open: No such file or directory"; }
test_directory() { mkdir d.tts; run verify d.tts; input_error "d.tts: error: is a directory"; }
test_unreadable() {
  safe_model
  chmod 0 safe.tts
  if [ "$(id -u)" = 0 ]; then # who reads everything
    command -v setpriv >/dev/null || skip "root reads everything, and no setpriv(1)"
    chmod 755 .. .
    cp "$HEDDLE" ./heddle-copy && chmod 755 heddle-copy
    setpriv --reuid=65534 --regid=65534 --clear-groups ./heddle-copy verify safe.tts >stdout.txt 2>stderr.txt
    status=$?; out=$(cat stdout.txt); err=$(cat stderr.txt)
  else
    run verify safe.tts
  fi
  input_error "safe.tts: error: cannot open: Permission denied"
}
test_empty_file() { : >empty.tts; run verify empty.tts; input_error "empty.tts"; }
test_binary_file() { head -c 5000 "$HEDDLE" >binary.tts; run verify binary.tts; input_error "binary.tts:1"; }
test_zero_bytes() { printf '2 2\n0 0 -> 1\0001\n' >zero.tts; run verify zero.tts --target='1|1'; input_error "zero.tts:2"; }
test_truncated_edge() {
  printf '2 2\n0 0 -> 1\n' >cut.tts
  run verify cut.tts --target='1|1'
  input_error "cut.tts:2:"
  grep -q '\^' stderr.txt || problem "no caret: $err"
}
test_state_out_of_range() {
  printf '2 2\n0 0 -> 2 1\n1|1\n' >range.tts
  run verify range.tts
  input_error "range.tts:2:8: error"
}
test_target_out_of_range() { safe_model; run verify safe.tts --target='5|0'; input_error "--target"; }
test_target_syntax() { safe_model; run verify safe.tts --target='hello'; input_error "--target"; }
test_target_unknown_place() { net_model; run verify net.spec --target='zz>=1'; input_error "zz"; }
test_init_syntax() { safe_model; run verify safe.tts --init='0|x'; input_error "--init"; }
test_init_unknown_place() { net_model; run verify net.spec --init='zz=1'; input_error "zz"; }
test_threads_of_a_net() { net_model; run verify net.spec --threads=2; input_error "--threads"; }
test_threads_too_many() { safe_model; run verify safe.tts --threads=99999999999; input_error "--threads"; }
test_prop_missing() { safe_model; run verify safe.tts --prop=nowhere.prop; input_error "nowhere.prop: error: cannot open"; }
test_prop_syntax() { safe_model; echo 'x' >p.prop; run verify safe.tts --prop=p.prop; input_error "p.prop:1"; }
test_no_target() {
  printf '2 2\n0 0 -> 1 1\n' >m.tts
  run verify m.tts
  input_error "m.tts: error: no target: give --target='SHARED|LOCAL,...' or --prop=FILE"
}
test_no_target_for_check() {
  printf '2 2\n0 0 -> 1 1\n' >m.tts
  : >e
  run check m.tts e
  input_error "no target"
}
test_wrong_format_by_option() { safe_model; run verify safe.tts --input-format=pnml; input_error "safe.tts"; }
test_spec_syntax() {
  printf 'vars\n  p\nrules\n  p >= 1 => p;\ninit\n  p = 1\ntarget\n  p >= 2\n' >bad.spec
  run verify bad.spec
  input_error "bad.spec:4:"
}
test_pnml_syntax() {
  printf '<?xml version="1.0"?>\n<pnml>\n  <net>\n</pnml>\n' >bad.pnml
  run verify bad.pnml
  input_error "bad.pnml:4"
}
test_many_errors_are_cut_off() {
  { echo '2 2'; for i in $(seq 100); do echo "0 0 -> 9 9"; done; } >many.tts
  run verify many.tts --target='1|1'
  exits 2
  [ "$(grep -c 'error:' stderr.txt)" -le 20 ] || problem "more than 20 errors"
}
test_huge_header_within_memory() {
  printf '4000000000 4000000000\n' >huge.tts
  run verify huge.tts --target='0|0'
  input_error "huge.tts:1"
}
test_endless_input_within_memory() {
  head -c 60000000 /dev/zero | tr '\0' '1' >long.tts
  run verify long.tts --target='0|0' --memory=16
  [[ $status = 2 || $status = 6 ]] || problem "exit status $status"
  no_out
}
test_warning_does_not_stop() {
  printf 'vars\n  p q\nrules\n  p >= 1 -> p'"'"' = p - 1, q'"'"' = q + 1;\ninit\n  p = 1\ntarget\n  q >= 1\n' >w.spec
  run verify w.spec
  exits 10; err_has "warning"
}
test_error_for_every_command() {
  local command
  for command in verify reach show; do
    run $command nowhere.tts
    input_error "nowhere.tts: error: cannot open"
  done
  run convert nowhere.tts x.spec
  input_error "nowhere.tts: error: cannot open"
  no_file x.spec
  run check nowhere.tts e
  input_error "nowhere.tts: error: cannot open"
}

run_tests
