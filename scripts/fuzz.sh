#!/bin/sh
# SPDX-License-Identifier: MIT
# Differential fuzzing until stopped: every fuzzing program of the build in
# turn, each round with new seeds.
build=${1:-build-check}
programs=$(find "$build/tests/fuzz" -maxdepth 1 -type f -name 'fuzz_*' -perm -u+x 2>/dev/null)
[ -n "$programs" ] || { echo "fuzz.sh: no fuzzing program in $build/tests/fuzz" >&2; exit 1; }
seed=$(date +%s)
trap 'echo; echo "stopped before seed $seed"; exit 0' INT TERM
while :; do
  for program in $programs; do
    echo "$program --seed=$seed"
    "$program" --seed="$seed" || { echo "FAILED: $program --seed=$seed"; exit 1; }
  done
  seed=$((seed + 1))
done
