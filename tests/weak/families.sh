#!/bin/sh
# SPDX-License-Identifier: MIT
# Families of programs with the weakest orders that are right: proved for three
# threads; with -DBUG an order is too weak for C, and no interleaving shows it.
#   families.sh HEDDLE FOLDER      prints TAP
heddle=$1
folder=$2
n=0
verdict() {
  "$heddle" verify "$@" --timeout=60 -q | tail -n 1
}
expect() { # NAME FILE EXPECTED OPTION...
  n=$((n + 1))
  name=$1 file=$folder/$2 expected=$3
  shift 3
  found=$(verdict "$file" "$@")
  case $found in
  *"verdict: $expected"*) echo "ok $n - $name" ;;
  *) echo "not ok $n - $name"; echo "# $found, expected $expected" ;;
  esac
}
for one in barrier buffer lock_counter pool ticket; do
  expect "$one is proved" $one.c safe
done
expect "treiber is proved" treiber.c safe -DK=1 --engine=views
for one in barrier buffer lock_counter pool ticket treiber; do
  expect "$one with a bug is found" $one.c unsafe -DBUG
done
for one in barrier lock_counter pool ticket; do
  expect "$one: no interleaving shows the bug" $one.c safe -DBUG --memory-model=sc
done
echo "1..$n"
