#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The man page is the one that the option table makes, and a formatter likes it.
. "$(dirname "$0")/lib.sh"

test_page_is_up_to_date() {
  "$SOURCE/scripts/make-man.py" "$HEDDLE" "$SOURCE/docs/heddle.1.in" >fresh.1
  cmp -s fresh.1 "$SOURCE/docs/heddle.1" ||
    problem "docs/heddle.1 is old: run make man. $(diff "$SOURCE/docs/heddle.1" fresh.1 | head -5)"
}
test_page_has_no_formatting_errors() {
  command -v groff >/dev/null || skip "no groff"
  groff -man -Tutf8 -ww "$SOURCE/docs/heddle.1" >/dev/null 2>warnings.txt
  [ ! -s warnings.txt ] || problem "$(cat warnings.txt)"
}

run_tests
