#!/bin/sh
# SPDX-License-Identifier: MIT
# Locks and lock-free structures with the weakest orders that are right: proved; with
# -DBUG an order is too weak, which is found.
#   structures.sh HEDDLE FOLDER      prints TAP
heddle=$1
folder=$2
n=0
for file in "$folder"/*.c; do
  for flag in -DRIGHT -DBUG; do
    n=$((n + 1))
    expected=safe
    [ $flag = -DBUG ] && expected=unsafe
    found=$("$heddle" verify "$file" $flag --property=assert,race,memory --timeout=60 -q | tail -n 1)
    name="$(basename "$file") $flag"
    case $found in
    *"verdict: $expected"*) echo "ok $n - $name" ;;
    *) echo "not ok $n - $name"; echo "# $found, expected $expected" ;;
    esac
  done
done
echo "1..$n"
