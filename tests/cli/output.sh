#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Where output goes: report, JSON, colours, full disks, closed pipes, signals.
. "$(dirname "$0")/lib.sh"

full() { [ -c /dev/full ] || skip "no /dev/full"; }

test_output_file() {
  unsafe_model
  run verify unsafe.tts -o report.txt
  exits 10; no_out; no_err
  same "$(tail -n 1 report.txt)" "verdict: unsafe"
}
test_output_dash() { unsafe_model; run verify unsafe.tts --output=-; exits 10; last_line "verdict: unsafe"; }
test_output_replaces_a_file() {
  unsafe_model
  echo old >report.txt
  run verify unsafe.tts -o report.txt
  exits 10
  ! grep -q old report.txt || problem "the old text is still there"
}
test_output_into_missing_folder() {
  unsafe_model
  run verify unsafe.tts -o nowhere/report.txt
  exits 6; no_out; err_has "nowhere/report.txt: error: cannot write"
}
test_output_into_a_file() {
  unsafe_model
  : >plain; chmod 755 plain
  run verify unsafe.tts -o plain/report.txt
  exits 6; no_out; err_has "plain/report.txt: error: cannot write: Not a directory"
  run verify unsafe.tts --witness=plain/w.txt
  exits 6; no_out; err_has "plain/w.txt: error: cannot write: Not a directory"
}
test_output_is_a_directory() {
  unsafe_model
  mkdir folder
  run verify unsafe.tts -o folder
  exits 6; err_has "folder: error: cannot write: Is a directory"
}
test_output_full_disk() {
  full; unsafe_model
  run verify unsafe.tts -o /dev/full
  exits 6; err_has "/dev/full: error: cannot write: No space left on device"
}
test_stdout_full_disk() {
  full; unsafe_model
  "$HEDDLE" verify unsafe.tts >/dev/full 2>stderr.txt
  status=$?; err=$(cat stderr.txt)
  exits 6; err_has "<stdout>: error: cannot write: No space left on device"
}
test_stdout_full_disk_long_report() {
  full
  { echo '3000 2'; for i in $(seq 0 2998); do echo "$i 0 -> $((i + 1)) 0"; done; echo '2999|0'; } >long.tts
  "$HEDDLE" verify long.tts --explain >/dev/full 2>stderr.txt
  status=$?; err=$(cat stderr.txt)
  exits 6; err_has "<stdout>: error: cannot write: No space left on device"
}
test_help_full_disk() {
  full
  "$HEDDLE" --help >/dev/full 2>stderr.txt
  status=$?; err=$(cat stderr.txt)
  exits 6; err_has "cannot write"
}
test_stdout_closed() {
  unsafe_model
  "$HEDDLE" verify unsafe.tts >&- 2>stderr.txt
  status=$?; err=$(cat stderr.txt)
  exits 6; err_has "cannot write"
}
test_closed_pipe() {
  { echo '3000 2'; for i in $(seq 0 2998); do echo "$i 0 -> $((i + 1)) 0"; done; echo '2999|0'; } >long.tts
  # The reader is gone before anything is written.
  { sleep 0.2; "$HEDDLE" verify long.tts --explain 2>stderr.txt; echo $? >status.txt; } | true
  status=$(cat status.txt); err=$(cat stderr.txt)
  exits 6; err_has "<stdout>: error: cannot write: Broken pipe"
}
test_witness_full_disk() {
  full; unsafe_model
  run verify unsafe.tts --witness=/dev/full
  exits 6; err_has "/dev/full: error: cannot write"
}
test_certificate_full_disk() {
  full; safe_model
  run verify safe.tts --certificate=/dev/full
  exits 6; err_has "/dev/full: error: cannot write"
}
test_convert_full_disk() {
  full; safe_model
  run convert safe.tts /dev/full --output-format=spec
  exits 6; err_has "/dev/full: error: cannot write"
}
test_failed_write_leaves_no_file() {
  unsafe_model
  mkdir locked
  ulimit -f 0
  trap '' XFSZ
  run verify unsafe.tts -o locked/report.txt
  [ "$status" = 6 ] || problem "exit status $status, expected 6"
  [ -z "$(ls locked)" ] || problem "left behind: $(ls locked)"
} 2>/dev/null
test_unwritable_output_found_before_the_run() {
  endless_model
  run verify endless.spec --engine=fws --no-reduce --timeout=30 --witness=nowhere/w
  exits 6; err_has "nowhere/w: error: cannot write"
}

