#!/bin/sh
# SPDX-License-Identifier: MIT
# Verifies the programs of a project; for CI and before a commit. `heddle.programs`
# has a line for each: files and flags to compile, and behind a colon options of
# `heddle verify` (src/main.c -p build : --property=race). Findings that are known are
# in heddle-baseline/NAME, made by --write-baseline, NAME being the first word of the
# line with _ for what is no letter or digit. What was verified before, with all that
# it is compiled from unchanged, is in heddle-cache and not looked at again. Exit
# status 1 when there is a new finding, or a program that heddle cannot read; unknown
# is reported and let through, unless STRICT is set.
heddle=${HEDDLE:-heddle}
cache=${HEDDLE_CACHE:-heddle-cache}
list=${1:-heddle.programs}
bad=0
mkdir -p "$cache"
while read -r program; do
  case $program in '' | '#'*) continue ;; esac
  name=$(printf %s "${program%% *}" | tr -c 'a-zA-Z0-9' _)
  known=heddle-baseline/$name
  options="--fail-fast --timeout=${SECONDS_EACH:-60}"
  case $program in *' : '*) options="$options ${program#* : }" ;; esac
  [ ! -f "$known" ] || options="$options --baseline=$known"
  program=${program%% : *}
  # shellcheck disable=SC2086 # several words
  graph=$("$heddle" show --ir $program 2>"$cache/$name.err") || {
    echo "$program: cannot be read"
    cat "$cache/$name.err"
    bad=1
    continue
  }
  baseline=$(cat "$known" 2>/dev/null)
  key=$(printf '%s\n' "$("$heddle" --version)" "$options" "$baseline" "$graph" |
    cksum | tr ' ' -)
  result=$cache/$name.$key
  if [ ! -f "$result" ]; then
    rm -f "$cache/$name".*-*
    # shellcheck disable=SC2086
    "$heddle" verify $program $options >"$result" 2>&1
    echo "status: $?" >>"$result"
  fi
  echo "$program: $(grep '^verdict:' "$result")"
  case $(tail -n 1 "$result") in
    'status: 0') ;;
    'status: 5') [ -z "${STRICT:-}" ] || bad=1 ;;
    *) cat "$result"; bad=1 ;;
  esac
done <"$list"
exit $bad
