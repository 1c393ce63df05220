#!/bin/sh
# SPDX-License-Identifier: MIT
# What heddle-judge is made of: prints how many lines, and fails when there is
# something in it that belongs to the engines. With the program as argument its
# symbols are looked at, too: none of them is defined in a folder of the engines.
cd "$(dirname "$0")/.." || exit 1
# What it links, and the headers that those include, up to src/ itself.
files=$(sed -n "s/.*/&/p" src/judge/meson.build | grep -o "'[^']*\.c'" | tr -d "'" |
  sed 's|^\.\./||; s|^main\.c$|judge/main.c|')
all=$files
new=$files
while [ -n "$new" ]; do
  headers=$(cd src && grep -h '^ *# *include *"' $new | sed 's/.*"\(.*\)".*/\1/' | sort -u)
  new=
  for h in $headers; do
    case " $(echo $all) " in *" $h "*) ;; *) new="$new $h" ;; esac
  done
  all="$all $new"
done
status=0
for f in $all; do
  case $f in
  engine/* | domain/* | solve/* | report/* | api/* | cli/* | check/interp/* | model/eval* | \
    model/library* | model/small* | model/escape* | check/notes/find.c | check/notes/print.c)
    echo "heddle-judge is made of src/$f"
    status=1
    ;;
  esac
done
lines=$(cd src && cat $all | wc -l)
code=$(cd src && cat $all | awk '
  { line = $0
    while (1) {
      if (inside) { i = index(line, "*/"); if (!i) { line = ""; break }
                    line = substr(line, i + 2); inside = 0 }
      i = index(line, "/*"); if (!i) break
      text = substr(line, 1, i - 1); rest = substr(line, i + 2)
      j = index(rest, "*/")
      if (j) line = text substr(rest, j + 2); else { line = text; inside = 1; if (line ~ /[^ \t]/) n++; line = ""; break }
    }
    if (line ~ /[^ \t]/) n++ }
  END { print n }')
judging=$(cd src && cat $(echo $all | tr ' ' '\n' | grep '^check/\|^judge/') | wc -l)
echo "heddle-judge: $(echo $all | wc -w) files, $lines lines, $code without comments and" \
  "blank ones; $judging lines judge, the rest reads"
[ "$lines" -le 14060 ] || { echo "heddle-judge has become larger than 14060 lines"; status=1; }
if [ -n "${1-}" ]; then
  # Everything but the C library and the mathematics is its own.
  if ldd "$1" | grep -E 'z3|glpk|gmp|ppl|LLVM'; then
    echo "heddle-judge loads a solver"
    status=1
  fi
  if nm "$1" | grep -E ' [TtDdBb] (hd_(explore|unfold|modular|pairs|smt|bv|evaluate|library|machine|domain|small|z3|lp)[_a-z]*)$'; then
    echo "heddle-judge has symbols of the engines"
    status=1
  fi
fi
exit $status
