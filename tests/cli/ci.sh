#!/bin/bash
# SPDX-License-Identifier: MIT
# The scripts of examples/ci, as a project would use them.
. "$(dirname "$0")/lib.sh"

CC=$(dirname "$HEDDLE")/heddle-cc
[ -x "$CC" ] || { echo "1..0 # SKIP heddle-cc is not built"; exit 0; }
export HEDDLE

project() {
  cp "$EXAMPLES/counter.c" "$EXAMPLES/counter-locked.c" .
  echo 'counter-locked.c : --property=race' >heddle.programs
}

# project.sh with its exit status in $status and what it said in said.txt.
go_through() {
  "$EXAMPLES/ci/project.sh" "$@" >said.txt 2>&1
  status=$?
}

test_baseline_and_cache() {
  project
  go_through
  exits 0
  file_has said.txt 'counter-locked.c: verdict: safe'
  echo 'counter.c : --property=race' >>heddle.programs
  go_through
  exits 1
  file_has said.txt 'data race on counter'
  mkdir heddle-baseline
  run verify counter.c --property=race -q \
    --write-baseline=heddle-baseline/counter_c
  go_through
  exits 0
  file_has said.txt 'no new findings, 1 suppressed'
  # What has not changed is taken from the cache.
  sed -i 's/^verdict: safe/verdict: safe, remembered/' heddle-cache/counter_locked_c.*
  go_through
  exits 0
  file_has said.txt 'remembered'
  sed -i 's/counter++/counter += 2/' counter-locked.c
  go_through
  exits 0
  ! grep -q remembered said.txt || problem "taken from the cache: $(cat said.txt)"
}

test_unknown_and_unreadable() {
  project
  cat >endless.c <<'C'
int f(void);
int main(void) { return f(); }
C
  echo 'endless.c' >heddle.programs
  go_through
  exits 0
  file_has said.txt 'endless.c: verdict: unknown'
  STRICT=1 go_through
  exits 1
  echo 'nothing.c' >heddle.programs
  go_through
  exits 1
  file_has said.txt 'nothing.c: cannot be read'
}

test_before_a_commit() {
  command -v git >/dev/null || skip "git is not installed"
  export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b \
    GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
  project
  git init -q .
  mkdir tools
  cp "$EXAMPLES/ci/project.sh" tools/heddle.sh
  cp "$EXAMPLES/ci/pre-commit" .git/hooks/pre-commit
  echo heddle-cache >.gitignore
  git add .
  git commit -qm right >/dev/null 2>&1 || problem "it was not committed"
  sed -i '/mutex_lock\|mutex_unlock/d' counter-locked.c
  git add .
  ! git commit -qm wrong >said.txt 2>&1 || problem "it was committed"
  file_has said.txt 'data race on counter'
  git checkout -q HEAD counter-locked.c
  echo text >notes
  git add .
  git commit -qm notes >said.txt 2>&1 || problem "it was not committed"
  [ ! -s said.txt ] || problem "looked at although no file of C is there"
}

run_tests
