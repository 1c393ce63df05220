#!/bin/sh
# SPDX-License-Identifier: MIT
# Shows what heddle prints: two threads that count, without a lock and with one;
# then, for any number of threads, a lock that does not lock and one that does.
heddle=${1:-build/heddle}
case $heddle in /*) ;; *) heddle=$PWD/$heddle ;; esac
cd "$(dirname "$0")/../examples" || exit 1

# show STATUS FILE OPTION...: the file, and what verify says about it
show() {
  expected=$1
  shift
  echo "\$ cat $1"
  cat "$1"
  echo
  echo "\$ heddle verify $*"
  "$heddle" verify "$@"
  status=$?
  [ $status = "$expected" ] ||
    { echo "expected exit status $expected, found $status"; exit 1; }
  echo
}

if [ -x "$(dirname "$heddle")/heddle-cc" ]; then
  show 10 counter.c --property=assert
  show 0 counter-locked.c
else
  echo "(C programs are left out: heddle was built without heddle-cc, which needs"
  echo "the Debian packages llvm-19-dev and clang-19.)"
  echo
fi
show 10 broken-lock.tts
show 0 lock.tts
echo "docs/tutorial.md goes on from here; the files are in examples/."
