#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Shell completion knows every command, option and value of the option table.
. "$(dirname "$0")/lib.sh"

make_for() { "$SOURCE/scripts/make-completions.py" "$HEDDLE" "$1" >"heddle.$1" || problem "no completion for $1"; }

# completed WORD...: what bash offers for the last word, sorted, in one line
completed() {
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
  _heddle
  printf '%s\n' "${COMPREPLY[@]}" | sort | tr '\n' ' ' | sed 's/ $//'
}

test_bash_knows_every_option() {
  make_for bash
  . ./heddle.bash
  same "$(completed heddle ver)" "verify"
  for command in $("$HEDDLE" --print-options | cut -f1 | sort -u); do
    [ "$command" = help ] && continue
    wanted=$("$HEDDLE" --print-options | awk -F'\t' -v c="$command" \
      '$1 == c && $3 { print "--" $3 ($4 ? "=" : "") }' | sort -u | tr '\n' ' ' | sed 's/ $//')
    same "$(completed heddle "$command" --)" "$wanted"
    same "$(completed heddle "$command")" "$command"
  done
}
test_bash_knows_values_and_files() {
  make_for bash
  . ./heddle.bash
  same "$(completed heddle verify --order d)" "dfs"
  same "$(completed heddle verify --order = d)" "dfs"
  same "$(completed heddle verify --engine = bw)" "bws"
  touch counter.c counted.tts
  mkdir folder
  same "$(completed heddle verify cou)" "counted.tts counter.c"
  same "$(completed heddle verify --harness fo)" "folder"
  same "$(completed heddle help fu)" "fuzz"
}
test_zsh_takes_it() {
  command -v zsh >/dev/null || skip "no zsh"
  make_for zsh
  zsh -n heddle.zsh || problem "zsh does not read it"
  for name in $("$HEDDLE" --print-options | cut -f3 | sort -u); do
    file_has heddle.zsh "--$name"
  done
}
test_fish_takes_it() {
  command -v fish >/dev/null || skip "no fish"
  make_for fish
  same "$(fish --no-config -c 'source heddle.fish; complete -C"heddle ver"' 2>&1 | cut -f1)" "verify"
  same "$(fish --no-config -c 'source heddle.fish; complete -C"heddle verify --order=d"' 2>&1 | cut -f1)" "--order=dfs"
  for name in $("$HEDDLE" --print-options | cut -f3 | sort -u); do
    file_has heddle.fish "-l $name"
  done
}

run_tests
