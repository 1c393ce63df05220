#!/bin/sh
# SPDX-License-Identifier: MIT
# Shows what heddle prints: a lock that does not lock, and one that does.
heddle=${1:-build/heddle}
case $heddle in /*) ;; *) heddle=$PWD/$heddle ;; esac
cd "$(dirname "$0")/../examples" || exit 1

show() {
  echo
  echo "\$ $*"
  shift
  "$heddle" "$@"
}

echo "\$ cat broken-lock.tts"
cat broken-lock.tts
show heddle verify broken-lock.tts
status=$?
[ $status = 10 ] || { echo "expected exit status 10, found $status"; exit 1; }
echo
echo "\$ cat lock.tts"
cat lock.tts
show heddle verify lock.tts
status=$?
[ $status = 0 ] || { echo "expected exit status 0, found $status"; exit 1; }