test_json_parses() {
  unsafe_model; safe_model; net_model
  local model
  for model in unsafe.tts safe.tts net.spec; do
    run verify $model --format=json
    python3 -S -m json.tool <stdout.txt >/dev/null || problem "no JSON for $model"
    no_err
  done
}
test_verdict_json_and_status_agree() {
  unsafe_model; safe_model; endless_model
  local model verdict text_status
  for model in unsafe.tts safe.tts "endless.spec --engine=fws --no-reduce --timeout=0.05"; do
    # shellcheck disable=SC2086
    run verify $model
    text_status=$status
    verdict=$(tail -n 1 stdout.txt | sed 's/verdict: \([a-z]*\).*/\1/')
    # shellcheck disable=SC2086
    run verify $model --format=json
    exits "$text_status"
    json_is verdict "$verdict" exit_code "$text_status"
  done
}
test_json_head() {
  unsafe_model
  run verify unsafe.tts --format=json
  json_is schema 1 command verify heddle "$("$HEDDLE" --version | cut -c8-)" \
    model.file unsafe.tts model.format tts model.shared_states 3 \
    model.transitions 2 model.targets '["2|1,1"]'
}
test_json_witness() {
  unsafe_model
  run verify unsafe.tts --format=json
  json_is witness.target "2|1,1" witness.threads 2 witness.initial "0|0,0" \
    witness.steps.0.text "0 0 -> 1 1" witness.steps.0.line 2 \
    witness.steps.1.configuration "2|1,1" checked true
}
test_json_certificate() {
  safe_model
  run verify safe.tts --format=json --engine=bws
  json_is certificate.kind backward engine bws
}
test_json_unknown_has_reason_and_hint() {
  endless_model
  run verify endless.spec --engine=fws --no-reduce --timeout=0.05 --format=json
  exits 5
  json_is reason "time limit reached*" hint "a longer --timeout*"
}
test_json_not_checked() {
  safe_model
  run verify safe.tts --format=json --no-check
  json_is checked false
}
test_json_reach() {
  safe_model; net_model
  run reach safe.tts --format=json
  exits 0
  json_is complete true thread_states.1.locals '["0", "1"]'
  run reach net.spec --format=json
  json_is bounds.r null
}
test_json_engines() { run engines --format=json; exits 0; json_is 0.name reduce; }
test_json_strange_file_name() {
  local name=$'odd "name"\\\t\xff.tts'
  unsafe_model "$name"
  run verify "$name" --format=json
  exits 10
  python3 -S -m json.tool <stdout.txt >/dev/null || problem "no JSON: $out"
}
test_json_error_leaves_stdout_empty() {
  run verify nowhere.tts --format=json
  exits 2; no_out; err_has "nowhere.tts: error: cannot open"
}

test_ascii() {
  unsafe_model
  run verify unsafe.tts
  cp stdout.txt boxes.txt
  grep -q '●' boxes.txt || problem "no diagram"
  run verify unsafe.tts --ascii
  out_has "verdict: unsafe"
  ! LC_ALL=C grep -q '[^ -~]' stdout.txt || problem "not ASCII"
  cp stdout.txt ascii.txt
  LANG=de_DE.ISO-8859-1 LC_ALL= LC_CTYPE= run verify unsafe.tts
  cmp -s ascii.txt stdout.txt || problem "the locale says nothing"
  LANG=de_DE.UTF-8 LC_ALL= LC_CTYPE= run verify unsafe.tts
  cmp -s boxes.txt stdout.txt || problem "UTF-8 is not seen"
  run verify unsafe.tts --ascii --format=json
  exits 10
}

