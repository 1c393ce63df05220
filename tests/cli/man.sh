#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The man page is the one that the option table makes, and a formatter likes it.
. "$(dirname "$0")/lib.sh"

test_page_is_up_to_date() {
  "$SOURCE/scripts/make-man.py" "$HEDDLE" "$SOURCE/docs/heddle.1.in" >fresh.1
  cmp -s fresh.1 "$SOURCE/docs/heddle.1" ||
    problem "docs/heddle.1 is old: run make man. $(diff "$SOURCE/docs/heddle.1" fresh.1 | head -5)"
}
test_options_page_is_up_to_date() {
  "$SOURCE/scripts/make-options.py" "$HEDDLE" >fresh.md
  cmp -s fresh.md "$SOURCE/docs/options.md" ||
    problem "docs/options.md is old: run make man. $(diff "$SOURCE/docs/options.md" fresh.md | head -5)"
}
test_every_option_in_the_help() {
  local command letter name
  "$HEDDLE" --print-options >table.txt
  for command in $(cut -f1 table.txt | sort -u); do
    "$HEDDLE" "$command" --help >help.txt 2>&1
    "$HEDDLE" "$command" -h >short.txt 2>&1
    awk -F'\t' -v c="$command" '$1 == c { print ($2 == "" ? "." : $2), $3 }' table.txt >options.txt
    while read -r letter name; do
      [ -n "$name" ] && shown="--$name" || shown="-$letter"
      grep -qE -- "(^| )$shown([ =,]|\$)" help.txt || problem "$command --help lacks $shown"
      [ "$command" = help ] || grep -qE -- "(^| )$shown([ =,]|\$)" short.txt || problem "$command -h lacks $shown"
    done <options.txt
  done
}
test_page_has_no_formatting_errors() {
  command -v groff >/dev/null || skip "no groff"
  groff -man -Tutf8 -ww "$SOURCE/docs/heddle.1" >/dev/null 2>warnings.txt
  [ ! -s warnings.txt ] || problem "$(cat warnings.txt)"
}

run_tests
