#!/bin/sh
# SPDX-License-Identifier: MIT
# Verifies each program; for CI. Exit status 1 when one is unsafe, or when heddle
# could not treat one; unknown is reported and let through, unless STRICT is set.
# What is needed to look at a failure goes to the folder heddle-results.
heddle=${HEDDLE:-heddle}
results=heddle-results
bad=0
mkdir -p "$results"
for file in "$@"; do
  name=$(basename "$file" .c)
  "$heddle" verify "$file" -I src --timeout="${SECONDS_EACH:-60}" \
    --witness="$results/$name.schedule" --harness="$results/$name" \
    >"$results/$name.txt" 2>&1
  status=$?
  echo "$file: $(grep '^verdict:' "$results/$name.txt")"
  case $status in
    0) rm -rf "${results:?}/$name" ;;
    5) [ -z "${STRICT:-}" ] || bad=1 ;;
    *) cat "$results/$name.txt"; bad=1 ;;
  esac
done
exit $bad
