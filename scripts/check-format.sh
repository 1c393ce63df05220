#!/bin/sh
# SPDX-License-Identifier: MIT
# Every C file is as clang-format (version 14, Debian 12's) would write it; names
# those that are not. `clang-format -i FILE...` mends them.
cd "$(dirname "$0")/.." || exit 1
tool=
for name in clang-format-14 clang-format; do
  case $($name --version 2>/dev/null) in
  *"version 14."*) tool=$name && break ;;
  esac
done
[ -n "$tool" ] || { echo "no clang-format 14"; exit 77; }
git rev-parse --git-dir >/dev/null 2>&1 || { echo "no checkout"; exit 77; }
bad=$(git ls-files -z 'src/*.[ch]' 'include/*.h' 'tests/unit/*.[ch]' 'tests/fuzz/*.[ch]' |
  xargs -0 "$tool" --dry-run --ferror-limit=1 2>&1 | sed -n 's/:[0-9]*:[0-9]*: warning:.*//p' | sort -u)
[ -z "$bad" ] && exit 0
echo "not as clang-format writes them:"
echo "$bad"
exit 1
