# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# A small TAP harness. A test file defines functions test_NAME and ends with
# run_tests. Each runs in a subshell in an empty folder of its own; it fails
# when an assertion printed something, or when it did not come to its end.

set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
SOURCE=${HEDDLE_SOURCE:-$(cd "$here/../.." && pwd)}
HEDDLE=${HEDDLE:-$SOURCE/build/heddle}
EXAMPLES=$SOURCE/examples
export LC_ALL=C
unset NO_COLOR

scratch=$(mktemp -d "${TMPDIR:-/tmp}/heddle-cli.XXXXXX")
trap 'rm -rf "$scratch"' EXIT

# run ARG...: runs heddle; sets $out, $err and $status. $input is its standard
# input.
input=/dev/null
out='' err='' status=''
run() {
  "$HEDDLE" "$@" <"$input" >stdout.txt 2>stderr.txt
  status=$?
  out=$(cat stdout.txt)
  err=$(cat stderr.txt)
}

problem() { echo "$*"; bad=1; }

exits() { [ "$status" = "$1" ] || problem "exit status $status, expected $1; stderr: $err"; }
out_has() { grep -qF -- "$1" stdout.txt || problem "stdout lacks '$1': $out"; }
out_lacks() { ! grep -qF -- "$1" stdout.txt || problem "stdout has '$1': $out"; }
err_has() { grep -qF -- "$1" stderr.txt || problem "stderr lacks '$1': $err"; }
no_out() { [ ! -s stdout.txt ] || problem "stdout is not empty: $out"; }
no_err() { [ ! -s stderr.txt ] || problem "stderr is not empty: $err"; }
last_line() { [ "$(tail -n 1 stdout.txt)" = "$1" ] || problem "last line is '$(tail -n 1 stdout.txt)', expected '$1'"; }
has_file() { [ -f "$1" ] || problem "no file $1"; }
no_file() { [ ! -e "$1" ] || problem "there is a file $1"; }
file_has() { grep -qF -- "$2" "$1" || problem "$1 lacks '$2': $(cat "$1")"; }
same() { [ "$1" = "$2" ] || problem "'$1' differs from '$2'"; }
# json_is PATH VALUE [PATH VALUE]...: members of the JSON in stdout.txt, e.g.
# model.file; a VALUE that ends in '*' is a prefix.
json_is() {
  local wrong
  wrong=$(python3 -S -c '
import json, sys
document = json.load(open("stdout.txt"))
for path, wanted in zip(sys.argv[1::2], sys.argv[2::2]):
    value = document
    for key in path.split("."):
        value = value[int(key)] if key.isdigit() else value[key]
    found = value if isinstance(value, str) else json.dumps(value)
    if found != wanted and not (wanted[-1:] == "*" and found.startswith(wanted[:-1])):
        print(f"{path} is {found}, expected {wanted}")' "$@" 2>&1)
  [ -z "$wrong" ] || problem "$wrong"
}

# Small models.
unsafe_model() {
  printf '%s\n' '3 3' '0 0 -> 1 1' '1 0 -> 2 1' '2|1,1' >"${1:-unsafe.tts}"
}
safe_model() {
  printf '%s\n' '2 2' '0 0 -> 1 1' '1 1 -> 0 0' '1|1,1' >"${1:-safe.tts}"
}
net_model() {
  cat >"${1:-net.spec}" <<'SPEC'
vars
  p q r
rules
  p >= 1 -> p' = p - 1, q' = q + 1;
  q >= 2 -> q' = q - 2, r' = r + 1;
init
  p >= 1, q = 0, r = 0
target
  r >= 2
SPEC
}
# A net whose forward search does not end.
endless_model() {
  cat >"${1:-endless.spec}" <<'SPEC'
vars
  a b c d
rules
  a >= 1 -> b' = b + 1;
  a >= 1 -> c' = c + 1;
  b >= 1, c >= 1 -> b' = b - 1, c' = c + 2;
init
  a = 1, b = 0, c = 0, d = 0
target
  d >= 1
SPEC
}

run_tests() {
  local names name count=0 failures=0
  names=$(declare -F | awk '$3 ~ /^test_/ { print $3 }')
  echo "1..$(echo "$names" | wc -l)"
  for name in $names; do
    count=$((count + 1))
    mkdir "$scratch/$name"
    (
      cd "$scratch/$name" || exit 1
      bad=0
      "$name"
      echo >"$scratch/done"
      exit $bad
    ) >"$scratch/log" 2>&1
    local result=$?
    if [ $result = 77 ]; then
      echo "ok $count # SKIP ${name#test_}: $(tail -n 1 "$scratch/log")"
    elif [ $result = 0 ] && [ -e "$scratch/done" ]; then
      echo "ok $count - ${name#test_}"
    else
      echo "not ok $count - ${name#test_}"
      sed 's/^/#   /' "$scratch/log"
      failures=$((failures + 1))
    fi
    rm -rf "$scratch/done" "${scratch:?}/$name"
  done
  [ $failures = 0 ]
}
needs_terminal() {
  script -qec true /dev/null </dev/null >/dev/null 2>&1 || skip "script(1) cannot make a terminal"
}
skip() { echo "$*"; exit 77; }
