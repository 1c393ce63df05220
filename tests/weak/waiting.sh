#!/bin/sh
# SPDX-License-Identifier: MIT
# Loops that wait, locks and barriers, of which graph and views leave out what comes to
# nothing: proved, and with -DBUG found.
#   waiting.sh HEDDLE FOLDER      prints TAP
heddle=$1
folder=$2
n=0
for file in "$folder"/*.c; do
  engines="graph views"
  case $file in */inputs.c) engines=views ;; esac # too many values for graph
  for engine in $engines; do
    for flag in -DRIGHT -DBUG; do
      n=$((n + 1))
      expected=safe
      [ $flag = -DBUG ] && expected=unsafe
      found=$("$heddle" verify "$file" $flag --engine=$engine --property=assert,race --timeout=60 -q | tail -n 1)
      name="$(basename "$file") $flag $engine"
      case $found in
      *"verdict: $expected"*) echo "ok $n - $name" ;;
      *) echo "not ok $n - $name"; echo "# $found, expected $expected" ;;
      esac
    done
  done
done
echo "1..$n"
