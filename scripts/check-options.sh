#!/bin/sh
# SPDX-License-Identifier: MIT
# Every option of the table is used by a command, tried by a CLI test and
# described in the man page.
cd "$(dirname "$0")/.." || exit 1
heddle=${HEDDLE:-build/heddle}
bad=0
ids=$(sed -n 's/^  OPTION([A-Z]*, \([a-z_]*\),.*/\1/p' src/cli/options.h)
[ -n "$ids" ] || { echo "no option found in src/cli/options.h"; exit 1; }
for id in $ids; do
  grep -qE "(->|\.)$id\b|HD_OPTION_$id\b" src/cli/*.c ||
    { echo "option '$id' is used nowhere"; bad=1; }
done
for name in $("$heddle" --print-options | cut -f3 | grep . | sort -u); do
  grep -qrE -- "--$name\b" tests/cli ||
    { echo "--$name is tried by no test in tests/cli"; bad=1; }
  grep -qF -- "\\-\\-$(echo "$name" | sed 's/-/\\-/g')" docs/heddle.1 ||
    { echo "--$name is not in docs/heddle.1"; bad=1; }
done
exit $bad