test_no_colour_when_piped() {
  unsafe_model
  run verify unsafe.tts
  ! grep -q $'\033' stdout.txt stderr.txt || problem "escape sequences"
}
test_color_always() { unsafe_model; run verify unsafe.tts --color=always; out_has $'\033[1;31munsafe'; }
test_color_never_on_a_terminal() {
  needs_terminal
  unsafe_model
  script -qec "$HEDDLE verify unsafe.tts --color=never" /dev/null </dev/null >stdout.txt
  out_lacks $'\033[1;31m'
}
test_color_on_a_terminal() {
  needs_terminal
  unsafe_model
  TERM=xterm script -qec "$HEDDLE verify unsafe.tts" /dev/null </dev/null >stdout.txt
  out_has $'\033[1;31munsafe'
  NO_COLOR=1 TERM=xterm script -qec "$HEDDLE verify unsafe.tts" /dev/null </dev/null >stdout.txt
  out_lacks $'\033[1;31m'
}
test_live_line_on_a_terminal() {
  needs_terminal
  endless_model
  TERM=xterm script -qec "$HEDDLE verify endless.spec --engine=fws --no-reduce --timeout=3" /dev/null </dev/null >stdout.txt
  out_has $'\r\033[Kfws'
  # wiped before the report
  python3 -S - <<'PY' || problem "the live line is not wiped before the report"
import sys
text = open("stdout.txt", "rb").read()
before = text[:text.index(b"endless.spec: mist net")]
sys.exit(0 if before.endswith(b"\r\033[K") else 1)
PY
}
test_diagnostics_stay_off_stdout() {
  printf 'nonsense\n' >bad.tts
  run verify bad.tts
  exits 2; no_out; err_has "bad.tts:1"
}

# The file gets something to say: however long that takes.
wait_for() {
  local i
  for i in $(seq 600); do
    [ -s "$1" ] && return
    sleep 0.1
  done
  problem "$1 stays empty"
}
# Starts a search that does not end, sends it a signal when it is at work, takes
# its status. The options are verify's.
interrupted() {
  endless_model
  "$HEDDLE" verify endless.spec --engine=fws --no-reduce --timeout=600 -v "${@:2}" >stdout.txt 2>stderr.txt &
  local pid=$!
  wait_for stderr.txt
  kill "-$1" $pid
  wait $pid
  status=$?
  out=$(cat stdout.txt); err=$(cat stderr.txt)
}
test_ctrl_c() {
  # bash starts background jobs with SIGINT ignored; a new shell does not
  endless_model
  python3 -S - "$HEDDLE" <<'PY' || problem "see above"
import signal, subprocess, sys
p = subprocess.Popen([sys.argv[1], "verify", "endless.spec", "--engine=fws",
                      "--no-reduce", "--timeout=600", "-v"],
                     stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                     preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
p.stderr.readline()  # it is at work
p.send_signal(signal.SIGINT)
out = p.communicate(timeout=120)[0].decode()
last = out.splitlines()[-1]
print(out, p.returncode)
sys.exit(0 if p.returncode == 5 and last.startswith("verdict: unknown (interrupted") else 1)
PY
}
test_sigterm() {
  interrupted TERM
  exits 5; out_has "verdict: unknown (interrupted"
}
test_sigterm_json() {
  interrupted TERM --format=json
  exits 5
  json_is verdict unknown
}
test_second_signal_ends_at_once() {
  # standard input never comes: the first signal finds the reader, not a search
  mkfifo pipe
  sleep 600 >pipe &
  local feeder=$!
  "$HEDDLE" verify --input-format=tts - <pipe >stdout.txt 2>stderr.txt &
  local pid=$! i
  # SIGTERM is caught (bit 14), then the first one has been taken.
  for i in $(seq 600); do
    grep -q '^SigCgt:.*[4567cdef]...$' "/proc/$pid/status" && break
    sleep 0.1
  done
  kill -TERM $pid
  for i in $(seq 600); do
    grep -q '^ShdPnd:.*[4567cdef]...$' "/proc/$pid/status" || break
    sleep 0.1
  done
  kill -TERM $pid 2>/dev/null
  wait $pid
  status=$?; err=$(cat stderr.txt)
  kill $feeder 2>/dev/null
  exits 143
}

run_tests
